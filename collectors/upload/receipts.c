/* The receipts stored on this host; each is checked before it is appended. Years later they prove
 * that the service's key acknowledged every delivered record, in order. The file is bounded: when
 * it is full and its chain is valid, one summary line replaces the older receipts. The next receipt
 * contains the summary's hash and the following number, both signed, so no gap can be hidden. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collectors/upload/agent.h"
#include "service/base/clock.h"
#include "service/base/file.h"
#include "service/base/hash.h"
#include "service/base/jsonw.h"
#include "service/base/text.h"
#include "service/base/xalloc.h"

/* enough for a line of 256 records, each with 64 hex digits, a number and a word */
enum { LINE_BYTES = 128 << 10 };

static enum lore_status
fail_file(const char *path, struct lore_err *err)
{
    return lore_fail(err, LORE_IO, "%s: %s", path, strerror(errno));
}

/* Read the end of the file; it holds at least the last valid line. */
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
last_line(const struct lore_buf *text, struct lore_upload_receipt *out)
{
    struct lore_arena arena = {0};
    struct lore_json *root = NULL;
    struct lore_upload_receipt r;
    size_t end = text->len, start;
    bool ok;

    while (end > 0 && text->data[end - 1] != '\n')
        end--; /* a line that a crash cut off: its batch is sent again and answered "duplicate" */
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
lore_receipts_last(const char *state, struct lore_upload_receipt *out, struct lore_err *err)
{
    struct lore_arena arena = {0};
    const char *path = lore_format(&arena, "%s/receipts.jsonl", state);
    struct lore_upload_receipt last = {0};
    struct lore_buf text = {0};
    enum lore_status status = LORE_OK;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);

    if (fd < 0 && errno != ENOENT)
        status = fail_file(path, err);
    if (fd >= 0) {
        status = read_end(fd, path, &text, err);
        close(fd);
    }
    if (status == LORE_OK && text.len > 0 && !last_line(&text, &last)) {
        const char *aside =
            lore_format(&arena, "%s/receipts-damaged-%" PRId64 ".jsonl", state, lore_now_us());
        if (rename(path, aside) != 0)
            status = fail_file(path, err);
    }
    if (status == LORE_OK)
        *out = last;
    lore_buf_free(&text);
    lore_arena_free(&arena);
    return status;
}

/* Offset at which the last whole line ends. */
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
lore_receipts_append(const char *state, const struct lore_upload_receipt *r, struct lore_err *err)
{
    struct lore_arena arena = {0};
    const char *path = lore_format(&arena, "%s/receipts.jsonl", state);
    struct lore_buf line = {.max = LINE_BYTES};
    enum lore_status status = lore_receipt_write(r, &line, err);
    int fd = -1;

    if (status == LORE_OK)
        status = lore_buf_status(&line, "a receipt", err);
    if (status == LORE_OK) {
        fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
        off_t end = fd < 0 ? -1 : whole_lines(fd);
        bool ok = end >= 0 && ftruncate(fd, end) == 0 &&
                  pwrite(fd, line.data, line.len, end) == (ssize_t)line.len && fsync(fd) == 0;
        if (!ok)
            status = fail_file(path, err);
        if (!ok && end >= 0 && ftruncate(fd, end) != 0)
            status = fail_file(path, err); /* the next append truncates the partial line */
    }
    if (fd >= 0)
        close(fd);
    lore_buf_free(&line);
    lore_arena_free(&arena);
    return status;
}

/* ---- the chain ---- */

struct walk {
    const struct lore_upload_identity *who;
    uint64_t lines;
    unsigned char previous[32];
    uint64_t receipts, records;
};

static enum lore_status
walk_receipt(struct walk *w, const struct lore_upload_receipt *r, struct lore_err *err)
{
    enum lore_status status = lore_receipt_check(r, w->who, err);

    if (status == LORE_OK && r->number != w->receipts + 1)
        status = lore_receipt_bad("number", "receipts are missing before it", err);
    if (status == LORE_OK && memcmp(r->previous, w->previous, sizeof r->previous) != 0)
        status = lore_receipt_bad("previous", "not the hash of the receipt before it", err);
    if (status == LORE_OK) {
        memcpy(w->previous, r->hash, sizeof r->hash);
        w->receipts++;
        w->records += r->n;
    }
    return status;
}

/* Read the summary line of the removed receipts. */
static enum lore_status
walk_summary(struct walk *w, const struct lore_json *summary, struct lore_err *err)
{
    const char *hash = NULL;
    int64_t receipts = -1, records = -1; /* stay -1 when absent */

    if (lore_json_i64(summary, "receipts", &receipts, NULL) != LORE_OK || receipts < 1 ||
        lore_json_i64(summary, "records", &records, NULL) != LORE_OK || records < 0 ||
        lore_json_text(summary, "hash", &hash, NULL) != LORE_OK ||
        !lore_receipt_hex(hash, w->previous, sizeof w->previous))
        return lore_receipt_bad("left_out", "expected receipts, records and a hash", err);
    w->receipts = (uint64_t)receipts;
    w->records = (uint64_t)records;
    return LORE_OK;
}

