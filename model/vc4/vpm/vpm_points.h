/* SPDX-License-Identifier: MIT */
/*
 * The observation points of the VPM and of its DMA. Each row: number, name, width in bits, lanes, what it is,
 * document, inputs. Pages are of VideoCoreIV-AG100-R.
 *
 * Reads and writes pass the same points, and so do DMA loads and stores. The inputs `reading` and `store` say
 * which access passes.
 */
#ifndef MISPRINT_MODEL_VC4_VPM_VPM_POINTS_H
#define MISPRINT_MODEL_VC4_VPM_VPM_POINTS_H

#include "model/rule/point.h"

/* The inputs of the points of a block access. */
#define VPM_BLOCK_INPUTS                                                                                     \
    {"size", 2}, {"laned", 1}, {"horizontal", 1},                                                            \
    {                                                                                                        \
        "reading", 1                                                                                         \
    }
/* The inputs of the points of a DMA. */
#define VPM_DMA_INPUTS                                                                                       \
    {"store", 1}, {"modew", 3}, {"horizontal", 1}, {"units", 8},                                             \
    {                                                                                                        \
        "depth", 8                                                                                           \
    }
#define VPM_STORE_INPUTS                                                                                     \
    {"modew", 3}, {"horizontal", 1}, {"units", 8},                                                           \
    {                                                                                                        \
        "depth", 8                                                                                           \
    }
#define VPM_LOAD_INPUTS                                                                                      \
    {"modew", 3}, {"vertical", 1}, {"nrows", 5},                                                             \
    {                                                                                                        \
        "rowlen", 5                                                                                          \
    }

/* clang-format off */
#define VPM_SETUP_POINTS(F) \
    F(SETUP_WORD, "setup.word", 32, 1, "a word written to VPMVCD_WR_SETUP or VPMVCD_RD_SETUP", "p57-60", \
      {"reading", 1}) \
    F(SETUP_RESERVED, "setup.reserved", 1, 1, "1: no document defines the word, and the run stops. kind: " \
      "0 write, 1 read, 2 store, 3 store stride, 4 load, 5 load pitch, 6 bases, 7 no kind", "p57-60", \
      {"kind", 3}, {"unused", 32}, {"word", 32}) \
    F(SETUP_KEPT, "setup.kept", 1, 1, "1: a setup beside another access in one instruction has an effect. " \
      "with: 0 a write, 1 a read, 2 a setup", "p25", {"with", 2}, {"kinds", 8})
