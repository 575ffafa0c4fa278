/* SPDX-License-Identifier: MIT */
#include "harness/verify/verifier_state.h"

#include <stdarg.h>
#include <stdio.h>

bool verifier_refuse(struct verifier *v, const char *format, ...)
{
    char why[200];
    va_list values;
    va_start(values, format);
    (void)vsnprintf(why, sizeof why, format, values);
    va_end(values);
    v->proof->refused_at = (int)v->at;
    return error_set(v->e, "instruction %lu %s", (unsigned long)v->at, why);
}
