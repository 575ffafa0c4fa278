/* SPDX-License-Identifier: MIT */
/*
 * The agent. A board behind `misprint agent`, also behind ssh, gives the same answers as the board itself. A
 * hostile host gets an error and nothing else.
 */
#include "harness/protocol/agent.h"
#include "model/number/bytes.h"
#include "oracle/board/board.h"
#include "tests/support/support_units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { CASES = 300 };

static struct test_case cases[CASES];
static const struct test_case *case_list[CASES];

/* Runs the same cases on two boards. Fails if their answers differ. */
static void compare_boards(const struct unit *u, const char *one, const char *other)
{
    struct error e = {0};
    struct outcome *a[CASES], *b[CASES];
    enum answer got[CASES];
    struct random r;
    random_seed(&r, 11);
    for (unsigned i = 0; i < CASES; i++) {
        case_init(&cases[i], u);
        u->generate(&r, &cases[i]);
        case_list[i] = &cases[i];
        a[i] = outcome_new(u);
        b[i] = outcome_new(u);
    }
    struct board *x = board_open(one, u, &e), *y = x ? board_open(other, u, &e) : NULL;
    if (!x || !y || !board_run(x, case_list, CASES, a, got, &e) ||
        !board_run(y, case_list, CASES, b, got, &e))
        fail_msg("%s", e.text);
    assert_int_equal(x->identity.memory_base, y->identity.memory_base);
    for (unsigned i = 0; i < CASES; i++) {
        size_t words = (size_t)u->layout.rows * u->layout.row_words;
        assert_int_equal(got[i], ANSWER_OUTCOME);
        assert_int_equal(a[i]->end, b[i]->end);
        if (a[i]->end == END_DONE)
            assert_memory_equal(a[i]->value, b[i]->value, words * sizeof(uint32_t));
        outcome_free(a[i]);
        outcome_free(b[i]);
    }
    board_close(x);
    board_close(y);
}

static const char *misprint(void)
{
    const char *path = getenv("MISPRINT");
    if (!path || access(path, X_OK) != 0)
        skip();
    return path;
}

static void a_board_behind_an_agent_is_the_same_board(void **state)
{
    (void)state;
    char spec[600];
    for (unsigned i = 0; unit_at(i); i++) {
        if (!unit_at(i)->generate)
            continue;
        snprintf(spec, sizeof spec, "exec:exec '%s' agent --board virtual", misprint());
        compare_boards(unit_at(i), "virtual", spec);
        setenv("MISPRINT_BOARD_PROTOCOL", "1", 1);
        compare_boards(unit_at(i), "virtual", spec);
        unsetenv("MISPRINT_BOARD_PROTOCOL");
    }
}

/* The stand-in for ssh checks the name of the host, then does what the remote shell would do. */
static void a_board_behind_ssh_is_the_same_board(void **state)
{
    (void)state;
    char agent[600];
    snprintf(agent, sizeof agent, "exec '%s' agent --board 'virtual:bcm2835'", misprint());
    setenv("MISPRINT_AGENT", agent, 1);
    setenv("MISPRINT_SSH", "sh -c 'test \"$1\" = user@pi-3.local || exit 9; exec sh -c \"$2\"'", 1);
    compare_boards(unit_named("vc4-vpm"), "virtual:bcm2835", "ssh:user@pi-3.local");
    struct error e = {0};
    assert_null(board_open("ssh:other", unit_named("vc4-vpm"), &e)); /* wrong host: exit status 9 */
    assert_non_null(strstr(e.text, "exit status 9"));
    assert_true(e.of_machine);
    unsetenv("MISPRINT_AGENT");
    unsetenv("MISPRINT_SSH");
}

/* Without MISPRINT_AGENT, the command that ssh runs depends on the unit: it is the agent of the hardware that
 * has the unit. The stand-in for ssh ends with status 8 if it gets this command. */
