/* SPDX-License-Identifier: MIT */
/*
 * A wave and its buffer instructions: the plan of an instruction with its V# (struct buffer_plan, made once
 * for all lanes), the addresses and range checks of the lanes, and the data that they move. The case's form
 * is in unit_buffer.h.
 *
 * The only memory is the case's. It begins at address 0, so BASE is an offset into it. All other addresses
 * are not resident, as in partially resident resources: loads from there return undefined data, stores there
 * are lost, and the trace shows both. To compare a machine with this model, a harness adds the address of the
 * machine's buffer to BASE, and refuses cases that leave the buffer.
 *
 * Sources: "RDNA3" guide chapter 9 and 8.1.2; for the older generations the "RDNA2" and "CDNA3" guides and
 * the CLRX assembler's documentation. Where they are unclear, a clause (amd_clauses.h) has the readings.
 */
#ifndef MISPRINT_MODEL_AMD_BUFFER_H
#define MISPRINT_MODEL_AMD_BUFFER_H

#include "model/amd/amd_clauses.h"
#include "model/amd/amd_convert.h"
#include "model/amd/encoding/amd_descriptor.h"
#include "model/amd/encoding/amd_insn.h"
#include "model/amd/points/amd_points.h"

#include <string.h>

enum {
    AMD_LANES = 64,
    AMD_VGPRS = 32,  /* the most that a case can allocate */
    AMD_SGPRS = 128, /* index: operand code; 106, 107: vcc; 108..123: trap temporaries */
    AMD_MEMORY_BYTES = 16384,
    AMD_LDS_BYTES = 2048,
    AMD_UNITS = 4, /* the most dwords that a lane moves */
};

/* Rows of 64 words of an outcome. */
struct amd_rows {
    uint32_t *value, *defined;
    uint64_t *touched;
    uint32_t first, rows;
};

static inline uint32_t *amd_row(const struct amd_rows *r, uint32_t row)
{
    return r->value + row * AMD_LANES;
}
static inline uint32_t *amd_row_defined(const struct amd_rows *r, uint32_t row)
{
    return r->defined + row * AMD_LANES;
}
static inline void amd_touch(const struct amd_rows *r, uint32_t row)
{
    r->touched[(r->first + row) / 64] |= UINT64_C(1) << ((r->first + row) % 64);
}

/* SH_MEM_CONFIG.alignment_mode ("RDNA3" guide 9.5) */
enum amd_alignment { AMD_ALIGN_DWORD, AMD_ALIGN_DWORD_STRICT, AMD_ALIGN_STRICT, AMD_ALIGN_UNALIGNED };

/* The outcome for a dword of a lane, in the trace's region `decision`. */
enum amd_decision {
    AMD_INACTIVE,
    AMD_DONE,
    AMD_OUT_OF_RANGE,
    AMD_VIOLATION,    /* misaligned: MEMVIOL */
    AMD_NOT_RESIDENT, /* outside the case's memory */
    AMD_NOTHING,      /* the instruction moves nothing: unbound, not a buffer, no such format */
};

/* How an instruction ends. */
enum amd_stop {
    AMD_GO,
    AMD_STOP_ENCODING,  /* a reserved encoding */
    AMD_STOP_OPERAND,   /* a reserved scalar operand */
    AMD_STOP_FORMAT,    /* a reserved data format */
    AMD_STOP_UNDEFINED, /* an address depends on an undefined bit */
};

enum { AMD_STATUS_MEM_VIOL, AMD_STATUS_BUFFER_OOB, AMD_STATUS_BITS }; /* TRAPSTS bits that this unit sets */

