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
    F(SETUP_KIND, "setup.kind", 3, 1, \
      "kind of a setup word; 0 write, 1 read, 2 store, 3 store stride, 4 load, 5 load pitch, 6 bases, 7 no " \
      "kind", "p57-60", {"reading", 1}, {"word", 32}) \
    F(SETUP_DONE, "setup.done", 1, 1, "1: the setup takes effect", "p57-60", {"kind", 3}, {"word", 32}) \
    F(SETUP_REGISTER, "setup.register", 32, 1, "word that a DMA setup leaves in its register", "p57-60", \
      {"kind", 3}, {"before", 32}) \
    F(SETUP_RESERVED, "setup.reserved", 1, 1, \
      "1: no document defines the setup word; the run then stops", "p57-60", \
      {"kind", 3}, {"unused", 32}, {"word", 32}) \
    F(SETUP_KEPT, "setup.kept", 1, 1, \
      "1: a setup beside another access in one instruction has an effect", "p25", {"with", 2}, {"kinds", 8})
#define VPM_BLOCK_POINTS(F) \
    F(BLOCK_SIZE, "block.size", 2, 1, "SIZE of a block setup; 0 bytes, 1 halves, 2 words", \
      "p57-58 T32, T33", \
      {"laned", 1}, {"horizontal", 1}, {"reading", 1}, {"word", 32}) \
    F(BLOCK_LANED, "block.laned", 1, 1, "LANED of a block setup; 1 laned, 0 packed", "p57-58 T32, T33", \
      {"size", 2}, {"horizontal", 1}, {"reading", 1}, {"word", 32}) \
    F(BLOCK_HORIZONTAL, "block.horizontal", 1, 1, "HORIZ of a block setup; 1 horizontal, 0 vertical", \
      "p57-58 T32, T33", \
      {"size", 2}, {"laned", 1}, {"reading", 1}, {"word", 32}) \
    F(BLOCK_ADDR, "block.addr", 8, 1, "ADDR of a block setup", "p57-58 T32, T33", \
      VPM_BLOCK_INPUTS, {"word", 32}) \
    F(BLOCK_STRIDE, "block.stride", 6, 1, "STRIDE of a block setup; 0 means 64", "p57-58 T32, T33", \
      VPM_BLOCK_INPUTS, {"word", 32}) \
    F(BLOCK_RESERVED, "block.reserved", 1, 1, \
      "1: no document defines the mode of the block setup; the run then stops", "p57-58 T32, T33", \
      VPM_BLOCK_INPUTS) \
    F(BLOCK_BITS, "block.bits", 6, 1, "number of bits of an element; 8, 16 or 32", "p57 T32", \
      VPM_BLOCK_INPUTS, {"mode", 4}) \
    F(BLOCK_SUB_BITS, "block.sub-bits", 2, 1, "number of bits of ADDR that select a part of a word", \
      "p57 T32", VPM_BLOCK_INPUTS, {"mode", 4}) \
    F(BLOCK_PER_WORD, "block.per-word", 5, 1, "number of elements of a vector in a word", "p54-55", \
      VPM_BLOCK_INPUTS, {"mode", 4}) \
    F(BLOCK_MASK, "block.mask", 32, 1, "mask of the bits of an element", "p54-55", \
      VPM_BLOCK_INPUTS, {"bits", 6}) \
    F(BLOCK_MOVED, "block.moved", 1, 1, "1: STRIDE is added to ADDR before the vector", "p57", \
      VPM_BLOCK_INPUTS, {"set", 1}) \
    F(BLOCK_STEP, "block.step", 32, 1, "step that is added to ADDR after a vector", "p57-58 T32, T33", \
      VPM_BLOCK_INPUTS, {"stride", 6}, {"address", 32}) \
    F(BLOCK_ADDRESS, "block.address", 32, 1, "ADDR of the vector with the strides before it", "p57", \
      VPM_BLOCK_INPUTS, {"stride", 6}) \
    F(BLOCK_Y_FIELD, "block.y-field", 6, 1, "Y of ADDR; of a vertical access its two upper bits alone", \
      "p57 T32", VPM_BLOCK_INPUTS, {"address", 32}, {"without_sub", 32}) \
    F(BLOCK_Y, "block.y", 7, 1, "row that Y of ADDR names", \
      "p57 T32", VPM_BLOCK_INPUTS, {"address", 32}, {"above", 1}, {"y_field", 6}) \
    F(BLOCK_SUB, "block.sub", 8, 1, "part of a word that ADDR selects; a byte or a half", "p54-55, p57 T32", \
      VPM_BLOCK_INPUTS, {"address", 32}, {"sub_bits", 2}) \
    F(BLOCK_PACKED, "block.packed", 1, 1, "1: a word holds several elements of the vector", "p54-55", \
      VPM_BLOCK_INPUTS, {"per_word", 5}) \
    F(BLOCK_ALONG, "block.along", 12, 1, \
      "distance from the start of a row, or of 16 rows of a column, to the vector; in words", "p54-55", \
      VPM_BLOCK_INPUTS, {"sub", 8}, {"packed", 1}, {"per_word", 5}) \
    F(BLOCK_ROW, "block.row", 7, 1, "first row of the VPM that the vector touches", "p54-55", \
      VPM_BLOCK_INPUTS, {"address", 32}, {"y", 7}, {"along", 12}) \
    F(BLOCK_COLUMN, "block.column", 4, 1, "first column of the VPM that the vector touches", "p54-55", \
      VPM_BLOCK_INPUTS, {"address", 32}, {"along", 12}, {"without_sub", 32}) \
    F(BLOCK_SHIFT, "block.shift", 5, 1, "lowest bit of an element in its word", "p54-55", \
      VPM_BLOCK_INPUTS, {"address", 32}, {"sub", 8}) \
    F(BLOCK_FIRST, "block.first", 11, 1, "number of the first word of the VPM that the vector touches", \
      "p54-55", VPM_BLOCK_INPUTS, {"row", 7}, {"column", 4}) \
    F(BLOCK_ELEMENT, "block.element", 4, 16, "element in each place of the vector in the VPM", \
      "p54-55 figures 8, 9", VPM_BLOCK_INPUTS, {"mode", 4}) \
    F(BLOCK_PLACE, "block.place", 8, 16, \
      "distance from the first word of a vector to the word of each element; in words", "p54-55", \
      VPM_BLOCK_INPUTS, {"pitch", 5}, {"per_word", 5}) \
    F(BLOCK_LOW, "block.low", 5, 16, "lowest bit of each element in its word", "p54-55", \
      VPM_BLOCK_INPUTS, {"shift", 5}, {"bits", 6}, {"per_word", 5}) \
    F(BLOCK_WHOLE, "block.whole", 32, 16, \
      "word of each element that is read; shifted down to its lowest bit", "p54-55", \
      {"cell", 32, 16}, {"low", 5, 16}, VPM_BLOCK_INPUTS, {"mask", 32}) \
    F(BLOCK_PART, "block.part", 32, 16, "part of each element that is written or read", "p54-55", \
      {"whole", 32, 16}, VPM_BLOCK_INPUTS, {"mask", 32}, {"mode", 4}) \
    F(BLOCK_KEPT, "block.kept", 32, 16, "mask of the bits that a write leaves in the word of each element", \
      "p54-55", {"low", 5, 16}, VPM_BLOCK_INPUTS, {"mask", 32}) \
    F(BLOCK_PUT, "block.put", 32, 16, "pattern that a write puts into the word of each element", "p54-55", \
      {"part", 32, 16}, {"low", 5, 16}, {"kept", 32, 16}, VPM_BLOCK_INPUTS, {"mask", 32}) \
    F(BLOCK_VALUE, "block.value", 32, 16, "vector that is written or read", "p56", \
      VPM_BLOCK_INPUTS, {"address", 32}, {"mode", 4}) \
    F(WRITE_DONE, "write.done", 1, 1, "1: the write takes place", \
      "p25, p56", VPM_BLOCK_INPUTS, {"address", 32}, {"with_read", 1}) \
    F(WRITE_LANES, "write.lanes", 16, 1, "set of elements that are written; 0: nothing happens", "p28, p56", \
      VPM_BLOCK_INPUTS, {"address", 32}) \
    F(WRITE_PLACES, "write.places", 16, 1, "set of places of a vector that are written", "p28, p56", \
      VPM_BLOCK_INPUTS, {"lanes", 16}, {"mode", 4}) \
    F(READ_NUM, "read.num", 5, 1, "number of vectors of a read setup; 1 to 16", "p58 T33", \
      VPM_BLOCK_INPUTS, {"word", 32}) \
    F(READ_LATENCY, "read.latency", 5, 1, \
      "number of instructions from a read setup to its first valid read", "p56", \
      VPM_BLOCK_INPUTS) \
    F(READ_UNREAD, "read.unread", 6, 1, \
      "number of unread vectors at a read setup; 0: it takes effect at once", \
      "p56", VPM_BLOCK_INPUTS, {"queued", 5}, {"left", 5}) \
    F(READ_ACCEPTED, "read.accepted", 1, 1, "1: a read setup is queued; 0: a read setup is lost", "p56", \
      VPM_BLOCK_INPUTS, {"queued", 5}, {"unread", 6}) \
    F(READ_AHEAD, "read.ahead", 3, 1, "number of vectors that are fetched before they are read; 0 to 4", \
      "p55", \
      VPM_BLOCK_INPUTS, {"left", 5}) \
    F(READ_WAITS, "read.waits", 1, 1, "1: the read waits for ever", "p56", \
      VPM_BLOCK_INPUTS, {"left", 5}, {"early", 5}) \
    F(READ_TAKEN, "read.taken", 1, 1, "1: the read takes a vector", \
      "p56", VPM_BLOCK_INPUTS, {"left", 5}, {"early", 5}) \
    F(READ_REMAINING, "read.remaining", 5, 1, "number of vectors not yet read after a read", "p56", \
      VPM_BLOCK_INPUTS, {"left", 5}, {"queued", 5}) \
    F(READ_NEXT, "read.next", 1, 1, "1: the read setup that waits follows the current one", "p56", \
      VPM_BLOCK_INPUTS, {"left", 5}, {"queued", 5}) \
    F(READ_QUEUED, "read.queued", 5, 1, \
      "number of vectors that the waiting setup keeps after it became the current one", "p56", \
      VPM_BLOCK_INPUTS, {"left", 5}, {"queued", 5}) \
    F(READ_VALUE, "read.value", 32, 16, "vector that a read returns", "p56", \
      VPM_BLOCK_INPUTS, {"left", 5}, {"early", 5}) \
    F(STATUS_VALUE, "status.value", 32, 16, "word that a busy or wait register returns", "p56", \
      {"unmapped", 32, 16}, {"which", 2}, {"pending", 1})
