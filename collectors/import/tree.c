/* A sorted list of files. A file is loaded when somebody looks at it: up to LORE_IMPORT_WHOLE bytes
 * of text are read; of a longer file only the head is. JSON is parsed when somebody asks for it. */
#include "collectors/import/tree.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collectors/import/feed.h"
#include "collectors/import/unpack.h"
#include "service/base/text.h"
#include "service/wire/build.h"

enum { NEAR = 2 /* importers that are named */ };

struct lore_tree_state {
    const char *asked; /* the importer that looks at a unit */
    struct near {
        const char *name;
        unsigned score;
        char why[160];
    } near[NEAR]; /* the highest score first */
    struct lore_arena *arena;
    bool lazy;
    size_t loaded;                  /* bytes of memory of loaded files */
    size_t *open, n_open, cap_open; /* indexes of loaded files */
    int *fds;
    size_t n_fds, cap_fds;
};

bool
lore_tree_is_export(const char *text)
{
    return lore_starts(text, "{\"seq\":") || lore_starts(text, "{\"rows\":[{\"seq\":");
}

/* ---- loading ---- */

/* A file of LORE_IMPORT_WHOLE bytes has fewer values than bytes. */
static const struct lore_json_limits limits = {
    .string_bytes = LORE_IMPORT_WHOLE, .array_items = 1000000, .nodes = LORE_IMPORT_WHOLE / 2};

/* Parse only text that begins like a JSON document: a log that holds "12" is not JSON. */
static void
parse(struct lore_import_file *f)
{
    struct lore_arena *arena = f->own ? &f->memory : f->state->arena;
    struct lore_json *root = NULL;
    struct lore_err err = {0};
    const char *p = f->text + strspn(f->text, " \t\r\n");
    size_t before = f->memory.used;

    f->parsed = true;
    if (!f->whole || f->problem || !f->utf8 || (*p != '{' && *p != '[') ||
        lore_tree_is_export(f->text))
        return;
    if (lore_json_parse(f->text, f->len, &limits, arena, &root, &err) == LORE_OK)
        f->root = root;
    else
        f->problem = lore_strdup(arena, err.msg);
    f->state->loaded += f->memory.used - before;
}

const struct lore_json *
lore_import_json(const struct lore_import_file *f)
{
    if (f && f->loaded && !f->parsed && !f->left_out)
        parse((struct lore_import_file *)f); /* it is the same file before and after */
    return f ? f->root : NULL;
}

/* Read the text of F, at most LORE_IMPORT_WHOLE bytes, or the head of a longer file. A file that
 * cannot be read or unpacked to the end has no text, because nobody may take a part for the whole.
 */
static void
read_text(struct lore_arena *arena, struct lore_import_file *f)
{
    LORE_BUF text = {.max = LORE_IMPORT_WHOLE + (1u << 20)};
    struct lore_feed feed = {0};
    struct lore_err err = {0};
    const char *piece;
    size_t n = 1;

    f->whole = true;
    f->head = "";
    enum lore_status status = lore_feed_bytes(&f->from, f->packed, &feed, &err);
    while (status == LORE_OK && n > 0 && text.len <= LORE_IMPORT_WHOLE) {
        status = feed.next(&feed, &piece, &n, &err);
        lore_buf_add(&text, piece, status == LORE_OK ? n : 0);
    }
    lore_feed_close(&feed);
    f->problem = status == LORE_OK ? NULL : lore_strdup(arena, err.msg);
    if (status == LORE_OK && text.len > 0) {
        f->whole = text.len <= LORE_IMPORT_WHOLE;
        size_t cut = lore_utf8_prefix(text.data, f->whole ? text.len : LORE_IMPORT_HEAD);
        f->head_len = f->whole                     ? text.len
                      : cut + 4 > LORE_IMPORT_HEAD ? cut
                                                   : LORE_IMPORT_HEAD; /* no text: all of it */
        f->head = lore_strndup(arena, text.data, f->head_len);
    }
    f->text = f->whole ? f->head : "";
    f->len = f->whole ? f->head_len : 0;
    f->utf8 = lore_utf8_valid(f->head, f->head_len) && !memchr(f->head, '\0', f->head_len);
}

