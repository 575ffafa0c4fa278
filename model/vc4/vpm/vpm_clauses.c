/* SPDX-License-Identifier: MIT */
/*
 * The clauses of the VPM and its DMA, one row each. vpm.c, vpm_address.h and vcd.c obey them.
 *
 * Known facts about the VPM and its DMA that have no row here, with the reason:
 * - vpm-fig9-row: figure 9 (p55) labels the last row 64 instead of 63. By the manual, no block setup can name
 *   row 64.
 * - vpmbase-units: V3D_VPMBASE (p92) is a register of the host's side, which no case can write.
 * - vpm-addr-vertical for 8 and 16 bits: these have rows of their own, vpm-addr-v8 and vpm-addr-v16.
 * - VPITCH of vertical 8-bit and 16-bit loads: p59 says for both directions that VPITCH is added to {Y, B} or
 *   {Y, H}, so a row starts a number of bytes or halves down the column. No document contradicts p59. Nobody
 *   has published a run of such a load.
 * One row is our own: vcd-row-overrun. Every document is silent about it.
 *
 * Where two places of the manual contradict each other, `manual` is the more specific one (a table of bits, a
 * figure of elements), and the looser sentence is another reading.
 */
#include "model/vc4/vpm/vpm_clauses.h"

#include <stddef.h>

/* clang-format off */
#define MANUAL   "VideoCoreIV-AG100-R "
#define ADDENDUM "maazl/vc4asm doc/VideoCoreIV-addendum.html (observed on a Raspberry Pi)"
#define BLOG     "blog post \"VPM, VCD, and VCM For Vertex Shaders\" (JayStation2)"
#define CONSOLE  BLOG ": its coordinate shader, result read from a Raspberry Pi's console"
#define MESA     "Mesa 22.3.6's compiler"
#define ENCODERS "vc4asm share/vc4inc/vc4.qinc, py-videocore's assembler and VC4C VPM.cpp encode so"

/* A reading's source and evidence. */
#define ARGUMENT(text) "argument: " text, EVIDENCE_ARGUMENT
#define DOCUMENT(text) MANUAL text, EVIDENCE_DOCUMENT
/* The reading of profile bcm2835. A row without .in_profile has READING_MANUAL in every built-in profile. */
#define BCM2835(reading) {[VC4_PROFILE_BCM2835] = (reading)}
#define MODES(...) (const char *const[]){__VA_ARGS__, NULL}

/*
 * The five forms of ADDR that the blog doubts. The blog gives a formula for one of them, horizontal 8-bit. It
 * says that the start offsets of the other four are wrong, too, but not in which way. Reading `row-div-4` of
 * these four applies the same formula.
 */
#define CARRIED_OVER \
    "argument: " BLOG ", its example for horizontal 8-bit carried over; it gives no formula for this mode"
#define ENCODERS_V "vc4asm share/vc4inc/vc4.qinc and py-videocore's assembler encode so"
#define FIRST_WORD "of the vector's first word, a multiple of 16"
#define IN_FOURS "a row number whose two low bits are dropped: rows can only be named in multiples of 4."
#define ROW_LOST "a row number whose six low bits are dropped: every vector starts at row 0."
#define ADDR_ROW(index, name, form, bits, y, source, evidence, other_bits, other_y, other_source, \
                 other_evidence, mode_names, ...) \
    [index] = { \
        .id = name, .title = "ADDR bits of " form " VPM access", .where = MANUAL "p57 T32, p58 T33", \
        .readings = { \
            {"manual", "ADDR = " bits ", Y being the row number " y ".", \
             MANUAL "p57 T32, p58 T33; " source, evidence}, \
            {"row-div-4", "ADDR = " other_bits ", Y being " other_y, other_source, other_evidence}, \
            __VA_ARGS__ \
        }, \
        .workaround = "Encode as the manual's table says, as all known software does.", \
        .modes = mode_names}
