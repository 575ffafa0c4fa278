/* SPDX-License-Identifier: MIT */
#include "cli/boards/check.h"
#include "model/core/memory.h"
#include "oracle/files/corpus.h"
#include "oracle/files/file.h"
#include "oracle/files/load.h"
#include "oracle/files/trace.h"

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const check_result_name[CHECK_RESULTS] = {
    [CHECK_RIGHT] = "right",     [CHECK_READING] = "other-reading", [CHECK_WRONG] = "wrong",
    [CHECK_REFUSED] = "refused", [CHECK_UNANSWERED] = "no-answer",  [CHECK_UNKNOWN] = "not-recorded",
    [CHECK_EMPTY] = "undefined", [CHECK_EXCEPTION] = "exception",   [CHECK_FLAKY] = "flaky",
};

static struct check_item *add_item(struct check *k, const char *name, const char *path)
{
    if (k->items == k->item_room) {
        k->item_room = k->item_room ? 2 * k->item_room : 64;
        k->item = memory_grow(k->item, k->item_room, sizeof *k->item);
    }
    struct check_item *item = &k->item[k->items++];
    *item = (struct check_item){.name = memory_string(name), .path = memory_string(path)};
    return item;
}

static struct test_case *copy_of(const struct test_case *c)
{
    struct test_case *copy = memory_new(1, sizeof *copy);
    case_copy(copy, c);
    return copy;
}

/* --- features --- */

static unsigned feature_named(struct check *k, const char *name)
{
    for (unsigned i = 0; i < k->feature_count; i++)
        if (!strcmp(k->feature[i].name, name))
            return i;
    if (k->feature_count == k->feature_room) {
        k->feature_room = k->feature_room ? 2 * k->feature_room : 256;
        k->feature = memory_grow(k->feature, k->feature_room, sizeof *k->feature);
    }
    k->feature[k->feature_count] = (struct check_feature){.name = memory_string(name)};
    return k->feature_count++;
}

static void add_feature(struct check *k, struct check_item *to, const char *name)
{
    unsigned f = feature_named(k, name);
    for (unsigned i = 0; i < to->features; i++)
        if (to->feature[i] == f)
            return;
    if (to->features == to->rooms) {
        to->rooms = to->rooms ? 2 * to->rooms : 16;
        to->feature = memory_grow(to->feature, to->rooms, sizeof *to->feature);
    }
    to->feature[to->features++] = f;
}

static bool is_known_word(const struct code *code, const char *word)
{
    for (const struct code_names *n = code->names; n && n->title; n++) {
        const char *name;
        for (unsigned i = 0; (name = n->name(i)); i++)
            if (strcmp(name, "-") != 0 && !strcmp(name, word))
                return true;
    }
    return false;
}

static bool is_of_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '-';
}

/* Adds the words of an instruction's text that name an operation, a register, a signal and the like. */
static void add_words(struct check *k, const struct code *code, const char *text, struct check_item *to)
{
    char word[64];
    while (*text) {
        size_t length = 0;
        while (is_of_word(text[length]))
            length++;
        if (length && length < sizeof word) {
            memcpy(word, text, length);
            word[length] = 0;
            if (is_known_word(code, word))
                add_feature(k, to, word);
        }
        text += length ? length : 1;
    }
}

void check_features(struct check *k, const struct test_case *c, struct check_item *to)
{
    const struct code *code = case_code(c);
    char name[128];
    for (unsigned i = 0; code && i < k->unit->schema.field_count; i++) {
        const struct field *f = &k->unit->schema.fields[i];
        if (f->kind != FIELD_CODE)
            continue;
        const uint32_t *words = case_field_const(c, f);
        for (uint32_t n = 0; n < words[0]; n++) {
            struct text t = {0};
            code->print(words + 1 + (size_t)n * code->words, &t);
            add_words(k, code, text_chars(&t), to);
            text_free(&t);
        }
    }
    executor_run(k->executor, c, &k->profile, RUN_CHECKED, k->model);
    for (unsigned i = 0; i < unit_clauses(k->unit); i++)
        if (covered(&k->executor->last, i)) {
            (void)snprintf(name, sizeof name, "clause %s", unit_clause(k->unit, i)->id);
            add_feature(k, to, name);
        }
}

