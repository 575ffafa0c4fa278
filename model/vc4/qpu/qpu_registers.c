/* SPDX-License-Identifier: MIT */
/*
 * The QPU's I/O registers, addresses 32 to 63 of both files, but for the
 * accumulators: one row each for reading and for writing (p37-38 T14).
 */
#include "model/vc4/qpu/qpu.h"

#include "model/vc4/qpu/alu/qpu_sfu.h"
#include "model/vc4/qpu/qpu_graphics.h"

static void give_word(struct qpu_value *out, uint32_t word, uint32_t defined)
{
    vector_splat(&out->value, word);
    vector_splat(&out->defined, defined);
}

/* Where a bit is not defined it holds the filler. */
static void give(const struct qpu *q, struct qpu_value *out, const struct qpu_value *from)
{
    for (unsigned i = 0; i < VC4_LANES; i++) {
        uint32_t d = from->defined.lane[i];
        out->value.lane[i] = (from->value.lane[i] & d) | (q->env->filler & ~d);
        out->defined.lane[i] = d;
    }
}

/* ---- reads ---- */

/* Address 39, and what else has no data of its own (clause nop-read-stale). */
void qpu_read_stale(struct qpu *q, unsigned file, struct qpu_value *out)
{
    if (!q->wanted) {
        give_word(out, 0, UINT32_MAX);
        return;
    }
    qpu_consult(q, QPU_NOP_READ_STALE);
    unsigned reading = qpu_reading(q, QPU_NOP_READ_STALE);
    if (reading == NOP_READ_STALE)
        *out = q->stale[file];
    else if (reading == NOP_READ_ZERO)
        give_word(out, 0, UINT32_MAX);
    else
        *out = q->undefined;
}

static void read_uniform(struct qpu *q, unsigned file, struct qpu_value *out)
{
    (void)file;
    uint32_t word, defined;
    if (!qpu_take_uniform(q, &word, &defined))
        return;
    give_word(out, word, defined);
    if (q->graphics) {
        q->graphics->uniform_read = q->now + 1;
        q->graphics->uniform_word = word;
        q->graphics->uniform_defined = defined;
    }
}

static void read_varying(struct qpu *q, unsigned file, struct qpu_value *out)
{
    (void)file;
    qpu_read_varying(q, out);
}

/* X_PIXEL_COORD (A), Y_PIXEL_COORD (B): a quad's pixels are numbered 0 1 / 2 3 (clause coords-outside-fs). */
static void read_coordinate(struct qpu *q, unsigned file, struct qpu_value *out)
{
    bool fixed = false;
    if (!q->graphics || q->graphics->stage != QPU_STAGE_FRAGMENT) {
        qpu_consult(q, QPU_COORDS_OUTSIDE_FS);
        fixed = qpu_reading(q, QPU_COORDS_OUTSIDE_FS) == COORDS_FIXED;
    }
    for (unsigned i = 0; i < VC4_LANES; i++) {
        uint32_t place = file ? i >> 1 & 1 : i & 1;
        bool known = fixed || q->quad[file].defined.lane[i] == UINT32_MAX;
        out->value.lane[i] = !known  ? q->env->filler
                             : fixed ? place
                                     : 2 * q->quad[file].value.lane[i] + place;
        out->defined.lane[i] = known ? UINT32_MAX : 0;
    }
}

/* MS_FLAGS (A), REV_FLAG (B): clause ms-rev-flags-storage. */
static void read_flag_register(struct qpu *q, unsigned file, struct qpu_value *out)
{
    bool old = false;
    if (!file && q->graphics && q->graphics->z_written && q->now < q->graphics->z_written + 2) {
        qpu_consult(q, QPU_TLB_Z_MS_FLAGS);
        if (qpu_reading(q, QPU_TLB_Z_MS_FLAGS) == READING_MANUAL) {
            *out = q->undefined;
            return;
        }
        old = qpu_reading(q, QPU_TLB_Z_MS_FLAGS) == TLB_Z_MS_FLAGS_OLD;
    }
    qpu_consult(q, QPU_MS_REV_FLAGS_STORAGE);
    bool silicon = qpu_reading(q, QPU_MS_REV_FLAGS_STORAGE) == MS_REV_REPLICATED;
    if (silicon && q->ms_rev_written[file] != UINT64_MAX && q->now - q->ms_rev_written[file] <= 1) {
        *out = q->undefined;
        return;
    }
    const struct qpu_value *from = file ? &q->rev_flag : old ? &q->graphics->ms_before : &q->ms_flags;
    uint32_t mask = file ? 1 : 15;
    struct qpu_value v;
    for (unsigned i = 0; i < VC4_LANES; i++) {
        unsigned e = file && silicon ? 0 : i;
        v.value.lane[i] = from->value.lane[e] & mask;
        v.defined.lane[i] = from->defined.lane[e] | ~mask;
    }
    give(q, out, &v);
}

