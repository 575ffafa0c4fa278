/* SPDX-License-Identifier: MIT */
/*
 * The operations of the V3D QPU, one row each: name, operands, and the encoding in each generation. Decode,
 * encode, the text form and the lists of names come from these rows. Source: tables of Mesa 25.0 and later
 * (src/broadcom/qpu), restated.
 *
 * X(ID, "name", OPERANDS, V3D 4.2, V3D 7.1)
 *
 * OPERANDS: D has a destination, A and B the sources; _G reaches parts of the chip that compute programs do
 * not have: VPM, pixels, instances, multisample flags.
 *
 * The encodings are macros with a start key. A key is an operation field and the six bits below it that an
 * operation with fewer than two operands uses as a second part of its opcode:
 *
 *   4.2   op << 6 | mux_b << 3 | mux_a
 *   7.1   op << 6 | raddr_b (ADD) or raddr_d (MUL)
 *
 * The packs and unpacks are fields of the key, too. Their macros say where.
 *
 *   NONE                  this generation does not have the operation
 *   TWO(op)               two full operands, no pack, no unpack
 *   ONE(op, sub)          4.2: operand a, mux_b is `sub`; 7.1: operand a, raddr_b is `sub`
 *   NUL(op, b, a)         4.2: no operand, both muxes are opcode
 *   SUB(op, sub)          7.1: no operand, raddr_b is `sub`
 *   FP2(op)               floats: op + pack * 16 + unpack_a * 4 + unpack_b
 *   FP2_NO_PACK(op)       the same without a pack
 *   FP2_NO_ABS(op)        the same without pack and abs
 *   HALF(op)              pairs of halves: op + unpack_a, b has no unpack
 *   HALF_OPEN(op)         the same; the unpacks 5 to 7 belong to it, but have no known meaning
 *   and a few that one group of operations has; each says so.
 */
#ifndef MISPRINT_MODEL_V3D_V3D_OPERATIONS_H
#define MISPRINT_MODEL_V3D_V3D_OPERATIONS_H

/* Two operations that share an encoding stand together: the order of the operands tells them apart. The first
 * is meant if the operands are in ascending order, the second otherwise (v3d_encode.c). */
