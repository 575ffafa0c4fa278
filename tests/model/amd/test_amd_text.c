/* SPDX-License-Identifier: MIT */
/*
 * Buffer instructions as words and text: known encodings, LLVM 19 as a second
 * opinion on every word it takes, words that a compiler emitted, loss-free
 * round trips, and errors that say where and what.
 */
#include "model/amd/encoding/amd_insn.h"
#include "model/number/random.h"
#include "tests/model/amd/support_amd.h"
#include "tests/model/amd/support_amd_words.h"
#include "tests/support/support_llvm.h"
#include "tests/support/support_units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static uint64_t parsed(enum amd_generation g, const char *line)
{
    struct error e = {0};
    uint64_t word = 0;
    if (!amd_parse(g, line, strlen(line), &word, &e))
        fail_msg("%s: '%s' is not read: %s", amd_generation_names[g], line, e.text);
    return word;
}

static const char *printed(enum amd_generation g, uint64_t word, struct text *t)
{
    text_clear(t);
    amd_print(g, word, t);
    return text_chars(t);
}

static void check_round_trip(enum amd_generation g, uint64_t word, struct text *t)
{
    struct error e = {0};
    uint64_t again = ~word;
    (void)printed(g, word, t);
    if (!amd_parse(g, t->chars, t->length, &again, &e) || again != word)
        fail_msg("%s: %016llx prints as '%s', which reads as %016llx %s", amd_generation_names[g],
                 (unsigned long long)word, t->chars, (unsigned long long)again, e.text);
}

/* ---- known encodings ---- */

static void test_known(void **state)
{
    struct text t = {0};
    (void)state;
    for (size_t n = 0; n < sizeof known / sizeof *known; n++) {
        uint64_t word = (uint64_t)known[n].high << 32 | known[n].low;
        assert_int_equal(parsed(known[n].g, known[n].text), word);
        if (!known[n].long_form)
            assert_string_equal(printed(known[n].g, word, &t), known[n].text);
        check_round_trip(known[n].g, word, &t);
    }
    print_message("%zu known encodings, both ways\n", sizeof known / sizeof *known);
    text_free(&t);
}

/* What LLVM's text cannot say, written by hand from the encodings' tables. */
static const struct {
    enum amd_generation g;
    uint32_t low, high;
    const char *text;
} beyond[] = {
    {AMD_GFX11, 0xE0500000, 0x80020507, "buffer_load_b32 v5, off, s[8:11], 0 {VADDR=7}"},
    {AMD_GFX11, 0xE0538000, 0x80020500, "buffer_load_b32 v5, off, s[8:11], 0 {UNUSED=7}"},
    {AMD_GFX11, 0xE8B00000, 0x80220500,
     "tbuffer_load_format_x v5, off, s[8:11], 0 format:[BUF_FMT_32_FLOAT] {TFE=1}"},
    {AMD_GFX11, 0xE0500000, 0x801A0500, "buffer_load_b32 v5, off, src[104:107], 0"},
    {AMD_GFX11, 0xE0500000, 0xFF020500, "buffer_load_b32 v5, off, s[8:11], src255"},
    {AMD_GFX11, 0xE05C0000, 0x8002FE00, "buffer_load_b128 v[254:257], off, s[8:11], 0"},
    {AMD_GFX11, 0xE0A00000, 0x80020500, ".quad 0x80020500e0a00000"}, /* opcode 40 */
    {AMD_GFX11, 0xDEADBEEF, 0x00000000, ".quad 0x00000000deadbeef"},
    {AMD_GFX10, 0xE1900000, 0x80020500, ".quad 0x80020500e1900000"}, /* opcode 100 */
    {AMD_GFX9, 0xE0508000, 0x80220500, "buffer_load_dword v5, off, s[8:11], 0 {UNUSED=1, UNUSED_53=1}"},
    {AMD_GFX9, 0xC0224142, 0x14000000, "s_buffer_load_dword s5, s[4:7], s10 offset:0x0"},
    {AMD_GFX8, 0xE0940000, 0x80020500,
     ".quad 0x80020500e0940000"}, /* 37, load_short_d16_hi, came with GFX9 */
};

static void test_beyond_llvm(void **state)
{
    struct text t = {0};
    (void)state;
    for (size_t n = 0; n < sizeof beyond / sizeof *beyond; n++) {
        uint64_t word = (uint64_t)beyond[n].high << 32 | beyond[n].low;
        assert_string_equal(printed(beyond[n].g, word, &t), beyond[n].text);
        check_round_trip(beyond[n].g, word, &t);
    }
    text_free(&t);
}

/* ---- words at random ---- */

static const uint32_t majors[AMD_GENERATIONS][3] = {{0x38, 0x3A, 0x3D},
                                                    {0x38, 0x3A, 0x3D},
                                                    {0x38, 0x3A, 0x30},
                                                    {0x38, 0x3A, 0x30}}; /* bits 31:26 */

