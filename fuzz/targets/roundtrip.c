/* SPDX-License-Identifier: MIT */
/* For TARGET_UNIT: any bytes decode to a case whose fields are in range. The case's binary form and its text
 * give the same case back. */
#include "fuzz/targets/target.h"

#include "oracle/store/finding.h"

#include <string.h>

static struct test_case c, again;

static void check_same(const char *form)
{
    if (!case_equal(&c, &again))
        target_violated("the case's %s reads as another case", form);
}

static void check_binary(void)
{
    static uint8_t bytes[CASE_BYTES_MAX];
    size_t count = case_encode(&c, bytes);
    if (count > sizeof bytes)
        target_violated("the binary form takes %zu bytes", count);
    case_decode(&again, c.unit, bytes, count);
    check_same("binary form");
    case_sanitise(&again);
    check_same("binary form, brought into range twice,");
    case_copy(&again, &c);
    check_same("copy");
}

static void check_text(void)
{
    struct text t = {0};
    struct error e = {0};
    case_print(&c, &t);
    if (!case_parse(&again, text_chars(&t), t.length, &e))
        target_violated("the case's text cannot be read: %s", e.text);
    check_same("text");
    text_free(&t);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    case_decode(&c, unit_named(TARGET_UNIT), bytes, count);
    check_binary();
    check_text();
    return 0;
}
