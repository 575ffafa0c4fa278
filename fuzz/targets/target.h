/* SPDX-License-Identifier: MIT */
/*
 * What the fuzz targets share. A target is one property, said in its first
 * comment, as LLVMFuzzerTestOneInput: it takes any bytes, and aborts where the
 * property does not hold. The same file is linked with libFuzzer, with AFL++'s
 * loop (afl_loop.c) and with a plain driver that runs files (replay_files.c),
 * which is how the tests hold the targets to the corpus without clang.
 *
 * A target of one unit is compiled once for each row of model/core/units.c, with its
 * name in TARGET_UNIT.
 */
#ifndef MISPRINT_FUZZ_TARGETS_TARGET_H
#define MISPRINT_FUZZ_TARGETS_TARGET_H

#include "fuzz/engines/engine_status.h"
#include "model/core/unit.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

/* Says which property does not hold, and aborts: how engines are told. */
_Noreturn void target_violated(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* A refusal must say why. */
void target_check_refusal(const struct error *e);

/* A path under which the bytes can be read once or several times, until the next call. */
const char *target_file(const void *bytes, size_t count);

/* Of the diff targets (fuzz/targets/compare.c): counters for the engine, how many there are, what the
 * campaign is told. */
extern volatile uint8_t target_counters[];
extern unsigned target_counter_count;
extern struct engine_status *target_status; /* or NULL */
void target_begin(const struct unit *u);    /* before the first comparison; does nothing the next time */
/* Runs a case and checks the property; `draw` follows from the case (fuzz/engines/engine_harness.h). */
void target_compare(const struct test_case *c, uint64_t draw);

/* Where the engine is libFuzzer (fuzz/targets/more.c): what comes before and after an input's own case, and
 * cases for its mutator to give. */
void target_more(const struct test_case *of, uint64_t draw) __attribute__((weak));
void target_own(const struct test_case *c) __attribute__((weak));
size_t target_waiting(uint8_t *bytes, size_t room) __attribute__((weak)); /* 0: none waits */

/* Splits off the first byte: a choice among `choices`; 0 when there are no bytes. */
unsigned target_choice(const uint8_t **bytes, size_t *count, unsigned choices);

/* Splits off the front part of the bytes, as long as their first two say; what is missing is empty. */
void target_part(const uint8_t **bytes, size_t *count, const uint8_t **part, size_t *part_count);

#endif
