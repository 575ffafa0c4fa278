/* SPDX-License-Identifier: MIT */
/*
 * Which restrictions of Mesa (v3d_restrict.h) a program before hardware may break, so that a board can show
 * what happens then. Those that can only change values in registers:
 *
 *   v3d-sfu-r4            r4, and what the instruction makes of it. The sheet of facts knows three readings
 *                         of its question 32: the old r4, a stall, or garbage.
 *   v3d-rtop-thrsw        RTOP, which Mesa takes for lost after a thread switch, and umul24's result.
 *   v3d-immediate-unused  results of this instruction: the word differs in nothing but an operand's source.
 *   v3d-rot-early         results of this instruction: it rotates an older word, or by an older count.
 *   v3d-rot-destination   rf0, with a destination quad or rep: the rotation has no effect. The other
 *                         destinations belong to the TMU, and py-videocore7 calls them dangerous.
 *   v3d-rf0-at-thrsw      rf0, which Mesa calls undefined, and what the other signal delivers. That the
 *                         stream of uniforms moves on is not sure either, so the program takes no further
 *                         word.
 *
 * And one that public tests break on both chips without harm, with one batch (py-videocore6 and 7, test_alu):
 *
 *   v3d-thrsw-spacing     two thread switches two instructions apart, long before the last one, without a
 *                         barrier. The accumulators and RTOP are unknown as after each switch.
 *
 * Otherwise the breaking instruction has no signal, so that nothing but its results depends on when it runs.
 * No other restriction may be broken: where execution goes, when a thread ends, how an address arrives in the
 * TMU or in unifa, or what another thread finds in its registers may depend on it.
 */
#ifndef MISPRINT_HARNESS_VERIFY_V3D_BREACHES_H
#define MISPRINT_HARNESS_VERIFY_V3D_BREACHES_H

#include "model/v3d/unit_v3d.h"

enum { V3D_BREACHES_MAX = 16 }; /* more are refused */

struct v3d_breaches {
    unsigned count;
    struct v3d_breach item[V3D_BREACHES_MAX];
};

/* Finds the restrictions that a program of `count` instructions breaks: the case's own program, or one that
 * contains it. Returns NULL, or the first one that it may not break. */
const struct v3d_breach *v3d_find_breaches(const struct v3d_case *c, const struct v3d_insn *program,
                                           uint32_t count, struct v3d_breaches *found);

/* May the program break this restriction in this place? */
bool v3d_may_break(const struct v3d_case *c, const struct v3d_insn *program, uint32_t count,
                   const struct v3d_breach *b);

#endif
