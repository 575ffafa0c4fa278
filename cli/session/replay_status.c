/* SPDX-License-Identifier: MIT */
#include "cli/session/replay_status.h"

#include "fuzz/engines/sandbox.h"
#include "model/core/memory.h"
#include "oracle/compare/executor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct list {
    unsigned *item;
    unsigned count;
};

/* A finding's id. If the finding was merged, a new finding may get the same id later. The new finding has an
 * entry of its own. */
struct name {
    char id[24];
    bool moved;
    struct list to; /* the entries of the findings into which it was merged */
};

struct input_status {
    uint64_t cases, different, not_compared;
    struct list names; /* the entries of the findings to which its cases were added */
    bool crashes, hangs;
    bool fits; /* the cause of the input's known finding explains one of the input's cases */
};

struct replay_status {
    const struct inputs *in;
    const struct finding *known;
    unsigned known_count;
    struct input_status *input; /* one for each input */
    struct name *name;
    unsigned names;
    unsigned *input_of; /* for each case of the current run, the index of its input */
    size_t numbers, room;
};

static void list_add(struct list *l, unsigned item)
{
    for (unsigned i = 0; i < l->count; i++)
        if (l->item[i] == item)
            return;
    l->item = memory_grow(l->item, l->count + 1, sizeof *l->item);
    l->item[l->count++] = item;
}

struct replay_status *replay_status_new(const struct inputs *in, const struct finding *known, unsigned count)
{
    struct replay_status *s = memory_new(1, sizeof *s);
    s->in = in;
    s->known = known;
    s->known_count = count;
    s->input = memory_new(in->count, sizeof *s->input);
    return s;
}

void replay_status_free(struct replay_status *s)
{
    if (!s)
        return;
    for (unsigned i = 0; i < s->in->count; i++)
        free(s->input[i].names.item);
    for (unsigned i = 0; i < s->names; i++)
        free(s->name[i].to.item);
    free(s->input);
    free(s->name);
    free(s->input_of);
    free(s);
}

void replay_status_begin(struct replay_status *s)
{
    s->numbers = 0;
}

void replay_status_case(struct replay_status *s, unsigned input)
{
    if (s->numbers == s->room) {
        s->room = s->room ? 2 * s->room : 1024;
        s->input_of = memory_grow(s->input_of, s->room, sizeof *s->input_of);
    }
    s->input_of[s->numbers++] = input;
}

static unsigned name_of(struct replay_status *s, const char *id)
{
    for (unsigned i = 0; i < s->names; i++)
        if (!s->name[i].moved && !strcmp(s->name[i].id, id))
            return i;
    s->name = memory_grow(s->name, s->names + 1U, sizeof *s->name);
    s->name[s->names] = (struct name){0};
    snprintf(s->name[s->names].id, sizeof s->name[0].id, "%s", id);
    return s->names++;
}

/* Does the cause of the known finding `id` explain this case? */
static bool fits(const struct replay_status *s, const char *id, const struct compared_case *c)
{
    bool good = false;
    for (unsigned i = 0; i < s->known_count && !good; i++) {
        const struct finding *f = &s->known[i];
        if (strcmp(f->id, id) != 0 || f->unit != c->tc->unit || !f->explanation.candidates)
            continue;
        struct outcome *model = outcome_new(f->unit);
        good = cause_explains(c->executor, c->tc, c->profile, &f->explanation.candidate[0], c->board, model);
        outcome_free(model);
    }
    return good;
}

static void on_filed(void *context, uint64_t number, const struct finding *finding)
{
    struct replay_status *s = context;
    list_add(&s->input[s->input_of[number]].names, name_of(s, finding->id));
}

static void on_came(void *context, uint64_t number, enum case_fate fate, const struct compared_case *c)
{
    struct replay_status *s = context;
    unsigned input = s->input_of[number];
    struct input_status *i = &s->input[input];
    i->cases++;
    i->different += fate == FATE_DIFFERENT;
    i->not_compared += fate == FATE_NOT_COMPARED;
    i->fits |= fate == FATE_DIFFERENT && fits(s, s->in->file[input].finding, c);
}

static void on_moved(void *context, const struct finding *from, const struct finding *to, bool last)
{
    struct replay_status *s = context;
    if (!strcmp(from->id, to->id))
        return;
    unsigned target = name_of(s, to->id), source = name_of(s, from->id);
    list_add(&s->name[source].to, target);
    s->name[source].moved = last;
}

