/* One line: "5f3c2a10 open events=812 head=… key=… auth=77aa0102". An older program wrote its first
 * two words, and reads them. */
#include "db/identity_file.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "db/application_id.h"
#include "db/copy.h"
#include "db/files.h"
#include "db/internal.h"
#include "service/base/file.h"

#define PATH_BYTES 4096
#define LINE_BYTES 256
#define HEX_64 "%64[0-9a-f]"

static enum lore_status
path_of(const char *dir, const char *name, char out[PATH_BYTES], struct lore_err *err)
{
    if (snprintf(out, PATH_BYTES, "%s/%s", dir, name) >= PATH_BYTES)
        return lore_fail(err, LORE_INVALID, "%.150s: path too long", dir);
    return LORE_OK;
}

static int
digit(char c)
{
    return c <= '9' ? c - '0' : c - 'a' + 10;
}

static bool
parse(const char *text, struct lore_noted *n)
{
    char state[8] = "", head[LORE_HASH_HEX] = "", key[LORE_HASH_HEX] = "";
    int got = sscanf(text,
        "%8" SCNx32 " %7s events=%" SCNd64 " head=" HEX_64 " key=" HEX_64 " auth=%8" SCNx32, &n->id,
        state, &n->head.seq, head, key, &n->auth);

    n->known = true;
    n->open = strcmp(state, "open") == 0;
    if (got == 2 || (got == 6 && (strlen(head) != 64 || strlen(key) != 64)))
        return got == 2;
    for (size_t i = 0; got == 6 && i < sizeof n->head.hash; i++)
        n->head.hash[i] = (unsigned char)(digit(head[2 * i]) << 4 | digit(head[2 * i + 1]));
    if (strspn(key, "0") < 64)
        memcpy(n->key, key, sizeof n->key);
    return got == 6;
}

enum lore_status
lore_noted_read(const char *dir, struct lore_noted *out, struct lore_err *err)
{
    char path[PATH_BYTES];
    LORE_BUF text = {.max = LINE_BYTES};
    enum lore_status status = path_of(dir, "identity", path, err);

    *out = (struct lore_noted){0};
    if (status == LORE_OK)
        status = lore_file_read(path, &text, err);
    if (status == LORE_NOTFOUND)
        return LORE_OK;
    if (status == LORE_OK && !parse(text.data ? text.data : "", out)) {
        status = lore_fail(err, LORE_CORRUPT, "%s: expected an identity and a state", path);
        lore_err_hint(
            err, "check that DIR/warplore.db is the right database, then remove this file");
    }
    return status;
}

enum lore_status
lore_noted_write(const char *dir, const struct lore_noted *n, struct lore_err *err)
{
    static const char none[] = "0000000000000000000000000000000000000000000000000000000000000000";
    char path[PATH_BYTES], text[LINE_BYTES], head[LORE_HASH_HEX];
    LORE_BUF old = {.max = LINE_BYTES};
    struct lore_err ignored;
    enum lore_status status = path_of(dir, "identity", path, err);
    int len;

    if (status != LORE_OK)
        return status;
    lore_hex(n->head.hash, sizeof n->head.hash, head);
    len = snprintf(text, sizeof text,
        "%08" PRIx32 " %s events=%" PRId64 " head=%s key=%s auth=%08" PRIx32 "\n", n->id,
        n->open ? "open" : "closed", n->head.seq, head, n->key[0] != '\0' ? n->key : none, n->auth);
    if (lore_file_read(path, &old, &ignored) == LORE_OK && old.len == (size_t)len &&
        memcmp(old.data, text, old.len) == 0)
        return LORE_OK;
    return lore_file_write(path, text, (size_t)len, 0600, err);
}

static enum lore_status
auth_of(const char *path, uint32_t *out, struct lore_err *err)
{
    struct lore_db *auth = NULL;
    int64_t id = 0;
    enum lore_status status =
        lore_db_open_file(path, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, &auth, err);

    if (status == LORE_OK)
        status = lore_identity_of(auth, &id, err);
    lore_db_close(auth);
    *out = (uint32_t)id;
    return status;
}

enum lore_status
lore_noted_credentials(const char *dir, struct lore_noted *n, struct lore_err *err)
{
    char path[PATH_BYTES];
    int64_t bytes;
    enum lore_status status = path_of(dir, "auth.db", path, err);

    n->auth = 0;
    n->key[0] = '\0';
    if (status == LORE_OK && access(path, F_OK) == 0)
        status = auth_of(path, &n->auth, err);
    if (status == LORE_OK)
        status = path_of(dir, "service.key", path, err);
    if (status == LORE_OK && access(path, F_OK) == 0)
        status = lore_copy_file(path, NULL, &bytes, n->key, err);
    return status;
}