/* Any bits behind one of the three encodings' first six. */
static uint64_t random_word(enum amd_generation g, struct random *r)
{
    uint64_t word = (random_u64(r) & ~(UINT64_C(63) << 26)) | (uint64_t)majors[g][random_below(r, 3)] << 26;
    if (((word >> 26) & 63) == majors[g][2] &&
        !random_one_in(r, 8)) /* few of SMEM's opcodes are buffer loads */
        word = (word & ~(UINT64_C(0xFF) << 18)) | (uint64_t)(8 + random_below(r, 5)) << 18;
    if (random_one_in(r, 2)) /* fewer bits: more that is plain */
        word &= random_u64(r) | UINT64_C(0xFF) << 56 | UINT64_C(0xFFFC0000);
    return word;
}

/* Does the generation have this operand? LLVM's disassembler names some more, which its assembler then
 * refuses. */
static bool has_source(enum amd_generation g, uint32_t code)
{
    static const struct {
        unsigned generations;
        uint8_t first, last;
    } missing[] = {
        {15, 209, 234},
        {15, 249, 250},
        {15, 254, 255},
        {1 << AMD_GFX11, 239, 239},                /* src_pops_exiting_wave_id */
        {1 << AMD_GFX11, 251, 252},                /* src_vccz, src_execz */
        {1 << AMD_GFX9 | 1 << AMD_GFX8, 125, 125}, /* null */
        {1 << AMD_GFX8, 104, 105},                 /* xnack_mask: of APUs */
        {1 << AMD_GFX8, 235, 239},                 /* apertures */
    };
    for (size_t n = 0; n < sizeof missing / sizeof *missing; n++)
        if ((missing[n].generations >> g & 1) && code >= missing[n].first && code <= missing[n].last)
            return false;
    return true;
}

/* Words that LLVM should take in full: known opcodes, registers and operands that exist, nothing in bits
 * without a meaning. */
static uint64_t well_formed(enum amd_generation g, struct random *r)
{
    bool old = g == AMD_GFX8 || g == AMD_GFX9;
    struct amd_insn i;
    const struct amd_op *op;
    do
        op = &amd_ops[random_below(r, amd_op_count)];
    while (op->code[g] == AMD_NO_CODE);
    amd_insn_canonical(g, op, &i);
    if (op->kind == AMD_CACHE)
        return amd_encode(g, &i);
    unsigned data = amd_data_registers(g, &i);
    i.glc = random_one_in(r, 2);
    i.dlc = !old && random_one_in(r, 2) && !(g == AMD_GFX10 && op->kind == AMD_ATOMIC);
    if (op->encoding == AMD_SMEM) {
        i.srsrc = 2 * random_below(r, 25);
        i.vdata = (data == 1 ? random_below(r, 102)
                             : random_below(r, (100 - data) / (data > 4 ? 4 : data)) * (data > 4 ? 4 : data));
        i.imm = old && random_one_in(r, 2);
        i.soffset_en = g == AMD_GFX9 && i.imm && random_one_in(r, 2);
        i.offset =
            old && !i.imm
                ? random_below(r, 102)
                : random_u32(r) &
                      0xFFFFF; /* negative ones are refused by the assembler, printed by the disassembler */
        i.soffset = !old || i.soffset_en ? random_below(r, 102) : 0;
        return amd_encode(g, &i);
    }
    i.offset = random_one_in(r, 4) ? 0 : random_below(r, 4096);
    i.slc = random_one_in(r, 2);
    if (op->kind != AMD_STORE_LDS) {
        i.offen = random_one_in(r, 2);
        i.idxen = random_one_in(r, 2);
    }
    i.lds |= op->lds_bit && !(g == AMD_GFX11) && random_one_in(r, 2);
    data = amd_data_registers(g, &i);
    i.tfe = op->encoding == AMD_MUBUF && op->kind == AMD_LOAD && !amd_to_lds(&i) &&
            random_one_in(r, 4); /* on stores LLVM prints it, but does not read it */
    i.vdata = data ? random_below(r, 257 - data - i.tfe) : 0;
    i.vaddr = i.offen || i.idxen ? random_below(r, 257 - i.offen - i.idxen) : 0;
    i.srsrc = random_below(
        r, 26 - old); /* GFX8, GFX9: the disassembler has a name for s[100:103], the assembler refuses it */
    do
        i.soffset = random_below(r, 256);
    while (!has_source(g, i.soffset));
    if (op->encoding == AMD_MTBUF)
        i.format = random_below(r, 128);
    return amd_encode(g, &i);
}

static void test_round_trips(void **state)
{
    unsigned count = support_scaled(2000000);
    struct random r;
    struct text t = {0};
    unsigned raw = 0, leftover = 0;
    (void)state;
    random_seed(&r, 1);
    for (unsigned n = 0; n < count; n++) {
        enum amd_generation g = (enum amd_generation)(n % AMD_GENERATIONS);
        check_round_trip(g,
                         n % 16 == 15 ? random_u64(&r)
                         : n % 3      ? random_word(g, &r)
                                      : well_formed(g, &r),
                         &t);
        raw += t.chars[0] == '.';
        leftover += strchr(t.chars, '{') != NULL;
    }
    print_message("%u words through text and back; %u raw, %u with more than LLVM's text\n", count, raw,
                  leftover);
    assert_true(raw < count / 2 && leftover > count / 10);
    text_free(&t);
}

