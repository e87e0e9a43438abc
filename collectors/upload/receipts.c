/* The receipts kept on this host. Each was checked before it was appended, so that what was taken
 * out of the spool can be shown, years later, to have been acknowledged by that service's key, in
 * that order, with nothing left out. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent.h"
#include "clock.h"
#include "file.h"
#include "hash.h"
#include "jsonw.h"
#include "text.h"
#include "xalloc.h"

/* a line: 256 records of 64 hex digits, a number and a word, with room */
enum { LINE_BYTES = 128 << 10 };

static enum lore_status
bad(struct lore_err *err, const char *path, const char *what)
{
    return lore_fail_at(err, LORE_CORRUPT, "bad_receipt", path, "receipt: %s: %s", path, what);
}

static bool
hex_bytes(const char *text, unsigned char *out, size_t n)
{
    static const char digits[] = "0123456789abcdef";

    if (!text || strlen(text) != 2 * n)
        return false;
    for (size_t i = 0; i < 2 * n; i++) {
        const char *d = strchr(digits, text[i]);
        if (!d)
            return false;
        out[i / 2] = (unsigned char)(i % 2 ? out[i / 2] | (d - digits) : (d - digits) << 4);
    }
    return true;
}

static const char *
text_of(const struct lore_json *object, const char *key)
{
    const char *text = NULL;

    return lore_json_text(object, key, &text, NULL) == LORE_OK ? text : NULL;
}

static bool
id_of(const struct lore_json *object, const char *key, char out[LORE_ULID_SIZE])
{
    const char *text = text_of(object, key);

    if (!text || !lore_ulid_valid(text))
        return false;
    memcpy(out, text, LORE_ULID_SIZE);
    return true;
}

static bool
number_of(const struct lore_json *object, const char *key, uint64_t *out)
{
    int64_t n = 0;

    if (lore_json_i64(object, key, &n, NULL) != LORE_OK || n < 1)
        return false;
    *out = (uint64_t)n;
    return true;
}

static bool
read_line(const struct lore_json *row, struct lore_receipt_line *out)
{
    const char *state = text_of(row, "state");

    out->state = lore_streq(state, "stored")      ? 's'
                 : lore_streq(state, "duplicate") ? 'd'
                 : lore_streq(state, "refused")   ? 'r'
                                                  : '\0';
    return out->state && number_of(row, "seq", &out->seq) &&
           hex_bytes(text_of(row, "hash"), out->hash, sizeof out->hash);
}

enum lore_status
lore_receipt_read(const struct lore_json *receipt, const struct lore_json *records,
    struct lore_arena *arena, struct lore_receipt *out, struct lore_err *err)
{
    struct lore_receipt r = {0};

    if (!id_of(receipt, "agent", r.agent))
        return bad(err, "agent", "expected a ULID");
    if (!id_of(receipt, "batch", r.batch))
        return bad(err, "batch", "expected a ULID");
    if (!number_of(receipt, "number", &r.number))
        return bad(err, "number", "expected a whole number from 1");
    if (!hex_bytes(text_of(receipt, "previous"), r.previous, sizeof r.previous))
        return bad(err, "previous", "expected 64 hexadecimal digits");
    if (!hex_bytes(text_of(receipt, "hash"), r.hash, sizeof r.hash))
        return bad(err, "hash", "expected 64 hexadecimal digits");
    if (!lore_sign_bytes(text_of(receipt, "signature"), r.signature, sizeof r.signature))
        return bad(err, "signature", "expected 64 bytes as base64");
    if (!records || records->type != LORE_J_ARRAY || records->len > LORE_BATCH_RECORDS)
        return bad(err, "records", "expected a list of at most 256");
    r.lines = lore_alloc_array(arena, records->len + 1u, sizeof *r.lines);
    for (const struct lore_json *row = records->child; row; row = row->next) {
        if (!read_line(row, &r.lines[r.n++]))
            return bad(err, "records", "a row without seq, hash or state");
    }
    *out = r;
    return LORE_OK;
}

enum lore_status
lore_receipt_check(
    const struct lore_receipt *r, const struct lore_identity *who, struct lore_err *err)
{
    unsigned char hash[32];

    if (strcmp(r->agent, who->id) != 0)
        return bad(err, "agent", "it is another agent's");
    lore_receipt_hash(r->previous, r->agent, r->batch, r->number, r->lines, r->n, hash);
    if (memcmp(hash, r->hash, sizeof hash) != 0)
        return bad(err, "hash", "it does not cover what the receipt says");
    if (!lore_sign_receipt_ok(who->service_key, r->hash, r->signature))
        return bad(err, "signature", "not by the service this host is enrolled at");
    return LORE_OK;
}

