/* The file is the base64 of an Ed25519 secret key and a newline, for its owner only. */
#include "service/auth/service_key.h"

#include <sodium.h>
#include <sys/stat.h>

#include "service/base/arena.h"
#include "service/base/file.h"

#define SECRET_TEXT 89 /* base64 of 64 bytes with the NUL */

static enum lore_status
make_key(const char *path, struct lore_service_key *out, struct lore_err *err)
{
    char text[SECRET_TEXT + 1];
    enum lore_status status;

    lore_signing_keys(out->key, out->secret);
    lore_signing_text(out->secret, sizeof out->secret, text);
    text[SECRET_TEXT - 1] = '\n';
    status = lore_file_write(path, text, SECRET_TEXT, 0600, err);
    sodium_memzero(text, sizeof text);
    return status;
}

static enum lore_status
read_key(const char *path, struct lore_service_key *out, struct lore_err *err)
{
    LORE_BUF text = {.max = 4096};
    struct stat s;
    enum lore_status status = lore_file_read(path, &text, err);
    bool is_key;

    if (status != LORE_OK)
        return status;
    if (text.len == SECRET_TEXT && text.data[SECRET_TEXT - 1] == '\n')
        text.data[SECRET_TEXT - 1] = '\0';
    is_key = text.data != NULL && lore_signing_bytes(text.data, out->secret, sizeof out->secret);
    if (text.data)
        sodium_memzero(text.data, text.len);
    if (!is_key)
        return lore_fail(
            err, LORE_CORRUPT, "%s: expected the service's secret key as base64", path);
    if (stat(path, &s) != 0 || (s.st_mode & 077) != 0) {
        status = lore_fail(err, LORE_FORBIDDEN, "%s: other users may read it", path);
        lore_err_hint(err, "chmod 600 %s", path);
        return status;
    }
    crypto_sign_ed25519_sk_to_pk(out->key, out->secret);
    return LORE_OK;
}

enum lore_status
lore_service_key_read(
    const char *dir, bool make, struct lore_service_key *out, struct lore_err *err)
{
    LORE_SCRATCH a = {0};
    const char *path = lore_format(&a, "%s/service.key", dir);
    enum lore_status status = read_key(path, out, err);

    return status == LORE_NOTFOUND && make ? make_key(path, out, err) : status;
}

enum lore_status
lore_service_key_mark(
    const char *dir, bool make, unsigned char mark[LORE_HASH_BYTES], struct lore_err *err)
{
    static const unsigned char text[] = "warplore-service-key-v1";
    struct lore_service_key k;
    enum lore_status status = lore_service_key_read(dir, make, &k, err);

    if (status == LORE_OK)
        crypto_generichash(mark, LORE_HASH_BYTES, text, sizeof text, k.secret, sizeof k.secret);
    sodium_memzero(&k, sizeof k);
    return status;
}
