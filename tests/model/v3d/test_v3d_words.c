/* SPDX-License-Identifier: MIT */
/*
 * Words of the V3D QPU: decoded, encoded, printed and parsed. Expectations are Mesa's: the vectors of its
 * disassembler's test, and its disassembly of programs that its compiler made (given data, not part of the
 * project). Random words must round trip.
 */
#include "model/number/random.h"
#include "model/v3d/v3d_insn.h"
#include "tests/model/v3d/support_v3d_mesa.h"
#include "tests/support/support_units.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { LINE_CHARS = 512 };

static void print(enum v3d_generation g, uint64_t word, char *line)
{
    struct text t = {0};
    v3d_print(g, word, &t);
    assert_true(t.length < LINE_CHARS);
    strcpy(line, text_chars(&t));
    text_free(&t);
}

static uint64_t parse(enum v3d_generation g, const char *line)
{
    struct error e = {0};
    uint64_t word = 0;
    if (!v3d_parse(g, line, strlen(line), &word, &e))
        fail_msg("%s: %s: %s", v3d_generation_names[g], line, e.text);
    return word;
}

/* Cuts off what Mesa's text does not have: the fields that it does not print. */
static bool cut_leftover(char *line)
{
    char *brace = strstr(line, " {");
    if (brace)
        *brace = 0;
    return brace != NULL;
}

/* The word's text is Mesa's, up to fields that Mesa does not print, and gives the word back. */
static bool check_word(enum v3d_generation g, uint64_t word, const char *mesa)
{
    char line[LINE_CHARS];
    print(g, word, line);
    assert_int_equal(parse(g, line), word);
    bool leftover = cut_leftover(line);
    assert_string_equal(line, mesa);
    return leftover;
}

static void mesa_test_vectors(void **state)
{
    (void)state;
    unsigned leftovers = 0, exact = 0;
    for (unsigned n = 0; n < sizeof mesa_vectors / sizeof *mesa_vectors; n++) {
        enum v3d_generation g = mesa_vectors[n].version == 71 ? V3D_71 : V3D_42;
        uint64_t word = mesa_vectors[n].word;
        leftovers += check_word(g, word, mesa_vectors[n].text);
        exact += parse(g, mesa_vectors[n].text) == word;
    }
    assert_int_equal(exact + leftovers, sizeof mesa_vectors / sizeof *mesa_vectors);
    assert_int_equal(leftovers, 5); /* idle halves of 7.1 with write address 0; compiled programs have 6 */
}

/* Mesa's test exchanges the operands of these operations, and expects its encoder to exchange them again. */
static void operands_of_pairs_are_put_in_order(void **state)
{
    (void)state;
    unsigned tried = 0;
    for (unsigned n = 0; n < sizeof mesa_vectors / sizeof *mesa_vectors; n++) {
        enum v3d_generation g = mesa_vectors[n].version == 71 ? V3D_71 : V3D_42;
        struct v3d_insn i;
        uint64_t word;
        assert_true(v3d_decode(g, mesa_vectors[n].word, &i));
        struct v3d_half *h = &i.half[V3D_ADD];
        if (i.is_branch ||
            (h->op != V3D_A_FADD && h->op != V3D_A_FADDNF && h->op != V3D_A_FMIN && h->op != V3D_A_FMAX))
            continue;
        struct v3d_operand first = h->src[0];
        h->src[0] = h->src[1];
        h->src[1] = first;
        assert_true(v3d_encode(g, &i, &word));
        assert_int_equal(word, mesa_vectors[n].word);
        tried++;
    }
    assert_int_equal(tried, 7);
}

/* ---- programs of Mesa's compiler ---- */

/* Runs of spaces as one space, none at the end and before ';'. */
static void squeeze(char *line)
{
    char *to = line;
    for (const char *from = line; *from; from++)
        if (*from != ' ' || (from[1] && from[1] != ' ' && from[1] != ';' && from[1] != '\n'))
            *to++ = *from;
    *to = 0;
}

struct counts {
    unsigned programs, words, misprints;
};

