/* SPDX-License-Identifier: MIT */
/* Rows of amd_points.h: loads, stores, conversions, atomics, scalar accesses and ends. amd_points.h says what
 * a row is. */
#ifndef MISPRINT_MODEL_AMD_POINTS_AMD_POINTS_DATA_H
#define MISPRINT_MODEL_AMD_POINTS_AMD_POINTS_DATA_H

/* clang-format off */
#define AMD_DATA_INPUTS \
    {"component", 2}, {"channel", 2}, {"number", 3}, {"bits", 6}, {"d16", 1}

/* `bit`: lowest bit of the channel in the data of a lane. */
#define AMD_CHANNEL_INPUTS \
    {"bit", 7}, {"channel", 2}, {"bits", 6}, {"generation", 3}

#define AMD_LOAD_POINTS(F) \
    /* `decision` on the dword: 1 moved, 2 out of range, 3 misaligned, 4 not resident, 5 nothing to move */ \
    /* `half`: the load writes only one half of the register */ \
    F(LOAD_DWORD, "load.dword", 32, 16, "dword that memory returns; it may be part of one", "9.3", \
      {"decision", 3, 16}, {"address", 32, 16}, {"word", 32, 16}, {"next", 32, 16}, \
      {"apart", 1, 16}, {"dword", 2}, {"bytes", 5}, {"format", 1}, {"select", 3}, {"generation", 3}, \
      {"first", 32}, {"unit", 3}) \
    F(LOAD_SIGNED, "load.signed", 32, 16, "byte or half of a load; extended with its sign", "9.3", \
      {"dword", 32, 16}, {"bytes", 5}, {"op", 8}, {"generation", 3}, {"first", 32}) \
    F(LOAD_SHIFT, "load.shift", 5, 16, "lowest bit of a lane's dword in its dword of memory", "9.5", \
      {"decision", 3, 16}, {"address", 32, 16}, {"dword", 2}, {"unit", 3}, {"generation", 3}) \
    F(LOAD_FIELD_DWORD, "load.field-dword", 2, 1, "number of the loaded dword that holds a field; from 0", \
      "table 52", AMD_CHANNEL_INPUTS) \
    F(LOAD_FIELD_LOW, "load.field-low", 5, 1, "lowest bit of a field in its loaded dword", "table 52", \
      AMD_CHANNEL_INPUTS) \
    F(LOAD_FIELD, "load.field", 32, 16, "field of a format as it lies in memory", "table 52", \
      {"dword", 32, 16}, {"decision", 3, 16}, {"low", 5}, AMD_DATA_INPUTS, {"first", 32}, \
      {"generation", 3}) \
    F(LOAD_NUMBER, "load.number", 3, 1, "kind of number of a channel (NFMT)", "9.3", \
      {"component", 2}, {"channel", 2}, {"bits", 6}, {"generation", 3}, {"typed", 1}) \
    F(LOAD_VALUE, "load.value", 32, 16, "field converted to 32 bits", "9.3", \
      {"field", 32, 16}, {"decision", 3, 16}, {"thread", 6, 16}, AMD_DATA_INPUTS, {"generation", 3}, \
      {"first", 32}) \
    F(LOAD_HALF, "load.half", 16, 16, "field converted to the 16 bits of D16", "9.3.1", \
      {"field", 32, 16}, {"single", 32, 16}, {"decision", 3, 16}, AMD_DATA_INPUTS, {"smallest", 32}, \
      {"largest", 32}) \
    F(LOAD_COMPONENT, "load.component", 32, 16, "component of a load with a format", "9.3", \
      {"field", 32, 16}, {"decision", 3, 16}, {"component", 2}, {"select", 3}, {"number", 3}, {"d16", 1}, \
      {"one", 32}, {"bound", 1}) \
    F(LOAD_REGISTER, "load.register", 32, 16, "value that a load writes to a register", "9.3.1", \
      {"old", 32, 16}, {"decision", 3, 16}, {"component", 2}, {"format", 1}, {"half", 1}, {"hi", 1}, \
      {"op", 8}, {"generation", 3}, {"first", 32}, {"kept", 32}) \
    F(LOAD_PAIR, "load.pair", 1, 1, "1: a register gets two components of 16 bits", "9.3.1", \
      {"component", 2}, {"components", 3}, {"generation", 3}) \
    F(LOAD_VGPR, "load.vgpr", 10, 1, "VGPR that a load writes", "9.3.1", \
      {"vdata", 9}, {"component", 2}, {"format", 1}, {"d16", 1}, {"generation", 3}) \
    F(LOAD_WRITTEN, "load.written", 1, 16, "1: a load writes the registers, or LDS, of a lane", "chapter 9", \
      {"decision", 3, 16}, {"violation", 1, 16}, {"format", 1}, {"d16", 1}, {"tfe", 1}, {"lds", 1}, \
      {"generation", 3}) \
    F(TFE_WRITTEN, "tfe.written", 1, 16, "1: TFE's register of a lane is written", "chapter 9, TFE", \
      {"missing", 1, 16}, {"generation", 3}, {"format", 1}) \
    F(TFE_VGPR, "tfe.vgpr", 10, 1, "VGPR that TFE writes", "chapter 9, TFE", \
      {"vdata", 9}, {"components", 3}, {"format", 1}, {"d16", 1}, {"generation", 3}) \
    F(LDS_VALUE, "lds.value", 32, 16, "word that a load writes to LDS", "\"CDNA3\" guide, loads to LDS", \
      {"decision", 3, 16}, {"word", 32, 16}, {"op", 8}, {"generation", 3}, {"first", 32}) \
    F(LDS_ADDRESS, "lds.address", 32, 1, "byte of LDS that a lane moves", "\"CDNA3\" guide, loads to LDS", \
      {"thread", 6}, {"m0", 32}, {"offset", 24}, {"store", 1}, {"generation", 3})

