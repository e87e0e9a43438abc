/* The JSON parser. yajl finds the tokens; this file checks limits, duplicate keys and number
 * ranges, and adds the path to errors. yajl writes '?' for half a surrogate pair and accepts
 * overlong UTF-8. So the text is scanned for the first such character before parsing, and the token
 * with it fails. Reading a tree is json_get.c, hashing one json_digest.c. */
#include "service/base/json.h"

#include <stdlib.h>
#include <string.h>
#include <yajl/yajl_parse.h>

#include "service/base/guard.h"
#include "service/base/jsonbad.h"
#include "service/base/text.h"
#include "service/base/xalloc.h"
#include "service/base/yajlmem.h"

/* The limit of strings is the largest document, so that every accepted document can be parsed
 * again. */
static const struct lore_json_limits defaults = {32, 48 << 20, 100000, 2000000};

enum { FEW_KEYS = 64 }; /* up to this number, a filter and comparing pairs is faster than sorting */

/* far below the range of yajl's counters, size_t and int */
static const size_t text_max = (size_t)1 << 30;

struct parse {
    struct lore_arena *arena;
    struct lore_err *err;
    struct lore_json_limits limits;
    yajl_handle yajl;
    struct lore_json *root, *open; /* open: the container being filled */
    struct lore_json *last;        /* last child of open */
    const char *key;               /* of the value to come */
    uint32_t key_len, depth, nodes;
    bool full;     /* the arena is full */
    size_t spare;  /* bytes of the arena reserved for the caller */
    size_t bad_at; /* offset of the first bad character, text length when none */
    const char *bad;
};

/* The path of the next value, or of the object itself while its next key is not known. */
static void
next_path(const struct parse *p, char *out, size_t size)
{
    struct lore_json next = {.parent = p->open, .key = p->key, .key_len = p->key_len};

    if (p->open == NULL || (p->open->type == LORE_J_OBJECT && p->key == NULL)) {
        lore_json_path(p->open, out, size);
        return;
    }
    next.index = p->open->len;
    lore_json_path(&next, out, size);
}

static int
refuse(struct parse *p, const char *code, const char *what)
{
    char path[160];

    next_path(p, path, sizeof path);
    (void)lore_fail_at(p->err, LORE_INVALID, code, path, "%s: %s", path, what);
    return 0;
}

static int
refuse_over(struct parse *p, const char *code, const char *what, uint32_t limit)
{
    char path[160];

    next_path(p, path, sizeof path);
    (void)lore_fail_at(p->err, LORE_INVALID, code, path, "%s: %s %u", path, what, limit);
    return 0;
}

/* Returns whether N more bytes fit; otherwise writes the error. */
static bool
has_room(struct parse *p, size_t n)
{
    size_t room = lore_arena_room(p->arena);

    if (room > p->spare && room - p->spare > n)
        return true;
    (void)lore_fail_at(
        p->err, LORE_TOOBIG, "too_big", "", "this takes more memory than one request may use");
    lore_err_hint(p->err, "ask for fewer rows, or send less in one document");
    p->full = true;
    return false;
}

/* Add a new node to the open container. Returns NULL after an error. */
static struct lore_json *
add(struct parse *p, enum lore_json_type type)
{
    struct lore_json *node;

    if (!has_room(p, sizeof *node))
        return NULL;
    if (p->nodes == p->limits.nodes)
        return refuse_over(p, "too_long", "more values in one document than", p->nodes), NULL;
    if (p->open != NULL && p->open->len == p->limits.array_items)
        return refuse_over(p, "too_long", "more items than", p->open->len), NULL;
    p->nodes++;
    node = lore_alloc(p->arena, sizeof *node);
    node->type = type;
    node->parent = p->open;
    if (p->open == NULL) {
        p->root = node;
        return node;
    }
    node->index = p->open->len++;
    node->key = p->key;
    node->key_len = p->key_len;
    p->key = NULL;
    p->key_len = 0;
    if (p->last == NULL)
        p->open->child = node;
    else
        p->last->next = node;
    p->last = node;
    return node;
}

static int
on_null(void *ctx)
{
    return add(ctx, LORE_J_NULL) != NULL;
}

static int
on_bool(void *ctx, int value)
{
    struct lore_json *node = add(ctx, LORE_J_BOOL);

    if (node == NULL)
        return 0;
    node->i = value != 0;
    return 1;
}