static void check_line(enum v3d_generation g, char *text, bool misprinted, struct counts *c)
{
    char ours[LINE_CHARS], *end;
    uint64_t word = strtoull(text, &end, 16);
    assert_memory_equal(end, " ;", 2);
    print(g, word, ours);
    assert_int_equal(parse(g, ours), word);
    cut_leftover(ours);
    squeeze(ours);
    squeeze(end + 2);
    char *mesa = end + 2 + strspn(end + 2, " ");
    if (!misprinted) {
        assert_string_equal(ours, mesa);
        return;
    }
    /* Mesa prints another modifier of the MUL half's fmov. The note before the line has the right one. */
    assert_string_not_equal(ours, mesa);
    assert_non_null(strstr(ours, "; fmov "));
    c->misprints++;
}

static void check_programs(enum v3d_generation g, FILE *f, struct counts *c)
{
    char line[LINE_CHARS], note[LINE_CHARS] = "";
    bool code = false;
    while (fgets(line, sizeof line, f)) {
        line[strcspn(line, "\n")] = 0;
        if (!strncmp(line, "# note: ", 8)) {
            strcpy(note, line);
        } else if (!strncmp(line, "program ", 8)) {
            c->programs++;
        } else if (!strcmp(line, "code") || !strcmp(line, "end")) {
            code = line[0] == 'c';
        } else if (code && line[0] != '#') {
            char ours[LINE_CHARS];
            print(g, strtoull(line, NULL, 16), ours);
            if (*note) { /* # note: the next word's mul half is "fmov rf17, rf16.nsat"; ... */
                char *quoted = strchr(note, '"') + 1;
                *strchr(quoted, '"') = 0;
                assert_non_null(strstr(ours, quoted));
            }
            check_line(g, line, *note != 0, c);
            *note = 0;
            c->words++;
        }
    }
}

static void compiled_programs(void **state)
{
    (void)state;
    static const char *const files[V3D_GENERATIONS] = {"v42", "v71"};
    struct counts c = {0};
    for (unsigned g = 0; g < V3D_GENERATIONS; g++) {
        FILE *f = fopen(support_data("compiler-programs/v3d/%s.txt", files[g]), "r");
        if (!f)
            skip();
        check_programs((enum v3d_generation)g, f, &c);
        fclose(f);
    }
    printf("%u programs, %u words, %u that Mesa misprints\n", c.programs, c.words, c.misprints);
    assert_int_equal(c.programs, 151 + 161);
    assert_int_equal(c.words, 9417 + 9441);
    assert_int_equal(c.misprints, 16);
}

/* ---- words of other assemblers ---- */

/* What the program asked py-videocore's assembler for is what its word means, and what our assembler makes of
 * the same request (corpus/v3d-qpu/words). */
static void words_of_other_assemblers(void **state)
{
    (void)state;
    static const struct {
        const char *file;
        unsigned words, branches;
    } sets[V3D_GENERATIONS] = {{"v42.txt", 1192, 37}, {"v71.txt", 1181, 22}};
    for (unsigned s = 0; s < V3D_GENERATIONS; s++) {
        enum v3d_generation g = (enum v3d_generation)s;
        char line[LINE_CHARS], ours[LINE_CHARS], path[1024], *text;
        unsigned words = 0, branches = 0;
        (void)snprintf(path, sizeof path, MISPRINT_SOURCE_DIR "/corpus/v3d-qpu/words/%s", sets[s].file);
        FILE *f = fopen(path, "r");
        assert_non_null(f);
        for (; fgets(line, sizeof line, f); words++) {
            struct v3d_insn theirs, same;
            line[strcspn(line, "\n")] = 0;
            uint64_t word = strtoull(line, &text, 16);
            assert_true(v3d_decode(g, word, &theirs));
            print(g, word, ours);
            assert_int_equal(parse(g, ours), word);
            branches += theirs.is_branch;
            assert_int_equal(theirs.is_branch, !strcmp(text, " -"));
            if (theirs.is_branch)
                continue;
            assert_true(v3d_decode(g, parse(g, text), &same));
            if (memcmp(&theirs, &same, sizeof same) != 0)
                fail_msg("%s means otherwise %s", line, ours);
        }
        fclose(f);
        assert_int_equal(words, sets[s].words);
        assert_int_equal(branches, sets[s].branches);
    }
}