#define VPM_BLOCK_POINTS(F) \
    F(BLOCK_SIZE, "block.size", 2, 1, "SIZE of a block setup: 0 bytes, 1 halves, 2 words", \
      "p57-58 T32, T33", \
      {"laned", 1}, {"horizontal", 1}, {"reading", 1}, {"word", 32}) \
    F(BLOCK_LANED, "block.laned", 1, 1, "LANED of a block setup", "p57-58 T32, T33", \
      {"size", 2}, {"horizontal", 1}, {"reading", 1}, {"word", 32}) \
    F(BLOCK_HORIZONTAL, "block.horizontal", 1, 1, "HORIZ of a block setup", "p57-58 T32, T33", \
      {"size", 2}, {"laned", 1}, {"reading", 1}, {"word", 32}) \
    F(BLOCK_ADDR, "block.addr", 8, 1, "ADDR of a block setup", "p57-58 T32, T33", \
      VPM_BLOCK_INPUTS, {"word", 32}) \
    F(BLOCK_STRIDE, "block.stride", 6, 1, "STRIDE of a block setup; 0 means 64", "p57-58 T32, T33", \
      VPM_BLOCK_INPUTS, {"word", 32}) \
    F(BLOCK_STEP, "block.step", 7, 1, "what is added to ADDR after a vector", "p57-58 T32, T33", \
      VPM_BLOCK_INPUTS, {"stride", 6}, {"address", 32}) \
    F(BLOCK_ADDRESS, "block.address", 32, 1, "ADDR of the vector, after strides", "p57", \
      VPM_BLOCK_INPUTS, {"stride", 6}) \
    F(BLOCK_Y, "block.y", 7, 1, "row that Y of ADDR names; above: the bit of ADDR above those of the mode", \
      "p57 T32", VPM_BLOCK_INPUTS, {"address", 32}, {"above", 1}) \
    F(BLOCK_ROW, "block.row", 7, 1, "first row of the VPM that the vector touches", "p54-55", \
      VPM_BLOCK_INPUTS, {"address", 32}, {"y", 7}) \
    F(BLOCK_COLUMN, "block.column", 4, 1, "first column of the VPM that the vector touches", "p54-55", \
      VPM_BLOCK_INPUTS, {"address", 32}) \
    F(BLOCK_SHIFT, "block.shift", 5, 1, "lowest bit of an element in its word", "p54-55", \
      VPM_BLOCK_INPUTS, {"address", 32}) \
    F(BLOCK_ELEMENT, "block.element", 4, 16, "element in each place of the vector in the VPM", \
      "p54-55 figures 8, 9", VPM_BLOCK_INPUTS) \
    F(BLOCK_VALUE, "block.value", 32, 16, "the vector written or read", "p56", \
      VPM_BLOCK_INPUTS, {"address", 32}) \
    F(WRITE_DONE, "write.done", 1, 1, "1: the write takes place; with_read: the instruction also reads", \
      "p25, p56", VPM_BLOCK_INPUTS, {"address", 32}, {"with_read", 1}) \
    F(WRITE_LANES, "write.lanes", 16, 1, "set of elements that are written; 0: nothing happens", "p28, p56", \
      VPM_BLOCK_INPUTS, {"address", 32}) \
    F(READ_NUM, "read.num", 5, 1, "number of vectors of a read setup, 1 to 16", "p58 T33", \
      VPM_BLOCK_INPUTS, {"word", 32}) \
    F(READ_LATENCY, "read.latency", 5, 1, "instructions from a read setup to its first valid read", "p56", \
      VPM_BLOCK_INPUTS) \
    F(READ_UNREAD, "read.unread", 6, 1, \
      "vectors that are unread at a read setup; 0: it takes effect at once", \
      "p56", VPM_BLOCK_INPUTS, {"queued", 5}) \
    F(READ_ACCEPTED, "read.accepted", 1, 1, "1: a read setup is queued; 0: it is lost", "p56", \
      VPM_BLOCK_INPUTS, {"queued", 5}, {"unread", 6}) \
    F(READ_AHEAD, "read.ahead", 3, 1, "vectors that are fetched before they are read, 0 to 4", "p55", \
      VPM_BLOCK_INPUTS, {"left", 5}) \
    F(READ_WAITS, "read.waits", 1, 1, "1: the read waits for ever; left: vectors not yet read", "p56", \
      VPM_BLOCK_INPUTS, {"left", 5}, {"early", 5}) \
    F(READ_TAKEN, "read.taken", 1, 1, "1: the read takes a vector; early: instructions until it is valid", \
      "p56", VPM_BLOCK_INPUTS, {"left", 5}, {"early", 5}) \
    F(STATUS_VALUE, "status.value", 32, 16, "what a busy or wait register returns. which: 0 load busy, " \
      "1 store busy, 2 load wait, 3 store wait; unmapped: what a read of no register returns", "p56", \
      {"unmapped", 32, 16}, {"which", 2}, {"pending", 1})
