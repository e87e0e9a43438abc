/* Reads the files with the importer's own reader. A line that cannot be read is an error: figures
 * of part of the data are figures of other data. */
#include "tests/eval/miopen_data.h"

#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "collectors/import/bzip2.h"
#include "service/base/file.h"
#include "service/base/text.h"

enum { UNPACKED = 256 << 20 };

static bool
ends(const char *s, const char *with)
{
    size_t n = strlen(s), m = strlen(with);
    return n > m && strcmp(s + n - m, with) == 0;
}

/* FNV-1a, folded. */
static enum miopen_part
part_of(const char *shape)
{
    uint32_t h = 2166136261u;

    for (; *shape != '\0'; shape++)
        h = (h ^ (unsigned char)*shape) * 16777619u;
    h ^= h >> 15;
    if (h % 5 == 0)
        return MIOPEN_HELD_OUT;
    return h / 5 % 5 == 0 ? MIOPEN_CHOOSE : MIOPEN_KNOWN;
}

static void
add_state(struct miopen_data *d, struct lore_arena *arena, const struct lore_miopen_problem *p)
{
    const struct lore_miopen_timing *base = lore_miopen_base(p);

    d->problems++;
    if (!base || p->n < 2)
        return;
    struct miopen_state *s = LORE_PUSH(arena, d->state, d->n, d->cap);
    s->problem = *p;
    s->workload = p->key;
    s->part = part_of(p->shape);
    s->candidate = lore_alloc_array(arena, p->n, sizeof *s->candidate);
    for (size_t i = 0; i < p->n; i++) {
        const struct lore_miopen_timing *t = &p->timings[i];
        if (t != base)
            s->candidate[s->n++] = (struct miopen_candidate){
                lore_miopen_technique(arena, t->solver), log(base->ms / t->ms)};
    }
}

static enum lore_status
read_lines(struct miopen_data *d, const char *name, const struct lore_buf *text,
    struct lore_arena *arena, struct lore_err *err)
{
    const char *end = text->data + text->len;
    size_t line = 1;

    for (const char *p = text->data; p < end; line++) {
        const char *stop = memchr(p, '\n', (size_t)(end - p));
        size_t len = (size_t)((stop ? stop : end) - p);
        struct lore_miopen_problem problem;
        struct lore_err inner = {0};
        if (len > 0 && lore_miopen_line(arena, p, len, &problem, &inner) != LORE_OK)
            return lore_fail(err, LORE_INVALID, "%s line %zu: %s", name, line, inner.msg);
        if (len > 0)
            add_state(d, arena, &problem);
        p += len + 1;
    }
    return LORE_OK;
}

static enum lore_status
load_file(const char *folder, const char *name, struct lore_arena *arena, struct miopen_data *out,
    struct lore_err *err)
{
    struct lore_buf bytes = {.max = UNPACKED}, text = {.max = UNPACKED};
    const char *path = lore_format(arena, "%s/%s", folder, name);
    enum lore_status status = lore_file_read(path, &bytes, err);

    *out = (struct miopen_data){.chip = lore_miopen_chip(arena, name, NULL)};
    if (status == LORE_OK && lore_bzip2_is(bytes.data, bytes.len))
        status = lore_bzip2_unpack(bytes.data, bytes.len, &text, err);
    else if (status == LORE_OK)
        lore_buf_add(&text, bytes.data, bytes.len);
    if (status == LORE_OK)
        status = read_lines(out, name, &text, arena, err);
    lore_buf_free(&bytes);
    lore_buf_free(&text);
    return status;
}

enum lore_status
miopen_load(const char *folder, struct lore_arena *arena, struct lore_buf *left_out,
    struct miopen_data *out, size_t cap, size_t *n, struct lore_err *err)
{
    struct dirent **entry;
    int found = scandir(folder, &entry, NULL, alphasort);
    struct lore_err why;

    *n = 0;
    for (int i = 0; i < found; i++) {
        const char *name = entry[i]->d_name;
        if (*n < cap && (ends(name, ".fdb.txt") || ends(name, ".fdb.txt.bz2"))) {
            if (load_file(folder, name, arena, &out[*n], &why) == LORE_OK)
                (*n)++;
            else
                lore_buf_printf(left_out, "left out: %s\n", why.msg);
        }
        free(entry[i]);
    }
    if (found >= 0)
        free(entry);
    if (*n == 0)
        return lore_fail(err, LORE_NOTFOUND, "%s: no find database that can be read", folder);
    return LORE_OK;
}
