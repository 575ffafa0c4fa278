/* SPDX-License-Identifier: MIT */
#include "oracle/board/plugin/plugin_library.h"

#include "model/core/memory.h"

#include <dlfcn.h>
#include <fenv.h>
#include <stdio.h>
#include <string.h>

_Static_assert((int)MISPRINT_ROWS_MAX == (int)OUTCOME_ROWS_MAX, "a set of rows has one size");
_Static_assert((int)MISPRINT_IMAGE == (int)FIELD_IMAGE && (int)MISPRINT_ENUM == (int)FIELD_ENUM,
               "the kinds of fields have the same numbers");
_Static_assert((int)MISPRINT_REFUSED == (int)END_REFUSED && MISPRINT_DONE == (int)END_DONE,
               "the ends have the same numbers");

/* ---- the library ---- */

bool plugin_argument(const char *argument, char **file, char **options, bool *in_process, struct error *e)
{
    size_t length = strcspn(argument, ",");
    if (!length)
        return error_set(e, "the board needs a shared library: FILE.so[,OPTION...]");
    *file = memory_string(argument);
    (*file)[length] = 0;
    *options = memory_new(strlen(argument) + 1, 1);
    *in_process = false;
    for (const char *at = argument + length; *at;) {
        size_t size = strcspn(++at, ",");
        if (size == strlen("inline") && !memcmp(at, "inline", size))
            *in_process = true;
        else
            sprintf(*options + strlen(*options), "%s%.*s", **options ? "," : "", (int)size, at);
        at += size;
    }
    return true;
}

#ifndef MISPRINT_NO_PLUGINS
/* Returns the kind of a board that the library defines, and whose symbol is not `name`; NULL if there is
 * none. */
static const char *kind_of_other(void *handle, const char *name)
{
    if (strcmp(name, "misprint_board") != 0)
        return dlsym(handle, "misprint_board") ? "plugin" : NULL;
    return dlsym(handle, "misprint_program_board") || dlsym(handle, "misprint_wave_board") ? "program" : NULL;
}
#endif

const void *plugin_symbol(const char *file, const char *name, void **handle, struct error *e)
{
#ifdef MISPRINT_NO_PLUGINS
    (void)name, (void)handle;
    error_set(e, "cannot load %.200s: this Misprint is linked statically, as scripts/build-agent does", file);
    return NULL;
#else
    char path[4096]; /* dlopen looks for a name without a slash in the system's folders */
    (void)snprintf(path, sizeof path, "%s%s", strchr(file, '/') ? "" : "./", file);
    *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    (void)fesetenv(FE_DFL_ENV); /* a library built with -ffast-math makes the process flush denormals */
    if (!*handle) {
        error_set(e, "cannot load it (%s)", dlerror());
        return NULL;
    }
    const uint32_t *version = dlsym(*handle, name);
    const char *other = kind_of_other(*handle, name);
    if (!version && other)
        error_set(e, "it defines no symbol %s, but one of another kind of board: write %s:FILE", name, other);
    else if (!version)
        error_set(e, "it defines no symbol %s; board_plugin.h shows how", name);
    else if (*version != MISPRINT_BOARD_VERSION)
        error_set(e, "it has version %lu of board_plugin.h, this is version %d; build it again",
                  (unsigned long)*version, MISPRINT_BOARD_VERSION);
    else
        return version;
    dlclose(*handle);
    *handle = NULL;
    return NULL;
#endif
}

void plugin_describe(struct plugin_library *l, const struct unit *u)
{
    for (unsigned i = 0; i < u->schema.field_count; i++) {
        const struct field *f = &u->schema.fields[i];
        l->field[i] = (struct misprint_field){
            .name = f->name,
            .kind = f->kind,
            .offset = f->offset,
            .max = f->max,
            .item_words = f->kind == FIELD_ENUM || f->kind == FIELD_WORD ? 1 : field_item_words(u, f),
            .names = f->names,
        };
    }
    for (unsigned i = 0; i < u->layout.region_count; i++) {
        const struct region *r = &u->layout.regions[i];
        l->region[i] = (struct misprint_region){r->name, r->image, r->first_row, r->rows, r->cols, r->bits};
    }
    l->unit = (struct misprint_unit){
        .name = u->name,
        .form = unit_form(u),
        .case_words = u->schema.words,
        .rows = u->layout.rows,
        .row_words = u->layout.row_words,
        .field_count = u->schema.field_count,
        .region_count = u->layout.region_count,
        .fields = l->field,
        .regions = l->region,
    };
}

bool plugin_load(struct plugin_library *l, const char *file, const struct unit *u, struct error *e)
{
    *l = (struct plugin_library){0};
    l->board = plugin_symbol(file, "misprint_board", &l->handle, e);
    if (l->board && l->board->open && l->board->run && l->board->close) {
        plugin_describe(l, u);
        return true;
    }
    if (l->board)
        error_set(e, "its misprint_board lacks open, run or close");
    plugin_close(l);
    return false;
}

