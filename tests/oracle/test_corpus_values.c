/* SPDX-License-Identifier: MIT */
/*
 * The values in the separating cases of all clauses. A board with a simple defect, which doubles a value or
 * takes its index instead, must not look like a board that follows another reading. So:
 *
 * - No simple map, of one value or of all values, turns the outcome under one reading into the outcome under
 *   another reading of the clause. The maps: twice, half, one more, one less, the value's index. Words that
 *   look like floats are mapped as floats, and other words as integers.
 * - No value that matters is 1 or 2, or equal to its row or column, as an integer or as a float. A value
 *   matters if the outcome under some reading depends on it.
 *
 * Values are the words of images (memory, registers, attributes), lists, uniforms, and fields that take any
 * word. The test skips bit fields and operands in instructions, because there the readings themselves are
 * simple maps.
 */
#include "oracle/compare/compare.h"
#include "oracle/compare/executor.h"
#include "oracle/files/corpus.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

enum {
    ORDINARY = 40,
    /* a word with a binary exponent of -40 to 40 looks like a float */ OTHER = 0x42B4CDEF
};

/* Cases in which a simple map of a value looks like another reading. `why`: the reason that this cannot be
 * avoided. */
static const struct exception {
    const char *unit, *name, *why;
} listed[] = {
    {"utgard-gp", "gp-select-polarity", "the condition must be 1.0, because gp-truth has the others"},
    {"utgard-gp", "gp-branch-results", "the condition must be 1.0"},
    {"utgard-gp", "gp-branch-delay", "the condition must be 1.0"},
    {"utgard-gp", "gp-branch-input", "the conditions must be 0.0 and 1.0"},
    {"utgard-gp", "gp-branch-range", "the condition must be 1.0"},
    {"utgard-gp", "gp-flags", "the condition must be 1.0"},
    {"utgard-gp", "gp-wide-identity", "the condition must be 0.0"},
    {"utgard-gp", "gp-truth", "it is about -0.0 and about signs"},
    {"utgard-gp", "gp-minmax-zero", "it is about zeros"},
    {"utgard-gp", "gp-rsqrt-zero", "it is about -0.0"},
    {"utgard-gp", "gp-compare-nan", "it is about a NaN"},
    {"utgard-gp", "gp-sign-edge", "it is about a zero and a NaN"},
    {"utgard-gp", "gp-address-format", "it is about rounding, and 1 more is rounding up"},
    {"vc4-qpu", "tmu-blend-inf", "it is about an infinity"},
    {"vc4-qpu", "tmu-explicit-lod", "a texture's configuration, of which another value is another texture"},
    {"vc4-qpu", "child-2048", "a texture's configuration"},
    {"vc4-qpu", "tmu-cube-faces", "a texture's configuration"},
    {"vc4-qpu", "tmu-border-order", "a texture's configuration"},
    {"vc4-qpu", "tmu-lod", "a texture's configuration"},
    {"vc4-qpu", "fmul-zero-nan", "it is about a NaN"},
    {"vc4-qpu", "sfu-denormal", "of a denormal with a finite reciprocal, half or twice has none"},
    {"vc4-qpu", "fadd-overflow", "it is about the largest number"},
    {"vc4-qpu", "fmin-ties", "it is about zeros"},
    {"vc4-qpu", "ftoi-mode-2", "it is about an infinity"},
    {"vc4-qpu", "ftoi-out-of-range-2", "it is about the end of a range"},
    {"vc4-qpu", "fmul-c-flag", "it is about a flag at the end of a range"},
    {"vc4-qpu", "sfu-zero", "it is about zeros"},
    {"vc4-qpu", "sfu-special", "it is about an infinity"},
    {"vc4-qpu", "pack-16f-special", "it is about a NaN"},
    {"vc4-qpu", "r5-cond-element0-2", "flags are 0 or 1"},
    {"vc4-qpu", "ldi-op-text", "flags are 0 or 1"},
    {"vc4-qpu", "hw-2924", "REV_FLAG is 0 or 1"},
    {"amd-buffer", "range-check-wrap", "it is about an address at the end of a range"},
    {"amd-buffer", "mode0-soffset", "it is about an address at the end of a range"},
    {"amd-buffer", "mode3-soffset", "it is about an address at the end of a range"},
    {"amd-buffer", "mode1-called-raw", "it is about an address at the end of a range"},
    {"amd-buffer", "stride-chooses-check", "it is about an address at the end of a range"},
    {"amd-buffer", "gfx9-raw-payload", "it is about an address at the end of a range"},
    {"amd-buffer", "gfx10-oob0-payload", "it is about an address at the end of a range"},
    {"amd-buffer", "gfx10-oob0-payload-2", "it is about an address at the end of a range"},
    {"amd-buffer", "d16-payload", "it is about an address at the end of a range"},
    {"amd-buffer", "memviol-load-value", "it is about a misaligned address"},
};
enum { LISTED = sizeof listed / sizeof *listed };
static bool met[LISTED];

