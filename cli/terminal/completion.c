/* SPDX-License-Identifier: MIT */
/* Completions for bash, zsh and fish, made from the tables of commands, options and units. They complete
 * commands, units where a command takes one first, options, and files everywhere else. */
#include "cli/terminal/help.h"
#include "cli/terminal/options.h"

#include <string.h>

static bool unit_comes_first(const struct command *c)
{
    return !strncmp(c->synopsis, "UNIT", 4) || !strncmp(c->synopsis, "[UNIT", 5);
}

static void add_units(struct text *t)
{
    for (unsigned i = 0; unit_at(i); i++)
        text_add(t, "%s%s", i ? " " : "", unit_at(i)->name);
}

static void add_options(const struct command *c, struct text *t)
{
    for (const enum option_id *o = c->options; *o != OPTION_END; o++)
        text_add(t, "%s%s", o == c->options ? "" : " ", option_rows[*o].name);
}

static void add_commands(const struct command *const *commands, struct text *t)
{
    for (const struct command *const *c = commands; *c; c++)
        text_add(t, "%s%s", c == commands ? "" : " ", (*c)->name);
}

/* Adds text in single quotes, of a shell (fish: "\'", others: "'\''"). */
static void add_quoted(struct text *t, const char *chars, bool fish)
{
    text_add(t, "'");
    for (; *chars; chars++)
        if (*chars == '\'')
            text_add(t, fish ? "\\'" : "'\\''");
        else
            text_add_chars(t, chars, 1);
    text_add(t, "'");
}

void completion_bash(const struct command *const *commands, struct text *t)
{
    text_add(t, "# bash completion of misprint, made by `misprint help --pages`\n"
                "_misprint()\n{\n"
                "    local word=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]} options= first=\n"
                "    COMPREPLY=()\n"
                "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
                "        COMPREPLY=($(compgen -W '");
    add_commands(commands, t);
    text_add(t, " --help --version' -- \"$word\"))\n        return\n    fi\n    case $command in\n");
    for (const struct command *const *c = commands; *c; c++) {
        text_add(t, "    %s) options='", (*c)->name);
        add_options(*c, t);
        text_add(t, "'");
        if (unit_comes_first(*c)) {
            text_add(t, " first='");
            add_units(t);
            text_add(t, "'");
        } else if (!strcmp((*c)->name, "help")) {
            text_add(t, " first='");
            add_commands(commands, t);
            text_add(t, " environment'");
        }
        text_add(t, " ;;\n");
    }
    text_add(t, "    esac\n"
                "    case $word in\n"
                "    -*) COMPREPLY=($(compgen -W \"$options --help\" -- \"$word\")) ;;\n"
                "    *)\n"
                "        [ \"$COMP_CWORD\" -eq 2 ] && [ -n \"$first\" ] &&\n"
                "            COMPREPLY=($(compgen -W \"$first\" -- \"$word\"))\n"
                "        ;;\n"
                "    esac\n}\n"
                "complete -o default -F _misprint misprint\n");
}

void completion_zsh(const struct command *const *commands, struct text *t)
{
    text_add(t, "#compdef misprint\n# zsh completion of misprint, made by `misprint help --pages`\n"
                "local -a commands units options\ncommands=(\n");
    for (const struct command *const *c = commands; *c; c++) {
        struct text row = {0};
        text_add(&row, "%s:%s", (*c)->name, (*c)->about);
        text_add(t, "    ");
        add_quoted(t, text_chars(&row), false);
        text_add(t, "\n");
        text_free(&row);
    }
    text_add(t, ")\nunits=(");
    add_units(t);
    text_add(t, ")\nif (( CURRENT == 2 )); then\n    _describe command commands\n    return\nfi\n"
                "case $words[2] in\n");
    for (const struct command *const *c = commands; *c; c++) {
        text_add(t, "%s)\n    options=(", (*c)->name);
        add_options(*c, t);
        text_add(t, ")\n");
        if (unit_comes_first(*c))
            text_add(t, "    (( CURRENT == 3 )) && compadd -a units\n");
        else if (!strcmp((*c)->name, "help"))
            text_add(t, "    (( CURRENT == 3 )) && _describe command commands\n");
        text_add(t, "    ;;\n");
    }
    text_add(t, "esac\nif [[ $PREFIX == -* ]]; then\n    compadd -- $options --help\nelse\n    _files\nfi\n");
}

static void fish_command(const struct command *c, struct text *t)
{
    text_add(t, "complete -c misprint -n __fish_use_subcommand -f -a %s -d ", c->name);
    add_quoted(t, c->about, true);
    text_add(t, "\n");
    if (unit_comes_first(c)) {
        text_add(t, "complete -c misprint -n '__fish_seen_subcommand_from %s' -a '", c->name);
        add_units(t);
        text_add(t, "'\n");
    }
    for (const enum option_id *o = c->options; *o != OPTION_END; o++) {
        const struct option_row *r = &option_rows[*o];
        struct text about = {0};
        help_option(*o, &about);
        text_add(t, "complete -c misprint -n '__fish_seen_subcommand_from %s' -l %s%s%s%s -d ", c->name,
                 r->name + 2, r->short_name ? " -s " : "", r->short_name ? r->short_name + 1 : "",
                 r->argument ? " -r" : "");
        add_quoted(t, text_chars(&about), true);
        text_add(t, "\n");
        text_free(&about);
    }
}

void completion_fish(const struct command *const *commands, struct text *t)
{
    text_add(t, "# fish completion of misprint, made by `misprint help --pages`\n");
    for (const struct command *const *c = commands; *c; c++)
        fish_command(*c, t);
}
