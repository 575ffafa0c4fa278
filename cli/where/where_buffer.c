/* SPDX-License-Identifier: MIT */
#include "cli/where/buffer.h"
#include "model/core/memory.h"
#include "model/core/units.h"
#include "oracle/files/load.h"

#include <stdlib.h>

enum { PROFILES = 2 };

/* Names the profiles to ask: the user's, or the literal manual and what is known of the chip. */
static unsigned choose(const struct arguments *a, const struct buffer_question *q, const char **name)
{
    if (a->option[OPTION_PROFILE] || a->rules.length) {
        name[0] = argument_profile(a);
        return 1;
    }
    name[0] = "manual";
    name[1] = amd_generation_names[q->generation];
    return PROFILES;
}

static void print(const struct buffer_question *q, const struct buffer_answer *answer, unsigned count,
                  struct text *t)
{
    buffer_print_question(q, t);
    bool same = count > 1 && buffer_same(q, &answer[0], &answer[1]),
         rules = same && buffer_same_rule(q, &answer[0], &answer[1]);
    text_add(t, "\nprofile %s%s%s%s\n", answer[0].profile, same ? " and profile " : "",
             same ? answer[1].profile : "",
             rules  ? ", which agree"
             : same ? ", which agree for these lanes, by different checks"
                    : "");
    buffer_print_answer(q, &answer[0], same && !rules ? &answer[1] : NULL, t);
    if (count > 1 && !same) {
        text_add(t, "\nprofile %s, which differs\n", answer[1].profile);
        buffer_print_rival(q, &answer[1], &answer[0], t);
    }
    text_add(t, "\nThe model computed this. `misprint show CLAUSE` has the evidence for a reading.\n");
}

static json_t *json(const struct buffer_question *q, const struct buffer_answer *answer, unsigned count)
{
    json_t *list = json_array();
    for (unsigned i = 0; i < count; i++)
        json_array_append_new(list, buffer_answer_json(q, &answer[i]));
    return json_pack("{s:s, s:o, s:b, s:b, s:o}", "unit", q->tc.unit->name, "question",
                     buffer_question_json(q), "profiles_agree",
                     count < 2 || buffer_same(q, &answer[0], &answer[1]), "checks_agree",
                     count < 2 || buffer_same_rule(q, &answer[0], &answer[1]), "profiles", list);
}

int where_buffer(const struct arguments *a)
{
    struct error e = {0};
    struct text t = {0};
    json_t *j = NULL;
    struct buffer_question *q = memory_new(1, sizeof *q);
    struct buffer_answer *answer = memory_new(PROFILES, sizeof *answer);
    const char *name[PROFILES];
    bool good = buffer_ask(a, q, &e);
    unsigned count = good ? choose(a, q, name) : 0;
    for (unsigned i = 0; good && i < count; i++) {
        struct profile p;
        good = profile_load(&amd_buffer_unit, name[i], &p, &e);
        if (good) {
            buffer_answer(q, name[i], &p, &answer[i]);
            buffer_decide(q, &answer[i]);
        }
    }
    if (good && a->option[OPTION_JSON])
        j = json(q, answer, count);
    else if (good)
        print(q, answer, count, &t);
    text_free(&q->notes);
    free(q);
    free(answer);
    return good ? print_result(a, &t, j, STATUS_EQUAL) : fail(STATUS_USAGE, &e);
}
