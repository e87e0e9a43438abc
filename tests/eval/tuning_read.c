/* Cache files as a stream of yajl's events. A file is an object; its member `cache` holds one
 * object per configuration, whose members are the parameters, `time`, and much that is skipped. A
 * time that is a text, not positive, or as large as the tool once wrote for it, is a failure. A
 * file that was cut ends within the cache: what was complete counts. */
#include "tests/eval/tuning_read.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <yajl/yajl_parse.h>

#include "service/base/fnv.h"
#include "service/base/text.h"
#include "service/base/yajlmem.h"

#define ERROR_TIME 1e19 /* old files say 1e20 where a configuration failed */
enum { DEPTH = 32, NUMBER = 64, SPARE = 1 << 20 };

enum where { W_OTHER, W_DEVICE, W_PROBLEM, W_KEYS, W_CACHE };
enum { M_OTHER = -1, M_TIME = -2, M_STAMP = -3 }; /* of an entry; else a column */

struct reader {
    struct lore_arena *arena;
    struct tuning_file *file;
    struct lore_err *err;
    bool named, again; /* columns are known; the cache came before them */
    bool second;       /* it is read once more for that */
    int depth;
    enum where where; /* in which member of the file */
    int member;       /* of the entry */
    size_t next;      /* column expected next */
    uint64_t have;    /* columns of the entry */
    bool timed;
    uint16_t at[TUNING_COLUMNS];
    double time;
    double product;
};

static bool
in_entry(const struct reader *r)
{
    return r->where == W_CACHE && r->depth == 3;
}

static bool
has_room(struct reader *r, size_t n)
{
    if (lore_arena_room(r->arena) > n + SPARE)
        return true;
    (void)lore_fail(
        r->err, LORE_TOOBIG, "more configurations than fit into memory (%zu read)", r->file->n);
    return false;
}

/* ---- values ---- */

static uint64_t
hash_of(const struct tuning_value *v)
{
    uint64_t h = lore_fnv_text(LORE_FNV, v->text), bits;
    double number = v->number + 0.0; /* one zero */

    memcpy(&bits, &number, sizeof bits);
    h ^= !v->text ? bits : 0;
    return (h ^ h >> 31) * 0x9e3779b97f4a7c15u >> 16;
}

static bool
same(const struct tuning_value *a, const struct tuning_value *b)
{
    return !a->text ? !b->text && a->number == b->number : lore_streq(a->text, b->text);
}

static bool
widen(struct reader *r, struct tuning_column *c)
{
    size_t n = c->n_slots > 0 ? c->n_slots * 2 : 64;

    if (!has_room(r, n * sizeof *c->slot + n * sizeof *c->value))
        return false;
    c->slot = lore_alloc_array(r->arena, n, sizeof *c->slot);
    c->n_slots = n;
    for (size_t i = 0; i < c->n; i++) {
        size_t k = hash_of(&c->value[i]) & (n - 1);
        while (c->slot[k] != 0)
            k = (k + 1) & (n - 1);
        c->slot[k] = (uint32_t)i + 1;
    }
    return true;
}

/* The entry's value of the column that MEMBER is. */
static int
set_value(struct reader *r, const struct tuning_value *v)
{
    struct tuning_column *c = &r->file->column[r->member];
    size_t k;

    if ((c->n + 1) * 2 > c->n_slots && !widen(r, c))
        return 0;
    for (k = hash_of(v) & (c->n_slots - 1); c->slot[k] != 0; k = (k + 1) & (c->n_slots - 1))
        if (same(&c->value[c->slot[k] - 1], v))
            break;
    if (c->slot[k] == 0) {
        if (c->n == TUNING_COLUMN_VALUES)
            return 1; /* the entry lacks it, and is left out */
        if (!has_room(r, v->text != NULL ? strlen(v->text) : 0))
            return 0;
        struct tuning_value *new = LORE_PUSH(r->arena, c->value, c->n, c->cap);
        *new = (struct tuning_value){lore_strdup(r->arena, v->text), v->number};
        c->slot[k] = (uint32_t)c->n;
    }
    r->at[r->member] = (uint16_t)(c->slot[k] - 1);
    r->have |= (uint64_t)1 << r->member;
    return 1;
}

/* ---- entries ---- */

static void
begin_entry(struct reader *r)
{
    r->have = 0;
    r->next = 0;
    r->timed = false;
    r->member = M_OTHER;
}