static void each_unit_has_its_agent(void **state)
{
    static const char *const rows[][2] = {{"vc4-qpu", "sudo -n misprint agent --board mailbox"},
                                          {"amd-buffer", "misprint agent --board drm:amdgpu"},
                                          {"v3d-qpu", "misprint agent --board drm:v3d"}};
    (void)state;
    unsetenv("MISPRINT_AGENT");
    for (unsigned i = 0; i < 2; i++) {
        struct error e = {0};
        char ssh[200];
        snprintf(ssh, sizeof ssh, "sh -c 'test \"$2\" = \"%s\" && exit 8; exit 9'", rows[i][1]);
        setenv("MISPRINT_SSH", ssh, 1);
        assert_null(board_open("ssh:pi", unit_named(rows[i][0]), &e));
        assert_non_null(strstr(e.text, "exit status 8"));
    }
    unsetenv("MISPRINT_SSH");
}

static void a_host_is_no_option_and_no_command(void **state)
{
    (void)state;
    static const char *const bad[] = {"ssh:",           "ssh:-oProxyCommand=reboot",
                                      "ssh:pi; reboot", "ssh:$(reboot)",
                                      "ssh:a b",        "ssh:'"};
    for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct error e = {0};
        assert_null(board_open(bad[i], unit_at(0), &e));
        assert_non_null(strstr(e.text, "names no host"));
        assert_false(e.of_machine);
    }
}

/* ---- hostile hosts ---- */

static unsigned ran;

static bool null_open(void *context, const struct unit *u, struct protocol_hello *who, struct error *e)
{
    (void)context, (void)u, (void)e;
    who->in_flight = 4;
    return true;
}

static bool null_run(void *context, const struct test_case *const *list, unsigned count,
                     struct outcome *const *outcomes, char (*reason)[256], struct error *e)
{
    (void)context, (void)reason, (void)e;
    for (unsigned i = 0; i < count; i++) {
        struct test_case *copy = malloc(sizeof *copy);
        case_copy(copy, list[i]);
        case_sanitise(copy);
        assert_true(case_equal(copy, list[i])); /* the agent brings all fields into range */
        free(copy);
        outcome_reset(outcomes[i], list[i]);
    }
    ran += count;
    return true;
}

static bool serve_bytes(const uint8_t *bytes, size_t count, struct error *e)
{
    struct agent_board board = {.open = null_open, .run = null_run};
    int in = memfd_create("host", 0), out = open("/dev/null", O_WRONLY);
    assert_int_equal(write(in, bytes, count), count);
    lseek(in, 0, SEEK_SET);
    bool good = agent_serve(in, out, &board, e);
    close(in);
    close(out);
    return good;
}

/* ---- refusals among answers ---- */

/* Refuses the cases 1, 2 and 6 of a conversation. */
static bool run_even(void *context, const struct test_case *const *list, unsigned count,
                     struct outcome *const *outcomes, char (*reason)[256], struct error *e)
{
    for (unsigned i = 0; i < count; i++)
        if (ran + i == 1 || ran + i == 2 || ran + i == 6)
            (void)snprintf(reason[i], sizeof reason[i], "no case %u", ran + i);
    return null_run(context, list, count, outcomes, reason, e);
}

/* Notes the answers of a frame, in order: ids of outcomes, and 100 + id of refusals. */
static unsigned note_answers(const struct protocol_frame *f, uint32_t *seen)
{
    struct error e = {0};
    struct protocol_refused refused;
    struct protocol_frame rest = *f;
    struct protocol_item item;
    unsigned count = 0;
    if (f->type == PROTOCOL_REFUSED) {
        char wanted[32];
        assert_true(protocol_get_refused(f, &refused, &e));
        (void)snprintf(wanted, sizeof wanted, "no case %u", (unsigned)refused.id);
        assert_string_equal(refused.reason, wanted);
        seen[count++] = 100 + refused.id;
    }
    while (f->type == PROTOCOL_OUTCOMES && rest.size) {
        assert_true(protocol_next_item(&rest, &item, &e));
        seen[count++] = item.id;
    }
    return count;
}

/* ---- a host that reads no answers ---- */

