/* SPDX-License-Identifier: MIT */
/*
 * Pins today's behaviour: for each unit and built-in profile the outcomes of generated cases, checked and
 * plain, and for each unit the findings of a seeded campaign. tests/model/core/pinned.txt has the digests. A
 * change that must keep behaviour leaves that file alone. A change of behaviour rewrites it, and its commit
 * says why:
 *
 *   MISPRINT_PIN=write build/release/tests/test_pinned
 *
 * A failure names the first block of 1,000 cases that differs. To find the case, build the previous commit,
 * and compare what both builds print. This prints a line for each case of the block:
 *
 *   MISPRINT_PIN='cases vc4-qpu manual 7' build/release/tests/test_pinned
 *
 * Each block has its own seed and digest, so that a slow build can compare fewer blocks: MISPRINT_TEST_SCALE
 * is the percentage of the 20 blocks, at least one. Below 100 only the shorter campaign runs.
 *
 * The digests are XXH64 of little-endian bytes. They do not depend on build, compiler, byte order or
 * addresses. There are three, so that an intended change of one does not hide others:
 * - cases: the binary form of the cases. If it differs, the other two differ, too.
 * - outcomes: end, reason, and for each touched row its number, words and, in checked runs, masks and
 *   tolerances.
 * - coverage: the ids and modes of the clauses that the run consulted.
 *
 * The profile "drawn" has random readings, because no built-in profile chooses some of them.
 *
 * Of each finding the file has the verdict, the causes and the smallest case. It has no ids, labels and
 * signatures, because these follow from the others. It has no numbers of cases and no tally, because they
 * depend on how a campaign counts predicted cases. It has no steps and fidelity, because no finding depends
 * on them.
 */
#include "fuzz/campaign/campaign.h"
#include "fuzz/generate/generate.h"
#include "model/number/bytes.h"
#include "tests/support/support_units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum {
    BLOCKS = 20,
    BLOCK_CASES = 1000,
    KEPT = 16,             /* earlier cases of a block from which later ones are made */
    CAMPAIGN_SHORT = 500,  /* number of cases */
    CAMPAIGN_LONG = 10000, /* number of cases */
    CAMPAIGN_SEED = 1,
    ROW_BYTES = 2 + 12 * ROW_WORDS_MAX,
    BYTES_MAX = 4 + OUTCOME_ROWS_MAX * ROW_BYTES,
};

static const char file_name[] = MISPRINT_SOURCE_DIR "/tests/model/core/pinned.txt";
static struct text pinned;  /* the file's lines */
static struct text written; /* the lines that this build would write */
static unsigned met;        /* number of the file's lines that were compared */
static unsigned complaints;

/* --- cases ------------------------------------------------------------------------------------ */

struct maker {
    const struct unit *unit;
    struct random random;
    unsigned made;
    struct test_case *keep[KEPT], *last;
};

static void maker_open(struct maker *m, const struct unit *u)
{
    *m = (struct maker){.unit = u, .last = malloc(sizeof *m->last)};
    assert_non_null(m->last);
    for (unsigned i = 0; i < KEPT; i++) {
        m->keep[i] = malloc(sizeof *m->keep[i]);
        assert_non_null(m->keep[i]);
    }
}

static void maker_close(struct maker *m)
{
    for (unsigned i = 0; i < KEPT; i++)
        free(m->keep[i]);
    free(m->last);
}

static void maker_begin(struct maker *m, unsigned block)
{
    random_seed(&m->random, block);
    m->made = 0;
}

/* Makes a case. Half of the cases are new. The others change earlier ones, as the campaign's generator does,
 * or vary the last case if the unit can. Chance chooses the earlier case. (The campaign's generator prefers
 * cases that covered new clauses, but here cases must not depend on coverage.) */
static void make_case(struct maker *m, struct test_case *c)
{
    struct random *r = &m->random;
    if (m->made % 2 == 0) {
        case_generate(r, m->unit, c);
    } else if (m->unit->vary && random_one_in(r, 4)) {
        case_copy(c, m->last);
        m->unit->vary(r, c);
    } else {
        unsigned room = m->made < KEPT ? m->made : KEPT;
        case_copy(c, m->keep[random_below(r, room)]);
        if (random_one_in(r, 8))
            case_cross(r, m->keep[random_below(r, room)], c);
        case_mutate(r, c);
    }
    case_copy(m->keep[m->made < KEPT ? m->made : random_below(r, KEPT)], c);
    case_copy(m->last, c);
    m->made++;
}

