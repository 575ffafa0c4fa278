/* SPDX-License-Identifier: MIT */
#include "model/amd/points/amd_points.h"

#include "model/amd/encoding/amd_operand.h"
#include "model/text/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <stddef.h>

#include "model/rule/rules.h"

#define ROW(number, name_, width_, lanes_, about_, where_, ...)                                              \
    [AMD_POINT_##number] = {.name = (name_),                                                                 \
                            .about = (about_),                                                               \
                            .where = "\"RDNA3\" guide " where_,                                              \
                            .width = (width_),                                                               \
                            .lanes = (lanes_),                                                               \
                            .input = {__VA_ARGS__}},

const struct point amd_points[AMD_POINT_COUNT] = {AMD_POINTS(ROW)};

_Static_assert((int)AMD_POINT_COUNT <= (int)POINTS_MAX, "struct rules has a bit for each point");

/* The old points saw loads alone, and singles that are made of integers. */
const struct point_alias amd_point_aliases[] = {
    {"field.exponent", AMD_POINT_FIELD_EXPONENT, "!store"},
    {"field.mantissa", AMD_POINT_FIELD_MANTISSA, "!store"},
    {"single.exponent", AMD_POINT_SINGLE_EXPONENT, "number != 7"},
    {"single.mantissa", AMD_POINT_SINGLE_MANTISSA, "number != 7"},
    {NULL, 0, NULL},
};

