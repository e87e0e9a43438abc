/* Values of a row: columns, templates, and what is done to a text before it is a value. */
#include "collectors/import/maps/value.h"

#include <fnmatch.h>
#include <math.h>
#include <string.h>

#include "collectors/import/markdown.h"
#include "service/base/text.h"
#include "service/wire/build.h"

enum { TEXT_MAX = 64 << 10, PATTERN_MAX = 16 << 10, REF_MAX = 200 };

/* ---- columns ---- */

const struct lore_json *
lore_map_member(const struct lore_json *object, const char *ref)
{
    const struct lore_json *m = lore_json_get(object, ref);
    size_t n = strcspn(ref, ".");
    char name[REF_MAX];

    if (m || !object || n >= sizeof name)
        return m;
    memcpy(name, ref, n);
    name[n] = '\0';
    m = lore_json_get(object, name);
    if (!m && n == 1 && *name >= '0' && *name <= '9' && object->type != LORE_J_STRING) {
        m = object->child;
        for (char i = *name; m && i > '0'; i--)
            m = m->next;
    }
    return m && ref[n] == '.' ? lore_map_member(m, ref + n + 1) : ref[n] ? NULL : m;
}

const struct lore_json *
lore_map_node(const struct lore_map_row *r, const char *ref)
{
    if (*ref == '^')
        return lore_map_member(r->head, ref + 1);
    if (*ref == '+')
        return lore_map_joined_node(r, ref + 1);
    const struct lore_json *m = lore_map_member(r->row, ref);
    if (!m)
        m = lore_map_member(lore_json_get(r->row, "value"), ref);
    if (!m && r->outer)
        m = lore_map_member(r->outer, ref);
    if (!m && r->outer)
        m = lore_map_member(lore_json_get(r->outer, "value"), ref);
    return m;
}

/* The name of the folder N levels above the file. */
static const char *
folder(const struct lore_map_row *r, size_t n)
{
    const char *above = r->in->tree && r->in->tree->above ? r->in->tree->above : "";
    const char *path = lore_format(r->arena, "%s/%s", above, r->in->at->path);
    size_t end = strlen(path), start = end;

    for (;; n--) {
        while (start > 0 && path[start - 1] != '/')
            start--;
        if (n == 0 || start == 0)
            return lore_strndup(r->arena, path + start, end - start);
        end = start - 1;
        start = end;
    }
}

static bool
is_none(const struct lore_map_row *r, const char *text)
{
    static const char *const none[] = {"", "-", "n/a", "na", "none", "null", "nan", "\xe2\x80\x94"};

    if (!r->take->cells)
        return *text == '\0';
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        if (lore_streqi(text, none[i]))
            return true;
    return false;
}

/* The text of column REF; NULL: it has none. */
static const char *
text_of(const struct lore_map_row *r, const char *ref)
{
    if (strcmp(ref, "@file") == 0)
        return r->in->file;
    if (strcmp(ref, "@line") == 0)
        return lore_format(r->arena, "%zu", r->line);
    if (strncmp(ref, "@folder", 7) == 0)
        return folder(r, ref[7] >= '1' && ref[7] <= '9' ? (size_t)(ref[7] - '0') : 1);
    if (strcmp(ref, "@key") == 0)
        return r->row->key;
    const struct lore_json *m = lore_map_node(r, ref);
    if (m && m->type == LORE_J_NULL)
        lore_take_mark(r->take, m);
    if (!m || m->type == LORE_J_NULL)
        return NULL;
    if (m->type == LORE_J_STRING || m->type == LORE_J_NUMBER)
        return is_none(r, m->str) ? NULL : m->str;
    if (m->type == LORE_J_BOOL)
        return m->i ? "true" : "false";
    return lore_build_verbatim(r->arena, m, NULL, NULL);
}

static void
mark(const struct lore_map_row *r, const char *ref)
{
    if (*ref != '@')
        lore_take_mark(r->take, lore_map_node(r, ref));
}

