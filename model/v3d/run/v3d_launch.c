/* SPDX-License-Identifier: MIT */
/* The launch of a compute job: which batches start, and what their registers hold then. The facts are those
 * of Mesa's compiler and drivers, and of py-videocore6 and 7. */
#include "model/v3d/run/v3d_observe.h"

#include <stddef.h>
#include <string.h>

/* What makes zeros of denormal numbers, by each reading of v3d-denormal. */
static const uint8_t flushed_by[READINGS_MAX] = {
    [V3D_DENORMAL_FLUSHED] = V3D_FLUSH_ADD | V3D_FLUSH_MUL | V3D_FLUSH_HALVES,
    [V3D_DENORMAL_SINGLE] = V3D_FLUSH_ADD | V3D_FLUSH_MUL,
    [V3D_DENORMAL_ADD] = V3D_FLUSH_ADD,
    [V3D_DENORMAL_MUL] = V3D_FLUSH_MUL,
    [V3D_DENORMAL_HALVES] = V3D_FLUSH_HALVES,
};

void v3d_follow(struct v3d_machine *m, const struct profile *p, struct coverage *c)
{
    m->rules = (struct v3d_alu_rules){
        .tie = p->reading[V3D_CLAUSE_ROUND_TIE],
        .to_int = p->reading[V3D_CLAUSE_TO_INT],
        .min_max_nan = p->reading[V3D_CLAUSE_MIN_MAX_NAN],
        .denormal = flushed_by[p->reading[V3D_CLAUSE_DENORMAL]],
        .vadd = p->reading[V3D_CLAUSE_VADD],
        .faddnf = p->reading[V3D_CLAUSE_FADDNF],
        .ftoc = p->reading[V3D_CLAUSE_FTOC],
        .zero_flag = p->reading[V3D_CLAUSE_ZERO_FLAG],
        .rtop = p->reading[V3D_CLAUSE_RTOP],
        .funpack = p->reading[V3D_CLAUSE_FUNPACK],
        .flpop = p->reading[V3D_CLAUSE_FLPOP],
        .first_lane = p->reading[V3D_CLAUSE_FIRST_LANE],
        .norm_round = p->reading[V3D_CLAUSE_NORM_ROUND],
        .v8pack = p->reading[V3D_CLAUSE_V8PACK],
        .half_round = p->reading[V3D_CLAUSE_HALF_ROUND],
        .fcmp_flags = p->reading[V3D_CLAUSE_FCMP_FLAGS],
        .itof_round = p->reading[V3D_CLAUSE_ITOF_ROUND],
        .across_cond = p->reading[V3D_CLAUSE_ACROSS_COND],
        .sine = p->reading[V3D_CLAUSE_SINE],
        .sfu_special = p->reading[V3D_CLAUSE_SFU_SPECIAL],
        .float_round = p->reading[V3D_CLAUSE_FLOAT_ROUND],
        .nan_bits = p->reading[V3D_CLAUSE_NAN_BITS],
        .zeros_tie = p->reading[V3D_CLAUSE_MIN_MAX_ZERO],
        .rtop_bytes = p->reading[V3D_CLAUSE_RTOP_BYTES],
        .negative = p->reading[V3D_CLAUSE_SFU_NEGATIVE],
        .v10pack = p->reading[V3D_CLAUSE_V10PACK],
        .v11_round = p->reading[V3D_CLAUSE_V11_ROUND],
        .v11_range = p->reading[V3D_CLAUSE_V11_RANGE],
    };
    m->keeps_old = p->reading[V3D_CLAUSE_FORWARD] != READING_MANUAL;
    m->profile = p;
    m->coverage = c;
}

uint64_t v3d_named_registers(const struct v3d_insn *program, uint32_t count)
{
    uint64_t set = 15; /* the payload, and rf0 of ldunif */
    for (const struct v3d_insn *i = program; i < program + count; i++) {
        set |= UINT64_C(1) << i->branch.raddr | UINT64_C(1) << i->sig_addr;
        for (unsigned h = 0; h < V3D_HALVES; h++)
            set |= UINT64_C(1) << i->half[h].waddr | UINT64_C(1) << i->half[h].src[0].index |
                   UINT64_C(1) << i->half[h].src[1].index;
    }
    return set | set >> (V3D_REGISTERS / 2); /* with four threads, if those of the upper half are aliases */
}