static int
end_entry(struct reader *r)
{
    struct tuning_file *f = r->file;
    uint64_t all = f->n_columns == 64 ? UINT64_MAX : ((uint64_t)1 << f->n_columns) - 1;

    if (r->have != all || !r->timed) {
        f->unreadable++;
        return 1;
    }
    if (f->n == f->cap) {
        size_t more = f->cap > 0 ? f->cap * 2 : 1024;
        if (!has_room(r, more * (sizeof *f->time + f->n_columns * sizeof *f->at)))
            return 0;
        double *time = lore_alloc_array(r->arena, more, sizeof *time);
        uint16_t *at = lore_alloc_array(r->arena, more * f->n_columns, sizeof *at);
        if (f->n > 0) {
            memcpy(time, f->time, f->n * sizeof *time);
            memcpy(at, f->at, f->n * f->n_columns * sizeof *at);
        }
        f->time = time;
        f->at = at;
        f->cap = more;
    }
    memcpy(&f->at[f->n * f->n_columns], r->at, f->n_columns * sizeof *r->at);
    f->time[f->n++] = r->time;
    return 1;
}

static int
member_of(struct reader *r, const char *key, size_t n)
{
    const struct tuning_file *f = r->file;

    for (size_t i = 0; i < f->n_columns; i++) {
        size_t k = (r->next + i) % f->n_columns;
        if (strncmp(f->column[k].name, key, n) == 0 && f->column[k].name[n] == '\0') {
            r->next = k + 1;
            return (int)k;
        }
    }
    if (n == 4 && memcmp(key, "time", 4) == 0)
        return M_TIME;
    return n == 9 && memcmp(key, "timestamp", 9) == 0 ? M_STAMP : M_OTHER;
}

static enum where
where_of(const char *key, size_t n)
{
    static const struct {
        const char *key;
        enum where where;
    } known[] = {{"device_name", W_DEVICE}, {"problem_size", W_PROBLEM},
        {"tune_params_keys", W_KEYS}, {"cache", W_CACHE}};

    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strlen(known[i].key) == n && memcmp(known[i].key, key, n) == 0)
            return known[i].where;
    return W_OTHER;
}

static void
add_problem(struct reader *r, const char *text, size_t n, double number)
{
    const char *old = r->file->problem;

    if (n > 40 || (old && strlen(old) > 100))
        return;
    r->file->problem =
        lore_format(r->arena, "%s%s%.*s", old ? old : "", old ? "x" : "", (int)n, text);
    if (number > 0) {
        r->product *= number;
        r->file->size = log2(r->product);
    }
}

/* ---- events ---- */

static int
on_key(void *ctx, const unsigned char *text, size_t n)
{
    struct reader *r = ctx;

    if (r->depth == 1)
        r->where = where_of((const char *)text, n);
    else if (in_entry(r))
        r->member = member_of(r, (const char *)text, n);
    return 1;
}

static int
on_number(void *ctx, const char *text, size_t n)
{
    struct reader *r = ctx;
    char copy[NUMBER];
    bool problem = r->where == W_PROBLEM && r->depth <= 2 && !r->second;

    if ((!in_entry(r) || r->member == M_OTHER) && !problem)
        return 1;
    if (n >= sizeof copy)
        return 1; /* no number of a tuner */
    memcpy(copy, text, n);
    copy[n] = '\0';
    double v = strtod(copy, NULL);
    if (problem) {
        add_problem(r, text, n, v);
    } else if (r->member == M_TIME) {
        r->time = v > 0 && v < ERROR_TIME ? v : 0;
        r->timed = true;
    } else if (r->member >= 0) {
        return set_value(r, &(struct tuning_value){NULL, v});
    }
    return 1;
}

static int
on_bool(void *ctx, int value)
{
    struct reader *r = ctx;

    if (in_entry(r) && r->member >= 0)
        return set_value(r, &(struct tuning_value){NULL, value != 0});
    return 1;
}

static int
add_column(struct reader *r, const char *text, size_t n)
{
    struct tuning_file *f = r->file;

    if (r->named)
        return 1;
    if (f->n_columns == TUNING_COLUMNS) {
        (void)lore_fail(r->err, LORE_INVALID, "more than %d parameters", TUNING_COLUMNS);
        return 0;
    }
    for (size_t i = 0; i < f->n_columns; i++)
        if (strlen(f->column[i].name) == n && memcmp(f->column[i].name, text, n) == 0)
            return 1;
    f->column[f->n_columns++].name = lore_strndup(r->arena, text, n);
    return 1;
}

