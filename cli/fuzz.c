/* SPDX-License-Identifier: MIT */
/* `misprint fuzz` runs a campaign of generated cases. */
#include "cli/session/board.h"
#include "cli/session/session.h"
#include "fuzz/engines/engine_kind.h"
#include "fuzz/hypothesis.h"
#include "model/core/memory.h"
#include "oracle/files/load.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct fuzzing {
    const struct unit *unit;
    const char *engine;    /* NULL: builtin */
    struct corpus *corpus; /* cases that run first; NULL: none */
    uint64_t cases, seed, jobs;
    double seconds;
    struct hypothesis_trial trial; /* the trial of the rules of --rule */
};

enum { TRIAL_CASES_MAX = 20000 };

static bool read_options(const struct arguments *a, struct fuzzing *f, struct error *e)
{
    f->unit = unit_find(a->word[0], e);
    if (!f->unit || !argument_count(a, OPTION_CASES, &f->cases, e) ||
        !argument_number(a, OPTION_SEED, 1, &f->seed, e) ||
        !argument_number(a, OPTION_JOBS, 1, &f->jobs, e) || !argument_seconds(a, OPTION_TIME, &f->seconds, e))
        return false;
    if (f->jobs < 1 || f->jobs > SESSION_JOBS_MAX)
        return error_set(e, "--jobs needs 1 to %d, not '%s'", SESSION_JOBS_MAX, a->option[OPTION_JOBS]);
    if (!a->option[OPTION_ENGINE] || !strcmp(a->option[OPTION_ENGINE], "builtin"))
        return true;
    f->engine = a->option[OPTION_ENGINE];
    if (!engine_named(f->engine, e))
        return false;
    if (!a->option[OPTION_CAMPAIGN])
        return error_set(e, "--engine %s needs --campaign DIR to keep its corpus", f->engine);
    return f->jobs <= ENGINE_JOBS_MAX ||
           error_set(e, "--jobs needs 1 to %d with --engine %s", ENGINE_JOBS_MAX, f->engine);
}

/* Opens the corpus. A corpus that is not installed is no error. */
static bool open_corpus(const struct arguments *a, struct fuzzing *f, struct error *e)
{
    char *folder = a->option[OPTION_NO_CORPUS] ? NULL : corpus_find();
    f->corpus = folder ? corpus_open(f->unit, folder, e) : NULL;
    bool good = !folder || f->corpus;
    free(folder);
    return good;
}

static struct board *open_board(const struct session *s, const struct fuzzing *f, struct error *e)
{
    struct profile p;
    return profile_load(f->unit, s->profile_name, &p, e)
               ? session_board(s->arguments, s->arguments->option[OPTION_BOARD], f->unit, &p, e)
               : NULL;
}

static bool open_jobs(struct session *s, const struct fuzzing *f, struct session_job *job, struct error *e)
{
    for (uint64_t i = 0; i < f->jobs; i++) {
        job[i] = (struct session_job){.unit = f->unit, .max_seconds = f->seconds, .engine = "builtin"};
        job[i].max_cases = f->cases / f->jobs + (i < f->cases % f->jobs);
        job[i].board = open_board(s, f, e);
        if (!job[i].board || !session_ready(s, &job[i], e))
            return false;
    }
    return true;
}

/*
 * Gives each job its seed and generator. The first job gets the given seed, each further job the next one. A
 * campaign uses no seed twice, so a user who repeats the command gets new cases.
 */
static bool seed_jobs(struct session *s, const struct fuzzing *f, struct session_job *job,
                      struct generator_source **generator, struct error *e)
{
    uint64_t seed = f->seed;
    for (uint64_t i = 0; i < f->jobs; i++, seed++) {
        job[i].seed = seed;
        if (!session_take_seed(s, &job[i], e))
            return false;
        seed = job[i].seed;
        generator[i] = generator_new(f->unit, seed);
        if (!generator[i])
            return error_memory(e, "while making a generator");
        if (job[i].board->proves)
            generator_mend_for_proof(generator[i]);
        generator_keep_within(generator[i], job[i].board->lacks);
        if (f->corpus)
            generator_take_corpus(generator[i], f->corpus,
                                  i == 0 && seed == f->seed); /* only a new campaign runs the corpus */
        job[i].source = generator_as_source(generator[i]);
    }
    return true;
}

/* Tries the rules of --rule on cases that they touch. This comes before the campaign, so that Ctrl-C during
 * the campaign does not lose the trial. */
