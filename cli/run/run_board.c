/* SPDX-License-Identifier: MIT */
#include "cli/run/run_board.h"

#include "cli/run/run_inputs.h"
#include "cli/run/run_program.h"
#include "model/core/memory.h"
#include "model/core/units.h"
#include "oracle/board/plugin/program_alone.h"
#include "oracle/describe/escape.h"
#include "oracle/files/load.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    CODE_AT = 0x10000,
    UNIFORMS_MAX = 0x40000,                             /* words */
    UNIFORMS_AT = PROGRAM_MEMORY_BYTES,                 /* behind all that the program may use */
    BYTES = PROGRAM_MEMORY_BYTES + 4 * UNIFORMS_MAX,    /* of the board's memory */
    PROGRAM_MAX = (PROGRAM_MEMORY_BYTES - CODE_AT) / 8, /* instructions */
    ROW_WORDS = 16,
    LIMIT = 10000000,
};

static const char prefix[] = "program:";

struct job {
    struct words program, uniforms;
    uint32_t *memory, *before, *defined;
    uint64_t limit;
};

bool run_board_wanted(const struct arguments *a)
{
    return a->option[OPTION_BOARD] && !strncmp(a->option[OPTION_BOARD], prefix, strlen(prefix)) &&
           (!a->option[OPTION_UNIT] || !strcmp(a->option[OPTION_UNIT], vc4_qpu_unit.name));
}

static void free_job(struct job *j)
{
    program_alone_free(j->memory, BYTES);
    free(j->before);
    free(j->defined);
    free(j->program.word);
    free(j->uniforms.word);
    *j = (struct job){0};
}

/* Refuses options that only the model has. */
static bool check_options(const char *path, const char *bytes, size_t count, const struct arguments *a,
                          struct error *e)
{
    static const struct {
        int option;
        const char *name;
    } of_model[] = {{OPTION_QPUS, "--qpus"},         {OPTION_THREADS, "--threads"},
                    {OPTION_SCHEDULE, "--schedule"}, {OPTION_TRACE, "--trace"},
                    {OPTION_STEP, "--step"},         {OPTION_FIDELITY, "--fidelity"},
                    {OPTION_LAUNCH, "--launch"},     {OPTION_ISA, "--isa"},
                    {OPTION_PROFILE, "--profile"},   {OPTION_RULE, "--rule"}};
    for (unsigned i = 0; i < sizeof of_model / sizeof *of_model; i++)
        if (a->option[of_model[i].option])
            return error_set(e,
                             "%s is not for a program on a board, which runs one QPU as it is; leave it out",
                             of_model[i].name);
    return !case_is_text(bytes, count) ||
           error_set(e, "%s: is a case; --uniforms, --memory, --limit and --expect are for bare words", path);
}

static bool read_job(struct job *j, const char *path, const char *bytes, size_t count,
                     const struct arguments *a, struct error *e)
{
    unsigned lists = 0;
    if (!check_options(path, bytes, count, a, e) || !argument_count(a, OPTION_LIMIT, &j->limit, e) ||
        !(j->memory = program_alone_memory(BYTES, e)) || !words_read(path, bytes, count, &j->program, e) ||
        !word_lists_read("--uniforms", a->option[OPTION_UNIFORMS], &j->uniforms, 1, &lists, e) ||
        !memory_read(a->option[OPTION_MEMORY], j->memory, e) ||
        !expected_check(a->option[OPTION_EXPECT], j->memory, j->memory, NULL, e))
        return false;
    if (j->program.count % 2 || j->program.count / 2 > PROGRAM_MAX || !j->program.count)
        return error_set(e, "%s: %zu words; a program has 1 to %d instructions of 2 words each", path,
                         j->program.count, PROGRAM_MAX);
    if (j->uniforms.count > UNIFORMS_MAX)
        return error_set(e, "--uniforms: %zu words; a board has room for %d", j->uniforms.count,
                         UNIFORMS_MAX);
    memcpy(j->memory + CODE_AT / 4, j->program.word, 4 * j->program.count);
    if (j->uniforms.count)
        memcpy(j->memory + UNIFORMS_AT / 4, j->uniforms.word, 4 * j->uniforms.count);
    j->before = memory_new(1, PROGRAM_MEMORY_BYTES);
    j->defined = memory_new(1, PROGRAM_MEMORY_BYTES);
    memcpy(j->before, j->memory, PROGRAM_MEMORY_BYTES);
    memset(j->defined, 0xFF, PROGRAM_MEMORY_BYTES);
    return true;
}