#define AMD_STORE_POINTS(F) \
    /* `select` has a code of DST_SEL: 0, 1, or 4 + the number of a component */ \
    F(STORE_SELECT, "store.select", 3, 1, "selector of what a channel of the format takes", "9.3", \
      {"channel", 2}, {"select", 3}, {"highest", 3}, {"components", 3}, {"typed", 1}, {"generation", 3}, \
      {"missing", 1}) \
    F(STORE_COMPONENT, "store.component", 32, 16, "component that is stored; as 32 bits", "9.3", \
      {"register", 32, 16}, AMD_DATA_INPUTS, {"generation", 3}, {"first", 32}) \
    F(STORE_REGISTER, "store.register", 32, 16, "word of a VGPR that a store reads", "9.3", \
      {"thread", 6, 16}, {"number", 10}, {"component", 2}, {"format", 1}, {"d16", 1}, {"hi", 1}, \
      {"generation", 3}, {"first", 32}) \
    F(STORE_VGPR, "store.vgpr", 10, 1, "VGPR that a store reads for its data", "9.3", \
      {"vdata", 9}, {"component", 2}, {"format", 1}, {"d16", 1}, {"generation", 3}) \
    F(STORE_FIELD, "store.field", 32, 16, "component converted to its field", "9.3", \
      {"from", 32, 16}, {"truncated", 32, 16}, {"thread", 6, 16}, AMD_DATA_INPUTS, \
      {"generation", 3}, {"smallest", 32}, {"largest", 32}, {"first", 32}) \
    F(STORE_FIELD_DWORD, "store.field-dword", 2, 1, "number of the stored dword that gets a field; from 0", \
      "table 52", AMD_CHANNEL_INPUTS) \
    F(STORE_FIELD_LOW, "store.field-low", 5, 1, "lowest bit of a field in its stored dword", "table 52", \
      AMD_CHANNEL_INPUTS) \
    F(STORE_PLACED, "store.placed", 32, 16, \
      "field at its place in the dword that memory receives", "table 52", \
      {"field", 32, 16}, {"low", 5}, AMD_DATA_INPUTS, {"generation", 3}) \
    F(STORE_DWORD, "store.dword", 32, 16, "dword that memory receives; it may be part of one", "9.3", \
      {"address", 32, 16}, {"decision", 3, 16}, {"old", 32, 16}, {"dword", 2}, {"bytes", 5}, \
      {"format", 1}, {"generation", 3}, {"first", 32}, {"op", 8}) \
    F(STORE_DONE, "store.done", 1, 16, "1: a lane's dword is stored", "chapter 9, range checking", \
      {"address", 32, 16}, {"decision", 3, 16}, {"dword", 2}, {"bytes", 5}, {"format", 1}, \
      {"generation", 3})

/* In the order of enum amd_step. */
#define AMD_CONVERT_INPUTS \
    {"store", 1}, {"number", 3}, {"bits", 6}
