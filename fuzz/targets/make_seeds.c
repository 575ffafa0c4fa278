/* SPDX-License-Identifier: MIT */
/*
 * Writes the seed corpus and the dictionary of a target, from the units' tables and a folder of cases (the
 * project's corpus/):
 *
 *   make_seeds TARGET OUT CORPUS     OUT/TARGET/..., OUT/TARGET.dict, OUT/TARGET.options
 *
 * The targets' first comments describe the inputs.
 */
#include "fuzz/generate/generate.h"
#include "fuzz/learn/learn_json.h"
#include "harness/launch/journal_text.h"
#include "harness/protocol/protocol.h"
#include "model/core/memory.h"
#include "model/number/bytes.h"
#include "oracle/compare/executor.h"
#include "oracle/files/file.h"
#include "oracle/files/import.h"
#include "oracle/files/load.h"
#include "oracle/files/trace.h"

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <xxhash.h>

enum {
    GENERATED = 64,    /* cases for each unit */
    TRACED = 16,       /* traces for each unit; few, because it takes milliseconds to compress one */
    LINES = 512,       /* instructions for each instruction set */
    WORDS_MAX = 4096,  /* words of a dictionary */
    WORD_MAX = 32,     /* characters of a word */
    LONGEST = 1 << 17, /* bytes of an engine's input: more than a case's binary form */
};

struct maker {
    const char *target, *out, *corpus;
    const struct unit *unit; /* the target's unit; NULL for targets of all units */
    unsigned seeds, words;
    char word[WORDS_MAX][WORD_MAX + 1];
};

_Noreturn static void give_up(const char *why)
{
    (void)fprintf(stderr, "make_seeds: %s\n", why);
    exit(3);
}

static void write_file(const char *path, const void *bytes, size_t count)
{
    struct error e = {0};
    if (!file_write(path, bytes, count, &e))
        give_up(e.text);
}

static void add_seed(struct maker *m, const void *bytes, size_t count)
{
    char path[FILE_PATH_MAX];
    (void)snprintf(path, sizeof path, "%s/%s/%016llx", m->out, m->target,
                   (unsigned long long)XXH3_64bits(bytes, count));
    write_file(path, bytes, count);
    m->seeds++;
}

/* Adds a seed whose first bytes are numbers that the target reads with target_choice and target_part. */
static void add_seed_behind(struct maker *m, const uint8_t *front, size_t front_count, const void *bytes,
                            size_t count)
{
    uint8_t *whole = malloc(front_count + count + 1);
    if (!whole)
        give_up("out of memory");
    memcpy(whole, front, front_count);
    memcpy(whole + front_count, bytes, count);
    add_seed(m, whole, front_count + count);
    free(whole);
}

/* ---- dictionaries ---- */

static void add_word(struct maker *m, const char *chars, size_t count)
{
    if (count < 2 || count > WORD_MAX)
        return;
    for (unsigned i = 0; i < m->words; i++)
        if (!strncmp(m->word[i], chars, count) && !m->word[i][count])
            return;
    if (m->words < WORDS_MAX)
        memcpy(m->word[m->words++], chars, count);
}

/* Adds the names in a text as words. A name is a letter, then letters, digits, '-', '_' and '.'. */
static void add_words(struct maker *m, const char *text)
{
    while (*text) {
        size_t length = 0;
        while (isalnum((unsigned char)text[length]) ||
               (length && strchr("-_.", text[length]) && text[length]))
            length++;
        if (isalpha((unsigned char)*text))
            add_word(m, text, length);
        text += length ? length : 1;
    }
}

static void write_dictionary(const struct maker *m)
{
    struct text t = {0};
    char path[FILE_PATH_MAX];
    for (unsigned i = 0; i < m->words; i++)
        text_add(&t, "\"%s\"\n", m->word[i]);
    (void)snprintf(path, sizeof path, "%s/%s.dict", m->out, m->target);
    if (m->words)
        write_file(path, text_chars(&t), t.length);
    text_clear(&t);
    text_add(&t, "[libfuzzer]\nmax_len = %d\n", LONGEST);
    (void)snprintf(path, sizeof path, "%s/%s.options", m->out, m->target);
    write_file(path, text_chars(&t), t.length);
    text_free(&t);
}

