/* SPDX-License-Identifier: MIT */
#include "model/vc4/qpu/step/qpu_points.h"

#include "model/rule/rules.h"
#include "model/text/text.h"
#include "model/vc4/qpu/alu/qpu_alu.h"
#include "model/vc4/qpu/encoding/qpu_insn.h"
#include "model/vc4/tmu/tmu_point_notes.h"

#include <stddef.h>
#include <string.h>

#define ROW(index, name_, width_, lanes_, about_, where_, ...)                                               \
    [index] = {.name = (name_),                                                                              \
               .about = about_,                                                                              \
               .where = "VideoCoreIV-AG100-R " where_,                                                       \
               .width = (width_),                                                                            \
               .lanes = (lanes_),                                                                            \
               .input = {__VA_ARGS__}},
#define QPU_ROW(number, ...)       ROW(QPU_POINT_##number, __VA_ARGS__)
#define VPM_ROW(number, name, ...) ROW(QPU_POINTS_OF_VPM + VPM_POINT_##number, "vpm." name, __VA_ARGS__)
#define TMU_ROW(number, name, ...) ROW(QPU_POINTS_OF_TMU + TMU_POINT_##number, "tmu." name, __VA_ARGS__)

const struct point qpu_points[QPU_POINTS_ALL] = {QPU_POINTS(QPU_ROW) VPM_POINTS(VPM_ROW) TMU_POINTS(TMU_ROW)};

