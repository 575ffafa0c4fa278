/* SPDX-License-Identifier: MIT */
/*
 * BITS.md of a kit: the bit fields of a unit's words and of its instructions, as tables made from the unit's
 * own. A unit of several generations has one column for each.
 */
#include "cli/boards/kit.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { COLUMNS_MAX = 16, NAMES_MAX = 128 };

/* The fields of one kind of word, in each generation. */
struct table {
    unsigned columns;
    const char *const *heads;                    /* of the columns; NULL: there is one, without a name */
    const struct bit_field *fields[COLUMNS_MAX]; /* NULL: the generation has no such word */
};

/* Has the field no meaning? All units call such fields so. */
static bool is_unused(const struct bit_field *b)
{
    return !strncmp(b->name, "UNUSED", 6) || !strncmp(b->name, "RESERVED", 8);
}

static const struct bit_field *field_named(const struct bit_field *fields, const char *name)
{
    for (; fields && fields->name; fields++)
        if (!strcmp(fields->name, name))
            return fields;
    return NULL;
}

/* Lists the names of all columns, each once. Returns how many. */
static unsigned list_names(const struct table *b, const char **names)
{
    unsigned count = 0;
    for (unsigned c = 0; c < b->columns; c++)
        for (const struct bit_field *f = b->fields[c]; f && f->name; f++) {
            unsigned i = 0;
            while (i < count && strcmp(names[i], f->name) != 0)
                i++;
            if (i == count && count < NAMES_MAX && !is_unused(f))
                names[count++] = f->name;
        }
    return count;
}

/* Do two fields have the same names of values? NULL: a generation without the field, which says nothing. */
static bool same_values(const struct bit_field *a, const struct bit_field *b)
{
    if (!a || !b || a->values == b->values)
        return true;
    unsigned i = 0;
    while (a->values && b->values && a->values[i] && b->values[i] && !strcmp(a->values[i], b->values[i]))
        i++;
    return a->values && b->values && !a->values[i] && !b->values[i];
}

static void list_values(const struct bit_field *f, struct text *t)
{
    enum { VALUES_MAX = 8 };
    unsigned count = 0;
    while (f->values && f->values[count])
        count++;
    if (count > VALUES_MAX)
        text_add(t, "%u names", count);
    for (unsigned i = 0; i < count && count <= VALUES_MAX; i++)
        text_add(t, "%s%u %s", i ? ", " : "", i, f->values[i]);
}

/* Adds the names of a field's values, "0 off, 1 on"; with generations, where these differ. */
static void add_values(const struct table *b, const char *name, struct text *t)
{
    const struct bit_field *last = NULL;
    bool differ = false;
    for (unsigned c = 0; c < b->columns; c++) {
        const struct bit_field *f = field_named(b->fields[c], name);
        differ |= !same_values(last, f);
        last = f ? f : last;
    }
    last = NULL;
    for (unsigned c = 0; c < b->columns; c++) {
        const struct bit_field *f = field_named(b->fields[c], name);
        if (!f || (last && same_values(last, f)))
            continue;
        if (differ && f->values)
            text_add(t, "%sfrom %s on: ", last ? "; " : "", b->heads[c]);
        list_values(f, t);
        last = f;
    }
}

static void add_table(const struct table *b, struct text *t)
{
    const char *names[NAMES_MAX];
    unsigned count = list_names(b, names);
    text_add(t, "| field |");
    for (unsigned c = 0; c < b->columns; c++)
        text_add(t, " %s |", b->heads ? b->heads[c] : "bits");
    text_add(t, " values |\n| --- |");
    for (unsigned c = 0; c <= b->columns; c++)
        text_add(t, " --- |");
    text_add(t, "\n");
    for (unsigned i = 0; i < count; i++) {
        text_add(t, "| `%s` |", names[i]);
        for (unsigned c = 0; c < b->columns; c++) {
            const struct bit_field *f = field_named(b->fields[c], names[i]);
            if (f && f->width > 1)
                text_add(t, " %u:%u |", f->low + f->width - 1U, f->low);
            else if (f)
                text_add(t, " %u |", f->low);
            else
                text_add(t, " |");
        }
        text_add(t, " ");
        add_values(b, names[i], t);
        text_add(t, " |\n");
    }
    text_add(t, "\n");
}