/* Writes a case, in version 2 into the frame `pack`. */
static void put_case(struct protocol_bytes *b, struct protocol_pack *pack, const struct protocol_run *run)
{
    if (!pack) {
        assert_true(protocol_put_run(b, run));
        return;
    }
    uint8_t *to = protocol_pack_room(pack, run->case_size);
    assert_non_null(to);
    memcpy(to, run->case_bytes, run->case_size);
    protocol_pack_add(pack,
                      &(struct protocol_item){.id = run->id, .check = run->nonce, .size = run->case_size});
}

static uint32_t newest = PROTOCOL_VERSION; /* the newest version that the hosts below speak */

/* Writes HELLO and `count` cases. */
static void put_conversation(struct protocol_bytes *to, const struct unit *u, unsigned count)
{
    static uint8_t bytes[CASE_BYTES_MAX];
    struct protocol_pack pack = {.to = to, .type = PROTOCOL_CASES};
    struct protocol_hello h = {.version = PROTOCOL_VERSION, .software = "test", .units = 1, .newest = newest};
    snprintf(h.unit[0].name, sizeof h.unit[0].name, "%s", u->name);
    h.unit[0].form = unit_form(u);
    protocol_put_hello(to, &h, false);
    case_init(&cases[0], u);
    for (uint32_t i = 0; i < count; i++) {
        struct protocol_run run = {.id = i,
                                   .memory_base = MEMORY_BASE_DEFAULT,
                                   .code_base = CODE_BASE_DEFAULT,
                                   .case_bytes = bytes,
                                   .case_size = case_encode(&cases[0], bytes)};
        snprintf(run.unit, sizeof run.unit, "%s", u->name);
        put_case(to, newest > PROTOCOL_VERSION ? &pack : NULL, &run);
    }
    protocol_pack_close(&pack);
}

/* A batch of version 2 with refused cases in its middle: frames of outcomes end before a refusal, so all
 * answers come in the order of the cases. The batches are cases 0 to 3, and 4 to 7. */
static void refusals_keep_their_place(void **state)
{
    (void)state;
    static const uint32_t wanted[] = {0, 101, 102, 3, 4, 5, 106, 7};
    const struct agent_board board = {.open = null_open, .run = run_even};
    static uint8_t told[1 << 20];
    struct protocol_bytes says = {0};
    struct error e = {0};
    uint32_t seen[16];
    unsigned count = 0;
    int in = memfd_create("host", 0), out = memfd_create("told", 0);
    newest = PROTOCOL_NEWEST;
    put_conversation(&says, unit_named("vc4-vpm"), 8);
    newest = PROTOCOL_VERSION;
    protocol_put_bye(&says);
    assert_int_equal(write(in, says.at + says.start, says.end - says.start), says.end - says.start);
    lseek(in, 0, SEEK_SET);
    ran = 0;
    if (!agent_serve(in, out, &board, &e))
        fail_msg("%s", e.text);
    lseek(out, 0, SEEK_SET);
    ssize_t size = read(out, told, sizeof told);
    for (size_t at = 0, used; at < (size_t)size; at += used) {
        struct protocol_frame f;
        assert_int_equal(protocol_take(told + at, (size_t)size - at, &f, &used, &e), PROTOCOL_FRAME);
        assert_true(count < 8 || f.type == PROTOCOL_BYE);
        count += note_answers(&f, seen + count);
    }
    assert_int_equal(count, 8);
    assert_memory_equal(seen, wanted, sizeof wanted);
    protocol_bytes_free(&says);
    close(in);
    close(out);
}

/* Serves a host that sends these bytes and keeps its pipe open, but reads nothing. The pipe to the host is
 * full. */
static bool serve_deaf(const struct protocol_bytes *says, const struct agent_board *board, struct error *e)
{
    static const uint8_t filler[4096];
    int in[2], out[2];
    assert_int_equal(pipe(in), 0);
    assert_int_equal(pipe2(out, O_NONBLOCK), 0);
    while (write(out[1], filler, sizeof filler) > 0)
        ;
    assert_int_equal(write(in[1], says->at + says->start, says->end - says->start), says->end - says->start);
    bool good = agent_serve(in[0], out[1], board, e);
    for (unsigned i = 0; i < 2; i++) {
        close(in[i]);
        close(out[i]);
    }
    return good;
}

