/* SPDX-License-Identifier: MIT */
/* `misprint asm` and `misprint disasm` turn instruction text into words and back. */
#include "cli/cli.h"
#include "harness/vc4/vc4_kernel.h"
#include "model/core/memory.h"
#include "model/v3d/v3d_restrict.h"
#include "oracle/files/file.h"
#include "oracle/files/load.h"
#include "oracle/files/words.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* What asm and disasm read. */
struct source {
    const struct code *code; /* the instruction set that UNIT and --isa name */
    const char *path;
    char *bytes;
    size_t count;
};

static bool read_source(const struct arguments *a, struct source *s, struct error *e)
{
    const struct unit *u = unit_find(a->word[0], e);
    s->path = a->words > 1 ? a->word[1] : "-";
    s->code = u ? unit_code(u, a->option[OPTION_ISA], e) : NULL;
    s->bytes = s->code ? file_read(s->path, &s->count, e) : NULL;
    if (s->code && !s->bytes && words_look_hexadecimal(s->path, strlen(s->path)))
        error_set(e, "%s: no file has this name; give words on standard input: echo %s | misprint disasm %s",
                  s->path, s->path, a->word[0]);
    return s->bytes != NULL;
}

/* Prints the result. An empty result is an error, because the user probably named the wrong file. */
static int finish(bool good, struct source *s, struct text *out, struct error *e)
{
    free(s->bytes);
    if (good && out->length)
        return print_text(out, STATUS_EQUAL);
    if (good)
        error_set(e, "%s: contains no instruction", s->path);
    text_free(out);
    return fail(STATUS_USAGE, e);
}

/* Returns how many words the instruction that begins with these has in a program. */
static unsigned words_of(const struct code *code, const uint32_t *words)
{
    return code->length ? code->length(words) : code->words;
}

/* Adds the words of a line, if it has an instruction. */
static bool assemble_line(const struct source *s, const char *at, const char *stop, struct text *out,
                          struct error *e)
{
    uint32_t words[CODE_WORDS_MAX];
    const char *comment = memchr(at, '#', (size_t)(stop - at)), *first = at;
    stop = comment ? comment : stop;
    while (stop > at && isspace((unsigned char)stop[-1]))
        stop--;
    while (first < stop && isspace((unsigned char)*first))
        first++;
    if (first == stop || (s->code->is_blank && s->code->is_blank(at, (size_t)(stop - at))))
        return true;
    if (!s->code->parse(at, (size_t)(stop - at), words, e))
        return false;
    for (unsigned i = 0; i < words_of(s->code, words); i++)
        text_add(out, i ? " %08x" : "%08x", words[i]);
    text_add(out, "\n");
    return true;
}

/* Assembles all lines. Prints every error of the file except the last one, which the caller gets in `e`. */
static bool assemble(const struct source *s, struct text *out, struct error *e)
{
    unsigned line = 1;
    bool good = true;
    for (const char *at = s->bytes, *end = at + s->count, *next; at < end; at = next, line++) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        struct error found = {0};
        next = stop ? stop + 1 : end;
        if (assemble_line(s, at, stop ? stop : end, out, &found))
            continue;
        error_where(&found, "%s: line %u", s->path, line);
        if (!good)
            (void)fail(STATUS_USAGE, e);
        good = false;
        *e = found;
    }
    return good;
}

bool assemble_text(const char *path, const struct unit *u, const char *isa, const char *bytes, size_t count,
                   struct text *words, struct error *e)
{
    struct source s = {.code = unit_code(u, isa, e), .path = path, .count = count};
    s.bytes = (char *)(uintptr_t)bytes; /* assemble only reads it */
    return s.code && assemble(&s, words, e) &&
           (words->length || error_set(e, "%s: contains no instruction", path));
}

static bool is_repeated(const struct code_names *n, unsigned at)
{
    for (unsigned i = 0; i < at; i++)
        if (!strcmp(n->name(i), n->name(at)))
            return true;
    return false;
}

bool help_instructions(const char *unit, const char *isa, struct text *t, struct error *e)
{
    const struct unit *u = unit_find(unit, e);
    const struct code *code = u ? unit_code(u, isa, e) : NULL;
    if (!code)
        return false;
    text_add(t, "Instructions of %s, as `misprint asm` reads them:\n\n", unit);
    for (const char *line = code->syntax; *line; line += strcspn(line, "\n") + 1)
        text_add(t, "  %.*s\n", (int)strcspn(line, "\n"), line);
    for (const struct code_names *n = code->names; n->title; n++) {
        struct text words = {0};
        text_add(t, "\n%c%s:\n  ", toupper((unsigned char)n->title[0]), n->title + 1);
        for (unsigned i = 0; n->name(i); i++)
            if (strcmp(n->name(i), "-") != 0 && *n->name(i) && !is_repeated(n, i))
                text_add(&words, "%s%s", words.length ? " " : "", n->name(i));
        help_fill(t, text_chars(&words), words.length, 2, 2);
        text_add(t, "\n");
        text_free(&words);
    }
    return true;
}

static int run_asm(const struct arguments *a)
{
    struct error e = {0};
    struct source s;
    struct text out = {0};
    if (!read_source(a, &s, &e))
        return fail(STATUS_USAGE, &e);
    return finish(assemble(&s, &out, &e), &s, &out, &e);
}