static bool try_rules(const struct arguments *a, struct fuzzing *f, struct board *b, struct error *e)
{
    struct profile with, without;
    if (!a->option[OPTION_RULE])
        return true;
    const char *base = a->option[OPTION_PROFILE] ? a->option[OPTION_PROFILE] : "manual";
    if (!profile_load(f->unit, base, &without, e) || !profile_load(f->unit, argument_profile(a), &with, e))
        return false;
    f->trial.seed = f->seed;
    f->trial.most_cases = f->cases && f->cases < TRIAL_CASES_MAX ? f->cases : TRIAL_CASES_MAX;
    struct hypothesis *h = hypothesis_new(f->unit, &without, &with, &b->identity);
    bool good = hypothesis_try(h, b, &interrupted, &f->trial, e);
    hypothesis_free(h);
    return good;
}

/* Prints whether cases refuted the rules of --rule. Keeps the first case that refutes them in the campaign's
 * directory. */
static int print_trial(const struct arguments *a, const struct fuzzing *f, const char *folder, int status)
{
    struct text t = {0}, path = {0}, whole = {0};
    if (!a->option[OPTION_RULE])
        return status;
    text_add(&t, "%s: ", text_chars(&a->rules) + 1);
    hypothesis_trial_print(&f->trial, &t);
    if (f->trial.refuting && *folder) {
        text_add(&path, "%s/rule-refuted-%" PRIu64 ".case", folder, f->trial.seed);
        case_print(f->trial.refuting, &whole);
        status = write_text(text_chars(&path), &whole, status);
        text_add(&t, "  the first case that refutes it: %s\n", text_chars(&path));
    } else if (f->trial.refuting) {
        text_add(&t, "  --campaign DIR keeps the first case that refutes it\n");
    }
    text_free(&path);
    text_free(&whole);
    status = f->trial.refuted && status == STATUS_EQUAL ? STATUS_DIFFERENT : status;
    if (!a->option[OPTION_JSON])
        return print_text(&t, status);
    fputs(text_chars(&t), stderr); /* standard output is one JSON document */
    text_free(&t);
    return status;
}

/* Says which cases the engines start from, unless --quiet. */
static void print_start(const struct arguments *a, const struct fuzzing *f, const struct engines *engines)
{
    struct engines_view v = engines_look(engines);
    if (a->option[OPTION_QUIET])
        return;
    fprintf(stderr, "misprint: %s starts from new cases", f->engine);
    if (v.started_corpus)
        fprintf(stderr, ", %u of misprint's corpus", v.started_corpus);
    if (v.started_kept)
        fprintf(stderr, ", %u of this campaign", v.started_kept);
    fputc('\n', stderr);
}

/* Runs the engines, which generate cases, and one job, which runs the cases that the engines keep on the
 * board. Returns false with an error if nothing was run. */
static bool run_engines(struct session *s, struct fuzzing *f, struct session_job *job, struct error *e)
{
    const struct arguments *a = s->arguments;
    job->seed = f->seed;
    job->engine = f->engine;
    job->search_seconds = f->seconds; /* what the engines kept is still read after that */
    if (!(job->board = open_board(s, f, e)) || !session_ready(s, job, e) || !try_rules(a, f, job->board, e) ||
        !session_open_store(s, e))
        return false;
    struct engine_options o = {.unit = f->unit,
                               .engine = f->engine,
                               .directory = a->option[OPTION_CAMPAIGN],
                               .store = s->store,
                               .profile = job->facts.profile,
                               .board = board_profile(job->board),
                               .jobs = (unsigned)f->jobs,
                               .seed = f->seed,
                               .max_cases = f->cases,
                               .max_seconds = f->seconds};
    struct engines *engines = engines_start(&o, e);
    if (!engines)
        return false;
    print_start(a, f, engines);
    job->source = engines_as_source(engines);
    s->display.engines = engines;
    s->display.engine = f->engine;
    session_run(s, job, 1);
    session_note_engines(s, engines, f->unit->name);
    s->display.engines = NULL;
    engines_stop(engines);
    return true;
}

static bool run_generators(struct session *s, struct fuzzing *f, struct session_job *job,
                           struct generator_source **generator, struct error *e)
{
    if (!open_corpus(s->arguments, f, e) || !open_jobs(s, f, job, e) ||
        !try_rules(s->arguments, f, job->board, e) || !session_open_store(s, e) ||
        !seed_jobs(s, f, job, generator, e))
        return false;
    if (!f->cases && f->seconds <= 0 && isatty(STDERR_FILENO))
        fprintf(stderr, "misprint: no --cases and no --time: running until Ctrl-C\n");
    session_run(s, job, (unsigned)f->jobs);
    return true;
}

