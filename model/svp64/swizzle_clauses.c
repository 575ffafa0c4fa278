/* SPDX-License-Identifier: MIT */
/*
 * The clauses of Libre-SOC's swizzle moves. The other swizzle_*.c files obey
 * them.
 *
 * "The page" is Libre-SOC's mv.swizzle page. Profile `manual` executes the page's
 * pseudocode literally, except that its syntax is corrected (see below). Where
 * the page has no pseudocode, `manual` follows the page's tables. The profile
 * `pseudocode` is the same. `prose` follows the page's sentences; `repaired`
 * resolves the page's contradictions. No hardware and no simulator has the
 * instruction, so no reading has stronger evidence than a document or another
 * program.
 *
 * These known doubts about the page have no row here:
 * - const-sentinel, name, syntax: the pseudocode compares an offset with a token
 *   CONSTANT, defines index_dest and calls index_dst, lacks a colon, and iterates
 *   over a number. It cannot run without these corrections.
 * - wiki-bits, eight-options: the page's sentences about the encoding ("bits
 *   16-25", "8 options, not 6") do not change what an instruction does.
 * - po: the major opcode is not assigned; 0 stands for it.
 * - pair-limit, vl0, sat-const0, scalar-alias, rc-form: these have one reading.
 *   Pairs may end at r31, VL = 0 moves nothing, constant 0 stays 0 under
 *   saturation, RA = RT compares the fields, there is no Rc.
 * - vector-without-vec, pred-scalar-count, pack-dst-len, pack-both: SVP64's
 *   general rules (openpower-isa), which have no other reading.
 * - remap, precise-state: these need a register or an interrupt that a case
 *   cannot have.
 */
#include "model/svp64/swizzle_clauses.h"
#include "model/core/clause_rows.h"

#define PAGE     "Libre-SOC mv.swizzle page"
#define SIM      "openpower-isa simulator and decoder, February 2024"
#define LIST     "Libre-SOC developer list, June 2022"
#define JUNE     "Libre-SOC mv.swizzle page, revisions of June 2022"
#define RESERVED "It is reserved: nothing is executed."

#define PROFILES(prose, repaired)                                                                            \
    {                                                                                                        \
        [SWIZZLE_PROFILE_PROSE] = (prose), [SWIZZLE_PROFILE_REPAIRED] = (repaired)                           \
    }
#define BOTH(reading) PROFILES(reading, reading)

static const char *const file_modes[] = {"mv", "fmv", NULL};
static const char *const pack_modes[] = {"pack", "unpack", "both", NULL};
static const char *const vertical_modes[] = {"plain", "pack", NULL};
static const char *const width_modes[] = {"wider", "narrower", NULL};
static const char *const side_modes[] = {"source", "destination", NULL};
static const char *const overlap_modes[] = {"horizontal-first", "vertical-first", NULL};
static const char *const zip_modes[] = {"sources-end-first", "destinations-end-first", NULL};

