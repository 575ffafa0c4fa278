/* SPDX-License-Identifier: MIT */
/*
 * The observation points of the texture and memory look-up unit. Each row: number, name, width in bits,
 * lanes, what it is, document, inputs. Pages are of VideoCoreIV-AG100-R.
 *
 * S and T, and width and height, pass the same points. Signed values (positions, indices, levels of detail)
 * are in two's complement.
 */
#ifndef MISPRINT_MODEL_VC4_TMU_TMU_POINTS_H
#define MISPRINT_MODEL_VC4_TMU_TMU_POINTS_H

#include "model/rule/point.h"

/* clang-format off */
#define TMU_WORDS_INPUTS {"type", 5}, {"p0", 32}, {"p1", 32}
#define TMU_CONFIG_POINTS(F) \
    F(CONFIG_TYPE, "config.type", 5, 1, "texture type; TYPE4 and TYPE together", "p41-43 T15, T16, T18", \
      {"p0", 32}, {"p1", 32}) \
    F(CONFIG_BASE, "config.base", 32, 1, "offset of level 0 in the case's memory", "p41 T15", \
      TMU_WORDS_INPUTS) \
    F(FORMAT_BITS, "format.bits-log2", 3, 1, "log2 of the bits of a texel or block as stored; 6 at most", \
      "p42-43 T18", {"type", 5}) \
    F(FORMAT_BLOCK, "format.block-log2", 2, 1, "log2 of the texels of a block on an axis; 2 at most", \
      "p42-43 T18", {"axis", 1}, {"type", 5}) \
    F(UTILE_SIZE, "utile.size-log2", 3, 1, "log2 of the texels of a microtile on an axis", "p105", \
      {"axis", 1}, {"bits_log2", 3}) \
    F(CONFIG_CSWIZ, "config.cswiz", 2, 1, "CSWIZ; the cache swizzle", "p41 T15", TMU_WORDS_INPUTS) \
    F(CONFIG_CMMODE, "config.cmmode", 1, 1, "CMMODE; 1 a cube map, 0 no cube map", "p41 T15", \
      TMU_WORDS_INPUTS) \
    F(CONFIG_FLIPY, "config.flipy", 1, 1, "FLIPY", "p41 T15", TMU_WORDS_INPUTS) \
    F(CONFIG_MIPLVLS, "config.miplvls", 4, 1, "MIPLVLS; the number of mip levels less 1", "p41 T15", \
      TMU_WORDS_INPUTS) \
    F(CONFIG_ETCFLIP, "config.etcflip", 1, 1, "ETCFLIP", "p41 T16", TMU_WORDS_INPUTS) \
    F(CONFIG_SIZE, "config.size", 12, 1, "WIDTH or HEIGHT; 1 to 2048", "p41 T16", {"axis", 1}, \
      TMU_WORDS_INPUTS) \
    F(CONFIG_MAGFILT, "config.magfilt", 1, 1, "MAGFILT; 0 linear, 1 nearest", "p42 T16", TMU_WORDS_INPUTS) \
    F(CONFIG_MINFILT, "config.minfilt", 3, 1, "MINFILT", "p42 T16", TMU_WORDS_INPUTS) \
    F(CONFIG_WRAP, "config.wrap", 2, 1, "WRAP_S or WRAP_T; 0 repeat, 1 clamp, 2 mirror, 3 border", \
      "p42 T16", {"axis", 1}, TMU_WORDS_INPUTS) \
    F(CONFIG_PTYPE, "config.ptype", 2, 1, "PTYPE; 1 cube map, 2 child size, 3 child offset", "p42 T17", \
      {"word", 32}, {"number", 2}) \
    F(CONFIG_CUBE_STRIDE, "config.cube-stride", 32, 1, \
      "distance from one face of a cube map to the next; in bytes", "p42 T17", \
      {"ptype", 2}, {"word", 32}) \
    F(CONFIG_BSLOD, "config.bslod", 1, 1, "BSLOD; 1 B is the level of detail, 0 B is a bias", "p42 T17", \
      {"ptype", 2}, {"word", 32}) \
    F(CONFIG_CHILD_SIZE, "config.child-size", 11, 1, "CWIDTH or CHEIGHT", "p42 T17", {"axis", 1}, \
      {"word", 32}) \
    F(CONFIG_CHILD_OFFSET, "config.child-offset", 11, 1, "CXOFF or CYOFF", "p42 T17", \
      {"axis", 1}, {"word", 32})
