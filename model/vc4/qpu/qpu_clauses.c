/* SPDX-License-Identifier: MIT */
/*
 * The QPU's clauses on encoding, registers, signals and hazards, one row each. qpu_prepare.c, qpu_plan.c,
 * qpu_step.inc.h and their neighbours obey them.
 *
 * Known facts about the QPU that have no row here, and the reason:
 * - t8-title, register-names, tmu-noswap-name: a program cannot see names and titles.
 * - branch-reg-addr-limit: the field has 5 bits, so no word can express the other reading.
 * - nop-or-zero-habit: the reading `zero` of nop-read-stale covers it.
 * - last-thrsw-b0, thread-regs: they need two threads (qpu_thread.c), and a case has one.
 * - vpm-concurrent, vpm-read-write-same, cond-vpm-write: they are in vpm_clauses.c.
 * - bkpt-zero-word: signal code 0 is the breakpoint (p29 T4), so a zero word is a breakpoint. No source
 *   disagrees.
 * - r4-signal-same-instr: a load signal beside the S write of the same TMU falls under peripherals-in-one.
 * - hw-2253: six bits of Y can name just the 64 rows that user programs reach. There is no other reading.
 * - hw-2806: a Z write close to the end spoils MS_FLAGS for the next shader, and a case has one shader.
 * - hw-2116, hw-2726, hw-2885, hw-2905, guardband, clipper-flush-all, varyings-16: binner, rasteriser, setup
 *   engine and their drivers are not modelled. A case gives their results (qpu_graphics.h).
 * - gfxh-515, cl-code-106, cl-colour-format, cl-tile-alloc: they are about control lists.
 * - pctre-bit31, missing-registers, dbqit-offsets, ident2-title, uniform-fifo, uniform-counter: they are
 *   about the host's registers and counters.
 * - TMU_NOSWAP changed after the first look-up, a thread switch while another is pending or after the last
 *   (p21): no source says what happens.
 * - 64-bit colours, where a sample takes two writes (p47): control lists choose them. A case has 32-bit ones.
 * - Address 14 in a program's last three instructions (p37): it matters only to a fragment shader that
 *   follows on the same QPU.
 */
#include "model/vc4/qpu/qpu_clauses.h"

/* clang-format off */
#define ROW(index) [(index) - QPU_CLAUSE_FIRST]
/* The reading in the profile of BCM2835. A row without .in_profile has READING_MANUAL in every built-in
 * profile. */
#define BCM2835(reading) {[VC4_PROFILE_BCM2835] = (reading)}

/* Readings, by the kind of their evidence. */
#define ARGUMENT(id, says, source) {id, says, source, EVIDENCE_ARGUMENT}
#define DOCUMENT(id, says, source) {id, says, source, EVIDENCE_DOCUMENT}
#define SOURCE(id, says, source)   {id, says, source, EVIDENCE_SOURCE}
#define STATED(id, says, source)   {id, says, source, EVIDENCE_STATED}
#define SILICON(id, says, source)  {id, says, source, EVIDENCE_SILICON}

#define MANUAL     "VideoCoreIV-AG100-R"
#define ADDENDUM   "maazl/vc4asm doc/VideoCoreIV-addendum.html (observed on a Raspberry Pi)"
#define REGISTER_H "doe300/VC4C Register.h (observed by its author on a Raspberry Pi)"

