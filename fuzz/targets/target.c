/* SPDX-License-Identifier: MIT */
#include "fuzz/targets/target.h"

#include "harness/protocol/protocol.h"
#include "model/number/bytes.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

void target_violated(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)fputs("property violated: ", stderr);
    (void)vfprintf(stderr, format, arguments);
    (void)fputc('\n', stderr);
    va_end(arguments);
    abort();
}

void target_check_refusal(const struct error *e)
{
    if (!e->text[0])
        target_violated("refused without a reason");
}

const char *target_file(const void *bytes, size_t count)
{
    static int file = -1;
    static char path[32];
    if (file < 0) {
        file = memfd_create("input", MFD_CLOEXEC);
        (void)snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    }
    if (file < 0 || ftruncate(file, 0) != 0 || pwrite(file, bytes, count, 0) != (ssize_t)count) {
        perror("a file in memory");
        exit(3);
    }
    return path;
}

void target_mend_frames(uint8_t *bytes, size_t count)
{
    for (size_t at = 0; count - at >= PROTOCOL_HEAD + PROTOCOL_TAIL;) {
        const uint8_t *head = bytes + at;
        size_t size = get_u32(head + 4);
        if (size > count - at - PROTOCOL_HEAD - PROTOCOL_TAIL)
            return;
        uint32_t crc = protocol_crc32(0, head, PROTOCOL_HEAD + size);
        at += PROTOCOL_HEAD + size;
        put_u32(bytes + at, crc);
        at += PROTOCOL_TAIL;
    }
}

unsigned target_choice(const uint8_t **bytes, size_t *count, unsigned choices)
{
    if (!*count)
        return 0;
    --*count;
    return *(*bytes)++ % choices;
}

void target_part(const uint8_t **bytes, size_t *count, const uint8_t **part, size_t *part_count)
{
    size_t size = *count < 2 ? 0 : (*bytes)[0] | (size_t)(*bytes)[1] << 8;
    size_t head = *count < 2 ? *count : 2;
    *part = *bytes + head;
    *part_count = size < *count - head ? size : *count - head;
    *bytes += head + *part_count;
    *count -= head + *part_count;
}
