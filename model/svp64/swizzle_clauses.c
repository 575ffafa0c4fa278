/* SPDX-License-Identifier: MIT */
/*
 * The clauses of Libre-SOC's swizzle moves. The other swizzle_*.c files obey
 * them.
 *
 * `manual` executes the page's pseudocode literally, with its syntax corrected
 * (see below). Where the page has no pseudocode, it follows the tables. The
 * profile `pseudocode` is the same. `prose` follows the page's sentences;
 * `repaired` resolves the page's contradictions. No hardware and no simulator
 * has the instruction, so no reading has stronger evidence than a document or
 * another program.
 *
 * These known doubts about the page have no row here:
 * - const-sentinel, name, syntax: the pseudocode compares an offset with a token
 *   CONSTANT, defines index_dest and calls index_dst, lacks a colon, and iterates
 *   over a number. It cannot run without these corrections.
 * - wiki-bits, eight-options: sentences about the encoding ("bits 16-25",
 *   "8 options, not 6") that do not change what an instruction does.
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
        .id = "swiz-end-length", .title = "length of a destination sub-vector that an end marker closes",
        .where = PAGE ", vectorised pseudocode: dst_subvl = i+1",
        .readings = {
            STATED("manual", "The length is one more than the marker's position: the marker has a slot of "
                   "its own in each group.", PAGE ", pseudocode"),
            STATED("before-end", "The length is the marker's position: the number of selectors before it.",
                   PAGE ", prose: \"Y1\" fills two elements, vec3 to vec2 is contiguous"),
        },
        .in_profile = BOTH(LENGTH_BEFORE_END),
        .proposed = "dst_subvl = i at the first selector 001, 4 if there is none.",
        .workaround = "Give all four selectors where the destination has four elements; the readings then "
            "agree.",
    },
    [SWIZ_MINUS_3] = {
        .id = "swiz-minus-3", .title = "source element that a copying selector names",
        .where = PAGE ", vectorised pseudocode: yield swiz[j]-3",
        .readings = {
            STATED("manual", "Element selector - 3: X is element 1, W is element 4, the next group's first.",
                   PAGE ", pseudocode"),
            STATED("minus-4", "Element selector - 4: X is element 0, W is element 3.",
                   PAGE ", prose: 1NN copies source NN; XYZW is the identity"),
        },
        .in_profile = BOTH(MINUS_4), .proposed = "yield (i*SUBVL, swiz[j]-4)",
    },
    [SWIZ_SRC_RANGE] = {
        .id = "swiz-src-range", .title = "how many selectors of a group the source loop visits",
        .where = PAGE ", vectorised pseudocode: for j in range(SUBVL) in index_src",
        .readings = {
            STATED("manual", "SUBVL of them: with vec2 the selectors of positions Z and W are never looked "
                   "at.", PAGE ", pseudocode"),
            STATED("destination", "All up to the end marker: one for each position of the destination.",
                   PAGE ", prose: vec2 to vec4 by YYXX and XYXX"),
        },
        .in_profile = BOTH(SRC_RANGE_DESTINATION),
        .proposed = "for j in range(dst_subvl)",
        .workaround = "Use swizzles with as many positions as SUBVL.",
    },
    [SWIZ_END_IN_DEST] = {
        .id = "swiz-end-in-dest", .title = "whether the destination loop visits the end marker's own slot",
        .where = PAGE ", vectorised pseudocode: index_dest",
        .readings = {
            STATED("manual", "It does: it tests for skips only, so a value of the next group goes there.",
                   PAGE ", pseudocode"),
            STATED("not-yielded", "It does not: the marker ends the destination's group too.",
                   PAGE ", prose: end of the destination sub-vector"),
        },
        .in_profile = BOTH(END_NOT_YIELDED),
        .proposed = "In index_dest, too: if swiz[j] == 0b001: break",
    },
    [SWIZ_CONST_LOST] = {
        .id = "swiz-const-lost", .title = "which constant a constant selector delivers",
        .where = PAGE ", vectorised pseudocode: yield (i*SUBVL, CONSTANT)",
        .readings = {
            STATED("manual", "The same for both: the token that is handed on does not say which, and 1 is "
                   "written.", PAGE ", pseudocode: one token for 010 and 011"),
            STATED("carried", "010 delivers 0, 011 delivers 1.", PAGE ", table of selectors"),
        },
        .in_profile = BOTH(CONST_CARRIED),
        .proposed = "yield the constant itself, 0 or 1, with the token.",
    },
    [SWIZ_ZIP] = {
        .id = "swiz-zip",
        .title = "which source goes to which destination when the two loops have different lengths",
        .where = PAGE ", vectorised pseudocode: zip(index_src(), index_dst())",
        .readings = {
            STATED("manual", "The k-th of one to the k-th of the other, over all groups; what the longer "
                   "one has left is dropped without a word.", PAGE ", pseudocode"),
            STATED("by-position", "Position j of a group to position j of the same group; a position "
                   "without a partner is left out.", PAGE ", prose: dest[i] = src[swiz[i]]"),
            ARGUED("error", "Loops of different length are an error of the program.",
                   "a silent end hides it; only predicates may make the lengths differ"),
        },
        .in_profile = PROFILES(ZIP_BY_POSITION, READING_MANUAL),
        .proposed = "Pair position j of source and destination of one group.", .modes = zip_modes,
    },
    [SWIZ_DOTDOT_XY] = {
        .id = "swiz-dotdot-xy", .title = "what the scalar swizzle \"..XY\" copies",
        .where = PAGE ", scalar form, the sentence about \"..XY\"",
        .readings = {
            STATED("manual", "X and Y of RA go to positions Z and W, which is RT+1.",
                   PAGE ", table of the immediate, and its own example W.Y."),
            STATED("sentence", "RA+1 is copied to RT, and RT+1 is left.",
                   PAGE ", scalar form: \"..XY\" (the swizzle ZW.. would do that)"),
        },
        .in_profile = PROFILES(DOTDOT_SENTENCE, READING_MANUAL),
        .proposed = "\"ZW..\" copies RA+1 into RT and leaves RT+1.", .modes = file_modes,
    },
    [SWIZ_SKIP_ZERO] = {
        .id = "swiz-skip-zero", .title = "lanes that a scalar swizzle does not select, RA other than RT",
        .where = PAGE ", scalar form",
        .readings = {
            STATED("manual", "They become zero: both destination registers are written as a whole.",
                   PAGE ", scalar form: \"not set becomes zero\""),
            STATED("keep", "They keep their value.", PAGE ": \"skip is equivalent to predicate masking\""),
        },
        .proposed = "Skip leaves the element in vectors and where RA = RT; else it clears the lane.",
        .modes = file_modes,
    },
    [SWIZ_PACK_INDEX] = {
        .id = "swiz-pack-index", .title = "what Pack and Unpack do to the order of elements",
        .where = PAGE ", Pack and Unpack: j*VL+i with j outer",
        .readings = {
            STATED("manual", "Nothing: the printed index runs 0, 1, 2, ... as without the bits.",
                   PAGE ", pseudocode of Pack"),
            CODED("step", "The side visits its elements sub-element by sub-element, each at its usual "
                  "place; k-th visited goes to k-th visited.",
                  SIM ": step * subvl + substep in every mode, only the order differs"),
            ARGUED("addr", "Element c of group i lives at c * VL + i on that side: arrays of structures "
                   "become structures of arrays.", "the index j*VL+i taken as an address"),
        },
        .in_profile = BOTH(PACK_STEP),
        .proposed = "for j in range(subvl): for i in range(VL): yield i*subvl+j", .modes = pack_modes,
    },
    [SWIZ_PACK_SKIP] = {
        .id = "swiz-pack-skip", .title = "skips and end markers under Pack or Unpack",
        .where = PAGE ", Pack and Unpack generators",
        .readings = {
            STATED("manual", "They count as steps in which nothing moves.",
                   PAGE ", pseudocode: the generators know no selectors"),
            ARGUED("filtered", "They are left out on both sides, as without the bits.",
                   "both sides must match, as in the ordinary loop"),
        },
        .in_profile = BOTH(PACK_FILTERS),
        .proposed = "Pack and Unpack leave out skipped positions on both sides.",
    },
    [SWIZ_VF_CODE] = {
        .id = "swiz-vf-code", .title = "how many elements one execution moves in Vertical-First mode",
        .where = PAGE ", Vertical-First pseudocode: num_runs",
        .readings = {
            STATED("manual", "SUBVL; the destination's length under Pack; 1 under Pack and Unpack.",
                   PAGE ", pseudocode"),
            STATED("active", "Every position of the destination that is not skipped; 1 under Pack and "
                   "Unpack.", PAGE ", prose: the whole sub-vector"),
        },
        .in_profile = BOTH(VF_ACTIVE),
        .proposed = "num_runs is the number of selectors before the end marker that do not skip; 1 if both "
            "are set.", .modes = vertical_modes,
    },
    [SWIZ_VF_UNPACK] = {
        .id = "swiz-vf-unpack",
        .title = "how many elements one execution moves in Vertical-First mode under Unpack alone",
        .where = PAGE ", Vertical-First pseudocode: num_runs, which names Pack alone and both",
        .silent = true,
        .readings = {
            INFERRED("manual", "SUBVL, as without Pack and Unpack.",
                     PAGE ", pseudocode: no branch for Unpack alone"),
            ARGUED("destination", "The destination's length, as under Pack alone.",
                   "Unpack changes the order of the destination's elements, so its length counts"),
            STATED("active", "Every position of the destination that is not skipped.",
                   PAGE ", prose: the whole sub-vector"),
        },
        .in_profile = BOTH(VF_UNPACK_ACTIVE),
    },
    [SWIZ_IMM_SLICES] = {
        .id = "swiz-imm-slices", .title = "which bits of the immediate are the first selector",
        .where = PAGE ", vectorised pseudocode: imm[0:3]",
        .readings = {
            STATED("manual", "The most significant three: Power counts from there.",
                   PAGE ", table of the immediate: X in bits 0.2"),
            ARGUED("lsb0", "The least significant three, as a slice [0:3] counts in most languages.",
                   "Python's and nmigen's order"),
        },
    },
    [SWIZ_RT_PLUS] = {
        .id = "swiz-rt-plus", .title = "what RT+n and RA+n name under an element width below 64",
        .where = PAGE ", vectorised pseudocode: set(RT+dst_idx), RA+src_idx+offs",
        .readings = {
            STATED("manual", "Register RT+n: an element in the low end of each.",
                   PAGE ", pseudocode (which leaves element widths out)"),
            CODED("elements", "Element n, counted from RT's least significant end in elements of that width.",
                  "SVP64's general rule; " SIM),
        },
        .in_profile = BOTH(RT_ELEMENTS),
        .proposed = "RT+n is the n-th element of the operand's width.", .modes = side_modes,
    },
    [SWIZ_BREAK_MISSING] = {
        .id = "swiz-break-missing", .title = "which of several end markers sets the destination's length",
        .where = PAGE ", vectorised pseudocode: break",
        .readings = {
            STATED("manual", "The first.", PAGE ", pseudocode: break"),
            STATED("last", "The last.", PAGE ", an older revision, without the break"),
        },
    },
    [SWIZ_IN_PLACE] = {
        .id = "swiz-in-place", .title = "when a scalar swizzle with RA = RT reads its four lanes",
        .where = PAGE ", scalar form: RA = RT",
        .readings = {
            STATED("manual", "All are read before the first is written.",
                   PAGE ", vectorised form: the scalar form buffers where RA = RT"),
            ARGUED("in-order", "Each just before its copy is written, X first: a later lane reads what an "
                   "earlier one wrote.", "micro-code without a buffer"),
        },
        .workaround = "Let RT differ from RA.", .modes = file_modes,
    },
    [SWIZ_ODD_REG] = {
        .id = "swiz-odd-reg", .title = "a register that must be even and is odd",
        .where = PAGE ", scalar form: only even registers are permitted", .silent = true,
        .readings = {
            INFERRED("manual", "An invalid form: nothing is executed.",
                     "Power ISA, lq: \"if RTp is odd, the instruction form is invalid\""),
            ARGUED("rounds-down", "The lowest bit is ignored.",
                   "a pair has no odd number, so hardware need not look at the bit"),
        },
        .modes = file_modes,
    },
    [SWIZ_ODD_VECTOR] = {
        .id = "swiz-odd-vector", .title = "which number must be even if the operand is a vector",
        .where = PAGE ", scalar form: only even registers are permitted", .silent = true,
        .readings = {
            INFERRED("manual", "That of the first register, after EXTRA.",
                     "SVP64's rules: a prefix does not change what the instruction permits"),
            ARGUED("any", "None: a vector may begin at any register.",
                   "pairs are even so that they cannot overlap; of vectors the page says that overlap is "
                   "undefined"),
            ARGUED("field", "The five bits RTp and RAp, whatever EXTRA adds: a vector begins at r0 to r3, "
                   "r8 to r11, ...", "a decoder checks the instruction before it looks at the prefix"),
        },
        .workaround = "Let vectors begin at r0, r8, r16, ... .", .modes = side_modes,
    },
    [SWIZ_SINGLE] = {
        .id = "swiz-single", .title = "a swizzle with an SVP64Single prefix",
        .where = PAGE ": one sentence, a predicated scalar move", .silent = true,
        .readings = {
            INFERRED("manual", "The scalar form, with registers up to r127, if bit 0 of the destination's "
                     "predicate is set. If it is clear, nothing is written, or under dz zero to the "
                     "selected lanes. Widths and SUBVL do not matter.",
                     PAGE ": a predicated scalar move"),
            ARGUED("one-group", "The vectorised form with VL = 1, without Pack, Unpack and Vertical-First.",
                   "the 32-bit restriction belongs to the form without a prefix"),
            ARGUED("reserved", RESERVED, "no table of the page has the prefix"),
        },
        .modes = file_modes,
    },
    [SWIZ_END_SCALAR] = {
        .id = "swiz-end-scalar", .title = "an end marker in the scalar form", .where = PAGE ", scalar form",
        .silent = true,
        .readings = {
            ARGUED("manual", "It ends the swizzle: it and all later positions are not selected.",
                   "as in the vectorised form"),
            ARGUED("skips", "It is a skip; later positions are selected as they say.",
                   "the scalar form always has four lanes"),
            STATED("reserved", RESERVED,
                   PAGE ", a revision of 2022: 001 reserved"),
        },
        .workaround = "Use skips instead.", .modes = file_modes,
    },
    [SWIZ_AFTER_END] = {
        .id = "swiz-after-end", .title = "selectors behind the first end marker",
        .where = PAGE ", vectorised form", .silent = true,
        .readings = {
            STATED("manual", "They are ignored.", PAGE ", pseudocode: break"),
            ARGUED("must-skip", "Anything but skips there is reserved: nothing is executed.",
                   "reserved bits of Power are zero"),
            ARGUED("must-end", "Anything but end markers there is reserved: nothing is executed.",
                   "the example Y1EE"),
        },
        .workaround = "Assemblers emit 000 there.",
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
            STATED("manual", "It reads on: the next group's element.", PAGE ", pseudocode: no check"),
            ARGUED("zero", "It delivers 0.", "as texture swizzles of missing components do"),
            ARGUED("undefined", "The element's value is undefined.", "W of a vec2 has no meaning"),
        },
        .in_profile = PROFILES(READING_MANUAL, NN_UNDEFINED),
        .workaround = "Do not select components that the source has not.",
    },
    [SWIZ_SUBVL1] = {
        .id = "swiz-subvl1", .title = "a prefixed swizzle with SUBVL 1", .where = PAGE ": vec2, vec3, vec4",
        .silent = true,
        .readings = {
            ARGUED("manual", "It works as the others do.", "the formulas hold for 1"),
            INFERRED("illegal", RESERVED,
                     PAGE ": the prose speaks of 2, 3 and 4 only"),
        },
    },
    [SWIZ_HALF_ORDER] = {
        .id = "swiz-half-order", .title = "which half of a register is lane X",
        .where = PAGE ", scalar form: lo-half, hi-half", .silent = true,
        .readings = {
            INFERRED("manual", "The least significant 32 bits.",
                     "SVP64 counts elements from the least significant end"),
            ARGUED("high-first", "The most significant 32 bits, which stand first in big-endian memory.",
                   "Power counts bits from there"),
        },
        .modes = file_modes,
    },
    [SWIZ_FMV_ONE] = {
        .id = "swiz-fmv-one", .title = "1.0 in a 32-bit lane of a scalar fmv.swiz",
        .where = PAGE ", scalar form: \"four 32-bit quantities\"", .silent = true,
        .readings = {
            ARGUED("manual", "The binary32 number, 3F800000.", "the lane is a 32-bit quantity"),
            ARGUED("upper-double", "The upper half of the binary64 number, 3FF00000.",
                   "floating-point registers hold binary64"),
        },
    },
    [SWIZ_FMV_EW] = {
        .id = "swiz-fmv-ew", .title = "element width code 8 of a floating-point swizzle", .where = PAGE,
        .silent = true,
        .readings = {
            INFERRED("manual", "bfloat16: 16-bit elements, 1.0 is 3F80.",
                     "SVP64's general table of floating-point element widths"),
            ARGUED("illegal", RESERVED, "no 8-bit format is named"),
        },
        .modes = side_modes,
    },
    [SWIZ_FMV_BITS] = {
        .id = "swiz-fmv-bits", .title = "signalling NaNs in fmv.swiz", .where = PAGE ": \"copy contents\"",
        .silent = true,
        .readings = {
            INFERRED("manual", "Bits are copied.", PAGE ": \"copy contents\""),
            ARGUED("quiets", "A signalling NaN becomes quiet.",
                   "as conversions from and to register format do"),
        },
    },
    [SWIZ_FMV_FILE] = {
        .id = "swiz-fmv-file", .title = "the register file of fmv.swiz",
        .where = PAGE ", table of the encoding: row fmv.swiz", .silent = true,
        .readings = {
            INFERRED("manual", "The floating-point registers.",
                     PAGE ", table of the encoding: the name fmv.swiz"),
            INFERRED("gpr", "The general registers.",
                     JUNE ", table of the encoding: the operands of both instructions are RTp and RAp"),
        },
    },
    [SWIZ_FMV_WIDTH_CHANGE] = {
        .id = "swiz-fmv-width-change", .title = "fmv.swiz between elements of different widths",
        .where = PAGE, .silent = true,
        .readings = {
            INFERRED("manual", "Bits are copied, zero-extended or truncated.", PAGE ": \"copy contents\""),
            INFERRED("converts", "The number is converted, rounding to nearest even.",
                     "SVP64's general rule for floating-point operands"),
        },
        .in_profile = BOTH(FMV_CONVERTS), .modes = width_modes,
    },
    [SWIZ_FMV_NAN] = {
        .id = "swiz-fmv-nan", .title = "a NaN that fmv.swiz converts to another width", .where = PAGE,
        .silent = true,
        .readings = {
            INFERRED("manual", "It becomes quiet and keeps its sign and the upper bits of its fraction.",
                     "Power ISA, frsp; IEEE 754-2019, 6.2.3"),
            ARGUED("default", "It becomes the default NaN: positive, quiet, the rest of the fraction 0.",
                   "RISC-V's conversions (F extension, canonical NaN)"),
            INFERRED("moves", "It keeps its sign and the upper bits of its fraction, signalling or quiet. If "
                     "those bits are all 0, it becomes an infinity.",
                     "Power ISA, lfs and stfs, which convert without looking at NaNs"),
        },
        .modes = width_modes,
    },
    [SWIZ_WIDTH_CHANGE] = {
        .id = "swiz-width-change", .title = "mv.swiz into wider elements", .where = PAGE, .silent = true,
        .readings = {
            INFERRED("manual", "Zero-extended; sign-extended under signed saturation.",
                     "SVP64's general rule: the saturation mode says whether elements are signed"),
            ARGUED("zero-extends", "Always zero-extended.", "a move knows no signs"),
            ARGUED("sign-extends", "Always sign-extended.", "as extsw does"),
        },
    },
    [SWIZ_SAT_WIDTH] = {
        .id = "swiz-sat-width",
        .title = "which element's width sets the largest value of selector 1 under saturation",
        .where = PAGE ", saturation", .silent = true,
        .readings = {
            ARGUED("manual", "The destination's.",
                   "the example sats/vec2/ew=8 has equal widths; saturation is a matter of the result"),
            ARGUED("source", "The source's.", "the constant takes a source element's place"),
        },
        .modes = width_modes,
    },
    [SWIZ_SAT_FMV] = {
        .id = "swiz-sat-fmv", .title = "saturation in fmv.swiz", .where = PAGE ", saturation", .silent = true,
        .readings = {
            ARGUED("manual", "It changes nothing: selector 1 delivers 1.0.", "floats do not saturate"),
            ARGUED("largest-finite", "Selector 1 delivers the largest finite number.",
                   "as the largest integer for mv"),
            ARGUED("illegal", RESERVED, "the mode means nothing here"),
        },
    },
    [SWIZ_ZEROING_SRC] = {
        .id = "swiz-zeroing-src", .title = "constants of a source group that source zeroing (sz) masks",
        .where = PAGE, .silent = true,
        .readings = {
            ARGUED("manual", "They are delivered; only copied elements read 0.",
                   "constants do not come from the source"),
            ARGUED("all-zero", "They are 0 too.", "the whole group reads as zero"),
        },
    },
    [SWIZ_ZEROING_DST] = {
        .id = "swiz-zeroing-dst",
        .title = "skipped positions of a destination group that destination zeroing (dz) masks",
        .where = PAGE ": skips are never zeroed; " LIST, .silent = true,
        .readings = {
            INFERRED("manual", "They are left: only positions that would be written become 0.",
                     LIST ": the author gave up on combining dz with skips"),
            ARGUED("whole-group", "They become 0 with the rest of the group.",
                   "dz clears masked destinations"),
        },
    },
    [SWIZ_PRED_BITS] = {
        .id = "swiz-pred-bits", .title = "what one predicate bit masks", .where = PAGE, .silent = true,
        .readings = {
            CODED("manual", "A whole group of sub-elements.", SIM ": one bit a step, not a substep"),
            ARGUED("per-element", "One sub-element.", "as a vector without sub-vectors"),
        },
        .modes = side_modes,
    },
    [SWIZ_OVERLAP] = {
        .id = "swiz-overlap", .title = "a vector whose destination overlaps its source",
        .where = PAGE ": overlap is undefined",
        .readings = {
            STATED("manual", "All elements written are undefined.", PAGE ": \"UNDEFINED\""),
            ARGUED("sequential", "Elements move one after the other; later ones read what earlier ones "
                   "wrote.", "the loop, without a buffer"),
            ARGUED("buffered", "All are read before the first is written.",
                   "as the scalar form with RA = RT"),
            STATED("vertical-buffered", "As under manual, but in Vertical-First mode all are read before the "
                   "first is written.", JUNE ": \"In-place (RT=RA) is required to work correctly\""),
        },
        .modes = overlap_modes, .workaround = "Use separate registers.",
    },
};
/* clang-format on */
