/* SPDX-License-Identifier: MIT */
/*
 * The clauses on the QPU's arithmetic, packing and unpacking, one row each.
 * Where the manual says nothing, the reading `manual` is what a careful reader assumes: IEEE 754 binary32
 * with rounding to nearest for floats, wrapping two's complement for integers, C as the carry or borrow of
 * add and sub, and C = 0 elsewhere.
 */
#include "model/vc4/qpu/alu/alu_clauses.h"

/* clang-format off */
#define ROW(clause) [(clause) - ALU_CLAUSE_FIRST]
/* The reading in the profile of BCM2835. A row without .in_profile has READING_MANUAL in every built-in
 * profile. */
#define BCM2835(reading) {[VC4_PROFILE_BCM2835] = (reading)}

/* Readings, by the kind of their evidence. */
#define ARGUMENT(id, says, source) {id, says, source, EVIDENCE_ARGUMENT}
#define DOCUMENT(id, says, source) {id, says, source, EVIDENCE_DOCUMENT}
#define SOURCE(id, says, source)   {id, says, source, EVIDENCE_SOURCE}
#define STATED(id, says, source)   {id, says, source, EVIDENCE_STATED}
#define SILICON(id, says, source)  {id, says, source, EVIDENCE_SILICON}

#define MANUAL          "VideoCoreIV-AG100-R"
#define RECORDED        "doe300/VC4C test/opcode_test.h (recorded on a Raspberry Pi)"
#define RECORDED_PACK   "doe300/VC4C test/opcode_pack_test.h (recorded on a Raspberry Pi)"
#define RECORDED_UNPACK "doe300/VC4C test/unpack_test.h (recorded on a Raspberry Pi)"
#define SILENT          MANUAL " is silent; our assumption"
#define SILENT_IEEE     MANUAL " is silent; IEEE 754 assumed"
#define CONSOLE         "console of a Raspberry Pi in the VPM blog post (coordinate shader)"

