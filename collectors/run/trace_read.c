/* Reads capture files into a trace: the frames and the values per process (trace_group.c handles
 * launches and counters). The program may have been killed during a write, or may have overwritten
 * the file. So every length and id is checked, and each problem is reported once per file. */
#include "collectors/run/trace_read.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collectors/run/trace_file.h"
#include "service/base/hash.h"
#include "service/base/text.h"
#include "service/base/xalloc.h"

enum {
    MOST_STATES = 1024,
    MOST_DEVICES = 4096,
    OWN_DEVICES = 64, /* of one process */
    MOST_FILES = 65536,
    WINDOW = 2 * LORE_CAP_FRAME_MAX, /* a frame fits, with its head */
};
static const char *
name_text(struct lore_trace_file *f, uint32_t id)
{
    const struct lore_trace_text *t = id ? lore_trace_name(f, id) : NULL;
    return t ? t->text : NULL;
}

/* Turn any bytes into text that is valid in a JSON document. */
static const char *
clean(struct lore_arena *arena, const unsigned char *p, size_t n)
{
    char *s = lore_strndup(arena, (const char *)p, n);
    size_t len = strlen(s);

    for (size_t at = 0; (at += lore_utf8_prefix(s + at, len - at)) < len; at++)
        s[at] = '?';
    for (size_t i = 0; i < len; i++) {
        if ((unsigned char)s[i] < ' ' || s[i] == 0x7f)
            s[i] = '?';
    }
    return s;
}

static void
take_name(struct lore_trace_file *f, const unsigned char *p, size_t n, size_t at)
{
    struct lore_cap_name h;

    memcpy(&h, p, sizeof h);
    if (h.length > n - sizeof h || h.id == 0 || lore_trace_ids_find(&f->name_ids, h.id) >= 0) {
        lore_trace_complain(f, LORE_TRACE_BAD_NAME,
            h.length > n - sizeof h ? "a name is longer than its frame" : "a name's id is not new",
            at);
        return;
    }
    if (!lore_trace_has_room(f, 64 * f->n_names + h.length)) {
        lore_trace_complain(f, LORE_TRACE_NO_ROOM, "no memory for more", at);
        return;
    }
    lore_trace_ids_put(&f->name_ids, f->arena, h.id, f->n_names);
    LORE_PUSH(f->arena, f->names, f->n_names, f->cap_names)->text =
        clean(f->arena, p + sizeof h, h.length);
}

/* --- one value per process --- */

static void
take_device(struct lore_trace_file *f, const struct lore_cap_device *d)
{
    static const uint8_t none[sizeof d->uuid];
    struct lore_trace *t = f->trace;
    const char *uuid = NULL;
    char hex[2 * sizeof d->uuid + 1];

    if (memcmp(d->uuid, none, sizeof none) != 0) {
        lore_hex(d->uuid, sizeof d->uuid, hex);
        uuid = hex;
    }
    for (size_t i = t->n_devices, own = 0; i > 0 && t->devices[i - 1].pid == f->process->pid; i--) {
        if (t->devices[i - 1].ordinal == d->ordinal || ++own == OWN_DEVICES)
            return;
    }
    if (t->n_devices == MOST_DEVICES)
        return;
    *LORE_PUSH(f->arena, t->devices, t->n_devices, t->cap_devices) = (struct lore_trace_device){
        .pid = f->process->pid,
        .ordinal = d->ordinal,
        .name = name_text(f, d->name),
        .uuid = lore_strdup(f->arena, uuid),
        .major = d->major,
        .minor = d->minor,
        .units = d->units,
        .warp = d->warp,
    };
}

static void
take_state(struct lore_trace_file *f, const struct lore_cap_state *s)
{
    struct lore_trace *t = f->trace;

    if (t->n_states == MOST_STATES || s->code < LORE_CAP_ATTACHED || s->code >= LORE_CAP_STATES_END)
        return;
    *LORE_PUSH(f->arena, t->states, t->n_states, t->cap_states) = (struct lore_trace_state){
        .pid = f->process->pid,
        .code = (enum lore_cap_state_code)s->code,
        .text = name_text(f, s->text),
        .a = s->a,
        .b = s->b,
    };
}

