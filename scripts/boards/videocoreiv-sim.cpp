// SPDX-License-Identifier: MIT
// videocoreiv-sim as a board for vc4-vpm and vc4-qpu. videocoreiv-sim.rs reaches into the simulator.
#include "adapter.hpp"

#include <vector>

typedef uint32_t vector[16];
struct state {
    vector ra[32], rb[32], acc[6], flags[3], vpm[64];
    uint32_t uniforms, bytes;
    uint8_t *memory;
};
extern "C" int sim_program(state *, const uint64_t *words, uint32_t count, uint32_t limit, char *text);
extern "C" int sim_accesses(state *, const uint32_t *ops, uint32_t count, uint32_t base, const vector *data,
                            vector *reads, char *text);

// The simulator's addresses count from 0. A case's memory begins there, so no address is below it.
enum { MEMORY_BYTES = 16384, BASE = 0, FAULT_MEMORY = 7 };
const char *const adapter_units = "vc4-vpm vc4-qpu";
const uint32_t adapter_memory_base = BASE;

// The simulator has 64 rows of VPM.
static void put(const adapter::run &r, state &s, std::vector<uint8_t> &memory)
{
    memcpy(s.vpm, r.region("vpm"), sizeof s.vpm);
    memory.resize(MEMORY_BYTES);
    memcpy(memory.data(), r.region("memory"), MEMORY_BYTES);
}
static void take(const adapter::run &r, const state &s, const std::vector<uint8_t> &memory)
{
    memcpy(r.region("vpm"), s.vpm, sizeof s.vpm);
    memcpy(r.region("memory"), memory.data(), MEMORY_BYTES);
}

// Ends a case after a panic. An index beyond the simulator's memory is a fault; else the case is refused.
static void panic(adapter::run &r, const state &s, const char *text)
{
    const std::string beyond = "the len is " + std::to_string(s.bytes) + " but";
    if (!strstr(text, beyond.c_str()))
        throw adapter::refused(text);
    r.end(MISPRINT_FAULT, FAULT_MEMORY);
}

static void run_accesses(adapter::run &r)
{
    state s = {};
    std::vector<uint8_t> memory;
    vector data[32], reads[64] = {};
    const uint32_t *ops = r.field("ops"), *image = r.field("data");
    char text[256] = "";
    for (uint32_t i = 0; i < 32; i++)
        misprint_image_row(image, 16, i, data[i]);
    for (uint32_t i = 1; i < ops[0]; i++)
        if (ops[2 + 2 * i] & 16)
            throw adapter::refused("two accesses in one instruction: their order is the QPU's");
    put(r, s, memory);
    s.bytes = static_cast<uint32_t>(memory.size());
    s.memory = memory.data();
    if (sim_accesses(&s, ops + 1, ops[0], BASE, data, reads, text)) {
        panic(r, s, text);
        return;
    }
    take(r, s, memory); // busy and wait registers read as 0, as their rows are before
    memcpy(r.region("reads"), reads, sizeof reads);
}

// The simulator has no end of a program, so its last three instructions are the case's end.
static std::vector<uint64_t> program_of(const adapter::run &r)
{
    const uint32_t *code = r.field("program");
    std::vector<uint64_t> words;
    for (uint32_t i = 0; i < code[0]; i++) {
        uint64_t word = code[1 + 2 * i] | static_cast<uint64_t>(code[2 + 2 * i]) << 32;
        if ((word >> 60 == 3) != (i + 3 == code[0]))
            throw adapter::refused("the simulator knows no program end: only the third last may have it");
        if (word >> 60 == 0)
            throw adapter::refused("a breakpoint");
        words.push_back(word);
    }
    words.insert(words.end(), 3, UINT64_C(0x100009E7009E7000)); // three are in flight when it ends
    return words;
}

static void run_program(adapter::run &r)
{
    state s = {};
    std::vector<uint8_t> memory;
    char text[256] = "";
    const uint32_t *uniforms = r.field("uniforms");
    std::vector<uint64_t> words = program_of(r);
    memcpy(s.ra, r.region("ra"), sizeof s.ra);
    memcpy(s.rb, r.region("rb"), sizeof s.rb);
    memcpy(s.acc, r.region("acc"), sizeof s.acc);
    memcpy(s.flags, r.region("flags"), sizeof s.flags);
    put(r, s, memory);
    s.uniforms = static_cast<uint32_t>(memory.size());
    for (uint32_t i = 0; i < uniforms[0]; i++) {
        const uint32_t value = uniforms[2 + 2 * i]; // of an address, too, because BASE is 0
        for (int b = 0; b < 4; b++)
            memory.push_back(static_cast<uint8_t>(value >> 8 * b));
    }
    s.bytes = static_cast<uint32_t>(memory.size());
    s.memory = memory.data();
    switch (sim_program(&s, words.data(), static_cast<uint32_t>(words.size()), *r.field("limit"), text)) {
    case 1: r.end(MISPRINT_HANG, 1); return;
    case 2: panic(r, s, text); return;
    }
    take(r, s, memory);
    memcpy(r.region("ra"), s.ra, sizeof s.ra);
    memcpy(r.region("rb"), s.rb, sizeof s.rb);
    memcpy(r.region("acc"), s.acc, sizeof s.acc);
    memcpy(r.region("flags"), s.flags, sizeof s.flags);
}

void adapter_run(adapter::run &r)
{
    if (r.is("vc4-vpm"))
        run_accesses(r);
    else if (*r.field("stage"))
        throw adapter::refused("the simulator runs user programs only");
    else
        run_program(r);
}

ADAPTER_BOARD("videocoreiv-sim, a simulator of the QPU in Rust; no silicon", ADAPTER_PROVENANCE);
