/* libyaml events become JSON text, and the JSON parser reads it, so that only one place checks for
 * duplicate keys and invalid text. A scalar counts as a number only when JSON would spell it so,
 * which keeps "1e", "0x10" and version strings like "1.2.3" as text. */
#include "collectors/import/yamlfile.h"

#include <stdbool.h>
#include <string.h>
#include <yaml.h>

#include "service/base/jsonw.h"

#define MAX_DEPTH 32

struct walk {
    struct lore_jsonw w;
    const char *name;
    struct lore_err *err;
    /* per open collection: a mapping's next scalar is a key when expect_key */
    bool mapping[MAX_DEPTH], expect_key[MAX_DEPTH];
    int depth;
    bool have_root, done;
};

static enum lore_status
fail_line(const struct walk *k, const yaml_mark_t *mark, const char *what)
{
    return lore_fail_at(
        k->err, LORE_INVALID, "invalid_yaml", "", "%s:%zu: %s", k->name, mark->line + 1, what);
}

static void
plain_scalar(struct walk *k, const char *s)
{
    if (*s == '\0' || strcmp(s, "~") == 0 || strcmp(s, "null") == 0)
        lore_w_null(&k->w);
    else if (strcmp(s, "true") == 0 || strcmp(s, "false") == 0)
        lore_w_bool(&k->w, s[0] == 't');
    else if (lore_json_is_number(s, strlen(s)))
        lore_w_raw(&k->w, s);
    else
        lore_w_str(&k->w, s);
}

/* Advance the open mapping by one node; false when the node is a key. */
static bool
is_value(struct walk *k)
{
    if (k->depth == 0 || !k->mapping[k->depth - 1])
        return true;
    bool key = k->expect_key[k->depth - 1];
    k->expect_key[k->depth - 1] = !key;
    return !key;
}

static enum lore_status
scalar(struct walk *k, const yaml_event_t *e)
{
    const char *s = (const char *)e->data.scalar.value;

    if (e->data.scalar.anchor || e->data.scalar.tag)
        return fail_line(k, &e->start_mark, "anchors and tags are not supported");
    if (strlen(s) != e->data.scalar.length)
        return fail_line(k, &e->start_mark, "a NUL inside text");
    if (!is_value(k))
        lore_w_key(&k->w, s);
    else if (e->data.scalar.style == YAML_PLAIN_SCALAR_STYLE)
        plain_scalar(k, s);
    else
        lore_w_str(&k->w, s);
    k->have_root = true;
    return LORE_OK;
}

static enum lore_status
open_collection(struct walk *k, const yaml_event_t *e, bool mapping)
{
    const yaml_char_t *anchor =
        mapping ? e->data.mapping_start.anchor : e->data.sequence_start.anchor;

    if (anchor)
        return fail_line(k, &e->start_mark, "anchors are not supported");
    if (k->depth == MAX_DEPTH)
        return fail_line(k, &e->start_mark, "nested too deeply");
    if (!is_value(k))
        return fail_line(k, &e->start_mark, "a key must be text");
    k->mapping[k->depth] = k->expect_key[k->depth] = mapping;
    k->depth++;
    if (mapping)
        lore_w_obj(&k->w);
    else
        lore_w_arr(&k->w);
    k->have_root = true;
    return LORE_OK;
}

static enum lore_status
take_event(struct walk *k, const yaml_event_t *e)
{
    switch (e->type) {
    case YAML_SCALAR_EVENT:
        return scalar(k, e);
    case YAML_MAPPING_START_EVENT:
        return open_collection(k, e, true);
    case YAML_SEQUENCE_START_EVENT:
        return open_collection(k, e, false);
    case YAML_MAPPING_END_EVENT:
        k->depth--;
        lore_w_obj_end(&k->w);
        return LORE_OK;
    case YAML_SEQUENCE_END_EVENT:
        k->depth--;
        lore_w_arr_end(&k->w);
        return LORE_OK;
    case YAML_ALIAS_EVENT:
        return fail_line(k, &e->start_mark, "aliases are not supported");
    case YAML_DOCUMENT_START_EVENT:
        if (k->have_root)
            return fail_line(k, &e->start_mark, "a second document");
        return LORE_OK;
    case YAML_STREAM_END_EVENT:
        k->done = true;
        return LORE_OK;
    default:
        return LORE_OK;
    }
}

static enum lore_status
walk_events(struct walk *k, yaml_parser_t *parser)
{
    enum lore_status status = LORE_OK;

    while (status == LORE_OK && !k->done) {
        yaml_event_t e;
        if (!yaml_parser_parse(parser, &e)) {
            return lore_fail_at(k->err, LORE_INVALID, "invalid_yaml", "", "%s:%zu: %s", k->name,
                parser->problem_mark.line + 1, parser->problem ? parser->problem : "not YAML");
        }
        status = take_event(k, &e);
        yaml_event_delete(&e);
    }
    return status;
}

enum lore_status
lore_yamlfile_parse(const char *text, size_t len, const char *name, struct lore_arena *arena,
    struct lore_json **out, struct lore_err *err)
{
    struct lore_buf json = {.max = 2 * LORE_YAML_MAX};
    struct walk k = {.name = name, .err = err};
    yaml_parser_t parser;

    if (len > LORE_YAML_MAX)
        return lore_fail(err, LORE_TOOBIG, "%s: longer than %u KiB", name, LORE_YAML_MAX >> 10);
    if (!yaml_parser_initialize(&parser))
        return lore_fail(err, LORE_IO, "%s: no memory for the YAML parser", name);
    yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, len);
    lore_jsonw_begin(&k.w, &json, false);
    enum lore_status status = walk_events(&k, &parser);
    yaml_parser_delete(&parser);
    if (status == LORE_OK && !k.have_root)
        lore_w_null(&k.w);
    enum lore_status end = lore_jsonw_end(&k.w, status == LORE_OK ? err : NULL);
    if (status == LORE_OK)
        status = end;
    if (status == LORE_OK)
        status = lore_json_parse(json.data, json.len, NULL, arena, out, err);
    lore_buf_free(&json);
    return status;
}
