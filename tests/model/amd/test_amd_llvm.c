/* SPDX-License-Identifier: MIT */
/* The text of buffer instructions compared with LLVM 19's, for random words, all opcodes, valid words, and
 * words that a compiler emitted. */
#include "model/core/units.h"
#include "tests/model/amd/support_amd_text.h"
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

enum { BATCH = 50000 };

static void need_llvm(void)
{
    if (llvm_mc())
        return;
    print_message("SKIPPED: no llvm-mc-19 (scripts/setup test installs Debian's llvm-19; MISPRINT_LLVM_MC "
                  "names another)\n");
    skip();
}

/* Removes the group of fields in braces, which LLVM does not print. */
static void drop_extra_fields(char *text)
{
    char *brace = strstr(text, " {");
    if (brace)
        *brace = 0;
}

/* A word for which LLVM's text differs from ours. */
struct llvm_case {
    enum amd_generation g;
    uint64_t word;
    struct amd_insn insn;
    const char *ours, *theirs; /* `theirs`: LLVM's text; NULL if LLVM refuses the word */
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
           (c->insn.vdata % AMD_ACC + data > 256 || c->insn.vaddr + amd_address_registers(&c->insn) > 256);
}

static bool has_tfe_without_text(const struct llvm_case *c)
{
    return !c->theirs && strstr(c->ours, "TFE=1") != NULL;
}

static bool has_lds_without_lds_form(const struct llvm_case *c)
{
    return !c->theirs && strstr(c->ours, "LDS=1") != NULL;
}

static bool has_dlc_on_atomic(const struct llvm_case *c)
{
    return !c->theirs && c->g == AMD_GFX10 && c->insn.op->kind == AMD_ATOMIC && c->insn.dlc;
}

static bool has_scc_on_float_atomic(const struct llvm_case *c)
{
    return !c->theirs && c->g == AMD_GFX90A && c->insn.scc && c->insn.op->kind == AMD_ATOMIC &&
           c->insn.op->code[AMD_GFX9] == AMD_NO_CODE;
}

static bool has_acc_without_vdata(const struct llvm_case *c)
{
    return !c->theirs && strstr(c->ours, "ACC=1") != NULL;
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
    bool (*applies)(const struct llvm_case *c);
} exceptions[] = {
    /* known cases in which LLVM 19 differs from the documents or from itself */
    {"reserved-group", "LLVM refuses groups of scalar registers without a name, such as s104 to vcc_hi",
     names_reserved_operand},
    {"reserved-source", "LLVM refuses reserved codes of SOFFSET", has_reserved_source},
    {"beyond-v255", "LLVM refuses registers beyond v255", leaves_vgprs},
    {"tfe", "LLVM 19 refuses TFE on MTBUF, atomics and loads to LDS (LLVM 16 does not print it)",
     has_tfe_without_text},
    {"lds", "LLVM refuses the LDS bit on operations without an LDS form", has_lds_without_lds_form},
    {"dlc-atomic", "LLVM refuses DLC on GFX10's atomics", has_dlc_on_atomic},
    {"scc-float", "LLVM refuses SCC on gfx90a's atomics of floats", has_scc_on_float_atomic},
    {"acc", "LLVM refuses ACC on loads to LDS and on operations without data", has_acc_without_vdata},
    {"cache-operands", "LLVM refuses cache operations with other fields that are not 0",
     is_cache_with_operands},
    {"store-lds", "LLVM refuses buffer_store_lds_dword with OFFEN, IDXEN or without LDS", is_odd_lds_store},
    {"noted-invalid", "LLVM prints the word with a note that an operand is invalid", is_noted_invalid},
    {"missing-ttmp", "LLVM names ttmp12 to ttmp15 on GFX8, which has twelve", names_missing_ttmps},
};
enum { EXCEPTIONS = sizeof exceptions / sizeof *exceptions };

struct tally {
    unsigned words, equal, extra_fields, both_refuse, other_scalar, excepted[EXCEPTIONS];
};

static void compare_disassembly(enum amd_generation g, uint64_t word, const char *theirs, struct text *t,
                                struct tally *tally)
{
    struct llvm_case c = {.g = g, .word = word, .ours = amd_test_print(g, word, t), .theirs = theirs};
    bool decodes = amd_decode(g, word, &c.insn);
    tally->words++;
    if (!decodes) {
        bool scalar = amd_test_is_scalar(g, word) && theirs && strncmp(theirs, "s_buffer_", 9) != 0;
        tally->other_scalar += scalar;
        if (theirs && !scalar)
            fail_msg("%s: %016llx does not decode; LLVM: %s", amd_generation_names[g],
                     (unsigned long long)word, theirs);
        tally->both_refuse += !scalar;
        return;
    }
    char plain[512];
    (void)snprintf(plain, sizeof plain, "%s", c.ours);
    drop_extra_fields(plain);
    if (theirs && !strcmp(plain, theirs)) {
        tally->equal++;
        tally->extra_fields += strlen(plain) != strlen(c.ours);
        return;
    }
    for (unsigned n = 0; n < EXCEPTIONS; n++)
        if (exceptions[n].applies(&c)) {
            tally->excepted[n]++;
            return;
        }
    fail_msg("%s: %016llx is '%s'; LLVM: %s", amd_generation_names[g], (unsigned long long)word, c.ours,
             theirs ? theirs : "refused");
}