static void read_vpm(struct qpu *q, unsigned file, struct qpu_value *out)
{
    (void)file;
    qpu_halt_if(q, vpm_read(q->vpm, &out->value, &out->defined, q->now));
}

static void read_status(struct qpu *q, enum vpm_status which, unsigned file, struct qpu_value *out)
{
    struct qpu_value unmapped;
    if (!q->wanted) {
        vpm_pass_status(q->vpm, which);
        give_word(out, 0, UINT32_MAX);
        return;
    }
    qpu_read_stale(q, file, &unmapped);
    qpu_halt_if(q, vpm_read_status(q->vpm, which, &unmapped.value, &out->value, &out->defined, q->now));
    bool old_data =
        q->env->profile->reading[which <= VPM_STORE_BUSY ? VPM_CLAUSE_BUSY : VPM_CLAUSE_WAIT_DATA] ==
        VPM_STATUS_UNMAPPED;
    for (unsigned i = 0; old_data && i < VC4_LANES; i++)
        out->defined.lane[i] &= unmapped.defined.lane[i];
}

static void read_busy(struct qpu *q, unsigned file, struct qpu_value *out)
{
    read_status(q, file ? VPM_STORE_BUSY : VPM_LOAD_BUSY, file, out);
}

static void read_wait(struct qpu *q, unsigned file, struct qpu_value *out)
{
    read_status(q, file ? VPM_STORE_WAIT : VPM_LOAD_WAIT, file, out);
}

/* MUTEX_ACQUIRE (p24): waits until the mutex is free; one QPU alone waits for ever for what it holds itself.
 */
static void read_mutex(struct qpu *q, unsigned file, struct qpu_value *out)
{
    if (q->shared->mutex_held) { /* only by the other file's read in this instruction: qpu_must_wait looked
                                    before it */
        qpu_halt(q, VC4_HANG_MUTEX);
        return;
    }
    q->shared->mutex_held = 1;
    q->shared->mutex_holder = q->number.value.lane[0];
    q->mutex_touched = true;
    switch (qpu_reading(q, QPU_MUTEX_READ_DATA)) {
    case MUTEX_READ_CONSTANT:
        give_word(out, 0xFC2FF000, UINT32_MAX);
        return;
    case MUTEX_READ_STALE:
        qpu_read_stale(q, file, out);
        return;
    }
    *out = q->number;
    for (unsigned i = 0; !file && i < VC4_LANES; i++)
        out->value.lane[i] = i;
}

/* Uniforms, varyings, VPM and its DMA in the end instruction or its two slots (p37; clause end-io-access)? */
static bool is_too_late(struct qpu *q, unsigned address)
{
    static const uint64_t forbidden =
        UINT64_C(1) << QPU_R_UNIFORM | UINT64_C(1) << QPU_R_VARYING | UINT64_C(7) << QPU_R_VPM;
    if (q->end_due == UINT64_MAX || !(forbidden >> address & 1))
        return false;
    qpu_consult(q, QPU_END_IO_ACCESS);
    return qpu_reading(q, QPU_END_IO_ACCESS) != END_IO_WORKS;
}