/* clang-format off */
const struct input_note qpu_input_notes[] = {
    {"op", "opcode of the ADD ALU (p35 T12) or the MUL ALU (p36 T13)"},
    {"op_add", "opcode of the ADD ALU (p35 T12)"},
    {"op_mul", "opcode of the MUL ALU (p36 T13)"},
    {"pipe", "1: it is the MUL ALU; 0: it is the ADD ALU"},
    {"sig", "signal of the instruction (p29 T4)"},
    {"cond", "condition of the write (p28 T2)"},
    {"branch.cond", "condition of the branch (p34)"},
    {"cond_add", "condition of the ADD ALU's write (p28 T2)"},
    {"cond_mul", "condition of the MUL ALU's write (p28 T2)"},
    {"cond_br", "condition of the branch (p34)"},
    {"sf", "1: the instruction sets flags; 0: the instruction does not set flags"},
    {"ws", "1: the ADD ALU writes file B; 0: the ADD ALU writes file A"},
    {"pm", "1: the field pm is 1; 0: the field pm is 0"},
    {"truncated", "packed value with a colour rounded toward zero"},
    {"pack", "pack mode (p31 T7)"},
    {"unpack", "unpack mode (p31)"},
    {"mode", "mode of the pack or unpack"},
    {"load.mode", "kind of the load immediate"},
    {"insn.class.mode", "number in bits 59 to 57; the unpack mode or the kind of a load immediate"},
    {"write.file.class",
      "class of the instruction; 0 and 1 ALU, 2 to 4 load immediate, 5 semaphore, 6 branch"},
    {"load.bit.half",
      "1: the element takes a bit of the high half; 0: the element takes a bit of the low half"},
    {"load.bit.kind", "kind of the load immediate; 3 signed numbers, 4 unsigned numbers"},
    {"add_reads", "1: the ADD ALU reads the operand; 0: the ADD ALU does not read the operand"},
    {"mul_reads", "1: the MUL ALU reads the operand; 0: the MUL ALU does not read the operand"},
    {"small", "1: the instruction has a small immediate; 0: the instruction has no small immediate"},
    {"rotated", "number of elements that the result rotates by; 0 without a rotation"},
    {"shift.amount.word", "operand B"},
    {"overflow.factor.word", "operand with all 32 bits"},
    {"overflow.factor.other", "other operand"},
    {"flags.value.other", "result of the other ALU; 0 if the other ALU writes nothing"},
    {"flags.old", "flag of the element before"},
    {"field", "packed value before it goes to its place"},
    {"factor", "factor that repeats the packed value in the word"},
    {"keeps", "set of bits of the destination that the pack keeps"},
    {"kept", "part of the destination's word that the pack keeps"},
    {"pack.result.word", "packed value in its place"},
    {"integer", "integer before it is clamped; a float is converted to an integer"},
    {"least", "least number of the range"},
    {"most", "greatest number of the range"},
    {"occurs", "1: the exact result does not fit in the word; 0: the exact result fits in the word"},
    {"differ", "set of pairs of numbers whose signs differ"},
    {"pair",
      "number of the pair; 0 operand A with the result (add) or with operand B (sub), 1 the result with "
      "operand B (add) or with operand A (sub)"},
    {"first", "1: the first number is negative; 0: the first number is not negative"},
    {"second", "1: the second number is negative; 0: the second number is not negative"},
    {"mask", "set of bits of the destination that the pack writes"},
    {"pack.word.place", "place of the packed value; the number of its lowest bit"},
    {"r5.byte.word", "word whose byte is taken"},
    {"varying", "1: it is a varying; 0: it is a loaded word"},
    {"access",
      "kind of the access; 0 operand, 1 write, 2 varying, 3 link address, 4 amount of a rotation"},
    {"io.write", "1: the access is a write; 0: the access is a read"},
    {"io.word", "word of the element"},
    {"stage", "kind of the program; 0 user, 1 coordinate shader, 2 vertex shader, 3 fragment shader"},
    {"wait.waits.acts", "1: the semaphore is to change; 0: the semaphore is not to change"},
    {"step", "number of words that the stream advances by"},
    {"varying.value.c", "part of the varying that arrives in r5"},
    {"varying.c.part", "part of the varying that the read gives"},
    {"holds", "set of elements in which the condition holds"},
    {"target", "address that the branch goes to"},
    {"odd", "number of bytes that the address is beyond a whole instruction"},
    {"tile.reached.write", "1: the access is a write; 0: the access is a load"},
    {"sample", "number of the sample"},
    {"flags", "set of samples in MS_FLAGS"},
    {"sides", "set of sides that the setup is for; bit 0 front, bit 1 back"},
    {"side", "1: it is the back; 0: it is the front"},
    {"setup", "stencil setup of the side"},
    {"stencil.word", "word that is written"},
    {"stencil.stored.value", "new stencil value before the mask"},
    {"stencil_passes", "1: the pixel passes the stencil test; 0: the pixel fails the stencil test"},
    {"z_passes", "1: the pixel passes the test of its Z; 0: the pixel fails the test of its Z"},
    {"passes", "1: the pixel passes its tests; 0: the pixel fails its tests"},
    {"writable", "set of stencil bits that change"},
    {"pixel.old", "Z in the tile buffer"},
    {"pixel.before", "set of samples in MS_FLAGS before"},
    {"flag", "number of the flag; 0 Z, 1 N, 2 C"},
    {"start.flag.z", "flag Z of the element"},
    {"start.flag.n", "flag N of the element"},
    {"start.flag.c", "flag C of the element"},
    {"end.flag.z", "flag Z of the element"},
    {"end.flag.n", "flag N of the element"},
    {"end.flag.c", "flag C of the element"},
    {"end.flag.before", "flag of the element before the first instruction"},
    {"reason", "number of the reason of the end; 0 the program end"},
    {"end.interrupt.mutex", "1: the mutex is held; 0: the mutex is not held"},
    {"end.mutex.interrupt", "1: the host interrupt is raised; 0: the host interrupt is not raised"},
    {"samples", "set of samples in MS_FLAGS"},
    {"reversed", "1: REV_FLAG is set; 0: REV_FLAG is not set"},
    {"link", "1: a branch writes its link address; 0: a pipe writes its result"},
    {"file", "1: it is register file B; 0: it is register file A"},
    {"load.value.low", "bit of the element in the low half of the immediate"},
    {"load.value.high", "bit of the element in the high half of the immediate"},
    {"load.value.kind",
      "kind of the load immediate; 2 a word, 3 signed numbers, 4 unsigned numbers, 5 a semaphore"},
    {"x", "byte of operand A"},
    {"y", "byte of operand B"},
    {"product", "product of the bytes of both operands"},
    {"high_product", "product of the byte of operand A and the highest byte of operand B"},
    {"byte", "number of the byte"},
    {"moves", "1: the operand moves from quad to quad; 0: the operand stays in its quads"},
    {"write.element.z", "flag Z of the element"},
    {"write.element.n", "flag N of the element"},
    {"write.element.c", "flag C of the element"},
    {"joins", "1: four bytes become a word; 0: a word stays one"},
    {"executed", "number of instructions executed before; 3 or more"},
    {"early",
      "1: an early signal waits for the scoreboard; 0: no early signal waits for the scoreboard"},
    {"ending", "1: the instruction is the last one; 0: the instruction is not the last one"},
    {"used", "1: an operand uses the read; 0: no operand uses the read"},
    {"other", "address that is read in the other file"},
    {"insn.other", "other operand of the ALU"},
    {"operand.other", "other operand"},
    {"mul24.other", "other operand"},
    {"acts", "1: a read of the address has an effect; 0: a read of the address has no effect"},
    {"other_read", "1: file A is read; 0: file A is not read"},
    {"operands", "number of operands of the operation"},
    {"code", "code of the small immediate"},
    {"from_r4", "1: the operand is from r4; 0: the operand is from regfile A"},
    {"float", "1: the operation has a float result; 0: the operation has an integer result"},
    {"unpack.float", "1: regfile A is unpacked to floats; 0: regfile A is unpacked to integers"},
    {"read.pending",
      "1: the instruction before wrote the register; 0: the instruction before did not write the "
      "register"},
    {"branch.part.pending",
      "1: the instruction before wrote the register; 0: the instruction before did not write the "
      "register"},
    {"uniform.memory-word.offset", "number of bytes from the start of the memory"},
    {"both_a", "set of registers of file A that are read and that the instruction before writes"},
    {"both_b", "set of registers of file B that are read and that the instruction before writes"},
    {"last_sets", "1: the last instruction sets flags; 0: the last instruction sets no flags"},
    {"branch.flag.flag", "number of the flag; 0 Z, 1 N, 2 C"},
    {"branch.flag.link", "link address"},
    {"other_pending",
      "1: the instruction before wrote this number in the other file; 0: the instruction before did not "
      "write this number in the other file"},
    {"access.write", "1: the access is a write; 0: the access is a read"},
    {"access.done.ending",
      "1: the program end instruction has come; 0: the program end instruction has not come"},
    {"fragment", "1: the program is a fragment shader; 0: the program is no fragment shader"},
    {"part", "byte or half that is unpacked"},
    {"a", "operand A"},
    {"b", "operand B"},
    {"port", "1: it is operand B; 0: it is operand A"},
    {"mux", "selector of the operand; 0 to 5 accumulators, 6 file A, 7 file B"},
    {"mux_a", "selector of operand A; 0 to 5 accumulators, 6 file A, 7 file B"},
    {"mux_b", "selector of operand B; 0 to 5 accumulators, 6 file A, 7 file B"},
    {"kind", "kind of the operand's place"},
    {"class", "class of the float; 0 zero, 1 denormal, 2 normal, 3 infinite, 4 NaN"},
    {"class_a", "class of operand A; 0 zero, 1 denormal, 2 normal, 3 infinite, 4 NaN"},
    {"class_b", "class of operand B; 0 zero, 1 denormal, 2 normal, 3 infinite, 4 NaN"},
    {"class_of_operand", "class of the operand; 0 zero, 1 denormal, 2 normal, 3 infinite, 4 NaN"},
    {"exponent", "exponent of the float; bits 30:23"},
    {"greater",
      "1: operand A is compared as the greater one; 0: operand A is not compared as the greater one"},
    {"picked", "operand that fminabs or fmaxabs picks with its sign; of other operations, the result"},
    {"beyond", "part of the exact result that does not fit in the word; its lowest bit is in bit 0"},
    {"result", "result of the operation"},
    {"r5", "word in element 0 of r5"},
    {"amount", "number of elements that the result rotates by"},
    {"before", "word before the change"},
    {"rotate.before", "result of the MUL ALU before its rotation"},
    {"in_quads",
      "1: the MUL result rotates inside its quads; 0: the MUL result rotates over all elements"},
    {"z", "set of elements with flag Z"},
    {"n", "set of elements with flag N"},
    {"c", "set of elements with flag C"},
    {"tile.z", "Z of the pixel"},
    {"overflow", "kind of overflow; 1 of add or sub, 2 of others, 4 below the range"},
    {"old", "word in the register before"},
    {"tile.old", "Z in the tile buffer"},
    {"stencil.old", "stencil value in the tile buffer"},
    {"lanes", "set of elements that are written"},
    {"packed", "result after its pack"},
    {"enable", "set of elements that are written"},
    {"function", "number of the function"},
    {"operand", "operand of the function"},
    {"negative", "1: the sign is set; 0: the sign is not set"},
    {"root", "1: the function has no value for a negative number; 0: the function has one"},
    {"magnitude", "absolute value of the operand; its bits without the sign"},
    {"computed", "1: the result is computed; 0: the result is a constant"},
    {"sfu", "1: the word is of the SFU; 0: the word is of a load"},
    {"element", "number of the element"},
    {"mutex.write", "1: the access is a write; 0: the access is a read"},
    {"tile.write", "1: the access is a write; 0: the access is a colour load"},
    {"mutex", "1: the instruction reads the mutex; 0: the instruction accesses a semaphore"},
    {"count", "count of the semaphore"},
    {"varying.count", "number of varyings"},
    {"number", "number of the semaphore"},
    {"varying.number", "number of the varying"},
    {"branch.number", "number of the register"},
    {"in_memory", "1: the stream of uniforms is in memory; 0: the stream of uniforms is the list"},
    {"for_tmu", "1: the TMU takes the uniform; 0: an operand takes the uniform"},
    {"both", "1: both files read the uniform; 0: one file reads the uniform"},
    {"place", "number of the uniform or its address"},
    {"distance", "number of instructions since the branch before"},
    {"address", "address of the register"},
    {"branch.address", "address of the branch"},
    {"taken", "1: the branch is taken; 0: the branch is not taken"},
    {"two_threads", "1: the program has two threads; 0: the program has one thread"},
    {"which", "set of samples that the write is for"},
    {"reference", "reference value of the stencil test"},
    {"operation", "number of the stencil operation"},
    {"sa", "1: the semaphore is decremented; 0: the semaphore is incremented"},
    {"rel", "1: the target is relative; 0: the target is absolute"},
    {"reg", "1: a register is added to the target; 0: no register is added to the target"},
    {"waddr_add", "write address of the ADD ALU"},
    {"waddr_mul", "write address of the MUL ALU"},
    {"raddr_a", "read address of file A"},
    {"raddr_b", "read address of file B"},
    {"immediate", "immediate of the instruction"},
    {"semaphore.word", "immediate of the instruction"},
    {"moved", "word after a shift that moves the part to its lowest bits"},
    {"r5.part.taken", "byte that becomes a part of a word of r5"},
    {"r5.part.place", "place of the byte; the number of its lowest bit"},
    {"quad", "coordinate of the element's quad"},
    {"coordinate.value.place", "place of the element in its quad on the axis"},
    {"uniform.count", "number of words in the list"},
    {"tile.sample.count", "number of colour loads or writes of one sample before; it wraps at 256"},
    {"tmu.takes.number", "number of the TMU"},
    {"tmu.takes.address", "write address"},
    {"tmu.number.address", "write address; 0 of a load"},
    {"enabled", "1: the condition of the element holds; 0: the condition of the element does not hold"},
    {"tile.alpha.word", "word that the element writes"},
    {"tile.compared.word", "number before its mask"},
    {"tile.compared.mask", "set of bits that the test compares"},
    {"stored", "1: the number is from the tile buffer; 0: the number is from the program"},
    {"stencil", "1: it is the stencil test; 0: it is the test of Z"},
    {"tile.holds.new", "number from the program"},
    {"tile.holds.old", "number from the tile buffer"},
    {"stencil.side.reversed", "1: REV_FLAG of the element is set; 0: REV_FLAG of the element is not set"},
    {"stencil.side.differ",
      "1: the setups of both sides differ; 0: the setups of both sides are the same"},
    {"unpack.word", "operand before it is unpacked"},
    {"mul24.word", "operand with all 32 bits"},
    {"r5.word", "word that the ALU writes"},
    {"interrupt.word", "word that is written"},
    {"mutex.word", "word that is written"},
    {"tmu.no-swap.word", "word that is written to TMU_NOSWAP"},
    {"uniform.word", "word that is written to UNIFORMS_ADDRESS"},
    {"tile.word", "word that is written"},
    {"semaphore.before", "count of the semaphore before"},
    {"tmu.no-swap.before", "1: TMU_NOSWAP was set before; 0: TMU_NOSWAP was not set before"},
    {"tmu.number.named", "1: the instruction names TMU 1; 0: the instruction names TMU 0"},
    {"tmu.number.no_swap", "1: TMU_NOSWAP is set; 0: TMU_NOSWAP is not set"},
    {"tmu.number.qpu", "number of the QPU"},
    {"branch.part", "register's word that is added"},
    VPM_INPUT_NOTES("vpm.")
    TMU_INPUT_NOTES("tmu.")
    {NULL, NULL},
};
/* clang-format on */

