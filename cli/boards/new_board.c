/* SPDX-License-Identifier: MIT */
/* `misprint new-board` writes a small project with a board for one unit. */
#include "cli/boards/kit.h"
#include "cli/cli.h"
#include "oracle/files/corpus.h"
#include "oracle/files/file.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a language needs. */
struct language {
    const char *name;
    const char *files[4]; /* templates; NULL after the last */
    bool runs_programs;   /* --kind program: the files are made from other templates */
    bool has_header;      /* also the header with the unit's structs */
    const char *board;    /* --board, from the project's folder */
    const char *built;    /* what the Makefile builds */
    const char *build;    /* the Makefile's rules; @NAME@ is replaced in them, too */
    const char *table;    /* the README's rows of files */
    const char *unknown;  /* how the board marks bits that it does not know */
};

static const char c_unknown[] = "`unknown` in struct misprint_outcome, with the flag\nMISPRINT_HAS_UNKNOWN";

/* -z defs: a source that is missing in SRC is an error of the linker, not of a case that runs. */
#define KIT_BUILD(source, compiler, flags, standard)                                                         \
    "# all sources: add those of your emulator\n"                                                            \
    "SRC = " source "\n" flags " = -std=" standard " -O2 -Wall -Wextra\n"                                    \
    "LDFLAGS = -Wl,-z,defs\n"                                                                                \
    "LDLIBS = -lm\n\n"                                                                                       \
    "board.so: $(SRC) $(wildcard *.h)\n"                                                                     \
    "\t$(" compiler ") $(" flags ") $(LDFLAGS) -fPIC -shared -o $@ $(SRC) $(LDLIBS)\n"

static const struct language languages[] = {
    {"c",
     {"board.c", "board_plugin.h", "PROTOCOL.md", NULL},
     false,
     true,
     "plugin:./board.so",
     "board.so",
     KIT_BUILD("board.c", "CC", "CFLAGS", "c11"),
     "| board.c | your board: write `run_case` |\n"
     "| @NAME@.h | the case and the outcome as structs |\n"
     "| board_plugin.h | Misprint's interface for boards, with all rules |\n"
     "| PROTOCOL.md | what the fields and words of each unit mean |\n",
     c_unknown},
    {"c++",
     {"board.cpp", "board_plugin.h", "PROTOCOL.md", NULL},
     false,
     true,
     "plugin:./board.so",
     "board.so",
     KIT_BUILD("board.cpp", "CXX", "CXXFLAGS", "c++17"),
     "| board.cpp | your board: write `Emulator::run` |\n"
     "| @NAME@.h | the case and the outcome as structs |\n"
     "| board_plugin.h | Misprint's interface for boards, with all rules |\n"
     "| PROTOCOL.md | what the fields and words of each unit mean |\n",
     c_unknown},
    {"python",
     {"board.py", "misprint_board.py", "PROTOCOL.md", NULL},
     false,
     false,
     "exec:python3 board.py",
     "",
     "",
     "| board.py | your board: write `run` |\n"
     "| misprint_board.py | the case and the outcome as classes, and the protocol |\n"
     "| PROTOCOL.md | what the fields and words of each unit mean |\n",
     "`known` in class Outcome"},
    {"c",
     {"board.c", "board_plugin.h", "PROTOCOL.md", NULL},
     true,
     false,
     "program:./board.so",
     "board.so",
     KIT_BUILD("board.c", "CC", "CFLAGS", "c11"),
     "| board.c | your board: write `run` |\n"
     "| board_plugin.h | Misprint's interface for boards, with all rules |\n"
     "| PROTOCOL.md | what the fields and words of each unit mean |\n",
     ""},
    {"c++",
     {"board.cpp", "board_plugin.h", "PROTOCOL.md", NULL},
     true,
     false,
     "program:./board.so",
     "board.so",
     KIT_BUILD("board.cpp", "CXX", "CXXFLAGS", "c++17"),
     "| board.cpp | your board: write `Emulator::run` |\n"
     "| board_plugin.h | Misprint's interface for boards, with all rules |\n"
     "| PROTOCOL.md | what the fields and words of each unit mean |\n",
     ""},
    {0},
};

