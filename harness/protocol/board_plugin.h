/* SPDX-License-Identifier: MIT */
/*
 * The interface of a board that is a shared library: `--board plugin:FILE.so[,OPTION...]`. This header is all
 * that such a library needs. It includes nothing of Misprint, and C++ can use it.
 *
 * A library defines one symbol, `misprint_board`:
 *
 *     static void *open_board(const struct misprint_unit *unit, struct misprint_about *about)
 *     {
 *         if (strcmp(unit->name, "vc4-vpm") != 0)
 *             return snprintf(about->error, sizeof about->error, "only vc4-vpm"), NULL;
 *         return my_emulator_new();
 *     }
 *     static void run(void *emulator, const void *const *cases, struct misprint_outcome *outcomes, uint32_t
 * n)
 *     {
 *         for (uint32_t i = 0; i < n; i++) {
 *             my_emulator_run(emulator, cases[i], outcomes[i].value);
 *             outcomes[i].end = MISPRINT_DONE;
 *         }
 *     }
 *     MISPRINT_EXPORT const struct misprint_board misprint_board = {
 *         MISPRINT_BOARD_VERSION, 0, "my emulator", "its authors, version 1", open_board, run,
 * my_emulator_free};
 *
 * The library runs in a process of its own, unless the user says `,inline`. A crash, a hang or a wild write
 * then costs one case. After it, the library's memory is as it was when `open` returned, in the same process
 * or in a new one that calls `open`. Several such processes run at once if the user says --jobs, each with a
 * board opened by itself. A process calls the library from one thread. What the library prints to standard
 * output goes to standard error.
 */
#ifndef MISPRINT_BOARD_PLUGIN_H
#define MISPRINT_BOARD_PLUGIN_H

#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#define MISPRINT_EXPORT extern "C" __attribute__((visibility("default")))
#else
#define MISPRINT_EXPORT __attribute__((visibility("default")))
#endif

enum { MISPRINT_BOARD_VERSION = 1, MISPRINT_BATCH_MAX = 256, MISPRINT_FEW = 8, MISPRINT_ROWS_MAX = 1024 };

/* ---- what a unit's cases and outcomes look like ---- */

enum misprint_field_kind {
    MISPRINT_ENUM,     /* 1 word: an index into `names` */
    MISPRINT_WORD,     /* 1 word */
    MISPRINT_WORDS,    /* a count, then `max` words */
    MISPRINT_UNIFORMS, /* a count, then `max` pairs: 1 for an address, the value (PROTOCOL.md, Cases) */
    MISPRINT_CODE,     /* a count, then `max` instructions of `item_words` words */
    MISPRINT_IMAGE /* struct misprint_image, then `max` rows: the row's index, then `item_words - 1` words */
};

struct misprint_field {
    const char *name;
    uint32_t kind;            /* enum misprint_field_kind */
    uint32_t offset;          /* of the field's first word in the case, in words */
    uint32_t max;             /* most items; of a MISPRINT_ENUM: number of names */
    uint32_t item_words;      /* words in an item; 1 for a MISPRINT_ENUM and a MISPRINT_WORD */
    const char *const *names; /* of a MISPRINT_ENUM; otherwise NULL */
};

struct misprint_region {
    const char *name;
    const char *image;        /* the case's field with the content before the case; NULL: all words 0 */
    uint32_t first_row, rows; /* its rows among all rows of the outcome */
    uint32_t columns;         /* words in a row that it uses, at most the unit's row_words */
    uint32_t bits;            /* low bits of a word that it uses */
};

struct misprint_unit {
    const char *name;
    uint64_t form;            /* changes whenever a case or an outcome of the unit changes */
    uint32_t case_words;      /* in a case: all fields in order, without gaps */
    uint32_t rows, row_words; /* an outcome has rows * row_words words: all regions in order, without gaps */
    uint32_t field_count, region_count;
    const struct misprint_field *fields;
    const struct misprint_region *regions;
};

/* The first words of a MISPRINT_IMAGE. Rows that the case does not list are determined by `fill`. */
struct misprint_image {
    uint32_t fill, seed, count;
};

/* ---- outcomes ---- */

enum misprint_end {
    MISPRINT_DONE,
    MISPRINT_HANG,         /* the case would never end */
    MISPRINT_FAULT,        /* it left its memory, or met something that cannot be executed */
    MISPRINT_REFUSED,      /* the board cannot run this case; `message` says why */
    MISPRINT_NOT_RUN = 255 /* before the board ran the case */
};

