/* SPDX-License-Identifier: MIT */
/*
 * Each measured value becomes a program of the shortest kind that shows it:
 *
 *     the operation          operands in r0 and r1, or ra0; result to r2, or packed to ra1
 *     nop, end of program
 *     nop, nop               its delay slots (VideoCoreIV-AG100-R p37: nothing of weight may stand there)
 *
 * Operands are the same in all 16 elements, as the tables give one value for
 * all. They lie in accumulators, or in a register that the case sets up, so no
 * register is read right after its write (p37).
 */
#include "oracle/import.h"

#include "model/vc4/qpu_alu.h"
#include "model/vc4/qpu_insn.h"
#include "oracle/table.h"
#include "oracle/trace.h"

#include <stdio.h>
#include <string.h>

/* What a measured column holds, and how the value left the ALU or got into it. */
enum measured {
    PLAIN,        /* the result, in r2, with the flags if the table has a column of them */
    PACKED,       /* the result through the regfile-A pack mode `code`, in ra1, which was 0 before */
    UNPACKED_INT, /* an operand through the regfile-A unpack mode `code`, read by an integer operation */
    UNPACKED_FLOAT,
};

struct column {
    const char *name;
    enum measured measured;
    uint8_t code;
};

enum { OPERANDS_MAX = 3 };

struct import_form {
    const char *operands[OPERANDS_MAX + 1]; /* columns that a row must have */
    const char *flags;                      /* the column of flags, which belong to the PLAIN result; NULL */
    const struct column *column;            /* what may have been measured; ends at an entry without name */
};

static const struct column alu_columns[] = {{"result", PLAIN, 0}, {"result_32s", PACKED, 8}, {NULL, PLAIN, 0}};

/* Codes: VideoCoreIV-AG100-R p31-32 T7 */
static const struct column pack_columns[] = {
    {"none", PACKED, 0}, {"16a", PACKED, 1},  {"16b", PACKED, 2},  {"8888", PACKED, 3}, {"8a", PACKED, 4},    {"8b", PACKED, 5},
    {"8c", PACKED, 6},   {"8d", PACKED, 7},   {"32s", PACKED, 8},  {"16as", PACKED, 9}, {"16bs", PACKED, 10}, {"8888s", PACKED, 11},
    {"8as", PACKED, 12}, {"8bs", PACKED, 13}, {"8cs", PACKED, 14}, {"8ds", PACKED, 15}, {NULL, PLAIN, 0},
};

/* Codes: p31 T6 */
static const struct column unpack_columns[] = {
    {"none", UNPACKED_INT, 0},        {"16a_int", UNPACKED_INT, 1},     {"16b_int", UNPACKED_INT, 2},        {"8d_rep_int", UNPACKED_INT, 3},
    {"8a_int", UNPACKED_INT, 4},      {"8b_int", UNPACKED_INT, 5},      {"8c_int", UNPACKED_INT, 6},         {"8d_int", UNPACKED_INT, 7},
    {"16a_float", UNPACKED_FLOAT, 1}, {"16b_float", UNPACKED_FLOAT, 2}, {"8d_rep_float", UNPACKED_FLOAT, 3}, {"8a_float", UNPACKED_FLOAT, 4},
    {"8b_float", UNPACKED_FLOAT, 5},  {"8c_float", UNPACKED_FLOAT, 6},  {"8d_float", UNPACKED_FLOAT, 7},     {NULL, PLAIN, 0},
};

static const struct import_form alu_form = {{"op", "a", "b"}, "flags", alu_columns};
static const struct import_form pack_form = {{"op", "a", "b"}, NULL, pack_columns};
static const struct import_form unpack_form = {{"word"}, NULL, unpack_columns};

static const struct import_kind kinds[] = {
    {"vc4-alu", "vc4-qpu", "op, a, b, then any of result, result_32s, flags", "results and flags of QPU operations", &alu_form},
    {"vc4-pack", "vc4-qpu", "op, a, b, then any regfile-A pack modes: none, 16a, ..., 8ds", "results of QPU operations through pack modes",
     &pack_form},
    {"vc4-unpack", "vc4-qpu", "word, then any regfile-A unpack modes: none, 16a_int, ..., 8d_float", "operands of the QPU through unpack modes",
     &unpack_form},
};

const struct import_kind *import_kind_at(unsigned i)
{
    return i < sizeof kinds / sizeof *kinds ? &kinds[i] : NULL;
}

/* ---- the columns of a table ---- */

enum { ABSENT = -1 };

struct importer {
    struct table table;
    const struct import_form *form;
    const struct unit *unit;
    int operand[OPERANDS_MAX], flags;
    const struct column *column[TABLE_COLUMNS_MAX]; /* what is measured in each column; NULL: nothing */
    struct test_case tc;
    struct outcome *out;
    struct trace_writer *writer;
    struct import_facts facts;
};

