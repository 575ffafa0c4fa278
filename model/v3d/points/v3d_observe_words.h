/* SPDX-License-Identifier: MIT */
/* Passes the fields of instruction words to an observer, and says what an instruction touches. */
#ifndef MISPRINT_MODEL_V3D_POINTS_V3D_OBSERVE_WORDS_H
#define MISPRINT_MODEL_V3D_POINTS_V3D_OBSERVE_WORDS_H

#include "model/v3d/v3d_insn.h"
#include "model/v3d/v3d_points.h"

/* Decodes a word as v3d_decode does, and passes its fields. */
void v3d_decode_observed(const struct observer *o, enum v3d_generation g, uint64_t word, struct v3d_insn *i);
/* Does the observer want a point of words, or of the check of a program? */
bool v3d_observes_words(const struct observer *o);

/* Returns what an instruction reads and writes, a bit each, as input `touches` numbers it. */
uint32_t v3d_touches(const struct v3d_insn *i);

#endif