static const char *
state_word(char state)
{
    return state == 's' ? "stored" : state == 'd' ? "duplicate" : "refused";
}

static enum lore_status
write_line(const struct lore_receipt *r, struct lore_buf *out, struct lore_err *err)
{
    char hex[LORE_HASH_HEX], signature[LORE_SIGNATURE_TEXT];
    struct lore_jsonw w;

    lore_jsonw_begin(&w, out, false);
    lore_w_obj(&w);
    lore_w_kstr(&w, "agent", r->agent);
    lore_w_kstr(&w, "batch", r->batch);
    lore_w_ki64(&w, "number", (int64_t)r->number);
    lore_hex(r->previous, sizeof r->previous, hex);
    lore_w_kstr(&w, "previous", hex);
    lore_hex(r->hash, sizeof r->hash, hex);
    lore_w_kstr(&w, "hash", hex);
    lore_sign_text(r->signature, sizeof r->signature, signature);
    lore_w_kstr(&w, "signature", signature);
    lore_w_key(&w, "records");
    lore_w_arr(&w);
    for (size_t i = 0; i < r->n; i++) {
        lore_w_obj(&w);
        lore_w_ki64(&w, "seq", (int64_t)r->lines[i].seq);
        lore_w_kstr(&w, "state", state_word(r->lines[i].state));
        lore_hex(r->lines[i].hash, sizeof r->lines[i].hash, hex);
        lore_w_kstr(&w, "hash", hex);
        lore_w_obj_end(&w);
    }
    lore_w_arr_end(&w);
    lore_w_obj_end(&w);
    enum lore_status st = lore_jsonw_end(&w, err);
    lore_buf_putc(out, '\n');
    return st;
}

static enum lore_status
fail_file(const char *path, struct lore_err *err)
{
    return lore_fail(err, LORE_IO, "%s: %s", path, strerror(errno));
}

/* The last bytes of the file: at least its last line, when that is one of ours. */
static enum lore_status
read_end(int fd, const char *path, struct lore_buf *out, struct lore_err *err)
{
    off_t size = lseek(fd, 0, SEEK_END);
    size_t want = size > LINE_BYTES ? LINE_BYTES : (size_t)size;
    char *to = size < 0 ? NULL : lore_buf_reserve(out, want + 1);

    if (!to || pread(fd, to, want, size - (off_t)want) != (ssize_t)want)
        return fail_file(path, err);
    out->len += want;
    out->data[out->len] = '\0';
    return LORE_OK;
}

/* Parse the last whole line of TEXT into *out, without its records. */
static bool
last_line(const struct lore_buf *text, struct lore_receipt *out)
{
    struct lore_arena arena = {0};
    struct lore_json *root = NULL;
    struct lore_receipt r;
    size_t end = text->len, start;
    bool ok;

    while (end > 0 && text->data[end - 1] != '\n')
        end--; /* a line that a crash cut off: its batch is answered "duplicate" once more */
    if (end == 0)
        return false;
    for (start = end - 1; start > 0 && text->data[start - 1] != '\n';)
        start--;
    ok = lore_json_parse(text->data + start, end - start, NULL, &arena, &root, NULL) == LORE_OK &&
         lore_receipt_read(root, lore_json_get(root, "records"), &arena, &r, NULL) == LORE_OK;
    if (ok) {
        *out = r;
        out->lines = NULL;
        out->n = 0;
    }
    lore_arena_free(&arena);
    return ok;
}

enum lore_status
lore_receipts_last(const char *state, struct lore_receipt *out, struct lore_err *err)
{
    struct lore_arena arena = {0};
    const char *path = lore_format(&arena, "%s/receipts.jsonl", state);
    struct lore_receipt last = {0};
    struct lore_buf text = {0};
    enum lore_status st = LORE_OK;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);

    if (fd < 0 && errno != ENOENT)
        st = fail_file(path, err);
    if (fd >= 0) {
        st = read_end(fd, path, &text, err);
        close(fd);
    }
    if (st == LORE_OK && text.len > 0 && !last_line(&text, &last)) {
        const char *aside =
            lore_format(&arena, "%s/receipts-damaged-%" PRId64 ".jsonl", state, lore_now_us());
        if (rename(path, aside) != 0)
            st = fail_file(path, err);
    }
    if (st == LORE_OK)
        *out = last;
    lore_buf_free(&text);
    lore_arena_free(&arena);
    return st;
}

