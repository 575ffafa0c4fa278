/* SPDX-License-Identifier: MIT */
#include "harness/amdgpu_wrapper.h"

#include "harness/amdgpu_code.h"

/* Rows of 64 dwords of what a program loads and stores. */
enum {
    IN_STATE = 0,
    IN_SGPR = 1,
    IN_VGPR = IN_SGPR + AMD_SGPR_ROWS,
    IN_LDS = IN_VGPR + AMD_VGPRS,
    IN_ROWS = IN_LDS + AMD_LDS_ROWS,
    OUT_VGPR = 0,
    OUT_SCALAR = OUT_VGPR + AMD_VGPRS,
    SCALARS_A_ROW = 32, /* of which a wave32 has lanes */
    OUT_SCALAR_ROWS = AMD_SGPRS / SCALARS_A_ROW,
    OUT_LDS = OUT_SCALAR + OUT_SCALAR_ROWS,
    OUT_STAMP = OUT_LDS + AMD_LDS_ROWS,
    OUT_ROWS = OUT_STAMP + 1,
};
_Static_assert((int)IN_ROWS *AMD_ROW_BYTES <= (int)AMDGPU_BLOCK_BYTES && (int)OUT_ROWS * AMD_ROW_BYTES <= (int)AMDGPU_BLOCK_BYTES,
               "a block has room for its rows");

/* Words of IN_STATE, one a lane of v33. */
enum { STATE_EXEC = 0, STATE_M0 = 2, STATE_VCC = 3, STATE_STAMP = 5, STATE_OUT = 8 };
/* What the program keeps in vector registers. */
enum { V_LANE = AMD_VGPRS, V_STATE, V_SCALAR, V_END = V_SCALAR + OUT_SCALAR_ROWS };
_Static_assert((int)V_END <= (int)AMDGPU_VGPRS, "the wave has these registers");
/* Places among the scalars of the output that no register of a case has. */
enum { OUT_TRAPSTS = 108, OUT_M0, OUT_TRAPSTS_BEFORE };
enum { TRAPSTS_MEM_VIOL = 8, TRAPSTS_BUFFER_OOB = 15 };
/* SGPRs that the wrapper uses while the case's are not there; the first two come from the launch. */
enum { S_IN = 0, S_OFFSET = 2, S_VIEW = 4 };
enum { GFX11_LOAD_B32 = 20, GFX11_STORE_B32 = 26, GFX11_S_LOAD_B64 = 9, GFX11_S_LOAD_B128 = 10, GFX11_S_LOAD_B512 = 12 };
enum { DESCRIPTOR_SGPR = 8 }; /* the case's V# */

unsigned amdgpu_sgprs(enum amd_generation g)
{
    return g == AMD_GFX8 || g == AMD_GFX9 ? 102 : 106;
}

bool amdgpu_uses_lds(const struct amd_case *c)
{
    struct amd_insn i;
    for (uint32_t n = 0; n < c->insn_count; n++)
        if (amd_decode((enum amd_generation)c->generation, (uint64_t)c->insn[n][1] << 32 | c->insn[n][0], &i) && i.op->encoding != AMD_SMEM &&
            (amd_to_lds(&i) || i.op->kind == AMD_STORE_LDS))
            return true;
    return false;
}

/* ---- instructions ---- */

struct program {
    enum amd_generation g;
    uint32_t *word;
    unsigned count;
    unsigned lanes;
    unsigned reach; /* what S_OFFSET holds now; 0: nothing */
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
    put(p, (struct gcn_insn){.op = GCN_V_READLANE_B32, .dst = sgpr, .src0 = GCN_VGPR + vgpr, .src1 = GCN_CONSTANT_0 + lane});
}

/* A scalar as number `at` of the output. */
static void put_keep(struct program *p, uint32_t sgpr, uint32_t at)
{
    put(p, (struct gcn_insn){
               .op = GCN_V_WRITELANE_B32, .dst = V_SCALAR + at / SCALARS_A_ROW, .src0 = sgpr, .src1 = GCN_CONSTANT_0 + at % SCALARS_A_ROW});
}

