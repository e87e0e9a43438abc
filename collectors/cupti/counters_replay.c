/* Stores counter images between the executions of an application replay. Each process has a file
 * "counterdata-HASH-N" in the run's directory. HASH covers the command line and LOCAL_RANK; N
 * numbers the processes that share it, in order of arrival. All records have one size: a head and
 * an image. The file serves the next execution of the same program with the same metrics on the
 * same machine. A search ends at a record of another size. A launch whose record is not found can
 * be counted only in pass 0. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

#include "collectors/cupti/counters_private.h"

struct head {
    uint64_t magic, key, bytes, passes;
};
#define MAGIC 0x315458544e43524cull /* "LRCNTXT1" */
enum { PROCESSES = 64, RECORDS_MAX = 1 << 20 };

static uint64_t
process_hash(void)
{
    const char *rank = getenv("LOCAL_RANK");
    uint64_t h = 14695981039346656037u;
    unsigned char buf[4096];
    ssize_t n = 0;
    int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);

    while (fd >= 0 && (n = read(fd, buf, sizeof buf)) > 0)
        for (ssize_t i = 0; i < n; i++)
            h = (h ^ buf[i]) * 1099511628211u;
    if (fd >= 0)
        (void)close(fd);
    for (; rank != NULL && *rank != '\0'; rank++)
        h = (h ^ (unsigned char)*rank) * 1099511628211u;
    return h;
}

/* The file of this process, locked until the process ends; -1: none. */
static int
file(void)
{
    static int fd = -2;
    char path[4096];
    uint64_t h;

    if (fd != -2)
        return fd;
    h = process_hash();
    for (int i = 0; i < PROCESSES; i++) {
        int n = snprintf(path, sizeof path, "%s/counterdata-%016llx-%d", lore_counters.config.dir,
            (unsigned long long)h, i);

        if (n < 0 || (size_t)n >= sizeof path)
            break;
        fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
        if (fd < 0)
            break;
        if (flock(fd, LOCK_EX | LOCK_NB) == 0)
            return fd;
        (void)close(fd);
    }
    return fd = -1;
}

static bool
transfer_all(ssize_t (*io)(int, void *, size_t, off_t), int fd, void *p, size_t n, off_t at)
{
    char *c = p;

    while (n > 0) {
        ssize_t k = io(fd, c, n, at);

        if (k < 0 && errno == EINTR)
            continue;
        if (k <= 0)
            return false;
        c += k;
        at += k;
        n -= (size_t)k;
    }
    return true;
}

static ssize_t
put(int fd, void *p, size_t n, off_t at)
{
    return pwrite(fd, p, n, at);
}

static ssize_t
get(int fd, void *p, size_t n, off_t at)
{
    return pread(fd, p, n, at);
}

/* Offset of KEY's record, or of a new one with *head zeroed. */
static off_t
find_record(int fd, uint64_t key, size_t bytes, struct head *head)
{
    off_t at = 0;

    for (int i = 0; i < RECORDS_MAX; i++) {
        if (!transfer_all(get, fd, head, sizeof *head, at) || head->magic != MAGIC ||
            head->bytes != bytes)
            break;
        if (head->key == key)
            return at;
        at += (off_t)(sizeof *head + bytes);
    }
    *head = (struct head){0};
    return at;
}

long
lore_counters_replay_read(uint64_t key, uint8_t *image, size_t bytes)
{
    struct head head;
    int fd = file();
    off_t at;

    if (fd < 0)
        return -1;
    at = find_record(fd, key, bytes, &head);
    if (head.passes == 0 || !transfer_all(get, fd, image, bytes, at + (off_t)sizeof head))
        return 0;
    return (long)head.passes;
}

bool
lore_counters_replay_write(uint64_t key, const uint8_t *image, size_t bytes, size_t passes)
{
    struct head head;
    int fd = file();
    off_t at;

    if (fd < 0)
        return false;
    at = find_record(fd, key, bytes, &head);
    head = (struct head){.magic = MAGIC, .key = key, .bytes = bytes, .passes = passes};
    return transfer_all(put, fd, (void *)(uintptr_t)image, bytes, at + (off_t)sizeof head) &&
           transfer_all(put, fd, &head, sizeof head, at);
}
