/* SPDX-License-Identifier: MIT */
/*
 * `drm[:DRIVER][:NODE]`: a GPU of this machine through its kernel driver's
 * render node. DRIVER is vc4 where it is left out, NODE the first that the
 * driver has. Hands over to the driver's back end (board_drm.h).
 */
#include "oracle/board_drm.h"

#include "model/text.h"

#include <string.h>

static const struct {
    const char *name;
    const struct board_kind *kind; /* NULL: this build has not the library that it needs */
} drivers[] = {
#ifdef HAVE_LIBDRM
    {"vc4", &board_drm_vc4},
#else
    {"vc4", NULL},
#endif
#ifdef HAVE_AMDGPU
    {"amdgpu", &board_drm_amdgpu},
#else
    {"amdgpu", NULL},
#endif
    {NULL, NULL},
};

static const struct board_kind *find_driver(const char *name, size_t length, struct error *e)
{
    struct text names = {0};
    for (unsigned i = 0; drivers[i].name; i++) {
        if (strlen(drivers[i].name) == length && !memcmp(drivers[i].name, name, length)) {
            if (!drivers[i].kind)
                error_set(e, "board drm:%s: this misprint was built without libdrm; install libdrm-dev and build it again", drivers[i].name);
            text_free(&names);
            return drivers[i].kind;
        }
        text_add(&names, "%s%s", i ? ", " : "", drivers[i].name);
    }
    error_set(e, "board drm:%.*s: no such driver; there are: %s; a node is written with its path, drm:/dev/dri/renderD128",
              length > 40 ? 40 : (int)length, name, text_chars(&names));
    text_free(&names);
    return NULL;
}

static bool drm_open_board(struct board *b, const char *argument, struct error *e)
{
    static const char usual[] = "vc4";
    bool named = *argument && *argument != '/';
    size_t length = named ? strcspn(argument, ":") : 0;
    const char *node = argument + length + (argument[length] == ':');
    const struct board_kind *kind = named ? find_driver(argument, length, e) : find_driver(usual, sizeof usual - 1, e);
    if (!kind)
        return false;
    if (!kind->open(b, node, e))
        return error_where(e, "board %.120s", b->identity.spec);
    b->kind = kind;
    return true;
}

const struct board_kind board_drm = {
    .name = "drm",
    .form = "drm[:DRIVER][:NODE]",
    .about =
        "a GPU of this machine through its kernel driver's render node: the QPUs of a Raspberry Pi 1 to 3 (vc4, the default), an AMD GPU (amdgpu)",
    .open = drm_open_board,
};