static int
entry_text(struct reader *r, const char *text, size_t n)
{
    if (r->member == M_TIME) {
        r->time = 0;
        r->timed = true;
    }
    if (r->member == M_STAMP && n < NUMBER && n >= 10) {
        const char *since = r->file->since;
        int order = !since ? -1 : strncmp(text, since, n);
        if (order < 0)
            r->file->since = lore_strndup(r->arena, text, n);
    }
    if (r->member < 0)
        return 1;
    char copy[256];
    if (n >= sizeof copy)
        return 1; /* the entry lacks it */
    memcpy(copy, text, n);
    copy[n] = '\0';
    return set_value(r, &(struct tuning_value){copy, 0});
}

static int
on_string(void *ctx, const unsigned char *bytes, size_t n)
{
    struct reader *r = ctx;
    const char *text = (const char *)bytes;

    if (!has_room(r, n))
        return 0;
    if (in_entry(r))
        return entry_text(r, text, n);
    if (r->where == W_KEYS && r->depth == 2)
        return add_column(r, text, n);
    if (r->where == W_DEVICE && r->depth == 1 && n > 0)
        r->file->device = lore_strndup(r->arena, text, n);
    if (r->where == W_PROBLEM && r->depth <= 2 && !r->second)
        add_problem(r, text, n, 0);
    return 1;
}

static int
open_any(struct reader *r)
{
    if (++r->depth <= DEPTH)
        return 1;
    (void)lore_fail(r->err, LORE_INVALID, "nested deeper than %d", DEPTH);
    return 0;
}

static int
on_map(void *ctx)
{
    struct reader *r = ctx;

    if (r->where == W_CACHE && r->depth == 1) {
        r->file->has_cache = true;
        r->named = r->file->n_columns > 0;
        r->again = !r->named;
    }
    if (r->where == W_CACHE && r->depth == 2)
        begin_entry(r);
    return open_any(r);
}

static int
on_array(void *ctx)
{
    return open_any(ctx);
}

static int
on_end(void *ctx)
{
    struct reader *r = ctx;
    bool entry = in_entry(r) && r->named;

    r->depth--;
    r->member = r->depth == 3 ? M_OTHER : r->member;
    return entry ? end_entry(r) : 1;
}

static int
on_null(void *ctx)
{
    (void)ctx;
    return 1;
}

static const yajl_callbacks callbacks = {.yajl_null = on_null,
    .yajl_boolean = on_bool,
    .yajl_number = on_number,
    .yajl_string = on_string,
    .yajl_start_map = on_map,
    .yajl_map_key = on_key,
    .yajl_end_map = on_end,
    .yajl_start_array = on_array,
    .yajl_end_array = on_end};

/* Python writes what JSON does not have; as long as it was, with blanks. */
static void
replace_word(char *text, size_t len, const char *word)
{
    size_t n = strlen(word);
    char *at = memmem(text, len, word, n);

    for (; at != NULL; at = memmem(at, len - (size_t)(at - text), word, n)) {
        bool value = at > text && strchr(" :,[-", at[-1]);
        if (value && at[-1] == '-')
            at[-1] = ' ';
        if (value) {
            memset(at, ' ', n);
            memcpy(at, "-1", 2);
        }
        at += n;
    }
}

static enum lore_status
pass(struct reader *r, const char *text, size_t len)
{
    yajl_handle yajl = yajl_alloc(&callbacks, &lore_yajl_memory, r);
    yajl_status st = yajl_parse(yajl, (const unsigned char *)text, len);
    enum lore_status out = LORE_OK;

    r->file->cut = st == yajl_status_ok && r->depth > 0;
    if (st == yajl_status_client_canceled)
        out = r->err->status;
    else if (st == yajl_status_error)
        out = lore_fail(r->err, LORE_INVALID, "not JSON from byte %zu of %zu on",
            yajl_get_bytes_consumed(yajl), len);
    yajl_free(yajl);
    return out;
}

enum lore_status
tuning_read(
    char *text, size_t len, struct lore_arena *arena, struct tuning_file *out, struct lore_err *err)
{
    struct lore_err own = {0};
    struct reader r = {.arena = arena, .file = out, .err = err != NULL ? err : &own, .product = 1};

    *out = (struct tuning_file){0};
    replace_word(text, len, "NaN");
    replace_word(text, len, "Infinity");
    enum lore_status status = pass(&r, text, len);
    if (status == LORE_OK && r.again && out->n_columns > 0) {
        r.named = r.second = true;
        r.depth = 0;
        r.where = W_OTHER;
        status = pass(&r, text, len);
    }
    out->has_cache = out->has_cache && out->n_columns > 0;
    return status;
}
