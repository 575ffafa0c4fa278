/* SPDX-License-Identifier: MIT */
/*
 * A stand-in for the Linux kernel's vc4 driver with a VideoCore IV behind it, to be preloaded, for
 * harness/vc4/drm_vc4.c and libdrm. It has one render node and the device tree. It checks and prepares a
 * submission as the driver does (buffers, shaders, command list, records, uniforms). tests/devices/vc4_gpu.c
 * draws the command list.
 *
 * Environment:
 *   FAKE_DRM_PROFILE   the QPUs' profile (default bcm2835); an injected fault is "bcm2835,CLAUSE=READING"
 *   FAKE_DRM_FAULT     no-device, no-right, other-driver, no-v3d, old, no-memory, stuck, no-submit;
 *                      in-use: another process has the node;
 *                      hangs-on=WORD: a shader with this word (hexadecimal) as an immediate never ends;
 *                      never-recovers=WORD: such a shader never ends, and the GPU draws nothing afterwards;
 *                      refuses=WORD: the validator refuses such a shader;
 *                      refuses-list=WORD: the driver refuses a submission that names such a shader;
 *                      flushes, rounds: how the setup engine changes varyings;
 *                      columns: vertices are in other columns (tests/devices/vc4_gpu.h)
 */
#include "harness/vc4/vc4_kernel.h"
#include "harness/vc4/vc4_registers.h"
#include "model/number/bytes.h"
#include "tests/devices/preload.h"
#include "tests/devices/vc4_gpu.h"

#include <drm.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>
#include <vc4_drm.h>

enum {
    MEMORY_AT = 0x20000000, /* bus address */
    MEMORY_BYTES = 24 << 20,
    PAGE = 4096,
    PAGES = MEMORY_BYTES / PAGE,
    BUFFERS_MAX = 2048,
    RECORD_SHADERS = 3,
    RECORD_BYTES = 36,
    ATTRIBUTE_BYTES = 8,
    SINGLE_THREAD = 1,
    TILE = 64,
};
static const char node[] = "/dev/dri/renderD128";

/* A buffer object. */
struct buffer {
    uint32_t bytes, at; /* offset in the memory of all buffers; `bytes` 0: the handle is free */
    struct vc4_kernel_shader *shader;
};

static int node_fd = -1, memory_file = -1;
static uint8_t *memory;
static uint8_t page_used[PAGES];
static struct buffer buffers[BUFFERS_MAX]; /* the index is the handle; handle 0 names no buffer */
static uint64_t seqno;

static const char *fault(const char *kind)
{
    return preload_fault("FAKE_DRM_FAULT", kind);
}

/* ---- files ---- */

static int open_node(void)
{
    if (fault("no-device") || fault("no-right")) {
        errno = fault("no-device") ? ENOENT : EACCES;
        return -1;
    }
    static uint32_t hang;
    struct gpu_memory m = {.base = MEMORY_AT, .bytes = MEMORY_BYTES};
    memory_file = preload_file("", 0);
    if (ftruncate(memory_file, MEMORY_BYTES) != 0)
        abort();
    m.at = memory = preload_map(MEMORY_BYTES, memory_file, 0);
    const char *word = fault("hangs-on") ? fault("hangs-on") : fault("never-recovers");
    hang = word ? (uint32_t)strtoul(word, NULL, 16) : 0;
    const struct gpu_oddities odd = {.setup = fault("flushes")  ? GPU_FLUSHES
                                              : fault("rounds") ? GPU_ROUNDS
                                                                : GPU_KEEPS,
                                     .other_columns = fault("columns"),
                                     .hangs_on = word ? &hang : NULL};
    gpu_start(&m, preload_setting("FAKE_DRM_PROFILE", "bcm2835"), &odd);
    node_fd = preload_file("", 0);
    if (fault("in-use"))
        preload_lock(node_fd);
    return node_fd;
}

