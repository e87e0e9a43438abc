/* Helpers of the version-directories importer: ids, texts within the limits of the submission
 * format, text without a field, and printed numbers.
 *
 * An id is derived from the whole record, so one id never has two contents. */
#include "collectors/import/version_directories/case_keep.h"

#include <math.h>
#include <string.h>

#include "service/base/text.h"
#include "service/base/ulid.h"
#include "service/wire/build.h"

const char *
lore_case_derive_id(const struct lore_case *c, enum lore_kind kind, const void *record)
{
    char *out = lore_alloc(c->in->arena, LORE_ULID_SIZE);
    struct lore_buf b = {.max = LORE_WIRE_MAX_BYTES};
    struct lore_jsonw w;

    lore_buf_puts(&b, lore_kind_name(kind));
    lore_jsonw_begin(&w, &b, false);
    lore_w_obj(&w);
    lore_wire_members(&w, kind, record);
    lore_w_obj_end(&w);
    /* a record that cannot be encoded is refused by lore_pack_unit */
    (void)!lore_jsonw_end(&w, NULL);
    lore_ulid_derive(c->ms, b.data, b.len, out);
    lore_buf_free(&b);
    return out;
}

const char *
lore_case_truncate(struct lore_arena *arena, const char *text, size_t most)
{
    if (!text || strlen(text) <= most)
        return text;
    return lore_format(arena, "%.*s…", (int)lore_utf8_prefix(text, most - 3), text);
}

/* Whether an absolute path with at least two parts begins at S. */
static bool
path_begins(const char *text, const char *s)
{
    bool free = s == text || strchr(" \t\"'`(=:,|[", s[-1]);
    const char *end = s + 1 + strcspn(s + 1, "/ \t\n\"'`),;|]");

    return free && s[0] == '/' && s[1] != '/' && end > s + 1 && *end == '/';
}

const char *
lore_case_cut_paths(struct lore_arena *arena, const char *text, size_t *cut)
{
    char *out = NULL;
    size_t n = 0;

    for (const char *p = text; *p != '\0';) {
        if (!path_begins(text, p)) {
            if (out)
                out[n++] = *p;
            p++;
            continue;
        }
        if (!out) {
            out = lore_strdup(arena, text);
            n = (size_t)(p - text);
        }
        size_t len = strcspn(p, " \t\n\"'`),;|]");
        const char *name = p;
        for (const char *q = p; q < p + len; q++)
            name = *q == '/' && q + 1 < p + len ? q + 1 : name;
        memcpy(out + n, name, (size_t)(p + len - name));
        n += (size_t)(p + len - name);
        p += len;
        *cut += 1;
    }
    if (!out)
        return text;
    out[n] = '\0';
    return out;
}

void
lore_case_keep_text(struct lore_case *c, struct lore_case_unmapped_list *rest, const char *section,
    size_t line, const char *text)
{
    struct lore_case_unmapped *left = LORE_PUSH(c->in->arena, rest->v, rest->n, rest->cap);
    size_t cut = 0;

    left->file = c->in->at->path;
    left->section = section;
    left->line = line;
    left->text = lore_case_cut_paths(c->in->arena, text, &cut);
    lore_import_note(c->in, LORE_IL_EXTRA, "%s line %zu: %s", left->file, line,
        lore_case_truncate(c->in->arena, left->text, 80));
}

void
lore_case_keep_row(struct lore_case *c, struct lore_case_unmapped_list *rest,
    const struct lore_md_table *t, const struct lore_md_row *row)
{
    struct lore_buf b = {.max = LORE_IMPORT_MAX};

    for (size_t i = 0; i < row->n; i++)
        lore_buf_printf(&b, "%s%s", i > 0 ? " | " : "", row->cells[i]);
    lore_case_keep_text(
        c, rest, t->section, row->line, lore_strdup(c->in->arena, b.data ? b.data : ""));
    lore_buf_free(&b);
}

