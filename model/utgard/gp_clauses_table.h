/* SPDX-License-Identifier: MIT */
/* Macros that both halves of the table of clauses use: names of sources, and choices of profiles. */
#ifndef MISPRINT_MODEL_UTGARD_GP_CLAUSES_TABLE_H
#define MISPRINT_MODEL_UTGARD_GP_CLAUSES_TABLE_H

#include "model/core/clause_rows.h"
#include "model/utgard/gp_clauses.h"

#define DOC        "\"Utgard GP\" (mali-isa-docs), "
#define FORMAT     DOC "instruction format"
#define VENDOR     "a program of the vendor's compiler"
#define OGT        "open-gpu-tools lima_gp (2013)"
#define ASSUMPTION "argument: what a careful reader assumes"

#define ASSUMED(id, says) INFERRED(id, says, ASSUMPTION)
#define GUESSED(id, says) ARGUED(id, says, "the simplest hardware")

/* The readings in the profiles other than `manual`. */
#define CHOSEN(mali400, ogt, decided)                                                                        \
    {                                                                                                        \
        [GP_PROFILE_MALI400] = (mali400), [GP_PROFILE_OGT] = (ogt), [GP_PROFILE_DECIDED] = (decided)         \
    }
#define DECIDED(reading) CHOSEN(READING_MANUAL, READING_MANUAL, reading)

#endif
