/* SPDX-License-Identifier: MIT */
/* The manual pages in roff, made from the tables of commands and options: one of all commands, and one for
 * each command. */
#include "cli/terminal/help.h"
#include "cli/terminal/options.h"

#include <ctype.h>
#include <string.h>

/* Adds text to a roff page, with its special characters escaped. */
static void roff_chars(struct text *t, const char *chars, size_t count)
{
    bool start = true;
    for (const char *end = chars + count; chars < end; chars++) {
        if (start && (*chars == '.' || *chars == '\''))
            text_add(t, "\\&");
        if (*chars == '\\')
            text_add(t, "\\e");
        else if (*chars == '-')
            text_add(t, "\\-");
        else
            text_add_chars(t, chars, 1);
        start = *chars == '\n';
    }
}

static void roff(struct text *t, const char *chars)
{
    roff_chars(t, chars, strlen(chars));
}

static void man_details(const struct command *c, struct text *t)
{
    const char *rest = c->details;
    for (struct help_piece p = help_next(&rest); p.count; p = help_next(&rest)) {
        text_add(t, p.prose ? ".PP\n" : ".nf\n");
        roff_chars(t, p.chars, p.count);
        text_add(t, "%s%s", p.chars[p.count - 1] == '\n' ? "" : "\n", p.prose ? "" : ".fi\n");
    }
    if (c->list) {
        struct text list = {0};
        c->list(&list);
        text_add(t, ".nf\n");
        roff(t, text_chars(&list));
        text_add(t, ".fi\n");
        text_free(&list);
    }
}

static void man_options(const struct command *c, struct text *t)
{
    for (const enum option_id *o = c->options; *o != OPTION_END; o++) {
        const struct option_row *r = &option_rows[*o];
        text_add(t, ".TP\n\\fB");
        if (r->short_name) {
            roff(t, r->short_name);
            text_add(t, "\\fR, \\fB");
        }
        roff(t, r->name);
        text_add(t, "\\fR%s", r->argument ? " \\fI" : "");
        roff(t, r->argument ? r->argument : "");
        text_add(t, r->argument ? "\\fR\n" : "\n");
        struct text about = {0};
        help_option(*o, &about);
        roff(t, text_chars(&about));
        text_free(&about);
        text_add(t, "\n");
    }
}

static void man_environment(struct text *t)
{
    text_add(t, ".SH ENVIRONMENT\n");
    for (const struct help_variable *v = help_variables; v->name; v++) {
        text_add(t, ".TP\n\\fB%s\\fR\n", v->name);
        roff(t, v->about);
        text_add(t, "\n");
    }
}

static void man_exit_status(struct text *t)
{
    text_add(t, ".SH \"EXIT STATUS\"\n");
    roff(t, help_exit_status);
    text_add(t, "\n");
}

/* `name` is "misprint", or "misprint-fuzz" and the like. */
static void man_head(const char *name, struct text *t)
{
    text_add(t, ".TH ");
    for (const char *c = name; *c; c++)
        text_add(t, "%s%c", *c == '-' ? "\\" : "", toupper((unsigned char)*c));
    text_add(t, " 1 \"%s\" \"misprint %s\" \"User Commands\"\n.SH NAME\n", MISPRINT_DATE, MISPRINT_VERSION);
    roff(t, name);
}

void help_man_command(const struct command *c, struct text *t)
{
    struct text name = {0};
    text_add(&name, "misprint-%s", c->name);
    man_head(text_chars(&name), t);
    text_free(&name);
    text_add(t, " \\- ");
    roff(t, c->about);
    text_add(t, "\n.SH SYNOPSIS\n\\fBmisprint ");
    roff(t, c->name);
    text_add(t, "\\fR ");
    roff(t, c->synopsis);
    text_add(t, "%s\n.SH DESCRIPTION\n", c->options[0] != OPTION_END ? " [\\fIOPTIONS\\fR]" : "");
    man_details(c, t);
    if (c->options[0] != OPTION_END) {
        text_add(t, ".SH OPTIONS\n");
        man_options(c, t);
    }
    text_add(t, ".SH EXAMPLES\n.nf\n");
    roff(t, c->examples);
    text_add(t, "\n.fi\n");
    man_exit_status(t);
    text_add(t, ".SH \"SEE ALSO\"\n.BR misprint (1)\n");
}

void help_man(const struct command *const *commands, struct text *t)
{
    man_head("misprint", t);
    text_add(t, " \\- finds where a GPU's manual, a model of it and the silicon disagree\n"
                ".SH SYNOPSIS\n"
                ".B misprint\n"
                ".I COMMAND\n"
                "[\\fIOPTIONS\\fR] [\\fIARGUMENTS\\fR]\n"
                ".SH DESCRIPTION\n"
                "Misprint runs random instructions and descriptors on software models of GPU units and on a "
                "board: hardware, a recorded trace, another emulator, or a virtual board. It compares the "
                "outcomes. It reduces every difference to a small case, attributes it to the sentence of "
                "the manual that explains it, and reports it.\n"
                ".SH COMMANDS\nEach command has a page of its own.\n");
    for (const struct command *const *c = commands; *c; c++) {
        text_add(t, ".TP\n.BR misprint\\-");
        roff(t, (*c)->name);
        text_add(t, " (1)\n");
        roff(t, (*c)->about);
        text_add(t, "\n");
    }
    man_environment(t);
    man_exit_status(t);
}