/* --- the cases --- */

/* Does the outcome of a case leave an image of the case as it was? */
static bool changes_nothing(const struct test_case *c, struct outcome *o)
{
    const struct layout *l = &c->unit->layout;
    uint32_t before[ROW_WORDS_MAX];
    for (unsigned i = 0; i < l->region_count; i++) {
        const struct region *r = &l->regions[i];
        const struct field *f = r->image ? schema_field(&c->unit->schema, r->image) : NULL;
        for (uint32_t n = 0; f && n < r->rows; n++) {
            const uint32_t row = r->first_row + n;
            if (!outcome_touched(o, row))
                continue;
            image_row(c, f, n, before);
            if (memcmp(before, outcome_row(o, row, l->row_words), r->cols * sizeof *before) != 0)
                return false;
        }
    }
    return true;
}

/* Returns in which group a case runs: the empty case and the seeds, which are plain, then cases that change
 * something, then those that change nothing, then those that fault or hang. k->model holds the outcome. */
static unsigned group_of(const struct check *k, const struct check_item *item, const struct test_case *c)
{
    if (!*item->path || !strncmp(item->name, "seed-", 5))
        return 0;
    return k->model->end != END_DONE ? 3 : 1U + changes_nothing(c, k->model);
}

static void set_case(struct check *k, struct check_item *item, const struct test_case *c)
{
    uint8_t *bytes = memory_new(CASE_BYTES_MAX, 1);
    item->size = case_encode(c, bytes);
    free(bytes);
    check_features(k, c, item);
    item->group = group_of(k, item, c);
}

static void add_case(struct check *k, const char *name, const char *path, const struct test_case *c)
{
    struct check_item *item = add_item(k, name, path);
    item->tc = copy_of(c);
    set_case(k, item, c);
}

/* Adds a trace's part of the unit, if it has one, as one item, with the features of its first case. */
static bool add_table(struct check *k, const char *name, const char *path, struct error *e)
{
    struct trace_facts facts;
    unsigned part = 0;
    if (!trace_verify(path, &facts, e))
        return false;
    while (part < facts.parts && facts.part[part].unit != k->unit)
        part++;
    if (part == facts.parts)
        return true;
    struct trace_reader *r = trace_open_unit(path, k->unit, e);
    if (!r)
        return false;
    struct check_item *item = add_item(k, name, path);
    struct test_case *c = memory_new(1, sizeof *c);
    struct outcome *o = outcome_new(k->unit);
    const char *label;
    item->recorded = facts.part[part].records;
    int more = trace_next(r, c, o, &label, e);
    if (more > 0)
        set_case(k, item, c);
    outcome_free(o);
    free(c);
    trace_close(r);
    return more >= 0;
}

static bool ends_in(const char *name, const char *ending)
{
    size_t a = strlen(name), b = strlen(ending);
    return a > b && !strcmp(name + a - b, ending);
}

static bool add_silicon_file(struct check *k, const char *folder, const char *file, struct error *e)
{
    char path[FILE_PATH_MAX], name[FILE_PATH_MAX];
    if ((size_t)snprintf(path, sizeof path, "%s/%s", folder, file) >= sizeof path ||
        (size_t)snprintf(name, sizeof name, "silicon/%s", file) >= sizeof name)
        return error_set(e, "%s: the file name is too long", folder);
    if (ends_in(file, ".trace"))
        return add_table(k, name, path, e);
    if (!ends_in(file, ".case"))
        return true;
    struct test_case *c = memory_new(1, sizeof *c);
    bool good = case_load(path, k->unit, c, e);
    name[strlen(name) - strlen(".case")] = 0;
    if (good)
        add_case(k, name, path, c);
    free(c);
    return good;
}

