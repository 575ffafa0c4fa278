/* SPDX-License-Identifier: MIT */
#include "oracle/compare/executor.h"

#include "model/core/memory.h"

#include "oracle/board/board.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct executor *executor_new(const struct unit *u)
{
    struct executor *x = memory_new(1, sizeof *x);
    x->state = memory_new(1, u->state_size);
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

void executor_run(struct executor *x, const struct test_case *c, const struct profile *p, enum run_mode mode,
                  struct outcome *out)
{
    struct run r = {.tc = c, .profile = p, .out = out, .mode = mode};
    executor_run_with(x, &r);
}
