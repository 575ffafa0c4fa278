/* SPDX-License-Identifier: MIT */
/*
 * The reader accepts any bytes as the result of `misprint learn` (learn.json), or refuses them with a reason.
 * An accepted result is printed as a document that reads as the same result. The first byte of the input
 * chooses the unit.
 */
#include "fuzz/targets/target.h"

#include "fuzz/learn/learn_json.h"
#include "model/core/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The board and the base profile of the seeds (make_seeds.c). */
static struct board board = {.identity.spec = "virtual:manual"};

static char *print(const struct learn_options *o, const struct learn_result *r)
{
    json_t *j = learn_json(o, "manual", r);
    char *chars = json_dumps(j, JSON_INDENT(2));
    json_decref(j);
    if (!chars)
        target_violated("an accepted result cannot be printed");
    return chars;
}

static void check_again(struct learn_options *o, const struct learn_result *r)
{
    struct learn_result *read = memory_new(1, sizeof *read);
    struct error e = {0};
    uint64_t seed = 0;
    char *first = print(o, r);
    if (!learn_json_read(first, strlen(first), o, read, &seed, &e))
        target_violated("a printed result is refused: %s", e.text);
    if (seed != o->seed)
        target_violated("a printed result reads with another seed");
    char *second = print(o, read);
    if (strcmp(first, second) != 0)
        target_violated("a printed result reads as another one");
    free(first);
    free(second);
    learn_free(read);
    free(read);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    static unsigned units;
    static struct profile base;
    while (unit_at(units))
        units++;
    struct learn_result *r = memory_new(1, sizeof *r);
    struct error e = {0};
    struct learn_options o = {.unit = unit_at(target_choice(&bytes, &count, units)),
                              .board = &board,
                              .base = &base};
    char *text = malloc(count ? count : 1); /* of this size, so that a sanitizer sees a read past its end */
    if (!text)
        return 0;
    if (count)
        memcpy(text, bytes, count);
    profile_builtin(o.unit, 0, &base);
    if (learn_json_read(text, count, &o, r, &o.seed, &e))
        check_again(&o, r);
    else
        target_check_refusal(&e);
    learn_free(r);
    free(r);
    free(text);
    return 0;
}
