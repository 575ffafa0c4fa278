/* SPDX-License-Identifier: MIT */
#include "cli/terminal/replay_status.h"

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

/* A finding by its id; once it went up in others, a new one may get the same id. */
struct name {
    char id[24];
    bool moved;
    struct list to;
};

struct fate {
    uint64_t cases, different, not_compared;
    struct list names;
    bool crashes, hangs;
    bool fits; /* the cause that it once had explains it still */
};

struct replay_status {
    const struct inputs *in;
    const struct finding *once; /* what the inputs were */
    unsigned once_count;
    struct fate *fate; /* one an input */
    struct name *name;
    unsigned names;
    unsigned *input_of; /* of each case of the run in hand */
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

struct replay_status *replay_status_new(const struct inputs *in, const struct finding *once, unsigned count)
{
    struct replay_status *f = memory_new(1, sizeof *f);
    f->in = in;
    f->once = once;
    f->once_count = count;
    f->fate = memory_new(in->count, sizeof *f->fate);
    return f;
}

void replay_status_free(struct replay_status *f)
{
    if (!f)
        return;
    for (unsigned i = 0; i < f->in->count; i++)
        free(f->fate[i].names.item);
    for (unsigned i = 0; i < f->names; i++)
        free(f->name[i].to.item);
    free(f->fate);
    free(f->name);
    free(f->input_of);
    free(f);
}

void replay_status_begin(struct replay_status *f)
{
    f->numbers = 0;
}

void replay_status_case(struct replay_status *f, unsigned input)
{
    if (f->numbers == f->room) {
        f->room = f->room ? 2 * f->room : 1024;
        f->input_of = memory_grow(f->input_of, f->room, sizeof *f->input_of);
    }
    f->input_of[f->numbers++] = input;
}

static unsigned name_of(struct replay_status *f, const char *id)
{
    for (unsigned i = 0; i < f->names; i++)
        if (!f->name[i].moved && !strcmp(f->name[i].id, id))
            return i;
    f->name = memory_grow(f->name, f->names + 1U, sizeof *f->name);
    f->name[f->names] = (struct name){0};
    (void)snprintf(f->name[f->names].id, sizeof f->name[0].id, "%s", id);
    return f->names++;
}

/* A case is filed by the sets that explain it, and what other evidence says of these comes later. */
static bool fits(const struct replay_status *f, const char *id, const struct finding *filed)
{
    for (unsigned i = 0; i < f->once_count; i++)
        for (unsigned k = 0; !strcmp(f->once[i].id, id) && f->once[i].explanation.candidates &&
                             k < filed->explanation.candidates;
             k++)
            if (filed->unit == f->once[i].unit &&
                cause_equal(&filed->explanation.candidate[k], &f->once[i].explanation.candidate[0]))
                return true;
    return false;
}

static void on_filed(void *context, uint64_t number, const struct finding *finding)
{
    struct replay_status *f = context;
    unsigned input = f->input_of[number];
    list_add(&f->fate[input].names, name_of(f, finding->id));
    f->fate[input].fits |= fits(f, f->in->file[input].finding, finding);
}

static void on_came(void *context, uint64_t number, enum case_fate fate)
{
    struct replay_status *f = context;
    struct fate *of = &f->fate[f->input_of[number]];
    of->cases++;
    of->different += fate == FATE_DIFFERENT;
    of->not_compared += fate == FATE_NOT_COMPARED;
}

static void on_moved(void *context, const struct finding *from, const struct finding *to, bool last)
{
    struct replay_status *f = context;
    if (!strcmp(from->id, to->id))
        return;
    unsigned target = name_of(f, to->id), source = name_of(f, from->id);
    list_add(&f->name[source].to, target);
    f->name[source].moved = last;
}

struct case_watch replay_status_watch(struct replay_status *f)
{
    return (struct case_watch){.context = f, .filed = on_filed, .came = on_came, .moved = on_moved};
}

/* --- what once crashed
 * ----------------------------------------------------------------------------------------------------------
 */

struct suspect {
    const struct input *file;
    const struct profile *profile;
};

/* Under every profile that model or virtual board may run under. */
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

bool replay_status_try(struct replay_status *f, unsigned input, const struct profile *p, struct error *e)
{
    struct suspect s = {.file = &f->in->file[input], .profile = p};
    enum sandbox_end tried = sandbox_run(run_suspect, &s, HANG_SECONDS);
    f->fate[input].hangs = tried == SANDBOX_HUNG;
    f->fate[input].crashes = tried == SANDBOX_CRASHED;
    if (tried != SANDBOX_NOT_RUN || interrupted)
        return true;
    e->of_machine = true;
    return error_set(e, "%s: cannot be tried in a process of its own", s.file->path);
}

bool replay_status_broken(const struct replay_status *f, unsigned input)
{
    return f->fate[input].crashes || f->fate[input].hangs;
}

/* --- the report
 * ----------------------------------------------------------------------------------------------------------------
 */

/* The findings that there are at the end, for one that a case was filed in. */
static void follow(const struct replay_status *f, unsigned name, struct list *out, unsigned depth)
{
    enum { DEPTH_MAX = 64 };
    if (!f->name[name].moved || depth == DEPTH_MAX)
        list_add(out, name);
    else
        for (unsigned i = 0; i < f->name[name].to.count; i++)
            follow(f, f->name[name].to.item[i], out, depth + 1);
}

static enum input_today today(const struct fate *fate, const struct input *file, const struct report_input *r)
{
    bool once = file->origin != ORIGIN_PLAIN && file->origin != ORIGIN_CORPUS;
    if (fate->crashes)
        return TODAY_CRASHES;
    if (fate->hangs)
        return TODAY_HANGS;
    if (fate->cases == fate->not_compared)
        return TODAY_NOT_COMPARED;
    if (!fate->different)
        return once ? TODAY_GONE : TODAY_NOTHING;
    if (!r->was[0])
        return TODAY_FINDING;
    if (fate->fits)
        return TODAY_SAME;
    for (unsigned i = 0; i < r->findings; i++)
        if (!strcmp(r->finding[i], r->was))
            return TODAY_SAME;
    return TODAY_OTHER;
}

struct report_input *replay_status_report(const struct replay_status *f, unsigned *count)
{
    struct report_input *all = memory_new(f->in->count, sizeof *all);
    for (unsigned i = 0; i < f->in->count; i++) {
        const struct input *file = &f->in->file[i];
        struct report_input *r = &all[i];
        struct list names = {0};
        *r = (struct report_input){.path = strdup(file->path),
                                   .origin = origin_name[file->origin],
                                   .unit = file->unit};
        r->artifact = file->origin != ORIGIN_PLAIN && file->origin != ORIGIN_CORPUS;
        (void)snprintf(r->was, sizeof r->was, "%s", file->finding);
        for (unsigned k = 0; k < f->fate[i].names.count; k++)
            follow(f, f->fate[i].names.item[k], &names, 0);
        r->finding = memory_new(names.count, sizeof *r->finding);
        for (r->findings = 0; r->findings < names.count; r->findings++)
            (void)snprintf(r->finding[r->findings], sizeof *r->finding, "%s",
                           f->name[names.item[r->findings]].id);
        free(names.item);
        r->today = today(&f->fate[i], file, r);
    }
    *count = f->in->count;
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