/* The batch of null_open's board is 4, so a host may send 8 cases before it reads answers. */
static void a_host_that_sends_more_than_agreed_is_refused(void **state)
{
    (void)state;
    const struct agent_board board = {.open = null_open, .run = null_run, .flush_ms = 1};
    for (unsigned n = 0; n < 4; n++) {
        struct protocol_bytes says = {0};
        struct error e = {0};
        unsigned more = n % 2;
        newest = n < 2 ? PROTOCOL_VERSION : PROTOCOL_NEWEST;
        put_conversation(&says, unit_named("vc4-vpm"), 8 + more);
        protocol_put_bye(&says);
        ran = 0;
        assert_int_equal(serve_deaf(&says, &board, &e), !more);
        assert_int_equal(ran, 8);
        assert_int_equal(strstr(e.text, "more than 8 unanswered cases") != NULL, more);
        protocol_bytes_free(&says);
    }
    newest = PROTOCOL_VERSION;
}

static void a_host_that_takes_no_answer_is_given_up(void **state)
{
    (void)state;
    const struct agent_board board = {.open = null_open, .run = null_run, .flush_ms = 1, .patience_ms = 20};
    struct protocol_bytes says = {0};
    struct error e = {0};
    put_conversation(&says, unit_named("vc4-vpm"), 1);
    assert_false(serve_deaf(&says, &board, &e));
    assert_non_null(strstr(e.text, "the host has read no answer for 0.02 s"));
    protocol_bytes_free(&says);
}

struct idle_host {
    int to, from; /* pipes to and from the agent */
    size_t first; /* number of bytes to send before the pause */
    struct protocol_bytes says;
};

/* Sends a case, reads all answers for 0.6 s, and does both again. */
static void *be_idle(void *context)
{
    struct idle_host *h = context;
    char bytes[4096];
    const uint8_t *at = h->says.at + h->says.start;
    const size_t counts[] = {h->first, h->says.end - h->says.start - h->first};
    struct pollfd answers = {.fd = h->from, .events = POLLIN};
    for (unsigned turn = 0; turn < 2; at += counts[turn++]) {
        bool good = write(h->to, at, counts[turn]) > 0;
        for (unsigned i = 0; i < 12 && good; i++, usleep(50000))
            while (poll(&answers, 1, 0) > 0 && read(h->from, bytes, sizeof bytes) > 0)
                ;
    }
    close(h->to);
    return NULL;
}

/* The agent loses patience only while answers wait for the host. A host that has read all answers may pause
 * for longer. */
static void a_host_that_thinks_is_not_given_up(void **state)
{
    (void)state;
    const struct agent_board board = {.open = null_open, .run = null_run, .patience_ms = 150};
    struct idle_host h = {0};
    struct protocol_bytes first = {0};
    struct error e = {0};
    pthread_t thread;
    int in[2], out[2];
    assert_int_equal(pipe(in) | pipe(out), 0);
    put_conversation(&first, unit_named("vc4-vpm"), 1);
    put_conversation(&h.says, unit_named("vc4-vpm"), 2);
    h.first = first.end - first.start;
    h.to = in[1];
    h.from = out[0];
    assert_int_equal(pthread_create(&thread, NULL, be_idle, &h), 0);
    ran = 0;
    bool good = agent_serve(in[0], out[1], &board, &e);
    assert_int_equal(pthread_join(thread, NULL), 0);
    close(out[1]);
    close(in[0]);
    if (!good)
        fail_msg("%s", e.text);
    assert_int_equal(ran, 2);
    close(out[0]);
    protocol_bytes_free(&first);
    protocol_bytes_free(&h.says);
}

/* A signal asks the agent to stop while cases wait. The agent sends no ERROR, because an ERROR would end the
 * campaign, and the machine may only be rebooting. */