const struct command command_asm = {
    .name = "asm",
    .synopsis = "UNIT [FILE]",
    .about = "assemble instruction text into words",
    .examples = "  echo 'fadd r0, r1, r2' | misprint asm vc4-qpu\n"
                "  misprint help asm vc4-qpu    # syntax, registers and operations",
    .details = "Assembles one instruction on each line and prints its words in hexadecimal, the lowest "
               "address first. `misprint disasm` reads this form. '#' starts a comment (amd-buffer: also ';' "
               "and '//'). Reports every line that is wrong, and then prints no words. Without FILE, or with "
               "-, reads standard input.",
    .options = {OPTION_ISA, OPTION_END},
    .min_words = 1,
    .max_words = 2,
    .run = run_asm,
};

/* Refuses cases, traces and other text. They would pass as raw words if their size is a multiple of four. */
static bool are_words(const struct source *s, const char *unit, struct error *e)
{
    const char *name = !strcmp(s->path, "-") ? "standard input" : s->path;
    if (case_is_text(s->bytes, s->count))
        return error_set(e,
                         "%s: is a case, which holds its program as text; disasm takes words, such as "
                         "`misprint asm %s` prints",
                         name, unit);
    return !s->count || words_look_hexadecimal(s->bytes, s->count) ||
           case_may_be_raw(name, s->bytes, s->count, unit_named(unit), e);
}

/* Adds a comment that says whether Linux accepts the program as a shader. */
static bool add_kernel_verdict(const struct arguments *a, const struct words *w, struct text *out,
                               struct error *e)
{
    struct vc4_kernel_shader s;
    struct error why = {0};
    if (strcmp(a->word[0], "vc4-qpu") != 0)
        return error_set(e, "--kernel takes only shaders of vc4-qpu");
    if (vc4_kernel_accepts(w->word, (uint32_t)(w->count / 2), &s, &why))
        text_add(
            out,
            "# Linux accepts this as a shader: %u instruction%s, %u word%s of uniforms (%u as addresses), "
            "%u look-up%s%s\n",
            s.instructions, plural(s.instructions), s.uniforms, plural(s.uniforms), s.address_words,
            s.samples, plural(s.samples), s.threaded ? "; threaded: only for fragments" : "");
    else
        text_add(out, "# Linux refuses this as a shader: %s\n", why.text);
    return true;
}

/* Adds comments that say which restrictions of Mesa the program breaks. */
static bool add_breaches(const struct source *s, const struct words *w, struct text *out, struct error *e)
{
    struct text breaches = {0};
    if (s->code < v3d_code || s->code >= v3d_code + V3D_GENERATIONS)
        return error_set(e, "--check takes only programs of v3d-qpu");
    enum v3d_generation g = (enum v3d_generation)(s->code - v3d_code);
    uint32_t insns = (uint32_t)(w->count / 2);
    struct v3d_insn *program = memory_new(insns, sizeof *program);
    for (uint32_t n = 0; n < insns; n++)
        v3d_decode(g, v3d_join(w->word + 2 * n), &program[n]);
    unsigned count = v3d_check_text(g, program, insns, v3d_is_single(program, insns), &breaches);
    free(program);
    for (const char *line = text_chars(&breaches); *line; line += strcspn(line, "\n") + 1)
        text_add(out, "# %.*s\n", (int)strcspn(line, "\n"), line);
    if (!count)
        text_add(out, "# breaks none of Mesa's restrictions\n");
    text_free(&breaches);
    return true;
}

/* Prints a line for each instruction. The encoding says how many words each one has. */
static bool disassemble(const struct source *s, const struct words *w, struct text *out, struct error *e)
{
    for (size_t i = 0, count; i < w->count; i += count) {
        uint32_t words[CODE_WORDS_MAX] = {0}; /* a printer reads words behind the instruction, too */
        size_t left = w->count - i;
        count = words_of(s->code, w->word + i);
        if (left < count)
            return error_set(e,
                             "%s: word %zu of %zu begins an instruction of %zu words, of which %zu %s there",
                             s->path, i + 1, w->count, count, left, left == 1 ? "is" : "are");
        memcpy(words, w->word + i, count * sizeof *words);
        s->code->print(words, out);
        text_add(out, "\n");
    }
    return true;
}

static int run_disasm(const struct arguments *a)
{
    struct error e = {0};
    struct source s;
    struct words w = {0};
    struct text out = {0};
    if (!read_source(a, &s, &e))
        return fail(STATUS_USAGE, &e);
    bool good = are_words(&s, a->word[0], &e) && words_read(s.path, s.bytes, s.count, &w, &e) &&
                disassemble(&s, &w, &out, &e);
    if (good && out.length && a->option[OPTION_KERNEL])
        good = add_kernel_verdict(a, &w, &out, &e);
    if (good && out.length && a->option[OPTION_CHECK])
        good = add_breaches(&s, &w, &out, &e);
    free(w.word);
    return finish(good, &s, &out, &e);
}

const struct command command_disasm = {
    .name = "disasm",
    .synopsis = "UNIT [FILE]",
    .about = "disassemble words into instruction text",
    .examples = "  misprint asm vc4-qpu program.s | misprint disasm vc4-qpu --kernel",
    .details =
        "Disassembles FILE, or standard input. It holds hexadecimal words or raw little-endian bytes. "
        "Words have 8 digits in memory order, or 16 digits with bit 63 first; '#' starts a comment. A "
        "word that is no instruction is printed as raw data, and `misprint asm` turns every line back "
        "into the same words. With --kernel, adds whether Linux's vc4 driver accepts the program as a "
        "shader, or which rule it breaks. With --check, adds which restrictions a program of v3d-qpu breaks "
        "that Mesa's validator and scheduler keep: the instruction, the rule, and the clause.",
    .options = {OPTION_ISA, OPTION_KERNEL, OPTION_CHECK, OPTION_END},
    .min_words = 1,
    .max_words = 2,
    .run = run_disasm,
};
