/* SPDX-License-Identifier: MIT */
/* Reads destinations. Also has the functions that both halves of an instruction use. */
#include "model/vc4/qpu/encoding/qpu_parse.h"

struct half_fields parse_fields(struct qpu_insn *i, enum half half)
{
    if (half == ADD)
        return (struct half_fields){.op = &i->op_add,
                                    .cond = &i->cond_add,
                                    .waddr = &i->waddr_add,
                                    .mux = {&i->add_a, &i->add_b},
                                    .ops = alu_add_ops,
                                    .op_count = 32};
    return (struct half_fields){.op = &i->op_mul,
                                .cond = &i->cond_mul,
                                .waddr = &i->waddr_mul,
                                .mux = {&i->mul_a, &i->mul_b},
                                .ops = alu_mul_ops,
                                .op_count = 8};
}

bool parse_fail_register(struct parser *q, const struct token *t, const char *what, bool write)
{
    const char *known[129], *opposite[129];
    for (unsigned n = 0; n < 128; n++) {
        known[n] = write ? qpu_write_name(n >> 6, n) : qpu_read_name(n >> 6, n);
        opposite[n] = write ? qpu_read_name(n >> 6, n) : qpu_write_name(n >> 6, n);
    }
    known[128] = opposite[128] = NULL;
    struct name_lists lists = {{known, write ? NULL : qpu_mux_names}};
    struct name_lists all = {{known, opposite, write ? NULL : qpu_mux_names}};
    unsigned file, address;
    const char *near = reader_nearest(&all, t->word);
    if (!near || qpu_find_register(near, write, &file, &address) ||
        (!write && reader_find_name(qpu_mux_names, near) >= 0))
        return reader_fail_name(&q->r, t, what, &lists);
    /* The word is, or is meant to be, a register of the other direction, so no name of this one is meant. */
    return reader_fail(&q->r, t->at, "expected %s, found '%s'; %s can only be %s", what, t->word, near,
                       write ? "read" : "written");
}

bool parse_choose(struct parser *q, const char *at, int *choice, int value, const char *what)
{
    if (*choice != UNSET && *choice != value)
        return reader_fail(&q->r, at, "%s", what);
    *choice = value;
    return true;
}

static bool parse_pack(struct parser *q, enum half half, unsigned file)
{
    static const char *const ws_text =
        "only the half that writes file A can pack, and this half writes file B";
    struct token t;
    if (!reader_suffix(&q->r, &t))
        return true;
    int pack = reader_find_name(qpu_pack_names, t.word),
        colour = reader_find_name(qpu_colour_pack_names, t.word);
    if (pack < 0 && colour < 0)
        return reader_fail_name(&q->r, &t, "a pack",
                                &(struct name_lists){{qpu_pack_names, qpu_colour_pack_names}});
    if (pack == 0)
        return true;
    if (q->i.class == QPU_BRANCH)
        return reader_fail(&q->r, t.at, "a branch cannot pack");
    if (colour >= 0)
        return half == MUL
                   ? parse_choose(q, t.at, &q->pack, colour, "one pack an instruction") &&
                         parse_choose(q, t.at, &q->pm, 1,
                                      "this colour pack needs pm = 1, an earlier pack or unpack pm = 0")
                   : reader_fail(&q->r, t.at, "only the MUL half can pack colours");
    if (file == 1)
        return reader_fail(&q->r, t.at, "file B cannot pack");
    return parse_choose(q, t.at, &q->ws, half == MUL, ws_text) &&
           parse_choose(q, t.at, &q->pack, pack, "one pack an instruction") &&
           parse_choose(q, t.at, &q->pm, 0, "this pack needs pm = 0, an earlier pack or unpack pm = 1");
}

bool parse_dst(struct parser *q, const struct token *t, enum half half)
{
    unsigned file, address;
    if (!qpu_find_register(t->word, true, &file, &address))
        return parse_fail_register(q, t, "a destination", true);
    *parse_fields(&q->i, half).waddr = (uint8_t)address;
    if (file < 2 && !parse_choose(q, t->at, &q->ws, half == ADD ? (int)file : (int)!file,
                                  "the two halves must write different register files"))
        return false;
    return parse_pack(q, half, file);
}
