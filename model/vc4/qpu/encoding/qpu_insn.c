/* SPDX-License-Identifier: MIT */
/* Decode, encode, and the bit fields for pictures, all from the rows in qpu_fields.h; and the tables of
 * names. */
#include "model/vc4/qpu/encoding/qpu_insn.h"

#include "model/text/reader.h"
#include "model/vc4/qpu/encoding/qpu_fields.h"

/* clang-format off */
/* Lists of names, by value. Each list is expanded to an array of pointers and to an array of qpu_name. */
#define REGISTERS_32(N, f) \
    N(f "0") N(f "1") N(f "2") N(f "3") N(f "4") N(f "5") N(f "6") N(f "7") \
    N(f "8") N(f "9") N(f "10") N(f "11") N(f "12") N(f "13") N(f "14") N(f "15") \
    N(f "16") N(f "17") N(f "18") N(f "19") N(f "20") N(f "21") N(f "22") N(f "23") \
    N(f "24") N(f "25") N(f "26") N(f "27") N(f "28") N(f "29") N(f "30") N(f "31")
#define READ_A(N) \
    REGISTERS_32(N, "ra") \
    N("uniform") N("-") N("-") N("varying") N("-") N("-") N("element_number") N("nop") \
    N("-") N("x_coord") N("ms_flags") N("-") N("-") N("-") N("-") N("-") \
    N("vpm") N("vr_busy") N("vr_wait") N("mutex") N("-") N("-") N("-") N("-") \
    N("-") N("-") N("-") N("-") N("-") N("-") N("-") N("-")
#define READ_B(N) \
    REGISTERS_32(N, "rb") \
    N("uniform") N("-") N("-") N("varying") N("-") N("-") N("qpu_number") N("nop") \
    N("-") N("y_coord") N("rev_flag") N("-") N("-") N("-") N("-") N("-") \
    N("vpm") N("vw_busy") N("vw_wait") N("mutex") N("-") N("-") N("-") N("-") \
    N("-") N("-") N("-") N("-") N("-") N("-") N("-") N("-")
#define WRITE_32_36(N) N("r0") N("r1") N("r2") N("r3") N("tmu_noswap")
#define WRITE_38_40(N) N("host_int") N("nop") N("uniforms_address")
#define WRITE_43_48(N) \
    N("tlb_stencil_setup") N("tlb_z") N("tlb_colour_ms") N("tlb_colour_all") N("tlb_alpha_mask") N("vpm")
#define WRITE_51_63(N) \
    N("mutex") N("sfu_recip") N("sfu_recipsqrt") N("sfu_exp") N("sfu_log") \
    N("tmu0_s") N("tmu0_t") N("tmu0_r") N("tmu0_b") N("tmu1_s") N("tmu1_t") N("tmu1_r") N("tmu1_b")
#define WRITE_A(N) \
    REGISTERS_32(N, "ra") WRITE_32_36(N) N("r5_quad") WRITE_38_40(N) \
    N("quad_x") N("ms_flags") WRITE_43_48(N) N("vr_setup") N("vr_addr") WRITE_51_63(N)
#define WRITE_B(N) \
    REGISTERS_32(N, "rb") WRITE_32_36(N) N("r5_all") WRITE_38_40(N) \
    N("quad_y") N("rev_flag") WRITE_43_48(N) N("vw_setup") N("vw_addr") WRITE_51_63(N)
#define SIGNALS(N) \
    N("breakpoint") N("none") N("thread_switch") N("end") N("wait_scoreboard") N("unlock_scoreboard") \
    N("last_thread_switch") N("load_coverage") N("load_colour") N("load_colour_end") N("load_tmu0") \
    N("load_tmu1") N("load_alpha") N("small_immediate") N("load_immediate") N("branch")
#define CONDS(N) \
    N("never") N("always") N("zs") N("zc") N("ns") N("nc") N("cs") N("cc")
#define BRANCH_CONDS(N) \
    N("all_zs") N("all_zc") N("any_zs") N("any_zc") N("all_ns") N("all_nc") N("any_ns") N("any_nc") \
    N("all_cs") N("all_cc") N("any_cs") N("any_cc") N("cond12") N("cond13") N("cond14") N("always")
#define UNPACKS(N) \
    N("32") N("16a") N("16b") N("8dr") N("8a") N("8b") N("8c") N("8d")
#define PACKS(N) \
    N("32") N("16a") N("16b") N("8888") N("8a") N("8b") N("8c") N("8d") \
    N("32s") N("16as") N("16bs") N("8888s") N("8as") N("8bs") N("8cs") N("8ds")
#define COLOUR_PACKS(N) \
    N("-") N("-") N("-") N("c8888") N("c8a") N("c8b") N("c8c") N("c8d") \
    N("-") N("-") N("-") N("-") N("-") N("-") N("-") N("-")
#define MUXES(N) \
    N("r0") N("r1") N("r2") N("r3") N("r4") N("r5") N("a") N("b")
