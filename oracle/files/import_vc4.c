/* SPDX-License-Identifier: MIT */
/*
 * Each measured value becomes the shortest program that shows it:
 *
 *     the operation          operands in r0 and r1, or ra0; result to r2, or packed to ra1
 *     nop, end of program
 *     nop, nop               its delay slots (VideoCoreIV-AG100-R p37: nothing that matters may be in them)
 *
 * A table gives one value for all 16 elements. The case sets up the operands in accumulators or in a
 * register, so no instruction reads a register right after the instruction that writes it (p37).
 */
#include "oracle/files/import_row.h"

#include "model/vc4/qpu/alu/qpu_alu.h"
#include "model/vc4/qpu/encoding/qpu_insn.h"

#include <stdio.h>
#include <string.h>

/* How the table measured a value. */
enum measured {
    PLAIN,        /* the result in r2, with the flags if the table has a flags column */
    PACKED,       /* the result in ra1, which was 0, written with regfile-A pack mode `code` */
    UNPACKED_INT, /* an operand that an integer operation reads with regfile-A unpack mode `code` */
    UNPACKED_FLOAT,
};

static const struct import_column alu_columns[] = {{"result", PLAIN, 0},
                                                   {"result_32s", PACKED, 8},
                                                   {NULL, PLAIN, 0}};

/* Codes: VideoCoreIV-AG100-R p31-32 T7 */
static const struct import_column pack_columns[] = {
    {"none", PACKED, 0}, {"16a", PACKED, 1},  {"16b", PACKED, 2},   {"8888", PACKED, 3},
    {"8a", PACKED, 4},   {"8b", PACKED, 5},   {"8c", PACKED, 6},    {"8d", PACKED, 7},
    {"32s", PACKED, 8},  {"16as", PACKED, 9}, {"16bs", PACKED, 10}, {"8888s", PACKED, 11},
    {"8as", PACKED, 12}, {"8bs", PACKED, 13}, {"8cs", PACKED, 14},  {"8ds", PACKED, 15},
    {NULL, PLAIN, 0},
};

/* Codes: p31 T6 */
static const struct import_column unpack_columns[] = {
    {"none", UNPACKED_INT, 0},           {"16a_int", UNPACKED_INT, 1},
    {"16b_int", UNPACKED_INT, 2},        {"8d_rep_int", UNPACKED_INT, 3},
    {"8a_int", UNPACKED_INT, 4},         {"8b_int", UNPACKED_INT, 5},
    {"8c_int", UNPACKED_INT, 6},         {"8d_int", UNPACKED_INT, 7},
    {"16a_float", UNPACKED_FLOAT, 1},    {"16b_float", UNPACKED_FLOAT, 2},
    {"8d_rep_float", UNPACKED_FLOAT, 3}, {"8a_float", UNPACKED_FLOAT, 4},
    {"8b_float", UNPACKED_FLOAT, 5},     {"8c_float", UNPACKED_FLOAT, 6},
    {"8d_float", UNPACKED_FLOAT, 7},     {NULL, PLAIN, 0},
};

enum { RA0 = 0, RA1 = 1, TO_R2 = 34, TO_NOWHERE = 39, FLAGS = 3 };

/* The operation of a row: its pipe and its opcode. */
struct operation {
    bool mul;
    uint8_t code;
};

/* Prefers ADD for an operation that both pipes have, because its flags are better known. */
static bool operation_named(const char *name, struct operation *op)
{
    for (unsigned i = 1; i < 32; i++)
        if (alu_add_ops[i].name && !strcmp(alu_add_ops[i].name, name))
            return *op = (struct operation){false, (uint8_t)i}, true;
    for (unsigned i = 1; i < 8; i++)
        if (alu_mul_ops[i].name && !strcmp(alu_mul_ops[i].name, name))
            return *op = (struct operation){true, (uint8_t)i}, true;
    return false;
}

static bool operation_of(const struct importer *m, struct operation *op, struct error *e)
{
    const char *name = m->table.field[m->operand[0]];
    if (operation_named(name, op))
        return true;
    error_set(e, "unknown operation '%.40s'", name);
    return table_where(&m->table, name, e);
}

/* Makes `op r2, r0, r1`, with flags if `sf`, or `op ra1.PACK, r0, r1`. */
static struct qpu_insn operate(struct operation op, enum measured measured, uint8_t pack, bool sf)
{
    struct qpu_insn i;
    qpu_canonical(QPU_ALU, &i);
    uint8_t to = measured == PACKED ? RA1 : TO_R2;
    i.sf = sf;
    i.pack = pack;
    if (op.mul) {
        i.op_mul = op.code;
        i.cond_mul = QPU_COND_ALWAYS;
        i.waddr_mul = to;
        i.ws = 1; /* makes MUL write file A (p28 T1), because only writes to file A pack */
        i.mul_a = QPU_MUX_R0;
        i.mul_b = QPU_MUX_R1;
    } else {
        i.op_add = op.code;
        i.cond_add = QPU_COND_ALWAYS;
        i.waddr_add = to;
        i.add_a = QPU_MUX_R0;
        i.add_b = QPU_MUX_R1;
    }
    return i;
}

/* Makes `or r2, ra0.UNPACK, ra0.UNPACK`, or fmin in place of or. Each returns its two equal operands
 * unchanged, so r2 gets the unpacked value. */