static enum lore_status
walk_line(struct walk *w, const char *text, size_t n, struct lore_err *err)
{
    struct lore_arena arena = {0};
    struct lore_json *root = NULL;
    struct lore_upload_receipt r;
    enum lore_status status = lore_json_parse(text, n, NULL, &arena, &root, err);

    if (status != LORE_OK) {
        status = lore_receipt_bad("line", "no JSON", err);
    } else if (w->lines == 0 && lore_json_get(root, "left_out")) {
        status = walk_summary(w, lore_json_get(root, "left_out"), err);
    } else {
        status = lore_receipt_read(root, lore_json_get(root, "records"), &arena, &r, err);
        if (status == LORE_OK)
            status = walk_receipt(w, &r, err);
    }
    w->lines += status == LORE_OK;
    lore_arena_free(&arena);
    return status;
}

/* Check F to its end. REMOVED (may be NULL) gets the state before the first line that starts at
 * FROM or later; that line starts at *AT. */
static enum lore_status
walk_file(
    struct walk *w, FILE *f, size_t from, struct walk *removed, size_t *at, struct lore_err *err)
{
    char *line = lore_xalloc(LINE_BYTES);
    enum lore_status status = LORE_OK;
    size_t done = 0;

    while (status == LORE_OK && fgets(line, LINE_BYTES, f)) {
        size_t n = strlen(line);
        /* a crash can cut off the last line: skip it; a line that is cut elsewhere contains a NUL
         * or is too long, and walk_line rejects it */
        if (feof(f) && (n == 0 || line[n - 1] != '\n'))
            break;
        if (removed && removed->lines == 0 && done >= from) {
            *removed = *w;
            *at = done;
        }
        status = walk_line(w, line, n, err);
        done += n;
        if (status != LORE_OK && err) {
            char message[sizeof err->msg], where[sizeof err->path];
            snprintf(message, sizeof message, "%s", err->msg);
            snprintf(where, sizeof where, "%s", err->path);
            status = lore_fail_at(err, LORE_CORRUPT, "bad_receipt", where,
                "receipts.jsonl, line %" PRIu64 ": %.180s", w->lines + 1, message);
        }
    }
    lore_xfree(line);
    return status;
}

enum lore_status
lore_receipts_verify(const char *state, const struct lore_upload_identity *who, uint64_t *receipts,
    uint64_t *records, struct lore_err *err)
{
    struct lore_arena arena = {0};
    const char *path = lore_format(&arena, "%s/receipts.jsonl", state);
    struct walk w = {.who = who};
    FILE *f = fopen(path, "re");
    enum lore_status status;

    if (!f)
        status = errno == ENOENT ? lore_fail(err, LORE_NOTFOUND, "%s: no receipts yet", path)
                                 : fail_file(path, err);
    else
        status = walk_file(&w, f, 0, NULL, NULL, err);
    if (f)
        fclose(f);
    lore_arena_free(&arena);
    if (status == LORE_OK) {
        *receipts = w.receipts;
        *records = w.records;
    }
    return status;
}

/* ---- the bound ---- */

static enum lore_status
write_summary(const struct walk *w, struct lore_buf *out, struct lore_err *err)
{
    char hex[LORE_HASH_HEX];
    struct lore_jsonw j;

    lore_hex(w->previous, sizeof w->previous, hex);
    lore_jsonw_begin(&j, out, false);
    lore_w_obj(&j);
    lore_w_key(&j, "left_out");
    lore_w_obj(&j);
    lore_w_ki64(&j, "receipts", (int64_t)w->receipts);
    lore_w_ki64(&j, "records", (int64_t)w->records);
    lore_w_kstr(&j, "hash", hex);
    lore_w_obj_end(&j);
    lore_w_obj_end(&j);
    enum lore_status status = lore_jsonw_end(&j, err);
    lore_buf_putc(out, '\n');
    return status;
}

/* Rewrite PATH as the summary in REMOVED, followed by F from byte AT on. */
static enum lore_status
replace(const char *path, FILE *f, size_t at, size_t size, const struct walk *removed,
    struct lore_err *err)
{
    struct lore_buf text = {.max = size - at + LINE_BYTES};
    enum lore_status status = write_summary(removed, &text, err);
    char *to = status == LORE_OK ? lore_buf_reserve(&text, size - at + 1) : NULL;

    if (status == LORE_OK &&
        (!to || pread(fileno(f), to, size - at, (off_t)at) != (ssize_t)(size - at)))
        status = fail_file(path, err);
    if (status == LORE_OK)
        status = lore_file_write(path, text.data, text.len + size - at, 0600, err);
    lore_buf_free(&text);
    return status;
}

enum lore_status
lore_receipts_compact(const char *state, const struct lore_upload_identity *who, size_t full,
    size_t keep, struct lore_err *err)
{
    struct lore_arena arena = {0};
    const char *path = lore_format(&arena, "%s/receipts.jsonl", state);
    struct walk w = {.who = who}, removed = {0};
    enum lore_status status = LORE_OK;
    FILE *f = fopen(path, "re");
    struct stat sb;
    size_t at = 0;

    if (!f || fstat(fileno(f), &sb) != 0)
        status = fail_file(path, err);
    if (status == LORE_OK && sb.st_size > (off_t)full && sb.st_size > (off_t)keep) {
        size_t size = (size_t)sb.st_size;
        status = walk_file(&w, f, size - keep, &removed, &at, err);
        if (status == LORE_OK && removed.receipts > 0)
            status = replace(path, f, at, size, &removed, err);
    }
    if (f)
        fclose(f);
    lore_arena_free(&arena);
    return status;
}
