/* SPDX-License-Identifier: MIT */
/* The clauses of unit v3d-qpu about execution: registers, uniforms, branches, accesses, launch, and words
 * that no source defines. v3d_clauses.c says what `manual` is. */
#include "model/v3d/v3d_clauses.h"

#include "model/core/clause_rows.h"

#define MESA  "Mesa src/broadcom/compiler/nir_to_vir.c"
#define QPU   "Mesa src/broadcom/qpu/qpu_instr.h"
#define TESTS "py-videocore6 and py-videocore7, tests"

/* clang-format off */
const struct clause v3d_run_clauses[V3D_CLAUSES - V3D_ALU_CLAUSES] = {
    [V3D_CLAUSE_UNIFORM_LANE - V3D_ALU_CLAUSES] = {
        .id = "v3d-uniform-branch-lane", .title = "the lane that gives the address of a uniform branch",
        .where = "Mesa src/broadcom/qpu/qpu_instr.h, V3D_QPU_BRANCH_DEST_REGFILE", .silent = true,
        .readings = {
            CODED("manual", "Lane 0 gives the address, as it does for unifa.",
                  TESTS ", test_unifa, case 2: the data begin at lane 0's address"),
            CODED("lane-1", "Lane 1 gives the address.", TESTS ", test_branch: only lane 1 has the address"),
        },
        .in_profile = {[V3D_PROFILE_TESTS] = V3D_UNIFORM_LANE_1,
                       [V3D_PROFILE_42] = V3D_UNIFORM_LANE_1,
                       [V3D_PROFILE_71] = V3D_UNIFORM_LANE_1},
    },
    [V3D_CLAUSE_STORE_CONFLICT - V3D_ALU_CLAUSES] = {
        .id = "v3d-store-conflict", .title = "lanes that store to one address",
        .where = MESA ", ntq_emit_tmu_general", .silent = true,
        .readings = {
            ARGUED("manual", "The store of the highest lane stays.", "lanes in ascending order"),
            ARGUED("lowest-lane", "The store of the lowest lane stays.",
                   "a write combiner can keep the first"),
        },
    },
    [V3D_CLAUSE_PACK_KEEPS - V3D_ALU_CLAUSES] = {
        .id = "v3d-pack-other-half", .title = "the half that a packed result does not name",
        .where = "Mesa src/broadcom/compiler/vir_live_variables.c",
        .readings = {
            CODED("manual", "The other half of the destination keeps its value.",
                  "Mesa vir_live_variables.c: a packed write does not end a value's life"),
            ARGUED("clears", "The other half becomes 0.",
                   "the tests of py-videocore6 and 7 look at one half only"),
        },
    },
    [V3D_CLAUSE_BRANCH_LANE - V3D_ALU_CLAUSES] = {
        .id = "v3d-branch-lane", .title = "the lane that gives the address of a branch to a register",
        .where = QPU ", V3D_QPU_BRANCH_DEST_REGFILE", .silent = true,
        .readings = {
            ARGUED("manual", "Lane 0 gives the address.",
                   "as for unifa"),
            ARGUED("lane-1", "Lane 1 gives the address.",
                   "as a test of uniform branches expects"),
        },
    },
    [V3D_CLAUSE_UNIFORM_LINK - V3D_ALU_CLAUSES] = {
        .id = "v3d-uniform-branch-link", .title = "a branch of the uniforms to the link register",
        .where = QPU ", V3D_QPU_BRANCH_DEST_LINK_REG", .silent = true,
        .readings = {
            ARGUED("manual", "What happens is undefined.",
                   "Mesa prints lri and never uses it"),
            ARGUED("stays", "The stream of uniforms goes on.",
                   "there is no link register of uniforms"),
        },
    },
    [V3D_CLAUSE_PACK_MAGIC - V3D_ALU_CLAUSES] = {
        .id = "v3d-pack-magic", .title = "the other half of a packed result that goes to a magic address",
        .where = "Mesa src/broadcom/compiler/vir_live_variables.c", .silent = true,
        .readings = {
            ARGUED("manual", "It is 0.",
                   "there is no old value to keep"),
            ARGUED("both", "Both halves hold the result.",
                   "a half can be replicated"),
        },
    },
    [V3D_CLAUSE_FOUR_THREADS - V3D_ALU_CLAUSES] = {
        .id = "v3d-four-threads", .title = "registers rf32 to rf63 with four threads",
        .where = "Mesa src/broadcom/compiler/vir_register_allocate.c", .silent = true,
        .readings = {
            CODED("manual", "What happens is undefined.",
                  "Mesa vir_register_allocate.c: with four threads there are 32 registers"),
            ARGUED("alias", "They are rf0 to rf31.",
                   "the number can lose its highest bit"),
            ARGUED("neighbour", "They are another thread's. They hold what the program writes there, up to a "
                   "thread switch; before and after that they are undefined. With several batches, what "
                   "happens is undefined.",
                   "four threads share what two have"),
            ARGUED("unmapped", "Reading them gives an undefined value, and writing them does nothing.",
                   "nothing may be connected"),
        },
    },
    [V3D_CLAUSE_MSF - V3D_ALU_CLAUSES] = {
        .id = "v3d-msf", .title = "multisample flags of lanes without an invocation",
        .where = MESA ", nir_intrinsic_elect", .silent = true,
        .readings = {
            ARGUED("manual", "They are 0.",
                   MESA ", nir_intrinsic_elect: lives where MSF is not 0"),
            ARGUED("all-lanes", "No lane has 0.",
                   "MSF belongs to fragments"),
        },
    },
    [V3D_CLAUSE_SETMSF - V3D_ALU_CLAUSES] = {
        .id = "v3d-setmsf", .title = "what setmsf does in a compute program",
        .where = QPU ", V3D_QPU_A_SETMSF", .silent = true,
        .readings = {
            ARGUED("manual", "Later accesses of the TMU leave out lanes that it sets to 0.",
                   MESA ", nir_intrinsic_discard: fragment shaders only"),
            ARGUED("no-effect", "It does nothing that accesses see.",
                   "compute has no samples"),
        },
    },
    [V3D_CLAUSE_TMUL - V3D_ALU_CLAUSES] = {
        .id = "v3d-tmul", .title = "a write to tmul",
        .where = QPU ", V3D_QPU_WADDR_TMUL", .silent = true,
        .readings = {
            ARGUED("manual", "What happens is undefined.",
                   "only its name is known"),
            ARGUED("ignored", "It does nothing.",
                   "a name of older chips"),
            ARGUED("loads", "It starts an access, as tmua does.",
                   "l may stand for load"),
        },
    },
    [V3D_CLAUSE_SYNC - V3D_ALU_CLAUSES] = {
        .id = "v3d-sync",
        .title = "writes to sync and syncu, and to syncb of another word than barrierid's or of some lanes",
        .where = QPU ", V3D_QPU_WADDR_SYNC", .silent = true,
        .readings = {
            ARGUED("manual", "What happens is undefined.",
                   "Mesa uses syncb"),
            ARGUED("ignored", "It does nothing.",
                   "chips before 4.2 had another unit"),
            ARGUED("barrier", "The same as syncb.",
                   "Mesa wrote barrierid to sync before 4.2"),
        },
    },
    [V3D_CLAUSE_ROT - V3D_ALU_CLAUSES] = {
        .id = "v3d-rot", .title = "which ALU the signal rot rotates",
        .where = QPU ", V3D_QPU_SIG_ROT", .silent = true,
        .readings = {
            ARGUED("manual", "The operands of MUL.",
                   TESTS ", test_signals: MUL; nothing tests ADD"),
            ARGUED("both", "The operands of both ALUs.",
                   "they share the muxes"),
        },
    },
    [V3D_CLAUSE_UCB - V3D_ALU_CLAUSES] = {
        .id = "v3d-ucb", .title = "what the signal ucb does",
        .where = QPU ", struct v3d_qpu_sig", .silent = true,
        .readings = {
            ARGUED("manual", "What happens is undefined.",
                   "only its name is known"),
            ARGUED("ignored", "Nothing that a program of one thread sees.",
                   "it may let uniforms bypass a cache"),
        },
    },
    [V3D_CLAUSE_TMU_DATA - V3D_ALU_CLAUSES] = {
        .id = "v3d-tmu-data", .title = "an access with more or fewer words of data than it takes",
        .where = MESA ", ntq_emit_tmu_general", .silent = true,
        .readings = {
            ARGUED("manual", "Missing words are undefined. What happens with surplus ones is undefined.",
                   "Mesa writes a word for each component; a test of py-videocore7 overwrites missing ones"),
            ARGUED("cut", "Missing words are 0, and surplus ones are lost.",
                   "each access may empty the FIFO"),
            ARGUED("stays", "Missing words are 0, and surplus ones are data of the next access.",
                   "a FIFO gives what is taken from it"),
        },
    },
    [V3D_CLAUSE_TMU_RESULTS - V3D_ALU_CLAUSES] = {
        .id = "v3d-tmu-results", .title = "results that wait for ldtmu, beyond the thread's share of 16",
        .where = "Mesa src/broadcom/compiler/v3d_compiler.h", .silent = true,
        .readings = {
            ARGUED("manual", "What happens is undefined. The share is 4 with four threads, and 8 otherwise.",
                   "Mesa keeps each thread to 16 words divided by the threads of the QPU"),
            ARGUED("whole", "A thread can have all 16.",
                   "the threads share one FIFO"),
        },
    },
    [V3D_CLAUSE_ROT_QUADS - V3D_ALU_CLAUSES] = {
        .id = "v3d-rot-quads", .title = "how far the signal rot turns a register of the register file",
        .where = QPU ", V3D_QPU_SIG_ROT", .silent = true,
        .readings = {
            CODED("manual", "Within each quad, by the count modulo 4.",
                  TESTS ", test_signals of py-videocore6: all counts"),
            ARGUED("all-lanes", "Over all 16 lanes, as an accumulator.",
                   "one circuit turns all operands"),
        },
    },
    [V3D_CLAUSE_ROT_COUNT - V3D_ALU_CLAUSES] = {
        .id = "v3d-rot-count", .title = "the count of the signal rot in r5",
        .where = QPU ", V3D_QPU_SIG_ROT", .silent = true,
        .readings = {
            ARGUED("manual", "Lane 0 gives it, modulo 16.",
                   "the tests of py-videocore6 have the same count from 0 to 15 in all lanes"),
            ARGUED("own-quad", "Each quad is filled from the distance that r5 has in this quad, modulo 16.",
                   "a write to r5 gives each quad a word of its own"),
            ARGUED("limited", "Lane 0 gives it; a count that is not from 0 to 15 turns nothing.",
                   "no test has another count"),
        },
    },
    [V3D_CLAUSE_FORWARD - V3D_ALU_CLAUSES] = {
        .id = "v3d-rf-forward", .title = "a register that the instruction before wrote",
        .where = "Mesa src/broadcom/compiler/qpu_schedule.c", .silent = true,
        .readings = {
            CODED("manual", "It has the new value.",
                   TESTS ", all tests: results are used at once"),
            ARGUED("stale", "It has the old value, if the SFU, ldtmu, ldunifrf or ldunifarf wrote it.",
                   "Onyx qpusim.h warns of it; on a Pi 4, py-videocore6 uses all but ldunifarf's at once"),
        },
    },
    [V3D_CLAUSE_ATOMIC_OPERAND - V3D_ALU_CLAUSES] = {
        .id = "v3d-atomic-operand", .title = "the registers that give an atomic operation its operand",
        .where = MESA ", ntq_emit_tmu_general", .silent = true,
        .readings = {
            CODED("manual", "tmud alone: the operand; of compare-exchange what it compares with, then what "
                  "it stores. Without it the operand is 0.",
                  MESA),
            CODED("tmudref", "tmudref and tmuoff alone: the operand, and what compare-exchange stores. "
                  "Without them it is 0.",
                  "py-videocore7, test_tmu_op_write and its kin, on a Pi 5"),
            ARGUED("one-fifo", "tmud, tmudref and tmuoff feed one FIFO, in the order of the writes.",
                   "both recipes work on hardware"),
            ARGUED("by-name", "A word of tmudref is the first operand, one of tmuoff the last, and those of "
                   "tmud are between them.",
                   "both recipes work on hardware, and py-videocore7 calls tmudref the word to compare with"),
        },
        .in_profile = {[V3D_PROFILE_TESTS] = V3D_ATOMIC_BY_NAME, [V3D_PROFILE_71] = V3D_ATOMIC_BY_NAME},
    },
    [V3D_CLAUSE_MISALIGNED - V3D_ALU_CLAUSES] = {
        .id = "v3d-misaligned", .title = "the low bits of an address that is no multiple of its size",
        .where = MESA ", ntq_emit_tmu_general", .silent = true,
        .readings = {
            ARGUED("manual", "They are ignored.",
                   "a vector wraps within its 16 bytes"),
            ARGUED("precise", "The access begins at this byte.",
                   "other GPUs do"),
        },
    },
    [V3D_CLAUSE_BATCHES - V3D_ALU_CLAUSES] = {
        .id = "v3d-batches", .title = "whether CFG4 counts from 0",
        .where = "Mesa src/broadcom/common/v3d_csd.h",
        .readings = {
            STATED("manual", "V3D 4.2 and 7.1 before 7.1.6: from 0. Since then: from 1.",
                   "Mesa v3d_csd.h"),
            CODED("from-0", "It holds the number less one on all chips.",
                   "Linux v3d_sched.c, older versions"),
            ARGUED("from-1", "It holds the number on all chips.",
                   "the newer form"),
        },
    },
    [V3D_CLAUSE_GROUPS_16 - V3D_ALU_CLAUSES] = {
        .id = "v3d-groups-16", .title = "a 0 in the workgroups of a supergroup (CFG3 bits 11:8)",
        .where = "Mesa src/broadcom/common/v3d_csd.h", .silent = true,
        .readings = {
            STATED("manual", "It stands for 16.",
                   "Mesa v3d_csd.h"),
            ARGUED("one", "It counts as 1.",
                   "a field of four bits"),
        },
    },
    [V3D_CLAUSE_MASKED_WRITE - V3D_ALU_CLAUSES] = {
        .id = "v3d-masked-write", .title = "lanes that a condition leaves out of a write to tmud",
        .where = MESA ", ntq_emit_tmu_general", .silent = true,
        .readings = {
            ARGUED("manual", "They are written, too.",
                   "Mesa puts the condition on tmua"),
            ARGUED("zero", "They give 0.",
                   "lanes can be gated off"),
            ARGUED("skips", "If any lane is left out, nothing is written.",
                   "the FIFO has one enable"),
        },
    },
    [V3D_CLAUSE_TWO_WRITERS - V3D_ALU_CLAUSES] = {
        .id = "v3d-two-writers", .title = "two results of one instruction for one register",
        .where = "Mesa src/broadcom/compiler/qpu_schedule.c", .silent = true,
        .readings = {
            ARGUED("manual", "That of MUL stays.",
                   "it comes second in the word"),
            ARGUED("add", "That of ADD stays.",
                   "its pipe may be the shorter one"),
            ARGUED("mix", "The register receives the bits that one of them sets.",
                   "both drive one bus"),
        },
    },
    [V3D_CLAUSE_SIGNAL_WRITER - V3D_ALU_CLAUSES] = {
        .id = "v3d-signal-writer",
        .title = "results of a signal and an ALU, or of two signals, for one register",
        .where = "Mesa src/broadcom/compiler/qpu_schedule.c", .silent = true,
        .readings = {
            ARGUED("manual", "That of the signal stays; of two signals that of ldtmu, ldunifrf or ldunifarf.",
                   "what comes from outside the ALUs comes last"),
            ARGUED("alu", "That of the ALU stays; of two signals that of ldunif or ldunifa.",
                   "an ALU needs more time than a FIFO"),
            ARGUED("mix", "The register receives the bits that one of them sets.",
                   "both drive one bus"),
        },
    },
    [V3D_CLAUSE_MASKED_SCALAR - V3D_ALU_CLAUSES] = {
        .id = "v3d-masked-scalar", .title = "lanes that a condition leaves out of a write to tmuc or unifa",
        .where = QPU ", V3D_QPU_WADDR_TMUC and V3D_QPU_WADDR_UNIFA", .silent = true,
        .readings = {
            ARGUED("manual", "Lane 0 gives the word, even if the condition leaves it out.",
                   "there is one word for all lanes"),
            ARGUED("lane-0", "Lane 0 gives the word, but nothing is written if the condition leaves it out.",
                   "a condition concerns the write of its lane"),
            ARGUED("first-lane", "The first lane that passes gives the word; if none does, nothing changes.",
                   "bcastf does so"),
            ARGUED("skips", "If any lane is left out, nothing is written.",
                   "the register has one enable"),
        },
    },
    [V3D_CLAUSE_MASKED_SFU - V3D_ALU_CLAUSES] = {
        .id = "v3d-masked-sfu", .title = "V3D 4.2: lanes that a condition leaves out of a write to the SFU",
        .where = QPU ", V3D_QPU_WADDR_RECIP to V3D_QPU_WADDR_RSQRT2", .silent = true,
        .readings = {
            ARGUED("manual", "r4 keeps its value in these lanes.",
                   "a condition concerns the write of its lane"),
            ARGUED("all-lanes", "r4 receives the results of all lanes.",
                   "the SFU writes r4 later, without the condition"),
            ARGUED("skips", "If any lane is left out, r4 keeps its value in all lanes.",
                   "the SFU has one enable"),
        },
    },
    [V3D_CLAUSE_SFU_DESTINATION - V3D_ALU_CLAUSES] = {
        .id = "v3d-sfu-destination", .title = "an operation of the SFU whose destination is a magic address",
        .where = "Mesa src/broadcom/compiler/vir_register_allocate.c", .silent = true,
        .readings = {
            CODED("manual", "What happens is undefined.",
                  "Mesa vir_register_allocate.c: its result goes to the register file"),
            ARGUED("works", "The destination receives the result, as that of other operations.",
                   "the encoding allows it"),
            ARGUED("register-file", "The register of the register file with this number receives the result.",
                   "the SFU may write the register file directly"),
        },
    },
    [V3D_CLAUSE_PUSH_COND - V3D_ALU_CLAUSES] = {
        .id = "v3d-push-cond", .title = "lanes whose flags change if the other ALU has a condition",
        .where = QPU ", v3d_qpu_flags", .silent = true,
        .readings = {
            CODED("manual", "All lanes.",
                   TESTS ", test_condition_codes: one pairing"),
            ARGUED("active", "Those that pass the condition.",
                   "conditions gate lanes"),
        },
    },
    [V3D_CLAUSE_UNIFORM_CACHE - V3D_ALU_CLAUSES] = {
        .id = "v3d-uniform-cache", .title = "uniforms that the program itself stored",
        .where = MESA ", nir_intrinsic_load_ubo", .silent = true,
        .readings = {
            ARGUED("manual", "A load of a uniform sees the store.",
                   "Mesa never stores them"),
            CODED("old", "It gives the word before the launch.",
                   TESTS ", test_unifa: the cache is not coherent"),
        },
        .in_profile = {[V3D_PROFILE_TESTS] = V3D_UNIFORMS_OLD,
                       [V3D_PROFILE_42] = V3D_UNIFORMS_OLD,
                       [V3D_PROFILE_71] = V3D_UNIFORMS_OLD},
    },
    [V3D_CLAUSE_SWITCH_KEEPS - V3D_ALU_CLAUSES] = {
        .id = "v3d-switch-keeps", .title = "accumulators and RTOP after a thread switch",
        .where = "Mesa src/broadcom/compiler/qpu_schedule.c", .silent = true,
        .readings = {
            CODED("manual", "They are undefined.",
                  "Mesa vir_register_allocate.c: all accumulators are invalidated"),
            ARGUED("keeps", "They keep their values.",
                   "each thread can have its own"),
            CODED("one-thread", "They keep their values in a job of one batch. Otherwise they are undefined.",
                  "py-videocore6, tests: r1 and r3 over a thread switch, one thread"),
            ARGUED("clears", "They are 0.",
                   "a switch can clear what it does not keep"),
        },
        .in_profile = {[V3D_PROFILE_TESTS] = V3D_SWITCH_ONE_THREAD, [V3D_PROFILE_42] = V3D_SWITCH_ONE_THREAD},
    },
    [V3D_CLAUSE_NN_MODE - V3D_ALU_CLAUSES] = {
        .id = "v3d-nn-mode", .title = "V3D 7.1: the mode of v8dot at the start and after a thread switch",
        .where = QPU ", V3D_QPU_A_SETNNMODE", .silent = true,
        .readings = {
            ARGUED("manual", "It stays as setnnmode set it. Before that, the result of v8dot is undefined.",
                   "a state of the thread, as its flags; Mesa sets it before each use"),
            ARGUED("unsigned", "It stays as setnnmode set it. Before that, the operands are unsigned.",
                   "uu is mode 0"),
            ARGUED("clears", "The operands are unsigned at the start, and again after a thread switch.",
                   "the threads of a QPU share the mode, or Mesa would not set it before each use"),
        },
    },
    [V3D_CLAUSE_TIDX - V3D_ALU_CLAUSES] = {
        .id = "v3d-tidx", .title = "the numbers that tidx gives with two threads",
        .where = MESA ", nir_intrinsic_load_subgroup_id", .silent = true,
        .readings = {
            ARGUED("manual", "The threads count: 0, 1, 2, ...",
                   "Mesa only needs different numbers"),
            CODED("by-qpu", "Bits 5:2 count QPUs, bits 1:0 threads of a QPU: 0 and 2, or 0 to 3 of four.",
                   "py-videocore6 and 7, test_parallel: (tidx & 0x3E) >> 1, (tidx & 0x3C) >> 2"),
        },
        .in_profile = {[V3D_PROFILE_TESTS] = V3D_TIDX_BY_QPU,
                       [V3D_PROFILE_42] = V3D_TIDX_BY_QPU,
                       [V3D_PROFILE_71] = V3D_TIDX_BY_QPU},
    },
    [V3D_CLAUSE_IID_42 - V3D_ALU_CLAUSES] = {
        .id = "v3d-iid-flnafirst-42", .title = "V3D 4.2: whether two codes are iid and flnafirst",
        .where = "Mesa src/broadcom/qpu/qpu_pack.c, opcode 187", .silent = true,
        .readings = {
            CODED("manual", "They are, since V3D 4.0 and 4.1.", "Mesa qpu_pack.c: versions of both names"),
            CODED("vpm", "They wait for the VPM and set it up, as vdwwt and vpmsetup; no register changes.",
                  "Mesa qpu_pack.c: the order of its rows"),
        },
    },
    [V3D_CLAUSE_VECTOR - V3D_ALU_CLAUSES] = {
        .id = "v3d-vector-wrap", .title = "a vector that does not end in the 16 bytes where it begins",
        .where = MESA ", ntq_emit_tmu_general", .silent = true,
        .readings = {
            CODED("manual", "It goes on at the beginning of these 16 bytes.",
                  "py-videocore6, test_tmu: tables of its vector tests; Mesa aligns vectors"),
            CODED("by-chip", "V3D 4.2: there. V3D 7.1: in the next 16 bytes.",
                  "py-videocore7, test_tmu_multiple_write_with_uniform_config and its kin: any stride"),
        },
        .in_profile = {[V3D_PROFILE_TESTS] = V3D_VECTOR_BY_CHIP,
                       [V3D_PROFILE_42] = V3D_VECTOR_BY_CHIP,
                       [V3D_PROFILE_71] = V3D_VECTOR_BY_CHIP},
    },
    [V3D_CLAUSE_VFMOV_42 - V3D_ALU_CLAUSES] = {
        .id = "v3d-vfmov-42", .title = "opcode 191 of V3D 4.2",
        .where = "Mesa src/broadcom/qpu/qpu_pack.c", .silent = true,
        .readings = {
            ARGUED("manual", "What happens is undefined.",
                   "Mesa refuses the word"),
            ARGUED("as-71", "As on 7.1: with mux b 0 it is vfmov, with 5 vfabs.",
                   "a comment of Mesa names moves of halves here"),
        },
    },
    [V3D_CLAUSE_FMOV_UNPACK - V3D_ALU_CLAUSES] = {
        .id = "v3d-fmov-unpack-7", .title = "V3D 7.1: unpack 7 of fmov on MUL",
        .where = "Mesa src/broadcom/qpu/qpu_pack.c", .silent = true,
        .readings = {
            ARGUED("manual", "What happens is undefined.",
                   "Mesa lists the codes and has no name for them"),
            ARGUED("abs-sat", "The operand without its sign, at most 1.",
                   "the codes before it are abs, sat, nsat and max0"),
            ARGUED("none", "The operand is taken as it is.",
                   "nothing may be connected"),
        },
    },
    [V3D_CLAUSE_HALF_UNPACK - V3D_ALU_CLAUSES] = {
        .id = "v3d-half-unpack-5", .title = "V3D 7.1: unpacks 5 to 7 of vfsub and vfcmp",
        .where = "Mesa src/broadcom/qpu/qpu_pack.c", .silent = true,
        .readings = {
            ARGUED("manual", "What happens is undefined.",
                   "Mesa notes three codes to be added"),
            ARGUED("signs", "Both halves without their signs (5), negated (6), or negative (7).",
                   "the signs are what no other unpack of halves changes"),
            ARGUED("none", "The operand is taken as it is.",
                   "nothing may be connected"),
        },
    },
    [V3D_CLAUSE_RESERVED - V3D_ALU_CLAUSES] = {
        .id = "v3d-no-alu-word", .title = "a word without an operation of MUL that is no branch",
        .where = "Mesa src/broadcom/qpu/qpu_pack.c", .silent = true,
        .readings = {
            ARGUED("manual", "What happens is undefined.",
                   "Mesa refuses the word"),
            ARGUED("ignored", "The instruction does nothing.",
                   "nothing may be connected"),
        },
    },
    [V3D_CLAUSE_RESERVED + 1 - V3D_ALU_CLAUSES] = {
        .id = "v3d-reserved-operation-add", .title = "an operation of ADD that no source names",
        .where = "Mesa src/broadcom/qpu/qpu_pack.c", .silent = true,
        .readings = {
            ARGUED("manual", "What happens is undefined.",
                   "Mesa refuses the word"),
            ARGUED("ignored", "ADD does nothing.",
                   "nothing may be connected"),
        },
    },
    [V3D_CLAUSE_RESERVED + 2 - V3D_ALU_CLAUSES] = {
        .id = "v3d-reserved-operation-mul", .title = "an operation of MUL that no source names",
        .where = "Mesa src/broadcom/qpu/qpu_pack.c", .silent = true,
        .readings = {
            ARGUED("manual", "What happens is undefined.",
                   "Mesa refuses the word"),
            ARGUED("ignored", "MUL does nothing.",
                   "nothing may be connected"),
        },
    },
    [V3D_CLAUSE_RESERVED + 3 - V3D_ALU_CLAUSES] = {
        .id = "v3d-reserved-unpack", .title = "an unpack that no source names",
        .where = "Mesa src/broadcom/qpu/qpu_pack.c", .silent = true,
        .readings = {
            ARGUED("manual", "What happens is undefined.",
                   "Mesa refuses the word"),
            ARGUED("ignored", "The operand is taken as it is.",
                   "nothing may be connected"),
        },
    },
    [V3D_CLAUSE_RESERVED + 4 - V3D_ALU_CLAUSES] = {
        .id = "v3d-reserved-signal", .title = "a signal that no source names",
        .where = "Mesa src/broadcom/qpu/qpu_pack.c", .silent = true,
        .readings = {
            ARGUED("manual", "What happens is undefined.",
                   "Mesa refuses the word"),
            ARGUED("ignored", "It is no signal.",
                   "nothing may be connected"),
        },
    },
    [V3D_CLAUSE_RESERVED + 5 - V3D_ALU_CLAUSES] = {
        .id = "v3d-reserved-cond", .title = "the condition field 0x10",
        .where = "Mesa src/broadcom/qpu/qpu_pack.c", .silent = true,
        .readings = {
            ARGUED("manual", "What happens is undefined.",
                   "Mesa refuses the word"),
            ARGUED("ignored", "There is no condition, and no flag changes.",
                   "nothing may be connected"),
        },
    },
    [V3D_CLAUSE_RESERVED + 6 - V3D_ALU_CLAUSES] = {
        .id = "v3d-reserved-immediate", .title = "small immediates 48 to 63",
        .where = "Mesa src/broadcom/qpu/qpu_pack.c", .silent = true,
        .readings = {
            ARGUED("manual", "What happens is undefined.",
                   "Mesa refuses the word"),
            ARGUED("zero", "They are 0.",
                   "an empty table"),
            ARGUED("alias", "They are 0 to 15.",
                   "the table may repeat"),
            ARGUED("alias-floats", "They are those of 32 to 47, powers of two.",
                   "bit 4 may not be decoded beside bit 5"),
        },
    },
    [V3D_CLAUSE_RESERVED + 7 - V3D_ALU_CLAUSES] = {
        .id = "v3d-reserved-waddr", .title = "a magic address that no source names",
        .where = "Mesa src/broadcom/qpu/qpu_pack.c", .silent = true,
        .readings = {
            ARGUED("manual", "What happens is undefined.",
                   "Mesa refuses the word"),
            ARGUED("ignored", "The result goes nowhere.",
                   "nothing may be connected"),
        },
    },
    [V3D_CLAUSE_RESERVED + 8 - V3D_ALU_CLAUSES] = {
        .id = "v3d-reserved-branch-cond", .title = "condition 1 of a branch",
        .where = "Mesa src/broadcom/qpu/qpu_pack.c", .silent = true,
        .readings = {
            CODED("manual", "The branch goes.",
                   "Mesa qpu_pack.c: its arithmetic gives always"),
            ARGUED("never", "The branch does not go.",
                   "no condition holds"),
        },
    },
    [V3D_CLAUSE_RESERVED + 9 - V3D_ALU_CLAUSES] = {
        .id = "v3d-reserved-msfign", .title = "msfign 3 of a branch",
        .where = "Mesa src/broadcom/qpu/qpu_pack.c", .silent = true,
        .readings = {
            ARGUED("manual", "What happens is undefined.",
                   "Mesa refuses the word"),
            ARGUED("ignored", "All lanes count.",
                   "nothing may be connected"),
        },
    },
    [V3D_CLAUSE_RESERVED + 10 - V3D_ALU_CLAUSES] = {
        .id = "v3d-reserved-bdu", .title = "destinations 4 to 7 of the uniforms in a branch",
        .where = "Mesa src/broadcom/qpu/qpu_pack.c", .silent = true,
        .readings = {
            ARGUED("manual", "What happens is undefined.",
                   "Mesa refuses the word"),
            ARGUED("ignored", "The stream of uniforms goes on.",
                   "nothing may be connected"),
        },
    },
};
/* clang-format on */