int fake_open(const char *path)
{
    static const char nodes[] = "/dev/dri/renderD", model[] = "Fake Raspberry Pi 3 (a model, no silicon)";
    if (!strcmp(path, node))
        return open_node();
    if (!strncmp(path, nodes, sizeof nodes - 1)) {
        errno = ENOENT;
        return -1;
    }
    if (!strcmp(path, "/sys/class/thermal/thermal_zone0/temp"))
        return preload_file("47774\n", 6);
    return strcmp(path, "/proc/device-tree/model") != 0 ? PRELOAD_NOT_OURS
                                                        : preload_file(model, sizeof model);
}

bool fake_map(int fd, size_t length, uint64_t offset, void **result)
{
    if (fd != node_fd)
        return false;
    *result = MAP_FAILED;
    errno = EINVAL;
    for (unsigned h = 1; h < BUFFERS_MAX; h++) /* user space cannot map a shader */
        if (buffers[h].bytes && !buffers[h].shader && buffers[h].at == offset && length <= buffers[h].bytes)
            *result = preload_map(length, memory_file, offset);
    return true;
}

/* ---- buffers ---- */

/* Allocates successive pages and keeps their old content. Returns false if there are not enough. */
static bool take_pages(uint32_t bytes, struct buffer *b)
{
    uint32_t wanted = (bytes + PAGE - 1) / PAGE, found = 0;
    for (uint32_t i = 0; i < PAGES && found < wanted && wanted; i++) {
        found = page_used[i] ? 0 : found + 1;
        b->at = (i + 1 - found) * PAGE;
    }
    if (!wanted || found < wanted)
        return false;
    b->bytes = wanted * PAGE;
    memset(page_used + b->at / PAGE, 1, wanted);
    return true;
}

static void free_buffer(struct buffer *b)
{
    memset(page_used + b->at / PAGE, 0, b->bytes / PAGE);
    free(b->shader);
    *b = (struct buffer){0};
}

static int make_buffer(uint32_t bytes, uint32_t *handle)
{
    for (uint32_t h = 1; h < BUFFERS_MAX; h++)
        if (!buffers[h].bytes) {
            *handle = h;
            return take_pages(bytes, &buffers[h]) ? 0 : ENOMEM;
        }
    return ENOMEM;
}

static struct buffer *buffer_of(uint32_t handle)
{
    return handle && handle < BUFFERS_MAX && buffers[handle].bytes ? &buffers[handle] : NULL;
}

static int create_buffer(void *argument)
{
    struct drm_vc4_create_bo *c = argument;
    if (c->flags || c->pad)
        return EINVAL;
    return fault("no-memory") ? ENOMEM : make_buffer(c->size, &c->handle);
}

static int tell_offset(void *argument)
{
    struct drm_vc4_mmap_bo *m = argument;
    const struct buffer *b = buffer_of(m->handle);
    if (!b || b->shader || m->flags)
        return EINVAL;
    m->offset = b->at;
    return 0;
}

static int close_buffer(void *argument)
{
    const struct drm_gem_close *c = argument;
    struct buffer *b = buffer_of(c->handle);
    if (!b)
        return EINVAL;
    free_buffer(b);
    return 0;
}

/* Does the code have an instruction whose low word is the one that this fault names? */
static bool is_unwanted(const char *kind, const uint32_t *words, uint32_t count)
{
    uint32_t word = fault(kind) ? (uint32_t)strtoul(fault(kind), NULL, 16) : 0;
    for (uint32_t i = 0; word && i < count; i++)
        if (words[2 * i] == word)
            return true;
    return false;
}

static int create_shader(void *argument)
{
    struct drm_vc4_create_shader_bo *c = argument;
    const void *data = (const void *)(uintptr_t)c->data;
    if (c->flags || c->pad || !c->size || c->size % 8)
        return EINVAL;
    int failure = make_buffer(c->size, &c->handle);
    if (failure)
        return failure;
    struct buffer *b = &buffers[c->handle];
    struct error e = {0};
    memcpy(memory + b->at, data, c->size);
    b->shader = malloc(sizeof *b->shader);
    if (b->shader && vc4_kernel_accepts(data, c->size / 8, b->shader, &e) &&
        !is_unwanted("refuses", data, c->size / 8))
        return 0;
    free_buffer(b);
    return EINVAL;
}

