/* SPDX-License-Identifier: MIT */
/* Small promises: NULL may be freed and closed; the names of a region's rows; wrapped text; the strongest
 * evidence of a clause; what an implementation contradicts; a board that answers nothing; which bytes are a
 * case in text form. */
#include "fuzz/campaign/candidates.h"
#include "fuzz/engines/engine_corpus.h"
#include "fuzz/engines/engine_kind.h"
#include "fuzz/generate/pool.h"
#include "harness/amdgpu/amdgpu_launch.h"
#include "harness/amdgpu/amdgpu_verifier.h"
#include "harness/launch/journal.h"
#include "harness/launch/launcher.h"
#include "harness/verify/dry_run.h"
#include "harness/verify/prove.h"
#include "model/core/units.h"
#include "oracle/attribution/evidence.h"
#include "oracle/compare/executor.h"
#include "oracle/describe/clause_text.h"
#include "oracle/describe/picture.h"
#include "oracle/files/corpus.h"
#include "oracle/files/load.h"
#include "oracle/files/trace.h"
#include "oracle/report/report_cause.h"
#include "oracle/store/finding.h"
#include "oracle/store/store.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

static void nothing_can_be_freed(void **state)
{
    (void)state;
    candidates_free(NULL);
    engine_corpus_free(NULL);
    pool_free(NULL);
    launcher_free(NULL);
    dry_run_free(NULL);
    prover_free(NULL);
    evidence_set_free(NULL);
    executor_free(NULL);
    amdgpu_launch_free(NULL);
    amdgpu_verifier_free(NULL);
    journal_close(NULL);
    board_close(NULL);
    trace_abandon(NULL);
    store_close(NULL);
    corpus_close(NULL);
    outcome_free(NULL);
}

/* What has no place in a list is -1 or NULL. */
static void unknown_names_have_no_place(void **state)
{
    (void)state;
    assert_int_equal(unit_clause_index(&vc4_vpm_unit, "vpm-none"), -1);
    assert_int_equal(unit_profile_index(&vc4_vpm_unit, "none"), -1);
    assert_int_equal(verdict_of_name("none"), -1);
    assert_string_equal(engine_name_at(0), "libfuzzer");
    assert_string_equal(engine_name_at(1), "afl");
    assert_null(engine_name_at(2));
}

/* A label ends in ", reduced" if its case was reduced, and says so once. */
static void labels_say_whether_a_case_was_reduced(void **state)
{
    (void)state;
    char reduced[128];
    assert_true(label_says_reduced("seed 1 case 427, reduced"));
    assert_true(label_says_reduced(", reduced"));
    assert_false(label_says_reduced("seed 1 case 427"));
    assert_false(label_says_reduced("seed 1 case 427, in part"));
    assert_false(label_says_reduced("reduced"));
    label_set_reduced("seed 1 case 427, in part", reduced);
    assert_string_equal(reduced, "seed 1 case 427, reduced");
    label_set_reduced("seed 1 case 427", reduced);
    assert_string_equal(reduced, "seed 1 case 427, reduced");
}

static void check_name(const struct region *g, uint32_t row, const char *expected)
{
    struct text t = {0};
    region_row_name(g, row, &t);
    assert_string_equal(text_chars(&t), expected);
    text_free(&t);
}

/* A row of bytes is named by its address, and a row of a grid by its number. A single row has the region's
 * name, and any other row has the region's name and a number. */
static void rows_are_named_by_their_drawing(void **state)
{
    (void)state;
    static const char *const own[] = {"first", "second"};
    const struct region lanes = {.name = "ra", .rows = 32, .cols = 16, .drawing = DRAW_LANES};
    const struct region two = {.name = "acc", .rows = 2, .cols = 16, .drawing = DRAW_LANES};
    const struct region one = {.name = "r4", .rows = 1, .cols = 16, .drawing = DRAW_LANES};
    const struct region lone = {.name = "vpm", .rows = 1, .cols = 16, .drawing = DRAW_GRID};
    const struct region grid = {.name = "vpm", .rows = 64, .cols = 16, .drawing = DRAW_GRID};
    const struct region strip = {.name = "memory", .rows = 256, .cols = 16, .drawing = DRAW_STRIP};
    const struct region named = {
        .name = "flags", .rows = 2, .cols = 16, .drawing = DRAW_BITS, .row_names = own};
    check_name(&lanes, 31, "ra31");
    check_name(&two, 0, "acc0");
    check_name(&two, 1, "acc1");
    check_name(&one, 0, "r4");
    check_name(&lone, 0, "vpm");
    check_name(&grid, 63, "63");
    check_name(&strip, 255, "0x3FC0"); /* row 255 of 64 bytes */
    check_name(&named, 1, "second");
}

/* Copies text without line ends and repeated blanks. */
static void squeeze(char *to, const char *from)
{
    for (; *from; from++)
        if (*from != ' ' && *from != '\n')
            *to++ = *from;
        else if (from[1] && from[1] != ' ' && from[1] != '\n')
            *to++ = ' ';
    *to = 0;
}

/* Characters of UTF-8 text: its bytes without those that continue a character. */
static size_t columns(const char *s, const char *end)
{
    size_t count = 0;
    for (; s < end; s++)
        count += (*s & 0xC0) != 0x80;
    return count;
}

