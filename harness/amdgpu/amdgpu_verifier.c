/* SPDX-License-Identifier: MIT */
#include "harness/amdgpu/amdgpu_verifier.h"

#include "harness/amdgpu/amdgpu_operands.h"
#include "harness/amdgpu/amdgpu_wrapper.h"
#include "model/core/memory.h"
#include "model/core/units.h"

#include <inttypes.h>
#include <stdlib.h>

enum { DESCRIPTOR_GROUP = AMDGPU_DESCRIPTOR_SGPR / 4, SCRATCH_ROWS = 4 * AMD_UNITS };

struct amdgpu_verifier {
    struct amdgpu_limits limits;
    struct amd_wave wave;
    struct amd_descriptor descriptor; /* of s8..s11 */
    struct buffer_plan plan;
    struct buffer_lanes lanes;
    struct profile profile;
    struct coverage coverage;
    const struct buffer_kernels *kernels;
    struct amdgpu_operands operands;
    /* For each dword of each lane: 1 if some reading misaligns it or places it beyond the guard. Such a dword
     * is harmless only if the range checks of every reading find it out of range. */
    uint32_t astray[AMD_UNITS][AMD_LANES];
    bool always_tries;
    unsigned number; /* of the instruction that is being proven */
    uint32_t sgpr[AMD_SGPRS];
    uint32_t vgpr[AMD_VGPRS * AMD_LANES];
    uint32_t copied; /* bit n: `vgpr` has the case's v<n>; nothing reads the others */
    const uint32_t *clean_vgprs;
    uint32_t scratch[SCRATCH_ROWS * AMD_LANES];   /* the trace of a trial */
    uint32_t memory[AMD_MEMORY_ROWS * AMD_LANES]; /* zeros, for trials to load: no address depends on them */
    uint64_t touched[OUTCOME_ROWS_MAX / 64];
    struct coverage
        steers; /* all modes of the clauses that affect addresses, range checks or whether anything happens */
    uint8_t readings[CLAUSES_MAX]; /* number of readings of each clause */
    unsigned clauses;
};

/*
 * The clauses of formats, alignment and operands that `steers` has besides all clauses of addresses and range
 * checks. Trials do not vary any other clause. Some of the others decide about data only. The rest decide
 * whether the instruction accesses memory at all (soffset-legal-values is one of them, for the codes that
 * amdgpu_operands_check accepts). For these the manual's reading, under which trials run, is the worst case,
 * because under it the instruction does access memory.
 */
static const unsigned steering[] = {
    AMD_CLAUSE_MTBUF_FORMAT_64PLUS,    AMD_CLAUSE_MTBUF_FORMAT_0,
    AMD_CLAUSE_RESERVED_FORMAT,        AMD_CLAUSE_FORMAT_MISALIGN,
    AMD_CLAUSE_FORMAT_COMPONENT_ALIGN, AMD_CLAUSE_ATOMIC_ALIGN_MODE,
    AMD_CLAUSE_ATOMIC_COMPONENT_ALIGN, AMD_CLAUSE_STRICT_B96,
    AMD_CLAUSE_DWORD_MODE_SWIZZLED,    AMD_CLAUSE_GFX9_ALIGNMENT_MODE,
    AMD_CLAUSE_M0_NULL_SWAP,
};

struct amdgpu_verifier *amdgpu_verifier_new(const struct amdgpu_limits *limits)
{
    struct amdgpu_verifier *v = memory_new(1, sizeof *v);
    v->limits = *limits;
    v->kernels = buffer_kernels();
    amdgpu_operands_make(&v->operands, limits->generation);
    for (unsigned i = 0; i < AMD_CLAUSE_ADDRESS_END; i++)
        v->steers.modes[i] = UINT16_MAX;
    for (unsigned i = 0; i < sizeof steering / sizeof *steering; i++)
        v->steers.modes[steering[i]] = UINT16_MAX;
    v->clauses = unit_clauses(&amd_buffer_unit);
    for (unsigned i = 0; i < v->clauses; i++)
        v->readings[i] = (uint8_t)clause_readings(unit_clause(&amd_buffer_unit, i));
    return v;
}

