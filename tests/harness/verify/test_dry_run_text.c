/* SPDX-License-Identifier: MIT */
/* The sentence that says why the dry run refuses a program, and the parts of this sentence. */
#include "harness/verify/dry_run.h"
#include "model/core/unit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { BASE = 0x40000000 };

struct said {
    const char *under, *instruction, *what;
};

/* Fails unless the dry run refuses this program with these texts. The static proof does not see the
 * program. */
static void stops(const char *body, const char *fields, const struct said *is)
{
    static struct test_case tc;
    char said[400];
    struct error e = {0};
    struct dry_run_refusal r;
    struct text t = {0};
    text_add(&t, "misprint-case 1 vc4-qpu\n%sprogram {\n%s  nop ; end\n  nop\n  nop\n}\n", fields, body);
    if (!case_parse(&tc, text_chars(&t), t.length, &e))
        fail_msg("%s in\n%s", e.text, text_chars(&t));
    struct dry_run *d = dry_run_new();
    assert_false(dry_run_case(d, &tc, BASE, &r));
    text_clear(&t);
    dry_run_print_under(&r.under, &t);
    assert_string_equal(text_chars(&t), is->under);
    text_clear(&t);
    dry_run_print_what(&r, &t);
    assert_string_equal(text_chars(&t), is->what);
    text_clear(&t);
    text_add(&t, "%s, instruction %s %s", is->under, is->instruction, is->what);
    dry_run_explain(&r, said, sizeof said);
    assert_string_equal(said, text_chars(&t));
    text_free(&t);
    dry_run_free(d);
}

static void each_kind_has_a_sentence(void **state)
{
    static const struct said load = {"under the silicon profile", "3",
                                     "loads from bus address 42fe0000, outside the case's memory"};
    static const struct said uniform = {"under tmu-uniform-direct=every-write", "1",
                                        "takes a uniform that is not the case's"};
    static const struct said shared = {"under the silicon profile", "0", "reaches the mutex"};
    (void)state;
    stops("  mov sfu_log, r0\n  nop\n  nop\n  mov tmu0_s, r4\n  nop\n  nop ; load_tmu0\n  nop\n",
          "acc row 0 = all 7f000000\nacc row 4 = all 40000000\nuniforms { 0 0 }\n", &load);
    stops("  mov tmu0_s, r0\n  mov tmu0_s, r0\n  nop ; load_tmu0\n  nop ; load_tmu0\n",
          "acc row 0 = all 40000000\nuniforms { 0 }\n", &uniform);
    stops("  mov r0, mutex\n", "", &shared);
}

/* For an access to several VPM rows, the text names the last row. A user program does not have this row. */
static void breaches_are_named(void **state)
{
    (void)state;
    static const struct {
        struct dry_run_refusal refusal;
        const char *what;
    } rows[] = {
        {{.breach = {VC4_BREACH_VPM, 60, 5}}, "reaches VPM row 64; a user program has rows 0 to 63"},
        {{.breach = {VC4_BREACH_VPM, 64, 1}}, "reaches VPM row 64; a user program has rows 0 to 63"},
        {{.breach = {VC4_BREACH_VPM, 126, 2}}, "reaches VPM row 127; a user program has rows 0 to 63"},
        {{.breach = {VC4_BREACH_STORE, 0x40004000, 4}},
         "stores to bus address 40004000, outside the case's memory"},
        {{.breach = {VC4_BREACH_LOAD, 0xFC0, 4}},
         "loads from bus address 00000fc0, outside the case's memory"},
        {{.breach = {VC4_BREACH_UNIFORM, UINT32_MAX, 1}},
         "takes a uniform that is unknown: the stream's position is lost"},
        {{.breach = {VC4_BREACH_UNIFORM, 3, 1}}, "takes a uniform that is not the case's"},
        {{.shared = "the mutex", .flow = "not this", .stop = VC4_FAULT_BREAKPOINT}, "reaches the mutex"},
        {{.flow = "branches somewhere", .stop = VC4_FAULT_BREAKPOINT}, "branches somewhere"},
        {{.stop = VC4_FAULT_BREAKPOINT}, "does not go on: software breakpoint"},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct text t = {0};
        dry_run_print_what(&rows[i].refusal, &t);
        assert_string_equal(text_chars(&t), rows[i].what);
        text_free(&t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_kind_has_a_sentence),
                                       cmocka_unit_test(breaches_are_named)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