/* FORM with the texts of its columns; NULL when one of them has none. */
static const char *
fill(const struct lore_map_row *r, const char *form, bool marks)
{
    struct lore_buf b = {.max = TEXT_MAX};
    const char *out = NULL, *open;

    for (const char *p = form;; p = strchr(open, '}') + 1) {
        open = strchr(p, '{');
        if (!open || !strchr(open, '}')) {
            lore_buf_puts(&b, p);
            out = b.over ? NULL : lore_strdup(r->arena, b.data ? b.data : "");
            break;
        }
        const char *ref = lore_strndup(r->arena, open + 1, (size_t)(strchr(open, '}') - open - 1));
        const char *text = text_of(r, ref);
        if (!text)
            break;
        lore_buf_add(&b, p, (size_t)(open - p));
        lore_buf_puts(&b, text);
        if (marks)
            mark(r, ref);
    }
    lore_buf_free(&b);
    return out;
}

/* ---- texts ---- */

static const char *
matched(const struct lore_map_row *r, const regex_t *re, const char *text)
{
    enum { GROUPS = 10 };
    regmatch_t at[GROUPS];

    if (strlen(text) > PATTERN_MAX)
        text = lore_strndup(r->arena, text, lore_utf8_prefix(text, PATTERN_MAX));
    if (regexec(re, text, GROUPS, at, 0) != 0)
        return NULL;
    size_t last = re->re_nsub < GROUPS ? re->re_nsub : GROUPS - 1;
    while (last > 0 && at[last].rm_so < 0)
        last--;
    regmatch_t *m = &at[last];
    return m->rm_so < 0 ? NULL
                        : lore_strndup(r->arena, text + m->rm_so, (size_t)(m->rm_eo - m->rm_so));
}

/* What the map makes of TEXT; NULL: no value, and *NONE says that the map names TEXT as none. */
static const char *
worked(const struct lore_map_row *r, const struct lore_map_value *v, const char *text, bool *none)
{
    if (v->match)
        text = matched(r, v->match, text);
    if (!text)
        return NULL;
    for (size_t i = 0; i < v->n_search; i++)
        if (matched(r, v->search[i].re, text)) {
            *none = !v->search[i].to;
            return v->search[i].to;
        }
    if (v->n_search > 0)
        return v->otherwise;
    for (size_t i = 0; i < v->n_values; i++)
        if (lore_streqi(v->values[i].from, text)) {
            *none = !v->values[i].to;
            return v->values[i].to;
        }
    return v->n_values > 0 && v->otherwise ? v->otherwise : text;
}

/* The text of V alone, without those behind it. *REF is the column it came from, NULL: none.
 * *VERBATIM: the text is what the file says; else the file's own words stay unread, for `extra`. */
static const char *
own_text(
    const struct lore_map_row *r, const struct lore_map_value *v, const char **ref, bool *verbatim)
{
    const char *raw = NULL;
    bool none = false;

    *ref = NULL;
    for (size_t i = 0; i < v->n_columns && !raw; i++) {
        raw = text_of(r, v->columns[i]);
        *ref = raw ? v->columns[i] : NULL;
    }
    if (!raw && v->form)
        raw = fill(r, v->form, false);
    if (!raw && v->constant) {
        *verbatim = true;
        return v->constant;
    }
    const char *text = raw ? worked(r, v, raw, &none) : NULL;
    if (none && *ref) /* it was read, and says nothing */
        mark(r, *ref);
    *verbatim = text && strcmp(text, raw) == 0;
    return text ? text : v->fallback;
}

static void
mark_read(const struct lore_map_row *r, const struct lore_map_value *v, const char *ref)
{
    if (ref)
        mark(r, ref);
    else if (v->form)
        (void)fill(r, v->form, true);
}

bool
lore_map_text(
    const struct lore_map_row *r, const struct lore_map_value *v, size_t max, const char **out)
{
    for (; v; v = v->next) {
        bool verbatim = false;
        const char *ref, *text = own_text(r, v, &ref, &verbatim);
        if (!text || !*text || strlen(text) > max || !lore_utf8_valid(text, strlen(text)))
            continue;
        if (verbatim)
            mark_read(r, v, ref);
        *out = lore_strdup(r->arena, text);
        return true;
    }
    return false;
}

/* ---- numbers ---- */

double
lore_map_unit_ns(const char *unit)
{
    static const struct {
        const char *name;
        double ns;
    } units[] = {{"ns", 1}, {"nsecond", 1}, {"nanoseconds", 1}, {"us", 1e3}, {"\xc2\xb5s", 1e3},
        {"\xce\xbcs", 1e3}, {"usecond", 1e3}, {"microseconds", 1e3}, {"ms", 1e6}, {"msecond", 1e6},
        {"milliseconds", 1e6}, {"miliseconds", 1e6}, {"s", 1e9}, {"sec", 1e9}, {"second", 1e9},
        {"seconds", 1e9}};

    for (size_t i = 0; unit && i < sizeof units / sizeof *units; i++)
        if (lore_streqi(unit, units[i].name))
            return units[i].ns;
    return 0;
}