void amdgpu_verifier_free(struct amdgpu_verifier *v)
{
    free(v);
}

void amdgpu_verifier_always_try(struct amdgpu_verifier *v)
{
    v->always_tries = true;
}

/* ---- the wave ---- */

static struct amd_rows rows_of(struct amdgpu_verifier *v, uint32_t *value, uint32_t rows)
{
    return (struct amd_rows){.value = value,
                             .defined = value /* unused: runs are plain */,
                             .touched = v->touched,
                             .rows = rows};
}

/* Copies the rows that an image of the case lists. */
static void copy_own_rows(const struct image_head *image, const struct amd_image_row *row, uint32_t first,
                          uint32_t rows, uint32_t *to)
{
    for (uint32_t n = 0; n < image->count; n++)
        if (row[n].index - first < rows)
            memcpy(to + (size_t)row[n].index * AMD_LANES, row[n].word, AMD_ROW_BYTES);
}

/* Copies the vector registers that an instruction takes addresses from. */
static void copy_address_registers(struct amdgpu_verifier *v, const struct amd_case *c,
                                   const struct amd_insn *i)
{
    for (uint32_t n = i->vaddr; n < i->vaddr + amd_address_registers(i); n++) {
        if (v->copied >> n & 1)
            continue;
        memcpy(v->vgpr + (size_t)n * AMD_LANES, v->clean_vgprs + (size_t)n * AMD_LANES, AMD_ROW_BYTES);
        copy_own_rows(&c->vgpr, c->vgpr_row, n, 1, v->vgpr);
        v->copied |= UINT32_C(1) << n;
    }
}

static void begin(struct amdgpu_verifier *v, const struct amd_case *c, const struct amdgpu_clean *clean)
{
    struct amd_wave *w = &v->wave;
    w->profile = &v->profile;
    w->coverage = &v->coverage;
    w->generation = v->limits.generation;
    w->alignment = v->limits.alignment;
    w->lanes = c->wave_size == AMD_WAVE32 ? 32 : 64;
    w->exec = (uint64_t)(w->lanes == 32 ? 0 : c->exec[1]) << 32 | c->exec[0];
    w->m0 = c->m0;
    w->vgprs = c->vgprs;
    memcpy(w->descriptor, c->descriptor, sizeof w->descriptor);
    w->vgpr = rows_of(v, v->vgpr, AMD_VGPRS);
    w->memory = rows_of(v, v->memory, AMD_MEMORY_ROWS);
    w->sgpr = rows_of(v, v->sgpr, AMD_SGPR_ROWS);
    w->decision = rows_of(v, v->scratch, AMD_UNITS);
    w->address = rows_of(v, v->scratch + AMD_UNITS * AMD_LANES, AMD_UNITS);
    w->address_high = rows_of(v, v->scratch + 2 * AMD_UNITS * AMD_LANES, AMD_UNITS);
    w->status = rows_of(v, v->scratch + 3 * AMD_UNITS * AMD_LANES, 1);
    w->any_type = true;
    amdgpu_operands_begin(&v->operands);
    memcpy(v->sgpr, clean->sgprs, sizeof v->sgpr);
    copy_own_rows(&c->sgpr, c->sgpr_row, 0, AMD_SGPR_ROWS, v->sgpr);
    v->clean_vgprs = clean->vgprs;
    v->copied = 0;
}

/* ---- one instruction under one combination of readings ---- */

static bool refuse(const struct amdgpu_verifier *v, struct error *why, const char *what)
{
    bool manual = true;
    for (unsigned i = 0; i < CLAUSES_MAX; i++)
        manual = manual && !v->profile.reading[i];
    return error_set(why, "instruction %u %s%s", v->number, what,
                     manual ? "" : ", by a reading other than the manual's");
}

/* Is the address within the guards? Address 0 is the start of the case's memory, so addresses below it are at
 * the top of the 48 bits. Compares halves, because not every host compares 64-bit numbers in vectors. */