/* The launch words, decoded. */
struct job {
    uint32_t count[3], start[3];         /* workgroups: how many, and the first one's id */
    uint32_t size, groups_together;      /* invocations in a workgroup, workgroups in a supergroup */
    uint32_t batches_together, batches;  /* in a supergroup, in the job */
    uint32_t supergroups;                /* that can run at the same time */
    uint32_t code, uniforms, index_bits; /* bits of a local invocation index */
    bool single_segment;
};

/* Returns how many batches a word CFG4 means. */
static uint32_t batches_of(const struct v3d_machine *m, uint32_t word)
{
    unsigned reading = v3d_consult(m, V3D_CLAUSE_BATCHES);
    bool from_0 = reading == V3D_BATCHES_MINUS_ONE || (reading == READING_MANUAL && m->generation == V3D_42);
    return word + from_0;
}

static uint32_t at_least_1(uint32_t number)
{
    return number ? number : 1;
}

/* Passes the sizes that CFG3 states. */
static void see_sizes(const struct v3d_machine *m, uint32_t word, struct job *j)
{
    j->size = at_least_1(V3D_SEE(m, START_SIZE, j->size, word));
    j->groups_together = at_least_1(V3D_SEE(m, START_TOGETHER, j->groups_together, word));
    j->batches_together = at_least_1(V3D_SEE(m, START_BATCHES_TOGETHER, j->batches_together, word));
    j->supergroups = at_least_1(V3D_SEE(m, START_SUPERGROUPS, j->supergroups, word));
}

static struct job job_of(const struct v3d_machine *m, const uint32_t *config)
{
    struct job j = {.batches_together = (config[3] >> 12 & 0xFF) + 1,
                    .supergroups = (config[3] >> 20 & 0x3F) + 1,
                    .code = config[5] & ~7U,
                    .uniforms = config[6],
                    .single_segment = config[5] >> 1 & 1,
                    .index_bits = 6};
    for (unsigned n = 0; n < 3; n++) {
        j.count[n] = V3D_SEE(m, START_COUNT, config[n] >> 16, config[n], n);
        j.start[n] = V3D_SEE(m, START_FIRST, config[n] & 0xFFFF, config[n], n);
    }
    j.code = V3D_SEE(m, START_CODE, j.code, config[5]);
    j.uniforms = V3D_SEE(m, START_UNIFORMS, j.uniforms, config[6]);
    j.single_segment = V3D_SEE(m, START_SINGLE, j.single_segment, config[5]);
    j.size = config[3] & 0xFF ? config[3] & 0xFF : 256;
    j.groups_together = config[3] >> 8 & 15;
    if (!j.groups_together)
        j.groups_together = v3d_consult(m, V3D_CLAUSE_GROUPS_16) == V3D_GROUPS_ONE ? 1 : 16;
    j.batches = V3D_SEE(m, START_BATCHES, batches_of(m, config[4]), config[4], m->generation == V3D_71);
    if (m->observer)
        see_sizes(m, config[3], &j);
    while (j.size > 1U << j.index_bits)
        j.index_bits++;
    const uint32_t bits = V3D_SEE(m, START_INDEX_BITS, j.index_bits, j.size);
    j.index_bits = bits ? bits : j.index_bits;
    return j;
}

/* Returns a / b. Most quotients are a or 0, and divisions took a fiftieth of the time of fuzzing. */
static uint32_t divide(uint32_t a, uint32_t b)
{
    return b == 1 ? a : a < b ? 0 : a / b;
}

/* Of functions of a lane: those that nobody observes must not ask for an observer at each step. */
#define STARTS static inline __attribute__((always_inline))

/* What the lanes of a batch are, as inputs of points: the number of the workgroup in the job, and that of the
 * invocation in its workgroup. */
struct invocations {
    uint32_t group[V3D_LANES], local[V3D_LANES], slot[V3D_LANES], index_bits;
};