/* ---- random words ---- */

static void fail_word(enum v3d_generation g, uint64_t word, const char *why)
{
    char line[LINE_CHARS];
    print(g, word, line);
    fail_msg("%s: %016" PRIx64 " (%s) %s", v3d_generation_names[g], word, line, why);
}

static void check_text(enum v3d_generation g, uint64_t word, bool defined)
{
    char line[LINE_CHARS];
    print(g, word, line);
    if (parse(g, line) != word)
        fail_word(g, word, "does not come back from its text");
    if (defined != (line[0] != '.'))
        fail_word(g, word, "prints as data, or reserved and does not");
}

static void random_words_round_trip(void **state)
{
    (void)state;
    struct random r;
    random_seed(&r, 24);
    for (unsigned g = 0; g < V3D_GENERATIONS; g++) {
        unsigned count = support_scaled(1000000), defined = 0;
        bool all = getenv("MISPRINT_TEST_LONG") != NULL;
        for (unsigned n = 0; n < count; n++) {
            struct v3d_insn i, again;
            uint64_t word = random_u64(&r), simplest;
            if (random_one_in(&r, 8)) /* branches are rare */
                word = (word & ((UINT64_C(1) << 56) - 1)) | UINT64_C(2) << 56;
            bool good = v3d_decode((enum v3d_generation)g, word, &i);
            if (good != (i.reserved == V3D_DEFINED))
                fail_word((enum v3d_generation)g, word, "has a reason without being reserved, or none");
            if (all || n % 16 == 0)
                check_text((enum v3d_generation)g, word, good);
            if (!good)
                continue;
            defined++;
            if (!v3d_encode((enum v3d_generation)g, &i, &simplest) ||
                !v3d_decode((enum v3d_generation)g, simplest, &again) || memcmp(&i, &again, sizeof i) != 0)
                fail_word((enum v3d_generation)g, word, "means something else after encoding");
        }
        assert_true(defined > count / 5 && defined < count * 3 / 5);
    }
}

/* Generated and mutated instructions are no data, and decode. */
static void generated_instructions_decode(void **state)
{
    (void)state;
    struct random r;
    random_seed(&r, 25);
    for (unsigned g = 0; g < V3D_GENERATIONS; g++)
        for (unsigned n = support_scaled(20000); n; n--) {
            uint32_t words[2];
            struct v3d_insn i;
            v3d_code[g].generate(&r, words);
            assert_true(v3d_decode((enum v3d_generation)g, v3d_join(words), &i));
            for (unsigned m = 0; m < 4; m++) {
                v3d_code[g].mutate(&r, words);
                assert_true(v3d_decode((enum v3d_generation)g, v3d_join(words), &i));
            }
        }
}

/* ---- reserved words ---- */

/* Words that Mesa's decoder refuses, or that it decodes with a name that it does not have: the nop with one
 * field changed. */
