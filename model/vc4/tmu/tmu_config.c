/* SPDX-License-Identifier: MIT */
#include "model/vc4/tmu/tmu_config.h"

/* clang-format off */
#define ROW(word, name, low, width) {#name, low, width, NULL},
static const struct bit_field p0_fields[] = {TMU_P0_TABLE(ROW) {0}};
static const struct bit_field p1_fields[] = {TMU_P1_TABLE(ROW) {0}};
static const struct bit_field unused_fields[] = {TMU_UNUSED_TABLE(ROW) {0}};
static const struct bit_field cube_fields[] = {TMU_CUBE_TABLE(ROW) {0}};
static const struct bit_field child_size_fields[] = {TMU_CHILD_SIZE_TABLE(ROW) {0}};
static const struct bit_field child_offset_fields[] = {TMU_CHILD_OFFSET_TABLE(ROW) {0}};
/* clang-format on */

#define PTYPE_MASK         TMU_MASK(CUBE_PTYPE)
#define PTYPE(form, value) TMU_PUT(form##_PTYPE, TMU_PTYPE_##value)
const struct word_form tmu_words[TMU_FORMS] = {
    [TMU_FORM_P0] = {"p0", 0, 0, p0_fields},
    [TMU_FORM_P1] = {"p1", 0, 0, p1_fields},
    [TMU_FORM_UNUSED] = {"unused", PTYPE_MASK, PTYPE(UNUSED, UNUSED), unused_fields},
    [TMU_FORM_CUBE] = {"cube", PTYPE_MASK, PTYPE(CUBE, CUBE), cube_fields},
    [TMU_FORM_CHILD_SIZE] = {"child-size", PTYPE_MASK, PTYPE(CHILD_SIZE, CHILD_SIZE), child_size_fields},
    [TMU_FORM_CHILD_OFFSET] = {"child-offset", PTYPE_MASK, PTYPE(CHILD_OFFSET, CHILD_OFFSET),
                               child_offset_fields},
};

enum tmu_form tmu_form_of(uint32_t word)
{
    return (enum tmu_form)(TMU_FORM_UNUSED + TMU_FIELD(word, CUBE_PTYPE));
}