/* ---- what is submitted ---- */

/* A submission: the arguments from user space, and the copy that the driver checks. */
struct job {
    const struct drm_vc4_submit_cl *args;
    struct buffer *buffer[BUFFERS_MAX];
    struct buffer copy;                           /* holds list, records and uniforms */
    uint32_t list, list_bytes, records, uniforms; /* bus addresses */
    uint32_t states, state[1024],
        most[1024]; /* for each shader state: its word, and the last vertex drawn with it */
    unsigned tiles[2];
    bool has_mode, has_start, has_increment, has_flush;
};

static const uint8_t *user(uint64_t pointer)
{
    return (const uint8_t *)(uintptr_t)pointer;
}

static uint8_t *at(uint32_t address)
{
    return memory + (address - MEMORY_AT);
}

/* Returns the buffer with this number among the submission's handles; NULL if there is none or it is a
 * shader. */
static struct buffer *data_buffer(const struct job *j, uint32_t number)
{
    return number < j->args->bo_handle_count && !j->buffer[number]->shader ? j->buffer[number] : NULL;
}

static uint32_t record_bytes(uint32_t state)
{
    return RECORD_BYTES + ATTRIBUTE_BYTES * (state & 7 ? state & 7 : 8);
}

static bool check_array(struct job *j, const uint8_t *p)
{
    uint32_t count = get_u32(p + 2), last = get_u32(p + 6) + count - 1;
    if (!j->states || last + 1 < count)
        return false;
    uint32_t *most = &j->most[j->states - 1];
    *most = last > *most ? last : *most;
    return true;
}

static bool check_state(struct job *j, const uint8_t *p, uint8_t *copy)
{
    uint32_t word = get_u32(p + 1);
    if (j->states >= j->args->shader_rec_count || j->states >= 1024 || word & ~15U || word & 8)
        return false;
    put_u32(copy + 1, j->records | word);
    j->state[j->states++] = word;
    j->records += (record_bytes(word) + 15) / 16 * 16;
    return true;
}

static bool check_mode(struct job *j, const uint8_t *p)
{
    bool twice = j->has_mode;
    j->has_mode = true;
    j->tiles[0] = p[13];
    j->tiles[1] = p[14];
    return !twice && p[13] && p[14] && !(p[15] & 0x82);
}

/* Checks one packet. `copy` holds it already. */
static bool check_packet(struct job *j, const uint8_t *p, uint32_t left, uint8_t *copy)
{
    switch (*p) {
    case 4:
        j->has_flush = true;
        return left == 1;
    case 6:
        if (j->has_start || !j->has_mode)
            return false;
        j->has_start = true;
        return true;
    case 7:
        j->has_increment = true;
        return left == 2;
    case 33:
        return check_array(j, p);
    case 64:
        return check_state(j, p, copy);
    case 112:
        return check_mode(j, p);
    }
    return true;
}

static bool check_list(struct job *j)
{
    static const uint8_t bytes[256] = {
        [1] = 1,   [4] = 1,   [5] = 1,   [6] = 1,   [7] = 1,   [33] = 10, [56] = 2,
        [64] = 5,  [96] = 4,  [97] = 5,  [98] = 5,  [99] = 5,  [100] = 3, [101] = 5,
        [102] = 9, [103] = 5, [105] = 9, [106] = 9, [112] = 16};
    const uint8_t *list = user(j->args->bin_cl);
    uint32_t end = j->args->bin_cl_size;
    for (uint32_t n = 0; n < end; n += bytes[list[n]]) {
        if (!bytes[list[n]] || bytes[list[n]] > end - n)
            return false;
        memcpy(at(j->list) + n, list + n, bytes[list[n]]);
        if (!check_packet(j, list + n, end - n, at(j->list) + n))
            return false;
    }
    j->list_bytes = end;
    return !end || (j->has_start && j->has_increment && j->has_flush);
}