#define AMD_CONVERT_POINTS(F) \
    F(CONVERTED_NAN, "converted.nan", 1, 16, \
      "1: a single that is converted is a NaN", "9.3", \
      {"digits", 32, 16}, AMD_CONVERT_INPUTS) \
    F(STORED_ZERO, "stored.zero", 1, 16, \
      "1: a NaN, or a single below 0 in a format without a sign, is stored as 0", "9.3", \
      {"digits", 32, 16}, AMD_CONVERT_INPUTS) \
    F(NORM_BITS, "norm.bits", 6, 16, \
      "number of bits of the integer that stands for 1.0 in UNORM or SNORM", "9.3", \
      AMD_CONVERT_INPUTS) \
    F(LOADED_EXTENDED, "loaded.extended", 32, 16, \
      "signed number of a load or of a D16 store; extended to 32 bits", "9.3", \
      {"digits", 32, 16}, AMD_CONVERT_INPUTS) \
    F(LOADED_MAGNITUDE, "loaded.magnitude", 32, 16, \
      "magnitude of a loaded signed number", "9.3", \
      {"digits", 32, 16}, {"most", 32, 16}, AMD_CONVERT_INPUTS) \
    F(LOADED_LEAST, "loaded.least", 1, 16, \
      "1: a loaded SNORM is the least number, which stands for -1.0", "9.3", \
      {"magnitude", 32, 16}, {"most", 32, 16}, AMD_CONVERT_INPUTS) \
    F(FIELD_SIGN, "narrow.sign", 32, 16, \
      "sign of a half that becomes a single; bit 31 of the single", "9.3", \
      {"digits", 32, 16}, AMD_CONVERT_INPUTS) \
    F(FIELD_EXPONENT, "narrow.exponent", 5, 16, \
      "exponent field of a float of 16, 11 or 10 bits that becomes a single", "9.3", \
      {"digits", 32, 16}, AMD_CONVERT_INPUTS) \
    F(FIELD_MANTISSA, "narrow.mantissa", 23, 16, \
      "mantissa field of a float of 16, 11 or 10 bits that becomes a single", "9.3", \
      {"digits", 32, 16}, {"exponent", 5, 16}, AMD_CONVERT_INPUTS) \
    F(FIELD_SPECIAL, "narrow.special", 1, 16, \
      "1: a float of 16, 11 or 10 bits that becomes a single is infinite or a NaN", "9.3", \
      {"exponent", 5, 16}, AMD_CONVERT_INPUTS) \
    F(FIELD_NORMAL, "narrow.normal", 1, 16, \
      "1: a float of 16, 11 or 10 bits that becomes a single is normal; 0: it is a denormal or 0", "9.3", \
      {"exponent", 5, 16}, AMD_CONVERT_INPUTS) \
    F(FIELD_BIASED, "narrow.biased", 8, 16, \
      "biased exponent of the single that a float of 16, 11 or 10 bits becomes", "9.3", \
      {"exponent", 5, 16}, AMD_CONVERT_INPUTS) \
    F(SINGLE_EXPONENT, "made.exponent", 8, 16, \
      "exponent of a single that is made of an integer or of a denormal float; signed", "9.3", \
      {"digits", 32, 16}, AMD_CONVERT_INPUTS) \
    F(SINGLE_UP, "made.rounds-up", 1, 16, \
      "1: the mantissa of a single that is made of an integer or of a denormal float is rounded up", "9.3", \
      {"digits", 32, 16}, {"above_half", 1, 16}, {"is_half", 1, 16}, AMD_CONVERT_INPUTS) \
    F(SINGLE_MANTISSA, "made.mantissa", 32, 16, \
      "mantissa of a single that is made of an integer or of a denormal float; rounded, with its leading 1", \
      "9.3", \
      {"digits", 32, 16}, {"below", 32, 16}, AMD_CONVERT_INPUTS) \
    F(FIELD_SINGLE, "narrow.single", 32, 16, \
      "single that a float of 16, 11 or 10 bits becomes", "9.3", \
      {"digits", 32, 16}, {"exponent", 5, 16}, {"mantissa", 32, 16}, {"sign", 32, 16}, AMD_CONVERT_INPUTS) \
    F(STORED_MOST, "stored.most", 32, 16, \
      "largest magnitude of a stored number", "9.3", \
      {"digits", 32, 16}, AMD_CONVERT_INPUTS) \
    F(SMALL_SIGN, "small.sign", 16, 16, "sign of a single that becomes a half; bit 15 of the half", "9.3", \
      {"digits", 32, 16}, AMD_CONVERT_INPUTS) \
    F(SMALL_NEAREST, "small.nearest", 1, 16, \
      "1: a single is rounded to the nearest float of 16, 11 or 10 bits; 0: toward zero", "9.3", \
      {"digits", 32, 16}, AMD_CONVERT_INPUTS) \
    F(SMALL_INFINITE, "small.infinite", 1, 16, \
      "1: a single that becomes a float of 16, 11 or 10 bits is infinite", "9.3", \
      {"digits", 32, 16}, AMD_CONVERT_INPUTS) \
    F(CONVERTED_EXPONENT, "converted.exponent", 9, 16, \
      "exponent of the last digit of a single that is converted; signed", "9.3", \
      {"digits", 32, 16}, AMD_CONVERT_INPUTS) \
    F(CONVERTED_MANTISSA, "converted.mantissa", 32, 16, \
      "mantissa of a single that is converted; with its leading 1", "9.3", \
      {"digits", 32, 16}, {"exponent", 9, 16}, AMD_CONVERT_INPUTS) \
    F(STORED_LIMITS, "stored.limits", 1, 16, \
      "1: the exponent alone shows that the largest number is stored", "9.3", \
      {"magnitude", 32, 16}, {"exponent", 9, 16}, AMD_CONVERT_INPUTS) \
    F(STORED_PRODUCT, "stored.product", 32, 16, \
      "product of the mantissa of a single and the integer that stands for 1.0; lower 32 bits", "9.3", \
      {"mantissa", 32, 16}, {"most", 32, 16}, AMD_CONVERT_INPUTS) \
    F(SMALL_EXPONENT, "small.exponent", 8, 16, \
      "exponent of a single that becomes a float of 16, 11 or 10 bits; signed", "9.3", \
      {"digits", 32, 16}, AMD_CONVERT_INPUTS) \
    F(SMALL_OVERFLOWS, "small.overflows", 1, 16, \
      "1: the exponent is too large for a float of 16, 11 or 10 bits", "9.3", \
      {"exponent", 8, 16}, AMD_CONVERT_INPUTS) \
    F(SMALL_BEYOND, "small.beyond", 32, 16, \
      "result for a single beyond the largest float of 16, 11 or 10 bits; not limited", "9.3", \
      {"exponent", 8, 16}, {"step", 32, 16}, AMD_CONVERT_INPUTS) \
    F(SMALL_DENORMAL, "small.denormal", 1, 16, \
      "1: a single becomes a denormal float of 16, 11 or 10 bits", "9.3", \
      {"exponent", 8, 16}, AMD_CONVERT_INPUTS) \
    F(SMALL_DROPPED, "small.dropped", 32, 16, \
      "number of mantissa digits that are dropped where a single becomes a denormal float of 16, 11 or 10 " \
      "bits", "9.3", \
      {"exponent", 32, 16}, AMD_CONVERT_INPUTS) \
    F(ROUND_SHIFT, "round.shift", 7, 16, \
      "number of digits that a conversion drops; 64 at most", "9.3", \
      {"digits", 32, 16}, {"exponent", 9, 16}, AMD_CONVERT_INPUTS) \
    F(ROUND_UP, "round.up", 1, 16, \
      "1: the digits that a conversion keeps are rounded up", "9.3", \
      {"digits", 32, 16}, {"above", 1, 16}, {"nearest", 1, 16}, {"dropped", 2, 16}, AMD_CONVERT_INPUTS) \
    F(ROUND_DIGITS, "round.digits", 32, 16, \
      "digits that a conversion keeps; rounded", "9.3", \
      {"digits", 32, 16}, {"below", 32, 16}, {"up", 1, 16}, AMD_CONVERT_INPUTS) \
    F(SMALL_SUM, "small.sum", 32, 16, \
      "float of 16, 11 or 10 bits without its sign; not limited", "9.3", \
      {"base", 32, 16}, {"digits", 32, 16}, {"step", 32, 16}, AMD_CONVERT_INPUTS) \
    F(SMALL_LIMITED, "small.limited", 1, 16, \
      "1: a float of 16, 11 or 10 bits becomes the largest one that is finite", "9.3", \
      {"digits", 32, 16}, {"saturates", 1, 16}, AMD_CONVERT_INPUTS) \
    F(SMALL_RESULT, "small.result", 32, 16, \
      "float of 16, 11 or 10 bits that a single becomes", "9.3", \
      {"digits", 32, 16}, {"unsigned", 32, 16}, AMD_CONVERT_INPUTS) \
    F(STORED_INTEGER, "stored.integer", 32, 16, \
      "magnitude of a stored integer; limited", "9.3", \
      {"magnitude", 32, 16}, {"most", 32, 16}, {"unlimited", 32, 16}, AMD_CONVERT_INPUTS) \
    F(STORED_MAGNITUDE, "stored.magnitude", 32, 16, \
      "magnitude of a stored signed number", "9.3", \
      {"digits", 32, 16}, AMD_CONVERT_INPUTS)

