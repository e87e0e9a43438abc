/* Tuners and collections of their files differ in where the kernel's name stands: in the file's
 * name, or in that of the folder around it. */
#include "tests/eval/tuning_files.h"

#include <errno.h>
#include <fts.h>
#include <string.h>
#include <sys/stat.h>

#include "collectors/import/feed.h"
#include "service/base/file.h"
#include "service/base/text.h"

static const char plain[] = ".json", packed[] = ".json.gz";

static bool
ends_with(const char *name, const char *end)
{
    size_t n = strlen(name), len = strlen(end);

    return n > len && strcmp(name + n - len, end) == 0;
}

static int
by_name(const FTSENT **a, const FTSENT **b)
{
    return strcmp((*a)->fts_name, (*b)->fts_name);
}

/* The file's name without its ends, behind its folder's unless it begins with that. */
static const char *
name_of(struct lore_arena *arena, const FTSENT *e)
{
    size_t ends = strlen(ends_with(e->fts_name, packed) ? packed : plain);
    const char *stem = lore_strndup(arena, e->fts_name, e->fts_namelen - ends);
    const char *around = e->fts_parent->fts_name;

    if (e->fts_level <= 1 || strncmp(stem, around, strlen(around)) == 0)
        return stem;
    return lore_format(arena, "%s_%s", around, stem);
}

/* Figures of a part of the data would look like those of all. */
static bool
cannot_be_read(const FTSENT *e)
{
    return e->fts_info == FTS_DNR || e->fts_info == FTS_ERR || e->fts_info == FTS_NS;
}

enum lore_status
tuning_files(const char *folder, struct lore_arena *arena, struct tuning_path **out, size_t *n,
    struct lore_err *err)
{
    char *roots[] = {lore_strdup(arena, folder), NULL};
    FTS *tree = fts_open(roots, FTS_LOGICAL | FTS_NOCHDIR, by_name);
    enum lore_status status = LORE_OK;
    size_t cap = 0;

    *out = NULL;
    *n = 0;
    for (FTSENT *e; tree != NULL && status == LORE_OK && (e = fts_read(tree));) {
        if (e->fts_info == FTS_F &&
            (ends_with(e->fts_name, plain) || ends_with(e->fts_name, packed)))
            *LORE_PUSH(arena, *out, *n, cap) =
                (struct tuning_path){lore_strdup(arena, e->fts_path), name_of(arena, e)};
        else if (e->fts_level > 0 && cannot_be_read(e))
            status = lore_fail(err, LORE_IO, "%s: %s", e->fts_path, strerror(e->fts_errno));
    }
    if (tree)
        (void)fts_close(tree);
    if (status != LORE_OK)
        return status;
    return *n > 0 ? LORE_OK : lore_fail(err, LORE_NOTFOUND, "%s: no tuning files", folder);
}

enum lore_status
tuning_text(const char *path, struct lore_buf *out, struct lore_err *err)
{
    struct lore_bytes from = {.disk = path};
    struct lore_feed feed = {0};
    const char *piece;
    size_t n = 1;
    enum lore_status status;
    struct stat sb;

    if (!ends_with(path, packed))
        return lore_file_read(path, out, err);
    if (stat(path, &sb) != 0)
        return lore_fail(err, LORE_IO, "%s: %s", path, strerror(errno));
    from.size = (uint64_t)sb.st_size;
    status = lore_feed_bytes(&from, true, &feed, err);
    while (status == LORE_OK && n > 0) {
        status = feed.next(&feed, &piece, &n, err);
        lore_buf_add(out, piece, status == LORE_OK ? n : 0);
    }
    lore_feed_close(&feed);
    return status == LORE_OK ? lore_buf_status(out, path, err) : status;
}
