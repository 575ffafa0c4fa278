/* SPDX-License-Identifier: MIT */
#include "cli/boards/kit.h"
#include "cli/cli.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void kit_identifier(const char *name, char *to, size_t room)
{
    (void)snprintf(to, room, "%s", name);
    for (; *to; to++)
        if (!isalnum((unsigned char)*to))
            *to = '_';
}

static void upper(const char *name, char *to, size_t room)
{
    kit_identifier(name, to, room);
    for (; *to; to++)
        *to = (char)toupper((unsigned char)*to);
}

/* Adds the names of an enumeration as constants: "VC4_QPU_STAGE_USER". */
static void add_enum(const struct unit *u, const struct field *f, struct text *t)
{
    char unit[64], field[64], value[64];
    upper(u->name, unit, sizeof unit);
    upper(f->name, field, sizeof field);
    text_add(t, "enum {\n");
    for (uint32_t i = 0; i < f->max; i++) {
        upper(f->names[i], value, sizeof value);
        text_add(t, "    %s_%s_%s,\n", unit, field, value);
    }
    text_add(t, "};\n\n");
}

/* Adds a comment in lines of 80 columns. */
static void add_comment(const char *words, struct text *t)
{
    text_add(t, "    /* ");
    help_fill(t, words, strlen(words), 7, 7);
    text_add(t, " */\n");
}

/* Adds macros that take the bit fields out of a word. */
static void add_bits(const struct unit *u, const struct field *f, struct text *t)
{
    char unit[64], field[64], name[64];
    upper(u->name, unit, sizeof unit);
    upper(f->name, field, sizeof field);
    for (const struct bit_field *b = f->bits; b && b->name; b++) {
        upper(b->name, name, sizeof name);
        if (isalnum((unsigned char)*b->name))
            text_add(t, "#define %s_%s_%s(word) ((word) >> %u & 0x%" PRIx32 ")\n", unit, field, name, b->low,
                     (uint32_t)((UINT64_C(1) << b->width) - 1));
    }
    if (f->bits)
        text_add(t, "\n");
}

static void add_field(const struct unit *u, const struct field *f, struct text *t)
{
    char name[64];
    kit_identifier(f->name, name, sizeof name);
    add_comment(f->about, t);
    if (f->kind == FIELD_IMAGE)
        text_add(
            t,
            "    struct {\n"
            "        uint32_t fill, seed, count; /* of the rows listed; misprint_image_row reads any row "
            "*/\n"
            "        struct {\n"
            "            uint32_t index, word[%" PRIu32 "];\n"
            "        } row[%" PRIu32 "];\n"
            "    } %s;\n",
            f->row_words, f->max, name);
    else if (f->kind == FIELD_UNIFORMS)
        text_add(t,
                 "    struct {\n"
                 "        uint32_t count;\n"
                 "        struct {\n"
                 "            uint32_t is_address, value; /* of an address: add memory_base */\n"
                 "        } item[%" PRIu32 "];\n"
                 "    } %s;\n",
                 f->max, name);
    else if (f->kind == FIELD_CODE)
        text_add(t,
                 "    struct {\n"
                 "        uint32_t count;\n"
                 "        struct {\n"
                 "            uint32_t word[%u];\n"
                 "        } item[%" PRIu32 "];\n"
                 "    } %s;\n",
                 u->code->words, f->max, name);
    else if (f->kind == FIELD_WORDS)
        text_add(t,
                 "    struct {\n"
                 "        uint32_t count, item[%" PRIu32 "];\n"
                 "    } %s;\n",
                 f->max, name);
    else
        text_add(t, "    uint32_t %s;\n", name);
}

static void add_outcome(const struct unit *u, const char *name, struct text *t)
{
    char unit[64], region[64];
    upper(u->name, unit, sizeof unit);
    text_add(t,
             "/* What a case left: misprint_outcome.value. Each row has %u words, of which a region may use "
             "fewer. */\n"
             "struct %s_outcome {\n",
             u->layout.row_words, name);
    for (unsigned i = 0; i < u->layout.region_count; i++) {
        const struct region *r = &u->layout.regions[i];
        kit_identifier(r->name, region, sizeof region);
        struct text about = {0};
        text_add(&about, "%s", r->about);
        if (r->cols < u->layout.row_words)
            text_add(&about, "; %u columns", r->cols);
        if (r->bits < 32)
            text_add(&about, "; the low %u bit%s", r->bits, plural(r->bits));
        text_add(&about, ". Before: %s", r->image ? r->image : "0");
        add_comment(text_chars(&about), t);
        text_free(&about);
        text_add(t, "    uint32_t %s[%u][%u];\n", region, r->rows, u->layout.row_words);
    }
    text_add(t, "};\n\n/* The number of each region's first row, for misprint_touch. */\nenum {\n");
    for (unsigned i = 0; i < u->layout.region_count; i++) {
        upper(u->layout.regions[i].name, region, sizeof region);
        text_add(t, "    %s_FIRST_%s = %u,\n", unit, region, u->layout.regions[i].first_row);
    }
    text_add(t, "};\n\n");
}

bool kit_has_uniforms(const struct unit *u)
{
    for (unsigned i = 0; i < u->schema.field_count; i++)
        if (u->schema.fields[i].kind == FIELD_UNIFORMS)
            return true;
    return false;
}

void kit_header(const struct unit *u, struct text *t)
{
    char name[64], big[64];
    const struct schema *s = &u->schema;
    kit_identifier(u->name, name, sizeof name);
    upper(u->name, big, sizeof big);
    text_add(t,
             "/*\n"
             " * The case and the outcome of unit %s.\n"
             " * `misprint new-board` wrote this file from its tables. You need not change it.\n"
             "%s"
             " */\n"
             "#ifndef %s_H\n#define %s_H\n\n#include \"board_plugin.h\"\n\n"
             "#define %s_FORM UINT64_C(0x%016" PRIx64 ")\n\n",
             u->name,
             kit_has_uniforms(u) ? ""
                                 : " * Addresses in a case are offsets into its memory. memory_base and "
                                   "code_base are not needed.\n",
             big, big, big, unit_form(u));
    for (unsigned i = 0; i < s->field_count; i++)
        if (s->fields[i].kind == FIELD_ENUM)
            add_enum(u, &s->fields[i], t);
    for (unsigned i = 0; i < s->field_count; i++)
        if (s->fields[i].kind == FIELD_WORD)
            add_bits(u, &s->fields[i], t);
    text_add(t, "struct %s_case {\n", name);
    for (unsigned i = 0; i < s->field_count; i++)
        add_field(u, &s->fields[i], t);
    text_add(t, "};\n\n");
    add_outcome(u, name, t);
    text_add(t,
             "/* Does not compile if the structs have another size than Misprint's. */\n"
             "typedef char %s_case_has_its_size[sizeof(struct %s_case) == %" PRIu32 " * 4u ? 1 : -1];\n"
             "typedef char %s_outcome_has_its_size[sizeof(struct %s_outcome) == %u * 4u ? 1 : -1];\n\n"
             "#endif\n",
             name, name, s->words, name, name, (unsigned)u->layout.rows * u->layout.row_words);
}
