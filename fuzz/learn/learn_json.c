/* SPDX-License-Identifier: MIT */
#include "fuzz/learn/learn_json.h"

#include "model/core/memory.h"
#include "oracle/describe/escape.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char format_name[] = "misprint-learn";

static const char *const end_names[] = {
    [LEARN_AGREES] = "agrees", [LEARN_SPENT] = "spent", [LEARN_STOPPED] = "interrupted"};
enum { ENDS = sizeof end_names / sizeof *end_names };

static const struct counter {
    const char *name;
    size_t offset; /* of a uint64_t in struct learn_result */
} counters[] = {
    {"cases", offsetof(struct learn_result, cases)},
    {"differing", offsetof(struct learn_result, differing)},
    {"experiments", offsetof(struct learn_result, experiments)},
    {"agreed", offsetof(struct learn_result, agreed)},
    {"set_aside", offsetof(struct learn_result, set_aside)},
    {"flaky", offsetof(struct learn_result, flaky)},
    {"refused", offsetof(struct learn_result, refused)},
};
enum { COUNTERS = sizeof counters / sizeof *counters };

static const struct measure {
    const char *name;
    size_t offset; /* of a uint32_t in struct circumstance */
} measures[] = {
    {"fresh", offsetof(struct circumstance, cases)},         {"such", offsetof(struct circumstance, holds)},
    {"differing", offsetof(struct circumstance, differing)}, {"both", offsetof(struct circumstance, both)},
    {"elsewhere", offsetof(struct circumstance, elsewhere)},
};
enum { MEASURES = sizeof measures / sizeof *measures };

/* ---- writing ---- */

static json_t *count_json(uint64_t n)
{
    return json_integer(n > INT64_MAX ? INT64_MAX : (json_int_t)n);
}

static json_t *change_json(const struct unit *u, const struct learn_change *c)
{
    struct text t = {0};
    learn_print_change(u, c, &t);
    json_t *j = json_pack("{s:s, s:s}", "kind", c->is_rule ? "rule" : "reading", "text", text_chars(&t));
    text_free(&t);
    return j;
}

static json_t *case_json(const struct test_case *c)
{
    struct text t = {0};
    case_print(c, &t);
    json_t *j = json_string(text_chars(&t));
    text_free(&t);
    return j;
}

static json_t *learned_json(const struct unit *u, const struct learned *k)
{
    json_t *j = change_json(u, &k->change), *others = json_array();
    struct text sentence = {0};
    for (uint32_t i = 0; i < k->alternatives && i < LEARN_ALTERNATIVES_MAX; i++)
        json_array_append_new(others, change_json(u, &k->alternative[i]));
    json_object_set_new(j, "explained", json_integer(k->explained));
    json_object_set_new(j, "experiments", json_integer(k->experiments));
    if (k->stands)
        json_object_set_new(j, "stands", json_true());
    json_object_set_new(j, "alternatives", others);
    json_object_set_new(j, "alternatives_count", json_integer(k->alternatives));
    json_object_set_new(j, "case", case_json(k->smallest));
    if (k->related[RELATED_AGREES].tc)
        json_object_set_new(j, "nearest_agreeing", case_json(k->related[RELATED_AGREES].tc));
    learn_describe_change(u, &k->change, &sentence);
    json_object_set_new(j, "sentence", json_string(text_chars(&sentence)));
    text_free(&sentence);
    return j;
}

static json_t *circumstance_json(const struct unit *u, const struct circumstance *c)
{
    struct text t = {0};
    circumstance_print(u, c, &t);
    json_t *j = json_pack("{s:s, s:f, s:f}", "when", text_chars(&t), "precision", circumstance_precision(c),
                          "recall", circumstance_recall(c));
    for (unsigned i = 0; i < MEASURES; i++)
        json_object_set_new(j, measures[i].name,
                            json_integer(*(const uint32_t *)((const char *)c + measures[i].offset)));
    text_free(&t);
    return j;
}

static json_t *aside_json(const struct unit *u, const struct learn_aside *a)
{
    json_t *j =
        json_pack("{s:o, s:o, s:b, s:o}", "signature", json_sprintf("%016" PRIx64, a->signature), "cases",
                  count_json(a->cases), "unfinished", (int)a->unfinished, "case", case_json(a->smallest));
    if (a->circumstance.found)
        json_object_set_new(j, "circumstance", circumstance_json(u, &a->circumstance));
    return j;
}

