/* SPDX-License-Identifier: MIT */
/*
 * Functions that the fuzz targets share. A target checks one property, which its first comment states. Its
 * LLVMFuzzerTestOneInput takes any bytes, and aborts if the property does not hold. The same file is linked
 * with libFuzzer, with AFL++'s loop (afl/loop.c), and with a plain driver that runs files (replay_files.c),
 * so that tests can run the corpus without clang.
 *
 * A target of one unit is compiled once for each row of model/core/units.c, with its name in TARGET_UNIT.
 */
#ifndef MISPRINT_FUZZ_TARGETS_TARGET_H
#define MISPRINT_FUZZ_TARGETS_TARGET_H

#include "fuzz/engines/engine_status.h"
#include "model/core/unit.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

/* Prints which property does not hold, and aborts, so that the engine notices. */
_Noreturn void target_violated(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Checks that a refusal has a reason. */
void target_check_refusal(const struct error *e);

/* Returns the path of a file with these bytes, which is valid until the next call. */
const char *target_file(const void *bytes, size_t count);

/* Only in the diff targets (fuzz/targets/compare.c): the counters for the engine, their number, and the
 * status for the campaign. */
extern volatile uint8_t target_counters[];
extern unsigned target_counter_count;
extern struct engine_status *target_status; /* or NULL */
void target_begin(const struct unit *u);    /* before the first comparison; later calls do nothing */
/* Runs a case and checks the property of diff.c. `draw`: a number that follows from the case
 * (fuzz/engines/engine_harness.h). */
void target_compare(const struct test_case *c, uint64_t draw);

/* Only with libFuzzer (fuzz/targets/more.c): runs more cases before an input's own case, notes the own case
 * afterwards, and gives a waiting case to the mutator. */
void target_more(const struct test_case *of, uint64_t draw) __attribute__((weak));
void target_own(const struct test_case *c) __attribute__((weak));
size_t target_waiting(uint8_t *bytes, size_t room) __attribute__((weak)); /* returns 0 if no case waits */

/* Writes the right checksum after each frame of the board protocol whose length fits. */
void target_mend_frames(uint8_t *bytes, size_t count);

/* Splits off the first byte as a choice among `choices`; 0 if there are no bytes. */
unsigned target_choice(const uint8_t **bytes, size_t *count, unsigned choices);

/* Splits off the first part of the bytes. Two bytes before it give its length; if there are fewer bytes, the
 * part is shorter. */
void target_part(const uint8_t **bytes, size_t *count, const uint8_t **part, size_t *part_count);

#endif