enum misprint_outcome_flags {
    MISPRINT_ONLY_TOUCHED = 1, /* only touched rows are known */
    MISPRINT_HAS_UNKNOWN = 2   /* bits of `unknown` are set */
};

struct misprint_outcome {
    /* What the case left: row r has `row_words` words from value + r * row_words on. The board gets the
     * content before the case here, and changes it in place. */
    uint32_t *value;
    /* Same shape, all 0. The board sets the flag MISPRINT_HAS_UNKNOWN, and then the bits that it does
     * not know. */
    uint32_t *unknown;
    uint32_t end;    /* enum misprint_end; the board writes it last, because it says that the case ran */
    uint32_t reason; /* number from the unit's list in PROTOCOL.md; 0: none. Only people read it */
    uint32_t flags;  /* enum misprint_outcome_flags; 0 before the case */
    uint32_t padding;
    uint64_t touched[MISPRINT_ROWS_MAX / 64]; /* a bit for each row; only for MISPRINT_MARKS_ROWS */
    char message[256];                        /* why the board refused; "" before the case */
};

/* ---- boards ---- */

enum misprint_board_flags {
    /* The board marks each row that it wrote (misprint_touch). Without this flag, Misprint looks for rows
     * that changed, which costs some microseconds a case. */
    MISPRINT_MARKS_ROWS = 1,
    MISPRINT_SILICON = 2, /* the outcomes are measured on hardware */
    /* The board runs the cases of a call one after the other. Misprint then calls it with at most
     * MISPRINT_FEW of them at a time, whose outcomes stay in the processor's cache. */
    MISPRINT_ONE_BY_ONE = 4
};

/* What `open` gets and fills in. */
struct misprint_about {
    const char *options;             /* in: what the user wrote after the file's name, without `inline` */
    uint32_t memory_base, code_base; /* bus addresses of a case's memory and program; preset */
    char description[256];           /* preset from misprint_board.description */
    char provenance[1024];           /* preset from misprint_board.provenance */
    char error[256];                 /* out, if `open` returns NULL: why */
    /* Parts of cases that the board cannot run, as of "lacks" in PROTOCOL.md: "varyings tmu0_s stage=vertex".
     * Misprint sends no case that has them. "buffer_atomic_*" names all words that begin so. At most 1,022
     * bytes, because a text that fills all the room may have been cut. Preset to "". */
    char lacks[1024];
};

struct misprint_board {
    uint32_t version;        /* MISPRINT_BOARD_VERSION */
    uint32_t flags;          /* enum misprint_board_flags */
    const char *description; /* what it is, one line for reports */
    const char *provenance;  /* whose it is, which version, where it was published */
    /* Prepares for cases of one unit. Returns what `run` and `close` get; NULL with about->error: it cannot
     * run this unit, or something is missing. */
    void *(*open)(const struct misprint_unit *unit, struct misprint_about *about);
    /* Runs `count` cases, at most MISPRINT_BATCH_MAX. cases[i] points to the unit's fields, as words in
     * order.
     */
    void (*run)(void *board, const void *const *cases, struct misprint_outcome *outcomes, uint32_t count);
    void (*close)(void *board);
};

/* ---- boards that run programs ---- */

/*
 * An emulator that has only what hardware has, code, uniforms and memory, defines `misprint_program_board`
 * instead, for --board program:FILE.so[,OPTION...]:
 *
 *     static uint32_t run(void *emulator, struct misprint_program *p)
 *     {
 *         return my_emulator_run(emulator, p->memory, p->memory_base, p->code, p->uniforms, p->limit)
 *                    ? MISPRINT_DONE
 *                    : MISPRINT_HANG;
 *     }
 *     MISPRINT_EXPORT const struct misprint_program_board misprint_program_board = {
 *         MISPRINT_BOARD_VERSION, 0, "my emulator", "its authors, version 1", open_board, run,
 *         my_emulator_free};
 *
 * Misprint makes a program of each case of vc4-qpu and vc4-vpm, as for a Raspberry Pi
 * (docs/how-cases-run.md): it loads the case's registers and VPM through VPM and DMA, runs the case's
 * instructions, stores what they changed, and ends.
 */
struct misprint_program {
    uint32_t *memory;                   /* all the memory that the program may access */
    uint32_t memory_base, memory_bytes; /* the bus address of its first byte; its size */
    uint32_t code, uniforms; /* the bus addresses of the first instruction, and of the first uniform */
    uint64_t limit;          /* instructions after which a program counts as hung */
    char message[256];       /* why the board refused the program, or why it faulted; "" before the run */
};

