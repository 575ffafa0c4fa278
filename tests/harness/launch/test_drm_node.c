/* SPDX-License-Identifier: MIT */
/*
 * Which render node is opened (harness/launch/drm.h), on a table of nodes instead of /dev/dri. Linux gives
 * render nodes the minor numbers 128 to 191 (its page on the user space of DRM), opens them with
 * open(2), and reports their driver through DRM_IOCTL_VERSION, whose text need not end with a 0.
 */
#if __has_include(<xf86drm.h>)
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>
#include <xf86drm.h>

static int open_node(const char *path, int flags);
static int close_node(int fd);
static int lock_node(int fd, int operation);
static drmVersionPtr version_of(int fd);
static void free_version(drmVersionPtr v);
static int ask_node(int fd, unsigned long request, void *argument);

#define open           open_node
#define close          close_node
#define flock          lock_node
#define drmGetVersion  version_of
#define drmFreeVersion free_version
#define drmIoctl       ask_node
#include "harness/launch/drm.c" /* NOLINT(bugprone-suspicious-include): on the nodes of this test */
#undef open
#undef close
#undef flock
#undef drmGetVersion
#undef drmFreeVersion
#undef drmIoctl
#define HAVE_DRM 1
#endif

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#ifdef HAVE_DRM
enum { NODES_MAX = 4, FIRST_FD = 0 };

/* A node that exists. `error` is what open gives, or 0. Without a driver it is no DRM device. */
struct node {
    const char *path, *driver;
    int error;
    bool locked;
};

static struct node node[NODES_MAX];
static int opened[NODES_MAX], versions; /* times that each node is open; versions that are not freed */
static char looked[8][64];              /* the last paths that were tried */
static unsigned looks;

static void use(const struct node *n, size_t count)
{
    memset(node, 0, sizeof node);
    memset(opened, 0, sizeof opened);
    memcpy(node, n, count * sizeof *n);
    looks = 0;
}

static int open_node(const char *path, int flags)
{
    (void)snprintf(looked[looks++ % 8], sizeof looked[0], "%s", path);
    assert_int_equal(flags, O_RDWR | O_CLOEXEC);
    for (int i = 0; i < NODES_MAX; i++)
        if (node[i].path && !strcmp(node[i].path, path)) {
            errno = node[i].error;
            opened[i] += !errno;
            return errno ? -1 : FIRST_FD + i;
        }
    errno = ENOENT;
    return -1;
}

static int close_node(int fd)
{
    assert_true(fd >= FIRST_FD && fd < FIRST_FD + NODES_MAX);
    assert_int_equal(opened[fd - FIRST_FD]--, 1);
    errno = 0;
    return 0;
}

static int lock_node(int fd, int operation)
{
    assert_int_equal(operation, LOCK_EX | LOCK_NB);
    assert_int_equal(opened[fd - FIRST_FD], 1);
    errno = node[fd - FIRST_FD].locked ? EWOULDBLOCK : 0;
    return errno ? -1 : 0;
}

static drmVersionPtr version_of(int fd)
{
    static char name[64];
    static drmVersion v;
    const char *driver = node[fd - FIRST_FD].driver;
    if (!driver)
        return NULL;
    (void)snprintf(name, sizeof name, "%s and more", driver);
    v = (drmVersion){.version_major = 3, .version_minor = 49, .version_patchlevel = 17};
    v.name = name;
    v.name_len = (int)strlen(driver);
    versions++;
    return &v;
}

static void free_version(drmVersionPtr v)
{
    assert_non_null(v);
    versions--;
}

/* Answers request 7 with its argument's value, and no other. */
static int ask_node(int fd, unsigned long request, void *argument)
{
    assert_int_equal(fd, FIRST_FD + 3);
    errno = EINTR; /* left over from a signal */
    if (request == 7)
        return *(int *)argument = 99, 0;
    errno = EINVAL;
    return -1;
}

static int open_count(void)
{
    int count = 0;
    for (int i = 0; i < NODES_MAX; i++)
        count += opened[i];
    return count;
}

/* Opening fails, leaves nothing open, and the message contains these words. */
static void fails(const char *path, const char *words, const char *more)
{
    struct drm_node n;
    struct error e = {0};
    assert_false(drm_open(&n, "vc4", path, "load the driver", &e));
    if (!strstr(e.text, words) || !strstr(e.text, more))
        fail_msg("'%s' lacks '%s' or '%s'", e.text, words, more);
    assert_true(e.of_machine);
    assert_int_equal(n.fd, -1);
    assert_int_equal(open_count(), 0);
    assert_int_equal(versions, 0);
}

static void opens(const char *path, int which)
{
    struct drm_node n;
    struct error e = {0};
    if (!drm_open(&n, "vc4", path, "load the driver", &e))
        fail_msg("%s", e.text);
    assert_string_equal(n.path, node[which].path);
    assert_string_equal(n.driver, "vc4");
    assert_int_equal(n.fd, FIRST_FD + which);
    assert_int_equal(n.version[0], 3);
    assert_int_equal(n.version[1], 49);
    assert_int_equal(n.version[2], 17);
    assert_int_equal(open_count(), 1);
    assert_int_equal(versions, 0);
    drm_close(&n);
    drm_close(&n); /* does nothing */
    assert_int_equal(n.fd, -1);
    assert_int_equal(open_count(), 0);
}