#define SMALL_IMMEDIATES(N) \
    N("0") N("1") N("2") N("3") N("4") N("5") N("6") N("7") \
    N("8") N("9") N("10") N("11") N("12") N("13") N("14") N("15") \
    N("-16") N("-15") N("-14") N("-13") N("-12") N("-11") N("-10") N("-9") \
    N("-8") N("-7") N("-6") N("-5") N("-4") N("-3") N("-2") N("-1") \
    N("1.0") N("2.0") N("4.0") N("8.0") N("16.0") N("32.0") N("64.0") N("128.0") \
    N("1/256") N("1/128") N("1/64") N("1/32") N("1/16") N("1/8") N("1/4") N("1/2") \
    N("rot_r5") N("rot1") N("rot2") N("rot3") N("rot4") N("rot5") N("rot6") N("rot7") \
    N("rot8") N("rot9") N("rot10") N("rot11") N("rot12") N("rot13") N("rot14") N("rot15")
#define MODES(N) \
    N("32") N("signed") N("-") N("unsigned") N("semaphore") N("-") N("-") N("-")

#define POINTER(name) name,
#define NAME(name) {name, sizeof name - 1},
static const char *const read_names[2][65] = {{READ_A(POINTER) NULL}, {READ_B(POINTER) NULL}};
static const char *const write_names[2][65] = {{WRITE_A(POINTER) NULL}, {WRITE_B(POINTER) NULL}};
static const char *const mode_names[9] = {MODES(POINTER) NULL};
const char *const qpu_signal_names[17] = {SIGNALS(POINTER) NULL};
const char *const qpu_cond_names[9] = {CONDS(POINTER) NULL};
const char *const qpu_branch_cond_names[17] = {BRANCH_CONDS(POINTER) NULL};
const char *const qpu_unpack_names[9] = {UNPACKS(POINTER) NULL};
const char *const qpu_pack_names[17] = {PACKS(POINTER) NULL};
const char *const qpu_colour_pack_names[17] = {COLOUR_PACKS(POINTER) NULL};
const char *const qpu_mux_names[9] = {MUXES(POINTER) NULL};
const char *const qpu_small_immediate_names[65] = {SMALL_IMMEDIATES(POINTER) NULL};
const struct qpu_names qpu_names = {
    .read = {{READ_A(NAME)}, {READ_B(NAME)}},
    .write = {{WRITE_A(NAME)}, {WRITE_B(NAME)}},
    .signal = {SIGNALS(NAME)},
    .cond = {CONDS(NAME)},
    .branch_cond = {BRANCH_CONDS(NAME)},
    .unpack = {UNPACKS(NAME)},
    .pack = {PACKS(NAME)},
    .colour_pack = {COLOUR_PACKS(NAME)},
    .mux = {MUXES(NAME)},
    .small_immediate = {SMALL_IMMEDIATES(NAME)},
};

#define DECODE_FIELD(name, low, width, member, at, values) \
    i->member = (__typeof__(i->member))(i->member | \
                                        (__typeof__(i->member))(((word >> (low)) & QPU_MASK(width)) << (at)));
#define DECODE_CLASS(class_, fields) case class_: fields(DECODE_FIELD) break;
#define BITS_FIELD(name, low, width, member, at, values) {name, low, width, values},
#define BITS_CLASS(class_, fields) [class_] = {fields(BITS_FIELD) {NULL, 0, 0, NULL}},

static const struct bit_field bit_fields[QPU_CLASSES][FIELDS_MAX] = {QPU_CLASS_ROWS(BITS_CLASS)};
static const struct bit_field undefined_fields[] = {
    {"sig", 60, 4, qpu_signal_names}, {"mode", 57, 3, mode_names}, {"undefined", 0, 57, NULL},
    {NULL, 0, 0, NULL}};
/* clang-format on */

/* The class that bits 63:60 choose, with sig 14 also bits 59:57. QPU_CLASSES: none. */
static const uint8_t class_of_sig[16] = {[QPU_SIG_SMALL_IMMEDIATE] = QPU_ALU_SMALL,
                                         [QPU_SIG_LOAD_IMMEDIATE] = QPU_CLASSES,
                                         [QPU_SIG_BRANCH] = QPU_BRANCH};
static const uint8_t class_of_mode[8] = {QPU_LDI_32,    QPU_LDI_SIGNED, QPU_CLASSES, QPU_LDI_UNSIGNED,
                                         QPU_SEMAPHORE, QPU_CLASSES,    QPU_CLASSES, QPU_CLASSES};

static uint8_t class_of(uint64_t word)
{
    unsigned sig = (unsigned)(word >> 60);
    return sig == QPU_SIG_LOAD_IMMEDIATE ? class_of_mode[(word >> 57) & 7] : class_of_sig[sig];
}

static inline __attribute__((always_inline)) bool decode(uint64_t word, uint8_t class, struct qpu_insn *i)
{
    *i = (struct qpu_insn){.class = class};
    if (i->class <=
        /* the case of most words; a test predicts better than the switch, and saves a twentieth of fuzzing */
        QPU_ALU_SMALL) {
        QPU_REGFILE_FIELDS(DECODE_FIELD)
        return true;
    }
    switch (i->class) {
        QPU_CLASS_ROWS(DECODE_CLASS)
    default:
        return false;
    }
    return true;
}

