/* The numbers of the model as they are kept: a JSON object of arrays, one member per kind, every
 * number written so that reading gives the same. Numbers from another version of the model lack a
 * member or have one of another length, and are refused. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "service/base/buf.h"
#include "service/base/json.h"
#include "service/moves/moves_model.h"

#define MEMBER(name)                                                                               \
    {                                                                                              \
#name, offsetof(struct moves_numbers, name), sizeof(((struct moves_numbers *)0)->name) / 8 \
    }
static const struct {
    const char *name;
    size_t offset, n;
} members[] = {MEMBER(field), MEMBER(kin), MEMBER(odds), MEMBER(tails), MEMBER(base), MEMBER(start),
    MEMBER(blank), MEMBER(start_alike)};
enum { MEMBERS = sizeof members / sizeof *members };
/* Learned numbers are far below this, except limits that nothing reaches (1e9). Larger numbers are
 * refused, because sums of their products would overflow. */
#define LARGEST 1e9

const char *
lore_moves_numbers(const struct lore_moves *m, struct lore_arena *arena)
{
    LORE_BUF b = {0};

    for (size_t i = 0; i < MEMBERS; i++) {
        lore_buf_printf(&b, "%s\"%s\": [", i == 0 ? "{" : ", ", members[i].name);
        for (size_t k = 0; k < members[i].n; k++) {
            double v;
            memcpy(&v, (const char *)&m->num + members[i].offset + k * sizeof v, sizeof v);
            lore_buf_printf(&b, "%s%.17g", k == 0 ? "" : ", ", v);
        }
        lore_buf_puts(&b, "]");
    }
    lore_buf_puts(&b, "}");
    return lore_strndup(arena, b.data, b.len);
}

static enum lore_status
read_member(const struct lore_json *root, size_t i, struct moves_numbers *out, struct lore_err *err)
{
    const struct lore_json *v = lore_json_get(root, members[i].name);
    size_t k = 0;

    if (!v || v->type != LORE_J_ARRAY || v->len != members[i].n)
        return lore_fail(err, LORE_INVALID, "%s: expected an array of %zu numbers", members[i].name,
            members[i].n);
    for (const struct lore_json *x = v->child; x != NULL; x = x->next, k++) {
        if (x->type != LORE_J_NUMBER || !(fabs(x->f) <= LARGEST))
            return lore_fail(err, LORE_INVALID, "%s[%zu]: expected a number", members[i].name, k);
        memcpy((char *)out + members[i].offset + k * sizeof x->f, &x->f, sizeof x->f);
    }
    return LORE_OK;
}

/* Nothing is negative, and what divides or must leave something unexplained is not 0. */
static bool
is_field(const double *s)
{
    for (size_t i = 0; i < STARTS; i++)
        if (!(s[i] >= 0))
            return false;
    return s[START_WIDTH] > 0 && s[START_NOISE] > 0 && s[START_BELIEF] <= 1;
}

static bool
all_positive(const double *v, size_t n)
{
    size_t i = 0;

    while (i < n && v[i] > 0)
        i++;
    return i == n;
}

enum lore_status
lore_moves_numbers_set(struct lore_moves *m, const char *json, struct lore_err *err)
{
    LORE_SCRATCH arena = {.limit = (size_t)4 << 20};
    struct moves_numbers read = {0};
    struct lore_json *root;
    enum lore_status status = lore_json_parse(json, strlen(json), NULL, &arena, &root, err);

    for (size_t i = 0; i < MEMBERS && status == LORE_OK; i++)
        status = read_member(root, i, &read, err);
    bool sane = all_positive(read.field, FIELDS) && all_positive(read.kin, GRAINS * KINS) &&
                read.base > 0 && read.base < 1 && read.start_alike > 0 && read.start_alike < 1 &&
                is_field(read.start) && is_field(read.blank);
    if (status == LORE_OK && !sane)
        status = lore_fail(err, LORE_INVALID, "field, kin, base, start, blank: out of range");
    if (status == LORE_OK)
        m->num = read;
    return status;
}