static uint64_t
plus(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

static void
add_sums(struct lore_trace *t, const struct lore_trace_file *f)
{
    for (int i = 0; i < LORE_CAP_TOTALS_N; i++) {
        t->totals.of[i].count = plus(t->totals.of[i].count, f->totals.of[i].count);
        t->totals.of[i].bytes = plus(t->totals.of[i].bytes, f->totals.of[i].bytes);
        t->totals.of[i].ns = plus(t->totals.of[i].ns, f->totals.of[i].ns);
    }
    t->loss.dropped = plus(t->loss.dropped, f->loss.dropped);
    t->loss.bad = plus(t->loss.bad, plus(f->loss.bad, f->lost_here));
    t->loss.no_memory = plus(t->loss.no_memory, f->loss.no_memory);
    t->loss.write_failed = plus(t->loss.write_failed, f->loss.write_failed);
}

/* --- frames --- */

static bool
take_start(struct lore_trace_file *f, const unsigned char *p, size_t n)
{
    struct lore_cap_start s;
    struct lore_cap_head h;
    const char *wrong = NULL;

    if (n < sizeof h + sizeof s)
        wrong = "shorter than a capture's beginning";
    else {
        memcpy(&h, p, sizeof h);
        memcpy(&s, p + sizeof h, sizeof s);
        if (h.magic != LORE_CAP_MAGIC || h.kind != LORE_CAP_START || h.bytes < sizeof s)
            wrong = "not a capture file";
        else if (s.version != LORE_CAP_VERSION)
            wrong = lore_format(
                f->arena, "capture format %u; this program reads %u", s.version, LORE_CAP_VERSION);
    }
    if (wrong) {
        lore_trace_problem(f->trace, f->arena, lore_format(f->arena, "%s: %s", f->name, wrong));
        return false;
    }
    struct lore_trace *t = f->trace;
    f->process = LORE_PUSH(f->arena, t->processes, t->n_processes, t->cap_processes);
    *f->process = (struct lore_trace_process){
        .pid = s.pid,
        .backend =
            clean(f->arena, (const unsigned char *)s.backend, strnlen(s.backend, sizeof s.backend)),
        .backend_version = s.backend_version,
        .driver_version = s.driver_version,
        .wall_minus_vendor_ns = (int64_t)(s.wall_ns - s.vendor_ns),
    };
    return true;
}

static void
take_launches(struct lore_trace_file *f, const unsigned char *p, size_t n, size_t at)
{
    struct lore_cap_launch l;

    for (size_t i = 0; i + sizeof l <= n; i += sizeof l) {
        memcpy(&l, p + i, sizeof l);
        lore_trace_take_launch(f, &l, 0, at + i);
    }
}

static void
take_named_launches(struct lore_trace_file *f, const unsigned char *p, size_t n, size_t at)
{
    struct lore_cap_named_launch l;

    for (size_t i = 0; i + sizeof l <= n; i += sizeof l) {
        memcpy(&l, p + i, sizeof l);
        lore_trace_take_launch(f, &l.launch, lore_trace_ties_find(&f->ties, l.call), at + i);
    }
}

/* Whether a frame's payload is as long as its kind needs. */
static bool
long_enough(uint32_t kind, size_t n)
{
    static const size_t least[] = {
        [LORE_CAP_START] = sizeof(struct lore_cap_start),
        [LORE_CAP_NAME] = sizeof(struct lore_cap_name),
        [LORE_CAP_DEVICE] = sizeof(struct lore_cap_device),
        [LORE_CAP_SHAPE] = offsetof(struct lore_cap_shape, range),
        [LORE_CAP_TOTALS] = sizeof(struct lore_cap_totals),
        [LORE_CAP_LOSS] = sizeof(struct lore_cap_loss),
        [LORE_CAP_STATE] = sizeof(struct lore_cap_state),
        [LORE_CAP_METRIC] = sizeof(struct lore_cap_metric),
        [LORE_CAP_END] = 0,
    };
    if (kind == LORE_CAP_NAMED_LAUNCHES || kind == LORE_CAP_TIES)
        return true;
    return kind > 0 && kind < sizeof least / sizeof *least && n >= least[kind];
}

static void
take_frame(struct lore_trace_file *f, uint32_t kind, const unsigned char *p, size_t n, size_t at)
{
    union {
        struct lore_cap_device device;
        struct lore_cap_shape shape;
        struct lore_cap_state state;
        struct lore_cap_metric metric;
    } u;

    if (!long_enough(kind, n)) {
        /* a constant text: a file may hold millions of such frames, and texts stay in the arena */
        lore_trace_complain(f, LORE_TRACE_UNKNOWN_KIND, "a frame of unknown kind or too short", at);
        return;
    }
    memset(&u, 0, sizeof u);
    memcpy(&u, p, n < sizeof u ? n : sizeof u);
    if (kind == LORE_CAP_NAME)
        take_name(f, p, n, at);
    else if (kind == LORE_CAP_DEVICE)
        take_device(f, &u.device);
    else if (kind == LORE_CAP_SHAPE)
        lore_trace_take_shape(f, &u.shape, at);
    else if (kind == LORE_CAP_LAUNCHES)
        take_launches(f, p, n, at);
    else if (kind == LORE_CAP_NAMED_LAUNCHES)
        take_named_launches(f, p, n, at);
    else if (kind == LORE_CAP_TOTALS)
        memcpy(&f->totals, p, sizeof f->totals);
    else if (kind == LORE_CAP_LOSS)
        memcpy(&f->loss, p, sizeof f->loss);
    else if (kind == LORE_CAP_STATE)
        take_state(f, &u.state);
    else if (kind == LORE_CAP_METRIC)
        lore_trace_take_metric(f, &u.metric, at);
    else if (kind == LORE_CAP_END)
        f->process->ended = true;
}

/* Read the whole frames in the N bytes at P, which start at offset BASE of the file; LAST: the file
 * ends with them. Returns the number of bytes read. Sets f->over when the rest is to be ignored. */
static size_t
walk(struct lore_trace_file *f, const unsigned char *p, size_t n, size_t base, bool last)
{
    struct lore_cap_head h;
    size_t at = 0;

    while (n - at >= sizeof h && !f->over) {
        memcpy(&h, p + at, sizeof h);
        if (h.magic != LORE_CAP_MAGIC || h.bytes > LORE_CAP_FRAME_MAX) {
            lore_trace_problem(f->trace, f->arena,
                lore_format(f->arena, "%s: no frame at byte %zu; the rest is left out", f->name,
                    base + at));
            f->over = true;
            break;
        }
        size_t step = sizeof h + ((h.bytes + 7) & ~(size_t)7);
        if (h.bytes > n - at - sizeof h || (step > n - at && !last))
            break; /* the frame continues after these bytes, or its writer was killed (capture.h) */
        if (base + at > 0)
            take_frame(f, h.kind, p + at + sizeof h, h.bytes, base + at);
        at = step > n - at ? n : at + step;
        f->over = f->process->ended;
    }
    return at;
}

static int
by_total(const void *a, const void *b)
{
    const struct lore_trace_group *x = a, *y = b;

    if (x->total_ns != y->total_ns)
        return x->total_ns > y->total_ns ? -1 : 1;
    int c = strcmp(x->symbol, y->symbol);
    if (c != 0)
        return c;
    if (x->pid != y->pid)
        return x->pid < y->pid ? -1 : 1;
    return x->shape.id < y->shape.id ? -1 : x->shape.id > y->shape.id;
}

static void
finish(struct lore_trace_file *f)
{
    if (f->ties.left_out > 0)
        lore_trace_problem(f->trace, f->arena,
            lore_format(f->arena, "%s: the ranges of %llu launches are left out", f->name,
                (unsigned long long)f->ties.left_out));
    lore_trace_ties_free(&f->ties);
    lore_trace_finish_groups(f);
    add_sums(f->trace, f);
}

static void
sort_groups(struct lore_trace *t)
{
    if (t->n_groups > 1)
        qsort(t->groups, t->n_groups, sizeof *t->groups, by_total);
}

void
lore_trace_add(struct lore_trace *out, const char *name, const void *bytes, size_t n,
    size_t samples, struct lore_arena *arena)
{
    struct lore_trace_file f = {.trace = out, .arena = arena, .name = name, .samples = samples};

    if (!take_start(&f, bytes, n))
        return;
    lore_trace_ties_read(&(struct lore_trace_bytes){.p = bytes, .size = n}, &f.ties);
    (void)walk(&f, bytes, n, 0, true);
    finish(&f);
    sort_groups(out);
}

/* --- the folder --- */

/* Add at most LEFT bytes from FD to BUFFER, which holds HELD bytes; returns the new number, or -1.
 */
static ssize_t
fill(int fd, unsigned char *buffer, size_t held, uint64_t left)
{
    size_t most = left < WINDOW - held ? (size_t)left : WINDOW - held, got = 0;

    while (got < most) {
        ssize_t n = read(fd, buffer + held + got, most - got);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return -1;
        if (n == 0)
            break;
        got += (size_t)n;
    }
    return (ssize_t)(held + got);
}

/* Read the SIZE bytes of FD in windows. The file is not mapped, because a leftover process could
 * truncate it and kill us with SIGBUS. Bytes appended meanwhile are ignored, because that could go
 * on for ever. */
static const char *
read_frames(struct lore_trace_file *f, int fd, uint64_t size, unsigned char *buffer)
{
    ssize_t held = fill(fd, buffer, 0, size);
    uint64_t base = 0;

    if (held < 0)
        return strerror(errno);
    if (!take_start(f, buffer, (size_t)held))
        return NULL;
    lore_trace_ties_read(&(struct lore_trace_bytes){.fd = fd, .size = size}, &f->ties);
    while (!f->over) {
        size_t n = (size_t)held;
        bool last = n < WINDOW || base + n >= size;
        size_t taken = walk(f, buffer, n, base, last);
        if (last)
            break;
        memmove(buffer, buffer + taken, n - taken);
        base += taken;
        held = fill(fd, buffer, n - taken, size - base - (n - taken));
        if (held < 0)
            break;
    }
    const char *wrong = held < 0 ? strerror(errno) : NULL;
    finish(f);
    return wrong;
}

static void
read_file(struct lore_trace_file f, int dir, unsigned char *buffer)
{
    /* the watched program can write to this folder: do not follow links or block on a pipe */
    int fd = openat(dir, f.name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    const char *wrong = NULL;
    struct stat sb;

    if (fd < 0 || fstat(fd, &sb) != 0)
        wrong = strerror(errno);
    else if (!S_ISREG(sb.st_mode))
        wrong = "not a file";
    else
        wrong = read_frames(&f, fd, (uint64_t)sb.st_size, buffer);
    if (wrong)
        lore_trace_problem(f.trace, f.arena, lore_format(f.arena, "%s: %s", f.name, wrong));
    if (fd >= 0)
        close(fd);
}

static bool
is_capture(const char *name)
{
    size_t n = strlen(name), end = strlen(".capture");
    return n > end && strcmp(name + n - end, ".capture") == 0;
}

enum lore_status
lore_trace_read(const char *dir, size_t samples, struct lore_arena *arena, struct lore_trace *out,
    struct lore_err *err)
{
    struct lore_texts names = {0};
    size_t more = 0;
    struct dirent *e;
    DIR *d = opendir(dir);

    if (!d)
        return lore_fail(err, LORE_IO, "%s: %s", dir, strerror(errno));
    memset(out, 0, sizeof *out);
    while ((e = readdir(d))) {
        if (is_capture(e->d_name) && names.n < MOST_FILES)
            *LORE_PUSH(arena, names.v, names.n, names.cap) = lore_strdup(arena, e->d_name);
        else if (is_capture(e->d_name))
            more++;
    }
    if (more > 0)
        lore_trace_problem(out, arena,
            lore_format(arena, "%zu processes beyond the first %d are left out", more, MOST_FILES));
    if (names.n > 1)
        qsort(names.v, names.n, sizeof *names.v, lore_by_text);
    unsigned char *buffer = lore_xalloc(WINDOW);
    for (size_t i = 0; i < names.n; i++)
        read_file(
            (struct lore_trace_file){
                .trace = out, .arena = arena, .name = names.v[i], .samples = samples},
            dirfd(d), buffer);
    lore_xfree(buffer);
    closedir(d);
    sort_groups(out); /* once: a program may have had tens of thousands of processes */
    return LORE_OK;
}