bool qpu_decode(uint64_t word, struct qpu_insn *i)
{
    return decode(word, class_of(word), i);
}

enum qpu_class qpu_class_of(uint64_t word)
{
    return (enum qpu_class)class_of(word);
}

bool qpu_decode_as(uint64_t word, enum qpu_class class, struct qpu_insn *i)
{
    return decode(word, (uint8_t) class, i);
}

uint64_t qpu_encode(const struct qpu_insn *i)
{
    return qpu_encode_here(i);
}

const struct bit_field *qpu_bit_fields(uint64_t word)
{
    unsigned class = class_of(word);
    return class < QPU_CLASSES ? bit_fields[class] : undefined_fields;
}

void qpu_canonical(enum qpu_class class, struct qpu_insn *i)
{
    qpu_canonical_here(class, i);
}

uint32_t qpu_small_immediate(unsigned v)
{
    v &= 63;
    if (v < 16)
        return v;
    if (v < 32)
        return v - 32U;
    if (v < 40)
        return (127U + v - 32U) << 23; /* 1.0 .. 128.0 */
    if (v < 48)
        return (127U + v - 48U) << 23; /* 1/256 .. 1/2 */
    return v - 64U;
}

const char *qpu_read_name(unsigned file, unsigned address)
{
    return read_names[file & 1][address & 63];
}

const char *qpu_write_name(unsigned file, unsigned address)
{
    return write_names[file & 1][address & 63];
}

/* Bit n stands for address n. test_qpu_insn.c compares these sets with the tables of names. */
static const uint64_t read_shared = UINT64_C(1) << QPU_R_UNIFORM | UINT64_C(1) << QPU_R_VARYING |
                                    UINT64_C(1) << QPU_R_NOTHING | UINT64_C(1) << QPU_R_VPM |
                                    UINT64_C(1) << QPU_R_MUTEX;
static const uint64_t write_specific = UINT64_C(0xFFFFFFFF) | UINT64_C(1) << QPU_W_R5 |
                                       UINT64_C(1) << QPU_W_COORDINATE | UINT64_C(1) << QPU_W_FLAGS |
                                       UINT64_C(1) << QPU_W_VPM_SETUP | UINT64_C(1) << QPU_W_DMA_ADDRESS;

bool qpu_read_shared(unsigned address)
{
    return (read_shared >> (address & 63)) & 1;
}

bool qpu_write_shared(unsigned address)
{
    return !((write_specific >> (address & 63)) & 1);
}

/* Other spellings, from vc4asm, Mesa and the manual. */
/* clang-format off */
static const struct {
    const char *alias, *name;
} aliases[] = {
    {"-", "nop"}, {"unif", "uniform"}, {"uni", "uniform"}, {"uniform_read", "uniform"}, {"vary", "varying"},
    {"varying_read", "varying"}, {"elem_num", "element_number"}, {"qpu_num", "qpu_number"},
    {"x_pixel_coord", "x_coord"}, {"y_pixel_coord", "y_coord"}, {"vpm_read", "vpm"}, {"vpm_write", "vpm"},
    {"vpm_ld_busy", "vr_busy"}, {"vpm_st_busy", "vw_busy"}, {"vpm_ld_wait", "vr_wait"},
    {"vpm_st_wait", "vw_wait"}, {"vpm_ld_addr", "vr_addr"}, {"vpm_st_addr", "vw_addr"},
    {"vpmvcd_rd_setup", "vr_setup"}, {"vpmvcd_wr_setup", "vw_setup"}, {"mutex_acquire", "mutex"},
    {"mutex_release", "mutex"}, {"unif_addr", "uniforms_address"}, {"uniforms_addr", "uniforms_address"},
    {"irq", "host_int"}, {"tlb_color_ms", "tlb_colour_ms"}, {"tlb_color_all", "tlb_colour_all"},
    {"tlb_stencil", "tlb_stencil_setup"}, {"sfu_rsqrt", "sfu_recipsqrt"}, {"r5", "r5_all"},
};
/* clang-format on */

bool qpu_find_register(const char *word, bool write, unsigned *file, unsigned *address)
{
    if (word[0] == 'r' && (word[1] == 'a' || word[1] == 'b') && char_is_digit(word[2])) {
        uint64_t number;
        if (!reader_integer(word + 2, &number) || number > 63)
            return false;
        *file = word[1] == 'b';
        *address = (unsigned)number;
        return true;
    }
    const struct qpu_name(*names)[64] = write ? qpu_names.write : qpu_names.read;
    for (unsigned n = QPU_FILE_ROWS; n < 64; n++)
        for (unsigned f = 0; f < 2; f++)
            if (reader_same(names[f][n].chars, word) && word[0] != '-') {
                *file = (write ? qpu_write_shared(n) : qpu_read_shared(n)) ? 2 : f;
                *address = n;
                return true;
            }
    for (size_t n = 0; n < sizeof aliases / sizeof *aliases; n++)
        if (reader_same(aliases[n].alias, word))
            return qpu_find_register(aliases[n].name, write, file, address);
    return false;
}