void qpu_read_io(struct qpu *q, unsigned file, unsigned address, struct qpu_value *out)
{
    if (is_too_late(q, address)) {
        *out = q->undefined;
        return;
    }
    static void (*const rows[32])(struct qpu * q, unsigned file, struct qpu_value *out) = {
        [QPU_R_UNIFORM - QPU_FILE_ROWS] = read_uniform,
        [QPU_R_VARYING - QPU_FILE_ROWS] = read_varying,
        [QPU_R_COORDINATE - QPU_FILE_ROWS] = read_coordinate,
        [QPU_R_FLAGS - QPU_FILE_ROWS] = read_flag_register,
        [QPU_R_VPM - QPU_FILE_ROWS] = read_vpm,
        [QPU_R_DMA_BUSY - QPU_FILE_ROWS] = read_busy,
        [QPU_R_DMA_WAIT - QPU_FILE_ROWS] = read_wait,
        [QPU_R_MUTEX - QPU_FILE_ROWS] = read_mutex,
    };
    rows[address - QPU_FILE_ROWS](q, file, out);
}

/* ---- writes ---- */

/* The word of element 0, as setups and addresses are taken (p55-56). False: element 0's condition failed. */
static bool first_word(struct qpu *q, const struct qpu_result *r, uint32_t *word, uint32_t *defined)
{
    *word = r->value.lane[0];
    *defined = q->env->checked ? r->defined.lane[0] : UINT32_MAX;
    if (q->env->checked && !r->lanes_defined.lane[0])
        qpu_halt(q, VC4_FAULT_UNDEFINED);
    return !q->stop && r->lanes.lane[0];
}

/* The same for the VPM's registers, which no condition may keep from acting (clause cond-write-peripheral).
 */
static bool vpm_word(struct qpu *q, const struct qpu_result *r, uint32_t *word, uint32_t *defined)
{
    unsigned reading = qpu_reading(q, QPU_COND_WRITE_PERIPHERAL);
    if (reading == READING_MANUAL)
        return first_word(q, r, word, defined);
    bool holds = r->lanes.lane[0] && (!q->env->checked || r->lanes_defined.lane[0]);
    bool known = reading == COND_WRITE_UNCONDITIONAL || holds;
    *word = known || r->lanes.lane[0] ? r->value.lane[0] : q->env->filler;
    *defined = known ? (q->env->checked ? r->defined.lane[0] : UINT32_MAX) : 0;
    return true;
}

static uint32_t lane_bits(const struct vc4_vector *lanes)
{
    uint32_t bits = 0;
    for (unsigned i = 0; i < VC4_LANES; i++)
        bits |= (lanes->lane[i] & 1) << i;
    return bits;
}

/* HOST_INT (p24; clause host-int-nonzero). */
static void write_host_interrupt(struct qpu *q, unsigned file, struct qpu_result *r)
{
    (void)file;
    bool any_write = qpu_reading(q, QPU_HOST_INT_NONZERO) == READING_MANUAL;
    bool raised = false, perhaps = false;
    for (unsigned i = 0; i < VC4_LANES; i++) {
        bool lane = r->lanes.lane[i], value = any_write || r->value.lane[i];
        raised = raised || (lane && value && !q->env->checked);
        if (!q->env->checked)
            continue;
        bool lane_known = r->lanes_defined.lane[i],
             some_bit = any_write || (r->value.lane[i] & r->defined.lane[i]);
        raised = raised || (lane_known && lane && some_bit);
        perhaps =
            perhaps || ((!lane_known || lane) && (any_write || r->value.lane[i] || ~r->defined.lane[i]));
    }
    if (raised) {
        q->shared->host_interrupt = q->shared->host_interrupt_defined = 1;
    } else if (perhaps && !q->shared->host_interrupt) {
        q->shared->host_interrupt_defined = 0;
    }
    q->interrupt_touched = q->interrupt_touched || raised || perhaps;
}

static void write_noswap(struct qpu *q, unsigned file, struct qpu_result *r)
{
    (void)file;
    qpu_write_noswap(q, r);
}

