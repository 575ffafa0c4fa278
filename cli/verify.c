/* SPDX-License-Identifier: MIT */
/* `misprint verify` checks that a campaign or a trace is unchanged, and that a campaign's verdicts follow
 * from its evidence. */
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

/* The result for one campaign or trace, as text and as JSON. */
struct account {
    struct text text;
    json_t *json, *faults; /* `faults` is part of `json` */
    unsigned shown;
    bool good;
};

static void account_fault(void *context, const char *row, const char *what)
{
    struct account *a = context;
    a->good = false;
    json_array_append_new(a->faults, json_pack("{s:o, s:s}", "row", json_text(row), "what", what));
    if (a->shown++ < FAULTS_SHOWN)
        text_add(&a->text, "  %s%s%s\n", row, *what ? " " : "", what);
}

static void set(struct account *a, const char *key, json_t *value)
{
    json_object_set_new(a->json, key, value);
}

/* --- campaigns --- */

static void describe_chain(struct account *a, const char *path, const struct chain_facts *f)
{
    struct text *t = &a->text;
    set(a, "links", json_integer((json_int_t)f->links));
    set(a, "records", json_integer((json_int_t)f->records));
    set(a, "head", json_string(f->head));
    set(a, "began", json_text(f->began));
    set(a, "merged", json_integer(f->merged));
    if (a->shown > FAULTS_SHOWN)
        text_add(t, "  and %u more\n", a->shown - FAULTS_SHOWN);
    if (a->good)
        text_add(t,
                 "%s: the chain is intact: %" PRIu64 " link%s, %" PRIu64
                 " record%s, all as misprint wrote them\n",
                 path, f->links, plural(f->links), f->records, plural(f->records));
    else
        text_add(t,
                 "%s: the chain is broken: %" PRIu64 " row%s or link%s %s not as misprint wrote them. "
                 "Restore the campaign from a copy; the rows named above prove nothing\n",
                 path, f->faults, plural(f->faults), plural(f->faults), f->faults == 1 ? "is" : "are");
    text_add(t, "  began with: %s\n", f->began);
    if (f->merged)
        text_add(t, "  merged from %u campaign%s\n", f->merged, plural(f->merged));
    text_add(t, "  head: %s\n", f->head);
}

/* Looks up the link that --head names. */
static bool check_head(struct account *a, struct store *s, const char *head, const struct chain_facts *f,
                       struct error *e)
{
    int64_t seq = store_find_link(s, head, e);
    if (seq < 0)
        return false;
    a->good &= seq > 0;
    set(a, "head_found_at", seq ? json_integer(seq) : json_null());
    if (seq)
        text_add(&a->text, "  the link of --head is number %" PRId64 " of %" PRIu64 "\n", seq, f->links);
    else
        text_add(&a->text, "  the link of --head is not in this chain: the report is of another campaign, or "
                           "was made while this one was being written, or the chain was rewritten\n");
    return true;
}

/* Compares the case files with the database, because people open these files first, and the chain does not
 * cover them. */
static bool describe_files(struct account *a, struct store *s, struct error *e)
{
    struct store_files f;
    if (!store_check_files(s, &f, e))
        return false;
    set(a, "files",
        json_pack("{s:i, s:i, s:i}", "findings", (int)f.findings, "same", (int)f.same, "without_row",
                  (int)f.left_over));
    if (f.left_over)
        text_add(&a->text,
                 "  cases/%s.case%s: the database has no such finding, because its transaction failed or "
                 "somebody added the file (`misprint fuzz` on this campaign removes it)\n",
                 f.left, f.left_over > 1 ? " and others" : "");
    if (!f.findings)
        return true;
    text_add(&a->text, "  case files (copies outside the chain): ");
    if (f.same == f.findings)
        text_add(&a->text, "those of all findings match the database\n");
    else
        text_add(&a->text,
                 "%u of %u match the database; %s.case does not (the next `misprint fuzz` on this campaign "
                 "writes it again)\n",
                 f.same, f.findings, f.other);
    return true;
}

/* Derives each verdict again from the store. Runs even if the chain is broken, because the result may show
 * which findings are still usable. */
static bool verify_verdicts(struct account *a, struct store *s, struct error *e)
{
    unsigned count, of[DERIVEDS] = {0};
    uint64_t cases;
    struct derivation *d = rederive(s, &count, &cases, e);
    if (!d)
        return false;
    json_t *list = json_array();
    for (unsigned i = 0; i < count; i++) {
        const char *verdict = verdict_name(d[i].verdict), *derived = derived_name[d[i].derived];
        of[d[i].derived]++;
        a->good &= d[i].derived != DERIVED_NOT_FOLLOW;
        json_array_append_new(list, json_pack("{s:o, s:s, s:s, s:o}", "id", json_text(d[i].id), "verdict",
                                              verdict, "derived", derived, "why", json_text(d[i].why)));
        text_add(&a->text, "  %s  %-14s  %s: %s\n", d[i].id, verdict, derived, d[i].why);
    }
    if (count)
        text_add(&a->text,
                 "%u finding%s, derived again from %" PRIu64 " kept case%s without the board: %u follow, %u "
                 "stand, %u do not follow, %u cannot be told\n",
                 count, plural(count), cases, plural(cases), of[DERIVED_FOLLOWS], of[DERIVED_STANDS],
                 of[DERIVED_NOT_FOLLOW], of[DERIVED_UNKNOWN]);
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
        describe_chain(a, path, &f);
        good = !head || check_head(a, s, head, &f, e);
    }
    if (good &&
        !(describe_files(a, s, e) && verify_verdicts(a, s, e))) { /* a changed row may be unreadable */
        good = f.faults && !e->of_machine;
        if (good) {
            set(a, "not_derived", json_text(e->text));
            text_add(&a->text, "  the verdicts cannot be derived again: %s\n", e->text);
        }
    }
    store_close(s);
    return good ? STATUS_EQUAL : fail(STATUS_USAGE, e);
}