/* Every bit of every encoding by itself: set, cleared, in the text or not, it comes back. */
static void test_each_bit(void **state)
{
    struct text t = {0};
    unsigned words = 0;
    (void)state;
    for (unsigned g = 0; g < AMD_GENERATIONS; g++)
        for (unsigned n = 0; n < amd_op_count; n++) {
            struct amd_insn i;
            if (amd_ops[n].code[g] == AMD_NO_CODE)
                continue;
            amd_insn_canonical(g, &amd_ops[n], &i);
            uint64_t word = amd_encode(g, &i), covered = 0;
            assert_true(amd_decode(g, word, &i) && i.op == &amd_ops[n]);
            for (const struct bit_field *f = amd_bit_fields(g, word); f->name; f++) {
                uint64_t mask = ((UINT64_C(1) << f->width) - 1) << f->low;
                assert_int_equal(covered & mask, 0);
                covered |= mask;
            }
            assert_true(covered == UINT64_MAX);
            for (unsigned bit = 0; bit < 64; bit++, words++)
                check_round_trip(g, word ^ UINT64_C(1) << bit, &t);
        }
    print_message("%u words, each one bit away from an operation\n", words);
    text_free(&t);
}

/* ---- LLVM ---- */

enum { BATCH = 50000 };

static void need_llvm(void)
{
    if (llvm_mc())
        return;
    print_message("SKIPPED: no llvm-mc-19 (scripts/setup test installs Debian's llvm-19; MISPRINT_LLVM_MC "
                  "names another)\n");
    skip();
}

/* Our text without the leftover group, in place. */
static void drop_leftover(char *text)
{
    char *brace = strstr(text, " {");
    if (brace)
        *brace = 0;
}

/*
 * Words on which LLVM 19 is known to differ from the documents or from itself.
 * Each has a name, is counted, and takes only what its test says.
 */
struct llvm_case {
    enum amd_generation g;
    uint64_t word;
    struct amd_insn insn;
    const char *ours, *theirs; /* theirs: NULL if refused */
};

static bool names_reserved_operand(const struct llvm_case *c)
{
    return !c->theirs && strstr(c->ours, "src[") != NULL;
}

static bool has_reserved_source(const struct llvm_case *c)
{
    const char *at = strstr(c->ours, ", src");
    return !c->theirs && at && at[5] >= '0' && at[5] <= '9';
}

static bool leaves_vgprs(const struct llvm_case *c)
{
    unsigned data = amd_data_registers(c->g, &c->insn) + c->insn.tfe;
    bool vector = c->insn.op->encoding != AMD_SMEM;
    return !c->theirs && vector &&
           (c->insn.vdata + data > 256 || c->insn.vaddr + amd_address_registers(&c->insn) > 256);
}

static bool has_tfe_without_text(const struct llvm_case *c)
{
    return !c->theirs && strstr(c->ours, "TFE=1") != NULL;
}

static bool has_lds_without_form(const struct llvm_case *c)
{
    return !c->theirs && strstr(c->ours, "LDS=1") != NULL;
}

static bool has_dlc_on_atomic(const struct llvm_case *c)
{
    return !c->theirs && c->g == AMD_GFX10 && c->insn.op->kind == AMD_ATOMIC && c->insn.dlc;
}

static bool is_cache_with_operands(const struct llvm_case *c)
{
    return !c->theirs && c->insn.op->kind == AMD_CACHE && strchr(c->ours, '{') != NULL;
}

static bool is_odd_lds_store(const struct llvm_case *c)
{
    return !c->theirs && c->insn.op->kind == AMD_STORE_LDS &&
           (c->insn.offen || c->insn.idxen || !c->insn.lds);
}

static bool is_noted_invalid(const struct llvm_case *c)
{
    return c->theirs && strstr(c->theirs, "Invalid register") != NULL;
}

static bool names_missing_ttmps(const struct llvm_case *c)
{
    return c->theirs && c->g == AMD_GFX8 && c->insn.op->encoding == AMD_SMEM &&
           (strstr(c->theirs, " ttmp[0:15]") || strstr(c->theirs, " ttmp[8:15]"));
}

static const struct {
    const char *name, *why;
    bool (*takes)(const struct llvm_case *c);
} exceptions[] = {
    {"reserved-group", "LLVM refuses groups of scalar registers that have no name, s104 to vcc_hi for one",
     names_reserved_operand},
    {"reserved-source", "LLVM refuses reserved codes of SOFFSET", has_reserved_source},
    {"beyond-v255", "LLVM refuses registers beyond v255", leaves_vgprs},
    {"tfe", "LLVM 19 refuses TFE on MTBUF, atomics and loads to LDS (16 dropped it from the text)",
     has_tfe_without_text},
    {"lds", "LLVM refuses the LDS bit on operations without that form", has_lds_without_form},
    {"dlc-atomic", "LLVM refuses DLC on GFX10's atomics", has_dlc_on_atomic},
    {"cache-operands", "LLVM refuses cache operations some of whose other fields are not 0",
     is_cache_with_operands},
    {"store-lds", "LLVM refuses buffer_store_lds_dword with OFFEN, IDXEN or without LDS", is_odd_lds_store},
    {"noted-invalid", "LLVM prints the word with a note that an operand is invalid", is_noted_invalid},
    {"missing-ttmp", "LLVM names ttmp12 to ttmp15 on GFX8, which has twelve", names_missing_ttmps},
};
enum { EXCEPTIONS = sizeof exceptions / sizeof *exceptions };

