/* SPDX-License-Identifier: MIT */
#include "harness/amdgpu/amdgpu_wrapper.h"

#include "harness/amdgpu/amdgpu_code.h"

/* The input and output of a program, in rows of 64 dwords. */
enum {
    IN_STATE = 0,
    IN_SGPR = 1,
    IN_VGPR = IN_SGPR + AMD_SGPR_ROWS,
    IN_LDS = IN_VGPR + AMD_VGPRS,
    IN_ROWS = IN_LDS + AMD_LDS_ROWS,
    OUT_VGPR = 0,
    OUT_SCALAR = OUT_VGPR + AMD_VGPRS,
    SCALARS_A_ROW = 32, /* the lanes of a wave32 */
    OUT_SCALAR_ROWS = AMD_SGPRS / SCALARS_A_ROW,
    OUT_LDS = OUT_SCALAR + OUT_SCALAR_ROWS,
    OUT_STAMP = OUT_LDS + AMD_LDS_ROWS,
    OUT_ROWS = OUT_STAMP + 1,
};
_Static_assert((int)IN_ROWS *AMD_ROW_BYTES <= (int)AMDGPU_BLOCK_BYTES &&
                   (int)OUT_ROWS * AMD_ROW_BYTES <= (int)AMDGPU_BLOCK_BYTES,
               "a block has room for its rows");

/* Words of input row IN_STATE. The program loads the row into v33 (V_STATE), one word a lane. */
enum { STATE_EXEC = 0, STATE_M0 = 2, STATE_VCC = 3, STATE_STAMP = 5, STATE_OUT = 8 };
/* Vector registers of the program. */
enum { V_LANE = AMD_VGPRS, V_STATE, V_SCALAR, V_END = V_SCALAR + OUT_SCALAR_ROWS };
_Static_assert((int)V_END <= (int)AMDGPU_VGPRS, "the wave has these registers");
/* Scalars of the output with numbers that no register of a case has. */
enum { OUT_TRAPSTS = 108, OUT_M0, OUT_TRAPSTS_BEFORE };
enum { TRAPSTS_MEM_VIOL = 8, TRAPSTS_BUFFER_OOB = 15 };
/* SGPRs that the program uses before and after the case; the launch sets the first two. */
enum { S_IN = 0, S_OFFSET = 2, S_VIEW = 4 };
enum {
    GFX11_LOAD_B32 = 20,
    GFX11_STORE_B32 = 26,
    GFX11_S_LOAD_B64 = 9,
    GFX11_S_LOAD_B128 = 10,
    GFX11_S_LOAD_B512 = 12
};

/* ---- instructions ---- */

struct program {
    enum amd_generation g;
    uint32_t *word;
    unsigned count;
    unsigned lanes;
    unsigned reach; /* the content of S_OFFSET; 0: unknown */
    bool lds;       /* the case uses it */
};

static void put(struct program *p, struct gcn_insn i)
{
    p->count += gcn_encode(p->g, &i, p->word + p->count);
}

static void put_scalar(struct program *p, enum gcn_op op, uint32_t dst, uint32_t src)
{
    put(p, (struct gcn_insn){.op = op, .dst = dst, .src0 = src});
}

static void put_literal(struct program *p, uint32_t dst, uint32_t value)
{
    put(p, (struct gcn_insn){.op = GCN_S_MOV_B32, .dst = dst, .src0 = GCN_LITERAL, .literal = value});
}

static void put_readlane(struct program *p, uint32_t sgpr, uint32_t vgpr, uint32_t lane)
{
    put(p, (struct gcn_insn){.op = GCN_V_READLANE_B32,
                             .dst = sgpr,
                             .src0 = GCN_VGPR + vgpr,
                             .src1 = GCN_CONSTANT_0 + lane});
}

/* Copies an SGPR to scalar `at` of the output. */
static void put_keep(struct program *p, uint32_t sgpr, uint32_t at)
{
    put(p, (struct gcn_insn){.op = GCN_V_WRITELANE_B32,
                             .dst = V_SCALAR + at / SCALARS_A_ROW,
                             .src0 = sgpr,
                             .src1 = GCN_CONSTANT_0 + at % SCALARS_A_ROW});
}