static void reserved_words_are_data(void **state)
{
    (void)state;
    static const struct {
        enum v3d_generation g;
        uint64_t word;
        enum v3d_reserved why;
    } rows[] = {
        {V3D_42, UINT64_C(0x0000000000000000), V3D_RESERVED_CLASS},
        {V3D_42, UINT64_C(0x0100000000001000), V3D_RESERVED_CLASS},
        {V3D_71, UINT64_C(0x0300000000001000), V3D_RESERVED_CLASS},
        {V3D_42, UINT64_C(0x3C00318630800000), V3D_RESERVED_ADD},    /* op_add 48 */
        {V3D_71, UINT64_C(0x38003186DB03F000), V3D_RESERVED_ADD},    /* op_add 219 */
        {V3D_42, UINT64_C(0x3C003186BB818000), V3D_DEFINED},         /* flnafirst */
        {V3D_42, UINT64_C(0x3C003186F7818000), V3D_RESERVED_ADD},    /* fdx with mux_b 3 */
        {V3D_71, UINT64_C(0x38003186BB03F013), V3D_RESERVED_ADD},    /* 187 with raddr_b 19 */
        {V3D_71, UINT64_C(0x38003186BF03F001), V3D_RESERVED_ADD},    /* 191 with one half changed */
        {V3D_42, UINT64_C(0x2C003186BB800000), V3D_RESERVED_MUL},    /* op_mul 11: v8dot on 7.1 */
        {V3D_71, UINT64_C(0x30003186BB03F000), V3D_RESERVED_MUL},    /* op_mul 12 */
        {V3D_71, UINT64_C(0x3C003186BB03F000), V3D_RESERVED_MUL},    /* op_mul 15 */
        {V3D_71, UINT64_C(0x380031867503F000), V3D_RESERVED_UNPACK}, /* vfsub, code 5 */
        {V3D_42, UINT64_C(0x3F403186BB800000), V3D_RESERVED_SIGNAL}, /* 26 */
        {V3D_71, UINT64_C(0x3AE03186BB03F000), V3D_RESERVED_SIGNAL}, /* 23 */
        {V3D_42, UINT64_C(0x3C043186BB800000), V3D_RESERVED_COND},   /* 0x10 */
        {V3D_42, UINT64_C(0x3DE0318638836030), V3D_DEFINED},         /* an immediate 48 that nothing reads */
        {V3D_42, UINT64_C(0x3DE031863883E030), V3D_RESERVED_IMMEDIATE}, /* add -, rf0, immediate 48 */
        {V3D_42, UINT64_C(0x3C002199BB802000), V3D_DEFINED},            /* eidx rf25 */
        {V3D_42, UINT64_C(0x3C003199BB802000), V3D_RESERVED_WADDR},     /* eidx to magic 25 */
        {V3D_71, UINT64_C(0x38003180BB03F002), V3D_RESERVED_WADDR},     /* eidx to r0, which 7.1 lacks */
        {V3D_71, UINT64_C(0x38003193BB03F002), V3D_RESERVED_WADDR},     /* eidx to recip */
        {V3D_71, UINT64_C(0x38003185BB03F002), V3D_DEFINED},            /* eidx to quad */
        {V3D_42, UINT64_C(0x0200000100001000), V3D_RESERVED_BRANCH_COND},
        {V3D_71, UINT64_C(0x0200000000601000), V3D_RESERVED_MSFIGN},
        {V3D_71, UINT64_C(0x0200000000025000), V3D_RESERVED_BDU},
        {V3D_71, UINT64_C(0x0200000000021000), V3D_DEFINED}, /* without ub the field means nothing */
    };
    for (unsigned n = 0; n < sizeof rows / sizeof *rows; n++) {
        struct v3d_insn i;
        bool good = v3d_decode(rows[n].g, rows[n].word, &i);
        if (i.reserved != rows[n].why || good != (rows[n].why == V3D_DEFINED))
            fail_msg("%016" PRIx64 ": '%s' instead of '%s'", rows[n].word, v3d_reserved_names[i.reserved],
                     v3d_reserved_names[rows[n].why]);
        check_text(rows[n].g, rows[n].word, good);
    }
}

/* ---- the text for people ---- */

static void check_error(enum v3d_generation g, const char *line, const char *text)
{
    struct error e = {0};
    uint64_t word;
    if (v3d_parse(g, line, strlen(line), &word, &e))
        fail_msg("%s is accepted", line);
    assert_string_equal(e.text, text);
}

