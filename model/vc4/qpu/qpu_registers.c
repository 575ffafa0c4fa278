/* SPDX-License-Identifier: MIT */
/* The QPU's I/O registers: addresses 32 to 63 of both files, except the accumulators (p37-38 T14). */
#include "model/vc4/qpu/qpu.h"

#include "model/vc4/qpu/alu/qpu_sfu.h"
#include "model/vc4/qpu/qpu_graphics.h"
#include "model/vc4/qpu/step/qpu_quantities.h"

const struct vc4_vector qpu_element_numbers = {{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}};

/* ---- reads ---- */

/* Reads address 39, or another address that has no data (clause nop-read-stale). */
void qpu_read_stale(struct qpu *q, unsigned file, struct qpu_value *out)
{
    if (!q->wanted) {
        qpu_splat(out, 0, UINT32_MAX);
        return;
    }
    unsigned reading = qpu_consult(q, QPU_NOP_READ_STALE);
    if (reading == NOP_READ_STALE)
        *out = q->stale[file];
    else if (reading == NOP_READ_ZERO)
        qpu_splat(out, 0, UINT32_MAX);
    else
        *out = q->undefined;
}

static void read_uniform(struct qpu *q, struct qpu_value *out)
{
    uint32_t word, defined;
    if (!qpu_take_uniform(q, false, &word, &defined))
        return;
    qpu_splat(out, word, defined);
    if (q->graphics) {
        q->graphics->uniform_read = q->now + 1;
        q->graphics->uniform_word = word;
        q->graphics->uniform_defined = defined;
    }
}

/* X_PIXEL_COORD (A), Y_PIXEL_COORD (B): a quad's pixels are numbered 0 1 / 2 3 (clause coords-outside-fs). */
static void read_coordinate(struct qpu *q, unsigned file, struct qpu_value *out)
{
    bool outside = !q->graphics || q->graphics->stage != QPU_STAGE_FRAGMENT;
    bool fixed = outside && qpu_consult(q, QPU_COORDS_OUTSIDE_FS) == COORDS_FIXED;
    struct vc4_vector places;
    for (unsigned i = 0; i < VC4_LANES; i++)
        places.lane[i] = file ? i >> 1 & 1 : i & 1;
    QPU_OBSERVE_VECTOR(q, COORDINATE_PLACE, &places, NULL, file);
    for (unsigned i = 0; i < VC4_LANES; i++) {
        uint32_t place = places.lane[i];
        bool known = fixed || q->quad[file].defined.lane[i] == UINT32_MAX;
        out->value.lane[i] = !known  ? q->env->filler
                             : fixed ? place
                                     : 2 * q->quad[file].value.lane[i] + place;
        out->defined.lane[i] = known ? UINT32_MAX : 0;
    }
    QPU_OBSERVE_VECTOR(q, COORDINATE_VALUE, &out->value, QPU_VECTORS(&q->quad[file].value, &places), file);
}

/* MS_FLAGS (A), REV_FLAG (B): clause ms-rev-flags-storage. */
static void read_flag_register(struct qpu *q, unsigned file, struct qpu_value *out)
{
    bool old = false;
    if (!file && q->graphics && q->graphics->z_written && q->now < q->graphics->z_written + 2) {
        unsigned reading = qpu_consult(q, QPU_TLB_Z_MS_FLAGS);
        if (reading == READING_MANUAL) {
            *out = q->undefined;
            return;
        }
        old = reading == TLB_Z_MS_FLAGS_OLD;
    }
    bool replicated = qpu_consult(q, QPU_MS_REV_FLAGS_STORAGE) == MS_REV_REPLICATED;
    if (replicated && q->ms_rev_written[file] != UINT64_MAX && q->now - q->ms_rev_written[file] <= 1) {
        *out = q->undefined;
        return;
    }
    const struct qpu_value *from = file ? &q->rev_flag : old ? &q->graphics->ms_before : &q->ms_flags;
    uint32_t mask = file ? 1 : 15;
    for (unsigned i = 0; i < VC4_LANES; i++) {
        unsigned e = file && replicated ? 0 : i;
        uint32_t defined = from->defined.lane[e] | ~mask;
        out->value.lane[i] = (from->value.lane[e] & mask & defined) | (q->env->filler & ~defined);
        out->defined.lane[i] = defined;
    }
}