/* clang-format off */
const struct clause swizzle_clauses[SWIZZLE_CLAUSES] = {
    [SWIZ_END_LENGTH] = {
        .id = "swiz-end-length", .title = "length of a destination sub-vector that an end marker ends",
        .where = PAGE ", vectorised pseudocode: dst_subvl = i+1",
        .readings = {
            STATED("manual", "The length is the marker's position plus one: the marker has a slot of its own "
             "in each group.", PAGE ", pseudocode"),
            STATED("before-end", "The length is the marker's position, which is the number of selectors "
             "before it.", PAGE ", prose: \"Y1\" fills two elements, vec3 to vec2 is contiguous"),
        },
        .in_profile = BOTH(LENGTH_BEFORE_END),
        .proposed = "dst_subvl = i at the first selector 001, 4 if there is none.",
        .workaround = "If the destination has four elements, give all four selectors. The readings then "
            "agree.",
    },
    [SWIZ_MINUS_3] = {
        .id = "swiz-minus-3", .title = "source element that a copying selector names",
        .where = PAGE ", vectorised pseudocode: yield swiz[j]-3",
        .readings = {
            STATED("manual", "A selector names element selector - 3: X is element 1, and W is element 4, the "
             "first of the next group.", PAGE ", pseudocode"),
            STATED("minus-4", "A selector names element selector - 4: X is element 0, and W is element 3.",
             PAGE ", prose: 1NN copies source NN; XYZW is the identity"),
        },
        .in_profile = BOTH(MINUS_4), .proposed = "yield (i*SUBVL, swiz[j]-4)",
    },
    [SWIZ_SRC_RANGE] = {
        .id = "swiz-src-range", .title = "how many selectors of a group the source loop visits",
        .where = PAGE ", vectorised pseudocode: for j in range(SUBVL) in index_src",
        .readings = {
            STATED("manual", "The source loop visits SUBVL selectors. With vec2 it never looks at the "
             "selectors of positions Z and W.", PAGE ", pseudocode"),
            STATED("destination", "The source loop visits all selectors before the end marker, one for each "
             "position of the destination.", PAGE ", prose: vec2 to vec4 by YYXX and XYXX"),
        },
        .in_profile = BOTH(SRC_RANGE_DESTINATION),
        .proposed = "for j in range(dst_subvl)",
        .workaround = "Use swizzles with as many positions as SUBVL.",
    },
    [SWIZ_END_IN_DEST] = {
        .id = "swiz-end-in-dest", .title = "whether the destination loop visits the end marker's own slot",
        .where = PAGE ", vectorised pseudocode: index_dest",
        .readings = {
            STATED("manual", "The loop visits the slot: it tests only for skips, so a value of the next "
             "group goes there.", PAGE ", pseudocode"),
            STATED("not-yielded", "The loop does not visit the slot: the marker also ends the destination's "
             "group.", PAGE ", prose: end of the destination sub-vector"),
        },
        .in_profile = BOTH(END_NOT_YIELDED),
        .proposed = "In index_dest, too: if swiz[j] == 0b001: break",
    },
    [SWIZ_CONST_LOST] = {
        .id = "swiz-const-lost", .title = "which constant a constant selector delivers",
        .where = PAGE ", vectorised pseudocode: yield (i*SUBVL, CONSTANT)",
        .readings = {
            STATED("manual", "Both constant selectors write 1, because the token that the loop hands on does "
             "not say which constant it is.", PAGE ", pseudocode: one token for 010 and 011"),
            STATED("carried", "Selector 010 delivers 0, and selector 011 delivers 1.",
             PAGE ", table of selectors"),
        },
        .in_profile = BOTH(CONST_CARRIED),
        .proposed = "The loop yields the constant itself, 0 or 1, with the token.",
    },
    [SWIZ_ZIP] = {
        .id = "swiz-zip",
        .title = "which source element goes to which destination if the two loops have different lengths",
        .where = PAGE ", vectorised pseudocode: zip(index_src(), index_dst())",
        .readings = {
            STATED("manual", "The k-th source goes to the k-th destination, over all groups. What remains of "
             "the longer loop is dropped without an error.", PAGE ", pseudocode"),
            STATED("by-position", "Position j of a source group goes to position j of the same destination "
             "group. A position without a counterpart is left out.", PAGE ", prose: dest[i] = src[swiz[i]]"),
            ARGUED("error", "Loops of different lengths are an error of the program.",
             "a silent end hides it; only predicates may make the lengths differ"),
        },
        .in_profile = PROFILES(ZIP_BY_POSITION, READING_MANUAL),
        .proposed = "Pair position j of source and destination of one group.", .modes = zip_modes,
    },
    [SWIZ_DOTDOT_XY] = {
        .id = "swiz-dotdot-xy", .title = "what the scalar swizzle \"..XY\" copies",
        .where = PAGE ", scalar form, the sentence about \"..XY\"",
        .readings = {
            STATED("manual", "X and Y of RA go to positions Z and W, which are in RT+1.",
             PAGE ", table of the immediate, and its own example W.Y."),
            STATED("sentence", "RA+1 is copied to RT. RT+1 keeps its value if RA = RT; otherwise it becomes "
             "zero.",
             PAGE ", scalar form: \"..XY\" (the swizzle ZW.. would do that)"),
        },
        .in_profile = PROFILES(DOTDOT_SENTENCE, READING_MANUAL),
        .proposed = "\"ZW..\" copies RA+1 into RT and leaves RT+1.", .modes = file_modes,
    },
    [SWIZ_SKIP_ZERO] = {
        .id = "swiz-skip-zero", .title = "lanes that a scalar swizzle does not select, if RA is not RT",
        .where = PAGE ", scalar form",
        .readings = {
            STATED("manual", "These lanes become zero: both destination registers are written completely.",
             PAGE ", scalar form: \"not set becomes zero\""),
            STATED("keep", "These lanes keep their value.", PAGE
             ": \"skip is equivalent to predicate masking\""),
        },
        .proposed = "Skip leaves the element unchanged in vectors and if RA = RT. Otherwise it clears the "
            "lane.",
        .modes = file_modes,
    },
    [SWIZ_PACK_INDEX] = {
        .id = "swiz-pack-index", .title = "how Pack and Unpack change the order of elements",
        .where = PAGE ", Pack and Unpack: j*VL+i with j outer",
        .readings = {
            STATED("manual", "The order does not change: the printed index runs 0, 1, 2, ... as without the "
             "bits.", PAGE ", pseudocode of Pack"),
            CODED("step", "The packed side visits its elements sub-element by sub-element, each at its usual "
             "place. The k-th visited source goes to the k-th visited destination.",
             SIM ": step * subvl + substep in every mode, only the order differs"),
            ARGUED("addr", "On the packed side, element c of group i is at c * VL + i: arrays of structures "
             "become structures of arrays.", "the index j*VL+i taken as an address"),
        },
        .in_profile = BOTH(PACK_STEP),
        .proposed = "for j in range(subvl): for i in range(VL): yield i*subvl+j", .modes = pack_modes,
    },
    [SWIZ_PACK_SKIP] = {
        .id = "swiz-pack-skip", .title = "skips and end markers under Pack or Unpack",
        .where = PAGE ", Pack and Unpack generators",
        .readings = {
            STATED("manual", "Skips and end markers count as steps in which nothing moves.",
             PAGE ", pseudocode: the generators know no selectors"),
            ARGUED("filtered", "Skips and end markers are left out on both sides, as without the bits.",
             "both sides must match, as in the ordinary loop"),
        },
        .in_profile = BOTH(PACK_FILTERS),
        .proposed = "Pack and Unpack leave out skipped positions on both sides.",
    },
    [SWIZ_VF_CODE] = {
        .id = "swiz-vf-code", .title = "how many elements one execution moves in Vertical-First mode",
        .where = PAGE ", Vertical-First pseudocode: num_runs",
        .readings = {
            STATED("manual", "One execution moves SUBVL elements; under Pack, the destination's length; "
             "under Pack and Unpack, one.", PAGE ", pseudocode"),
            STATED("active", "One execution moves one element for each position of the destination that is "
             "not skipped; under Pack and Unpack, one.", PAGE ", prose: the whole sub-vector"),
        },
        .in_profile = BOTH(VF_ACTIVE),
        .proposed = "num_runs is the number of selectors before the end marker that do not skip. It is 1 if "
            "both Pack and Unpack are set.", .modes = vertical_modes,
    },
    [SWIZ_VF_UNPACK] = {
        .id = "swiz-vf-unpack",
        .title = "how many elements one execution moves in Vertical-First mode under Unpack alone",
        .where = PAGE ", Vertical-First pseudocode: num_runs, which names Pack alone and both",
        .silent = true,
        .readings = {
            INFERRED("manual", "One execution moves SUBVL elements, as without Pack and Unpack.",
             PAGE ", pseudocode: no branch for Unpack alone"),
            ARGUED("destination", "One execution moves as many elements as the destination's length, as "
             "under Pack alone.", "Unpack changes the order of the destination's elements, so its length "
             "counts"),
            STATED("active", "One execution moves one element for each position of the destination that is "
             "not skipped.", PAGE ", prose: the whole sub-vector"),
        },
        .in_profile = BOTH(VF_UNPACK_ACTIVE),
    },
    [SWIZ_IMM_SLICES] = {
        .id = "swiz-imm-slices", .title = "which bits of the immediate are the first selector",
        .where = PAGE ", vectorised pseudocode: imm[0:3]",
        .readings = {
            STATED("manual", "The first selector is in the most significant three bits, because Power counts "
             "bits from there.", PAGE ", table of the immediate: X in bits 0.2"),
            ARGUED("lsb0", "The first selector is in the least significant three bits, as a slice [0:3] "
             "counts in most languages.", "Python's and nmigen's order"),
        },
    },
    [SWIZ_RT_PLUS] = {
        .id = "swiz-rt-plus", .title = "the place that RT+n and RA+n name if the element width is below 64",
        .where = PAGE ", vectorised pseudocode: set(RT+dst_idx), RA+src_idx+offs",
        .readings = {
            STATED("manual", "RT+n is register RT+n: each register holds one element, in its low end.",
             PAGE ", pseudocode (which leaves element widths out)"),
            CODED("elements", "RT+n is element n, counted from RT's least significant end in elements of "
             "that width.", "SVP64's general rule; " SIM),
        },
        .in_profile = BOTH(RT_ELEMENTS),
        .proposed = "RT+n is the n-th element of the operand's width.", .modes = side_modes,
    },
    [SWIZ_BREAK_MISSING] = {
        .id = "swiz-break-missing", .title = "which of several end markers sets the destination's length",
        .where = PAGE ", vectorised pseudocode: break",
        .readings = {
            STATED("manual", "The first end marker sets the length.", PAGE ", pseudocode: break"),
            STATED("last", "The last end marker sets the length.", PAGE
             ", an older revision, without the break"),
        },
    },
    [SWIZ_IN_PLACE] = {
        .id = "swiz-in-place", .title = "when a scalar swizzle with RA = RT reads its four lanes",
        .where = PAGE ", scalar form: RA = RT",
        .readings = {
            STATED("manual", "All lanes are read before the first is written.",
             PAGE ", vectorised form: the scalar form buffers where RA = RT"),
            ARGUED("in-order", "Each lane is read just before its copy is written, X first. A later lane "
             "reads what an earlier one wrote.", "micro-code without a buffer"),
        },
        .workaround = "Use different registers for RT and RA.", .modes = file_modes,
    },
    [SWIZ_ODD_REG] = {
        .id = "swiz-odd-reg", .title = "an odd register number where the page permits only even ones",
        .where = PAGE ", scalar form: only even registers are permitted", .silent = true,
        .readings = {
            INFERRED("manual", "The instruction form is invalid, and nothing is executed.",
             "Power ISA, lq: \"if RTp is odd, the instruction form is invalid\""),
            ARGUED("rounds-down", "The lowest bit of the number is ignored.",
             "a pair has no odd number, so hardware need not look at the bit"),
        },
        .modes = file_modes,
    },
    [SWIZ_ODD_VECTOR] = {
        .id = "swiz-odd-vector", .title = "which register number must be even if the operand is a vector",
        .where = PAGE ", scalar form: only even registers are permitted", .silent = true,
        .readings = {
            INFERRED("manual", "The number of the first register, after EXTRA, must be even.",
             "SVP64's rules: a prefix does not change what the instruction permits"),
            ARGUED("any", "No number must be even: a vector may begin at any register.",
             "pairs are even so that they cannot overlap; of vectors the page says that overlap is "
             "undefined"),
            ARGUED("field", "The five bits RTp and RAp must be even, whatever EXTRA adds: a vector begins at "
             "r0 to r3, r8 to r11, ...", "a decoder checks the instruction before it looks at the prefix"),
        },
        .workaround = "Let vectors begin at r0, r8, r16, ... .", .modes = side_modes,
    },
    [SWIZ_SINGLE] = {
        .id = "swiz-single", .title = "a swizzle with an SVP64Single prefix",
        .where = PAGE ": one sentence, a predicated scalar move", .silent = true,
        .readings = {
            INFERRED("manual", "The instruction has the scalar form, with registers up to r127, if bit 0 of "
             "the destination's predicate is set. If the bit is clear, nothing is written; under dz, the "
             "selected lanes become zero. Element widths and SUBVL have no effect.",
             PAGE ": a predicated scalar move"),
            ARGUED("one-group", "The instruction has the vectorised form with VL = 1, without Pack, Unpack "
             "and Vertical-First.", "the 32-bit restriction belongs to the form without a prefix"),
            ARGUED("reserved", RESERVED, "no table of the page has the prefix"),
        },
        .modes = file_modes,
    },
    [SWIZ_END_SCALAR] = {
        .id = "swiz-end-scalar", .title = "an end marker in the scalar form", .where = PAGE ", scalar form",
        .silent = true,
        .readings = {
            ARGUED("manual", "The marker ends the swizzle: its position and all later ones are not selected.",
             "as in the vectorised form"),
            ARGUED("skips", "The marker is a skip. Later positions are selected as usual.",
             "the scalar form always has four lanes"),
            STATED("reserved", RESERVED,
                   PAGE ", a revision of 2022: 001 reserved"),
        },
        .workaround = "Use skips instead of end markers.", .modes = file_modes,
    },
    [SWIZ_AFTER_END] = {
        .id = "swiz-after-end", .title = "selectors after the first end marker",
        .where = PAGE ", vectorised form", .silent = true,
        .readings = {
            STATED("manual", "Selectors after the marker are ignored.", PAGE ", pseudocode: break"),
            ARGUED("must-skip", "Selectors other than skips are reserved there, and nothing is executed.",
             "reserved bits of Power are zero"),
            ARGUED("must-end", "Selectors other than end markers are reserved there, and nothing is "
             "executed.", "the example Y1EE"),
        },
        .workaround = "Write 000 there.",
    },
    [SWIZ_END_FIRST] = {
        .id = "swiz-end-first", .title = "an end marker in the first position",
        .where = PAGE ", vectorised form", .silent = true,
        .readings = {
            STATED("manual", "Nothing is written.", PAGE ", pseudocode: the source loop breaks at once"),
            ARGUED("reserved", RESERVED,
                   "a destination without elements is of no use"),
        },
    },
    [SWIZ_NN_RANGE] = {
        .id = "swiz-nn-range", .title = "a selector that names a source element beyond SUBVL",
        .where = PAGE ", vectorised form", .silent = true,
        .readings = {
            STATED("manual", "The selector reads an element of the next group.",
             PAGE ", pseudocode: no check"),
            ARGUED("zero", "The selector delivers 0.", "as texture swizzles of missing components do"),
            ARGUED("undefined", "The value that the selector delivers is undefined.",
             "W of a vec2 has no meaning"),
        },
        .in_profile = PROFILES(READING_MANUAL, NN_UNDEFINED),
        .workaround = "Do not select components that the source does not have.",
    },
    [SWIZ_SUBVL1] = {
        .id = "swiz-subvl1", .title = "a prefixed swizzle with SUBVL 1", .where = PAGE ": vec2, vec3, vec4",
        .silent = true,
        .readings = {
            ARGUED("manual", "The instruction works as with other values of SUBVL.",
             "the formulas hold for 1"),
            INFERRED("illegal", RESERVED,
                     PAGE ": the prose speaks of 2, 3 and 4 only"),
        },
    },
    [SWIZ_HALF_ORDER] = {
        .id = "swiz-half-order", .title = "which half of a register is lane X",
        .where = PAGE ", scalar form: lo-half, hi-half", .silent = true,
        .readings = {
            INFERRED("manual", "Lane X is the least significant 32 bits of a register.",
             "SVP64 counts elements from the least significant end"),
            ARGUED("high-first", "Lane X is the most significant 32 bits of a register, which come first in "
             "big-endian memory.", "Power counts bits from there"),
        },
        .modes = file_modes,
    },
    [SWIZ_FMV_ONE] = {
        .id = "swiz-fmv-one", .title = "1.0 in a 32-bit lane of a scalar fmv.swiz",
        .where = PAGE ", scalar form: \"four 32-bit quantities\"", .silent = true,
        .readings = {
            ARGUED("manual", "1.0 is the binary32 number, 3F800000.", "the lane is a 32-bit quantity"),
            ARGUED("upper-double", "1.0 is the upper half of the binary64 number, 3FF00000.",
             "floating-point registers hold binary64"),
        },
    },
    [SWIZ_FMV_EW] = {
        .id = "swiz-fmv-ew", .title = "element width code 8 of a floating-point swizzle", .where = PAGE,
        .silent = true,
        .readings = {
            INFERRED("manual", "Code 8 means bfloat16: elements have 16 bits, and 1.0 is 3F80.",
             "SVP64's general table of floating-point element widths"),
            ARGUED("illegal", RESERVED, "no 8-bit format is named"),
        },
        .modes = side_modes,
    },
    [SWIZ_FMV_BITS] = {
        .id = "swiz-fmv-bits", .title = "signalling NaNs in fmv.swiz", .where = PAGE ": \"copy contents\"",
        .silent = true,
        .readings = {
            INFERRED("manual", "The bits are copied, so a signalling NaN stays signalling.",
             PAGE ": \"copy contents\""),
            ARGUED("quiets", "A signalling NaN becomes quiet.",
                   "as conversions from and to register format do"),
        },
    },
    [SWIZ_FMV_FILE] = {
        .id = "swiz-fmv-file", .title = "the register file of fmv.swiz",
        .where = PAGE ", table of the encoding: row fmv.swiz", .silent = true,
        .readings = {
            INFERRED("manual", "fmv.swiz moves floating-point registers.", PAGE
             ", table of the encoding: the name fmv.swiz"),
            INFERRED("gpr", "fmv.swiz moves general registers.", JUNE
             ", table of the encoding: the operands of both instructions are RTp and RAp"),
        },
    },
    [SWIZ_FMV_WIDTH_CHANGE] = {
        .id = "swiz-fmv-width-change", .title = "fmv.swiz between elements of different widths",
        .where = PAGE, .silent = true,
        .readings = {
            INFERRED("manual", "The bits are copied, zero-extended or truncated.",
             PAGE ": \"copy contents\""),
            INFERRED("converts", "The number is converted, rounded to nearest, ties to even.",
             "SVP64's general rule for floating-point operands"),
        },
        .in_profile = BOTH(FMV_CONVERTS), .modes = width_modes,
    },
    [SWIZ_FMV_NAN] = {
        .id = "swiz-fmv-nan", .title = "a NaN that fmv.swiz converts to another width", .where = PAGE,
        .silent = true,
        .readings = {
            INFERRED("manual", "The NaN becomes quiet. It keeps its sign and the upper bits of its fraction.",
             "Power ISA, frsp; IEEE 754-2019, 6.2.3"),
            ARGUED("default", "The NaN becomes the default NaN: positive and quiet, with all other bits of "
             "the fraction 0.", "RISC-V's conversions (F extension, canonical NaN)"),
            INFERRED("moves", "The NaN stays signalling or quiet. It keeps its sign and the upper bits of "
             "its fraction. If those bits are all 0, it becomes an infinity.",
             "Power ISA, lfs and stfs, which convert without looking at NaNs"),
        },
        .modes = width_modes,
    },
    [SWIZ_WIDTH_CHANGE] = {
        .id = "swiz-width-change", .title = "mv.swiz into wider elements", .where = PAGE, .silent = true,
        .readings = {
            INFERRED("manual", "Elements are zero-extended. Under signed saturation they are sign-extended.",
             "SVP64's general rule: the saturation mode says whether elements are signed"),
            ARGUED("zero-extends", "Elements are always zero-extended.", "a move knows no signs"),
            ARGUED("sign-extends", "Elements are always sign-extended.", "as extsw does"),
        },
    },
    [SWIZ_SAT_WIDTH] = {
        .id = "swiz-sat-width",
        .title = "which element width sets the largest value of selector 1 under saturation",
        .where = PAGE ", saturation", .silent = true,
        .readings = {
            ARGUED("manual", "The destination's element width sets the largest value.",
             "the example sats/vec2/ew=8 has equal widths; saturation is a matter of the result"),
            ARGUED("source", "The source's element width sets the largest value.",
             "the constant takes a source element's place"),
        },
        .modes = width_modes,
    },
    [SWIZ_SAT_FMV] = {
        .id = "swiz-sat-fmv", .title = "saturation in fmv.swiz", .where = PAGE ", saturation", .silent = true,
        .readings = {
            ARGUED("manual", "Saturation changes nothing: selector 1 delivers 1.0.",
             "floats do not saturate"),
            ARGUED("largest-finite", "Selector 1 delivers the largest finite number.",
                   "as the largest integer for mv"),
            ARGUED("illegal", RESERVED, "the mode means nothing here"),
        },
    },
    [SWIZ_ZEROING_SRC] = {
        .id = "swiz-zeroing-src", .title = "constants of a source group that source zeroing (sz) masks",
        .where = PAGE, .silent = true,
        .readings = {
            ARGUED("manual", "The constants are delivered. Only copied elements read as 0.",
             "constants do not come from the source"),
            ARGUED("all-zero", "The constants read as 0 too.", "the whole group reads as zero"),
        },
    },
    [SWIZ_ZEROING_DST] = {
        .id = "swiz-zeroing-dst",
        .title = "skipped positions of a destination group that destination zeroing (dz) masks",
        .where = PAGE ": skips are never zeroed; " LIST, .silent = true,
        .readings = {
            INFERRED("manual", "Skipped positions keep their value: only positions that would be written "
             "become 0.", LIST ": the author gave up on combining dz with skips"),
            ARGUED("whole-group", "Skipped positions become 0 like the rest of the group.",
             "dz clears masked destinations"),
        },
    },
    [SWIZ_PRED_BITS] = {
        .id = "swiz-pred-bits", .title = "what one predicate bit masks", .where = PAGE, .silent = true,
        .readings = {
            CODED("manual", "One predicate bit masks a whole group of sub-elements.",
             SIM ": one bit a step, not a substep"),
            ARGUED("per-element", "One predicate bit masks one sub-element.",
             "as a vector without sub-vectors"),
        },
        .modes = side_modes,
    },
    [SWIZ_OVERLAP] = {
        .id = "swiz-overlap", .title = "a vector whose destination overlaps its source",
        .where = PAGE ": overlap is undefined",
        .readings = {
            STATED("manual", "All elements that are written are undefined.", PAGE ": \"UNDEFINED\""),
            ARGUED("sequential", "Elements move one after the other. Later ones read what earlier ones "
             "wrote.", "the loop, without a buffer"),
            ARGUED("buffered", "All elements are read before the first is written.",
             "as the scalar form with RA = RT"),
            STATED("vertical-buffered", "All elements that are written are undefined. In Vertical-First mode "
             "they are defined: all elements are read before the first is written.",
             JUNE ": \"In-place (RT=RA) is required to work correctly\""),
        },
        .modes = overlap_modes, .workaround = "Use separate registers.",
    },
};
/* clang-format on */
