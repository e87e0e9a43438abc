/* DIR/last_backup: when the last good backup of a data directory was made, and where it is. */
#include "db/last_backup.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "service/base/buf.h"
#include "service/base/clock.h"
#include "service/base/file.h"

#define PATH_BYTES 4096

static bool
path_of(const char *data, char out[PATH_BYTES])
{
    return snprintf(out, PATH_BYTES, "%s/last_backup", data) < PATH_BYTES;
}

void
lore_backup_remember(const char *data, const struct lore_backup *b)
{
    char path[PATH_BYTES], text[PATH_BYTES + 96];
    struct lore_err ignored;
    int n = snprintf(text, sizeof text, "%" PRId64 " %" PRId64 " %" PRId64 " %s\n", b->made_us,
        b->bytes, b->took_us, b->path);

    if (path_of(data, path))
        (void)!lore_file_write(path, text, (size_t)n, 0600, &ignored);
}

enum lore_status
lore_backup_last(const char *data, struct lore_backup *out, struct lore_err *err)
{
    char path[PATH_BYTES];
    LORE_BUF text = {.max = PATH_BYTES + 96};
    enum lore_status status;

    *out = (struct lore_backup){0};
    if (!path_of(data, path))
        return lore_fail(err, LORE_INVALID, "%.150s: path too long", data);
    status = lore_file_read(path, &text, err);
    if (status == LORE_OK &&
        sscanf(text.data ? text.data : "", "%" SCNd64 " %" SCNd64 " %" SCNd64 " %4095[^\n]",
            &out->made_us, &out->bytes, &out->took_us, out->path) != 4)
        status = lore_fail(err, LORE_CORRUPT, "%s: expected three numbers and a path", path);
    return status;
}

void
lore_backup_hint(const char *data, struct lore_err *err)
{
    struct lore_backup last;
    struct lore_err ignored;
    char at[LORE_TIME_SIZE], hint[sizeof err->hint];

    if (!err || lore_backup_last(data, &last, &ignored) != LORE_OK)
        return;
    lore_time_format(last.made_us, at);
    snprintf(hint, sizeof hint, "%s", err->hint);
    lore_err_hint(err, "the last good backup is %.120s of %.19sZ%s%.100s", last.path, at,
        hint[0] != '\0' ? "; " : "", hint);
}
