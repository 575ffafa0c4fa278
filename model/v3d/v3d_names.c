/* SPDX-License-Identifier: MIT */
/* The words of the text form, most of them as Mesa's disassembler spells them. */
#include "model/v3d/v3d_names.h"

#include "model/v3d/v3d_rows.h"

#include <stddef.h>

const char *const v3d_generation_names[V3D_GENERATIONS + 1] = {"v3d42", "v3d71"};

const char *const v3d_unpack_names[V3D_UNPACKS + 1] = {
    [V3D_UNPACK_NONE] = "",        [V3D_UNPACK_ABS] = "abs",      [V3D_UNPACK_L] = "l",
    [V3D_UNPACK_H] = "h",          [V3D_UNPACK_FF] = "ff",        [V3D_UNPACK_LL] = "ll",
    [V3D_UNPACK_HH] = "hh",        [V3D_UNPACK_SWP] = "swp",      [V3D_UNPACK_SAT] = "sat",
    [V3D_UNPACK_NSAT] = "nsat",    [V3D_UNPACK_MAX0] = "max0",    [V3D_UNPACK_UL] = "ul",
    [V3D_UNPACK_UH] = "uh",        [V3D_UNPACK_IL] = "il",        [V3D_UNPACK_IH] = "ih",
    [V3D_UNPACK_RESERVED5] = "5?", [V3D_UNPACK_RESERVED6] = "6?", [V3D_UNPACK_RESERVED7] = "7?",
};

const char *const v3d_pack_names[] = {"", "l", "h", NULL};
const char *const v3d_cond_names[] = {"", "ifa", "ifb", "ifna", "ifnb", NULL};
const char *const v3d_flags_names[] = {"",      "pushz", "pushn", "pushc", "andz",  "andnz",
                                       "nornz", "norz",  "andn",  "andnn", "nornn", "norn",
                                       "andc",  "andnc", "nornc", "norc",  NULL};
const char *const v3d_branch_cond_names[] = {"", "-", "a0", "na0", "alla", "anyna", "anya", "allna", NULL};

/* In the order in which Mesa prints them, then those that Mesa leaves out. */
const struct v3d_signal_name v3d_signal_words[] = {
    {"thrsw", V3D_SIG_THRSW},
    {"ldvary", V3D_SIG_LDVARY},
    {"ldtmu", V3D_SIG_LDTMU},
    {"ldtlb", V3D_SIG_LDTLB},
    {"ldtlbu", V3D_SIG_LDTLBU},
    {"ldunif", V3D_SIG_LDUNIF},
    {"ldunifrf", V3D_SIG_LDUNIFRF},
    {"ldunifa", V3D_SIG_LDUNIFA},
    {"ldunifarf", V3D_SIG_LDUNIFARF},
    {"wrtmuc", V3D_SIG_WRTMUC},
    {"ucb", V3D_SIG_UCB},
    {"rot", V3D_SIG_ROT},
    {"smimm_a", V3D_SIG_SMIMM_A},
    {"smimm_b", V3D_SIG_SMIMM_B},
    {"smimm_c", V3D_SIG_SMIMM_C},
    {"smimm_d", V3D_SIG_SMIMM_D},
    {NULL, 0},
};

const char *const v3d_reserved_names[V3D_RESERVEDS + 1] = {
    [V3D_DEFINED] = "",
    [V3D_RESERVED_CLASS] = "op_mul is 0 and the word is no branch",
    [V3D_RESERVED_ADD] = "no operation of the ADD ALU",
    [V3D_RESERVED_MUL] = "no operation of the MUL ALU",
    [V3D_RESERVED_UNPACK] = "an unpack without a meaning",
    [V3D_RESERVED_SIGNAL] = "no signal has this number",
    [V3D_RESERVED_COND] = "a condition field without a meaning",
    [V3D_RESERVED_IMMEDIATE] = "no small immediate has this index",
    [V3D_RESERVED_WADDR] = "no register has this magic address",
    [V3D_RESERVED_BRANCH_COND] = "no branch condition has this number",
    [V3D_RESERVED_MSFIGN] = "MSFIGN 3",
    [V3D_RESERVED_BDU] = "no destination of uniforms has this number",
};

/* Names that both generations have. Mesa prints 44 as it prints 40, "tmuscm". */
static const char *const waddr_names[V3D_WADDRS] = {
    [V3D_W_NOP] = "-",         [V3D_W_TLB] = "tlb",
    [V3D_W_TLBU] = "tlbu",     [V3D_W_UNIFA] = "unifa",
    [V3D_W_TMUL] = "tmul",     [V3D_W_TMUD] = "tmud",
    [V3D_W_TMUA] = "tmua",     [V3D_W_TMUAU] = "tmuau",
    [V3D_W_VPM] = "vpm",       [V3D_W_VPMU] = "vpmu",
    [V3D_W_SYNC] = "sync",     [V3D_W_SYNCU] = "syncu",
    [V3D_W_SYNCB] = "syncb",   [V3D_W_TMUC] = "tmuc",
    [V3D_W_TMUS] = "tmus",     [V3D_W_TMUT] = "tmut",
    [V3D_W_TMUR] = "tmur",     [V3D_W_TMUI] = "tmui",
    [V3D_W_TMUB] = "tmub",     [V3D_W_TMUDREF] = "tmudref",
    [V3D_W_TMUOFF] = "tmuoff", [V3D_W_TMUSCM] = "tmuscm",
    [V3D_W_TMUSF] = "tmusf",   [V3D_W_TMUSLOD] = "tmuslod",
    [V3D_W_TMUHS] = "tmuhs",   [V3D_W_TMUHSCM] = "tmuhscm",
    [V3D_W_TMUHSF] = "tmuhsf", [V3D_W_TMUHSLOD] = "tmuhslod",
};

static const char *const waddr_names_of[V3D_GENERATIONS][V3D_WADDRS] = {
    [V3D_42] = {[0] = "r0",
                "r1",
                "r2",
                "r3",
                "r4",
                "r5",
                [V3D_W_RECIP] = "recip",
                "rsqrt",
                "exp",
                "log",
                "sin",
                "rsqrt2",
                [V3D_W_REP] = "r5rep"},
    [V3D_71] = {[V3D_W_R5] = "quad", [V3D_W_REP] = "rep"},
};

const char *v3d_waddr_name(enum v3d_generation g, unsigned waddr)
{
    if (waddr >= V3D_WADDRS)
        return NULL;
    return waddr_names[waddr] ? waddr_names[waddr] : waddr_names_of[g][waddr];
}

const char *v3d_op_name(enum v3d_op op)
{
    return v3d_rows[op].name;
}

bool v3d_op_writes(enum v3d_op op)
{
    return v3d_rows[op].writes;
}

unsigned v3d_op_sources(enum v3d_op op)
{
    return v3d_rows[op].sources;
}

bool v3d_op_in(enum v3d_generation g, enum v3d_op op)
{
    return v3d_rows[op].encoding[g].exists;
}