struct tally {
    unsigned words, equal, leftover, both_refuse, other_scalar, taken[EXCEPTIONS];
};

static void compare_disassembly(enum amd_generation g, uint64_t word, const char *theirs, struct text *t,
                                struct tally *tally)
{
    struct llvm_case c = {.g = g, .word = word, .ours = printed(g, word, t), .theirs = theirs};
    bool decodes = amd_decode(g, word, &c.insn);
    tally->words++;
    if (!decodes) {
        bool scalar =
            ((word >> 26) & 63) == majors[g][2] && theirs && strncmp(theirs, "s_buffer_load", 13) != 0;
        tally->other_scalar += scalar;
        if (theirs && !scalar)
            fail_msg("%s: %016llx does not decode; LLVM: %s", amd_generation_names[g],
                     (unsigned long long)word, theirs);
        tally->both_refuse += !scalar;
        return;
    }
    char plain[512];
    (void)snprintf(plain, sizeof plain, "%s", c.ours);
    drop_leftover(plain);
    if (theirs && !strcmp(plain, theirs)) {
        tally->equal++;
        tally->leftover += strlen(plain) != strlen(c.ours);
        return;
    }
    for (unsigned n = 0; n < EXCEPTIONS; n++)
        if (exceptions[n].takes(&c)) {
            tally->taken[n]++;
            return;
        }
    fail_msg("%s: %016llx is '%s'; LLVM: %s", amd_generation_names[g], (unsigned long long)word, c.ours,
             theirs ? theirs : "refused");
}

static void print_tally(const char *what, const struct tally *tally)
{
    print_message("%s: %u words compared: %u equal text (%u of them with bits that LLVM does not show), %u "
                  "refused by both, "
                  "%u scalar operations that load from no buffer\n",
                  what, tally->words, tally->equal, tally->leftover, tally->both_refuse, tally->other_scalar);
    for (unsigned n = 0; n < EXCEPTIONS; n++)
        if (tally->taken[n])
            print_message("    exception %s: %u (%s)\n", exceptions[n].name, tally->taken[n],
                          exceptions[n].why);
}

static void disassemble_batch(enum amd_generation g, const char *cpu, const uint64_t *words, size_t count,
                              struct tally *tally)
{
    char **theirs = calloc(count, sizeof *theirs);
    struct text t = {0};
    assert_non_null(theirs);
    if (!llvm_disassemble(cpu, words, count, theirs))
        fail_msg("%s -mcpu=%s: cannot be run or not be understood", llvm_mc(), cpu);
    for (size_t n = 0; n < count; n++)
        compare_disassembly(g, words[n], theirs[n], &t, tally);
    llvm_free(theirs, count);
    free(theirs);
    text_free(&t);
}

/* Any bits: LLVM and we refuse the same words and print the same text, exceptions aside. */
static void test_llvm_disassembles(void **state)
{
    unsigned count = support_scaled(BATCH);
    uint64_t *words = malloc(count * sizeof *words);
    struct random r;
    (void)state;
    need_llvm();
    assert_non_null(words);
    random_seed(&r, 2);
    for (unsigned g = 0; g < AMD_GENERATIONS; g++) {
        struct tally tally = {0};
        for (unsigned n = 0; n < count; n++)
            words[n] = random_word(g, &r);
        disassemble_batch(g, amd_generation_names[g], words, count, &tally);
        print_tally(amd_generation_names[g], &tally);
        assert_true(tally.equal > count / 8);
    }
    free(words);
}

/* All opcodes, with plain operands: each generation has exactly those that LLVM has. */
static void test_llvm_opcodes(void **state)
{
    (void)state;
    need_llvm();
    for (unsigned g = 0; g < AMD_GENERATIONS; g++) {
        uint64_t words[256 + 16 + 2 * 128];
        unsigned count = 0, known_codes = 0;
        struct tally tally = {0};
        struct amd_insn i;
        for (uint32_t code = 0; code < 256; code++)
            words[count++] =
                UINT64_C(0x80020500E0000000) | (uint64_t)(code & 0x7F) << 18 | (uint64_t)(code >> 7) << 25;
        for (uint32_t code = 0; code < 16; code++)
            words[count++] = UINT64_C(0x80020500E8080000) |
                             (g == AMD_GFX10 ? (uint64_t)(code & 7) << 16 | (uint64_t)(code >> 3) << 53
                                             : (uint64_t)code << 15);
        for (uint32_t code = 0; code < 128; code++) /* with the LDS bit */
            words[count++] = UINT64_C(0x80020000E0010000) | (uint64_t)code << 18;
        disassemble_batch(g, amd_generation_names[g], words, count, &tally);
        for (unsigned n = 0; n < count; n++)
            known_codes += amd_decode(g, words[n], &i);
        print_message("%s: %u words with every opcode, %u decode\n", amd_generation_names[g], count,
                      known_codes);
    }
}

