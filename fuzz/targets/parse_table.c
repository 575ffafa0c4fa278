/* SPDX-License-Identifier: MIT */
/*
 * The import accepts any bytes as a table of measured values of some kind, or refuses them with a reason. An
 * imported table gives a trace that can be read to its end, with as many records as the import reported. The
 * first byte of the input chooses the kind.
 */
#include "fuzz/targets/target.h"

#include "oracle/files/import.h"
#include "oracle/files/table.h"
#include "oracle/files/trace.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Reads every field of every row. Returns true if all of it is a table. */
static bool read_rows(const char *path)
{
    struct table t;
    struct error e = {0};
    int got = -1;
    uint32_t word;
    if (table_open(&t, path, &e)) {
        while ((got = table_next(&t, &e)) > 0)
            for (unsigned i = 0; i < t.columns; i++)
                (void)table_hex(&t, i, &word, &e);
        table_close(&t);
    }
    if (got < 0)
        target_check_refusal(&e);
    return got == 0;
}

static void check_trace(const char *path, const struct import_facts *facts)
{
    struct error e = {0};
    struct trace_facts read;
    struct trace_record record;
    struct trace_reader *r = trace_open(path, &e);
    uint64_t records = 0;
    int more = r ? 1 : -1;
    while (more > 0 && (more = trace_next_record(r, &record, &e)) > 0)
        records++;
    if (more < 0 || !trace_verify(path, &read, &e))
        target_violated("an imported trace cannot be read: %s", e.text);
    if (records != facts->cases)
        target_violated("%" PRIu64 " records of %" PRIu64 " cases", records, facts->cases);
    trace_close(r);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    static unsigned kinds;
    static char trace[64];
    while (import_kind_at(kinds))
        kinds++;
    const struct import_kind *kind = import_kind_at(target_choice(&bytes, &count, kinds));
    const char *path = target_file(bytes, count);
    struct import_facts facts = {0};
    struct error e = {0};
    if (!read_rows(path))
        return 0;
    (void)snprintf(trace, sizeof trace, "/dev/shm/misprint-parse-table-%ld.trace", (long)getpid());
    if (import_table(kind->name, path, trace, false, &facts, &e))
        check_trace(trace, &facts);
    else
        target_check_refusal(&e);
    (void)unlink(trace);
    return 0;
}
