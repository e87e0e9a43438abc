/* Columns with a meaning beyond their SQL type (columns.h). A missing number is NULL. A time is
 * stored as microseconds and read as RFC 3339. A list is stored as words with a separator, an enum
 * as its name. */
#include "db/columns.h"

#include <string.h>

#include "service/base/clock.h"
#include "service/base/text.h"
#include "service/wire/wire.h"

void
lore_bind_opt_f64(struct lore_stmt *q, int n, struct lore_f64 v)
{
    if (v.set)
        lore_bind_f64(q, n, v.v);
    else
        lore_bind_null(q, n);
}

void
lore_bind_opt_i64(struct lore_stmt *q, int n, struct lore_i64 v)
{
    if (v.set)
        lore_bind_i64(q, n, v.v);
    else
        lore_bind_null(q, n);
}

void
lore_bind_time(struct lore_stmt *q, int n, const char *rfc3339)
{
    int64_t us;

    /* The format was checked when the document was decoded. */
    if (rfc3339 && lore_time_parse(rfc3339, &us, NULL) == LORE_OK)
        lore_bind_i64(q, n, us);
    else
        lore_bind_null(q, n);
}

struct lore_f64
lore_col_opt_f64(struct lore_stmt *q, int n)
{
    return (struct lore_f64){!lore_col_null(q, n), lore_col_f64(q, n)};
}

struct lore_i64
lore_col_opt_i64(struct lore_stmt *q, int n)
{
    return (struct lore_i64){!lore_col_null(q, n), lore_col_i64(q, n)};
}

const char *
lore_col_time(struct lore_stmt *q, int n, struct lore_arena *a)
{
    char text[LORE_TIME_SIZE], *end;

    if (lore_col_null(q, n))
        return NULL;
    lore_time_format(lore_col_i64(q, n), text);
    /* The shortest form: no zeros at the end of the fraction, no empty fraction. */
    end = strchr(text, 'Z');
    while (end > text && end[-1] == '0')
        end--;
    if (end > text && end[-1] == '.')
        end--;
    memcpy(end, "Z", 2);
    return lore_strdup(a, text);
}

void
lore_split(const char *text, char separator, struct lore_arena *a, struct lore_texts *out)
{
    while (text && *text != '\0') {
        const char *end = strchr(text, separator);
        size_t n = end != NULL ? (size_t)(end - text) : strlen(text);

        if (n > 0)
            *LORE_PUSH(a, out->v, out->n, out->cap) = lore_strndup(a, text, n);
        text = end != NULL ? end + 1 : NULL;
    }
}

const char *
lore_join(const struct lore_texts *t, char separator, struct lore_arena *a)
{
    size_t len = 1;
    char *text, *at;

    if (t->n == 0)
        return "";
    if (t->n == 1)
        return t->v[0];
    for (size_t i = 0; i < t->n; i++)
        len += strlen(t->v[i]) + 1;
    at = text = lore_alloc(a, len);
    for (size_t i = 0; i < t->n; i++) {
        size_t n = strlen(t->v[i]);

        if (i > 0)
            *at++ = separator;
        memcpy(at, t->v[i], n);
        at += n;
    }
    return text;
}

/* Define a parser of enum names. */
#define OF(function, type, name_of, count)                                                         \
    type function(const char *s)                                                                   \
    {                                                                                              \
        for (int i = 1; s != NULL && i < (count); i++)                                             \
            if (lore_streq(name_of((type)i), s))                                                   \
                return (type)i;                                                                    \
        return (type)0;                                                                            \
    }
OF(lore_evidence_of, enum lore_evidence, lore_evidence_name, LORE_EV_COUNT)
OF(lore_version_kind_of, enum lore_version_kind, lore_version_kind_name, LORE_V_COUNT)
OF(lore_edge_kind_of, enum lore_edge_kind, lore_edge_kind_name, LORE_E_COUNT)
OF(lore_check_of, enum lore_check, lore_check_name, LORE_C_COUNT)
OF(lore_base_of, enum lore_base, lore_base_name, LORE_BASE_COUNT)
OF(lore_run_role_of, enum lore_run_role, lore_run_role_name, LORE_ROLE_COUNT)
