/* SPDX-License-Identifier: MIT */
#include "oracle/describe/authority.h"

#include <ctype.h>
#include <string.h>

/* Words that speak of a manual. `lower`: the authority's name replaces them in lower case, with a hyphen. */
static const struct {
    const char *words;
    bool lower;
} of_manual[] = {{"the manual", false},
                 {"The manual", false},
                 {"a definite manual", false},
                 {"manual-", true}};

static void add_name(const char *name, bool lower, struct text *t)
{
    for (; *name; name++)
        text_add(t, "%c", lower ? tolower((unsigned char)*name) : *name);
    text_add(t, lower ? "-" : "");
}

void authority_add(const struct unit *u, const char *says, struct text *t)
{
    while (*says) {
        size_t length = 0;
        for (size_t n = 0; u && u->authority && n < sizeof of_manual / sizeof *of_manual && !length; n++)
            if (!strncmp(says, of_manual[n].words, strlen(of_manual[n].words))) {
                length = strlen(of_manual[n].words);
                add_name(u->authority, of_manual[n].lower, t);
            }
        if (!length)
            text_add(t, "%c", *says);
        says += length ? length : 1;
    }
}