static int
on_number(void *ctx, const char *text, size_t n)
{
    struct parse *p = ctx;
    struct lore_json *node, value = {.len = 0};

    if (n > p->limits.string_bytes)
        return refuse_over(p, "too_long", "number with more digits than", p->limits.string_bytes);
    if (!lore_json_number(lore_strndup(p->arena, text, n), n, &value))
        return refuse(p, "invalid_number", "number outside the range of a double");
    node = add(p, LORE_J_NUMBER);
    if (node == NULL)
        return 0;
    node->str = value.str;
    node->is_int = value.is_int;
    node->i = value.i;
    node->f = value.f;
    return 1;
}

/* Whether the last token reaches the bad character that was found before parsing. */
static bool
is_bad(const struct parse *p)
{
    return p->bad != NULL && yajl_get_bytes_consumed(p->yajl) > p->bad_at;
}

static int
on_string(void *ctx, const unsigned char *text, size_t n)
{
    struct parse *p = ctx;
    struct lore_json *node;

    if (is_bad(p))
        return refuse(p, "invalid_utf8", p->bad);
    if (n > p->limits.string_bytes)
        return refuse_over(p, "too_long", "text with more bytes than", p->limits.string_bytes);
    node = add(p, LORE_J_STRING);
    if (node == NULL)
        return 0;
    node->len = (uint32_t)n;
    node->str = lore_strndup(p->arena, (const char *)text, n);
    return 1;
}

static int
on_key(void *ctx, const unsigned char *text, size_t n)
{
    struct parse *p = ctx;

    if (is_bad(p))
        return refuse(p, "invalid_utf8", p->bad);
    if (n > p->limits.string_bytes)
        return refuse_over(p, "too_long", "key with more bytes than", p->limits.string_bytes);
    p->key = lore_strndup(p->arena, (const char *)text, n);
    p->key_len = (uint32_t)n;
    return 1;
}

static int
open_container(struct parse *p, enum lore_json_type type)
{
    struct lore_json *node;

    if (p->depth == p->limits.depth)
        return refuse_over(p, "too_deep", "nested deeper than", p->depth);
    node = add(p, type);
    if (node == NULL)
        return 0;
    p->depth++;
    p->open = node;
    p->last = NULL;
    return 1;
}

static int
close_container(struct parse *p)
{
    p->last = p->open; /* a container is the last child its parent has so far */
    p->open = p->open->parent;
    p->depth--;
    return 1;
}

static int
on_map(void *ctx)
{
    return open_container(ctx, LORE_J_OBJECT);
}

static int
on_array(void *ctx)
{
    return open_container(ctx, LORE_J_ARRAY);
}

static int
on_array_end(void *ctx)
{
    return close_container(ctx);
}

static int
compare_keys(const void *left, const void *right)
{
    const struct lore_json *a = *(const struct lore_json *const *)left;
    const struct lore_json *b = *(const struct lore_json *const *)right;

    if (a->key_len != b->key_len)
        return a->key_len < b->key_len ? -1 : 1;
    int order = memcmp(a->key, b->key, a->key_len);
    if (order != 0)
        return order;
    return a->index < b->index ? -1 : a->index > b->index;
}

static bool
same_key(const struct lore_json *a, const struct lore_json *b)
{
    return a->key_len == b->key_len && memcmp(a->key, b->key, a->key_len) == 0;
}

/* A number that is the same for equal keys and mostly another for others. */
static uint64_t
mix_of_key(const struct lore_json *m)
{
    uint64_t head = 0, tail = 0;
    size_t n = m->key_len < sizeof head ? m->key_len : sizeof head;

    memcpy(&head, m->key, n);
    memcpy(&tail, m->key + m->key_len - n, n);
    return ((head ^ tail << 7 ^ m->key_len) * UINT64_C(0x9E3779B97F4A7C15)) >> 56;
}

/* Sorts the keys, because comparing all pairs of 100,000 keys would take too long. */
static const struct lore_json *
duplicate_of_many(const struct lore_json *object)
{
    const struct lore_json **sorted = lore_xcalloc(object->len, sizeof *sorted);
    const struct lore_json *found = NULL;
    size_t n = 0;

    for (const struct lore_json *m = object->child; m; m = m->next)
        sorted[n++] = m;
    qsort(sorted, n, sizeof *sorted, compare_keys);
    for (size_t i = 1; i < n; i++)
        if (same_key(sorted[i - 1], sorted[i]) && (!found || sorted[i]->index < found->index))
            found = sorted[i];
    lore_xfree(sorted);
    return found;
}

