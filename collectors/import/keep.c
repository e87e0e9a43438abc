/* Stores imported files as artifacts with their exact bytes: as text, or as base64 when a file is
 * not UTF-8 or base64 is shorter than the escaped text. A file that is too long is compressed. One
 * that is too long even then is not stored, and the report names its hash. Nor is a long file whose
 * importer read it as a stream, because the records hold all of its data. */
#include <string.h>

#include "collectors/import/feed.h"
#include "collectors/import/intake.h"
#include "collectors/import/squeeze.h"
#include "collectors/import/tree.h"
#include "service/base/hash.h"
#include "service/base/text.h"
#include "service/wire/build.h"

static void
write_base64(struct lore_buf *out, const char *bytes, size_t n)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned char *p = (const unsigned char *)bytes;

    for (; n > 0; n -= n < 3 ? n : 3, p += 3) {
        unsigned v = (unsigned)p[0] << 16 | (n > 1 ? (unsigned)p[1] << 8 : 0) | (n > 2 ? p[2] : 0u);
        const char four[] = {digits[v >> 18], digits[v >> 12 & 63],
            n > 1 ? digits[v >> 6 & 63] : '=', n > 2 ? digits[v & 63] : '='};
        lore_buf_add(out, four, sizeof four);
    }
}

static const char *
media_type(const struct lore_import_file *f, const struct lore_buf *bytes, bool squeezed)
{
    static const char *const types[][2] = {{".json", "application/json"},
        {".jsonl", "application/x-ndjson"}, {".md", "text/markdown"}, {".csv", "text/csv"}};
    size_t n = strlen(f->path);

    if (squeezed)
        return "application/zstd";
    if (f->packed)
        return bytes->data[0] == 'B'      ? "application/x-bzip2"
               : bytes->data[0] == '\x28' ? "application/zstd"
               : bytes->data[0] == '\xfd' ? "application/x-xz"
                                          : "application/gzip";
    for (size_t i = 0; f->utf8 && i < sizeof types / sizeof *types; i++) {
        size_t m = strlen(types[i][0]);
        if (n > m && strcmp(f->path + n - m, types[i][0]) == 0)
            return types[i][1];
    }
    return lore_import_json(f) ? "application/json"
           : f->utf8           ? "text/plain"
                               : "application/octet-stream";
}

/* Write the artifact KEPT to OUT. */
static enum lore_status
write_artifact(struct lore_kept *kept, const char *type, const struct lore_buf *bytes, bool text,
    struct lore_buf *out, struct lore_err *err)
{
    LORE_BUF escaped = {.max = 8 * LORE_IMPORT_MAX};
    const char *data = bytes->data ? bytes->data : "";
    struct lore_jsonw w;

    lore_jsonw_begin(&w, &escaped, false);
    if (text)
        lore_w_strn(&w, data, bytes->len);
    else
        lore_w_null(&w);
    enum lore_status status = lore_jsonw_end(&w, err);
    if (status != LORE_OK)
        return status;
    if (!text || escaped.len > (bytes->len + 2) / 3 * 4 + 64) {
        lore_buf_reset(&escaped);
        lore_buf_putc(&escaped, '"');
        write_base64(&escaped, data, bytes->len);
        lore_buf_putc(&escaped, '"');
        text = false;
    }
    kept->content = escaped.len;
    lore_jsonw_begin(&w, out, false);
    lore_w_obj(&w);
    lore_w_kstr(&w, "name", kept->name);
    lore_w_kstr(&w, "media_type", type);
    lore_w_key(&w, text ? "text" : "base64");
    lore_w_raw(&w, escaped.data);
    lore_w_obj_end(&w);
    return lore_jsonw_end(&w, err);
}

/* Say of a file that is not stored what its bytes were. */
static enum lore_status
note_bytes(struct lore_intake_format *f, const struct lore_import_file *file, struct lore_err *err)
{
    unsigned char digest[LORE_HASH_BYTES];
    char hex[LORE_HASH_HEX];
    struct lore_hasher hasher;
    struct lore_feed feed = {0};
    const char *piece;
    size_t n = 1;

    enum lore_status status = lore_feed_bytes(&file->from, false, &feed, err);
    lore_hash_begin(&hasher);
    while (status == LORE_OK && n > 0) {
        status = feed.next(&feed, &piece, &n, err);
        lore_hash_add(&hasher, piece, status == LORE_OK ? n : 0);
    }
    lore_feed_close(&feed);
    if (status != LORE_OK)
        return status;
    lore_hash_end(&hasher, digest);
    lore_hex(digest, sizeof digest, hex);
    lore_import_note(&f->in, LORE_IL_EXTRA,
        "%s: %.1f MB, its bytes are not kept, %s; BLAKE2b-256 %s", file->path,
        (double)file->from.size / 1e6,
        f->in.not_kept
            ? lore_format(f->in.report ? f->in.report : f->in.arena, "because %s", f->in.not_kept)
        : file->read ? "because the records hold all of them"
                     : "because they are too many even when compressed, and no importer reads them",
        hex);
    return LORE_OK;
}

static enum lore_status
read_all(const struct lore_bytes *from, struct lore_buf *out, struct lore_err *err)
{
    if (from->size == 0)
        return LORE_OK;
    char *to = from->size < LORE_IMPORT_MAX + 1 ? lore_buf_reserve(out, (size_t)from->size) : NULL;
    size_t got = 0;

    if (!to)
        return LORE_TOOBIG;
    enum lore_status status = lore_bytes_read(from, 0, to, (size_t)from->size, &got, err);
    out->len = got;
    return status;
}

enum lore_status
lore_keep_file(struct lore_intake *k, struct lore_intake_format *f,
    const struct lore_import_file *file, struct lore_buf *out, struct lore_kept *kept,
    struct lore_err *err)
{
    char hex[LORE_HASH_HEX];
    LORE_BUF bytes = {.max = LORE_IMPORT_MAX + 1};
    bool long_file = file->from.size > LORE_IMPORT_MAX;
    enum lore_status status = LORE_TOOBIG;

    bool kept_back = f->in.not_kept && !lore_tree_is_licence(file->path);
    if (kept_back || (!file->whole && file->read))
        return note_bytes(f, file, err);
    if (!long_file)
        status = read_all(&file->from, &bytes, err);
    else if (!file->packed)
        status = lore_squeeze(&file->from, &bytes, NULL);
    if (status != LORE_OK || bytes.len > LORE_IMPORT_MAX)
        return status == LORE_OK || status == LORE_TOOBIG ? note_bytes(f, file, err) : status;
    const char *data = bytes.data ? bytes.data : "";
    lore_hash_hex(data, bytes.len, hex);
    if (lore_seen_add(k->arena, k->seen, lore_format(&k->kept, "artifact|%s|%s", file->path, hex),
            "", 0) != LORE_SEEN_NEW)
        return LORE_OK;
    kept->name = long_file ? lore_format(&k->kept, "%s.zst", file->path) : file->path;
    bool text = !file->packed && !long_file && lore_utf8_valid(data, bytes.len) &&
                !memchr(data, '\0', bytes.len);
    return write_artifact(kept, media_type(file, &bytes, long_file), &bytes, text, out, err);
}