/* `kind`: the atomic's number in enum amd_atomic (amd_insn.h): 0 swap, 1 cmpswap, 2 add, 3 sub, ... */
#define AMD_ATOMIC_INPUTS \
    {"kind", 5}, {"thread", 6}, {"wide", 1}, {"dword", 1}, {"generation", 3}, {"scalar", 1}

/* `bits_low`, `bits_high`: the float. */
#define AMD_FLOAT_INPUTS \
    {"mantissa_bits", 6}, {"bits_low", 32}, {"bits_high", 32}
#define AMD_FLAG_INPUTS \
    {"mantissa_bits", 6}, {"first_nan", 1}, {"second_nan", 1}, {"first_zero", 1}, {"second_zero", 1}
#define AMD_PAIR_INPUTS \
    {"mantissa_bits", 6}, {"first_low", 32}, {"second_low", 32}, {"first_high", 32}, {"second_high", 32}

#define AMD_ATOMIC_POINTS(F) \
    F(ATOMIC_PLACE, "atomic.place", 32, 1, \
      "address of a dword that an atomic reads or writes", "operations", \
      AMD_ATOMIC_INPUTS, {"stores", 1}, {"first", 32}) \
    F(ATOMIC_READ, "atomic.read", 32, 1, "dword of memory that an atomic reads", "operations", \
      AMD_ATOMIC_INPUTS, {"address", 32}) \
    F(ATOMIC_RETURN, "atomic.return", 32, 1, "dword that a vector atomic returns", "operations", \
      AMD_ATOMIC_INPUTS, {"low", 32}, {"high", 32}, {"stored", 32}) \
    F(ATOMIC_SOURCE, "atomic.source", 32, 1, "operand of an atomic", "operations", AMD_ATOMIC_INPUTS) \
    F(ATOMIC_OLD, "atomic.old", 32, 1, "old value that an atomic computes with", "operations", \
      AMD_ATOMIC_INPUTS) \
    F(ATOMIC_COMPARE, "atomic.compare", 32, 1, "operand that an atomic compares with the old value", \
      "operations", \
      AMD_ATOMIC_INPUTS, {"old", 32}) \
    F(ATOMIC_RESULT, "atomic.result", 32, 1, "value that an atomic stores", "operations", \
      AMD_ATOMIC_INPUTS, {"old", 32}, {"source", 32}, {"compare", 32}, {"sum", 32}, {"difference", 32}) \
    F(ATOMIC_CONDITION, "atomic.condition", 1, 1, \
      "1: the comparison of an atomic holds; 0: the comparison does not hold", "operations", \
      {"kind", 5}, {"wide", 1}, {"generation", 3}, {"old", 32}, {"source", 32}, {"compare", 32}, \
      {"below", 1}, {"signed_below", 1}, {"equal", 1}, {"compared_equal", 1}, {"old_zero", 1}, \
      {"source_zero", 1}) \
    F(FLOAT_NAN, "float.nan", 1, 1, "1: an operand of an atomic of floats is a NaN", "operations", \
      AMD_FLOAT_INPUTS) \
    F(FLOAT_ZERO, "float.zero", 1, 1, "1: an operand of an atomic of floats is a zero", "operations", \
      AMD_FLOAT_INPUTS) \
    F(FLOAT_EXPONENT, "float.exponent", 11, 1, "biased exponent of an operand of a sum of floats", \
      "operations", AMD_FLOAT_INPUTS) \
    F(FLOAT_MANTISSA, "float.mantissa", 32, 1, \
      "mantissa of an operand of a sum of floats; with its leading 1; lower 32 bits", "operations", \
      {"mantissa_bits", 6}, {"exponent", 11}, {"bits_low", 32}, {"bits_high", 32}) \
    F(FLOAT_MANTISSA_HIGH, "float.mantissa-high", 32, 1, \
      "mantissa of an operand of a sum of floats; with its leading 1; upper 32 bits", "operations", \
      {"mantissa_bits", 6}, {"exponent", 11}, {"bits_low", 32}, {"bits_high", 32}) \
    F(FLOAT_BEFORE, "float.before", 1, 1, \
      "1: the first of two floats is less; -0 is less than +0", "operations", AMD_PAIR_INPUTS, \
      {"first_negative", 1}, {"second_negative", 1}, {"smaller_magnitude", 1}) \
    F(FLOAT_LESS, "float.less", 1, 1, "1: an operand of an atomic of floats is less than the other", \
      "operations", \
      AMD_FLAG_INPUTS, {"before", 1}) \
    F(FLOAT_SAME, "float.same", 1, 1, "1: two operands of an atomic of floats are the same number", \
      "operations", \
      AMD_FLAG_INPUTS, {"equal", 1}) \
    F(SUM_OPERAND, "sum.operand", 32, 1, "operand of a sum of floats; lower 32 bits", "operations", \
      {"mantissa_bits", 6}, {"second", 1}, {"pair", 32}, {"upper", 1}) \
    F(SUM_SWAPPED, "sum.swapped", 1, 1, "1: the second of two floats has the larger magnitude", \
      "operations", AMD_PAIR_INPUTS) \
    F(SUM_INFINITE, "sum.infinite", 1, 1, \
      "1: the one of two floats with the larger magnitude is infinite", "operations", AMD_PAIR_INPUTS) \
    F(SUM_UNDEFINED, "sum.undefined", 1, 1, \
      "1: two infinite floats have no sum, so it is a NaN", "operations", AMD_PAIR_INPUTS) \
    F(SUM_PLACES, "sum.places", 12, 1, \
      "number of places by which the mantissa of the smaller of two floats moves right", "operations", \
      {"mantissa_bits", 6}, {"larger", 12}, {"smaller", 12}) \
    /* `mantissa_bits`: of the floats that are added: 7, 10, 23 or 52 */ \
    F(SUM_ALIGNED, "sum.aligned", 32, 1, \
      "mantissa of the smaller operand of a sum of floats; moved right, with 9 more digits; lower 32 bits", \
      "operations", \
      {"mantissa_bits", 6}, {"places", 12}, {"moved", 32}, {"lost", 1}) \
    F(SUM_SUBTRACTS, "sum.subtracts", 1, 1, "1: the mantissas of two floats are subtracted", "operations", \
      AMD_PAIR_INPUTS) \
    F(SUM_VALUE, "sum.value", 32, 1, "sum of two mantissas; with 9 more digits; lower 32 bits", \
      "operations", \
      {"mantissa_bits", 6}, {"places", 12}, {"larger_mantissa", 32}, {"smaller_mantissa", 32}) \
    F(SUM_NEGATIVE, "sum.negative", 1, 1, "1: the sum of two floats is negative", "operations", \
      AMD_PAIR_INPUTS, {"zero", 1}, {"subtracts", 1}) \
    F(SUM_DIGIT, "sum.digit-exponent", 32, 1, \
      "biased exponent of the last digit of the sum of two mantissas; signed", "operations", \
      {"mantissa_bits", 6}, {"larger", 12}) \
    F(SUM_LAST, "sum.last", 12, 1, \
      "biased exponent of a sum of floats before its mantissa is rounded", "operations", \
      {"mantissa_bits", 6}, {"digit_exponent", 32}, {"zeros", 6}) \
    F(SUM_SHIFT, "sum.shift", 32, 1, \
      "number of digits that a sum of mantissas loses; signed; below 0: digits that are added", \
      "operations", \
      {"mantissa_bits", 6}, {"last", 12}, {"digit_exponent", 32}) \
    F(SUM_UP, "sum.up", 1, 1, "1: the mantissa of a sum of floats is rounded up", "operations", \
      {"mantissa_bits", 6}, {"dropped", 32}, {"digits", 32}, {"above_half", 1}, {"is_half", 1}, \
      {"negative", 1}) \
    F(SUM_MANTISSA, "sum.mantissa", 32, 1, "mantissa of a sum of floats; rounded; lower 32 bits", \
      "operations", \
      {"mantissa_bits", 6}, {"dropped", 32}, {"digits", 32}, {"up", 1}) \
    F(SUM_EXPONENT, "sum.exponent", 12, 1, "biased exponent of a sum of floats", "operations", \
      {"mantissa_bits", 6}, {"dropped", 32}) \
    F(SUM_MAGNITUDE, "sum.magnitude", 32, 1, "sum of two floats without its sign; lower 32 bits", \
      "operations", \
      {"mantissa_bits", 6}, {"base", 32}, {"digits", 32}, {"infinity", 32}) \
    F(SUM_RESULT_LOW, "sum.result-low", 32, 1, "lower half of the sum of two floats", "operations", \
      AMD_PAIR_INPUTS) \
    F(SUM_RESULT_HIGH, "sum.result-high", 32, 1, "upper half of the sum of two floats", "operations", \
      AMD_PAIR_INPUTS) \
    F(ATOMIC_VGPR, "atomic.vgpr", 10, 1, "VGPR that an atomic reads", "operations", \
      {"vdata", 9}, {"dword", 1}, {"second", 1}, {"kind", 5}, {"wide", 1}, {"generation", 3}) \
    F(ATOMIC_DONE, "atomic.done", 1, 16, "1: a lane's atomic takes place", "chapter 9, range checking", \
      {"decision", 3, 16}, {"last_decision", 3, 16}, {"address", 32, 16}, {"kind", 5}, {"wide", 1}, \
      {"generation", 3}, {"first", 3}) \
    F(ATOMIC_DESTINATION, "atomic.destination", 10, 1, "VGPR that an atomic writes", "operations", \
      {"vdata", 9}, {"dword", 3}, {"kind", 5}, {"wide", 1}, {"generation", 3}) \
    F(ATOMIC_RETURNED, "atomic.returned", 1, 16, "1: an atomic writes the register of a lane", \
      "chapter 9, range checking", {"decision", 3, 16}, {"kind", 5}, {"wide", 1}, {"generation", 3}) \
    F(ATOMIC_REGISTERS, "atomic.registers", 3, 1, "number of registers that a returning atomic writes", \
      "operations", \
      {"kind", 5}, {"wide", 1}, {"compares", 1}, {"generation", 3})

