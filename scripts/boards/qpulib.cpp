// SPDX-License-Identifier: MIT
// QPULib's emulator as a board for vc4-qpu. The emulator runs instructions of QPULib's own language, so a
// case is translated into it: code that loads the registers through the TMU, the case's instructions, and
// code that stores the registers through the VPM. What the language lacks is refused.
#define EMULATION_MODE
#include "Target/Emulator.h"
#include "Target/Syntax.h"

#include "adapter.hpp"

#include <algorithm>
#include <utility>
#include <vector>

const char *const adapter_units = "vc4-qpu";
const uint32_t adapter_memory_base = 0x40000000;
// A branch is left out because the emulator has no delay slots.
extern const char *const adapter_lacks;
const char *const adapter_lacks =
    "stage qpu-number brr bra ldis ldiu acquire release varying x_coord y_coord ms_flags rev_flag quad_x "
    "quad_y "
    "vpm vr_setup vr_addr vr_busy vr_wait vw_setup vw_addr vw_busy vw_wait mutex uniforms_address tmu_noswap "
    "tmu0_s tmu0_t tmu0_r tmu0_b tmu1_s tmu1_t tmu1_r tmu1_b load_tmu0 load_tmu1 load_coverage load_colour "
    "load_colour_end load_alpha tlb_stencil_setup tlb_z tlb_colour_ms tlb_colour_all tlb_alpha_mask "
    "sfu_recip sfu_recipsqrt sfu_exp sfu_log breakpoint thread_switch last_thread_switch wait_scoreboard "
    "unlock_scoreboard v8adds v8subs v8muld v8min v8max cs cc 8a 8b 8c 8d 8dr 16a 16b 8888 32s 16as 16bs "
    "8888s "
    "8as 8bs 8cs 8ds c8888 c8a c8b c8c c8d";

enum {
    HEAP_WORDS = 65536,
    FIRST_ROW = 16, // of the emulator's heap that holds registers; the rows before it stay free
    OWN = 40,       // registers of file A from here on are the translation's own; hardware has 32
    MAX_REG = OWN + 8,
};

namespace
{

Reg reg(RegTag tag, int id)
{
    Reg r;
    r.tag = tag;
    r.regId = id;
    return r;
}

const Reg lane4 = reg(REG_A, OWN), address = reg(REG_A, OWN + 1), loaded = reg(REG_A, OWN + 2),
          uniform = reg(REG_A, OWN + 3), of_mul = reg(REG_A, OWN + 4), of_add = reg(REG_A, OWN + 5),
          flag_z = reg(REG_A, OWN + 6), flag_n = reg(REG_A, OWN + 7), nowhere = reg(NONE, 0);

AssignCond when(AssignCondTag tag, Flag flag = ZS)
{
    AssignCond c;
    c.tag = tag;
    c.flag = flag;
    return c;
}

RegOrImm from(Reg r)
{
    RegOrImm x;
    x.tag = REG;
    x.reg = r;
    return x;
}

RegOrImm small_immediate(int value)
{
    RegOrImm x;
    x.tag = IMM;
    x.smallImm.tag = SMALL_IMM;
    x.smallImm.val = value;
    return x;
}

// The instructions that a translation makes.
struct Code {
    std::vector<Instr> list;

    void alu(bool flags, AssignCond cond, Reg to, RegOrImm a, ALUOp op, RegOrImm b)
    {
        Instr i;
        i.tag = ALU;
        i.ALU.setFlags = flags;
        i.ALU.cond = cond;
        i.ALU.dest = to;
        i.ALU.srcA = a;
        i.ALU.op = op;
        i.ALU.srcB = b;
        list.push_back(i);
    }
    void move(Reg to, Reg what, bool flags = false, AssignCond cond = when(ALWAYS))
    {
        alu(flags, cond, to, from(what), A_BOR, from(what));
    }
    void immediate(ImmTag kind, bool flags, AssignCond cond, Reg to, int value)
    {
        Instr i;
        i.tag = LI;
        i.LI.setFlags = flags;
        i.LI.cond = cond;
        i.LI.dest = to;
        i.LI.imm.tag = kind;
        i.LI.imm.intVal = value;
        list.push_back(i);
    }
    void set(Reg to, int value, AssignCond cond = when(ALWAYS))
    {
        immediate(IMM_INT32, false, cond, to, value);
    }
    // Loads and stores one row of the heap.
    void load(Reg to, int row)
    {
        Instr i;
        set(address, 64 * row);
        alu(false, when(ALWAYS), address, from(address), A_ADD, from(lane4));
        move(reg(SPECIAL, SPECIAL_TMU0_S), address);
        i.tag = RECV;
        i.RECV.dest = to;
        list.push_back(i);
    }
    void store(Reg what, int row)
    {
        Instr i;
        i.tag = ST1;
        i.ST1.data = what;
        i.ST1.buffer = A;
        list.push_back(i);
        set(address, 64 * row);
        i.tag = ST2;
        i.ST2.addr = address;
        i.ST2.buffer = A;
        list.push_back(i);
        i.tag = ST3;
        list.push_back(i);
    }
};

uint32_t bits(uint64_t word, int first, int count)
{
    return word >> first & ((1u << count) - 1);
}

// One case's instructions in QPULib's language.
struct Translation {
    Code code;
    std::vector<std::pair<int, int>> used; // registers of the program, as tag and number
    size_t uniforms = 0;                   // words of the stream that it reads
    int semaphore[16] = {};
    bool hangs = false; // at a semaphore