static void assemble_batch(enum amd_generation g, const char *cpu, const uint64_t *words, size_t count)
{
    char **ours = calloc(count, sizeof *ours);
    uint64_t *theirs = calloc(count, sizeof *theirs);
    bool *good = calloc(count, sizeof *good);
    struct text t = {0};
    assert_true(ours && theirs && good);
    for (size_t n = 0; n < count; n++)
        ours[n] = strdup(printed(g, words[n], &t));
    if (!llvm_assemble(cpu, ours, count, theirs, good))
        fail_msg("%s -mcpu=%s: cannot be run or not be understood", llvm_mc(), cpu);
    for (size_t n = 0; n < count; n++) {
        if (strchr(ours[n], '{') || !good[n] || theirs[n] != words[n])
            fail_msg("%s: %016llx is '%s'; LLVM assembles that to %016llx%s", cpu,
                     (unsigned long long)words[n], ours[n], (unsigned long long)theirs[n],
                     good[n] ? "" : " (refused)");
    }
    llvm_free(ours, count);
    free(ours);
    free(theirs);
    free(good);
    text_free(&t);
}

/* Well-formed words: LLVM prints exactly our text, and assembles it to the word. No exceptions. */
static void test_llvm_well_formed(void **state)
{
    static const unsigned full[AMD_GENERATIONS] = {2 * BATCH, 20000, 20000, 20000};
    uint64_t *words = malloc(BATCH * sizeof *words);
    struct random r;
    (void)state;
    need_llvm();
    assert_non_null(words);
    random_seed(&r, 3);
    for (unsigned g = 0; g < AMD_GENERATIONS; g++) {
        unsigned count = support_scaled(full[g]), done = 0;
        struct tally tally = {0};
        while (done < count) {
            unsigned now = count - done < BATCH ? count - done : BATCH;
            for (unsigned n = 0; n < now; n++)
                words[n] = well_formed(g, &r);
            disassemble_batch(g, amd_generation_names[g], words, now, &tally);
            assemble_batch(g, amd_generation_names[g], words, now);
            done += now;
        }
        print_message("%s: %u well-formed words, LLVM disassembles and assembles the same\n",
                      amd_generation_names[g], done);
        assert_int_equal(tally.equal, done);
        assert_int_equal(tally.leftover, 0);
    }
    free(words);
}

/* Lines that LLVM 19's assembler takes and loses something of without a word; we refuse them. */
static void test_llvm_defects(void **state)
{
    static const struct {
        enum amd_generation g;
        const char *line, *kept; /* what LLVM's word says */
        const char *error;
    } lines[] = {
        {AMD_GFX11, "buffer_load_b32 v5, off, s[8:11], s3 offset:4096",
         "buffer_load_b32 v5, off, s[8:11], s3",
         "column 45: expected the immediate offset (12 bits, unsigned) from 0 to 4095, found '4096'"},
        {AMD_GFX11, "buffer_load_b32 v5, off, s[8:11], s3 offset:65535",
         "buffer_load_b32 v5, off, s[8:11], s3 offset:4095",
         "column 45: expected the immediate offset (12 bits, unsigned) from 0 to 4095, found '65535'"},
        {AMD_GFX10, "buffer_atomic_add v5, off, s[8:11], s3 glc dlc",
         "buffer_atomic_add v5, off, s[8:11], s3 glc", "column 44: buffer_atomic_add takes no 'dlc'"},
    };
    (void)state;
    need_llvm();
    for (size_t n = 0; n < sizeof lines / sizeof *lines; n++) {
        char line[128];
        char *const text[] = {line};
        struct error e = {0};
        uint64_t word = 0, ours;
        bool good;
        (void)snprintf(line, sizeof line, "%s", lines[n].line);
        assert_true(llvm_assemble(amd_generation_names[lines[n].g], text, 1, &word, &good) && good);
        assert_int_equal(word, parsed(lines[n].g, lines[n].kept));
        assert_false(amd_parse(lines[n].g, lines[n].line, strlen(lines[n].line), &ours, &e));
        assert_string_equal(e.text, lines[n].error);
    }
}

/* ---- words from a compiler ---- */

static const struct {
    const char *file, *cpu;
    enum amd_generation g;
    unsigned lines; /* as the data's README counts them */
} data_files[] = {
    {"compiled-gfx1100.txt", "gfx1100", AMD_GFX11, 356}, {"compiled-gfx1030.txt", "gfx1030", AMD_GFX10, 164},
    {"compiled-gfx900.txt", "gfx900", AMD_GFX9, 157},    {"compiled-gfx802.txt", "gfx802", AMD_GFX8, 246},
    {"random-gfx1100.txt", "gfx1100", AMD_GFX11, 1800},  {"random-gfx906.txt", "gfx906", AMD_GFX9, 300},
    {"random-gfx803.txt", "gfx803", AMD_GFX8, 300},
};

static FILE *open_data(const char *name)
{
    return fopen(support_data("compiler-programs/amd/%s", name), "r");
}

/* One line "MCPU DWORD0 DWORD1 ; TEXT [; note]..."; false if it is none. */
static bool read_data_line(char *line, const char *cpu, uint64_t *word, char **text, bool *vaddr_set)
{
    unsigned low, high;
    char mcpu[16];
    if (sscanf(line, "%15s %8x %8x ;", mcpu, &low, &high) != 3 || line[0] == '#')
        return false;
    assert_string_equal(mcpu, cpu);
    *word = (uint64_t)high << 32 | low;
    *text = strchr(line, ';') + 2;
    *vaddr_set = strstr(*text, "; unused vaddr field not zero") != NULL;
    char *end = strstr(*text, " ;");
    (*text)[end ? (size_t)(end - *text) : strcspn(*text, "\n")] = 0;
    return true;
}