bool board_program_is_good(const char *path, const char *bytes, size_t count, const struct arguments *a,
                           struct error *e)
{
    struct job j = {0};
    bool good = read_job(&j, path, bytes, count, a, e);
    free_job(&j);
    return good;
}

/* Adds the rows of memory that the program changed, as text and as JSON. */
static json_t *add_rows(const struct job *j, struct text *t)
{
    json_t *rows = json_array();
    for (unsigned at = 0; at < PROGRAM_MEMORY_BYTES / 4; at += ROW_WORDS) {
        const uint32_t *row = j->memory + at;
        if (!memcmp(row, j->before + at, ROW_WORDS * sizeof *row))
            continue;
        bool same = true;
        for (unsigned i = 1; i < ROW_WORDS; i++)
            same = same && row[i] == row[0];
        text_add(t, "memory %08x =%s", 4 * at, same ? " all" : "");
        for (unsigned i = 0; i < (same ? 1 : ROW_WORDS); i++)
            text_add(t, " %08x", (unsigned)row[i]);
        text_add(t, "\n");
        json_array_append_new(rows, row_json("memory", at / ROW_WORDS, row, j->defined + at, ROW_WORDS));
    }
    return rows;
}

static void add_result(const struct job *j, const struct program_alone *p, const char *path,
                       const struct arguments *a, const struct expected *x, struct text *t, json_t *list)
{
    const char *board = a->option[OPTION_BOARD], *message = p->program.message;
    text_add(t, "# %s: %s, board %s\n# %s\nend = %s%s%s%s\n", path, vc4_qpu_unit.name, board, p->description,
             end_name(p->end), *message ? " (" : "", message, *message ? ")" : "");
    if (p->end == END_HANG)
        text_add(t, "not ended within %" PRIu64 " instructions (--limit), or stuck before\n",
                 p->program.limit);
    json_t *rows = add_rows(j, t);
    expected_print(x, t);
    json_t *one = json_pack("{s:o, s:s, s:o, s:s, s:o, s:o*, s:o}", "file", json_text(path), "unit",
                            vc4_qpu_unit.name, "ran_on", json_text(board), "end", end_name(p->end), "reason",
                            json_text(message), "expected", expected_json(x), "rows", rows);
    if (a->option[OPTION_JSON])
        json_array_append(list, one);
    json_decref(one);
}

bool run_board_program(const char *path, const char *bytes, size_t count, const struct arguments *a,
                       struct text *t, json_t *list, bool *as_expected, struct error *e)
{
    struct job j = {0};
    struct expected x = {0};
    bool good = read_job(&j, path, bytes, count, a, e);
    struct program_alone p = {.program = {.memory = j.memory,
                                          .memory_bytes = BYTES,
                                          .code = CODE_AT,
                                          .uniforms = UNIFORMS_AT,
                                          .limit = j.limit ? j.limit : LIMIT}};
    good = good && program_alone_run(a->option[OPTION_BOARD] + strlen(prefix), &vc4_qpu_unit, &p, e) &&
           expected_check(a->option[OPTION_EXPECT], j.memory, j.defined, &x, e);
    if (good) {
        *as_expected = expected_holds(&x, p.end == END_DONE);
        add_result(&j, &p, path, a, &x, t, list);
    }
    free_job(&j);
    return good;
}