json_t *learn_json(const struct learn_options *o, const char *profile, const struct learn_result *r)
{
    const struct board_identity *b = &o->board->identity;
    json_t *learned = json_array(), *asides = json_array();
    json_t *j = json_pack("{s:s, s:i, s:s, s:o, s:b, s:o, s:o, s:s}", "format", format_name, "version",
                          LEARN_JSON_VERSION, "unit", o->unit->name, "board", json_text(b->spec), "silicon",
                          (int)b->silicon, "profile", json_text(profile), "seed",
                          json_sprintf("%" PRIu64, o->seed), "end", end_names[r->end]);
    for (unsigned i = 0; i < COUNTERS; i++)
        json_object_set_new(j, counters[i].name,
                            count_json(*(const uint64_t *)((const char *)r + counters[i].offset)));
    json_object_set_new(j, "taken_back", json_integer(r->taken_back));
    json_object_set_new(j, "seconds", json_real(r->seconds));
    for (uint32_t i = 0; i < r->count; i++)
        json_array_append_new(learned, learned_json(o->unit, &r->learned[i]));
    for (uint32_t i = 0; i < r->asides; i++)
        json_array_append_new(asides, aside_json(o->unit, &r->aside[i]));
    json_object_set_new(j, "learned", learned);
    json_object_set_new(j, "unexplained", asides);
    return j;
}

/* ---- reading ---- */

static bool lacks(const char *member, struct error *e)
{
    return error_set(e, "'%s' is missing or wrong", member);
}

/* Adds to an error what the user can do about a damaged file. */
static bool advise(struct error *e)
{
    char what[ERROR_TEXT_MAX - 128];
    if (!e)
        return false;
    text_copy_utf8(what, sizeof what, e->text, strlen(e->text));
    return error_set(e, "%s; the file is damaged: restore it, or remove it to begin anew", what);
}

static bool read_u64(const json_t *j, const char *member, uint64_t *to, struct error *e)
{
    const json_t *n = json_object_get(j, member);
    if (!json_is_integer(n) || json_integer_value(n) < 0)
        return lacks(member, e);
    *to = (uint64_t)json_integer_value(n);
    return true;
}

static bool read_u32(const json_t *j, const char *member, uint32_t *to, struct error *e)
{
    uint64_t n = 0;
    if (!read_u64(j, member, &n, e))
        return false;
    *to = (uint32_t)n;
    return n <= UINT32_MAX || lacks(member, e);
}

static bool read_flag(const json_t *j, const char *member, bool *to, struct error *e)
{
    *to = json_is_true(json_object_get(j, member));
    return json_is_boolean(json_object_get(j, member)) || lacks(member, e);
}

/* Returns a member that is text; NULL with an error. */
static const char *read_text(const json_t *j, const char *member, struct error *e)
{
    const char *s = json_string_value(json_object_get(j, member));
    if (!s)
        (void)lacks(member, e);
    return s;
}

/* Reads a number that is stored as text. */
static bool read_number(const json_t *j, const char *member, int base, uint64_t *to, struct error *e)
{
    const char *s = read_text(j, member, e);
    char *end;
    if (!s)
        return false;
    *to = strtoull(s, &end, base);
    size_t digits = strspn(s, base == 16 ? "0123456789abcdef" : "0123456789");
    return (digits && digits <= 20 && !s[digits] && end == s + digits) || lacks(member, e);
}

static bool read_rule(const struct unit *u, const char *text, struct rule *rule, struct error *e)
{
    const struct unit *of;
    return (rule_parse(text, strlen(text), &of, rule, e) || error_where(e, "the rule '%.100s'", text)) &&
           (of == u || error_set(e, "the rule '%.100s' is of another unit", text));
}

static bool read_reading(const struct unit *u, const char *text, struct learn_change *c, struct error *e)
{
    for (unsigned i = 0; i < unit_clauses(u); i++) {
        const struct clause *clause = unit_clause(u, i);
        size_t length = strlen(clause->id);
        if (strncmp(text, clause->id, length) != 0 || text[length] != '=')
            continue;
        for (unsigned k = 0; k < clause_readings(clause); k++)
            if (!strcmp(text + length + 1, clause->readings[k].id)) {
                c->clause = (uint16_t)i;
                c->reading = (uint8_t)k;
                return true;
            }
    }
    return error_set(e, "'%.100s' is no reading of %s", text, u->name);
}