static void test_compiler_words(void **state)
{
    enum { ROOM = 4096 };
    unsigned words = 0, with_llvm = 0;
    struct text t = {0};
    (void)state;
    for (size_t file = 0; file < sizeof data_files / sizeof *data_files; file++) {
        enum amd_generation g = data_files[file].g;
        FILE *f = open_data(data_files[file].file);
        char line[2048], *text;
        uint64_t list[ROOM], word, plain[ROOM];
        unsigned count = 0, plains = 0;
        bool vaddr_set;
        if (!f) {
            print_message("SKIPPED: no compiler-programs/amd/%s in MISPRINT_TEST_DATA\n",
                          data_files[file].file);
            text_free(&t);
            skip();
        }
        while (count < ROOM && fgets(line, sizeof line, f)) {
            if (!read_data_line(line, data_files[file].cpu, &word, &text, &vaddr_set))
                continue;
            check_round_trip(g, word, &t);
            char *brace = strstr(t.chars, " {");
            assert_int_equal(brace != NULL, vaddr_set);
            if (brace)
                *brace = 0;
            assert_string_equal(t.chars, text);
            if (!vaddr_set) {
                assert_int_equal(parsed(g, text), word);
                plain[plains++] = word;
            }
            list[count++] = word;
        }
        fclose(f);
        assert_int_equal(count, data_files[file].lines);
        words += count;
        if (llvm_mc()) {
            struct tally tally = {0};
            disassemble_batch(g, data_files[file].cpu, list, count, &tally);
            assert_int_equal(tally.equal, count);
            assemble_batch(g, data_files[file].cpu, plain, plains);
            with_llvm += count;
        }
    }
    print_message("%u words of a compiler and of two LLVMs' random tests: text and words agree; %u of them "
                  "with this LLVM both ways\n",
                  words, with_llvm);
    text_free(&t);
}

/* ---- people and strangers ---- */

static void test_conveniences(void **state)
{
    static const struct {
        enum amd_generation g;
        const char *written, *same;
    } pairs[] = {
        {AMD_GFX11, "  BUFFER_LOAD_B32 V5 , OFF, S[8:11],  S3   // comment",
         "buffer_load_b32 v5, off, s[8:11], s3"},
        {AMD_GFX11, "buffer_load_b32 v[5:5], v[2:2], s[8:11], 0 offen",
         "buffer_load_b32 v5, v2, s[8:11], 0 offen"},
        {AMD_GFX11, "buffer_load_b32 v5, v2, s[8:11], 0 glc offset:0x10 idxen",
         "buffer_load_b32 v5, v2, s[8:11], 0 idxen offset:16 glc"},
        {AMD_GFX11, "buffer_load_b32 v5, off, s[8:11], 0x10", "buffer_load_b32 v5, off, s[8:11], 16"},
        {AMD_GFX11, "buffer_load_b32 v5, off, s[8:11], -.5", "buffer_load_b32 v5, off, s[8:11], -0.5"},
        {AMD_GFX11, "tbuffer_load_format_x v5, off, s[8:11], 0 format:22",
         "tbuffer_load_format_x v5, off, s[8:11], 0 format:[BUF_FMT_32_FLOAT]"},
        {AMD_GFX9,
         "tbuffer_load_format_x v5, off, s[8:11], 0 format:[BUF_NUM_FORMAT_FLOAT,BUF_DATA_FORMAT_32]",
         "tbuffer_load_format_x v5, off, s[8:11], 0 format:[BUF_DATA_FORMAT_32,BUF_NUM_FORMAT_FLOAT]"},
        {AMD_GFX11, "s_buffer_load_b32 s5, s[4:7], 0", "s_buffer_load_b32 s5, s[4:7], null"},
        {AMD_GFX10, "s_buffer_load_dword s5, s[4:7], 100", "s_buffer_load_dword s5, s[4:7], 0x64"},
        {AMD_GFX11, ".quad 0x80020500E0500000", "buffer_load_b32 v5, off, s[8:11], 0"},
    };
    struct text t = {0};
    (void)state;
    for (size_t n = 0; n < sizeof pairs / sizeof *pairs; n++)
        assert_string_equal(printed(pairs[n].g, parsed(pairs[n].g, pairs[n].written), &t), pairs[n].same);
    text_free(&t);
}

static bool read_instruction(enum amd_generation g, const char *line, size_t count, struct error *e)
{
    uint64_t word;
    return amd_parse(g, line, count, &word, e);
}