/* What programs of a unit's cases are. */
static const struct program {
    const char *unit;
    const char *type, *lacks;
    const char *rows, *needs; /* of the README */
} programs[] = {
#define QPU_ROWS                                                                                             \
    "| `memory`, `memory_base`, `memory_bytes` | all the memory that the program may access, the bus "       \
    "address of its first byte, its size |\n"                                                                \
    "| `code`, `uniforms` | the bus addresses of the first instruction, and of the first uniform |\n"        \
    "| `limit` | instructions after which it counts as hung |\n"                                             \
    "| `message` | why you refuse it |\n"
#define QPU_NEEDS                                                                                            \
    "One QPU with all its ALU operations, uniforms, the mutex, the VPM with its setup registers, and DMA "   \
    "between\nthe VPM and memory in both directions. The program ends with the signal `end`.\n\nTo see a "   \
    "program, print the words of memory from `code` on to standard error, in hexadecimal:\n`misprint "       \
    "disasm "                                                                                                \
    "vc4-qpu` reads them.\n"
    {"vc4-qpu", "misprint_program", "load_tmu0 thread_switch", QPU_ROWS, QPU_NEEDS},
    {"vc4-vpm", "misprint_program", "memory", QPU_ROWS, QPU_NEEDS},
    {"amd-buffer", "misprint_wave", "generation=gfx900 generation=gfx803",
     "| `generation` | `gfx1100`, `gfx1030`, `gfx900` or `gfx803` |\n"
     "| `memory`, `memory_bytes` | all the memory that a case may reach, also by a wrong address |\n"
     "| `code` | the address of the first instruction |\n"
     "| `sgpr` | s0 and s1 at the start |\n"
     "| `lanes`, `vgprs`, `lds_bytes` | of the wave |\n"
     "| `limit` | instructions after which it counts as hung |\n"
     "| `message` | why you refuse it |\n",
     "One wave. Its addresses are pointers of your process. v0 is the lane's number, EXEC is all ones. "
     "Besides\nbuffer instructions the program has s_mov_b32 and b64, s_load of 2 to 16 dwords, s_getreg_b32 "
     "of TRAPSTS,\ns_cmp_lg_u32, s_waitcnt, s_nop, v_mov_b32, v_lshlrev_b32, v_readlane_b32, "
     "v_writelane_b32, for cases with\nLDS ds_read_b32 and ds_write_b32, and it ends with s_endpgm.\n"},
};

static const struct program *program_of(const struct unit *u)
{
    for (unsigned i = 0; i < sizeof programs / sizeof *programs; i++)
        if (!strcmp(programs[i].unit, u->name))
            return &programs[i];
    return NULL;
}

static const char *language_at(const void *context, unsigned i)
{
    (void)context;
    return languages[i].name;
}

static void add_field_rows(const struct unit *u, struct text *t)
{
    static const char *const kinds[] = {"enumeration", "word", "words", "uniforms", "instructions", "image"};
    for (unsigned i = 0; i < u->schema.field_count; i++) {
        const struct field *f = &u->schema.fields[i];
        char name[64];
        kit_identifier(f->name, name, sizeof name);
        text_add(t, "| `%s` | %s", name, kinds[f->kind]);
        if (f->kind == FIELD_IMAGE)
            text_add(t, ", %" PRIu32 " rows of %" PRIu32 " words", f->max, f->row_words);
        else if (f->kind != FIELD_WORD && f->kind != FIELD_ENUM)
            text_add(t, ", up to %" PRIu32, f->max);
        text_add(t, " | %s |\n", f->about);
    }
}

static void add_region_rows(const struct unit *u, struct text *t)
{
    for (unsigned i = 0; i < u->layout.region_count; i++) {
        const struct region *r = &u->layout.regions[i];
        char name[64];
        kit_identifier(r->name, name, sizeof name);
        text_add(t, "| `%s` | %u x %u | %u | %s | %s |\n", name, r->rows, r->cols, r->bits,
                 r->image ? r->image : "0", r->about);
    }
}

/* Says where programs and their addresses are. */
static void add_uniforms(const struct unit *u, struct text *t)
{
    if (kit_has_uniforms(u))
        text_add(t,
                 "The first instruction is at code_base. An address in a list of uniforms is an offset into "
                 "the case's memory:\nadd memory_base. ");
}

/* Adds the folder of the unit's known cases. */
static void add_corpus(const struct unit *u, struct text *t)
{
    char *folder = corpus_find();
    text_add(t, "%s/%s", folder ? folder : "corpus (not installed; clone Misprint, or set MISPRINT_CORPUS)",
             u->name);
    free(folder);
}