/* Replaces the base in a look-up's first parameter by an address in the buffer. Returns false if the look-up
 * is wrong. */
static bool place_lookup(const struct job *j, const struct vc4_kernel_sample *s, uint32_t number,
                         uint32_t uniforms)
{
    const struct buffer *b = data_buffer(j, number);
    struct error e = {0};
    if (!b || !vc4_kernel_takes_lookup(s, (const uint32_t *)(const void *)at(uniforms), b->bytes, &e))
        return false;
    uint8_t *base = at(uniforms + 4U * s->parameter[0]);
    put_u32(base, get_u32(base) + MEMORY_AT + b->at);
    return true;
}

/* Checks the uniforms of one shader. In the submission they are numbers of buffers, then words. */
static bool check_uniforms(struct job *j, const struct vc4_kernel_shader *s, const uint8_t **from,
                           const uint8_t *end)
{
    if ((uint64_t)(end - *from) < 4 * ((uint64_t)s->samples + s->uniforms) ||
        s->samples > VC4_KERNEL_SAMPLES_MAX)
        return false;
    memcpy(at(j->uniforms), *from + 4 * s->samples, 4 * s->uniforms);
    for (uint32_t i = 0; i < s->samples; i++)
        if (!place_lookup(j, &s->sample[i], get_u32(*from + 4 * i), j->uniforms))
            return false;
    for (uint32_t i = 0; i < s->address_words && i < VC4_KERNEL_RESETS_MAX; i++)
        put_u32(at(j->uniforms + 4U * s->address_word[i]), j->uniforms);
    *from += 4 * (s->samples + s->uniforms);
    j->uniforms += 4 * s->uniforms;
    return true;
}

static bool check_attribute(const struct job *j, uint32_t number, uint8_t *attribute, uint32_t last)
{
    const struct buffer *b = data_buffer(j, number);
    uint32_t offset = get_u32(attribute), bytes = attribute[4] + 1U, stride = attribute[5];
    if (!b || b->bytes < offset || b->bytes - offset < bytes ||
        (stride && last > (b->bytes - offset - bytes) / stride))
        return false;
    put_u32(attribute, MEMORY_AT + b->at + offset);
    return true;
}

/* Checks one shader record. In the submission it is numbers of buffers, then the record's bytes. */
static bool check_record(struct job *j, uint32_t n, uint32_t address, const uint8_t **records,
                         const uint8_t *end, const uint8_t **uniforms)
{
    static const uint8_t pointers[RECORD_SHADERS] = {4, 16, 28};
    const uint8_t *numbers = *records, *uniforms_end = user(j->args->uniforms) + j->args->uniforms_size;
    uint32_t attributes = j->state[n] & 7 ? j->state[n] & 7 : 8, bytes = record_bytes(j->state[n]);
    if ((size_t)(end - numbers) < 4 * (RECORD_SHADERS + attributes) + bytes)
        return false;
    uint8_t *copy = at(address);
    memcpy(copy, numbers + 4 * (RECORD_SHADERS + attributes), bytes);
    *records += 4 * (RECORD_SHADERS + attributes) + bytes;
    for (unsigned i = 0; i < RECORD_SHADERS; i++) {
        uint32_t number = get_u32(numbers + 4 * i);
        const struct buffer *b = number < j->args->bo_handle_count ? j->buffer[number] : NULL;
        bool threads = i == 0 && !(copy[0] & SINGLE_THREAD);
        if (!b || !b->shader || b->shader->threaded != threads || get_u32(copy + pointers[i]))
            return false;
        put_u32(copy + pointers[i], MEMORY_AT + b->at);
        put_u32(copy + pointers[i] + 4, j->uniforms);
        if (!check_uniforms(j, b->shader, uniforms, uniforms_end))
            return false;
    }
    for (unsigned i = 0; i < attributes; i++)
        if (!check_attribute(j, get_u32(numbers + 4 * (RECORD_SHADERS + i)),
                             copy + RECORD_BYTES + ATTRIBUTE_BYTES * i, j->most[n]))
            return false;
    return true;
}

