/* SPDX-License-Identifier: MIT */
#include "model/core/clause.h"

#include "model/core/unit.h"
#include "model/rule/rule.h"
#include "model/text/character.h"

#include <string.h>

const char *evidence_name(enum evidence e)
{
    static const char *const names[] = {"argument", "document", "source", "stated", "silicon"};
    return names[e];
}

unsigned clause_readings(const struct clause *c)
{
    unsigned count = 0;
    while (count < READINGS_MAX && c->readings[count].id)
        count++;
    return count;
}

unsigned clause_modes(const struct clause *c)
{
    unsigned n = 0;
    while (c->modes && c->modes[n])
        n++;
    return n ? n : 1;
}

/* Returns the index of the reading with this id; -1 if there is none. */
static int clause_reading(const struct clause *c, const char *id)
{
    for (unsigned i = 0; i < clause_readings(c); i++)
        if (!strcmp(c->readings[i].id, id))
            return (int)i;
    return -1;
}

static const char *name_of_clause(const void *unit, unsigned i)
{
    const struct clause *c = unit_clause(unit, i);
    return c ? c->id : NULL;
}

static const char *name_of_reading(const void *clause, unsigned i)
{
    const struct clause *c = clause;
    return i < clause_readings(c) ? c->readings[i].id : NULL;
}

static const char *name_of_profile(const void *unit, unsigned i)
{
    return ((const struct unit *)unit)->profiles[i].name;
}

/* Finds a clause by id in all units; NULL if there is none. */
static const struct clause *clause_elsewhere(const char *id)
{
    for (unsigned i = 0; unit_at(i); i++) {
        int index = unit_clause_index(unit_at(i), id);
        if (index >= 0)
            return unit_clause(unit_at(i), (unsigned)index);
    }
    return NULL;
}

static bool choose(const struct unit *u, const char *clause, const char *reading, struct profile *p,
                   struct error *e)
{
    int index = unit_clause_index(u, clause);
    const struct clause *c = index >= 0 ? unit_clause(u, (unsigned)index) : clause_elsewhere(clause);
    if (!c)
        return error_unknown(e, "clause", clause, name_of_clause, u, "`misprint clauses` lists them");
    int chosen = clause_reading(c, reading);
    if (chosen < 0) {
        struct text known = {0};
        for (unsigned i = 0; i < clause_readings(c); i++)
            text_add(&known, "%s%s", i ? ", " : "it has ", c->readings[i].id);
        error_unknown(e, "reading", reading, name_of_reading, c, text_chars(&known));
        error_where(e, "clause %s", clause);
        text_free(&known);
        return false;
    }
    if (index >= 0)
        p->reading[index] = (uint8_t)chosen;
    return true;
}

void profile_builtin(const struct unit *u, unsigned index, struct profile *p)
{
    *p = (struct profile){0};
    for (unsigned i = 0; i < unit_clauses(u); i++)
        p->reading[i] = unit_clause(u, i)->in_profile[index];
}

/* Copies chars[0..count) without surrounding blanks to `word`. Returns false if the result is empty or does
 * not fit. */
static bool copy_word(const char *chars, size_t count, char *word, size_t room)
{
    while (count && char_is_space(*chars))
        chars++, count--;
    while (count && char_is_space(chars[count - 1]))
        count--;
    if (!count || count >= room)
        return false;
    memcpy(word, chars, count);
    word[count] = 0;
    return true;
}

enum { WORD_MAX = 128, LINE_MAX = 4096 /* enough for a rule with a full table */ };

static bool apply_pair(const struct unit *u, const char *chars, size_t count, struct profile *p,
                       struct error *e)
{
    const char *equals = memchr(chars, '=', count);
    char clause[WORD_MAX], reading[WORD_MAX];
    if (!equals || !copy_word(chars, (size_t)(equals - chars), clause, sizeof clause) ||
        !copy_word(equals + 1, count - (size_t)(equals + 1 - chars), reading, sizeof reading))
        return error_set(e, "expected 'clause=reading', got '%.*s'", (int)(count > 60 ? 60 : count), chars);
    return choose(u, clause, reading, p, e);
}

/* Adds one rule to the profile if the rule names this unit. */
static bool apply_rule(const struct unit *u, const char *chars, size_t count, struct profile *p,
                       struct error *e)
{
    struct rule r;
    const struct unit *of;
    if (!rule_parse(chars, count, &of, &r, e))
        return false;
    if (of != u)
        return true;
    return rules_add(&p->rules, &r) ||
           error_set(e,
                     "a profile can have %d rules, and %d numbers, names and operators in them; this is "
                     "too much",
                     RULES_MAX, RULES_NODES_MAX);
}

bool profile_override(const struct unit *u, const char *overrides, struct profile *p, struct error *e)
{
    while (*overrides && *overrides != ';') {
        size_t count = strcspn(overrides, ",;");
        if (!apply_pair(u, overrides, count, p, e))
            return false;
        overrides += count + (overrides[count] == ',');
    }
    while (*overrides == ';') {
        size_t count = strcspn(++overrides, ";");
        if (!apply_rule(u, overrides, count, p, e))
            return error_where(e, "rule '%.*s'", (int)(count > 100 ? 100 : count), overrides);
        overrides += count;
    }
    return true;
}

