/* SPDX-License-Identifier: MIT */
/*
 * `misprint where` answers one question: which addresses does this instruction reach, which cells does this
 * setup word name, where is this texel? Each unit's part builds a case (or calls the unit's own table), runs
 * it on the model, and prints what passed the observation points. This folder computes no addresses itself.
 */
#ifndef MISPRINT_CLI_WHERE_WHERE_H
#define MISPRINT_CLI_WHERE_WHERE_H

#include "cli/cli.h"

int where_buffer(const struct arguments *a); /* unit amd-buffer */
int where_vpm(const struct arguments *a);    /* unit vc4-vpm */
int where_tmu(const struct arguments *a);    /* unit vc4-tmu */

#endif