struct amd_wave {
    const struct profile *profile;
    struct coverage *coverage;
    const struct observer *observer; /* NULL: nothing observes the run */
    bool checked;
    uint32_t filler;
    enum amd_generation generation;
    enum amd_alignment alignment;
    uint64_t exec; /* active lanes, none beyond `lanes` */
    unsigned lanes;
    uint32_t m0, vgprs;
    bool any_type; /* for proofs: take every V# for a bound buffer, whatever its TYPE and format */
    uint32_t descriptor[AMD_DESCRIPTOR_WORDS]; /* s8..s11 */
    struct amd_decoded { /* caches the last V#: decoding takes a third of the time of a plan */
        bool made;
        enum amd_generation generation;
        uint32_t words[AMD_DESCRIPTOR_WORDS];
        struct amd_descriptor d;
    } decoded;
    struct amd_rows vgpr, sgpr, memory, lds, address, address_high, decision, status;
    uint32_t trace_row;               /* first of the AMD_UNITS rows of the current instruction */
    uint32_t serial;                  /* number of the current instruction, for `stamp`; never 0 */
    uint32_t stamp[AMD_MEMORY_BYTES]; /* checked runs, for each byte: 2 * serial of the instruction that wrote
                                         it last, + 1 if that instruction's lanes disagree */
};

/* Returns the profile's reading of a clause, and counts the clause as covered. Call it only where the reading
 * matters. */
static inline unsigned amd_consult(const struct amd_wave *w, unsigned clause, unsigned mode)
{
    cover(w->coverage, clause, mode);
    return reading_of(w->profile, clause);
}
#define READING_IN(clause, mode) amd_consult(w, AMD_CLAUSE_##clause, mode)
#define READING(clause)          READING_IN(clause, 0)

/* The observer of a wave. A file that defines it as NULL before it includes this one observes nothing, at no
 * cost. */
#ifndef AMD_OBSERVER
#define AMD_OBSERVER(w) ((w)->observer)
#endif

/* Passes `value` through an observation point. Returns the value to continue with, which a rule may have
 * changed. The remaining arguments are the point's inputs. */
