/* SPDX-License-Identifier: MIT */
#include "tests/support/support_llvm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATH_ROOM = 64, LINE_ROOM = 1024, COMMAND_ROOM = 512 };

const char *llvm_mc(void)
{
    static char command[128];
    static int present = -1;
    if (present >= 0)
        return present ? command : NULL;
    const char *named = getenv("MISPRINT_LLVM_MC");
    char line[COMMAND_ROOM];
    (void)snprintf(command, sizeof command, "%s", named && *named ? named : "llvm-mc-19");
    (void)snprintf(line, sizeof line, "%s --version 2>/dev/null | grep -q 'LLVM version 19\\.'", command);
    int status = system(line);
    present = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    return present ? command : NULL;
}

/* The folder and files of one run of llvm-mc: input, output and messages. */
struct batch {
    char folder[PATH_ROOM], in[PATH_ROOM + 8], out[PATH_ROOM + 8], err[PATH_ROOM + 8];
};

static bool batch_open(struct batch *b, FILE **input)
{
    (void)snprintf(b->folder, sizeof b->folder, "/tmp/misprint-llvm-XXXXXX");
    if (!mkdtemp(b->folder))
        return false;
    (void)snprintf(b->in, sizeof b->in, "%s/in", b->folder);
    (void)snprintf(b->out, sizeof b->out, "%s/out", b->folder);
    (void)snprintf(b->err, sizeof b->err, "%s/err", b->folder);
    *input = fopen(b->in, "w");
    return *input != NULL;
}

/* Runs llvm-mc. Ignores its exit status, which is 1 if it refuses any line. */
static bool batch_run(const struct batch *b, FILE *input, const char *cpu, const char *options)
{
    char line[COMMAND_ROOM];
    if (fclose(input))
        return false;
    (void)snprintf(line, sizeof line, "%s -triple=amdgcn -mcpu=%s %s <%s >%s 2>%s", llvm_mc(), cpu, options,
                   b->in, b->out, b->err);
    int status = system(line);
    return WIFEXITED(status) && WEXITSTATUS(status) <= 1;
}

static void batch_close(const struct batch *b)
{
    (void)unlink(b->in);
    (void)unlink(b->out);
    (void)unlink(b->err);
    (void)rmdir(b->folder);
}

/* Marks the lines of the input that LLVM's messages name ("<stdin>:17:1: warning: ..."). */
static bool read_refusals(const struct batch *b, size_t count, bool *refused)
{
    char line[LINE_ROOM];
    unsigned long number;
    FILE *f = fopen(b->err, "r");
    if (!f)
        return false;
    memset(refused, 0, count * sizeof *refused);
    while (fgets(line, sizeof line, f))
        if (sscanf(line, "<stdin>:%lu:", &number) == 1 && number >= 1 && number <= count)
            refused[number - 1] = true;
    return fclose(f) == 0;
}

/* Reads the next line of the output that is an instruction. Removes its tab and line end. False at the
 * end. */
static bool next_instruction(FILE *f, char line[LINE_ROOM])
{
    while (fgets(line, LINE_ROOM, f)) {
        line[strcspn(line, "\n")] = 0;
        size_t space = strspn(line, " \t");
        if (line[space] == 0 || line[space] == '.')
            continue;
        memmove(line, line + space, strlen(line + space) + 1);
        return true;
    }
    return false;
}

bool llvm_disassemble_words(const char *cpu, const uint32_t *words, unsigned room,
                            unsigned (*length)(const uint32_t *words), size_t count, char **text)
{
    struct batch b = {"", "", "", ""};
    FILE *f;
    bool *refused = calloc(count, sizeof *refused);
    char line[LINE_ROOM];
    memset(text, 0, count * sizeof *text);
    if (!refused || !batch_open(&b, &f)) {
        free(refused);
        return false;
    }
    for (size_t n = 0; n < count; n++) { /* brackets make LLVM decode each line by itself; bytes left over
                                          * do not join the next line */
        for (unsigned byte = 0; byte < 4 * length(words + room * n); byte++)
            (void)fprintf(f, "%c0x%02x", byte ? ',' : '[',
                          (unsigned)(words[room * n + byte / 4] >> 8 * (byte % 4)) & 0xFF);
        (void)fprintf(f, "]\n");
    }
    bool good = batch_run(&b, f, cpu, "-disassemble") && read_refusals(&b, count, refused) &&
                (f = fopen(b.out, "r")) != NULL;
    for (size_t n = 0; good && n < count; n++)
        if (!refused[n])
            good = next_instruction(f, line) && (text[n] = strdup(line)) != NULL;
    if (good) {
        good = !next_instruction(f, line); /* no line may be left, or lines and instructions do not match */
        (void)fclose(f);
    }
    batch_close(&b);
    free(refused);
    return good;
}