static void
list_bad(const struct lore_map_row *r, const char *ref, const char *text, const char *what)
{
    lore_import_note(r->in, LORE_IL_DOUBTS, "%s line %zu: %s: %s, not \"%.60s\"; kept in extra",
        r->in->at->path, r->line, ref ? ref : "template", what, text);
}

/* A number as the row has it. */
struct found_number {
    const struct lore_map_value *v; /* where it came from */
    const char *ref, *unit;
    double value;
    bool verbatim;
};

static bool
find_number(const struct lore_map_row *r, const struct lore_map_value *v, struct found_number *out)
{
    for (; v; v = v->next) {
        bool verbatim = false;
        const char *ref, *text = own_text(r, v, &ref, &verbatim), *rest = "";
        double value = 0;
        if (!text)
            continue;
        if (!lore_md_number(text, &value, &rest, NULL) || !isfinite(value)) {
            list_bad(r, ref, text, "expected a number");
            continue;
        }
        rest += strspn(rest, " \t");
        size_t n = strcspn(rest, " \t,;(\xc2");
        const char *said = v->unit_column ? text_of(r, v->unit_column) : NULL;
        if (!said && n > 0 && lore_map_unit_ns(lore_strndup(r->arena, rest, n)) > 0)
            said = lore_strndup(r->arena, rest, n);
        if (said && v->unit_column)
            mark(r, v->unit_column);
        *out = (struct found_number){
            v, ref, said ? lore_strdup(r->arena, said) : v->unit, value, verbatim};
        return true;
    }
    return false;
}

bool
lore_map_number(
    const struct lore_map_row *r, const struct lore_map_value *v, double *out, const char **unit)
{
    struct found_number x;

    if (!find_number(r, v, &x))
        return false;
    *out = x.value;
    *unit = x.unit;
    if (x.verbatim)
        mark_read(r, x.v, x.ref);
    return true;
}

static bool
read_ns(const struct lore_map_row *r, const struct lore_map_value *v, bool or_zero,
    struct lore_f64 *out)
{
    struct found_number x;

    if (!find_number(r, v, &x))
        return false;
    double ns = lore_map_unit_ns(x.unit);
    const char *why = ns <= 0
                          ? lore_format(r->arena, "\"%s\" is no unit of time", x.unit ? x.unit : "")
                      : x.value < 0                       ? "a time is not negative"
                      : x.value * ns > 9007199254740992.0 ? "the time is longer than 104 days"
                      : x.value == 0 && !or_zero          ? "a time of 0 is no time"
                                                          : NULL;
    if (why) {
        lore_import_note(r->in, LORE_IL_DOUBTS,
            "%s line %zu: %s%s%s; it is not read, but kept in "
            "extra",
            r->in->at->path, r->line, x.ref ? x.ref : "", x.ref ? ": " : "", why);
        return false;
    }
    *out = (struct lore_f64){true, lore_build_ns(x.value * (ns / 1e6))};
    if (x.verbatim)
        mark_read(r, x.v, x.ref);
    return true;
}

bool
lore_map_ns(const struct lore_map_row *r, const struct lore_map_value *v, struct lore_f64 *out)
{
    return read_ns(r, v, true, out);
}

bool
lore_map_time(const struct lore_map_row *r, const struct lore_map_value *v, struct lore_f64 *out)
{
    return read_ns(r, v, false, out);
}

bool
lore_map_scalar(const struct lore_map_row *r, const struct lore_map_value *v, const char **out)
{
    const char *text = NULL;

    if (!lore_map_text(r, v, LORE_TAKE_LINE, &text))
        return false;
    if (strcmp(text, "true") == 0 || strcmp(text, "false") == 0)
        *out = text;
    else
        *out =
            lore_json_is_number(text, strlen(text)) ? text : lore_build_json_text(r->arena, text);
    return true;
}

bool
lore_map_like(const struct lore_texts *patterns, const char *name)
{
    for (size_t i = 0; i < patterns->n; i++)
        if (fnmatch(patterns->v[i], name, 0) == 0)
            return true;
    return false;
}
