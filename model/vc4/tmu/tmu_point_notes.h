/* SPDX-License-Identifier: MIT */
/* What the inputs of the texture and memory look-up unit's points (tmu_points.h) are. */
#ifndef MISPRINT_MODEL_VC4_TMU_TMU_POINT_NOTES_H
#define MISPRINT_MODEL_VC4_TMU_TMU_POINT_NOTES_H

/* clang-format off */
/* SCOPE: "" or the prefix of the points' names in another unit, with its dot. */
#define TMU_INPUT_NOTES(SCOPE) \
    {SCOPE "filter.byte.tap", "number of the texel among those that are blended"}, \
    {SCOPE "filter.half.tap", "number of the texel among those that are blended"}, \
    {SCOPE "utile.place.place", "column or row of the texel's block or of the texel in storage"}, \
    {SCOPE "row_bits", "log2 of the bits of a row of a microtile"}, \
    {SCOPE "bits_log2", "log2 of the bits of a texel or block as stored"}, \
    {SCOPE "axis", "1: it is T or the height; 0: it is S or the width"}, \
    {SCOPE "lane", "number of the element"}, \
    {SCOPE "type", "number of the texture type (p43 T18)"}, \
    {SCOPE "order", "order of the texels; 0 raster, 1 LT, 2 T"}, \
    {SCOPE "wrap", "WRAP_S or WRAP_T; 0 repeat, 1 clamp, 2 mirror, 3 border"}, \
    {SCOPE "p0", "texture configuration parameter 0 (p41 T15)"}, \
    {SCOPE "p1", "texture configuration parameter 1 (p41 T16)"}, \
    {SCOPE "p2", "texture configuration parameter 2 (p42 T17)"}, \
    {SCOPE "p3", "texture configuration parameter 3 (p42 T17)"}, \
    {SCOPE "config.word", "texture configuration parameter 2 or 3"}, \
    {SCOPE "number", "number of the texture configuration parameter"}, \
    {SCOPE "cube", "1: the texture is a cube map; 0: the texture is no cube map"}, \
    {SCOPE "most", "number of mip levels that the size allows"}, \
    {SCOPE "child", "1: the texture is a child image; 0: the texture is no child image"}, \
    {SCOPE "level", "number of the mip level"}, \
    {SCOPE "size", "width or height of level 0"}, \
    {SCOPE "other_size", "size of level 0 on the other axis"}, \
    {SCOPE "other_padded", "size of level 0 on the other axis as a power of two"}, \
    {SCOPE "padded", "width or height of level 0 as a power of two"}, \
    {SCOPE "utiles_x", "width of the level in microtiles"}, \
    {SCOPE "utiles_y", "height of the level in microtiles"}, \
    {SCOPE "width", "width of the level"}, \
    {SCOPE "height", "height of the level"}, \
    {SCOPE "across", "distance from one row of the level to the next in tiles, microtiles or texels"}, \
    {SCOPE "tile.across", "number of tiles in a row of the level"}, \
    {SCOPE "tile.column", "column of the tile"}, \
    {SCOPE "tile.row", "row of the tile"}, \
    {SCOPE "larger", "offset of the next larger level"}, \
    {SCOPE "child.field", "CWIDTH or CHEIGHT"}, \
    {SCOPE "rest", "width or height of the parent from the child on"}, \
    {SCOPE "register", "register that is written; 0 S, 1 T, 2 R, 3 B"}, \
    {SCOPE "direct", "1: it is a general-memory look-up; 0: it is a texture look-up"}, \
    {SCOPE "parameters", "number of texture parameters of the look-up"}, \
    {SCOPE "writes", "number of earlier register writes of the look-up"}, \
    {SCOPE "behind", "number of FIFO slots of look-ups whose results have no room"}, \
    {SCOPE "slots", "number of slots of the request FIFO"}, \
    {SCOPE "words", "number of result words of a look-up"}, \
    {SCOPE "waiting", "number of result words that wait"}, \
    {SCOPE "lookups", "number of look-ups that have started and are not loaded"}, \
    {SCOPE "address", "offset in memory of the look-up"}, \
    {SCOPE "newest", "result of the newest look-up"}, \
    {SCOPE "result.word.word", "1: it is the second word; 0: it is the first word"}, \
    {SCOPE "load.value.word", "1: it is the second word; 0: it is the first word"}, \
    {SCOPE "r_s", "coordinate S"}, \
    {SCOPE "r_t", "coordinate T"}, \
    {SCOPE "r_r", "coordinate R"}, \
    {SCOPE "face", "number of the face of the cube map"}, \
    {SCOPE "along", "1: the step is in y; 0: the step is in x"}, \
    {SCOPE "du", "log2 of the step in S"}, \
    {SCOPE "dv", "log2 of the step in T"}, \
    {SCOPE "along_x", "log2 of the step to the next element in x"}, \
    {SCOPE "along_y", "log2 of the step to the next element in y"}, \
    {SCOPE "b", "coordinate B"}, \
    {SCOPE "explicit", "1: B is the level of detail; 0: B is a bias"}, \
    {SCOPE "automatic", "automatic level of detail in 1/256 level"}, \
    {SCOPE "bias", "B as a level of detail in 1/256 level"}, \
    {SCOPE "lod", "level of detail in 1/256 level"}, \
    {SCOPE "last", "number of the smallest mip level"}, \
    {SCOPE "first", "number of the mip level that is sampled"}, \
    {SCOPE "linear", \
      "1: the filter within the level is linear; 0: the filter within the level is nearest"}, \
    {SCOPE "coordinate", "coordinate on the axis"}, \
    {SCOPE "index", "index of the texel before wrapping"}, \
    {SCOPE "wrapped", "index of the texel after wrapping"}, \
    {SCOPE "utile.texel.place", "column or row of the texel or block in its level"}, \
    {SCOPE "utile.mask", "mask of the bits that select the texel in its microtile"}, \
    {SCOPE "utile.bit.column", "column of the texel in its microtile"}, \
    {SCOPE "utile.bit.row", "row of the texel in its microtile"}, \
    {SCOPE "tile.half.utile", "column or row of the microtile in its level"}, \
    {SCOPE "tile.place.utile", "column or row of the microtile in its level"}, \
    {SCOPE "subtile.place.utile", "column or row of the microtile in its level"}, \
    {SCOPE "right", \
      "1: the microtile is in the right half of its tile; 0: the microtile is in the left half"}, \
    {SCOPE "above", \
      "1: the microtile is in the upper half of its tile; 0: the microtile is in the lower half"}, \
    {SCOPE "odd", "1: the row of tiles is odd; 0: the row of tiles is even"}, \
    {SCOPE "tile.number.column", "number of the tile in its row; in the order of memory"}, \
    {SCOPE "tile", "number of the tile in its level; 0 in LT format"}, \
    {SCOPE "subtile", "number of the sub-tile in its tile; 0 in LT format"}, \
    {SCOPE "inner_x", "column of the microtile in its sub-tile; 0 in LT format"}, \
    {SCOPE "inner_y", "row of the microtile in its sub-tile; 0 in LT format"}, \
    {SCOPE "within", "first bit of the texel in its microtile; 0 in raster order"}, \
    {SCOPE "utile_x", "column of the microtile"}, \
    {SCOPE "utile_y", "row of the microtile"}, \
    {SCOPE "x", "column of the texel"}, \
    {SCOPE "y", "row of the texel"}, \
    {SCOPE "utile", "number of the microtile in its level"}, \
    {SCOPE "texel.bits", "number of bits of a texel"}, \
    {SCOPE "base", "offset of level 0 in memory"}, \
    {SCOPE "offset", "distance from the start of the level to the texel in bits"}, \
    {SCOPE "half", "1: it is the upper 32 bits; 0: it is the lower 32 bits"}, \
    {SCOPE "channel", "number of the channel; 0 R, 1 G, 2 B, 3 A"}, \
    {SCOPE "bits", "number of bits of the channel"}, \
    {SCOPE "filter.bits", "number of bits of the channel"}, \
    {SCOPE "channel.field", "channel as stored"}, \
    {SCOPE "stored", "texel as stored"}, \
    {SCOPE "r", "coordinate R"}, \
    {SCOPE "top", "number of the sum's highest bit"}, \
    {SCOPE "shift", "number of bits that the half loses"}, \
    {SCOPE "more", "1: the exact sum is slightly larger; 0: the sum is exact"}, \
    {SCOPE "levels", "1: two mip levels are blended; 0: one mip level is sampled"}, \
    {SCOPE "fraction", \
      "part of the exact value below the channel's last bit; 0x80000000 is half of it"}, \
    {SCOPE "floor", "blended channel rounded down"}, \
    {SCOPE "taps", "number of texels with a weight"}, \
    {SCOPE "infinite", "1: a texel is +Inf; 0: no texel is +Inf"}, \
    {SCOPE "negative", "1: a texel is below 0; 0: no texel is below 0"}, \
    {SCOPE "level.bytes", "size of the level in bytes"}, \
    {SCOPE "written", "set of registers that are written; bit 0 S, 1 T, 2 R, 3 B"}, \
    {SCOPE "result.held.loaded", "number of loaded words of the oldest look-up"}, \
    {SCOPE "loaded", "number of loaded words of the look-up with this one"}, \
    {SCOPE "size_s", "magnitude of coordinate S"}, \
    {SCOPE "size_t", "magnitude of coordinate T"}, \
    {SCOPE "size_r", "magnitude of coordinate R"}, \
    {SCOPE "exponent", "exponent of the coordinate"}, \
    {SCOPE "tap", "number of the texel in the filter; 0 near, 1 next in S, 2 next in T, 3 next in both"}, \
    {SCOPE "across_x", "weight of the texel's column in 1/65536"}, \
    {SCOPE "across_y", "weight of the texel's row in 1/65536"}, \
    {SCOPE "share", "share of the mip level in 1/256"}, \
    {SCOPE "near", "column or row of the near texel"}, \
    {SCOPE "far", "column or row of the far texel"}, \
    {SCOPE "place", "column or row of the texel in its level"}, \
    {SCOPE "level_address", "offset in memory of the level"}, \
    {SCOPE "stride", "distance from one face to the next in bytes"}, \
    {SCOPE "texel.word", "word of memory with the texel"}, \
    {SCOPE "low", "lowest bit of the texel in its word"}, \
    {SCOPE "moved", "texel as stored; moved down to the channel"}, \
    {SCOPE "mask", "mask of the bits of the channel"}, \
    {SCOPE "etc.x", "column of the texel in its block"}, \
    {SCOPE "etc.y", "row of the texel in its block"}, \
    {SCOPE "etcflip", "1: the block's lowest row is its first; 0: the block's highest row is its first"}, \
    {SCOPE "high", "upper word of the ETC1 block"}, \
    {SCOPE "flipped", \
      "1: the block's halves lie one above the other; 0: the block's halves lie side by side"}, \
    {SCOPE "second", "1: the texel is in the second half; 0: the texel is in the first half"}, \
    {SCOPE "texel", "number of the texel in its block"}, \
    {SCOPE "colour", "channel's colour before it is extended to eight bits"}, \
    {SCOPE "etc.words", "lower word of the ETC1 block"}, \
    {SCOPE "table", "number of the table of modifiers"}, \
    {SCOPE "large", "1: the modifier is the large one; 0: the modifier is the small one"}, \
    {SCOPE "differential", "1: the block is in differential mode; 0: the block has two colours"}, \
    {SCOPE "byte", "channel's byte"}, \
    {SCOPE "etc.base", "base colour in the channel"}, \
    {SCOPE "modifier", "modifier of the texel"}, \
    {SCOPE "five_bits", "1: the colour is stored with five bits; 0: the colour is stored with four bits"}, \
    {SCOPE "etc.field.mask", "mask of the bits of the field"}, \
    {SCOPE "etc.colour.sum", "stored colour with its change; in two's complement"}, \
    {SCOPE "etc.part.upper", \
      "1: it is the copy in the highest bits; 0: it is the copy whose highest bits stand below"}, \
    {SCOPE "etc.base.upper", "copy of the colour in the highest bits"}, \
    {SCOPE "etc.base.lower", "highest bits of the colour that stand below the copy"}, \
    {SCOPE "etc.channel.sum", "base colour with its modifier; in two's complement"}, \
    {SCOPE "channel.part.left", "number of bits from the copy's highest bit down to bit 0"}, \
    {SCOPE "minus", "1: the modifier is negative; 0: the modifier is positive"}, \
    {SCOPE "mips", "1: MINFILT asks for mip levels; 0: MINFILT asks for level 0"}, \
    {SCOPE "blends", "1: MINFILT asks for two levels; 0: MINFILT asks for one level"}, \
    {SCOPE "min_linear", "1: MINFILT is linear within a level; 0: MINFILT is nearest"}, \
    {SCOPE "mag_linear", "1: MAGFILT is linear; 0: MAGFILT is nearest"}, \
    {SCOPE "lod_matters", \
      "1: the level of detail chooses a level or a filter; 0: the level of detail has no effect"}, \
    {SCOPE "lod.matters.levels", "number of mip levels"}, \
    {SCOPE "lod.last.levels", "number of mip levels"}, \
    {SCOPE "lookup.reserved.levels", "number of mip levels"}, \
    {SCOPE "own", "width or height before it is padded"}, \
    {SCOPE "tile_width", "width of a tile of 4 KB"}, \
    {SCOPE "tile_height", "height of a tile of 4 KB"}, \
    {SCOPE "level.tiles.extent", "width or height of the level; in blocks"}, \
    {SCOPE "level.order.width", "width of the level; in blocks"}, \
    {SCOPE "level.order.height", "height of the level; in blocks"}, \
    {SCOPE "position.axis.extent", "width or height of the image in texels"}, \
    {SCOPE "tile_log2", "log2 of the size of a tile or microtile on the axis"}, \
    {SCOPE "utile_log2", "log2 of the size of a microtile on the axis"}, \
    {SCOPE "own_bits", "number of bits of the width or height before it is padded"}, \
    {SCOPE "size.to-divide.extent", "width or height in texels or blocks"}, \
    {SCOPE "size.to-divide.log2", "log2 of the size of a unit"}, \
    {SCOPE "size.to-divide.unit", "size of a unit in texels or blocks"}, \
    {SCOPE "size.units.extent", "width or height in texels or blocks"}, \
    {SCOPE "size.units.log2", "log2 of the size of a unit"}, \
    {SCOPE "size.units.unit", "size of a unit in texels or blocks"}, \
    {SCOPE "to_divide", "width or height plus the size of a unit less 1"}, \
    {SCOPE "level.across.down", "height of the level in tiles, microtiles or texels"}, \
    {SCOPE "tiles_x", "width of the level in tiles or microtiles"}, \
    {SCOPE "tiles_y", "height of the level in tiles or microtiles"}, \
    {SCOPE "level.bytes.tiles", "number of tiles (T) or microtiles (LT) of the level; 0 in raster order"}, \
    {SCOPE "utile_width", "log2 of the width of a microtile"}, \
    {SCOPE "taken", "1: the register write takes a uniform; 0: the register write takes no uniform"}, \
    {SCOPE "lookup.writes.count", "number of register writes of the look-up"}, \
    {SCOPE "before_p0", "texture configuration parameter 0 of the look-up before"}, \
    {SCOPE "before_p1", "texture configuration parameter 1 of the look-up before"}, \
    {SCOPE "fifo.lookups.load", "1: a word was loaded; 0: a look-up was made"}, \
    {SCOPE "fifo.oldest.before", "place of the oldest look-up before the load"}, \
    {SCOPE "earlier", "number of result words that look-ups made earlier"}, \
    {SCOPE "result.entry.word", "1: it is the second word; 0: it is the first word"}, \
    {SCOPE "load.entry.word", "1: it is the second word; 0: it is the first word"}, \
    {SCOPE "first_entry", "place of the first word of the look-up"}, \
    {SCOPE "result.word.other", "other result word of the look-up"}, \
    {SCOPE "texel.stored.other", "other half of the texel as stored"}, \
    {SCOPE "scaled", "coordinate times the size in 1/65536 texel"}, \
    {SCOPE "here", "position of the quad's first element in 1/65536 texel"}, \
    {SCOPE "next_x", "position of the next element in x in 1/65536 texel"}, \
    {SCOPE "next_y", "position of the next element in y in 1/65536 texel"}, \
    {SCOPE "square", "log2 of the square of the step in 1/65536 texel; in 1/256"}, \
    {SCOPE "smaller", "1: it is the smaller level of two; 0: it is the larger level or the only one"}, \
    {SCOPE "filter.share.share", "share of the smaller level in 1/256"}, \
    {SCOPE "filter.across.near", "weight of the near texel in 1/65536"}, \
    {SCOPE "filter.across.far", "weight of the far texel in 1/65536"}, \
    {SCOPE "texel.index.far", \
      "1: it is the far texel of a linear filter; 0: it is the near texel or the only one"}, \
    {SCOPE "corner", "position less half a texel"}, \
    {SCOPE "lod.whole.fraction", "fraction of the logarithm; in 1/256"}, \
    {SCOPE "lod.fraction.whole", "whole part of the logarithm"}, \
    {SCOPE "texel.parent.place", "column or row of the texel in its child image or level"}, \
    {SCOPE "child_offset", "CXOFF or CYOFF; 0 without a child image"}, \
    {SCOPE "flip", "set of the bits of the distance that are inverted"}, \
    {SCOPE "bit", "distance from the start of the level to the texel; in bits, after the order of bits"}, \
    {SCOPE "word.address", "offset of the texel's first byte in memory"}, \
    {SCOPE "word.shift", "lowest bit of the texel in its first byte"}, \
    {SCOPE "word.bits", "number of bits of a texel"}, \
    {SCOPE "shifted", "word of memory with the texel; moved down to the texel"}, \
    {SCOPE "position", "position on the axis in 1/65536 texel"}, \
    {SCOPE "period", "number of texels after which the axis repeats itself"}, \
    {SCOPE "texel.wrapped.rest", \
      "index of the texel within the period; 0 if the axis does not repeat there"}, \
    {SCOPE "highest", "highest bit of the field"}, \
    {SCOPE "etc.bits", "number of bits of the field"}, \
    {SCOPE "etc.moved", "block moved down to the field; its lower 32 bits"}, \
    {SCOPE "etc.change.field", "change as stored"}, \
    {SCOPE "channel.placed.field", "channel as stored"}, \
    {SCOPE "channel.placed.bits", "number of bits of the channel as stored; 0: the texel does not have it"}, \
    {SCOPE "filter.byte.first", "channel of the first texel that is blended"}, \
    {SCOPE "filter.channel.first", "channel of the first texel that is blended"}, \
    {SCOPE "filter.part.first", "same word of the weight of the first texel"}, \
    {SCOPE "filter.part.tap", "number of the texel among those that are blended"}, \
    {SCOPE "filter.half.first", "channel of the first texel that is blended"}, \
    {SCOPE "half.part.upper", \
      "1: it is the multiple of 2^20 units of 2^-24; 0: it is the rest below"}, \
    {SCOPE "units", "magnitude in units of 2^-24; its lower 32 bits"}, \
    {SCOPE "upper_equal", \
      "1: the sums are equal above 2^-44; 0: they are not equal above 2^-44"}, \
    {SCOPE "lower_larger", \
      "1: the negative sum is larger below 2^-44; 0: the negative sum is not larger below 2^-44"}, \
    {SCOPE "half.borrow.larger", "part below 2^-44 of the larger sum; in units of 2^-64"}, \
    {SCOPE "half.borrow.smaller", "part below 2^-44 of the smaller sum; in units of 2^-64"}, \
    {SCOPE "unlimited", "blended half before it is limited to infinity"}, \
    {SCOPE "half.half", "half that is blended"}, \
    {SCOPE "upper", "1: it is the upper 32 bits; 0: it is the lower 32 bits"}, \
    {SCOPE "other_word", "other 32 bits"}, \
    {SCOPE "half.carry.minus", \
      "1: it is the carry of the negative halves; 0: it is that of the positive ones"}, \
    {SCOPE "lod.mantissa.whole", "log2 of that power of two"}, \
    {SCOPE "lod.fraction.mantissa", "square of the step divided by the power of two below it"}, \
    {SCOPE "half.sum.minus", "1: it is the sum of the negative halves; 0: it is that of the positive ones"}, \
    {SCOPE "half.tap", "number of the texel among those that are blended"}, \
    {SCOPE "half.moved", "texel moved down to the half; its lower 32 bits"}, \
    {SCOPE "magnitude", "half without its sign"}, \
    {SCOPE "any_minus", "1: the sum of the negative halves is not 0; 0: it is 0"}, \
    {SCOPE "any_plus", "1: the sum of the positive halves is not 0; 0: it is 0"}, \
    {SCOPE "filter.result.moved", "first texel with a weight; moved down to the channel"}, \
    {SCOPE "points", \
      "1: MINFILT and MAGFILT ask for nearest in level 0; 0: they ask for more or it is a cube map"}, \
    {SCOPE "down", "mantissa rounded down"}, \
    {SCOPE "position.product.mantissa", "mantissa of the coordinate with its leading 1"}, \
    {SCOPE "position.product.extent", "width or height of the image in texels"}, \
    {SCOPE "mantissa", "mantissa with its leading 1; rounded"}, \
    {SCOPE "half.exponent", "exponent field less 1"}, \
    {SCOPE "minus_infinite", "1: a texel is -Inf; 0: no texel is -Inf"}, \
    {SCOPE "nan", "1: a texel is a NaN; 0: no texel is a NaN"},
#define TMU_UNIT_INPUT_NOTES \
    {"operand", "operand of the operation"}, \
    {"operation.second", "second word of the operation"}, \
    {"next", "place in the case from which on a uniform is sought; 0 first"}, \
    {"operation.uniform.taken", "number of uniforms that were taken before"}, \
    {"loads", "number of loads before"}, \
    {"operation.turn", "place of the operation in the case; 0 first"}, \
    {"which", \
      "kind of the count or set; 0 uniforms taken, 1 slots of the request FIFO, 2 waiting result words, 3 " \
      "written registers"}, \
    {"code", "number of the operation"},
/* clang-format on */

#endif
