/* SPDX-License-Identifier: MIT */
/* Macros for the readings in tables of clauses, one for each kind of evidence. */
#ifndef MISPRINT_MODEL_CORE_CLAUSE_ROWS_H
#define MISPRINT_MODEL_CORE_CLAUSE_ROWS_H

#include "model/core/clause.h"

#include <stddef.h>

/* clang-format off */
#define STATED(id, says, source)   {id, says, source, EVIDENCE_DOCUMENT}
#define CODED(id, says, source)    {id, says, source, EVIDENCE_SOURCE}
#define INFERRED(id, says, source) {id, says, source, EVIDENCE_ARGUMENT}
#define ARGUED(id, says, argument) INFERRED(id, says, "argument: " argument)
/* clang-format on */

#endif