static bool check_records(struct job *j, uint32_t first)
{
    const uint8_t *records = user(j->args->shader_rec), *end = records + j->args->shader_rec_size,
                  *uniforms = user(j->args->uniforms);
    for (uint32_t n = 0; n < j->states; n++) {
        if (!check_record(j, n, first, &records, end, &uniforms))
            return false;
        first += (record_bytes(j->state[n]) + 15) / 16 * 16;
    }
    return true;
}

/* Checks the target. Simulates only linear targets of 32-bit pixels. */
static bool check_target(const struct job *j, struct gpu_target *t)
{
    const struct drm_vc4_submit_cl *a = j->args;
    const struct drm_vc4_submit_rcl_surface *const unused[] = {&a->color_read, &a->zs_read, &a->zs_write,
                                                               &a->msaa_color_write, &a->msaa_zs_write};
    for (unsigned i = 0; i < sizeof unused / sizeof *unused; i++)
        if (unused[i]->hindex != UINT32_MAX)
            return false;
    const struct buffer *b = data_buffer(j, a->color_write.hindex);
    if (!b || a->color_write.bits != 1 << 2 || a->color_write.flags || a->color_write.offset % 16 ||
        !(a->flags & VC4_SUBMIT_CL_USE_CLEAR_COLOR))
        return false;
    uint64_t bytes = 4 * (uint64_t)((a->width + 3) / 4 * 4) * a->height;
    if (a->color_write.offset + bytes > b->bytes || a->min_x_tile > a->max_x_tile ||
        a->min_y_tile > a->max_y_tile ||
        (a->bin_cl_size && (a->max_x_tile >= j->tiles[0] || a->max_y_tile >= j->tiles[1])))
        return false;
    *t = (struct gpu_target){.address = MEMORY_AT + b->at + a->color_write.offset,
                             .width = a->width,
                             .height = a->height,
                             .first_x = a->min_x_tile,
                             .first_y = a->min_y_tile,
                             .last_x = a->max_x_tile,
                             .last_y = a->max_y_tile,
                             .clear = a->clear_color[0]};
    return true;
}

/* Finds the buffers of the submission's handles. Each may occur once, because the driver locks all of
 * them. */
static int find_buffers(struct job *j)
{
    static uint8_t seen[BUFFERS_MAX];
    const uint8_t *handles = user(j->args->bo_handles);
    if (!j->args->bo_handle_count || j->args->bo_handle_count > BUFFERS_MAX)
        return EINVAL;
    memset(seen, 0, sizeof seen);
    for (uint32_t i = 0; i < j->args->bo_handle_count; i++) {
        uint32_t handle = get_u32(handles + 4 * i);
        if (!(j->buffer[i] = buffer_of(handle)))
            return ENOENT;
        if (seen[handle]++)
            return EALREADY;
        if (j->buffer[i]->shader &&
            is_unwanted("refuses-list", (const uint32_t *)(const void *)(memory + j->buffer[i]->at),
                        j->buffer[i]->bytes / 8))
            return EINVAL;
    }
    return 0;
}

