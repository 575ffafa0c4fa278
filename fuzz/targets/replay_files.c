/* SPDX-License-Identifier: MIT */
/*
 * Runs a target once on each given file and on each file of the given folders. Needs no fuzzing engine, and
 * works with any compiler. Knows no option of libFuzzer. Fails if there is no input at all.
 */
#include "fuzz/targets/target.h"

#include "oracle/files/file.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

__attribute__((weak)) int LLVMFuzzerInitialize(int *argc, char ***argv);

static unsigned long inputs;

static void run_file(const char *path)
{
    struct error e = {0};
    size_t count;
    char *bytes = file_read(path, &count, &e);
    if (!bytes) {
        (void)fprintf(stderr, "%s\n", e.text);
        exit(3);
    }
    uint8_t *exact =
        malloc(count ? count : 1); /* file_read adds a NUL, which would hide a read past the end */
    if (!exact)
        exit(3);
    for (size_t i = 0; i < count; i++)
        exact[i] = (uint8_t)bytes[i];
    free(bytes);
    (void)LLVMFuzzerTestOneInput(exact, count);
    free(exact);
    inputs++;
}

static void run_path(const char *path)
{
    struct stat s;
    DIR *folder = stat(path, &s) == 0 && S_ISDIR(s.st_mode) ? opendir(path) : NULL;
    if (!folder) {
        run_file(path);
        return;
    }
    for (const struct dirent *d; (d = readdir(folder));) {
        char child[FILE_PATH_MAX];
        if (d->d_name[0] != '.' &&
            (size_t)snprintf(child, sizeof child, "%s/%s", path, d->d_name) < sizeof child)
            run_path(child);
    }
    (void)closedir(folder);
}

int main(int argc, char **argv)
{
    if (LLVMFuzzerInitialize)
        LLVMFuzzerInitialize(&argc, &argv);
    for (int i = 1; i < argc; i++)
        run_path(argv[i]);
    printf("%lu inputs\n", inputs);
    return inputs ? 0 : 2;
}
