/* SPDX-License-Identifier: MIT */
#include "cli/where/vpm.h"
#include "model/core/units.h"
#include "model/vc4/vpm/vpm_setup.h"

#include <ctype.h>
#include <string.h>

/* Writes 0x before a word in hexadecimal, because the text form of a case reads bare numbers as decimal. */
static void spell(const char *given, struct text *t)
{
    size_t name = strcspn(given, " \t"), blank = strspn(given + name, " \t");
    const char *word = given + name + blank;
    bool bare = isxdigit((unsigned char)*word) && !word[strspn(word, "0123456789abcdefABCDEF")];
    text_add(t, "%.*s%s%s", (int)(name + blank), given, bare ? "0x" : "", word);
}

static void add_op(struct vpm_case *c, enum vpm_op_code code, uint32_t operand)
{
    c->op[c->op_count][0] = operand;
    c->op[c->op_count++][1] = code;
}

/* What the last setup that starts something makes of the question. */
static void take_setup(struct vpm_question *q, const uint32_t *words, bool *stride, bool *starts)
{
    bool write = words[1] == VPM_OP_WR_SETUP;
    const struct word_form *f = setup_format_of(write ? SETUP_WRITE : SETUP_READ, words[0]);
    bool extra = f && (!strcmp(f->name, "store-stride") || !strcmp(f->name, "load-pitch"));
    *stride = *stride || extra;
    if (extra)
        return;
    *starts = true;
    q->word = words[0];
    bool dma = f && (!strncmp(f->name, "store", 5) || !strncmp(f->name, "load", 4));
    q->access = write ? (dma ? VPM_ACCESS_STORE : VPM_ACCESS_WRITE) : dma ? VPM_ACCESS_LOAD : VPM_ACCESS_READ;
    q->vectors = write ? VPM_VECTORS : (words[0] >> 20 & 15 ? words[0] >> 20 & 15 : VPM_VECTORS);
}

static bool take_word(struct vpm_question *q, const char *given, bool *stride, bool *starts, struct error *e)
{
    struct text line = {0};
    uint32_t words[OP_WORDS] = {0};
    spell(given, &line);
    bool bare = !strpbrk(given, " \t") && isxdigit((unsigned char)*given);
    bool good = bare ? error_set(e, "write wr_setup or rd_setup before the word: 'wr_setup %s'", given)
                     : vpm_op_parse(text_chars(&line), line.length, words, e);
    uint32_t code = words[1] & OP_CODE_MASK;
    if (!good)
        error_where(e, "'%s'", text_chars(&line));
    else if (code != VPM_OP_WR_SETUP && code != VPM_OP_RD_SETUP)
        good = error_set(e, "'%s': where takes setups: wr_setup WORD or rd_setup WORD, in order", given);
    else if (q->at->op_count && q->at->op[0][1] != code)
        good =
            error_set(e, "'%s': where shows one access; give its setups alone, all wr_setup or all rd_setup",
                      given);
    text_free(&line);
    if (!good)
        return false;
    words[1] = code;
    take_setup(q, words, stride, starts);
    text_add(&q->setups, "  %08x  ", words[0]);
    vpm_op_print(words, &q->setups);
    text_add(&q->setups, "\n");
    add_op(q->at, (enum vpm_op_code)code, words[0]);
    return true;
}

/* A stride setup alone moves nothing: adds a basic setup, so that its effect can be seen. */
static bool add_basic(struct vpm_question *q, struct error *e)
{
    bool store = q->at->op[0][1] == VPM_OP_WR_SETUP;
    const char *basic =
        store ? "wr_setup store-h units=4 depth=4" : "rd_setup load-h nrows=4 rowlen=4 vpitch=1";
    bool stride = false, starts = false;
    text_add(&q->notes, "  assumed   %s, because this setup alone moves nothing\n", basic);
    return take_word(q, basic, &stride, &starts, e);
}

static void add_accesses(struct vpm_question *q)
{
    if (q->access == VPM_ACCESS_STORE)
        add_op(q->at, VPM_OP_ST_ADDR, q->address);
    else if (q->access == VPM_ACCESS_LOAD)
        add_op(q->at, VPM_OP_LD_ADDR, q->address);
    if (q->access == VPM_ACCESS_STORE || q->access == VPM_ACCESS_LOAD) {
        add_op(q->at, q->access == VPM_ACCESS_STORE ? VPM_OP_ST_WAIT : VPM_OP_LD_WAIT, 0);
        return;
    }
    if (q->access == VPM_ACCESS_READ)
        add_op(q->at, VPM_OP_NOP, 4); /* reads are valid only some instructions after the setup */
    for (uint32_t v = 0; v < q->vectors; v++)
        add_op(q->at, q->access == VPM_ACCESS_READ ? VPM_OP_READ : VPM_OP_WRITE, v);
}

/* Says what is assumed of the stride or pitch between rows, or why a setup of it has no effect. A load takes
 * MPITCHB only if MPITCH is 0 (table 37); STRIDE is between two rows (table 35). */
static void note_pitch(struct vpm_question *q, bool given)
{
    bool load = q->access == VPM_ACCESS_LOAD, store = q->access == VPM_ACCESS_STORE,
         matters = load ? (q->word >> 24 & 15) == 0 : (q->word >> 23 & 127) != 1;
    if (load && given && !matters)
        text_add(&q->notes, "  note      MPITCHB has no effect, because MPITCH is not 0\n");
    else if (load && !given && matters)
        text_add(&q->notes, "  assumed   no pitch setup (rd_setup load-pitch): MPITCHB is 0\n");
    else if (store && given && !matters)
        text_add(&q->notes, "  note      STRIDE has no effect, because UNITS is 1: there is one row\n");
    else if (store && !given && matters)
        text_add(&q->notes, "  assumed   no stride setup (wr_setup store-stride): STRIDE is 0\n");
}

bool vpm_ask(const struct arguments *a, struct vpm_question *q, struct error *e)
{
    bool stride = false, starts = false;
    *q = (struct vpm_question){0};
    case_init(&q->tc, &vc4_vpm_unit);
    q->at = (struct vpm_case *)(void *)q->tc.words;
    if (a->words < 2)
        return error_set(e,
                         "where vc4-vpm takes setups in quotes: misprint where vc4-vpm 'wr_setup 00001a00'");
    for (int i = 1; i < a->words; i++)
        if (!take_word(q, a->word[i], &stride, &starts, e))
            return false;
    if (!starts && !add_basic(q, e))
        return false;
    note_pitch(q, stride);
    if (q->access == VPM_ACCESS_WRITE && q->word >> 20 & 15)
        text_add(&q->notes, "  note      bits 23:20 are NUM only in rd_setup; writes have no count\n");
    add_accesses(q);
    return true;
}

void vpm_free(struct vpm_question *q)
{
    text_free(&q->setups);
    text_free(&q->notes);
}