#define V3D_ADD_OPERATIONS(X)                                                                                \
    X(A_FADD, "fadd", DAB, FP2(0), FP2(0))                                                                   \
    X(A_FADDNF, "faddnf", DAB, FP2(0), FP2(0))                                                               \
    X(A_VFPACK, "vfpack", DAB, FP2_NO_ABS(48), FP2_NO_ABS(48))                                               \
    X(A_VFADD, "vfadd", DAB, NONE, HALF(48))                                                                 \
    X(A_ADD, "add", DAB, TWO(56), TWO(56))                                                                   \
    X(A_SUB, "sub", DAB, TWO(60), TWO(60))                                                                   \
    X(A_FSUB, "fsub", DAB, FP2(64), FP2(64))                                                                 \
    X(A_VFSUB, "vfsub", DAB, NONE, HALF_OPEN(112))                                                           \
    X(A_MIN, "min", DAB, TWO(120), TWO(120))                                                                 \
    X(A_MAX, "max", DAB, TWO(121), TWO(121))                                                                 \
    X(A_UMIN, "umin", DAB, TWO(122), TWO(122))                                                               \
    X(A_UMAX, "umax", DAB, TWO(123), TWO(123))                                                               \
    X(A_SHL, "shl", DAB, TWO(124), TWO(124))                                                                 \
    X(A_SHR, "shr", DAB, TWO(125), TWO(125))                                                                 \
    X(A_ASR, "asr", DAB, TWO(126), TWO(126))                                                                 \
    X(A_ROR, "ror", DAB, TWO(127), TWO(127))                                                                 \
    X(A_FMIN, "fmin", DAB, FP2(128), FP2(128))                                                               \
    X(A_FMAX, "fmax", DAB, FP2(128), FP2(128))                                                               \
    X(A_VFMIN, "vfmin", DAB, HALF(176), HALF(176))                                                           \
    X(A_AND, "and", DAB, TWO(181), TWO(181))                                                                 \
    X(A_OR, "or", DAB, TWO(182), TWO(182))                                                                   \
    X(A_XOR, "xor", DAB, TWO(183), TWO(183))                                                                 \
    X(A_VADD, "vadd", DAB, TWO(184), TWO(184))                                                               \
    X(A_VSUB, "vsub", DAB, TWO(185), TWO(185))                                                               \
    X(A_NOT, "not", DA, ONE(186, 0), ONE(186, 0))                                                            \
    X(A_NEG, "neg", DA, ONE(186, 1), ONE(186, 1))                                                            \
    X(A_FLAPUSH, "flapush", DA, ONE(186, 2), ONE(186, 2))                                                    \
    X(A_FLBPUSH, "flbpush", DA, ONE(186, 3), ONE(186, 3))                                                    \
    X(A_FLPOP, "flpop", DA, ONE(186, 4), ONE(186, 4))                                                        \
    X(A_CLZ, "clz", DA, ONE(252, 3), ONE(186, 5))                                                            \
    X(A_SETMSF, "setmsf", DA_G, ONE(186, 6), ONE(186, 6))                                                    \
    X(A_SETREVF, "setrevf", DA_G, ONE(186, 7), ONE(186, 7))                                                  \
    X(A_NOP, "nop", O, NUL(187, 0, 0), SUB(187, 0))                                                          \
    X(A_TIDX, "tidx", D, NUL(187, 0, 1), SUB(187, 1))                                                        \
    X(A_EIDX, "eidx", D, NUL(187, 0, 2), SUB(187, 2))                                                        \
    X(A_LR, "lr", D, NUL(187, 0, 3), SUB(187, 3))                                                            \
    X(A_VFLA, "vfla", D, NUL(187, 0, 4), SUB(187, 4))                                                        \
    X(A_VFLNA, "vflna", D, NUL(187, 0, 5), SUB(187, 5))                                                      \
    X(A_VFLB, "vflb", D, NUL(187, 0, 6), SUB(187, 6))                                                        \
    X(A_VFLNB, "vflnb", D, NUL(187, 0, 7), SUB(187, 7))                                                      \
    X(A_FXCD, "fxcd", D_G, NUL_PACK(187, 1, 0), SUB_PACK(187, 32))                                           \
    X(A_XCD, "xcd", D_G, NUL(187, 1, 3), SUB(187, 8))                                                        \
    X(A_FYCD, "fycd", D_G, NUL_PACK(187, 1, 4), SUB_PACK(187, 36))                                           \
    X(A_YCD, "ycd", D_G, NUL(187, 1, 7), SUB(187, 9))                                                        \
    X(A_MSF, "msf", D_G, NUL(187, 2, 0), SUB(187, 10))                                                       \
    X(A_REVF, "revf", D_G, NUL(187, 2, 1), SUB(187, 11))                                                     \
    X(A_IID, "iid", D_G, NUL(187, 2, 2), SUB(187, 12))                                                       \
    X(A_SAMPID, "sampid", D_G, NUL(187, 2, 3), SUB(187, 13))                                                 \
    X(A_BARRIERID, "barrierid", D, NUL(187, 2, 4), SUB(187, 14))                                             \
    X(A_TMUWT, "tmuwt", D, NUL(187, 2, 5), SUB(187, 15))                                                     \
    X(A_VPMWT, "vpmwt", D_G, NUL(187, 2, 6), SUB(187, 16))                                                   \
    X(A_FLAFIRST, "flafirst", D, NUL(187, 2, 7), SUB(187, 17))                                               \
    X(A_FLNAFIRST, "flnafirst", D, NUL(187, 3, 0), SUB(187, 18))                                             \
    X(A_VPMSETUP, "vpmsetup", DA_G, ONE(187, 3), NONE) /* with r0 the word is flnafirst */                   \
    X(A_SETNNMODE_UU, "setnnmode_uu", O, NONE, SUB(187, 48))                                                 \
    X(A_SETNNMODE_SU, "setnnmode_su", O, NONE, SUB(187, 49))                                                 \
    X(A_SETNNMODE_US, "setnnmode_us", O, NONE, SUB(187, 50))                                                 \
    X(A_SETNNMODE_SS, "setnnmode_ss", O, NONE, SUB(187, 51))                                                 \
    X(A_LDVPMV_IN, "ldvpmv_in", DA_G, ONE_IN(188, 0), ONE_IN(188, 0))                                        \
    X(A_LDVPMV_OUT, "ldvpmv_out", DA_G, ONE_OUT(188, 0), ONE_OUT(188, 0))                                    \
    X(A_LDVPMD_IN, "ldvpmd_in", DA_G, ONE_IN(188, 1), ONE_IN(188, 1))                                        \
    X(A_LDVPMD_OUT, "ldvpmd_out", DA_G, ONE_OUT(188, 1), ONE_OUT(188, 1))                                    \
    X(A_LDVPMP, "ldvpmp", DA_G, ONE(188, 2), ONE(188, 2))                                                    \
    X(A_RECIP, "recip", DA, ONE(186, 5), ONE(188, 32))                                                       \
    X(A_RSQRT, "rsqrt", DA, ONE(188, 3), ONE(188, 33))                                                       \
    X(A_EXP, "exp", DA, ONE(188, 4), ONE(188, 34))                                                           \
    X(A_LOG, "log", DA, ONE(188, 5), ONE(188, 35))                                                           \
    X(A_SIN, "sin", DA, ONE(188, 6), ONE(188, 36))                                                           \
    X(A_RSQRT2, "rsqrt2", DA, ONE(188, 7), ONE(188, 37))                                                     \
    X(A_BALLOT, "ballot", DA, NONE, ONE(188, 38))                                                            \
    X(A_BCASTF, "bcastf", DA, NONE, ONE(188, 39))                                                            \
    X(A_ALLEQ, "alleq", DA, NONE, ONE(188, 40))                                                              \
    X(A_ALLFEQ, "allfeq", DA, NONE, ONE(188, 41))                                                            \
    X(A_LDVPMG_IN, "ldvpmg_in", DAB_G, TWO_IN(189), TWO_IN(189))                                             \
    X(A_LDVPMG_OUT, "ldvpmg_out", DAB_G, TWO_OUT(189), TWO_OUT(189))                                         \
    X(A_STVPMV, "stvpmv", AB_G, TWO_TO(248, 0), TWO_TO(190, 0))                                              \
    X(A_STVPMD, "stvpmd", AB_G, TWO_TO(248, 1), TWO_TO(190, 1))                                              \
    X(A_STVPMP, "stvpmp", AB_G, TWO_TO(248, 2), TWO_TO(190, 2))                                              \
    X(A_VFMOV, "vfmov", DA, NONE, ONE(191, 0))                                                               \
    X(A_VFABS, "vfabs", DA, NONE, ONE(191, 5))                                                               \
    X(A_VFNEG, "vfneg", DA, NONE, ONE(191, 10))                                                              \
    X(A_VFNAB, "vfnab", DA, NONE, ONE(191, 15))                                                              \
    X(A_FCMP, "fcmp", DAB, FP2(192), FP2_NO_PACK(192))                                                       \
    X(A_VFCMP, "vfcmp", DAB, NONE, HALF_OPEN(208))                                                           \
    X(A_VFMAX, "vfmax", DAB, HALF(240), HALF(240))                                                           \
    X(A_FROUND, "fround", DA, FP1_MUX(241, 0), FP1(245, 0))                                                  \
    X(A_FTOIN, "ftoin", DA, FP1_MUX_NO_PACK(241, 3), FP1_NO_PACK(245, 3))                                    \
    X(A_FTRUNC, "ftrunc", DA, FP1_MUX(241, 4), FP1(245, 16))                                                 \
    X(A_FTOIZ, "ftoiz", DA, FP1_MUX_NO_PACK(241, 7), FP1_NO_PACK(245, 19))                                   \
    X(A_FFLOOR, "ffloor", DA, FP1_MUX(242, 0), FP1(245, 32))                                                 \
    X(A_FTOUZ, "ftouz", DA, FP1_MUX_NO_PACK(242, 3), FP1_NO_PACK(245, 35))                                   \
    X(A_FCEIL, "fceil", DA, FP1_MUX(242, 4), FP1(245, 48))                                                   \
    X(A_FTOC, "ftoc", DA, FP1_MUX_NO_PACK(242, 7), FP1_NO_PACK(245, 51))                                     \
    X(A_FDX, "fdx", DA, FP1_MUX(243, 0), FP1(246, 0))                                                        \
    X(A_FDY, "fdy", DA, FP1_MUX(243, 4), FP1(246, 16))                                                       \
    X(A_ITOF, "itof", DA, ONE_PACK_MUX(252, 0), ONE_PACK(246, 32))                                           \
    X(A_UTOF, "utof", DA, ONE_PACK_MUX(252, 4), ONE_PACK(246, 36))                                           \
    X(A_VPACK, "vpack", DAB, NONE, TWO(247))                                                                 \
    X(A_V8PACK, "v8pack", DAB, NONE, TWO(248))                                                               \
    X(A_FMOV, "fmov", DA, NONE, FMOV(249))                                                                   \
    X(A_MOV, "mov", DA, NONE, MOV(249))                                                                      \
    X(A_V10PACK, "v10pack", DAB, NONE, TWO(250))                                                             \
    X(A_V11FPACK, "v11fpack", DAB, NONE, TWO(251))                                                           \
    X(A_ROTQ, "rotq", DAB, NONE, TWO(252))                                                                   \
    X(A_ROT, "rot", DAB, NONE, TWO(253))                                                                     \
    X(A_SHUFFLE, "shuffle", DAB, NONE, TWO(254))