#define USE(...)                                                                                             \
    do {                                                                                                     \
        static const struct node table[] = {__VA_ARGS__};                                                    \
        use(table, sizeof table / sizeof *table);                                                            \
    } while (0)

static void the_first_node_of_the_driver_is_opened(void **state)
{
    (void)state;
    USE({"/dev/dri/renderD128", "i915", 0, false}, {"/dev/dri/renderD131", "vc4", 0, false},
        {"/dev/dri/renderD132", "vc4", 0, false});
    opens("", 1);
    assert_string_equal(looked[0], "/dev/dri/renderD128");
    assert_int_equal(looks, 4);
    USE({"/dev/dri/renderD191", "vc4", 0, false});
    opens("", 0);
    /* A node without permission, or that is no DRM device, does not hide a later node. */
    USE({"/dev/dri/renderD128", "vc4", EACCES, false}, {"/dev/dri/renderD129", NULL, 0, false},
        {"/dev/dri/renderD130", "vc4", 0, false});
    opens("", 2);
}

static void a_named_node_is_opened(void **state)
{
    (void)state;
    USE({"/dev/dri/renderD128", "vc4", 0, false}, {"/dev/dri/card1", "vc4", 0, false});
    opens("/dev/dri/card1", 1);
    assert_int_equal(looks, 1);
}

static void without_a_node_the_message_lists_the_others(void **state)
{
    (void)state;
    USE({"/dev/dri/renderD192", "vc4", 0, false}, {"/dev/dri/renderD127", "vc4", 0, false});
    fails("", "no render node /dev/dri/renderD* has the kernel driver vc4; load the driver", "");
    assert_string_equal(looked[(looks - 1) % 8], "/dev/dri/renderD191");
    assert_int_equal(looks, 64);
    USE({"/dev/dri/renderD128", "i915", 0, false}, {"/dev/dri/renderD130", "v3d", 0, false});
    fails("", "vc4 (/dev/dri/renderD128 has i915, /dev/dri/renderD130 has v3d); load the driver", "");
    USE({"/dev/dri/renderD128", "vc", 0, false}, {"/dev/dri/renderD129", "vc44", 0, false});
    fails("", "has the kernel driver vc4 (", "");
}

static void a_node_without_permission_is_the_reason(void **state)
{
    (void)state;
    USE({"/dev/dri/renderD128", "i915", 0, false}, {"/dev/dri/renderD129", "vc4", EACCES, false});
    fails("", "no permission to open /dev/dri/renderD129", "usermod -aG render");
    USE({"/dev/dri/renderD140", "vc4", EPERM, false});
    fails("", "no permission to open /dev/dri/renderD140", "usermod -aG render");
    fails("/dev/dri/renderD140", "no permission to open /dev/dri/renderD140", "usermod -aG render");
    USE({"/dev/dri/renderD140", "vc4", EBUSY, false});
    fails("", "no render node /dev/dri/renderD*", "load the driver");
}

static void a_wrong_node_is_named_with_the_reason(void **state)
{
    (void)state;
    USE({"/dev/null", NULL, 0, false}, {"/dev/dri/card0", "i915", 0, false},
        {"/dev/dri/card1", "vc4", 0, true}, {"/dev/dri/card2", "vc4", EACCES, false});
    fails("/dev/null", "/dev/null is not a render node", "");
    fails("/dev/dri/card0", "/dev/dri/card0 has the driver i915, not vc4", "load the driver");
    fails("/dev/dri/card1", "/dev/dri/card1 is in use by another Misprint", "--jobs 1");
    fails("/dev/dri/card2", "no permission to open /dev/dri/card2", "render");
    fails("/dev/dri/card3", "cannot open /dev/dri/card3 (No such file or directory)", "");
}

static void requests_return_the_errno(void **state)
{
    (void)state;
    struct drm_node n = {.fd = FIRST_FD + 3};
    int answer = 0;
    assert_int_equal(drm_ask(&n, 7, &answer), 0);
    assert_int_equal(answer, 99);
    assert_int_equal(drm_ask(&n, 8, &answer), EINVAL);
    int end[2];
    assert_int_equal(pipe(end), 0); /* a pipe has no memory to map */
    n.fd = end[0];
    assert_null(drm_map(&n, 0, 4096));
    (void)close(end[0]);
    (void)close(end[1]);
    n.fd = memfd_create("node", 0);
    assert_int_equal(ftruncate(n.fd, 3 * 65536), 0);
    assert_int_equal(pwrite(n.fd, "second", 7, 65536), 7);
    char *at = drm_map(&n, 65536, 4096);
    assert_string_equal(at, "second");
    at[0] = 'S'; /* shared with the device, not a copy */
    char back;
    assert_int_equal(pread(n.fd, &back, 1, 65536), 1);
    assert_int_equal(back, 'S');
    (void)munmap(at, 4096);
    (void)close(n.fd);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_node_of_the_driver_is_opened),
        cmocka_unit_test(a_named_node_is_opened),
        cmocka_unit_test(without_a_node_the_message_lists_the_others),
        cmocka_unit_test(a_node_without_permission_is_the_reason),
        cmocka_unit_test(a_wrong_node_is_named_with_the_reason),
        cmocka_unit_test(requests_return_the_errno),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
#else
int main(void)
{
    return 77;
}
#endif
