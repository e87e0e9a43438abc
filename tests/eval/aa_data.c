/* Reads the `times` of every configuration that ran (milliseconds, in the order taken). The halves
 * are told apart by a hash of the configuration's key (FNV-1a, folded), so a configuration is in
 * the same half on every chip. */
#include "tests/eval/aa_data.h"

#include <string.h>

#include "service/base/buf.h"
#include "service/base/json.h"
#include "service/base/text.h"
#include "tests/eval/tuning_files.h"

static bool
held_out(const struct lore_json *config)
{
    uint32_t h = 2166136261u;

    for (uint32_t i = 0; i < config->key_len; i++)
        h = (h ^ (unsigned char)config->key[i]) * 16777619u;
    return ((h ^ (h >> 15)) & 1) != 0;
}

static void
read_cache(const struct lore_json *cache, struct lore_arena *arena, struct aa_chip *chip)
{
    chip->series = lore_alloc_array(arena, cache->len + 1, sizeof *chip->series);
    for (const struct lore_json *c = cache->child; c != NULL; c = c->next) {
        const struct lore_json *time = lore_json_get(c, "time"), *times = lore_json_get(c, "times");
        struct aa_series *s = &chip->series[chip->n];
        if (!time || time->type != LORE_J_NUMBER || !times)
            continue;
        for (const struct lore_json *t = times->child; t && s->n < AA_SAMPLES; t = t->next)
            s->ns[s->n++] = t->f * 1e6;
        s->held_out = held_out(c);
        chip->samples = s->n;
        chip->n += s->n > 1;
    }
}

static enum lore_status
load_file(const struct tuning_path *from, struct aa_chip *chips, size_t *n,
    struct lore_arena *arena, struct lore_err *err)
{
    struct lore_arena scratch = {.limit = (size_t)1 << 30};
    struct lore_buf text = {.max = (size_t)256 << 20};
    struct lore_json *root = NULL;
    enum lore_status status = tuning_text(from->path, &text, err);

    if (status == LORE_OK)
        status = lore_json_parse(text.data, text.len, NULL, &scratch, &root, err);
    const struct lore_json *cache = lore_json_get(root, "cache");
    if (status == LORE_OK && cache && *n < AA_CHIPS) {
        struct aa_chip *chip = &chips[(*n)++];
        *chip = (struct aa_chip){.name = from->name};
        read_cache(cache, arena, chip);
    }
    lore_buf_free(&text);
    lore_arena_free(&scratch);
    return status;
}

enum lore_status
aa_load(const char *folder, struct lore_arena *arena, struct aa_chip *chips, size_t *n,
    struct lore_err *err)
{
    struct tuning_path *file;
    size_t files;
    enum lore_status status = tuning_files(folder, arena, &file, &files, err);

    *n = 0;
    for (size_t i = 0; i < files && status == LORE_OK; i++)
        status = load_file(&file[i], chips, n, arena, err);
    if (status == LORE_OK && *n == 0)
        return lore_fail(err, LORE_NOTFOUND, "%s: no tuning files", folder);
    return status;
}