/* A value of a case: word `at` of its struct. */
struct value {
    const struct field *field;
    uint32_t at, row, col, index; /* index: the number of the value, counted over all rows */
};

enum map { TWICE, HALF, MORE, LESS, INDEX, MAPS };
static const char *const map_names[MAPS] = {"twice", "half", "one more", "one less", "its index"};

static uint32_t bits_of(float f)
{
    uint32_t word;
    memcpy(&word, &f, sizeof word);
    return word;
}

static bool is_float(uint32_t word)
{
    uint32_t exponent = word >> 23 & 255;
    return exponent >= 127 - ORDINARY && exponent <= 127 + ORDINARY;
}

static uint32_t mapped(enum map m, uint32_t word, uint32_t index)
{
    float f;
    memcpy(&f, &word, sizeof f);
    const uint32_t as_float[MAPS] = {bits_of(2 * f), bits_of(f / 2), bits_of(f + 1), bits_of(f - 1),
                                     bits_of((float)index)},
                   as_integer[MAPS] = {2 * word, word / 2, word + 1, word - 1, index};
    return (is_float(word) ? as_float : as_integer)[m];
}

static unsigned add_items(struct test_case *tc, const struct field *f, struct value *v)
{
    unsigned n = 0;
    uint32_t *count, *items = case_items(tc, f, &count);
    uint32_t cols = f->kind == FIELD_IMAGE ? f->row_words : 1, size = field_item_words(tc->unit, f);
    for (uint32_t i = 0; items && i < *count; i++)
        for (uint32_t col = 0; col < cols; col++) {
            const uint32_t *item = items + (size_t)i * size;
            uint32_t row = f->kind == FIELD_IMAGE ? *item : i;
            v[n++] = (struct value){f, (uint32_t)(item + size - cols + col - tc->words), row, col,
                                    row * cols + col};
        }
    return n;
}

static unsigned values_of(struct test_case *tc, struct value *v)
{
    unsigned n = 0;
    const struct schema *s = &tc->unit->schema;
    for (const struct field *f = s->fields; f < s->fields + s->field_count; f++)
        if (f->kind == FIELD_IMAGE || f->kind == FIELD_UNIFORMS || f->kind == FIELD_WORDS)
            n += add_items(tc, f, v + n);
        else if (f->kind == FIELD_WORD && !f->min_value && !f->max_value && !f->bits && !f->bits_by)
            v[n++] = (struct value){f, f->offset, 0, 0, 0};
    return n;
}

/* One separating case under the readings of its clause. */
struct bench {
    struct executor *x;
    const struct corpus_entry *entry;
    unsigned clause, readings, values;
    struct value *value;
    struct test_case *tc, *other;
    struct outcome *of[READINGS_MAX], *board;
    struct profile profile;
    unsigned confused, plain; /* cases */
    bool told;
};

static void run_reading(struct bench *b, const struct test_case *tc, unsigned reading, enum run_mode mode,
                        struct outcome *out)
{
    struct profile p = b->profile;
    p.reading[b->clause] = (uint8_t)reading;
    executor_run(b->x, tc, &p, mode, out);
}

/* Maps value number `which`, or all values if `which` is b->values. Returns false if nothing changes. */
static bool map_values(struct bench *b, enum map m, unsigned which)
{
    bool changed = false;
    case_copy(b->other, b->tc);
    for (unsigned i = 0; i < b->values; i++) {
        const struct value *v = &b->value[i];
        uint32_t *word = &b->other->words[v->at], before = *word;
        if ((which != i && which != b->values) || (m == INDEX && v->field->kind == FIELD_WORD))
            continue;
        *word = mapped(m, before, v->index);
        changed |= *word != before;
    }
    case_sanitise(b->other);
    return changed;
}

/* The board follows reading `one` and has the defect. Does it look like a board that follows reading
 * `other`? */
static bool looks_like(struct bench *b, unsigned one, unsigned other)
{
    struct differences d;
    return b->of[other]->end == END_DONE && !outcomes_equal(b->of[one], b->board, NULL, &d) &&
           !outcomes_equal(b->of[one], b->of[other], NULL, NULL) &&
           outcomes_equal(b->of[other], b->board, NULL, NULL) &&
           differences_decided(&d, b->of[other]) == DECIDED_ALL;
}

static bool is_confused(struct bench *b, enum map m, unsigned which)
{
    if (!map_values(b, m, which))
        return false;
    for (unsigned one = 0; one < b->readings; one++) {
        run_reading(b, b->other, one, RUN_PLAIN, b->board);
        for (unsigned other = 0; b->board->end == END_DONE && other < b->readings; other++) {
            if (other == one || !looks_like(b, one, other))
                continue;
            const struct clause *c = unit_clause(b->x->unit, b->clause);
            const struct value *v = &b->value[which];
            if (!b->told && which < b->values)
                print_message("    %s %u word %u = %08x: %s makes %s look like %s\n", v->field->name, v->row,
                              v->col, b->tc->words[v->at], map_names[m], c->readings[one].id,
                              c->readings[other].id);
            else if (!b->told)
                print_message("    all values: %s makes %s look like %s\n", map_names[m], c->readings[one].id,
                              c->readings[other].id);
            return b->told = true;
        }
    }
    return false;
}