static bool read_change(const struct unit *u, const json_t *j, struct learn_change *c, struct error *e)
{
    const char *kind = read_text(j, "kind", e), *text = kind ? read_text(j, "text", e) : NULL;
    if (!text)
        return false;
    c->is_rule = !strcmp(kind, "rule");
    return c->is_rule                 ? read_rule(u, text, &c->rule, e)
           : !strcmp(kind, "reading") ? read_reading(u, text, c, e)
                                      : lacks("kind", e);
}

/* Returns a new case; NULL with an error. */
static struct test_case *read_case(const struct unit *u, const json_t *j, const char *member, struct error *e)
{
    const char *text = read_text(j, member, e);
    if (!text)
        return NULL;
    struct test_case *c = memory_new(1, sizeof *c);
    if (case_parse_as(c, u, text, strlen(text), e))
        return c;
    (void)error_where(e, "'%s'", member);
    free(c);
    return NULL;
}

static bool read_learned(const struct unit *u, const json_t *j, struct learn_result *r, struct error *e)
{
    struct learned *k = &r->learned[r->count];
    const json_t *others = json_object_get(j, "alternatives");
    if (!read_change(u, j, &k->change, e) || !read_u32(j, "explained", &k->explained, e) ||
        !read_u32(j, "experiments", &k->experiments, e) ||
        !read_u32(j, "alternatives_count", &k->alternatives, e))
        return false;
    k->stands = json_is_true(json_object_get(j, "stands"));
    uint32_t stored = k->alternatives < LEARN_ALTERNATIVES_MAX ? k->alternatives : LEARN_ALTERNATIVES_MAX;
    if (!json_is_array(others) || json_array_size(others) != stored)
        return lacks("alternatives", e);
    for (uint32_t i = 0; i < stored; i++)
        if (!read_change(u, json_array_get(others, i), &k->alternative[i], e))
            return error_where(e, "'alternatives'");
    if (!learn_apply(&k->change, &r->profile))
        return error_set(e, "the profile has no room for another rule");
    k->smallest = read_case(u, j, "case", e);
    r->count += k->smallest != NULL;
    if (!k->smallest || !json_object_get(j, "nearest_agreeing"))
        return k->smallest;
    return (k->related[RELATED_AGREES].tc = read_case(u, j, "nearest_agreeing", e));
}

/* Reads a circumstance, which is printed as a rule without its result. */
static bool read_circumstance(const struct unit *u, const json_t *j, struct circumstance *c, struct error *e)
{
    const char *when = read_text(j, "when", e);
    struct rule rule;
    struct text t = {0};
    if (!when)
        return false;
    text_add(&t, "%s = value", when);
    bool good = read_rule(u, text_chars(&t), &rule, e);
    text_free(&t);
    if (!good)
        return false;
    *c = (struct circumstance){.found = true, .point = rule.point, .guard = rule.guard};
    for (unsigned i = 0; i < MEASURES; i++)
        if (!read_u32(j, measures[i].name, (uint32_t *)((char *)c + measures[i].offset), e))
            return false;
    return true;
}

static bool read_aside(const struct unit *u, const json_t *j, struct learn_result *r, struct error *e)
{
    struct learn_aside *a = &r->aside[r->asides];
    if (!read_number(j, "signature", 16, &a->signature, e) || !read_u64(j, "cases", &a->cases, e) ||
        !read_flag(j, "unfinished", &a->unfinished, e))
        return false;
    if (!a->cases)
        return lacks("cases", e);
    const json_t *circumstance = json_object_get(j, "circumstance");
    if (circumstance && !read_circumstance(u, circumstance, &a->circumstance, e))
        return error_where(e, "'circumstance'");
    a->smallest = read_case(u, j, "case", e);
    r->asides += a->smallest != NULL;
    return a->smallest;
}

static bool read_lists(const struct unit *u, const json_t *j, struct learn_result *r, struct error *e)
{
    const json_t *learned = json_object_get(j, "learned"), *asides = json_object_get(j, "unexplained");
    if (!json_is_array(learned) || json_array_size(learned) > LEARNED_MAX)
        return lacks("learned", e);
    if (!json_is_array(asides) || json_array_size(asides) > LEARN_ASIDE_MAX)
        return lacks("unexplained", e);
    for (size_t i = 0; i < json_array_size(learned); i++)
        if (!read_learned(u, json_array_get(learned, i), r, e))
            return error_where(e, "'learned', entry %zu", i + 1);
    for (size_t i = 0; i < json_array_size(asides); i++)
        if (!read_aside(u, json_array_get(asides, i), r, e))
            return error_where(e, "'unexplained', entry %zu", i + 1);
    return true;
}

