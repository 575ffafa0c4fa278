/* SPDX-License-Identifier: MIT */
/* Unit amd-buffer: what only GFX12 (gfx1200, RDNA 4) has. The tests compare words of 96 bits and their text,
 * random and valid ones, with LLVM 19. They compare scaled strides, scalar loads of bytes and new atomics
 * with plain arithmetic. */
#include "tests/model/amd/support_amd.h"
#include "tests/model/amd/support_amd_text.h"
#include "tests/support/support_llvm.h"
#include "tests/support/support_units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = AMD_INSN_WORDS, RANDOM_WORDS = 50000, VALID_WORDS = 20000 };

static void need_llvm(void)
{
    if (llvm_mc())
        return;
    print_message("SKIPPED: no llvm-mc-19 (scripts/setup test installs Debian's llvm-19; MISPRINT_LLVM_MC "
                  "names another)\n");
    skip();
}

/* ---- known words ---- */

/* llvm-mc 19.1.7 assembles and prints these. */
static const struct {
    uint32_t words[WORDS];
    const char *text;
} known[] = {
    {{0xC4050003, 0x00801005, 0x7FFFFF00}, "buffer_load_b32 v5, off, s[8:11], s3 offset:8388607"},
    {{0xC405007C, 0x00801005, 0x00000000}, "buffer_load_b32 v5, off, s[8:11], null"},
    {{0xC405007D, 0x00801005, 0x00000000}, "buffer_load_b32 v5, off, s[8:11], m0"},
    {{0xC4050003, 0x80801005, 0x00000400}, "buffer_load_b32 v5, v0, s[8:11], s3 idxen offset:4"},
    {{0xC4050003, 0xC0801805, 0x00000000}, "buffer_load_b32 v5, v[0:1], s[12:15], s3 idxen offen"},
    {{0xC4050003, 0x0080E005, 0x00000000}, "buffer_load_b32 v5, off, ttmp[4:7], s3"},
    {{0xC4450003, 0x00801005, 0x00000000}, "buffer_load_b32 v[5:6], off, s[8:11], s3 tfe"},
    {{0xC4050003, 0x00A41005, 0x00000000},
     "buffer_load_b32 v5, off, s[8:11], s3 th:TH_LOAD_HT scope:SCOPE_SE"},
    {{0xC4068003, 0x00AC1005, 0x00000000},
     "buffer_store_b32 v5, off, s[8:11], s3 th:TH_STORE_HT scope:SCOPE_SYS"},
    {{0xC40D4003, 0x00901005, 0x00000000}, "buffer_atomic_add_u32 v5, off, s[8:11], s3 th:TH_ATOMIC_RETURN"},
    {{0xC4200003, 0x0B001004, 0x000FFF00},
     "tbuffer_load_format_x v4, off, s[8:11], s3 format:[BUF_FMT_32_FLOAT] offset:4095"},
    {{0xC40DC003, 0x00801005, 0x00000000}, "buffer_atomic_sub_clamp_u32 v5, off, s[8:11], s3"},
    {{0xC4168003, 0x00801005, 0x00000000}, "buffer_atomic_pk_add_bf16 v5, off, s[8:11], s3"},
    {{0xC4050003, 0x00801005, 0xFFFFFC00}, "buffer_load_b32 v5, off, s[8:11], s3 offset:-4"},
    {{0xF4020142, 0xF8000064, 0}, "s_buffer_load_b32 s5, s[4:7], 0x64"},
    {{0xF4020142, 0x04000064, 0}, "s_buffer_load_b32 s5, s[4:7], s2 offset:0x64"},
    {{0xF402A202, 0x04000064, 0}, "s_buffer_load_b96 s[8:10], s[4:7], s2 offset:0x64"},
    {{0xF4032142, 0x04000000, 0}, "s_buffer_load_u8 s5, s[4:7], s2 offset:0x0"},
    {{0xF5420142, 0xFA000000, 0},
     "s_buffer_load_b32 s5, s[4:7], m0 offset:0x0 th:TH_LOAD_HT scope:SCOPE_DEV"},
    {{0xF4020142, 0xF8FFFFFC, 0}, "s_buffer_load_b32 s5, s[4:7], -0x4"},
};