/* Sets the registers that tell a lane which invocation it is, and its multisample flags. */
STARTS void start_lane(const struct observer *o, const struct job *j, const struct v3d_machine *m,
                       struct v3d_thread *t, uint32_t supergroup, uint32_t batch, unsigned lane,
                       struct invocations *ids)
{
    uint32_t invocation = batch * V3D_LANES + lane;
    invocation = OBSERVE(o, V3D_POINT_START_INVOCATION, invocation, lane, batch, supergroup, j->size);
    uint32_t group = divide(invocation, j->size);
    group = OBSERVE(o, V3D_POINT_START_GROUP, group, invocation, j->size, lane);
    uint32_t local = OBSERVE(o, V3D_POINT_START_INDEX, invocation - group * j->size, invocation, group,
                             j->size, lane),
             number = supergroup * j->groups_together + group,
             total = j->count[0] * j->count[1] * j->count[2];
    number = OBSERVE(o, V3D_POINT_START_NUMBER, number, group, supergroup, j->groups_together, lane);
    total = OBSERVE(o, V3D_POINT_START_TOTAL, total, j->count[0], j->count[1], j->count[2]);
    uint32_t row = divide(number, j->count[0]);
    row = OBSERVE(o, V3D_POINT_START_ROW, row, number, j->count[0], lane);
    uint32_t plane = divide(row, j->count[1]);
    plane = OBSERVE(o, V3D_POINT_START_PLANE, plane, row, j->count[1], lane);
    uint32_t in_row = number - row * j->count[0], in_plane = row - plane * j->count[1];
    in_row = OBSERVE(o, V3D_POINT_START_WITHIN, in_row, number, row, j->count[0], 0);
    in_plane = OBSERVE(o, V3D_POINT_START_WITHIN, in_plane, row, plane, j->count[1], 1);
    uint32_t x = in_row + j->start[0], y = in_plane + j->start[1], z = plane + j->start[2];
    x = OBSERVE(o, V3D_POINT_START_COORDINATE, x, number, 0, j->count[0], j->start[0], row, plane, in_row);
    y = OBSERVE(o, V3D_POINT_START_COORDINATE, y, number, 1, j->count[1], j->start[1], row, plane, in_plane);
    z = OBSERVE(o, V3D_POINT_START_COORDINATE, z, number, 2, j->count[2], j->start[2], row, plane, plane);
    uint32_t turn = supergroup % j->supergroups;
    turn = OBSERVE(o, V3D_POINT_START_TURN, turn, supergroup, j->supergroups);
    uint32_t slot = turn * j->groups_together + group;
    slot =
        OBSERVE(o, V3D_POINT_START_SLOT, slot, group, supergroup, j->supergroups, j->groups_together, turn);
    const uint32_t place = 32 - j->index_bits;
    uint32_t of_slot = slot << 16 & ((1U << place) - 1);
    of_slot = OBSERVE(o, V3D_POINT_START_SLOT_BITS, of_slot, slot, place, lane);
    uint32_t index = local << place | of_slot;
    unsigned id = m->generation == V3D_42 ? 0 : 3;
    /* A job can have more batches than its workgroups fill. All lanes of such a batch run. */
    uint32_t first_of_batch = supergroup * j->groups_together + divide(batch * V3D_LANES, j->size);
    bool beyond = first_of_batch >= total;
    bool lives = beyond || (group < j->groups_together && number < total);
    t->rf[id].value.lane[lane] = (x & 0xFFFF) | y << 16;
    t->rf[2].value.lane[lane] = (z & 0xFFFF) | index;
    if (!lives)
        lives = v3d_consult(m, V3D_CLAUSE_MSF) == V3D_MSF_ALL_LANES;
    lives = OBSERVE(o, V3D_POINT_START_LIVE, lives, lane, supergroup, batch, number, total, beyond, group,
                    j->groups_together);
    ids->group[lane] = number;
    ids->local[lane] = local;
    ids->slot[lane] = slot;
    t->alu.msf.lane[lane] = lives ? 15 : 0;
    t->started = (uint16_t)(t->started | lives << lane);
}

/* A Raspberry Pi 4 has 8 QPUs, and a Raspberry Pi 5 has 12. */
static uint32_t qpus_of(const struct v3d_machine *m)
{
    return m->generation == V3D_42 ? 8 : 12;
}

/* Returns how many threads of a job a chip can run at the same time. */
static uint32_t threads_of(const struct v3d_machine *m)
{
    return qpus_of(m) * (m->four_threads ? 4 : 2);
}

