/* SPDX-License-Identifier: MIT */
#include "cli/session/state.h"

#include "oracle/describe/escape.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { STATE_PATH = 2048, CAMPAIGNS_MAX = 100000 };

/* Writes the state folder's path. The XDG Base Directory Specification ignores relative paths. */
static bool find_state(char path[STATE_PATH], struct error *e)
{
    const char *named = getenv("MISPRINT_STATE"), *xdg = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    int length;
    if (named && !*named)
        return error_set(e, "MISPRINT_STATE is empty");
    if (named)
        length = snprintf(path, STATE_PATH, "%s", named);
    else if (xdg && *xdg == '/')
        length = snprintf(path, STATE_PATH, "%s/misprint", xdg);
    else if (home && *home == '/')
        length = snprintf(path, STATE_PATH, "%s/.local/state/misprint", home);
    else
        return error_set(e, "HOME is not set");
    return length < STATE_PATH || error_set(e, "the path of the state folder is too long");
}

/* Makes a directory and all above it. */
static bool make_all(char *path, struct error *e)
{
    for (char *slash = strchr(path + 1, '/');; slash = strchr(slash + 1, '/')) {
        if (slash)
            *slash = 0;
        bool made = mkdir(path, 0700) == 0 || errno == EEXIST || errno == EISDIR || errno == EROFS;
        int why = errno;
        if (slash)
            *slash = '/';
        if (!made)
            return error_set(e, "%s: %s", path, strerror(why));
        if (!slash)
            return true;
    }
}

bool state_make_campaign(const char *unit, char *path, size_t room, struct error *e)
{
    char state[STATE_PATH];
    if (!find_state(state, e) || !make_all(state, e))
        return false;
    for (unsigned n = 1; n < CAMPAIGNS_MAX; n++) {
        if ((size_t)snprintf(path, room, "%s/%s-%u", state, unit, n) >= room)
            return error_set(e, "the path of the state folder is too long");
        if (mkdir(path, 0777) == 0)
            return true;
        if (errno != EEXIST)
            break;
    }
    return error_set(e, "%s: %s", path, strerror(errno));
}

void state_add_path(struct text *t, const char *path)
{
    const char *home = getenv("HOME");
    size_t length = home ? strlen(home) : 0;
    if (length > 1 && !strncmp(path, home, length) && path[length] == '/') {
        text_add(t, "~/");
        path += length + 1;
    }
    escape_shell(t, path);
}
