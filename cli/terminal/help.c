/* SPDX-License-Identifier: MIT */
/* The help texts, made from the tables of commands and options. */
#include "cli/terminal/help.h"
#include "cli/terminal/options.h"
#include "fuzz/engines/engine_kind.h"
#include "oracle/attribution/explain.h"

#include <ctype.h>
#include <string.h>

enum { FILL_WIDTH = 80 };

/* Adds words in lines of at most FILL_WIDTH columns; only a single long word may exceed it. The first line
 * starts at `column`, all others at `indent`. */
void help_fill(struct text *t, const char *words, size_t count, unsigned column, unsigned indent)
{
    const char *end = words + count;
    bool first = true;
    while (words < end) {
        size_t length = 0;
        while (words + length < end && words[length] != ' ' && words[length] != '\n')
            length++;
        if (length && !first && column + 1 + length > FILL_WIDTH) {
            text_add(t, "\n%*s", (int)indent, "");
            column = indent;
        } else if (length && !first) {
            text_add(t, " ");
            column++;
        }
        text_add_chars(t, words, length);
        column += (unsigned)length;
        first = first && !length;
        words += length < (size_t)(end - words) ? length + 1 : length;
    }
}

static bool is_prose(const char *line)
{
    return *line && *line != ' ' && *line != '\n';
}

struct help_piece help_next(const char **chars)
{
    struct help_piece p = {.chars = *chars, .prose = is_prose(*chars)};
    while (**chars && is_prose(*chars) == p.prose) {
        size_t line = strcspn(*chars, "\n");
        *chars += line + ((*chars)[line] == '\n');
    }
    p.count = (size_t)(*chars - p.chars);
    return p;
}

void help_option(enum option_id o, struct text *t)
{
    text_add(t, "%s", option_rows[o].about);
    for (unsigned i = 0; o == OPTION_ENGINE && engine_name_at(i); i++)
        text_add(t, ", %s", engine_name_at(i));
    if (o == OPTION_CHANGES)
        text_add(t, ", 1 to %d (default %d)", CHANGES_MAX, CHANGES_USUAL);
}

/* Adds "  NAME       ABOUT", filled to FILL_WIDTH; ABOUT starts at column `columns`. */
static void add_item(struct text *t, const char *name, unsigned columns, const char *about)
{
    text_add(t, "  %-*s ", (int)columns, name);
    size_t used = strlen(name);
    help_fill(t, about, strlen(about), (used > columns ? (unsigned)used : columns) + 3, columns + 3);
    text_add(t, "\n");
}

static void help_options(const struct command *c, struct text *t)
{
    for (const enum option_id *o = c->options; *o != OPTION_END; o++) {
        const struct option_row *r = &option_rows[*o];
        struct text head = {0}, about = {0};
        text_add(&head, "%s%s%s%s%s", r->short_name ? r->short_name : "", r->short_name ? ", " : "", r->name,
                 r->argument ? " " : "", r->argument ? r->argument : "");
        help_option(*o, &about);
        add_item(t, text_chars(&head), 20, text_chars(&about));
        text_free(&head);
        text_free(&about);
    }
}

/* Adds the paragraphs of a help text, filled, and its other lines as they are. */
static void add_details(struct text *t, const char *rest)
{
    for (struct help_piece p = help_next(&rest); p.count; p = help_next(&rest))
        if (p.prose) {
            help_fill(t, p.chars, p.count, 0, 0);
            text_add(t, "\n");
        } else {
            text_add_chars(t, p.chars, p.count);
        }
    if (t->length && t->chars[t->length - 1] != '\n')
        text_add(t, "\n");
}

