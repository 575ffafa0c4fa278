// SPDX-License-Identifier: MIT
// VC4C's emulator as a board for vc4-vpm and vc4-qpu. It reaches private fields, and what only the emulator's
// source file has through vc4c-clock.hpp.
#define CPPLOG_NAMESPACE logging // as VC4C names the library's namespace
#define logging cpplog
#include <algorithm>
#include <array>
#include <atomic>
#include <bitset>
#include <cmath>
#include <condition_variable>
#include <cstdint>
#include <cstring>
#include <deque>
#include <fstream>
#include <functional>
#include <future>
#include <iomanip>
#include <iostream>
#include <limits>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <queue>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <unordered_map>
#include <unordered_set>
#include <vector>
#define private public
#define protected public
#include "tools/Emulator.h"
#include "asm/Instruction.h"
#include "logger.h"
#undef private
#undef protected

#include "adapter.hpp"

using namespace vc4c;
using namespace vc4c::tools;

EmulationClock *misprint_new_clock();
void misprint_free_clock(EmulationClock *clock);
void misprint_tick(EmulationClock &clock);
uint8_t misprint_register_index(Register reg);

// The emulator's clock, whose class the headers only declare.
struct Clock {
    EmulationClock *c = misprint_new_clock();
    Clock() = default;
    Clock(const Clock &) = delete;
    ~Clock() { misprint_free_clock(c); }
    operator EmulationClock &() { return *c; }
    void tick() { misprint_tick(*c); }
};

enum { BYTES = 16384, BASE = 0x40000000, UNIFORMS = 0x50000000, CYCLES = 400000, STILL = 400 };
const char *const adapter_units = "vc4-vpm vc4-qpu";
const uint32_t adapter_memory_base = BASE;
using Bytes = std::vector<uint8_t>;

static SIMDVector vector_of(const uint32_t *w)
{
    SIMDVector v;
    for (int i = 0; i < 16; i++)
        v[i] = Literal(w[i]);
    return v;
}
// Elements that the emulator calls undefined are not known.
static void take(adapter::run &r, uint32_t row, const SIMDVector &v)
{
    for (uint32_t i = 0; i < 16; i++)
        if (v[i].isUndefined())
            r.unknown(row, i, ~0u);
        else
            r.out.value[row * 16 + i] = v[i].unsignedInt();
}

// The emulator's DMA can write past the end of its VPM. The bytes after it show that.
struct Guarded {
    VPM vpm;
    std::array<uint8_t, 4096> after;
    Guarded(EmulationClock &c, Memory &m) : vpm(c, m) { after.fill(0xA5); }
    void load(const uint32_t *rows)
    {
        for (int i = 0; i < 64 * 16; i++)
            vpm.cache[i / 16][i % 16] = rows[i];
    }
    void store(uint32_t *rows)
    {
        for (int i = 0; i < 64 * 16; i++)
            rows[i] = vpm.cache[i / 16][i % 16];
    }
    void check() const
    {
        for (uint8_t b : after)
            if (b != 0xA5)
                throw adapter::refused("the emulator wrote past the end of its VPM");
    }
};

static Bytes memory_of(const adapter::run &r)
{
    const uint8_t *first = reinterpret_cast<const uint8_t *>(r.region("memory"));
    return Bytes(first, first + BYTES);
}