struct misprint_program_board {
    uint32_t version;        /* MISPRINT_BOARD_VERSION */
    uint32_t flags;          /* 0, or MISPRINT_SILICON */
    const char *description; /* what it is, one line for reports */
    const char *provenance;  /* whose it is, which version, where it was published */
    /* As of struct misprint_board. about->memory_base is that of the memory: a multiple of 4096. */
    void *(*open)(const struct misprint_unit *unit, struct misprint_about *about);
    /* Runs one program on QPU 0 and returns how it ended: an enum misprint_end. */
    uint32_t (*run)(void *board, struct misprint_program *p);
    void (*close)(void *board);
};

/*
 * An emulator that has only what an AMD GPU has, code, registers and memory, defines `misprint_wave_board`,
 * for the same --board program:FILE.so[,OPTION...]. Misprint makes a program of each case of amd-buffer, as
 * for a real GPU (docs/amd-gpu.md): it loads registers, LDS, M0, VCC and EXEC from memory, runs the case's
 * instructions, stores what they left, and ends with s_endpgm. So the emulator also needs s_mov, s_load,
 * s_getreg (TRAPSTS), s_cmp_lg_u32, s_waitcnt, s_nop, v_mov, v_lshlrev, v_readlane, v_writelane, and for
 * cases with LDS ds_read and ds_write, each of 32 bits.
 *
 * Addresses are those of the process: the wave's address A is the pointer (uint8_t *)A.
 */
struct misprint_wave {
    const char *generation; /* "gfx1100", "gfx1030", "gfx900" or "gfx803" */
    uint8_t *memory;        /* all the memory that a case may reach, also by a wrong address */
    uint64_t memory_bytes;
    uint64_t code;      /* the address of the first instruction */
    uint32_t sgpr[2];   /* s0 and s1 at the start: an address. Other registers hold anything */
    uint32_t lanes;     /* 64 or 32. v0 is the lane's number, and EXEC all ones */
    uint32_t vgprs;     /* vector registers of the wave */
    uint32_t lds_bytes; /* 0: it has none */
    uint64_t limit;     /* instructions after which the wave counts as hung */
    char message[256];  /* why the board refused the program, or why it faulted; "" before the run */
};

struct misprint_wave_board {
    uint32_t version;        /* MISPRINT_BOARD_VERSION */
    uint32_t flags;          /* 0, or MISPRINT_SILICON */
    const char *description; /* what it is, one line for reports */
    const char *provenance;  /* whose it is, which version, where it was published */
    /* As of struct misprint_board. about->lacks names the generations that it does not have:
     * "generation=gfx900 generation=gfx803". */
    void *(*open)(const struct misprint_unit *unit, struct misprint_about *about);
    /* Runs one wave and returns how it ended: an enum misprint_end. */
    uint32_t (*run)(void *board, struct misprint_wave *w);
    void (*close)(void *board);
};

/* ---- functions for boards ---- */

/* Marks a row of an outcome as one that the board wrote. */
static inline void misprint_touch(struct misprint_outcome *o, uint32_t row)
{
    o->touched[row / 64] |= (uint64_t)1 << (row % 64);
}

/* Writes `row_words` words of row `row` of an image: its own words if the case lists the row, otherwise those
 * of the fill rule. `image` points to the field in the case. Images of an outcome's region are in `value`
 * already. */
static inline void misprint_image_row(const void *image, uint32_t row_words, uint32_t row, uint32_t *words)
{
    const struct misprint_image *head = (const struct misprint_image *)image;
    const uint32_t *item = (const uint32_t *)image + 3;
    uint32_t i;
    for (i = 0; i < head->count; i++, item += 1 + row_words)
        if (item[0] == row) {
            memcpy(words, item + 1, row_words * sizeof *words);
            return;
        }
    memset(words, 0, row_words * sizeof *words);
    for (i = 0; head->fill == 1 && i < 4 * row_words; i++) {
        uint32_t n = 4 * row_words * row + i;
        words[i / 4] |= ((n * 37 + n / 251 + 17) & 0xFF) << 8 * (i % 4);
    }
    for (i = 0; head->fill == 2 && i < row_words; i++) { /* splitmix64 */
        uint64_t x = ((uint64_t)head->seed << 32 | (row * row_words + i)) + UINT64_C(0x9E3779B97F4A7C15);
        x = (x ^ x >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
        x = (x ^ x >> 27) * UINT64_C(0x94D049BB133111EB);
        words[i] = (uint32_t)((x ^ x >> 31) >> 32);
    }
}

#ifdef __cplusplus
}
#endif

#endif
