/* SPDX-License-Identifier: MIT */
/*
 * The clauses of the texture and memory look-up unit, one row each. tmu.c (FIFOs, uniforms), tmu_texture.c
 * (parameters, levels), texture_format.c (texels), tmu_sample.c and tmu_filter.c (sampling) obey them.
 *
 * Known facts about the TMU that have no row here, with the reason:
 * - tmu-cache-order: the TMU's cache is direct-mapped. This affects the time of a result and not its value,
 *   and look-ups take no time in the model. There is one exception. If a DMA store changes memory after a
 *   look-up read it, a later look-up may return the old data (p93: the hardware does not keep cache and
 *   memory coherent). The model returns the new data. harness/verify/verifier_access.c refuses such programs,
 *   so none runs on a board.
 * - tmu-counter: a performance counter (p98 T82), which no case can read.
 * - bkpt-zero-word, r4-signal-same-instr: about QPU instructions, see qpu_clauses.c.
 *
 * Nine rows are our own, because every document is silent: tmu-cube-faces, tmu-texel-edge, tmu-filter,
 * tmu-lod, tex-expansion, tex-bit-order, tex-single-packing, tex-yuyv, tex-etcflip. For tmu-texel-edge,
 * tmu-filter and tmu-lod nobody knows what silicon does. Their reading `unknown` makes every result undefined
 * that depends on the clause. The readings of the other six are guesses that a run on a board can confirm.
 *
 * Where two places of the manual contradict each other, `manual` is the more specific one. The less specific
 * sentence is another reading.
 */
#include "model/vc4/tmu/tmu_clauses.h"

#include "model/vc4/vpm/vpm_clauses.h"

#include <stddef.h>

/* clang-format off */
#define MANUAL   "VideoCoreIV-AG100-R "
#define ADDENDUM "maazl/vc4asm doc/VideoCoreIV-addendum.html (observed on a Raspberry Pi)"
#define VALIDATE "Linux vc4_validate.c"

/* A reading's source and evidence. */
#define ARGUMENT(text) "argument: " text, EVIDENCE_ARGUMENT
#define DOCUMENT(text) MANUAL text, EVIDENCE_DOCUMENT
#define SILENT(text) "a careful reader's assumption" text, EVIDENCE_ARGUMENT
/* The reading of profile bcm2835. A row without .in_profile has READING_MANUAL in every built-in profile. */
#define BCM2835(reading) {[VC4_PROFILE_BCM2835] = (reading)}
#define MODES(...) (const char *const[]){__VA_ARGS__, NULL}

