/* SPDX-License-Identifier: MIT */
/*
 * What a campaign does with a case that differs: is it news, is the board
 * flaky, what explains it, what is its smallest form, where is it filed.
 * campaign.h says by which rules; the loop around it is campaign.c.
 */
#ifndef MISPRINT_FUZZ_NEWS_H
#define MISPRINT_FUZZ_NEWS_H

#include "fuzz/campaign.h"
#include "oracle/book.h"

/* What the causes found so far, all together, make of the case in hand, as far as it was asked; so that no run is made twice. */
enum known_says {
    KNOWN_UNASKED,
    KNOWN_OTHER_BITS, /* a plain run is not what the board did: perhaps in undefined bits only */
    KNOWN_DIFFERENT,  /* nor is it under the defined mask */
};

struct news {
    const struct unit *unit;
    const struct profile *profile;
    struct board *board; /* live; NULL: outcomes are recorded ones */
    bool exact, reduce;
    unsigned max_changes;
    uint64_t budget; /* model runs left for searches of two and more changes */
    struct executor *executor;
    struct book *book;
    struct tally *tally;
    bool (*ending)(void *context);                                     /* should it come to an end soon? */
    bool (*opened)(void *context, struct finding *f, struct error *e); /* a finding was opened, its case reduced */
    void (*filed)(void *context, const struct finding *f);             /* the case in hand, or a part of it, was filed there */
    bool (*doubt)(void *context, struct error *e);                     /* cases look like news that should not: hear the jury */
    void *context;
    bool unfiled;                /* a part of the case in hand needs a finding of its own, and the book is full */
    bool sampled;                /* the case in hand is no news, but of the sample */
    enum known_says says;        /* news_is_old and news_take take it up */
    bool looked;                 /* the case in hand is of those that are compared with the profile, though known causes might foretell them */
    uint64_t known;              /* cases that are no news; some are searched all the same */
    uint64_t may_foretell;       /* cases that known causes might have foretold; some are looked at all the same */
    uint32_t skips, skips_left;  /* news to leave out after the last that opened no finding; of these, still to come */
    uint64_t stale, doubt_at;    /* cases that were news and yet opened no finding; how many of them raise the next doubt */
    struct explainer *explainer; /* from here on: news_begin's */
    unsigned clauses;            /* of the unit */
    struct outcome *model, *answer, *again;
    struct test_case *small;
};

void news_begin(struct news *n);
void news_end(struct news *n);

/*
 * Do the profile and all causes found so far do together what the board did with the case, as far as it is defined then? Counted in `t`, as
 * vacuous where nothing is. Not asked while little is known, nor of the sample that is compared with the profile alone, nor where this touches
 * what nothing in `seen` did.
 */
bool news_foretells(struct news *n, const struct test_case *c, const struct coverage *seen, const struct outcome *board, struct tally *t);

/* Reduces the cases of findings of this run that are not: those that took the place of the one with which it was opened. */
bool news_reduce(struct news *n, struct error *e);

/* Deals with a case that differs from the profile under the defined mask; `board` is what the board did, `signature` that of the differences. */
bool news_take(struct news *n, const struct test_case *c, const struct outcome *board, uint64_t signature, const char *label, struct error *e);

/*
 * Looks for cases in which the parts of causes of several changes stand alone, and such as only excused so far what other cases need, asks the
 * board of each, and files what it shows. To be called before the book is settled for the last time: then most causes are known.
 */
bool news_single_out(struct news *n, struct error *e);

#endif