/* clang-format off */
const struct input_note amd_input_notes[] = {
    {"generation",
      "generation of the GPU; 0 GFX11, 1 GFX10, 2 GFX9, 3 GFX8, 4 GFX90A, 5 GFX942, 6 GFX12"},
    {"encoding", "encoding of the instruction; 0 MUBUF, 1 MTBUF, 2 SMEM"},
    {"op", "opcode"},
    {"dword", "number of the dword of a lane"},
    {"load.field.dword", "dword that memory returned"},
    {"decision",
      "decision of the range check; 1 done, 2 out of range, 3 violation, 4 not resident, 5 nothing "
      "moves"},
    {"unit", "number of bytes that a lane moves at once"},
    {"align", "alignment to which the address is rounded down; 1: it is not rounded"},
    {"mode", "OOB_SELECT plus 4 for a swizzled buffer; 0 to 3 no swizzled buffer, 4 to 7 a swizzled one"},
    {"index.mode", "OOB_SELECT"},
    {"swizzle.mode", "OOB_SELECT"},
    {"stride.mode", "OOB_SELECT"},
    {"stride.address.mode", "OOB_SELECT plus 4 for a swizzled buffer"},
    {"lane.mode", "OOB_SELECT"},
    {"smallest", "smallest whole number that the field holds; as 32 bits"},
    {"largest", "largest whole number that the field holds; as 32 bits"},
    {"indexed", "1: IDXEN or ADD_TID_ENABLE is set; 0: neither IDXEN nor ADD_TID_ENABLE is set"},
    {"address", "lower half of the address"},
    {"bytes", "number of bytes that the instruction accesses in a lane"},
    {"scalar.bytes", "number of bytes of the access"},
    {"scalar.size", "size of the buffer in bytes"},
    {"format", "1: the data has a format; 0: the data has no format"},
    {"fault.format", "FORMAT of the instruction"},
    {"buffer.format", "FORMAT of the V#"},
    {"select", "DST_SEL; 0 the constant 0, 1 the constant 1, 4 X, 5 Y, 6 Z, 7 W"},
    {"low", "lowest bit of the field in its dword"},
    {"component", "number of the component"},
    {"channel", "number of the channel of the format"},
    {"number", "kind of number (NFMT)"},
    {"index_field", "INDEX_STRIDE"},
    {"dwords", "number of dwords that the instruction moves in a lane"},
    {"bits", "number of bits of the channel"},
    {"swizzle.bits", "ELEMENT_SIZE"},
    {"d16", "1: the instruction has D16 data; 0: the instruction has 32-bit data"},
    {"typed", "1: the instruction is a typed one (MTBUF); 0: the instruction is not a typed one (MTBUF)"},
    {"offset_high", "upper half of the offset"},
    {"sgpr.exec.number", "number of the register; 126 and 127 are EXEC"},
    {"sgpr.written.number", "number of the register"},
    {"sgpr.written.old", "word of the register before"},
    {"trace.high.last", "number at the point in lane 63"},
    {"instruction", "number of the instruction; from 0"},
    {"down", "1: misaligned addresses are rounded down; 0: they are not rounded down"},
    {"align.step.align", "alignment of the access in bytes"},
    {"moves", "1: the instruction moves data; 0: it moves nothing"},
    {"count", "number of instructions of the program"},
    {"bit", "lowest bit of the field in the data of a lane; dword 1 begins at bit 32"},
    {"field.bit", "lowest bit of the part in the instruction; word 1 begins at bit 32"},
    {"field.bits.word", "word of the instruction that holds the part"},
    {"field.bits.low", "lowest bit of the part in its word"},
    {"mask", "mask of the bits of the part; from bit 0 on"},
    {"joined_before", "parts of the field that come before; at their places"},
    {"part", "part of the field; moved to bit 0"},
    {"shift", "lowest bit of the field that the part takes"},
    {"field", "field of the format"},
    {"component.field", "DST_SEL of the component in the V#"},
    {"check.choosing-stride.field", "STRIDE of the V#"},
    {"single", "field converted to 32 bits"},
    {"one", "constant 1 of the format"},
    {"bound", "1: the V# is a bound buffer's; 0: the V# is not a bound buffer's"},
    {"old", "word in the register before"},
    {"atomic.old", "old value in memory"},
    {"half", "1: the load changes one half of the register; 0: the load changes the whole register"},
    {"hi",
      "1: the opcode is of the upper half (D16_HI); 0: the opcode is not of the upper half (D16_HI)"},
    {"violation", "1: the lane has a violation; 0: the lane has no violation"},
    {"tfe", "1: TFE is set; 0: TFE is not set"},
    {"lds", "1: the load writes LDS; 0: the load writes registers"},
    {"tfe.missing", "1: memory of the lane is not resident; 0: all memory of the lane is resident"},
    {"store.missing",
      "1: the operation does not supply the component; 0: the operation supplies the component"},
    {"truncated", "field of a float rounded toward zero; of other numbers, the field"},
    {"thread", "number of the lane"},
    {"m0", "word in M0"},
    {"offset", "offset in bytes"},
    {"store", "1: it is a store; 0: it is a load"},
    {"highest", "highest component that selects the channel"},
    {"components", "number of components"},
    {"layout_components", "number of components of the format"},
    {"register", "word in the register"},
    {"first", "number at the point in lane 0"},
    {"first_dword", "decision on dword 0 of lane 0"},
    {"member", "place of the lane's index in its group"},
    {"element", "offset rounded down to its element; in bytes"},
    {"within", "offset inside its element; in bytes"},
    {"imm", "1: OFFSET holds a number; 0: OFFSET holds the code of a register"},
    {"first_negative", "1: the first float is negative; 0: the first float is not negative"},
    {"second_negative", "1: the second float is negative; 0: the second float is not negative"},
    {"smaller_magnitude",
      "1: the first float has the smaller magnitude; 0: the first float does not have the smaller magnitude"},
    {"first_nan", "1: the first float is a NaN; 0: the first float is no NaN"},
    {"second_nan", "1: the second float is a NaN; 0: the second float is no NaN"},
    {"first_zero", "1: the first float is a zero; 0: the first float is no zero"},
    {"second_zero", "1: the second float is a zero; 0: the second float is no zero"},
    {"before", "1: the first float is less, where -0 is less than +0; 0: the first float is not less"},
    {"float.same.equal", "1: both floats have the same bits; 0: the floats have different bits"},
    {"moved", "mantissa moved right; without the digits that it loses; lower 32 bits"},
    {"lost", "1: a digit that the mantissa loses is 1; 0: no digit that the mantissa loses is 1"},
    {"zero", "1: the sum is 0; 0: the sum is not 0"},
    {"subtracts", "1: the mantissas are subtracted; 0: the mantissas are added"},
    {"sum.shift.last", "biased exponent of the sum"},
    {"sum.mantissa.digits", "digits before they are rounded; lower 32 bits"},
    {"sum.magnitude.digits", "digits of the mantissa; rounded, with the leading 1; lower 32 bits"},
    {"infinity", "infinity as a float of this kind; lower 32 bits"},
    {"stores", "1: the atomic writes the dword; 0: the atomic reads the dword"},
    {"atomic.place.first", "lower half of the address in lane 0"},
    {"atomic.done.first", "decision on dword 0 of lane 0"},
    {"atomic.return.low", "lower half of the old value"},
    {"scalar.returned.low", "lower half of the old value"},
    {"high", "upper half of the old value"},
    {"stored", "dword that the atomic stores"},
    {"load.signed.dword", "dword that memory returned"},
    {"apart", "1: the dword may have its bytes at separate addresses; 0: the dword has consecutive bytes"},
    {"kept", "mask of the bits of the register that the load leaves"},
    {"store.placed.field", "field as it is converted"},
    {"status.first", "decision on the dword of lane 0"},
    {"status.last", "decision on the dword of lane 63"},
    {"check.product-low.stride", "stride that the check multiplies; 0 if it compares no index * stride"},
    {"check.product-high.stride", "stride that the check multiplies; 0 if it compares no index * stride"},
    {"destination.end.registers", "number of VGPRs that the result and its status take"},
    {"sgpr", "first SGPR of the group"},
    {"resource.word-sgpr.number", "number of the word"},
    {"atomic.scalar", "1: it is a scalar atomic; 0: it is a vector atomic"},
    {"mantissa_bits", "number of bits of the mantissa"},
    {"places", "number of places by which the mantissa moves right"},
    {"dropped", "number of digits that are dropped; signed; below 0: digits that are added"},
    {"digits", "digits of the number before they are rounded"},
    {"narrow.digits", "field of the float"},
    {"loaded.digits", "field of the number"},
    {"stored.digits", "single that is stored"},
    {"small.infinite.digits", "single that is converted"},
    {"small.sum.step", "number that stands for 1 in the exponent field"},
    {"small.sign.digits", "single that is converted"},
    {"small.nearest.digits", "single that is converted"},
    {"small.result.digits", "single that is converted"},
    {"converted.digits", "single that is converted"},
    {"small.sum.digits", "digits of the mantissa; rounded, with the leading 1"},
    {"small.limited.digits", "float before it is limited; without its sign"},
    {"most", "largest magnitude of the number"},
    {"loaded.magnitude.most", "largest magnitude that is positive"},
    {"loaded.least.most", "largest magnitude that is positive"},
    {"loaded.least.magnitude", "magnitude of the number"},
    {"magnitude", "magnitude of the single; its bits"},
    {"unlimited", "magnitude of the integer before it is limited; lower 32 bits"},
    {"mantissa", "mantissa of the single; with its leading 1"},
    {"narrow.exponent", "exponent field of the float"},
    {"narrow.single.mantissa", "mantissa field of the float"},
    {"sign", "sign of the float; 0x80000000 is negative"},
    {"stored.limits.exponent", "exponent of the last digit; signed"},
    {"converted.mantissa.exponent", "exponent of the last digit; signed"},
    {"small.exponent", "exponent of the single; signed"},
    {"round.shift.exponent", "exponent of the last digit; signed"},
    {"above", "1: the nearest number is the one above; 0: the nearest number is the one below"},
    {"nearest", "1: it is rounded to nearest; 0: it is rounded toward zero"},
    {"round.up.dropped", "digits that are dropped; 0 less than a half, 1 more than a half, 2 a half"},
    {"up", "1: it is rounded up; 0: it is not rounded up"},
    {"base", "exponent field before the leading 1 of the mantissa is added; lower 32 bits"},
    {"saturates", "1: large numbers become the largest float; 0: large numbers become infinity"},
    {"unsigned", "float without its sign"},
    {"below", "digits that are dropped; 0x80000000 is half of the last one"},
    {"from", "component before its conversion"},
    {"kind", "number of the atomic operation"},
    {"atomic.condition.below", "1: the old value is below the operand; 0: it is not below the operand"},
    {"signed_below",
      "1: the old value is below the operand as a signed number; 0: it is not below the operand"},
    {"equal", "1: the old value is equal to the operand; 0: it is not equal to the operand"},
    {"compared_equal",
      "1: the old value is equal to the compared operand; 0: it is not equal to the compared operand"},
    {"old_zero", "1: the old value is 0; 0: the old value is not 0"},
    {"source_zero", "1: the operand is 0; 0: the operand is not 0"},
    {"sum", "sum of the old value and the operand; this half"},
    {"difference", "difference of the old value and the operand; this half"},
    {"bits_low", "lower half of the float"},
    {"bits_high", "upper half of the float"},
    {"exponent", "biased exponent"},
    {"first_low", "lower half of the first float"},
    {"first_high", "upper half of the first float"},
    {"second_low", "lower half of the second float"},
    {"second_high", "upper half of the second float"},
    {"sum.infinite.first_low", "lower half of the float with the larger magnitude"},
    {"sum.infinite.first_high", "upper half of the float with the larger magnitude"},
    {"sum.infinite.second_low", "lower half of the float with the smaller magnitude"},
    {"sum.infinite.second_high", "upper half of the float with the smaller magnitude"},
    {"sum.undefined.first_low", "lower half of the first float after the larger one is put first"},
    {"sum.undefined.first_high", "upper half of the first float after the larger one is put first"},
    {"sum.undefined.second_low", "lower half of the second float after the larger one is put first"},
    {"sum.undefined.second_high", "upper half of the second float after the larger one is put first"},
    {"sum.subtracts.first_low", "lower half of the float with the larger magnitude"},
    {"sum.subtracts.first_high", "upper half of the float with the larger magnitude"},
    {"sum.subtracts.second_low", "lower half of the float with the smaller magnitude"},
    {"sum.subtracts.second_high", "upper half of the float with the smaller magnitude"},
    {"sum.negative.first_low", "lower half of the float with the larger magnitude"},
    {"sum.negative.first_high", "upper half of the float with the larger magnitude"},
    {"sum.negative.second_low", "lower half of the float with the smaller magnitude"},
    {"sum.negative.second_high", "upper half of the float with the smaller magnitude"},
    {"second", "1: it is the second operand; 0: it is the first operand"},
    {"pair", "word that holds the float"},
    {"upper", "1: the float is the upper half of the word; 0: the float is the lower part of the word"},
    {"larger", "biased exponent of the float with the larger magnitude"},
    {"smaller", "biased exponent of the float with the smaller magnitude"},
    {"larger_mantissa", "mantissa of the float with the larger magnitude; lower 32 bits"},
    {"smaller_mantissa", "mantissa of the float with the smaller magnitude; moved right; lower 32 bits"},
    {"digit_exponent", "biased exponent of the last digit; signed"},
    {"zeros", "number of zeros before the leading 1; of 64 digits"},
    {"above_half", "1: the dropped digits are more than a half; 0: the dropped digits are a half or less"},
    {"is_half", "1: the dropped digits are a half; 0: the dropped digits are no half"},
    {"negative", "1: the number is negative; 0: the number is not negative"},
    {"atomic.destination.dword", "number of the register from VDATA on"},
    {"select_x", "DST_SEL_X of the V#"},
    {"any_out", "1: a lane is out of range; 0: no lane is out of range"},
    {"any_violation", "1: a lane has a violation; 0: no lane has a violation"},
    {"any_missing", "1: memory of a lane is not resident; 0: memory of all lanes is resident"},
    {"any_done", "1: a lane moves the dword; 0: no lane moves the dword"},
    {"upper_half", "upper half of the address that the lane computed"},
    {"trace.address.place", "lower half of the address that the lane computed"},
    {"trace.decision.bytes", "number of bytes of a dword"},
    {"lds.value.word", "dword that memory returned"},
    {"store.dword.old", "dword in memory before; at the address rounded down"},
    {"store.register.number", "number of the VGPR"},
    {"last_decision",
      "decision on the last dword; 1 done, 2 out of range, 3 violation, 4 not resident, 5 nothing moves"},
    {"wide", "1: the atomic has 64 bits; 0: the atomic has 32 bits"},
    {"atomic.dword", "1: it is the upper half; 0: it is the lower half"},
    {"source", "operand of the atomic"},
    {"compare", "operand that is compared"},
    {"compares", "1: the atomic compares; 0: the atomic does not compare"},
    {"group", "number of registers to which SGPRs are aligned"},
    {"word0", "word 0 of the instruction"},
    {"word1", "word 1 of the instruction"},
    {"word2", "word 2 of the instruction"},
    {"word3", "word 3 of the V#"},
    {"desc.word0", "word 0 of the V#"},
    {"desc.word1", "word 1 of the V#"},
    {"desc.word2", "word 2 of the V#"},
    {"scalar.word1", "word 1 of the V#"},
    {"scalar.unit", "number of bytes that NUM_RECORDS counts"},
    {"scalar.trace-decision.bytes", "number of bytes of a dword"},
    {"vgpr.number", "number of the VGPR"},
    {"lanes_low", "set of lanes among lanes 0 to 31 that write the register"},
    {"lanes_high", "set of lanes among lanes 32 to 63 that write the register"},
    {"addresses", "number of VGPRs of address from VADDR on"},
    {"data.components", "number of components or dwords of the operation"},
    {"lds_field", "LDS"},
    {"lds_form", "1: the operation has a form that loads to LDS; 0: it has no form that loads to LDS"},
    {"odd", "1: VDATA is odd; 0: VDATA is even"},
    {"stride.bytes.field", "STRIDE of the V#"},
    {"scale", "STRIDE_SCALE"},
    {"sbase", "first SGPR of the V#"},
    {"sdata", "first SGPR of the data"},
    {"registers", "number of registers of data"},
    {"soffset_en", "1: SOFFSET_EN is set; 0: SOFFSET_EN is not set"},
    {"scalar.register.field", "SOFFSET"},
    {"step", "offset in the address; lower half"},
    {"word", "dword of memory at the address rounded down"},
    {"next", "dword of memory behind the one at the address"},
    {"reads", "1: the access reads the register; 0: the access writes the register"},
    {"sgpr.value.number", "number of the register; 126 and 127 are EXEC"},
    {"exec_low", "set of active lanes among lanes 0 to 31"},
    {"exec_high", "set of active lanes among lanes 32 to 63"},
    {"scalar.stored.old", "dword in memory before"},
    {"stride", "stride of the V#"},
    {"records", "NUM_RECORDS"},
    {"immediate", "immediate offset"},
    {"soffset", "value of SOFFSET"},
    {"sum_high", "upper half of the sum"},
    {"base_low", "lower half of BASE"},
    {"base_high", "upper half of BASE"},
    {"glc", "1: GLC is set; 0: GLC is not set"},
    {"reserved", "set of reserved bits that are 1"},
    {"scalar.fault.operand", "1: it is the fault by SOFFSET; 0: it is the fault by SBASE or SDATA"},
    {"code", "code of the operand"},
    {"fault.format.code", "code of the format"},
    {"format.code", "code of the format"},
    {"type", "TYPE of the V#; 0 a buffer"},
    {"add_tid", "1: ADD_TID_ENABLE is set; 0: ADD_TID_ENABLE is not set"},
    {"converted", "1: the format comes from the V#; 0: the format does not come from the V#"},
    {"rest", "1: another field of the V# is not 0; 0: all other fields of the V# are 0"},
    {"layout", "layout of the format's components (DFMT)"},
    {"last_register", "last VGPR that the instruction uses"},
    {"vgprs", "number of VGPRs of the wave"},
    {"offen", "1: OFFEN is set; 0: OFFEN is not set"},
    {"idxen", "1: IDXEN is set; 0: IDXEN is not set"},
    {"swizzle", "SWIZZLE_ENABLE of the V#"},
    {"data_format", "DATA_FORMAT of the V#"},
    {"raw", "1: the buffer is raw; 0: the buffer is structured"},
    {"add_lane",
      "1: the lane's number is added to the index; 0: the lane's number is not added to the index"},
    {"swizzled", "1: the buffer is swizzled; 0: the buffer is not swizzled"},
    {"element_size", "element size in bytes"},
    {"index", "index of the lane"},
    {"inst_offset", "OFFSET of the instruction"},
    {"byte", "number of the byte in its dword"},
    {"index_stride", "number of indices in a swizzled group"},
    {"place", "byte number in the buffer"},
    {"atomic", "1: it is an atomic; 0: it is no atomic"},
    {"payload", "number of bytes that the check adds to the offset"},
    {"last", "last byte that the check covers"},
    {"place_last", "last byte number in the buffer that the check covers"},
    {"limit", "number of bytes that the offset and the payload may reach"},
    {"alignment", "alignment mode; 0 DWORD, 1 DWORD_STRICT, 2 STRICT, 3 UNALIGNED"},
    {"vdata", "VDATA"},
    {"vaddr", "VADDR"},
    {"srsrc", "SRSRC"},
    {NULL, NULL},
};
/* clang-format on */

