/* SPDX-License-Identifier: MIT */
#include "oracle/board/plugin/plugin_memory.h"

#include "oracle/board/plugin/plugin_crash.h"
#include "oracle/board/plugin/plugin_record.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
    PAGE = 65536 /* at least a page on all machines */,
    LINE = 64,
    CASES = PLUGIN_SLOTS * MISPRINT_BATCH_MAX
};

static size_t round_up(size_t bytes, size_t unit)
{
    return (bytes + unit - 1) / unit * unit;
}

void plugin_memory_shape(struct plugin_memory *m, const struct unit *u)
{
    *m = (struct plugin_memory){0};
    /* Odd numbers of cache lines, so that the items of an array do not all map to the same cache sets. */
    m->case_stride = round_up(offsetof(struct test_case, words) + 4 * u->schema.words, LINE) | LINE;
    size_t words = (size_t)u->layout.rows * u->layout.row_words + OUTCOME_FENCE_WORDS;
    m->words_stride = (round_up(4 * words, LINE) | LINE) / 4;
    m->cases_bytes = round_up(CASES * m->case_stride, PAGE);
    m->outcomes_at = m->cases_bytes + round_up(sizeof(struct plugin_greeting), LINE);
    m->values_at = round_up(m->outcomes_at + CASES * sizeof(struct misprint_outcome), PAGE);
    m->slot_bytes = round_up(MISPRINT_BATCH_MAX * 4 * m->words_stride, PAGE) + PAGE;
    m->unknown_at = m->values_at + PLUGIN_SLOTS * m->slot_bytes;
    m->records_at = m->unknown_at + PLUGIN_SLOTS * m->slot_bytes;
    m->record_bytes = round_up(LINE + 4 * MISPRINT_BATCH_MAX * plugin_record_max(&u->layout), PAGE);
    m->bytes = m->records_at + PLUGIN_SLOTS * m->record_bytes;
}

int plugin_memory_create(struct plugin_memory *m, const struct unit *u, struct error *e)
{
    plugin_memory_shape(m, u);
    int fd = memfd_create("misprint-plugin", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    /* Sealed, because a child that shortens the memory would end the host by SIGBUS. */
    if (fd >= 0 && ftruncate(fd, (off_t)m->bytes) == 0 &&
        fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0) {
        void *at = mmap(NULL, m->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        if (at != MAP_FAILED) {
            m->at = at;
            return fd;
        }
    }
    error_set(e, "cannot share memory with its process (%s)", strerror(errno));
    if (fd >= 0)
        close(fd);
    return -1;
}

bool plugin_memory_map(struct plugin_memory *m, const struct unit *u, int fd)
{
    plugin_memory_shape(m, u);
    void *at = mmap(NULL, m->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (at == MAP_FAILED)
        return false;
    m->at = at;
    return true;
}

bool plugin_memory_guard(const struct plugin_memory *m)
{
    bool good = mprotect(m->at, m->cases_bytes, PROT_READ) == 0;
    plugin_crash_watch(PLUGIN_CASE, m->at, m->cases_bytes);
    for (unsigned i = 1; i <= 2 * PLUGIN_SLOTS; i++) { /* the values of each batch, then the unknown bits */
        uint8_t *at = m->at + m->values_at + i * m->slot_bytes - PAGE;
        good = good && mprotect(at, PAGE, PROT_NONE) == 0;
        plugin_crash_watch(i <= PLUGIN_SLOTS ? PLUGIN_PAST_VALUE : PLUGIN_PAST_UNKNOWN, at, PAGE);
    }
    return good;
}

void plugin_memory_unmap(struct plugin_memory *m)
{
    if (m->at)
        munmap(m->at, m->bytes);
    m->at = NULL;
}

static size_t index_of(unsigned slot, unsigned i)
{
    return (size_t)slot * MISPRINT_BATCH_MAX + i;
}

struct test_case *plugin_case(const struct plugin_memory *m, unsigned slot, unsigned i)
{
    return (struct test_case *)(void *)(m->at + index_of(slot, i) * m->case_stride);
}

uint32_t *plugin_packed(const struct plugin_memory *m, unsigned slot)
{
    return (uint32_t *)(void *)plugin_case(m, slot, 0);
}

uint32_t *plugin_done(const struct plugin_memory *m, unsigned slot)
{
    return (uint32_t *)(void *)(m->at + m->records_at + slot * m->record_bytes);
}

uint32_t *plugin_records(const struct plugin_memory *m, unsigned slot)
{
    return plugin_done(m, slot) + LINE / sizeof(uint32_t);
}

void plugin_map_pages(void *from, size_t bytes)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), skip = (uintptr_t)from % page;
#ifdef MADV_POPULATE_WRITE
    (void)madvise((uint8_t *)from - skip, bytes + skip, MADV_POPULATE_WRITE); /* old kernels have it not */
#else
    (void)skip, (void)bytes;
#endif
}

struct plugin_greeting *plugin_greeting(const struct plugin_memory *m)
{
    return (struct plugin_greeting *)(void *)(m->at + m->cases_bytes);
}

struct misprint_outcome *plugin_outcome(const struct plugin_memory *m, unsigned slot, unsigned i)
{
    return (struct misprint_outcome *)(void *)(m->at + m->outcomes_at) + index_of(slot, i);
}

uint32_t *plugin_value(const struct plugin_memory *m, unsigned slot, unsigned i)
{
    return (uint32_t *)(void *)(m->at + m->values_at + slot * m->slot_bytes) + i * m->words_stride;
}

uint32_t *plugin_unknown(const struct plugin_memory *m, unsigned slot, unsigned i)
{
    return (uint32_t *)(void *)(m->at + m->unknown_at + slot * m->slot_bytes) + i * m->words_stride;
}