static inline uint32_t is_near(uint64_t address)
{
    enum { SPREAD = 4096 }; /* most bytes from one end of an access to the other, also if it is in pieces */
    const uint64_t above = address + AMDGPU_GUARD - SPREAD;
    const uint32_t beyond = (uint32_t)(address >> 48), high = (uint32_t)(above >> 32) & 0xFFFF,
                   low = (uint32_t)above;
    return (uint32_t)((beyond | high) == 0) & (uint32_t)(low < 2U * AMDGPU_GUARD - 2U * SPREAD);
}

static bool judge(const struct amdgpu_verifier *v, uint32_t decision, uint64_t address, bool moved,
                  struct error *why)
{
    if (decision == AMD_VIOLATION)
        return refuse(v, why, "may be misaligned, which can halt a wave forever");
    if (decision != AMD_DONE && decision != AMD_NOT_RESIDENT)
        return true;
    if (!moved)
        return refuse(v, why,
                      "reaches memory through a V# other than s[8:11], whose base is not moved to the case's "
                      "memory");
    return is_near(address) || refuse(v, why, "may reach beyond the guard around the case's memory");
}

/* True if all lanes surely stay within half the guard. If false, the caller looks at each lane. Has no branch
 * and compares no 64-bit numbers, so that compilers vectorise it for every host. */
static bool all_near(const uint32_t *decision, const uint64_t *address, bool moved)
{
    enum { HALF_GUARD_LOG = 22 };
    _Static_assert(1 << HALF_GUARD_LOG == AMDGPU_GUARD / 2, "");
    uint64_t any = 0;
    uint32_t violated = 0, reached = 0;
    for (unsigned n = 0; n < AMD_LANES; n++) {
        uint32_t d = decision[n], reaches = 0U - (uint32_t)((d == AMD_DONE) | (d == AMD_NOT_RESIDENT));
        uint64_t wide = (uint64_t)(int64_t)(int32_t)reaches;
        any |= (address[n] + AMDGPU_GUARD / 2) & wide;
        reached |= reaches;
        violated |= d == AMD_VIOLATION;
    }
    return !violated && !(reached && !moved) && !(any >> (HALF_GUARD_LOG + 1));
}

/* Sets `astray` for the lanes whose access to this dword is misaligned or not permitted. */
static void add_astray(const uint32_t *decision, const uint64_t *address, bool moved, uint32_t *astray)
{
    for (unsigned n = 0; n < AMD_LANES; n++) {
        uint32_t d = decision[n], reaches = (d == AMD_DONE) | (d == AMD_NOT_RESIDENT);
        astray[n] |= (d == AMD_VIOLATION) | (reaches & ~(moved & is_near(address[n])));
    }
}

static bool any_done(const uint32_t *decision, const uint32_t *astray)
{
    uint32_t any = 0;
    for (unsigned n = 0; n < AMD_LANES; n++)
        any |= (decision[n] == AMD_DONE) & astray[n];
    return any;
}

static bool any_set(const uint32_t *word)
{
    uint32_t any = 0;
    for (unsigned n = 0; n < AMD_LANES; n++)
        any |= word[n];
    return any;
}

/* Does this stop mean that the wave meets an error? (amdgpu_operands_check excludes the other stops.) */
static bool is_error(enum amd_stop stop)
{
    return stop == AMD_STOP_ENCODING || stop == AMD_STOP_FORMAT;
}

static bool try_vector(struct amdgpu_verifier *v, const struct amd_insn *i, struct error *why)
{
    struct buffer_plan *p = &v->plan;
    struct buffer_lanes *l = &v->lanes;
    enum amd_stop stop = buffer_prepare(&v->wave, i, p);
    if (is_error(stop))
        return refuse(v, why,
                      stop == AMD_STOP_FORMAT ? "has a format that is an error under some reading"
                                              : "has an encoding that is reserved under some reading");
    if (stop || p->effect != BUFFER_MOVES)
        return true;
    if (v->kernels->operands(&v->wave, p, l))
        return refuse(v, why, "has an address that is unknown before it runs");
    v->kernels->resolve(&v->wave, p, l);
    bool moved = i->srsrc == DESCRIPTOR_GROUP;
    for (unsigned k = 0; k < p->units; k++)
        if (!all_near(l->decision[k], l->address[k], moved))
            for (unsigned n = 0; n < AMD_LANES; n++)
                if (!judge(v, l->decision[k][n], l->address[k][n], moved, why))
                    return false;
    return true;
}

