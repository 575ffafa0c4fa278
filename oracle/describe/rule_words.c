/* SPDX-License-Identifier: MIT */
#include "oracle/describe/rule_words.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- descriptions ---- */

/* Returns the length of a point's group with its dot: of "block." in "block.size". Some points have none. */
static size_t group_length(const struct point *p)
{
    const char *dot = strrchr(p->name, '.');
    return dot ? (size_t)(dot - p->name) + 1 : 0;
}

/* Returns the description of a point in the group of `p` or, if there is none, in any group, whose last part
 * is `name`; NULL if there is none. */
static const char *about_point(const struct unit *u, const struct point *p, const char *name)
{
    const size_t group = group_length(p);
    const char *any = NULL;
    for (unsigned i = 0; i < u->point_count; i++) {
        const struct point *other = &u->points[i];
        const size_t length = group_length(other);
        if (strcmp(other->name + length, name) != 0)
            continue;
        if (length == group && !strncmp(other->name, p->name, group))
            return other->about;
        any = any ? any : other->about;
    }
    return any;
}

/* Is the note about this input of the point? A scope before the input's name must begin the point's name. */
static bool is_note(const struct input_note *n, const struct point *p, const char *name)
{
    const char *dot = strrchr(n->name, '.');
    const size_t scope = dot ? (size_t)(dot - n->name) : 0;
    return !strcmp(dot ? dot + 1 : n->name, name) &&
           (!dot || (!strncmp(n->name, p->name, scope) && (!p->name[scope] || p->name[scope] == '.')));
}

const char *words_about_input(const struct unit *u, const struct point *p, const char *name)
{
    const struct input_note *best = NULL;
    for (const struct input_note *n = u->input_notes; n && n->name; n++)
        if (is_note(n, p, name) && (!best || strlen(n->name) > strlen(best->name)))
            best = n;
    return best ? best->about : about_point(u, p, name);
}

const char *words_about(const struct rule_words *w, unsigned input)
{
    return input == WORDS_OF_VALUE ? w->p->about : words_about_input(w->u, w->p, w->p->input[input].name);
}

/* ---- statements ---- */

bool words_is_statement(const char *about)
{
    return about[0] == '1' && about[1] == ':';
}

const char *words_statement(const char *about, uint32_t number, size_t *length)
{
    if (!about || !words_is_statement(about) || number > 1)
        return NULL;
    const char *says = number ? about : strstr(about, "; 0:");
    says += says ? number ? 3 : 5 : 0;
    *length = says ? strcspn(says, ";") : 0;
    return says;
}

/* ---- noun phrases ---- */

/* Does the phrase begin with an article, or with a name that has none, such as "operand a"? */
static bool has_article(const char *words)
{
    const char *second = strchr(words, ' ');
    const bool named = second && second[1] && (!second[2] || strchr(" ;,", second[2]));
    return named || !strncmp(words, "the ", 4) || !strncmp(words, "a ", 2) || !strncmp(words, "an ", 3);
}

void words_add_noun(const char *about, bool begins, struct text *t)
{
    const size_t length = strcspn(about, ";");
    if (islower((unsigned char)about[0]) && !has_article(about)) {
        text_add(t, begins ? "The " : "the ");
        text_add_chars(t, about, length);
        return;
    }
    text_add(t, "%c", begins ? toupper((unsigned char)about[0]) : about[0]);
    text_add_chars(t, about + 1, length - 1);
}

void words_add_name(const struct rule_words *w, unsigned input)
{
    const char *about = words_about(w, input);
    if (input == WORDS_OF_VALUE)
        text_add(w->t, "the value");
    else if (about && !words_is_statement(about))
        words_add_noun(about, false, w->t);
    else
        text_add(w->t, "`%s`", w->p->input[input].name);
}

/* ---- numbers ---- */

/* Returns what a number means, and the length of these words, if the description lists it after its noun
 * phrase: "SIZE of a block setup; 0 bytes, 1 halves". */
static const char *listed_meaning(const char *about, uint32_t number, size_t *length)
{
    char digits[12];
    const size_t count = (size_t)snprintf(digits, sizeof digits, "%" PRIu32, number);
    const char *at = about ? strchr(about, ';') : NULL;
    for (; at && *at; at = strpbrk(at + 1, ",;")) {
        if (strncmp(at + 2, digits, count) != 0 || at[2 + count] != ' ' || words_is_statement(about))
            continue;
        const char *words = at + 2 + count + 1;
        *length = strcspn(words, ",;:");
        if (!isdigit((unsigned char)words[0]) && strncmp(words, "to ", 3) != 0 &&
            strncmp(words, "or ", 3) != 0)
            return words;
    }
    return NULL;
}

/* Adds what a number means, or nothing. */
static void add_meaning(const struct rule_words *w, unsigned input, uint32_t number, struct text *t)
{
    size_t length;
    const char *words = listed_meaning(words_about(w, input), number, &length);
    if (words)
        text_add_chars(t, words, length);
    else if (w->u->name_value)
        w->u->name_value(w->p, input == WORDS_OF_VALUE ? NULL : w->p->input[input].name, number, &w->known,
                         t);
}

bool words_has_meaning(const struct rule_words *w, unsigned input, uint32_t number)
{
    struct text t = {0};
    add_meaning(w, input, number, &t);
    const bool has = t.length != 0;
    text_free(&t);
    return has;
}

void words_add_number(const struct rule_words *w, unsigned input, uint32_t number)
{
    struct text meaning = {0};
    text_add(w->t, number < 4096 ? "%" PRIu32 : "0x%" PRIx32, number);
    add_meaning(w, input, number, &meaning);
    if (meaning.length)
        text_add(w->t, " (%s)", text_chars(&meaning));
    text_free(&meaning);
}