static void test_errors(void **state)
{
    static const struct amd_wrong_line wrong[] = {
        {AMD_GFX11, "buffer_load_b23 v5, off, s[8:11], s3",
         "column 1: expected an instruction, found 'buffer_load_b23'; did you mean 'buffer_load_b32'?"},
        {AMD_GFX11, "buffer_load_dword v5, off, s[8:11], s3",
         "column 1: gfx1100 calls 'buffer_load_dword' buffer_load_b32 (--isa, or a case's 'generation', "
         "chooses another)"},
        {AMD_GFX10, "buffer_load_b32 v5, off, s[8:11], s3",
         "column 1: gfx1030 calls 'buffer_load_b32' buffer_load_dword (--isa, or a case's 'generation', "
         "chooses another)"},
        {AMD_GFX11, "buffer_load_b64 v5, off, s[8:11], s3", "column 17: expected 2 data registers, found 1"},
        {AMD_GFX11, "buffer_load_b32 v[5:6], off, s[8:11], s3",
         "column 17: expected 1 data register, found 2"},
        {AMD_GFX11, "buffer_load_b32 v5, v0, s[8:11], s3",
         "column 21: expected 'off' without idxen and offen"},
        {AMD_GFX11, "buffer_load_b32 v5, off, s[8:11], s3 offen",
         "column 21: expected 1 address register, found 0"},
        {AMD_GFX11, "buffer_load_b32 v5, v0, s[8:11], s3 offen idxen",
         "column 21: expected 2 address registers, found 1"},
        {AMD_GFX11, "buffer_load_b32 v5, off, s[9:12], s3",
         "column 26: the first register must be a multiple of 4"},
        {AMD_GFX11, "buffer_load_b32 v5, off, s[8:10], s3", "column 26: expected 4 registers, found 3"},
        {AMD_GFX11, "buffer_load_b32 v5, off, s[104:107], s3", "column 26: gfx1100 has no such registers"},
        {AMD_GFX11, "buffer_load_b32 v5, off, s[8:11], s200", "column 35: gfx1100 has no such registers"},
        {AMD_GFX11, "buffer_load_b32 v5, off, s[8:11], vccz",
         "column 35: expected the offset: an SGPR, m0, null or a number, found 'vccz'; did you mean "
         "'src_vccz'?"},
        {AMD_GFX11, "buffer_load_b32 v5, off, s[8:11], 65",
         "column 35: expected an inline constant: -16 to 64, 0.5, 1.0, 2.0, 4.0, their negatives, or "
         "0.15915494"},
        {AMD_GFX11, "buffer_load_b32 v5, off, s[8:11], -17",
         "column 35: expected an inline constant: -16 to 64, 0.5, 1.0, 2.0, 4.0, their negatives, or "
         "0.15915494"},
        {AMD_GFX11, "buffer_load_b32 v5, off, s[8:11], 0.3",
         "column 35: expected an inline constant: -16 to 64, 0.5, 1.0, 2.0, 4.0, their negatives, or "
         "0.15915494"},
        {AMD_GFX11, "buffer_load_b32 v5, off, s[8:11], s3 offset:4096",
         "column 45: expected the immediate offset (12 bits, unsigned) from 0 to 4095, found '4096'"},
        {AMD_GFX11, "buffer_load_b32 v5, off, s[8:11], s3 offset:-1",
         "column 45: expected the immediate offset (12 bits, unsigned) from 0 to 4095, found '-1'"},
        {AMD_GFX11, "buffer_load_b32 v5, off, s[8:11], s3 gcl",
         "column 38: expected a modifier or the end of the line, found 'gcl'"},
        {AMD_GFX11, "buffer_load_b32 v5, off, s[8:11], s3 glc glc", "column 42: 'glc' is given twice"},
        {AMD_GFX11, "buffer_load_b32 v5, off, s[8:11], s3 lds",
         "column 38: expected a modifier or the end of the line, found 'lds'"},
        {AMD_GFX9, "buffer_load_dword v5, off, s[8:11], s3 dlc",
         "column 40: expected a modifier or the end of the line, found 'dlc'; did you mean 'glc'?"},
        {AMD_GFX11, "buffer_load_b32 v5, off, s[8:11], s3 format:22",
         "column 38: buffer_load_b32 takes no 'format'"},
        {AMD_GFX11, "buffer_atomic_add_u32 v5, off, s[8:11], s3 tfe",
         "column 44: buffer_atomic_add_u32 takes no 'tfe'"},
        {AMD_GFX11, "buffer_load_b32 v256, off, s[8:11], s3", "column 17: VGPRs are v0 to v255"},
        {AMD_GFX11, "buffer_load_b32 v5, off", "column 24: expected ','"},
        {AMD_GFX11, "buffer_load_b32", "column 16: expected VGPRs: v0, v[0:3]"},
        {AMD_GFX11, "tbuffer_load_format_x v5, off, s[8:11], s3 format:[BUF_FMT_32_FLAOT]",
         "column 52: expected BUF_FMT_ and a format of this generation, found '32_FLAOT'; did you mean "
         "'32_FLOAT'?"},
        {AMD_GFX11, "tbuffer_load_format_x v5, off, s[8:11], s3 format:128",
         "column 51: expected a format from 0 to 127, found '128'"},
        {AMD_GFX9, "tbuffer_load_format_x v5, off, s[8:11], s3 format:[BUF_FMT_32_FLOAT]",
         "column 52: expected BUF_DATA_FORMAT_... or BUF_NUM_FORMAT_...: 32, 8_8_8_8, ... and UNORM, FLOAT, "
         "..."},
        {AMD_GFX11, "buffer_load_lds_b32 v5, off, s[8:11], s3",
         "column 21: a load to LDS has no data register: remove it, or 'lds'"},
        {AMD_GFX9, "buffer_load_dword v5, off, s[8:11], s3 lds",
         "column 19: a load to LDS has no data register: remove it, or 'lds'"},
        {AMD_GFX9, "buffer_load_dword off, s[8:11], s3", "column 19: expected 1 data register first"},
        {AMD_GFX11, "s_buffer_load_b64 s[5:6], s[4:7], 0x10",
         "column 19: the first register must be a multiple of 2"},
        {AMD_GFX11, "s_buffer_load_b32 s5, s[2:5], 0x10",
         "column 23: the first register must be a multiple of 4"},
        {AMD_GFX11, "s_buffer_load_b32 s5, s[4:7], 0x100000", "column 31: the offset has 21 bits and a sign"},
        {AMD_GFX8, "s_buffer_load_dword s5, s[4:7], -4", "column 33: the offset has 20 bits without a sign"},
        {AMD_GFX11, "buffer_gl0_inv v5", "column 16: expected the end of the line"},
        {AMD_GFX11, "buffer_load_b32 v5, off, s[8:11], 0 {VADR=7}",
         "column 38: expected a field of this encoding, found 'VADR'; did you mean 'VADDR'?"},
        {AMD_GFX11, "buffer_load_b32 v5, off, s[8:11], 0 {VADDR=256}",
         "column 44: expected the field's value from 0 to 255, found '256'"},
        {AMD_GFX11, "buffer_load_b32 v5, off, s[8:11], 0 {OP=3}",
         "column 38: the instruction's name determines OP: it cannot be set here"},
        {AMD_GFX11, ".quad 0x1ffffffffffffffff", "column 7: expected the 64-bit word behind .quad"},
        {AMD_GFX11, ".long 3", "column 2: expected .quad"},
        {AMD_GFX9, "buffer_atomic_csub v5, off, s[8:11], s3",
         "column 1: expected an instruction, found 'buffer_atomic_csub'; did you mean 'buffer_atomic_sub'?"},
        {AMD_GFX11, "buffer_atomic_fmin_x2 v[5:6], off, s[8:11], s3",
         "column 1: gfx1100 has no 'buffer_atomic_fmin_x2' (--isa, or a case's 'generation', chooses "
         "another)"},
    };
    (void)state;
    amd_expect_errors(wrong, sizeof wrong / sizeof *wrong, read_instruction);
}

