/* SPDX-License-Identifier: MIT */
/* `misprint verify`: is a campaign or a trace what misprint wrote, and do a campaign's verdicts follow from
 * what it holds? */
#include "cli/cli.h"

#include "fuzz/campaign/rederive.h"
#include "oracle/describe/escape.h"
#include "oracle/files/trace.h"
#include "oracle/store/store_verify.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { FAULTS_SHOWN = 50 };

/* What is said of one campaign or trace; as text, or as JSON. */
struct account {
    struct text text;
    json_t *json, *faults; /* NULL: text is wanted */
    unsigned shown;
    bool good;
};

static void account_begin(struct account *a, const char *path, const char *kind, bool as_json)
{
    *a = (struct account){.good = true};
    if (!as_json)
        return;
    a->faults = json_array();
    a->json = json_pack("{s:o, s:s, s:O}", "path", json_text(path), "kind", kind, "faults", a->faults);
}

/* Something is not as it was written: a row, or a place in a file, and what became of it. */
static void account_fault(void *context, const char *row, const char *what)
{
    struct account *a = context;
    a->good = false;
    if (a->json)
        json_array_append_new(a->faults, json_pack("{s:o, s:s}", "row", json_text(row), "what", what));
    else if (a->shown++ < FAULTS_SHOWN)
        text_add(&a->text, "  %s%s%s\n", row, *what ? " " : "", what);
}

static void set(struct account *a, const char *key, json_t *value)
{
    if (a->json)
        json_object_set_new(a->json, key, value);
    else
        json_decref(value);
}

/* --- campaigns
 * ----------------------------------------------------------------------------------------------------------------
 */

static void tell_chain(struct account *a, const char *path, const struct chain_facts *f)
{
    set(a, "links", json_integer((json_int_t)f->links));
    set(a, "records", json_integer((json_int_t)f->records));
    set(a, "head", json_string(f->head));
    set(a, "began", json_text(f->began));
    set(a, "merged", json_integer(f->merged));
    if (a->json)
        return;
    if (a->shown > FAULTS_SHOWN)
        text_add(&a->text, "  and %u more\n", a->shown - FAULTS_SHOWN);
    if (a->good)
        text_add(&a->text,
                 "%s: the chain holds: %" PRIu64 " link%s, %" PRIu64
                 " record%s, all as misprint wrote them\n",
                 path, f->links, plural(f->links), f->records, plural(f->records));
    else
        text_add(&a->text,
                 "%s: the chain is broken: %" PRIu64
                 " row%s or link%s %s not as misprint wrote them. Restore the campaign from a copy; what is "
                 "named above is no evidence\n",
                 path, f->faults, plural(f->faults), plural(f->faults), f->faults == 1 ? "is" : "are");
    text_add(&a->text, "  began with: %s\n", f->began);
    if (f->merged)
        text_add(&a->text, "  merged from %u campaign%s\n", f->merged, plural(f->merged));
    text_add(&a->text, "  head: %s\n", f->head);
}

/* Is the link that somebody wrote down in this chain? */
static bool check_head(struct account *a, struct store *s, const char *head, const struct chain_facts *f,
                       struct error *e)
{
    int64_t seq = store_find_link(s, head, e);
    if (seq < 0)
        return false;
    a->good &= seq > 0;
    set(a, "head_found_at", seq ? json_integer(seq) : json_null());
    if (!a->json && seq)
        text_add(&a->text, "  the link that was asked for is number %" PRId64 " of %" PRIu64 "\n", seq,
                 f->links);
    else if (!a->json)
        text_add(&a->text, "  the link that was asked for is not in this chain: the report was made of "
                           "another campaign, while this one was being "
                           "written, or the chain was made anew\n");
    return true;
}

