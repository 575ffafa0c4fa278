/* SPDX-License-Identifier: MIT */
/*
 * The reader accepts any bytes as a journal, or refuses them with a line and a reason. An accepted journal
 * that is written and read again has the same contents. The reader refuses a journal that is cut off
 * anywhere. The first byte of the input chooses the form of the rest: a whole file, or the lines after the
 * first without their checksums, which the target adds.
 */
#include "fuzz/targets/target.h"

#include "harness/launch/journal_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

static void check_same(const char *what, const struct journal_hashes *a, const struct journal_hashes *b)
{
    if (a->count != b->count || (a->count && memcmp(a->at, b->at, a->count * sizeof *a->at) != 0))
        target_violated("the %s that were written read as others", what);
}

static void check_again(const struct journal_state *s, size_t cut)
{
    struct text t = {0};
    struct journal_state again = {0}, less = {0};
    struct journal_fault f = {0};
    uint32_t sum;
    journal_print_state(&t, &sum, s);
    if (!journal_parse(&again, text_chars(&t), t.length, &f))
        target_violated("a written journal cannot be read: line %lu, %s", f.number, f.why ? f.why : "");
    check_same("hangs", &again.hangs, &s->hangs);
    check_same("suspects", &again.suspects, &s->suspects);
    if (journal_parse(&less, text_chars(&t), cut % t.length, &f))
        target_violated("a part of a written journal was accepted");
    journal_state_free(&again);
    journal_state_free(&less);
    text_free(&t);
}

/* Adds a line with its checksum, which depends on its text and on the checksum before. */
static void put_sum(struct text *t, const char *line, size_t count, uint32_t *sum)
{
    *sum = (uint32_t)XXH3_64bits_withSeed(line, count, *sum);
    text_add_chars(t, line, count);
    text_add(t, " %08" PRIx32 "\n", *sum);
}

static void put_sums(struct text *t, const char *lines, size_t count)
{
    static const char first[] = "misprint-journal 2 0";
    uint32_t sum = 0;
    put_sum(t, first, sizeof first - 1, &sum);
    for (const char *end = lines + count, *next; lines < end; lines = next + 1) {
        next = memchr(lines, '\n', (size_t)(end - lines));
        if (!next) { /* a line that is cut off gets no checksum */
            text_add_chars(t, lines, (size_t)(end - lines));
            return;
        }
        put_sum(t, lines, (size_t)(next - lines), &sum);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    struct text t = {0};
    struct journal_state s = {0};
    struct journal_fault f = {0};
    size_t cut = count * 7;
    if (target_choice(&bytes, &count, 2))
        put_sums(&t, (const char *)bytes, count);
    else if (count)
        text_add_chars(&t, (const char *)bytes, count);
    char *exact = malloc(t.length ? t.length : 1); /* the text's NUL would hide a read past the end */
    if (exact) {
        memcpy(exact, text_chars(&t), t.length);
        if (journal_parse(&s, exact, t.length, &f))
            check_again(&s, cut);
        else if (f.reading == JOURNAL_DAMAGED && (!f.why || !f.number))
            target_violated("refused without a line or a reason");
    }
    journal_state_free(&s);
    text_free(&t);
    free(exact);
    return 0;
}