static unsigned two_words(const uint32_t *words)
{
    (void)words;
    return 2;
}

bool llvm_disassemble(const char *cpu, const uint64_t *words, size_t count, char **text)
{
    uint32_t *halves = malloc((2 * count + 1) * sizeof *halves);
    for (size_t n = 0; halves && n < 2 * count; n++)
        halves[n] = (uint32_t)(words[n / 2] >> 32 * (n % 2));
    bool good = halves && llvm_disassemble_words(cpu, halves, 2, two_words, count, text);
    free(halves);
    return good;
}

/* Parses the bytes of "... ; encoding: [0x00,0x00,...]". False unless there are eight. */
static bool read_encoding(const char *line, uint64_t *word)
{
    const char *at = strstr(line, "encoding: [");
    *word = 0;
    if (!at)
        return false;
    at += strlen("encoding: [");
    for (unsigned byte = 0; byte < 8; byte++) {
        char *end;
        *word |= (uint64_t)strtoul(at, &end, 16) << (8 * byte);
        if (end == at || *end != (byte < 7 ? ',' : ']'))
            return false;
        at = end + 1;
    }
    return true;
}

bool llvm_assemble(const char *cpu, char *const *text, size_t count, uint64_t *words, bool *good)
{
    struct batch b = {"", "", "", ""};
    FILE *f;
    char line[LINE_ROOM];
    if (!batch_open(&b, &f))
        return false;
    for (size_t n = 0; n < count; n++)
        (void)fprintf(f, "%s\n", text[n] ? text[n] : "refused");
    bool fine = batch_run(&b, f, cpu, "-show-encoding") && read_refusals(&b, count, good) &&
                (f = fopen(b.out, "r")) != NULL;
    for (size_t n = 0; fine && n < count; n++) {
        good[n] = !good[n];
        if (good[n]) {
            fine = next_instruction(f, line);
            good[n] = fine && read_encoding(line, &words[n]);
        }
    }
    if (fine) {
        fine = !next_instruction(f, line);
        (void)fclose(f);
    }
    batch_close(&b);
    return fine;
}

/* Appends all words of "... ; encoding: [0x00,0x00,...]". */
static bool read_words(const char *line, uint32_t *words, size_t room, size_t *count)
{
    const char *at = strstr(line, "encoding: [");
    if (!at)
        return false;
    at += strlen("encoding: ");
    for (unsigned byte = 0; *at == '[' || *at == ','; byte++) {
        char *end;
        uint32_t value = (uint32_t)strtoul(at + 1, &end, 16);
        if (*count == room)
            return false;
        words[*count] = byte % 4 ? words[*count] | value << 8 * (byte % 4) : value;
        *count += byte % 4 == 3;
        at = end;
    }
    return *at == ']';
}

/* Did the assembler find an error in a line? Prints it. */
static bool refused(const struct batch *b, const char *cpu)
{
    char line[LINE_ROOM] = "no file of errors\n";
    FILE *f = fopen(b->err, "r");
    bool bad = !f;
    while (!bad && fgets(line, sizeof line, f))
        bad = strstr(line, "error:") != NULL;
    if (bad)
        (void)fprintf(stderr, "%s: %s", cpu, line);
    if (f)
        (void)fclose(f);
    return bad;
}

bool llvm_program(const char *cpu, const char *options, const char *text, uint32_t *words, size_t room,
                  size_t *count)
{
    struct batch b = {"", "", "", ""};
    FILE *f;
    char line[LINE_ROOM], all[128];
    *count = 0;
    if (!batch_open(&b, &f))
        return false;
    (void)fputs(text, f);
    (void)snprintf(all, sizeof all, "-show-encoding %s", options);
    FILE *made = batch_run(&b, f, cpu, all) && !refused(&b, cpu) ? fopen(b.out, "r") : NULL;
    bool good = made != NULL;
    while (good && next_instruction(made, line))
        good = read_words(line, words, room, count);
    if (made)
        (void)fclose(made);
    batch_close(&b);
    return good;
}

void llvm_free(char **text, size_t count)
{
    for (size_t n = 0; n < count; n++)
        free(text[n]);
}