/* ---- names of codes ---- */

/* Adds a name to a list of the names that a code has in different generations or encodings. */
static void add_once(struct text *names, const char *name)
{
    const size_t length = strlen(name);
    for (const char *at = text_chars(names); (at = strstr(at, name)); at += length)
        if ((at == text_chars(names) || at[-1] == ' ') && (!at[length] || at[length] == ' '))
            return;
    text_add(names, "%s%s", names->length ? " or " : "", name);
}

static void add_operation(enum amd_generation g, uint32_t encodings, uint32_t code, struct text *names)
{
    for (unsigned encoding = 0; encoding < AMD_ENCODINGS; encoding++) {
        const struct amd_op *op =
            encodings >> encoding & 1 ? amd_op_of(g, (enum amd_encoding)encoding, code) : NULL;
        const char *name = op ? amd_op_name(g, op) : NULL;
        if (name)
            add_once(names, name);
    }
}

static void add_operand(enum amd_generation g, uint32_t code, struct text *names)
{
    struct amd_operand o;
    char name[40];
    amd_operand_of(g, code, 1, &o);
    if (o.constant)
        (void)snprintf(name, sizeof name, "the constant %s%" PRIu32, o.negative ? "-" : "", o.number);
    else if (o.name)
        (void)snprintf(name, sizeof name, "%.*s", (int)o.name_length, o.name);
    else
        (void)snprintf(name, sizeof name, "%s%" PRIu32, o.file, o.number);
    add_once(names, name);
}