/* Waits for all memory operations. */
static void put_wait(struct program *p)
{
    put(p, (struct gcn_insn){.op = GCN_S_WAITCNT});
    if (!amd_is_gcn(p->g))
        put(p, (struct gcn_insn){.op = GCN_S_WAITCNT_VSCNT, .dst = amd_null(p->g)});
}

/* Adds a wait between a write and a use of a register that hardware does not interlock. The most that any use
 * needs is five wait states (GFX8, GFX9). */
static void put_pause(struct program *p)
{
    put(p, (struct gcn_insn){.op = GCN_S_NOP, .imm = 7});
}

static void put_word(struct program *p, uint64_t word)
{
    amd_set_word(p->word + p->count, word);
    p->count += 2;
}

/* Moves a register of all lanes from or to byte `at` of the block that S_VIEW describes. */
static void put_dwords(struct program *p, uint32_t gfx11_code, uint32_t vgpr, unsigned at)
{
    enum { OFFSETS = 4096 }; /* bytes that OFFSET reaches */
    unsigned reach = at / OFFSETS * OFFSETS;
    if (reach && reach != p->reach)
        put_literal(p, S_OFFSET, p->reach = reach);
    struct amd_insn i = {.op = amd_op_of(AMD_GFX11, AMD_MUBUF, gfx11_code),
                         .offset = at % OFFSETS,
                         .offen = 1,
                         .vaddr = V_LANE,
                         .vdata = vgpr,
                         .srsrc = S_VIEW / 4,
                         .soffset = reach ? S_OFFSET : GCN_CONSTANT_0};
    put_word(p, amd_encode(p->g, &i));
}

static void put_row(struct program *p, uint32_t gfx11_code, uint32_t vgpr, unsigned row)
{
    put_dwords(p, gfx11_code, vgpr, row * AMD_ROW_BYTES);
}

/* Loads SGPRs from the block whose address is in VCC. */
static void put_scalar_load(struct program *p, uint32_t gfx11_code, uint32_t sgpr)
{
    bool old = amd_is_gcn(p->g);
    struct amd_insn i = {.op = amd_op_of(AMD_GFX11, AMD_SMEM, gfx11_code),
                         .offset = IN_SGPR * AMD_ROW_BYTES + 4 * sgpr,
                         .vdata = sgpr,
                         .srsrc = GCN_VCC / 2,
                         .imm = old,
                         .soffset = old ? 0 : amd_null(p->g)};
    put_word(p, amd_encode(p->g, &i) - GCN_S_BUFFER);
}

/* Moves LDS from or to memory. One vector register moves a dword for each lane, so this uses several. */
static void put_lds(struct program *p, bool in)
{
    unsigned bytes = 4 * p->lanes, pieces = AMD_LDS_BYTES / bytes, row = in ? IN_LDS : OUT_LDS;
    put_scalar(p, GCN_S_MOV_B32, amd_m0(p->g), GCN_MINUS_1); /* GFX8: the limit of LDS addresses */
    for (unsigned n = 0; in && n < pieces; n++)
        put_dwords(p, GFX11_LOAD_B32, n, row * AMD_ROW_BYTES + n * bytes);
    put_wait(p);
    put_pause(p);
    for (unsigned n = 0; n < pieces; n++)
        put(p, in ? (struct gcn_insn){.op = GCN_DS_WRITE_B32, .src0 = V_LANE, .src1 = n, .imm = n * bytes}
                  : (struct gcn_insn){.op = GCN_DS_READ_B32, .dst = n, .src0 = V_LANE, .imm = n * bytes});
    put_wait(p);
    for (unsigned n = 0; !in && n < pieces; n++)
        put_dwords(p, GFX11_STORE_B32, n, row * AMD_ROW_BYTES + n * bytes);
    put_wait(p);
}

/* ---- before the case ---- */

static void put_sgprs(struct program *p)
{
    unsigned n = 0, count = amd_sgprs(p->g);
    put_scalar(p, GCN_S_MOV_B64, GCN_VCC, S_IN);
    for (; n + 16 <= count; n += 16)
        put_scalar_load(p, GFX11_S_LOAD_B512, n);
    for (; n + 4 <= count; n += 4)
        put_scalar_load(p, GFX11_S_LOAD_B128, n);
    put_scalar_load(p, GFX11_S_LOAD_B64, n);
    put_wait(p);
}