/* Text with characters changed, dropped and doubled, and plain noise: an answer or an error, never more; what
 * is read round-trips. */
static void test_garbage(void **state)
{
    unsigned count = support_scaled(300000), read = 0;
    struct random r;
    struct text t = {0}, again = {0};
    (void)state;
    random_seed(&r, 4);
    for (unsigned n = 0; n < count; n++) {
        enum amd_generation g = (enum amd_generation)(n % AMD_GENERATIONS);
        struct error e = {0};
        uint64_t word;
        (void)printed(g, well_formed(g, &r), &t);
        for (unsigned changes = 1 + random_below(&r, 3); changes > 0; changes--) {
            static const char likely[] = "0123456789 ,:[]{}=-.vsxe/\t_";
            char *at = t.chars + random_below(&r, (uint32_t)t.length);
            *at = random_one_in(&r, 8) ? (char)random_u32(&r) : likely[random_below(&r, sizeof likely - 1)];
            if (random_one_in(&r, 4) && t.length > 2)
                t.length = random_below(&r, (uint32_t)t.length - 1) + 1;
        }
        if (amd_parse(g, t.chars, t.length, &word, &e)) {
            check_round_trip(g, word, &again);
            read++;
        } else {
            assert_true(strncmp(e.text, "column ", 7) == 0);
        }
    }
    print_message("%u spoilt lines, %u of them still instructions\n", count, read);
    assert_true(read > 0 && read < count);
    text_free(&t);
    text_free(&again);
}

/* The generator's and mutator's words decode, print and come back. */
static void test_generator(void **state)
{
    enum { COUNT = 100000 }; /* not scaled: enough to meet every operation */
    struct random r;
    struct text t = {0};
    (void)state;
    random_seed(&r, 5);
    for (unsigned g = 0; g < AMD_GENERATIONS; g++) {
        bool seen[256] = {0};
        unsigned ops = 0, has = 0;
        for (unsigned n = 0; n < COUNT / AMD_GENERATIONS; n++) {
            uint32_t words[2];
            struct amd_insn i;
            amd_code[g].generate(&r, words);
            for (unsigned times = n % 4; times > 0; times--)
                amd_code[g].mutate(&r, words);
            uint64_t word = (uint64_t)words[1] << 32 | words[0];
            assert_true(amd_decode(g, word, &i));
            seen[i.op - amd_ops] = true;
            check_round_trip(g, word, &t);
        }
        for (unsigned n = 0; n < amd_op_count; n++) {
            has += amd_ops[n].code[g] != AMD_NO_CODE;
            ops += seen[n];
        }
        assert_int_equal(ops, has);
    }
    text_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known),
        cmocka_unit_test(test_beyond_llvm),
        cmocka_unit_test(test_each_bit),
        cmocka_unit_test(test_round_trips),
        cmocka_unit_test(test_generator),
        cmocka_unit_test(test_conveniences),
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_garbage),
        cmocka_unit_test(test_compiler_words),
        cmocka_unit_test(test_llvm_opcodes),
        cmocka_unit_test(test_llvm_defects),
        cmocka_unit_test(test_llvm_disassembles),
        cmocka_unit_test(test_llvm_well_formed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
