/* SPDX-License-Identifier: MIT */
/* The reader accepts any bytes as a file of instruction words, or refuses them with a reason. Accepted words
 * that are written as hexadecimal text read as the same words. */
#include "fuzz/targets/target.h"

#include "oracle/files/words.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    struct words w = {0}, again = {0};
    struct error e = {0};
    struct text t = {0};
    char *chars = malloc(count + 1); /* with a NUL at the end, as file_read gives it */
    if (!chars)
        return 0;
    memcpy(chars, bytes, count);
    chars[count] = 0;
    if (words_read("input", chars, count, &w, &e)) {
        for (size_t i = 0; i < w.count; i++)
            text_add(&t, "%08x\n", w.word[i]);
        if (!words_read("input", text_chars(&t), t.length, &again, &e))
            target_violated("what was printed cannot be read: %s", e.text);
        if (again.count != w.count || (w.count && memcmp(w.word, again.word, w.count * sizeof *w.word) != 0))
            target_violated("what was printed reads as other words");
    } else {
        target_check_refusal(&e);
    }
    text_free(&t);
    free(w.word);
    free(again.word);
    free(chars);
    return 0;
}