    Reg use(Reg r)
    {
        std::pair<int, int> key(r.tag, r.regId);
        if (std::find(used.begin(), used.end(), key) == used.end())
            used.push_back(key);
        return r;
    }
    Reg destination(uint32_t waddr, bool file_b)
    {
        if (waddr < 32)
            return use(reg(file_b ? REG_B : REG_A, waddr));
        if (waddr < 36 || waddr == 37)
            return use(reg(ACC, waddr - 32));
        if (waddr == 38)
            return reg(SPECIAL, SPECIAL_HOST_INT);
        if (waddr == 39)
            return nowhere;
        throw adapter::refused("a write of a register that the translation leaves out");
    }
    RegOrImm source(uint32_t mux, uint32_t raddr_a, uint32_t raddr_b, bool small)
    {
        if (mux < 6)
            return from(use(reg(ACC, mux)));
        if (mux == 7 && small)
            return small_immediate(raddr_b);
        uint32_t raddr = mux == 6 ? raddr_a : raddr_b;
        if (raddr < 32)
            return from(use(reg(mux == 6 ? REG_A : REG_B, raddr)));
        if (raddr == 32)
            return from(uniform);
        if (raddr == 38)
            return from(reg(SPECIAL, mux == 6 ? SPECIAL_ELEM_NUM : SPECIAL_QPU_NUM));
        if (raddr == 39)
            return from(nowhere);
        throw adapter::refused("a read of a register that the translation leaves out");
    }
    static AssignCond condition(uint32_t cond)
    {
        if (cond > 5)
            throw adapter::refused("a condition of C: QPULib has no carry");
        return cond == 0 ? when(NEVER) : cond == 1 ? when(ALWAYS) : when(FLAG, (Flag)(cond - 2));
    }
    static ALUOp add_operation(uint32_t op)
    {
        static const ALUOp ops[32] = {NOP,    A_FADD, A_FSUB, A_FMIN, A_FMAX, A_FMINABS, A_FMAXABS,
                                      A_FtoI, A_ItoF, NOP,    NOP,    NOP,    A_ADD,     A_SUB,
                                      A_SHR,  A_ASR,  A_ROR,  A_SHL,  A_MIN,  A_MAX,     A_BAND,
                                      A_BOR,  A_BXOR, A_BNOT, A_CLZ};
        if (ops[op] == NOP)
            throw adapter::refused("an ADD operation that QPULib's emulator lacks");
        return ops[op];
    }
    void load_immediate(uint64_t w);
    void semaphore_access(uint32_t word, bool has_result);
    void operate(uint64_t w, bool small);
    void instruction(uint64_t w);
};

void Translation::semaphore_access(uint32_t word, bool has_result)
{
    if (has_result)
        throw adapter::refused("a semaphore access with a result: QPULib has none");
    int n = word & 15;
    bool down = word & 16;
    hangs = down ? semaphore[n] == 0 : semaphore[n] == 15;
    if (hangs) // the emulator would wait for ever
        return;
    semaphore[n] += down ? -1 : 1;
    Instr i;
    i.tag = down ? SDEC : SINC;
    i.semaId = n;
    code.list.push_back(i);
}

void Translation::load_immediate(uint64_t w)
{
    uint32_t mode = bits(w, 57, 3), word = (uint32_t)w, waddr_add = bits(w, 38, 6),
             waddr_mul = bits(w, 32, 6);
    bool flags = bits(w, 45, 1), swap = bits(w, 44, 1);
    if (mode == 4)
        return semaphore_access(word, waddr_add != 39 || waddr_mul != 39 || flags);
    if (mode != 0 && (mode != 3 || word >> 16))
        throw adapter::refused("a load immediate that QPULib lacks");
    if (flags && !bits(w, 49, 3))
        throw adapter::refused("flags of a load immediate by the MUL pipe: QPULib has one pipe");
    ImmTag kind = mode ? IMM_MASK : IMM_INT32;
    if (waddr_mul != 39)
        code.immediate(kind, false, condition(bits(w, 46, 3)), destination(waddr_mul, !swap), word);
    code.immediate(kind, flags, condition(bits(w, 49, 3)), destination(waddr_add, swap), word);
}

// Both pipes read before either writes, so a pair of operations goes through registers of its own.
void Translation::operate(uint64_t w, bool small)
{
    uint32_t op_add = bits(w, 24, 5), op_mul = bits(w, 29, 3), raddr_a = bits(w, 18, 6),
             raddr_b = bits(w, 12, 6);
    bool flags = bits(w, 45, 1), swap = bits(w, 44, 1), rotates = small && raddr_b >= 48;
    if (raddr_a == 32 || (!small && raddr_b == 32)) {
        uniforms++;
        code.move(uniform, reg(SPECIAL, SPECIAL_UNIFORM));
    }
    RegOrImm a, b, c, d;
    ALUOp add = NOP, mul = NOP;
    if (op_add) {
        a = source(bits(w, 9, 3), raddr_a, raddr_b, small);
        b = source(bits(w, 6, 3), raddr_a, raddr_b, small);
        if (rotates && (bits(w, 9, 3) == 7 || bits(w, 6, 3) == 7))
            throw adapter::refused("a rotation's amount as an operand");
        add = add_operation(op_add);
    }
    if (op_mul) {
        c = source(bits(w, 3, 3), raddr_a, raddr_b, small);
        d = source(bits(w, 0, 3), raddr_a, raddr_b, small);
        bool moves = (op_mul == 4 || op_mul == 5) && c.tag == REG && d.tag == REG && c.reg == d.reg;
        if (op_mul > 2 && !moves)
            throw adapter::refused("a MUL operation that QPULib's emulator lacks");
        mul = op_mul == 1 ? M_FMUL : op_mul == 2 ? M_MUL24 : A_BOR;
        if (rotates && (!moves || raddr_b == 48 || c.reg.tag != ACC))
            throw adapter::refused("a rotation other than of a moved accumulator by a number");
        if (rotates) {
            mul = M_ROTATE;
            d = small_immediate(raddr_b - 48);
        }
    }
    AssignCond cond_add = condition(bits(w, 49, 3)), cond_mul = condition(bits(w, 46, 3));
    Reg to_add = op_add ? destination(bits(w, 38, 6), swap) : nowhere,
        to_mul = op_mul ? destination(bits(w, 32, 6), !swap) : nowhere;
    if (op_add && op_mul) {
        code.alu(false, when(ALWAYS), of_mul, c, mul, d);
        code.alu(false, when(ALWAYS), of_add, a, add, b);
        code.move(to_mul, of_mul, false, cond_mul);
        code.move(to_add, of_add, flags, cond_add);
    } else if (op_add) {
        code.alu(flags, cond_add, to_add, a, add, b);
    } else if (op_mul) {
        code.alu(flags, cond_mul, to_mul, c, mul, d);
    }
}

void Translation::instruction(uint64_t w)
{
    uint32_t signal = w >> 60;
    if (bits(w, 52, 4))
        throw adapter::refused("pack: QPULib has none");
    if (signal == 14)
        return load_immediate(w);
    if (signal == 15)
        throw adapter::refused("a branch: QPULib's emulator has no delay slots");
    if (signal != 1 && signal != 3 && signal != 13)
        throw adapter::refused("a signal that QPULib lacks");
    if (bits(w, 57, 3))
        throw adapter::refused("unpack: QPULib has none");
    operate(w, signal == 13);
}

Translation translate(const adapter::run &r)
{
    const uint32_t *program = r.field("program");
    uint32_t count = program[0], ends = 0;
    Translation t;
    for (uint32_t i = 0; i < count && !t.hangs; i++) {
        uint64_t w = program[1 + 2 * i] | (uint64_t)program[2 + 2 * i] << 32;
        ends += w >> 60 == 3;
        if ((w >> 60 == 3) != (i + 3 == count))
            throw adapter::refused("a program end elsewhere than third last: QPULib has no delay slots");
        t.instruction(w);
    }
    if (!ends && !t.hangs)
        throw adapter::refused("a program without end");
    if (t.uniforms > r.field("uniforms")[0])
        throw adapter::refused("a uniform after the last one: QPULib ends the process");
    return t;
}

uint32_t *row_of(const adapter::run &r, std::pair<int, int> of)
{
    return r.region(of.first == REG_A ? "ra" : of.first == REG_B ? "rb" : "acc") + 16 * of.second;
}

void check_state(const adapter::run &r)
{
    const uint32_t *flags = r.region("flags");
    if (r.field("stage")[0])
        throw adapter::refused("not a user program");
    if (r.field("qpu-number")[0])
        throw adapter::refused("a QPU other than 0: the emulator counts its QPUs from 0");
    for (int i = 0; i < 16; i++)
        if (flags[i] & flags[16 + i] & 1)
            throw adapter::refused("Z and N of one element set: no result does that");
}

// Runs the code between loads and stores of the registers. Returns the heap's row after the loaded ones.
int emulate_between(const adapter::run &r, const Translation &t)
{
    const uint32_t *flags = r.region("flags"), *given = r.field("uniforms");
    Code all;
    int row = FIRST_ROW;
    all.move(nowhere, reg(SPECIAL, SPECIAL_UNIFORM)); // the QPU's number
    all.move(nowhere, reg(SPECIAL, SPECIAL_UNIFORM)); // the number of QPUs
    all.move(lane4, reg(SPECIAL, SPECIAL_ELEM_NUM));
    all.alu(false, when(ALWAYS), lane4, from(lane4), A_SHL, small_immediate(2));
    for (std::pair<int, int> of : t.used) {
        memcpy(emuHeap + 16 * row, row_of(r, of), 64);
        all.load(reg((RegTag)of.first, of.second), row++);
    }
    for (int i = 0; i < 16; i++) // a result that has these flags
        emuHeap[16 * row + i] = flags[i] & 1 ? 0 : flags[16 + i] & 1 ? -1 : 1;
    all.load(loaded, row++);
    all.move(nowhere, loaded, true);
    all.list.insert(all.list.end(), t.code.list.begin(), t.code.list.end());
    all.set(flag_z, 0);
    all.set(flag_z, 1, when(FLAG, ZS));
    all.set(flag_n, 0);
    all.set(flag_n, 1, when(FLAG, NS));
    int first = row;
    for (std::pair<int, int> of : t.used)
        all.store(reg((RegTag)of.first, of.second), row++);
    all.store(flag_z, row++);
    all.store(flag_n, row++);
    Instr end;
    end.tag = END;
    all.list.push_back(end);
    Seq<Instr> program(all.list.size() + 1);
    Seq<int32_t> stream(given[0] + 1);
    Seq<char> output;
    for (const Instr &i : all.list)
        program.append(i);
    for (uint32_t i = 0; i < given[0]; i++)
        stream.append(given[2 + 2 * i] + (given[1 + 2 * i] & 1 ? adapter_memory_base : 0));
    emulate(1, &program, MAX_REG, &stream, &output);
    return first;
}

} // namespace

void adapter_run(adapter::run &r)
{
    static int32_t heap[HEAP_WORDS];
    emuHeap = heap;
    emuHeapEnd = HEAP_WORDS;
    check_state(r);
    Translation t = translate(r);
    if (t.hangs)
        return r.end(MISPRINT_HANG, 3);
    int row = emulate_between(r, t);
    for (std::pair<int, int> of : t.used)
        memcpy(row_of(r, of), heap + 16 * row++, 64);
    memcpy(r.region("flags"), heap + 16 * row, 64 * 2);
    for (uint32_t i = 0; i < 16; i++) { // C, the semaphores, the interrupt and the mutex
        r.unknown(r.row("flags") + 2, i, ~0u);
        r.unknown(r.row("semaphores"), i, ~0u);
        if (i < 2)
            r.unknown(r.row("sync"), i, ~0u);
    }
}

ADAPTER_BOARD("QPULib's emulator of its own QPU language, through a translation; no silicon",
              "github.com/mn416/QPULib: " ADAPTER_PROVENANCE);
