/* SPDX-License-Identifier: MIT */
#include "oracle/report/report_page.h"

#include "oracle/describe/escape.h"

#include <string.h>

void html_open(const char *title, const char *kind, const char *tag, struct text *t)
{
    text_add(
        t,
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n<meta "
        "name=\"color-scheme\" content=\"light dark\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none';style-src "
        "'unsafe-inline';script-src "
        "'unsafe-inline';img-src data:\">\n"
        "<link rel=\"icon\" href=\"data:,\">\n<meta name=\"generator\" content=\"misprint " MISPRINT_VERSION
        "\">\n<title>");
    escape_xml(t, title);
    text_add(t,
             " &#8211; %s</title>\n<style>%s</style>\n</head>\n<body>\n<header class=\"top\" "
             "id=\"summary\">\n<p class=\"tag\">%s</p>\n<h1>",
             kind, report_style, tag);
    escape_xml(t, title);
    text_add(t, "</h1>\n");
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
    text_add(t, "<pre>");
    escape_xml(t, chars);
    text_add(t, "</pre>\n");
}