_Static_assert((int)QPU_POINTS_ALL <= (int)POINTS_MAX, "struct rules has a bit for each point");

/* Returns entry `number` of a list that ends with NULL, or NULL. */
static const char *entry(const char *const *names, uint32_t number)
{
    uint32_t count = 0;
    while (names[count] && count < number)
        count++;
    return names[count];
}

/* Returns the name of an opcode: of the ADD ALU, or of the MUL ALU. NULL if there is none. */
static const char *opcode(bool mul, uint32_t number)
{
    return number >= (mul ? 8 : 32) ? NULL : mul ? alu_mul_ops[number].name : alu_add_ops[number].name;
}

void qpu_name_value(const struct point *p, const char *input, uint32_t number,
                    const struct known_inputs *known, struct text *t)
{
    static const uint32_t unknown = 2;
    const char *what = input ? input : !strncmp(p->name, "insn.", 5) ? p->name + 5 : "", *name = NULL;
    uint32_t pipe = point_known(p, known, "pipe", unknown);
    if (!strncmp(p->name, "mul.", 4) || !strncmp(p->name, "rotate.", 7) || !strncmp(p->name, "insn.mul_", 9))
        pipe = 1;
    else if (!strncmp(p->name, "add.", 4) || !strncmp(p->name, "insn.add_", 9))
        pipe = 0;
    if (!strcmp(what, "op_add") || !strcmp(what, "op_mul") || (!strcmp(what, "op") && pipe != unknown))
        name = opcode(what[2] ? what[3] == 'm' : pipe == 1, number);
    else if (!strcmp(what, "sig"))
        name = entry(qpu_signal_names, number);
    else if (!strcmp(what, "cond_br") || p == &qpu_points[QPU_POINT_BRANCH_COND])
        name = entry(qpu_branch_cond_names, number);
    else if (!strcmp(what, "cond_add") || !strcmp(what, "cond_mul") ||
             (!strcmp(what, "cond") && strncmp(p->name, "branch.", 7) != 0))
        name = entry(qpu_cond_names, number);
    text_add(t, "%s", name ? name : "");
}