const struct clause alu_clauses[ALU_CLAUSES] = {
    ROW(ALU_FLOAT_DENORMALS) = {
        .id = "float-denormals", .title = "denormal operands and results of fadd, fsub, fmul",
        .where = MANUAL " p35-36 T12-T13", .silent = true,
        .readings = {
            ARGUMENT("manual", "Denormal operands keep their value and results underflow gradually.",
             SILENT_IEEE),
            SILICON("flush", "A denormal operand counts as +0, and a denormal result becomes +0 (a result "
             "that rounds to zero: see float-neg-zero).", RECORDED "; maazl/vc4asm addendum"),
        }, .in_profile = BCM2835(DENORMALS_FLUSH),
        .proposed = "fadd, fsub and fmul take operands with exponent 0 as +0 and give +0 for results below "
            "2^-126 in magnitude.",
        .workaround = "Scale values away from the denormal range; move denormals with or and v8min, or "
            "order them with fmin and fmax, which keep them."},
    ROW(ALU_FLOAT_NEG_ZERO) = {
        .id = "float-neg-zero", .title = "negative zero as a result of fadd, fsub, fmul",
        .where = MANUAL " p35-36 T12-T13", .silent = true,
        .readings = {
            ARGUMENT("manual", "Zero results have the sign that IEEE 754 gives them.", SILENT_IEEE),
            SILICON("never", "Every zero result is +0.", RECORDED),
        }, .in_profile = BCM2835(NEG_ZERO_NEVER),
        .proposed = "Zero results of fadd, fsub and fmul are always +0.",
        .workaround = "Make -0 with integer operations (xor with 80000000) where its sign matters."},
    ROW(ALU_FLOAT_NAN) = {
        .id = "float-nan", .title = "NaN and Inf operands of fadd, fsub, fmul",
        .where = MANUAL " p35-36 T12-T13", .silent = true,
        .readings = {
            ARGUMENT("manual", "A NaN operand, Inf - Inf and 0 * Inf give a NaN (modelled as 7FC00000); Inf "
             "otherwise follows IEEE 754.", SILENT_IEEE),
            SILICON("second-wins", "No NaN is produced. An operand with exponent 255 counts as Inf of its "
             "sign. The sum of two such operands has the second one's sign (for fsub the inverted sign); a "
             "product has the XOR of the signs.", RECORDED
             " for NaN operands; for Inf operands doe300/VC4C OpCodes.h and maazl/vc4asm addendum"),
        }, .in_profile = BCM2835(NAN_SECOND_WINS),
        .proposed = "There is no NaN arithmetic: operands with exponent 255 act as signed infinities. If "
            "both operands of fadd or fsub are such, the second decides the sign.",
        .workaround = "Test for NaN with integer operations before computing."},
    ROW(ALU_FMUL_ZERO_NAN) = {
        .id = "fmul-zero-nan", .title = "fmul of zero and an operand with exponent 255",
        .where = MANUAL " p36 T13", .silent = true,
        .readings = {
            ARGUMENT("manual", "0 * Inf and 0 * NaN give a NaN.", SILENT_IEEE),
            SILICON("zero", "An operand with exponent 0 (zero or denormal) makes the product +0, whatever "
             "the other operand is.", RECORDED),
        }, .in_profile = BCM2835(ZERO_NAN_ZERO),
        .proposed = "A zero or denormal operand of fmul gives +0 even if the other operand is infinite or "
            "NaN."},
    ROW(ALU_FADD_TRUNCATION) = {
        .id = "fadd-truncation", .title = "rounding of fadd and fsub", .where = MANUAL " p35 T12",
        .silent = true,
        .readings = {
            ARGUMENT("manual", "The exact sum is rounded to nearest, ties to even.", SILENT_IEEE),
            SILICON("truncate", "The exact sum is rounded toward zero. Bits far below the last kept one "
             "still count (1.0 - 2^-95 = 3F7FFFFF).", RECORDED "; " CONSOLE ": BF665C24"),
        }, .in_profile = BCM2835(FADD_ROUND_TRUNCATE),
        .proposed = "fadd and fsub round toward zero.",
        .workaround = "Expect errors of up to one unit in the last place, always toward zero; sums of many "
            "terms drift."},
    ROW(ALU_FMUL_ROUNDING) = {
        .id = "fmul-rounding", .title = "rounding of fmul", .where = MANUAL " p36 T13", .silent = true,
        .readings = {
            ARGUMENT("manual", "The exact product is rounded to nearest, ties to even.", SILENT_IEEE),
            SILICON("truncate", "The exact product is rounded toward zero.",
             CONSOLE ": 448.0 * 3B88D181 was 3FEF6EA1 (one product; other operand ranges open); doe300/VC4C "
             "Operators.h; doe300/VC4CL issue 67"),
            ARGUMENT("half-away", "The exact product is rounded to nearest, ties away from zero.",
             "possible in principle; nobody claims it"),
        }, .in_profile = BCM2835(FMUL_ROUND_TRUNCATE),
        .proposed = "fmul rounds toward zero.",
        .workaround = "Expect errors of up to one unit in the last place, always toward zero."},
    ROW(ALU_FADD_OVERFLOW) = {
        .id = "fadd-overflow", .title = "fadd and fsub whose sum is beyond the range of floats",
        .where = MANUAL " p35 T12", .silent = true,
        .readings = {
            ARGUMENT("manual", "A sum beyond the range becomes Inf of its sign.",
             SILENT_IEEE "; agrees by analogy with fmul, which gives Inf (" RECORDED ")"),
            ARGUMENT("flt-max", "A sum beyond the range becomes the largest finite number of its sign, as "
             "IEEE 754 has it for rounding toward zero.",
             "IEEE 754 applied to the truncation that silicon shows; nobody looked"),
        }},
    ROW(ALU_FMIN_ORDER) = {
        .id = "fmin-order", .title = "order of fmin, fmax, fminabs, fmaxabs", .where = MANUAL " p35 T12",
        .silent = true,
        .readings = {
            ARGUMENT("manual", "Numbers are ordered by value. A NaN loses against a number, and two NaNs "
             "give a NaN (7FC00000).", MANUAL " is silent; IEEE 754-2019 minimumNumber assumed"),
            SILICON("sign-magnitude", "Operands are ordered by their sign and their other 31 bits, so NaN is "
             "beyond Inf. The result is one operand, unchanged, also if it is a NaN or a denormal.",
             RECORDED ", 900 of 900 results"),
        }, .in_profile = BCM2835(FMIN_ORDER_SIGN_MAGNITUDE),
        .proposed = "fmin, fmax, fminabs and fmaxabs order all bit patterns by sign and magnitude, NaN "
            "beyond infinity, and return an operand unchanged.",
        .workaround = "Do not rely on fmin or fmax to discard NaN."},
    ROW(ALU_FMIN_TIES) = {
        .id = "fmin-ties", .title = "fmin and fmax of two zeros with different signs",
        .where = MANUAL " p35 T12", .silent = true,
        .readings = {
            ARGUMENT("manual", "-0 is less than +0: fmin gives -0 and fmax gives +0, in either order of the "
             "operands.", MANUAL " is silent; IEEE 754-2019 minimumNumber assumed"),
            SILICON("a-then-b", "The zeros are equal. If operands are equal, fmin returns operand A and fmax "
             "returns operand B.", RECORDED),
        }, .in_profile = BCM2835(FMIN_TIES_A_THEN_B),
        .proposed = "fmin is (a > b) ? b : a and fmax is (a > b) ? a : b, with +0 = -0."},
    ROW(ALU_FMIN_NEG_DENORMAL) = {
        .id = "fmin-neg-denormal", .title = "fmin and fmax of two denormals", .where = MANUAL " p35 T12",
        .silent = true,
        .readings = {
            ARGUMENT("manual", "Denormals are ordered by value like other numbers, so negative ones are "
             "below positive ones.", MANUAL " is silent; fits " RECORDED ", which has no negative denormals"),
            SOURCE("absolute", "If both operands are denormals, their absolute values are compared.",
             "doe300/VC4C OpCodes.h (comment)"),
        }},
    ROW(ALU_FMINABS_SIGN) = {
        .id = "fminabs-sign", .title = "sign of the result of fminabs and fmaxabs",
        .where = MANUAL " p35 T12: \"minimum of absolute values\"",
        .readings = {
            SILICON("manual", "The result is an absolute value: its sign bit is 0.",
             MANUAL " p35, ambiguous; confirmed by " RECORDED " and Idein/py-videocore tests/test_alu"),
            SOURCE("signed-operand", "The operand with the smaller (greater) absolute value is returned "
             "with its sign.", "mn416/QPULib emulator"),
        },
        .proposed = "fminabs and fmaxabs clear the sign bit of the result."},
    ROW(ALU_FTOI_MODE) = {
        .id = "ftoi-mode", .title = "rounding of ftoi, and its results for Inf and NaN",
        .where = MANUAL " p35 T12: \"floating point to signed integer\"", .silent = true,
        .readings = {
            ARGUMENT("manual", "ftoi truncates toward zero; Inf saturates to 7FFFFFFF or 80000000, NaN "
             "gives 0.", MANUAL " is silent; a cast of C or GLSL with saturation assumed"),
            ARGUMENT("infinity-zero", "ftoi truncates toward zero; Inf and NaN give 0.",
             RECORDED " for NaN and for truncation; Inf by analogy: nobody published it"),
            ARGUMENT("nearest", "ftoi rounds to nearest, ties to even; Inf saturates, NaN gives 0.",
             "IEEE 754's default rounding; nobody claims it"),
        }, .in_profile = BCM2835(FTOI_INFINITY_ZERO),
        .proposed = "ftoi truncates toward zero and gives 0 for infinities and NaN.",
        .workaround = "Clamp with fmin and fmax before converting."},
    ROW(ALU_FTOI_OUT_OF_RANGE) = {
        .id = "ftoi-out-of-range", .title = "ftoi of finite numbers that do not fit in 32 bits",
        .where = MANUAL " p35 T12", .silent = true,
        .readings = {
            ARGUMENT("manual", "Numbers beyond the range saturate to 7FFFFFFF or 80000000.", SILENT),
            SOURCE("reported", "2^31 and the two finite numbers of the largest magnitude give 80000000. All "
             "others beyond the range give 0.", "doe300/VC4C OpCodes.h (comment) for 80000000; "
             RECORDED ": +-2^97 give 0; what lies between is unknown"),
            ARGUMENT("zero", "All numbers beyond the range give 0.",
             RECORDED ": +-2^97 give 0; the rest by analogy"),
            ARGUMENT("shifter", "The mantissa is shifted left by the low five bits of the amount it needs. "
             "If that sets bit 31, the result is 80000000; otherwise the result gets the operand's sign.",
             "worked out here from the values reported; fits all of them"),
        }, .in_profile = BCM2835(FTOI_RANGE_REPORTED),
        .workaround = "Clamp with fmin and fmax before converting."},
    ROW(ALU_ITOF_TRUNCATION) = {
        .id = "itof-truncation", .title = "rounding of itof", .where = MANUAL " p35 T12", .silent = true,
        .readings = {
            ARGUMENT("manual", "Integers of more than 24 bits are rounded to nearest, ties to even.",
             SILENT_IEEE),
            SILICON("truncate", "Integers of more than 24 bits are rounded toward zero (7FFFFFFF gives "
             "4EFFFFFF).", RECORDED ", 15 of 15 results"),
        }, .in_profile = BCM2835(ITOF_TRUNCATE),
        .proposed = "itof rounds toward zero."},
    ROW(ALU_ITOF_C_FLAG) = {
        .id = "itof-c-flag", .title = "C flag of itof", .where = MANUAL " p28, p35 T12", .silent = true,
        .readings = {
            SOURCE("manual", "C is 0, because a conversion carries nothing.",
             SILENT "; maazl/vc4asm's table of instructions says 0 too"),
            SILICON("positive", "C is set if the result is greater than 0.", RECORDED),
        }, .in_profile = BCM2835(ITOF_C_POSITIVE),
        .proposed = "itof sets C if the result is greater than zero."},
    ROW(ALU_FADD_C_FLAG) = {
        .id = "fadd-c-flag", .title = "C flag of fadd and fsub", .where = MANUAL " p28, p35 T12",
        .silent = true,
        .readings = {
            ARGUMENT("manual", "C is 0, because float operations carry nothing.", SILENT),
            SILICON("positive", "C is set if the result is greater than 0.", RECORDED),
        }, .in_profile = BCM2835(FADD_C_POSITIVE),
        .proposed = "fadd and fsub set C if the result is greater than zero."},
    ROW(ALU_MINMAX_C_FLAG) = {
        .id = "minmax-c-flag", .title = "C flag of fmin, fmax, fminabs, fmaxabs, min, max",
        .where = MANUAL " p28, p35 T12", .silent = true,
        .readings = {
            ARGUMENT("manual", "C is 0.", SILENT),
            SILICON("greater", "C is set if the first operand is greater than the second. fminabs and "
             "fmaxabs compare absolute values.", RECORDED),
        }, .in_profile = BCM2835(MINMAX_C_GREATER),
        .proposed = "All minimum and maximum operations set C if the first operand is greater than the "
            "second."},
    ROW(ALU_SUB_C_FLAG) = {
        .id = "sub-c-flag", .title = "C flag of sub", .where = MANUAL " p28, p35 T12", .silent = true,
        .readings = {
            SILICON("manual", "C is the unsigned borrow: set if a < b.", SILENT "; confirmed by "
             RECORDED " and Idein/py-videocore test_condition_codes"),
            ARGUMENT("no-borrow", "C is the carry of a + ~b + 1: set if a >= b, as on ARM.",
             "the ARM core in the same chip does so; nobody claims it of the QPU"),
        },
        .proposed = "sub sets C if operand A is less than operand B as unsigned numbers."},
    ROW(ALU_SHIFT_AMOUNT) = {
        .id = "shift-amount", .title = "shift amounts beyond 31", .where = MANUAL " p35 T12", .silent = true,
        .readings = {
            ARGUMENT("manual", "The amount is all of operand B, unsigned. From 32 on, shl and shr give 0, "
             "and asr gives copies of the sign.", SILENT),
            SILICON("mod-32", "The amount is the low five bits of operand B.", RECORDED),
            ARGUMENT("low-byte", "The amount is the low byte of operand B. From 32 on, every bit is shifted "
             "out, as on ARM.", "the ARM core in the same chip does so; nobody claims it of the QPU"),
        }, .in_profile = BCM2835(SHIFT_AMOUNT_MOD_32),
        .proposed = "shr, asr, shl and ror use the low five bits of operand B.",
        .workaround = "To shift by 16 with a small immediate, write -16; to shift by 31, write -1."},
    ROW(ALU_SHIFT_C_FLAG) = {
        .id = "shift-c-flag", .title = "C flag of shr, asr, shl", .where = MANUAL " p28, p35 T12",
        .silent = true,
        .readings = {
            ARGUMENT("manual", "C is 0.", SILENT),
            SILICON("last-out", "C is the last bit shifted out, and 0 if the amount is 0. ror clears C.",
             RECORDED),
        }, .in_profile = BCM2835(SHIFT_C_LAST_OUT),
        .proposed = "shr, asr and shl set C to the last bit shifted out (0 if the amount is 0); ror clears "
            "C."},
    ROW(ALU_CLZ_ZERO) = {
        .id = "clz-zero", .title = "clz of 0", .where = MANUAL " p36 T12", .silent = true,
        .readings = {
            SILICON("manual", "clz of 0 is 32.", SILENT "; confirmed by " RECORDED),
            ARGUMENT("wraps", "clz of 0 is 0, as a five-bit count would be.",
             "possible in principle; nobody claims it"),
        },
        .proposed = "clz gives 32 for operand 0."},
    ROW(ALU_MUL24) = {
        .id = "mul24", .title = "sign and width of mul24", .where = MANUAL " p36 T13: \"24 bit multiply\"",
        .silent = true,
        .readings = {
            SILICON("manual", "The low 24 bits of both operands are multiplied as unsigned numbers; the "
             "result is the product's low 32 bits.", MANUAL " p36 does not say; confirmed by " RECORDED),
            ARGUMENT("signed", "The low 24 bits of both operands are multiplied as signed numbers.",
             "the other way to read \"24 bit multiply\""),
            ARGUMENT("low-24", "The result is the low 24 bits of the unsigned product.",
             "the other way to read \"24 bit multiply\""),
        },
        .proposed = "mul24 multiplies bits 23:0 of both operands as unsigned numbers and gives bits 31:0 of "
            "the product."},
    ROW(ALU_MUL24_C_FLAG) = {
        .id = "mul24-c-flag", .title = "C flag of mul24", .where = MANUAL " p28, p36 T13", .silent = true,
        .readings = {
            ARGUMENT("manual", "C is 0.", SILENT),
            SOURCE("above-24-bits", "C is set if the exact product is greater than FFFFFF.",
             "maazl/vc4asm doc, instructions"),
            SOURCE("above-32-bits", "C is set if the exact product is greater than FFFFFFFF.",
             "doe300/VC4C OpCodes.cpp"),
        }, .in_profile = BCM2835(MUL24_C_ABOVE_24)},
    ROW(ALU_FMUL_C_FLAG) = {
        .id = "fmul-c-flag", .title = "C flag of fmul", .where = MANUAL " p28, p36 T13", .silent = true,
        .readings = {
            SOURCE("manual", "C is 0.", SILENT "; maazl/vc4asm doc, instructions, says so"),
            SOURCE("nan-to-inf", "C is set if an operand is a NaN and the result is +Inf.",
             "doe300/VC4C OpCodes.cpp"),
        }},
    ROW(ALU_V8MULD_FORMULA) = {
        .id = "v8muld-formula", .title = "rounding and operands of v8muld",
        .where = MANUAL " p36 T13: bytes in the range [1.0, 0]", .silent = true,
        .readings = {
            SILICON("manual", "Each byte is a * b / 255 rounded to nearest, that is (a * b + 127) / 255. a "
             "and b are the operands' bytes at the same place.", MANUAL " p36 does not say; confirmed by "
             RECORDED),
            DOCUMENT("byte-3", "Each byte of operand A is multiplied with byte 3 of operand B.",
             "an older public note on the instruction set"),
            ARGUMENT("truncate", "Each byte is a * b / 255 rounded down.", "possible in principle; nobody "
             "claims it"),
        },
        .proposed = "v8muld gives (a * b + 127) / 255 (integer division) for each pair of bytes."},
    ROW(ALU_UNARY_OPERAND) = {
        .id = "unary-operand", .title = "which operand ftoi, itof, not and clz use",
        .where = MANUAL " p35-36 T12", .silent = true,
        .readings = {
            SOURCE("manual", "Operations with one operand use operand A.",
             MANUAL " does not say; maazl/vc4asm changelog 0.1.8; the blog's itof words use add_a"),
            DOCUMENT("operand-b", "Operations with one operand use operand B.",
             "older notes (hermanhermitage/videocoreiv-qpu README)"),
        },
        .proposed = "ftoi, itof, not and clz take operand A and ignore operand B.",
        .workaround = "Name the same source in both operands."},
    ROW(ALU_SFU_NEGATIVE) = {
        .id = "sfu-negative", .title = "reciprocal square root and logarithm of negative numbers",
        .where = MANUAL " p23", .silent = true,
        .readings = {
            ARGUMENT("manual", "They give a NaN.", SILENT_IEEE),
            SILICON("absolute", "They take the operand's absolute value.", "Idein/py-videocore "
             "tests/test_sfu and APPENDIX.rst (run on a Pi)"),
        }, .in_profile = BCM2835(SFU_NEGATIVE_ABSOLUTE),
        .proposed = "RECIPSQRT and LOG ignore the sign of the operand."},
    ROW(ALU_SFU_ZERO) = {
        .id = "sfu-zero", .title = "reciprocal square root of -0, and the other functions of zeros",
        .where = MANUAL " p23", .silent = true,
        .readings = {
            ARGUMENT("manual", "The reciprocal and the reciprocal square root of a zero are Inf of its "
             "sign; the logarithm is -Inf.", SILENT_IEEE),
            SILICON("observed", "The reciprocal of a zero is Inf of its sign, the reciprocal square root of "
             "a zero is +Inf, and its logarithm is -Inf.",
             "Idein/py-videocore tests/test_sfu (run on a Pi); doe300/VC4C doc/sfu_accuracy.txt"),
        }, .in_profile = BCM2835(SFU_ZERO_OBSERVED),
        .proposed = "RECIP of zero is infinity with the operand's sign, RECIPSQRT of zero +infinity, LOG of "
            "zero -infinity."},
    ROW(ALU_SFU_SPECIAL) = {
        .id = "sfu-special", .title = "special functions of NaN and Inf", .where = MANUAL " p23",
        .silent = true,
        .readings = {
            ARGUMENT("manual", "A NaN gives a NaN (modelled as 7FC00000), and an infinity gives the "
             "function's limit.", SILENT_IEEE),
            ARGUMENT("no-nan", "A NaN counts as an infinity of its sign, and infinities give the function's "
             "limit.", "analogy with float-nan; nobody published a result"),
            ARGUMENT("not-defined", "The result is not defined.", "nobody published a result"),
        }, .in_profile = BCM2835(SFU_SPECIAL_NOT_DEFINED),
        .workaround = "Keep NaN and infinities away from the SFU."},
    ROW(ALU_SFU_DENORMAL) = {
        .id = "sfu-denormal", .title = "special functions of denormals, and their results below 2^-126",
        .where = MANUAL " p23", .silent = true,
        .readings = {
            ARGUMENT("manual", "Denormal operands keep their value and results underflow gradually.",
             SILENT_IEEE),
            ARGUMENT("flush", "A denormal operand counts as +0, and a result below 2^-126 becomes +0.",
             "analogy with float-denormals; of 2^x doe300/VC4C doc/sfu_accuracy.txt has an underflow to 0"),
            ARGUMENT("not-defined", "The result for a denormal operand is not defined. A result below 2^-126 "
             "is not defined either, except for 2^x, where it becomes +0.",
             "doe300/VC4C doc/sfu_accuracy.txt for 2^x (run on a Pi); else nobody published a result"),
        }, .in_profile = BCM2835(SFU_DENORMAL_NOT_DEFINED),
        .workaround = "Scale operands and results away from the denormal range."},
    ROW(ALU_SFU_PRECISION) = {
        .id = "sfu-precision", .title = "precision of the special functions", .where = MANUAL " p23",
        .silent = true,
        .readings = {
            ARGUMENT("manual", "Results are correctly rounded.", SILENT_IEEE),
            SILICON("observed", "Results are approximate. Reciprocals are within 2^-14 of the value "
             "(published words have 14.7 to 18 bits, are never below the value and end in eight zero bits). "
             "Exponentials are within 2^-11. Logarithms are within 2^-12 absolute below 1 and 2^-11 relative "
             "above.", "Terminus-IMRC/qpu-sfu-accuracy-correction and its article (Qiita, ysugi, 2017; words "
             "from a Pi 2); doe300/VC4C doc/sfu_accuracy.txt"),
        }, .in_profile = BCM2835(SFU_PRECISION_OBSERVED),
        .proposed = "SFU results are approximations: about 14 bits of a reciprocal, 11 of an exponential "
            "and 12 of a logarithm are right.",
        .workaround = "One Newton step corrects it: r * (2 - x * r) for 1/x, r * (1.5 - 0.5 * x * r * r) for "
            "1/sqrt(x), as Mesa does."},
    ROW(ALU_SFU_EXP_ONE) = {
        .id = "sfu-exp-one", .title = "2^x where the result is known exactly", .where = MANUAL " p23",
        .silent = true,
        .readings = {
            ARGUMENT("manual", "2^n is exact for whole n.", SILENT),
            SILICON("observed", "2^0 is 3F800100 (printed 1.000031), 2^1 is 40000100 (2.000061), 2^-1 is "
             "3EFFFE00 (0.4999847), 2^0.5 is 3FB50600 (1.414246). Other whole n have the precision of any "
             "operand.", "doe300/VC4C doc/sfu_accuracy.txt (printed decimals, from a Pi; the words are the "
             "only ones ending in eight zero bits that print so)"),
        }, .in_profile = BCM2835(SFU_EXP_ONE_OBSERVED),
        .proposed = "EXP is not exact for whole operands: 2^0 gives 1.000031.",
        .workaround = "Make whole powers of two with itof, add and shl on the exponent field."},
    ROW(ALU_UNPACK_16F_DENORMAL) = {
        .id = "unpack-16f-denormal", .title = "half denormals unpacked from regfile A",
        .where = MANUAL " p31 T6: float16 to float32",
        .readings = {
            DOCUMENT("manual", "A half denormal becomes the float of the same value.", MANUAL " p31 T6"),
            SILICON("shifted", "A half with exponent 0 becomes a float denormal: exponent 0, and the "
             "mantissa moved up by 13 bits.", RECORDED_UNPACK),
        }, .in_profile = BCM2835(UNPACK_16F_DENORMAL_SHIFTED),
        .proposed = "Half denormals are not normalised: exponent 0 stays exponent 0, and the mantissa is "
            "shifted left by 13.",
        .workaround = "Treat half denormals as zero. fadd and fmul flush the float denormals that they "
            "become."},
    ROW(ALU_UNPACK_16F_NAN) = {
        .id = "unpack-16f-nan", .title = "half NaNs unpacked from regfile A or r4",
        .where = MANUAL " p31 T6: float16 to float32",
        .readings = {
            DOCUMENT("manual", "A NaN stays a NaN. A signalling NaN becomes quiet (bit 22 set), as in "
             "conversions of IEEE 754.", MANUAL " p31 T6, IEEE 754 assumed"),
            SILICON("payload-kept", "Exponent 31 becomes 255 and the mantissa moves up by 13 bits. Nothing "
             "else changes.", RECORDED_UNPACK ": regfile A; r4 by analogy"),
        }, .in_profile = BCM2835(UNPACK_16F_NAN_PAYLOAD_KEPT),
        .proposed = "Exponent 31 of a half becomes exponent 255. The mantissa is kept, also that of a "
            "signalling NaN."},
    ROW(ALU_UNPACK_8_COLOUR) = {
        .id = "unpack-8-colour", .title = "rounding of bytes unpacked to floats",
        .where = MANUAL " p31 T6: byte to [0, 1]", .silent = true,
        .readings = {
            ARGUMENT("manual", "Byte v becomes v / 255 rounded to nearest.",
             MANUAL " p31 T6 does not say how; IEEE 754 assumed"),
            SILICON("truncated", "Byte v becomes v / 255 rounded toward zero (80 becomes 3F008080).",
             RECORDED_UNPACK ": regfile A; r4 by analogy (Idein/py-videocore tests/test_packunpack checks "
             "it to 1e-7)"),
        }, .in_profile = BCM2835(UNPACK_8_COLOUR_TRUNCATED),
        .proposed = "Bytes become v / 255 rounded toward zero: the byte repeated as a binary fraction."},
    ROW(ALU_UNPACK_R4_DENORMAL) = {
        .id = "unpack-r4-denormal", .title = "half denormals unpacked from r4",
        .where = MANUAL " p32 T8: float16 to float32",
        .readings = {
            SOURCE("manual", "A half denormal becomes the float of the same value.",
             MANUAL " p32 T8; doe300/VC4C OpCodes.cpp does so"),
            ARGUMENT("shifted", "A half with exponent 0 becomes a float with exponent 0 and the mantissa "
             "moved up by 13 bits, as recorded for regfile A.",
             "analogy with unpack-16f-denormal; nobody looked"),
        }},
    ROW(ALU_PACK_16F_SPECIAL) = {
        .id = "pack-16f-special", .title = "NaN, denormal and zero halves when packing",
        .where = MANUAL " p31 T7: \"convert to 16 bit float\", and no word about these", .silent = true,
        .readings = {
            ARGUMENT("manual", "The conversion is that of IEEE 754: NaN stays NaN, small values become half "
             "denormals, -0 stays -0.", SILENT_IEEE),
            SILICON("inf-or-zero", "NaN becomes Inf of its sign. -0 and every value too small for a normal "
             "half become +0.", RECORDED_PACK ", 6360 of 6360 results"),
        }, .in_profile = BCM2835(PACK_16F_SPECIAL_INF_OR_ZERO),
        .proposed = "Packing to half gives Inf of the same sign instead of a NaN, and +0 instead of a "
            "denormal or -0."},
    ROW(ALU_PACK_16F_ROUNDING) = {
        .id = "pack-16f-rounding", .title = "rounding when packing to half", .where = MANUAL " p31 T7",
        .silent = true,
        .readings = {
            ARGUMENT("manual", "Values are rounded to nearest, ties to even.", SILENT_IEEE "; fits all of "
             RECORDED_PACK),
            SOURCE("away", "Inexact values are rounded away from zero.", "doe300/VC4C HalfType.cpp; fits "
             "all of its recorded values too"),
        }},
    ROW(ALU_PACK_16F_SAT) = {
        .id = "pack-16f-sat", .title = "saturating packs of floats to half",
        .where = MANUAL " p31 T7 codes 9, 10: \"(with saturation)\" stands after the integers only",
        .silent = true,
        .readings = {
            DOCUMENT("manual", "Values beyond the range of halves, Inf included, become the largest finite "
             "half.", MANUAL " p31 T7"),
            SILICON("no-effect", "The saturating codes convert floats as the other codes do: a value beyond "
             "the range becomes Inf.", RECORDED_PACK),
        }, .in_profile = BCM2835(PACK_16F_SAT_NO_EFFECT),
        .proposed = "Codes 9 and 10 saturate integer results only.",
        .workaround = "Clamp with fmin and fmax before packing."},
    ROW(ALU_PACK_8_OF_FLOAT) = {
        .id = "pack-8-of-float", .title = "packing float results to bytes in regfile A",
        .where = MANUAL " p31 T7: \"convert to 8-bit unsigned int (no saturation, just take ls 8 bits)\", "
            "which leaves open what is converted", .silent = true,
        .readings = {
            DOCUMENT("manual", "A float result is converted to an integer toward zero. The byte is the "
             "integer's low byte or, for a saturating code, the integer clamped to 0..255.",
             MANUAL " p31 T7"),
            SILICON("raw-bits", "The float's 32 bits are taken as an integer. The byte is the integer's low "
             "byte or, for a saturating code, the integer clamped to 0..255.", RECORDED_PACK),
        }, .in_profile = BCM2835(PACK_8_OF_FLOAT_RAW_BITS),
        .proposed = "Byte packs of regfile A never convert: they take the bits of the result as an integer.",
        .workaround = "Convert with ftoi first, or use the MUL pipe's colour pack."},
    ROW(ALU_PACK_NONSAT_SATURATES) = {
        .id = "pack-nonsat-saturates", .title = "packs without saturation after overflow of add or sub",
        .where = MANUAL " p31 T7 codes 1-7",
        .readings = {
            DOCUMENT("manual", "The low bits of the wrapped result are taken.", MANUAL " p31 T7"),
            SILICON("saturated-value", "A byte is the low byte of the saturated value 7FFFFFFF or 80000000: "
             "FF or 00. A half is 7FFF or 8000.", RECORDED_PACK "; doe300/VC4C OpCodes.h"),
        }, .in_profile = BCM2835(PACK_NONSAT_SATURATED_VALUE),
        .proposed = "After a signed overflow of add or sub, the packs without saturation also take the "
            "saturated value."},
    ROW(ALU_PACK_SUB_DIRECTION) = {
        .id = "pack-sub-direction", .title = "which end of the range packs saturate to after overflow of sub",
        .where = MANUAL " p31 T7 code 8: saturate given overflow and carry",
        .readings = {
            DOCUMENT("manual", "The result saturates to the end that the exact result is beyond.",
             MANUAL " p31 T7"),
            SILICON("sign-of-b", "Operand B's sign chooses the end. That is right for add and the wrong end "
             "for sub (80000000 - 1 gives 7FFFFFFF).", RECORDED_PACK "; maazl/vc4asm extensions"),
        }, .in_profile = BCM2835(PACK_SUB_DIRECTION_SIGN_OF_B),
        .proposed = "On overflow the sign of operand B chooses the end, so sub saturates to the wrong end.",
        .workaround = "Add the negated operand instead, unless operand B is 80000000."},
    ROW(ALU_PACK_ADD_OVERFLOW_ZERO) = {
        .id = "pack-add-overflow-zero",
        .title = "saturating packs to 16 and 8 bits after overflow of add or sub",
        .where = MANUAL " p31-32 T7 codes 9-15",
        .readings = {
            DOCUMENT("manual", "The result is the end of the small range that the exact result is beyond.",
             MANUAL " p31-32 T7"),
            SILICON("and", "If the wrapped result fits in the small range, the range's end replaces it. "
             "Otherwise the wrapped result is clamped and ANDed with the end, which usually gives 0 for add "
             "(7FFFFFFF + 1 packs to 0000).", RECORDED_PACK
             ", 81900 of 81900 results (formula worked out here)"),
        }, .in_profile = BCM2835(PACK_OVERFLOW_ZERO_AND),
        .proposed = "After a 32-bit overflow, the saturating packs to 16 and 8 bits give the saturated value "
            "AND the clamped wrapped value.",
        .workaround = "Keep sums within 32 bits before a saturating pack."},
    ROW(ALU_PACK_32S_OPS) = {
        .id = "pack-32s-ops", .title = "operations that the 32-bit saturating pack acts on",
        .where = MANUAL " p31 T7 code 8: saturates \"given overflow/carry flags\", and does not say of which "
            "operations", .silent = true,
        .readings = {
            DOCUMENT("manual", "Any integer operation saturates if its exact signed result does not fit in "
             "32 bits: add, sub, shl, mul24.", MANUAL " p31 T7"),
            SILICON("add-sub", "Only results of add and sub are saturated.",
             RECORDED_PACK "; doe300/VC4C OpCodes.h"),
        }, .in_profile = BCM2835(PACK_32S_OPS_ADD_SUB),
        .proposed = "Code 8 changes results of add and sub only."},
    ROW(ALU_PACK_PRESERVES) = {
        .id = "pack-preserves", .title = "bytes of the destination that a pack does not name",
        .where = MANUAL " p31 T7", .silent = true,
        .readings = {
            STATED("manual", "The other bytes keep their content.", SILENT
             "; doe300/VC4C OpCodes.h states it of hardware"),
            ARGUMENT("zeroes", "The other bytes become 0.",
             "possible in principle; the recorded tables had 0 there before"),
        },
        .proposed = "Bytes that a pack does not name keep their content."},
    ROW(ALU_MUL_PACK_ANY_OP) = {
        .id = "mul-pack-any-op", .title = "operations that the MUL colour pack acts on",
        .where = MANUAL " p20, p30: \"converts float result\"",
        .readings = {
            DOCUMENT("manual", "Only the result of fmul, a float, is packed. Other operations write their "
             "result unchanged.", MANUAL " p20, p30"),
            SOURCE("any", "The output of any MUL operation is taken as a float and packed.",
             "words of Broadcom's GL compiler that pack v8min moves (hermanhermitage/videocoreiv-qpu)"),
        }, .in_profile = BCM2835(MUL_PACK_ANY_OP_ANY),
        .proposed = "With pm = 1 the output of any MUL operation is converted as a float."},
    ROW(ALU_MUL_PACK_ROUNDING) = {
        .id = "mul-pack-rounding", .title = "rounding and clamping of the MUL colour pack",
        .where = MANUAL " p30",
        .readings = {
            DOCUMENT("manual", "The byte is f * 255 rounded to nearest and saturated to 0..255; NaN gives "
             "0.", MANUAL " p30; Idein/py-videocore tests/test_packunpack checks it to +-1"),
            ARGUMENT("truncate", "The byte is f * 255 rounded toward zero and saturated to 0..255.",
             "within the +-1 that was checked"),
            SOURCE("unclamped", "The byte is the low byte of f * 255 rounded toward zero.",
             "doe300/VC4C OpCodes.cpp"),
        }},
    ROW(ALU_FLAGS_VS_PACK) = {
        .id = "flags-vs-pack", .title = "whether Z and N follow a result before or after it is packed",
        .where = MANUAL " p28, p31 T7", .silent = true,
        .readings = {
            SOURCE("manual", "Z and N follow the 32-bit result before packing.",
             SILENT "; doe300/VC4C OpCodes.h says so"),
            ARGUMENT("packed", "Z and N follow the word that the pack would make in a register of zeros.",
             "possible in principle; nobody claims it"),
        }},
};
/* clang-format on */