/* --- digests ---------------------------------------------------------------------------------- */

static uint64_t digest_case(const struct test_case *c)
{
    static uint8_t bytes[CASE_BYTES_MAX];
    return XXH64(bytes, case_encode(c, bytes), 0);
}

static uint8_t *put_row(uint8_t *to, const struct unit *u, const struct outcome *o, uint32_t row)
{
    const struct region *g = layout_region(&u->layout, row);
    const uint32_t *value = o->value + row * u->layout.row_words;
    uint32_t room[ROW_WORDS_MAX], bits = region_bits(g);
    to = bytes_put(to, row, 2);
    for (unsigned i = 0; i < g->cols; i++)
        to = bytes_put(to, value[i] & bits, 4);
    if (!o->checked)
        return to;
    const uint32_t *defined = outcome_masks(o, row, room);
    for (unsigned i = 0; i < g->cols; i++)
        to = bytes_put(to, defined[i] & bits, 4);
    for (unsigned i = 0; outcome_tolerant(o, row) && i < g->cols; i++)
        to = bytes_put(to, o->tolerance[row * u->layout.row_words + i], 4);
    return to;
}

static uint64_t digest_outcome(const struct unit *u, const struct outcome *o)
{
    static uint8_t bytes[BYTES_MAX];
    uint8_t *to = bytes_put(bytes, o->end, 2);
    to = bytes_put(to, o->reason, 2);
    for (uint32_t row = 0; row < u->layout.rows; row++)
        if (outcome_touched(o, row))
            to = put_row(to, u, o, row);
    return XXH64(bytes, (size_t)(to - bytes), 0);
}

static uint64_t hash_of_id(const struct clause *c)
{
    return XXH64(c->id, strlen(c->id), 0);
}

/* Returns a sum over the clauses, because their order in the unit's tables must not matter. */
static uint64_t digest_coverage(const struct coverage *c, const uint64_t *ids, unsigned clauses)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < clauses; i++)
        if (covered(c, i))
            sum += random_mix64(ids[i] ^ random_mix64(c->modes[i]));
    return sum;
}

/* The digests of a block's cases. block_end returns a digest of them. */
struct block {
    uint8_t of_case[BLOCK_CASES][8];
};

static uint32_t block_end(const struct block *b)
{
    return (uint32_t)XXH64(b->of_case, sizeof b->of_case, 0);
}

/* --- the file --------------------------------------------------------------------------------- */

static bool writes(void)
{
    const char *pin = getenv("MISPRINT_PIN");
    return pin && !strcmp(pin, "write");
}

/* The release build runs all blocks, though scripts/test scales its random cases down. */
static unsigned blocks(void)
{
    unsigned scaled = writes() ? BLOCKS : support_scaled(10 * BLOCKS);
    return scaled < BLOCKS ? scaled : BLOCKS;
}

static void read_file(void)
{
    char line[1024];
    FILE *f = fopen(file_name, "r");
    while (f && fgets(line, sizeof line, f))
        if (*line != '#')
            text_add(&pinned, "%s", line);
    if (f)
        (void)fclose(f);
    assert_true(pinned.length > 0 || writes());
}

/* Returns the first line that begins with these characters; NULL if there is none. */
static const char *find_line(const char *text, const char *begin, size_t length)
{
    for (const char *at = text; *at; at = strchr(at, '\n') + 1)
        if (!strncmp(at, begin, length))
            return at;
    return NULL;
}

static void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void complain(const char *format, ...)
{
    char line[600];
    va_list values;
    va_start(values, format);
    (void)vsnprintf(line, sizeof line, format, values);
    va_end(values);
    print_message("%s\n", line);
    complaints++;
}

/* Compares the digests of the blocks with the file's line that begins with `key`. */
static void settle(const char *key, const uint32_t *digest)
{
    text_add(&written, "%s", key);
    for (unsigned i = 0; i < blocks(); i++)
        text_add(&written, " %08" PRIx32, digest[i]);
    text_add(&written, "\n");
    if (writes())
        return;
    const char *line = find_line(text_chars(&pinned), key, strlen(key));
    if (!line) {
        complain("%s: not in tests/model/core/pinned.txt", key);
        return;
    }
    met++;
    line += strlen(key);
    unsigned first = 0, differing = 0;
    for (unsigned i = 0; i < blocks(); i++) {
        char *end;
        if (strtoul(line, &end, 16) == digest[i] && end == line + 9) {
            line = end;
            continue;
        }
        first = differing++ ? first : i;
        line += *line == ' ' ? 1 + strcspn(line + 1, " \n") : 0;
    }
    if (differing)
        complain("%s: block %u is the first that differs, of %u in %u", key, first, differing, blocks());
}

