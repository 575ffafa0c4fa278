/* SPDX-License-Identifier: MIT */
/*
 * The assembler accepts a line of any bytes as an instruction of a unit, or refuses it with a reason. The
 * disassembler prints an accepted instruction as text that assembles to the same words. The first byte of the
 * input chooses the unit, the second its instruction set.
 */
#include "fuzz/targets/target.h"

#include <string.h>

enum { UNITS_MAX = 32 };

/* Lists the units that have instructions. */
static unsigned list_units(const struct unit *list[UNITS_MAX])
{
    unsigned n = 0;
    for (unsigned i = 0; unit_at(i); i++)
        if (unit_at(i)->code && n < UNITS_MAX)
            list[n++] = unit_at(i);
    return n;
}

static const struct code *choose_code(const uint8_t **bytes, size_t *count)
{
    static const struct unit *list[UNITS_MAX];
    static unsigned units;
    if (!units)
        units = list_units(list);
    const struct unit *u = list[target_choice(bytes, count, units)];
    unsigned byte = target_choice(bytes, count, 256);
    return u->code->sets ? u->code->sets[byte % schema_field(&u->schema, u->code->chosen_by)->max] : u->code;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    const struct code *code = choose_code(&bytes, &count);
    uint32_t words[CODE_WORDS_MAX] = {0}, again[CODE_WORDS_MAX] = {0};
    struct error e = {0};
    struct text t = {0};
    const char *line = (const char *)bytes, *stop = memchr(line, '\n', count);
    if (!code->parse(line, stop ? (size_t)(stop - line) : count, words, &e)) {
        target_check_refusal(&e);
        return 0;
    }
    code->print(words, &t);
    if (!code->parse(text_chars(&t), t.length, again, &e))
        target_violated("'%s' was printed, but cannot be read: %s", text_chars(&t), e.text);
    if (memcmp(words, again, code->words * sizeof *words) != 0)
        target_violated("'%s' was printed, but reads as other words", text_chars(&t));
    text_free(&t);
    return 0;
}
