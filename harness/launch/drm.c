/* SPDX-License-Identifier: MIT */
#include "harness/launch/drm.h"

#include "model/text/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <unistd.h>
#include <xf86drm.h>

enum { NODE_FIRST = 128, NODE_LAST = 191 }; /* minor numbers of render nodes */

/* Opens a node and asks for its driver. False with errno. */
static bool try_node(struct drm_node *n, const char *path)
{
    *n = (struct drm_node){.fd = -1};
    (void)snprintf(n->path, sizeof n->path, "%s", path);
    int fd = open(path, O_RDWR | O_CLOEXEC);
    if (fd < 0)
        return false;
    drmVersionPtr v = drmGetVersion(fd);
    if (!v) {
        close(fd);
        errno = ENOTTY;
        return false;
    }
    (void)snprintf(n->driver, sizeof n->driver, "%.*s", v->name_len, v->name);
    n->version[0] = v->version_major;
    n->version[1] = v->version_minor;
    n->version[2] = v->version_patchlevel;
    drmFreeVersion(v);
    n->fd = fd;
    return true;
}

static bool cannot_open(const struct drm_node *n, struct error *e)
{
    if (errno == EACCES || errno == EPERM)
        return error_set(e,
                         "no permission to open %s; join its group (sudo usermod -aG render $USER, then log "
                         "in again)",
                         n->path);
    if (errno == ENOTTY)
        return error_set(e, "%s is not a render node", n->path);
    return error_set(e, "cannot open %s (%s)", n->path, strerror(errno));
}

/* Finds the first node with this driver. False with an error that lists the drivers of the other nodes. */
static bool find(struct drm_node *n, const char *driver, const char *advice, struct error *e)
{
    struct text others = {0};
    struct error no_right = {0};
    bool found = false;
    for (int i = NODE_FIRST; i <= NODE_LAST && !found; i++) {
        char path[32];
        (void)snprintf(path, sizeof path, "/dev/dri/renderD%d", i);
        if (try_node(n, path)) {
            found = !strcmp(n->driver, driver);
            if (!found) {
                text_add(&others, "%s%s has %s", others.length ? ", " : "", path, n->driver);
                drm_close(n);
            }
        } else if (errno == EACCES || errno == EPERM) {
            (void)cannot_open(n, &no_right);
        }
    }
    if (!found && *no_right.text)
        *e = no_right;
    else if (!found)
        error_set(e, "no render node /dev/dri/renderD* has the kernel driver %s%s%.150s%s; %s", driver,
                  others.length ? " (" : "", text_chars(&others), others.length ? ")" : "", advice);
    text_free(&others);
    return found;
}

bool drm_open(struct drm_node *n, const char *driver, const char *path, const char *advice, struct error *e)
{
    if (!*path ? !find(n, driver, advice, e) : !try_node(n, path) && !cannot_open(n, e))
        return error_of_machine(e);
    if (strcmp(n->driver, driver) != 0)
        error_set(e, "%s has the driver %s, not %s; %s", n->path, n->driver, driver, advice);
    else if (flock(n->fd, LOCK_EX | LOCK_NB) == 0)
        return true;
    else
        error_set(e,
                  "%s is in use by another Misprint or another job of this one; wait for its end, and use "
                  "--jobs 1",
                  n->path);
    drm_close(n);
    return error_of_machine(e);
}

void drm_close(struct drm_node *n)
{
    if (n->fd >= 0)
        close(n->fd);
    n->fd = -1;
}

int drm_ask(const struct drm_node *n, unsigned long request, void *argument)
{
    return drmIoctl(n->fd, request, argument) == 0 ? 0 : errno;
}

void *drm_map(const struct drm_node *n, uint64_t offset, size_t bytes)
{
    void *at = mmap64(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, n->fd, (off64_t)offset);
    return at == MAP_FAILED ? NULL : at;
}
