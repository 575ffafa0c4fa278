/* SPDX-License-Identifier: MIT */
#include "tests/model/v3d/support_v3d.h"

#include "model/core/memory.h"

#include <stdlib.h>
#include <string.h>

static void read_buffer_label(const char *line, struct v3d_test_program *p)
{
    unsigned index, value, binding;
    const char *label = strstr(line, "binding=");
    if (label && sscanf(line, "uniform %u 0x%x", &index, &value) == 2 &&
        sscanf(label, "binding=%u", &binding) == 1 && binding < V3D_TEST_BUFFERS && strstr(line, "ssbo["))
        p->buffer[binding] = value;
}

static void read_head(const char *line, struct v3d_test_program *p)
{
    memset(p, 0, sizeof *p);
    if (sscanf(line, "program %63s", p->name) != 1)
        abort();
    p->compute = strstr(line, "stage=compute") != NULL;
}

static void read_config(const char *line, struct v3d_test_program *p)
{
    uint32_t *c = p->config;
    p->has_config = sscanf(line, "csd %x %x %x %x %x %x %x", &c[0], &c[1], &c[2], &c[3], &c[4], &c[5],
                           &c[6]) == V3D_CONFIG_WORDS;
}

bool v3d_test_read(FILE *f, struct v3d_test_program *p)
{
    char line[1024];
    bool code = false;
    while (fgets(line, sizeof line, f)) {
        if (line[0] == '#')
            continue;
        if (!strncmp(line, "program ", 8))
            read_head(line, p);
        else if (!strncmp(line, "csd ", 4))
            read_config(line, p);
        else if (!strncmp(line, "uniform ", 8))
            read_buffer_label(line, p);
        else if (!strncmp(line, "code", 4))
            code = true;
        else if (!strncmp(line, "end", 3))
            return true;
        else if (code && p->count < V3D_TEST_PROGRAM_MAX)
            p->word[p->count++] = strtoull(line, NULL, 16);
    }
    return false;
}

static uint32_t mix(uint32_t x)
{
    x ^= x >> 16;
    x *= 0x7feb352d;
    x ^= x >> 15;
    x *= 0x846ca68b;
    return x ^ x >> 16;
}

/* Returns a word of an input buffer, by the README's formulas. */
static uint32_t pattern_word(unsigned buffer, uint32_t j)
{
    float v;
    uint32_t bits;
    switch (buffer) {
    case 0:
        return mix(j + 1);
    case 1:
        v = (float)((int)(mix(j + 77777) % 1024) - 512) / 64;
        memcpy(&bits, &v, sizeof bits);
        return bits;
    case 3:
        return mix(j + 55555) & 63;
    default:
        return 0;
    }
}

uint32_t *v3d_test_word(struct v3d_test_memory *m, uint32_t address)
{
    for (unsigned n = 0; n < m->ranges; n++)
        if (address - m->range[n].base < m->range[n].bytes)
            return m->range[n].word + (address - m->range[n].base) / 4;
    return NULL;
}

static void add_range(struct v3d_test_memory *m, uint32_t address, uint32_t bytes)
{
    struct v3d_range *r = &m->range[m->ranges++];
    *r = (struct v3d_range){.base = address, .bytes = bytes};
    r->word = memory_new(bytes / 4, 4);
    r->defined = memory_new(bytes / 4, 4);
    memset(r->defined, 0xFF, bytes);
}

bool v3d_test_load(const char *path, struct v3d_test_program *p, struct v3d_test_memory *m)
{
    char line[1024];
    unsigned address, size, w[8], buffer;
    FILE *f = fopen(path, "r");
    m->ranges = 0;
    if (!f)
        return false;
    while (fgets(line, sizeof line, f)) {
        if (sscanf(line, "bo %x size=%u", &address, &size) == 2)
            add_range(m, address, size);
        else if (sscanf(line, "row %x %x %x %x %x %x %x %x %x", &address, &w[0], &w[1], &w[2], &w[3], &w[4],
                        &w[5], &w[6], &w[7]) == 9)
            memcpy(v3d_test_word(m, address), w, sizeof w);
        else if (sscanf(line, "pattern %x words=%u buffer=%u", &address, &size, &buffer) == 3) {
            p->buffer[buffer] = address;
            for (uint32_t j = 0; j < size; j++)
                v3d_test_word(m, address)[j] = pattern_word(buffer, j);
        }
    }
    fclose(f);
    return true;
}

void v3d_test_unload(struct v3d_test_memory *m)
{
    for (unsigned n = 0; n < m->ranges; n++) {
        free(m->range[n].word);
        free(m->range[n].defined);
    }
    m->ranges = 0;
}

bool v3d_test_expect(FILE *f, unsigned *buffer, unsigned *index, uint32_t *value)
{
    return fscanf(f, "%u %u %x", buffer, index, value) == 3;
}