const struct clause tmu_clauses[TMU_CLAUSE_COUNT] = {
    [TMU_CLAUSE_FIFO_8] = {
        .id = "tmu-fifo-8", .title = "how many memory look-ups may be outstanding", .where = MANUAL "p39",
        .readings = {
            {"manual", "Eight look-ups may be outstanding. The parameters of all look-ups whose results were "
             "not loaded share eight slots, and a ninth write waits for a load.",
             MANUAL "p39; a ninth hangs a Raspberry Pi: doe300/VC4C InstructionScheduler.cpp",
             EVIDENCE_STATED},
            {"unreliable", "With more than four look-ups outstanding, the look-up made four before the "
             "newest returns undefined data.", ADDENDUM ": elements may get the data of the slot four ahead",
             EVIDENCE_STATED},
            {"slot-four-ahead", "With more than four look-ups outstanding, elements 0 to 3 of the look-up "
             "made four before the newest get the newest's data.", "the same, taken for the first quad",
             EVIDENCE_ARGUMENT},
            {"both-fifos", "Sixteen look-ups may be outstanding: the request FIFO has eight slots and the "
             "result FIFO eight words.", ARGUMENT("p39 and p40 describe two FIFOs")},
        },
        .in_profile = BCM2835(TMU_FIFO_UNRELIABLE),
        .proposed = "At most four memory look-ups may be outstanding.",
        .workaround = "Load a result before the fifth request.", .modes = MODES("fifth-lookup", "full")},
    [TMU_CLAUSE_UNIFORM_DIRECT] = {
        .id = "tmu-uniform-direct", .title = "whether a memory look-up takes a uniform",
        .where = MANUAL "p40, p23, p41",
        .readings = {
            {"manual", "A memory look-up takes no uniform.", MANUAL
             "p23, p41; Linux vc4_validate_shaders.c counts none", EVIDENCE_SOURCE},
            {"every-write", "Every write of S, T, R or B reads the next uniform, also for a memory look-up.",
             DOCUMENT("p40")},
        },
        .proposed = "p40: every write of a parameter of a texture look-up reads a uniform; a general-memory "
            "look-up reads none."},
    [TMU_CLAUSE_TWO_PARAMS] = {
        .id = "tmu-two-params", .title = "the smallest number of writes that make a look-up",
        .where = MANUAL "p40",
        .readings = {
            {"manual", "A write of S alone makes a general-memory look-up.", MANUAL "p39, p41; all software",
             EVIDENCE_SOURCE},
            {"always-two", "A look-up has at least two parameters. A write of S alone is not defined.",
             DOCUMENT("p40")},
        },
        .proposed = "p40: a texture look-up has at least two parameters."},
    [TMU_CLAUSE_PARAM_ORDER] = {
        .id = "tmu-param-order", .title = "which writes take parameters 2 and 3 of a texture look-up",
        .where = MANUAL "p40",
        .readings = {
            {"manual", "The first two writes of a look-up take parameters 0 and 1, whichever registers they "
             "write. Later writes take none, and parameters 2 and 3 are 0.", DOCUMENT("p40")},
            {"every-write", "The n-th write of a look-up takes parameter n.",
             "Mesa vc4_program.c emits R, T, B, S with parameters 0, 1, 2, 3 in that order", EVIDENCE_SOURCE},
        },
        .in_profile = BCM2835(TMU_PARAM_EVERY_WRITE),
        .proposed = "The n-th write of a look-up takes parameter n, whichever register it writes.",
        .modes = MODES("third-write", "fourth-write")},
    [TMU_CLAUSE_T17_TEXT] = {
        .id = "tmu-t17-text", .title = "the meaning of CHEIGHT and CWIDTH", .where = MANUAL "p42 T17",
        .readings = {
            {"manual", "CHEIGHT is the cube map's stride in units of 4 KB. A CWIDTH other than 0 disables "
             "the automatic level of detail. No field gives the size of a child image.", DOCUMENT("p42 T17")},
            {"child-size", "CHEIGHT and CWIDTH are the height and the width of the child image.",
             "their names; Mesa kernel/vc4_packet.h", EVIDENCE_SOURCE},
        },
        .in_profile = BCM2835(TMU_T17_CHILD_SIZE),
        .proposed = "CHEIGHT: child image height. CWIDTH: child image width."},
    [TMU_CLAUSE_EXPLICIT_LOD] = {
        .id = "tmu-explicit-lod", .title = "BSLOD of textures that are not cube maps",
        .where = MANUAL "p42 T17",
        .readings = {
            {"manual", "BSLOD has no effect on these textures, because its word is described for cube maps.",
             DOCUMENT("p42 T17")},
            {"any", "BSLOD makes B the level of detail of any texture.",
             "Mesa vc4_uniforms.c sets it for 2D textures with PTYPE 1", EVIDENCE_SOURCE},
        },
        .in_profile = BCM2835(TMU_EXPLICIT_LOD_ANY),
        .proposed = "BSLOD: use B as the level of detail, also of 2D textures."},
    [TMU_CLAUSE_CSWIZ] = {
        .id = "cswiz", .title = "the cache swizzle", .where = MANUAL "p41 T15", .silent = true,
        .readings = {
            {"manual", "The cache swizzle affects only speed.", SILENT(", from the name")},
            {"refused", "A look-up with a cache swizzle other than 0 is not accepted.",
             ARGUMENT("a simulator may know no such values; drivers write 0")},
        },
        .workaround = "Write 0."},
    [TMU_CLAUSE_CHILD_2048] = {
        .id = "child-2048", .title = "child images whose width or height field is 0, which may mean 2048",
        .where = MANUAL "p108 HW-2753",
        .readings = {
            {"manual", "Look-ups in such a child image fail: every result is undefined.",
             MANUAL "p108 HW-2753; that 0 stands for 2048 is by analogy with T16", EVIDENCE_STATED},
            {"works", "0 means 2048, and the child image works.", MANUAL
             "p42 T16, by analogy; other chips than those of HW-2753", EVIDENCE_ARGUMENT},
            {"one-texel", "0 is not a size: every look-up returns the first texel of the child image.",
             ARGUMENT("a counter that stops at 0")},
        },
        .workaround = "Use sizes up to 2047."},
    [TMU_CLAUSE_LT_THRESHOLD] = {
        .id = "lt-threshold", .title = "the size below which a level is in LT format instead of T format",
        .where = MANUAL "p40, p107",
        .readings = {
            {"manual", "A level is in LT format if its width or height is less than a 4K tile (8 utiles).",
             DOCUMENT("p40")},
            {"subtile", "A level is in LT format if its width or height is at most a sub-tile (4 utiles).",
             "Mesa vc4_tiling.c, " VALIDATE " (relied on for every mip level)", EVIDENCE_SOURCE},
        },
        .in_profile = BCM2835(TMU_LT_SUBTILE),
        .proposed = "LT format is used for levels whose width or height is at most four utiles."},
    [TMU_CLAUSE_T_ROW_DIRECTION] = {
        .id = "t-row-direction", .title = "which rows of 4K tiles run from right to left",
        .where = MANUAL "p105", .silent = true, /* it does not say whether rows count from 0 or from 1 */
        .readings = {
            {"manual", "Odd rows run from left to right and even rows from right to left. The lowest row is "
             "row 0.", DOCUMENT("p105")},
            {"even-forward", "Even rows run from left to right and odd rows from right to left. The lowest "
             "row is row 0.", "Mesa vc4_tiling.c; the blog post on texturing (JayStation2); the manual's "
             "sentence too, if it counts from 1", EVIDENCE_SOURCE},
        },
        .in_profile = BCM2835(TMU_T_EVEN_ROWS_FORWARD),
        .proposed = "Even rows of tiles (0, 2, ...) are ordered left to right, odd rows right to left."},
    [TMU_CLAUSE_MIP_POT] = {
        .id = "mip-pot",
        .title = "the size of mip levels above 0 if the size of level 0 is not a power of two",
        .where = MANUAL "p39",
        .readings = {
            {"manual", "The size of level n is the size of level 0 shifted right by n, then padded to a "
             "power of two.", DOCUMENT("p39")},
            {"from-pot", "The size of level n is the size of level 0 padded to a power of two, then shifted "
             "right by n.", "Mesa vc4_resource.c", EVIDENCE_SOURCE},
            {"unpadded", "The size of level n is the size of level 0 shifted right by n, without padding.",
             VALIDATE " checks with it, as a lower bound", EVIDENCE_SOURCE},
        },
        .in_profile = BCM2835(TMU_MIP_FROM_POT),
        .proposed = "Level n is max(1, P >> n) texels wide. P is the width of level 0 padded to a power of "
            "two.",
        .workaround = "Use mip maps only with sizes that are powers of two."},
    [TMU_CLAUSE_RASTER_NPOT] = {
        .id = "raster-npot", .title = "the pitch of raster textures whose width is not a power of two",
        .where = MANUAL "p109 HW-2898",
        .readings = {
            {"manual", "A row takes as much memory as if its width were padded to a power of two.",
             MANUAL "p109 HW-2898", EVIDENCE_STATED},
            {"as-wide", "Rows follow each other without padding.",
             ARGUMENT("the formats' description without the erratum")},
        },
        .workaround = "Pad the width to a power of two."},
    [TMU_CLAUSE_CUBE_FACES] = {
        .id = "tmu-cube-faces", .title = "the order of a cube map's faces in memory",
        .where = MANUAL "p39-42", .silent = true,
        .readings = {
            {"manual", "The faces follow each other in the order +X, -X, +Y, -Y, +Z, -Z.",
             SILENT(": OpenGL's order")},
            {"negative-first", "The faces follow each other in the order -X, +X, -Y, +Y, -Z, +Z.",
             ARGUMENT("the same pairs with the sign taken the other way round")},
        }},
    [TMU_CLAUSE_TYPE_RGA] = {
        .id = "tex-type-rga", .title = "the channels of RGBX8888", .where = MANUAL "p42 T18",
        .readings = {
            {"manual", "The channels are red, green and alpha (\"RGA\"). Blue reads as 0 and alpha as 1.",
             DOCUMENT("p42 T18")},
            {"rgb", "The channels are red, green and blue. Alpha reads as 1.",
             "the type's name; Mesa vc4_formats.c", EVIDENCE_SOURCE},
        },
        .in_profile = BCM2835(TMU_TYPE_RGB), .proposed = "T18: RGB, alpha set to 1.0."},
    [TMU_CLAUSE_CHANNEL_ORDER] = {
        .id = "tex-channel-order", .title = "the order of channels in 16-bit texels",
        .where = MANUAL "p42 T18", .silent = true,
        .readings = {
            {"manual", "The name of the type lists the channels from the lowest bit up, as that of RGBA8888 "
             "does.", SILENT("")},
            {"red-high", "Red is in the highest bits of RGBA4444, RGBA5551 and RGB565.", "Mesa vc4_formats.c",
             EVIDENCE_SOURCE},
        },
        .in_profile = BCM2835(TMU_CHANNELS_RED_HIGH),
        .proposed = "T18: 4444, 5551 and 565 texels hold red in their highest bits."},
    [TMU_CLAUSE_EXPANSION] = {
        .id = "tex-expansion", .title = "how channels of 1 to 6 bits are widened to 8 bits",
        .where = MANUAL "p42 T18", .silent = true,
        .readings = {
            {"manual", "The channel's bits are repeated to fill 8 bits.", SILENT(", and the usual way")},
            {"shift", "The channel's bits become the high bits, and the low bits become zeros.",
             ARGUMENT("the cheapest way; full intensity would not be FF")},
            {"scale", "Value v becomes v * 255 / (the largest value), rounded to nearest.",
             ARGUMENT("OpenGL's definition; differs from repeated bits by one for few values")},
        }},
    [TMU_CLAUSE_BIT_ORDER] = {
        .id = "tex-bit-order", .title = "the order of texels that share a byte", .where = MANUAL "p42 T18",
        .silent = true,
        .readings = {
            {"manual", "The lowest bits of the byte are the leftmost texel.",
             SILENT(": little-endian as all else")},
            {"high-first", "The highest bits of the byte are the leftmost texel.",
             ARGUMENT("as in most bitmap files")},
        }},
    [TMU_CLAUSE_SINGLE_PACKING] = {
        .id = "tex-single-packing", .title = "the place of an S16F, S8 or S16 sample in the result word",
        .where = MANUAL "p42 T18", .silent = true,
        .readings = {
            {"manual", "The sample is in the lowest bits, with zeros above.", SILENT("")},
            {"repeated", "The sample is repeated in every half or byte.", ARGUMENT("as luminance is")},
        },
        .modes = MODES("half", "byte", "integer")},
    [TMU_CLAUSE_YUYV] = {
        .id = "tex-yuyv", .title = "what a look-up of YUYV422R returns", .where = MANUAL "p43 T18",
        .silent = true,
        .readings = {
            {"manual", "A look-up returns the stored word of the pair of texels.",
             SILENT(": no conversion is mentioned")},
            {"rgb", "A look-up returns the texel's colour, converted by ITU-R BT.601, with alpha FF.",
             ARGUMENT("a texture of video is of no use otherwise")},
        }},
    [TMU_CLAUSE_ETCFLIP] = {
        .id = "tex-etcflip", .title = "the order of rows in an ETC1 block", .where = MANUAL "p41 T16",
        .silent = true,
        .readings = {
            {"manual", "With ETCFLIP 0, the first row of a block is its lowest row, as it is for the image. "
             "ETCFLIP 1 reverses the rows.", SILENT("")},
            {"top-down", "With ETCFLIP 0, the first row of a block is its highest row. ETCFLIP 1 reverses "
             "the rows.", "Broadcom's OpenGL ES driver sets ETCFLIP for uploads whose first row is the "
             "lowest (glxx/2708 tu_4.h)", EVIDENCE_SOURCE},
        },
        .in_profile = BCM2835(TMU_ETCFLIP_TOP_DOWN),
        .proposed = "With ETCFLIP 1, the first row of an ETC1 block is its lowest row. With ETCFLIP 0 it is "
            "the highest row."},
    [TMU_CLAUSE_BORDER_SOURCE] = {
        .id = "tmu-border-source", .title = "the source of the border colour", .where = MANUAL "p40, p41",
        .readings = {
            {"manual", "The border colour is R of element 0, or 0 if R was not written.",
             MANUAL "p41; Mesa vc4_program.c", EVIDENCE_SOURCE},
            {"extra-level", "The border colour is in memory after the texture's data, as the first texel of "
             "one more mip level.", DOCUMENT("p40")},
        },
        .proposed = "p40: remove the sentence on the border colour's extra level."},
    [TMU_CLAUSE_BORDER_ORDER] = {
        .id = "tmu-border-order", .title = "the order of channels in the border colour",
        .where = MANUAL "p41", .silent = true,
        .readings = {
            {"manual", "The border colour has R, G, B, A from the lowest byte up, as a result has.",
             SILENT("")},
            {"format", "The border colour has the channel order of the format's texels in memory. From the "
             "lowest byte, that is A, B, G, R for 4444 and 5551 and B, G, R for 565. ALPHA has A in the "
             "highest byte. LUMALPHA has L in the lowest and A in the highest byte.", "Mesa vc4_uniforms.c",
             EVIDENCE_SOURCE},
        },
        .in_profile = BCM2835(TMU_BORDER_FORMAT_ORDER),
        .proposed = "The border colour has the texture format's own channel order, with eight bits for each "
            "channel."},
    [TMU_CLAUSE_TEXEL_EDGE] = {
        .id = "tmu-texel-edge", .title = "point sampling at the edge between two texels",
        .where = MANUAL "p44-45", .silent = true,
        .readings = {
            {"manual", "The sample is the texel that contains the exact position. A position on an edge "
             "belongs to the texel after the edge.", SILENT("")},
            {"rounded", "The position is first rounded to 1/256 texel.", ARGUMENT("a fixed-point sampler")},
            {"unknown", "Within 1/256 texel of an edge the result is undefined, unless both texels have the "
             "same value.", "nobody has measured it", EVIDENCE_ARGUMENT},
        },
        .in_profile = BCM2835(TMU_EDGE_UNKNOWN), .workaround = "Sample at texel centres."},
    [TMU_CLAUSE_FILTER] = {
        .id = "tmu-filter", .title = "the arithmetic of linear filters", .where = MANUAL "p42 T16",
        .silent = true,
        .readings = {
            {"manual", "The result is the exact blend by fractions of 1/65536 texel and 1/256 level, rounded "
             "once to nearest.", SILENT("")},
            {"eight-bits", "The fractions have eight bits, and the blend is truncated.",
             ARGUMENT("a cheap sampler")},
            {"unknown", "The result is within 4/255 of the exact blend. A blend of 16-bit floats is "
             "undefined.", "nobody has measured it", EVIDENCE_ARGUMENT},
        },
        .in_profile = BCM2835(TMU_FILTER_UNKNOWN)},
    [TMU_CLAUSE_LOD] = {
        .id = "tmu-lod", .title = "the automatic level of detail", .where = MANUAL "p44", .silent = true,
        .readings = {
            {"manual", "The level is the logarithm of the longer of the two gradients inside the quad, as "
             "OpenGL defines it.", SILENT("")},
            {"largest", "The level is the logarithm of the largest single difference between coordinates in "
             "the quad.", ARGUMENT("the approximation that OpenGL allows")},
            {"unknown", "The level is within a quarter of OpenGL's level. A result that depends on a smaller "
             "difference is undefined.", "nobody has measured it", EVIDENCE_ARGUMENT},
        },
        .in_profile = BCM2835(TMU_LOD_UNKNOWN), .workaround = "Give an explicit level of detail."},
    [TMU_CLAUSE_BLEND_NEG_POW2] = {
        .id = "tmu-blend-neg-pow2",
        .title = "exact negative powers of two in linear filters of 16-bit floats",
        .where = MANUAL "p108 HW-2619",
        .readings = {
            {"manual", "A texel that is the only input of the filter keeps its sign.",
             "the text without its list of errata", EVIDENCE_DOCUMENT},
            {"sign-lost", "A texel that is the only input of the filter and an exact negative power of two "
             "loses its sign.", MANUAL "p108 HW-2619", EVIDENCE_STATED},
        },
        .in_profile = BCM2835(TMU_BLEND_SIGN_LOST), .workaround = "Use point sampling."},
    [TMU_CLAUSE_BLEND_INF] = {
        .id = "tmu-blend-inf",
        .title = "+Inf and a negative value blended between two levels of 16-bit floats",
        .where = MANUAL "p108 HW-2645",
        .readings = {
            {"manual", "The blend is +Inf.", "the text without its list of errata", EVIDENCE_DOCUMENT},
            {"negative", "The blend is a negative value, which the manual does not specify further.",
             MANUAL "p108 HW-2645", EVIDENCE_STATED},
        },
        .in_profile = BCM2835(TMU_BLEND_INF_NEGATIVE), .workaround = "Keep infinities out of textures."},
};