/* --- traces --- */

static json_t *part_json(const struct trace_part *p)
{
    return json_pack("{s:s, s:I, s:o, s:b}", "unit", p->unit->name, "records", (json_int_t)p->records, "head",
                     p->chained ? json_string(p->head) : json_null(), "silicon", (int)p->silicon);
}

static void describe_part(const char *path, const struct trace_part *p, struct text *t)
{
    text_add(t, "%s: %" PRIu64 " record%s of %s (%s), ", path, p->records, plural(p->records), p->unit->name,
             p->silicon ? "measured on silicon" : "no silicon");
    if (p->chained)
        text_add(t, "the chain is intact\n  head: %s\n", p->head);
    else
        text_add(t, "undamaged; traces of its version have no chain, so a change would not show: "
                    "record or import it again\n");
}

static int verify_trace(struct account *a, const char *path, const char *head, struct error *e)
{
    struct trace_facts f;
    if (!trace_verify(path, &f, e)) {
        if (!f.damaged)
            return fail(STATUS_USAGE, e);
        account_fault(a, e->text, "");
        return STATUS_EQUAL;
    }
    bool found = !head;
    json_t *parts = json_array();
    for (unsigned i = 0; i < f.parts; i++) {
        const struct trace_part *p = &f.part[i];
        found |= head && p->chained && !strcmp(head, p->head);
        json_array_append_new(parts, part_json(p));
        describe_part(path, p, &a->text);
    }
    a->good &= found;
    json_t *first = part_json(&f.part[0]);
    json_object_update(a->json, first);
    json_decref(first);
    set(a, "parts", parts);
    if (!found)
        text_add(&a->text, "  the head is not the one of --head\n");
    return STATUS_EQUAL;
}

/* --- the command --- */

static int verify_one(const char *path, const char *head, struct account *a)
{
    struct error e = {0};
    struct stat st;
    bool trace = stat(path, &st) == 0 && !S_ISDIR(st.st_mode);
    *a = (struct account){.good = true, .faults = json_array()};
    a->json = json_pack("{s:o, s:s, s:o}", "path", json_text(path), "kind", trace ? "trace" : "campaign",
                        "faults", a->faults);
    int status = (trace ? verify_trace : verify_campaign)(a, path, head, &e);
    set(a, "good", json_boolean(a->good && status == STATUS_EQUAL));
    return status == STATUS_EQUAL && !a->good ? STATUS_DIFFERENT : status;
}

static int run_verify(const struct arguments *a)
{
    const char *head = a->option[OPTION_HEAD];
    if (head && (strlen(head) != DIGEST_HEX - 1 || strspn(head, "0123456789abcdefABCDEF") != DIGEST_HEX - 1))
        return fail_usage("--head needs the 64 hexadecimal digits that a report names, not '%.80s'", head);
    if (head && a->words != 1)
        return fail_usage("--head belongs to one campaign or trace; name only that");
    struct text all = {0};
    json_t *list = json_array();
    int worst = STATUS_EQUAL;
    for (int i = 0; i < a->words; i++) {
        struct account one;
        int status = verify_one(a->word[i], head, &one);
        worst = status > worst ? status : worst;
        json_array_append_new(list, one.json);
        text_add(&all, "%s", text_chars(&one.text));
        text_free(&one.text);
    }
    return print_result(a, &all,
                        json_pack("{s:s, s:i, s:o}", "format", "misprint-verify", "version", 1, "results",
                                  list),
                        worst);
}

const struct command command_verify = {
    .name = "verify",
    .synopsis = "CAMPAIGN|TRACE...",
    .about = "check that a campaign is unchanged, and derive its verdicts again",
    .examples = "  misprint verify my-campaign\n"
                "  misprint verify my-campaign --head 5f0c...  # is this the report's campaign?\n"
                "  misprint verify corpus/vc4-qpu/silicon/alu.trace",
    .details =
        "Computes the chain of digests of a campaign's rows, or of a trace's records, again. Names every row "
        "that was changed, removed, added or moved. Then derives each finding's verdict again from the cases "
        "and answers that the campaign keeps, without the board. A verdict follows from them; or it does "
        "not; or it cannot be checked, because it also rests on cases that were not kept. The exit status is "
        "1 if a row is not as misprint wrote it, the database is damaged or lost, or a verdict does not "
        "follow.\n\n"
        "A chain is not a signature: somebody who rewrites all of it can make another valid chain. So a "
        "report names the last link of its campaign, and --head checks whether that link is in the chain.",
    .options = {OPTION_HEAD, OPTION_JSON, OPTION_END},
    .min_words = 1,
    .max_words = -1,
    .run = run_verify,
};
