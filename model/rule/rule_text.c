/* SPDX-License-Identifier: MIT */
/* The text of rules: printing and parsing. */
#include "model/core/unit.h"
#include "model/rule/rule.h"
#include "model/text/character.h"

#include <string.h>

enum { NAME_MAX_HERE = 64 };

static void skip_blanks(const char *text, size_t count, size_t *at)
{
    while (*at < count && char_is_space(text[*at]))
        ++*at;
}

/* Copies the characters up to the next blank or '='. */
static bool take_name(const char *text, size_t count, size_t *at, char name[NAME_MAX_HERE])
{
    size_t length = 0;
    skip_blanks(text, count, at);
    for (; *at < count && !char_is_space(text[*at]) && text[*at] != '='; ++*at)
        if (length + 1 < NAME_MAX_HERE)
            name[length++] = text[*at];
    name[length] = 0;
    return length > 0;
}

static const char *name_of_unit(const void *context, unsigned i)
{
    (void)context;
    return unit_at(i) ? unit_at(i)->name : NULL;
}

static const char *name_of_point(const void *unit, unsigned i)
{
    const struct unit *u = unit;
    if (i < u->point_count)
        return u->points[i].name;
    const struct point_alias *a = u->point_aliases;
    for (i -= u->point_count; a && a->name && i; i--)
        a++;
    return a ? a->name : NULL;
}

/* Adds the guard of an old name to the rule's own guard, which has been parsed already. Both must hold. */
static bool add_guard_of_alias(const struct point *p, const char *when, struct rule *r, struct error *e)
{
    struct expression guard = {0};
    size_t at = 0;
    bool both = r->guard.count;
    if (!expression_parse(p, when, strlen(when), &at, &guard, e))
        return false;
    if (guard.count + r->guard.count + both > EXPRESSION_NODES_MAX)
        return error_set(e, "the guard is too long together with '%s', which the point's old name means",
                         when);
    memcpy(guard.node + guard.count, r->guard.node, r->guard.count * sizeof *guard.node);
    guard.count += r->guard.count;
    if (both)
        guard.node[guard.count++] = (struct expression_node){.op = EXPRESSION_LOGICAL_AND};
    r->guard = guard;
    return true;
}

/* Sets r->point to the point with this name or old name. For an old name, sets *when to its guard. */
static bool find_point(const struct unit *u, const char *name, size_t column, struct rule *r,
                       const char **when, struct error *e)
{
    if (!u->point_count)
        return error_set(e, "unit %s has no observation points yet, so it takes no rules", u->name);
    for (unsigned i = 0; i < u->point_count; i++)
        if (!strcmp(u->points[i].name, name)) {
            r->point = (uint16_t)i;
            return true;
        }
    for (const struct point_alias *a = u->point_aliases; a && a->name; a++)
        if (!strcmp(a->name, name)) {
            r->point = a->point;
            *when = a->when;
            return true;
        }
    error_unknown(e, "point", name, name_of_point, u, "`misprint points UNIT` lists them");
    return error_where(e, "column %zu", column);
}

bool rule_parse(const char *text, size_t count, const struct unit **unit, struct rule *r, struct error *e)
{
    char name[NAME_MAX_HERE];
    const char *when = NULL;
    size_t at = 0, first;
    memset(r, 0, sizeof *r);
    if (!take_name(text, count, &at, name))
        return error_set(e, "column 1: expected 'UNIT POINT [when GUARD] = EXPRESSION'");
    first = at - strlen(name) + 1;
    *unit = unit_named(name);
    if (!*unit) {
        error_unknown(e, "unit", name, name_of_unit, NULL, "`misprint units` lists them");
        return error_where(e, "column %zu", first);
    }
    skip_blanks(text, count, &at);
    first = at + 1;
    if (!take_name(text, count, &at, name))
        return error_set(e, "column %zu: expected the name of a point of %s", first, (*unit)->name);
    if (!find_point(*unit, name, first, r, &when, e))
        return false;
    const struct point *p = &(*unit)->points[r->point];
    skip_blanks(text, count, &at);
    if (count - at > 5 && !memcmp(text + at, "when", 4) && char_is_space(text[at + 4])) {
        at += 4;
        if (!expression_parse(p, text, count, &at, &r->guard, e))
            return false;
    }
    if (when && !add_guard_of_alias(p, when, r, e))
        return false;
    if (at == count || text[at] != '=')
        return error_set(e, "column %zu: expected '=' and an expression", at + 1);
    at++;
    if (!expression_parse(p, text, count, &at, &r->result, e))
        return false;
    return at == count || error_set(e, "column %zu: expected an operator or the end of the rule", at + 1);
}

void rule_print(const struct unit *u, const struct rule *r, struct text *t)
{
    const struct point *p = &u->points[r->point];
    text_add(t, "%s %s", u->name, p->name);
    if (r->guard.count) {
        text_add(t, " when ");
        expression_print(&r->guard, p, t);
    }
    text_add(t, " = ");
    expression_print_result(&r->result, p, t);
}
