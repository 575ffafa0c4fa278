/* SPDX-License-Identifier: MIT */
/* Attacks without a verifier, for the test of the driver: a hash of the case's number decides its result. */
#include "model/number/random.h"
#include "tests/harness/attack/attack.h"

#include <stdio.h>
#include <unistd.h>

enum { BAD_CASE = 20000, SLOW_MICROSECONDS = 100 };

static const char *const counter_names[] = {"even", "sum", NULL};

static void *begin(void)
{
    static int nothing;
    return &nothing;
}

static void end(void *state)
{
    (void)state;
}

/* NOLINTNEXTLINE(readability-non-const-parameter): all attacks have this interface */
static enum attack_verdict try_good(void *state, uint64_t seed, uint64_t number, char why[ATTACK_WHY],
                                    struct text *text)
{
    uint64_t hash = random_mix64(seed ^ number << 20);
    (void)state;
    (void)why;
    attack_count(0, hash % 2 == 0);
    attack_count(1, hash % 1000);
    if (attack_verbose)
        text_add(text, "hash %llx\n", (unsigned long long)hash);
    return hash % 3 ? ATTACK_ACCEPTED : ATTACK_REFUSED;
}

static enum attack_verdict try_slow(void *state, uint64_t seed, uint64_t number, char why[ATTACK_WHY],
                                    struct text *text)
{
    (void)usleep(SLOW_MICROSECONDS);
    return try_good(state, seed, number, why, text);
}

static enum attack_verdict try_bad(void *state, uint64_t seed, uint64_t number, char why[ATTACK_WHY],
                                   struct text *text)
{
    if (number < BAD_CASE || number % 100)
        return try_good(state, seed, number, why, text);
    (void)snprintf(why, ATTACK_WHY, "number %llu is bad", (unsigned long long)number);
    text_add(text, "the case of %llu\n", (unsigned long long)number);
    return ATTACK_BROKEN;
}

static enum attack_verdict try_dying(void *state, uint64_t seed, uint64_t number, char why[ATTACK_WHY],
                                     struct text *text)
{
    if (number == BAD_CASE)
        _exit(55);
    return try_good(state, seed, number, why, text);
}

static const struct attack attacks[] = {
    {"good", "breaks nothing", begin, try_good, counter_names, end},
    {"slow", "as good, but slow", begin, try_slow, counter_names, end},
    {"bad", "every 100th case from 20000 on is broken", begin, try_bad, counter_names, end},
    {"dying", "case 20000 exits", begin, try_dying, counter_names, end},
};

int main(int argc, char **argv)
{
    static const struct attack *const all[] = {&attacks[0], &attacks[1], &attacks[2], &attacks[3], NULL};
    return attack_main(argc, argv, all);
}