/* UNIFORMS_ADDRESS (p22; clauses unif-addr-b, unif-addr-delay). */
static void write_uniforms_address(struct qpu *q, unsigned file, struct qpu_result *r)
{
    uint32_t word, defined;
    if (!first_word(q, r, &word, &defined))
        return;
    if (defined != UINT32_MAX) {
        qpu_halt(q, VC4_FAULT_UNDEFINED);
        return;
    }
    q->uniforms_before = q->uniforms;
    q->uniforms_changed = q->now;
    struct qpu_uniforms *u = &q->uniforms;
    bool relative = file && qpu_reading(q, QPU_UNIF_ADDR_B) == UNIF_ADDR_RELATIVE;
    if (relative && !u->in_memory) {
        u->next += word / 4;
        return;
    }
    u->address = (relative ? u->address + word : word) & ~UINT32_C(3);
    u->in_memory = true;
    uint32_t unused;
    if (q->env->limits && !vc4_reach(q->env, u->address, 4, VC4_TAKES_UNIFORM,
                                     &unused)) /* it is read ahead as soon as it is set */
        qpu_halt(q, VC4_FAULT_MEMORY);
    u->lost = u->lost && relative;
}

static void keep(struct qpu *q, struct qpu_value *to, const struct qpu_result *r)
{
    q->pixels_written = true;
    vector_select(&to->value, &r->value, &r->lanes);
    if (!q->env->checked) {
        struct vc4_vector all;
        vector_splat(&all, UINT32_MAX);
        vector_select(&to->defined, &all, &r->lanes);
        return;
    }
    vector_select(&to->defined, &r->defined, &r->lanes);
    for (unsigned i = 0; i < VC4_LANES; i++)
        to->defined.lane[i] &= r->lanes_defined.lane[i];
}

static void write_quad(struct qpu *q, unsigned file, struct qpu_result *r)
{
    keep(q, &q->quad[file], r);
}

static void write_flag_register(struct qpu *q, unsigned file, struct qpu_result *r)
{
    keep(q, file ? &q->rev_flag : &q->ms_flags, r);
    q->ms_rev_written[file] = q->now;
}

static void write_vpm(struct qpu *q, unsigned file, struct qpu_result *r)
{
    (void)file;
    uint32_t lanes = lane_bits(&r->lanes);
    if (q->env->checked) {
        uint32_t known = lane_bits(&r->lanes_defined);
        if (~known & 0xFFFF && !(lanes & known)) { /* whether anything is pushed at all depends on it */
            qpu_halt(q, VC4_FAULT_UNDEFINED);
            return;
        }
        for (unsigned i = 0; i < VC4_LANES; i++)
            r->defined.lane[i] &= r->lanes_defined.lane[i];
        lanes |= ~known & 0xFFFF;
    }
    qpu_halt_if(q, vpm_write(q->vpm, &r->value, q->env->checked ? &r->defined : NULL, lanes, q->now));
}

static void write_vpm_setup(struct qpu *q, unsigned file, struct qpu_result *r)
{
    uint32_t word, defined;
    if (vpm_word(q, r, &word, &defined))
        qpu_halt_if(q, (file ? vpm_write_setup : vpm_read_setup)(q->vpm, word, defined, q->now));
}

static void write_dma_address(struct qpu *q, unsigned file, struct qpu_result *r)
{
    uint32_t word, defined;
    if (vpm_word(q, r, &word, &defined))
        qpu_halt_if(q, (file ? vpm_dma_store : vpm_dma_load)(q->vpm, word, defined, q->now));
}

static void write_mutex(struct qpu *q, unsigned file, struct qpu_result *r)
{
    (void)file;
    uint32_t word, defined;
    if (!first_word(q, r, &word, &defined))
        return;
    q->shared->mutex_held = 0;
    q->shared->changes++;
    q->mutex_touched = true;
}

/* SFU (p23, p37): the result reaches r4 for the third instruction after this one. */
static void write_sfu(struct qpu *q, enum sfu_function f, struct qpu_result *r)
{
    bool busy = q->sfu_due != UINT64_MAX;
    alu_sfu(&q->rules->alu, f, &r->value, &q->sfu.value, &q->sfu.defined);
    alu_cover_list(alu_sfu_clauses[f], q->env->coverage);
    if (q->env->checked)
        alu_sfu_narrow(&r->defined, &q->sfu.defined);
    q->sfu.lanes = r->lanes;
    q->sfu.lanes_defined = q->env->checked ? r->lanes_defined : q->all;
    if (busy) { /* p37: must not; two results meet */
        qpu_consult(q, QPU_SFU_R4_HAZARD);
        q->sfu.value = q->undefined.value;
        q->sfu.defined = q->undefined.defined;
        q->sfu.lanes = q->all;
    }
    q->sfu_due = q->now + 3;
    qpu_look_up(q);
}