/* On GFX10 and GFX11, a scalar load from the guards faults and hangs. On GFX8 it loads garbage, which no
 * comparison reads, because the model has it as undefined (Mesa, ac_gpu_info.c, on partially resident
 * pages). */
static bool judge_scalar(const struct amdgpu_verifier *v, uint32_t decision, uint64_t address, bool moved,
                         struct error *why)
{
    enum amd_generation g = v->limits.generation;
    bool faults = !amd_is_gcn(g), reaches = decision == AMD_DONE || decision == AMD_NOT_RESIDENT;
    if (faults && moved && reaches && address > AMD_MEMORY_BYTES - sizeof(uint32_t))
        return refuse(v, why, "may load scalars from outside the case's memory, where this GPU faults");
    return judge(v, decision, address, moved, why);
}

static bool try_scalar(struct amdgpu_verifier *v, const struct amd_insn *i, struct error *why)
{
    uint32_t kept[AMD_SGPRS], descriptor[AMD_DESCRIPTOR_WORDS];
    memset(amd_row(&v->wave.address_high, 0), 0, AMD_ROW_BYTES); /* buffer_scalar writes the other rows */
    memcpy(kept, v->sgpr, sizeof kept);
    memcpy(descriptor, v->wave.descriptor, sizeof descriptor);
    enum amd_stop stop = buffer_scalar(&v->wave, i);
    memcpy(v->sgpr, kept, sizeof kept);
    memcpy(v->wave.descriptor, descriptor, sizeof descriptor);
    const uint32_t *decision = amd_row(&v->wave.decision, 0), *low = amd_row(&v->wave.address, 0),
                   *high = amd_row(&v->wave.address_high, 0);
    for (unsigned k = 0; k < i->op->bytes / 4U && !stop; k++)
        if (!judge_scalar(v, decision[k] & 15, (uint64_t)high[k] << 32 | low[k],
                          2 * i->srsrc == AMDGPU_DESCRIPTOR_SGPR, why))
            return false;
    return true;
}

/* ---- bounds, without a trial ---- */

/* Finds the largest SOFFSET of any reading (clause m0-null-swap), if it is an SGPR, a constant, M0 or NULL.
 */
static bool largest_soffset(const struct amdgpu_verifier *v, uint32_t code, uint64_t *most)
{
    uint32_t value;
    switch (amd_soffset_source(v->limits.generation, code, &value)) {
    case AMD_SOURCE_SGPR:
        (void)amd_scalar_read(&v->wave, value, &value);
        *most = value;
        return true;
    case AMD_SOURCE_CONSTANT:
        *most = value;
        return true;
    case AMD_SOURCE_M0:
    case AMD_SOURCE_NULL:
        *most = v->wave.m0;
        return true;
    default:
        return false;
    }
}

/* Returns how many bytes a format operation moves; 0 if that depends on readings, or if it moves nothing. */
static uint32_t format_bytes(struct amdgpu_verifier *v, const struct amd_insn *i)
{
    static const unsigned deciding[] = {AMD_CLAUSE_MTBUF_FORMAT_64PLUS, AMD_CLAUSE_MTBUF_FORMAT_0,
                                        AMD_CLAUSE_RESERVED_FORMAT};
    memset(&v->coverage, 0, sizeof v->coverage);
    memset(&v->profile, 0, sizeof v->profile);
    if (buffer_prepare(&v->wave, i, &v->plan) || v->plan.effect != BUFFER_MOVES)
        return 0;
    for (unsigned n = 0; n < sizeof deciding / sizeof *deciding; n++)
        if (covered(&v->coverage, deciding[n]))
            return 0;
    return v->plan.bytes;
}

/* Returns an alignment of addresses that no reading treats as a violation; 0: unknown. */
static uint32_t harmless_alignment(struct amdgpu_verifier *v, const struct amd_insn *i)
{
    if (i->op->kind == AMD_ATOMIC) /* CSUB without GLC is reserved under some reading */
        return i->op->atomic == AMD_ATOMIC_CSUB ? 0 : i->op->bytes;
    if (i->op->format) {
        uint32_t bytes = format_bytes(v, i);
        return bytes == 12 ? 4 : bytes;
    }
    return v->limits.alignment == AMD_ALIGN_UNALIGNED || v->limits.alignment == AMD_ALIGN_DWORD;
}

