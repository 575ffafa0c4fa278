/* SPDX-License-Identifier: MIT */
/*
 * The observation points of the VPM and of its DMA. Each row: number, name, width in bits, lanes, what it is,
 * document, inputs. Pages are of VideoCoreIV-AG100-R.
 */
#ifndef MISPRINT_MODEL_VC4_VPM_VPM_POINTS_H
#define MISPRINT_MODEL_VC4_VPM_VPM_POINTS_H

#include "model/rule/point.h"

#define VPM_MODE_INPUTS                                                                                      \
    {"size", 2}, {"laned", 1},                                                                               \
    {                                                                                                        \
        "horizontal", 1                                                                                      \
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
#define VPM_POINTS(F) \
    F(SETUP_WRITE_WORD, "setup.write-word", 32, 1, "a word written to VPMVCD_WR_SETUP", "p57-59", {0}) \
    F(SETUP_READ_WORD, "setup.read-word", 32, 1, "a word written to VPMVCD_RD_SETUP", "p58-60", {0}) \
    F(WRITE_SIZE, "write.size", 2, 1, "SIZE of a write setup: 0 bytes, 1 halves, 2 words", "p57 T32", \
      {"laned", 1}, {"horizontal", 1}, {"word", 32}) \
    F(WRITE_LANED, "write.laned", 1, 1, "LANED of a write setup", "p57 T32", \
      {"size", 2}, {"horizontal", 1}, {"word", 32}) \
    F(WRITE_HORIZONTAL, "write.horizontal", 1, 1, "HORIZ of a write setup", "p57 T32", \
      {"size", 2}, {"laned", 1}, {"word", 32}) \
    F(WRITE_ADDR, "write.addr", 8, 1, "ADDR of a write setup", "p57 T32", VPM_MODE_INPUTS, {"word", 32}) \
    F(WRITE_STRIDE, "write.stride", 6, 1, "STRIDE of a write setup; 0 means 64", "p57 T32", \
      VPM_MODE_INPUTS, {"word", 32}) \
    F(WRITE_ADDRESS, "write.address", 32, 1, "ADDR of the vector written, after strides", "p57", \
      VPM_MODE_INPUTS, {"stride", 6}) \
    F(WRITE_ROW, "write.row", 7, 1, "first row of the VPM that the vector touches", "p54-55", \
      VPM_MODE_INPUTS, {"address", 32}) \
    F(WRITE_COLUMN, "write.column", 4, 1, "first column of the VPM that the vector touches", "p54-55", \
      VPM_MODE_INPUTS, {"address", 32}) \
    F(WRITE_SHIFT, "write.shift", 5, 1, "lowest bit of an element in its word", "p54-55", \
      VPM_MODE_INPUTS, {"address", 32}) \
    F(WRITE_LANES, "write.lanes", 16, 1, "set of elements that are written", "p56", VPM_MODE_INPUTS) \
    F(WRITE_VALUE, "write.value", 32, 16, "the vector written", "p56", VPM_MODE_INPUTS, {"address", 32}) \
    F(WRITE_DONE, "write.done", 1, 1, "1: the write changes the VPM", "p56", \
      VPM_MODE_INPUTS, {"address", 32}) \
    F(READ_SIZE, "read.size", 2, 1, "SIZE of a read setup: 0 bytes, 1 halves, 2 words", "p58 T33", \
      {"laned", 1}, {"horizontal", 1}, {"word", 32}) \
    F(READ_LANED, "read.laned", 1, 1, "LANED of a read setup", "p58 T33", \
      {"size", 2}, {"horizontal", 1}, {"word", 32}) \
    F(READ_HORIZONTAL, "read.horizontal", 1, 1, "HORIZ of a read setup", "p58 T33", \
      {"size", 2}, {"laned", 1}, {"word", 32}) \
    F(READ_ADDR, "read.addr", 8, 1, "ADDR of a read setup", "p58 T33", VPM_MODE_INPUTS, {"word", 32}) \
    F(READ_STRIDE, "read.stride", 6, 1, "STRIDE of a read setup; 0 means 64", "p58 T33", \
      VPM_MODE_INPUTS, {"word", 32}) \
    F(READ_NUM, "read.num", 5, 1, "number of vectors of a read setup, 1 to 16", "p58 T33", \
      VPM_MODE_INPUTS, {"word", 32}) \
    F(READ_LATENCY, "read.latency", 5, 1, "instructions from a read setup to its first valid read", "p56", \
      VPM_MODE_INPUTS) \
    F(READ_ADDRESS, "read.address", 32, 1, "ADDR of the vector read, after strides", "p58", \
      VPM_MODE_INPUTS, {"stride", 6}) \
    F(READ_ROW, "read.row", 7, 1, "first row of the VPM that the vector comes from", "p54-55", \
      VPM_MODE_INPUTS, {"address", 32}) \
    F(READ_COLUMN, "read.column", 4, 1, "first column of the VPM that the vector comes from", "p54-55", \
      VPM_MODE_INPUTS, {"address", 32}) \
    F(READ_SHIFT, "read.shift", 5, 1, "lowest bit of an element in its word", "p54-55", \
      VPM_MODE_INPUTS, {"address", 32}) \
    F(READ_VALUE, "read.value", 32, 16, "the vector read", "p56", VPM_MODE_INPUTS, {"address", 32}) \
    F(STORE_UNITS, "store.units", 8, 1, "UNITS of a DMA store, 1 to 128", "p58 T34", {"word", 32}) \
    F(STORE_DEPTH, "store.depth", 8, 1, "DEPTH of a DMA store, 1 to 128", "p58 T34", {"word", 32}) \
    F(STORE_LANED, "store.laned", 1, 1, "LANED of a DMA store", "p58 T34", VPM_STORE_INPUTS) \
    F(STORE_HORIZONTAL, "store.horizontal", 1, 1, "HORIZ of a DMA store", "p58 T34", {"word", 32}) \
    F(STORE_Y, "store.y", 7, 1, "VPM row of a DMA store", "p58 T34", VPM_STORE_INPUTS) \
    F(STORE_X, "store.x", 4, 1, "VPM column of a DMA store", "p58 T34", VPM_STORE_INPUTS) \
    F(STORE_MODEW, "store.modew", 3, 1, "MODEW of a DMA store: width and offset", "p58 T34", {"word", 32}) \
    F(STORE_STRIDE, "store.stride", 16, 1, "STRIDE of a DMA store, in bytes", "p59 T35", VPM_STORE_INPUTS) \
    F(STORE_BLOCKMODE, "store.blockmode", 1, 1, "BLOCKMODE of a DMA store", "p59 T35", VPM_STORE_INPUTS) \
    F(STORE_PITCH, "store.pitch", 32, 1, "bytes from one row in memory to the next", "p59", \
      VPM_STORE_INPUTS) \
    F(STORE_ADDRESS, "store.address", 32, 1, "offset in the case's memory where a DMA store begins", "p56", \
      VPM_STORE_INPUTS) \
    F(STORE_ROW_PLACE, "store.row-place", 13, 1, "byte of the VPM where a row of a DMA store begins", "p58", \
      {"unit", 8}, {"modew", 3}, {"horizontal", 1}, {"depth", 8}) \
    F(STORE_ROW_ADDRESS, "store.row-address", 32, 1, "offset in memory where a row of a DMA store begins", \
      "p59", {"unit", 8}, {"pitch", 32}, {"modew", 3}, {"address", 32}) \
    F(STORE_DONE, "store.done", 1, 1, "1: the DMA store takes place", "p56", VPM_STORE_INPUTS) \
    F(LOAD_MODEW, "load.modew", 3, 1, "MODEW of a DMA load: width and offset", "p59 T36", {"word", 32}) \
    F(LOAD_MPITCH, "load.mpitch", 4, 1, "MPITCH of a DMA load", "p59 T36", VPM_LOAD_INPUTS) \
    F(LOAD_MPITCHB, "load.mpitchb", 13, 1, "MPITCHB of a DMA load, in bytes", "p60 T37", VPM_LOAD_INPUTS) \
    F(LOAD_ROWLEN, "load.rowlen", 5, 1, "ROWLEN of a DMA load, 1 to 16", "p59 T36", {"word", 32}) \
    F(LOAD_NROWS, "load.nrows", 5, 1, "NROWS of a DMA load, 1 to 16", "p59 T36", {"word", 32}) \
    F(LOAD_VPITCH, "load.vpitch", 5, 1, "VPITCH of a DMA load, 1 to 16", "p59 T36", VPM_LOAD_INPUTS) \
    F(LOAD_VERTICAL, "load.vertical", 1, 1, "VERT of a DMA load", "p59 T36", {"word", 32}) \
    F(LOAD_Y, "load.y", 7, 1, "VPM row of a DMA load", "p59 T36", VPM_LOAD_INPUTS) \
    F(LOAD_X, "load.x", 4, 1, "VPM column of a DMA load", "p59 T36", VPM_LOAD_INPUTS) \
    F(LOAD_PITCH, "load.pitch", 32, 1, "bytes from one row in memory to the next", "p59-60", \
      VPM_LOAD_INPUTS) \
    F(LOAD_ADDRESS, "load.address", 32, 1, "offset in the case's memory where a DMA load begins", "p56", \
      VPM_LOAD_INPUTS) \
    F(LOAD_ROW_PLACE, "load.row-place", 13, 1, "byte of the VPM where a row of a DMA load begins", "p59", \
      {"row", 5}, {"modew", 3}, {"vertical", 1}, {"vpitch", 5}) \
    F(LOAD_ROW_ADDRESS, "load.row-address", 32, 1, "offset in memory where a row of a DMA load begins", \
      "p59", {"row", 5}, {"pitch", 32}, {"modew", 3}, {"address", 32}) \
    F(LOAD_DONE, "load.done", 1, 1, "1: the DMA load takes place", "p56", VPM_LOAD_INPUTS) \
    F(STATUS_VALUE, "status.value", 32, 16, "what a busy or wait register returns", "p56", \
      {"which", 2}, {"pending", 1})
/* clang-format on */

#define VPM_POINT_NUMBER(number, ...) VPM_POINT_##number,
enum { VPM_POINTS(VPM_POINT_NUMBER) VPM_POINT_COUNT };

extern const struct point vpm_points[VPM_POINT_COUNT];

#endif
