/* Calls libarchive, with only the formats and filters that people use for measurements: each other
 * one would be a parser of outside bytes that nobody needs. Bytes come by callbacks, so that an
 * archive may lie inside another file. */
#include "collectors/import/unpack.h"

#include <errno.h>
#include <string.h>

#include <archive.h>
#include <archive_entry.h>

#include "service/base/xalloc.h"

enum { BLOCK = 128 << 10, TAR_MAGIC = 257, MAX_FILTERS = 3 /* two, and none */ };

struct lore_unpacking {
    struct lore_bytes from;
    struct archive *archive;
    uint64_t next, raw, unpacked; /* raw: the furthest byte read */
    bool trap;                    /* beyond the ratio */
    char block[BLOCK];
};

bool
lore_unpack_is(const char *head, size_t n)
{
    static const struct {
        const char *magic;
        size_t len, at;
    } known[] = {{"\x1f\x8b\x08", 3, 0}, {"\x28\xb5\x2f\xfd", 4, 0}, {"\xfd\x37zXZ\0", 6, 0},
        {"PK\3\4", 4, 0}, {"PK\5\6", 4, 0}, {"ustar", 5, TAR_MAGIC}};

    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (n >= known[i].at + known[i].len &&
            memcmp(head + known[i].at, known[i].magic, known[i].len) == 0)
            return true;
    }
    return n >= 10 && memcmp(head, "BZh", 3) == 0 && head[3] >= '1' && head[3] <= '9' &&
           (memcmp(head + 4, "1AY&SY", 6) == 0 || memcmp(head + 4, "\x17rE8P\x90", 6) == 0);
}

static bool
beyond(const struct lore_unpacking *u, uint64_t unpacked)
{
    return unpacked > LORE_UNPACK_FREE && unpacked / LORE_UNPACK_RATIO > u->raw;
}

/* Members that nobody reads are unpacked, too, to find the next one; so the ratio is checked here,
 * between two blocks of packed bytes. */
static la_ssize_t
read_block(struct archive *a, void *context, const void **out)
{
    struct lore_unpacking *u = context;
    la_int64_t unpacked = archive_filter_bytes(a, 0);
    struct lore_err err = {0};
    size_t got = 0;

    *out = u->block;
    u->trap |= unpacked > 0 && beyond(u, (uint64_t)unpacked);
    if (u->trap) {
        archive_set_error(a, EFBIG, "unpacks to too much");
        return -1;
    }
    if (lore_bytes_read(&u->from, u->next, u->block, BLOCK, &got, &err) != LORE_OK) {
        archive_set_error(a, EIO, "%s", err.msg);
        return -1;
    }
    u->next += got;
    if (u->next > u->raw)
        u->raw = u->next;
    return (la_ssize_t)got;
}

static la_int64_t
seek_to(struct archive *a, void *context, la_int64_t offset, int whence)
{
    struct lore_unpacking *u = context;
    la_int64_t base = whence == SEEK_SET   ? 0
                      : whence == SEEK_CUR ? (la_int64_t)u->next
                                           : (la_int64_t)u->from.size;

    if (offset < -base || base + offset > (la_int64_t)u->from.size) {
        archive_set_error(a, EIO, "the archive is truncated");
        return ARCHIVE_FATAL;
    }
    u->next = (uint64_t)(base + offset);
    return (la_int64_t)u->next;
}

static enum lore_status
fail(const struct lore_unpacking *u, struct lore_err *err)
{
    const char *why = u->archive ? archive_error_string(u->archive) : NULL;

    if (u->trap)
        return lore_fail(err, LORE_TOOBIG,
            "unpacks to more than %u times its size, as only a trap or a file of zeros does; "
            "unpack it yourself if it is neither",
            LORE_UNPACK_RATIO);
    return lore_fail(err, LORE_INVALID, "cannot be unpacked: %s", why ? why : "not readable");
}

enum lore_status
lore_unpack_open(
    const struct lore_bytes *from, bool members, struct lore_unpacking **out, struct lore_err *err)
{
    struct lore_unpacking *u = lore_xalloc(sizeof *u);
    struct archive *a = u->archive = archive_read_new();

    u->from = *from;
    bool ready = a && archive_read_support_filter_gzip(a) == ARCHIVE_OK &&
                 archive_read_support_filter_bzip2(a) == ARCHIVE_OK &&
                 archive_read_support_filter_zstd(a) == ARCHIVE_OK &&
                 archive_read_support_filter_xz(a) == ARCHIVE_OK &&
                 (!members || archive_read_support_format_tar(a) == ARCHIVE_OK) &&
                 (!members || archive_read_support_format_zip(a) == ARCHIVE_OK) &&
                 archive_read_support_format_empty(a) == ARCHIVE_OK &&
                 archive_read_support_format_raw(a) == ARCHIVE_OK &&
                 archive_read_set_seek_callback(a, seek_to) == ARCHIVE_OK;
    if (!ready || archive_read_open(a, u, NULL, read_block, NULL) != ARCHIVE_OK) {
        enum lore_status status = fail(u, err);
        lore_unpack_close(u);
        return status;
    }
    *out = u;
    return LORE_OK;
}

enum lore_status
lore_unpack_next(struct lore_unpacking *u, struct lore_archive_member *member, struct lore_err *err)
{
    struct archive_entry *e = NULL;
    int rc = archive_read_next_header(u->archive, &e);

    if (rc == ARCHIVE_EOF)
        return lore_fail(err, LORE_NOTFOUND, "no more members");
    if (rc != ARCHIVE_OK && rc != ARCHIVE_WARN)
        return fail(u, err);
    if (archive_format(u->archive) == ARCHIVE_FORMAT_RAW &&
        archive_filter_code(u->archive, 0) == ARCHIVE_FILTER_NONE)
        return lore_fail(err, LORE_INVALID, "cannot be unpacked: its header is damaged");
    if (archive_filter_count(u->archive) > MAX_FILTERS)
        return lore_fail(err, LORE_INVALID, "compressed more than twice; unpack it first");
    if (!member)
        return LORE_OK;
    member->path = archive_entry_pathname_utf8(e);
    if (!member->path)
        member->path = archive_entry_pathname(e);
    member->folder = archive_entry_filetype(e) == AE_IFDIR;
    member->file = archive_entry_filetype(e) == AE_IFREG && !archive_entry_hardlink(e);
    return LORE_OK;
}

bool
lore_unpack_has_members(const struct lore_unpacking *u)
{
    int format = archive_format(u->archive) & ARCHIVE_FORMAT_BASE_MASK;

    return format == ARCHIVE_FORMAT_TAR || format == ARCHIVE_FORMAT_ZIP;
}

enum lore_status
lore_unpack_read(struct lore_unpacking *u, char *out, size_t n, size_t *got, struct lore_err *err)
{
    la_ssize_t k = archive_read_data(u->archive, out, n);

    *got = 0;
    if (k < 0)
        return fail(u, err);
    u->unpacked += (uint64_t)k;
    u->trap = beyond(u, u->unpacked);
    if (u->trap)
        return fail(u, err);
    *got = (size_t)k;
    return LORE_OK;
}

uint64_t
lore_unpack_raw(const struct lore_unpacking *u)
{
    return u->raw;
}

void
lore_unpack_close(struct lore_unpacking *u)
{
    if (!u)
        return;
    if (u->archive)
        (void)archive_read_free(u->archive);
    lore_xfree(u);
}