const char *
lore_case_extra(
    struct lore_arena *arena, const struct lore_kvs *more, const struct lore_case_unmapped_list *r)
{
    struct lore_buf b = {.max = LORE_WIRE_MAX_BYTES};
    struct lore_jsonw w;

    if (more->n == 0 && r->n == 0)
        return NULL;
    lore_jsonw_begin(&w, &b, false);
    lore_w_obj(&w);
    for (size_t i = 0; i < more->n; i++) {
        lore_w_key(&w, more->v[i].key);
        lore_w_raw(&w, more->v[i].value);
    }
    if (r->n > 0) {
        lore_w_key(&w, "left");
        lore_w_arr(&w);
        for (size_t i = 0; i < r->n; i++) {
            lore_w_obj(&w);
            lore_w_kstr(&w, "file", lore_build_basename(r->v[i].file));
            lore_w_ki64(&w, "line", (int64_t)r->v[i].line);
            lore_w_kstr_opt(&w, "section", r->v[i].section);
            lore_w_kstr(&w, "text", r->v[i].text);
            lore_w_obj_end(&w);
        }
        lore_w_arr_end(&w);
    }
    lore_w_obj_end(&w);
    bool good = lore_jsonw_end(&w, NULL) == LORE_OK;
    const char *out = good ? lore_strndup(arena, b.data, b.len) : NULL;
    lore_buf_free(&b);
    return out;
}

void
lore_case_set_text(
    struct lore_arena *arena, struct lore_kvs *kvs, const char *key, const char *text)
{
    size_t cut = 0;

    if (!text || *text == '\0')
        return;
    text = lore_case_truncate(arena, lore_case_cut_paths(arena, text, &cut), 32u << 10);
    lore_kvs_set(arena, kvs, lore_case_truncate(arena, key, 180), lore_kvs_quote(arena, text));
}

void
lore_case_add_text(
    struct lore_arena *arena, struct lore_kvs *kvs, const char *key, const char *text)
{
    const char *base = *key != '\0' ? lore_case_truncate(arena, key, 180) : "unnamed";

    key = base;
    for (int n = 2; lore_kvs_get(kvs, key) != NULL && n < 1000; n++)
        key = lore_format(arena, "%s_%d", base, n);
    lore_case_set_text(arena, kvs, key, text);
}

void
lore_case_set_f64(struct lore_arena *arena, struct lore_kvs *kvs, const char *key, double v)
{
    char text[32];

    lore_f64_text(v, text);
    lore_kvs_set(arena, kvs, key, lore_strdup(arena, text));
}

bool
lore_case_printed(const char *text, double *value, double *half_unit)
{
    const char *rest, *point;
    double scale = 1, exponent = 0;

    if (!lore_md_number(text, value, &rest, NULL))
        return false;
    *half_unit = 0.5;
    point = memchr(text, '.', (size_t)(rest - text));
    if (point != NULL)
        *half_unit *= pow(10, -(double)strspn(point + 1, "0123456789"));
    for (const char *p = text; p < rest; p++) {
        if (*p == 'e' || *p == 'E')
            (void)!lore_md_number(p + 1, &exponent, NULL, NULL);
    }
    *half_unit *= pow(10, exponent);
    if (*rest != '\0' && strchr("KMG", *rest) && strncmp(rest, "MB", 2) != 0)
        scale = *rest == 'K' ? 1e3 : *rest == 'M' ? 1e6 : 1e9;
    *value *= scale;
    *half_unit *= scale;
    return true;
}

long long
lore_case_number(const char *s, const char **end)
{
    size_t n = s[0] == 'v' || s[0] == 'V' ? strspn(s + 1, "0123456789") : 0;
    long long out = 0;

    if (n == 0 || n > 6)
        return -1;
    for (size_t i = 1; i <= n; i++)
        out = out * 10 + (s[i] - '0');
    if (end != NULL)
        *end = s + 1 + n;
    return out;
}

int
lore_case_index(const struct lore_case *c, long long ordinal)
{
    for (size_t i = 0; i < c->n; i++) {
        if (c->versions[i].ordinal == ordinal)
            return (int)i;
    }
    return -1;
}