void qpu_deliver_sfu(struct qpu *q)
{
    struct vc4_vector *r4 = &q->acc.value[4];
    vector_select(r4, &q->sfu.value, &q->sfu.lanes);
    if (q->env->checked) {
        vector_select(&q->acc.defined[4], &q->sfu.defined, &q->sfu.lanes);
        for (unsigned i = 0; i < VC4_LANES; i++)
            q->acc.defined[4].lane[i] &= q->sfu.lanes_defined.lane[i];
    }
    vc4_touch(&q->acc, 4);
    q->sfu_due = UINT64_MAX;
}

/* p38 T14 gives address 52 to the reciprocal, p23 to the square root (clause sfu-list). */
static void write_sfu_recip(struct qpu *q, unsigned file, struct qpu_result *r)
{
    (void)file;
    write_sfu(q, qpu_reading(q, QPU_SFU_LIST) == SFU_LIST_REGISTER_MAP ? SFU_RECIP : SFU_SQRT, r);
}
static void write_sfu_recipsqrt(struct qpu *q, unsigned file, struct qpu_result *r)
{
    (void)file;
    write_sfu(q, SFU_RECIPSQRT, r);
}
static void write_sfu_exp(struct qpu *q, unsigned file, struct qpu_result *r)
{
    (void)file;
    write_sfu(q, SFU_EXP, r);
}
static void write_sfu_log(struct qpu *q, unsigned file, struct qpu_result *r)
{
    (void)file;
    write_sfu(q, SFU_LOG, r);
}

void qpu_write_io(struct qpu *q, unsigned file, unsigned address, struct qpu_result *r)
{
    if (is_too_late(q, address)) {
        bool lost = qpu_reading(q, QPU_END_IO_ACCESS) == END_IO_LOST;
        if (lost)
            return;
        if (q->env->checked) {
            qpu_halt(q, VC4_FAULT_UNDEFINED);
            return;
        }
    }
    static void (*const rows[32])(struct qpu * q, unsigned file, struct qpu_result *r) = {
        [QPU_W_TMU_NOSWAP - QPU_FILE_ROWS] = write_noswap,
        [QPU_W_INTERRUPT - QPU_FILE_ROWS] = write_host_interrupt,
        [QPU_W_UNIFORMS_ADDRESS - QPU_FILE_ROWS] = write_uniforms_address,
        [QPU_W_COORDINATE - QPU_FILE_ROWS] = write_quad,
        [QPU_W_FLAGS - QPU_FILE_ROWS] = write_flag_register,
        [QPU_W_VPM - QPU_FILE_ROWS] = write_vpm,
        [QPU_W_VPM_SETUP - QPU_FILE_ROWS] = write_vpm_setup,
        [QPU_W_DMA_ADDRESS - QPU_FILE_ROWS] = write_dma_address,
        [QPU_W_MUTEX - QPU_FILE_ROWS] = write_mutex,
        [QPU_W_SFU_RECIP - QPU_FILE_ROWS] = write_sfu_recip,
        [QPU_W_SFU_RECIPSQRT - QPU_FILE_ROWS] = write_sfu_recipsqrt,
        [QPU_W_SFU_EXP - QPU_FILE_ROWS] = write_sfu_exp,
        [QPU_W_SFU_LOG - QPU_FILE_ROWS] = write_sfu_log,
    };
    if (rows[address - QPU_FILE_ROWS])
        rows[address - QPU_FILE_ROWS](q, file, r);
    else if (address >= QPU_W_TMU0_S)
        qpu_write_tmu(q, address, r);
    else /* the tile buffer's, 43 to 47 */
        qpu_write_tile(q, address, r);
}