#define TMU_LEVEL_POINTS(F) \
    F(LOD_EXPLICIT, "lod.explicit", 1, 1, "1: B is the level of detail; 0: B is a bias", "p42 T17", \
      {"bslod", 1}, {"cube", 1}) \
    F(MIN_LINEAR, "minfilt.linear", 1, 1, "1: MINFILT asks for a linear filter within a level", "p42 T16", \
      {"minfilt", 3}) \
    F(MIN_MIPS, "minfilt.mips", 1, 1, "1: MINFILT asks for mip levels", "p42 T16", {"minfilt", 3}) \
    F(MIN_BLENDS, "minfilt.blends", 1, 1, "1: MINFILT asks for a blend of two mip levels", "p42 T16", \
      {"minfilt", 3}) \
    F(LOD_MATTERS, "lod.matters", 1, 1, "1: the level of detail chooses a level or a filter", "p42 T16", \
      {"mips", 1}, {"blends", 1}, {"min_linear", 1}, {"mag_linear", 1}, {"levels", 5}) \
    F(SIZE_PADDED, "size.padded", 12, 1, "width or height as a power of two; 2048 at most", \
      "p39, p109 HW-2898", {"axis", 1}, {"own", 12}) \
    F(SIZE_LOG2, "size.log2", 5, 1, "log2 of a width or height as a power of two", "p39, p109 HW-2898", \
      {"axis", 1}, {"own", 12}, {"own_bits", 4}) \
    F(SIZE_UNITS, "size.units", 32, 1, "number of units that hold a width or height", "p105-107", \
      {"extent", 12}, {"log2", 4}, {"unit", 12}, {"to_divide", 32}) \
    F(SIZE_TO_DIVIDE, "size.to-divide", 32, 1, \
      "width or height plus the size of a unit less 1; a division by the unit follows", "p105-107", \
      {"extent", 12}, {"log2", 4}, {"unit", 12}) \
    F(LEVEL_COUNT, "level.count", 5, 1, "number of mip levels", "p39, p41", \
      {"miplvls", 4}, {"most", 4}, {"child", 1}) \
    F(LEVEL_SIZE, "level.size", 12, 1, "width or height of a mip level", "p39", {"axis", 1}, \
      {"level", 4}, {"size", 12}, {"padded", 12}, {"other_size", 12}, {"other_padded", 12}, {"type", 5}) \
    F(LEVEL_ORDER, "level.order", 2, 1, "order of the texels of a level; 0 raster, 1 LT, 2 T", \
      "p40, p105-107", \
      {"level", 4}, {"utiles_x", 11}, {"utiles_y", 10}, {"type", 5}, {"width", 12}, {"height", 12}, \
      {"tile_width", 11}, {"tile_height", 11}) \
    F(LEVEL_TILE_LOG2, "level.tile-log2", 4, 1, \
      "log2 of the size of a tile (T) or microtile (LT) of a level on an axis", "p105-107", \
      {"axis", 1}, {"level", 4}, {"order", 2}, {"utile_log2", 3}, {"type", 5}) \
    F(LEVEL_TILES, "level.tiles", 12, 1, "number of tiles (T) or microtiles (LT) of a level on an axis", \
      "p105-107", {"axis", 1}, {"level", 4}, {"order", 2}, {"extent", 12}, {"tile_log2", 4}, {"type", 5}) \
    F(LEVEL_PITCH, "level.pitch", 12, 1, "distance from one row of a raster level to the next; in texels", \
      "p109 HW-2898", {"level", 4}, {"width", 12}, {"order", 2}, {"type", 5}) \
    F(LEVEL_ACROSS, "level.across", 12, 1, \
      "distance from one row of a level to the next; in tiles (T), microtiles (LT) or texels", \
      "p105-107", {"level", 4}, {"order", 2}, {"width", 12}, {"type", 5}, {"down", 12}) \
    F(LEVEL_TILE_COUNT, "level.tile-count", 24, 1, "number of tiles (T) or microtiles (LT) of a level", \
      "p105-107", {"level", 4}, {"order", 2}, {"tiles_x", 12}, {"tiles_y", 12}, {"type", 5}) \
    F(LEVEL_BYTES, "level.bytes", 32, 1, "size of a level with its padding; in bytes", "p105-107", \
      {"level", 4}, {"order", 2}, {"width", 12}, {"height", 12}, {"across", 12}, {"type", 5}, \
      {"tiles", 24}) \
    F(LEVEL_ADDRESS, "level.address", 32, 1, "offset of a level in memory", \
      "p39", {"level", 4}, {"bytes", 32}, {"larger", 32}, {"type", 5}) \
    F(LEVEL_PARITY, "level.parity", 1, 1, "parity of the rows of tiles that run from right to left", "p105", \
      {"level", 4}, {"order", 2}, {"type", 5}) \
    F(UTILE_ROW_BITS, "utile.row-bits", 4, 1, "log2 of the bits of a row of a microtile", "p105", \
      {"level", 4}, {"order", 2}, {"type", 5}, {"utile_width", 3}, {"bits_log2", 3}) \
    F(CHILD_SIZE, "child.size", 12, 1, "width or height of a child image", \
      "p42 T17, p108 HW-2753", {"axis", 1}, {"field", 11}, {"rest", 12})