static void read_status(struct qpu *q, enum vpm_status which, unsigned file, struct qpu_value *out)
{
    struct qpu_value unmapped;
    if (!q->wanted) {
        vpm_pass_status(q->vpm, which);
        qpu_splat(out, 0, UINT32_MAX);
        return;
    }
    qpu_read_stale(q, file, &unmapped);
    qpu_halt_if(q, vpm_read_status(q->vpm, which, &unmapped.value, &out->value, &out->defined, q->now));
    unsigned clause =
        which <= VPM_STORE_BUSY ? VPM_CLAUSE_BUSY : VPM_CLAUSE_WAIT_DATA; /* covered by the VPM */
    bool is_stale = reading_of(q->env->profile, clause) == VPM_STATUS_UNMAPPED;
    for (unsigned i = 0; is_stale && i < VC4_LANES; i++)
        out->defined.lane[i] &= unmapped.defined.lane[i];
}

/* MUTEX_ACQUIRE (p24). */
static void read_mutex(struct qpu *q, unsigned file, struct qpu_value *out)
{
    if (q->shared->mutex_held) {
        /* The other read of this instruction has taken the mutex: before, qpu_must_wait found it free. */
        qpu_halt(q, VC4_HANG_MUTEX);
        return;
    }
    q->shared->mutex_held = QPU_OBSERVE(q, MUTEX_HELD, 1, false, 0);
    q->shared->mutex_holder = q->number.value.lane[0];
    q->mutex_touched = true;
    switch (qpu_consult(q, QPU_MUTEX_READ_DATA)) {
    case MUTEX_READ_CONSTANT:
        qpu_splat(out, 0xFC2FF000, UINT32_MAX);
        return;
    case MUTEX_READ_STALE:
        qpu_read_stale(q, file, out);
        return;
    }
    *out = q->number;
    if (!file)
        out->value = qpu_element_numbers;
}

/* Is this an access to uniforms, varyings, the VPM or its DMA in the end instruction or the two after it
 * (p37; clause end-io-access)? */
static bool is_too_late(struct qpu *q, unsigned address)
{
    static const uint64_t forbidden =
        UINT64_C(1) << QPU_R_UNIFORM | UINT64_C(1) << QPU_R_VARYING | UINT64_C(7) << QPU_R_VPM;
    if (q->end_due == UINT64_MAX || !(forbidden >> address & 1))
        return false;
    return qpu_consult(q, QPU_END_IO_ACCESS) != END_IO_WORKS;
}

/* Does a fragment shader access the VPM or its DMA, which it must not do (clause vpm-in-fragment)? Reads and
 * writes have the same addresses. */
static bool is_forbidden_vpm(struct qpu *q, unsigned address)
{
    return address >= QPU_R_VPM && address <= QPU_R_DMA_WAIT && q->graphics &&
           q->graphics->stage == QPU_STAGE_FRAGMENT &&
           qpu_consult(q, QPU_VPM_IN_FRAGMENT) != VPM_IN_FRAGMENT_WORKS;
}

/* Does the QPU stop at the access, because no document defines it? `write`: it is a write; `forbidden`: the
 * clauses forbid it. */
static bool is_reserved(const struct qpu *q, bool write, unsigned file, unsigned address, bool forbidden)
{
    return QPU_OBSERVE(q, IO_RESERVED, forbidden, write, file, address,
                       q->graphics ? (uint32_t)q->graphics->stage : 0);
}

/* Does an access take place? `done`: by the clauses. */
static bool takes_place(const struct qpu *q, bool write, unsigned file, unsigned address, bool done)
{
    return QPU_OBSERVE(q, ACCESS_DONE, done, write, file, address, q->end_due != UINT64_MAX);
}

