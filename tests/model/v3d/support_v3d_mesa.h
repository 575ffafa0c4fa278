/* SPDX-License-Identifier: MIT */
/*
 * Words and their text from the test of Mesa's disassembler, src/broadcom/qpu/tests/qpu_disasm.c (MIT
 * licence, Copyright (c) 2016 Broadcom). Version 42 is V3D 4.2, 71 is 7.1.
 */
#ifndef MISPRINT_TESTS_MODEL_V3D_SUPPORT_V3D_MESA_H
#define MISPRINT_TESTS_MODEL_V3D_SUPPORT_V3D_MESA_H

#include <stdint.h>

static const struct {
    unsigned version;
    uint64_t word;
    const char *text;
} mesa_vectors[] = {
    {42, UINT64_C(0x3d003186bb800000),
     "nop                           ; nop                         ; ldvary.rf0"},
    {42, UINT64_C(0x3c20318105829000), "fadd r1, r1, r5               ; nop                         ; thrsw"},
    {42, UINT64_C(0x3c403186bb81d000),
     "vpmsetup -, r5                ; nop                         ; ldunif"},
    {42, UINT64_C(0x3c002380b6edb000), "or rf0, r3, r3                ; mov vpm, r3"},
    {42, UINT64_C(0x9c094adef634b000), "ffloor.ifb rf30.l, r3         ; fmul.pushz rf43.l, r5, r1.h"},
    {42, UINT64_C(0xb0044c56ba326840), "flpop rf22, rf33              ; fmul.pushz rf49.l, r4.h, r1.abs"},
    {71, UINT64_C(0x38000411f9190250), "fmov rf17, rf9.sat            ; fmov rf16, rf6.sat"},
    {42, UINT64_C(0x101e8b6e8aad4000), "fmax.nornn rf46, r4.l, r2.l   ; vfmul.ifnb rf45, r3, r5"},
    {42, UINT64_C(0x1857d3c219825000),
     "faddnf.norc r2.l, r5.l, r4    ; vfmul.ifb rf15, r0.ll, r4   ; ldunif"},
    {42, UINT64_C(0x1c0a0dfde2294000), "fcmp.ifna rf61.h, r4.abs, r2.l; vfmul rf55, r2.hh, r1"},
    {42, UINT64_C(0x2011c89b402cc000), "fsub.norz rf27, r4.abs, r1.abs; vfmul.ifa rf34, r3.swp, r1"},
    {42, UINT64_C(0xe01b42ab3bb063c0), "vfpack.andnc rf43, rf15.l, r0.h; fmul.ifna rf10.h, r4.l, r5.abs"},
    {42, UINT64_C(0x600b8b87fb4d1000), "fdx.ifnb rf7.h, r1.l          ; fmul.pushn rf46, r3.l, r2.abs"},
    {42, UINT64_C(0x5de24398bbdc6218), "vflb.andnn rf24               ; fmul rf14, -8, rf8.h"},
    {42, UINT64_C(0x25ef83d8b166f00f), "vfmin.pushn rf24, 15.ff, r5   ; smul24.ifnb rf15, r1, r3"},
    {42, UINT64_C(0xadedcdf70839f990), "faddnf.pushc rf55, -16.l, r3.abs; fmul.ifb rf55.l, rf38.l, r1.h"},
    {42, UINT64_C(0x7dff89fa6a01f020), "fsub.nornc rf58.h, 0x3b800000.l, r3.l; fmul.ifnb rf39, r0.h, r0.h"},
    {71, UINT64_C(0x39c0000a3803f042), "add rf10, 1, rf2              ; nop"},
    {71, UINT64_C(0x39e0000b3c03f0de), "sub rf11, rf3, -2             ; nop"},
    {71, UINT64_C(0x57c00340bb105000), "nop                           ; fmul rf13, 4, rf5"},
    {71, UINT64_C(0x27e00380bb188000), "nop                           ; smul24 rf14, rf6, 8"},
    {42, UINT64_C(0x02000006002034c0), "b.anyap  rf19"},
    {42, UINT64_C(0x02679356b4201000), "b.anyap  -1268280496"},
    {42, UINT64_C(0x02b76a2dd0400000), "b.anynaq  zero_addr+0xd0b76a28"},
    {42, UINT64_C(0x0200000500402000), "b.anynaq  lri"},
    {42, UINT64_C(0x0216fe167301c8c0), "bu.anya  zero_addr+0x7316fe10, rf35"},
    {42, UINT64_C(0x020000050040e000), "bu.anynaq  lri, r:unif"},
    {42, UINT64_C(0x0200000300006000), "bu.na0  lri, a:unif"},
    {42, UINT64_C(0x3c00318735808000), "vfpack tlb, r0, r1            ; nop"},
    {42, UINT64_C(0xe0571c938e8d5000),
     "fmax.andc recip, r5.h, r2.l   ; fmul.ifb rf50.h, r3.l, r4.abs; ldunif"},
    {42, UINT64_C(0xc04098d4382c9000),
     "add.pushn rsqrt, r1, r1       ; fmul rf35.h, r3.abs, r1.abs ; ldunif"},
    {42, UINT64_C(0x481edcd6b3184500), "vfmin.norn log, r4.hh, r0     ; fmul.ifnb rf51, rf20.abs, r0.l"},
    {42, UINT64_C(0x041618d57c453000), "shl.andn exp, r3, r2          ; add.ifb rf35, r1, r2"},
    {42, UINT64_C(0x7048e5da49272800),
     "fsub.ifa rf26, r2.l, rf32     ; fmul.pushc sin, r1.h, r1.abs; ldunif"},
    {42, UINT64_C(0x1f010520cf60a000),
     "fcmp.andz rf32, r2.h, r1.h    ; vfmul rf20, r0.hh, r3       ; ldunifa"},
    {42, UINT64_C(0x932045e6c16ea000),
     "fcmp rf38, r2.abs, r5         ; fmul rf23.l, r3, r3.abs     ; ldunifarf.rf1"},
    {42, UINT64_C(0xd72f0434e43ae5c0),
     "fcmp rf52.h, rf23, r5.abs     ; fmul rf16.h, rf23, r1       ; ldunifarf.rf60"},
    {42, UINT64_C(0xdb3048eb9d533780),
     "fmax rf43.l, r3.h, rf30       ; fmul rf35.h, r4, r2.l       ; ldunifarf.r1"},
    {42, UINT64_C(0x733620471e6ce700),
     "faddnf rf7.l, rf28.h, r1.l    ; fmul r1, r3.h, r3.abs       ; ldunifarf.rsqrt2"},
    {42, UINT64_C(0x3de020c7bdfd200d), "ldvpmg_in rf7, r2, r2         ; mov r3, 13"},
    {42, UINT64_C(0x3de02040f8ff7201), "stvpmv 1, rf8                 ; mov r1, 1"},
    {42, UINT64_C(0xd8000e50bb2d3000), "sampid rf16                   ; fmul rf57.h, r3, r1.l"},
    {71, UINT64_C(0x2c000300bb042030), "setnnmode_uu                  ; v8dot rf12, rf1, rf2"},
    {42, UINT64_C(0xe98d60c1ba2aef80),
     "recip rf1, rf62               ; fmul r3.h, r2.l, r1.l       ; ldunifrf.rf53"},
    {42, UINT64_C(0x7d87c2debc51c000),
     "rsqrt rf30, r4                ; fmul rf11, r4.h, r2.h       ; ldunifrf.rf31"},
    {42, UINT64_C(0xb182475abc2bb000),
     "rsqrt2 rf26, r3               ; fmul rf29.l, r2.h, r1.abs   ; ldunifrf.rf9"},
    {42, UINT64_C(0x79880808bc0b6900),
     "sin rf8, rf36                 ; fmul rf32, r2.h, r0.l       ; ldunifrf.rf32"},
    {42, UINT64_C(0x04092094bc5a28c0), "exp.ifb rf20, r2              ; add r2, rf35, r2"},
    {42, UINT64_C(0xe00648bfbc32a000), "log rf63, r2                  ; fmul.andnn rf34.h, r4.l, r1.abs"},
    {42, UINT64_C(0x3c203192bb814000), "barrierid syncb               ; nop                         ; thrsw"},
};

#endif
