/* SPDX-License-Identifier: MIT */
/* Helpers for the tests of amd-buffer: cases built from fields, and values that others measured on
 * hardware. */
#ifndef MISPRINT_TESTS_MODEL_AMD_SUPPORT_AMD_H
#define MISPRINT_TESTS_MODEL_AMD_SUPPORT_AMD_H

#include "model/amd/unit_buffer.h"
#include "model/core/units.h"
#include "oracle/compare/executor.h"

/* The registers that test instructions use: index in v0, offset in v1 (in all lanes), SOFFSET in s3, V# from
 * s8 on, data from v4 on. */
enum { AMD_TEST_INDEX, AMD_TEST_OFFSET, AMD_TEST_DATA = 4, AMD_TEST_SOFFSET = 3 };

struct amd_case *amd_support_case(struct test_case *c);          /* the case's struct */
void amd_case_begin(struct test_case *c, enum amd_generation g); /* defaults; dword n of memory holds n + 1 */
void amd_case_descriptor(struct test_case *c, const struct amd_descriptor *d);
/* Returns an instruction that uses these registers. `name`: GFX11's name of the operation. */
struct amd_insn amd_test_insn(enum amd_generation g, const char *name);
void amd_case_add(struct test_case *c, const struct amd_insn *i);
void amd_case_vgpr(struct test_case *c, uint32_t number, uint32_t value); /* in all lanes */
void amd_case_sgpr(struct test_case *c, uint32_t number, uint32_t value);
void amd_case_memory(struct test_case *c, uint32_t address, uint32_t value); /* a dword */

/* The executor, outcome and case of a group of tests. */
struct amd_place {
    struct executor *x;
    struct outcome *o;
    struct test_case *c;
    struct profile p;
};
int amd_set_up(void **state); /* cmocka's fixture; *state is a struct amd_place */
int amd_tear_down(void **state);
void amd_run(struct amd_place *s, const char *profile); /* runs the case, checked */
struct amd_descriptor amd_raw_view(uint32_t bytes);     /* a raw V# of GFX11 from address 0 */

/* An invalid line, and its error message. */
struct amd_wrong_line {
    enum amd_generation g;
    const char *line, *error;
};
void amd_expect_errors(const struct amd_wrong_line *wrong, size_t count,
                       bool (*read)(enum amd_generation g, const char *line, size_t count, struct error *e));

/* Return a lane's register, memory dword, decision or address in an outcome. */
uint32_t amd_out_vgpr(const struct outcome *o, uint32_t number, unsigned lane);
uint32_t amd_out_memory(const struct outcome *o, uint32_t address);
uint32_t amd_out_decision(const struct outcome *o, unsigned insn, unsigned dword, unsigned lane);
uint64_t amd_out_address(const struct outcome *o, unsigned insn, unsigned dword, unsigned lane);

/* A measured value: rocjitsu's tests state that it matches physical gfx1100 and gfx1201. */
struct amd_witness {
    const char *name;
    struct amd_descriptor d;
    const char *op;
    unsigned lane;
    bool idxen, offen;
    uint32_t index, voffset, offset, soffset;
    bool is_address;
    uint32_t expected[4]; /* the address, or the four dwords that the access loads */
    const char *erratum;  /* the reading that the hardware follows; NULL: the guide's own */
};
extern const struct amd_witness amd_witnesses[];
extern const unsigned amd_witness_count;

void amd_witness_case(const struct amd_witness *k, struct test_case *c);
/* Records the measured values as an outcome. */
void amd_witness_outcome(const struct amd_witness *k, const struct test_case *c, struct outcome *o);
/* Writes all measured values as a trace. */
bool amd_write_witnesses(const char *path, struct error *e);

#endif