/* The largest factors of an address's parts under any reading. */
struct factors {
    uint32_t stride;  /* of the index, rounded up to elements */
    uint32_t offset;  /* of the offset */
    uint32_t element; /* of the index within its group: the smallest, for alignment */
};

static struct factors factors_of(const struct amdgpu_verifier *v)
{
    enum { ELEMENT_MOST = 16, ELEMENT_LEAST = 2, ELEMENT_GFX11 = 4 };
    const struct amd_descriptor *d = &v->descriptor;
    enum amd_generation g = v->limits.generation;
    uint32_t more = d->add_tid_enable && amd_is_gcn(g) ? (d->format & 15) << 14 : 0,
             stride = d->stride | more;
    if (!d->swizzle_enable)
        return (struct factors){.stride = stride, .offset = 1, .element = ELEMENT_MOST};
    return (struct factors){.stride = (stride + ELEMENT_MOST - 1) / ELEMENT_MOST * ELEMENT_MOST,
                            .offset = 8U << d->index_stride,
                            .element = g == AMD_GFX11 ? ELEMENT_GFX11 : ELEMENT_LEAST};
}

/*
 * Finds the active lanes that some reading may place beyond the guard or misalign, if no range check stops
 * them. A lane is safe if the sum of all possible parts of its address, each with the largest factor of
 * swizzling, stays within the guard, and no part has a bit below the alignment. Then no sum wraps, and every
 * reading only chooses which parts to add. Returns false if the parts are unknown.
 */
static bool find_doubtful(struct amdgpu_verifier *v, const struct amd_insn *i, uint32_t *doubtful)
{
    enum {
        SPREAD = 8192 /* most bytes that one access and an index within its group span: twice is_near's */
    };
    static const uint32_t zeros[AMD_LANES];
    const struct amd_descriptor *d = &v->descriptor;
    uint32_t alignment = harmless_alignment(v, i);
    uint64_t soffset;
    if (i->srsrc != DESCRIPTOR_GROUP || !alignment || !largest_soffset(v, i->soffset, &soffset))
        return false;
    const uint32_t *indices = i->idxen ? amd_row(&v->wave.vgpr, i->vaddr) : zeros;
    const uint32_t *offsets = i->offen ? amd_row(&v->wave.vgpr, i->vaddr + i->idxen) : zeros;
    const struct factors f = factors_of(v);
    uint64_t lane = d->add_tid_enable, rest = d->base + soffset + lane * AMD_LANES * f.stride +
                                              (i->offset + soffset) * f.offset + SPREAD;
    uint32_t low =
        (uint32_t)d->base | (uint32_t)soffset | i->offset | (i->idxen || lane ? d->stride | f.stride : 0);
    for (uint32_t n = 0; n < AMD_LANES; n++) {
        uint64_t most = rest + (uint64_t)indices[n] * f.stride + (uint64_t)offsets[n] * f.offset;
        uint32_t within = (indices[n] | (indices[n] + n * (uint32_t)lane)) * f.element;
        doubtful[n] =
            ((uint32_t)(most / AMDGPU_GUARD) | ((low | offsets[n] | within) & (alignment - 1))) != 0;
    }
    for (unsigned n = 0; n < AMD_LANES && v->wave.exec != UINT64_MAX; n++)
        doubtful[n] &= (uint32_t)(v->wave.exec >> n & 1);
    return true;
}

/* ---- all combinations of the readings that an instruction consults, depth first ---- */

/* Judges one combination. Returns false to stop. */
typedef bool trial(struct amdgpu_verifier *v, const struct amd_insn *i, struct error *why);
enum walk { WALK_STOPPED, WALK_COMPLETE, WALK_TOO_LONG };