#define AMD_SCALAR_INPUTS \
    {"generation", 3}, {"op", 8}, {"offset", 32}, {"size", 32}, {"dword", 4}, {"bytes", 3}

#define AMD_KEPT_INPUTS \
    {"generation", 3}, {"op", 8}, {"dword", 4}, {"decision", 3}, {"address", 32}

#define AMD_SCALAR_POINTS(F) \
    F(SCALAR_SBASE, "scalar.sbase", 7, 1, "first SGPR of the V# of a scalar access", "chapter 8", \
      {"generation", 3}, {"op", 8}, {"group", 3}) \
    F(SCALAR_SDATA, "scalar.sdata", 8, 1, "first SGPR of the data of a scalar access", "chapter 8", \
      {"generation", 3}, {"op", 8}, {"group", 3}) \
    F(SCALAR_ALIGNMENT, "scalar.alignment", 3, 1, \
      "number of SGPRs to which the data of a scalar access is aligned", "chapter 8", \
      {"generation", 3}, {"op", 8}, {"registers", 5}) \
    F(SCALAR_FAULT, "scalar.fault", 3, 1, "fault by SBASE, SDATA or SOFFSET of a scalar access", \
      "chapter 8", {"generation", 3}, {"op", 8}, {"sbase", 7}, {"sdata", 8}, {"group", 3}, \
      {"registers", 5}, {"code", 8}, {"operand", 1}) \
    F(SCALAR_DWORDS, "scalar.dwords", 5, 1, "number of dwords that a scalar load or store moves", \
      "chapter 8", {"generation", 3}, {"op", 8}, {"bytes", 7}) \
    F(SCALAR_PART, "scalar.part", 3, 1, "number of bytes of memory that a dword of a scalar load has", \
      "chapter 8", {"generation", 3}, {"op", 8}, {"bytes", 7}) \
    F(SCALAR_REGISTER, "scalar.register", 1, 1, "1: a scalar access adds SOFFSET to the immediate offset", \
      "8.1.2", \
      {"generation", 3}, {"op", 8}, {"imm", 1}, {"soffset_en", 1}, {"field", 8}, {"offset", 24}) \
    F(SCALAR_IMMEDIATE, "scalar.immediate", 32, 1, "immediate offset of a scalar access; signed", "8.1.2", \
      {"generation", 3}, {"op", 8}, {"offset", 24}, {"imm", 1}, {"soffset_en", 1}) \
    F(SCALAR_VIOLATES, "scalar.violates", 1, 1, "1: the offset makes a scalar access a violation", "8.1.2", \
      {"generation", 3}, {"op", 8}, {"immediate", 32}, {"soffset", 32}) \
    F(SCALAR_STRIDE, "scalar.stride", 19, 1, "stride of the V# of a scalar access", "8.1.2", \
      {"generation", 3}, {"op", 8}, {"word1", 32}, {"word3", 32}) \
    F(SCALAR_UNIT, "scalar.unit", 32, 1, "number of bytes that NUM_RECORDS of a scalar access counts", \
      "8.1.2", \
      {"generation", 3}, {"op", 8}, {"stride", 32}, {"records", 32}) \
    F(SCALAR_RECORDS, "scalar.records", 32, 1, "number of records of a scalar access", "8.1.2", \
      {"generation", 3}, {"op", 8}, {"stride", 32}) \
    F(SCALAR_LIMIT, "scalar.limit", 32, 1, \
      "size of the buffer of a scalar access in bytes; 0xffffffff stands for all larger ones", "8.1.2", \
      {"generation", 3}, {"op", 8}, {"unit", 32}, {"records", 32}, {"stride", 32}) \
    F(SCALAR_OFFSET, "scalar.offset", 32, 1, "offset of a scalar access in bytes", "8.1.2", \
      {"generation", 3}, {"op", 8}, {"immediate", 32}, {"soffset", 32}, {"size", 32}) \
    F(SCALAR_OFFSET_HIGH, "scalar.offset-high", 32, 1, \
      "upper half of the offset of a scalar access; its carry", "8.1.2", \
      {"generation", 3}, {"op", 8}, {"immediate", 32}, {"soffset", 32}, {"size", 32}) \
    F(SCALAR_STEP, "scalar.step", 32, 1, \
      "offset in the address of a scalar access; its low bits are dropped", "8.1.2", \
      {"generation", 3}, {"op", 8}, {"offset", 32}, {"base_low", 32}, {"bytes", 3}) \
    F(SCALAR_STEP_HIGH, "scalar.step-high", 32, 1, \
      "upper half of the offset in the address of a scalar access", "8.1.2", \
      {"generation", 3}, {"op", 8}, {"offset", 32}, {"base_low", 32}, {"bytes", 3}, {"offset_high", 32}) \
    F(SCALAR_ADDRESS_LOW, "scalar.address-low", 32, 1, \
      "lower half of the address of a scalar access's dword; bits 31:0", "8.1.2", \
      AMD_SCALAR_INPUTS, {"sum_high", 32}, {"base_low", 32}, {"base_high", 16}, {"step", 32}) \
    F(SCALAR_ADDRESS_HIGH, "scalar.address-high", 31, 1, \
      "upper half of the address of a scalar access's dword; bits 47:32, and 0 above", "8.1.2", \
      AMD_SCALAR_INPUTS, {"sum_high", 32}, {"base_low", 32}, {"base_high", 16}, {"step", 32}) \
    F(SCALAR_CHECKED, "scalar.checked", 32, 1, \
      "offset of a dword of a scalar access that is compared; in bytes", "8.4.1", AMD_SCALAR_INPUTS) \
    F(SCALAR_CHECKED_HIGH, "scalar.checked-high", 32, 1, \
      "upper half of the offset of a dword of a scalar access that is compared", "8.4.1", AMD_SCALAR_INPUTS) \
    F(SCALAR_IN_RANGE, "scalar.in-range", 1, 1, "1: a dword of a scalar access is in range", "8.4.1", \
      AMD_SCALAR_INPUTS) \
    F(SCALAR_DECISION, "scalar.decision", 3, 1, \
      "decision on a dword of a scalar access; 1 done, 2 out of range, 3 violation, 4 not resident", \
      "8.4.1", \
      AMD_SCALAR_INPUTS, {"address", 32}, {"atomic", 1}, {"wide", 1}) \
    /* `word`, `next`: the dword of memory at the address rounded down, and the one behind it */ \
    F(SCALAR_VALUE, "scalar.value", 32, 1, "dword that a scalar load writes", "8.4.1", \
      {"generation", 3}, {"op", 8}, {"dword", 4}, {"decision", 3}, {"select", 3}, {"address", 32}, \
      {"word", 32}, {"next", 32}, {"bytes", 3}) \
    F(SCALAR_SGPR, "scalar.sgpr", 8, 1, "SGPR that a scalar access reads or writes for its data", "8.4.1", \
      {"generation", 3}, {"op", 8}, {"sdata", 8}, {"dword", 4}, {"reads", 1}) \
    F(SCALAR_STORED, "scalar.stored", 32, 1, "dword that a scalar store or atomic writes to memory", \
      "8.4.1", \
      AMD_KEPT_INPUTS, {"old", 32}) \
    F(SCALAR_RETURNS, "scalar.returns", 1, 1, "1: a scalar atomic writes SGPRs", "8.4.1", \
      {"generation", 3}, {"op", 8}, {"glc", 1}, {"decision", 3}) \
    F(SCALAR_RETURNED, "scalar.returned", 32, 1, "dword that a scalar atomic returns", "8.4.1", \
      AMD_KEPT_INPUTS, {"low", 32}, {"high", 32}) \
    F(SCALAR_TRACE_DECISION, "scalar.trace-decision", 8, 1, \
      "decision on a scalar access's dword as the outcome has it; from bit 4 on the bytes that are moved", \
      "8.4.1", AMD_KEPT_INPUTS, {"bytes", 3}) \
    F(SCALAR_TRACE_ADDRESS, "scalar.trace-address", 32, 1, \
      "address of a scalar access's dword as the outcome has it; lower 32 bits", "8.4.1", AMD_KEPT_INPUTS) \
    F(SCALAR_TRACE_HIGH, "scalar.trace-high", 32, 1, \
      "address of a scalar access's dword as the outcome has it; upper 32 bits", "8.4.1", AMD_KEPT_INPUTS) \
    F(SCALAR_MEM_VIOL, "scalar.mem-viol", 1, 1, "1: a dword of a scalar access sets TRAPSTS.MEM_VIOL", \
      "9.5", \
      AMD_KEPT_INPUTS) \
    F(SGPR_VALUE, "sgpr.value", 32, 1, "word that an instruction reads from an SGPR", "3.4", \
      {"generation", 3}, {"number", 7}, {"exec_low", 32}, {"exec_high", 32}) \
    F(SGPR_EXEC, "sgpr.exec", 1, 1, "1: a scalar operand is half of EXEC; 0: a scalar operand is an SGPR", \
      "3.4", {"generation", 3}, {"number", 7}) \
    F(SGPR_WRITTEN, "sgpr.written", 32, 1, "word that an SGPR gets", "3.4", \
      {"generation", 3}, {"number", 7}, {"old", 32})