static void put_begin(struct program *p)
{
    struct amd_descriptor view = amd_descriptor_raw(p->g, 0, AMDGPU_BLOCK_BYTES);
    uint32_t words[AMD_DESCRIPTOR_WORDS];
    amd_descriptor_encode(p->g, &view, words);
    put_scalar(p, GCN_S_MOV_B64, S_VIEW, S_IN);
    put_literal(p, S_VIEW + 2, words[2]);
    put_literal(p, S_VIEW + 3, words[3]);
    put(p, (struct gcn_insn){.op = GCN_V_LSHLREV_B32,
                             .dst = V_LANE,
                             .src0 = GCN_CONSTANT_0 + 2}); /* v0 is the lane */
    put_row(p, GFX11_LOAD_B32, V_STATE, IN_STATE);
    if (p->lds)
        put_lds(p, true);
    for (unsigned r = 0; r < AMD_VGPRS; r++)
        put_row(p, GFX11_LOAD_B32, r, IN_VGPR + r);
    put_wait(p);
    put_sgprs(p);
    put(p, (struct gcn_insn){.op = GCN_S_GETREG_B32, .dst = GCN_VCC, .imm = GCN_TRAPSTS});
    put_keep(p, GCN_VCC, OUT_TRAPSTS_BEFORE);
    put_readlane(p, GCN_VCC, V_STATE, STATE_M0);
    put_pause(p);
    put_scalar(p, GCN_S_MOV_B32, amd_m0(p->g), GCN_VCC);
    put_readlane(p, GCN_VCC, V_STATE, STATE_EXEC);
    put_readlane(p, GCN_VCC + 1, V_STATE, STATE_EXEC + 1);
    put_pause(p);
    put_scalar(p, GCN_S_MOV_B64, GCN_EXEC, GCN_VCC);
    put_readlane(p, GCN_VCC, V_STATE, STATE_VCC); /* reads lanes that EXEC excludes, too */
    put_readlane(p, GCN_VCC + 1, V_STATE, STATE_VCC + 1);
    put(p, (struct gcn_insn){.op = GCN_S_CMP_LG_U32}); /* s0 != s0 is false, so SCC = 0 */
    put_pause(p);
}

/* ---- after it ---- */

static void put_end(struct program *p)
{
    put_scalar(p, GCN_S_MOV_B64, GCN_EXEC, GCN_MINUS_1);
    put_pause(p);
    for (unsigned n = 0; n < amd_sgprs(p->g); n++)
        put_keep(p, n, n);
    put_keep(p, GCN_VCC, GCN_VCC);
    put_keep(p, GCN_VCC + 1, GCN_VCC + 1);
    put_scalar(p, GCN_S_MOV_B32, 0, amd_m0(p->g));
    put_keep(p, 0, OUT_M0);
    put(p, (struct gcn_insn){.op = GCN_S_GETREG_B32, .dst = 0, .imm = GCN_TRAPSTS});
    put_keep(p, 0, OUT_TRAPSTS);
    for (unsigned n = 0; n < AMD_DESCRIPTOR_WORDS; n++)
        put_readlane(p, S_VIEW + n, V_STATE, STATE_OUT + n);
    put_pause(p);
    p->reach = 0;
    for (unsigned r = 0; r < AMD_VGPRS; r++)
        put_row(p, GFX11_STORE_B32, r, OUT_VGPR + r);
    for (unsigned r = 0; r < OUT_SCALAR_ROWS; r++)
        put_row(p, GFX11_STORE_B32, V_SCALAR + r, OUT_SCALAR + r);
    put_wait(p);
    if (p->lds)
        put_lds(p, false);
    put_readlane(p, 0, V_STATE, STATE_STAMP);
    put(p, (struct gcn_insn){.op = GCN_V_MOV_B32, .dst = V_SCALAR, .src0 = 0});
    put_row(p, GFX11_STORE_B32, V_SCALAR, OUT_STAMP);
    put_wait(p);
    put(p, (struct gcn_insn){.op = GCN_S_ENDPGM});
}

void amdgpu_frames_make(enum amd_generation g, struct amdgpu_frames *f)
{
    f->generation = g;
    for (unsigned size = 0; size < AMD_WAVE_SIZES; size++)
        for (unsigned lds = 0; lds < 2; lds++) {
            struct amdgpu_frame *to = &f->frame[size][lds];
            struct program p = {.g = g, .word = to->word, .lanes = size == AMD_WAVE32 ? 32 : 64, .lds = lds};
            put_begin(&p);
            to->begin = p.count;
            put_end(&p);
            to->words = p.count;
        }
}