static void an_agent_ends_when_it_is_asked_to(void **state)
{
    (void)state;
    static volatile sig_atomic_t stop;
    const struct agent_board board = {.open = null_open, .run = null_run, .stop = &stop};
    struct protocol_bytes says = {0};
    struct error e = {0};
    uint8_t told[4096];
    int in = memfd_create("host", 0), out = memfd_create("told", 0);
    put_conversation(&says, unit_named("vc4-vpm"), 8);
    assert_int_equal(write(in, says.at + says.start, says.end - says.start), says.end - says.start);
    lseek(in, 0, SEEK_SET);
    ran = 0;
    stop = 1;
    assert_false(agent_serve(in, out, &board, &e));
    assert_int_equal(ran, 0);
    lseek(out, 0, SEEK_SET);
    assert_int_equal(read(out, told, sizeof told), 0);
    assert_memory_equal(e.text, "the agent was asked to stop", 27);
    protocol_bytes_free(&says);
    close(in);
    close(out);
}

/* Sends the bytes of a good host, then changes and truncates the same bytes. */
static void hostile_hosts_get_an_error(void)
{
    const struct unit *u = unit_named("vc4-qpu");
    struct protocol_bytes good = {0};
    struct protocol_pack pack = {.to = &good, .type = PROTOCOL_CASES};
    struct protocol_hello h = {.version = PROTOCOL_VERSION, .software = "test", .units = 1, .newest = newest};
    struct random r;
    uint8_t *bytes = malloc(CASE_BYTES_MAX);
    snprintf(h.unit[0].name, sizeof h.unit[0].name, "%s", u->name);
    h.unit[0].form = unit_form(u);
    protocol_put_hello(&good, &h, false);
    random_seed(&r, 3);
    for (uint32_t i = 0; i < 6; i++) {
        case_init(&cases[0], u);
        u->generate(&r, &cases[0]);
        struct protocol_run run = {.id = i,
                                   .nonce = i,
                                   .memory_base = MEMORY_BASE_DEFAULT,
                                   .code_base = CODE_BASE_DEFAULT,
                                   .unit = "vc4-qpu",
                                   .case_bytes = bytes,
                                   .case_size = case_encode(&cases[0], bytes)};
        put_case(&good, newest > 1 ? &pack : NULL, &run);
    }
    protocol_pack_close(&pack);
    struct error e = {0};
    assert_true(serve_bytes(good.at + good.start, good.end - good.start, &e));
    size_t size = good.end - good.start;
    uint8_t *bad = malloc(size + 64);
    unsigned refused = 0, rounds = support_scaled(2000);
    for (unsigned n = 0; n < rounds; n++) {
        size_t count = size;
        memcpy(bad, good.at + good.start, size);
        for (unsigned k = 1 + random_below(&r, 3); k > 0; k--)
            bad[random_below(&r, (uint32_t)count)] = (uint8_t)random_u32(&r);
        if (random_one_in(&r, 4))
            count = random_below(&r, (uint32_t)count);
        memset(&e, 0, sizeof e);
        if (serve_bytes(bad, count, &e))
            continue;
        refused++;
        assert_true(e.text[0] != 0);
    }
    assert_true(refused > rounds / 2); /* the checksum detects nearly all changes */
    free(bad);
    free(bytes);
    protocol_bytes_free(&good);
}

/* After HELLO a host sends only RUN and BYE (harness/PROTOCOL.md). The error names what came instead. */
static void a_second_hello_is_an_error(void **state)
{
    (void)state;
    struct protocol_bytes says = {0};
    struct error e = {0};
    put_conversation(&says, unit_named("vc4-vpm"), 1);
    put_conversation(&says, unit_named("vc4-vpm"), 1);
    ran = 0;
    assert_false(serve_bytes(says.at + says.start, says.end - says.start, &e));
    assert_non_null(strstr(e.text, "HELLO arrived instead of RUN or BYE"));
    assert_int_equal(ran, 0);
    protocol_bytes_free(&says);
}

static void hostile_hosts_get_an_error_and_no_more(void **state)
{
    (void)state;
    for (newest = PROTOCOL_VERSION; newest <= PROTOCOL_NEWEST; newest++)
        hostile_hosts_get_an_error();
    newest = PROTOCOL_VERSION;
}

