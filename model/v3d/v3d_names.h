/* SPDX-License-Identifier: MIT */
/* The words of the text form, for v3d_text.c and v3d_parse.c. NULL ends a list; "" is printed without '.'. */
#ifndef MISPRINT_MODEL_V3D_V3D_NAMES_H
#define MISPRINT_MODEL_V3D_V3D_NAMES_H

#include "model/v3d/v3d_insn.h"

extern const char *const v3d_pack_names[];
extern const char *const v3d_cond_names[];
extern const char *const v3d_flags_names[];
extern const char *const v3d_branch_cond_names[];

struct v3d_signal_name {
    const char *name;
    unsigned bit; /* enum v3d_signal */
};
extern const struct v3d_signal_name v3d_signal_words[];

#endif