static void parse_line(const char *line, uint32_t *words)
{
    struct error e = {0};
    memset(words, 0, WORDS * sizeof *words);
    if (!amd_parse_words(AMD_GFX12, line, strlen(line), words, &e))
        fail_msg("'%s' is refused: %s", line, e.text);
}

static const char *print_words(const uint32_t *words, struct text *t)
{
    text_clear(t);
    amd_print_words(AMD_GFX12, words, t);
    return text_chars(t);
}

static void known_words(void **state)
{
    struct text t = {0};
    (void)state;
    for (size_t n = 0; n < sizeof known / sizeof *known; n++) {
        uint32_t words[WORDS];
        assert_string_equal(print_words(known[n].words, &t), known[n].text);
        parse_line(known[n].text, words);
        assert_memory_equal(words, known[n].words, sizeof words);
    }
    text_free(&t);
}

/* ---- random words ---- */

static void random_words(struct random *r, uint32_t *words)
{
    enum { VBUFFER = 0x31, SCALAR = 0x3D };
    bool scalar = random_one_in(r, 4);
    for (unsigned n = 0; n < WORDS; n++)
        words[n] = random_u32(r) & (random_one_in(r, 2) ? UINT32_MAX : random_u32(r));
    words[0] = (words[0] & 0x03FFFFFF) | (uint32_t)(scalar ? SCALAR : VBUFFER) << 26;
    if (scalar)
        words[0] = (words[0] & ~(63U << 13)) | (16 + random_below(r, 12)) << 13;
    if (scalar)
        words[2] = 0;
    if (!scalar && !random_one_in(r, 8)) /* keeps RSRC below 128 */
        words[1] &= ~(UINT32_C(3) << 16);
}

/* Printing and parsing any word gives the same word. Words of the generator and the mutator decode. */
static void round_trips(void **state)
{
    unsigned count = support_scaled(300000), leftover = 0;
    struct random r;
    struct text t = {0};
    (void)state;
    random_seed(&r, 1);
    for (unsigned n = 0; n < count; n++) {
        uint32_t words[WORDS], again[WORDS];
        struct amd_insn i;
        if (n % 4) {
            random_words(&r, words);
        } else {
            amd_code[AMD_GFX12].generate(&r, words);
            for (unsigned times = n % 3; times; times--)
                amd_code[AMD_GFX12].mutate(&r, words);
            assert_true(amd_decode_words(AMD_GFX12, words, &i));
        }
        words[2] ^= n % 64 == 1 ? 5 : 0; /* sometimes changes the third word, which scalar loads do not use */
        parse_line(print_words(words, &t), again);
        if (memcmp(words, again, sizeof words) != 0)
            fail_msg("%08x %08x %08x prints as '%s'", words[0], words[1], words[2], text_chars(&t));
        leftover += strchr(text_chars(&t), '{') != NULL;
    }
    assert_true(leftover > count / 10);
    text_free(&t);
}

/* ---- LLVM ---- */

struct tally {
    unsigned equal, refused, reserved, beyond_v255, tfe;
};

/* Does LLVM refuse this word for a known reason? Counts the reason. */
static bool excepted(const struct amd_insn *i, const char *ours, struct tally *tally)
{
    unsigned data = amd_data_registers(AMD_GFX12, i) + i->tfe;
    bool vector = i->op->encoding != AMD_SMEM;
    if (strstr(ours, "src[") || strstr(ours, ", src") || strstr(ours, "RSRC_HIGH") ||
        strstr(ours, ", null, "))
        return ++tally->reserved;
    if (vector && (i->vdata + data > 256 || i->vaddr + amd_address_registers(i) > 256))
        return ++tally->beyond_v255;
    if (strstr(ours, "TFE=1"))
        return ++tally->tfe;
    return false;
}