static void print_tally(const char *what, const struct tally *tally)
{
    print_message("%s: %u words: %u with equal text (%u of these with fields that LLVM does not print), %u "
                  "refused by both, %u other scalar operations\n",
                  what, tally->words, tally->equal, tally->extra_fields, tally->both_refuse,
                  tally->other_scalar);
    for (unsigned n = 0; n < EXCEPTIONS; n++)
        if (tally->excepted[n])
            print_message("    exception %s: %u (%s)\n", exceptions[n].name, tally->excepted[n],
                          exceptions[n].why);
}

static void disassemble_batch(enum amd_generation g, const char *cpu, const uint64_t *words, size_t count,
                              struct tally *tally)
{
    char **theirs = calloc(count, sizeof *theirs);
    struct text t = {0};
    assert_non_null(theirs);
    if (!llvm_disassemble(cpu, words, count, theirs))
        fail_msg("%s -mcpu=%s: cannot be run, or its output is not understood", llvm_mc(), cpu);
    for (size_t n = 0; n < count; n++)
        compare_disassembly(g, words[n], theirs[n], &t, tally);
    llvm_free(theirs, count);
    free(theirs);
    text_free(&t);
}

/* For random bits LLVM and we refuse the same words and print the same text, with the exceptions above. */
static void test_random_words(void **state)
{
    unsigned count = support_scaled(BATCH);
    uint64_t *words = malloc(count * sizeof *words);
    struct random r;
    (void)state;
    need_llvm();
    assert_non_null(words);
    random_seed(&r, 2);
    for (unsigned g = 0; g < AMD_GFX12; g++) {
        struct tally tally = {0};
        for (unsigned n = 0; n < count; n++)
            words[n] = amd_test_random_word(g, &r);
        disassemble_batch(g, amd_generation_names[g], words, count, &tally);
        print_tally(amd_generation_names[g], &tally);
        assert_true(tally.equal > count / 8);
    }
    free(words);
}

/* For chips that share another chip's instruction set, LLVM prints the text that we print for the other
 * chip. */
static void test_chips(void **state)
{
    enum { WORDS = 24000 };
    unsigned count = support_scaled(WORDS);
    uint64_t *words = malloc(count * sizeof *words);
    struct random r;
    (void)state;
    need_llvm();
    assert_non_null(words);
    random_seed(&r, 7);
    for (const struct chip_alias *a = amd_buffer_unit.chips; a->name; a++) {
        if (!strcmp(a->same_as, amd_generation_names[AMD_GFX12])) /* test_amd_gfx12.c tests these */
            continue;
        struct tally tally = {0};
        unsigned g = 0;
        while (g < AMD_GENERATIONS && strcmp(amd_generation_names[g], a->same_as) != 0)
            g++;
        assert_true(g < AMD_GENERATIONS);
        for (unsigned n = 0; n < count; n++)
            words[n] = amd_test_random_word((enum amd_generation)g, &r);
        disassemble_batch((enum amd_generation)g, a->name, words, count, &tally);
        print_message("%s: %u words are those of %s: %u with equal text, %u refused by both\n", a->name,
                      tally.words, a->same_as, tally.equal, tally.both_refuse);
        assert_true(tally.equal > count / 8);
    }
    free(words);
}

