/* Parses numbers of hardware tables and makes their records. Only known units count as a unit:
 * "2048 32-bit VGPRs" is a count. */
#include <stdio.h>
#include <string.h>

#include "collectors/import/wiki/spec_md.h"
#include "service/base/clock.h"
#include "service/base/hash.h"
#include "service/base/text.h"
#include "service/wire/build.h"
#include "service/wire/wire.h"

static const char *const units[] = {"TB/s", "GB/s", "GB", "MB", "KB", "TB", "KiB", "MiB", "GiB",
    "W", "MHz", "GHz", "bytes/clock", "B/clk", "bytes", "threads", "TFLOPS", "TFLOP/s", "GFLOPS",
    "TOPS", "FLOPs/Byte", "FLOP/B", "B", "%"};

static const char *
trimmed(struct lore_arena *arena, const char *s, size_t n)
{
    while (n > 0 && strchr(" \t\r*", s[0]))
        s++, n--;
    while (n > 0 && strchr(" \t\r*", s[n - 1]))
        n--;
    return lore_strndup(arena, s, n);
}

/* The unit at the start of S; "" when there is none. */
static const char *
unit_of(const char *s)
{
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        size_t n = strlen(units[i]);
        if (strncmp(s, units[i], n) == 0 && (s[n] == '\0' || strchr(" (),;*.", s[n])))
            return units[i];
    }
    return "";
}

bool
lore_spec_value_parse(struct lore_arena *arena, const char *text, struct lore_spec_md_value *out)
{
    struct lore_spec_md_value v = {0};
    const char *equals = strrchr(text, '='), *approx = strstr(text, "≈"), *rest = NULL;

    if (equals) {
        text = equals + 1;
        v.computed = true;
    } else if (approx && approx != text) {
        text = approx;
        v.computed = true;
    }
    text += strspn(text, " \t*");
    v.approximate = *text == '~' || lore_starts(text, "≈");
    if (lore_starts(text, "Up to ") || lore_starts(text, "up to ")) {
        v.up_to = true;
        text += 6;
    }
    if (!lore_md_number(text, &v.v, &rest, NULL))
        return false;
    /* reject a range ("80–141") and a number glued to a word ("3rd") */
    if (lore_starts(rest, "–") || (*rest == '-' && rest[1] >= '0' && rest[1] <= '9'))
        return false;
    if ((*rest >= 'a' && *rest <= 'z' && *rest != 'x') || (*rest >= 'A' && *rest <= 'Z')) {
        if (!*unit_of(rest))
            return false;
    }
    rest += strspn(rest, " \t*");
    v.unit = unit_of(rest);
    rest += strlen(v.unit);
    v.rest = trimmed(arena, rest, strlen(rest));
    *out = v;
    return true;
}

const char *
lore_spec_md_line(struct lore_arena *arena, const char *text, size_t line)
{
    for (size_t at = 1; at < line; at++) {
        text = strchr(text, '\n');
        if (!text)
            return "";
        text++;
    }
    size_t n = strcspn(text, "\n");
    while (n > 0 && strchr(" \t\r", text[0]))
        text++, n--;
    while (n > 0 && strchr(" \t\r", text[n - 1]))
        n--;
    return lore_strndup(arena, text, n);
}

/* "**Last Updated**: 2026-03-06" */
static const char *
date_of(struct lore_arena *arena, const char *text)
{
    const char *at = strstr(text, "Last Updated");
    int64_t us = 0;

    if (!at)
        return NULL;
    at += strcspn(at, "0123456789\n");
    const char *date = lore_strndup(arena, at, strspn(at, "0123456789-"));
    return strlen(date) == 10 && lore_time_parse(date, &us, NULL) == LORE_OK ? date : NULL;
}

const char *
lore_spec_md_document(
    struct lore_import *in, const struct lore_import_file *file, const struct lore_md *md)
{
    struct lore_submission *doc = in->doc;
    const char *title = md->title && *md->title && strlen(md->title) <= 200
                            ? md->title
                            : lore_build_basename(file->path);
    char hex[LORE_HASH_HEX];

    if (!file->utf8 || file->len == 0 || strlen(file->path) > 1000 || strlen(title) > 200)
        return NULL;
    lore_hash_hex(file->text, file->len, hex);
    const char *id = lore_build_id(in->arena, 0, "source-document|%s|%s", file->path, hex);
    for (size_t i = 0; i < doc->n_source_documents; i++) {
        if (strcmp(doc->source_documents[i].id, id) == 0)
            return id;
    }
    struct lore_source_document *d = LORE_PUSH(
        in->arena, doc->source_documents, doc->n_source_documents, doc->cap_source_documents);
    d->id = id;
    d->title = title;
    d->path = file->path;
    d->text = file->text;
    d->published_at = date_of(in->arena, file->text);
    d->provenance.system = "hardware-spec";
    d->provenance.path = file->path;
    return id;
}

struct lore_spec *
lore_spec_md_add(struct lore_import *in, const struct lore_spec_citation *place, const char *metric,
    const struct lore_spec_md_value *value, const char *unit)
{
    struct lore_submission *doc = in->doc;
    const struct lore_source_document *source = NULL;
    char digits[32];

    for (size_t i = 0; i < doc->n_source_documents && !source; i++) {
        if (strcmp(doc->source_documents[i].id, place->document) == 0)
            source = &doc->source_documents[i];
    }
    unit = *value->unit ? value->unit : unit;
    lore_f64_text(value->v, digits);
    const char *id = lore_build_id(in->arena, 0, "spec|%s|%s|%s|%s|%zu|%s|%s", place->system,
        place->document, place->chip, metric, place->line, digits, unit);
    for (size_t i = 0; i < doc->n_specs; i++) {
        if (strcmp(doc->specs[i].id, id) == 0)
            return &doc->specs[i];
    }
    struct lore_spec *s = LORE_PUSH(in->arena, doc->specs, doc->n_specs, doc->cap_specs);
    s->id = id;
    s->chip = place->chip;
    s->metric = metric;
    s->value = (struct lore_f64){true, value->v};
    s->unit = unit;
    s->evidence_class = "repository_reference";
    s->source_document = place->document;
    s->line = (struct lore_i64){true, (int64_t)place->line};
    s->quote = source ? lore_spec_md_line(in->arena, source->text, place->line) : NULL;
    s->provenance.system = place->system;
    s->provenance.path = source ? source->path : NULL;
    return s;
}
