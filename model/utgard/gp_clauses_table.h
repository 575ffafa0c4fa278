/* SPDX-License-Identifier: MIT */
/* What both halves of the clauses' table are written with: the names of their sources, and the profiles'
 * choices. Private to them. */
#ifndef MISPRINT_MODEL_UTGARD_GP_CLAUSES_TABLE_H
#define MISPRINT_MODEL_UTGARD_GP_CLAUSES_TABLE_H

#include "model/utgard/gp_clauses.h"

#define DOC     "\"Utgard GP\" (mali-isa-docs), "
#define FORMAT  DOC "instruction format"
#define VENDOR  "a program of the vendor's compiler"
#define OGT     "open-gpu-tools lima_gp (2013)"
#define ASSUMED "argument: what a careful reader assumes"
#define GUESS   "argument: the simplest hardware"

/* `manual` always chooses reading 0; then Mali-400 as best known, open-gpu-tools, and every open point
 * decided. */
#define CHOSEN(mali400, ogt, decided)                                                                        \
    {                                                                                                        \
        [GP_PROFILE_MALI400] = (mali400), [GP_PROFILE_OGT] = (ogt), [GP_PROFILE_DECIDED] = (decided)         \
    }
#define DECIDED(reading) CHOSEN(READING_MANUAL, READING_MANUAL, reading)

#endif