/* Reading `row-div-2` applies the blog's formula to 16-bit modes, whose H has one bit where B has two. */
#define ROW_DIV_2(bits, y) \
    {"row-div-2", "ADDR = " bits ", Y being " y, \
     "argument: " BLOG ", its example for horizontal 8-bit carried over, H having one bit where B has two; " \
     "it gives no formula for this mode", EVIDENCE_ARGUMENT},
#define NO_MORE
#define ADDR_MODES MODES("write-packed", "write-laned", "read-packed", "read-laned")

const struct clause vpm_clauses[VPM_CLAUSE_COUNT] = {
    ADDR_ROW(VPM_CLAUSE_ADDR_H8, "vpm-addr-h8", "horizontal 8-bit", "{Y[5:0], B[1:0]}",
             "0..63", ENCODERS, EVIDENCE_SOURCE, "{Y[7:2], B[1:0]}", IN_FOURS,
             BLOG ", its formula {Y[7:2], B[1:0]} taken literally; it means what the manual says if its Y "
             "counts rows of bytes, or if its slice names bits of ADDR", EVIDENCE_DOCUMENT, ADDR_MODES,
             NO_MORE),
    ADDR_ROW(VPM_CLAUSE_ADDR_H16, "vpm-addr-h16", "horizontal 16-bit", "{Y[5:0], H[0]}", "0..63", ENCODERS,
             EVIDENCE_SOURCE, "{Y[7:2], H[0]}", IN_FOURS, CARRIED_OVER, EVIDENCE_ARGUMENT, ADDR_MODES,
             ROW_DIV_2("{Y[6:1], H[0]}", "a row number whose low bit is dropped: rows can only be named in "
                       "multiples of 2.")),
    ADDR_ROW(VPM_CLAUSE_ADDR_V8, "vpm-addr-v8", "vertical 8-bit", "{Y[5:4], X[3:0], B[1:0]}", FIRST_WORD,
             ENCODERS_V, EVIDENCE_SOURCE, "{Y[7:6], X[3:0], B[1:0]}", ROW_LOST, CARRIED_OVER,
             EVIDENCE_ARGUMENT, ADDR_MODES, NO_MORE),
    ADDR_ROW(VPM_CLAUSE_ADDR_V16, "vpm-addr-v16", "vertical 16-bit", "{Y[5:4], X[3:0], H[0]}", FIRST_WORD,
             ENCODERS_V, EVIDENCE_SOURCE, "{Y[7:6], X[3:0], H[0]}", ROW_LOST, CARRIED_OVER, EVIDENCE_ARGUMENT,
             ADDR_MODES,
             ROW_DIV_2("{Y[6:5], X[3:0], H[0]}", "a row number whose five low bits are dropped: vectors "
                       "start at row 0 or 32.")),
    ADDR_ROW(VPM_CLAUSE_ADDR_VERTICAL, "vpm-addr-vertical", "vertical 32-bit", "{Y[5:4], X[3:0]}", FIRST_WORD,
             "confirmed by py-videocore tests/test_vpm and the asurati.github.io QPU demos on Raspberry Pis",
             EVIDENCE_SILICON, "{Y[7:6], X[3:0]}", ROW_LOST, CARRIED_OVER, EVIDENCE_ARGUMENT,
             MODES("write", "read"), NO_MORE),
    [VPM_CLAUSE_ADDR_HIGH_BITS] = {
        .id = "vpm-addr-high-bits",
        .title = "bits of ADDR above those that a 32-bit or 16-bit VPM access uses",
        .where = MANUAL "p57 T32, p58 T33",
        .readings = {
            {"manual", "The bits are ignored, in setups and when the stride carries into them: row 0 comes "
             "after row 63.", MANUAL "p55, p57 T32, which names the bits used; "
             CONSOLE " (ADDR C2 of a horizontal 32-bit write acts as Y 2; other modes, and carrying, were "
             "not seen)", EVIDENCE_SOURCE},
            {"row-bits", "The first of these bits is Y[6], in setups and after strides. It reaches rows 64 "
             "to 127, as Y[6:0] of the DMA does.", ARGUMENT("the setups of the DMA name 128 rows (p58 T34)")},
        },
        .proposed = "ADDR bits that the mode does not use are ignored.", .workaround = "Leave them 0.",
        .modes = MODES("32-bit", "16-bit")},
    [VPM_CLAUSE_ADDR_LS4] = {
        .id = "vpm-addr-ls4", .title = "the width of Y in the ADDR of horizontal VPM access",
        .where = MANUAL "p57",
        .readings = {
            {"manual", "Y has the six bits of the table: rows 0 to 63.",
             MANUAL "p57 T32; py-videocore tests/test_vpm writes and reads 32-bit blocks of 16 rows at Y 0 "
             "and 16 on a Raspberry Pi (rows 0 to 31; rows 32 to 63 were not seen)", EVIDENCE_SILICON},
            {"four-bits", "The four low bits of the vector address are Y: rows 0 to 15.",
             DOCUMENT("p57, the sentence beside the table")},
        },
        .proposed = "If horizontal, bits 5:0 of the vector address are the Y address.",
        .modes = MODES("32-bit", "16-bit", "8-bit")},
    [VPM_CLAUSE_SETUP_UNUSED] = {
        .id = "vpm-setup-unused", .title = "unused bits of setup words",
        .where = MANUAL "p57 T32, p58 T33, p59 T35, p60 T37",
        .readings = {
            {"manual", "The unused bits are ignored.", MANUAL "p57 calls them unused; "
             CONSOLE " (write setups 17BC1AC2 and 17BC1AC0; the other three kinds of setup were not seen)",
             EVIDENCE_SOURCE},
            {"refused", "A setup word with such a bit set is not accepted.",
             ARGUMENT("a simulator may insist on zeros")},
        },
        .proposed = "Unused bits are ignored.", .workaround = "Leave them 0.",
        .modes = MODES("write-setup", "read-setup", "store-stride", "load-pitch")},
    [VPM_CLAUSE_FIG8A] = {
        .id = "vpm-fig8a", .title = "elements in the bytes of a horizontal 8-bit packed vector",
        .where = MANUAL "p54 figure 8a",
        .readings = {
            {"manual", "The lowest bytes of the four words hold elements 0, 3, 8, 12. Element 3 is written "
             "twice and element 4 nowhere, so a read does not define element 4.", DOCUMENT("p54 figure 8a")},
            {"in-order", "Elements follow each other byte by byte: the lowest bytes of the four words hold "
             "elements 0, 4, 8, 12.", MANUAL "p54 figure 8, its other modes; VC4C VPM.h relies on it on "
             "Raspberry Pis", EVIDENCE_SOURCE},
        },
        .in_profile = BCM2835(VPM_FIG8A_IN_ORDER),
        .proposed = "Figure 8a: 0 4 8 12 in the first row of bytes.", .modes = MODES("write", "read")},
    [VPM_CLAUSE_SUBWORD_READ] = {
        .id = "vpm-subword-read", .title = "the bits above the data of an 8-bit or 16-bit VPM read",
        .where = MANUAL "p53", .silent = true,
        .readings = {
            {"manual", "The upper bits read as zeros.",
             "a careful reader's assumption; doe300/VC4C Emulator.cpp models it so", EVIDENCE_SOURCE},
            {"sign", "The upper bits are copies of the highest bit of the data.",
             ARGUMENT("the manual does not exclude it")},
            {"replicate", "The upper bits are copies of the byte or half.",
             ARGUMENT("the unpacker's 8d form does so")},
        },
        .workaround = "Mask or unpack what was read.", .modes = MODES("16-bit", "8-bit")},
    [VPM_CLAUSE_STRIDE_ZERO] = {
        .id = "vpm-stride-zero", .title = "STRIDE 0 in block setups", .where = MANUAL "p57 T32, p58 T33",
        .readings = {
            {"manual", "0 means 64. That is 16 rows further in 8-bit modes, 32 rows further in 16-bit modes, "
             "and the same row again in 32-bit modes (unless ADDR has a Y[6], see vpm-addr-high-bits).",
             DOCUMENT("p57 T32")},
            {"stays", "0 means 0: every vector goes to the same place.",
             ARGUMENT("QPULib LoadStore.cpp sets stride 0 where it needs none")},
        },
        .modes = MODES("16-bit", "8-bit", "32-bit")},
    [VPM_CLAUSE_READ_EARLY] = {
        .id = "vpm-read-early", .title = "a VPM read less than three instructions after its setup",
        .where = MANUAL "p56",
        .readings = {
            {"manual", "The read returns undefined data, and counts as one of the setup's vectors.",
             DOCUMENT("p56")},
            {"blocks", "The read waits for the data.", ADDENDUM "; py-videocore's tests read as the second "
             "instruction after the setup, 61 of 66 vertex and coordinate shaders of " MESA " as the first",
             EVIDENCE_SILICON},
            {"not-taken", "The read returns undefined data and takes no vector, so later reads are one "
             "vector late.", ARGUMENT("the manual does not say whether the vector is lost")},
        },
        .in_profile = BCM2835(VPM_EARLY_BLOCKS),
        .proposed = "A read before the data are there waits for them.",
        .workaround = "Three instructions between setup and read are right under every reading.",
        .modes = MODES("one-between", "none-between")},
    [VPM_CLAUSE_READ_EXCESS] = {
        .id = "vpm-read-excess", .title = "a VPM read after all vectors of the setups were read",
        .where = MANUAL "p56",
        .readings = {
            {"manual", "The read returns at once, with undefined data.", DOCUMENT("p56")},
            {"blocks", "The read waits for ever.", ADDENDUM, EVIDENCE_STATED},
        },
        .in_profile = BCM2835(VPM_EXCESS_BLOCKS),
        .proposed = "Reading more vectors than were set up stops the QPU for ever.",
        .workaround = "Read exactly NUM vectors.", .modes = MODES("after-a-setup", "without-any-setup")},
    [VPM_CLAUSE_READ_QUEUE] = {
        .id = "vpm-read-queue",
        .title = "a VPM read setup while vectors of an earlier setup are not yet read", .where = MANUAL "p56",
        .readings = {
            {"manual", "Two read setups can be queued. A third one is ignored.", DOCUMENT("p56")},
            {"one-outstanding", "A new setup is accepted only while at most one vector is unread. Otherwise "
             "the new setup is ignored.", ADDENDUM, EVIDENCE_STATED},
            {"redirects", "A new setup takes effect at once. Unread vectors of the old setup are lost.",
             "Mesa vc4_qpu_emit.c", EVIDENCE_SOURCE},
        },
        .in_profile = BCM2835(VPM_QUEUE_ONE_OUTSTANDING),
        .proposed = "A read setup is ignored if it is written while more than one vector is unread.",
        .workaround = "Read all vectors, then write the next setup.", .modes = MODES("second", "third")},
    [VPM_CLAUSE_FIFO_DEPTH] = {
        .id = "vpm-fifo-depth", .title = "how many vectors the VPM fetches before they are read",
        .where = MANUAL "p55",
        .readings = {
            {"manual", "The FIFO holds two writes. A read takes its vector from the VPM when the read "
             "executes.", DOCUMENT("p55; silent about reads")},
            {"four-vectors", "The FIFO holds four vectors in each direction. Up to four vectors are fetched "
             "before they are read, so they do not see later changes of the VPM.",
             "Mesa vc4_qpu_emit.c for the four vectors; that they go stale is inferred", EVIDENCE_SOURCE},
        },
        .in_profile = BCM2835(VPM_FIFO_FOUR),
        .workaround = "Do not change rows of the VPM between a read's setup and the read."},
    [VPM_CLAUSE_CONCURRENT] = {
        .id = "vpm-concurrent",
        .title = "a VPM setup beside another VPM access in one instruction, or a VPM access beside a TMU "
            "load signal", .where = MANUAL "p25",
        .readings = {
            {"manual", "The VPM may be accessed at any time, and both take effect.", DOCUMENT("p25")},
            {"setup-lost", "The setup has no effect. If both accesses are setups, neither has one. A load "
             "signal disturbs nothing.", ARGUMENT("one way for the pair to fail")},
            {"undefined", "The setup in force is undefined until it is written again; after a read setup it "
             "stays undefined, because the number of unread vectors is unknown. The other access uses the "
             "setup before. An instruction with a load signal and a VPM access is undefined.",
             ADDENDUM " and its validator: the only reliable pair of VPM accesses in one instruction is a "
             "read and a write, and no access is reliable beside a TMU's load signal", EVIDENCE_STATED},
        },
        .in_profile = BCM2835(VPM_CONCURRENT_UNDEFINED),
        .proposed = "An instruction may not combine a VPM setup with another VPM access, nor a VPM access "
            "with a TMU load signal.",
        .workaround = "Put setups in instructions of their own.",
        .modes = MODES("with-write", "with-read", "with-setup")},
    [VPM_CLAUSE_READ_WRITE_SAME] = {
        .id = "vpm-read-write-same", .title = "a VPM read and a VPM write in one instruction",
        .where = MANUAL "p25",
        .readings = {
            {"manual", "Both take effect.",
             MANUAL "p25; vc4asm test/validator.VPM counts it as working; 25 of 66 vertex and coordinate "
             "shaders of " MESA " have the pair (word 35c20037 10024c21 is one)", EVIDENCE_SOURCE},
            {"write-lost", "The write has no effect.",
             "VC4C Eliminator.cpp avoids the pair after tests; how it fails is not said", EVIDENCE_ARGUMENT},
        },
        .workaround = "Put the read and the write in two instructions."},
    [VPM_CLAUSE_COND_VPM_WRITE] = {
        .id = "cond-vpm-write", .title = "a VPM write under a condition", .where = MANUAL "p28",
        .readings = {
            {"manual", "Elements whose condition fails are not written. If all fail, nothing happens.",
             DOCUMENT("p28, as for every destination")},
            {"pushes", "A vector is written whatever the conditions are. Elements whose condition fails are "
             "undefined.", ADDENDUM, EVIDENCE_STATED},
        },
        .in_profile = BCM2835(VPM_COND_PUSHES),
        .proposed = "Writes to the VPM ignore conditions; elements whose condition fails are undefined.",
        .workaround = "Select the value in a register first, then write it unconditionally.",
        .modes = MODES("some-elements", "no-element")},
    [VPM_CLAUSE_BUSY] = {
        .id = "vpm-busy", .title = "the values of the DMA busy registers", .where = MANUAL "p56",
        .readings = {
            {"manual", "The registers read as zero when no transfer is under way.", DOCUMENT("p56")},
            {"unmapped", "The registers always return what a read of an address without a register returns.",
             "doe300/VC4C Register.h (observed by its author on a Raspberry Pi)", EVIDENCE_STATED},
        },
        .in_profile = BCM2835(VPM_STATUS_UNMAPPED), .workaround = "Use the wait registers.",
        .modes = MODES("load", "store")},
    [VPM_CLAUSE_WAIT_DATA] = {
        .id = "vpm-wait-data", .title = "the value that a DMA wait register returns", .where = MANUAL "p56",
        .silent = true,
        .readings = {
            {"manual", "A wait register returns zero.",
             "a careful reader's assumption: like the busy register of an idle DMA", EVIDENCE_ARGUMENT},
            {"unmapped", "A wait register returns what a read of an address without a register returns.",
             "doe300/VC4C Register.h (observed by its author on a Raspberry Pi)", EVIDENCE_STATED},
        },
        .in_profile = BCM2835(VPM_STATUS_UNMAPPED), .workaround = "Ignore the value.",
        .modes = MODES("load", "store")},
    [VPM_CLAUSE_VDW_STRIDE_WIDTH] = {
        .id = "vdw-stride-width", .title = "the width of STRIDE in the DMA store stride setup",
        .where = MANUAL "p59 T35",
        .readings = {
            {"manual", "STRIDE is bits 12:0.", DOCUMENT("p59 T35")},
            {"sixteen-bits", "STRIDE is bits 15:0.", ADDENDUM, EVIDENCE_STATED},
        },
        .in_profile = BCM2835(VPM_VDW_STRIDE_16_BITS), .proposed = "T35: STRIDE 15:0."},
    [VPM_CLAUSE_VDW_STRIDE_MEANING] = {
        .id = "vdw-stride-meaning", .title = "what STRIDE of a DMA store counts", .where = MANUAL "p59 T35",
        .readings = {
            {"manual", "STRIDE counts the bytes from the end of one row in memory to the start of the next.",
             MANUAL "p59; py-videocore tests/test_dma horizontal_32bit_stride_store on a Raspberry Pi",
             EVIDENCE_SILICON},
            {"start-to-start", "STRIDE counts the bytes from the start of one row to the start of the next, "
             "like the pitch of a load.", ARGUMENT("by analogy with p60 T37")},
        }},
    [VPM_CLAUSE_VDW_HORIZ_VS_VDR_VERT] = {
        .id = "vdw-horiz-vs-vdr-vert", .title = "the meaning of the orientation bit of DMA loads",
        .where = MANUAL "p58 T34, p59 T36",
        .readings = {
            {"manual", "1 means vertical in a load. In a store, 1 means horizontal.",
             MANUAL "p59 T36; py-videocore tests/test_dma on a Raspberry Pi", EVIDENCE_SILICON},
            {"same-polarity", "1 means horizontal in loads and stores.",
             ARGUMENT("one of the two tables could be a slip")},
        },
        .modes = MODES("bit-0", "bit-1")},
    [VPM_CLAUSE_VDW_LANED] = {
        .id = "vdw-laned", .title = "LANED in the DMA store setup", .where = MANUAL "p58 T34", .silent = true,
        .readings = {
            {"manual", "LANED has no effect.", MANUAL "p58 says to write 0 and not what 1 does",
             EVIDENCE_ARGUMENT},
            {"laned", "Elements come from the same byte or half of successive words, as in laned block "
             "access.", ARGUMENT("the name of the bit")},
        },
        .workaround = "Write 0.", .modes = MODES("8-bit", "16-bit")},
    [VPM_CLAUSE_VDW_BLOCKMODE] = {
        .id = "vdw-blockmode", .title = "BLOCKMODE in the DMA store stride setup", .where = MANUAL "p59 T35",
        .readings = {
            {"manual", "0 takes each row of a store from the next VPM row (horizontal) or column (vertical). "
             "1 takes each row from the words that follow the previous row in the same VPM row or column, "
             "without a gap.", DOCUMENT("p59 T35")},
            {"ignored", "BLOCKMODE has no effect: each row comes from the next VPM row or column.",
             "QPULib LoadStore.cpp and VC4C VPM.h set it for every store and expect the next VPM row or "
             "column (QPULib: 16 horizontal rows of one word; VC4C VPM.cpp: vertical rows of two words, for "
             "64-bit vectors); both run on Raspberry Pis", EVIDENCE_SOURCE},
        },
        .in_profile = BCM2835(VPM_VDW_BLOCKMODE_IGNORED),
        .proposed = "T35: bit 16 is unused.",
        .workaround = "Write 0, or store whole VPM rows: then both readings agree.",
        .modes = MODES("horizontal", "vertical")},
    [VPM_CLAUSE_VDR_ADDRXY_WIDTH] = {
        .id = "vdr-addrxy-width", .title = "the width of Y in ADDRXY of DMA loads", .where = MANUAL "p59 T36",
        .readings = {
            {"manual", "ADDRXY is {Y[5:0], X[3:0]}; bit 10 of the field is ignored.",
             DOCUMENT("p59 T36, its text")},
            {"seven-bits", "ADDRXY is {Y[6:0], X[3:0]}.",
             DOCUMENT("p59 T36, the width of its field; p58 T34 has Y[6:0]")},
        },
        .workaround = "Load to rows 0 to 63 only."},
    [VPM_CLAUSE_VDR_VPITCH_CARRY] = {
        .id = "vdr-vpitch-carry", .title = "what VPITCH of DMA loads is added to", .where = MANUAL "p59 T36",
        .readings = {
            {"manual", "VPITCH is added to Y[3:0], {Y[2:0], H[0]} or {Y[1:0], B[1:0]}. These four bits give "
             "no carry.", DOCUMENT("p59 T36")},
            {"carries", "The sum carries into the rest of Y.",
             ARGUMENT("one adder for all steps, as VPITCH 0 (16) shows that there is a carry")},
            {"carries-16-only", "A step of 16 moves to the next 16 rows. Smaller steps give no carry out of "
             "the low four bits.", "py-videocore tests/test_dma vertical_32bit_load on a Raspberry Pi for "
             "VPITCH 0 (16), 32-bit; nobody has published a smaller step across a multiple of 16, so the "
             "manual's text is kept for it", EVIDENCE_SILICON},
        },
        .in_profile = BCM2835(VPM_VPITCH_CARRIES_16_ONLY),
        .proposed = "VPITCH 0 moves Y by 16, from one block of 16 rows to the next.",
        .workaround = "Use only VPITCH 0 for loads that cross a multiple of 16 rows.",
        .modes = MODES("step-16", "smaller-step")},
    [VPM_CLAUSE_VCD_ROW_OVERRUN] = {
        .id = "vcd-row-overrun", .title = "DMA rows and columns that run past the VPM's edge",
        .where = MANUAL "p58 T34, p59 T36", .silent = true,
        .readings = {
            {"manual", "X and Y form one position. After X 15 comes X 0 of the next row (for columns, of the "
             "next 16 rows), and after Y 63 comes Y 64.", "a careful reader's assumption", EVIDENCE_ARGUMENT},
            {"wraps", "X and Y wrap separately: after X 15 comes X 0 of the same row, and after Y 63 comes Y "
             "0.", ARGUMENT("separate counters for X and Y")},
        },
        .workaround = "Keep transfers inside the edges.", .modes = MODES("row", "column", "units")},
    [VPM_CLAUSE_SIZE] = {
        .id = "vpm-size", .title = "the size of the VPM, which a DMA past row 127 shows",
        .where = MANUAL "p53, p97 T80", .silent = true,
        .readings = {
            {"manual", "The VPM has 8 KB, the smallest size that shaders need. Row 127 is the last that a "
             "setup can name, and row 0 comes after it.",
             ARGUMENT("every size has these rows, and p58 T34 names no other")},
            {"12-kb", "The VPM has 12 KB: rows 128 to 191 come after row 127, then row 0. No case shows what "
             "rows 128 to 191 hold.", MANUAL "p97 T80, the reference value of IDENT1; asurati.github.io read "
             "it on a Raspberry Pi 1 B (the size; a transfer past row 127 was not seen)", EVIDENCE_SILICON},
            {"16-kb", "The VPM has 16 KB, the largest size: rows 128 to 255 come after row 127, then row 0. "
             "No case shows what rows 128 to 255 hold.", DOCUMENT("p53, p97 T80")},
        },
        .in_profile = BCM2835(VPM_SIZE_12_KB),
        .workaround = "Keep transfers in rows 0 to 127.", .modes = MODES("store", "load")},
    [VPM_CLAUSE_VCD_START_WHILE_BUSY] = {
        .id = "vcd-start-while-busy", .title = "a DMA start while the previous transfer is under way",
        .where = MANUAL "p56",
        .readings = {
            {"manual", "The new transfer waits until the other transfer ends. Nothing is lost.",
             MANUAL "p56; py-videocore tests/test_dma starts four loads in a row and waits once (stores: by "
             "analogy)", EVIDENCE_SOURCE},
            {"dropped", "The new transfer is lost.", ARGUMENT("\"cannot\" taken for a prohibition")},
        },
        .modes = MODES("store", "load")},
    [VPM_CLAUSE_VCD_BASE_SETUP] = {
        .id = "vcd-base-setup", .title = "write setups with ID 1", .where = MANUAL "p56",
        .readings = {
            {"manual", "These words are reserved: the manual mentions VCD base addresses and gives no "
             "format.", DOCUMENT("p56")},
            {"ignored", "These words have no effect on block access and user transfers.",
             ARGUMENT("base addresses serve vertex fetch")},
        },
        .workaround = "Never write such a word."},
};