void qpu_read_io(struct qpu *q, unsigned file, unsigned address, struct qpu_value *out)
{
    bool late = is_too_late(q, address);
    if (!takes_place(q, false, file, address, !late)) {
        if (late)
            *out = q->undefined;
        else /* a rule left out the access */
            qpu_splat(out, 0, UINT32_MAX);
        return;
    }
    /* A read of "busy" that no operand selects is no access: the step does it only to keep stale values. */
    if (is_reserved(q, false, file, address,
                    (address != QPU_R_DMA_BUSY || q->used) && is_forbidden_vpm(q, address))) {
        *out = q->undefined;
        qpu_halt(q, VC4_FAULT_RESERVED);
        return;
    }
    switch (address) {
    case QPU_R_UNIFORM:
        read_uniform(q, out);
        break;
    case QPU_R_VARYING:
        qpu_read_varying(q, out);
        break;
    case QPU_R_COORDINATE:
        read_coordinate(q, file, out);
        break;
    case QPU_R_FLAGS:
        read_flag_register(q, file, out);
        break;
    case QPU_R_VPM:
        qpu_halt_if(q, vpm_read(q->vpm, &out->value, &out->defined, q->now));
        break;
    case QPU_R_DMA_BUSY:
        read_status(q, file ? VPM_STORE_BUSY : VPM_LOAD_BUSY, file, out);
        break;
    case QPU_R_DMA_WAIT:
        read_status(q, file ? VPM_STORE_WAIT : VPM_LOAD_WAIT, file, out);
        break;
    default: /* QPU_R_MUTEX */
        read_mutex(q, file, out);
        break;
    }
}

/* ---- writes ---- */

/* Gives the word for a VPM register. Some readings of cond-write-peripheral write it even if the condition of
 * element 0 fails. False: nothing is written. */
static bool vpm_word(struct qpu *q, unsigned file, unsigned address, const struct qpu_result *r,
                     uint32_t *word, uint32_t *defined)
{
    bool sure = r->lanes.lane[0] && r->lanes_defined.lane[0];
    unsigned reading = sure ? READING_MANUAL : qpu_consult(q, QPU_COND_WRITE_PERIPHERAL);
    if (reading == READING_MANUAL)
        return qpu_first_word(q, file, address, r, word, defined);
    bool known = reading == COND_WRITE_UNCONDITIONAL;
    *word = known || r->lanes.lane[0] ? r->value.lane[0] : q->env->filler;
    *defined = known ? r->defined.lane[0] : 0;
    return true;
}

/* HOST_INT (p24; clause host-int-nonzero). */
static void write_host_interrupt(struct qpu *q, const struct qpu_result *r)
{
    bool any_write = qpu_consult(q, QPU_HOST_INT_NONZERO) == READING_MANUAL;
    bool perhaps = false;
    struct vc4_vector raises;
    for (unsigned i = 0; i < VC4_LANES; i++) {
        uint32_t value = r->value.lane[i], defined = r->defined.lane[i];
        bool lane = r->lanes.lane[i], lane_known = r->lanes_defined.lane[i],
             sure = lane_known && lane && (any_write || value & defined);
        raises.lane[i] = 0U - (uint32_t)sure;
        perhaps |= !sure && (!lane_known || lane) && (any_write || value || ~defined);
    }
    if (qpu_wants(q, QPU_POINT_INTERRUPT_RAISED)) {
        const uint32_t lanes = vector_bits(&r->lanes);
        qpu_observe_masks(q, QPU_POINT_INTERRUPT_RAISED, &raises, QPU_VECTORS(&r->value), &lanes);
    }
    bool raised = vector_bits(&raises);
    if (raised) {
        q->shared->host_interrupt = q->shared->host_interrupt_defined = 1;
    } else if (perhaps && !q->shared->host_interrupt) {
        q->shared->host_interrupt_defined = 0;
    }
    q->interrupt_touched = q->interrupt_touched || raised || perhaps;
}

/* UNIFORMS_ADDRESS (p22; clauses unif-addr-b, unif-addr-delay). */
static void write_uniforms_address(struct qpu *q, unsigned file, const struct qpu_result *r)
{
    uint32_t word, defined;
    if (!qpu_first_word(q, file, QPU_W_UNIFORMS_ADDRESS, r, &word, &defined))
        return;
    if (defined != UINT32_MAX) {
        qpu_halt(q, VC4_FAULT_UNDEFINED);
        return;
    }
    q->uniforms_before = q->uniforms;
    q->uniforms_changed = q->now;
    struct qpu_uniforms *u = &q->uniforms;
    bool relative = file && qpu_consult(q, QPU_UNIF_ADDR_B) == UNIF_ADDR_RELATIVE;
    if (!QPU_OBSERVE(q, UNIFORM_TO_MEMORY, !relative || u->in_memory, file, u->in_memory, word)) {
        u->next += word / 4;
        return;
    }
    u->address = QPU_OBSERVE(q, UNIFORM_ADDRESS, relative ? u->address + word : word, file, u->in_memory,
                             word, u->address) &
                 ~UINT32_C(3);
    u->in_memory = true;
    uint32_t unused; /* check the address now: a QPU prefetches uniforms as soon as it is set */
    if (q->env->limits && !vc4_reach(q->env, u->address, 4, VC4_TAKES_UNIFORM, &unused))
        qpu_halt(q, VC4_FAULT_MEMORY);
    u->lost = u->lost && relative;
}

