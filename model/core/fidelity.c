/* SPDX-License-Identifier: MIT */
#include "model/core/fidelity.h"

void fidelity_print(const struct fidelity *f, struct text *t)
{
    static const char *const reached[2][2] = {{"no inexact value reached a branch or an address",
                                               "an inexact value reached an address"},
                                              {"an inexact value reached a branch",
                                               "inexact values reached a branch and an address"}};
    text_add(t, "%llu exact, %llu within a tolerance, %llu undefined, %llu unsupported; %s",
             (unsigned long long)f->exact, (unsigned long long)f->tolerance, (unsigned long long)f->undefined,
             (unsigned long long)f->unsupported, reached[f->to_control][f->to_address]);
}