/* Adds the unit's line as a sentence, in lines of 80 columns. */
static void add_about(const struct unit *u, struct text *t)
{
    struct text sentence = {0};
    text_add(&sentence,
             "%s. `misprint new-board` wrote this project. It builds and runs as it is; its board "
             "answers \"not implemented\" to each case.",
             u->about);
    help_fill(t, text_chars(&sentence), sentence.length, 0, 0);
    text_free(&sentence);
}

/* Adds what stands in a template for @WORD@. False if the word has no meaning. */
static bool add_word(const struct unit *u, const struct language *l, const char *word, size_t length,
                     struct text *t)
{
    char name[64], upper[64], form[24];
    kit_identifier(u->name, name, sizeof name);
    kit_identifier(u->name, upper, sizeof upper);
    for (char *p = upper; *p; p++)
        *p = (char)toupper((unsigned char)*p);
    (void)snprintf(form, sizeof form, "%016" PRIx64, unit_form(u));
    const struct program *p = program_of(u);
    const struct {
        const char *word, *text;
        void (*add)(const struct unit *u, struct text *t);
    } words[] = {
        {"UNIT", u->name, NULL},
        {"NAME", name, NULL},
        {"UPPER", upper, NULL},
        {"FORM", form, NULL},
        {"ABOUT", NULL, add_about},
        {"PROFILE", u->profiles[u->best_profile].name, NULL},
        {"BOARD", l->board, NULL},
        {"BUILT", l->built, NULL},
        {"UNKNOWN", l->unknown, NULL},
        {"PROGRAM", p ? p->type : "", NULL},
        {"LACKS", p ? p->lacks : "", NULL},
        {"PROGRAM_ROWS", p ? p->rows : "", NULL},
        {"PROGRAM_NEEDS", p ? p->needs : "", NULL},
        {"CORPUS", NULL, add_corpus},
        {"BITS", NULL, kit_bits},
        {"FIELDS", NULL, kit_python_fields},
        {"REGIONS", NULL, kit_python_regions},
        {"REASONS", NULL, kit_python_reasons},
        {"CASE", NULL, kit_python_case},
        {"OUTCOME", NULL, kit_python_outcome},
        {"UNIFORMS", NULL, add_uniforms},
        {"BASES",
         kit_has_uniforms(u) ? "bus addresses of a case's memory and program"
                             : "not needed: addresses in a case are offsets into its memory",
         NULL},
        {"FIELD_ROWS", NULL, add_field_rows},
        {"REGION_ROWS", NULL, add_region_rows},
    };
    for (unsigned i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i].word) == length && !memcmp(words[i].word, word, length)) {
            if (words[i].add)
                words[i].add(u, t);
            else
                text_add(t, "%s", words[i].text);
            return true;
        }
    return false;
}

static void fill_in(const struct unit *u, const struct language *l, const char *from, struct text *t);

/* Adds the README's rows of files. */
static void add_files(const struct unit *u, const struct language *l, struct text *t)
{
    fill_in(u, l, l->table, t);
    if (kit_has_bits(u))
        text_add(t, "| BITS.md | the bit fields of words and instructions, by generation |\n");
}

