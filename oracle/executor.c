/* SPDX-License-Identifier: MIT */
#include "oracle/executor.h"

#include "oracle/board.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { STATE_ALIGNMENT = 64 }; /* vectors of 16 words, whole cache lines */

struct executor *executor_new(const struct unit *u)
{
    struct executor *x = calloc(1, sizeof *x);
    if (!x)
        return NULL;
    size_t size = (u->state_size + STATE_ALIGNMENT) / STATE_ALIGNMENT * STATE_ALIGNMENT; /* never 0 */
    x->state = aligned_alloc(STATE_ALIGNMENT, size);
    if (!x->state) {
        free(x);
        return NULL;
    }
    memset(x->state, 0, size);
    x->unit = u;
    x->memory_base = MEMORY_BASE_DEFAULT;
    x->code_base = CODE_BASE_DEFAULT;
    return x;
}

void executor_free(struct executor *x)
{
    if (!x)
        return;
    free(x->state);
    free(x);
}

void executor_place(struct executor *x, const struct board_identity *who)
{
    x->memory_base = who->memory_base;
    x->code_base = who->code_base;
}

void executor_run_with(struct executor *x, struct run *r)
{
    memset(&x->last, 0, sizeof x->last);
    r->coverage = &x->last;
    r->state = x->state;
    r->memory_base = x->memory_base;
    r->code_base = x->code_base;
    r->steps = 0;
    memset(&r->fidelity, 0, sizeof r->fidelity);
    assert(r->tc->unit == x->unit && r->out->unit == x->unit);
    x->unit->run(r);
    x->runs++;
    x->steps += r->steps;
}

void executor_run(struct executor *x, const struct test_case *c, const struct profile *p, enum run_mode mode, struct outcome *out)
{
    struct run r = {.tc = c, .profile = p, .out = out, .mode = mode};
    executor_run_with(x, &r);
}