/* Writes the case's instructions, each with a wait after it, and the frame around them unless the slot still
 * has that frame. */
static void put_program(const struct amdgpu_frame *f, const struct amd_case *c, uint32_t *word,
                        struct amdgpu_kept *k)
{
    struct program p = {.g = (enum amd_generation)c->generation, .word = word, .count = f->begin};
    bool there = k->frame == f && k->insns == c->insn_count;
    if (!there)
        memcpy(word, f->word, f->begin * sizeof *word);
    for (uint32_t n = 0; n < c->insn_count; n++) {
        put_word(&p, amd_word(c->insn[n]));
        put_wait(&p);
    }
    if (!there)
        memcpy(word + p.count, f->word + f->begin, (f->words - f->begin) * sizeof *word);
    k->frame = NULL; /* until the program has ended */
}

/* ---- data ---- */

static uint32_t *row_of(const struct amdgpu_area *a, unsigned row)
{
    return (uint32_t *)(void *)(a->at + row * AMD_ROW_BYTES);
}

static const uint32_t *rows_from(const struct outcome *o, unsigned first)
{
    return o->value + (size_t)first * AMD_LANES;
}

/* Returns the rows that an image of `rows` rows lists. Its fill rule makes the others. */
static uint64_t own_rows(const struct image_head *image, const struct amd_image_row *row, unsigned rows)
{
    uint64_t own = 0;
    for (uint32_t n = 0; n < image->count; n++)
        own |= row[n].index < rows ? UINT64_C(1) << row[n].index : 0;
    return own;
}
_Static_assert((int)AMD_MEMORY_ROWS == 64 && (int)AMD_VGPRS <= 64, "a word has a bit a row");

/* An image of a case: its fill rule, the rows that it lists (`own`), those that the rule makes (`clean`), and
 * its destination. */
struct image {
    const struct image_head *head;
    const struct amd_image_row *row;
    unsigned rows;
    uint64_t own;
    const uint32_t *clean;
    const struct amdgpu_area *to;
    unsigned first; /* row there */
};

/* Writes the rows that differ from the known content `k`, and updates it. */
static void put_image(const struct image *i, struct amdgpu_image *k)
{
    bool all = !k->known || k->fill != i->head->fill || k->seed != i->head->seed;
    if (all)
        memcpy(row_of(i->to, i->first), i->clean, (size_t)i->rows * AMD_ROW_BYTES);
    for (uint64_t left = all ? 0 : k->others & ~i->own; left; left &= left - 1) {
        unsigned row = (unsigned)__builtin_ctzll(left);
        memcpy(row_of(i->to, i->first + row), i->clean + row * AMD_LANES, AMD_ROW_BYTES);
    }
    for (uint32_t n = 0; n < i->head->count; n++)
        if (i->row[n].index < i->rows)
            memcpy(row_of(i->to, i->first + i->row[n].index), i->row[n].word, AMD_ROW_BYTES);
    *k = (struct amdgpu_image){.known = true, .fill = i->head->fill, .seed = i->head->seed, .others = i->own};
}

static void put_images(const struct amdgpu_program *p, const struct amdgpu_clean *clean)
{
    const struct amdgpu_slot *slot = &p->slot;
    const struct amd_case *c = p->c;
    struct amdgpu_kept *k = slot->kept;
    const struct image sgprs = {&c->sgpr,     c->sgpr_row, AMD_SGPR_ROWS, p->own_sgprs,
                                clean->sgprs, &slot->in,   IN_SGPR};
    const struct image vgprs = {&c->vgpr,     c->vgpr_row, AMD_VGPRS, p->own_vgprs,
                                clean->vgprs, &slot->in,   IN_VGPR};
    const struct image memory = {
        &c->memory, c->memory_row, AMD_MEMORY_ROWS, p->own_memory, clean->memory, &slot->window, 0};
    const struct image lds = {&c->lds, c->lds_row, AMD_LDS_ROWS, 0, clean->lds, &slot->in, IN_LDS};
    struct amdgpu_image unknown = {0};
    put_image(&sgprs, &k->sgprs);
    put_image(&vgprs, &k->vgprs);
    put_image(&memory, &k->window);
    if (p->lds)
        put_image(&lds, &unknown);
    k->window.known = false; /* until record_memory has read the window */
}

