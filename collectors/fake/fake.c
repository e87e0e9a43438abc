/* A capture library for an imaginary GPU, loaded into a program by LD_PRELOAD. It writes the
 * launches of its script when the program starts, and END when the program ends. It uses the same
 * channel as the real libraries. It maps its memory once and prints nothing. */
#include "collectors/fake/fake.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "collectors/capture/capture_env.h"
#include "collectors/fake/model.h"

enum { SCRIPT_MAX = 1 << 20, NAME_MAX_BYTES = 1 << 20 };

static struct lore_fake fake;

static void *
map_pages(size_t n)
{
    void *p = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

static uint64_t
clock_ns(clockid_t id)
{
    struct timespec t = {0, 0};

    clock_gettime(id, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* GIVEN is the script itself when it contains a line end, else the name of its file. */
static const char *
load(const char *given, size_t *n)
{
    int fd = strchr(given, '\n') ? -1 : open(given, O_RDONLY | O_CLOEXEC);
    char *text;
    ssize_t got;

    *n = strlen(given);
    if (fd < 0)
        return given;
    text = map_pages(SCRIPT_MAX);
    *n = 0;
    while (text && *n < SCRIPT_MAX && (got = read(fd, text + *n, SCRIPT_MAX - *n)) > 0)
        *n += (size_t)got;
    close(fd);
    return text ? text : "";
}

/* --- names and shapes --- */

const char *
lore_fake_name(struct lore_fake *f, const struct lore_fake_kernel *k, uint32_t kind)
{
    size_t n = k->name.n < f->scratch_size / 2 ? k->name.n : f->scratch_size / 2;
    char digits[12];
    size_t at = sizeof digits;

    memcpy(f->scratch, k->name.p, n);
    if (k->kinds > 0) {
        do {
            digits[--at] = (char)('0' + kind % 10);
            kind /= 10;
        } while (kind > 0);
        memcpy(f->scratch + n, digits + at, sizeof digits - at);
        n += sizeof digits - at;
    }
    while (n < k->pad && n < f->scratch_size - 1)
        f->scratch[n++] = 'x';
    f->scratch[n] = '\0';
    return f->scratch;
}

uint32_t
lore_fake_shape(struct lore_fake *f, const struct lore_fake_kernel *k, uint32_t kind)
{
    struct lore_cap_shape s = {.name = lore_channel_name(f->channel, lore_fake_name(f, k, kind)),
        .device = k->device,
        .api = k->api,
        .known = LORE_CAP_HAS_REGISTERS | LORE_CAP_HAS_SHARED | LORE_CAP_HAS_LOCAL,
        .registers = k->registers,
        .static_shared_bytes = k->shared,
        .dynamic_shared_bytes = k->dynamic,
        .local_bytes_per_thread = k->local};

    memcpy(s.grid, k->grid, sizeof s.grid);
    memcpy(s.block, k->block, sizeof s.block);
    memcpy(s.cluster, k->cluster, sizeof s.cluster);
    if (k->cluster[0] > 0)
        s.known |= LORE_CAP_HAS_CLUSTER;
    return lore_channel_shape(f->channel, &s);
}

/* --- devices, launches and copies --- */

static void
write_devices(struct lore_fake *f)
{
    char name[256];

    for (size_t i = 0; i < f->script->n_devices; i++) {
        const struct lore_fake_device *d = &f->script->devices[i];
        size_t n = d->name.n < sizeof name - 1 ? d->name.n : sizeof name - 1;

        memcpy(name, d->name.p, n);
        name[n] = '\0';
        struct lore_cap_device out = {.ordinal = (uint32_t)i,
            .name = lore_channel_name(f->channel, name),
            .major = d->major,
            .minor = d->minor,
            .units = d->units,
            .warp = 32};
        lore_channel_device(f->channel, &out);
    }
}

struct variant { /* one variant of one kernel, with its own random stream */
    const struct lore_fake_kernel *kernel;
    uint64_t random;
    uint32_t shape;
};

static void
launch(struct lore_fake *f, struct variant *v, uint64_t i)
{
    const struct lore_fake_kernel *k = v->kernel;
    uint64_t dur = lore_fake_duration(k, i, &v->random);
    uint32_t streams = k->streams > 0 ? k->streams : 1;
    struct lore_cap_launch out = {f->now_ns, dur, v->shape, k->stream + (uint32_t)(i % streams)};

    lore_channel_launch(f->channel, &out);
    f->now_ns += dur + k->gap_ns;
}

/* Launch as a program's loop does: every kernel once, then every kernel a second time, … */
static void
write_launches(struct lore_fake *f)
{
    const struct lore_fake_script *s = f->script;
    size_t n = 0, at = 0;
    uint64_t most = 0;

    for (size_t i = 0; i < s->n_kernels; i++)
        n += s->kernels[i].kinds > 0 ? s->kernels[i].kinds : 1;
    struct variant *variants = n > 0 ? map_pages(n * sizeof *variants) : NULL;
    if (!variants)
        return;
    for (size_t i = 0; i < s->n_kernels; i++) {
        const struct lore_fake_kernel *k = &s->kernels[i];
        most = k->launches > most ? k->launches : most;
        for (uint32_t kind = 0; kind == 0 || kind < k->kinds; kind++, at++)
            variants[at] = (struct variant){
                k, lore_fake_random_start(s->seed, at), lore_fake_shape(f, k, kind)};
    }
    for (uint64_t i = 0; i < most; i++) {
        for (size_t k = 0; k < n; k++) {
            if (i < variants[k].kernel->launches)
                launch(f, &variants[k], i);
        }
    }
    munmap(variants, n * sizeof *variants);
}

static void
write_copies(struct lore_fake *f)
{
    for (size_t i = 0; i < f->script->n_copies; i++) {
        const struct lore_fake_copy *c = &f->script->copies[i];
        for (uint64_t k = 0; k < c->count; k++)
            lore_channel_total(f->channel, c->which, c->bytes, c->ns);
    }
}

static void
write_run(struct lore_fake *f)
{
    const char *asked = getenv(LORE_ENV_COUNTERS);
    struct lore_cap_loss loss = {.dropped = f->script->dropped, .bad = f->script->bad};
    char text[512] = "";
    uint32_t state = f->script->state ? f->script->state : LORE_CAP_ATTACHED;
    struct lore_fake_text why = f->script->state_text;

    if (asked && *asked && f->script->too_old.n > 0) {
        state = LORE_CAP_VENDOR_TOO_OLD;
        why = f->script->too_old;
    }
    if (why.n > 0)
        memcpy(text, why.p, why.n < sizeof text - 1 ? why.n : sizeof text - 1);
    lore_channel_state(f->channel, (enum lore_cap_state_code)state, *text ? text : NULL, 0, 0);
    if (state != LORE_CAP_ATTACHED && state != LORE_CAP_REPLACED)
        return;
    write_devices(f);
    if (asked && *asked) {
        lore_fake_count(f, asked);
        return;
    }
    write_launches(f);
    write_copies(f);
    lore_channel_lost(f->channel, &loss);
}

/* --- start and end of the program --- */

static bool
is_active_in(const struct lore_fake_script *s, const char *program)
{
    return s->only.n == 0 || lore_fake_text_is(s->only, program);
}

__attribute__((constructor)) static void
begin(void)
{
    const char *dir = getenv(LORE_ENV_CAPTURE), *given = getenv("WARPLORE_FAKE");
    struct lore_cap_start start = {.version = LORE_CAP_VERSION, .backend = "fake"};
    int saved = errno;
    size_t n;

    if (!dir || !*dir || !given || !*given)
        return;
    const char *text = load(given, &n);
    fake.script = map_pages(sizeof *fake.script);
    fake.scratch = map_pages(NAME_MAX_BYTES);
    fake.scratch_size = NAME_MAX_BYTES;
    if (fake.script && fake.scratch) {
        lore_fake_script_read(text, n, fake.script);
        start.pid = (uint32_t)getpid();
        start.wall_ns = clock_ns(CLOCK_REALTIME);
        start.vendor_ns = clock_ns(CLOCK_MONOTONIC);
        start.backend_version = 1;
        fake.now_ns = start.vendor_ns;
        if (is_active_in(fake.script, program_invocation_short_name))
            fake.channel = lore_channel_open(dir, &start);
    }
    if (fake.channel) {
        write_run(&fake);
        lore_channel_flush(fake.channel);
    }
    errno = saved;
}

__attribute__((destructor)) static void
end(void)
{
    if (!fake.channel || lore_fake_text_is(fake.script->ending, "killed"))
        return;
    if (lore_fake_text_is(fake.script->ending, "crash"))
        (void)raise(SIGSEGV); /* the script asks for a crash of the program */
    lore_channel_end(fake.channel);
}