/* Returns the number of a thread: that of its QPU, then two bits of the thread on this QPU. The first batches
 * go to different QPUs. */
static uint32_t thread_of_qpu(const struct v3d_machine *m, uint32_t number)
{
    const uint32_t qpus = qpus_of(m);
    return number % qpus * 4 + number / qpus * (m->four_threads ? 1 : 2);
}

static void see_ids(const struct v3d_machine *m, unsigned point, const struct invocations *ids,
                    const struct v3d_vector *before, uint32_t supergroup, uint32_t batch,
                    struct v3d_vector *v)
{
    uint32_t input[4 * V3D_LANES + 3], *rest = input + (size_t)3 * V3D_LANES;
    if (!observer_wants(m->observer, point))
        return;
    memcpy(input, ids->group, sizeof ids->group);
    memcpy(input + V3D_LANES, ids->local, sizeof ids->local);
    memcpy(input + (size_t)2 * V3D_LANES, before->lane, sizeof before->lane);
    if (point == V3D_POINT_START_LOCAL) {
        memcpy(rest, ids->slot, sizeof ids->slot);
        rest += V3D_LANES;
    }
    memcpy(rest, (const uint32_t[]){supergroup, batch, ids->index_bits}, 3 * sizeof *rest);
    observe_lanes(m->observer, point, v->lane, input);
}

static void start_thread(const struct job *j, const struct v3d_machine *m, struct v3d_thread *t,
                         uint32_t supergroup, uint32_t batch)
{
    memset(&t->alu, 0, sizeof t->alu);
    memset(&t->sfu, 0, sizeof t->sfu);
    for (uint64_t left = ~m->idle; left; left &= left - 1) {
        unsigned n = (unsigned)__builtin_ctzll(left);
        t->rf[n] = m->rf[n];
    }
    memcpy(t->acc, m->acc, sizeof t->acc);
    t->tmu.config = UINT32_MAX;
    t->tmu.data_count = t->tmu.result_first = t->tmu.result_count = 0;
    t->pc = (j->code - m->code_base) / 8;
    t->target = 0;
    t->uniform = j->uniforms;
    t->unifa = t->unifa_before = t->uniform_before = 0;
    t->unifa_step = 0;
    t->unsure_a = t->unsure_b = t->unsure_rtop = 0;
    t->sfu_in = t->branch_in = t->switch_in = t->end_in = 0;
    t->after_switch = t->barrier = t->at_barrier = t->late = t->ended = t->set_msf = t->now = false;
    t->lost = t->stream_lost = t->unifa_lost = t->unifa_doubt = t->rested = false;
    t->started = 0;
    t->wrote_rf = m->generation == V3D_42 ? 1 | 4 : 4 | 8; /* the payload */
    t->wrote_acc = 0;
    t->old[0].registers = t->old[1].registers = t->old[0].count = t->old[1].count = 0;
    t->last = j->single_segment;
    t->alu.rules = m->rules;
    t->alu.filler = m->filler;
    t->alu.flag_a = (uint16_t)V3D_SEE(m, START_FLAGS, m->flag_a, 0, supergroup, batch);
    t->alu.flag_b = (uint16_t)V3D_SEE(m, START_FLAGS, m->flag_b, 1, supergroup, batch);
    uint32_t number = (supergroup * j->batches_together + batch) % threads_of(m);
    t->alu.thread_index = number;
    if (m->profile->reading[V3D_CLAUSE_TIDX] == V3D_TIDX_BY_QPU)
        t->alu.thread_index = thread_of_qpu(m, number);
    t->alu.thread_index = V3D_SEE(m, START_THREAD, t->alu.thread_index, supergroup, batch,
                                  j->batches_together, m->generation == V3D_71);
    struct invocations ids;
    ids.index_bits = j->index_bits;
    for (unsigned i = 0; i < V3D_LANES && m->observer; i++)
        start_lane(m->observer, j, m, t, supergroup, batch, i, &ids);
    for (unsigned i = 0; i < V3D_LANES && !m->observer; i++)
        start_lane(NULL, j, m, t, supergroup, batch, i, &ids);
    t->unsure_msf = t->started;
    unsigned id = m->generation == V3D_42 ? 0 : 3;
    if (m->observer) {
        see_ids(m, V3D_POINT_START_ID, &ids, &m->rf[id].value, supergroup, batch, &t->rf[id].value);
        see_ids(m, V3D_POINT_START_LOCAL, &ids, &m->rf[2].value, supergroup, batch, &t->rf[2].value);
    }
    t->rf[2].unsure = t->rf[id].unsure = 0;
    if (m->four_threads)
        v3d_lose_neighbours(m, t);
}