/* Everything that was begun has ended. */
static void put_wait(struct program *p)
{
    put(p, (struct gcn_insn){.op = GCN_S_WAITCNT});
    if (p->g == AMD_GFX10 || p->g == AMD_GFX11)
        put(p, (struct gcn_insn){.op = GCN_S_WAITCNT_VSCNT, .dst = p->g == AMD_GFX11 ? 124 : 125});
}

/* Wait states between writing a register and using it that the hardware does not make by itself: at most five are asked for (GFX8, GFX9). */
static void put_pause(struct program *p)
{
    put(p, (struct gcn_insn){.op = GCN_S_NOP, .imm = 7});
}

static void put_word(struct program *p, uint64_t word)
{
    p->word[p->count++] = (uint32_t)word;
    p->word[p->count++] = (uint32_t)(word >> 32);
}

/* A register of all lanes from or to byte `at` of the block that S_VIEW shows. */
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

/* SGPRs from the block whose address stands in VCC. */
static void put_scalar_load(struct program *p, uint32_t gfx11_code, uint32_t sgpr)
{
    bool old = p->g == AMD_GFX8 || p->g == AMD_GFX9;
    struct amd_insn i = {.op = amd_op_of(AMD_GFX11, AMD_SMEM, gfx11_code),
                         .offset = IN_SGPR * AMD_ROW_BYTES + 4 * sgpr,
                         .vdata = sgpr,
                         .srsrc = GCN_VCC / 2,
                         .imm = old,
                         .soffset = old                 ? 0
                                    : p->g == AMD_GFX11 ? 124
                                                        : 125};
    put_word(p, amd_encode(p->g, &i) - GCN_S_BUFFER);
}

/* Between LDS and memory, through as many registers as it takes: a wave moves a dword a lane. */
static void put_lds(struct program *p, bool in)
{
    unsigned bytes = 4 * p->lanes, pieces = AMD_LDS_BYTES / bytes, row = in ? IN_LDS : OUT_LDS;
    put_scalar(p, GCN_S_MOV_B32, gcn_m0(p->g), GCN_MINUS_1); /* before GFX9 it is the limit of LDS addresses */
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
    unsigned n = 0, count = amdgpu_sgprs(p->g);
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
    put(p, (struct gcn_insn){.op = GCN_V_LSHLREV_B32, .dst = V_LANE, .src0 = GCN_CONSTANT_0 + 2}); /* v0 is the lane */
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
    put_scalar(p, GCN_S_MOV_B32, gcn_m0(p->g), GCN_VCC);
    put_readlane(p, GCN_VCC, V_STATE, STATE_EXEC);
    put_readlane(p, GCN_VCC + 1, V_STATE, STATE_EXEC + 1);
    put_pause(p);
    put_scalar(p, GCN_S_MOV_B64, GCN_EXEC, GCN_VCC);
    put_readlane(p, GCN_VCC, V_STATE, STATE_VCC); /* lanes are read whatever EXEC is */
    put_readlane(p, GCN_VCC + 1, V_STATE, STATE_VCC + 1);
    put(p, (struct gcn_insn){.op = GCN_S_CMP_LG_U32}); /* s0 and s0: SCC becomes 0 */
    put_pause(p);
}

/* ---- behind it ---- */

