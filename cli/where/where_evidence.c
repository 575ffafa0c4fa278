/* SPDX-License-Identifier: MIT */
#include "cli/where/where.h"

#include "oracle/describe/clause_text.h"

const char *where_evidence(enum evidence e)
{
    return e == EVIDENCE_SILICON ? "silicon, as this source states" : evidence_words(e);
}