/* ---- cases ---- */

typedef void each_case(struct maker *m, const struct test_case *c);

/* Calls `f` for generated cases of a unit, then for those of the corpus. */
static void each_case_of(struct maker *m, const struct unit *u, each_case *f)
{
    static struct test_case c;
    char folder[FILE_PATH_MAX], path[FILE_PATH_MAX + 300];
    struct random r;
    struct error e = {0};
    random_seed(&r, 1);
    for (unsigned i = 0; i < GENERATED; i++) {
        case_generate(&r, u, &c);
        f(m, &c);
    }
    (void)snprintf(folder, sizeof folder, "%s/%s", m->corpus, u->name);
    struct dirent **entry;
    int count = scandir(folder, &entry, NULL, alphasort);
    for (int i = 0; i < count; i++) {
        (void)snprintf(path, sizeof path, "%s/%s", folder, entry[i]->d_name);
        if (strstr(entry[i]->d_name, ".case")) {
            if (!case_load(path, u, &c, &e))
                give_up(e.text);
            f(m, &c);
        }
        free(entry[i]);
    }
    if (count >= 0)
        free(entry);
}

static void add_binary(struct maker *m, const struct test_case *c)
{
    static uint8_t bytes[CASE_BYTES_MAX];
    add_seed(m, bytes, case_encode(c, bytes));
}

static void add_text(struct maker *m, const struct test_case *c)
{
    struct text t = {0};
    case_print(c, &t);
    add_seed(m, text_chars(&t), t.length);
    add_words(m, text_chars(&t));
    text_free(&t);
}

/* Adds a case with its outcome under the unit's best-known silicon profile. */
static void add_answer(struct maker *m, const struct test_case *c)
{
    static struct executor *x;
    static struct outcome *o;
    static uint8_t bytes[2 + CASE_BYTES_MAX + OUTCOME_BYTES_MAX];
    struct profile p;
    if (!x && (!(x = executor_new(c->unit)) || !(o = outcome_new(c->unit))))
        give_up("out of memory");
    profile_builtin(c->unit, c->unit->best_profile, &p);
    executor_run(x, c, &p, RUN_CHECKED, o);
    size_t size = case_encode(c, bytes + 2);
    if (size > UINT16_MAX || o->end == END_UNDEFINED)
        return;
    bytes_put(bytes, size, 2);
    add_seed(m, bytes, 2 + size + outcome_encode(o, bytes + 2 + size, OUTCOME_BYTES_MAX));
}

static void seed_cases(struct maker *m)
{
    each_case_of(m, m->unit, add_binary);
}

static void seed_answers(struct maker *m)
{
    each_case_of(m, m->unit, add_answer);
}

static void seed_texts(struct maker *m)
{
    for (unsigned i = 0; unit_at(i); i++)
        each_case_of(m, unit_at(i), add_text);
}

/* ---- the other texts ---- */

static void seed_lines_of(struct maker *m, unsigned unit, unsigned set, const struct code *code)
{
    struct random r;
    struct text t = {0};
    uint32_t words[CODE_WORDS_MAX];
    random_seed(&r, 1);
    for (unsigned i = 0; i < LINES; i++) {
        for (unsigned n = 0; n < code->words; n++)
            words[n] = random_u32(&r);
        if (code->generate)
            code->generate(&r, words);
        text_clear(&t);
        code->print(words, &t);
        add_words(m, text_chars(&t));
        uint8_t front[2] = {(uint8_t)unit, (uint8_t)set};
        if (i < GENERATED)
            add_seed_behind(m, front, sizeof front, text_chars(&t), t.length);
    }
    text_free(&t);
}

static void seed_lines(struct maker *m)
{
    unsigned n = 0;
    for (unsigned i = 0; unit_at(i); i++) {
        const struct unit *u = unit_at(i);
        if (!u->code)
            continue;
        unsigned sets = u->code->sets ? schema_field(&u->schema, u->code->chosen_by)->max : 1;
        for (unsigned set = 0; set < sets; set++)
            seed_lines_of(m, n, set, u->code->sets ? u->code->sets[set] : u->code);
        n++;
    }
}