#define VPM_DMA_POINTS(F) \
    F(STORE_UNITS, "store.units", 8, 1, "UNITS of a DMA store; 1 to 128", "p58 T34", {"word", 32}) \
    F(STORE_DEPTH, "store.depth", 8, 1, "DEPTH of a DMA store; 1 to 128", "p58 T34", {"word", 32}) \
    F(STORE_LANED, "store.laned", 1, 1, "LANED of a DMA store", "p58 T34", VPM_STORE_INPUTS, {"word", 32}) \
    F(STORE_HORIZONTAL, "store.horizontal", 1, 1, "HORIZ of a DMA store; 1 horizontal, 0 vertical", \
      "p58 T34", {"word", 32}) \
    F(STORE_STRIDE, "store.stride", 16, 1, "STRIDE of a DMA store in bytes", "p59 T35", \
      VPM_STORE_INPUTS, {"word", 32}) \
    F(STORE_BLOCKMODE, "store.blockmode", 1, 1, "BLOCKMODE of a DMA store", "p59 T35", \
      VPM_STORE_INPUTS, {"word", 32}) \
    F(LOAD_MPITCH, "load.mpitch", 4, 1, "MPITCH of a DMA load", "p59 T36", VPM_LOAD_INPUTS, {"word", 32}) \
    F(LOAD_MPITCHB, "load.mpitchb", 13, 1, "MPITCHB of a DMA load in bytes", "p60 T37", \
      VPM_LOAD_INPUTS, {"word", 32}) \
    F(LOAD_ROWLEN, "load.rowlen", 5, 1, "ROWLEN of a DMA load; 1 to 16", "p59 T36", {"word", 32}) \
    F(LOAD_NROWS, "load.nrows", 5, 1, "NROWS of a DMA load; 1 to 16", "p59 T36", {"word", 32}) \
    F(LOAD_VPITCH, "load.vpitch", 5, 1, "VPITCH of a DMA load; 1 to 16", "p59 T36", VPM_LOAD_INPUTS, \
      {"word", 32}) \
    F(LOAD_VERTICAL, "load.vertical", 1, 1, "VERT of a DMA load; 1 vertical, 0 horizontal", "p59 T36", \
      {"word", 32}) \
    F(LOAD_UNIT, "load.unit", 8, 1, "distance that one unit of VPITCH means; in bytes", "p59 T36", \
      VPM_LOAD_INPUTS, {"width", 3}) \
    F(LOAD_FIRST, "load.first", 14, 1, \
      "place of the first row of a DMA load; in rows, half rows or quarter rows", \
      "p59 T36", VPM_LOAD_INPUTS, {"start", 14}, {"unit", 8}) \
    F(LOAD_WITHIN, "load.within", 8, 1, \
      "first byte of a DMA load in its row, half row or quarter row", \
      "p59 T36", VPM_LOAD_INPUTS, {"start", 14}, {"unit", 8}) \
    F(LOAD_SUM, "load.sum", 15, 1, "place of the first row of a DMA load plus VPITCH for each row before", \
      "p59 T36", VPM_LOAD_INPUTS, {"row", 5}, {"vpitch", 5}, {"first", 14}) \
    F(LOAD_BLOCK, "load.block", 15, 1, "place of a row of a DMA load; in rows, half rows or quarter rows", \
      "p59 T36", VPM_LOAD_INPUTS, {"row", 5}, {"vpitch", 5}, {"first", 14}, {"sum", 15}) \
    F(DMA_MODEW, "dma.modew", 3, 1, "MODEW of a DMA; width and offset of its elements", "p58-59 T34, T36", \
      {"store", 1}, {"word", 32}) \
    F(DMA_Y, "dma.y", 7, 1, "Y of a DMA", "p58-59 T34, T36", VPM_DMA_INPUTS, {"word", 32}) \
    F(DMA_X, "dma.x", 4, 1, "X of a DMA", "p58-59 T34, T36", VPM_DMA_INPUTS, {"word", 32}) \
    F(DMA_DONE, "dma.done", 1, 1, "1: the DMA takes place", "p56", \
      VPM_DMA_INPUTS, {"busy", 1}) \
    F(DMA_TO_MEMORY, "dma.to-memory", 1, 1, \
      "1: the DMA copies from the VPM to memory; 0: it copies from memory to the VPM", "p56", \
      VPM_DMA_INPUTS) \
    F(DMA_ROW, "dma.row", 7, 1, "row of the VPM where a DMA begins", "p58-59 T34, T36", \
      VPM_DMA_INPUTS, {"y", 7}) \
    F(DMA_WIDTH, "dma.width", 3, 1, "width of an element of a DMA in bytes; 1, 2 or 4", \
      "p58-59 T34, T36", VPM_DMA_INPUTS) \
    F(DMA_OFFSET, "dma.offset", 3, 1, "first byte of a DMA's element in its word", "p58-59 T34, T36", \
      VPM_DMA_INPUTS) \
    F(DMA_START_PART, "dma.start-part", 14, 1, \
      "part of the place where a DMA begins that comes from Y or from X; in bytes", \
      "p58-59 T34, T36", VPM_DMA_INPUTS, {"y", 7}, {"x", 4}, {"vertical", 1}, {"of_x", 1}) \
    F(DMA_START, "dma.start", 14, 1, \
      "byte of the VPM or of a column of it where the first row of a DMA begins", \
      "p58-59 T34, T36", VPM_DMA_INPUTS, {"y", 7}, {"x", 4}, {"offset", 3}, {"vertical", 1}) \
    F(DMA_STEP, "dma.step", 3, 1, "distance from one element of a DMA to the next in the VPM; in bytes", \
      "p58-59 T34, T36", \
      VPM_DMA_INPUTS, {"laned", 1}, {"width", 3}) \
    F(DMA_PITCH, "dma.pitch", 32, 1, "distance from one row of a DMA in memory to the next; in bytes", \
      "p59-60 T35-T37", \
      VPM_DMA_INPUTS, {"stride", 16}, {"row_bytes", 10}, {"mpitch", 4}) \
    F(DMA_ADDRESS, "dma.address", 32, 1, "offset in the case's memory where a DMA begins", "p56", \
      VPM_DMA_INPUTS) \
    F(DMA_PACKED, "dma.packed", 1, 1, \
      "1: a unit of a DMA store begins directly behind the unit before it", "p59 T35", \
      VPM_DMA_INPUTS, {"row", 8}, {"blockmode", 1}, {"whole", 1}, {"step", 3}) \
    F(DMA_ROW_DISTANCE, "dma.row-distance", 17, 1, \
      "distance from the first unit of a DMA store to this one; in bytes of the VPM or of a column of it", \
      "p58-59 T34, T35", \
      VPM_DMA_INPUTS, {"row", 8}, {"span", 10}, {"packed", 1}, {"column", 8}) \
    F(DMA_ROW_PLACE, "dma.row-place", 17, 1, "byte of the VPM where a row of a DMA begins", "p58-59", \
      VPM_DMA_INPUTS, {"row", 8}, {"first", 13}, {"span", 10}, {"block", 15}, {"within", 8}, {"x", 4}, \
      {"unit", 8}) \
    F(DMA_COLUMN, "dma.column", 4, 1, "column of the VPM where a row of a DMA begins", "p58-59", \
      VPM_DMA_INPUTS, {"row", 8}, {"x", 4}) \
    F(DMA_LENGTH, "dma.length", 8, 1, "number of elements in a row of a DMA", "p58-59", \
      VPM_DMA_INPUTS, {"row", 8}) \
    F(DMA_ROW_DONE, "dma.row-done", 1, 1, "1: the row of the DMA is moved", "p58-59", \
      VPM_DMA_INPUTS, {"row", 8}) \
    F(DMA_OUTSIDE, "dma.outside", 1, 1, \
      "1: the row of the DMA is not in the memory; the run then stops", "p56", \
      VPM_DMA_INPUTS, {"row_address", 32}, {"row_bytes", 10}) \
    F(DMA_CARRY, "dma.carry", 1, 1, "carry of a DMA that runs past an edge", "p58-59", VPM_DMA_INPUTS, \
      {"at", 2}, {"column", 8}) \
    F(DMA_WRAPS, "dma.wraps", 1, 1, \
      "1: a row of the DMA that runs past an edge goes on at the start of its row or column", "p58-59", \
      VPM_DMA_INPUTS, {"past", 1}) \
    F(DMA_ROWS, "dma.rows", 9, 1, "number of rows of the VPM; row 0 follows the last one", \
      "p53, p97 T80", VPM_DMA_INPUTS) \
    F(DMA_SIZE, "dma.size", 17, 1, \
      "size of the VPM or of a column of it for a row of a DMA; in bytes; byte 0 follows the last one", \
      "p53, p97 T80", VPM_DMA_INPUTS, {"rows", 9}, {"start", 17}) \
    F(DMA_ROW_ADDRESS, "dma.row-address", 32, 1, "offset in memory where a row of a DMA begins", "p59", \
      VPM_DMA_INPUTS, {"row", 8}, {"pitch", 32}, {"address", 32}) \
    F(DMA_MASK, "dma.mask", 32, 1, "mask of the bits of an element of a DMA", "p58-59", \
      VPM_DMA_INPUTS, {"width", 3}, {"contiguous", 1}) \
    F(DMA_ELEMENTS, "dma.elements", 8, 1, "number of elements of a row of a DMA that are moved", "p58-59", \
      VPM_DMA_INPUTS, {"contiguous", 1}) \
    F(DMA_AT, "dma.at", 17, 16, \
      "byte of the VPM or of a column of it where each element of a DMA begins; before it wraps", "p58-59", \
      {"element", 8, 16}, VPM_DMA_INPUTS, {"start", 17}, {"step", 3}, {"contiguous", 1}) \
    F(DMA_WRAPPED, "dma.wrapped", 17, 16, \
      "byte of the VPM or of a column of it where each element of a DMA begins; after it wraps", "p58-59", \
      {"at", 17, 16}, {"past_edge", 17, 16}, VPM_DMA_INPUTS, {"start", 17}, {"edge", 17}, {"size", 17}, \
      {"wraps", 1}, {"contiguous", 1}) \
    F(DMA_ELEMENT_ROW, "dma.element-row", 9, 16, "row of the VPM where each element of a DMA begins", \
      "p58-59", {"wrapped", 17, 16}, VPM_DMA_INPUTS, {"vertical", 1}, {"contiguous", 1}, {"column", 4}) \
    F(DMA_ELEMENT_COLUMN, "dma.element-column", 12, 16, \
      "column of the VPM where each element of a DMA begins", "p58-59", {"wrapped", 17, 16}, \
      VPM_DMA_INPUTS, {"vertical", 1}, {"contiguous", 1}, {"column", 4}) \
    F(DMA_PLACE, "dma.place", 14, 16, "byte of the VPM where each element of a DMA begins", "p58-59", \
      {"element", 8, 16}, {"at", 17, 16}, VPM_DMA_INPUTS, {"start", 17}, {"step", 3}, {"column", 4}, \
      {"width", 3}, {"contiguous", 1}) \
    F(DMA_LOW, "dma.low", 5, 16, "lowest bit of each element of a DMA in its word of the VPM", "p58-59", \
      {"place", 14, 16}, {"wrapped", 17, 16}, VPM_DMA_INPUTS, {"contiguous", 1}) \
    F(DMA_MEMORY_PLACE, "dma.memory-place", 32, 16, "offset in memory of each element of a DMA", "p58-59", \
      {"element", 8, 16}, VPM_DMA_INPUTS, {"row_address", 32}, {"width", 3}, {"contiguous", 1}) \
    F(DMA_MEMORY_LOW, "dma.memory-low", 5, 16, "lowest bit of each element of a DMA in its word of memory", \
      "p58-59", {"memory_place", 32, 16}, {"access", 2, 16}, VPM_DMA_INPUTS) \
    F(DMA_WHOLE, "dma.whole", 32, 16, \
      "word of each element that a DMA moves; shifted down to its lowest bit", "p58-59", \
      {"cell", 32, 16}, {"from", 5, 16}, {"unaligned", 1, 16}, {"mask", 32, 16}, VPM_DMA_INPUTS, \
      {"width", 3}, {"step", 3}, {"contiguous", 1}) \
    F(DMA_PART, "dma.part", 32, 16, "part of each element of a DMA that is moved", "p58-59", \
      {"whole", 32, 16}, {"memory_low", 5, 16}, {"unaligned", 1, 16}, {"mask", 32, 16}, VPM_DMA_INPUTS, \
      {"width", 3}, {"step", 3}, {"contiguous", 1}) \
    F(DMA_ELEMENT_MASK, "dma.element-mask", 32, 16, "mask of the bits of each element of a DMA", "p58-59", \
      {"unaligned", 1, 16}, {"memory_low", 5, 16}, {"access", 2, 16}, \
      VPM_DMA_INPUTS, {"width", 3}, {"step", 3}, {"contiguous", 1}) \
    F(DMA_ALONE, "dma.alone", 32, 16, \
      "part of each element that a DMA moves alone; in rows that are not consecutive in the VPM", \
      "p58-59", {"whole", 32, 16}, {"mask", 32, 16}, {"from", 5, 16}, {"access", 2, 16}, VPM_DMA_INPUTS, \
      {"width", 3}) \
    F(DMA_KEPT, "dma.kept", 32, 16, "mask of the bits that a DMA leaves in the word that gets each element", \
      "p58-59", {"to", 5, 16}, {"mask", 32, 16}, {"access", 2, 16}, VPM_DMA_INPUTS, {"contiguous", 1}) \
    F(DMA_PUT, "dma.put", 32, 16, "pattern that a DMA puts into the word that gets each element", "p58-59", \
      {"part", 32, 16}, {"to", 5, 16}, {"kept", 32, 16}, {"access", 2, 16}, VPM_DMA_INPUTS, \
      {"contiguous", 1})