/* `misprint show` breaks lines before column 96 and loses no word. */
static void shown_clauses_are_wrapped(void **state)
{
    (void)state;
    static char whole[65536], part[8192];
    for (unsigned n = 0; unit_at(n); n++)
        for (unsigned i = 0; i < unit_clauses(unit_at(n)); i++) {
            const struct clause *c = unit_clause(unit_at(n), i);
            struct text t = {0};
            unsigned wrapped = 0;
            clause_show(unit_at(n), c, &t);
            for (const char *line = text_chars(&t), *end; (end = strchr(line, '\n'));
                 line = end + 1, wrapped++)
                /* lists of profiles may be wider */
                if (columns(line, end) > 96 && strncmp(line, "reading ", 8) != 0)
                    fail_msg("%s: a line has %zu columns", c->id, columns(line, end));
            assert_true(t.length < sizeof whole && wrapped > 3);
            squeeze(whole, text_chars(&t));
            for (unsigned r = 0; r < clause_readings(c); r++) {
                squeeze(part, c->readings[r].says);
                if (!strstr(whole, part))
                    fail_msg("%s: the reading %s is not shown", c->id, c->readings[r].id);
            }
            text_free(&t);
        }
}

/* The clause's evidence is that of its strongest reading, wherever the reading is listed. */
static void the_strongest_evidence_is_named(void **state)
{
    (void)state;
    static const struct clause rising = {.readings = {{.id = "manual", .evidence = EVIDENCE_DOCUMENT},
                                                      {.id = "mesa", .evidence = EVIDENCE_SOURCE},
                                                      {.id = "observed", .evidence = EVIDENCE_SILICON}}};
    static const struct clause falling = {.readings = {{.id = "manual", .evidence = EVIDENCE_SOURCE},
                                                       {.id = "blog", .evidence = EVIDENCE_ARGUMENT}}};
    static const struct clause weak = {.readings = {{.id = "manual", .evidence = EVIDENCE_ARGUMENT}}};
    assert_int_equal(clause_best_evidence(&rising), EVIDENCE_SILICON);
    assert_int_equal(clause_best_evidence(&falling), EVIDENCE_SOURCE);
    assert_int_equal(clause_best_evidence(&weak), EVIDENCE_ARGUMENT);
}

/* What an implementation contradicts, as a person reads the sources: figure 8a is definite, and nobody saw
 * silicon; VC4C's author states the sixteen bits; float-neg-zero was recorded and the manual is silent. */
static void contradictions_have_names(void **state)
{
    (void)state;
    static const struct {
        const char *unit, *cause, *words;
    } rows[] = {
        {"vc4-vpm", "vpm-fig8a=in-order", "it contradicts the manual"},
        {"vc4-vpm", "vdw-stride-width=manual", "it contradicts what others state of silicon"},
        {"vc4-vpm", "vpm-read-queue=redirects",
         "it contradicts the manual, and what others state of silicon"},
        {"vc4-vpm", "vdw-stride-meaning=start-to-start",
         "it contradicts the manual, and what was measured on silicon"},
        {"vc4-qpu", "float-neg-zero=manual", "it contradicts what was measured on silicon"},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct unit *u = unit_named(rows[i].unit);
        struct cause c = {0};
        struct error e = {0};
        assert_true(cause_parse(u, rows[i].cause, &c, &e));
        assert_string_equal(contradiction_words(cause_contradicts(u, &c)), rows[i].words);
    }
}

/* A board that answered nothing in a million cases does not run such cases. One outcome is enough to go on.
 */
static void a_mute_board_is_noticed(void **state)
{
    (void)state;
    struct tally t = {.cases = 1000000 - 1};
    t.answers[ANSWER_REFUSED] = t.cases;
    assert_false(tally_is_mute(&t));
    t.cases = t.answers[ANSWER_REFUSED] = 2000000;
    assert_true(tally_is_mute(&t));
    t.answers[ANSWER_OUTCOME] = 1;
    assert_false(tally_is_mute(&t));
}

/* A case in text form begins with its first word, after comments and blanks. The bytes after the given length
 * have no effect. */
static void cases_in_text_form_are_recognised(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        size_t behind; /* the length leaves out so many bytes at the end */
        bool is_text;
    } rows[] = {
        {"misprint-case 1 vc4-vpm\n", 0, true},
        {"# who made it\n\n  # and why\r\nmisprint-case 1 vc4-vpm\n", 0, true},
        {"misprint-case", 0, true},
        {"misprint-case", 1, false},
        {"# who made it\nmisprint-case", 0, true},
        {"# who made it\nmisprint-case", 1, false},
        {"# who made it\nmisprint-case", 14, false},
        {"# who made it", 0, false},
        {"misprint-trace", 0, false},
        {"", 0, false},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
        if (case_is_text(rows[i].bytes, strlen(rows[i].bytes) - rows[i].behind) != rows[i].is_text)
            fail_msg("row %u", i);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unknown_names_have_no_place),
        cmocka_unit_test(labels_say_whether_a_case_was_reduced),
        cmocka_unit_test(nothing_can_be_freed),
        cmocka_unit_test(rows_are_named_by_their_drawing),
        cmocka_unit_test(shown_clauses_are_wrapped),
        cmocka_unit_test(the_strongest_evidence_is_named),
        cmocka_unit_test(contradictions_have_names),
        cmocka_unit_test(a_mute_board_is_noticed),
        cmocka_unit_test(cases_in_text_form_are_recognised),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