/* Pushes the steering clauses that the last trial consulted; `open` are those that are not on the stack. */
static void stack_consulted(const struct amdgpu_verifier *v, struct coverage *open, uint8_t *stack,
                            unsigned *depth)
{
    enum { A_WORD = sizeof(uint64_t) / sizeof(uint16_t) };
    for (unsigned n = 0; n < v->clauses; n += A_WORD) {
        uint64_t consulted, may;
        memcpy(&consulted, v->coverage.modes + n, sizeof consulted);
        memcpy(&may, open->modes + n, sizeof may);
        for (unsigned k = n; consulted & may && k < n + A_WORD; k++)
            if (v->coverage.modes[k] & open->modes[k]) {
                stack[(*depth)++] = (uint8_t)k;
                open->modes[k] = 0;
            }
    }
}
_Static_assert(CLAUSES_MAX % 4 == 0, "stack_consulted looks at four clauses at once");

static enum walk walk(struct amdgpu_verifier *v, const struct amd_insn *i, trial *trial, struct error *why)
{
    uint8_t stack[CLAUSES_MAX];
    struct coverage open = v->steers;
    unsigned depth = 0;
    memset(&v->profile, 0, sizeof v->profile);
    for (unsigned tries = 1; tries <= AMDGPU_COMBINATIONS_MAX; tries++) {
        memset(&v->coverage, 0, sizeof v->coverage);
        if (!trial(v, i, why))
            return WALK_STOPPED;
        stack_consulted(v, &open, stack, &depth);
        while (depth && v->profile.reading[stack[depth - 1]] + 1 == v->readings[stack[depth - 1]]) {
            depth--;
            v->profile.reading[stack[depth]] = 0;
            open.modes[stack[depth]] = v->steers.modes[stack[depth]];
        }
        if (!depth)
            return WALK_COMPLETE;
        v->profile.reading[stack[depth - 1]]++;
    }
    return WALK_TOO_LONG;
}

static bool try_all(struct amdgpu_verifier *v, const struct amd_insn *i, struct error *why)
{
    enum walk w = walk(v, i, i->op->encoding == AMD_SMEM ? try_scalar : try_vector, why);
    if (w != WALK_TOO_LONG)
        return w == WALK_COMPLETE;
    memset(&v->profile, 0, sizeof v->profile);
    return refuse(v, why, "depends on too many combinations of readings to try them all");
}

/* ---- places and range checks separately, with fewer trials ---- */

static bool note_places(struct amdgpu_verifier *v, const struct amd_insn *i, struct error *why)
{
    struct buffer_plan *p = &v->plan;
    struct buffer_lanes *l = &v->lanes;
    enum amd_stop stop = buffer_prepare_places(&v->wave, i, p);
    (void)why;
    if (stop || p->effect != BUFFER_MOVES)
        return !is_error(stop);
    if (v->kernels->operands(&v->wave, p, l))
        return false;
    v->kernels->resolve(&v->wave, p, l);
    bool moved = i->srsrc == DESCRIPTOR_GROUP;
    for (unsigned k = 0; k < p->units; k++)
        if (!all_near(l->decision[k], l->address[k], moved))
            add_astray(l->decision[k], l->address[k], moved, v->astray[k]);
    return true;
}

static bool note_checks(struct amdgpu_verifier *v, const struct amd_insn *i, struct error *why)
{
    struct buffer_plan *p = &v->plan;
    struct buffer_lanes *l = &v->lanes;
    enum amd_stop stop = buffer_prepare_checks(&v->wave, i, p);
    (void)why;
    if (stop || p->effect != BUFFER_MOVES)
        return !is_error(stop);
    if (p->range.measure == BUFFER_SWIZZLED_OFFSET /* depends on places */ ||
        v->kernels->operands(&v->wave, p, l))
        return false;
    v->kernels->check(&v->wave, p, l);
    for (unsigned k = 0; k < p->units; k++)
        if (any_done(l->decision[k], v->astray[k]))
            return false;
    return true;
}

static bool none_astray(const struct amdgpu_verifier *v)
{
    for (unsigned k = 0; k < AMD_UNITS; k++)
        if (any_set(v->astray[k]))
            return false;
    return true;
}

/* Are the lanes that may be astray out of range under every reading? Returns false, for unknown, in alignment
 * mode DWORD, where range checks may use aligned offsets and so depend on places. GFX8 and GFX9 may be in
 * that mode whatever is set. */
