/* SPDX-License-Identifier: MIT */
/* `misprint dropped` shows the cases of a campaign that were not compared, and why. */
#include "cli/cli.h"

#include "model/core/memory.h"
#include "oracle/describe/escape.h"
#include "oracle/store/store.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

static json_t *json_of(const struct dropped_reason *reason, unsigned reasons, const struct dropped_case *one,
                       unsigned count)
{
    json_t *why = json_array(), *cases = json_array();
    for (unsigned i = 0; i < reasons; i++)
        json_array_append_new(why, json_pack("{s:o, s:I}", "reason", json_text(reason[i].reason), "cases",
                                             (json_int_t)reason[i].cases));
    for (unsigned i = 0; i < count; i++)
        json_array_append_new(cases, json_pack("{s:I, s:s, s:o, s:o}", "id", (json_int_t)one[i].id, "unit",
                                               one[i].unit, "label", json_text(one[i].label), "reason",
                                               json_text(one[i].reason)));
    return json_pack("{s:o, s:o}", "reasons", why, "cases", cases);
}

static int list_all(struct store *s, const struct arguments *a)
{
    struct error e = {0};
    struct text t = {0};
    unsigned reasons = 0, count = 0;
    struct dropped_reason *reason = store_dropped_reasons(s, &reasons, &e);
    struct dropped_case *one = reason ? store_dropped_cases(s, &count, &e) : NULL;
    int status = STATUS_USAGE;
    if (one) {
        text_add(&t, "%" PRIu64 " case%s had no outcome and %s not compared; %u kept\n", store_dropped(s),
                 plural(store_dropped(s)), store_dropped(s) == 1 ? "was" : "were", count);
        for (unsigned i = 0; i < reasons; i++)
            text_add(&t, "  %9" PRIu64 "  %s\n", reason[i].cases, reason[i].reason);
        for (unsigned i = 0; i < count; i++)
            text_add(&t, "%" PRId64 "  %s  %s: %s\n", one[i].id, one[i].unit, one[i].label, one[i].reason);
        status = print_result(a, &t, json_of(reason, reasons, one, count), STATUS_EQUAL);
    } else {
        status = fail(status, &e);
    }
    free(reason);
    free(one);
    return status;
}

static int print_one(struct store *s, const char *word)
{
    struct error e = {0};
    struct text t = {0};
    struct dropped_case what;
    char *end;
    errno = 0;
    long long id = strtoll(word, &end, 10);
    if (errno || end == word || *end)
        return fail_usage("'%s' is not a number; `misprint dropped CAMPAIGN` lists the numbers of its cases",
                          word);
    struct test_case *c = memory_new(1, sizeof *c);
    bool good = store_dropped_case(s, id, c, &what, &e);
    if (good) {
        text_add(&t, "# %s\n# from %s\n", what.reason, what.label);
        case_print(c, &t);
    }
    free(c);
    return good ? print_text(&t, STATUS_EQUAL) : fail(STATUS_USAGE, &e);
}

static int run_dropped(const struct arguments *a)
{
    struct error e = {0};
    struct store *s = store_open(a->word[0], false, &e);
    if (!s)
        return fail(STATUS_USAGE, &e);
    int status = a->words > 1 ? print_one(s, a->word[1]) : list_all(s, a);
    store_close(s);
    return status;
}

const struct command command_dropped = {
    .name = "dropped",
    .synopsis = "CAMPAIGN [NUMBER]",
    .about = "show the cases of a campaign that were not compared, and why",
    .examples = "  misprint dropped my-campaign\n"
                "  misprint dropped my-campaign 3 | misprint run -",
    .details = "Lists why cases had no outcome to compare (the board refused them or gave no answer), and "
               "the first 1000 of these cases. With a number, prints that case.",
    .options = {OPTION_JSON, OPTION_END},
    .min_words = 1,
    .max_words = 2,
    .run = run_dropped,
};