static void poison(const struct amdgpu_slot *slot, unsigned first, unsigned end)
{
    memset(row_of(&slot->out, first), AMDGPU_POISON & 0xFF, (size_t)(end - first) * AMD_ROW_BYTES);
}

static void poison_all(const struct amdgpu_program *p)
{
    struct amdgpu_kept *k = p->slot.kept;
    if (!k->poisoned)
        poison(&p->slot, 0, OUT_LDS);
    if (p->lds) /* without LDS, nobody reads these rows */
        poison(&p->slot, OUT_LDS, OUT_STAMP);
    poison(&p->slot, OUT_STAMP, OUT_ROWS);
    k->poisoned = false; /* until the output is read and poisoned again */
}

static void fill(const struct amdgpu_program *p, const struct amdgpu_clean *clean)
{
    const struct amd_case *c = p->c;
    const struct amdgpu_slot *slot = &p->slot;
    enum amd_generation g = (enum amd_generation)c->generation;
    uint32_t *state = row_of(&slot->in, IN_STATE), *sgpr = row_of(&slot->in, IN_SGPR);
    struct amd_descriptor view = amd_descriptor_raw(g, slot->out.va, AMDGPU_BLOCK_BYTES), d;
    put_images(p, clean);
    amd_descriptor_decode(g, c->descriptor, &d);
    d.base += slot->window.va;
    amd_descriptor_encode(g, &d, sgpr + AMDGPU_DESCRIPTOR_SGPR);
    state[STATE_EXEC] = c->exec[0];
    state[STATE_EXEC + 1] = p->lanes == 32 ? 0 : c->exec[1];
    state[STATE_M0] = c->m0;
    state[STATE_VCC] = sgpr[GCN_VCC];
    state[STATE_VCC + 1] = sgpr[GCN_VCC + 1];
    state[STATE_STAMP] = p->stamp;
    amd_descriptor_encode(g, &view, state + STATE_OUT);
    poison_all(p);
}

/* Notes what the case's instructions require of the code around them. */
static void scan_instructions(struct amdgpu_program *p)
{
    enum amd_generation g = (enum amd_generation)p->c->generation;
    struct amd_insn i;
    for (uint32_t n = 0; n < p->c->insn_count; n++) {
        if (!amd_decode(g, amd_word(p->c->insn[n]), &i))
            continue;
        if (i.op->encoding != AMD_SMEM) {
            p->lds = p->lds || amd_to_lds(&i) || i.op->kind == AMD_STORE_LDS;
            continue;
        }
        for (unsigned r = 0; r < AMD_DESCRIPTOR_WORDS; r++)
            p->descriptor |= (unsigned)(AMDGPU_DESCRIPTOR_SGPR + r - i.vdata < amd_data_registers(g, &i))
                             << r;
    }
}

void amdgpu_wrapper_build(const struct amdgpu_frames *f, const struct test_case *tc,
                          const struct amdgpu_clean *clean, uint32_t stamp, const struct amdgpu_slot *slot,
                          struct amdgpu_program *p)
{
    const struct amd_case *c = amd_case_of(tc);
    *p = (struct amdgpu_program){.slot = *slot,
                                 .c = c,
                                 .stamp = stamp,
                                 .lanes = c->wave_size == AMD_WAVE32 ? 32 : 64};
    p->own_sgprs = own_rows(&c->sgpr, c->sgpr_row, AMD_SGPR_ROWS);
    p->own_vgprs = own_rows(&c->vgpr, c->vgpr_row, AMD_VGPRS);
    p->own_memory = own_rows(&c->memory, c->memory_row, AMD_MEMORY_ROWS);
    scan_instructions(p);
    fill(p, clean);
    p->frame = &f->frame[c->wave_size][p->lds];
    put_program(p->frame, c, (uint32_t *)(void *)slot->code.at, slot->kept);
}

/* ---- output ---- */

static bool same_words(const uint32_t *a, const uint32_t *b, unsigned count)
{
    return memcmp(a, b, count * sizeof *a) == 0;
}

/* Records the first `count` words of a row of `cols`. */
static void record_first(struct outcome *o, unsigned row, const uint32_t *words, unsigned count,
                         unsigned cols)
{
    memcpy(outcome_row(o, row, AMD_LANES), words, count * sizeof *words);
    memset(o->defined + (size_t)row * AMD_LANES + count, 0, (cols - count) * sizeof *o->defined);
    outcome_touch(o, row);
}

