/* The file is opened for appending, locked with flock, and written with one write(2) per call. A
 * line cut by a crash first gets a newline, so that only that line is lost. A file above FILE_MAX /
 * 4 is rewritten with its newest lines under the lock. A process that waited for the lock opens the
 * file again if it was replaced. */
#include "collectors/run/ledger.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "service/base/clock.h"
#include "service/base/file.h"
#include "service/base/jsonw.h"
#include "service/base/text.h"
#include "service/base/ulid.h"

enum { LINE_MAX_BYTES = 2048 };
#define FILE_NAME "ledger.jsonl"
#define FILE_MAX (LORE_LEDGER_LINES * 2u * LINE_MAX_BYTES)

const char *
lore_ledger_dir(struct lore_arena *arena, const char *state_dir)
{
    const char *xdg = getenv("XDG_STATE_HOME"), *home = getenv("HOME");

    if (state_dir && *state_dir)
        return state_dir;
    if (xdg && xdg[0] == '/')
        return lore_format(arena, "%s/warplore", xdg);
    if (home && home[0] == '/')
        return lore_format(arena, "%s/.local/state/warplore", home);
    return NULL;
}

/* ---- reading ---- */

static bool
read_number(const struct lore_json *line, const char *key, struct lore_f64 *out)
{
    const struct lore_json *node = lore_json_get(line, key);

    if (!node)
        return true;
    out->set = node->type == LORE_J_NUMBER;
    out->v = node->f;
    return out->set;
}

static bool
read_entry(const struct lore_json *line, struct lore_ledger_entry *e)
{
    const char *at = NULL;
    struct {
        const char *key, **out;
    } texts[] = {{"at", &at}, {"service", &e->service}, {"kernel", &e->kernel},
        {"version", &e->version}, {"content", &e->content}, {"workload", &e->workload},
        {"hard", &e->hard}, {"run", &e->run}, {"experiment", &e->experiment},
        {"hypothesis", &e->hypothesis}};

    if (line->type != LORE_J_OBJECT)
        return false;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (lore_json_text(line, texts[i].key, texts[i].out, NULL) != LORE_OK)
            return false;
    }
    e->service = e->service ? e->service : "";
    e->content = e->content ? e->content : "";
    e->workload = e->workload ? e->workload : "";
    e->hard = e->hard ? e->hard : "";
    return at && lore_time_parse(at, &e->at_us, NULL) == LORE_OK && e->kernel &&
           lore_ulid_valid(e->kernel) && e->version && lore_ulid_valid(e->version) && e->run &&
           lore_ulid_valid(e->run) && (!e->experiment || lore_ulid_valid(e->experiment)) &&
           read_number(line, "median_ns", &e->median_ns) &&
           read_number(line, "noise_pct", &e->noise_pct);
}

static void
read_lines(const char *text, size_t len, const char *service, struct lore_arena *arena,
    struct lore_ledger *out)
{
    for (size_t at = 0; at < len;) {
        const char *end = memchr(text + at, '\n', len - at);
        size_t n = end ? (size_t)(end - text) - at : len - at;
        struct lore_ledger_entry e = {0};
        struct lore_json *line = NULL;

        if (n > 0 && n <= LINE_MAX_BYTES && end &&
            lore_json_parse(text + at, n, NULL, arena, &line, NULL) == LORE_OK &&
            read_entry(line, &e)) {
            if (strcmp(e.service, service) == 0)
                *LORE_PUSH(arena, out->v, out->n, out->cap) = e;
        } else if (n > 0) {
            out->damaged++;
        }
        at += n + 1;
    }
}

enum lore_status
lore_ledger_read(const char *dir, const char *service, struct lore_arena *arena,
    struct lore_ledger *out, struct lore_err *err)
{
    struct lore_buf text = {.max = FILE_MAX};
    const char *path = lore_format(arena, "%s/" FILE_NAME, dir);

    memset(out, 0, sizeof *out);
    enum lore_status status = lore_file_read(path, &text, err);
    if (status == LORE_OK && text.len > 0)
        read_lines(text.data, text.len, service ? service : "", arena, out);
    lore_buf_free(&text);
    return status == LORE_NOTFOUND ? LORE_OK : status;
}

const struct lore_ledger_entry *
lore_ledger_last(
    const struct lore_ledger *l, const char *version, const char *workload, const char *hard)
{
    for (size_t i = l->n; i-- > 0;) {
        const struct lore_ledger_entry *e = &l->v[i];
        if (strcmp(e->version, version) == 0 && (!workload || strcmp(e->workload, workload) == 0) &&
            (!hard || strcmp(e->hard, hard) == 0))
            return e;
    }
    return NULL;
}