/* Of the operations of unit vc4-vpm. */
#define VPM_UNIT_POINTS(F) \
    F(OPERATION_CODE, "operation.code", 4, 1, "number of the operation", "p53-60", \
      {"operand", 32}, {"second", 32}) \
    F(OPERATION_OPERAND, "operation.operand", 32, 1, "operand of the operation", "p53-60", \
      {"code", 4}, {"second", 32}) \
    F(OPERATION_ROW, "operation.row", 5, 1, "number of the row of data that a write takes", "p56", \
      {"operand", 32}, {"second", 32}) \
    F(OPERATION_BEGINS, "operation.begins", 1, 1, "1: the operation begins an instruction", "p25", \
      {"code", 4}, {"with", 1}, {"before", 6}) \
    F(OPERATION_TURN, "operation.turn", 1, 1, "turn of the operation in its instruction; 0 first, 1 second", \
      "p17", {"code", 4}, {"before", 6}, {"together", 7}, {"number", 7}) \
    F(OPERATION_DONE, "operation.done", 2, 1, "number of times that the operation takes place", "p53-60", \
      {"code", 4}, {"operand", 32}, {"before", 6}, {"together", 7}, {"turn", 1}, {"number", 7}, \
      {"reads_behind", 7}) \
    F(OPERATION_TIME, "operation.time", 32, 1, "number of instructions from an operation to the next", \
      "p56", \
      {"code", 4}, {"operand", 32}, {"together", 7}) \
    F(OPERATION_END, "operation.end", 4, 1, \
      "reason number for which the run ends with the operation; 0: it goes on", "p53-60", \
      {"code", 4}, {"operand", 32})
