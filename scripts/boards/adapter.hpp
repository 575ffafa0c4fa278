// SPDX-License-Identifier: MIT
// What the adapters share: a case's fields and an outcome's rows by their names, and exceptions that refuse a
// case. An adapter defines `open_units`, its description and `run_case`, and ends with ADAPTER_BOARD.
#pragma once
#include "board_plugin.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>

namespace adapter {

// The board cannot run the case; the text says why.
struct refused : std::runtime_error {
    using std::runtime_error::runtime_error;
};

struct board {
    const misprint_unit *unit;
    uint32_t memory_base;
};

struct run {
    const board &b;
    const uint32_t *words;
    misprint_outcome &out;

    bool is(const char *unit) const { return strcmp(b.unit->name, unit) == 0; }
    const uint32_t *field(const char *name) const
    {
        for (uint32_t i = 0; i < b.unit->field_count; i++)
            if (strcmp(b.unit->fields[i].name, name) == 0)
                return words + b.unit->fields[i].offset;
        throw refused(std::string("the case has no field ") + name);
    }
    uint32_t row(const char *region) const
    {
        for (uint32_t i = 0; i < b.unit->region_count; i++)
            if (strcmp(b.unit->regions[i].name, region) == 0)
                return b.unit->regions[i].first_row;
        throw refused(std::string("the outcome has no region ") + region);
    }
    // The region's words: at first those before the case.
    uint32_t *region(const char *name) const { return out.value + row(name) * b.unit->row_words; }
    void unknown(uint32_t row, uint32_t column, uint32_t bits)
    {
        out.unknown[row * b.unit->row_words + column] = bits;
        out.flags |= MISPRINT_HAS_UNKNOWN;
    }
    void end(misprint_end how, uint32_t reason) { out.end = how, out.reason = reason; }
};

} // namespace adapter

// Of each adapter: the units that it runs, separated by spaces, and one case. An outcome whose end the
// adapter does not set is "done".
extern const char *const adapter_units;
extern const uint32_t adapter_memory_base;
void adapter_run(adapter::run &r);
// Optional: parts of cases that the emulator lacks (misprint_about.lacks).
__attribute__((weak)) extern const char *const adapter_lacks;

namespace adapter {

inline void *open(const misprint_unit *unit, misprint_about *about)
{
    std::string units = std::string(" ") + adapter_units + " ";
    if (units.find(std::string(" ") + unit->name + " ") == std::string::npos) {
        snprintf(about->error, sizeof about->error, "this board runs only %s", adapter_units);
        return nullptr;
    }
    about->memory_base = adapter_memory_base;
    if (&adapter_lacks)
        snprintf(about->lacks, sizeof about->lacks, "%s", adapter_lacks);
    return new board{unit, adapter_memory_base};
}

inline void run_all(void *b, const void *const *cases, misprint_outcome *outcomes, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        misprint_outcome &o = outcomes[i];
        run r{*static_cast<board *>(b), static_cast<const uint32_t *>(cases[i]), o};
        try {
            adapter_run(r);
            if (o.end == MISPRINT_NOT_RUN)
                o.end = MISPRINT_DONE;
        } catch (const std::exception &e) {
            snprintf(o.message, sizeof o.message, "%s", e.what());
            o.end = MISPRINT_REFUSED;
        }
    }
}

inline void close(void *b) { delete static_cast<board *>(b); }

} // namespace adapter

#define ADAPTER_BOARD(description, provenance)                                                               \
    MISPRINT_EXPORT const misprint_board misprint_board = {                                                  \
        MISPRINT_BOARD_VERSION, MISPRINT_ONE_BY_ONE, description,   provenance,                              \
        adapter::open,          adapter::run_all,    adapter::close}
