/* What a record costs at its source, beside a bare write and fdatasync of as many bytes.
 *   bench_collect record DIR RECORDS    one by one, bare and ours in turn; medians and their ratio
 *   bench_collect writers DIR N RECORDS N processes add at once, and N processes write bare, each
 *                                       its own file; records per second of both
 *   bench_collect fill DIR RECORDS      bench_load's documents into the outbox of DIR, for a drain
 * A record is one run with 40 metrics and 30 samples, as `warplore run` makes it: built, encoded,
 * signed and in the spool, on disk. DIR/state is enrolled (a key of its own is enough). */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collectors/upload/upload.h"
#include "service/base/clock.h"
#include "service/base/file.h"
#include "service/base/hash.h"
#include "service/wire/build.h"
#include "service/wire/signing.h"
#include "tests/bench/workload.h"

enum { FRAME = 256 }; /* the spool's head and the envelope, about */

static void
die(const char *what, const char *why)
{
    fprintf(stderr, "bench_collect: %s: %s\n", what, why);
    exit(1);
}

static void
must(enum lore_status status, const char *what, const struct lore_err *err)
{
    if (status != LORE_OK)
        die(what, err->msg);
}

static const char *
in_dir(const char *dir, const char *name)
{
    static char path[512];

    snprintf(path, sizeof path, "%s/%s", dir, name);
    return path;
}

static void
write_file(const char *path, const struct lore_buf *text)
{
    struct lore_err err = {0};

    must(lore_file_write(path, text->data, text->len, 0600, &err), path, &err);
}

/* An identity that no service knows signs as fast as any other. */
static struct lore_outbox *
open_outbox(const char *dir, bool identity)
{
    unsigned char public_key[LORE_PUBLIC_KEY], secret_key[LORE_SECRET_KEY];
    char id[LORE_ULID_SIZE], key[LORE_PUBLIC_KEY_TEXT], state[400], text[128];
    struct lore_outbox *o = NULL;
    struct lore_buf b = {0};
    struct lore_err err = {0};

    snprintf(state, sizeof state, "%s/state", dir);
    must(lore_mkdirs(state, 0700, &err), state, &err);
    if (identity && access(in_dir(state, "agent.key"), F_OK) != 0) {
        lore_signing_keys(public_key, secret_key);
        lore_signing_text(public_key, sizeof public_key, key);
        lore_signing_text(secret_key, sizeof secret_key, text);
        lore_ulid_new(id);
        lore_buf_printf(&b, "%s\n", text);
        write_file(in_dir(state, "agent.key"), &b);
        lore_buf_reset(&b);
        lore_buf_printf(&b,
            "{\"id\":\"%s\",\"label\":\"bench\",\"url\":\"http://127.0.0.1:9\",\"public_key\":"
            "\"%s\",\"service_key\":\"%s\"}\n",
            id, key, key);
        write_file(in_dir(state, "agent.json"), &b);
    }
    lore_buf_free(&b);
    must(lore_outbox_open(state, NULL, &o, &err), state, &err);
    return o;
}

/* ---- a record ---- */

static void
build(uint64_t n, struct lore_arena *arena, struct lore_submission *doc)
{
    struct lore_version *v = lore_alloc(arena, sizeof *v);
    struct lore_environment *e = lore_alloc(arena, sizeof *e);
    struct lore_run *r = lore_alloc(arena, sizeof *r);
    char now[LORE_TIME_SIZE];

    lore_time_format(lore_now_us(), now);
    doc->format = 1;
    doc->id = lore_build_new_id(arena);
    doc->created_at = lore_strdup(arena, now);
    v->kernel = lore_build_kernel(arena, doc, bench_operator(n), LORE_LANG_CUDA, "bench");
    v->id = lore_build_id(arena, 0, "version %llu", (unsigned long long)(n % BENCH_KERNELS));
    v->kind = LORE_V_CANDIDATE;
    e->id = lore_build_id(arena, 0, "environment");
    e->chip = bench_chip(n);
    r->id = lore_build_new_id(arena);
    r->version = v->id;
    r->environment = e->id;
    r->tool = "bench";
    r->measured_at = doc->created_at;
    r->samples_ns = lore_alloc_array(arena, BENCH_SAMPLES, sizeof *r->samples_ns);
    r->n_samples = BENCH_SAMPLES;
    for (int i = 0; i < BENCH_SAMPLES; i++)
        r->samples_ns[i] = bench_sample(n, i);
    for (int i = 0; i < BENCH_METRICS; i++)
        lore_build_metric(arena, &r->metrics, bench_metric(i), NULL,
            (double)(bench_sample(n, i) % 100000) / 1000);
    doc->versions = v;
    doc->environments = e;
    doc->runs = r;
    doc->n_versions = doc->n_environments = doc->n_runs = 1;
}

struct source {
    struct lore_outbox *o;
    struct lore_arena arena;
    struct lore_buf text;
    int bare;
    off_t at;
    char *bytes;
};

static void
open_source(struct source *s, const char *dir, int number)
{
    char path[512];

    *s = (struct source){.o = open_outbox(dir, true), .bytes = calloc(1, 64 << 10)};
    snprintf(path, sizeof path, "%s/bare%d", dir, number);
    s->bare = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (s->bare < 0 || !s->bytes)
        die(path, strerror(errno));
}