/* clang-format on */

#define VPM_POINTS(F)                                                                                        \
    VPM_SETUP_POINTS(F)                                                                                      \
    VPM_BLOCK_POINTS(F)                                                                                      \
    VPM_DMA_POINTS(F)

#define VPM_POINT_NUMBER(number, ...) VPM_POINT_##number,
enum { VPM_POINTS(VPM_POINT_NUMBER) VPM_POINT_COUNT };
/* Unit vc4-vpm has these points after the VPM's. */
enum { VPM_POINTS_BEFORE_UNIT = VPM_POINT_COUNT - 1, VPM_UNIT_POINTS(VPM_POINT_NUMBER) VPM_UNIT_POINT_COUNT };

extern const struct point vpm_points[VPM_UNIT_POINT_COUNT];
/* clang-format off */
/* SCOPE: "" or the prefix of the points' names in another unit, with its dot. */
#define VPM_INPUT_NOTES(SCOPE) \
    {SCOPE "reading", "1: it is a read; 0: it is a write"}, \
    {SCOPE "setup.word.reading", "1: the setup is of reads; 0: the setup is of writes"}, \
    {SCOPE "setup.reserved.kind", \
      "kind of setup; 0 write, 1 read, 2 store, 3 store stride, 4 load, 5 load pitch, 6 bases, 7 no " \
      "kind"}, \
    {SCOPE "setup.register.kind", \
      "kind of setup; 2 store, 3 store stride, 4 load, 5 load pitch"}, \
    {SCOPE "setup.register.before", "word that the register held before"}, \
    {SCOPE "setup.reserved.unused", \
      "set of the word's bits that are 1 though its kind does not use them"}, \
    {SCOPE "setup.kept.with", \
      "kind of the other access in the instruction; 0 a write, 1 a read, 2 a setup"}, \
    {SCOPE "setup.kept.kinds", "set of the kinds of access in the instruction"}, \
    {SCOPE "setup.kind.reading", "1: the setup is of reads; 0: the setup is of writes"}, \
    {SCOPE "setup.done.kind", \
      "kind of setup; 0 write, 1 read, 2 store, 3 store stride, 4 load, 5 load pitch, 6 bases, 7 no " \
      "kind"}, \
    {SCOPE "word", "setup word"}, \
    {SCOPE "mode", "mode of the block access; HORIZ, LANED and SIZE as bits 3 to 0"}, \
    {SCOPE "without_sub", "ADDR shifted down by the bits that select a part of a word"}, \
    {SCOPE "y_field", "Y of ADDR; of a vertical access its two upper bits alone"}, \
    {SCOPE "kept", "mask of the bits that stay in the word"}, \
    {SCOPE "of_x", "1: it is where X begins; 0: it is where Y begins"}, \
    {SCOPE "dma.start-part.vertical", \
      "1: the DMA goes down columns of the VPM; 0: the DMA goes along rows of the VPM"}, \
    {SCOPE "load.first.start", "byte of the VPM or of its column where the DMA begins"}, \
    {SCOPE "load.within.start", "byte of the VPM or of its column where the DMA begins"}, \
    {SCOPE "load.sum.first", "place of the first row of the DMA load"}, \
    {SCOPE "dma.row-distance.packed", \
      "1: a unit begins directly behind the unit before it; 0: a unit begins in the next row or column"}, \
    {SCOPE "dma.row-distance.column", "number of the column; 16 and more are past the last column"}, \
    {SCOPE "dma.wrapped.at", \
      "byte of the VPM or of its column where the element begins; before it wraps"}, \
    {SCOPE "past_edge", "distance from the edge before it to the element in bytes"}, \
    {SCOPE "edge", "byte where the row's VPM row begins or the row's 64 rows of a column"}, \
    {SCOPE "dma.wrapped.size", "size of the VPM or of a column of it in bytes"}, \
    {SCOPE "wraps", \
      "1: a row that runs past an edge goes on at the start; 0: it goes on behind the edge"}, \
    {SCOPE "wrapped", "byte of the VPM or of its column where the element begins; after it wraps"}, \
    {SCOPE "dma.element-row.vertical", \
      "1: the DMA goes down columns of the VPM; 0: the DMA goes along rows of the VPM"}, \
    {SCOPE "dma.element-column.vertical", \
      "1: the DMA goes down columns of the VPM; 0: the DMA goes along rows of the VPM"}, \
    {SCOPE "access", \
      "access to memory for the element; 0 with its row, 1 alone and a multiple of its width, 2 alone and " \
      "no multiple"}, \
    {SCOPE "bits", "number of bits of an element"}, \
    {SCOPE "set", "1: a setup was written; 0: no setup was written"}, \
    {SCOPE "block.pitch", "distance from one word of the vector to the next; in words"}, \
    {SCOPE "per_word", "number of elements of the vector in a word"}, \
    {SCOPE "sub_bits", "number of bits of ADDR that select a part of a word"}, \
    {SCOPE "sub", "part of a word that ADDR selects"}, \
    {SCOPE "block.packed", "1: a word holds several elements; 0: a word holds one element"}, \
    {SCOPE "along", "distance from the start of the row, or of 16 rows of the column, in words"}, \
    {SCOPE "dma.place.at", "byte of the VPM or of its column where the element begins; before it wraps"}, \
    {SCOPE "shift", "lowest bit of the vector's first element in its word"}, \
    {SCOPE "block.whole", "element or word before it is cut"}, \
    {SCOPE "block.mask", "mask of the bits of an element"}, \
    {SCOPE "low", "lowest bit of the element in its word"}, \
    {SCOPE "cell", "word that holds the element's lowest bit"}, \
    {SCOPE "from", "lowest bit of the element in the word that it comes from"}, \
    {SCOPE "contiguous", \
      "1: the row is consecutive in the VPM; 0: the row is not consecutive in the VPM"}, \
    {SCOPE "memory_low", "lowest bit of the element in its word of memory"}, \
    {SCOPE "unaligned", \
      "1: the offset in memory is no multiple of the element's width; 0: the offset is a multiple of it"}, \
    {SCOPE "block.part", "part of the element that is written"}, \
    {SCOPE "lanes", "set of elements that are written"}, \
    {SCOPE "block.above", \
      "1: the bit of ADDR above those of the mode is 1; 0: the bit of ADDR above those of the mode is 0"}, \
    {SCOPE "with_read", "1: the instruction also reads; 0: the instruction does not read"}, \
    {SCOPE "queued", "number of read setups that wait"}, \
    {SCOPE "unread", "number of unread vectors at the read setup"}, \
    {SCOPE "left", "number of vectors not yet read"}, \
    {SCOPE "early", "number of instructions until the read is valid"}, \
    {SCOPE "unmapped", "word that a read of no register returns"}, \
    {SCOPE "status.which", "kind of the register; 0 load busy, 1 store busy, 2 load wait, 3 store wait"}, \
    {SCOPE "status.pending", "1: the DMA is pending; 0: no DMA is pending"}, \
    {SCOPE "store", "1: it is a DMA store; 0: it is a DMA load"}, \
    {SCOPE "modew", "MODEW of the DMA; width and offset of its elements"}, \
    {SCOPE "units", "number of rows of the DMA (UNITS of a store or NROWS of a load)"}, \
    {SCOPE "depth", "number of elements in a row of the DMA (DEPTH of a store or ROWLEN of a load)"}, \
    {SCOPE "nrows", "NROWS of the DMA load; 1 to 16"}, \
    {SCOPE "rowlen", "ROWLEN of the DMA load; 1 to 16"}, \
    {SCOPE "horizontal", "HORIZ; 1 horizontal, 0 vertical"}, \
    {SCOPE "vertical", "VERT; 1 vertical, 0 horizontal"}, \
    {SCOPE "laned", "LANED; 1 laned, 0 packed"}, \
    {SCOPE "size", "SIZE; 0 bytes, 1 halves, 2 words"}, \
    {SCOPE "stride", "STRIDE; 0 means 64"}, \
    {SCOPE "row", "number of the row in the DMA"}, \
    {SCOPE "block.first.row", "first row of the VPM that the vector touches"}, \
    {SCOPE "block.first.column", "first column of the VPM that the vector touches"}, \
    {SCOPE "vpitch", "VPITCH; 1 to 16"}, \
    {SCOPE "sum", "place of the first row with row * VPITCH added; not cut to four bits"}, \
    {SCOPE "load.first", "place of the first row of the DMA load"}, \
    {SCOPE "busy", "1: nobody waited for the DMA before; 0: somebody waited for every DMA before"}, \
    {SCOPE "width", "width of an element in bytes"}, \
    {SCOPE "dma.laned", "LANED of the DMA; 1 laned, 0 packed"}, \
    {SCOPE "dma.stride", "STRIDE or MPITCHB"}, \
    {SCOPE "row_bytes", "size of a row in bytes"}, \
    {SCOPE "dma.first", "byte of the VPM where the first row begins"}, \
    {SCOPE "at", \
      "edge that the DMA passes; 0 from X 15 to the next row, 1 from Y 63 to Y 64, 2 from column 15 to " \
      "the next 16 rows"}, \
    {SCOPE "pitch", "distance from one row in memory to the next; in bytes"}, \
    {SCOPE "dma.address", "offset in memory where the DMA begins"}, \
    {SCOPE "mpitch", "MPITCH of a DMA load; 0 of a store"}, \
    {SCOPE "span", "size of a row in the VPM; in bytes"}, \
    {SCOPE "dma.block", "place of the row of a load in rows, half rows or quarter rows; 0 of a store"}, \
    {SCOPE "offset", "first byte of the element in its word"}, \
    {SCOPE "dma.start.vertical", \
      "1: the DMA goes down columns of the VPM; 0: the DMA goes along rows of the VPM"}, \
    {SCOPE "blockmode", "BLOCKMODE of the DMA store"}, \
    {SCOPE "dma.packed.whole", \
      "1: a unit is a whole row of the VPM; 0: a unit is less or more than a row of it, or a column"}, \
    {SCOPE "unit", "distance that one unit of VPITCH means in bytes; 0 of a store"}, \
    {SCOPE "rows", "number of rows of the VPM"}, \
    {SCOPE "within", "byte of a load's row in its row, half row or quarter row; 0 of a store"}, \
    {SCOPE "x", "X of the DMA"}, \
    {SCOPE "past", "1: the row runs past an edge; 0: the row ends before the edge"}, \
    {SCOPE "element", "number of the element in its row"}, \
    {SCOPE "start", "byte of the VPM or of its column where the row begins"}, \
    {SCOPE "step", "distance from one element to the next in the VPM; in bytes"}, \
    {SCOPE "dma.carry.column", "number of the column; 16 and more are past the last column"}, \
    {SCOPE "column", "column of the VPM where the row begins"}, \
    {SCOPE "place", "byte of the VPM where the element begins"}, \
    {SCOPE "row_address", "offset in memory where the row begins"}, \
    {SCOPE "memory_place", "offset in memory of the element"}, \
    {SCOPE "dma.whole", "element before it is cut"}, \
    {SCOPE "dma.mask", "mask of the bits of the element"}, \
    {SCOPE "to", "lowest bit of the element in the word that gets it"}, \
    {SCOPE "dma.part", "part of the element that is moved"}, \
    {SCOPE "address", "ADDR of the vector with the strides before it"}, \
    {SCOPE "y", "row that Y names"},
#define VPM_UNIT_INPUT_NOTES \
    {"operand", "operand of the operation"}, \
    {"second", "second word of the operation"}, \
    {"code", "number of the operation"}, \
    {"with", \
      "1: the operation is with the one before; 0: the operation is an instruction of its own"}, \
    {"together", "number of operations in the instruction"}, \
    {"operation.turn.before", "number of operations of the instruction that stand before this one"}, \
    {"operation.begins.before", "number of operations of the instruction so far"}, \
    {"operation.done.before", "number of operations of the instruction whose turn was before this one"}, \
    {"operation.done.number", "number of the operation in the case; 0 first"}, \
    {"reads_behind", "number of reads among the later operations of the instruction"}, \
    {"number", "number of the operation where the instruction begins"}, \
    {"turn", "turn of the operation in its instruction; 0 first, 1 second"},
/* clang-format on */
extern const struct input_note vpm_input_notes[];
extern const struct point_alias vpm_point_aliases[];

#endif