void plugin_preset(struct misprint_about *about, const char *options, const char *description,
                   const char *provenance)
{
    *about = (struct misprint_about){
        .options = options,
        .memory_base = MEMORY_BASE_DEFAULT,
        .code_base = CODE_BASE_DEFAULT,
    };
    (void)snprintf(about->description, sizeof about->description, "%s",
                   description ? description : "a board that does not describe itself");
    (void)snprintf(about->provenance, sizeof about->provenance, "%s", provenance ? provenance : "");
}

bool plugin_check_about(struct misprint_about *about, bool opened, struct error *e)
{
    about->description[sizeof about->description - 1] = 0;
    about->provenance[sizeof about->provenance - 1] = 0;
    about->error[sizeof about->error - 1] = 0;
    about->lacks[sizeof about->lacks - 1] = 0;
    if (opened && strlen(about->lacks) == sizeof about->lacks - 1)
        return error_set(
            e,
            "about->lacks fills all its %d bytes, so its end may be cut; a * at the end of a word "
            "stands for many words (buffer_atomic_*)",
            (int)sizeof about->lacks);
    if (!opened)
        return error_set(e, "it says: %s", about->error[0] ? about->error : "its open returned NULL");
    if (about->memory_base % 4 || about->code_base % 8)
        return error_set(e, "its memory_base %08lx is not a multiple of 4, or its code_base %08lx not of 8",
                         (unsigned long)about->memory_base, (unsigned long)about->code_base);
    return true;
}

bool plugin_open(struct plugin_library *l, const char *options, struct misprint_about *about, struct error *e)
{
    plugin_preset(about, options, l->board->description, l->board->provenance);
    l->state = l->board->open(&l->unit, about);
    return plugin_check_about(about, l->state, e);
}

void plugin_close(struct plugin_library *l)
{
    if (l->state)
        l->board->close(l->state);
    if (l->handle)
        dlclose(l->handle);
    *l = (struct plugin_library){0};
}

unsigned plugin_at_once(const struct plugin_library *l)
{
    return l->board->flags & MISPRINT_ONE_BY_ONE ? MISPRINT_FEW : MISPRINT_BATCH_MAX;
}

/* ---- outcomes ---- */

enum { FENCE = 0x5EC7F0E1 };

static uint32_t words_of_rows(const struct layout *l)
{
    return ((uint32_t)l->rows + 63) / 64;
}

static size_t words_of(const struct layout *l)
{
    return (size_t)l->rows * l->row_words;
}

static void put_fence(uint32_t *behind)
{
    for (uint32_t i = 0; i < OUTCOME_FENCE_WORDS; i++)
        behind[i] = FENCE + i;
}

void plugin_prepare(struct misprint_outcome *m, uint32_t *value, uint32_t *unknown, const struct layout *l)
{
    m->value = value;
    m->unknown = unknown;
    m->end = MISPRINT_NOT_RUN;
    m->reason = m->flags = 0;
    for (uint32_t i = 0; i < words_of_rows(l); i++)
        m->touched[i] = 0;
    m->message[0] = 0;
    put_fence(value + words_of(l));
    put_fence(unknown + words_of(l));
}

/* Checks the fence behind an array. If it is damaged, the outcome is not to be used. */
static bool check_fence(struct misprint_outcome *m, const uint32_t *behind, const char *array,
                        const struct layout *l)
{
    uint32_t damaged = 0, first = 0;
    for (uint32_t i = 0; i < OUTCOME_FENCE_WORDS; i++)
        damaged |= behind[i] ^ (FENCE + i);
    if (!damaged)
        return true;
    while (behind[first] == FENCE + first)
        first++;
    m->end = PLUGIN_OVERRUN;
    (void)snprintf(m->message, sizeof m->message,
                   "the library wrote past the end of the case's array `%s`, which has %u rows of %u words: "
                   "word %u behind it is now %08lx",
                   array, l->rows, l->row_words, (unsigned)first, (unsigned long)behind[first]);
    return false;
}

bool plugin_run(const struct plugin_library *l, const struct layout *layout, const void *const *cases,
                struct misprint_outcome *m, unsigned count)
{
    uint32_t *value[MISPRINT_BATCH_MAX], *unknown[MISPRINT_BATCH_MAX];
    bool good = true;
    for (unsigned i = 0; i < count; i++) {
        value[i] = m[i].value;
        unknown[i] = m[i].unknown;
    }
    l->board->run(l->state, cases, m, count);
    for (unsigned i = 0; i < count; i++) {
        m[i].value = value[i]; /* the library may have changed it */
        m[i].unknown = unknown[i];
        if (layout->rows % 64)
            m[i].touched[layout->rows / 64] &= (UINT64_C(1) << layout->rows % 64) - 1;
        good &= check_fence(&m[i], value[i] + words_of(layout), "value", layout) &&
                check_fence(&m[i], unknown[i] + words_of(layout), "unknown", layout);
    }
    return good;
}