static bool are_held_back(struct amdgpu_verifier *v, const struct amd_insn *i)
{
    bool aligned = v->limits.alignment == AMD_ALIGN_DWORD || amd_is_gcn(v->limits.generation);
    return !aligned && walk(v, i, note_checks, NULL) == WALK_COMPLETE;
}

/*
 * Is the instruction harmless under all pairs of a reading of places and a reading of range checks? It is if
 * no lane that is astray under some reading of places is in range under some reading of range checks. The
 * pairs include all real combinations. Trying both sides separately takes far fewer trials: a sum, not a
 * product. Returns false if this proof fails.
 */
static bool is_harmless(struct amdgpu_verifier *v, const struct amd_insn *i)
{
    if (find_doubtful(v, i, v->astray[0])) {
        if (!any_set(v->astray[0]))
            return true;
        for (unsigned k = 1; k < AMD_UNITS; k++)
            memcpy(v->astray[k], v->astray[0], sizeof v->astray[0]);
        if (are_held_back(v, i))
            return true;
    }
    memset(v->astray, 0, sizeof v->astray);
    return walk(v, i, note_places, NULL) == WALK_COMPLETE && (none_astray(v) || are_held_back(v, i));
}

/* ---- one instruction ---- */

static bool prove_insn(struct amdgpu_verifier *v, const struct amd_case *c, const uint32_t *words,
                       struct error *why)
{
    enum amd_generation g = v->limits.generation;
    uint64_t word = amd_word(words);
    struct amd_insn i, canonical;
    if (!amd_decode(g, word, &i))
        return error_set(why, "instruction %u is reserved and could halt the wave forever", v->number);
    if (i.unused)
        return error_set(why, "instruction %u sets reserved bits", v->number);
    if (i.op->kind == AMD_CACHE) {
        amd_insn_canonical(g, i.op, &canonical);
        return word == amd_encode(g, &canonical) ||
               error_set(why, "instruction %u sets operands that it does not have", v->number);
    }
    bool smem = i.op->encoding == AMD_SMEM;
    if (!amdgpu_operands_check(&v->operands, &v->wave, v->number, &i, why))
        return false;
    if (!smem)
        copy_address_registers(v, c, &i);
    bool harmless = !v->always_tries && !smem && is_harmless(v, &i);
    if (!harmless && !try_all(v, &i, why))
        return false;
    amdgpu_operands_note(&v->operands, &i);
    return true;
}

/* ---- the case ---- */

static bool check_wave(struct amdgpu_verifier *v, const struct amd_case *c, struct error *why)
{
    static const char *const modes[] = {"dword", "dword-strict", "strict", "unaligned"};
    enum amd_generation g = v->limits.generation;
    if (c->generation != g)
        return error_set(why, "the case is for generation %s; this GPU is %s",
                         amd_generation_names[c->generation], amd_generation_names[g]);
    if (g >= AMD_BOARD_GENERATIONS)
        return error_set(why, "no proof covers generation %s: its cases run on the model only",
                         amd_generation_names[g]);
    if (c->alignment != v->limits.alignment)
        return error_set(why, "the case needs alignment mode %s; this machine's kernel sets %s",
                         modes[c->alignment], modes[v->limits.alignment]);
    if (c->wave_size == AMD_WAVE32 && (g == AMD_GFX8 || g == AMD_GFX9))
        return error_set(why, "there are no waves of 32 lanes before GFX10");
    amd_descriptor_decode(g, c->descriptor, &v->descriptor);
    return v->descriptor.base >> 47 == 0 ||
           error_set(why, "BASE is too near the end of the address space to be moved to the case's memory");
}

bool amdgpu_verifier_prove(struct amdgpu_verifier *v, const struct test_case *tc,
                           const struct amdgpu_clean *clean, struct error *why)
{
    const struct amd_case *c = amd_case_of(tc);
    if (!check_wave(v, c, why))
        return false;
    begin(v, c, clean);
    for (v->number = 0; v->number < c->insn_count; v->number++)
        if (!prove_insn(v, c, c->insn[v->number], why))
            return false;
    return true;
}
