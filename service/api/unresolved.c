/* GET /api/v1/unresolved: names of techniques and operators that records use and the catalogue does
 * not know, for a curator. Each comes with the known names that may be meant. */
#include <stdlib.h>
#include <string.h>

#include "db/store.h"
#include "service/api/api.h"
#include "service/api/objects.h"
#include "service/catalogue/catalogue.h"
#include "service/catalogue/words.h"

struct unresolved {
    const char *kind, *name;
    int64_t experiments;
    struct lore_texts near;
};

#define ROW struct unresolved
static const struct lore_object_member members[] = {
    {"!kind", AT(kind), "operator|technique"},
    {"!name", AT(name)},
    {"!experiments", AT(experiments), NULL, "that use it"},
    {"!near", AT(near), NULL, "known names that may be meant, nearest first"},
};
const struct lore_object lore_unresolved_object = LORE_OBJECT("Unresolved", members);
#undef ROW

struct list {
    struct unresolved *v;
    size_t n, cap;
};

static void
put(struct lore_arena *arena, struct list *l, struct unresolved row,
    size_t (*nearest)(const char *, const char *[LORE_WORDS_NEAREST]))
{
    const char *near[LORE_WORDS_NEAREST];
    size_t n = nearest(row.name, near);

    for (size_t i = 0; i < n; i++)
        *LORE_PUSH(arena, row.near.v, row.near.n, row.near.cap) = near[i];
    *LORE_PUSH(arena, l->v, l->n, l->cap) = row;
}

/* Most used first, then by name. */
static int
by_use(const void *a, const void *b)
{
    const struct unresolved *x = a, *y = b;

    if (x->experiments != y->experiments)
        return x->experiments > y->experiments ? -1 : 1;
    return strcmp(x->name, y->name);
}

enum lore_status
lore_api_unresolved(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    struct lore_operator_row *ops = NULL;
    struct lore_technique_row *techniques = NULL;
    size_t n_ops = 0, n = 0;
    struct list l = {0};
    enum lore_status status = lore_db_list_operators(req->db, req->arena, &ops, &n_ops, err);

    if (status == LORE_OK)
        status = lore_db_list_techniques(req->db, req->arena, &techniques, &n, err);
    if (status != LORE_OK)
        return status;
    for (size_t i = 0; i < n_ops; i++)
        if (!ops[i].known && strcmp(ops[i].name, LORE_UNCLASSIFIED) != 0)
            put(req->arena, &l,
                (struct unresolved){"operator", ops[i].name, ops[i].experiments, {0}},
                lore_operators_nearest);
    for (size_t i = 0; i < n; i++)
        if (!techniques[i].known && techniques[i].experiments > 0 &&
            !lore_technique_is_placeholder(techniques[i].slug))
            put(req->arena, &l,
                (struct unresolved){
                    "technique", techniques[i].slug, techniques[i].experiments, {0}},
                lore_words_nearest);
    if (l.n > 1)
        qsort(l.v, l.n, sizeof *l.v, by_use);
    return lore_reply_rows(resp, &lore_unresolved_object, l.v, l.n, NULL, err);
}
