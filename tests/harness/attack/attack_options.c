/* SPDX-License-Identifier: MIT */
#include "tests/harness/attack/attack_options.h"

#include "tests/harness/attack/attack_state.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { SECONDS_DEFAULT = 5 };

void attack_show_usage(FILE *f, const char *program, const struct attack *const *attacks)
{
    (void)fprintf(
        f,
        "usage: %s [ATTACK] [OPTION...]\n"
        "Searches for a harmful case that the verifier accepts. Without ATTACK: runs each attack in turn.\n\n"
        "  --accepted N     stop after N accepted cases\n"
        "  --cases N        stop after N cases (with --resume, rounded up to blocks of %d)\n"
        "  --seconds S      stop after S seconds (default without another limit: "
        "MISPRINT_ATTACK_SECONDS, else %d)\n"
        "  --seed N         generate other cases (default: 1)\n"
        "  --jobs N         number of processes (default: one for each processor)\n"
        "  --resume FILE    keep the state in FILE, and continue from it\n"
        "  --keep-going     report each broken case instead of stopping at the first\n"
        "  --case NUMBER    try only this case, and print its text\n\nAttacks:\n",
        program, ATTACK_BLOCK, SECONDS_DEFAULT);
    for (; *attacks; attacks++)
        (void)fprintf(f, "  %-16s %s\n", (*attacks)->name, (*attacks)->about);
    (void)fprintf(f, "\nExit status: 0 no case broken, 1 a case broken, 2 wrong use, 3 interrupted.\n");
}

static bool read_number(const char *text, uint64_t *to)
{
    char *end;
    errno = 0;
    *to = strtoull(text, &end, 0);
    return *text >= '0' && *text <= '9' && !*end && !errno;
}

/* Sets an option that has a value. Returns false if it is unknown or the value is wrong. */
static bool set_option(struct attack_options *o, const char *name, const char *value)
{
    uint64_t n = 0;
    if (!strcmp(name, "--resume")) {
        o->resume = value;
        return *value;
    }
    if (!read_number(value, &n))
        return false;
    if (!strcmp(name, "--accepted") && n)
        o->accepted = n;
    else if (!strcmp(name, "--cases") && n && n <= UINT64_MAX / 2)
        o->cases = n;
    else if (!strcmp(name, "--seconds") && n)
        o->seconds = (double)n;
    else if (!strcmp(name, "--jobs") && n && n <= ATTACK_JOBS_MAX)
        o->jobs = (unsigned)n;
    else if (!strcmp(name, "--seed"))
        o->seed = n;
    else if (!strcmp(name, "--case"))
        o->number = n, o->one_case = true;
    else
        return false;
    return true;
}

static bool choose(struct attack_options *o, const char *name, const struct attack *const *attacks)
{
    bool first = !o->attack;
    for (; *attacks && first; attacks++)
        if (!strcmp((*attacks)->name, name))
            o->attack = *attacks;
    return first && o->attack;
}

bool attack_read_options(struct attack_options *o, int argc, char **argv, const struct attack *const *attacks)
{
    for (int n = 1; n < argc; n++) {
        bool good = false;
        if (!strcmp(argv[n], "--keep-going"))
            good = o->keep_going = true;
        else if (argv[n][0] != '-')
            good = choose(o, argv[n], attacks);
        else if (n + 1 < argc && (good = set_option(o, argv[n], argv[n + 1])))
            n++;
        if (!good) {
            (void)fprintf(stderr, "attack: '%s' is not an attack or an option, or its value is wrong\n",
                          argv[n]);
            return false;
        }
    }
    if (!o->attack && !attacks[1])
        o->attack = attacks[0];
    if ((o->resume || o->one_case) && !o->attack) {
        (void)fprintf(stderr, "attack: --resume and --case need the name of one attack\n");
        return false;
    }
    if (o->accepted && o->cases) {
        (void)fprintf(stderr, "attack: --accepted and --cases exclude each other\n");
        return false;
    }
    if (o->resume && o->cases) /* a later run would not complete the last, partial block */
        o->cases = (o->cases + ATTACK_BLOCK - 1) / ATTACK_BLOCK * ATTACK_BLOCK;
    uint64_t wanted = 0;
    const char *variable = getenv("MISPRINT_ATTACK_SECONDS");
    if (variable && !read_number(variable, &wanted)) {
        (void)fprintf(stderr, "attack: MISPRINT_ATTACK_SECONDS is '%s', not a number of seconds\n", variable);
        return false;
    }
    if (!o->accepted && !o->cases && o->seconds <= 0)
        o->seconds = wanted ? (double)wanted : SECONDS_DEFAULT;
    return true;
}
