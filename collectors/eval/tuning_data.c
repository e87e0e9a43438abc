/* Reads Kernel Tuner cache files (gzip, by the program gzip) into cells and joins neighbours.
 *
 * A time that is a text is a failure. A file that was cut while it was written lacks its last two
 * braces and may end with a comma; it is closed. T4 files hold no cache and are left out. Facts of
 * chips come from the vendors' data sheets; MI250X is one of its two dies, which is what runs. */
#include "tuning_data.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "buf.h"
#include "json.h"
#include "text.h"

static const struct {
    const char *file;
    struct lore_moves_chip chip;
} chips[] = {
    {"A100", {"a100", "nvidia", "ampere", "sm_80", 108, 1555, NULL, 0}},
    {"A4000", {"a4000", "nvidia", "ampere", "sm_86", 48, 448, NULL, 0}},
    {"A6000", {"a6000", "nvidia", "ampere", "sm_86", 84, 768, NULL, 0}},
    {"MI250X", {"mi250x", "amd", "cdna2", "gfx90a", 110, 1638, NULL, 0}},
    {"RTX_2080_Ti", {"rtx2080ti", "nvidia", "turing", "sm_75", 68, 616, NULL, 0}},
    {"RTX_3090", {"rtx3090", "nvidia", "ampere", "sm_86", 82, 936, NULL, 0}},
    {"W6600", {"w6600", "amd", "rdna2", "gfx1032", 28, 224, NULL, 0}},
    {"W7800", {"w7800", "amd", "rdna3", "gfx1100", 70, 576, NULL, 0}},
};

static enum lore_status
gunzip(const char *path, struct lore_buf *out, struct lore_err *err)
{
    char command[1200], block[65536];
    size_t n;

    if (strchr(path, '\'') != NULL)
        return lore_fail(err, LORE_INVALID, "%s: a quote in a path", path);
    snprintf(command, sizeof command, "gzip -dc '%s'", path);
    FILE *f = popen(command, "r");
    while (f != NULL && (n = fread(block, 1, sizeof block, f)) > 0)
        lore_buf_add(out, block, n);
    if (f == NULL || pclose(f) != 0)
        return lore_fail(err, LORE_IO, "%s: gzip cannot read it", path);
    return lore_buf_status(out, path, err);
}

/* Parse, closing what a writer that was stopped left open. */
static enum lore_status
parse(struct lore_buf *text, struct lore_arena *arena, struct lore_json **out, struct lore_err *err)
{
    if (lore_json_parse(text->data, text->len, NULL, arena, out, err) == LORE_OK)
        return LORE_OK;
    while (text->len > 0 && strchr(" \n\r\t,", text->data[text->len - 1]) != NULL)
        text->len--;
    lore_buf_puts(text, "}}");
    return lore_json_parse(text->data, text->len, NULL, arena, out, err);
}

static size_t
value_index(struct tuning_param *p, const struct lore_json *v, struct lore_arena *arena)
{
    bool text = v->type == LORE_J_STRING;
    double number = v->type == LORE_J_BOOL ? (double)v->i : v->f;

    for (size_t i = 0; i < p->n; i++)
        if (text ? lore_streq(p->text[i], v->str) : !p->text[i] && p->value[i] == number)
            return i;
    if (p->n == TUNING_VALUES)
        return 0;
    p->symbolic |= text;
    p->text[p->n] = text ? lore_strdup(arena, v->str) : NULL;
    p->value[p->n] = text ? (double)p->n : number;
    return p->n++;
}

/* Numbers in order, so that the next value is the next one up. */
static void
sort_values(struct tuning_cell *c)
{
    for (size_t p = 0; p < c->n_params; p++) {
        struct tuning_param *x = &c->param[p];
        uint8_t rank[TUNING_VALUES];
        double sorted[TUNING_VALUES];
        for (size_t i = 0; i < x->n; i++) {
            size_t below = 0;
            for (size_t j = 0; j < x->n; j++)
                below += x->value[j] < x->value[i];
            rank[i] = (uint8_t)below;
            sorted[below] = x->value[i];
        }
        if (x->symbolic)
            continue;
        memcpy(x->value, sorted, x->n * sizeof *sorted);
        for (size_t i = 0; i < c->n; i++)
            c->state[i].at[p] = rank[c->state[i].at[p]];
    }
}

static size_t
key_of(const struct tuning_cell *c, const uint8_t *at)
{
    size_t key = 0;

    for (size_t p = 0; p < c->n_params; p++)
        key = key * c->param[p].n + at[p];
    return key;
}