/* Adds a rule of each kind, at several of the unit's points. */
static void seed_rules(struct maker *m, unsigned unit)
{
    static const char *const rules[] = {
        "value & 31",
        "skip",
        "late 2",
        "when value == 1 && lane < 8 || !value = ~value ^ -3",
        "rotl(bswap(value), 8) + value[lane + 1] * 3 / 2 % 7",
        "if(slt(value, 4), min(value, 9), max(sext(value, 5), asr(value, 2))) << 1 >> 2 | 1",
        "ssat(value, 8) - usat(value, 4)",
        "byte(value, 1) + half(value, 0) + clz(value) - popcount(reverse(value)) >= 3",
        "fadd(fmul(itof(value), 0x3f800000), htof(ftoh(value))) != ftoi(fmin(value, 1))",
        "fsub_rtz(value, fmax(value, fadd_rtz(value, 0x3f800000)))",
        "v8adds(value, v8muld(value, mul24(value, mulhi(value, smulhi(value, 3)))))",
        "table(value, 3, 1, 2, 0)",
        "table(bits(value, 0, 8), 0: 5, 1..7: 0x106, 9: 8, 20, 21, 22, else: low(value, 3) <= 2)",
    };
    const struct unit *u = unit_at(unit);
    for (unsigned i = 0; u->point_count && i < sizeof rules / sizeof *rules; i++) {
        struct text t = {0};
        bool guarded = !strncmp(rules[i], "when ", 5);
        text_add(&t, "%s %s %s%s", u->name, u->points[(i * 7) % u->point_count].name, guarded ? "" : "= ",
                 rules[i]);
        add_words(m, text_chars(&t));
        add_seed_behind(m, (uint8_t[]){(uint8_t)unit, 0}, 2, text_chars(&t), t.length);
        text_free(&t);
    }
}

/* Adds each unit's clauses with their last readings, as a file and as a spec. */
static void seed_profiles(struct maker *m)
{
    for (unsigned i = 0; unit_at(i); i++) {
        const struct unit *u = unit_at(i);
        struct text file = {0}, spec = {0};
        text_add(&file, "base = %s # the best known\n", u->profiles[u->best_profile].name);
        text_add(&spec, "%s", u->profiles[u->best_profile].name);
        for (unsigned k = 0; k < unit_clauses(u); k++) {
            const struct clause *c = unit_clause(u, k);
            const char *reading = c->readings[clause_readings(c) - 1].id;
            text_add(&file, "%s = %s\n", c->id, reading);
            text_add(&spec, ",%s=%s", c->id, reading);
        }
        add_words(m, text_chars(&file));
        add_seed_behind(m, (uint8_t[]){(uint8_t)i, 0}, 2, text_chars(&file), file.length);
        add_seed_behind(m, (uint8_t[]){(uint8_t)i, 1}, 2, text_chars(&spec), spec.length);
        text_free(&file);
        text_free(&spec);
        seed_rules(m, i);
    }
}

/* Fills in what a run could have learned: a reading, a rule, and a difference without an explanation. */
static void learn_something(const struct unit *u, struct learn_result *r)
{
    struct random random;
    struct text t = {0};
    const struct unit *of;
    random_seed(&random, 1);
    *r = (struct learn_result){.count = 1, .asides = 1, .cases = 4711, .agreed = 47, .seconds = 0.5};
    r->learned[0].change = (struct learn_change){.clause = (uint16_t)(unit_clauses(u) - 1), .reading = 1};
    if (u->point_count) {
        struct learned *k = &r->learned[r->count++];
        text_add(&t, "%s %s when value == 1 = value & 31", u->name, u->points[0].name);
        k->change.is_rule = rule_parse(text_chars(&t), t.length, &of, &k->change.rule, NULL);
        k->alternatives = 1;
        k->alternative[0] = r->learned[0].change;
    }
    text_free(&t);
    for (uint32_t i = 0; i < r->count; i++)
        case_init(r->learned[i].smallest = memory_new(1, sizeof(struct test_case)), u);
    r->aside[0] = (struct learn_aside){.signature = 0xfedcba9876543210, .cases = 3};
    if (u->point_count)
        r->aside[0].circumstance =
            (struct circumstance){.found = true, .guard = r->learned[1].change.rule.guard};
    case_generate(&random, u, r->aside[0].smallest = memory_new(1, sizeof(struct test_case)));
}