/* --- outcomes and coverage of one profile ----------------------------------------------------- */

/* A unit and a profile. `builtin` is the profile's index; -1: each case has a new profile, in which a quarter
 * of the clauses have random readings. */
struct pin {
    const struct unit *unit;
    const char *name;
    int builtin;
    uint64_t id[CLAUSES_MAX];
    struct profile profile;
    struct maker maker;
    struct test_case *c;
    struct side {
        struct executor *executor;
        struct outcome *out;
        struct block outcomes, coverage;
        uint32_t outcomes_digest[BLOCKS], coverage_digest[BLOCKS];
    } side[2]; /* indexed by RUN_PLAIN, RUN_CHECKED */
    struct block cases;
    uint32_t cases_digest[BLOCKS];
};

static struct pin *pin_open(const struct unit *u, int builtin)
{
    struct pin *p = calloc(1, sizeof *p);
    assert_non_null(p);
    p->unit = u;
    p->builtin = builtin;
    p->name = builtin < 0 ? "drawn" : u->profiles[builtin].name;
    p->c = malloc(sizeof *p->c);
    assert_non_null(p->c);
    for (unsigned i = 0; i < unit_clauses(u); i++)
        p->id[i] = hash_of_id(unit_clause(u, i));
    if (builtin >= 0)
        profile_builtin(u, (unsigned)builtin, &p->profile);
    maker_open(&p->maker, u);
    for (unsigned mode = 0; mode < 2; mode++) {
        p->side[mode].executor = executor_new(u);
        p->side[mode].out = outcome_new(u);
    }
    return p;
}

static void pin_close(struct pin *p)
{
    for (unsigned mode = 0; mode < 2; mode++) {
        executor_free(p->side[mode].executor);
        outcome_free(p->side[mode].out);
    }
    maker_close(&p->maker);
    free(p->c);
    free(p);
}

/* Draws each reading from the clause's id, so that the order of clauses does not matter. */
static void draw_profile(struct pin *p, unsigned block, unsigned number)
{
    uint64_t of_case = random_mix64((uint64_t)block * BLOCK_CASES + number);
    for (unsigned i = 0; i < unit_clauses(p->unit); i++) {
        uint64_t draw = random_mix64(p->id[i] ^ of_case);
        unsigned reading = (unsigned)(draw >> 32) % clause_readings(unit_clause(p->unit, i));
        p->profile.reading[i] = draw % 4 ? READING_MANUAL : (uint8_t)reading;
    }
}

static void run_case(struct pin *p, unsigned block, unsigned number)
{
    make_case(&p->maker, p->c);
    put_u64(p->cases.of_case[number], digest_case(p->c));
    if (p->builtin < 0)
        draw_profile(p, block, number);
    for (unsigned mode = 0; mode < 2; mode++) {
        struct side *s = &p->side[mode];
        executor_run(s->executor, p->c, &p->profile, mode ? RUN_CHECKED : RUN_PLAIN, s->out);
        put_u64(s->outcomes.of_case[number], digest_outcome(p->unit, s->out));
        uint64_t coverage = digest_coverage(&s->executor->last, p->id, unit_clauses(p->unit));
        put_u64(s->coverage.of_case[number], coverage);
    }
}

static void run_block(struct pin *p, unsigned block)
{
    maker_begin(&p->maker, block);
    for (unsigned i = 0; i < BLOCK_CASES; i++)
        run_case(p, block, i);
    p->cases_digest[block] = block_end(&p->cases);
    for (unsigned mode = 0; mode < 2; mode++) {
        struct side *s = &p->side[mode];
        s->outcomes_digest[block] = block_end(&s->outcomes);
        s->coverage_digest[block] = block_end(&s->coverage);
    }
}