/* Records a row. Returns whether it has changed. */
static bool record_row(struct outcome *o, unsigned row, const uint32_t *was, const uint32_t *words)
{
    if (same_words(was, words, AMD_LANES)) {
        outcome_touch_unchanged(o, row);
        return false;
    }
    memcpy(outcome_row(o, row, AMD_LANES), words, AMD_ROW_BYTES);
    outcome_touch_fully_defined(o, row);
    return true;
}

/* Records rows from `first` on and returns those that changed. The old content of a row is in the outcome if
 * the case lists the row (`own`), and in `clean` otherwise. Compares several rows at once, because most have
 * not changed. */
static uint64_t record_rows(struct outcome *o, unsigned first, const uint32_t *words, unsigned rows,
                            const uint32_t *clean, uint64_t own)
{
    enum { TOGETHER = 8 };
    const uint32_t *given = rows_from(o, first);
    uint64_t changed = 0;
    for (unsigned r = 0; r < rows; r += TOGETHER) {
        unsigned some = rows - r < TOGETHER ? rows - r : TOGETHER, end = r + some;
        bool clean_all = !(own >> r & ((1U << TOGETHER) - 1)) &&
                         same_words(clean + r * AMD_LANES, words + r * AMD_LANES, some * AMD_LANES);
        for (unsigned n = r; n < end; n++)
            if (clean_all)
                outcome_touch_unchanged(o, first + n);
            else
                changed |= (uint64_t)record_row(o, first + n, (own >> n & 1 ? given : clean) + n * AMD_LANES,
                                                words + n * AMD_LANES)
                           << n;
    }
    return changed;
}

/* Records the vector registers of a wave32: lanes 0 to 31. */
static void record_half_rows(const struct amdgpu_program *p, const uint32_t *clean, struct outcome *o,
                             const uint32_t *words)
{
    const struct layout *l = &o->unit->layout;
    const uint32_t *given = rows_from(o, AMD_ROW_VGPR);
    static const uint64_t half = UINT32_MAX;
    o->partial[1] = (struct outcome_partial){.region = (uint8_t)(layout_region(l, AMD_ROW_VGPR) - l->regions),
                                             .lanes = &half,
                                             .period = 1};
    for (unsigned r = 0; r < p->c->vgprs; r++) {
        const uint32_t *was = (p->own_vgprs >> r & 1 ? given : clean) + r * AMD_LANES;
        if (same_words(was, words + r * AMD_LANES, p->lanes))
            outcome_touch_unchanged(o, AMD_ROW_VGPR + r);
        else
            record_first(o, AMD_ROW_VGPR + r, words + r * AMD_LANES, p->lanes, AMD_LANES);
    }
}

static void record_vgprs(const struct amdgpu_program *p, const struct amdgpu_clean *clean, struct outcome *o)
{
    const uint32_t *words = row_of(&p->slot.out, OUT_VGPR);
    if (p->lanes == AMD_LANES)
        (void)record_rows(o, AMD_ROW_VGPR, words, p->c->vgprs, clean->vgprs, p->own_vgprs);
    else
        record_half_rows(p, clean->vgprs, o, words);
}

static void record_memory(const struct amdgpu_program *p, const struct amdgpu_clean *clean, struct outcome *o)
{
    struct amdgpu_kept *k = p->slot.kept;
    uint64_t changed = record_rows(o, AMD_ROW_MEMORY, row_of(&p->slot.window, 0), AMD_MEMORY_ROWS,
                                   clean->memory, p->own_memory);
    k->window.known = true;
    k->window.others |= changed;
}

/* The SGPRs to record, as bit sets: a word for each row of 64 SGPRs. All SGPRs of a program and VCC, except
 * those of the V#, whose BASE differs from the model's. */
#define RECORDED(sgprs)                                                                                      \
    {                                                                                                        \
        ~(UINT64_C(15) << AMDGPU_DESCRIPTOR_SGPR),                                                           \
            ((UINT64_C(1) << ((sgprs)-AMD_LANES)) - 1) | UINT64_C(3) << (GCN_VCC - AMD_LANES)                \
    }