#define TMU_REQUEST_POINTS(F) \
    F(LOOKUP_DIRECT, "lookup.direct", 1, 1, "1: the register write starts a general-memory look-up", "p41", \
      {"register", 2}, {"written", 4}) \
    F(REQUEST_VALUE, "request.value", 32, 16, "coordinate of a texture look-up", "p40, p44", \
      {"register", 2}, {"written", 4}, {"minfilt", 3}, {"magfilt", 1}, {"lod_matters", 1}, {"points", 1}) \
    F(UNIFORM_TAKEN, "uniform.taken", 1, 1, "1: the register write takes a uniform", "p40-41", \
      {"register", 2}, {"direct", 1}, {"writes", 4}) \
    F(UNIFORM_PARAMETER, "uniform.parameter", 1, 1, "1: the register write brings a texture parameter", \
      "p40-41", {"register", 2}, {"direct", 1}, {"writes", 4}, {"taken", 1}) \
    F(UNIFORM_WORD, "uniform.word", 32, 1, "texture parameter", "p40-42", \
      {"number", 3}, {"register", 2}, {"p0", 32}) \
    F(WRITE_VALUE, "write.value", 32, 16, "word that is written to S, T, R or B", "p40, p44", \
      {"register", 2}, {"direct", 1}, {"writes", 4}) \
    F(WRITE_WRITTEN, "write.written", 4, 1, \
      "set of written registers after a register write; bit 0 S, 1 T, 2 R, 3 B", "p40", \
      {"register", 2}, {"written", 4}, {"direct", 1}) \
    F(WRITE_COUNT, "write.count", 4, 1, "number of register writes of the look-up with this one", "p39-40", \
      {"register", 2}, {"writes", 4}, {"direct", 1}) \
    F(LOOKUP_STARTS, "lookup.starts", 1, 1, "1: the register write starts the look-up", "p40", \
      {"register", 2}, {"written", 4}, {"direct", 1}) \
    F(LOOKUP_WRITES, "lookup.writes", 4, 1, "number of register writes that the next look-up has already", \
      "p39-40", {"count", 4}, {"direct", 1}) \
    F(LOOKUP_REPEATS, "lookup.repeats", 1, 1, "1: the look-up takes the texture of the look-up before it", \
      "p40-42", {"p0", 32}, {"p1", 32}, {"before_p0", 32}, {"before_p1", 32}) \
    F(FIFO_LOOKUPS, "fifo.lookups", 5, 1, "number of look-ups that are not loaded; 16 at most", "p39-40", \
      {"load", 1}) \
    F(FIFO_OLDEST, "fifo.oldest", 4, 1, "place of the oldest look-up after a load", "p39-40", {"before", 4}) \
    F(RESULT_ENTRY, "result.entry", 4, 1, "place in the result FIFO of a word of a look-up", "p40", \
      {"earlier", 32}, {"word", 1}) \
    F(LOAD_ENTRY, "load.entry", 4, 1, "place in the result FIFO of the word that is loaded", "p40", \
      {"first_entry", 4}, {"word", 1}) \
    F(REQUEST_HELD, "request.held", 32, 1, \
      "number of slots of the request FIFO that look-ups and register writes hold", "p39-40", \
      {"writes", 4}, {"lookups", 5}) \
    F(REQUEST_TAKEN, "request.taken", 5, 1, "number of slots of the request FIFO in use", "p39-40", \
      {"behind", 5}, {"slots", 4}, {"register", 2}, {"writes", 4}) \
    F(RESULT_HELD, "result.held", 32, 1, "number of result words that wait in the result FIFO", "p39-40", \
      {"lookups", 5}, {"loaded", 2}) \
    F(RESULT_WAITING, "result.waiting", 6, 1, \
      "number of result words that wait with those of this look-up", \
      "p39-40", {"words", 2}, {"direct", 1}) \
    F(RESULT_SLOTS, "result.slots", 5, 1, "number of words that the result FIFO holds; up to 16", "p39-40", \
      {"waiting", 6}, {"direct", 1}) \
    F(LOOKUP_RESERVED, "lookup.reserved", 1, 1, "1: no document defines the look-up; the run then stops", \
      "p40-42", {"direct", 1}, {"p0", 32}, {"p1", 32}, {"p2", 32}, {"p3", 32}, {"levels", 5}, {"most", 4}, \
      {"minfilt", 3}, {"magfilt", 1}, {"cube", 1}, {"type", 5}, {"child", 1}) \
    F(LOOKUP_WRITTEN, "lookup.written", 4, 1, \
      "set of registers that count as written after a look-up; bit 0 S, 1 T, 2 R, 3 B", "p40", \
      {"written", 4}, {"direct", 1}) \
    F(LOOKUP_PARAMETERS, "lookup.parameters", 3, 1, \
      "number of texture parameters that the next look-up has already", "p40-42", \
      {"parameters", 3}, {"direct", 1}) \
    F(MEMORY_ADDRESS, "memory.address", 32, 16, "offset in memory of a general-memory look-up", "p41", \
      {"lookups", 5}) \
    F(MEMORY_VALUE, "memory.value", 32, 16, "word that a general-memory look-up finds", "p41", \
      {"address", 32, 16}) \
    F(RESULT_OLDER, "result.older", 32, 16, "result of the look-up made four before the newest", "p39", \
      {"newest", 32, 16}, {"lookups", 5}) \
    F(RESULT_WORD, "result.word", 32, 16, "result word of a texture look-up", "p42-43 T18", \
      {"other", 32, 16}, {"word", 1}, {"type", 5}) \
    F(LOAD_WAITS, "load.waits", 1, 1, "1: the load signal waits for ever", "p40", {"lookups", 5}) \
    F(LOAD_LAST, "load.last", 1, 1, "1: the load takes the last word of its look-up", "p40", \
      {"loaded", 2}, {"words", 2}) \
    F(LOAD_VALUE, "load.value", 32, 16, "word that a load signal moves to r4", "p40", \
      {"word", 1}, {"words", 2}, {"direct", 1})