static const struct column *column_named(const struct import_form *f, const char *name)
{
    for (const struct column *c = f->column; c->name; c++)
        if (!strcmp(c->name, name))
            return c;
    return NULL;
}

static bool match_columns(struct importer *m, const struct import_kind *kind, struct error *e)
{
    const struct table *t = &m->table;
    bool role[TABLE_COLUMNS_MAX] = {false};
    for (unsigned i = 0; i < OPERANDS_MAX && m->form->operands[i]; i++) {
        m->operand[i] = table_column(t, m->form->operands[i]);
        if (m->operand[i] == ABSENT)
            return error_set(e, "%.200s: line %u: no column '%s'; a table of kind %s has columns %s", t->path, t->line, m->form->operands[i],
                             kind->name, kind->columns);
        role[m->operand[i]] = true;
    }
    m->flags = m->form->flags ? table_column(t, m->form->flags) : ABSENT;
    if (m->flags != ABSENT)
        role[m->flags] = true;
    unsigned measured = 0;
    for (unsigned i = 0; i < t->columns; i++) {
        m->column[i] = role[i] ? NULL : column_named(m->form, t->name[i]);
        measured += m->column[i] != NULL;
        if (!role[i] && !m->column[i]) {
            error_set(e, "unknown column '%.40s'; a table of kind %s has columns %s", t->name[i], kind->name, kind->columns);
            return table_where(t, t->name[i], e);
        }
    }
    if (m->flags != ABSENT && table_column(t, "result") == ABSENT)
        return error_set(e, "%.200s: line %u: flags without a column 'result'", t->path, t->line);
    return measured || error_set(e, "%.200s: line %u: no column of measured values; a table of kind %s has columns %s", t->path, t->line, kind->name,
                                 kind->columns);
}

/* ---- programs ---- */

enum { RA0 = 0, RA1 = 1, TO_R2 = 34, TO_NOWHERE = 39, FLAGS = 3 };

/* The operation of a row: which pipe, which code. */
struct operation {
    bool mul;
    uint8_t code;
};

static bool operation_named(const char *name, struct operation *op)
{
    for (unsigned i = 1; i < 32; i++)
        if (alu_add_ops[i].name && !strcmp(alu_add_ops[i].name, name))
            return *op = (struct operation){false, (uint8_t)i}, true; /* what both pipes have is ADD's: its flags are the better known */
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

/* `op r2, r0, r1` with flags, or `op ra1.PACK, r0, r1`. */
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
        i.ws = 1; /* MUL writes file A (p28 T1), where packing is */
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

/* `or r2, ra0.UNPACK, ra0.UNPACK`, or fmin, which hands its operand on bit by bit: operand and result are the unpacked value. */
static struct qpu_insn unpack(const struct column *c)
{
    struct operation op = {false, 0};
    operation_named(c->measured == UNPACKED_FLOAT ? "fmin" : "or", &op);
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

/* ---- outcomes: only what was measured ---- */

static void record_row(struct importer *m, const char *region, uint32_t row, uint32_t value)
{
    const struct layout *l = &m->unit->layout;
    const struct region *r = layout_region_named(l, region);
    uint32_t *words = outcome_row(m->out, r->first_row + row, l->row_words);
    for (uint32_t i = 0; i < r->cols; i++)
        words[i] = value;
    outcome_touch(m->out, r->first_row + row);
    m->facts.bits += (uint64_t)r->cols * r->bits;
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
            error_set(e, "'%.40s' in column %s; it holds the letters of the set flags, each once, of z, n, c, or '-'", field, m->form->flags);
            return table_where(&m->table, at, e);
        }
        flag[letter - letters] = true;
    }
    return true;
}

static const char *file_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static bool add_case(struct importer *m, const char *column, struct error *e)
{
    char label[TRACE_LABEL_MAX + 1];
    snprintf(label, sizeof label, "%.180s:%u %.40s", file_part(m->table.path), m->table.line, column);
    m->facts.cases++;
    return trace_add(m->writer, &m->tc, m->out, label, e);
}