static void fill_in(const struct unit *u, const struct language *l, const char *from, struct text *t)
{
    while (*from) {
        size_t plain = strcspn(from, "@");
        text_add_chars(t, from, plain);
        from += plain;
        if (!*from)
            return;
        size_t length = strspn(from + 1, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_");
        if (from[1 + length] != '@' || length == 0) {
            text_add_chars(t, from++, 1);
            continue;
        }
        if (length == 5 && !memcmp(from + 1, "BUILD", 5))
            fill_in(u, l, l->build, t);
        else if (length == 5 && !memcmp(from + 1, "FILES", 5))
            add_files(u, l, t);
        else if (!add_word(u, l, from + 1, length, t))
            text_add_chars(t, from, length + 2);
        from += length + 2;
    }
}

static bool write_file(const char *folder, const char *name, const struct text *t, struct error *e)
{
    char path[FILE_PATH_MAX];
    if ((size_t)snprintf(path, sizeof path, "%s/%s", folder, name) >= sizeof path)
        return error_set(e, "%s: the file name is too long", folder);
    return file_write(path, text_chars(t), t->length, e);
}

static bool write_template(const struct unit *u, const struct language *l, const char *folder,
                           const char *name, struct error *e)
{
    static const char *const of_programs[][2] = {{"board.c", "program.c"},
                                                 {"board.cpp", "program.cpp"},
                                                 {"README.md", "program.md"}};
    const char *template = name;
    const struct kit_file *f = kit_files;
    for (unsigned i = 0; l->runs_programs && i < sizeof of_programs / sizeof *of_programs; i++)
        if (!strcmp(name, of_programs[i][0]))
            template = of_programs[i][1];
    while (strcmp(f->name, template) != 0)
        f++;
    struct text t = {0};
    fill_in(u, l, f->text, &t);
    bool good = write_file(folder, name, &t, e);
    text_free(&t);
    return good;
}

static bool write_kit(const struct unit *u, const struct language *l, const char *folder, struct error *e)
{
    struct text header = {0};
    char name[80];
    kit_identifier(u->name, name, sizeof name - 2);
    memcpy(name + strlen(name), ".h", 3);
    bool good = file_make_folder(folder, e);
    if (good && l->has_header) {
        kit_header(u, &header);
        good = write_file(folder, name, &header, e);
    }
    text_free(&header);
    for (unsigned i = 0; good && l->files[i]; i++)
        good = write_template(u, l, folder, l->files[i], e);
    if (good && kit_has_bits(u))
        good = write_template(u, l, folder, "BITS.md", e);
    return good && write_template(u, l, folder, "Makefile", e) &&
           write_template(u, l, folder, "README.md", e);
}

/* Finds the kit of a language and a kind. NULL with an error. */
static const struct language *find_kit(const struct unit *u, const char *name, const char *kind,
                                       struct error *e)
{
    bool programs_wanted = kind && !strcmp(kind, "program"), known = false;
    if (kind && !programs_wanted && strcmp(kind, "state") != 0) {
        error_set(e, "there is no kind '%.60s'; write --kind state or --kind program", kind);
        return NULL;
    }
    for (const struct language *l = languages; l->name; l++) {
        bool same = !strcmp(l->name, name);
        known |= same;
        if (same && l->runs_programs == programs_wanted && (!programs_wanted || program_of(u)))
            return l;
    }
    if (!known)
        error_unknown(e, "language", name, language_at, NULL, "write c, c++ or python");
    else if (!program_of(u))
        error_set(e, "no program is made of cases of %s, only of vc4-qpu, vc4-vpm and amd-buffer", u->name);
    else
        error_set(e, "a board that runs programs is in c or c++");
    return NULL;
}

static int run_new_board(const struct arguments *a)
{
    struct error e = {0};
    const char *name = a->option[OPTION_LANG], *folder = a->option[OPTION_FOLDER];
    const struct unit *u = unit_find(a->word[0], &e);
    if (!u)
        return fail(STATUS_USAGE, &e);
    if (!name || !folder)
        return fail_usage("name the language (--lang c, c++ or python) and the directory to write (-o DIR)");
    const struct language *l = find_kit(u, name, a->option[OPTION_KIND], &e);
    if (!l)
        return fail(STATUS_USAGE, &e);
    if (file_folder_holds(folder))
        return fail_usage("%s: is not empty; name a new directory", folder);
    if (!write_kit(u, l, folder, &e))
        return fail(STATUS_USAGE, &e);
    struct text t = {0};
    text_add(&t,
             "%s: a board for %s in %s%s; `make check` there runs known cases on it, README.md says how to "
             "go on\n",
             folder, u->name, l->name, l->runs_programs ? " that runs programs" : "");
    return print_text(&t, STATUS_EQUAL);
}

const struct command command_new_board = {
    .name = "new-board",
    .synopsis = "UNIT",
    .about = "write a small project with a board of your own",
    .examples = "  misprint new-board vc4-vpm --lang c -o my-board\n"
                "  make -C my-board check\n"
                "  misprint new-board amd-buffer --lang c++ --kind program -o my-gpu",
    .details =
        "Writes a project that builds and runs at once: a board in C or C++ (--board plugin:board.so) "
        "or in Python (--board 'exec:python3 board.py'), the unit's case and outcome as typed structs "
        "or classes, a Makefile, and a README of one page. The board answers \"not implemented\" until "
        "you write one function. In Python, tables of words are numpy arrays where numpy is "
        "installed.\n\n"
        "With --kind program the board is for an emulator that has only what hardware has: code and memory "
        "in, memory out (--board program:board.so). There are such kits in C and C++ for vc4-qpu, vc4-vpm "
        "and amd-buffer.\n\n"
        "`make check` runs `misprint check-board`, `make fuzz` a campaign, `make learn` states in "
        "rules what the board does otherwise.",
    .options = {OPTION_LANG, OPTION_KIND, OPTION_FOLDER, OPTION_END},
    .min_words = 1,
    .max_words = 1,
    .run = run_new_board,
};