/* Where the last whole line ends. */
static off_t
whole_lines(int fd)
{
    off_t end = lseek(fd, 0, SEEK_END);
    char c;

    while (end > 0 && pread(fd, &c, 1, end - 1) == 1 && c != '\n')
        end--;
    return end;
}

enum lore_status
lore_receipts_append(const char *state, const struct lore_receipt *r, struct lore_err *err)
{
    struct lore_arena arena = {0};
    const char *path = lore_format(&arena, "%s/receipts.jsonl", state);
    struct lore_buf line = {.max = LINE_BYTES};
    enum lore_status st = write_line(r, &line, err);
    int fd = -1;

    if (st == LORE_OK)
        st = lore_buf_status(&line, "a receipt", err);
    if (st == LORE_OK) {
        fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
        off_t end = fd < 0 ? -1 : whole_lines(fd);
        bool ok = end >= 0 && ftruncate(fd, end) == 0 &&
                  pwrite(fd, line.data, line.len, end) == (ssize_t)line.len && fsync(fd) == 0;
        if (!ok)
            st = fail_file(path, err);
        if (!ok && end >= 0 && ftruncate(fd, end) != 0)
            st = fail_file(path, err); /* the next one cuts it off */
    }
    if (fd >= 0)
        close(fd);
    lore_buf_free(&line);
    lore_arena_free(&arena);
    return st;
}

struct walk {
    const struct lore_identity *who;
    unsigned char previous[32];
    uint64_t receipts, records;
};

static enum lore_status
walk_line(struct walk *w, const char *text, size_t n, struct lore_err *err)
{
    struct lore_arena arena = {0};
    struct lore_json *root = NULL;
    struct lore_receipt r;
    enum lore_status st = lore_json_parse(text, n, NULL, &arena, &root, err);

    if (st != LORE_OK)
        st = bad(err, "line", "no JSON");
    if (st == LORE_OK)
        st = lore_receipt_read(root, lore_json_get(root, "records"), &arena, &r, err);
    if (st == LORE_OK)
        st = lore_receipt_check(&r, w->who, err);
    if (st == LORE_OK && r.number != w->receipts + 1)
        st = bad(err, "number", "receipts are missing before it");
    if (st == LORE_OK && memcmp(r.previous, w->previous, sizeof r.previous) != 0)
        st = bad(err, "previous", "not the hash of the receipt before it");
    if (st == LORE_OK) {
        memcpy(w->previous, r.hash, sizeof r.hash);
        w->receipts++;
        w->records += r.n;
    }
    lore_arena_free(&arena);
    return st;
}

enum lore_status
lore_receipts_verify(const char *state, const struct lore_identity *who, uint64_t *receipts,
    uint64_t *records, struct lore_err *err)
{
    struct lore_arena arena = {0};
    const char *path = lore_format(&arena, "%s/receipts.jsonl", state);
    struct walk w = {.who = who};
    enum lore_status st = LORE_OK;
    char *line = lore_xalloc(LINE_BYTES);
    FILE *f = fopen(path, "re");

    if (!f)
        st = errno == ENOENT ? lore_fail(err, LORE_NOTFOUND, "%s: no receipts yet", path)
                             : fail_file(path, err);
    while (st == LORE_OK && fgets(line, LINE_BYTES, f)) {
        size_t n = strlen(line);
        /* a last line without its end was cut off by a crash and is not kept */
        if (n > 0 && line[n - 1] != '\n' && n + 1 < LINE_BYTES)
            break;
        st = walk_line(&w, line, n, err);
        if (st != LORE_OK && err) {
            char said[sizeof err->msg], at[sizeof err->path];
            snprintf(said, sizeof said, "%s", err->msg);
            snprintf(at, sizeof at, "%s", err->path);
            st = lore_fail_at(err, LORE_CORRUPT, "bad_receipt", at,
                "receipts.jsonl, line %" PRIu64 ": %.180s", w.receipts + 1, said);
        }
    }
    if (f)
        fclose(f);
    lore_xfree(line);
    lore_arena_free(&arena);
    if (st == LORE_OK) {
        *receipts = w.receipts;
        *records = w.records;
    }
    return st;
}