#define TMU_SAMPLE_POINTS(F) \
    F(SAMPLE_SOURCE, "sample.source", 4, 1, "number of the element whose coordinates are used", "p44", \
      {"lane", 4}) \
    F(SAMPLE_TAKEN, "sample.taken", 1, 1, \
      "1: the coordinates of the element count; 0: the coordinates of the element count as 0", "p44", \
      {"r_s", 32}, {"r_t", 32}, {"r_r", 32}, {"cube", 1}, {"lane", 4}, {"minfilt", 3}, {"magfilt", 1}, \
      {"lod_matters", 1}) \
    F(CUBE_SIDE, "cube.side", 3, 1, \
      "side of the cube that a direction points to; 0 +S, 1 -S, 2 +T, 3 -T, 4 +R, 5 -R", "p39-42", \
      {"r_s", 32}, {"r_t", 32}, {"r_r", 32}, {"size_s", 31}, {"size_t", 31}, {"size_r", 31}, {"lane", 4}) \
    F(CUBE_FACE, "cube.face", 3, 1, "face of a cube map in memory", "p39-42", \
      {"r_s", 32}, {"r_t", 32}, {"r_r", 32}, {"lane", 4}) \
    F(CUBE_COORDINATE, "cube.coordinate", 32, 1, "S or T on the face of a cube map; a float", "p39-42", \
      {"axis", 1}, {"face", 3}, {"r_s", 32}, {"r_t", 32}, {"r_r", 32}, {"lane", 4}) \
    F(POSITION_EXPONENT, "position.exponent", 8, 1, "exponent of a coordinate as stored", "p44", \
      {"axis", 1}, {"coordinate", 32}) \
    F(POSITION_MANTISSA, "position.mantissa", 24, 1, "mantissa of a coordinate with its leading 1", "p44", \
      {"axis", 1}, {"coordinate", 32}) \
    F(POSITION_SHIFT, "position.shift", 32, 1, \
      "number of places by which mantissa times size moves to the right", "p44", \
      {"axis", 1}, {"exponent", 8}, {"coordinate", 32}) \
    F(POSITION_ZERO, "position.zero", 1, 1, "1: the coordinate counts as 0", "p44", \
      {"axis", 1}, {"exponent", 8}, {"coordinate", 32}) \
    F(POSITION_PRODUCT, "position.product", 32, 1, \
      "mantissa of a coordinate times the size; its lower 32 bits; a rule gives all of it", "p44", \
      {"axis", 1}, {"mantissa", 24}, {"extent", 12}) \
    F(POSITION_MINUS, "position.minus", 1, 1, "1: the coordinate is negative", "p44", \
      {"axis", 1}, {"coordinate", 32}) \
    F(POSITION_AXIS, "position.axis", 32, 1, \
      "position on an axis of the texture or of a cube map's face; in 1/65536 texel", "p44", \
      {"axis", 1}, {"extent", 12}, {"cube", 1}, {"scaled", 32}, {"coordinate", 32}) \
    F(LOD_STEP, "lod.step", 31, 1, "distance to the next element on an axis; in 1/65536 texel", "p44", \
      {"axis", 1}, {"along", 1}, {"here", 32}, {"next_x", 32}, {"next_y", 32}, {"lane", 4}) \
    F(LOD_MANTISSA, "lod.mantissa", 32, 1, \
      "square of the step divided by the power of two below it; 0x80000000 is 1", "p44", \
      {"along", 1}, {"whole", 6}, {"lane", 4}) \
    F(LOD_WHOLE, "lod.whole", 8, 1, "log2 of the square of the step in 1/65536 texel; whole part", "p44", \
      {"along", 1}, {"fraction", 8}, {"lane", 4}) \
    F(LOD_FRACTION, "lod.fraction", 8, 1, \
      "log2 of the square of the step in 1/65536 texel; fraction in 1/256", "p44", \
      {"along", 1}, {"whole", 6}, {"lane", 4}, {"mantissa", 32}) \
    F(LOD_GRADIENT, "lod.gradient", 32, 1, "log2 of the step to the next element; in 1/256", "p44", \
      {"along", 1}, {"du", 32}, {"dv", 32}, {"lane", 4}, {"square", 14}) \
    F(LOD_AUTOMATIC, "lod.automatic", 32, 1, "automatic level of detail; in 1/256 level", "p44", \
      {"along_x", 32}, {"along_y", 32}, {"lane", 4}) \
    F(LOD_BIAS, "lod.bias", 32, 1, "B as a level of detail; in 1/256 level", "p44", {"b", 32}, \
      {"explicit", 1}, {"lane", 4}) \
    F(LOD_LEVEL, "lod.level", 32, 1, "level of detail; in 1/256 level", "p44", \
      {"automatic", 32}, {"bias", 32}, {"explicit", 1}, {"lane", 4}) \
    F(LOD_LAST, "lod.last", 4, 1, "number of the smallest mip level that is sampled", "p42 T16", \
      {"levels", 5}, {"lane", 4}) \
    F(LOD_MAGNIFIED, "lod.magnified", 1, 1, "1: the texture is magnified; MAGFILT and level 0 count then", \
      "p42 T16", {"lod", 32}, {"minfilt", 3}, {"magfilt", 1}, {"lane", 4}) \
    F(LOD_FIRST, "lod.first", 4, 1, "mip level that is sampled; the larger one of two", "p42 T16", \
      {"lod", 32}, {"last", 4}, {"minfilt", 3}, {"lane", 4}) \
    F(LOD_SHARE, "lod.share", 8, 1, "share of the next smaller level; in 1/256", "p42 T16", \
      {"lod", 32}, {"first", 4}, {"last", 4}, {"minfilt", 3}, {"lane", 4}) \
    F(LOD_SECOND, "lod.second", 4, 1, "mip level that is blended with the first one", "p42 T16", \
      {"first", 4}, {"share", 8}, {"last", 4}, {"lane", 4}) \
    F(FILTER_LINEAR, "filter.linear", 1, 1, "1: the filter within a level is linear", "p42 T16", \
      {"lod", 32}, {"minfilt", 3}, {"magfilt", 1}, {"lane", 4}) \
    F(SAMPLE_POSITION, "sample.position", 32, 1, "position on an axis; in 1/65536 texel", "p44", \
      {"axis", 1}, {"size", 12}, {"level", 4}, {"linear", 1}, {"coordinate", 32}, {"lane", 4}) \
    F(FILTER_FRACTION, "filter.fraction", 32, 1, "weight of the second texel on an axis; in 1/65536", \
      "p42 T16", {"axis", 1}, {"level", 4}, {"lane", 4}, {"position", 32}, {"corner", 32}) \
    F(FILTER_SHARE, "filter.share", 9, 1, "share of a mip level in the result; in 1/256", "p42 T16", \
      {"smaller", 1}, {"share", 8}, {"lane", 4}) \
    F(FILTER_ACROSS, "filter.across", 32, 1, "weight of a texel on an axis; in 1/65536", "p42 T16", \
      {"axis", 1}, {"tap", 2}, {"near", 17}, {"far", 17}, {"lane", 4}) \
    F(FILTER_WEIGHT, "filter.weight", 32, 1, "weight of a texel in the filter; in 1/65536", "p42 T16", \
      {"tap", 2}, {"linear", 1}, {"across_x", 17}, {"across_y", 17}, {"share", 9}, {"lane", 4}) \
    F(TAP_PLACE, "tap.place", 32, 1, "column or row of a texel of the filter; 0x7fffffff: in the border", \
      "p42 T16", {"axis", 1}, {"tap", 2}, {"near", 32}, {"far", 32}, {"lane", 4}) \
    F(TEXEL_NEAR, "texel.near", 32, 1, "index of the near texel of a linear filter on an axis", "p42 T16", \
      {"axis", 1}, {"position", 32}, {"corner", 32}, {"level", 4}, {"lane", 4}) \
    F(TEXEL_INDEX, "texel.index", 32, 1, "index of a texel on an axis before wrapping", "p42 T16", \
      {"axis", 1}, {"size", 12}, {"wrap", 2}, {"level", 4}, {"lane", 4}, {"linear", 1}, {"far", 1}, \
      {"position", 32}) \
    F(TEXEL_BELOW, "texel.below", 1, 1, \
      "1: an index outside of its axis is below 0; 0: it is behind the last texel", "p42 T16", \
      {"axis", 1}, {"index", 32}, {"size", 12}, {"wrap", 2}, {"level", 4}, {"lane", 4}) \
    F(TEXEL_PERIOD, "texel.period", 13, 1, "number of texels after which an axis repeats itself", "p42 T16", \
      {"axis", 1}, {"size", 12}, {"wrap", 2}, {"level", 4}, {"lane", 4}) \
    F(TEXEL_REST, "texel.rest", 13, 1, "index of a texel within the period of its axis", "p42 T16", \
      {"axis", 1}, {"index", 32}, {"size", 12}, {"wrap", 2}, {"period", 13}, {"level", 4}, {"lane", 4}) \
    F(TEXEL_WRAPPED, "texel.wrapped", 32, 1, "index of a texel after wrapping; 0x7fffffff: in the border", \
      "p42 T16", \
      {"axis", 1}, {"index", 32}, {"size", 12}, {"wrap", 2}, {"level", 4}, {"lane", 4}, {"rest", 13}) \
    F(TEXEL_PLACE, "texel.place", 32, 1, "column or row of the texel in its level", "p41 T15, p42 T17", \
      {"axis", 1}, {"wrapped", 32}, {"size", 12}, {"flipy", 1}, {"level", 4}, {"lane", 4}) \
    F(TEXEL_PARENT, "texel.parent", 32, 1, \
      "column or row of the texel in its level; counted from the parent's corner if there is a child image", \
      "p42 T17", {"axis", 1}, {"place", 12}, {"child_offset", 11}, {"lane", 4}) \
    F(TEXEL_UNIT, "texel.unit", 14, 1, "column or row of the texel's block or of the texel in storage", \
      "p42 T18", {"axis", 1}, {"place", 12}, {"type", 5}, {"lane", 4}) \
    F(TEXEL_INNER, "texel.inner", 3, 1, "column or row of the texel in its block", "p42 T18", \
      {"axis", 1}, {"place", 12}, {"type", 5}, {"lane", 4}) \
    F(FACE_ADDRESS, "face.address", 32, 1, "offset in memory of a face of a level", "p39-42", \
      {"level", 4}, {"face", 3}, {"level_address", 32}, {"stride", 32}, {"lane", 4}) \
    F(UTILE_PLACE, "utile.place", 10, 1, "column or row of the texel's microtile in its level", "p105-107", \
      {"axis", 1}, {"place", 12}, {"order", 2}, {"bits", 7}, {"lane", 4}) \
    F(UTILE_TEXEL, "utile.texel", 12, 1, "column or row of the texel in its microtile", "p105", \
      {"axis", 1}, {"place", 12}, {"mask", 5}, {"order", 2}, {"lane", 4}) \
    F(UTILE_BIT, "utile.bit", 32, 1, "first bit of the texel in its microtile", "p105", \
      {"x", 12}, {"y", 12}, {"row_bits", 4}, {"bits", 7}, {"lane", 4}, {"column", 12}, {"row", 12}) \
    F(TILE_PLACE, "tile.place", 9, 1, "column or row of the 4 KB tile", "p105", \
      {"axis", 1}, {"utile", 10}, {"lane", 4}) \
    F(TILE_COLUMN, "tile.column", 9, 1, "number of a 4 KB tile in its row; in the order of memory", "p105", \
      {"column", 9}, {"row", 8}, {"across", 9}, {"lane", 4}) \
    F(TILE_HALF, "tile.half", 1, 1, \
      "1: a microtile is in the right or upper half of its 4 KB tile; 0: it is in the left or lower half", \
      "p105", {"axis", 1}, {"utile", 10}, {"lane", 4}) \
    F(TILE_ODD, "tile.odd", 1, 1, "1: a microtile is in an odd row of 4 KB tiles", "p105", \
      {"utile_y", 9}, {"lane", 4}) \
    F(TILE_SUBTILE, "tile.subtile", 3, 1, "number of a 1 KB sub-tile in its tile; 0 to 3", "p105", \
      {"utile_x", 10}, {"utile_y", 9}, {"lane", 4}, {"right", 1}, {"above", 1}, {"odd", 1}) \
    F(TILE_ROW, "tile.row", 9, 1, \
      "row of the 4 KB tile in the tile's number; the direction of the row does not follow it", "p105", \
      {"utile_y", 9}, {"lane", 4}) \
    F(TILE_NUMBER, "tile.number", 20, 1, "number of the 4 KB tile in its level", "p105", \
      {"row", 9}, {"column", 9}, {"across", 9}, {"lane", 4}) \
    F(SUBTILE_PLACE, "subtile.place", 10, 1, "column or row of a microtile in its sub-tile", "p105", \
      {"axis", 1}, {"utile", 10}, {"lane", 4}) \
    F(TEXEL_UTILE, "texel.utile", 32, 1, "number of a microtile in its level", "p105-107", \
      {"order", 2}, {"utile_x", 10}, {"utile_y", 9}, {"across", 12}, {"lane", 4}, {"tile", 20}, \
      {"subtile", 3}, {"inner_x", 10}, {"inner_y", 10}) \
    F(TEXEL_NUMBER, "texel.number", 32, 1, "number of a texel or block in a level in raster order", "p105", \
      {"x", 12}, {"y", 12}, {"across", 12}, {"lane", 4}) \
    F(TEXEL_OFFSET, "texel.offset", 32, 1, "distance from the start of the level to the texel; in bits", \
      "p105-107", \
      {"order", 2}, {"x", 12}, {"y", 12}, {"utile", 20}, {"across", 12}, {"bits", 7}, {"lane", 4}, \
      {"within", 32}) \
    F(TEXEL_BIT, "texel.bit", 32, 1, \
      "distance from the start of the level to the texel; in bits, in the order of texels of a byte", \
      "p42 T18", \
      {"offset", 32}, {"flip", 3}, {"bits", 7}, {"lane", 4}) \
    F(TEXEL_ADDRESS, "texel.address", 32, 1, "offset of the texel's first byte in memory", "p39-42", \
      {"level", 4}, {"face", 3}, {"base", 32}, {"offset", 32}, {"type", 5}, {"lane", 4}, {"bit", 32}) \
    F(TEXEL_SHIFT, "texel.shift", 3, 1, "lowest bit of the texel in its first byte", "p42 T18", \
      {"bits", 7}, {"offset", 32}, {"lane", 4}, {"bit", 32}) \
    F(WORD_PLACE, "word.place", 32, 1, "number of the word of memory that holds the texel's first byte", \
      "p39-42", {"address", 32}, {"bits", 7}, {"lane", 4}) \
    F(WORD_LOW, "word.low", 5, 1, "lowest bit of the texel in its word of memory", "p42 T18", \
      {"address", 32}, {"shift", 3}, {"bits", 7}, {"lane", 4}) \
    F(TEXEL_STORED, "texel.stored", 32, 1, "texel or block as stored", "p42 T18", \
      {"half", 1}, {"type", 5}, {"x", 12}, {"y", 12}, {"lane", 4}, {"word", 32}, {"low", 5}, {"bits", 7}, \
      {"other", 32}, {"shifted", 32}) \
    F(CHANNEL_BITS, "channel.bits", 4, 1, "number of bits of a channel as stored; 0: the texel lacks it", \
      "p42 T18", {"channel", 2}, {"type", 5}) \
    F(CHANNEL_LOW, "channel.low", 4, 1, "lowest bit of a channel in its texel", \
      "p42 T18", {"channel", 2}, {"bits", 4}, {"type", 5}) \
    F(CHANNEL_FIELD, "channel.field", 8, 1, "channel as stored", "p42 T18", \
      {"moved", 32}, {"mask", 8}, {"channel", 2}, {"bits", 4}, {"type", 5}) \
    F(CHANNEL_PART, "channel.part", 8, 1, \
      "copy of a channel of 1 to 7 bits; copies side by side make 8 bits", "p42 T18", \
      {"field", 8}, {"left", 4}, {"bits", 4}, {"channel", 2}, {"type", 5}) \
    F(CHANNEL_VALUE, "channel.value", 8, 1, "channel of 1 to 7 bits that is widened to 8", "p42 T18", \
      {"field", 8}, {"channel", 2}, {"bits", 4}, {"type", 5}) \
    F(ETC_ROW, "etc.row", 2, 1, "row of the texel in its ETC1 block; from the top", "p41 T16", \
      {"y", 2}, {"etcflip", 1}) \
    F(ETC_FIELD_LOW, "etc.field-low", 6, 1, "lowest bit of a field of an ETC1 block", "p43 T18", \
      {"highest", 6}, {"bits", 4}) \
    F(ETC_FIELD, "etc.field", 8, 1, "field of an ETC1 block", "p43 T18", \
      {"moved", 32}, {"bits", 4}, {"highest", 6}, {"mask", 8}) \
    F(ETC_DIFFERENTIAL, "etc.differential", 1, 1, "1: the ETC1 block is in differential mode", "p43 T18", \
      {"high", 32}) \
    F(ETC_FLIPPED, "etc.flipped", 1, 1, "1: the halves of the ETC1 block lie one above the other", \
      "p43 T18", {"high", 32}) \
    F(ETC_SECOND, "etc.second", 1, 1, "1: the texel is in the second half of its ETC1 block", "p43 T18", \
      {"flipped", 1}, {"x", 3}, {"y", 2}) \
    F(ETC_TABLE, "etc.table", 3, 1, "number of the table of modifiers of half an ETC1 block", "p43 T18", \
      {"second", 1}, {"high", 32}) \
    F(ETC_TEXEL, "etc.texel", 5, 1, "number of the texel in its ETC1 block", "p43 T18", \
      {"x", 3}, {"y", 2}) \
    F(ETC_LARGE, "etc.large", 1, 1, "1: the texel of an ETC1 block has the large modifier", "p43 T18", \
      {"texel", 5}, {"words", 32}) \
    F(ETC_MINUS, "etc.minus", 1, 1, "1: the modifier of the texel of an ETC1 block is negative", "p43 T18", \
      {"texel", 5}, {"words", 32}) \
    F(ETC_MODIFIER, "etc.modifier", 8, 1, "modifier of a texel of an ETC1 block", "p43 T18", \
      {"table", 3}, {"large", 1}) \
    F(ETC_PLACE, "etc.place", 6, 1, "highest bit of a channel's byte in its ETC1 block", "p43 T18", \
      {"channel", 2}, {"differential", 1}, {"second", 1}) \
    F(ETC_FIVE_BITS, "etc.five-bits", 1, 1, \
      "1: a colour of an ETC1 block is stored with five bits and a change; 0: it is stored with four bits", \
      "p43 T18", {"channel", 2}, {"differential", 1}, {"second", 1}, {"byte", 8}) \
    F(ETC_STORED, "etc.stored", 8, 1, "colour of an ETC1 block in a channel as stored", "p43 T18", \
      {"channel", 2}, {"five_bits", 1}, {"second", 1}, {"byte", 8}) \
    F(ETC_CHANGES, "etc.changes", 1, 1, "1: a change is added to the stored colour of an ETC1 block", \
      "p43 T18", {"channel", 2}, {"second", 1}, {"byte", 8}) \
    F(ETC_CHANGE, "etc.change", 32, 1, \
      "change of a channel from the first half of an ETC1 block to the second; in two's complement", \
      "p43 T18", {"channel", 2}, {"field", 3}, {"byte", 8}) \
    F(ETC_COLOUR, "etc.colour", 8, 1, "colour of half an ETC1 block in a channel; four or five bits", \
      "p43 T18", {"channel", 2}, {"differential", 1}, {"second", 1}, {"byte", 8}, {"sum", 32}) \
    F(ETC_PART, "etc.part", 12, 1, \
      "copy of a colour of an ETC1 block; two copies make the base colour", "p43 T18", \
      {"channel", 2}, {"differential", 1}, {"second", 1}, {"colour", 8}, {"upper", 1}) \
    F(ETC_BASE, "etc.base", 12, 1, "base colour of half an ETC1 block in a channel", "p43 T18", \
      {"channel", 2}, {"differential", 1}, {"second", 1}, {"byte", 8}, {"colour", 8}, {"upper", 12}, \
      {"lower", 12}) \
    F(ETC_SUM, "etc.sum", 32, 1, \
      "base colour with its modifier; in two's complement, before it is limited to 0 to 255", "p43 T18", \
      {"channel", 2}, {"base", 12}, {"modifier", 8}, {"minus", 1}) \
    F(ETC_CHANNEL, "etc.channel", 32, 1, "channel of a texel of an ETC1 block", "p43 T18", \
      {"channel", 2}, {"base", 12}, {"modifier", 8}, {"minus", 1}, {"colour", 8}, {"differential", 1}, \
      {"sum", 32}) \
    F(CHANNEL_PLACED, "channel.placed", 32, 1, "channel in its place in the decoded texel", "p42 T18", \
      {"byte", 8}, {"channel", 2}, {"type", 5}, {"bits", 4}, {"field", 8}) \
    F(TEXEL_VALUE, "texel.value", 32, 1, "decoded texel", "p42-43 T18", \
      {"half", 1}, {"stored", 32}, {"type", 5}, {"x", 12}, {"y", 12}, {"lane", 4}) \
    F(BORDER_VALUE, "border.value", 32, 1, "border colour", "p40-41", {"type", 5}, {"r", 32}) \
    F(FILTER_BITS, "filter.bits", 5, 1, "number of bits of a channel in the filter; 16 at most", \
      "p42-43 T18", {"type", 5}, {"points", 1}, {"lane", 4}) \
    F(FILTER_ALONE, "filter.alone", 16, 1, "channel of a half format with one texel alone in the filter", \
      "p108 HW-2619", {"channel", 2}, {"linear", 1}, {"levels", 1}, {"lane", 4}, {"points", 1}) \
    F(FILTER_PART, "filter.part", 32, 1, "word of the weight of a texel that is blended; in units of 2^-40", \
      "p42 T16", {"tap", 3}, {"upper", 1}, {"other_word", 32}, {"first", 32}, {"lane", 4}) \
    F(FILTER_BYTE, "filter.byte", 8, 1, "channel of a byte format that is blended", "p42 T18", \
      {"channel", 2}, {"tap", 3}, {"levels", 1}, {"lane", 4}, {"first", 8}) \
    F(FILTER_HALF, "filter.half", 16, 1, "channel of a half format that is blended", "p42 T18", \
      {"channel", 2}, {"tap", 3}, {"levels", 1}, {"lane", 4}, {"first", 16}) \
    F(HALF_TESTED, "half.tested", 32, 1, "float of 16 bits that is tested for NaN and infinity", "p42 T18", \
      {"tap", 3}, {"moved", 32}, {"lane", 4}, {"channel", 2}) \
    F(HALF_NAN, "half.nan", 1, 1, "1: a half that is blended is a NaN", "p42 T18", \
      {"tap", 3}, {"half", 16}, {"magnitude", 15}, {"taps", 4}, {"lane", 4}) \
    F(HALF_PLUS_INF, "half.plus-infinite", 1, 1, "1: a half that is blended is +Inf", "p42 T18", \
      {"tap", 3}, {"half", 16}, {"magnitude", 15}, {"taps", 4}, {"lane", 4}) \
    F(HALF_MINUS_INF, "half.minus-infinite", 1, 1, "1: a half that is blended is -Inf", "p42 T18", \
      {"tap", 3}, {"half", 16}, {"magnitude", 15}, {"taps", 4}, {"lane", 4}) \
    F(HALF_SIGNIFICAND, "half.significand", 32, 1, \
      "significand of a half that is blended; with its leading 1", \
      "p42 T18", {"half", 16}, {"lane", 4}) \
    F(HALF_PLACES, "half.places", 6, 1, "number of places by which a blended significand moves to the left", \
      "p42 T18", {"half", 16}, {"lane", 4}) \
    F(HALF_MINUS, "half.minus", 1, 1, "1: a half that is blended is negative", "p42 T18", \
      {"half", 16}, {"lane", 4}) \
    F(HALF_PART, "half.part", 32, 1, \
      "part of the magnitude of a half that is blended; in units of 2^-4, or below them in units of 2^-24", \
      "p42 T18", {"upper", 1}, {"half", 16}, {"units", 32}, {"lane", 4}) \
    F(HALF_CARRY, "half.carry", 32, 1, \
      "word of the carry into the sum of the positive or of the negative halves; in units of 2^-44", \
      "p42 T18", {"upper", 1}, {"other_word", 32}, {"minus", 1}, {"lane", 4}) \
    F(HALF_SUM, "half.sum", 32, 1, \
      "word of the sum of the positive or of the negative halves of a blend; in units of 2^-44", "p42 T18", \
      {"upper", 1}, {"other_word", 32}, {"minus", 1}, {"lane", 4}) \
    F(HALF_MINUS_LARGER, "half.minus-larger", 1, 1, \
      "1: the sum of the negative halves of a blend is larger than that of the positive ones", "p42 T18", \
      {"upper_equal", 1}, {"lower_larger", 1}, {"any_minus", 1}, {"any_plus", 1}, {"lane", 4}) \
    F(HALF_BELOW_ZERO, "half.below-zero", 1, 1, "1: the blended half is below 0", "p42 T18", \
      {"any_minus", 1}, {"any_plus", 1}, {"lane", 4}) \
    F(HALF_BORROW, "half.borrow", 1, 1, \
      "1: the difference of the sums of a blend of halves borrows a unit of 2^-44 for what is below", \
      "p42 T18", {"larger", 20}, {"smaller", 20}, {"lane", 4}) \
    F(HALF_DENORMAL, "half.denormal", 1, 1, "1: the blended half is denormal", "p42 T18", \
      {"top", 6}, {"lane", 4}) \
    F(HALF_SHIFT, "half.shift", 6, 1, "number of bits that a blended half loses; of its sum", "p42 T18", \
      {"top", 6}, {"lane", 4}) \
    F(HALF_MANTISSA, "half.mantissa", 24, 1, "mantissa of a blended half; rounded, with its leading 1", \
      "p42 T18", {"shift", 6}, {"fraction", 32}, {"more", 1}, {"lane", 4}, {"down", 24}) \
    F(HALF_EXPONENT, "half.exponent", 6, 1, \
      "exponent field of a blended half less 1; the leading 1 of the mantissa adds 1", "p42 T18", \
      {"shift", 6}, {"lane", 4}) \
    F(HALF_UNLIMITED, "half.unlimited", 32, 1, \
      "blended half without its sign; before it is limited to infinity", \
      "p42 T18", {"exponent", 6}, {"mantissa", 24}, {"lane", 4}) \
    F(HALF_MAGNITUDE, "half.magnitude", 15, 1, "blended half without its sign; infinite if it is too large", \
      "p42 T18", {"exponent", 6}, {"mantissa", 24}, {"lane", 4}, {"unlimited", 32}) \
    F(FILTER_CHANNEL, "filter.channel", 16, 1, "blended channel", "p42 T16, p108 HW-2645", \
      {"channel", 2}, {"bits", 5}, \
      {"floor", 16}, {"fraction", 32}, \
      {"taps", 4}, {"levels", 1}, {"infinite", 1}, {"negative", 1}, {"lane", 4}, \
      {"minus_infinite", 1}, {"nan", 1}, {"first", 16}) \
    F(FILTER_RESULT, "filter.result", 16, 1, "channel of a filtered texel", "p42 T16, T18", \
      {"channel", 2}, {"bits", 5}, {"taps", 4}, {"moved", 32}, {"type", 5}, {"points", 1}, {"lane", 4})
