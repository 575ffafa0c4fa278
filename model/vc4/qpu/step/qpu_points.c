/* SPDX-License-Identifier: MIT */
#include "model/vc4/qpu/step/qpu_points.h"

#include "model/rule/rules.h"

#include <stddef.h>

#define ROW(index, name_, width_, lanes_, about_, where_, ...)                                               \
    [index] = {.name = (name_),                                                                              \
               .about = about_,                                                                              \
               .where = "VideoCoreIV-AG100-R " where_,                                                       \
               .width = (width_),                                                                            \
               .lanes = (lanes_),                                                                            \
               .input = {__VA_ARGS__}},
#define QPU_ROW(number, ...)       ROW(QPU_POINT_##number, __VA_ARGS__)
#define VPM_ROW(number, name, ...) ROW(QPU_POINTS_OF_VPM + VPM_POINT_##number, "vpm." name, __VA_ARGS__)
#define TMU_ROW(number, name, ...) ROW(QPU_POINTS_OF_TMU + TMU_POINT_##number, "tmu." name, __VA_ARGS__)

const struct point qpu_points[QPU_POINTS_ALL] = {QPU_POINTS(QPU_ROW) VPM_POINTS(VPM_ROW) TMU_POINTS(TMU_ROW)};

const struct input_note qpu_input_notes[] = {
    {"op", "opcode of the ADD ALU (p35 T12), or of the MUL ALU (p36 T13) where `pipe` is 1"},
    {"pipe", "0 the ADD ALU, 1 the MUL ALU"},
    {"sig", "signal of the instruction (p29 T4)"},
    {"cond", "condition of the write (p28 T2)"},
    {"sf", "1: the instruction sets flags"},
    {"pm", "the field pm (p27 T1)"},
    {"truncated", "a colour rounded toward zero; of other packs, the packed value"},
    {"pack", "pack mode (p31 T7)"},
    {"file", "0 register file A, 1 register file B"},
    {"a", "operand A"},
    {"b", "operand B"},
    {"class", "class of a float: 0 zero, 1 denormal, 2 normal, 3 infinite, 4 NaN"},
    {"class_a", "class of operand A"},
    {"class_b", "class of operand B"},
    {"class_of_operand", "class of the operand"},
    {"exponent", "bits 30:23 of a float"},
    {"greater",
     "1: fmin, fmax, min or max compares operand A as the greater one; fminabs and fmaxabs likewise"},
    {"picked", "operand that fminabs or fmaxabs picks, with its sign; of other operations, the result"},
    {"beyond", "bits of the exact result that do not fit in the word, the nearest in bit 0"},
    VPM_INPUT_NOTES,
    TMU_INPUT_NOTES,
    {NULL, NULL},
};

_Static_assert((int)QPU_POINTS_ALL <= (int)POINTS_MAX, "struct rules has a bit for each point");