static const uint64_t gcn_sgprs[AMD_SGPR_ROWS] = RECORDED(102), rdna_sgprs[AMD_SGPR_ROWS] = RECORDED(106);

/* Records the SGPRs of a program from `rows` of the output. Records those of the V# only if the case wrote
 * them. */
static void record_sgprs(const struct amdgpu_program *p, const struct amdgpu_clean *clean, struct outcome *o,
                         const uint32_t *rows)
{
    const struct layout *l = &o->unit->layout;
    const uint64_t *usual = amd_is_gcn((enum amd_generation)p->c->generation) ? gcn_sgprs : rdna_sgprs;
    for (unsigned r = 0; r < AMD_SGPR_ROWS; r++) {
        const uint64_t lanes = usual[r] | (r ? 0 : (uint64_t)p->descriptor << AMDGPU_DESCRIPTOR_SGPR);
        const uint32_t *was =
            (p->own_sgprs >> r & 1 ? rows_from(o, AMD_ROW_SGPR) : clean->sgprs) + r * AMD_LANES;
        uint32_t now[AMD_LANES];
        for (unsigned n = 0; n < AMD_LANES; n += SCALARS_A_ROW)
            memcpy(now + n, rows + (r * AMD_LANES + n) / SCALARS_A_ROW * AMD_LANES,
                   SCALARS_A_ROW * sizeof *now);
        for (uint64_t others = ~lanes; others; others &= others - 1)
            now[__builtin_ctzll(others)] = was[__builtin_ctzll(others)];
        if (lanes == usual[r] && same_words(was, now, AMD_LANES)) {
            outcome_touch_unchanged(o, AMD_ROW_SGPR + r);
        } else {
            outcome_record_lanes(o, AMD_ROW_SGPR + r, lanes);
            memcpy(outcome_row(o, AMD_ROW_SGPR + r, AMD_LANES), now, sizeof now);
            outcome_touch(o, AMD_ROW_SGPR + r);
        }
    }
    o->partial[0] = (struct outcome_partial){.region = (uint8_t)(layout_region(l, AMD_ROW_SGPR) - l->regions),
                                             .lanes = usual,
                                             .period = AMD_SGPR_ROWS};
}

/* Records the bits of TRAPSTS that were set while the case ran; GFX8 and GFX9 have no BUFFER_OOB. */
static void record_status(const struct amd_case *c, struct outcome *o, const uint32_t *rows)
{
    const uint32_t *last = rows + OUT_TRAPSTS / SCALARS_A_ROW * AMD_LANES;
    uint32_t set = last[OUT_TRAPSTS % SCALARS_A_ROW] & ~last[OUT_TRAPSTS_BEFORE % SCALARS_A_ROW],
             words[AMD_STATUS_BITS] = {0};
    bool old = amd_is_gcn((enum amd_generation)c->generation);
    words[AMD_STATUS_MEM_VIOL] = set >> TRAPSTS_MEM_VIOL & 1;
    words[AMD_STATUS_BUFFER_OOB] = set >> TRAPSTS_BUFFER_OOB & 1;
    record_first(o, AMD_ROW_STATUS, words, old ? AMD_STATUS_BUFFER_OOB : AMD_STATUS_BITS, AMD_STATUS_BITS);
}

bool amdgpu_wrapper_collect(const struct amdgpu_program *p, const struct amdgpu_clean *clean,
                            struct outcome *o)
{
    const uint32_t *stamps = row_of(&p->slot.out, OUT_STAMP);
    for (unsigned n = 0; n < p->lanes; n++)
        if (stamps[n] != p->stamp)
            return false;
    o->end = END_DONE;
    o->reason = 0;
    o->complete = false;
    o->checked = true;
    record_vgprs(p, clean, o);
    record_sgprs(p, clean, o, row_of(&p->slot.out, OUT_SCALAR));
    record_status(p->c, o, row_of(&p->slot.out, OUT_SCALAR));
    poison(&p->slot, 0, OUT_LDS); /* now, while the output is in the host's cache */
    p->slot.kept->poisoned = true;
    p->slot.kept->frame = p->frame;
    p->slot.kept->insns = p->c->insn_count;
    if (p->lds)
        (void)record_rows(o, AMD_ROW_LDS, row_of(&p->slot.out, OUT_LDS), AMD_LDS_ROWS, clean->lds,
                          UINT64_MAX);
    record_memory(p, clean, o);
    return true;
}