/* The field that chooses a unit's instruction set; NULL if it has one set. */
static const struct field *chooser_of(const struct unit *u)
{
    for (unsigned i = 0; u->code && u->code->chosen_by && i < u->schema.field_count; i++)
        if (!strcmp(u->schema.fields[i].name, u->code->chosen_by))
            return &u->schema.fields[i];
    return NULL;
}

static void add_word(const struct unit *u, const struct field *f, struct text *t)
{
    const struct field *chooser = chooser_of(u);
    struct table b = {.columns = 1, .fields = {f->bits}};
    if (f->bits_by && chooser) {
        b.columns = chooser->max < COLUMNS_MAX ? chooser->max : COLUMNS_MAX;
        b.heads = chooser->names;
        for (unsigned c = 0; c < b.columns; c++)
            b.fields[c] = f->bits_by[c];
    }
    char name[64];
    kit_identifier(f->name, name, sizeof name);
    text_add(t, "## `%s`: %s\n\n", name, f->about);
    add_table(&b, t);
}

/* Adds the fields of one kind of instruction. `i`: its number in the first set's list. */
static void add_encoding(const struct unit *u, unsigned i, struct text *t)
{
    const struct field *chooser = chooser_of(u);
    struct table b = {.columns = 1, .heads = chooser ? chooser->names : NULL};
    if (chooser)
        b.columns = chooser->max < COLUMNS_MAX ? chooser->max : COLUMNS_MAX;
    struct code_encoding e;
    for (unsigned c = 0; c < b.columns; c++) {
        const struct code *code = chooser ? u->code->sets[c] : u->code;
        b.fields[c] = code->encoding(i, &e) ? e.bits : NULL;
    }
    text_add(t, "## %s\n\n%s\n\n", e.name, e.about);
    add_table(&b, t);
}

/* Adds the names and numbers of operation `i`, if it is of the encoding. */
static void add_operation(const struct unit *u, unsigned encoding, unsigned i, struct text *t)
{
    const struct field *chooser = chooser_of(u);
    struct code_operation o;
    struct text names = {0}, numbers = {0};
    for (unsigned c = 0; c < (chooser ? chooser->max : 1); c++) {
        char quoted[64];
        const struct code *code = chooser ? u->code->sets[c] : u->code;
        if (!code->operation(i, &o) || o.encoding != encoding || !o.name) {
            text_add(&numbers, " |");
            continue;
        }
        text_add(&numbers, " %u |", o.number);
        (void)snprintf(quoted, sizeof quoted, "`%s`", o.name);
        if (!strstr(text_chars(&names), quoted))
            text_add(&names, "%s%s", names.length ? ", " : "", quoted);
    }
    if (names.length)
        text_add(t, "| %s |%s\n", text_chars(&names), text_chars(&numbers));
    text_free(&numbers);
    text_free(&names);
}

/* Adds the table of an encoding's operations. */
static void add_operations(const struct unit *u, unsigned encoding, struct text *t)
{
    const struct field *chooser = chooser_of(u);
    struct code_operation o;
    if (!u->code->operation)
        return;
    text_add(t, "| operation |");
    for (unsigned c = 0; chooser && c < chooser->max; c++)
        text_add(t, " %s |", chooser->names[c]);
    text_add(t, "%s\n| --- |", chooser ? "" : " OP |");
    for (unsigned c = 0; c < (chooser ? chooser->max : 1); c++)
        text_add(t, " --- |");
    text_add(t, "\n");
    for (unsigned i = 0; u->code->operation(i, &o); i++)
        add_operation(u, encoding, i, t);
    text_add(t, "\n");
}

bool kit_has_bits(const struct unit *u)
{
    return u->code && u->code->encoding;
}

void kit_bits(const struct unit *u, struct text *t)
{
    for (unsigned i = 0; i < u->schema.field_count; i++)
        if (u->schema.fields[i].kind == FIELD_WORD &&
            (u->schema.fields[i].bits || u->schema.fields[i].bits_by))
            add_word(u, &u->schema.fields[i], t);
    struct code_encoding e;
    for (unsigned i = 0; u->code->encoding(i, &e); i++) {
        add_encoding(u, i, t);
        add_operations(u, i, t);
    }
}