/* clang-format on */

#define TMU_POINTS(F)                                                                                        \
    TMU_CONFIG_POINTS(F)                                                                                     \
    TMU_LEVEL_POINTS(F)                                                                                      \
    TMU_REQUEST_POINTS(F)                                                                                    \
    TMU_SAMPLE_POINTS(F)

#define TMU_POINT_NUMBER(number, ...) TMU_POINT_##number,
enum { TMU_POINTS(TMU_POINT_NUMBER) TMU_POINT_COUNT };

/* clang-format off */
/* Of the operations of unit vc4-tmu, which has these points after the TMU's. */
#define TMU_UNIT_POINTS(F) \
    F(OPERATION_CODE, "operation.code", 4, 1, "number of the operation", "p39-44", \
      {"operand", 32}, {"second", 32}, {"turn", 7}) \
    F(OPERATION_OPERAND, "operation.operand", 32, 1, "operand of the operation", "p39-44", \
      {"code", 4}, {"second", 32}) \
    F(OPERATION_ALL, "operation.all", 1, 1, "1: a register write writes its operand to all elements", "p44", \
      {"code", 4}, {"second", 32}) \
    F(OPERATION_ROW, "operation.row", 5, 1, "number of the row of data that a register write takes", "p44", \
      {"code", 4}, {"operand", 32}) \
    F(OPERATION_UNIFORM, "operation.uniform", 7, 1, \
      "place in the case of the uniform that is taken; 0 first", \
      "p40", {"next", 7}, {"taken", 7}) \
    F(OPERATION_RESULT, "operation.result", 7, 1, "number of the row that a load fills; 95 at most", "p40", \
      {"loads", 7}) \
    F(OPERATION_END, "operation.end", 4, 1, \
      "reason number for which the run ends with the operation; 0: it goes on", "p39-44", \
      {"code", 4}, {"operand", 32}) \
    F(STATE_WORD, "state.word", 32, 1, \
      "count or set that the TMU has at the end of the case", "p39-40", {"which", 2})
/* clang-format on */
enum { TMU_POINTS_BEFORE_UNIT = TMU_POINT_COUNT - 1, TMU_UNIT_POINTS(TMU_POINT_NUMBER) TMU_UNIT_POINT_COUNT };

extern const struct point tmu_points[TMU_UNIT_POINT_COUNT];
extern const struct input_note tmu_input_notes[];

#endif
