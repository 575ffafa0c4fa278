/* SPDX-License-Identifier: MIT */
#include "oracle/report/report_page.h"

#include "oracle/describe/clause_text.h"

#include <string.h>

void html_open(const char *title, const char *kind, const char *tag, struct text *t)
{
    xml_add(t,
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
            "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
            "<meta name=\"color-scheme\" content=\"light dark\">\n"
            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none';"
            "style-src 'unsafe-inline';script-src 'unsafe-inline';img-src data:\">\n"
            "<link rel=\"icon\" href=\"data:,\">\n"
            "<meta name=\"generator\" content=\"misprint " MISPRINT_VERSION "\">\n<title>%s",
            title);
    text_add(t,
             " &#8211; %s</title>\n<style>%s</style>\n</head>\n<body>\n"
             "<header class=\"top\" id=\"summary\">\n<p class=\"tag\">%s</p>\n",
             kind, report_style, tag);
    xml_add(t, "<h1>%s</h1>\n", title);
}

void html_words(struct text *t, const char *chars)
{
    bool code = false;
    while (*chars) {
        size_t length = strcspn(chars, "`");
        escape_xml_count(t, chars, length);
        chars += length;
        if (*chars != '`')
            break;
        code = !code;
        text_add(t, code ? "<code>" : "</code>");
        chars++;
    }
    text_add(t, code ? "</code>" : "");
}

void html_element(struct text *t, const char *element, const char *attributes, const char *chars)
{
    text_add(t, "<%s%s>", element, attributes);
    html_words(t, chars);
    text_add(t, "</%s>", element);
}

void html_part(struct text *t, const char *title, const char *element, const char *chars)
{
    if (!chars)
        return;
    text_add(t, "<h4>%s</h4>\n", title);
    html_element(t, element, "", chars);
    text_add(t, "\n");
}

void html_paragraph(struct text *t, const char *class, struct text *words)
{
    if (words->length) {
        text_add(t, class ? "<p class=\"%s\">" : "<p>", class);
        html_words(t, text_chars(words));
        text_add(t, "</p>\n");
    }
    text_clear(words);
}

void html_pre(struct text *t, const char *chars)
{
    xml_add(t, "<pre>%s</pre>\n", chars);
}

void html_commands(struct text *t, const char *lines)
{
    text_add(t, "<ul class=\"commands\">");
    for (size_t length; *lines; lines += length + (lines[length] == '\n')) {
        length = strcspn(lines, "\n");
        text_add(t, "<li><code>");
        escape_xml_count(t, lines, length);
        text_add(t, "</code><button class=\"copy\">copy</button></li>");
    }
    text_add(t, "</ul>\n");
}

void html_table(struct text *t, const char *class, const char *id, const char *head)
{
    text_add(t, "<div class=\"scroll\"><table class=\"%s\"%s><thead><tr>%s</tr></thead>\n<tbody>\n", class,
             id, head);
}

void html_reading(struct text *t, const struct reading *r, bool followed, const char *marks)
{
    text_add(t, followed ? "<tr class=\"followed\">" : "<tr>");
    xml_add(t, "<td><code>%s</code>", r->id);
    text_add(t, "%s</td>", marks);
    html_element(t, "td", "", r->says);
    html_element(t, "td", " data-h=\"Source\"", r->source);
    text_add(t, "<td data-h=\"Evidence\">%s</td></tr>\n", evidence_words(r->evidence));
}

void html_not_drawn(struct text *t, unsigned count, const char *what)
{
    if (count)
        text_add(t, "<p class=\"more\">%u further %s%s not drawn.</p>", count, what,
                 count == 1 ? " is" : "s are");
}

void html_svg(struct text *t, const char *class, unsigned width, unsigned height, const char *label)
{
    xml_add(
        t,
        "<svg class=\"%s\" viewBox=\"0 0 %u %u\" width=\"%u\" height=\"%u\" role=\"img\" aria-label=\"%s\">",
        class, width, height, width, height, label);
}

void html_who(struct text *t, const char *who)
{
    xml_add(t, "<p class=\"who\">%s</p>", who);
}