static bool any_is_confused(struct bench *b)
{
    for (unsigned p = 0; b->x->unit->profiles[p].name; p++) {
        profile_builtin(b->x->unit, p, &b->profile);
        for (unsigned r = 0; r < b->readings; r++)
            run_reading(b, b->tc, r, RUN_CHECKED, b->of[r]);
        for (enum map m = 0; m < MAPS; m++)
            for (unsigned which = 0; which <= b->values; which++)
                if (is_confused(b, m, which))
                    return true;
    }
    return false;
}

static bool matters(struct bench *b, const struct value *v)
{
    case_copy(b->other, b->tc);
    b->other->words[v->at] = OTHER;
    case_sanitise(b->other);
    for (unsigned p = 0; b->x->unit->profiles[p].name; p++) {
        profile_builtin(b->x->unit, p, &b->profile);
        for (unsigned r = 0; r < b->readings; r++) {
            run_reading(b, b->tc, r, RUN_CHECKED, b->of[r]);
            run_reading(b, b->other, r, RUN_CHECKED, b->board);
            if (!outcomes_equal(b->of[r], b->board, NULL, NULL))
                return true;
        }
    }
    return false;
}

static bool any_is_plain(struct bench *b)
{
    for (unsigned i = 0; i < b->values; i++) {
        const struct value *v = &b->value[i];
        const uint32_t plain[] = {1, 2, v->row, v->col};
        uint32_t word = b->tc->words[v->at];
        bool found = false;
        for (unsigned k = 0; k < 4; k++)
            found |= word && (word == plain[k] || word == bits_of((float)plain[k]));
        if (!found || v->field->kind == FIELD_WORD || !matters(b, v))
            continue;
        print_message("    %s %u word %u = %08x\n", v->field->name, v->row, v->col, word);
        return true;
    }
    return false;
}

/* Is the case a listed exception? */
static bool is_listed(const struct unit *u, const char *name)
{
    for (unsigned i = 0; i < LISTED; i++)
        if (!strcmp(listed[i].unit, u->name) && !strcmp(listed[i].name, name))
            return met[i] = true;
    return false;
}

static void judge_case(struct bench *b)
{
    const struct unit *u = b->x->unit;
    b->value = malloc(CASE_WORDS_MAX * sizeof *b->value);
    b->tc = b->entry->tc;
    assert_non_null(b->value);
    b->values = values_of(b->tc, b->value);
    b->told = false;
    if (any_is_confused(b) && !is_listed(u, b->entry->name)) {
        print_message("  %s/%s: a simple map of a value confuses the readings\n", u->name, b->entry->name);
        b->confused++;
    }
    if (any_is_plain(b)) {
        print_message("  %s/%s: a value that matters is 1, 2 or its index\n", u->name, b->entry->name);
        b->plain++;
    }
    free(b->value);
}

static unsigned judge_unit(const struct unit *u, unsigned *confused, unsigned *plain)
{
    struct error e = {0};
    struct corpus *corpus = corpus_open(u, MISPRINT_SOURCE_DIR "/corpus", &e);
    struct bench b = {.x = executor_new(u), .other = malloc(sizeof *b.other), .board = outcome_new(u)};
    unsigned cases = 0;
    assert_non_null(corpus);
    assert_non_null(b.other);
    for (unsigned r = 0; r < READINGS_MAX; r++)
        b.of[r] = outcome_new(u);
    for (b.clause = 0; b.clause < unit_clauses(u); b.clause++) {
        const struct clause *c = unit_clause(u, b.clause);
        b.readings = clause_readings(c);
        for (unsigned i = 0; (b.entry = corpus_separating(corpus, c->id, i)); i++, cases++)
            judge_case(&b);
    }
    *confused += b.confused;
    *plain += b.plain;
    for (unsigned r = 0; r < READINGS_MAX; r++)
        outcome_free(b.of[r]);
    outcome_free(b.board);
    free(b.other);
    executor_free(b.x);
    corpus_close(corpus);
    return cases;
}

static void no_simple_map_confuses_readings(void **state)
{
    (void)state;
    unsigned cases = 0, confused = 0, plain = 0, idle = 0;
    for (unsigned i = 0; unit_at(i); i++)
        cases += judge_unit(unit_at(i), &confused, &plain);
    for (unsigned i = 0; i < LISTED; i++)
        if (!met[i]) {
            print_message("  %s/%s is listed, but nothing confuses it\n", listed[i].unit, listed[i].name);
            idle++;
        }
    print_message("  %u separating cases; %u are confused for a listed reason, %u without one\n", cases,
                  (unsigned)LISTED - idle, confused);
    assert_true(cases > 300);
    assert_int_equal(confused, 0);
    assert_int_equal(plain, 0);
    assert_int_equal(idle, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(no_simple_map_confuses_readings)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
