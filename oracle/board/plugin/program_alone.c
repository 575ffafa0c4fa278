/* SPDX-License-Identifier: MIT */
#include "oracle/board/plugin/program_alone.h"

#include "oracle/board/plugin/plugin_library.h"

#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* What the child tells its parent, in shared memory. */
struct report {
    bool done;
    uint32_t end;
    char description[256], message[256], error[ERROR_TEXT_MAX];
};

uint32_t *program_alone_memory(size_t bytes, struct error *e)
{
    void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (at != MAP_FAILED)
        return at;
    error_memory(e, "for a program's memory");
    return NULL;
}

void program_alone_free(uint32_t *memory, size_t bytes)
{
    if (memory)
        munmap(memory, bytes);
}

static bool run_library(const struct misprint_program_board *board, const char *options, const struct unit *u,
                        struct misprint_program *p, struct report *r, struct error *e)
{
    struct plugin_library description = {0};
    struct misprint_about about;
    if (!board->open || !board->run || !board->close)
        return error_set(e, "its misprint_program_board lacks open, run or close");
    plugin_describe(&description, u);
    plugin_preset(&about, options, board->description, board->provenance);
    about.memory_base = p->memory_base;
    about.code_base = p->code;
    void *state = board->open(&description.unit, &about);
    if (!plugin_check_about(&about, state, e))
        return false;
    if (about.memory_base != p->memory_base)
        return error_set(e, "its memory begins at %08lx; a program without a case has memory from %08lx on",
                         (unsigned long)about.memory_base, (unsigned long)p->memory_base);
    memcpy(r->description, about.description, sizeof r->description);
    r->end = board->run(state, p);
    memcpy(r->message, p->message, sizeof r->message);
    r->done = true;
    board->close(state);
    return true;
}

/* Loads the library and runs the program in this process. */
static void run_here(const char *argument, const struct unit *u, struct misprint_program *p, struct report *r)
{
    char *file = NULL, *options = NULL;
    bool in_process; /* the option `inline` changes nothing here */
    void *handle = NULL;
    struct error e = {0};
    bool good = plugin_argument(argument, &file, &options, &in_process, &e);
    const struct misprint_program_board *board =
        good ? plugin_symbol(file, "misprint_program_board", &handle, &e) : NULL;
    if (!board || !run_library(board, options, u, p, r, &e))
        (void)snprintf(r->error, sizeof r->error, "%s", e.text);
}

static bool take_report(struct report *r, struct program_alone *p, int status, struct error *e)
{
    r->error[sizeof r->error - 1] = r->message[sizeof r->message - 1] = 0;
    r->description[sizeof r->description - 1] = 0;
    if (r->error[0])
        return error_set(e, "%s", r->error);
    if (!r->done && WIFSIGNALED(status))
        return error_set(e, "the library crashed (signal %d, %s)", WTERMSIG(status),
                         strsignal(WTERMSIG(status)));
    if (!r->done)
        return error_set(e, "the library ended its process with exit status %d", WEXITSTATUS(status));
    if (r->end == MISPRINT_REFUSED)
        return error_set(e, "it refused the program: %s", r->message[0] ? r->message : "it gave no reason");
    if (r->end > MISPRINT_REFUSED)
        return error_set(e, "it set its end to %lu", (unsigned long)r->end);
    p->end = (enum end)r->end;
    text_copy_utf8(p->description, sizeof p->description, r->description, strlen(r->description));
    text_copy_utf8(p->program.message, sizeof p->program.message, r->message, strlen(r->message));
    return true;
}

bool program_alone_run(const char *argument, const struct unit *u, struct program_alone *p, struct error *e)
{
    struct report *r = (void *)program_alone_memory(sizeof *r, e);
    if (!r)
        return false;
    (void)fflush(NULL);
    pid_t parent = getpid(), pid = fork();
    if (pid == 0) {
        (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
        (void)signal(SIGINT, SIG_DFL);
        /* Standard output is the command's own. */
        if (getppid() != parent || dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
            _exit(1);
        run_here(argument, u, &p->program, r);
        _exit(0);
    }
    int status = 0;
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    bool good =
        pid < 0 ? error_set(e, "cannot start a process (%s)", strerror(errno)) : take_report(r, p, status, e);
    e->of_machine |= !good;
    program_alone_free((uint32_t *)(void *)r, sizeof *r);
    return good || error_where(e, "board program:%.160s", argument);
}