void amd_name_value(const struct point *p, const char *input, uint32_t number,
                    const struct known_inputs *known, struct text *t)
{
    enum { NAMES_LENGTH = 80 };
    const bool op = input ? !strcmp(input, "op") : p == &amd_points[AMD_POINT_INSN_OP],
               operand = input ? !strcmp(input, "code") && p != &amd_points[AMD_POINT_FAULT_FORMAT] &&
                                     strncmp(p->name, "format.", 7) != 0
                               : p == &amd_points[AMD_POINT_INSN_SOFFSET] ||
                                     p == &amd_points[AMD_POINT_OPERAND_CODE];
    const bool scalar = !strncmp(p->name, "scalar.", 7);
    const uint32_t generation = point_known(p, known, "generation", AMD_GENERATIONS),
                   known_encoding = point_known(p, known, "encoding", AMD_ENCODINGS),
                   encoding = scalar ? (uint32_t)AMD_SMEM : known_encoding,
                   encodings = encoding < AMD_ENCODINGS ? UINT32_C(1) << encoding : UINT32_MAX;
    struct text names = {0};
    for (unsigned g = 0; g < AMD_GENERATIONS && (op || operand); g++) {
        if (generation < AMD_GENERATIONS && g != generation)
            continue;
        if (op)
            add_operation((enum amd_generation)g, encodings, number, &names);
        else
            add_operand((enum amd_generation)g, number, &names);
    }
    if (names.length <= NAMES_LENGTH) /* a longer list says that the code alone means nothing */
        text_add(t, "%s", text_chars(&names));
    text_free(&names);
}
