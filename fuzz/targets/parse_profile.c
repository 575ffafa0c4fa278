/* SPDX-License-Identifier: MIT */
/*
 * Any text is a profile (the lines of a file, or a command line's spec), or is refused with a reason; a
 * profile chooses for each clause a reading that it has. The first byte chooses the unit, the second the
 * form.
 */
#include "fuzz/targets/target.h"

#include <stdlib.h>
#include <string.h>

static void check_readings(const struct unit *u, const struct profile *p)
{
    for (unsigned i = 0; i < unit_clauses(u); i++)
        if (reading_of(p, i) >= clause_readings(unit_clause(u, i)))
            target_violated("clause %s has no reading %u", unit_clause(u, i)->id, reading_of(p, i));
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    static unsigned units;
    while (unit_at(units))
        units++;
    const struct unit *u = unit_at(target_choice(&bytes, &count, units));
    bool is_file = target_choice(&bytes, &count, 2) == 0;
    struct profile p;
    struct error e = {0};
    char *text = malloc(count + 1); /* of this size, so that a sanitizer sees a read past its end */
    if (!text)
        return 0;
    memcpy(text, bytes, count);
    text[count] = 0;
    profile_builtin(u, 0, &p);
    if (is_file ? profile_parse(u, text, &p, &e) : profile_resolve(u, text, &p, &e))
        check_readings(u, &p);
    else
        target_check_refusal(&e);
    free(text);
    return 0;
}