static void compare_text(const uint32_t *words, const char *theirs, struct text *t, struct tally *tally)
{
    struct amd_insn i;
    char plain[512];
    if (!amd_decode_words(AMD_GFX12, words, &i)) {
        if (theirs && strncmp(theirs, "s_", 2) != 0) /* scalar operations that are no buffer loads */
            fail_msg("%08x %08x %08x does not decode; LLVM: %s", words[0], words[1], words[2], theirs);
        tally->refused++;
        return;
    }
    (void)snprintf(plain, sizeof plain, "%s", print_words(words, t));
    char *brace = strstr(plain, " {");
    if (brace)
        *brace = 0;
    if (theirs && (!strcmp(plain, theirs) || strstr(theirs, "Invalid register")))
        tally->equal++;
    else if (theirs || !excepted(&i, text_chars(t), tally))
        fail_msg("%08x %08x %08x is '%s'; LLVM: %s", words[0], words[1], words[2], text_chars(t),
                 theirs ? theirs : "refused");
}

static void disassembled_as_llvm(void **state)
{
    static const char *const cpus[] = {"gfx1200", "gfx1201"};
    unsigned count = support_scaled(RANDOM_WORDS);
    uint32_t *words = malloc(WORDS * count * sizeof *words);
    char **theirs = calloc(count, sizeof *theirs);
    struct random r;
    struct text t = {0};
    (void)state;
    need_llvm();
    assert_true(words && theirs);
    random_seed(&r, 2);
    for (unsigned cpu = 0; cpu < 2; cpu++) {
        struct tally tally = {0};
        for (unsigned n = 0; n < count; n++)
            random_words(&r, words + WORDS * n);
        for (uint32_t code = 0; code < 256 && code < count; code++) { /* every opcode once */
            words[WORDS * code] = 0xC4000003 | code << 14;
            words[WORDS * code + 1] = 0x00801004;
        }
        assert_true(
            llvm_disassemble_words(cpus[cpu], words, WORDS, amd_code[AMD_GFX12].length, count, theirs));
        for (unsigned n = 0; n < count; n++)
            compare_text(words + WORDS * n, theirs[n], &t, &tally);
        llvm_free(theirs, count);
        print_message("%s: %u words: %u with equal text, %u refused by both or other scalar operations; LLVM "
                      "alone refuses %u with reserved operands, %u beyond v255, %u with TFE\n",
                      cpus[cpu], count, tally.equal, tally.refused, tally.reserved, tally.beyond_v255,
                      tally.tfe);
        assert_true(tally.equal > count / 4);
    }
    free(words);
    free(theirs);
    text_free(&t);
}

static uint32_t some_source(struct random *r)
{
    for (;;) {
        uint32_t code = random_below(r, 128);
        if (code < 106 || code > 107 || random_one_in(r, 2))
            return code;
    }
}

static void valid_words(struct random *r, uint32_t *words)
{
    struct amd_insn i;
    const struct amd_op *op;
    do
        op = &amd_ops[random_below(r, amd_op_count)];
    while (op->code[AMD_GFX12] == AMD_NO_CODE);
    amd_insn_canonical(AMD_GFX12, op, &i);
    unsigned data = amd_data_registers(AMD_GFX12, &i);
    i.glc = random_one_in(r, 2);
    i.scope = random_below(r, 4);
    i.offset = random_one_in(r, 4) ? 0 : random_u32(r) & 0x7FFFFF;
    i.th = random_below(r, op->encoding == AMD_SMEM || op->kind == AMD_ATOMIC ? 2 : 3);
    if (op->kind == AMD_ATOMIC && i.th && i.glc && i.scope == 3)
        i.scope = 2; /* LLVM prints TH_ATOMIC_NT_RETURN with SCOPE_SYS, but cannot parse it */
    if (op->encoding == AMD_SMEM) {
        unsigned align = data < 3 ? data : 4;
        i.srsrc = 2 * random_below(r, 25);
        i.vdata = data == 1 ? random_below(r, 102) : random_below(r, (100 - data) / align) * align;
        i.soffset = random_one_in(r, 2) ? amd_null(AMD_GFX12) : random_below(r, 106);
    } else {
        i.offen = random_one_in(r, 2);
        i.idxen = random_one_in(r, 2);
        i.tfe = op->encoding == AMD_MUBUF && op->kind == AMD_LOAD && random_one_in(r, 4);
        i.vdata = random_below(r, 257 - data - i.tfe);
        i.vaddr = i.offen || i.idxen ? random_below(r, 257 - i.offen - i.idxen) : 0;
        i.srsrc = random_below(r, 26);
        i.soffset = some_source(r);
        i.format = op->encoding == AMD_MTBUF ? random_below(r, 128) : i.format;
    }
    amd_encode_words(AMD_GFX12, &i, words);
}

