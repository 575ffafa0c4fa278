/* SPDX-License-Identifier: MIT */
/*
 * Which restrictions of Mesa (v3d_restrict.h) a program before hardware may break, so that a board can show
 * what happens then. v3d_breaches.c has one row for each restriction: where a program may break it, or why
 * not. These may be broken:
 *
 *   v3d-sfu-r4            r4, and what the instruction makes of it. The sheet of facts knows three readings
 *                         of its question 32: the old r4, a stall, or garbage.
 *   v3d-one-peripheral    V3D 4.2, if all accesses go to the SFU: r4, and the registers that are written.
 *   v3d-rtop-thrsw        RTOP, which Mesa takes for lost after a thread switch, and umul24's result.
 *   v3d-immediate-unused  results of this instruction: the word differs in nothing but an operand's source.
 *   v3d-rot-early         results of this instruction: it rotates an older word, or by an older count.
 *   v3d-rot-destination   rf0, with a destination quad or rep: the rotation has no effect. The other
 *                         destinations belong to the TMU, and py-videocore7 calls them dangerous.
 *   v3d-rf0-at-thrsw      rf0, which Mesa calls undefined, and what the other signal delivers. That the
 *                         stream of uniforms moves on is not sure either, so the program takes no further
 *                         word.
 *   v3d-unifa-delay       the word. It comes from the address before the write to unifa or from that after
 *                         it. Both must be known and in the case's memory. What unifa holds then is not
 *                         known, so there is no further ldunifa before another write to it.
 *   v3d-unifa-branch      unifa, which holds the address before the write or the written one: both as above.
 *                         The branch itself does not move the stream of uniforms. Whether something else
 *                         moves it is not sure, so the program takes no further word.
 *   v3d-uniform-in-branch-slot
 *                         the word of ldunif or ldunifrf. It comes from the stream before the branch or from
 *                         the new one. Both must have a word. The program takes no further word.
 *
 * And one that public tests break on both chips without harm, with one batch (py-videocore6 and 7, test_alu):
 *
 *   v3d-thrsw-spacing     two thread switches two instructions apart, long before the last one, without a
 *                         barrier. The accumulators and RTOP are unknown as after each switch.
 *
 * What depends on these counts as unknown in both proofs: results in registers, and from there on the
 * accumulators and RTOP. Otherwise the breaking instruction has no signal, so that nothing but its results
 * depends on when it runs. No other restriction may be broken.
 *
 * The check of restrictions follows no branch. A program that breaks one only where a branch jumps from its
 * last delay slot to its target is refused.
 */
#ifndef MISPRINT_HARNESS_VERIFY_V3D_BREACHES_H
#define MISPRINT_HARNESS_VERIFY_V3D_BREACHES_H

#include "model/v3d/unit_v3d.h"

enum { V3D_BREACHES_MAX = 16 }; /* more are refused */

struct v3d_breaches {
    unsigned count;
    struct v3d_breach item[V3D_BREACHES_MAX];
    struct v3d_breach jump; /* one that only a jump breaks */
};

/* Finds the restrictions that a program of `count` instructions breaks: the case's own program, or one that
 * contains it. Returns NULL, or the first one that it may not break. */
const struct v3d_breach *v3d_find_breaches(const struct v3d_case *c, const struct v3d_insn *program,
                                           uint32_t count, struct v3d_breaches *found);

/* May the program break this restriction in this place? */
bool v3d_may_break(const struct v3d_case *c, const struct v3d_insn *program, uint32_t count,
                   const struct v3d_breach *b);

/* Says what is broken, and why that is not tried, or only in some places. Returns false. */
bool v3d_breach_error(const struct v3d_breach *b, struct error *e);

#endif