/* What people open first is no part of the chain. */
static bool tell_files(struct account *a, struct store *s, struct error *e)
{
    struct store_files f;
    if (!store_check_files(s, &f, e))
        return false;
    set(a, "files", json_pack("{s:i, s:i}", "findings", (int)f.findings, "same", (int)f.same));
    if (a->json || !f.findings)
        return true;
    text_add(&a->text, "  cases/ and dropped/ are copies for people, outside the chain: ");
    if (f.same == f.findings)
        text_add(&a->text, "the files of all findings are as the database has them\n");
    else
        text_add(&a->text,
                 "the files of %u of %u findings are as the database has them; %s.case is not (`misprint "
                 "fuzz` on this campaign writes it anew)\n",
                 f.same, f.findings, f.other);
    return true;
}

/* --- verdicts
 * -----------------------------------------------------------------------------------------------------------------
 */

static void tell_one(struct account *a, const struct derivation *d, json_t *list)
{
    a->good &= d->derived != DERIVED_NOT_FOLLOW;
    if (list)
        json_array_append_new(list, json_pack("{s:o, s:s, s:s, s:o}", "id", json_text(d->id), "verdict",
                                              verdict_name(d->verdict), "derived", derived_name[d->derived],
                                              "why", json_text(d->why)));
    else
        text_add(&a->text, "  %s  %-14s  %s: %s\n", d->id, verdict_name(d->verdict), derived_name[d->derived],
                 d->why);
}

/* Whether each verdict follows from what the store holds, also where the chain is broken: it may still say
 * which findings are of use. */
static bool verify_verdicts(struct account *a, struct store *s, struct error *e)
{
    unsigned count, of[DERIVEDS] = {0};
    uint64_t cases;
    struct derivation *d = rederive(s, &count, &cases, e);
    if (!d)
        return false;
    json_t *list = a->json ? json_array() : NULL;
    for (unsigned i = 0; i < count; i++) {
        of[d[i].derived]++;
        tell_one(a, &d[i], list);
    }
    if (!a->json && count)
        text_add(&a->text,
                 "%u finding%s, derived anew from %" PRIu64
                 " kept case%s without the board: %u follow, %u stand, %u do not follow, %u cannot be told\n",
                 count, plural(count), cases, plural(cases), of[DERIVED_FOLLOWS], of[DERIVED_STANDS],
                 of[DERIVED_NOT_FOLLOW], of[DERIVED_UNKNOWN]);
    if (a->json)
        set(a, "findings", list);
    free(d);
    return true;
}

static int verify_campaign(struct account *a, const char *path, const char *head, struct error *e)
{
    struct chain_facts f;
    struct store *s = store_open(path, false, e);
    if (!s && !e->of_machine && store_is_damaged(path)) {
        account_fault(a, e->text, "");
        return STATUS_EQUAL;
    }
    if (!s)
        return fail(STATUS_USAGE, e);
    bool good = store_verify(s, account_fault, a, &f, e);
    if (good) {
        tell_chain(a, path, &f);
        good = !head || check_head(a, s, head, &f, e);
    }
    if (good && !(tell_files(a, s, e) && verify_verdicts(a, s, e))) { /* a row says what no row can */
        good = f.faults && !e->of_machine;
        if (good && a->json)
            set(a, "not_derived", json_text(e->text));
        else if (good)
            text_add(&a->text, "  the verdicts cannot be derived anew: %s\n", e->text);
    }
    store_close(s);
    return good ? STATUS_EQUAL : fail(STATUS_USAGE, e);
}

/* --- traces
 * -------------------------------------------------------------------------------------------------------------------
 */

static int verify_trace(struct account *a, const char *path, const char *head, struct error *e)
{
    struct trace_facts f;
    if (!trace_verify(path, &f, e)) {
        if (!f.damaged)
            return fail(STATUS_USAGE, e);
        account_fault(a, e->text, "");
        return STATUS_EQUAL;
    }
    bool found = !head || (f.chained && !strcmp(head, f.head));
    a->good &= found;
    set(a, "unit", json_string(f.unit->name));
    set(a, "records", json_integer((json_int_t)f.records));
    set(a, "head", f.chained ? json_string(f.head) : json_null());
    if (a->json)
        return STATUS_EQUAL;
    text_add(&a->text, "%s: %" PRIu64 " record%s of %s, ", path, f.records, plural(f.records), f.unit->name);
    if (f.chained)
        text_add(&a->text, "the chain holds\n  head: %s\n", f.head);
    else
        text_add(&a->text, "whole; its version has no chain, so only damage is found, no change: record or "
                           "import it again\n");
    if (!found)
        text_add(&a->text, "  the head that was asked for is not this trace's\n");
    return STATUS_EQUAL;
}