/* Adds the result of `misprint learn` with each unit, with the board and the profile of the target. */
static void seed_learned(struct maker *m)
{
    static struct board board = {.identity.spec = "virtual:manual"};
    struct learn_result *r = memory_new(1, sizeof *r);
    for (unsigned i = 0; unit_at(i); i++) {
        struct learn_options o = {.unit = unit_at(i), .board = &board, .seed = i};
        learn_something(o.unit, r);
        json_t *j = learn_json(&o, "manual", r);
        char *chars = json_dumps(j, JSON_COMPACT);
        if (!chars)
            give_up("out of memory");
        add_words(m, chars);
        add_seed_behind(m, (uint8_t[]){(uint8_t)i}, 1, chars, strlen(chars));
        free(chars);
        json_decref(j);
        learn_free(r);
    }
    free(r);
}

static void seed_words(struct maker *m)
{
    static const char hex[] = "0123abcd, 0x0123456789abcdef # a comment\nFFFFFFFF\n";
    add_seed(m, hex, strlen(hex));
    add_seed(m, "\x01\x02\x03\x04\xE7\xE7\xE7\xE7", 8);
}

/* Adds a table of each form, once for each kind of import. */
static void seed_tables(struct maker *m)
{
    static const char *const tables[] = {
        ("op,a,b,result,result_32s,flags\nfadd,3f800000,40000000,40400000,40400000,0\n"
         "v8adds,00000001,ffffffff,ffffffff,ffffffff,1\n"),
        "op,a,b,none,16a,8888s\nfadd,3f800000,40000000,40400000,00004200,ffffffff\n",
        "word,none,16a_int,8d_rep_float\n3f800000,3f800000,00000000,-\n",
    };
    for (unsigned i = 0; import_kind_at(i); i++)
        for (unsigned k = 0; k < sizeof tables / sizeof *tables; k++) {
            struct text t = {0};
            text_add(&t, "# Measured by nobody on no machine. Licence: none\n%s", tables[k]);
            add_words(m, text_chars(&t));
            add_words(m, import_kind_at(i)->columns);
            add_seed_behind(m, (uint8_t[]){(uint8_t)i}, 1, text_chars(&t), t.length);
            text_free(&t);
        }
}

/* Adds journals of both versions, and lines to which the target adds checksums. */
static void seed_journals(struct maker *m)
{
    static const char old[] =
        "hang 00000000000000ab\nbegin 0000000000000001 0000000000000002\nend\nbegin 0000000000000003";
    static const char lines[] =
        "begin 0000000000000001 0000000000000002\nsuspect 0000000000000005 0000000000000006\nend\n"
        "begin 0000000000000005\nend\nhang 0000000000000007\nbegin 0000000000000006\nhang 0000000000000008";
    const uint64_t hashes[] = {1, 2, 0xfedcba9876543210};
    struct journal_state s = {0};
    struct text t = {0};
    uint32_t sum;
    journal_learn(&s, JOURNAL_HANG, hashes, 2);
    journal_learn(&s, JOURNAL_SUSPECT, hashes + 2, 1);
    journal_learn(&s, JOURNAL_BEGIN, hashes, 3);
    journal_print_state(&t, &sum, &s);
    journal_print(&t, &sum, JOURNAL_END, NULL, 0);
    journal_print(&t, &sum, JOURNAL_BEGIN, hashes, 3);
    add_words(m, text_chars(&t));
    for (size_t cut = 0; cut < t.length; cut += 5)
        add_seed_behind(m, (uint8_t[]){0}, 1, text_chars(&t), t.length - cut);
    add_seed_behind(m, (uint8_t[]){0}, 1, old, strlen(old));
    add_seed_behind(m, (uint8_t[]){1}, 1, lines, strlen(lines));
    text_free(&t);
    journal_state_free(&s);
}

/* ---- traces and frames ---- */

/* Adds the content of a trace, to which the target adds checksums: the version, the header, and a block of
 * one record. */