const struct lore_ledger_entry *
lore_ledger_content(const struct lore_ledger *l, const char *kernel, const char *content)
{
    for (size_t i = l->n; i-- > 0;) {
        const struct lore_ledger_entry *e = &l->v[i];
        if (strcmp(e->kernel, kernel) == 0 && strcmp(e->content, content) == 0)
            return e;
    }
    return NULL;
}

/* ---- writing ---- */

static enum lore_status
write_entry(struct lore_buf *out, const struct lore_ledger_entry *e, struct lore_err *err)
{
    struct lore_jsonw w;

    lore_jsonw_begin(&w, out, false);
    lore_w_obj(&w);
    lore_w_ktime(&w, "at", e->at_us);
    lore_w_kstr_opt(&w, "service", e->service);
    lore_w_kstr(&w, "kernel", e->kernel);
    lore_w_kstr(&w, "version", e->version);
    lore_w_kstr_opt(&w, "content", e->content);
    lore_w_kstr_opt(&w, "workload", e->workload);
    lore_w_kstr_opt(&w, "hard", e->hard);
    lore_w_kstr(&w, "run", e->run);
    lore_w_kstr_opt(&w, "experiment", e->experiment);
    lore_w_kstr_opt(&w, "hypothesis", e->hypothesis);
    if (e->median_ns.set)
        lore_w_kf64(&w, "median_ns", e->median_ns.v);
    if (e->noise_pct.set)
        lore_w_kf64(&w, "noise_pct", e->noise_pct.v);
    lore_w_obj_end(&w);
    enum lore_status status = lore_jsonw_end(&w, err);
    if (status == LORE_OK)
        lore_buf_putc(out, '\n');
    return status;
}

/* Open and lock PATH, and check that it was not replaced meanwhile; -1 with errno. */
static int
open_locked(const char *path)
{
    for (int tries = 0; tries < 16; tries++) {
        struct stat held, named;
        int fd = open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
        if (fd < 0)
            return -1;
        if (flock(fd, LOCK_EX) == 0 && fstat(fd, &held) == 0 && stat(path, &named) == 0 &&
            held.st_ino == named.st_ino && held.st_dev == named.st_dev)
            return fd;
        close(fd);
    }
    errno = EBUSY;
    return -1;
}

/* Whether the last line lacks its newline, because its writer was killed. */
static bool
is_torn(int fd, off_t size)
{
    char last;

    return size > 0 && pread(fd, &last, 1, size - 1) == 1 && last != '\n';
}

/* Cut PATH to its newest LORE_LEDGER_LINES lines. The caller holds the lock. */
static enum lore_status
shorten(const char *path, struct lore_err *err)
{
    struct lore_buf text = {.max = FILE_MAX};
    enum lore_status status = lore_file_read(path, &text, err);
    size_t lines = 0, at = text.len;

    while (status == LORE_OK && at > 0 && lines <= LORE_LEDGER_LINES) {
        at--;
        lines += text.data[at] == '\n';
    }
    if (status == LORE_OK && lines > LORE_LEDGER_LINES)
        status = lore_file_write(path, text.data + at + 1, text.len - at - 1, 0600, err);
    lore_buf_free(&text);
    return status;
}

static enum lore_status
append(const char *path, const struct lore_buf *lines, struct lore_err *err)
{
    struct stat now;
    int fd = open_locked(path);

    if (fd < 0 || fstat(fd, &now) != 0) {
        int error = errno;
        if (fd >= 0)
            close(fd);
        return lore_fail(err, LORE_IO, "%s: %s", path, strerror(error));
    }
    enum lore_status status = LORE_OK;
    if (is_torn(fd, now.st_size) && write(fd, "\n", 1) != 1)
        status = lore_fail(err, LORE_IO, "%s: %s", path, strerror(errno));
    if (status == LORE_OK && write(fd, lines->data, lines->len) != (ssize_t)lines->len)
        status = lore_fail(err, LORE_IO, "%s: %s", path, strerror(errno));
    /* a line is about 300 bytes, so this happens well before the reader's ceiling */
    if (status == LORE_OK && now.st_size > (off_t)(FILE_MAX / 4))
        status = shorten(path, err);
    close(fd);
    return status;
}

enum lore_status
lore_ledger_add(const char *dir, const struct lore_ledger_entry *v, size_t n, struct lore_err *err)
{
    struct lore_buf lines = {0}, path = {.max = 4096};
    enum lore_status status = lore_mkdirs(dir, 0700, err);

    for (size_t i = 0; i < n && status == LORE_OK; i++)
        status = write_entry(&lines, &v[i], err);
    lore_buf_printf(&path, "%s/" FILE_NAME, dir);
    if (status == LORE_OK)
        status = lore_buf_status(&path, "the ledger's path", err);
    if (status == LORE_OK && lines.len > 0)
        status = append(path.data, &lines, err);
    lore_buf_free(&lines);
    lore_buf_free(&path);
    return status;
}