static int run_fuzz(const struct arguments *a)
{
    struct error e = {0};
    struct fuzzing f = {0};
    struct session s;
    if (!read_options(a, &f, &e) || (f.engine && !engine_check(f.engine, f.unit, &e)) ||
        !session_open(&s, "fuzz", a, &e))
        return fail(STATUS_USAGE, &e);
    s.keep = f.unit;
    if (!f.engine && f.cases && f.cases < f.jobs)
        f.jobs = f.cases;
    struct session_job *job = memory_new((size_t)f.jobs, sizeof *job);
    struct generator_source **generator = memory_new((size_t)f.jobs, sizeof(struct generator_source *));
    job->unit = f.unit;
    bool ran = f.engine ? run_engines(&s, &f, job, &e) : run_generators(&s, &f, job, generator, &e);
    int status = ran ? print_trial(a, &f, s.folder, session_close(&s)) : fail(STATUS_USAGE, &e);
    if (!ran)
        session_abandon(&s);
    free(f.trial.refuting);
    text_free(&f.trial.first_difference);
    for (uint64_t i = 0; i < f.jobs; i++) {
        generator_free(generator[i]);
        board_close(job[i].board);
    }
    corpus_close(f.corpus);
    free(job);
    free(generator);
    return status;
}

const struct command command_fuzz = {
    .name = "fuzz",
    .synopsis = "UNIT",
    .about = "run random cases on the model and a board; report what differs",
    .examples = "  misprint fuzz vc4-vpm --time 30 --campaign my-campaign\n"
                "  misprint fuzz vc4-vpm --engine afl --jobs 2 --time 1h --campaign my-campaign\n"
                "  misprint fuzz vc4-vpm --profile bcm2835 --cases 10000 \\\n"
                "      --board 'exec:python3 scripts/example-board.py'",
    .details =
        "Generates cases for UNIT, runs each on the model under --profile and on --board, and "
        "compares every defined bit. A difference is repeated, attributed to the smallest set of "
        "readings that explains it, reduced to a small case, and filed by its cause as a finding.\n\n"
        "The profile is the manual, unless --profile names another one. An emulator should do what silicon "
        "does: compare it with the unit's best-known silicon, as `check-board` and the kits of "
        "`new-board` do (--profile bcm2835 for VideoCore IV).\n\n"
        "The first cases come with misprint; each tells readings of a clause apart. --no-corpus "
        "leaves them out. Then come random cases, and changes of cases that reached something new. "
        "Without --board the board is the unit's best-known silicon profile, a virtual board.\n\n"
        "Everything is kept in the directory of --campaign. Without it, a new directory in "
        "~/.local/state/misprint is made (`misprint help environment`), and the last line names it. "
        "With --campaign, repeat the command to go on; it takes a new seed. "
        "Without --cases and --time it runs until Ctrl-C. Stopped by a signal with nothing found, the "
        "exit status is 0 if no limit was set, 3 if --cases or --time was. After the last case, causes of "
        "the unexplained findings are searched, for at most two minutes on a board that is not virtual; "
        "--time limits all. Ctrl-C ends the search and keeps what was found. In a new campaign, or "
        "without one, the same --seed, --cases and --jobs give the same findings.\n\n"
        "With --engine libfuzzer or afl, --jobs processes of that engine generate the cases. They are "
        "guided by the coverage of the model's code, by clauses, readings and modes reached, and by "
        "cases on which two readings give different results. The cases that they keep run on --board. "
        "Build the engines first (`cmake --build BUILD --target engines`), and give --campaign; their "
        "corpora are in its engines/.\n\n"
        "With --rule the model follows that rule, too. The last sentence says in how many generated "
        "cases the rule changed the outcome, and in how many of these the board agreed. The first "
        "case that refutes it is kept in the campaign's directory.",
    .options = {OPTION_BOARD, OPTION_BOARD_IS, OPTION_PROFILE, OPTION_RULE, OPTION_TIME, OPTION_CASES,
                OPTION_SEED, OPTION_JOBS, OPTION_ENGINE, OPTION_CAMPAIGN, OPTION_CHANGES, OPTION_NO_CORPUS,
                OPTION_NO_REDUCE, OPTION_STATS, OPTION_JUNIT, OPTION_JSON, OPTION_QUIET, OPTION_END},
    .min_words = 1,
    .max_words = 1,
    .run = run_fuzz,
};