/* Writes a register about pixels: the coordinates of quads, MS_FLAGS or REV_FLAG. */
static void write_pixels(struct qpu *q, struct qpu_value *to, const struct qpu_result *r)
{
    q->pixels_written = true;
    vector_select(&to->value, &r->value, &r->lanes);
    vector_select(&to->defined, &r->defined, &r->lanes);
    for (unsigned i = 0; i < VC4_LANES; i++)
        to->defined.lane[i] &= r->lanes_defined.lane[i];
}

static void write_vpm(struct qpu *q, struct qpu_result *r)
{
    uint32_t lanes = vector_bits(&r->lanes);
    uint32_t known = vector_bits(&r->lanes_defined);
    if (known != 0xFFFF && !(lanes & known)) {
        qpu_halt(q, VC4_FAULT_UNDEFINED); /* undefined conditions: is the vector written at all? */
        return;
    }
    for (unsigned i = 0; i < VC4_LANES; i++)
        r->defined.lane[i] &= r->lanes_defined.lane[i];
    lanes |= ~known & 0xFFFF;
    qpu_halt_if(q, vpm_write(q->vpm, &r->value, q->env->checked ? &r->defined : NULL, lanes, q->now));
}

static void write_vpm_setup(struct qpu *q, unsigned file, const struct qpu_result *r)
{
    uint32_t word, defined;
    if (vpm_word(q, file, QPU_W_VPM_SETUP, r, &word, &defined))
        qpu_halt_if(q, (file ? vpm_write_setup : vpm_read_setup)(q->vpm, word, defined, q->now));
}

static void write_dma_address(struct qpu *q, unsigned file, const struct qpu_result *r)
{
    uint32_t word, defined;
    if (vpm_word(q, file, QPU_W_DMA_ADDRESS, r, &word, &defined))
        qpu_halt_if(q, (file ? vpm_dma_store : vpm_dma_load)(q->vpm, word, defined, q->now));
}

static void write_mutex(struct qpu *q, unsigned file, const struct qpu_result *r)
{
    uint32_t word, defined;
    if (!qpu_first_word(q, file, QPU_W_MUTEX, r, &word, &defined))
        return;
    q->shared->mutex_held = QPU_OBSERVE(q, MUTEX_HELD, 0, true, word);
    q->shared->changes++;
    q->mutex_touched = true;
}

/* Returns the SFU function at an address. Address 52 is the reciprocal in p38 T14, but the square root in p23
 * (clause sfu-list). */
static enum sfu_function function_at(struct qpu *q, unsigned address)
{
    if (address != QPU_W_SFU_RECIP)
        return (enum sfu_function)(SFU_RECIP + address - QPU_W_SFU_RECIP);
    return qpu_consult(q, QPU_SFU_LIST) == SFU_LIST_REGISTER_MAP ? SFU_RECIP : SFU_SQRT;
}