static void pin_profile(const struct unit *u, int builtin)
{
    static const char *const modes[] = {[RUN_PLAIN] = "plain", [RUN_CHECKED] = "checked"};
    char key[128];
    struct pin *p = pin_open(u, builtin);
    for (unsigned i = 0; i < blocks(); i++)
        run_block(p, i);
    if (builtin == 0) {
        (void)snprintf(key, sizeof key, "%s - - cases", u->name);
        settle(key, p->cases_digest);
    }
    for (unsigned mode = 0; mode < 2; mode++) {
        (void)snprintf(key, sizeof key, "%s %s %s outcomes", u->name, p->name, modes[mode]);
        settle(key, p->side[mode].outcomes_digest);
        (void)snprintf(key, sizeof key, "%s %s %s coverage", u->name, p->name, modes[mode]);
        settle(key, p->side[mode].coverage_digest);
    }
    pin_close(p);
}

/* --- campaigns -------------------------------------------------------------------------------- */

/* Wraps the campaign's generator, which depends on coverage, and computes a digest of its cases. */
struct noted_source {
    struct case_source inner;
    uint64_t sum, given;
};

static bool give(void *s, struct test_case *c, struct outcome *o, bool *h, const char **name, struct error *e)
{
    struct noted_source *n = s;
    if (!n->inner.next(n->inner.context, c, o, h, name, e))
        return false;
    n->sum = random_mix64(n->sum ^ digest_case(c));
    n->given++;
    return true;
}

static void note_fresh(void *context, const struct test_case *c, unsigned pairs)
{
    struct noted_source *n = context;
    n->inner.fresh(n->inner.context, c, pairs);
}

