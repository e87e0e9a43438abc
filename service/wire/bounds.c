/* What no measurement can be: a time that has not come yet, a negative dimension. The field tables
 * say the bounds; this walks the JSON of a document by them. It is apart from decoding because it
 * concerns documents as they arrive: what a service accepted before stays readable. */
#include <stdio.h>
#include <string.h>

#include "service/base/clock.h"
#include "service/base/text.h"
#include "service/wire/fields.h"

/* How far the clock of a client may be ahead. */
#define AHEAD_US (INT64_C(86400) * 1000000)

struct walk {
    int64_t now_us;
    struct lore_err *err;
};

static enum lore_status
impossible(const struct walk *w, const struct lore_json *node, const char *code, const char *what)
{
    char path[160];

    lore_json_path(node, path, sizeof path);
    return lore_fail_at(
        w->err, LORE_INVALID, code, path, "%.100s: %.40s %s", path, node->str, what);
}

static enum lore_status
check_time(const struct walk *w, const struct lore_json *node)
{
    int64_t at;
    enum lore_status status = LORE_OK;

    if (node->type != LORE_J_STRING || lore_time_parse(node->str, &at, NULL) != LORE_OK)
        return LORE_OK;
    if (at > w->now_us + AHEAD_US)
        status = impossible(w, node, "in_the_future", "is more than a day ahead");
    else if (at < 0)
        status = impossible(w, node, "out_of_range", "is before 1970");
    if (status != LORE_OK)
        lore_err_hint(w->err, "check the clock of the machine that wrote it");
    return status;
}

static enum lore_status
check_number(const struct walk *w, const struct lore_value_range *b, const struct lore_json *node)
{
    char range[80];

    if (node->type != LORE_J_NUMBER || (node->f >= b->low && node->f <= b->high))
        return LORE_OK;
    snprintf(range, sizeof range, "is not in %.17g … %.17g", b->low, b->high);
    return impossible(w, node, "out_of_range", range);
}

/* The numbers of a flat object, each by the first of BOUNDS that is about its key. */
static enum lore_status
check_pairs(
    const struct walk *w, const struct lore_value_range *bounds, const struct lore_json *node)
{
    enum lore_status status = LORE_OK;

    for (const struct lore_json *c = node->child; c != NULL && status == LORE_OK; c = c->next) {
        const struct lore_value_range *b = bounds;

        while (b->keys && !lore_choice(b->keys, c->key))
            b++;
        status = check_number(w, b, c);
    }
    return status;
}

static enum lore_status
check_record(const struct walk *w, const struct lore_record *r, const struct lore_json *node);

/* The items of a list, or the members of an object of such records. */
static enum lore_status
check_items(const struct walk *w, const struct lore_record *r, const struct lore_json *node)
{
    enum lore_status status = LORE_OK;

    for (const struct lore_json *c = node->child; c != NULL && status == LORE_OK; c = c->next)
        status = check_record(w, r, c);
    return status;
}

static enum lore_status
check_field(const struct walk *w, const struct lore_field *f, const struct lore_json *node)
{
    if (f->type == LORE_F_TIME)
        return check_time(w, node);
    if (f->type == LORE_F_KVS && f->bounds && node->type == LORE_J_OBJECT)
        return check_pairs(w, f->bounds, node);
    if (f->type == LORE_F_F64 && f->bounds)
        return check_number(w, f->bounds, node);
    if (f->type == LORE_F_OBJECT)
        return check_record(w, f->sub, node);
    if (f->type == LORE_F_METRICS || f->type == LORE_F_LIST)
        return check_items(w, f->sub, node);
    return LORE_OK;
}

static enum lore_status
check_record(const struct walk *w, const struct lore_record *r, const struct lore_json *node)
{
    if (node->type != LORE_J_OBJECT)
        return LORE_OK;
    for (size_t i = 0; i < r->n; i++) {
        const struct lore_json *member = lore_json_get(node, r->fields[i].name);
        enum lore_status status = member != NULL ? check_field(w, &r->fields[i], member) : LORE_OK;

        if (status != LORE_OK)
            return status;
    }
    return LORE_OK;
}

enum lore_status
lore_wire_possible(const struct lore_record *as, const struct lore_json *root, int64_t now_us,
    struct lore_err *err)
{
    const struct walk w = {now_us, err};

    return check_record(&w, as, root);
}
