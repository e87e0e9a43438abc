#include "service/process.h"

#include <errno.h>
#include <grp.h>
#include <inttypes.h>
#include <malloc.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* A database connection has the database, its log and its index open; a temporary file may follow.
 */
#define FILES_PER_CONNECTION 4
/* The writer, the learner and auth.db; the listener, the log, the standard streams. */
#define FILES_OTHER 64
/* For the databases of projects, where the system allows it; one that lacks files does not open. */
#define FILES_PROJECTS 4096
/* Blocks of this size go back to the system when they are freed. glibc would raise its threshold
 * with every larger block that is freed, and keep bodies of 8 MB in as many heaps as threads. */
#define RETURNED_BYTES (256 * 1024)

enum lore_status
lore_process_drop(const char *data, struct lore_err *err)
{
    struct stat st;

    if (geteuid() != 0 || data == NULL || stat(data, &st) != 0 || st.st_uid == 0)
        return LORE_OK;
    if (setgroups(0, NULL) != 0 || setgid(st.st_gid) != 0 || setuid(st.st_uid) != 0)
        return lore_fail(err, LORE_IO,
            "warplored runs as root and cannot become user %ld, the owner of %.200s: %s",
            (long)st.st_uid, data, strerror(errno));
    return LORE_OK;
}

static enum lore_status
check_user(const struct lore_config *c, struct lore_err *err)
{
    if (geteuid() != 0 || c->as_root)
        return LORE_OK;
    lore_fail_at(err, LORE_INVALID, "as_root", "data", "it does not serve as root");
    lore_err_hint(err,
        "give the data directory to a user (install -d -m 700 -o warplore %.100s) and start again: "
        "the service becomes that user. Or say --as-root",
        c->data);
    return LORE_INVALID;
}

static enum lore_status
check_files(const struct lore_config *c, struct lore_err *err)
{
    struct rlimit limit;
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    rlim_t wanted,
        needed = (rlim_t)(c->threads +
                          FILES_PER_CONNECTION * (c->readers + (processors > 0 ? processors : 1)) +
                          FILES_OTHER);

    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return LORE_OK;
    wanted = needed + FILES_PROJECTS;
    if (limit.rlim_cur < wanted) {
        limit.rlim_cur = wanted < limit.rlim_max ? wanted : limit.rlim_max;
        (void)setrlimit(RLIMIT_NOFILE, &limit);
    }
    if (limit.rlim_cur >= needed)
        return LORE_OK;
    lore_fail_at(err, LORE_INVALID, "open_files", "threads",
        "%" PRIu64 " files may be open, and this configuration needs %" PRIu64,
        (uint64_t)limit.rlim_cur, (uint64_t)needed);
    lore_err_hint(err,
        "raise the limit (ulimit -n %" PRIu64 "; LimitNOFILE= of the unit), or lower "
        "threads or readers",
        (uint64_t)needed);
    return LORE_INVALID;
}

enum lore_status
lore_process_prepare(const struct lore_config *c, struct lore_err *err)
{
    enum lore_status status = check_user(c, err);

    (void)mallopt(M_MMAP_THRESHOLD, RETURNED_BYTES);
    return status == LORE_OK ? check_files(c, err) : status;
}