static int by_characters(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Returns a line like "manual-erratum 0123456789abcdef clause=reading,clause=reading | excuse clause=reading
 * | more". */
static char *describe(const struct finding *f)
{
    struct text t = {0};
    text_add(&t, "%s %016" PRIx64, verdict_name(f->verdict), digest_case(f->smallest));
    for (unsigned i = 0; i < f->explanation.candidates; i++) {
        text_add(&t, "%s%s", i ? " | " : " ", f->explanation.candidate[i].masks ? "excuse " : "");
        cause_print(f->unit, &f->explanation.candidate[i], &t);
    }
    if (f->explanation.more_candidates)
        text_add(&t, " | more");
    assert_non_null(t.chars);
    return t.chars;
}

static void describe_all(const char *key, const struct campaign_result *r, uint64_t cases, struct text *lines)
{
    char **line = calloc(r->findings + 1, sizeof *line);
    assert_non_null(line);
    for (unsigned i = 0; i < r->findings; i++)
        line[i] = describe(&r->finding[i]);
    qsort(line, r->findings, sizeof *line, by_characters);
    text_add(lines, "%scases %016" PRIx64 "\n", key, cases);
    for (unsigned i = 0; i < r->findings; i++) {
        text_add(lines, "%sfinding %s\n", key, line[i]);
        free(line[i]);
    }
    free(line);
}

/* Complains about lines of `text` that begin with `key` and are not in `other`. Returns how many lines begin
 * with `key`. */
static unsigned tell_missing(const char *key, const char *text, const char *other, const char *what)
{
    unsigned count = 0;
    for (const char *at = text; *at; at = strchr(at, '\n') + 1) {
        size_t length = (size_t)(strchr(at, '\n') + 1 - at);
        if (strncmp(at, key, strlen(key)) != 0)
            continue;
        count++;
        if (!find_line(other, at, length))
            complain("%s: %.*s", what, (int)length - 1, at);
    }
    return count;
}

static void pin_campaign(const struct unit *u, uint64_t cases)
{
    char board[64], key[128];
    struct error e = {0};
    struct profile manual;
    struct campaign_result result = {0};
    struct text lines = {0};
    struct generator_source *g = generator_new(u, CAMPAIGN_SEED);
    struct noted_source noted = {.inner = generator_as_source(g)};
    struct case_source source = {.next = give, .fresh = note_fresh, .context = &noted};
    struct campaign_options o = {.unit = u, .profile = &manual, .profile_name = "manual", .reduce = true};
    struct run_facts facts = {.command = "fuzz", .seed = CAMPAIGN_SEED};
    profile_builtin(u, 0, &manual);
    (void)snprintf(board, sizeof board, "virtual:%s", u->profiles[u->best_profile].name);
    o.board = board_open(board, u, &e);
    assert_non_null(o.board);
    o.seed = CAMPAIGN_SEED;
    o.max_cases = cases;
    facts.board = o.board->identity;
    assert_true(campaign_run(&o, &source, &facts, &result, &e));
    assert_int_equal(noted.given, cases);
    assert_true(result.findings > 0);
    (void)snprintf(key, sizeof key, "%s manual campaign-%" PRIu64 " ", u->name, cases);
    describe_all(key, &result, noted.sum, &lines);
    if (!writes()) {
        (void)tell_missing(key, text_chars(&lines), text_chars(&pinned), "new");
        met += tell_missing(key, text_chars(&pinned), text_chars(&lines), "gone");
    }
    text_add(&written, "%s", text_chars(&lines));
    text_free(&lines);
    campaign_free(&result);
    generator_free(g);
    board_close(o.board);
}

/* --- the test --------------------------------------------------------------------------------- */

static void outcomes_are_as_pinned(void **state)
{
    (void)state;
    const struct unit *u;
    complaints = 0;
    for (unsigned i = 0; (u = unit_at(i)); i++) {
        for (int k = 0; u->profiles[k].name; k++)
            pin_profile(u, k);
        pin_profile(u, -1);
    }
    print_message("  %u blocks of %d cases for each unit, profile and mode\n", blocks(), BLOCK_CASES);
    assert_int_equal(complaints, 0);
}

static void findings_are_as_pinned(void **state)
{
    (void)state;
    const struct unit *u;
    complaints = 0;
    for (unsigned i = 0; (u = unit_at(i)); i++) {
        pin_campaign(u, CAMPAIGN_SHORT);
        if (blocks() == BLOCKS)
            pin_campaign(u, CAMPAIGN_LONG);
    }
    assert_int_equal(complaints, 0);
}

/* Fails if the file has lines of units, profiles or campaigns that no longer exist. */
static void nothing_else_is_pinned(void **state)
{
    (void)state;
    unsigned lines = 0;
    if (writes() || blocks() < BLOCKS)
        skip();
    for (const char *at = text_chars(&pinned); *at; at = strchr(at, '\n') + 1)
        lines++;
    assert_int_equal(met, lines);
}

static const char file_begin[] =
    "# Written by tests/model/core/test_pinned.c; its first comment says when and how.\n"
    "# UNIT PROFILE MODE WHAT, then a digest for each block of 1,000 cases.\n"
    "# Of a campaign: a digest of all its cases; of each finding, the verdict,\n"
    "# a digest of the smallest case, and the causes.\n";

static int write_file(void)
{
    FILE *f = fopen(file_name, "w");
    if (!f || fprintf(f, "%s%s", file_begin, text_chars(&written)) < 0 || fclose(f) != 0) {
        perror(file_name);
        return 1;
    }
    return 0;
}

/* MISPRINT_PIN="cases UNIT PROFILE BLOCK": prints each case with its digests, outcomes and coverage. */
static int show_cases(const char *words)
{
    char name[64], profile[64];
    unsigned block;
    struct error e = {0};
    if (sscanf(words, "cases %63s %63s %u", name, profile, &block) != 3 || block >= BLOCKS) {
        fprintf(stderr, "MISPRINT_PIN: 'write' or 'cases UNIT PROFILE BLOCK', not '%s'\n", words);
        return 2;
    }
    const struct unit *u = unit_find(name, &e);
    int builtin = u ? unit_profile_index(u, profile) : -1;
    if (!u || (builtin < 0 && strcmp(profile, "drawn") != 0)) {
        fprintf(stderr, "%s\n", u ? "MISPRINT_PIN: no such profile" : e.text);
        return 2;
    }
    struct pin *p = pin_open(u, builtin);
    run_block(p, block);
    for (unsigned i = 0; i < BLOCK_CASES; i++) {
        printf("%u %016" PRIx64, i, get_u64(p->cases.of_case[i]));
        for (unsigned mode = 0; mode < 2; mode++)
            printf(" %016" PRIx64, get_u64(p->side[mode].outcomes.of_case[i]));
        for (unsigned mode = 0; mode < 2; mode++)
            printf(" %016" PRIx64, get_u64(p->side[mode].coverage.of_case[i]));
        printf("\n");
    }
    pin_close(p);
    return 0;
}

int main(void)
{
    const char *pin = getenv("MISPRINT_PIN");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(outcomes_are_as_pinned),
        cmocka_unit_test(findings_are_as_pinned),
        cmocka_unit_test(nothing_else_is_pinned),
    };
    if (pin && *pin && !writes())
        return show_cases(pin);
    read_file();
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    if (!failed && writes())
        failed = write_file();
    text_free(&pinned);
    text_free(&written);
    return failed;
}