static void
close_source(struct source *s)
{
    lore_outbox_close(s->o);
    lore_arena_free(&s->arena);
    lore_buf_free(&s->text);
    close(s->bare);
    free(s->bytes);
}

/* Record N as a document in s->text. */
static void
make_record(struct source *s, uint64_t n)
{
    struct lore_submission doc = {0};
    struct lore_err err = {0};

    lore_arena_reset(&s->arena);
    lore_buf_reset(&s->text);
    build(n, &s->arena, &doc);
    must(lore_build_encode(&doc, &s->text, &err), "encode", &err);
}

static void
add_made(struct source *s)
{
    struct lore_err err = {0};

    must(lore_outbox_add(s->o, s->text.data, s->text.len, NULL, &err), "add", &err);
}

static void
add_bare(struct source *s, size_t n)
{
    if (n > 64 << 10 || pwrite(s->bare, s->bytes, n, s->at) != (ssize_t)n ||
        fdatasync(s->bare) != 0)
        die("bare", strerror(errno));
    s->at += (off_t)n;
}

/* ---- measures ---- */

static int
by_value(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

static double
percentile(int64_t *v, int n, double p)
{
    qsort(v, (size_t)n, sizeof *v, by_value);
    return (double)v[(int)(p * (n - 1))];
}

static void
record(const char *dir, int n)
{
    int64_t *bare = calloc((size_t)n * 3, sizeof *bare);
    int64_t *ours = bare + n, *making = ours + n, sum[2] = {0};
    struct source s;

    open_source(&s, dir, 0);
    if (!bare)
        die("record", "out of memory");
    make_record(&s, 0);
    for (int i = 0; i < n; i++) {
        int64_t t0 = lore_ticks_us();
        add_bare(&s, s.text.len + FRAME);
        int64_t t1 = lore_ticks_us();
        make_record(&s, (uint64_t)i);
        int64_t made = lore_ticks_us();
        add_made(&s);
        int64_t t2 = lore_ticks_us();
        bare[i] = t1 - t0;
        ours[i] = t2 - t1;
        making[i] = made - t1;
        sum[0] += bare[i];
        sum[1] += ours[i];
    }
    double b = percentile(bare, n, 0.5), o = percentile(ours, n, 0.5);
    printf(
        "record bytes=%zu bare_us=%.0f ours_us=%.0f ratio=%.2f ratio_of_sums=%.2f making_us=%.0f "
        "bare_p99_us=%.0f ours_p99_us=%.0f\n",
        s.text.len + FRAME, b, o, o / b, (double)sum[1] / (double)sum[0],
        percentile(making, n, 0.5), percentile(bare, n, 0.99), percentile(ours, n, 0.99));
    close_source(&s);
    free(bare);
}

/* N processes, each doing RECORDS of one kind; records per second of all. */
static double
at_once(const char *dir, int n, int records, bool bare)
{
    int64_t start = lore_ticks_us();

    for (int p = 0; p < n; p++) {
        pid_t child = fork();
        if (child < 0)
            die("fork", strerror(errno));
        if (child > 0)
            continue;
        struct source s;
        open_source(&s, dir, p);
        make_record(&s, 0);
        for (int i = 0; i < records && bare; i++)
            add_bare(&s, s.text.len + FRAME);
        for (int i = 0; i < records && !bare; i++) {
            make_record(&s, (uint64_t)i);
            add_made(&s);
        }
        close_source(&s);
        _exit(0);
    }
    for (int status; wait(&status) > 0;) {
        if (status != 0)
            die("a writer", "ended badly");
    }
    return (double)n * records * 1e6 / (double)(lore_ticks_us() - start);
}

static void
fill(const char *dir, int records)
{
    struct lore_outbox *o = open_outbox(dir, false);
    static struct bench_ids ids;
    struct lore_err err = {0};
    struct lore_buf text = {0};

    bench_setup(&ids, &text);
    must(lore_outbox_add(o, text.data, text.len, NULL, &err), "add", &err);
    for (int i = 0; i < records; i++) {
        lore_buf_reset(&text);
        bench_document(&ids, (uint64_t)i, 1, &text);
        must(lore_outbox_add(o, text.data, text.len, NULL, &err), "add", &err);
    }
    lore_buf_free(&text);
    lore_outbox_close(o);
}

int
main(int argc, char **argv)
{
    lore_hash_init();
    if (argc == 4 && strcmp(argv[1], "record") == 0) {
        record(argv[2], (int)strtol(argv[3], NULL, 10));
    } else if (argc == 4 && strcmp(argv[1], "fill") == 0) {
        fill(argv[2], (int)strtol(argv[3], NULL, 10));
    } else if (argc == 5 && strcmp(argv[1], "writers") == 0) {
        int n = (int)strtol(argv[3], NULL, 10), records = (int)strtol(argv[4], NULL, 10);
        lore_outbox_close(open_outbox(argv[2], true));
        double bare = at_once(argv[2], n, records / n, true);
        double ours = at_once(argv[2], n, records / n, false);
        printf("writers n=%d bare_per_second=%.0f ours_per_second=%.0f ratio=%.2f\n", n, bare, ours,
            ours / bare);
    } else {
        fprintf(stderr, "usage: %s record DIR RECORDS | writers DIR N RECORDS | fill DIR RECORDS\n",
            argv[0]);
        return 2;
    }
    return 0;
}
