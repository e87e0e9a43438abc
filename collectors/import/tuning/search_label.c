/* Labels of configurations (search_label.h). */
#include "collectors/import/tuning/search_label.h"

#include <stdlib.h>
#include <string.h>

#include "service/base/text.h"

enum { LABEL_MAX = 60, SHORT = 28 /* a longer parameter comes last */ };

static int
by_name(const void *a, const void *b)
{
    const struct lore_search_value *x = a, *y = b;

    return strcmp(x->name, y->name);
}

static const struct lore_search_value *
sorted(struct lore_arena *arena, const struct lore_search_value *params, size_t n)
{
    struct lore_search_value *out = lore_alloc_array(arena, n + 1, sizeof *out);

    if (n > 0)
        memcpy(out, params, n * sizeof *out);
    qsort(out, n, sizeof *out, by_name);
    return out;
}

const char *
lore_search_text_of(struct lore_arena *arena, const struct lore_search_value *params, size_t n)
{
    const struct lore_search_value *v = sorted(arena, params, n);
    LORE_BUF b = {0};

    for (size_t i = 0; i < n; i++)
        lore_buf_printf(&b, "%s%s=%s", i > 0 ? " " : "", v[i].name, v[i].json);
    return lore_strndup(arena, b.len > 0 ? b.data : "", b.len);
}

/* "name=value" without the quotes of a text. */
static const char *
one(struct lore_arena *arena, const struct lore_search_value *v)
{
    size_t n = strlen(v->json);
    bool quoted = n >= 2 && v->json[0] == '"';

    return lore_format(arena, "%s=%.*s", v->name, (int)(n - 2 * (size_t)quoted), v->json + quoted);
}

/* Append the parameters that are short, or those that are long, as far as they fit; false: some do
 * not. */
static bool
append(struct lore_arena *arena, const struct lore_search_value *v, size_t n, bool longer,
    const char **label)
{
    bool all = true;

    for (size_t i = 0; i < n; i++) {
        const char *text = one(arena, &v[i]);
        if ((strlen(text) > SHORT) != longer)
            continue;
        if (**label == '\0' && strlen(text) > LABEL_MAX) { /* else the label would be empty */
            *label = lore_strndup(arena, text, lore_utf8_prefix(text, LABEL_MAX));
            all = false;
        } else if (strlen(*label) + strlen(text) + 1 > LABEL_MAX) {
            all = false;
        } else {
            *label = lore_format(arena, "%s%s%s", *label, **label ? " " : "", text);
        }
    }
    return all;
}

const char *
lore_search_label(
    struct lore_arena *arena, const struct lore_search_value *params, const bool *differs, size_t n)
{
    const char *text = lore_search_text_of(arena, params, n), *label = "";
    struct lore_search_value some[LORE_SWEEP_SERIES];
    size_t n_some = 0;

    if (strlen(text) <= LABEL_MAX)
        return text;
    for (size_t i = 0; i < n && n_some < LORE_SWEEP_SERIES; i++)
        if (differs[i])
            some[n_some++] = params[i];
    const struct lore_search_value *v =
        n_some > 0 ? sorted(arena, some, n_some) : sorted(arena, params, n);
    n_some = n_some > 0 ? n_some : n;
    bool all = append(arena, v, n_some, false, &label);
    all &= append(arena, v, n_some, true, &label);
    return all ? label : lore_format(arena, "%s\xe2\x80\xa6", label);
}