/* For valid words LLVM prints the same text as we do, and assembles this text to the same words. */
static void assembled_as_llvm(void **state)
{
    unsigned count = support_scaled(VALID_WORDS);
    uint32_t *words = malloc(WORDS * count * sizeof *words), *made = malloc(WORDS * count * sizeof *words);
    char **theirs = calloc(count, sizeof *theirs);
    struct random r;
    struct text t = {0}, program = {0};
    size_t got = 0, at = 0;
    (void)state;
    need_llvm();
    assert_true(words && made && theirs);
    random_seed(&r, 3);
    for (unsigned n = 0; n < count; n++) {
        valid_words(&r, words + WORDS * n);
        text_add(&program, "%s\n", print_words(words + WORDS * n, &t));
    }
    assert_true(llvm_disassemble_words("gfx1200", words, WORDS, amd_code[AMD_GFX12].length, count, theirs));
    assert_true(llvm_program("gfx1200", "", text_chars(&program), made, WORDS * count, &got));
    for (unsigned n = 0; n < count; n++) {
        const uint32_t *own = words + WORDS * n;
        unsigned length = amd_insn_words(AMD_GFX12, own[0]);
        assert_non_null(theirs[n]);
        assert_string_equal(print_words(own, &t), theirs[n]);
        if (memcmp(own, made + at, length * sizeof *own) != 0)
            fail_msg("'%s' is %08x %08x %08x; LLVM: %08x %08x %08x", theirs[n], own[0], own[1], own[2],
                     made[at], made[at + 1], made[at + 2]);
        at += length;
    }
    assert_int_equal(at, got);
    print_message("gfx1200: LLVM disassembles and assembles %u valid words as we do\n", count);
    llvm_free(theirs, count);
    free(words);
    free(made);
    free(theirs);
    text_free(&t);
    text_free(&program);
}

/* ---- the model ---- */

static void run_line(struct amd_place *s, const struct amd_descriptor *d, const char *line,
                     const char *profile)
{
    amd_case_begin(s->c, AMD_GFX12);
    struct amd_case *c = amd_support_case(s->c);
    amd_case_descriptor(s->c, d);
    parse_line(line, c->insn[c->insn_count++]);
    amd_case_vgpr(s->c, 0, 3);
    amd_case_vgpr(s->c, 4, 7);
    c->exec[0] = 1;
    c->exec[1] = 0;
    amd_run(s, profile);
}

/* "RDNA4" guide: STRIDE_SCALE multiplies STRIDE by 1, 4, 8 or 32. Dword n of memory holds n + 1. */
static void scaled_strides(void **state)
{
    static const unsigned scales[] = {1, 4, 8, 32};
    struct amd_place *s = *state;
    for (unsigned n = 0; n < 4; n++) {
        struct amd_descriptor d = amd_descriptor_typed(AMD_GFX12, 0, 4, 100, 20);
        d.stride_scale = n;
        run_line(s, &d, "buffer_load_b32 v5, v0, s[8:11], null idxen", "gfx1200");
        assert_int_equal(amd_out_address(s->o, 0, 0, 0), 3 * 4 * scales[n]);
        assert_int_equal(amd_out_vgpr(s->o, 5, 0), 3 * scales[n] + 1);
    }
}

static void negative_offsets(void **state)
{
    struct amd_place *s = *state;
    struct amd_descriptor d = amd_descriptor_raw(AMD_GFX12, 0, 1024);
    run_line(s, &d, "buffer_load_b32 v5, v4, s[8:11], null offen offset:-4", "manual");
    assert_int_equal(s->o->end, END_FAULT);
    run_line(s, &d, "buffer_load_b32 v5, v4, s[8:11], null offen offset:-3", "manual,ioffset-negative=wraps");
    assert_int_equal(s->o->end, END_DONE);
    assert_int_equal(amd_out_vgpr(s->o, 5, 0), 2);
    run_line(s, &d, "buffer_load_b32 v5, off, s[8:11], null offset:1020", "manual");
    assert_int_equal(amd_out_address(s->o, 0, 0, 0), 1020);
}