#define V3D_MUL_OPERATIONS(X)                                                                                \
    X(M_ADD, "add", DAB, TWO(1), TWO(1))                                                                     \
    X(M_SUB, "sub", DAB, TWO(2), TWO(2))                                                                     \
    X(M_UMUL24, "umul24", DAB, TWO(3), TWO(3))                                                               \
    X(M_VFMUL, "vfmul", DAB, HALF(4), HALF(4))                                                               \
    X(M_SMUL24, "smul24", DAB, TWO(9), TWO(9))                                                               \
    X(M_MULTOP, "multop", DAB, TWO(10), TWO(10))                                                             \
    X(M_V8DOT, "v8dot", DAB, NONE, TWO(11))                                                                  \
    X(M_FMOV, "fmov", DA, FMOV_MUX(14), FMOV(14))                                                            \
    X(M_MOV, "mov", DA, ONE(15, 7), MOV(14))                                                                 \
    X(M_NOP, "nop", O, NUL(15, 4, 0), SUB(14, 63))                                                           \
    X(M_FTOUNORM16, "ftounorm16", DA, NONE, ONE(14, 32))                                                     \
    X(M_FTOSNORM16, "ftosnorm16", DA, NONE, ONE(14, 33))                                                     \
    X(M_VFTOUNORM8, "vftounorm8", DA, NONE, ONE(14, 34))                                                     \
    X(M_VFTOSNORM8, "vftosnorm8", DA, NONE, ONE(14, 35))                                                     \
    X(M_FUNPACKUNORMLO, "funpackunormlo", DA, NONE, ONE(14, 36))                                             \
    X(M_FUNPACKUNORMHI, "funpackunormhi", DA, NONE, ONE(14, 37))                                             \
    X(M_FUNPACKSNORMLO, "funpacksnormlo", DA, NONE, ONE(14, 38))                                             \
    X(M_FUNPACKSNORMHI, "funpacksnormhi", DA, NONE, ONE(14, 39))                                             \
    X(M_VFTOUNORM10LO, "vftounorm10lo", DA, NONE, ONE(14, 48))                                               \
    X(M_VFTOUNORM10HI, "vftounorm10hi", DA, NONE, ONE(14, 49))                                               \
    X(M_FMUL, "fmul", DAB, FP2(16), FP2(16))

#endif
