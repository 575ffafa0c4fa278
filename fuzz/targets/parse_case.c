/* SPDX-License-Identifier: MIT */
/* The parser accepts any bytes as a case's text, or refuses them with a reason. An accepted case is printed
 * as text that the parser reads as the same case. */
#include "fuzz/targets/target.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    static struct test_case c, again;
    struct error e = {0};
    struct text t = {0};
    const char *chars = (const char *)bytes;
    if (!case_text_unit(chars, count, &e) || !case_parse(&c, chars, count, &e)) {
        target_check_refusal(&e);
        return 0;
    }
    case_print(&c, &t);
    if (!case_parse(&again, text_chars(&t), t.length, &e))
        target_violated("a printed case cannot be read: %s", e.text);
    if (!case_equal(&c, &again))
        target_violated("a printed case reads as another case");
    text_free(&t);
    return 0;
}