static struct qpu_insn unpack(const struct import_column *c)
{
    struct operation op = {false, 0};
    operation_named(c->how == UNPACKED_FLOAT ? "fmin" : "or", &op);
    struct qpu_insn i = operate(op, PLAIN, 0, false);
    i.unpack = c->code;
    i.raddr_a = RA0;
    i.add_a = i.add_b = QPU_MUX_A;
    return i;
}

static void set_program(struct test_case *c, const struct qpu_insn *first)
{
    const struct schema *s = &c->unit->schema;
    for (unsigned i = 0; i < s->field_count; i++) {
        const struct field *f = &s->fields[i];
        if (f->kind != FIELD_CODE)
            continue;
        struct qpu_insn insn[4] = {*first};
        uint32_t *count, *words = case_items(c, f, &count);
        for (unsigned n = 0; n < 4; n++) {
            if (n > 0)
                qpu_canonical(QPU_ALU, &insn[n]);
            if (n == 1)
                insn[n].sig = QPU_SIG_END;
            uint64_t word = qpu_encode(&insn[n]);
            words[2 * n] = (uint32_t)word;
            words[2 * n + 1] = (uint32_t)(word >> 32);
        }
        *count = 4;
        return;
    }
}

static void set_register(struct test_case *c, const char *image, uint32_t row, uint32_t value)
{
    const struct field *f = schema_field(&c->unit->schema, image);
    uint32_t *words = image_own_row(c, f, row, true);
    for (uint32_t i = 0; i < f->row_words; i++)
        words[i] = value;
}

static bool flags_of(const struct importer *m, bool flag[FLAGS], struct error *e)
{
    static const char letters[FLAGS + 1] = "znc";
    const char *field = m->table.field[m->flags];
    memset(flag, 0, FLAGS * sizeof *flag);
    if (!strcmp(field, "-"))
        return true;
    for (const char *at = field; *at; at++) {
        const char *letter = strchr(letters, *at);
        if (!letter || flag[letter - letters]) {
            error_set(e, "'%.40s' in column %s; write the letters z, n, c of the flags that are set, or '-'",
                      field, m->form->flags);
            return table_where(&m->table, at, e);
        }
        flag[letter - letters] = true;
    }
    return true;
}

/* Writes a measured value to all columns of a row of the outcome, and marks it as defined. */
static void record(struct importer *m, const char *region, uint32_t row, uint32_t value)
{
    const struct layout *l = &m->unit->layout;
    const struct region *r = layout_region_named(l, region);
    uint32_t *words = outcome_row(m->out, r->first_row + row, l->row_words);
    for (uint32_t i = 0; i < r->cols; i++)
        words[i] = value;
    outcome_touch(m->out, r->first_row + row);
    m->facts.bits += (uint64_t)r->cols * r->bits;
}

/* Adds the case and its outcome to the trace. */
static bool add(struct importer *m, const char *column, struct error *e)
{
    char label[TRACE_LABEL_MAX + 1];
    snprintf(label, sizeof label, "%.180s:%u %.40s", table_file_name(&m->table), m->table.line, column);
    m->facts.cases++;
    return trace_add(m->writer, &m->tc, m->out, label, e);
}

/* Makes and adds the case of one measured value. */
static bool import_value(struct importer *m, unsigned index, struct operation op, const uint32_t operand[2],
                         struct error *e)
{
    const struct import_column *c = m->column[index];
    bool unpacks = c->how == UNPACKED_INT || c->how == UNPACKED_FLOAT, flag[FLAGS];
    bool with_flags = c->how == PLAIN && m->flags != IMPORT_ABSENT && !op.mul;
    uint32_t value;
    if (!table_hex(&m->table, index, &value, e) ||
        (c->how == PLAIN && m->flags != IMPORT_ABSENT && !flags_of(m, flag, e)))
        return false;
    struct qpu_insn first = unpacks ? unpack(c) : operate(op, c->how, c->code, with_flags);
    case_init(&m->tc, m->unit);
    set_program(&m->tc, &first);
    set_register(&m->tc, unpacks ? "ra" : "acc", 0, operand[0]);
    if (!unpacks)
        set_register(&m->tc, "acc", 1, operand[1]);
    case_sanitise(&m->tc);
    outcome_reset(m->out, &m->tc);
    m->out->complete = false;
    m->out->checked = true;
    record(m, c->how == PACKED ? "ra" : "acc", c->how == PACKED ? RA1 : 2, value);
    for (unsigned i = 0; with_flags && i < FLAGS; i++)
        record(m, "flags", i, flag[i]);
    if (c->how == PLAIN && m->flags != IMPORT_ABSENT && !with_flags)
        m->facts.masked++;
    return add(m, c->name, e);
}

static bool import_row(struct importer *m, struct error *e)
{
    struct operation op = {false, 0};
    uint32_t operand[2] = {0, 0};
    unsigned first = strcmp(m->form->operands[0], "op") ? 0 : 1;
    if (first && !operation_of(m, &op, e))
        return false;
    for (unsigned i = first; i < IMPORT_OPERANDS_MAX && m->form->operands[i]; i++)
        if (!table_hex(&m->table, (unsigned)m->operand[i], &operand[i - first], e))
            return false;
    for (unsigned i = 0; i < m->table.columns; i++)
        if (m->column[i] && !import_value(m, i, op, operand, e))
            return false;
    return true;
}

const struct import_form import_vc4_alu = {{"op", "a", "b"}, "flags", alu_columns, import_row};
const struct import_form import_vc4_pack = {{"op", "a", "b"}, NULL, pack_columns, import_row};
const struct import_form import_vc4_unpack = {{"word"}, NULL, unpack_columns, import_row};