static bool add_silicon(struct check *k, const char *corpus, struct error *e)
{
    char folder[FILE_PATH_MAX];
    if ((size_t)snprintf(folder, sizeof folder, "%s/%s/silicon", corpus, k->unit->name) >= sizeof folder)
        return error_set(e, "%s: the file name is too long", corpus);
    struct dirent **file;
    int count = scandir(folder, &file, NULL, alphasort); /* -1: the unit has none */
    bool good = true;
    for (int i = 0; i < count; i++) {
        good = good && add_silicon_file(k, folder, file[i]->d_name, e);
        free(file[i]);
    }
    if (count >= 0)
        free(file);
    return good;
}

static bool add_corpus(struct check *k, const char *corpus, struct error *e)
{
    struct corpus *c = corpus_open(k->unit, corpus, e);
    if (!c)
        return false;
    for (unsigned i = 0; i < c->count; i++) {
        struct text path = {0};
        text_add(&path, "%s/%s/%s.case", corpus, k->unit->name, c->entry[i].name);
        add_case(k, c->entry[i].name, text_chars(&path), c->entry[i].tc);
        text_free(&path);
    }
    corpus_close(c);
    return true;
}

/* Returns how many features of the item no earlier item had. */
static unsigned new_features(const struct check_item *item, const bool *had)
{
    unsigned count = 0;
    for (unsigned i = 0; i < item->features; i++)
        count += !had[item->feature[i]];
    return count;
}

static bool is_easier(const struct check_item *a, unsigned a_new, const struct check_item *b, unsigned b_new)
{
    if (a->group != b->group)
        return a->group < b->group;
    if (a_new != b_new)
        return a_new < b_new;
    if (a->features != b->features)
        return a->features < b->features;
    return a->size < b->size;
}

static void sort_by_difficulty(struct check *k)
{
    bool *had = memory_new(k->feature_count + 1, sizeof *had);
    for (unsigned at = 0; at < k->items; at++) {
        unsigned best = at, best_new = new_features(&k->item[at], had);
        for (unsigned i = at + 1; i < k->items; i++) {
            unsigned n = new_features(&k->item[i], had);
            if (is_easier(&k->item[i], n, &k->item[best], best_new)) {
                best = i;
                best_new = n;
            }
        }
        struct check_item chosen = k->item[best];
        memmove(&k->item[at + 1], &k->item[at], (best - at) * sizeof chosen);
        k->item[at] = chosen;
        for (unsigned i = 0; i < chosen.features; i++)
            had[chosen.feature[i]] = true;
    }
    free(had);
}

bool check_find(struct check *k, const char *corpus, struct error *e)
{
    struct test_case *empty = memory_new(1, sizeof *empty);
    case_init(empty, k->unit);
    add_case(k, "the empty case", "", empty);
    free(empty);
    k->generated = (struct check_item){.name = memory_string("generated cases"),
                                       .path = memory_string(""),
                                       .generated = true,
                                       .recorded = CHECK_GENERATED};
    bool good = add_corpus(k, corpus, e) && add_silicon(k, corpus, e);
    if (good)
        sort_by_difficulty(k);
    return good;
}

static void free_item(struct check_item *item)
{
    free(item->name);
    free(item->path);
    free(item->tc);
    free(item->feature);
    text_free(&item->label);
    text_free(&item->text);
    text_free(&item->what);
    text_free(&item->reading);
}

void check_free(struct check *k)
{
    for (unsigned i = 0; i < k->items; i++)
        free_item(&k->item[i]);
    free_item(&k->generated);
    for (unsigned i = 0; i < k->feature_count; i++)
        free(k->feature[i].name);
    for (unsigned i = 0; i < k->readings; i++)
        text_free(&k->reading[i].name);
    free(k->item);
    free(k->feature);
}
