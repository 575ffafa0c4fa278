/* SPDX-License-Identifier: MIT */
#include "model/vc4/vpm/vpm_points.h"

#include <stddef.h>

#define ROW(number, name_, width_, lanes_, about_, where_, ...)                                              \
    [VPM_POINT_##number] = {.name = (name_),                                                                 \
                            .about = about_,                                                                 \
                            .where = "VideoCoreIV-AG100-R " where_,                                          \
                            .width = (width_),                                                               \
                            .lanes = (lanes_),                                                               \
                            .input = {__VA_ARGS__}},

const struct point vpm_points[VPM_UNIT_POINT_COUNT] = {VPM_POINTS(ROW) VPM_UNIT_POINTS(ROW)};

const struct input_note vpm_input_notes[] = {VPM_INPUT_NOTES("") VPM_UNIT_INPUT_NOTES{NULL, NULL}};

/* Older versions had separate points for reads and writes, and for DMA loads and stores. Users' rule files
 * may have their names. */
#define WRITE "reading == 0"
#define READ  "reading == 1"
#define STORE "store == 1"
#define LOAD  "store == 0"
const struct point_alias vpm_point_aliases[] = {
    {"setup.write-word", VPM_POINT_SETUP_WORD, WRITE},
    {"setup.read-word", VPM_POINT_SETUP_WORD, READ},
    {"write.size", VPM_POINT_BLOCK_SIZE, WRITE},
    {"read.size", VPM_POINT_BLOCK_SIZE, READ},
    {"write.laned", VPM_POINT_BLOCK_LANED, WRITE},
    {"read.laned", VPM_POINT_BLOCK_LANED, READ},
    {"write.horizontal", VPM_POINT_BLOCK_HORIZONTAL, WRITE},
    {"read.horizontal", VPM_POINT_BLOCK_HORIZONTAL, READ},
    {"write.addr", VPM_POINT_BLOCK_ADDR, WRITE},
    {"read.addr", VPM_POINT_BLOCK_ADDR, READ},
    {"write.stride", VPM_POINT_BLOCK_STRIDE, WRITE},
    {"read.stride", VPM_POINT_BLOCK_STRIDE, READ},
    {"write.address", VPM_POINT_BLOCK_ADDRESS, WRITE},
    {"read.address", VPM_POINT_BLOCK_ADDRESS, READ},
    {"write.row", VPM_POINT_BLOCK_ROW, WRITE},
    {"read.row", VPM_POINT_BLOCK_ROW, READ},
    {"write.column", VPM_POINT_BLOCK_COLUMN, WRITE},
    {"read.column", VPM_POINT_BLOCK_COLUMN, READ},
    {"write.shift", VPM_POINT_BLOCK_SHIFT, WRITE},
    {"read.shift", VPM_POINT_BLOCK_SHIFT, READ},
    {"write.value", VPM_POINT_BLOCK_VALUE, WRITE},
    {"read.value", VPM_POINT_BLOCK_VALUE, READ},
    {"store.modew", VPM_POINT_DMA_MODEW, STORE},
    {"load.modew", VPM_POINT_DMA_MODEW, LOAD},
    {"store.y", VPM_POINT_DMA_Y, STORE},
    {"load.y", VPM_POINT_DMA_Y, LOAD},
    {"store.x", VPM_POINT_DMA_X, STORE},
    {"load.x", VPM_POINT_DMA_X, LOAD},
    {"store.pitch", VPM_POINT_DMA_PITCH, STORE},
    {"load.pitch", VPM_POINT_DMA_PITCH, LOAD},
    {"store.address", VPM_POINT_DMA_ADDRESS, STORE},
    {"load.address", VPM_POINT_DMA_ADDRESS, LOAD},
    {"store.row-place", VPM_POINT_DMA_ROW_PLACE, STORE},
    {"load.row-place", VPM_POINT_DMA_ROW_PLACE, LOAD},
    {"store.row-address", VPM_POINT_DMA_ROW_ADDRESS, STORE},
    {"load.row-address", VPM_POINT_DMA_ROW_ADDRESS, LOAD},
    {"store.done", VPM_POINT_DMA_DONE, STORE},
    {"load.done", VPM_POINT_DMA_DONE, LOAD},
    {NULL, 0, NULL},
};