static void
join(struct tuning *t, struct tuning_cell *c, bool all)
{
    size_t keys = 1, n = 0, cap = 0;

    for (size_t p = 0; p < c->n_params; p++)
        keys *= c->param[p].n;
    uint32_t *index = lore_alloc_array(&t->arena, keys, sizeof *index);
    c->first = lore_alloc_array(&t->arena, c->n + 1, sizeof *c->first);
    for (size_t i = 0; i < c->n; i++)
        index[key_of(c, c->state[i].at)] = (uint32_t)i + 1;
    for (size_t i = 0; i < c->n; i++) {
        uint8_t at[TUNING_PARAMS];
        c->first[i] = n;
        memcpy(at, c->state[i].at, sizeof at);
        for (size_t p = 0; p < c->n_params; p++) {
            uint8_t mine = at[p];
            for (size_t v = 0; v < c->param[p].n; v++) {
                bool near = v + 1 == mine || v == mine + 1u || c->param[p].symbolic;
                at[p] = (uint8_t)v;
                uint32_t to = index[key_of(c, at)];
                if (v == mine || to == 0 || (!all && !near))
                    continue;
                *LORE_PUSH(&t->arena, c->move, n, cap) =
                    (struct tuning_move){.to = to - 1, .param = (uint8_t)p, .up = v > mine};
            }
            at[p] = mine;
        }
    }
    c->first[c->n] = n;
}

static void
read_cache(struct tuning *t, struct tuning_cell *c, const struct lore_json *root)
{
    const struct lore_json *keys = lore_json_get(root, "tune_params_keys");
    const struct lore_json *cache = lore_json_get(root, "cache");

    for (const struct lore_json *k = keys->child; k && c->n_params < TUNING_PARAMS; k = k->next)
        c->param[c->n_params++].name = lore_strdup(&t->arena, k->str);
    c->state = lore_alloc_array(&t->arena, cache->len, sizeof *c->state);
    for (const struct lore_json *e = cache->child; e != NULL; e = e->next) {
        struct tuning_state *s = &c->state[c->n++];
        const struct lore_json *time = lore_json_get(e, "time");
        for (size_t p = 0; p < c->n_params; p++) {
            const struct lore_json *v = lore_json_get(e, c->param[p].name);
            s->at[p] = v ? (uint8_t)value_index(&c->param[p], v, &t->arena) : 0;
        }
        s->time = time && time->type == LORE_J_NUMBER ? time->f : 0;
        if (s->time > 0 && (c->best == 0 || s->time < c->best))
            c->best = s->time;
    }
    sort_values(c);
}

static enum lore_status
load_file(struct tuning *t, const char *folder, const char *name, bool all, struct lore_err *err)
{
    struct lore_arena scratch = {.limit = (size_t)1 << 30};
    struct lore_buf text = {.max = (size_t)256 << 20};
    struct lore_json *root = NULL;
    const char *dot = strstr(name, ".json"), *under = strchr(name, '_');
    enum lore_status st = gunzip(lore_format(&scratch, "%s/%s", folder, name), &text, err);

    if (st == LORE_OK)
        st = parse(&text, &scratch, &root, err);
    const struct lore_json *cache = lore_json_get(root, "cache");
    if (st == LORE_OK && cache != NULL && lore_json_get(root, "tune_params_keys") != NULL) {
        struct tuning_cell *c = &t->cell[t->n++];
        const char *chip = lore_strndup(&t->arena, under + 1, (size_t)(dot - under - 1));
        c->file = lore_strndup(&t->arena, name, (size_t)(dot - name));
        c->kernel = lore_strndup(&t->arena, name, (size_t)(under - name));
        c->chip = (struct lore_moves_chip){.name = chip};
        for (size_t i = 0; i < sizeof chips / sizeof *chips; i++)
            if (lore_streq(chips[i].file, chip))
                c->chip = chips[i].chip;
        read_cache(t, c, root);
        join(t, c, all);
    }
    lore_buf_free(&text);
    lore_arena_free(&scratch);
    return st;
}

enum lore_status
tuning_load(const char *folder, bool all, struct tuning *out, struct lore_err *err)
{
    struct dirent **entry;
    int n = scandir(folder, &entry, NULL, alphasort);
    enum lore_status st = LORE_OK;

    *out = (struct tuning){.arena = {.limit = (size_t)2 << 30}};
    out->cell = lore_alloc_array(&out->arena, TUNING_CELLS, sizeof *out->cell);
    for (int i = 0; i < n; i++) {
        const char *name = entry[i]->d_name;
        bool wanted = strstr(name, ".json.gz") != NULL && strchr(name, '_') != NULL;
        if (wanted && st == LORE_OK && out->n < TUNING_CELLS)
            st = load_file(out, folder, name, all, err);
        free(entry[i]);
    }
    if (n >= 0)
        free(entry);
    if (st == LORE_OK && out->n == 0)
        return lore_fail(err, LORE_NOTFOUND, "%s: no tuning files", folder);
    return st;
}

double
tuning_effect(const struct tuning_cell *c, size_t from, size_t to)
{
    return c->state[to].time > 0 ? log(c->state[from].time / c->state[to].time) : -INFINITY;
}
