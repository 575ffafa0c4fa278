/* SPDX-License-Identifier: MIT */
/* Compares the text of instructions with Mesa's disassembly of programs that Mesa's compiler made. */
#include "model/vc4/qpu/encoding/qpu_insn.h"
#include "tests/support/support_units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { WORDS = 4, WORD_CHARS = 24 };

/* What a text says of one half of an instruction, or of a load or branch: operation, suffixes, operands. */
struct spoken {
    char op[WORD_CHARS], cond[WORD_CHARS], operand[WORDS][WORD_CHARS];
    unsigned operands;
    bool flags;
};
struct line {
    struct spoken half[2];
    char signal[WORD_CHARS];
};

/* Words of Mesa's disassembly, and our words for the same things. */
static const char *const mesa_words[][2] = {
    {"uni", "uniform"},
    {"vary", "varying"},
    {"vpm_read", "vpm"},
    {"x_pix", "x_coord"},
    {"y_pix", "y_coord"},
    {"tlb_color_all", "tlb_colour_all"},
    {"tlb_color_ms", "tlb_colour_ms"},
    {"uniforms_addr", "uniforms_address"},
    {"load_imm", "ldi"},
    {"branch", "brr"},
    {"sig_end", "end"},
    {"sig_unlock_score", "unlock_scoreboard"},
    {"sig_color_load", "load_colour"},
    {"sig_switch", "thread_switch"},
    {"sig_thread_switch", "last_thread_switch"},
    {"sig_small_imm", ""},
    {"0.500000", "1/2"},
    {"0.250000", "1/4"},
    {"0.125000", "1/8"},
    {"0.062500", "1/16"},
    {"0.031250", "1/32"},
};

static const char *in_ours(const char *word)
{
    for (size_t n = 0; n < sizeof mesa_words / sizeof *mesa_words; n++)
        if (strcmp(mesa_words[n][0], word) == 0)
            return mesa_words[n][1];
    return word;
}

static void keep(char to[WORD_CHARS], const char *word)
{
    assert_true(strlen(word) < WORD_CHARS);
    strcpy(to, word);
}

/* Adds an operand as "name.suffix", with our word for the name. Omits the file ("@b") and the c of colour
 * packs, because Mesa does not print them. */
static void operand_add(struct spoken *s, char *word)
{
    char *at = strchr(word, '@'), *dot = strchr(word, '.'), whole[2 * WORD_CHARS];
    if (at && dot)
        memmove(at, dot, strlen(dot) + 1);
    else if (at)
        *at = 0;
    dot = strchr(word, '.');
    assert_true(s->operands < WORDS && strlen(word) < WORD_CHARS);
    bool number = word[0] == '-' || word[0] == '+' || (word[0] >= '0' && word[0] <= '9');
    if (dot && !number) {
        *dot = 0;
        snprintf(whole, sizeof whole, "%s.%s", in_ours(word), dot + 1 + (dot[1] == 'c'));
        keep(s->operand[s->operands++], whole);
    } else {
        keep(s->operand[s->operands++], in_ours(word + (word[0] == '+')));
    }
}

static void half_read(struct spoken *s, char *text)
{
    char *save = NULL, *op = strtok_r(text, " ,", &save), *suffix_save = NULL;
    *s = (struct spoken){.cond = ""};
    if (!op)
        return;
    keep(s->op, in_ours(strtok_r(op, ".", &suffix_save)));
    for (char *suffix; (suffix = strtok_r(NULL, ".", &suffix_save));) {
        if (strcmp(suffix, "sf") == 0 || strcmp(suffix, "setf") == 0)
            s->flags = true;
        else
            keep(s->cond, suffix);
    }
    for (char *word; (word = strtok_r(NULL, " ,", &save));)
        if (word[0] != '(') /* "(" begins Mesa's rounded print of a float immediate */
            operand_add(s, word);
}

static bool is_signal(const char *word)
{
    for (unsigned n = 0; n < 13; n++)
        if (strcmp(qpu_signal_names[n], word) == 0)
            return true;
    return false;
}

/* Reads Mesa's text: "signals add ; mul". Both halves are complete; a nop is "nop nop, r0, r0". */
static void mesa_read(struct line *l, char *text)
{
    char *mul = strchr(text, ';');
    *l = (struct line){.signal = ""};
    if (mul)
        *mul++ = 0;
    for (;;) {
        char word[64];
        int used = 0;
        if (sscanf(text, " %63[a-z0-9_]%n", word, &used) != 1)
            break;
        const char *ours = in_ours(word);
        if (!is_signal(ours) && *ours)
            break;
        if (*ours)
            keep(l->signal, ours);
        text += used;
    }
    half_read(&l->half[0], text);
    if (mul)
        half_read(&l->half[1], mul);
}