/* --- the command
 * --------------------------------------------------------------------------------------------------------------
 */

static bool is_trace(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && !S_ISDIR(st.st_mode);
}

static int verify_one(const struct arguments *a, const char *path, struct account *account)
{
    struct error e = {0};
    const char *head = a->option[OPTION_HEAD];
    bool trace = is_trace(path);
    account_begin(account, path, trace ? "trace" : "campaign", a->option[OPTION_JSON] != NULL);
    int status = (trace ? verify_trace : verify_campaign)(account, path, head, &e);
    set(account, "good", json_boolean(account->good && status == STATUS_EQUAL));
    return status == STATUS_EQUAL && !account->good ? STATUS_DIFFERENT : status;
}

static bool check_option(const struct arguments *a, struct error *e)
{
    const char *head = a->option[OPTION_HEAD];
    if (!head)
        return true;
    if (strlen(head) != DIGEST_HEX - 1 || strspn(head, "0123456789abcdefABCDEF") != DIGEST_HEX - 1)
        return error_set(e, "--head wants the 64 hexadecimal digits that a report names, not '%.80s'", head);
    return a->words == 1 || error_set(e, "--head is of one campaign or trace; name only that");
}

static int run_verify(const struct arguments *a)
{
    struct error e = {0};
    struct text all = {0};
    json_t *list = json_array();
    int worst = STATUS_EQUAL;
    if (!check_option(a, &e)) {
        json_decref(list);
        return fail(STATUS_USAGE, &e);
    }
    for (int i = 0; i < a->words; i++) {
        struct account one;
        int status = verify_one(a, a->word[i], &one);
        worst = status > worst ? status : worst;
        if (one.json)
            json_array_append_new(list, one.json);
        json_decref(one.faults);
        text_add(&all, "%s", text_chars(&one.text));
        text_free(&one.text);
    }
    if (a->option[OPTION_JSON])
        worst = print_json(json_pack("{s:s, s:i, s:o}", "format", "misprint-verify", "version", 1, "results",
                                     list),
                           worst);
    else
        worst = print_text(&all, worst);
    if (!a->option[OPTION_JSON])
        json_decref(list);
    text_free(&all);
    return worst;
}

const struct command command_verify = {
    .name = "verify",
    .synopsis = "CAMPAIGN|TRACE...",
    .about = "check that a campaign or a trace is what misprint wrote, and that its verdicts follow",
    .details = "Computes the chain of digests of a campaign's rows, or of a trace's records, anew and names "
               "whatever was changed,\n"
               "removed, added or moved. Then derives each finding's verdict anew from the cases and answers "
               "that the campaign\n"
               "keeps, without the board: it follows; or it stands, but rests on cases that were not kept; "
               "or it does not\n"
               "follow. Exit status 1 if anything is not as it was written, or a verdict does not follow.\n\n"
               "A chain is no signature: who rewrites all of it can make another that holds. So a report "
               "names the last link of\n"
               "the campaign that it was made of; --head asks whether that link is in the chain.\n\n"
               "  misprint verify my-campaign\n"
               "  misprint verify my-campaign --head 5f0c...  # is it the campaign of that report?\n"
               "  misprint verify corpus/vc4-qpu/silicon/alu.trace",
    .options = {OPTION_HEAD, OPTION_JSON, OPTION_END},
    .min_words = 1,
    .max_words = -1,
    .run = run_verify,
};