#define VPM_DMA_POINTS(F) \
    F(STORE_UNITS, "store.units", 8, 1, "UNITS of a DMA store, 1 to 128", "p58 T34", {"word", 32}) \
    F(STORE_DEPTH, "store.depth", 8, 1, "DEPTH of a DMA store, 1 to 128", "p58 T34", {"word", 32}) \
    F(STORE_LANED, "store.laned", 1, 1, "LANED of a DMA store", "p58 T34", VPM_STORE_INPUTS) \
    F(STORE_HORIZONTAL, "store.horizontal", 1, 1, "HORIZ of a DMA store", "p58 T34", {"word", 32}) \
    F(STORE_STRIDE, "store.stride", 16, 1, "STRIDE of a DMA store, in bytes", "p59 T35", VPM_STORE_INPUTS) \
    F(STORE_BLOCKMODE, "store.blockmode", 1, 1, "BLOCKMODE of a DMA store", "p59 T35", VPM_STORE_INPUTS) \
    F(LOAD_MPITCH, "load.mpitch", 4, 1, "MPITCH of a DMA load", "p59 T36", VPM_LOAD_INPUTS) \
    F(LOAD_MPITCHB, "load.mpitchb", 13, 1, "MPITCHB of a DMA load, in bytes", "p60 T37", VPM_LOAD_INPUTS) \
    F(LOAD_ROWLEN, "load.rowlen", 5, 1, "ROWLEN of a DMA load, 1 to 16", "p59 T36", {"word", 32}) \
    F(LOAD_NROWS, "load.nrows", 5, 1, "NROWS of a DMA load, 1 to 16", "p59 T36", {"word", 32}) \
    F(LOAD_VPITCH, "load.vpitch", 5, 1, "VPITCH of a DMA load, 1 to 16", "p59 T36", VPM_LOAD_INPUTS) \
    F(LOAD_VERTICAL, "load.vertical", 1, 1, "VERT of a DMA load", "p59 T36", {"word", 32}) \
    F(LOAD_BLOCK, "load.block", 10, 1, "place of a row of a DMA load, in rows, half rows or quarter rows", \
      "p59 T36", VPM_LOAD_INPUTS, {"row", 5}, {"vpitch", 5}, {"first", 10}) \
    F(DMA_MODEW, "dma.modew", 3, 1, "MODEW of a DMA: width and offset", "p58-59 T34, T36", \
      {"store", 1}, {"word", 32}) \
    F(DMA_Y, "dma.y", 7, 1, "Y of a DMA", "p58-59 T34, T36", VPM_DMA_INPUTS, {"word", 32}) \
    F(DMA_X, "dma.x", 4, 1, "X of a DMA", "p58-59 T34, T36", VPM_DMA_INPUTS, {"word", 32}) \
    F(DMA_DONE, "dma.done", 1, 1, "1: the DMA takes place; busy: nobody waited for the one before", "p56", \
      VPM_DMA_INPUTS, {"busy", 1}) \
    F(DMA_ROW, "dma.row", 7, 1, "VPM row where a DMA begins", "p58-59 T34, T36", VPM_DMA_INPUTS, {"y", 7}) \
    F(DMA_WIDTH, "dma.width", 3, 1, "bytes of an element: 1, 2 or 4", "p58-59 T34, T36", VPM_DMA_INPUTS) \
    F(DMA_OFFSET, "dma.offset", 2, 1, "first byte of an element in its word", "p58-59 T34, T36", \
      VPM_DMA_INPUTS) \
    F(DMA_STEP, "dma.step", 3, 1, "bytes from one element to the next in the VPM", "p58-59 T34, T36", \
      VPM_DMA_INPUTS, {"laned", 1}, {"width", 3}) \
    F(DMA_PITCH, "dma.pitch", 32, 1, "bytes from one row in memory to the next. row_bytes: of a row; " \
      "stride: the field STRIDE or MPITCHB", "p59-60 T35-T37", \
      VPM_DMA_INPUTS, {"stride", 16}, {"row_bytes", 10}) \
    F(DMA_ADDRESS, "dma.address", 32, 1, "offset in the case's memory where a DMA begins", "p56", \
      VPM_DMA_INPUTS) \
    F(DMA_ROW_PLACE, "dma.row-place", 17, 1, "byte of the VPM where a row of a DMA begins", "p58-59", \
      VPM_DMA_INPUTS, {"row", 8}, {"first", 13}) \
    F(DMA_CARRY, "dma.carry", 1, 1, "carry where a DMA runs past the edge. at: 0 from X 15 to the next " \
      "row, 1 from Y 63 to Y 64, 2 from column 15 to the next 16 rows", "p58-59", VPM_DMA_INPUTS, {"at", 2}) \
    F(DMA_ROWS, "dma.rows", 9, 1, "rows of the VPM, the number of the row after which row 0 follows", \
      "p53, p97 T80", VPM_DMA_INPUTS) \
    F(DMA_ROW_ADDRESS, "dma.row-address", 32, 1, "offset in memory where a row of a DMA begins", "p59", \
      VPM_DMA_INPUTS, {"row", 8}, {"pitch", 32}, {"address", 32})
/* clang-format on */

#define VPM_POINTS(F)                                                                                        \
    VPM_SETUP_POINTS(F)                                                                                      \
    VPM_BLOCK_POINTS(F)                                                                                      \
    VPM_DMA_POINTS(F)

#define VPM_POINT_NUMBER(number, ...) VPM_POINT_##number,
enum { VPM_POINTS(VPM_POINT_NUMBER) VPM_POINT_COUNT };

extern const struct point vpm_points[VPM_POINT_COUNT];
#define VPM_INPUT_NOTES                                                                                      \
    {"reading", "1 a read, 0 a write"}, {"store", "1 a DMA store, 0 a DMA load"},                            \
        {"units", "number of rows of the DMA (NROWS of a load)"},                                            \
        {"depth", "number of elements in a row of the DMA (ROWLEN of a load)"}, {"word", "the setup word"},  \
        {"queued", "number of read setups that wait"},                                                       \
    {                                                                                                        \
        "left", "number of vectors not yet read"                                                             \
    }
extern const struct input_note vpm_input_notes[];
extern const struct point_alias vpm_point_aliases[];

#endif