/* One measured value of a row of operations, or of a word that was unpacked. */
static bool import_value(struct importer *m, unsigned index, struct operation op, const uint32_t operand[2], struct error *e)
{
    static const char *const flag_rows = "flags";
    const struct column *c = m->column[index];
    bool unpacks = c->measured == UNPACKED_INT || c->measured == UNPACKED_FLOAT, flag[FLAGS];
    bool with_flags = c->measured == PLAIN && m->flags != ABSENT && !op.mul;
    uint32_t value;
    if (!table_hex(&m->table, index, &value, e) || (c->measured == PLAIN && m->flags != ABSENT && !flags_of(m, flag, e)))
        return false;
    struct qpu_insn first = unpacks ? unpack(c) : operate(op, c->measured, c->code, with_flags);
    case_init(&m->tc, m->unit);
    set_program(&m->tc, &first);
    set_register(&m->tc, unpacks ? "ra" : "acc", 0, operand[0]);
    if (!unpacks)
        set_register(&m->tc, "acc", 1, operand[1]);
    case_sanitise(&m->tc);
    outcome_reset(m->out, &m->tc);
    m->out->complete = false;
    m->out->checked = true;
    record_row(m, c->measured == PACKED ? "ra" : "acc", c->measured == PACKED ? RA1 : 2, value);
    for (unsigned i = 0; with_flags && i < FLAGS; i++)
        record_row(m, flag_rows, i, flag[i]);
    if (c->measured == PLAIN && m->flags != ABSENT && !with_flags)
        m->facts.masked++;
    return add_case(m, c->name, e);
}

static bool import_row(struct importer *m, struct error *e)
{
    struct operation op = {false, 0};
    uint32_t operand[2] = {0, 0};
    unsigned first = strcmp(m->form->operands[0], "op") ? 0 : 1;
    if (first && !operation_of(m, &op, e))
        return false;
    for (unsigned i = first; i < OPERANDS_MAX && m->form->operands[i]; i++)
        if (!table_hex(&m->table, (unsigned)m->operand[i], &operand[i - first], e))
            return false;
    for (unsigned i = 0; i < m->table.columns; i++)
        if (m->column[i] && !import_value(m, i, op, operand, e))
            return false;
    m->facts.rows++;
    return true;
}

/* ---- the whole table ---- */

static bool identify(struct importer *m, const struct import_kind *kind, struct error *e)
{
    const char *said = m->table.comments;
    if (!*said)
        return error_set(e,
                         "%.200s: says nothing of its origin; put '#' lines in front of the header: who measured the values, on which machine, under "
                         "which licence",
                         m->table.path);
    struct board_identity *who = &m->facts.who;
    const char *stop = strstr(said, ". ");
    who->memory_base = MEMORY_BASE_DEFAULT; /* what a table measures does not depend on them */
    who->code_base = CODE_BASE_DEFAULT;
    snprintf(who->kind, sizeof who->kind, "table");
    text_copy_utf8(who->description, sizeof who->description, said, stop ? (size_t)(stop - said) : strlen(said));
    struct text t = {0};
    text_add(&t, "table:%.200s", file_part(m->table.path));
    text_copy_utf8(who->spec, sizeof who->spec, text_chars(&t), t.length);
    text_clear(&t);
    text_add(&t, "%.900s (imported as %s from %.80s)", said, kind->name, file_part(m->table.path));
    text_copy_utf8(who->provenance, sizeof who->provenance, text_chars(&t), t.length);
    text_free(&t);
    return true;
}

static bool import_rows(struct importer *m, struct error *e)
{
    int got;
    while ((got = table_next(&m->table, e)) > 0)
        if (!import_row(m, e))
            return false;
    if (got == 0 && m->facts.rows == 0)
        return error_set(e, "%.200s: no rows behind the header", m->table.path);
    return got == 0;
}

static bool import_open_table(struct importer *m, const struct import_kind *kind, const char *trace_path, struct error *e)
{
    m->unit = unit_find(kind->unit, e);
    if (!m->unit || !match_columns(m, kind, e) || !identify(m, kind, e))
        return false;
    m->writer = trace_create(trace_path, m->unit, &m->facts.who, e);
    if (!m->writer)
        return false;
    m->out = outcome_new(m->unit);
    bool ok = import_rows(m, e);
    outcome_free(m->out);
    if (!ok)
        trace_abandon(m->writer);
    return ok && trace_finish(m->writer, e);
}

static const struct import_kind *kind_named(const char *name, struct error *e)
{
    struct text names = {0};
    for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (!strcmp(kinds[i].name, name)) {
            text_free(&names);
            return &kinds[i];
        }
        text_add(&names, "%s%s", i ? ", " : "", kinds[i].name);
    }
    error_set(e, "there is no kind of table '%.60s'; there are %s", name, text_chars(&names));
    text_free(&names);
    return NULL;
}

bool import_table(const char *kind_name, const char *csv_path, const char *trace_path, bool silicon, struct import_facts *facts, struct error *e)
{
    const struct import_kind *kind = kind_named(kind_name, e);
    if (!kind)
        return false;
    struct importer m = {.form = kind->form, .facts.who.silicon = silicon};
    if (!table_open(&m.table, csv_path, e))
        return false;
    bool ok = import_open_table(&m, kind, trace_path, e);
    table_close(&m.table);
    if (facts)
        *facts = m.facts;
    return ok;
}