static void errors_name_column_and_nearest_name(void **state)
{
    (void)state;
    check_error(V3D_42, "fadx r0, r1, r2",
                "column 1: expected an operation or a signal, found 'fadx'; did you mean 'fadd'?");
    check_error(
        V3D_42, "add r0, r1, tmua",
        "column 13: expected an operand: rf0 to rf63, r0 to r5 or a small immediate; tmua can only be "
        "written");
    check_error(V3D_71, "add rf1, r1, rf2",
                "column 10: expected an operand: rf0 to rf63 or a small immediate, found 'r1'");
    check_error(V3D_71, "add rf64, rf1, rf2",
                "column 5: expected a destination, found 'rf64'; registers are rf0 to rf63");
    check_error(V3D_71, "add tmuu, rf1, rf2",
                "column 5: expected a destination, found 'tmuu'; did you mean 'tmul'?");
    check_error(
        V3D_71, "add rf1, rf1, 16",
        "column 15: '16' is no small immediate; these are -16 to 15, and powers of two from 1/256 to 128.0");
    check_error(V3D_71, "add rf1, 1, 2",
                "column 1: no instruction has this combination of signals and small immediates");
    check_error(
        V3D_42, "add r0, rf1, rf2 ; fmul r1, rf3, r2",
        "column 1: the operands do not fit: an instruction reads two registers of the register file, or one "
        "and a small immediate; fmax and faddnf need two different operands");
    check_error(V3D_71, "fmax rf1, rf2, rf2", "column 1: fmax and faddnf need two different operands");
    check_error(V3D_71, "add.ifx rf1, rf2, rf2",
                "column 5: expected a condition or a way to set flags, found 'ifx'; did you mean 'ifa'?");
    check_error(V3D_71, "add.ifa rf1, rf2, rf2 ; fmul.andz rf1, rf2, rf3",
                "column 1: no instruction has this combination of conditions and flags");
    check_error(V3D_71, "add rf1, rf2, rf2 ; nop ; ldtmu", "column 27: ldtmu needs a destination: ldtmu.rf5");
    check_error(V3D_71, "nop ; nop ; nop", "column 13: nop: both ALUs already have an operation");
    check_error(V3D_71, "fmul rf1, rf2, rf3 ; and rf1, rf1, rf1",
                "column 22: and: the operation of the ADD ALU comes first");
    check_error(V3D_71, "add rf1, rf2.l, rf3", "column 14: this operand has no unpack");
    check_error(V3D_71, "fadd rf1, rf2.ff, rf3", "column 15: expected an unpack of this operand, found 'ff'");
    check_error(V3D_71, "bu.anyy 16, r:unif",
                "column 4: expected a branch condition, found 'anyy'; did you mean 'anya'?");
    check_error(V3D_71, "b 12", "column 3: expected an offset, a multiple of 8 bytes, found '12'");
    check_error(V3D_71, "nop {raddr_x=1}",
                "column 6: expected a field of the word, found 'raddr_x'; did you mean 'raddr_c'?");
    check_error(V3D_42, ".quad 1 {raddr_a=1}", "column 9: expected the end of the instruction, found '{'");
    check_error(V3D_71, "nop {op_mul=0}", "column 5: these fields make it another kind of instruction");
}

/* What people write otherwise than Mesa prints. */
static void other_spellings(void **state)
{
    (void)state;
    static const struct {
        enum v3d_generation g;
        const char *text, *same;
    } rows[] = {
        {V3D_42, "fmul r0, r1, 2.0", "nop ; fmul r0, r1, 0x40000000"},
        {V3D_42, "FADD RF1, R2, 0.5", "fadd rf1, 0x3f000000, r2"},
        {V3D_71, "ldunif", "nop ; nop ; ldunif"},
        {V3D_71, "mov rf1, rf2 ; mov rf3, rf4", "mov rf1,rf2;mov rf3,rf4"},
        {V3D_71, "bu.allna +0x30, r:unif", "bu.allna  48, r:unif"},
        {V3D_71, "nop", ".quad 0x38003186bb03f000"},
        {V3D_42, "nop", ".quad 0x3c003186bb800000"},
    };
    for (unsigned n = 0; n < sizeof rows / sizeof *rows; n++)
        assert_int_equal(parse(rows[n].g, rows[n].text), parse(rows[n].g, rows[n].same));
    for (unsigned g = 0; g < V3D_GENERATIONS; g++)
        assert_int_equal(v3d_join(v3d_code[g].nop), v3d_nop[g]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mesa_test_vectors),       cmocka_unit_test(operands_of_pairs_are_put_in_order),
        cmocka_unit_test(compiled_programs),       cmocka_unit_test(words_of_other_assemblers),
        cmocka_unit_test(random_words_round_trip), cmocka_unit_test(generated_instructions_decode),
        cmocka_unit_test(reserved_words_are_data), cmocka_unit_test(errors_name_column_and_nearest_name),
        cmocka_unit_test(other_spellings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