bool
lore_import_has(const struct lore_import_file *f, const char *word)
{
    size_t len = f && f->head_len < LORE_IMPORT_HEAD ? f->head_len : LORE_IMPORT_HEAD;

    return f && memmem(f->head, len, word, strlen(word));
}

static void
load(struct lore_arena *arena, struct lore_import_file *f)
{
    f->loaded = true;
    read_text(arena, f);
    /* an export is not searched: a service already stores everything in it */
    const char *secret =
        lore_tree_is_export(f->head) ? NULL : lore_tree_secret(f->path, f->head, f->head_len);
    if (secret)
        f->left_out = lore_format(arena, "looks like %s", secret);
}

/* What is known of a file after its memory was freed. */
static void
unload(struct lore_import_file *f)
{
    lore_arena_free(&f->memory);
    f->loaded = f->whole = f->utf8 = f->parsed = false;
    f->text = f->head = "";
    f->len = f->head_len = 0;
    f->root = NULL;
    f->problem = NULL;
}

bool
lore_tree_open(const struct lore_import_tree *t, struct lore_import_file *f)
{
    struct lore_tree_state *state = t ? t->state : NULL;

    if (f->left_out || f->loaded || !state)
        return !f->left_out;
    f->state = state;
    f->own = state->lazy && f >= t->files && f < t->files + t->n;
    load(f->own ? &f->memory : state->arena, f);
    if (f->own) {
        /* the reason is needed when the file is freed */
        f->left_out = lore_strdup(state->arena, f->left_out);
        *LORE_PUSH(state->arena, state->open, state->n_open, state->cap_open) =
            (size_t)(f - t->files);
        state->loaded += f->memory.used;
    }
    return !f->left_out;
}

void
lore_tree_be_lazy(struct lore_import_tree *t)
{
    if (t->state)
        t->state->lazy = true;
}

static void
free_loaded(const struct lore_import_tree *t)
{
    struct lore_tree_state *state = t->state;

    for (size_t i = 0; i < state->n_open; i++)
        unload(&t->files[state->open[i]]);
    state->n_open = 0;
    state->loaded = 0;
}

void
lore_tree_trim(const struct lore_import_tree *t)
{
    if (t->state && t->state->loaded > LORE_TREE_LOADED)
        free_loaded(t);
}

void
lore_tree_close(struct lore_import_tree *t)
{
    struct lore_tree_state *state = t->state;

    if (!state)
        return;
    free_loaded(t);
    for (size_t i = 0; i < state->n_fds; i++)
        (void)close(state->fds[i]);
    state->n_fds = 0;
}

/* ---- importers that came near ---- */

void
lore_tree_ask(const struct lore_import_tree *t, const char *name)
{
    if (!t->state)
        return;
    t->state->asked = name;
    if (!name)
        memset(t->state->near, 0, sizeof t->state->near);
}

void
lore_import_near(const struct lore_import_tree *t, unsigned score, const char *fmt, ...)
{
    struct lore_tree_state *s = t->state;
    size_t at = 0;
    va_list ap;

    if (!s || !s->asked)
        return;
    while (at < NEAR && s->near[at].score >= score)
        at++;
    if (at == NEAR)
        return;
    memmove(&s->near[at + 1], &s->near[at], (NEAR - 1 - at) * sizeof *s->near);
    s->near[at] = (struct near){.name = s->asked, .score = score};
    va_start(ap, fmt);
    (void)vsnprintf(s->near[at].why, sizeof s->near[at].why, fmt, ap);
    va_end(ap);
}

const char *
lore_tree_nearest(const struct lore_import_tree *t, struct lore_arena *arena)
{
    const char *out = NULL;

    for (size_t i = 0; t->state && i < NEAR && t->state->near[i].name; i++)
        out = lore_format(arena, "%s%s%s: %s", out ? out : "", out ? "; " : "",
            t->state->near[i].name, t->state->near[i].why);
    return out;
}