/* The first member, in written order, that repeats the key of an earlier one, or NULL. */
static const struct lore_json *
find_duplicate(const struct lore_json *object)
{
    uint64_t seen[4] = {0};

    if (object->len > FEW_KEYS)
        return duplicate_of_many(object);
    for (const struct lore_json *m = object->child; m; m = m->next) {
        uint64_t h = mix_of_key(m), bit = (uint64_t)1 << (h & 63), *word = &seen[h >> 6 & 3];
        bool maybe = *word & bit;
        *word |= bit;
        if (!maybe)
            continue;
        for (const struct lore_json *earlier = object->child; earlier != m; earlier = earlier->next)
            if (same_key(earlier, m))
                return m;
    }
    return NULL;
}

static int
on_map_end(void *ctx)
{
    struct parse *p = ctx;
    const struct lore_json *twice = find_duplicate(p->open);
    char path[160];

    if (twice == NULL)
        return close_container(p);
    lore_json_path(twice, path, sizeof path);
    (void)lore_fail_at(p->err, LORE_INVALID, "duplicate_key", path, "%s: duplicate key", path);
    return 0;
}

static const yajl_callbacks callbacks = {
    .yajl_null = on_null,
    .yajl_boolean = on_bool,
    .yajl_number = on_number,
    .yajl_string = on_string,
    .yajl_start_map = on_map,
    .yajl_map_key = on_key,
    .yajl_end_map = on_map_end,
    .yajl_start_array = on_array,
    .yajl_end_array = on_array_end,
};

static enum lore_status
syntax_error(struct parse *p, const char *text, size_t len, size_t at)
{
    struct lore_json_stop stop = {.text = text, .len = len, .at = at};
    enum lore_status status;
    unsigned char *why;
    char path[160];

    next_path(p, path, sizeof path);
    if (p->bad != NULL && at > p->bad_at)
        return lore_fail_at(p->err, LORE_INVALID, "invalid_utf8", path, "%s: %s", path, p->bad);
    why = yajl_get_error(p->yajl, 0, NULL, 0);
    stop.path = path;
    stop.why = why != NULL ? (const char *)why : "";
    stop.done = p->root != NULL && p->open == NULL;
    status = lore_json_syntax(&stop, p->err);
    yajl_free_error(p->yajl, why);
    return status;
}

static enum lore_status
run(struct parse *p, const char *text, size_t len)
{
    yajl_status st = yajl_parse(p->yajl, (const unsigned char *)text, len);
    size_t at = yajl_get_bytes_consumed(p->yajl);

    if (st == yajl_status_ok) {
        at = len + 1;
        /* yajl forgives a text that begins behind the document; a line break inside it is an error
         */
        st = yajl_parse(p->yajl, (const unsigned char *)"\n", 1);
    }
    if (st == yajl_status_ok)
        st = yajl_complete_parse(p->yajl);
    if (st == yajl_status_client_canceled)
        return p->full ? LORE_TOOBIG : LORE_INVALID;
    if (st == yajl_status_error || p->root == NULL || p->open != NULL)
        return syntax_error(p, text, len, at);
    return LORE_OK;
}

enum lore_status
lore_json_parse(const char *text, size_t len, const struct lore_json_limits *limits,
    struct lore_arena *arena, struct lore_json **out, struct lore_err *err)
{
    struct parse p = {.arena = arena, .err = err, .limits = defaults};
    enum lore_status status;

    p.spare = (arena->used + lore_arena_room(arena)) / 4;
    if (limits != NULL) {
        p.limits.depth = limits->depth > 0 ? limits->depth : defaults.depth;
        p.limits.string_bytes =
            limits->string_bytes > 0 ? limits->string_bytes : defaults.string_bytes;
        p.limits.array_items = limits->array_items > 0 ? limits->array_items : defaults.array_items;
        p.limits.nodes = limits->nodes > 0 ? limits->nodes : defaults.nodes;
    }
    if (len > text_max)
        return lore_fail_at(err, LORE_INVALID, "too_long", "$", "$: more bytes than %zu", text_max);
    if (len >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
        return lore_fail_at(err, LORE_INVALID, "invalid_json", "$",
            "line 1, column 1: starts with a byte order mark");
    p.bad = lore_json_bad_text(text, len, &p.bad_at);
    p.yajl = yajl_alloc(&callbacks, &lore_yajl_memory, &p);
    (void)yajl_config(p.yajl, yajl_dont_validate_strings, 1); /* done above, and stricter */
    status = run(&p, text, len);
    yajl_free(p.yajl);
    if (p.full && lore_guard_limit() > 0)
        lore_guard_end("JSON", len);
    if (status == LORE_OK)
        *out = p.root;
    return status;
}
