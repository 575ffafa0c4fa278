/* SPDX-License-Identifier: MIT */
/* `drm[:DRIVER][:NODE]`: a GPU of this machine through its kernel driver's render node. DRIVER defaults to
 * vc4, NODE to the first node of the driver. The back end of the driver (board_drm.h) does the work. */
#include "oracle/board/board_drm.h"

#include <string.h>

static const struct {
    const char *name;
    const struct board_kind *kind; /* NULL: this build lacks the library for it */
} drivers[] = {
#ifdef HAVE_LIBDRM
    {"vc4", &board_drm_vc4},
    {"v3d", &board_drm_v3d},
#else
    {"vc4", NULL},
    {"v3d", NULL},
#endif
#ifdef HAVE_AMDGPU
    {"amdgpu", &board_drm_amdgpu},
#else
    {"amdgpu", NULL},
#endif
};

static const struct board_kind *find_driver(const char *name, size_t length, struct error *e)
{
    for (unsigned i = 0; i < sizeof drivers / sizeof *drivers; i++) {
        if (strlen(drivers[i].name) != length || memcmp(drivers[i].name, name, length) != 0)
            continue;
        if (!drivers[i].kind)
            error_set(e,
                      "board drm:%s: this misprint was built without libdrm; install libdrm-dev, build again",
                      drivers[i].name);
        return drivers[i].kind;
    }
    error_set(
        e,
        "board drm:%.*s: no such driver; there are: vc4, v3d, amdgpu; write a node with its path, as in "
        "drm:/dev/dri/renderD128",
        length > 40 ? 40 : (int)length, name);
    return NULL;
}

/* Splits the argument into the back end and the node. NULL with an error. */
static const struct board_kind *choose(const char *argument, const char **node, struct error *e)
{
    bool named = *argument && *argument != '/';
    size_t length = named ? strcspn(argument, ":") : 0;
    *node = argument + length + (argument[length] == ':');
    return find_driver(named ? argument : "vc4", named ? length : 3, e);
}

static bool drm_take(struct board *b, const char *argument, struct error *e)
{
    const char *node;
    const struct board_kind *kind = choose(argument, &node, e);
    return kind && (kind->take(b, node, e) || error_where(e, "board %.120s", b->identity.spec));
}

static bool drm_open_board(struct board *b, const char *argument, struct error *e)
{
    const char *node;
    const struct board_kind *kind = choose(argument, &node, e);
    if (!kind)
        return false;
    if (!kind->open(b, node, e))
        return error_where(e, "board %.120s", b->identity.spec);
    b->kind = kind;
    return true;
}

/* Closes a board that was taken but not opened. Opening replaces b->kind by the back end. */
static void drm_close_board(struct board *b)
{
    const char *node;
    struct error ignored = {0};
    const struct board_kind *kind = choose(b->argument, &node, &ignored);
    if (kind)
        kind->close(b);
}

const struct board_kind board_drm = {
    .is_hardware = true,
    .name = "drm",
    .form = "drm[:DRIVER][:NODE]",
    .about = "a GPU of this machine through its kernel driver's render node: the QPUs of a Raspberry Pi 1 to "
             "3 (vc4, the default), those of a Raspberry Pi 4 or 5 (v3d), an AMD GPU (amdgpu)",
    .take = drm_take,
    .open = drm_open_board,
    .close = drm_close_board,
};