/* Reads our text, whose parts are between ';'. Our text omits a MUL half that is a nop, and ends in a group
 * of leftover fields. */
static void ours_read(struct line *l, char *text)
{
    char *save = NULL;
    *l = (struct line){.signal = ""};
    text[strcspn(text, "{")] = 0;
    unsigned half = 0;
    for (char *part = strtok_r(text, ";", &save); part; part = strtok_r(NULL, ";", &save)) {
        struct spoken s;
        half_read(&s, part);
        if (is_signal(s.op) && s.operands == 0)
            keep(l->signal, s.op);
        else
            l->half[half++] = s;
        assert_true(half <= 2);
    }
}

/* Adds what only Mesa prints: the destination and operands of a nop, and the second operand of unary
 * operations. */
static void in_full(struct spoken *s, bool alu)
{
    static const char *const unary[] = {"ftoi", "itof", "not", "clz"};
    if (!s->op[0] && alu)
        keep(s->op, "nop");
    if (strcmp(s->op, "nop") == 0 && s->operands == 0) {
        keep(s->operand[0], "nop");
        keep(s->operand[1], "r0");
        keep(s->operand[2], "r0");
        s->operands = 3;
    }
    for (unsigned n = 0; n < 4; n++)
        if (strcmp(s->op, unary[n]) == 0 && s->operands == 2)
            keep(s->operand[s->operands++], s->operand[1]);
}

static bool same_half(const struct spoken *a, const struct spoken *b)
{
    if (strcmp(a->op, b->op) != 0 || strcmp(a->cond, b->cond) != 0 || a->flags != b->flags ||
        a->operands != b->operands)
        return false;
    for (unsigned n = 0; n < a->operands; n++)
        if (strcmp(a->operand[n], b->operand[n]) != 0)
            return false;
    return true;
}

static FILE *open_data(const char *name)
{
    return fopen(support_data("compiler-programs/vc4/%s", name), "r");
}

static void compare_with_mesa(uint64_t word, char *mesa, struct text *t)
{
    struct line theirs, ours;
    char whole[512], said[512];
    snprintf(whole, sizeof whole, "%s", mesa);
    mesa_read(&theirs, mesa);
    snprintf(said, sizeof said, "%s", t->chars);
    ours_read(&ours, said);
    bool alu = word >> 60 < 14;
    for (unsigned half = 0; half < 2; half++)
        in_full(&ours.half[half], alu);
    if (word >> 60 == 14 && ours.half[0].operands == 2) { /* Mesa always prints both destinations */
        keep(ours.half[0].operand[2], ours.half[0].operand[1]);
        keep(ours.half[0].operand[1], "nop");
        ours.half[0].operands = 3;
    }
    if (!same_half(&theirs.half[0], &ours.half[0]) || !same_half(&theirs.half[1], &ours.half[1]) ||
        strcmp(theirs.signal, ours.signal) != 0)
        fail_msg("%016llx is '%s', Mesa says '%s'", (unsigned long long)word, t->chars, whole);
}

static void test_compiler_programs(void **state)
{
    static const char *const files[] = {"coordinate.txt", "vertex.txt", "fragment.txt"};
    struct text t = {0};
    unsigned compared = 0, leftover = 0;
    (void)state;
    for (unsigned n = 0; n < 3; n++) {
        char line[1024];
        FILE *f = open_data(files[n]);
        if (!f) {
            print_message("SKIPPED: no compiler-programs/vc4/%s in MISPRINT_TEST_DATA\n", files[n]);
            text_free(&t);
            skip();
        }
        while (fgets(line, sizeof line, f)) {
            unsigned low, high;
            char *mesa = strchr(line, ';');
            struct qpu_insn i;
            if (line[0] == '#' || !mesa || sscanf(line, "%8x %8x ;", &low, &high) != 2)
                continue;
            uint64_t word = (uint64_t)high << 32 | low;
            mesa[1 + strcspn(mesa + 1, "\n")] = 0;
            assert_true(qpu_decode(word, &i));
            assert_true(qpu_encode(&i) == word);
            text_clear(&t);
            qpu_print(word, &t);
            compare_with_mesa(word, mesa + 1, &t);
            compared++;
            leftover += strchr(t.chars, '{') != NULL;
        }
        fclose(f);
    }
    print_message("%u instructions compared with Mesa's text; %u have fields that Mesa doesn't show\n",
                  compared, leftover);
    assert_int_equal(compared, 5940); /* as stated in the README of the data */
    text_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_compiler_programs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