void help_command(const struct command *c, struct text *t)
{
    text_add(t, "misprint %s%s%s%s\n\n%c%s.\n", c->name, *c->synopsis ? " " : "", c->synopsis,
             c->options[0] != OPTION_END ? " [OPTIONS]" : "", toupper((unsigned char)c->about[0]),
             c->about + 1);
    text_add(t, "\nExamples:\n%s\n", c->examples);
    if (c->options[0] != OPTION_END) {
        text_add(t, "\nOptions:\n");
        help_options(c, t);
    }
    text_add(t, "\nDetails:\n");
    add_details(t, c->details);
    if (c->list)
        c->list(t);
}

const char help_exit_status[] =
    "0 no discrepancy; 1 discrepancies; 2 wrong use or bad input; 3 a board or the machine failed, nothing "
    "was compared, or a signal ended the run before it found anything; 141 the reader of standard output "
    "closed it.";

const struct help_variable help_variables[] = {
    {"MISPRINT_AGENT", "the command that ssh:HOST runs on the host (default: " BOARD_SSH_AGENT
                       "; for amd-buffer: " BOARD_SSH_AGENT_AMD "; for v3d-qpu: " BOARD_SSH_AGENT_V3D ")"},
    {"MISPRINT_BOARD_PROTOCOL",
     "1: speak only version 1 of the board protocol (default: version 2 with boards that do, too)"},
    {"MISPRINT_BOARD_RETURN",
     "how many seconds a board that reboots or loses its connection may be away (default: 180)"},
    {"MISPRINT_BOARD_TIMEOUT",
     "how many seconds a board may take for one answer (default: 10, or what the board asks for)"},
    {"MISPRINT_CORPUS",
     "the folder of the cases that come with misprint (default: corpus in the source, or as installed)"},
    {"MISPRINT_ENGINES",
     "the folder of the engines' targets (default: libexec/misprint beside the command, or as installed)"},
    {"MISPRINT_JOURNAL",
     "the file in which the boards mailbox and drm list running cases, and cases banned from running "
     "because they hung or stopped the machine (default: none)"},
    {"MISPRINT_SSH", "the local ssh program of ssh:HOST (default: ssh, which asks for no password)"},
    {"MISPRINT_STATE",
     "the folder for campaigns of `misprint fuzz` without --campaign (default: misprint in XDG_STATE_HOME "
     "or ~/.local/state); empty: such campaigns are not kept"},
    {"MISPRINT_TEST_DATA", "the folder of the programs for bench qpu-fft (default: ../shared/data)"},
    {NULL, NULL},
};

void help_all(const struct command *const *commands, const struct command_group *group, struct text *t)
{
    text_add(t, "misprint %s: finds where a GPU's manual, a model and the silicon disagree\n",
             MISPRINT_VERSION);
    for (const struct command *const *c = commands; *c; c++) {
        if (group->first == *c)
            text_add(t, "%s\n", group++->title);
        add_item(t, (*c)->name, 10, (*c)->about);
    }
    text_add(t, "Exit status: 0 no discrepancy, 1 discrepancies, 2 wrong use, 3 failure\n");
}

void help_short(struct text *t)
{
    text_add(t,
             "misprint %s finds where a GPU's manual, a model and the silicon disagree.\n\n"
             "  misprint fuzz vc4-vpm --time 10       # search a manual for errors\n"
             "  misprint show pack-sub-direction      # one error: readings and evidence\n"
             "  misprint fuzz vc4-vpm --board 'exec:./my-emulator'   # check an emulator\n\n"
             "Units:",
             MISPRINT_VERSION);
    for (unsigned i = 0; unit_at(i); i++)
        text_add(t, "%s %s", i ? "," : "", unit_at(i)->name);
    text_add(t, "\n`misprint --help` lists the commands, `misprint help COMMAND` explains one.\n");
}

void help_environment(struct text *t)
{
    text_add(t, "Environment variables:\n");
    for (const struct help_variable *v = help_variables; v->name; v++)
        add_item(t, v->name, 24, v->about);
    text_add(t, "\nExit status: ");
    help_fill(t, help_exit_status, strlen(help_exit_status), 13, 0);
    text_add(t, "\n");
}