/* Draws a submission. As in the driver, a job that hangs leads to a reset, and then counts as finished. */
static int submit(void *argument)
{
    static struct job j; /* static because it is large */
    static bool dead;
    struct drm_vc4_submit_cl *a = argument;
    struct gpu_target target;
    uint32_t records_at = (a->bin_cl_size + 15) / 16 * 16,
             records_room = a->shader_rec_size + 16 * (a->shader_rec_count + 1);
    j = (struct job){.args = a};
    if (fault("no-submit"))
        return EIO;
    if (a->pad || a->pad2 || a->perfmonid || a->in_sync || a->out_sync)
        return EINVAL;
    int failure = find_buffers(&j);
    if (failure)
        return failure;
    if (!take_pages(records_at + records_room + a->uniforms_size + PAGE, &j.copy))
        return ENOMEM;
    memset(memory + j.copy.at, 0, j.copy.bytes);
    j.list = MEMORY_AT + j.copy.at;
    j.records = j.list + records_at;
    j.uniforms = j.records + records_room / 16 * 16;
    uint32_t first = j.records;
    bool good = check_list(&j) && check_records(&j, first) && check_target(&j, &target);
    if (good && (dead || !gpu_draw(j.list, j.list_bytes, &target))) {
        (void)fprintf(stderr, "fake_vc4_drm: Resetting GPU.\n");
        dead = fault("never-recovers");
    }
    free_buffer(&j.copy);
    a->seqno = ++seqno;
    return good ? 0 : EINVAL;
}

static int wait_for(void *argument)
{
    const struct drm_vc4_wait_seqno *w = argument;
    return fault("stuck") || w->seqno > seqno ? ETIME : 0;
}

static int tell_parameter(void *argument)
{
    static const uint32_t values[] = {[DRM_VC4_PARAM_V3D_IDENT0] = VC4_REGISTER_IDENT0_VALUE,
                                      [DRM_VC4_PARAM_V3D_IDENT1] = 0xC1102431,
                                      [DRM_VC4_PARAM_V3D_IDENT2] = 0x00000121,
                                      [DRM_VC4_PARAM_SUPPORTS_BRANCHES] = 1,
                                      [DRM_VC4_PARAM_SUPPORTS_ETC1] = 1,
                                      [DRM_VC4_PARAM_SUPPORTS_THREADED_FS] = 1};
    struct drm_vc4_get_param *p = argument;
    if (fault("no-v3d"))
        return ENODEV;
    if (p->pad || p->param >= (fault("old") ? (unsigned)DRM_VC4_PARAM_SUPPORTS_BRANCHES
                                            : sizeof values / sizeof *values))
        return EINVAL;
    p->value = values[p->param];
    return 0;
}

/* ---- all requests ---- */

static int tell_version(void *argument)
{
    static const char *const text[] = {"vc4", "20140616", "Broadcom VC4 graphics"};
    struct drm_version *v = argument;
    struct {
        char **to;
        __kernel_size_t *length;
    } const fields[] = {{&v->name, &v->name_len}, {&v->date, &v->date_len}, {&v->desc, &v->desc_len}};
    for (unsigned i = 0; i < 3; i++) {
        const char *is = i == 0 && fault("other-driver") ? "v3d" : text[i];
        if (*fields[i].to)
            memcpy(*fields[i].to, is, strlen(is) < *fields[i].length ? strlen(is) : *fields[i].length);
        *fields[i].length = strlen(is);
    }
    v->version_major = v->version_minor = v->version_patchlevel = 0;
    return 0;
}

bool fake_ioctl(int fd, unsigned long request, void *argument, int *result)
{
    static const struct {
        unsigned long request;
        int (*answer)(void *argument);
    } requests[] = {
        {DRM_IOCTL_VERSION, tell_version},         {DRM_IOCTL_GEM_CLOSE, close_buffer},
        {DRM_IOCTL_VC4_GET_PARAM, tell_parameter}, {DRM_IOCTL_VC4_CREATE_BO, create_buffer},
        {DRM_IOCTL_VC4_MMAP_BO, tell_offset},      {DRM_IOCTL_VC4_CREATE_SHADER_BO, create_shader},
        {DRM_IOCTL_VC4_SUBMIT_CL, submit},         {DRM_IOCTL_VC4_WAIT_SEQNO, wait_for},
    };
    if (fd != node_fd)
        return false;
    errno = EINVAL;
    for (unsigned i = 0; i < sizeof requests / sizeof *requests; i++)
        if ((uint32_t)requests[i].request == (uint32_t)request)
            errno = requests[i].answer(argument);
    *result = errno ? -1 : 0;
    return true;
}