#define AMD_OBSERVE(point, value, ...)                                                                       \
    ((uint32_t)OBSERVE(AMD_OBSERVER(w), AMD_POINT_##point, (uint32_t)(value), __VA_ARGS__))

static inline enum amd_stop amd_stop_of(uint32_t number)
{
    return number < AMD_STOP_UNDEFINED ? (enum amd_stop)number : AMD_STOP_ENCODING;
}

/* Passes the reason of a stop through an observation point. AMD_STOP_UNDEFINED means that the model cannot
 * continue. Hardware has no such event, so rules neither see nor choose it. */
#define AMD_OBSERVE_STOP(point, stop, ...)                                                                   \
    ((stop) == AMD_STOP_UNDEFINED ? (stop) : amd_stop_of(AMD_OBSERVE(point, (uint32_t)(stop), __VA_ARGS__)))

/* Applies clause address-above-48-bits to the sum of an address's parts. */
static inline uint64_t amd_address(const struct amd_wave *w, uint64_t sum)
{
    const uint64_t mask = (UINT64_C(1) << 48) - 1;
    return sum > mask && READING(ADDRESS_ABOVE_48_BITS) == READING_MANUAL ? sum & mask : sum;
}

/* Returns false if a bit of the register is undefined. s8..s11 hold the case's V# until an instruction writes
 * them. */
bool amd_scalar_read(const struct amd_wave *w, uint32_t number, uint32_t *value);
void amd_scalar_write(struct amd_wave *w, uint32_t number, uint32_t value, uint32_t defined);

/* ---- the meaning of an instruction ---- */

/* Which sum a range check compares. */
enum buffer_measure { BUFFER_NO_MEASURE, BUFFER_OFFSET, BUFFER_INDEX_AND_OFFSET, BUFFER_SWIZZLED_OFFSET };

struct buffer_range {
    bool none_valid;      /* all lanes are out of range */
    uint64_t index_limit; /* an index >= this is out of range */
    enum buffer_measure measure;
    uint64_t limit; /* measure + add + 4 * unit + payload > limit is out of range */
    uint64_t add;
    uint32_t payload;      /* bytes of a unit that are checked; 1: only its first byte */
    bool one_check;        /* unit 0's place decides for all units */
    uint32_t bytes;        /* that one check stands for, even if `payload` is 1 */
    uint32_t mode;         /* OOB_SELECT, and 4 if the V# asks for a swizzled buffer */
    uint32_t without_lane; /* 1: the check uses the VGPR's index, without the lane's number */
};

enum buffer_effect {
    BUFFER_MOVES,
    BUFFER_ZERO,      /* loads return 0 (or by selector), stores and atomics are dropped */
    BUFFER_UNTOUCHED, /* nothing happens */
};

struct buffer_lanes;

struct buffer_plan {
    const struct amd_insn *insn;
    const struct amd_op *op;
    struct amd_descriptor d;
    enum buffer_effect effect;
    bool to_lds, atomic, bound;
    uint32_t registers; /* of data, as encoded; without TFE's */

    /* the data of a lane */
    uint32_t bytes;                      /* in memory */
    unsigned units;                      /* dwords; data of 1 or 2 bytes is one unit */
    uint32_t unit_bytes;                 /* 1, 2 or 4 */
    const struct amd_layout_row *layout; /* NULL: no data format */
    struct amd_layout_row row;           /* observed runs: the layout after rules */
    enum amd_number number;
    struct amd_rules rules;
    uint8_t select[4];     /* dst_sel in force: enum amd_dst_sel; constants 0 and 1, or channels */
    bool ones_when_out[4]; /* component i is 1 when out of range: its selector is the constant 1 */
    bool unbound_by_selector;
    bool forward;  /* stores: selector i names channel i's component (clause store-dst-sel-direction) */
    uint32_t one;  /* the constant 1 */
    bool unpacked; /* D16: each component has its own register */

    /* address */
    uint64_t base;
    uint32_t soffset, offset; /* SOFFSET; the instruction's OFFSET */
    uint32_t stride, range_stride;
    uint32_t lane_index; /* 1: add the lane's number to the index */
    bool swizzled;
    uint32_t element_size, index_stride;
    uint32_t swizzled_soffset; /* SOFFSET, if it is swizzled too; else 0 */
    bool per_unit;             /* swizzle each dword of a wide access by itself */
    struct buffer_range range;

    /* alignment */
    uint32_t align;     /* in bytes */
    bool align_down;    /* round accesses down to `align` */
    bool violates;      /* an access that is not aligned is a violation */
    bool mask_offset;   /* align_down clears the low bits of the offset, not of the whole address */
    bool check_aligned; /* the range check uses the aligned offset */
};

/* Makes the plan of a MUBUF or MTBUF instruction, which has all that does not differ between lanes. Counts
 * the clauses that it consults as covered. */
enum amd_stop buffer_prepare(struct amd_wave *w, const struct amd_insn *i, struct buffer_plan *p);
/*
 * buffer_prepare in two parts, for the verifier of harness/amdgpu, which tries all combinations of readings.
 * Each part consults fewer clauses, so it has far fewer combinations. buffer_prepare_places leaves range
 * checks out, except for the reading that moves places (raw-stride-ignored), and takes a format's strictest
 * alignment. buffer_prepare_checks leaves swizzle and alignment out.
 */
enum amd_stop buffer_prepare_places(struct amd_wave *w, const struct amd_insn *i, struct buffer_plan *p);
enum amd_stop buffer_prepare_checks(struct amd_wave *w, const struct amd_insn *i, struct buffer_plan *p);
void buffer_prepare_range(const struct amd_wave *w, struct buffer_plan *p);
void buffer_prepare_no_range(const struct amd_wave *w, struct buffer_plan *p);
/* Prints the comparison by which a lane's unit is out of range. */
void buffer_explain_range(const struct buffer_plan *p, const struct buffer_lanes *l, unsigned unit,
                          unsigned lane, struct text *t);
enum amd_stop buffer_prepare_format(struct amd_wave *w, struct buffer_plan *p);

/* How many VGPRs (SMEM: SGPRs) of data there are from VDATA on, without TFE's. */
uint32_t buffer_data_registers(const struct amd_wave *w, const struct amd_insn *i);
/* Reads the four words of the V# from SGPR `first` on. Returns false if a bit of them is undefined. */
bool buffer_descriptor_words(const struct amd_wave *w, const struct amd_insn *i, uint32_t first,
                             uint32_t words[AMD_DESCRIPTOR_WORDS]);
/* Reads the operand that a code in SOFFSET names. */
enum amd_stop buffer_scalar_operand(const struct amd_wave *w, const struct amd_insn *i, uint32_t code,
                                    uint32_t *value);

/* ---- its lanes ---- */

struct buffer_lanes {
    uint32_t index[AMD_LANES], offset[AMD_LANES];
    uint64_t place[AMD_LANES]; /* of the first byte: swizzled, without BASE and SOFFSET */
    /* `observed`: the run observes points of places. Only then are set: the place of each unit's first byte,
     * the address of each of its bytes, and the lanes whose bytes are not at consecutive addresses. */
    bool observed;
    uint64_t unit_place[AMD_UNITS][AMD_LANES], byte[4][AMD_UNITS][AMD_LANES], apart;
    uint64_t left_out[AMD_UNITS];            /* observed runs: lanes whose dword is not stored */
    uint64_t address[AMD_UNITS][AMD_LANES];  /* of each unit's first byte */
    uint32_t decision[AMD_UNITS][AMD_LANES]; /* enum amd_decision */
    uint32_t data[AMD_UNITS][AMD_LANES], defined[AMD_UNITS][AMD_LANES]; /* `defined`: checked runs only */
    uint32_t plain;     /* bit k: unit k is an aligned dword that all lanes move */
    bool any_in_pieces; /* the bytes of some lane's unit may be at separate addresses */
    uint64_t zeroed;    /* lanes in which components of constant 1 read as 0 */
};

/* The steps of an instruction, each for all lanes. */
struct buffer_kernels {
    enum amd_stop (*operands)(const struct amd_wave *w, const struct buffer_plan *p,
                              struct buffer_lanes *l); /* indices and offsets */
    void (*resolve)(const struct amd_wave *w, const struct buffer_plan *p,
                    struct buffer_lanes *l); /* addresses and decisions */
    void (*check)(const struct amd_wave *w, const struct buffer_plan *p,
                  struct buffer_lanes *l); /* decisions of the range check alone; not swizzled */
    void (*load)(struct amd_wave *w, const struct buffer_plan *p, struct buffer_lanes *l);
    void (*store)(struct amd_wave *w, const struct buffer_plan *p, struct buffer_lanes *l);
    void (*note)(struct amd_wave *w, const struct buffer_lanes *l, unsigned unit,
                 uint32_t bytes); /* the trace of one unit */
};

/* One variant for each set of host instructions. Measured (AVX512, a busy core): misprint bench amd-address
 * 92 M -> 133 M lane-addresses/s, fuzz-amd-buffer 145 k -> 159 k cases/s. */
#if defined(__x86_64__)
#define BUFFER_HAS_X86 1
#else
#define BUFFER_HAS_X86 0
#endif
extern const struct buffer_kernels buffer_kernels_plain, buffer_kernels_avx2, buffer_kernels_avx512;
extern const struct buffer_kernels buffer_kernels_observed; /* with observation points */
const struct buffer_kernels *buffer_kernels(void);          /* the fastest that this host runs */

void buffer_atomic(struct amd_wave *w, const struct buffer_plan *p, struct buffer_lanes *l);

/* A scalar buffer load, store or atomic (SMEM). */
enum amd_stop buffer_scalar(struct amd_wave *w, const struct amd_insn *i);

/* Returns what an atomic stores ("RDNA3" guide, pseudo-code), for values of 32 or 64 bits; higher bits of the
 * result mean nothing. */
uint64_t amd_atomic_result(const struct amd_wave *w, enum amd_atomic op, unsigned bits, uint64_t old,
                           uint64_t source, uint64_t compare);
uint64_t amd_atomic_observed(const struct amd_wave *w, enum amd_atomic op, unsigned bits, uint64_t old,
                             uint64_t source, uint64_t compare); /* with observation points */

/* Vector registers beyond those allocated read as undefined; writes to them are lost. `mask`: lanes to write.
 */
uint32_t amd_vgpr_read(const struct amd_wave *w, uint32_t number, unsigned lane, uint32_t *defined);
void amd_vgpr_write(struct amd_wave *w, uint32_t number, const uint32_t *value, const uint32_t *defined,
                    uint64_t mask);

#endif