static bool any(const uint32_t *words, uint32_t count)
{
    uint32_t all = 0;
    for (uint32_t i = 0; i < count; i++)
        all |= words[i];
    return all;
}

void plugin_find_rows(struct misprint_outcome *m, const struct outcome *before)
{
    const struct layout *l = &before->unit->layout;
    uint32_t width = l->row_words;
    for (uint32_t row = 0; row < l->rows; row++)
        if (memcmp(m->value + row * width, before->value + row * width, width * sizeof *m->value) != 0 ||
            (m->flags & MISPRINT_HAS_UNKNOWN && any(m->unknown + row * width, width)))
            misprint_touch(m, row);
}

/* True if all bits of the region's rows have a meaning. */
static bool is_whole(const struct region *r, uint32_t width)
{
    return r->bits >= 32 && r->cols == width;
}

/* Takes one row. Copies first, because another process may write the source. */
static void take_row(struct outcome *out, const struct region *r, uint32_t row, const uint32_t *value,
                     const uint32_t *unknown)
{
    uint32_t at = row * out->unit->layout.row_words, columns = r->cols, used = region_bits(r),
             *to = out->value + at, *defined = out->defined + at;
    if (value != to)
        memcpy(to, value, columns * sizeof *to);
    for (uint32_t i = 0; used != UINT32_MAX && i < columns; i++)
        to[i] &= used;
    for (uint32_t i = 0; out->checked && i < columns; i++)
        defined[i] = ~(unknown[i] & used);
}

/* Takes the rows of a region whose bits are in `touched`. */
static void take_region(struct outcome *out, const struct region *r, const uint64_t *touched,
                        struct plugin_rows *from)
{
    uint32_t first = r->first_row, end = first + r->rows, width = out->unit->layout.row_words, packed = 0;
    for (uint32_t word = first / 64; 64 * word < end; word++) {
        uint64_t rows = touched[word];
        if (64 * word < first)
            rows &= UINT64_MAX << (first - 64 * word);
        if (end - 64 * word < 64)
            rows &= (UINT64_C(1) << (end - 64 * word)) - 1;
        for (; rows; rows &= rows - 1) {
            uint32_t row = 64 * word + (uint32_t)__builtin_ctzll(rows),
                     at = (from->packed ? packed++ : row) * width;
            take_row(out, r, row, from->value + at, from->unknown + at);
        }
    }
    from->value += packed * width;
    from->unknown += packed * width;
}

static void copy_message(const struct misprint_outcome *m, char why[256])
{
    char said[sizeof m->message + 1] = {0};
    memcpy(said, m->message, sizeof m->message);
    text_copy_utf8(why, 256, said, strlen(said));
    if (!why[0])
        (void)snprintf(why, 256, "the board refused it and gave no reason");
}

enum plugin_taken plugin_take(const struct misprint_outcome *m, struct plugin_rows from, struct outcome *out,
                              char why[256])
{
    const struct layout *l = &out->unit->layout;
    uint32_t end = m->end, reason = m->reason, flags = m->flags;
    if (end == MISPRINT_REFUSED || end == PLUGIN_OVERRUN) {
        copy_message(m, why);
        return end == MISPRINT_REFUSED ? PLUGIN_REFUSED : PLUGIN_WRONG;
    }
    if (end > MISPRINT_REFUSED) {
        (void)snprintf(why, 256,
                       end == MISPRINT_NOT_RUN ? "the board did not set its end"
                                               : "the board set its end to %lu",
                       (unsigned long)end);
        return PLUGIN_WRONG;
    }
    out->end = (enum end)end;
    out->reason = reason && reason < unit_reasons(out->unit) ? (uint16_t)reason : 0;
    out->complete = !(flags & MISPRINT_ONLY_TOUCHED);
    out->checked = flags & MISPRINT_HAS_UNKNOWN;
    uint64_t touched[MISPRINT_ROWS_MAX / 64]; /* copied, because another process may write the source */
    for (uint32_t word = 0; word < words_of_rows(l); word++) {
        touched[word] = m->touched[word];
        if (l->rows - 64 * word < 64)
            touched[word] &= (UINT64_C(1) << (l->rows - 64 * word)) - 1;
        out->touched[word] |= touched[word];
    }
    bool in_place = from.value == out->value && !out->checked;
    for (const struct region *r = l->regions; r < l->regions + l->region_count; r++)
        if (!in_place || !is_whole(r, l->row_words))
            take_region(out, r, touched, &from);
    return PLUGIN_TAKEN;
}