/* Is this line of a profile file a rule? A rule begins with a unit's name and a blank. */
static bool is_rule(const char *line)
{
    char name[WORD_MAX];
    size_t count = strcspn(line, " \t=");
    return char_is_space(line[count]) && copy_word(line, count, name, sizeof name) && unit_named(name);
}

static bool set_base(const struct unit *u, const char *name, struct profile *p, struct error *e)
{
    int index = unit_profile_index(u, name);
    if (index < 0 && unit_lacks_chip(u, name, e))
        return false;
    if (index < 0) {
        error_unknown(e, "profile", name, name_of_profile, u,
                      "`misprint units` lists a unit's profiles; or give a file");
        return error_where(e, "unit %s", u->name);
    }
    profile_builtin(u, (unsigned)index, p);
    return true;
}

bool profile_resolve(const struct unit *u, const char *spec, struct profile *p, struct error *e)
{
    size_t first = strcspn(spec, ",;");
    profile_builtin(u, 0, p);
    if (memchr(spec, '=', first))
        return profile_override(u, spec, p, e);
    char name[WORD_MAX];
    if (!copy_word(spec, first, name, sizeof name))
        return error_set(e, "the profile's name is empty; write 'manual', or see `misprint units`");
    return set_base(u, name, p, e) && profile_override(u, spec + first + (spec[first] == ','), p, e);
}

bool profile_parse(const struct unit *u, const char *text, struct profile *p, struct error *e)
{
    bool first = true;
    unsigned chosen_on[CLAUSES_MAX] = {0}; /* for each clause, the number of the line that set it */
    profile_builtin(u, 0, p);
    for (unsigned line = 1; *text; line++) {
        size_t whole = strcspn(text, "\n"), count = strcspn(text, "#\n");
        char word[LINE_MAX], key[WORD_MAX], value[WORD_MAX];
        if (count >= sizeof word)
            return error_set(e, "line %u: too long for 'clause = reading' or a rule", line);
        if (copy_word(text, count, word, sizeof word) && is_rule(word)) {
            if (!apply_rule(u, text, count, p, e)) /* an error needs the whole line's columns */
                return error_where(e, "line %u", line);
            first = false;
        } else if (copy_word(text, count, word, sizeof word)) {
            const char *equals = strchr(word, '=');
            bool is_base = equals && copy_word(word, (size_t)(equals - word), key, sizeof key) &&
                           !strcmp(key, "base") &&
                           copy_word(equals + 1, strlen(equals + 1), value, sizeof value);
            if (is_base && !first)
                return error_set(
                    e, "line %u: 'base' must come before all clauses and rules, because it sets each", line);
            if (!(is_base ? set_base(u, value, p, e) : apply_pair(u, word, strlen(word), p, e)))
                return error_where(e, "line %u", line);
            int clause = is_base ? -1 : unit_clause_index(u, key);
            if (clause >= 0 && chosen_on[clause])
                return error_set(e, "line %u: line %u already chose a reading of '%s'", line,
                                 chosen_on[clause], key);
            if (clause >= 0)
                chosen_on[clause] = line;
            first = false;
        }
        text += whole + (text[whole] == '\n');
    }
    return true;
}

bool coverage_contains(const struct coverage *c, const struct coverage *part)
{
    unsigned fresh = 0;
    for (unsigned i = 0; i < CLAUSES_MAX; i++)
        fresh |= part->modes[i] & ~(unsigned)c->modes[i];
    return !fresh;
}

bool coverage_distinguishes(const struct coverage *c, const struct profile *p, const struct profile *q,
                            unsigned clauses)
{
    unsigned disagreements =
        (p->rules.count || q->rules.count) && memcmp(&p->rules, &q->rules, sizeof p->rules) != 0;
    for (unsigned i = 0; i < clauses; i++)
        disagreements |= (unsigned)(c->modes[i] != 0) & (unsigned)(p->reading[i] != q->reading[i]);
    return disagreements;
}

unsigned coverage_merge(struct coverage *into, const struct coverage *from)
{
    unsigned fresh = 0;
    /* most runs add nothing new; compilers vectorise coverage_contains, but not the loop below */
    if (coverage_contains(into, from))
        return 0;
    for (unsigned i = 0; i < CLAUSES_MAX; i++) {
        unsigned added = from->modes[i] & ~(unsigned)into->modes[i];
        fresh += (unsigned)__builtin_popcount(added);
        into->modes[i] = (uint16_t)(into->modes[i] | added);
    }
    return fresh;
}

unsigned coverage_clauses(const struct coverage *c)
{
    unsigned count = 0;
    for (unsigned i = 0; i < CLAUSES_MAX; i++)
        count += c->modes[i] != 0;
    return count;
}

unsigned coverage_pairs(const struct coverage *c)
{
    unsigned count = 0;
    for (unsigned i = 0; i < CLAUSES_MAX; i++)
        count += (unsigned)__builtin_popcount(c->modes[i]);
    return count;
}