/* Starts an SFU operation (p23, p37). The third instruction after this one can read the result in r4. */
static void write_sfu(struct qpu *q, unsigned address, unsigned file, const struct qpu_result *r)
{
    struct vc4_vector in = r->value, class[2], exponent;
    enum sfu_function f = function_at(q, address);
    f = QPU_OBSERVE(q, SFU_FUNCTION, f, address, file) % SFU_FUNCTIONS;
    if (qpu_wants(q, QPU_POINT_SFU_OPERAND)) {
        quantity_class(&in, &class[0]);
        QPU_OBSERVE_VECTOR(q, SFU_OPERAND, &in, QPU_VECTORS(&class[0]), f, address, file);
    }
    alu_sfu(&q->rules->alu, f, &in, &q->sfu.value, &q->sfu.defined, &q->sfu_tolerance);
    if (q->observer)
        qpu_observe_sfu(q, f, address, file, &in, &q->sfu.value);
    if (qpu_wants(q, QPU_POINT_SFU_RESULT)) {
        struct vc4_vector computed;
        quantity_class(&q->sfu.value, &class[0]);
        quantity_class(&in, &class[1]);
        quantity_exponent(&in, &exponent);
        for (unsigned i = 0; i < VC4_LANES; i++)
            computed.lane[i] = alu_sfu_computes(&q->rules->alu, f, in.lane[i]);
        QPU_OBSERVE_VECTOR(q, SFU_RESULT, &q->sfu.value,
                           QPU_VECTORS(&in, &class[0], &class[1], &exponent, &computed), f, address, file);
    }
    alu_cover_list(alu_sfu_clauses[f], q->env->coverage);
    alu_sfu_narrow(&r->defined, &q->sfu.defined, &q->sfu_tolerance);
    q->sfu.lanes = r->lanes;
    if (qpu_wants(q, QPU_POINT_SFU_LANES)) {
        const uint32_t lanes = vector_bits(&r->lanes);
        vector_of_bits(&q->sfu.lanes, QPU_OBSERVE(q, SFU_LANES, lanes, lanes, f));
    }
    q->sfu.lanes_defined = r->lanes_defined;
    qpu_meet_sfu(q);
    q->sfu_due = q->now + QPU_OBSERVE(q, SFU_LATENCY, 3, f, address, file);
    qpu_check_events(q);
}

void qpu_deliver_sfu(struct qpu *q)
{
    struct vc4_vector *r4 = &q->acc.value[4];
    QPU_OBSERVE_VECTOR(q, R4_VALUE, &q->sfu.value, NULL, true, 0);
    vector_select(r4, &q->sfu.value, &q->sfu.lanes);
    if (q->env->checked) {
        vector_select(&q->acc.defined[4], &q->sfu.defined, &q->sfu.lanes);
        for (unsigned i = 0; i < VC4_LANES; i++) {
            q->acc.defined[4].lane[i] &= q->sfu.lanes_defined.lane[i];
            q->sfu_tolerance.lane[i] &= q->sfu.lanes_defined.lane[i];
            q->sfu.lanes.lane[i] |= ~q->sfu.lanes_defined.lane[i];
        }
        qpu_tolerate_r4(q, &q->sfu_tolerance, &q->sfu.lanes);
    }
    vc4_touch(&q->acc, 4);
    q->sfu_due = UINT64_MAX;
}

void qpu_write_io(struct qpu *q, unsigned file, unsigned address, struct qpu_result *r)
{
    bool late = is_too_late(q, address), lost = late && qpu_consult(q, QPU_END_IO_ACCESS) == END_IO_LOST;
    if (!takes_place(q, true, file, address, !lost))
        return;
    if (late && !lost && q->env->checked) {
        qpu_halt(q, VC4_FAULT_UNDEFINED);
        return;
    }
    if (is_reserved(q, true, file, address, is_forbidden_vpm(q, address))) {
        qpu_halt(q, VC4_FAULT_RESERVED);
        return;
    }
    switch (address) {
    case QPU_W_TMU_NOSWAP:
        qpu_write_noswap(q, file, r);
        break;
    case QPU_W_INTERRUPT:
        write_host_interrupt(q, r);
        break;
    case QPU_W_UNIFORMS_ADDRESS:
        write_uniforms_address(q, file, r);
        break;
    case QPU_W_COORDINATE:
        write_pixels(q, &q->quad[file], r);
        break;
    case QPU_W_FLAGS:
        write_pixels(q, file ? &q->rev_flag : &q->ms_flags, r);
        q->ms_rev_written[file] = q->now;
        break;
    case QPU_W_VPM:
        write_vpm(q, r);
        break;
    case QPU_W_VPM_SETUP:
        write_vpm_setup(q, file, r);
        break;
    case QPU_W_DMA_ADDRESS:
        write_dma_address(q, file, r);
        break;
    case QPU_W_MUTEX:
        write_mutex(q, file, r);
        break;
    case QPU_W_SFU_RECIP:
    case QPU_W_SFU_RECIPSQRT:
    case QPU_W_SFU_EXP:
    case QPU_W_SFU_LOG:
        write_sfu(q, address, file, r);
        break;
    default:
        if (address >= QPU_W_TMU0_S)
            qpu_write_tmu(q, address, r);
        else
            qpu_write_tile(q, file, address, r);
        break;
    }
}
