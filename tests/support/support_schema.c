/* SPDX-License-Identifier: MIT */
#include "tests/support/support_schema.h"

#include <regex.h>
#include <stdio.h>
#include <string.h>

struct place {
    const json_t *root;
    struct text *why;
    char path[512];
};

static bool accepts(struct place *p, const json_t *schema, const json_t *value);

static bool no(struct place *p, const char *keyword)
{
    text_add(p->why, "%s: '%s' says no\n", p->path[0] ? p->path : "(the whole)", keyword);
    return false;
}

static bool type_is(const char *type, const json_t *v)
{
    return (!strcmp(type, "object") && json_is_object(v)) || (!strcmp(type, "array") && json_is_array(v)) ||
           (!strcmp(type, "string") && json_is_string(v)) ||
           (!strcmp(type, "integer") && json_is_integer(v)) ||
           (!strcmp(type, "number") && json_is_number(v)) ||
           (!strcmp(type, "boolean") && json_is_boolean(v)) || (!strcmp(type, "null") && json_is_null(v));
}

static bool check_type(struct place *p, const json_t *rule, const json_t *value, const json_t *schema)
{
    (void)schema;
    if (json_is_string(rule))
        return type_is(json_string_value(rule), value) || no(p, "type");
    for (size_t i = 0; i < json_array_size(rule); i++)
        if (type_is(json_string_value(json_array_get(rule, i)), value))
            return true;
    return no(p, "type");
}

static bool check_const(struct place *p, const json_t *rule, const json_t *value, const json_t *schema)
{
    (void)schema;
    return json_equal(rule, value) || no(p, "const");
}

static bool check_enum(struct place *p, const json_t *rule, const json_t *value, const json_t *schema)
{
    (void)schema;
    for (size_t i = 0; i < json_array_size(rule); i++)
        if (json_equal(json_array_get(rule, i), value))
            return true;
    return no(p, "enum");
}

static bool check_required(struct place *p, const json_t *rule, const json_t *value, const json_t *schema)
{
    (void)schema;
    for (size_t i = 0; json_is_object(value) && i < json_array_size(rule); i++)
        if (!json_object_get(value, json_string_value(json_array_get(rule, i))))
            return no(p, json_string_value(json_array_get(rule, i)));
    return true;
}

/* Moves to a member or an item. */
static bool step(struct place *p, const char *name, size_t index, const json_t *schema, const json_t *value)
{
    size_t length = strlen(p->path);
    int added = name ? snprintf(p->path + length, sizeof p->path - length, "/%s", name)
                     : snprintf(p->path + length, sizeof p->path - length, "/%zu", index);
    bool good = added > 0 && accepts(p, schema, value);
    p->path[length] = 0;
    return good;
}

static bool check_properties(struct place *p, const json_t *rule, const json_t *value, const json_t *schema)
{
    (void)schema;
    const char *name;
    json_t *one;
    json_object_foreach((json_t *)rule, name, one)
    {
        const json_t *member = json_object_get(value, name);
        if (member && !step(p, name, 0, one, member))
            return false;
    }
    return true;
}

static bool check_additional(struct place *p, const json_t *rule, const json_t *value, const json_t *schema)
{
    const json_t *known = json_object_get(schema, "properties");
    const char *name;
    json_t *member;
    json_object_foreach((json_t *)value, name, member)
    {
        if (json_object_get(known, name))
            continue;
        if (json_is_false(rule))
            return no(p, name);
        if (!step(p, name, 0, rule, member))
            return false;
    }
    return true;
}

static bool check_items(struct place *p, const json_t *rule, const json_t *value, const json_t *schema)
{
    (void)schema;
    for (size_t i = 0; i < json_array_size(value); i++)
        if (!step(p, NULL, i, rule, json_array_get(value, i)))
            return false;
    return true;
}

static bool check_minimum(struct place *p, const json_t *rule, const json_t *value, const json_t *schema)
{
    (void)schema;
    return !json_is_number(value) || json_number_value(value) >= json_number_value(rule) || no(p, "minimum");
}

static bool check_pattern(struct place *p, const json_t *rule, const json_t *value, const json_t *schema)
{
    (void)schema;
    regex_t r;
    if (!json_is_string(value))
        return true;
    if (regcomp(&r, json_string_value(rule), REG_EXTENDED | REG_NOSUB))
        return no(p, "a pattern that can't be compiled");
    bool good = regexec(&r, json_string_value(value), 0, NULL, 0) == 0;
    regfree(&r);
    return good || no(p, "pattern");
}

static bool check_ref(struct place *p, const json_t *rule, const json_t *value, const json_t *schema)
{
    (void)schema;
    static const char prefix[] = "#/$defs/";
    const char *name = json_string_value(rule);
    const json_t *target = strncmp(name, prefix, sizeof prefix - 1)
                               ? NULL
                               : json_object_get(json_object_get(p->root, "$defs"), name + sizeof prefix - 1);
    return target ? accepts(p, target, value) : no(p, "a $ref to nothing");
}

static bool check_nothing(struct place *p, const json_t *rule, const json_t *value, const json_t *schema)
{
    (void)p;
    (void)rule;
    (void)value;
    (void)schema;
    return true;
}

static const struct {
    const char *keyword;
    bool (*check)(struct place *p, const json_t *rule, const json_t *value, const json_t *schema);
} rules[] = {
    {"type", check_type},
    {"const", check_const},
    {"enum", check_enum},
    {"required", check_required},
    {"properties", check_properties},
    {"additionalProperties", check_additional},
    {"items", check_items},
    {"minimum", check_minimum},
    {"pattern", check_pattern},
    {"$ref", check_ref},
    {"$schema", check_nothing},
    {"$id", check_nothing},
    {"$defs", check_nothing},
    {"title", check_nothing},
    {"description", check_nothing},
};

static bool accepts(struct place *p, const json_t *schema, const json_t *value)
{
    const char *keyword;
    json_t *rule;
    json_object_foreach((json_t *)schema, keyword, rule)
    {
        size_t i = 0;
        while (i < sizeof rules / sizeof *rules && strcmp(rules[i].keyword, keyword) != 0)
            i++;
        if (i == sizeof rules / sizeof *rules)
            return no(p, keyword);
        if (!rules[i].check(p, rule, value, schema))
            return false;
    }
    return true;
}

bool schema_accepts(const json_t *schema, const json_t *value, struct text *why)
{
    struct place p = {.root = schema, .why = why};
    return accepts(&p, schema, value);
}