static bool read_counts(const json_t *j, struct learn_result *r, struct error *e)
{
    const json_t *seconds = json_object_get(j, "seconds");
    const char *end = read_text(j, "end", e);
    unsigned at = 0;
    if (!end)
        return false;
    while (at < ENDS && strcmp(end, end_names[at]) != 0)
        at++;
    if (at == ENDS)
        return lacks("end", e);
    r->end = (enum learn_end)at;
    for (unsigned i = 0; i < COUNTERS; i++)
        if (!read_u64(j, counters[i].name, (uint64_t *)((char *)r + counters[i].offset), e))
            return false;
    r->seconds = json_number_value(seconds);
    if (!json_is_number(seconds) || !isfinite(r->seconds) || r->seconds < 0)
        return lacks("seconds", e);
    return read_u32(j, "taken_back", &r->taken_back, e) && (r->agreed <= r->cases || lacks("agreed", e));
}

static bool is_other(const char *what, const char *stored, const char *wanted, struct error *e)
{
    return error_set(e, "holds a run with %s %.120s, not %.120s; use the same %s, or name another directory",
                     what, stored, wanted, what);
}

static bool has_texts(const json_t *j, struct error *e)
{
    return read_text(j, "unit", e) && read_text(j, "board", e) && read_text(j, "profile", e);
}

/* Is the document of a run that `o` can continue? The document has all the texts. */
static bool check_run(const json_t *j, const struct learn_options *o, struct error *e)
{
    const char *unit = json_string_value(json_object_get(j, "unit")),
               *board = json_string_value(json_object_get(j, "board")),
               *profile = json_string_value(json_object_get(j, "profile"));
    struct profile base;
    struct text spec = {0};
    if (strcmp(unit, o->unit->name) != 0)
        return is_other("unit", unit, o->unit->name, e);
    escape_utf8(&spec, o->board->identity.spec, strlen(o->board->identity.spec)); /* as it was written */
    bool good = !strcmp(board, text_chars(&spec)) || is_other("board", board, text_chars(&spec), e);
    text_free(&spec);
    if (!good || !profile_resolve(o->unit, profile, &base, e))
        return good ? error_where(e, "'profile'") : false;
    return (!memcmp(base.reading, o->base->reading, sizeof base.reading) &&
            !memcmp(&base.rules, &o->base->rules, sizeof base.rules)) ||
           error_set(e,
                     "holds a run on top of profile %.200s; use the same --profile and --rule, or name "
                     "another directory",
                     profile);
}

static bool check_format(const json_t *j, struct error *e)
{
    const char *format = json_string_value(json_object_get(j, "format"));
    uint32_t version;
    if (!format || strcmp(format, format_name) != 0)
        return error_set(e,
                         "is not a run of `misprint learn`: its member 'format' is not '%s'; name another "
                         "directory",
                         format_name);
    if (!read_u32(j, "version", &version, e))
        return false;
    return version == LEARN_JSON_VERSION ||
           error_set(e,
                     "has version %" PRIu32 ", but this misprint reads version %d; use the misprint that "
                     "wrote it, or name another directory",
                     version, LEARN_JSON_VERSION);
}

bool learn_json_read(const char *chars, size_t count, const struct learn_options *o, struct learn_result *r,
                     uint64_t *seed, struct error *e)
{
    json_error_t why;
    json_t *j = json_loadb(chars, count, JSON_REJECT_DUPLICATES, &why);
    memset(r, 0, sizeof *r);
    if (!j) {
        (void)error_set(e, "line %d: %s", why.line, why.text);
        return advise(e);
    }
    r->profile = *o->base;
    bool good =
        check_format(j, e) && (has_texts(j, e) || advise(e)) && check_run(j, o, e) &&
        ((read_number(j, "seed", 10, seed, e) && read_counts(j, r, e) && read_lists(o->unit, j, r, e)) ||
         advise(e));
    json_decref(j);
    if (!good)
        learn_free(r);
    return good;
}