static void access(adapter::run &r, VPM &vpm, Clock &clock, const uint32_t *op, uint32_t &reads)
{
    uint32_t data[16], operand = op[0];
    switch (op[1] & 15) {
    case 0:
        for (uint32_t i = 0; i < operand && i < 1000; i++)
            clock.tick();
        break;
    case 1: vpm.setWriteSetup(SIMDVector(Literal(operand))); break;
    case 2: vpm.setReadSetup(SIMDVector(Literal(operand))); break;
    case 3:
        if (op[1] >> 16)
            throw adapter::refused("conditional write to a periphery register: the emulator allows none");
        misprint_image_row(r.field("data"), 16, operand % 32, data);
        vpm.writeValue(vector_of(data));
        break;
    case 4: take(r, r.row("reads") + reads++, vpm.readValue()); break;
    case 5: vpm.setDMAWriteAddress(SIMDVector(Literal(operand + BASE))); break;
    case 6: vpm.setDMAReadAddress(SIMDVector(Literal(operand + BASE))); break;
    case 7:
        while (!vpm.waitDMAWrite())
            clock.tick();
        break;
    case 8:
        while (!vpm.waitDMARead())
            clock.tick();
        break;
    case 9:
    case 10: throw adapter::refused("the emulator has no busy registers");
    }
    clock.tick();
}

static void run_accesses(adapter::run &r)
{
    Bytes memory = memory_of(r);
    std::map<uint32_t, std::reference_wrapper<Bytes>> map{{BASE, std::ref(memory)}};
    Memory m(map);
    Clock clock;
    std::unique_ptr<Guarded> g(new Guarded(clock, m));
    const uint32_t *ops = r.field("ops");
    uint32_t reads = 0, statuses = 0;
    g->load(r.region("vpm"));
    for (uint32_t i = 0; i < ops[0]; i++) {
        if (i && ops[2 + 2 * i] & 16)
            throw adapter::refused("two accesses in one instruction: their order is the QPU's");
        access(r, g->vpm, clock, ops + 1 + 2 * i, reads);
        if ((ops[2 + 2 * i] & 15) == 7 || (ops[2 + 2 * i] & 15) == 8)
            r.unknown(r.row("status") + statuses / 16, statuses % 16, ~0u), statuses++;
    }
    g->check();
    g->store(r.region("vpm"));
    memcpy(r.region("memory"), memory.data(), BYTES);
}

static void load(adapter::run &r, QPU &q)
{
    const Register accumulators[6] = {REG_ACC0, REG_ACC1, REG_ACC2, REG_ACC3, REG_SFU_OUT, REG_ACC5};
    auto put = [&](Register to, const uint32_t *from) {
        q.registers.storageRegisters.at(misprint_register_index(to)) = std::make_pair(vector_of(from), 0u);
    };
    for (uint8_t i = 0; i < 32; i++) {
        put(Register{RegisterFile::PHYSICAL_A, i}, r.region("ra") + 16 * i);
        put(Register{RegisterFile::PHYSICAL_B, i}, r.region("rb") + 16 * i);
    }
    for (int i = 0; i < 6; i++)
        if (i != 4)
            put(accumulators[i], r.region("acc") + 16 * i);
    q.lastR4Value = vector_of(r.region("acc") + 16 * 4);
    for (int i = 0; i < 16; i++) {
        auto flag = [&](int f) {
            return r.region("flags")[16 * f + i] & 1 ? FlagStatus::SET : FlagStatus::CLEAR;
        };
        q.flags[i].zero = flag(0), q.flags[i].negative = flag(1), q.flags[i].carry = flag(2);
    }
}

static void store(adapter::run &r, QPU &q, Semaphores &semaphores, Mutex &mutex)
{
    const Register accumulators[6] = {REG_ACC0, REG_ACC1, REG_ACC2, REG_ACC3, REG_SFU_OUT, REG_ACC5};
    auto get = [&](Register from) {
        return q.registers.storageRegisters.at(misprint_register_index(from)).first;
    };
    for (uint8_t i = 0; i < 32; i++) {
        take(r, r.row("ra") + i, get(Register{RegisterFile::PHYSICAL_A, i}));
        take(r, r.row("rb") + i, get(Register{RegisterFile::PHYSICAL_B, i}));
    }
    for (uint32_t i = 0; i < 6; i++)
        take(r, r.row("acc") + i, i == 4 ? q.lastR4Value : get(accumulators[i]));
    for (uint32_t i = 0; i < 16; i++) {
        const FlagStatus f[3] = {q.flags[i].zero, q.flags[i].negative, q.flags[i].carry};
        for (uint32_t k = 0; k < 3; k++) {
            r.region("flags")[16 * k + i] = f[k] == FlagStatus::SET;
            if (f[k] == FlagStatus::UNDEFINED)
                r.unknown(r.row("flags") + k, i, 1);
        }
        r.region("semaphores")[i] = semaphores.counter[i];
    }
    r.region("sync")[0] = q.registers.hostInterrupt ? 1 : 0;
    r.region("sync")[1] = mutex.isLocked();
}

