/* SPDX-License-Identifier: MIT */
/* The clauses on inputs, latencies, stores and branches. The code that obeys them is in gp_prepare.c,
 * gp_run.c and gp_memory.c. */
#include "model/utgard/gp_clauses_table.h"

#define INPUTS      DOC "inputs to the ALUs"
#define LATENCIES   DOC "latencies"
#define ROW(clause) [GP_CLAUSE_##clause - GP_CLAUSE_UNITS_END]

static const char *const register_modes[] = {"loads", "stores", NULL};
static const char *const early_modes[] = {"register", "temporary", "address", NULL};

/* clang-format off */
const struct clause gp_flow_clauses[GP_CLAUSES - GP_CLAUSE_UNITS_END] = {
    ROW(IDENTITY) = {
        .id = "gp-identity",
        .title = "moves through acc and mul that add or multiply with the identity (selector 22)",
        .where = INPUTS ", selector 22", .silent = true,
        .readings = {
            STATED("manual", "The unit adds 0 or multiplies by 1, so the result is as in arithmetic for a "
             "denormal or a NaN.", INPUTS ", selector 22"),
            GUESSED("bypass", "The bits pass unchanged, except a negated sign."),
        },
        .workaround = "Move bit patterns through pass or complex.",
    },
    ROW(WIDE_IDENTITY) = {
        .id = "gp-wide-identity", .title = "selector 22 as second input of complex1, complex2 and select",
        .where = INPUTS ", selector 22", .silent = true,
        .readings = {
            CODED("manual", "Selector 22 reads as the identity, 1.0.",
             "Mesa: the hardware overwrites second inputs of mul with 1"),
            GUESSED("complex", "Selector 22 reads as the complex unit's last result."),
        },
        .workaround = "Keep complex results out of mul's second inputs, as Mesa does.",
    },
    ROW(SOURCE_8_11) = {
        .id = "gp-source-8-11", .title = "the inputs that selectors 8 to 11 name", .where = INPUTS,
        .silent = true,
        .readings = {
            STATED("manual", "The meaning of these selectors is unknown: the value is undefined.", INPUTS),
            ARGUED("register1", "The selectors read what the register 1 unit loaded in the instruction "
             "before.", "register 0 has such selectors, and a block of four suggests a vector"),
            GUESSED("zero", "The selectors read as 0.0."),
            STATED("unused", "The selectors mean the same as 21: the unit is idle.",
             INPUTS ", a guess for selector 8, seen in a vendor's nop program"),
        },
        .in_profile = DECIDED(GP_SOURCE_8_ZERO),
    },
    ROW(UNARY_SECOND) = {
        .id = "gp-unary-second", .title = "floor and sign with input B 21 (unused)",
        .where = INPUTS ", selector 21", .silent = true,
        .readings = {
            CODED("manual", "Input B does not matter.", OGT " writes 21 there, Mesa 0"),
            CODED("idle", "The unit is idle.", "Mesa's disassembler takes it for idle"),
        },
        .workaround = "Write a selector that is in use.",
    },
    ROW(IDLE_SOURCE) = {
        .id = "gp-idle-source", .title = "a unit with two inputs of which only one is 21 (unused)",
        .where = INPUTS ", selector 21", .silent = true,
        .readings = {
            STATED("manual", "The unit runs, but the value of that input is undefined.", INPUTS),
            GUESSED("zero", "The unit runs, and that input is 0.0."),
            CODED("idle", "The unit is idle.", "Mesa's disassembler takes it for idle"),
        },
        .in_profile = DECIDED(GP_IDLE_SOURCE_ZERO),
    },
    ROW(IDLE_RESULT) = {
        .id = "gp-idle-result", .title = "the result of a unit that was idle in the instruction read",
        .where = INPUTS, .silent = true,
        .readings = {
            STATED("manual", "The result is undefined.", INPUTS),
            GUESSED("holds", "The result is the unit's last result before it became idle."),
            GUESSED("zero", "The result is 0.0."),
        },
        .in_profile = DECIDED(GP_IDLE_RESULT_HOLDS),
    },
    ROW(WIDE_WAIT) = {
        .id = "gp-wide-wait",
        .title = "complex1's result read one instruction after it, or stored by the same instruction",
        .where = LATENCIES ", complex1", .silent = true,
        .readings = {
            STATED("manual", "The value is undefined: the latency is 2 instructions.", LATENCIES),
            GUESSED("same", "The result is already there."),
            ARGUED("zero", "The value is 0.0.", "nothing has come out yet"),
        },
        .in_profile = DECIDED(GP_WIDE_WAIT_ZERO),
    },
    ROW(ONE_REGISTER) = {
        .id = "gp-one-register", .title = "two different registers loaded, or stored, in one instruction",
        .where = DOC "introduction",
        .readings = {
            STATED("manual", "Only one register may be loaded and one stored. What the second unit loads or "
             "stores is undefined.", DOC "introduction"),
            ARGUED("shared", "Both units use the first unit's register number.",
             "the other way to have only one"),
            CODED("two", "Both units load or store their own register.", VENDOR
             " reads $4 and $0 in one instruction; Mesa does so too"),
        },
        .in_profile = CHOSEN(GP_ONE_REGISTER_TWO, GP_ONE_REGISTER_TWO, GP_ONE_REGISTER_TWO),
        .modes = register_modes, .proposed = "Two registers may be loaded and two stored per instruction.",
    },
    ROW(EARLY_READ) = {
        .id = "gp-early-read", .title = "a value that is read before the latency of its store is over",
        .where = LATENCIES, .silent = true,
        .readings = {
            STATED("manual", "The value read is undefined.", LATENCIES),
            GUESSED("old", "The old value is read."),
            ARGUED("new", "The new value is read.", "forwarding"),
        },
        .in_profile = DECIDED(GP_EARLY_OLD), .modes = early_modes,
        .workaround = "Wait 3 instructions for registers, and 4 for temporaries and address registers.",
    },
    ROW(REGISTER_LATENCY) = {
        .id = "gp-register-latency", .title = "the latency of registers", .where = LATENCIES,
        .readings = {
            STATED("manual", "A store to a register takes effect 3 instructions later.",
             LATENCIES "; Mesa's scheduler"),
            ARGUED("two", "A store to a register takes effect 2 instructions later.",
             VENDOR " works with 3 or less, and fails with 4"),
            ARGUED("one", "A store to a register takes effect in the next instruction.",
             VENDOR " works with 3 or less, and fails with 4"),
        },
    },
    ROW(TEMPORARY_LATENCY) = {
        .id = "gp-temporary-latency", .title = "the latency of temporaries", .where = LATENCIES,
        .readings = {
            STATED("manual", "A store to a temporary takes effect 4 instructions later.",
             LATENCIES "; Mesa's scheduler"),
            ARGUED("three", "A store to a temporary takes effect 3 instructions later, as for registers.",
             "one store unit serves both"),
        },
    },
    ROW(ADDRESS_LATENCY) = {
        .id = "gp-address-latency", .title = "the latency of address registers 1 to 3", .where = LATENCIES,
        .readings = {
            STATED("manual", "A store to an address register takes effect 4 instructions later.",
             LATENCIES "; Mesa's scheduler"),
            GUESSED("three", "A store to an address register takes effect 3 instructions later, as for "
             "registers."),
        },
    },
    ROW(ADDRESS_FORMAT) = {
        .id = "gp-address-format", .title = "how an address register uses the number stored in it",
        .where = FORMAT ", complex opcodes 12 to 15", .silent = true,
        .readings = {
            INFERRED("manual", "The number is a float, rounded toward zero.", ASSUMPTION "; "
             OGT " prints index + register"),
            GUESSED("floor", "The number is a float, rounded down."),
            GUESSED("nearest", "The number is a float, rounded to nearest, ties to even."),
            GUESSED("bits", "The bits of the number are an integer."),
        },
        .workaround = "Use whole numbers.",
    },
    ROW(COMPLEX_10) = {
        .id = "gp-complex-10", .title = "complex opcode 10", .where = FORMAT ", complex opcode",
        .readings = {
            STATED("manual", "Opcode 10 sets address registers 0 and 1 from the pass unit's result.", FORMAT),
            ARGUED("nothing", "Opcode 10 sets nothing.", "neither Mesa nor " OGT " knows it"),
            ARGUED("undefined", "The effect is unknown: opcode 10 may set address registers 0 and 1 to any "
             "value.", "neither Mesa nor " OGT " knows it"),
        },
    },
    ROW(LOAD_OFFSET) = {
        .id = "gp-load-offset", .title = "the address registers that load offsets 0, 4, 5 and 6 add",
        .where = FORMAT ", bits 55 to 57", .silent = true,
        .readings = {
            STATED("manual", "The meaning of these offsets is unknown: the value loaded is undefined.",
             FORMAT " says never seen"),
            STATED("register-0", "Offset 0 adds address register 0. Offsets 4, 5 and 6 add nothing.",
             FORMAT ", a guess"),
            GUESSED("nothing", "These offsets add nothing."),
        },
        .in_profile = DECIDED(GP_OFFSET_REGISTER0),
    },
    ROW(THIRD_OFFSET) = {
        .id = "gp-third-offset", .title = "the load offset that adds address register 3",
        .where = FORMAT ", bits 55 to 57",
        .readings = {
            STATED("manual", "Load offset 3 adds address register 3. Load offset 1 adds address register 1.",
             FORMAT "; Mesa"),
            CODED("one", "Load offset 1 adds address register 3.", OGT ", its encoder; its own table says 3"),
        },
        .in_profile = CHOSEN(READING_MANUAL, GP_THIRD_OFFSET_1, READING_MANUAL),
    },
    ROW(LOAD_RANGE) = {
        .id = "gp-load-range", .title = "addresses beyond the 512 vectors of uniforms and temporaries",
        .where = FORMAT ", bits 46 to 57", .silent = true,
        .readings = {
            STATED("manual", "The value loaded is undefined, and so is the effect of a store.", FORMAT),
            GUESSED("wraps", "The address counts modulo 512."),
            GUESSED("clamps", "The address becomes the nearest one that exists."),
            GUESSED("zero", "Loads give 0.0, and stores do nothing."),
        },
        .in_profile = DECIDED(GP_RANGE_WRAPS),
    },
    ROW(TEMPORARY_ADDRESS) = {
        .id = "gp-temporary-address",
        .title = "the address of a temporary store whose own address field is not 0",
        .where = DOC "temporaries",
        .readings = {
            STATED("manual", "The address is address register 0. The field is ignored.",
             DOC "temporaries; Mesa's disassembler"),
            CODED("added", "The address is address register 0 plus the field.", OGT ", its decompiler"),
        },
        .in_profile = CHOSEN(READING_MANUAL, GP_TEMPORARY_ADDED, READING_MANUAL),
    },
    ROW(STORE_SOURCE_5) = {
        .id = "gp-store-source-5", .title = "store source 5", .where = FORMAT ", bits 71 to 82",
        .silent = true,
        .readings = {
            STATED("manual", "The meaning of source 5 is unknown: the value stored is undefined.", FORMAT),
            GUESSED("nothing", "Nothing is stored, as with source 7."),
            GUESSED("zero", "The value 0.0 is stored."),
        },
        .in_profile = DECIDED(GP_STORE_5_NOTHING),
    },
    ROW(DOUBLE_STORE) = {
        .id = "gp-double-store", .title = "a component of a varying stored by two instructions",
        .where = FORMAT ", bits 90 to 99", .silent = true,
        .readings = {
            ASSUMED("manual", "The second store replaces the first."),
            ARGUED("first", "The first store stays.", "a write-once output buffer"),
        },
        .workaround = "Store each component once.",
    },
    ROW(UNWRITTEN_VARYING) = {
        .id = "gp-unwritten-varying", .title = "components of a varying that are never stored",
        .where = FORMAT ", bits 71 to 82", .silent = true,
        .readings = {
            STATED("manual", "The component is undefined.", FORMAT),
            GUESSED("kept", "The component is what the output buffer held before."),
            ARGUED("zero", "The component is 0.0.", "a varying leaves as a whole"),
        },
        .in_profile = DECIDED(GP_UNWRITTEN_KEPT),
    },
    ROW(INITIAL_STATE) = {
        .id = "gp-initial-state",
        .title = "registers, address registers and results before the program sets them",
        .where = DOC "introduction", .silent = true,
        .readings = {
            STATED("manual", "Their values are undefined.", DOC "introduction"),
            ARGUED("kept", "Registers hold what the previous vertex left in them. All else is 0.",
             "vertices share the registers"),
            GUESSED("zero", "All of them are 0."),
        },
        .in_profile = DECIDED(GP_INITIAL_KEPT),
    },
    ROW(ATTRIBUTE_DEFAULT) = {
        .id = "gp-attribute-default", .title = "components that an attribute does not have",
        .where = FORMAT ", bit 62", .silent = true,
        .readings = {
            STATED("manual", "The components X, Y, Z, W that are missing read as 0, 0, 0, 1.",
             "OpenGL ES 2.0 2.8"),
            GUESSED("zero", "Missing components read as 0.0."),
            GUESSED("memory", "Missing components read as the memory after the attribute."),
        },
    },
    ROW(BRANCH_RESULTS) = {
        .id = "gp-branch-results", .title = "results that are read after a taken branch", .where = INPUTS,
        .silent = true,
        .readings = {
            ASSUMED("manual", "\"One and two instructions ago\" counts in the order of execution."),
            ARGUED("bubble", "A taken branch counts as one more instruction.",
             "the fetch of the target costs a cycle"),
            ARGUED("lost", "Results from before the branch are undefined.",
             "Mesa keeps results within a block"),
        },
        .workaround = "Keep values in registers across branches, as Mesa does.",
    },
    ROW(BRANCH_DELAY) = {
        .id = "gp-branch-delay", .title = "whether the instruction after a taken branch runs",
        .where = FORMAT ", bits 69 and 120 to 127", .silent = true,
        .readings = {
            CODED("manual", "The instruction after a taken branch does not run.", "Mesa and "
             OGT " assume no delay slot"),
            ARGUED("one", "The instruction after a taken branch runs before the branch target.",
             "Mesa forbids register stores in a block's last two instructions, as the vendor's compiler "
             "seems to"),
        },
    },
    ROW(BRANCH_INPUT) = {
        .id = "gp-branch-input",
        .title = "the value that a branch tests if the pass unit does more than move",
        .where = FORMAT ", bit 69", .silent = true,
        .readings = {
            CODED("manual", "The branch tests the pass unit's result.", "Mesa: the current pass unit result"),
            GUESSED("input", "The branch tests the pass unit's input."),
        },
        .workaround = "Use a move in the pass unit when branching.",
    },
    ROW(BRANCH_RANGE) = {
        .id = "gp-branch-range", .title = "branches beyond the program", .where = FORMAT ", bits 120 to 127",
        .silent = true,
        .readings = {
            ASSUMED("manual", "The program stops with a fault."),
            GUESSED("ends", "The program ends, as at its last instruction."),
        },
        .in_profile = DECIDED(GP_BRANCH_RANGE_ENDS),
    },
    ROW(FLAGS) = {
        .id = "gp-flags",
        .title = "bits 116 to 119, which may have to match the enable bits of branches and temporary stores",
        .where = FORMAT ", bits 116 to 119", .silent = true,
        .readings = {
            INFERRED("manual", "Only the enable bits decide.", ASSUMPTION "; the flags are called unknown"),
            ARGUED("code", "A branch also needs the value 13 in bits 116 to 119, and a temporary store 12. "
             "Otherwise there is no branch or temporary store.", "the values that compilers write"),
            CODED("bits", "A branch also needs bits 3, 2 and 0 of this field, and a temporary store needs "
             "bits 3 and 2.", OGT " tests bits 3 and 2 for temporary stores"),
            GUESSED("alone", "Bits 3, 2 and 0 of this field make a branch without bit 69. A temporary store "
             "also needs bits 3 and 2."),
        },
        .workaround = "Write 13 with branches, 12 with temporary stores.",
    },
};
/* clang-format on */
