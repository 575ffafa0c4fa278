/* SPDX-License-Identifier: MIT */
#include "oracle/board/board_child.h"

#include "harness/system/clock.h"
#include "model/core/memory.h"
#include "oracle/board/board.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* The process groups of all children, for board_kill_all, which runs in signal handlers. It cannot kill
 * children for which the array has no room; these only notice that their standard input ends. */
static _Atomic pid_t group[1024];
enum { GROUPS = sizeof group / sizeof *group };

static void replace_group(pid_t was, pid_t is)
{
    for (unsigned i = 0; i < GROUPS; i++) {
        pid_t expected = was;
        if (atomic_compare_exchange_strong(&group[i], &expected, is))
            return;
    }
}

static atomic_uint kills;

void board_kill_all(void)
{
    atomic_fetch_add(&kills, 1); /* before the kills, so that no other thread starts a child during them */
    for (unsigned i = 0; i < GROUPS; i++) {
        pid_t leader = atomic_load(&group[i]);
        if (leader > 0)
            kill(-leader, SIGKILL);
    }
}

unsigned board_child_kills(void)
{
    return atomic_load(&kills);
}

/* Starts a program whose descriptors `files` prepared. Takes both ends of the socket. */
static bool spawn(struct board_child *c, const char *program, char *const *words, char *const *environment,
                  const int pair[2], posix_spawn_file_actions_t *files, struct error *e)
{
    posix_spawnattr_t how;
    sigset_t pipe_signal, none;
    sigemptyset(&none);
    sigemptyset(&pipe_signal);
    sigaddset(&pipe_signal, SIGPIPE);
    posix_spawnattr_init(&how);
    posix_spawnattr_setflags(&how, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
    posix_spawnattr_setpgroup(&how, 0);
    posix_spawnattr_setsigdefault(&how, &pipe_signal);
    posix_spawnattr_setsigmask(&how, &none);
    int why = posix_spawnp(&c->pid, program, files, &how, words, environment);
    posix_spawnattr_destroy(&how);
    posix_spawn_file_actions_destroy(files);
    close(pair[1]);
    if (why != 0) {
        close(pair[0]);
        c->pid = 0;
        return error_set(e, "cannot start %s (%s)", program, strerror(why));
    }
    replace_group(0, c->pid);
    c->fd = pair[0];
    return true;
}

static bool make_socket(struct board_child *c, int type, int pair[2], struct error *e)
{
    *c = (struct board_child){.fd = -1};
    return socketpair(AF_UNIX, type | SOCK_CLOEXEC, 0, pair) == 0 ||
           error_set(e, "cannot make a socket (%s)", strerror(errno));
}

static bool start_words(struct board_child *c, char *const *words, struct error *e)
{
    int pair[2];
    posix_spawn_file_actions_t files;
    if (!make_socket(c, SOCK_STREAM, pair, e))
        return false;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, pair[1], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&files, pair[1], STDOUT_FILENO);
    return spawn(c, words[0], words, environ, pair, &files, e);
}

/* Starts a command that is nothing but words, without the shell, which takes 0.6 ms. False if it is more, or
 * if its first word is no program, because it may be a command of the shell. */
static bool start_plain(struct board_child *c, const char *command)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=,+@% \t";
    enum { WORDS = 64 };
    struct error ignored;
    char *words[WORDS + 1], *rest = NULL;
    unsigned count = 0;
    if (command[strspn(command, plain)])
        return false;
    char *copy = memory_string(command);
    for (char *word = strtok_r(copy, " \t", &rest); word && count <= WORDS;
         word = strtok_r(NULL, " \t", &rest))
        if (count || strcmp(word, "exec") != 0)
            words[count++] = word;
    bool good = count && count <= WORDS && !strchr(words[0], '='); /* NAME=VALUE sets a variable */
    words[good ? count : 0] = NULL;
    good = good && start_words(c, words, &ignored);
    free(copy);
    return good;
}

bool board_child_start(struct board_child *c, const char *command, struct error *e)
{
    char *const words[] = {(char *)(uintptr_t) "/bin/sh", (char *)(uintptr_t) "-c",
                           (char *)(uintptr_t)command, NULL};
    return start_plain(c, command) || start_words(c, words, e);
}

