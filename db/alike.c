/* Insights that repeat or contradict another one. Two insights are equal when they have the same
 * scope, and the same title apart from case and punctuation. A warning (anti_strategy) and advice
 * (technique_card, playbook) about one technique in one scope conflict. This file decides nothing:
 * a reader of the answer retracts or reviews one of them.
 *
 * The search scans the newest MAX_READ insights once, so a caller passes all its ids together. */
#include <ctype.h>
#include <string.h>

#include "db/internal.h"
#include "db/read.h"
#include "service/base/text.h"

enum { MAX_READ = 20000, MAX_FOUND = 200 };

struct insight {
    const char *id, *title, *scope, *technique; /* scope: operator to technique, as one string */
    bool warns, advises;
};

/* The words of a title in lower case, separated by single spaces; bytes beyond ASCII stay. */
static const char *
words_of(const char *title, struct lore_arena *a)
{
    char *out = lore_alloc(a, strlen(title) + 1);
    size_t n = 0;

    for (const char *p = title; *p != '\0'; p++) {
        unsigned char c = (unsigned char)*p;

        if (isalnum(c) || c >= 0x80)
            out[n++] = (char)tolower(c);
        else if (n > 0 && out[n - 1] != ' ')
            out[n++] = ' ';
    }
    while (n > 0 && out[n - 1] == ' ')
        n--;
    out[n] = '\0';
    return out;
}

static const char *
col(struct lore_stmt *q, int n, struct lore_arena *a)
{
    const char *text = lore_col_text(q, n, a);

    return text ? text : "";
}

static enum lore_status
load(
    struct lore_db *db, struct lore_arena *a, struct insight **out, size_t *n, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "SELECT i.id, i.kind, i.title, i.operator, i.family, i.language,"
                               " i.chip, i.technique FROM fact_insight i"
                               " LEFT JOIN drv_curated c ON c.record = i.id"
                               " WHERE c.retraction IS NULL ORDER BY i.seq DESC LIMIT $1");
    size_t cap = 0;

    lore_bind_i64(&q, 1, MAX_READ);
    while (lore_row(&q)) {
        struct insight *s = LORE_PUSH(a, *out, *n, cap);
        const char *kind = lore_col_text(&q, 1, NULL);

        s->warns = strcmp(kind, "anti_strategy") == 0;
        s->advises = strcmp(kind, "technique_card") == 0 || strcmp(kind, "playbook") == 0;
        s->id = lore_col_text(&q, 0, a);
        s->title = words_of(lore_col_text(&q, 2, NULL), a);
        s->technique = col(&q, 7, a);
        s->scope = lore_format(a, "%s|%s|%s|%s|%s", col(&q, 3, a), col(&q, 4, a), col(&q, 5, a),
            col(&q, 6, a), s->technique);
    }
    return lore_done(&q, err);
}

/* Whether X and Y repeat each other, or (*conflict) contradict each other. */
static bool
are_alike(const struct insight *x, const struct insight *y, bool *conflict)
{
    if (x == y || strcmp(x->scope, y->scope) != 0)
        return false;
    *conflict = *x->technique != '\0' && ((x->warns && y->advises) || (x->advises && y->warns));
    return *conflict || (*x->title != '\0' && strcmp(x->title, y->title) == 0);
}

enum lore_status
lore_db_list_alike(struct lore_db *db, const struct lore_texts *ids, struct lore_arena *a,
    struct lore_alike **out, size_t *n, struct lore_err *err)
{
    struct insight *all = NULL;
    struct lore_alike *found = NULL;
    size_t n_all = 0, count = 0, cap = 0;
    enum lore_status status = load(db, a, &all, &n_all, err);

    for (size_t k = 0; status == LORE_OK && k < ids->n; k++) {
        const struct insight *asked = NULL;

        for (size_t i = 0; i < n_all && !asked; i++)
            asked = strcmp(all[i].id, ids->v[k]) == 0 ? &all[i] : NULL;
        for (size_t i = 0; asked != NULL && i < n_all && count < MAX_FOUND; i++) {
            bool conflict = false;

            if (are_alike(asked, &all[i], &conflict))
                *LORE_PUSH(a, found, count, cap) =
                    (struct lore_alike){asked->id, all[i].id, conflict};
        }
    }
    if (status == LORE_OK) {
        *out = found;
        *n = count;
    }
    return status;
}
