/* SPDX-License-Identifier: MIT */
#include "cli/boards/kit.h"

#include <inttypes.h>

static const char *const kinds[] = {"enumeration", "word", "words", "uniforms", "code", "image"};

void kit_python_fields(const struct unit *u, struct text *t)
{
    for (unsigned i = 0; i < u->schema.field_count; i++) {
        const struct field *f = &u->schema.fields[i];
        char name[64];
        kit_identifier(f->name, name, sizeof name);
        uint32_t words = f->kind == FIELD_IMAGE ? f->row_words : f->kind == FIELD_CODE ? u->code->words : 1;
        text_add(t, "    (\"%s\", \"%s\", %" PRIu32 ", %" PRIu32 "),\n", name, kinds[f->kind], f->max, words);
    }
}

void kit_python_regions(const struct unit *u, struct text *t)
{
    for (unsigned i = 0; i < u->layout.region_count; i++) {
        const struct region *r = &u->layout.regions[i];
        char name[64], image[64];
        kit_identifier(r->name, name, sizeof name);
        kit_identifier(r->image ? r->image : "", image, sizeof image);
        text_add(t, "    (\"%s\", \"%s\", %u, %u, %u),\n", name, image, r->first_row, r->rows, r->cols);
    }
}

void kit_python_case(const struct unit *u, struct text *t)
{
    for (unsigned i = 0; i < u->schema.field_count; i++) {
        const struct field *f = &u->schema.fields[i];
        char name[64];
        kit_identifier(f->name, name, sizeof name);
        text_add(t, "    # %s", f->about);
        for (uint32_t n = 0; f->kind == FIELD_ENUM && n < f->max; n++)
            text_add(t, "%s %" PRIu32 " %s", n ? "," : ":", n, f->names[n]);
        if (f->kind == FIELD_IMAGE)
            text_add(t, "; %" PRIu32 " rows of %" PRIu32 " words", f->max, f->row_words);
        text_add(t, "\n    %s: ", name);
        switch (f->kind) {
        case FIELD_IMAGE:
            text_add(t, "Any\n");
            break;
        case FIELD_UNIFORMS:
            text_add(t, "List[Tuple[bool, int]]  # (is it an address: add memory_base, value)\n");
            break;
        case FIELD_CODE:
            text_add(t, "List[Tuple[int, ...]]  # the %u words of each instruction\n", u->code->words);
            break;
        case FIELD_WORDS:
            text_add(t, "List[int]\n");
            break;
        case FIELD_ENUM:
        case FIELD_WORD:
            text_add(t, "int\n");
            break;
        }
    }
}

void kit_python_outcome(const struct unit *u, struct text *t)
{
    for (unsigned i = 0; i < u->layout.region_count; i++) {
        const struct region *r = &u->layout.regions[i];
        char name[64];
        kit_identifier(r->name, name, sizeof name);
        text_add(t, "    # %s; %u rows of %u words", r->about, r->rows, r->cols);
        if (r->bits < 32)
            text_add(t, ", of which the low %u bit%s count", r->bits, plural(r->bits));
        text_add(t, "\n    %s: Any\n", name);
    }
}

void kit_python_reasons(const struct unit *u, struct text *t)
{
    text_add(t, "[");
    for (unsigned i = 1; i < unit_reasons(u); i++)
        text_add(t, "%s\"%s\"", i > 1 ? ", " : "", u->reasons[i]);
    text_add(t, "]");
}