/* Returns the environment, with one more variable. Free only the array. */
static char **environment_with(const char *variable)
{
    size_t count = 0;
    while (environ[count])
        count++;
    char **all = memory_new(count + 2, sizeof *all);
    all[0] = (char *)(uintptr_t)variable;
    memcpy(all + 1, environ, count * sizeof *all);
    return all;
}

bool board_child_start_again(struct board_child *c, char *const *words, int memory, struct error *e)
{
    enum { SOCKET = 3, MEMORY = 4, ABOVE = 16 };
    int pair[2], high[2];
    posix_spawn_file_actions_t files;
    if (!make_socket(c, SOCK_SEQPACKET, pair, e))
        return false;
    /* Copies with high numbers, because the actions below replace 3 and 4 one after the other. */
    high[0] = fcntl(pair[1], F_DUPFD_CLOEXEC, ABOVE);
    high[1] = fcntl(memory, F_DUPFD_CLOEXEC, ABOVE);
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&files, STDERR_FILENO, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&files, high[0], SOCKET);
    posix_spawn_file_actions_adddup2(&files, high[1], MEMORY);
    /* Otherwise each process that the child forks finds its symbols again, with 20 page faults. */
    char **environment = environment_with("LD_BIND_NOW=1");
    bool good = spawn(c, "/proc/self/exe", words, environment, pair, &files, e);
    free(environment);
    close(high[0]);
    close(high[1]);
    return good;
}

/*
 * Waits until no process holds the other end of the socket, so that no two children use one device at a time.
 * A killed process closes its end when its last system call returns, which takes a while for a GPU's device.
 * A process that left the process group is not killed; it only notices that the socket was closed.
 */
static void await_gone(int fd)
{
    enum { GONE_MS = 5000 };
    struct pollfd closed = {.fd = fd}; /* poll always reports POLLHUP */
    (void)shutdown(fd, SHUT_WR);
    for (int64_t deadline = clock_ms() + GONE_MS, left = GONE_MS; left > 0; left = deadline - clock_ms())
        if (poll(&closed, 1, (int)left) >= 0 || errno != EINTR)
            return;
}

void board_child_kill(struct board_child *c)
{
    if (c->pid > 0)
        kill(-c->pid, SIGKILL);
    if (c->fd >= 0) {
        await_gone(c->fd);
        close(c->fd);
    }
    c->fd = -1;
    if (c->pid > 0) {
        replace_group(c->pid, 0);
        while (waitpid(c->pid, NULL, 0) < 0 && errno == EINTR)
            ;
    }
    c->pid = 0;
}

/* Waits for the child's end, but does not reap it: until board_child_kill, no other process group can get its
 * number. */
static bool await_end(const struct board_child *c, int64_t deadline, siginfo_t *how)
{
    for (long pause = 50000;; pause = pause < 2000000 ? 2 * pause : pause) { /* ns; usually it has ended */
        *how = (siginfo_t){0};
        if (waitid(P_PID, (id_t)c->pid, how, WEXITED | WNOHANG | WNOWAIT) == 0 ? how->si_pid == c->pid
                                                                               : errno != EINTR)
            return true;
        if (clock_ms() >= deadline)
            return false;
        nanosleep(&(struct timespec){.tv_nsec = pause}, NULL);
    }
}

void board_child_await_end(const struct board_child *c, int64_t deadline)
{
    siginfo_t how;
    (void)await_end(c, deadline, &how);
}

int board_child_describe_end(const struct board_child *c, int64_t deadline, const char *when, struct error *e)
{
    siginfo_t how;
    if (!await_end(c, deadline, &how)) {
        error_set(e, "the command closed its output %s", when);
    } else if (how.si_code == CLD_EXITED) {
        error_set(e, "the command ended with exit status %d %s", how.si_status, when);
        return how.si_status;
    } else {
        error_set(e, "the command was ended by signal %d %s", how.si_status, when);
    }
    return -1;
}