const struct clause qpu_clauses[QPU_CLAUSE_END - QPU_CLAUSE_FIRST] = {
    ROW(QPU_R5_BYTE_CONCAT) = {
        .id = "r5-byte-concat",
        .title = "what a write to r5 through regfile A address 37 leaves in each quad",
        .where = MANUAL " p18",
        .readings = {
            DOCUMENT("manual", "All elements of a quad of r5 get one word: the low bytes of the quad's four "
             "elements, element 0 lowest.", MANUAL " p18"),
            STATED("replicate", "All elements of a quad of r5 get the word of the quad's first element (0, "
             "4, 8 or 12).", ADDENDUM "; " MANUAL " p38 T14"),
        }, .in_profile = BCM2835(R5_REPLICATE),
        .proposed = "Writing r5 through address 37 of file A copies elements 0, 4, 8 and 12 to the elements "
            "of their quads.",
        .workaround = "Use the file B form where one word for all elements is wanted."},
    ROW(QPU_R5_COND_ELEMENT0) = {
        .id = "r5-cond-element0", .title = "which element's condition decides a conditional write to r5",
        .where = MANUAL " p18", .silent = true,
        .readings = {
            ARGUMENT("manual", "Each element of r5 is written if its own condition holds.",
             MANUAL " p28, as for other destinations"),
            STATED("source-element", "The condition of the element that is copied decides: element 0 for "
             "file B, the first element of each quad for file A.", REGISTER_H
             ": file B measured, file A inferred"),
            SOURCE("element-0", "The condition of element 0 decides for all of r5 in both forms.",
             "doe300/VC4C Emulator.cpp"),
        }, .in_profile = BCM2835(R5_COND_SOURCE_ELEMENT),
        .proposed = "A conditional write to r5 takes effect if the condition of the element that is copied "
            "holds."},
    ROW(QPU_ACCUMULATOR_COUNT) = {
        .id = "accumulator-count", .title = "the number of accumulators", .where = MANUAL " p16, p18",
        .readings = {
            DOCUMENT("manual", "There are six accumulators, r0 to r5.", MANUAL " p18, p28 T3, p38 T14"),
            DOCUMENT("five", "r5 does not exist: writes to it are lost, and operand code 5 reads as zero.",
             MANUAL " p16"),
        },
        .proposed = "p16: six accumulators."},
    ROW(QPU_T9_MUL_PACK_8A) = {
        .id = "t9-mul-pack-8a", .title = "the bytes that MUL colour pack codes 4 to 7 write",
        .where = MANUAL " p32 T9",
        .readings = {
            DOCUMENT("manual", "All four codes write byte 0.", MANUAL " p32 T9 prints 8a four times"),
            SOURCE("by-code", "Code 4 writes byte 0, code 5 byte 1, code 6 byte 2, code 7 byte 3.",
             "Idein/py-videocore APPENDIX.rst and tests/test_packunpack pack_mul, run on a Raspberry Pi"),
        }, .in_profile = BCM2835(T9_BYTE_BY_CODE),
        .proposed = "T9: 8a, 8b, 8c, 8d."},
    ROW(QPU_SF_NEVER) = {
        .id = "sf-never", .title = "which pipe sets the flags when the ADD condition is `never`",
        .where = MANUAL " p27 T1, p28",
        .readings = {
            DOCUMENT("manual", "The MUL result sets the flags if the ADD operation is nop or its condition "
             "is never.", MANUAL " p27 T1"),
            STATED("nop-only", "The MUL result sets the flags only if the ADD operation is nop.",
             ADDENDUM "; doe300/VC4C OpCodes.h"),
        }, .in_profile = BCM2835(SF_NOP_ONLY),
        .proposed = "Flags are set from the ADD ALU unless its operation is nop, and then from the MUL ALU.",
        .workaround = "Make the ADD operation nop where MUL flags are wanted."},
    ROW(QPU_SF_PER_ELEMENT) = {
        .id = "sf-per-element", .title = "which elements an instruction with sf updates",
        .where = MANUAL " p28",
        .readings = {
            DOCUMENT("manual", "sf updates the flags of all elements.", MANUAL " p28"),
            STATED("condition-true", "sf updates only the elements for which the instruction's condition "
             "holds.", ADDENDUM "; doe300/VC4C OpCodes.h"),
        }, .in_profile = BCM2835(SF_CONDITION_TRUE),
        .proposed = "Only elements whose condition is true get new flags.",
        .workaround = "Set flags with condition `always`."},
    ROW(QPU_BRANCH_SF_ALIAS) = {
        .id = "branch-sf-alias", .title = "flags set by a branch", .where = MANUAL " p34 T10",
        .readings = {
            DOCUMENT("manual", "A branch never sets flags.", MANUAL " p34 T10 has no sf"),
            STATED("bit-45", "Bit 45, the lowest of raddr_a, is also sf: a taken branch with an odd "
             "register number sets the flags from the link value.", ADDENDUM),
        }, .in_profile = BCM2835(BRANCH_SF_BIT_45),
        .proposed = "Bit 45 of a taken branch sets the flags from the link address.",
        .workaround = "Branch through registers with even numbers."},
    ROW(QPU_BRANCH_ELEMENT) = {
        .id = "branch-element", .title = "the element that gives a branch its register address",
        .where = MANUAL " p20, p34 T10",
        .readings = {
            DOCUMENT("manual", "Element 0 of the register is added to the target.", MANUAL " p34 T10"),
            STATED("element-15", "Element 15 of the register is added to the target.",
             ADDENDUM "; doe300/VC4C Emulator.cpp follows"),
        }, .in_profile = BCM2835(BRANCH_ELEMENT_15),
        .proposed = "The register value is taken from SIMD element 15.",
        .workaround = "Keep the address in all elements."},
    ROW(QPU_BRANCH_LINK_COND) = {
        .id = "branch-link-cond", .title = "when a branch writes its link address", .where = MANUAL " p34",
        .readings = {
            DOCUMENT("manual", "The link address appears on the ALU outputs and is written whether or not "
             "the branch is taken.", MANUAL " p34"),
            STATED("taken", "The link address is written only if the branch is taken.", ADDENDUM "; "
             MANUAL " p20 agrees"),
        }, .in_profile = BCM2835(BRANCH_LINK_TAKEN),
        .proposed = "If the branch is taken, the address of the instruction after the delay slots is "
            "written to the destinations."},
    ROW(QPU_BRANCH_SPACING) = {
        .id = "branch-spacing", .title = "branches with fewer than two instructions between them",
        .where = MANUAL " p20, p34", .silent = true,
        .readings = {
            ARGUMENT("manual", "Each branch takes effect after its own three delay slots, even if it is in a "
             "delay slot of another branch.", MANUAL " p20, literally"),
            STATED("crash", "The thread hangs.", ADDENDUM ": 'else crash or no branch'"),
            STATED("lost", "Neither branch is taken. The first one still writes its link address.",
             ADDENDUM ": 'else crash or no branch'"),
        }, .in_profile = BCM2835(BRANCH_SPACING_CRASH),
        .proposed = "Two branches need at least two other instructions between them.",
        .workaround = "Keep two instructions between branches (the Linux kernel's validator asks for four)."},
    ROW(QPU_LDI_OP_TEXT) = {
        .id = "ldi-op-text", .title = "the C flag of a load immediate", .where = MANUAL " p17 fig 2, p33",
        .readings = {
            ARGUMENT("manual", "A load immediate is a move: Z and N follow the value, C is not produced and "
             "keeps its old state.", MANUAL " p33"),
            DOCUMENT("add-zero", "The immediate is added to zero by both ALUs, so C is cleared.",
             MANUAL " p17 fig 2"),
        }, .in_profile = BCM2835(LDI_ADD_ZERO),
        .proposed = "p33: a load immediate with sf clears C."},
    ROW(QPU_LDI_MODE_2_5_6_7) = {
        .id = "ldi-mode-2-5-6-7", .title = "load immediate modes 2, 5, 6 and 7", .where = MANUAL " p33",
        .silent = true,
        .readings = {
            ARGUMENT("manual", "The encoding is reserved; a program that contains it cannot be run.",
             MANUAL " p33 defines only 0, 1, 3 and 4"),
            ARGUMENT("partial", "Bit 59 alone marks a semaphore instruction. Otherwise bit 57 alone marks a "
             "per-element load: mode 2 acts as mode 0, modes 5, 6 and 7 act as mode 4.",
             "the layout of the defined codes"),
        }},
    ROW(QPU_SEMA_RESULT) = {
        .id = "sema-result", .title = "the value that a semaphore instruction writes",
        .where = MANUAL " p33",
        .readings = {
            DOCUMENT("manual", "A semaphore instruction writes its low instruction word, as a load immediate "
             "does.", MANUAL " p33; maazl/vc4asm doc/instructions.html"),
            SOURCE("counter", "A semaphore instruction writes the semaphore's new count.",
             "doe300/VC4C Emulator.cpp"),
        }},
    ROW(QPU_SEMA_COND_NEVER) = {
        .id = "sema-cond-never", .title = "semaphore instructions whose conditions are `never`",
        .where = MANUAL " p28 T2, p33", .silent = true,
        .readings = {
            ARGUMENT("manual", "An instruction whose conditions are both never does nothing.",
             MANUAL " p28 T2: never gates the ALU"),
            SOURCE("acts", "The semaphore changes whatever the conditions are.",
             "the GPU FFT's words E80009E7 xxxxxxxx, which synchronise 8 QPUs on a Raspberry Pi"),
        }, .in_profile = BCM2835(SEMA_ACTS),
        .proposed = "The conditions of a semaphore instruction gate only its register writes."},
    ROW(QPU_SMALL_IMM_48_63) = {
        .id = "small-imm-48-63", .title = "small immediates 48 to 63 as an operand",
        .where = MANUAL " p30 T5",
        .readings = {
            DOCUMENT("manual", "The codes rotate the MUL result; the value of operand B is not defined.",
             MANUAL " p30 T5"),
            SILICON("integer", "Operand B reads the integers -16 to -1.",
             ADDENDUM "; Idein/py-videocore tests/test_rotate rotate_as_simm, run on a Raspberry Pi"),
            ARGUMENT("zero", "Operand B reads 0.", "the table has no value for these codes"),
        }, .in_profile = BCM2835(SMALL_IMM_INTEGER),
        .proposed = "Codes 48 to 63 also read as the integers -16 to -1."},
    ROW(QPU_ROTATE_NON_ACCU) = {
        .id = "rotate-non-accu", .title = "rotation of operands other than r0 to r3",
        .where = MANUAL " p20",
        .readings = {
            DOCUMENT("manual", "Only r0 to r3 can be rotated; the result of any other operand is not "
             "defined.", MANUAL " p20"),
            SILICON("in-quad", "r4, r5 and regfile operands rotate by n mod 4 inside each quad.",
             ADDENDUM "; Idein/py-videocore tests/test_rotate (r4, ra), run on a Raspberry Pi"),
            ARGUMENT("full", "All operands rotate in the same way, by n over all sixteen elements.",
             MANUAL " p30 T5 names no restriction"),
        }, .in_profile = BCM2835(ROTATE_IN_QUAD),
        .proposed = "Operands other than r0 to r3 rotate by n mod 4 inside each quad.",
        .workaround = "Copy to an accumulator first."},
    ROW(QPU_ROTATE_MIXED_OPERANDS) = {
        .id = "rotate-mixed-operands", .title = "rotation of one accumulator and one other operand",
        .where = MANUAL " p17 fig 2, p20", .silent = true,
        .readings = {
            ARGUMENT("manual", "The result is not defined.", MANUAL " p20 allows r0 to r3 only"),
            ARGUMENT("split", "r0 to r3 move between quads, the other operand does not. Both rotate inside "
             "the quad.", "argument: the note at " MANUAL
             " p17 fig 2, where each operand has its own way into the rotator"),
            STATED("in-quad", "Neither operand moves between quads: both rotate by n mod 4 inside each "
             "quad.", ADDENDUM ": both operands must be of r0 to r3 for full rotation, else it stays within "
             "the slices; doe300/VC4C Register.h agrees (from p17 fig 2 and py-videocore's one-operand tests "
             "one can derive `split` instead)"),
        }, .in_profile = BCM2835(ROTATE_MIXED_IN_QUAD),
        .proposed = "Unless both operands are r0 to r3, the result rotates by n mod 4 inside each quad.",
        .workaround = "Copy the other operand to an accumulator first."},
    ROW(QPU_ROTATE_HAZARD_SCOPE) = {
        .id = "rotate-hazard-scope", .title = "rotation of an accumulator that the instruction before wrote",
        .where = MANUAL " p37",
        .readings = {
            DOCUMENT("manual", "The result is not defined.", MANUAL " p37: must not"),
            STATED("lower-quad", "Only the elements that move to a lower quad are not defined.", ADDENDUM),
            ARGUMENT("lower-quad-old", "The elements that move to a lower quad have the accumulator's old "
             "value.", "the pipeline order of " MANUAL " p17 fig 2"),
            ARGUMENT("old", "All elements that move have the accumulator's old value.",
             "no forwarding into the rotator"),
        }, .in_profile = BCM2835(ROTATE_HAZARD_LOWER),
        .proposed = "The restriction applies only to elements that move to a lower quad.",
        .workaround = "Put one other instruction between the write and the rotation."},
    ROW(QPU_NOP_READ_STALE) = {
        .id = "nop-read-stale", .title = "the value of a read of address 39 (NOP)",
        .where = MANUAL " p38 T14",
        .readings = {
            DOCUMENT("manual", "Nothing is read, and the operand is not defined.", MANUAL " p38 T14"),
            STATED("stale", "The read returns elements 12 to 15 of the last value read through that file, "
             "repeated in every quad.", ADDENDUM),
            SOURCE("zero", "The read returns 0.",
             "'VPM, VCD, and VCM For Vertex Shaders' (JayStation2): its listing ORs with NOP to move"),
        }, .in_profile = BCM2835(NOP_READ_STALE),
        .proposed = "Address 39 repeats elements 12 to 15 of the last value read through the file.",
        .workaround = "OR a value with itself to move it."},
    ROW(QPU_MUL_NOP_WRITE) = {
        .id = "mul-nop-write", .title = "a MUL nop that names a destination", .where = MANUAL " p36",
        .readings = {
            DOCUMENT("manual", "A MUL nop writes nothing.", MANUAL " p36"),
            STATED("stale", "Elements 12 to 15 of the last MUL result are written, repeated in every quad. "
             "This is unreliable if a condition suppressed that result.", ADDENDUM),
        }, .in_profile = BCM2835(MUL_NOP_STALE),
        .workaround = "Give a MUL nop the destination 39."},
    ROW(QPU_RADDR_SIDE_EFFECT) = {
        .id = "raddr-side-effect", .title = "read addresses of I/O registers that no operand uses",
        .where = MANUAL " p28",
        .readings = {
            DOCUMENT("manual", "A register is read only if an operand selects it.", MANUAL " p28 T3"),
            SOURCE("address-alone", "The address field alone causes the read: it pops a FIFO, takes a mutex, "
             "or waits.", "maazl/vc4asm doc/instructions.html 'read'; a shader of the Broadcom driver pops a "
             "varying it does not use"),
        }, .in_profile = BCM2835(RADDR_ALONE),
        .proposed = "The read address fields act whether or not an operand uses the value."},
    ROW(QPU_IO_READ_BOTH_FILES) = {
        .id = "io-read-both-files", .title = "one FIFO named in both read addresses",
        .where = MANUAL " p22", .silent = true,
        .readings = {
            ARGUMENT("manual", "There are two reads: file A gets the first word, file B the next.",
             MANUAL " p22: either file"),
            SOURCE("once", "There is one read: both files get the same word.", "doe300/VC4C Emulator.cpp"),
        }, .in_profile = BCM2835(IO_READ_ONCE)},
    ROW(QPU_COND_WRITE_PERIPHERAL) = {
        .id = "cond-write-peripheral", .title = "conditional writes to VPM setup and DMA address registers",
        .where = MANUAL " p28",
        .readings = {
            DOCUMENT("manual", "The write happens if the condition of the element that carries the word "
             "holds.", MANUAL " p28 T2"),
            SOURCE("always", "The write happens whatever the condition. If the condition fails, the word is "
             "not defined.", "maazl/vc4asm doc/VideoCoreIV-addendum.html: seen of TMU and VPM data, "
             "'probably any other peripheral register' too; its validator warns"),
            ARGUMENT("unconditional", "The write happens whatever the condition, with the word that the ALU "
             "computed.", "a FIFO push has no element enables"),
        }, .in_profile = BCM2835(COND_WRITE_ALWAYS),
        .proposed = "Conditions do not suppress writes to peripherals.",
        .workaround = "Write peripherals with condition `always`."},
    ROW(QPU_INVERSE_COND_PERIPHERAL) = {
        .id = "inverse-cond-peripheral",
        .title = "both ALUs writing one register under opposite conditions", .where = MANUAL " p19",
        .readings = {
            DOCUMENT("manual", "The register's content is not defined.", MANUAL " p19"),
            STATED("exclusive", "Each element of a register comes from the ALU whose condition holds. "
             "Elements that the MUL ALU writes to a peripheral are not defined.",
             ADDENDUM " and its validator"),
            ARGUMENT("add-only", "The ADD ALU's write is made, and the MUL ALU's write is lost.",
             "there is one write port"),
        }, .in_profile = BCM2835(INVERSE_COND_EXCLUSIVE),
        .proposed = "Two writes to one register are allowed if their conditions exclude each other, except "
            "to peripherals."},
    ROW(QPU_PACK_PERIPHERAL) = {
        .id = "pack-peripheral",
        .title = "packing of values written to peripherals, except colours packed to all four bytes",
        .where = MANUAL " p20, p30",
        .readings = {
            DOCUMENT("manual", "The value is packed. Bytes that the pack does not name are 0.",
             MANUAL " p20: the MUL pack serves any destination"),
            STATED("junk", "Colour packs of one byte and the packs of regfile A do not work: the value that "
             "arrives is not defined.", ADDENDUM " for colour packs of one byte (8888 writes whole words and "
             "is not meant); doe300/VC4C OpCodes.h for those of regfile A"),
            ARGUMENT("unpacked", "The whole unpacked word arrives.",
             "only the register files have byte enables"),
        }, .in_profile = BCM2835(PACK_PERIPHERAL_JUNK),
        .proposed = "Packs that write a part of a word are not available for I/O registers.",
        .workaround = "Pack to a register first."},
    ROW(QPU_HOST_INT_NONZERO) = {
        .id = "host-int-nonzero", .title = "which written values raise the host interrupt",
        .where = MANUAL " p24",
        .readings = {
            DOCUMENT("manual", "Any write raises the interrupt.", MANUAL " p24"),
            STATED("non-zero", "Only a value other than 0 raises the interrupt.", ADDENDUM),
        }, .in_profile = BCM2835(HOST_INT_NONZERO),
        .proposed = "A write of a non-zero value raises the host interrupt."},
    ROW(QPU_MUTEX_READ_DATA) = {
        .id = "mutex-read-data", .title = "the value of a mutex read", .where = MANUAL " p24",
        .readings = {
            DOCUMENT("manual", "A mutex read returns the element number through file A and the QPU number "
             "through file B.", MANUAL " p24"),
            SOURCE("constant", "A mutex read returns FC2FF000 in every element.",
             "doe300/VC4C Register.h: \"seems to be\" this value"),
            SOURCE("stale", "A mutex read returns what a read of address 39 returns: what was last read "
             "through the file.", "maazl/vc4asm doc/VideoCoreIV-addendum.html, for registers without data"),
        }, .in_profile = BCM2835(MUTEX_READ_CONSTANT)},
    ROW(QPU_UNIF_ADDR_B) = {
        .id = "unif-addr-b", .title = "UNIFORMS_ADDRESS written through file B", .where = MANUAL " p38 T14",
        .readings = {
            DOCUMENT("manual", "The value is the new address of the uniforms, as through file A.",
             MANUAL " p38 T14"),
            SOURCE("relative", "The value is added to the uniform pointer.",
             "maazl/vc4asm's name unif_addr_rel; hermanhermitage/videocoreiv-qpu"),
        }},
    ROW(QPU_COORDS_OUTSIDE_FS) = {
        .id = "coords-outside-fs", .title = "pixel coordinates outside fragment shaders",
        .where = MANUAL " p38 T14",
        .readings = {
            ARGUMENT("manual", "A read returns twice the quad coordinate written to the register, plus the "
             "pixel's place in its quad. Before such a write the value is not defined.", MANUAL " p38 T14"),
            STATED("fixed", "X reads 0 1 0 1 ..., Y reads 0 0 1 1 ..., whatever was written.", REGISTER_H),
        }, .in_profile = BCM2835(COORDS_FIXED),
        .proposed = "In user programs the registers read as the places of the pixels in their quads."},
    ROW(QPU_MS_REV_FLAGS_STORAGE) = {
        .id = "ms-rev-flags-storage", .title = "MS_FLAGS and REV_FLAG written and read by a program",
        .where = MANUAL " p38 T14",
        .readings = {
            ARGUMENT("manual", "Each element of MS_FLAGS keeps 4 bits and each element of REV_FLAG 1 bit. "
             "The next instruction can read them.", MANUAL " p38 T14"),
            STATED("element-0", "REV_FLAG keeps the bit of element 0, and reads return it in all elements. "
             "A read of MS_FLAGS or REV_FLAG right after its write is not defined.", REGISTER_H),
        }, .in_profile = BCM2835(MS_REV_REPLICATED),
        .proposed = "REV_FLAG is one bit, written from element 0.",
        .workaround = "Put one other instruction between the write and the read."},
    ROW(QPU_SFU_LIST) = {
        .id = "sfu-list", .title = "the function at SFU address 52", .where = MANUAL " p23, p16, p38 T14",
        .readings = {
            DOCUMENT("manual", "A write to address 52 computes the square root.",
             MANUAL " p23: SQRT, RECIPSQRT, LOG, EXP"),
            SOURCE("reciprocal", "A write to address 52 computes the reciprocal.",
             "Idein/py-videocore tests/test_sfu, run on a Raspberry Pi; " MANUAL " p16, p38 T14"),
        }, .in_profile = BCM2835(SFU_LIST_REGISTER_MAP),
        .proposed = "p23: RECIP, RECIPSQRT, EXP, LOG."},
    ROW(QPU_REGFILE_HAZARD) = {
        .id = "regfile-hazard", .title = "a regfile register read by the instruction after its write",
        .where = MANUAL " p37",
        .readings = {
            DOCUMENT("manual", "The value read is not defined.", MANUAL " p37: must not"),
            ARGUMENT("old", "The old value is read.", "there is no forwarding path from the register files "
             "in " MANUAL " p17 fig 2"),
            ARGUMENT("new", "The new value is read.", "the hardware may forward the result"),
        }, .workaround = "Put one other instruction between the write and the read."},
    ROW(QPU_SFU_R4_HAZARD) = {
        .id = "sfu-r4-hazard", .title = "r4 read in the two instructions after an SFU write",
        .where = MANUAL " p23, p37",
        .readings = {
            DOCUMENT("manual", "The value read is not defined.", MANUAL " p37: must not"),
            ARGUMENT("old", "The old r4 is read.", "the result arrives with the third instruction"),
            ARGUMENT("new", "The result is read: the read waits for it.",
             "reads of r4 wait for a TMU in this way"),
        }, .workaround = "Read r4 from the third instruction on."},
    ROW(QPU_ROTATE_R5_HAZARD) = {
        .id = "rotate-r5-hazard", .title = "rotation by r5 in the instruction after a write to r5",
        .where = MANUAL " p37",
        .readings = {
            DOCUMENT("manual", "The result is not defined.", MANUAL " p37: must not"),
            ARGUMENT("old", "The rotation uses the old r5 as its amount.",
             "the amount is taken one stage early"),
            ARGUMENT("new", "The rotation uses the new r5 as its amount.",
             "the hardware may forward the result"),
        }, .workaround = "Put one other instruction between the write and the rotation."},
    ROW(QPU_UNIF_ADDR_DELAY) = {
        .id = "unif-addr-delay",
        .title = "uniforms read in the two instructions after a write to UNIFORMS_ADDRESS",
        .where = MANUAL " p22",
        .readings = {
            DOCUMENT("manual", "The uniform read is not defined. Later uniforms are not defined either, "
             "until the register is written again, because the position in the stream is unknown.",
             MANUAL " p22: at least two instructions must follow"),
            ARGUMENT("old", "The read returns the next uniform of the old stream.",
             "the QPU's FIFO of two words still holds it: doe300/VC4CL src/hal/V3D.h"),
            ARGUMENT("new", "The read returns the first uniform of the new stream.",
             "the FIFO is flushed at once"),
        }, .workaround = "Put two other instructions between the write and the read."},
    ROW(QPU_END_REGFILE_WRITE) = {
        .id = "end-regfile-write", .title = "a regfile write by the program end instruction itself",
        .where = MANUAL " p37",
        .readings = {
            DOCUMENT("manual", "The register's content is not defined.", MANUAL " p37: must not"),
            ARGUMENT("written", "The register is written as by any other instruction.",
             "nothing special happens"),
            ARGUMENT("lost", "The register is not written.",
             "the write port is taken by the next thread's W and Z: " MANUAL " p21"),
        }, .workaround = "End with a nop."},
    ROW(QPU_END_IO_ACCESS) = {
        .id = "end-io-access",
        .title = "uniforms, VPM and DMA registers in the program end instruction and the two after it",
        .where = MANUAL " p37",
        .readings = {
            DOCUMENT("manual", "The value read and the effect of a write are not defined.",
             MANUAL " p37: must not"),
            ARGUMENT("works", "The access works like any other.", "argument: nothing special happens"),
            ARGUMENT("lost", "Writes are lost, and values read are not defined.",
             "argument: the program's claim on the shared units ends with the signal"),
        }, .workaround = "Make the last access before the end instruction."},
    ROW(QPU_PERIPHERALS_IN_ONE) = {
        .id = "peripherals-in-one",
        .title = "two accesses to TMUs, tile buffer, SFU, mutex and semaphores in one instruction",
        .where = MANUAL " p33, p37",
        .readings = {
            DOCUMENT("manual", "What the instruction does is not defined.",
             MANUAL " p37: at most one; p33: a semaphore instruction must not"),
            ARGUMENT("works", "Each access does what it does alone.", "argument: they are separate units"),
            ARGUMENT("sfu-lost", "A write to the SFU beside another access is lost. All other accesses do "
             "what they do alone.", "argument: there is one request port, and the unit that can stall comes "
             "first"),
        }, .workaround = "Put them in two instructions."},
    ROW(QPU_MUL_PACK_LDI) = {
        .id = "mul-pack-ldi", .title = "the MUL colour pack of a load immediate",
        .where = MANUAL " p30, p33", .silent = true,
        .readings = {
            ARGUMENT("manual", "The immediate is an integer, so the pack does not convert it: it is written "
             "unchanged.", MANUAL " p33 has it packed as an integer, never converted; that it then stays "
             "whole is our assumption"),
            ARGUMENT("converted", "The immediate is taken as a float and packed, as results of fmul are.",
             "argument: mul-pack-any-op's reading `any`, carried over"),
        }},
    ROW(QPU_TMU_NOSWAP_VALUE) = {
        .id = "tmu-noswap-value",
        .title = "which values written to TMU_NOSWAP disable the swap of the two TMUs",
        .where = MANUAL " p45 T21",
        .readings = {
            DOCUMENT("manual", "Bit 0 of element 0 decides: 1 disables the swap.", MANUAL " p45 T21"),
            STATED("non-zero", "Any value of element 0 other than 0 disables the swap.", ADDENDUM),
        }, .in_profile = BCM2835(TMU_NOSWAP_NONZERO),
        .proposed = "TMU_NOSWAP: a non-zero value in element 0 disables the swap.",
        .workaround = "Write 1."},
    ROW(QPU_TMU_UNIFORM_SHARE) = {
        .id = "tmu-uniform-share",
        .title = "a uniform read in the same instruction as a texture register write that takes a uniform",
        .where = MANUAL " p23",
        .readings = {
            DOCUMENT("manual", "The parameter that the texture write takes is not defined.",
             MANUAL " p23: must not"),
            ARGUMENT("in-order", "The read takes the next uniform, and the texture write takes the one after "
             "it.", "both come from one FIFO, reads before writes"),
            ARGUMENT("same", "The read and the texture write take the same uniform.",
             "the FIFO is popped once per instruction"),
        }, .workaround = "Read the uniform in another instruction."},
    ROW(QPU_VARYING_EXCESS) = {
        .id = "varying-excess",
        .title = "a varying read after the last varying, or in a program that has none",
        .where = MANUAL " p51", .silent = true,
        .readings = {
            ARGUMENT("manual", "The read waits for ever.", "the FIFO is filled by the rasteriser only; "
             MANUAL " p25: varyings stall"),
            SOURCE("undefined", "The read returns at once. Its data and r5 are not defined.",
             "a texture shader of the Broadcom driver has two varyings, and its third instruction, 013E3377 "
             "11020E67, still names VARYING_READ (raddr-side-effect); " MANUAL
             " p56 says so of VPM reads, which share the FIFO (p53)"),
        }, .in_profile = BCM2835(VARYING_EXCESS_UNDEFINED), .workaround = "Read each varying once."},
    ROW(QPU_TLB_OUTSIDE_FRAGMENT) = {
        .id = "tlb-outside-fragment",
        .title = "tile buffer access by a program that is not a fragment shader", .where = MANUAL " p46",
        .silent = true,
        .readings = {
            ARGUMENT("manual", "The manual does not define it, and the model stops there.",
             "the tile buffer is described for fragment shaders only: " MANUAL " p46"),
            ARGUMENT("waits", "The access waits for ever for the scoreboard, which nothing opens.",
             MANUAL " p47: the first access waits for the scoreboard"),
        }, .workaround = "Use the tile buffer in fragment shaders only."},
    ROW(QPU_VPM_IN_FRAGMENT) = {
        .id = "vpm-in-fragment", .title = "VPM or DMA access by a fragment shader", .where = MANUAL " p52-53",
        .readings = {
            DOCUMENT("manual", "The manual does not define it, and the model stops there.",
             MANUAL " p52-53: a fragment shader cannot access them, because the varyings use their FIFOs"),
            ARGUMENT("works", "The access works as in other programs.",
             "varyings may have FIFOs of their own"),
        }, .workaround = "Use the VPM and its DMA in programs of other kinds only."},
    ROW(QPU_TLB_Z_MS_FLAGS) = {
        .id = "tlb-z-ms-flags", .title = "MS_FLAGS read in the two instructions after a Z write",
        .where = MANUAL " p37",
        .readings = {
            DOCUMENT("manual", "The value read is not defined.", MANUAL " p37: must not"),
            ARGUMENT("old", "The read returns the flags from before the tests.",
             "the tests' result comes back later"),
            ARGUMENT("new", "The read returns the flags that the tests left.",
             "the read may wait for the tests"),
        }, .workaround = "Put two other instructions between the write and the read."},
    ROW(QPU_HW_2796) = {
        .id = "hw-2796",
        .title = "a wait for the scoreboard, signalled or implied, in the first two instructions of a "
            "fragment shader", .where = MANUAL " p37, p108 HW-2796",
        .readings = {
            DOCUMENT("manual", "The wait for the scoreboard does not work there, and what is read or written "
             "is not defined.", MANUAL " p108 HW-2796"),
            ARGUMENT("works", "The wait works as it does later.", "the scoreboard may always be free"),
            ARGUMENT("lost", "A write is lost.", "the tile may still belong to another thread"),
        },
        .workaround =
            "Begin with two instructions that do not use the tile buffer, as Mesa's compiler does."},
    ROW(QPU_HW_2924) = {
        .id = "hw-2924", .title = "which REV_FLAG chooses between the stencil setups of front and back faces",
        .where = MANUAL " p48 T26, p109 HW-2924",
        .readings = {
            DOCUMENT("manual", "Each pixel's own REV_FLAG chooses.", MANUAL
             " p48 T26, where the list of errata is not read"),
            STATED("batch", "The REV_FLAG of element 0 chooses for all sixteen pixels.",
             MANUAL " p109 HW-2924: chosen for each batch of quads; that element 0 decides is an inference"),
        }, .in_profile = BCM2835(HW_2924_BATCH),
        .workaround = "Write Z once for each facing, under that facing's condition."},
    ROW(QPU_TMU_NOSWAP_DELAY) = {
        .id = "tmu-noswap-delay",
        .title = "a TMU write in the two instructions after a write to TMU_NOSWAP, on a QPU that swaps",
        .where = MANUAL " p37, p45 T21",
        .readings = {
            DOCUMENT("manual", "It is not defined which TMU the write goes to.",
             MANUAL " p37: three instructions must pass"),
            ARGUMENT("new", "The new value of TMU_NOSWAP decides which TMU the write goes to.",
             "argument: the value takes effect in the next instruction"),
            ARGUMENT("old", "The old value of TMU_NOSWAP decides which TMU the write goes to.",
             "argument: the value takes effect as late as the manual's distance suggests"),
        }, .workaround = "Write TMU_NOSWAP at least three instructions before the first look-up."},
    ROW(QPU_END_TLB_Z) = {
        .id = "end-tlb-z", .title = "a write to TLB_Z in the last instruction of a program",
        .where = MANUAL " p37",
        .readings = {
            DOCUMENT("manual", "The Z that it leaves in the tile is not defined.", MANUAL " p37: must not"),
            ARGUMENT("written", "The write is made like any other.", "argument: nothing special happens"),
            ARGUMENT("lost", "The write is lost.",
             "argument: the pixels are handed on with the last instruction"),
        }, .workaround = "Write Z before the last instruction."},
};
/* clang-format on */
