/* SPDX-License-Identifier: MIT */
#include "oracle/store/related.h"

#include "model/core/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void related_role_name(unsigned role, char name[ROLE_NAME_MAX])
{
    if (role < RELATED_SWEEP)
        (void)snprintf(name, ROLE_NAME_MAX, "%s", role == RELATED_REFUTES ? "refutes" : "agrees");
    else
        (void)snprintf(name, ROLE_NAME_MAX, "sweep %u", (role - RELATED_SWEEP) % SWEEP_MAX);
}

uint8_t *finding_encode_outcome(const struct outcome *o, size_t *size)
{
    uint8_t *bytes = malloc(OUTCOME_BYTES_MAX);
    *size = bytes ? outcome_encode(o, bytes, OUTCOME_BYTES_MAX) : 0;
    if (*size) {
        uint8_t *shrunk = realloc(bytes, *size);
        return shrunk ? shrunk : bytes;
    }
    free(bytes);
    return NULL;
}

void related_case_free(struct related_case *r)
{
    free(r->tc);
    free(r->board_outcome);
    memset(r, 0, sizeof *r);
}

void related_case_set(struct related_case *r, const struct test_case *c, const char *label,
                      const uint8_t *outcome, size_t outcome_size)
{
    struct related_case old = *r;
    r->tc = memory_new(1, sizeof *r->tc);
    case_copy(r->tc, c);
    r->board_outcome = outcome_size ? memory_new(outcome_size, 1) : NULL;
    if (outcome_size)
        memcpy(r->board_outcome, outcome, outcome_size);
    r->board_outcome_size = outcome_size;
    text_copy_utf8(r->label, sizeof r->label, label, strlen(label));
    related_case_free(&old);
}
