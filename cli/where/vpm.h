/* SPDX-License-Identifier: MIT */
/*
 * `misprint where vc4-vpm`: which cells of the VPM and which bytes of memory a setup word names, in which
 * order. The model answers by itself: it runs the access several times, with source bytes that spell their
 * own place bit by bit, and the bytes that arrive tell where they came from.
 */
#ifndef MISPRINT_CLI_WHERE_VPM_H
#define MISPRINT_CLI_WHERE_VPM_H

#include "cli/where/where.h"
#include "model/vc4/vpm/unit_vpm.h"

enum vpm_access { VPM_ACCESS_WRITE, VPM_ACCESS_READ, VPM_ACCESS_STORE, VPM_ACCESS_LOAD };

enum {
    VPM_BYTES = VC4_VPM_ROWS * VC4_LANES * 4,
    VPM_VECTORS = 16, /* that are drawn */
    VPM_VECTOR_BYTES = VPM_VECTORS * VC4_LANES * 4,
    VPM_SINK_MAX = DIRECT_MEMORY_BYTES,
};

struct vpm_question {
    enum vpm_access access;
    unsigned vectors;          /* of a write or read */
    struct text setups, notes; /* the setups by their fields; what was assumed */
    uint32_t word;             /* the setup that starts the access */
    uint32_t address;          /* of a DMA, in the case's memory */
    struct vpm_case *at;       /* inside `tc` */
    struct test_case tc;
};

/* For each byte of the sink (VPM; memory of a store; vectors of a read): 1 + the number of the byte of the
 * source (vectors of a write; VPM; memory of a load) that arrives there; 0: nothing does. */
struct vpm_answer {
    enum end end;
    unsigned reason;
    struct coverage coverage;
    uint32_t from[VPM_SINK_MAX];
    bool overwritten[VPM_BYTES]; /* bytes of the VPM that a store moves, but that later rows overwrite in
                                    memory */
};

bool vpm_ask(const struct arguments *a, struct vpm_question *q, struct error *e);
void vpm_free(struct vpm_question *q);
void vpm_answer(struct vpm_question *q, const struct profile *p, struct vpm_answer *to);
/* How many bytes of the VPM a store reads that do not stay in memory, because rows have the same addresses.
 */
uint32_t vpm_lost(const struct vpm_question *q, const struct vpm_answer *a);
bool vpm_same(const struct vpm_answer *a, const struct vpm_answer *b);
void vpm_draw(const struct vpm_question *q, const struct vpm_answer *a, struct text *t);
/* A list of moves: the VPM byte (row, column, byte) with its vector and element, or its address; and the
 * bytes that are overwritten. */
json_t *vpm_answer_json(const struct vpm_question *q, const struct vpm_answer *a);

#endif