struct case_watch replay_status_watch(struct replay_status *s)
{
    return (struct case_watch){.context = s, .filed = on_filed, .came = on_came, .moved = on_moved};
}

/* --- inputs that once crashed or hung --- */

struct suspect {
    const struct input *file;
    const struct profile *profile;
};

/* Runs in the child process: all cases of the input, under the given profile and all built-in ones. */
static enum sandbox_end run_suspect(void *context)
{
    const struct suspect *s = context;
    const struct unit *u = s->file->unit;
    struct error e = {0};
    struct executor *x = executor_new(u);
    struct outcome *o = outcome_new(u);
    struct test_case *c = memory_new(1, sizeof *c);
    struct input_reader *r = input_open(s->file, &e);
    const char *label;
    int more = r ? 1 : -1;
    while (more > 0 && (more = input_next(r, c, &label, &e)) > 0)
        for (unsigned i = 0; i == 0 || u->profiles[i - 1].name; i++) {
            struct profile built_in = *s->profile;
            if (i)
                profile_builtin(u, i - 1, &built_in);
            executor_run(x, c, &built_in, RUN_PLAIN, o);
            executor_run(x, c, &built_in, RUN_CHECKED, o);
        }
    input_close(r);
    free(c);
    outcome_free(o);
    executor_free(x);
    return more ? SANDBOX_NOT_RUN : SANDBOX_WELL;
}

bool replay_status_try(struct replay_status *s, unsigned input, const struct profile *p, struct error *e)
{
    struct suspect suspect = {.file = &s->in->file[input], .profile = p};
    enum sandbox_end end = sandbox_run(run_suspect, &suspect, HANG_SECONDS);
    s->input[input].hangs = end == SANDBOX_HUNG;
    s->input[input].crashes = end == SANDBOX_CRASHED;
    if (end != SANDBOX_NOT_RUN || interrupted)
        return true;
    e->of_machine = true;
    return error_set(e, "%s: cannot be run in a process of its own", suspect.file->path);
}

bool replay_status_broken(const struct replay_status *s, unsigned input)
{
    return s->input[input].crashes || s->input[input].hangs;
}

/* --- the report --- */

/* Follows the mergers of a finding to their end. Adds the findings that hold its cases now. This ends,
 * because an entry is moved once, and only to entries that are moved later. */
static void follow(const struct replay_status *s, unsigned name, struct list *out)
{
    if (!s->name[name].moved)
        list_add(out, name);
    else
        for (unsigned i = 0; i < s->name[name].to.count; i++)
            follow(s, s->name[name].to.item[i], out);
}

static enum input_today today(const struct input_status *s, const struct report_input *r)
{
    if (s->crashes)
        return TODAY_CRASHES;
    if (s->hangs)
        return TODAY_HANGS;
    if (s->cases == s->not_compared)
        return TODAY_NOT_COMPARED;
    if (!s->different)
        return r->artifact ? TODAY_GONE : TODAY_NOTHING;
    if (!r->was[0])
        return TODAY_FINDING;
    if (s->fits)
        return TODAY_SAME;
    for (unsigned i = 0; i < r->findings; i++)
        if (!strcmp(r->finding[i], r->was))
            return TODAY_SAME;
    return TODAY_OTHER;
}

struct report_input *replay_status_report(const struct replay_status *s)
{
    struct report_input *all = memory_new(s->in->count, sizeof *all);
    for (unsigned i = 0; i < s->in->count; i++) {
        const struct input *file = &s->in->file[i];
        struct report_input *r = &all[i];
        struct list names = {0};
        *r = (struct report_input){.path = strdup(file->path),
                                   .origin = origin_name[file->origin],
                                   .artifact = file->origin != ORIGIN_PLAIN && file->origin != ORIGIN_CORPUS,
                                   .unit = file->unit};
        snprintf(r->was, sizeof r->was, "%s", file->finding);
        for (unsigned k = 0; k < s->input[i].names.count; k++)
            follow(s, s->input[i].names.item[k], &names);
        r->finding = memory_new(names.count, sizeof *r->finding);
        for (r->findings = 0; r->findings < names.count; r->findings++)
            snprintf(r->finding[r->findings], sizeof *r->finding, "%s", s->name[names.item[r->findings]].id);
        free(names.item);
        r->today = today(&s->input[i], r);
    }
    return all;
}

void replay_status_free_report(struct report_input *r, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        free(r[i].path);
        free(r[i].finding);
    }
    free(r);
}