static Bytes uniforms_of(const adapter::run &r)
{
    const uint32_t *list = r.field("uniforms");
    Bytes bytes((list[0] * 4 + 63) / 64 * 64 + 128); // the emulator reads whole lines, and ahead
    for (uint32_t i = 0; i < list[0]; i++) {
        uint32_t value = list[2 + 2 * i] + (list[1 + 2 * i] & 1 ? BASE : 0);
        memcpy(&bytes[4 * i], &value, 4);
    }
    return bytes;
}

static void run_program(adapter::run &r)
{
    Bytes memory = memory_of(r), uniforms = uniforms_of(r);
    std::map<uint32_t, std::reference_wrapper<Bytes>> map{{BASE, std::ref(memory)},
                                                          {UNIFORMS, std::ref(uniforms)}};
    Memory m(map);
    const uint32_t *program = r.field("program"), count = program[0], limit = *r.field("limit");
    std::vector<qpu_asm::Instruction> code;
    for (uint32_t i = 0; i < count; i++)
        code.emplace_back(program[1 + 2 * i] | static_cast<uint64_t>(program[2 + 2 * i]) << 32);
    code.insert(code.end(), 16, qpu_asm::Instruction(UINT64_C(0x100009E7009E7000))); // fills the last line
    InstrumentationResults instrumentation(code.size());
    Mutex mutex;
    Clock clock;
    SFU sfu(clock);
    std::unique_ptr<Guarded> g(new Guarded(clock, m));
    Semaphores semaphores;
    std::unique_ptr<L2Cache> l2(new L2Cache(clock, m, code.cbegin()));
    std::unique_ptr<Slice> slice(new Slice(0, clock, *l2));
    QPU qpu(static_cast<uint8_t>(*r.field("qpu-number")), clock, *slice, mutex, sfu, g->vpm, semaphores,
            UNIFORMS, instrumentation);
    load(r, qpu);
    g->load(r.region("vpm"));
    uint32_t last = ~0u, still = 0, executed = 0;
    for (uint32_t cycle = 0; cycle < CYCLES && executed <= limit && still <= STILL; cycle++) {
        if (qpu.pc >= count && !qpu.stopExecution)
            return r.end(MISPRINT_FAULT, 8);
        if (!qpu.execute()) {
            g->check();
            store(r, qpu, semaphores, mutex);
            g->store(r.region("vpm"));
            memcpy(r.region("memory"), memory.data(), BYTES);
            return;
        }
        clock.tick();
        still = qpu.pc == last ? still + 1 : 0;
        executed += qpu.pc != last;
        last = qpu.pc;
    }
    r.end(MISPRINT_HANG, 1);
}

void adapter_run(adapter::run &r)
{
    cpplog::DEFAULT_LOGGER.reset(); // the library's own writes to the console
    try {
        if (r.is("vc4-vpm"))
            run_accesses(r);
        else if (*r.field("stage"))
            throw adapter::refused("the emulator runs user programs only");
        else
            run_program(r);
    } catch (const std::exception &e) {
        if (!strstr(e.what(), "not part of any buffer"))
            throw;
        r.end(MISPRINT_FAULT, 7);
    }
}

ADAPTER_BOARD("VC4C's emulator, in C++; no silicon", ADAPTER_PROVENANCE);