#define AMD_VGPR_INPUTS \
    {"generation", 3}, {"number", 10}, {"exec_low", 32}, {"exec_high", 32}

#define AMD_STATUS_INPUTS \
    {"dword", 2}, {"generation", 3}, {"any_out", 1}, {"any_violation", 1}, {"any_missing", 1}, \
    {"any_done", 1}, {"first", 3}, {"last", 3}

#define AMD_END_POINTS(F) \
    F(EXEC_LOW, "exec.low", 32, 1, "set of active lanes among lanes 0 to 31", "3.3", {"generation", 3}, \
      {"encoding", 2}, {"op", 8}, {"exec_high", 32}) \
    F(EXEC_HIGH, "exec.high", 32, 1, "set of active lanes among lanes 32 to 63", "3.3", \
      {"generation", 3}, {"encoding", 2}, {"op", 8}, {"exec_low", 32}) \
    F(WAVE_SIZE, "wave.size", 1, 1, "1: the wave has 32 lanes; 0: the wave has 64 lanes", "3.1", \
      {"generation", 3}) \
    F(VGPR_VALUE, "vgpr.value", 32, 16, "word that a lane writes to a VGPR", "chapter 9", \
      {"old", 32, 16}, {"thread", 6, 16}, {"generation", 3}, {"number", 10}, {"first", 32}, \
      {"lanes_low", 32}, {"lanes_high", 32}) \
    F(VGPR_LANES_LOW, "vgpr.lanes-low", 32, 1, "set of lanes among lanes 0 to 31 that write a VGPR", \
      "chapter 9", AMD_VGPR_INPUTS) \
    F(VGPR_LANES_HIGH, "vgpr.lanes-high", 32, 1, "set of lanes among lanes 32 to 63 that write a VGPR", \
      "chapter 9", AMD_VGPR_INPUTS) \
    /* values of the fault points: 0 none, 1 encoding, 2 operand, 3 format, 4 undefined address */ \
    F(FAULT_ENCODING, "fault.encoding", 3, 1, "fault by a field of the instruction", "microcode formats", \
      {"generation", 3}, {"op", 8}, {"glc", 1}, {"reserved", 14}, {"vdata", 9}, {"vaddr", 8}, \
      {"offset", 24}, {"format", 7}, {"registers", 5}, {"addresses", 2}) \
    F(FAULT_OPERAND, "fault.operand", 3, 1, "fault by SRSRC or SOFFSET", "chapter 9, operands", \
      {"generation", 3}, {"op", 8}, {"srsrc", 6}, {"code", 8}) \
    F(FAULT_FORMAT, "fault.format", 3, 1, "fault by the data format", "table 52", \
      {"generation", 3}, {"op", 8}, {"typed", 1}, {"code", 7}) \
    F(BUFFER_BOUND, "buffer.bound", 1, 1, "1: the V# is a bound buffer's", "chapter 9, unbound resources", \
      {"generation", 3}, {"type", 2}, {"format", 7}, {"add_tid", 1}, {"typed", 1}, {"converted", 1}, \
      {"rest", 1}) \
    F(FORMAT_MOVES, "format.moves", 1, 1, "1: data moves with this format", "table 52", \
      {"generation", 3}, {"typed", 1}, {"code", 7}, {"layout", 4}, {"number", 3}, {"store", 1}) \
    F(FORMAT_LAYOUT, "format.layout", 4, 1, "layout of the data format's components (DFMT)", "table 52", \
      {"generation", 3}, {"typed", 1}, {"code", 7}, {"number", 3}, {"store", 1}) \
    F(FORMAT_NUMBER, "format.number", 3, 1, "kind of number of the data format (NFMT)", "table 52", \
      {"generation", 3}, {"typed", 1}, {"code", 7}, {"layout", 4}, {"store", 1}) \
    F(FORMAT_COMPONENTS, "format.components", 3, 1, "number of components of the data format", "table 52", \
      {"generation", 3}, {"layout", 4}, {"number", 3}, {"store", 1}) \
    F(FORMAT_BYTES, "format.bytes", 5, 1, "size of an element of the data format in bytes", "table 52", \
      {"generation", 3}, {"layout", 4}, {"number", 3}, {"store", 1}) \
    F(FORMAT_BITS, "format.bits", 6, 1, "number of bits of a channel of the data format", "table 52", \
      {"generation", 3}, {"layout", 4}, {"channel", 2}, {"number", 3}, {"store", 1}) \
    F(FORMAT_LOW, "format.low", 7, 1, "lowest bit of a channel in an element of the data format", \
      "table 52", {"generation", 3}, {"layout", 4}, {"channel", 2}, {"number", 3}, {"store", 1}) \
    F(COMPONENT_SELECT, "component.select", 3, 1, "DST_SEL that is in force for a component", "9.3", \
      {"component", 2}, {"field", 3}, {"typed", 1}, {"layout_components", 3}, {"components", 3}, \
      {"store", 1}, {"generation", 3}, {"select_x", 3}) \
    F(D16_PACKED, "d16.packed", 1, 1, "1: a register holds two components of D16", "9.3.1", \
      {"generation", 3}, {"components", 3}, {"store", 1}) \
    F(DESTINATION_REGISTERS, "destination.registers", 4, 1, \
      "number of VGPRs that the result and its status take", "9.3.1", \
      {"generation", 3}, {"components", 3}, {"d16", 1}, {"format", 1}, {"atomic", 1}, {"tfe", 1}) \
    F(DESTINATION_END, "destination.end", 32, 1, "first VGPR behind those that the result takes", "9.3.1", \
      {"vdata", 9}, {"registers", 4}, {"generation", 3}) \
    F(BUFFER_DONE, "buffer.done", 1, 1, \
      "1: the instruction does something; 0: the instruction does nothing", "chapter 9", \
      {"generation", 3}, {"type", 2}, {"typed", 1}, {"format", 7}, {"last_register", 9}, {"vgprs", 6}, \
      {"bound", 1}) \
    F(STATUS_MEM_VIOL, "status.mem-viol", 1, 1, "1: a dword sets TRAPSTS.MEM_VIOL", "9.5", \
      AMD_STATUS_INPUTS) \
    F(STATUS_OOB, "status.buffer-oob", 1, 1, "1: a dword sets TRAPSTS.BUFFER_OOB", \
      "chapter 9, range checking", AMD_STATUS_INPUTS) \
    F(TRACE_DECISION, "trace.decision", 8, 16, \
      "decision on a lane's dword as the outcome has it; from bit 4 on the bytes that are moved", \
      "chapter 9, range checking", {"decision", 3, 16}, {"dword", 2}, {"generation", 3}, {"first", 8}, \
      {"bytes", 3}) \
    F(TRACE_ADDRESS, "trace.address", 32, 16, \
      "address of a lane's dword as the outcome has it; lower 32 bits", \
      "chapter 9, range checking", {"decision", 3, 16}, {"place", 32, 16}, {"dword", 2}, {"generation", 3}, \
      {"first", 32}) \
    F(TRACE_HIGH, "trace.high", 32, 16, \
      "address of a lane's dword as the outcome has it; upper 32 bits", \
      "chapter 9, range checking", {"decision", 3, 16}, {"upper_half", 32, 16}, {"dword", 2}, \
      {"generation", 3}, {"first", 32}, {"last", 32}) \
    F(TRACE_DWORDS, "trace.dwords", 3, 1, \
      "number of dwords of a lane whose decisions and addresses the outcome has", \
      "chapter 9, range checking", {"moves", 1}, {"dwords", 3}, {"generation", 3}) \
    F(RUN_INSTRUCTION, "run.instruction", 2, 1, \
      "number of the instruction that the wave executes; from 0", "microcode formats", \
      {"generation", 3}, {"count", 3}) \
    F(RUN_END, "run.end", 3, 1, "reason for which the run ends here; 0: it goes on", "microcode formats", \
      {"generation", 3}, {"encoding", 2}, {"op", 8}, {"instruction", 2}, {"count", 3})
/* clang-format on */

#endif