/* Frames of version 2 with right checksums that lie about their items. */
static void frames_that_lie_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *payload;
        size_t size;
        const char *says;
    } rows[] = {
        {"", 0, "an item of a frame CASES has 0 bytes; it must have at least 16"},
        {"0123456789abcde", 15, "an item of a frame CASES has 15 bytes; it must have at least 16"},
        {"\1\0\0\0nonceeee\3\0\0\0ab", 18, "item 1 of a frame CASES has 3 bytes, but the frame ends after 2"},
        {"\1\0\0\0nonceeee\xFF\xFF\xFF\xFF", 16,
         "item 1 of a frame CASES has 4294967295 bytes, but the frame ends after 0"},
    };
    const struct unit *u = unit_at(0);
    struct protocol_hello h = {.version = PROTOCOL_VERSION,
                               .software = "test",
                               .units = 1,
                               .newest = PROTOCOL_NEWEST};
    snprintf(h.unit[0].name, sizeof h.unit[0].name, "%s", u->name);
    h.unit[0].form = unit_form(u);
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct protocol_bytes b = {0};
        struct error e = {0};
        assert_true(protocol_put_hello(&b, &h, false) && protocol_bytes_reserve(&b, 100));
        uint8_t *head = b.at + b.end;
        memcpy(head, (const uint8_t[]){'M', 'P', PROTOCOL_CASES, 0, (uint8_t)rows[i].size, 0, 0, 0}, 8);
        memcpy(head + 8, rows[i].payload, rows[i].size);
        put_u32(head + 8 + rows[i].size, protocol_crc32(0, head, 8 + rows[i].size));
        b.end += 12 + rows[i].size;
        assert_false(serve_bytes(b.at + b.start, b.end - b.start, &e));
        if (!strstr(e.text, rows[i].says))
            fail_msg("expected '%s': %s", rows[i].says, e.text);
        protocol_bytes_free(&b);
    }
}

/* Complete frames with random payloads and right checksums. A hostile host can send such frames. */
static void well_framed_nonsense_is_harmless(void **state)
{
    (void)state;
    struct random r;
    random_seed(&r, 8);
    for (unsigned n = 0; n < support_scaled(2000); n++) {
        struct protocol_bytes b = {0};
        struct protocol_hello h = {.version = PROTOCOL_VERSION, .software = "test", .units = 1};
        uint8_t bytes[300];
        const struct unit *u = unit_at(n % 3);
        snprintf(h.unit[0].name, sizeof h.unit[0].name, "%s", u->name);
        h.unit[0].form = unit_form(u);
        protocol_put_hello(&b, &h, false);
        for (unsigned i = 0; i < sizeof bytes; i++)
            bytes[i] = (uint8_t)random_u32(&r);
        struct protocol_run run = {.memory_base = MEMORY_BASE_DEFAULT,
                                   .code_base = CODE_BASE_DEFAULT,
                                   .case_bytes = bytes,
                                   .case_size = random_below(&r, sizeof bytes)};
        snprintf(run.unit, sizeof run.unit, "%s", u->name);
        for (unsigned k = 0; k < 3; k++)
            protocol_put_run(&b, &run);
        protocol_put_bye(&b);
        struct error e = {0};
        ran = 0;
        if (!serve_bytes(b.at + b.start, b.end - b.start, &e))
            fail_msg("%s", e.text);
        protocol_bytes_free(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_board_behind_an_agent_is_the_same_board),
        cmocka_unit_test(a_board_behind_ssh_is_the_same_board),
        cmocka_unit_test(each_unit_has_its_agent),
        cmocka_unit_test(a_host_is_no_option_and_no_command),
        cmocka_unit_test(refusals_keep_their_place),
        cmocka_unit_test(a_host_that_sends_more_than_agreed_is_refused),
        cmocka_unit_test(a_host_that_takes_no_answer_is_given_up),
        cmocka_unit_test(a_host_that_thinks_is_not_given_up),
        cmocka_unit_test(an_agent_ends_when_it_is_asked_to),
        cmocka_unit_test(hostile_hosts_get_an_error_and_no_more),
        cmocka_unit_test(a_second_hello_is_an_error),
        cmocka_unit_test(frames_that_lie_are_refused),
        cmocka_unit_test(well_framed_nonsense_is_harmless),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
