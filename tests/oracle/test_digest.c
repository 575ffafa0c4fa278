/* SPDX-License-Identifier: MIT */
/* Content digests are the SHA-256 of exactly the bytes that digest.h names: first the kind of the digested
 * thing (its length and its characters), then each part. */
#include "oracle/files/digest.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

static void check(struct digester *d, const char *expected)
{
    char hex[DIGEST_HEX];
    struct digest got = digest_end(d);
    digest_print(&got, hex);
    assert_string_equal(hex, expected);
}

/* Python's hashlib computed the expected digests from the bytes. */
static void digests_are_of_the_named_bytes(void **state)
{
    (void)state;
    struct digester d;
    digest_begin(&d, "");
    check(&d, "af5570f5a1810b7af78caf4bc70a660f0df51e42baf91d4de5b2328de0e83dfc");
    digest_begin(&d, "case");
    check(&d, "17167310a3e7a46b2d23b156c72b94a4d2c676716ab5ca30f86ce05c78f57f45");
    digest_begin(&d, "case");
    digest_number(&d, UINT64_C(0x0102030405060708));
    digest_text(&d, "abc");
    digest_bytes(&d, NULL, 0);
    check(&d, "4c17c6a8c16c915776b71114ea278cd21c11a3a3533dedebefb149cd311a1009");
    const struct digest part = {{1, 2, 3}};
    digest_begin(&d, "link");
    digest_digest(&d, &part);
    check(&d, "369ed6ae6b0150f390a3e5b25784fe1027df1f13847560120a02bb04bd70b02c");
}

/* If the same characters are divided into other parts, or are of another kind, they have another digest. */
static void parts_do_not_run_together(void **state)
{
    (void)state;
    static const char *const parts[][2] = {{"ab", "c"}, {"a", "bc"}, {"abc", ""}, {"", "abc"}};
    struct digest seen[4];
    for (unsigned i = 0; i < 4; i++) {
        struct digester d;
        digest_begin(&d, parts[i][0]);
        digest_text(&d, parts[i][1]);
        seen[i] = digest_end(&d);
        assert_true(digest_equal(&seen[i], &seen[i]));
        for (unsigned k = 0; k < i; k++)
            assert_false(digest_equal(&seen[i], &seen[k]));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(digests_are_of_the_named_bytes),
        cmocka_unit_test(parts_do_not_run_together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