static void add_trace_content(struct maker *m, unsigned version, const uint8_t *file,
                              const struct test_case *c, const struct outcome *o)
{
    static uint8_t bytes[16 + (1 << 16) + CASE_BYTES_MAX + OUTCOME_BYTES_MAX];
    static const char label[] = "a label";
    size_t header = bytes_get(file + 12, 2);
    uint8_t *to = bytes, *block;
    *to++ = (uint8_t)version;
    to = bytes_put(to, header, 2);
    memcpy(to, file + 16, header);
    to += header;
    *to = 0; /* means one record */
    block = to + 3;
    size_t case_size = case_encode(c, block + 12);
    size_t outcome_size = outcome_encode(o, block + 12 + case_size, OUTCOME_BYTES_MAX);
    size_t size = 12 + case_size + outcome_size + strlen(label);
    if (size > UINT16_MAX)
        return;
    bytes_put(to + 1, size, 2);
    bytes_put(bytes_put(bytes_put(block, case_size, 4), outcome_size, 4), strlen(label), 4);
    memcpy(block + size - strlen(label), label, strlen(label));
    add_seed(m, bytes, (size_t)(block - bytes) + size);
}

/* Adds a trace of one case in two forms: as a whole file, and as its content (add_trace_content). */
static void add_trace(struct maker *m, const struct test_case *c)
{
    static const struct board_identity who = {.spec = "virtual:none",
                                              .kind = "virtual",
                                              .description = "nothing"};
    static const struct unit *unit;
    static unsigned made;
    made = c->unit == unit ? made + 1 : 1;
    unit = c->unit;
    if (made > TRACED)
        return;
    char path[FILE_PATH_MAX];
    struct error e = {0};
    size_t count;
    struct outcome *o = outcome_new(c->unit);
    (void)snprintf(path, sizeof path, "%s/%s.part", m->out, m->target);
    outcome_reset(o, c);
    struct trace_writer *w = trace_create(path, c->unit, &who, &e);
    if (!w || !trace_add(w, c, o, "a label", &e) || !trace_finish(w, &e))
        give_up(e.text);
    uint8_t *file = (uint8_t *)file_read(path, &count, &e);
    if (!file)
        give_up(e.text);
    add_seed_behind(m, (uint8_t[]){0}, 1, file, count);
    add_trace_content(m, 1 + made % 2, file, c, o);
    free(file);
    (void)remove(path);
    outcome_free(o);
}

static void seed_traces(struct maker *m)
{
    for (unsigned i = 0; unit_at(i); i++)
        each_case_of(m, unit_at(i), add_trace);
}

static void put_items(struct protocol_bytes *b, enum protocol_type type, const char *bytes, size_t count)
{
    struct protocol_pack pack = {.to = b, .type = type};
    for (uint32_t i = 0; i < 2; i++) {
        uint8_t *to = protocol_pack_room(&pack, count);
        if (!to)
            give_up("out of memory");
        memcpy(to, bytes, count);
        protocol_pack_add(&pack, &(struct protocol_item){.id = i, .check = i, .size = count});
    }
    protocol_pack_close(&pack);
}

static void seed_frames(struct maker *m)
{
    static struct protocol_hello h = {.version = PROTOCOL_VERSION,
                                      .software = "seed",
                                      .description = "a board",
                                      .in_flight = 4,
                                      .answer_seconds = 60};
    struct protocol_bytes b = {0};
    (void)snprintf(h.unit[0].name, sizeof h.unit[0].name, "%s", unit_at(0)->name);
    h.unit[0].form = unit_form(unit_at(0));
    h.units = 1;
    struct protocol_run run = {.id = 1, .nonce = 2, .case_bytes = (const uint8_t *)"case", .case_size = 4};
    struct protocol_outcome outcome = {.id = 1, .bytes = (const uint8_t *)"\0\1\0\0\0\0", .size = 6};
    struct protocol_refused refused = {.id = 1, .reason = "why not"};
    (void)snprintf(run.unit, sizeof run.unit, "%s", unit_at(0)->name);
    if (!protocol_put_hello(&b, &h, true) || !protocol_put_run(&b, &run) ||
        !protocol_put_outcome(&b, &outcome) || !protocol_put_refused(&b, &refused) ||
        !protocol_put_error(&b, "an error") || !protocol_put_bye(&b))
        give_up("out of memory");
    put_items(&b, PROTOCOL_CASES, "a case", 6);
    put_items(&b, PROTOCOL_OUTCOMES, "\0\1\0\0\0\0", 6);
    add_seed_behind(m, (uint8_t[]){1}, 1, b.at + b.start, b.end - b.start);
    protocol_bytes_free(&b);
    add_words(m, "protocol software units name form description provenance silicon memory-base code-base "
                 "in-flight answer-seconds newest true false null");
}

