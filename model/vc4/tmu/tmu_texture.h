/* SPDX-License-Identifier: MIT */
/*
 * A texture as its parameters describe it: the images of its mip levels and faces, and how texels are chosen
 * and blended, with the readings of all clauses. tmu_texture.c makes a texture, tmu_sample.c samples it.
 */
#ifndef MISPRINT_MODEL_VC4_TMU_TMU_TEXTURE_H
#define MISPRINT_MODEL_VC4_TMU_TMU_TEXTURE_H

#include "model/vc4/tmu/texture_format.h"
#include "model/vc4/tmu/texture_layout.h"
#include "model/vc4/tmu/tmu_clauses.h"
#include "model/vc4/tmu/tmu_config.h"
#include "model/vc4/vc4.h"

enum {
    TMU_LEVELS_MAX = 12, /* 2048 down to 1 */
    TMU_CUBE_FACES = 6,
};

struct tmu_level {
    struct texture_grid grid; /* in units of storage: texels, ETC1 blocks, YUYV pairs */
    uint32_t address;         /* bus address of face 0 */
    uint32_t width, height;   /* in texels */
};

/* The meaning of MINFILT (p42 T16): a linear filter within a level, mip levels, blending of two levels. */
struct tmu_minification {
    bool linear, mips, blends;
};
extern const struct tmu_minification tmu_minifications[TMU_MIN_RESERVED];

struct tmu_texture {
    uint32_t word[4]; /* the parameters that the texture was made from */
    uint32_t words;

    enum vc4_stop stop; /* VC4_GO, or why look-ups with these parameters stop the QPU */
    const struct texture_type *type;
    /* Of the type, as rules left them: log2 of the bits of a unit of storage, and of its texels on each axis.
     */
    uint8_t bits_log2, block_log2[2];
    struct texture_utile utile;
    struct texture_rules rules;
    uint32_t bit_flip;     /* XORed with a texel's bit address (clause tex-bit-order) */
    uint32_t levels, most; /* number of mip levels, and of those that the size allows */
    struct tmu_level level[TMU_LEVELS_MAX];
    uint32_t face_stride;    /* bytes from one face to the next */
    uint32_t face_flip;      /* XORed with the face's number (clause tmu-cube-faces) */
    uint32_t border_address; /* address of the extra level (clause tmu-border-source) */
    bool cube, flip_y, explicit_lod, child;
    bool undefined;                 /* every result is undefined (clause child-2048) */
    bool inside;                    /* the whole texture is inside the memory, so addresses need no check */
    uint8_t mag, min, wrap[2];      /* filters; wrap modes of S and T */
    struct tmu_minification minify; /* what MINFILT asks for */
    bool needs_lod;                 /* results depend on the level of detail */
    bool single_repeated;           /* reading of clause tex-single-packing */
    uint32_t child_x, child_y, width, height; /* of the child; no child: 0, 0 and level 0's size */
    uint8_t
        reading[TMU_CLAUSE_COUNT]; /* the profile's readings; a look-up covers the clauses that it consults */
};

/* The registers in the order of their addresses: 56 to 59 are TMU0's, 60 to 63 TMU1's (p44 T20). */
enum tmu_register { TMU_S, TMU_T, TMU_R, TMU_B, TMU_REGISTERS };

/* The coordinates of a look-up, with their masks. */
struct tmu_request {
    struct vc4_vector value[TMU_REGISTERS], defined[TMU_REGISTERS];
};

/* Makes a texture from 1 to 4 parameters; missing ones are 0. */
void tmu_texture_set(struct tmu_texture *x, const struct vc4_env *env, unsigned clause_base,
                     const uint32_t *word, uint32_t words);

/* Are all look-ups in the texture point samples of level 0? */
static inline bool tmu_only_points(const struct tmu_texture *x)
{
    return !x->needs_lod && x->mag == TMU_MAG_NEAREST && !x->cube;
}

/* Where tmu_sample writes results: entry 0 has the low words of the 16 results, entry 1 the high words of
 * 64-bit types. Only checked runs write the masks, and the tolerances of the low words. */
struct tmu_words {
    struct vc4_vector *value, *defined; /* two each */
    struct vc4_vector *tolerance;
};

/* Looks up 16 elements in a texture. x->stop must be VC4_GO. */
enum vc4_stop tmu_sample(const struct tmu_texture *x, const struct vc4_env *env, unsigned clause_base,
                         const struct tmu_request *q, const struct tmu_words *out);

#endif
