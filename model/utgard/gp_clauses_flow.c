/* SPDX-License-Identifier: MIT */
/* The clauses on inputs, latencies, stores and branches. gp_prepare.c, gp_run.c and gp_memory.c obey them. */
#include "model/utgard/gp_clauses_table.h"

#define INPUTS      DOC "inputs to the ALUs"
#define LATENCIES   DOC "latencies"
#define ROW(clause) [GP_CLAUSE_##clause - GP_CLAUSE_UNITS_END]

static const char *const register_modes[] = {"loads", "stores", NULL};
static const char *const early_modes[] = {"register", "temporary", "address", NULL};

/* clang-format off */
const struct clause gp_flow_clauses[GP_CLAUSES - GP_CLAUSE_UNITS_END] = {
    ROW(IDENTITY) = {
        .id = "gp-identity", .title = "moves through acc and mul by way of the identity",
        .where = INPUTS ", selector 22", .silent = true,
        .readings = {
            STATED("manual", "0 is added or 1 multiplied, with all that arithmetic does to a denormal or a "
                   "NaN", INPUTS ", selector 22"),
            GUESSED("bypass", "the bits pass untouched, but for a negated sign"),
        },
        .workaround = "move bit patterns through pass or complex",
    },
    ROW(WIDE_IDENTITY) = {
        .id = "gp-wide-identity", .title = "selector 22 as second input of complex1, complex2 and select",
        .where = INPUTS ", selector 22", .silent = true,
        .readings = {
            CODED("manual", "the identity, 1.0", "Mesa: the hardware overwrites second inputs of mul with 1"),
            GUESSED("complex", "the complex unit's last result"),
        },
        .workaround = "keep complex results out of mul's second inputs, as Mesa does",
    },
    ROW(SOURCE_8_11) = {
        .id = "gp-source-8-11", .title = "selectors 8 to 11", .where = INPUTS, .silent = true,
        .readings = {
            STATED("manual", "unknown: the value is undefined", INPUTS),
            ARGUED("register1", "what the register 1 unit fetched in the instruction before",
                   "register 0 has such selectors, and a block of four suggests a vector"),
            GUESSED("zero", "0.0"),
            STATED("unused", "the same as 21: the unit is idle",
                   INPUTS ", a guess for selector 8, seen in a vendor's nop program"),
        },
        .in_profile = DECIDED(GP_SOURCE_8_ZERO),
    },
    ROW(UNARY_SECOND) = {
        .id = "gp-unary-second", .title = "input B of floor and sign being 21, unused",
        .where = INPUTS ", selector 21", .silent = true,
        .readings = {
            CODED("manual", "it does not matter", OGT " writes 21 there, Mesa 0"),
            CODED("idle", "the unit is idle", "Mesa's disassembler takes it for idle"),
        },
        .workaround = "write a selector that is in use",
    },
    ROW(IDLE_SOURCE) = {
        .id = "gp-idle-source", .title = "a unit of two inputs of which only one is 21",
        .where = INPUTS ", selector 21", .silent = true,
        .readings = {
            STATED("manual", "it runs, but on what is undefined", INPUTS),
            GUESSED("zero", "it runs, 21 giving 0.0"),
            CODED("idle", "it is idle", "Mesa's disassembler takes it for idle"),
        },
        .in_profile = DECIDED(GP_IDLE_SOURCE_ZERO),
    },
    ROW(IDLE_RESULT) = {
        .id = "gp-idle-result", .title = "the result of a unit that was idle", .where = INPUTS,
        .silent = true,
        .readings = {
            STATED("manual", "undefined", INPUTS),
            GUESSED("holds", "the unit's last result, again"),
            GUESSED("zero", "0.0"),
        },
        .in_profile = DECIDED(GP_IDLE_RESULT_HOLDS),
    },
    ROW(WIDE_WAIT) = {
        .id = "gp-wide-wait",
        .title = "complex1's result read one instruction after it, or stored by its own",
        .where = LATENCIES ", complex1", .silent = true,
        .readings = {
            STATED("manual", "undefined: the latency is 2", LATENCIES),
            GUESSED("same", "it is there already"),
            ARGUED("zero", "0.0", "nothing has come out yet"),
        },
        .in_profile = DECIDED(GP_WIDE_WAIT_ZERO),
    },
    ROW(ONE_REGISTER) = {
        .id = "gp-one-register", .title = "two different registers loaded, or stored, in one instruction",
        .where = DOC "introduction",
        .readings = {
            STATED("manual", "only one may be: what the second unit loads or stores is undefined",
                   DOC "introduction"),
            ARGUED("shared", "the first unit's register number serves both",
                   "the other way to have only one"),
            CODED("two", "both do", VENDOR " reads $4 and $0 in one instruction; Mesa does so too"),
        },
        .in_profile = CHOSEN(GP_ONE_REGISTER_TWO, GP_ONE_REGISTER_TWO, GP_ONE_REGISTER_TWO),
        .modes = register_modes, .proposed = "Two registers may be loaded and two stored per instruction",
    },
    ROW(EARLY_READ) = {
        .id = "gp-early-read", .title = "reading what was stored, before its latency is over",
        .where = LATENCIES, .silent = true,
        .readings = {
            STATED("manual", "undefined", LATENCIES),
            GUESSED("old", "the old value"),
            ARGUED("new", "the new value", "forwarding"),
        },
        .in_profile = DECIDED(GP_EARLY_OLD), .modes = early_modes,
        .workaround = "wait 3 instructions for registers, 4 for all else",
    },
    ROW(REGISTER_LATENCY) = {
        .id = "gp-register-latency", .title = "the latency of registers", .where = LATENCIES,
        .readings = {
            STATED("manual", "a store is seen 3 instructions later", LATENCIES "; Mesa's scheduler"),
            ARGUED("two", "2 instructions later", VENDOR " works with 3 or less, and fails with 4"),
            ARGUED("one", "in the next instruction", VENDOR " works with 3 or less, and fails with 4"),
        },
    },
    ROW(TEMPORARY_LATENCY) = {
        .id = "gp-temporary-latency", .title = "the latency of temporaries", .where = LATENCIES,
        .readings = {
            STATED("manual", "a store is seen 4 instructions later", LATENCIES "; Mesa's scheduler"),
            ARGUED("three", "3 instructions later, as for registers", "one store unit serves both"),
        },
    },
    ROW(ADDRESS_LATENCY) = {
        .id = "gp-address-latency", .title = "the latency of address registers 1 to 3", .where = LATENCIES,
        .readings = {
            STATED("manual", "4 instructions", LATENCIES "; Mesa's scheduler"),
            GUESSED("three", "3 instructions, as for registers"),
        },
    },
    ROW(ADDRESS_FORMAT) = {
        .id = "gp-address-format", .title = "what an address register makes of a number",
        .where = FORMAT ", complex opcodes 12 to 15", .silent = true,
        .readings = {
            INFERRED("manual", "a float, cut off toward zero",
                     ASSUMPTION "; " OGT " prints index + register"),
            GUESSED("floor", "a float, rounded down"),
            GUESSED("nearest", "a float, rounded to nearest, ties to even"),
            GUESSED("bits", "its bits are an integer"),
        },
        .workaround = "use whole numbers",
    },
    ROW(COMPLEX_10) = {
        .id = "gp-complex-10", .title = "complex opcode 10", .where = FORMAT ", complex opcode",
        .readings = {
            STATED("manual", "sets address registers 0 and 1 from the pass unit's result", FORMAT),
            ARGUED("nothing", "sets nothing", "neither Mesa nor " OGT " knows it"),
            ARGUED("undefined", "unknown: it may set address registers 0 and 1 to anything",
                   "neither Mesa nor " OGT " knows it"),
        },
    },
    ROW(LOAD_OFFSET) = {
        .id = "gp-load-offset", .title = "load offsets 0, 4, 5 and 6", .where = FORMAT ", bits 55 to 57",
        .silent = true,
        .readings = {
            STATED("manual", "unknown: what is loaded is undefined", FORMAT " says never seen"),
            STATED("register-0", "0 adds address register 0; the others nothing", FORMAT ", a guess"),
            GUESSED("nothing", "they add nothing"),
        },
        .in_profile = DECIDED(GP_OFFSET_REGISTER0),
    },
    ROW(THIRD_OFFSET) = {
        .id = "gp-third-offset", .title = "the load offset that adds address register 3",
        .where = FORMAT ", bits 55 to 57",
        .readings = {
            STATED("manual", "3; 1 adds address register 1", FORMAT "; Mesa"),
            CODED("one", "1 adds address register 3", OGT ", its encoder; its own table says 3"),
        },
        .in_profile = CHOSEN(READING_MANUAL, GP_THIRD_OFFSET_1, READING_MANUAL),
    },
    ROW(LOAD_RANGE) = {
        .id = "gp-load-range", .title = "addresses beyond the 512 vectors of uniforms and temporaries",
        .where = FORMAT ", bits 46 to 57", .silent = true,
        .readings = {
            STATED("manual", "undefined", FORMAT),
            GUESSED("wraps", "modulo 512"),
            GUESSED("clamps", "the nearest that exists"),
            GUESSED("zero", "loads give 0.0, stores do nothing"),
        },
        .in_profile = DECIDED(GP_RANGE_WRAPS),
    },
    ROW(TEMPORARY_ADDRESS) = {
        .id = "gp-temporary-address",
        .title = "where a temporary store goes whose own address field is not 0", .where = DOC "temporaries",
        .readings = {
            STATED("manual", "to address register 0: the field does not count",
                   DOC "temporaries; Mesa's disassembler"),
            CODED("added", "to address register 0 plus the field", OGT ", its decompiler"),
        },
        .in_profile = CHOSEN(READING_MANUAL, GP_TEMPORARY_ADDED, READING_MANUAL),
    },
    ROW(STORE_SOURCE_5) = {
        .id = "gp-store-source-5", .title = "store source 5", .where = FORMAT ", bits 71 to 82",
        .silent = true,
        .readings = {
            STATED("manual", "unknown: what is stored is undefined", FORMAT),
            GUESSED("nothing", "nothing is stored, as with 7"),
            GUESSED("zero", "0.0 is stored"),
        },
        .in_profile = DECIDED(GP_STORE_5_NOTHING),
    },
    ROW(DOUBLE_STORE) = {
        .id = "gp-double-store", .title = "a varying's component stored by two instructions",
        .where = FORMAT ", bits 90 to 99", .silent = true,
        .readings = {
            ASSUMED("manual", "the last store stays"),
            ARGUED("first", "the first stays", "a write-once output buffer"),
        },
        .workaround = "store each component once",
    },
    ROW(UNWRITTEN_VARYING) = {
        .id = "gp-unwritten-varying", .title = "components of a varying that are never stored",
        .where = FORMAT ", bits 71 to 82", .silent = true,
        .readings = {
            STATED("manual", "undefined", FORMAT),
            GUESSED("kept", "what the output buffer held before"),
            ARGUED("zero", "0.0", "a varying leaves as a whole"),
        },
        .in_profile = DECIDED(GP_UNWRITTEN_KEPT),
    },
    ROW(INITIAL_STATE) = {
        .id = "gp-initial-state",
        .title = "registers, address registers and results before anything set them",
        .where = DOC "introduction", .silent = true,
        .readings = {
            STATED("manual", "undefined", DOC "introduction"),
            ARGUED("kept", "registers hold what the vertex before left, all else 0",
                   "vertices share the registers"),
            GUESSED("zero", "all 0"),
        },
        .in_profile = DECIDED(GP_INITIAL_KEPT),
    },
    ROW(ATTRIBUTE_DEFAULT) = {
        .id = "gp-attribute-default", .title = "components that an attribute lacks",
        .where = FORMAT ", bit 62", .silent = true,
        .readings = {
            STATED("manual", "0, 0, 0, 1", "OpenGL ES 2.0 2.8"),
            GUESSED("zero", "0.0"),
            GUESSED("memory", "what lies behind it in memory"),
        },
    },
    ROW(BRANCH_RESULTS) = {
        .id = "gp-branch-results", .title = "results read across a taken branch", .where = INPUTS,
        .silent = true,
        .readings = {
            ASSUMED("manual", "one and two instructions ago in the order of execution"),
            ARGUED("bubble", "a taken branch counts as one instruction more",
                   "the fetch of the target costs a cycle"),
            ARGUED("lost", "undefined", "Mesa keeps results within a block"),
        },
        .workaround = "keep values in registers across branches, as Mesa does",
    },
    ROW(BRANCH_DELAY) = {
        .id = "gp-branch-delay", .title = "whether a taken branch lets the next instruction run",
        .where = FORMAT ", bits 69 and 120 to 127", .silent = true,
        .readings = {
            CODED("manual", "it does not", "Mesa and " OGT " assume no delay slot"),
            ARGUED("one", "one instruction runs before the target's",
                   "Mesa forbids register stores in a block's last two instructions, as the vendor's "
                   "compiler seems to"),
        },
    },
    ROW(BRANCH_INPUT) = {
        .id = "gp-branch-input", .title = "what a branch tests where the pass unit does not merely move",
        .where = FORMAT ", bit 69", .silent = true,
        .readings = {
            CODED("manual", "the pass unit's result", "Mesa: the current pass unit result"),
            GUESSED("input", "its input"),
        },
        .workaround = "move with pass when branching",
    },
    ROW(BRANCH_RANGE) = {
        .id = "gp-branch-range", .title = "branches beyond the program", .where = FORMAT ", bits 120 to 127",
        .silent = true,
        .readings = {
            ASSUMED("manual", "a fault: no document says"),
            GUESSED("ends", "the program ends, as at its last instruction"),
        },
        .in_profile = DECIDED(GP_BRANCH_RANGE_ENDS),
    },
    ROW(FLAGS) = {
        .id = "gp-flags",
        .title = "bits 116 to 119 against the bits that enable branches and temporary stores",
        .where = FORMAT ", bits 116 to 119", .silent = true,
        .readings = {
            INFERRED("manual", "the enable bits decide", ASSUMPTION "; the flags are called unknown"),
            ARGUED("code", "a branch wants 13 as well, a temporary store 12; else it is none",
                   "the values that compilers write"),
            CODED("bits", "bits 3 and 2 are wanted for both, and bit 0 for a branch",
                  OGT " tests bits 3 and 2 for temporary stores"),
            GUESSED("alone", "bits 3, 2 and 0 make a branch without bit 69; temporary stores need bits 3 "
                    "and 2 as well"),
        },
        .workaround = "write 13 with branches, 12 with temporary stores",
    },
};
/* clang-format on */