static void put_end(struct program *p)
{
    put_scalar(p, GCN_S_MOV_B64, GCN_EXEC, GCN_MINUS_1);
    put_pause(p);
    for (unsigned n = 0; n < amdgpu_sgprs(p->g); n++)
        put_keep(p, n, n);
    put_keep(p, GCN_VCC, GCN_VCC);
    put_keep(p, GCN_VCC + 1, GCN_VCC + 1);
    put_scalar(p, GCN_S_MOV_B32, 0, gcn_m0(p->g));
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

/* ---- data ---- */

static uint32_t *row_of(const struct amdgpu_area *a, unsigned row)
{
    return (uint32_t *)(void *)(a->at + row * AMD_ROW_BYTES);
}

/* Where a region's rows stand in the outcome. */
static uint32_t *region_rows(const struct outcome *o, const char *name, unsigned *first)
{
    const struct region *r = layout_region_named(&o->unit->layout, name);
    *first = r->first_row;
    return o->value + (size_t)r->first_row * AMD_LANES;
}

static void copy_region(uint32_t *to, const struct outcome *o, const char *name, unsigned rows)
{
    unsigned first;
    memcpy(to, region_rows(o, name, &first), (size_t)rows * AMD_ROW_BYTES);
}

static void fill(const struct amd_case *c, const struct outcome *initial, uint32_t stamp, const struct amdgpu_slot *slot)
{
    enum amd_generation g = (enum amd_generation)c->generation;
    uint32_t *state = row_of(&slot->in, IN_STATE), *sgpr = row_of(&slot->in, IN_SGPR);
    struct amd_descriptor view = amd_descriptor_raw(g, slot->out.va, AMDGPU_BLOCK_BYTES), d;
    copy_region(sgpr, initial, "sgpr", AMD_SGPR_ROWS);
    copy_region(row_of(&slot->in, IN_VGPR), initial, "vgpr", AMD_VGPRS);
    copy_region(row_of(&slot->in, IN_LDS), initial, "lds", AMD_LDS_ROWS);
    copy_region(row_of(&slot->window, 0), initial, "memory", AMD_MEMORY_ROWS);
    amd_descriptor_decode(g, c->descriptor, &d);
    d.base += slot->window.va;
    amd_descriptor_encode(g, &d, sgpr + DESCRIPTOR_SGPR);
    state[STATE_EXEC] = c->exec[0];
    state[STATE_EXEC + 1] = c->exec[1];
    state[STATE_M0] = c->m0;
    state[STATE_VCC] = sgpr[GCN_VCC];
    state[STATE_VCC + 1] = sgpr[GCN_VCC + 1];
    state[STATE_STAMP] = stamp;
    amd_descriptor_encode(g, &view, state + STATE_OUT);
    memset(slot->out.at, AMDGPU_POISON & 0xFF, OUT_ROWS * AMD_ROW_BYTES);
}

void amdgpu_wrapper_build(const struct test_case *tc, const struct outcome *initial, uint32_t stamp, const struct amdgpu_slot *slot)
{
    const struct amd_case *c = (const struct amd_case *)(const void *)tc->words;
    struct program p = {.g = (enum amd_generation)c->generation,
                        .word = (uint32_t *)(void *)slot->code.at,
                        .lanes = c->wave_size == AMD_WAVE32 ? 32 : 64,
                        .lds = amdgpu_uses_lds(c)};
    fill(c, initial, stamp, slot);
    put_begin(&p);
    for (uint32_t n = 0; n < c->insn_count; n++) {
        put_word(&p, (uint64_t)c->insn[n][1] << 32 | c->insn[n][0]);
        put_wait(&p);
    }
    put_end(&p);
}

/* ---- what it left ---- */

/* Records the words of a row for which `mask` has a bit. */
static void record(struct outcome *o, unsigned row, const uint32_t *words, uint64_t mask)
{
    uint32_t *value = outcome_row(o, row, AMD_LANES), *defined = o->defined + (size_t)row * AMD_LANES;
    for (unsigned n = 0; n < AMD_LANES; n++) {
        bool is = mask >> n & 1;
        value[n] = is ? words[n] : value[n];
        defined[n] = is ? UINT32_MAX : 0;
    }
    outcome_touch(o, row);
}

/* Records the first `lanes` words of each of a region's rows. */
static void record_region(struct outcome *o, const char *name, const uint32_t *words, unsigned rows, unsigned lanes)
{
    unsigned first;
    uint32_t *value = region_rows(o, name, &first), *defined = o->defined + (size_t)first * AMD_LANES;
    if (lanes == AMD_LANES) {
        memcpy(value, words, (size_t)rows * AMD_ROW_BYTES);
        memset(defined, 0xFF, (size_t)rows * AMD_ROW_BYTES);
    }
    for (unsigned r = 0; r < rows; r++)
        if (lanes == AMD_LANES)
            outcome_touch(o, first + r);
        else
            record(o, first + r, words + r * AMD_LANES, UINT64_MAX >> (AMD_LANES - lanes));
}

/* Does a scalar load of the case write this SGPR? */
static bool is_written(const struct amd_case *c, unsigned sgpr)
{
    struct amd_insn i;
    for (uint32_t n = 0; n < c->insn_count; n++)
        if (amd_decode((enum amd_generation)c->generation, (uint64_t)c->insn[n][1] << 32 | c->insn[n][0], &i) && i.op->encoding == AMD_SMEM &&
            sgpr - i.vdata < amd_data_registers((enum amd_generation)c->generation, &i))
            return true;
    return false;
}

/* The V#'s registers hold another base than in the model, unless the case wrote them. */
static void record_sgprs(const struct amd_case *c, struct outcome *o, const uint32_t *rows)
{
    uint32_t sgpr[AMD_SGPRS];
    uint64_t mask[AMD_SGPR_ROWS] = {0};
    unsigned count = amdgpu_sgprs((enum amd_generation)c->generation);
    for (unsigned n = 0; n < AMD_SGPRS; n++) {
        bool is = n < count || n == GCN_VCC || n == GCN_VCC + 1;
        if (n - DESCRIPTOR_SGPR < AMD_DESCRIPTOR_WORDS)
            is = is_written(c, n);
        sgpr[n] = rows[n / SCALARS_A_ROW * AMD_LANES + n % SCALARS_A_ROW];
        mask[n / AMD_LANES] |= (uint64_t)is << n % AMD_LANES;
    }
    unsigned first;
    (void)region_rows(o, "sgpr", &first);
    for (unsigned r = 0; r < AMD_SGPR_ROWS; r++)
        record(o, first + r, sgpr + r * AMD_LANES, mask[r]);
}

/* What became of TRAPSTS while the case ran; GFX8 and GFX9 have no BUFFER_OOB. */
static void record_status(const struct amd_case *c, struct outcome *o, const uint32_t *rows)
{
    const uint32_t *last = rows + OUT_TRAPSTS / SCALARS_A_ROW * AMD_LANES;
    uint32_t set = last[OUT_TRAPSTS % SCALARS_A_ROW] & ~last[OUT_TRAPSTS_BEFORE % SCALARS_A_ROW], words[AMD_LANES] = {0};
    bool old = c->generation == AMD_GFX8 || c->generation == AMD_GFX9;
    words[AMD_STATUS_MEM_VIOL] = set >> TRAPSTS_MEM_VIOL & 1;
    words[AMD_STATUS_BUFFER_OOB] = set >> TRAPSTS_BUFFER_OOB & 1;
    unsigned first;
    (void)region_rows(o, "status", &first);
    record(o, first, words, UINT64_C(1) << AMD_STATUS_MEM_VIOL | (uint64_t)!old << AMD_STATUS_BUFFER_OOB);
}

bool amdgpu_wrapper_collect(const struct test_case *tc, uint32_t stamp, const struct amdgpu_slot *slot, struct outcome *o)
{
    const struct amd_case *c = (const struct amd_case *)(const void *)tc->words;
    unsigned lanes = c->wave_size == AMD_WAVE32 ? 32 : 64;
    const uint32_t *stamps = row_of(&slot->out, OUT_STAMP);
    for (unsigned n = 0; n < lanes; n++)
        if (stamps[n] != stamp)
            return false;
    o->end = END_DONE;
    o->reason = 0;
    o->complete = false;
    o->checked = true;
    record_region(o, "vgpr", row_of(&slot->out, OUT_VGPR), c->vgprs, lanes);
    record_region(o, "memory", row_of(&slot->window, 0), AMD_MEMORY_ROWS, AMD_LANES);
    record_sgprs(c, o, row_of(&slot->out, OUT_SCALAR));
    record_status(c, o, row_of(&slot->out, OUT_SCALAR));
    if (amdgpu_uses_lds(c))
        record_region(o, "lds", row_of(&slot->out, OUT_LDS), AMD_LDS_ROWS, AMD_LANES);
    return true;
}