/* Runs a thread, which is batch `b` of the job. */
static enum v3d_stop run_batch(struct v3d_machine *m, struct v3d_thread *t, uint32_t b)
{
    if (m->sharing)
        m->sharing->thread = (uint16_t)(b + 1);
    return v3d_run_thread(m, t);
}

static void begin_stage(struct v3d_machine *m, bool of_supergroup)
{
    if (!m->sharing)
        return;
    m->sharing->stage++;
    if (of_supergroup)
        m->sharing->first_stage = m->sharing->stage;
}

/* Runs the batches of a supergroup. Those that reach a barrier go on when all have reached it. */
static enum v3d_stop run_supergroup(struct v3d_machine *m, const struct job *j, uint32_t supergroup,
                                    uint32_t batches)
{
    unsigned waiting = 0, kept = 0;
    const uint32_t first = supergroup * j->batches_together;
    enum v3d_stop stop = V3D_GO;
    begin_stage(m, true);
    for (uint32_t b = 0; b < batches && !stop; b++) {
        if (V3D_SEE(m, BARRIER_HANGS, kept == threads_of(m), kept, batches, 0) || kept == V3D_THREADS_MAX)
            return V3D_HANG_BARRIER;
        if (m->first == &m->thread[kept]) {
            m->kept = m->thread[kept];
            m->first = &m->kept;
        }
        start_thread(j, m, &m->thread[kept], supergroup, b);
        m->first = m->first ? m->first : &m->thread[kept];
        stop = run_batch(m, &m->thread[kept], first + b);
        kept += m->thread[kept].at_barrier;
        waiting = kept;
    }
    if (V3D_SEE(m, BARRIER_HANGS, waiting && kept != batches, kept, batches, 1))
        return stop ? stop : V3D_HANG_BARRIER;
    while (waiting && !stop) {
        unsigned still = 0;
        begin_stage(m, false);
        for (unsigned n = 0; n < kept && !stop; n++) {
            if (m->thread[n].ended)
                continue;
            stop = run_batch(m, &m->thread[n], first + n);
            still += m->thread[n].at_barrier;
        }
        if (V3D_SEE(m, BARRIER_HANGS, still && still != waiting && !stop, still, batches, 2))
            return stop ? stop : V3D_HANG_BARRIER;
        waiting = still;
    }
    return stop;
}

enum v3d_stop v3d_launch(struct v3d_machine *m, const uint32_t config[V3D_CONFIG_WORDS])
{
    struct job j = job_of(m, config);
    m->four_threads = V3D_SEE(m, START_FOUR_THREADS, config[5] & 1, config[5]);
    m->propagates = V3D_SEE(m, START_PROPAGATES, config[5] >> 2 & 1, config[5]);
    if (m->profile->reading[V3D_CLAUSE_MIN_MAX_NAN] == V3D_NAN_BY_BIT)
        m->rules.min_max_nan = m->generation == V3D_42 && m->propagates;
    m->one_batch = j.batches == 1;
    v3d_lose(m, &m->unknown, V3D_ALL_LANES);
    m->keeps_old = m->keeps_old || observer_wants(m->observer, V3D_POINT_RF_VALUE);
    m->steps = 0;
    m->first = NULL;
    if (!j.count[0] || !j.count[1] || !j.count[2])
        return V3D_FAULT_LAUNCH;
    for (uint32_t done = 0, supergroup = 0; done < j.batches; supergroup++) {
        uint32_t left = j.batches - done, now = left < j.batches_together ? left : j.batches_together;
        now = at_least_1(V3D_SEE(m, START_NOW, now, left, j.batches_together, supergroup));
        enum v3d_stop stop = run_supergroup(m, &j, supergroup, now);
        if (stop)
            return stop;
        done += now;
    }
    return V3D_GO;
}