/* With all opcodes and plain operands: each generation has exactly the opcodes that LLVM has. */
static void test_opcodes(void **state)
{
    (void)state;
    need_llvm();
    for (unsigned g = 0; g < AMD_GFX12; g++) {
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
        ours[n] = strdup(amd_test_print(g, words[n], &t));
    if (!llvm_assemble(cpu, ours, count, theirs, good))
        fail_msg("%s -mcpu=%s: cannot be run, or its output is not understood", llvm_mc(), cpu);
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

/* For valid words LLVM prints the same text as we do, and assembles this text to the same word, without
 * exceptions. */
static void test_valid_words(void **state)
{
    static const unsigned full[AMD_GENERATIONS] = {2 * BATCH, 20000, 20000, 20000, 20000, 20000};
    uint64_t *words = malloc(BATCH * sizeof *words);
    struct random r;
    (void)state;
    need_llvm();
    assert_non_null(words);
    random_seed(&r, 3);
    for (unsigned g = 0; g < AMD_GFX12; g++) {
        unsigned count = support_scaled(full[g]), done = 0;
        struct tally tally = {0};
        while (done < count) {
            unsigned now = count - done < BATCH ? count - done : BATCH;
            for (unsigned n = 0; n < now; n++)
                words[n] = amd_test_random_valid_word(g, &r);
            disassemble_batch(g, amd_generation_names[g], words, now, &tally);
            assemble_batch(g, amd_generation_names[g], words, now);
            done += now;
        }
        print_message("%s: LLVM disassembles and assembles %u valid words as we do\n",
                      amd_generation_names[g], done);
        assert_int_equal(tally.equal, done);
        assert_int_equal(tally.extra_fields, 0);
    }
    free(words);
}

/* ---- other spellings ---- */

enum {
    NEW = 1 << AMD_GFX11,
    MIDDLE = 1 << AMD_GFX10,
    OLD = 1 << AMD_GFX9 | 1 << AMD_GFX8 | AMD_CDNA,
    ANY = AMD_ALL_GENERATIONS
};

static const struct {
    unsigned generations;
    const char *line;
} spellings[] = {
    {NEW, "tbuffer_load_format_d16_x v4, off, s[8:11], s3 format:22"},
    {NEW | MIDDLE, "tbuffer_load_format_x v4, off, s[8:11], format:22, s3"},
    {NEW | MIDDLE, "tbuffer_load_format_x v4, off, s[8:11], format:10+12 s3"},
    {NEW | MIDDLE, "tbuffer_load_format_x v4, off, s[8:11], format:0x16, 0x10"},
    {ANY, "tbuffer_load_format_x v4, off, s[8:11], s3, format:22"},
    {ANY, "tbuffer_load_format_x v4, off, s[8:11], s3 format:[BUF_DATA_FORMAT_32,BUF_NUM_FORMAT_FLOAT]"},
    {ANY, "tbuffer_load_format_x v4, off, s[8:11], s3 format:[BUF_NUM_FORMAT_FLOAT,BUF_DATA_FORMAT_32]"},
    {ANY, "tbuffer_load_format_x v4, off, s[8:11], s3 format:[BUF_NUM_FORMAT_UNORM]"},
    {ANY, "tbuffer_load_format_x v4, off, s[8:11], s3 format:[BUF_DATA_FORMAT_16]"},
    {OLD, "tbuffer_load_format_x v4, off, s[8:11], dfmt:4, nfmt:7, s3"},
    {OLD, "tbuffer_load_format_x v4, off, s[8:11], nfmt:7, dfmt:4, s3 offset:4"},
    {OLD, "tbuffer_load_format_x v4, off, s[8:11], dfmt:4 nfmt:7 s3"},
    {OLD, "tbuffer_load_format_x v4, off, s[8:11], dfmt:4, s3"},
    {OLD, "tbuffer_load_format_x v4, off, s[8:11], nfmt:7, s3"},
    {ANY, "buffer_store_dword v[5], off, [s8,s9,s10,s11], s[3]"},
    {ANY, "buffer_store_dword [v5], v[1+1], s[2*4:2*4+3], 0x40 offen"},
    {ANY, "buffer_store_dwordx2 [v6,v7], off, [ttmp4,ttmp5,ttmp6,ttmp7], ttmp[5]"},
    {ANY, "buffer_store_dword v5, off, s[8:11], 0x3f000000"},
    {ANY, "buffer_store_dword v5, off, s[8:11], 0x3f8 << 20"},
    {ANY, "buffer_store_dword v5, off, s[8:11], 0xfffffff0"},
    {ANY, "buffer_store_dword v5, off, s[8:11], -0x10"},
    {ANY, "buffer_store_dword v5, off, s[8:11], - 16"},
    {ANY, "buffer_store_dword v5, off, s[8:11], ~0"},
    {ANY, "buffer_store_dword v5, off, s[8:11], 9-2-3"},
    {ANY, "buffer_store_dword v5, off, s[8:11], 2*3+1<<2"},
    {ANY, "buffer_store_dword v5, off, s[8:11], 2|4&1"},
    {ANY, "buffer_store_dword v5, off, s[8:11], 7^2+1"},
    {ANY, "buffer_store_dword v5, off, s[8:11], 64>>1+1"},
    {ANY, "buffer_store_dword v5, off, s[8:11], -7/2"},
    {ANY, "buffer_store_dword v5, off, s[8:11], -7%4"},
    {ANY, "buffer_store_dword v5, off, s[8:11], 0b11"},
    {ANY, "buffer_store_dword v5, off, s[8:11], 010"},
    {ANY, "buffer_store_dword v5, off, s[8:11], 0.15915494309189532"},
    {ANY, "buffer_store_dword v5, off, s[8:11], s3 offset:10+6"},
    {ANY, "buffer_store_dword v5, off, s[8:11], s3 offset :(10+6)*2 // comment"},
    {ANY, "buffer_store_dword v5 /* data */, off, s[8:11], s3 offset:010 ; encoding: [0x00]"},
    {ANY, "s_buffer_load_dwordx2 [vcc_lo,vcc_hi], [s4,s5,s6,s7], 0x60+4"},
    {NEW | MIDDLE | 1 << AMD_GFX9 | AMD_CDNA, "s_buffer_load_dword s[5], s[4:7], s[2] offset:1+1"},
    {NEW | MIDDLE | 1 << AMD_GFX9 | AMD_CDNA, "s_buffer_load_dword s5, s[4:7], s2, offset:2"},
};

static void compare_spelling(enum amd_generation g, const char *text)
{
    char line[256];
    char *const lines[] = {line};
    uint64_t word = 0;
    bool good;
    (void)snprintf(line, sizeof line, "%s", text);
    assert_true(llvm_assemble(amd_generation_names[g], lines, 1, &word, &good));
    if (!good || word != amd_test_parse(g, line))
        fail_msg("%s: '%s' is %016llx; LLVM: %s%016llx", amd_generation_names[g], line,
                 (unsigned long long)amd_test_parse(g, line), good ? "" : "refused, ",
                 (unsigned long long)word);
}

/* LLVM parses text in other common spellings to the same word as we do. */
static void test_spellings(void **state)
{
    unsigned lines = 0;
    (void)state;
    need_llvm();
    for (unsigned g = 0; g < AMD_GFX12; g++)
        for (size_t n = 0; n < sizeof spellings / sizeof *spellings; n++)
            if (spellings[n].generations >> g & 1) {
                compare_spelling((enum amd_generation)g, spellings[n].line);
                lines++;
            }
    print_message("%u lines that we never print, assembled as LLVM does\n", lines);
}

/* Each old name of a GFX11 operation, with the operands of the new name. */
static void test_old_names(void **state)
{
    struct text t = {0};
    unsigned names = 0;
    (void)state;
    need_llvm();
    for (const struct amd_op *op = amd_ops; op < amd_ops + amd_op_count; op++) {
        struct amd_insn i;
        char line[256];
        if (op->code[AMD_GFX11] == AMD_NO_CODE || !strcmp(op->name, op->old_name) ||
            !strcmp(op->old_name, "NONE"))
            continue;
        amd_insn_canonical(AMD_GFX11, op, &i);
        const char *operands = strchr(amd_test_print(AMD_GFX11, amd_encode(AMD_GFX11, &i), &t), ' ');
        (void)snprintf(line, sizeof line, "%s%s", op->old_name, operands ? operands : "");
        compare_spelling(AMD_GFX11, line);
        names++;
    }
    print_message("%u old names of GFX11's operations\n", names);
    text_free(&t);
}

/* LLVM 19's assembler silently ignores a part of these lines. We refuse them. */
static void test_lossy_lines(void **state)
{
    static const struct {
        enum amd_generation g;
        const char *line, *kept; /* `kept`: LLVM's text of the word that it assembles */
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
        assert_int_equal(word, amd_test_parse(lines[n].g, lines[n].kept));
        assert_false(amd_parse(lines[n].g, lines[n].line, strlen(lines[n].line), &ours, &e));
        assert_string_equal(e.text, lines[n].error);
    }
}

/* ---- words from a compiler ---- */

static const struct {
    const char *file, *cpu;
    enum amd_generation g;
    unsigned lines; /* as stated in the README of the data */
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

/* Parses a line "MCPU DWORD0 DWORD1 ; TEXT [; note]...". Returns false for other lines. */
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
            amd_test_round_trip(g, word, &t);
            char *brace = strstr(t.chars, " {");
            assert_int_equal(brace != NULL, vaddr_set);
            if (brace)
                *brace = 0;
            assert_string_equal(t.chars, text);
            if (!vaddr_set) {
                assert_int_equal(amd_test_parse(g, text), word);
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
    print_message(
        "text and words agree for %u words of a compiler and of random tests of two LLVMs; for %u of "
        "them also with this LLVM\n",
        words, with_llvm);
    text_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_compiler_words), cmocka_unit_test(test_opcodes),
        cmocka_unit_test(test_lossy_lines),    cmocka_unit_test(test_random_words),
        cmocka_unit_test(test_valid_words),    cmocka_unit_test(test_spellings),
        cmocka_unit_test(test_old_names),      cmocka_unit_test(test_chips),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