static void scalar_parts(void **state)
{
    static const struct {
        const char *line;
        uint32_t value;
    } loads[] = {
        {"s_buffer_load_u8 s20, s[8:11], 0x1", 0xFE},
        {"s_buffer_load_i8 s20, s[8:11], 0x1", 0xFFFFFFFE},
        {"s_buffer_load_u16 s20, s[8:11], 0x1", 0xFDFE},
        {"s_buffer_load_i16 s20, s[8:11], 0x1", 0xFFFFFDFE},
        {"s_buffer_load_u8 s20, s[8:11], 0x3ff", 0x55},
        {"s_buffer_load_u8 s20, s[8:11], 0x400", 0},
        {"s_buffer_load_b32 s20, s[8:11], 0x0", 0x7CFDFEFF},
    };
    struct amd_place *s = *state;
    struct amd_descriptor d = amd_descriptor_raw(AMD_GFX12, 0, 1024);
    for (size_t n = 0; n < sizeof loads / sizeof *loads; n++) {
        amd_case_begin(s->c, AMD_GFX12);
        struct amd_case *c = amd_support_case(s->c);
        amd_case_descriptor(s->c, &d);
        amd_case_memory(s->c, 0, 0x7CFDFEFF);
        amd_case_memory(s->c, 1020, 0x55000000);
        parse_line(loads[n].line, c->insn[c->insn_count++]);
        amd_run(s, "gfx1200");
        if (s->o->value[AMD_ROW_SGPR * AMD_LANES + 20] != loads[n].value)
            fail_msg("%s is %x, not %x", loads[n].line, s->o->value[AMD_ROW_SGPR * AMD_LANES + 20],
                     loads[n].value);
    }
}

static float bfloat_value(uint32_t half)
{
    uint32_t bits = half << 16;
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

/* For a pair of bfloat16, a double holds each sum exactly. The result must be at least as near to the sum as
 * its two neighbours are. */
static void new_atomics(void **state)
{
    static struct coverage seen;
    struct amd_place *s = *state;
    struct amd_wave *w = s->x->state; /* amd_atomic_result uses only its profile and coverage */
    struct random r;
    random_seed(&r, 9);
    profile_builtin(&amd_buffer_unit, AMD_PROFILE_GFX1200, &s->p);
    w->profile = &s->p;
    w->coverage = &seen;
    assert_int_equal(amd_atomic_result(w, AMD_ATOMIC_SUB_CLAMP, 32, 5, 7, 0), 0);
    assert_int_equal(amd_atomic_result(w, AMD_ATOMIC_SUB_CLAMP, 32, 7, 5, 0), 2);
    assert_int_equal(amd_atomic_result(w, AMD_ATOMIC_COND_SUB, 32, 5, 7, 0), 5);
    assert_int_equal(amd_atomic_result(w, AMD_ATOMIC_COND_SUB, 32, 7, 5, 0), 2);
    assert_int_equal(amd_atomic_result(w, AMD_ATOMIC_COND_SUB, 32, 7, 7, 0), 0); /* "tmp >= src" */
    for (unsigned k = 0; k < 100000; k++) {
        uint32_t a = 0x3000 + random_below(&r, 0x2000), b = a + random_below(&r, 0x400) - 0x200;
        b ^= random_below(&r, 2) << 15;
        uint32_t sum = (uint32_t)amd_atomic_result(w, AMD_ATOMIC_PK_BFADD, 32, a << 16, b << 16, 0) >> 16;
        double exact = (double)bfloat_value(a) + bfloat_value(b), off = fabs(bfloat_value(sum) - exact);
        double up = fabs(bfloat_value(sum + 1) - exact), down = fabs(bfloat_value(sum - 1) - exact);
        if (exact == 0)
            assert_int_equal(sum, 0);
        else if (off == up || off == down)
            assert_int_equal(sum % 2, 0);
        else
            assert_true(off < up && off < down);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_words),          cmocka_unit_test(round_trips),
        cmocka_unit_test(disassembled_as_llvm), cmocka_unit_test(assembled_as_llvm),
        cmocka_unit_test(scaled_strides),       cmocka_unit_test(negative_offsets),
        cmocka_unit_test(scalar_parts),         cmocka_unit_test(new_atomics),
    };
    return cmocka_run_group_tests(tests, amd_set_up, amd_tear_down);
}