/* What a host sends after its HELLO, in both versions. The first byte chooses the version (talk_to_agent.c).
 */
static void add_talk(struct maker *m, const struct test_case *c)
{
    static uint8_t bytes[CASE_BYTES_MAX];
    size_t count = case_encode(c, bytes);
    struct protocol_bytes b = {0};
    struct protocol_run run = {.memory_base = MEMORY_BASE_DEFAULT,
                               .code_base = CODE_BASE_DEFAULT,
                               .case_bytes = bytes,
                               .case_size = count};
    (void)snprintf(run.unit, sizeof run.unit, "%s", c->unit->name);
    if (!protocol_put_run(&b, &run) || !protocol_put_bye(&b))
        give_up("out of memory");
    add_seed_behind(m, (uint8_t[]){1}, 1, b.at, b.end);
    b.end = 0;
    put_items(&b, PROTOCOL_CASES, (const char *)bytes, count);
    add_seed_behind(m, (uint8_t[]){3}, 1, b.at, b.end);
    protocol_bytes_free(&b);
}

static void seed_talks(struct maker *m)
{
    each_case_of(m, unit_at(0), add_talk);
}

/* What a board does with the cases that it gets (talk_to_host.c, talk_to_plugin.c): single bytes. */
static void seed_boards(struct maker *m)
{
    for (uint8_t first = 0; first < 4; first++) {
        add_seed_behind(m, &first, 1, (const uint8_t *)"\0\0\0\0\0\0\0\0\0", 9);
        for (uint8_t act = 0; act < 16; act++)
            add_seed_behind(m, &first, 1, (const uint8_t[]){0, 0, act, 1, 2, act, 0}, 7);
    }
}

/* ---- the targets ---- */

static const struct kind {
    const char *target; /* or the part before "_UNIT" */
    bool of_unit;
    void (*seed)(struct maker *m);
} kinds[] = {
    {"diff", true, seed_cases},
    {"roundtrip", true, seed_cases},
    {"parse_outcome", true, seed_answers},
    {"parse_case", false, seed_texts},
    {"parse_asm", false, seed_lines},
    {"parse_journal", false, seed_journals},
    {"parse_learn", false, seed_learned},
    {"parse_profile", false, seed_profiles},
    {"parse_words", false, seed_words},
    {"parse_table", false, seed_tables},
    {"parse_trace", false, seed_traces},
    {"parse_protocol", false, seed_frames},
    {"talk_to_agent", false, seed_talks},
    {"talk_to_host", false, seed_boards},
    {"talk_to_plugin", false, seed_boards},
};

static const struct kind *kind_of(const char *target, const struct unit **unit)
{
    for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        size_t length = strlen(kinds[i].target);
        if (strncmp(target, kinds[i].target, length) != 0)
            continue;
        *unit = kinds[i].of_unit && target[length] == '_' ? unit_named(target + length + 1) : NULL;
        if (kinds[i].of_unit ? *unit != NULL : !target[length])
            return &kinds[i];
    }
    return NULL;
}

int main(int argc, char **argv)
{
    static struct maker m;
    char folder[FILE_PATH_MAX];
    if (argc != 4) {
        (void)fprintf(stderr, "usage: make_seeds TARGET OUT CORPUS\n");
        return 2;
    }
    m.target = argv[1], m.out = argv[2], m.corpus = argv[3];
    const struct kind *kind = kind_of(m.target, &m.unit);
    if (!kind)
        give_up("this target has no seeds; add a row to `kinds` in fuzz/targets/make_seeds.c");
    (void)snprintf(folder, sizeof folder, "%s/%s", m.out, m.target);
    (void)mkdir(m.out, 0777);
    (void)mkdir(folder, 0777);
    kind->seed(&m);
    write_dictionary(&m);
    printf("%s: %u seed%s, %u words\n", m.target, m.seeds, plural(m.seeds), m.words);
    return 0;
}