/* ---- building ---- */

static struct lore_tree_state *
state_of(struct lore_arena *arena, struct lore_import_tree *t)
{
    if (!t->state) {
        t->state = lore_alloc(arena, sizeof *t->state);
        t->state->arena = arena;
    }
    return t->state;
}

void
lore_tree_own(struct lore_arena *arena, struct lore_import_tree *t, int fd)
{
    struct lore_tree_state *state = state_of(arena, t);

    *LORE_PUSH(arena, state->fds, state->n_fds, state->cap_fds) = fd;
}

struct lore_import_file *
lore_tree_add_bytes(struct lore_arena *arena, struct lore_import_tree *t, const char *path,
    const struct lore_bytes *from, bool packed)
{
    struct lore_import_file *f = LORE_PUSH(arena, t->files, t->n, t->cap);

    f->state = state_of(arena, t);
    f->path = lore_strdup(arena, path);
    f->from = *from;
    f->packed = packed;
    f->text = f->head = "";
    t->bytes += from->size;
    return f;
}

struct lore_import_file *
lore_tree_add(struct lore_arena *arena, struct lore_import_tree *t, const char *path,
    const char *text, size_t len)
{
    struct lore_bytes from = {.memory = lore_strndup(arena, len ? text : "", len), .size = len};
    struct lore_import_file *f =
        lore_tree_add_bytes(arena, t, path, &from, lore_unpack_is(from.memory, len));

    load(arena, f);
    return f;
}

bool
lore_tree_bad_name(const char *path)
{
    for (const char *p = path; *p != '\0'; p++)
        if ((unsigned char)*p < 0x20 || *p == 0x7f)
            return true;
    return !lore_utf8_valid(path, strlen(path));
}

static int
by_path(const void *a, const void *b)
{
    const struct lore_import_file *x = a, *y = b;
    int order = strcmp(x->path, y->path);

    return order != 0 ? order
                      : (x->from.offset > y->from.offset) - (x->from.offset < y->from.offset);
}

void
lore_tree_sort(struct lore_import_tree *t)
{
    if (t->n > 0)
        qsort(t->files, t->n, sizeof *t->files, by_path);
}

/* ---- looking at files ---- */

/* The first file whose path is not before PATH. */
static size_t
lower_bound(const struct lore_import_tree *t, const char *path)
{
    size_t low = 0, high = t->n;

    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (strcmp(t->files[mid].path, path) < 0)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

struct lore_import_file *
lore_tree_file(const struct lore_import_tree *t, const char *dir, const char *name)
{
    char path[4096];

    if ((size_t)snprintf(path, sizeof path, "%s%s%s", dir, *dir ? "/" : "", name) >= sizeof path)
        return NULL;
    size_t i = lower_bound(t, path);
    if (i == t->n || strcmp(t->files[i].path, path) != 0 || !lore_tree_open(t, &t->files[i]))
        return NULL;
    return &t->files[i];
}

struct lore_import_file *
lore_tree_next_path(
    const struct lore_import_tree *t, const char *dir, const struct lore_import_file *after)
{
    size_t n = strlen(dir);
    size_t i = after ? (size_t)(after - t->files) + 1 : n ? lower_bound(t, dir) : 0;

    /* "a-b/x" sorts between "a" and "a/x" */
    for (; i < t->n && strncmp(t->files[i].path, dir, n) == 0; i++) {
        if ((n == 0 || t->files[i].path[n] == '/') && !t->files[i].left_out)
            return &t->files[i];
    }
    return NULL;
}

struct lore_import_file *
lore_tree_next(
    const struct lore_import_tree *t, const char *dir, const struct lore_import_file *after)
{
    struct lore_import_file *f = lore_tree_next_path(t, dir, after);

    while (f && !lore_tree_open(t, f))
        f = lore_tree_next_path(t, dir, f);
    return f;
}

const struct lore_json *
lore_tree_json(const struct lore_import_tree *t, const char *path)
{
    const struct lore_import_file *f = lore_tree_file(t, "", path);
    return lore_import_json(f);
}
