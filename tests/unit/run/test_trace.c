// uses: run
/* Capture files into a trace: grouping, order, sampling, sums, counters; and files that are cut
 * off, overwritten, or lie about their lengths. */
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "collectors/run/trace_read.h"
#include "service/base/text.h"
#include "tests/unit/capture_bytes.h"
#include "tests/unit/scratch.h"

struct read {
    struct lore_arena arena;
    struct lore_buf bytes;
    struct lore_trace trace;
};

static void
begin(struct read *r)
{
    memset(r, 0, sizeof *r);
    start_frame(&r->bytes, 77);
    name_frame(&r->bytes, 1, "_Z6kernelPfi", 12);
    name_frame(&r->bytes, 2, "plain", 5);
    shape_frame(&r->bytes, 1, 1);
    shape_frame(&r->bytes, 2, 2);
}

static void
add(struct read *r, size_t samples)
{
    lore_trace_add(&r->trace, "x.capture", r->bytes.data, r->bytes.len, samples, &r->arena);
}

static void
end(struct read *r)
{
    lore_buf_free(&r->bytes);
    lore_arena_free(&r->arena);
}

static void
launches_are_grouped_and_the_longest_group_comes_first(void **state)
{
    struct read r;

    (void)state;
    begin(&r);
    launch_frame(&r.bytes, 1, 200, 20, 7);
    launch_frame(&r.bytes, 1, 100, 30, 8);
    launch_frame(&r.bytes, 1, 300, 10, 7);
    launch_frame(&r.bytes, 2, 50, 1000, 7);
    frame(&r.bytes, LORE_CAP_END, "", 0);
    add(&r, 16);
    assert_int_equal(r.trace.n_groups, 2);
    assert_string_equal(r.trace.groups[0].symbol, "plain");
    const struct lore_trace_group *g = &r.trace.groups[1];
    assert_string_equal(g->symbol, "_Z6kernelPfi");
    assert_int_equal(g->launches, 3);
    assert_int_equal(g->total_ns, 60);
    assert_int_equal(g->min_ns, 10);
    assert_int_equal(g->max_ns, 30);
    assert_int_equal(g->first_ns, 30); /* the first by start, not the first in the file */
    assert_int_equal(g->streams, 2);
    assert_int_equal(g->n_samples, 3);
    assert_false(g->sampled);
    assert_int_equal(g->samples[0].start_ns, 100);
    assert_int_equal(g->samples[2].dur_ns, 10);
    assert_int_equal(r.trace.processes[0].launches, 4);
    assert_true(r.trace.processes[0].ended);
    assert_string_equal(r.trace.processes[0].backend, "fake");
    assert_int_equal(r.trace.problems.n, 0);
    end(&r);
}

static void
cxx_names_are_readable_where_the_system_can_read_them(void **state)
{
    struct lore_arena arena = {0};
    const char *name = lore_trace_readable(&arena, "_Z6kernelPfi");

    (void)state;
    assert_true(lore_streq(name, "kernel(float*, int)") || lore_streq(name, "_Z6kernelPfi"));
    assert_string_equal(
        lore_trace_readable(&arena, "ampere_sgemm_128x64_nn"), "ampere_sgemm_128x64_nn");
    assert_string_equal(lore_trace_readable(&arena, "_Znonsense"), "_Znonsense");
    assert_string_equal(lore_trace_readable(&arena, ""), "");
    lore_arena_free(&arena);
}

/* _Z1fI1PIiiE… with N more pairs, each of the two parts before it. */
static const char *
a_name_of_pairs(struct lore_arena *arena, int n)
{
    static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    struct lore_buf name = {0};

    lore_buf_puts(&name, "_Z1fI1PIiiE");
    for (int i = 0; i < n; i++) {
        char id[8] = {digits[i % 36]};
        if (i >= 36)
            snprintf(id, sizeof id, "%c%c", digits[i / 36], digits[i % 36]);
        lore_buf_printf(&name, "S0_IS%s_S%s_E", id, id);
    }
    lore_buf_puts(&name, "Evv");
    const char *out = lore_strndup(arena, name.data, name.len);
    lore_buf_free(&name);
    return out;
}

static void
a_name_that_means_endless_text_is_shown_as_it_is(void **state)
{
    struct lore_arena arena = {0};
    const char *name = a_name_of_pairs(&arena, 80);

    (void)state;
    alarm(20);
    for (int i = 0; i < 40; i++)
        assert_string_equal(lore_trace_readable(&arena, name), name);
    alarm(0);
    lore_arena_free(&arena);
}

static void
a_name_with_many_references_is_readable(void **state)
{
    struct lore_arena arena = {0};
    const char *few = lore_trace_readable(&arena, a_name_of_pairs(&arena, 3)),
               *many = lore_trace_readable(&arena, a_name_of_pairs(&arena, 14));

    (void)state;
    assert_int_equal(lore_starts(few, "void f<P<int, int>"), lore_starts(many, "void f<P<int"));
    lore_arena_free(&arena);
}

static void
beyond_the_cap_a_fair_sample_is_kept_and_sums_count_all(void **state)
{
    enum { N = 20000, CAP = 500 };
    struct read r, again;
    double mean = 0;

    (void)state;
    begin(&r);
    for (uint64_t i = 0; i < N; i++)
        launch_frame(&r.bytes, 1, 1000 + i * 10, i, 0);
    add(&r, CAP);
    const struct lore_trace_group *g = &r.trace.groups[0];
    assert_int_equal(g->launches, N);
    assert_int_equal(g->total_ns, (int64_t)N * (N - 1) / 2);
    assert_int_equal(g->n_samples, CAP);
    assert_true(g->sampled);
    for (size_t i = 0; i < CAP; i++) {
        mean += (double)g->samples[i].dur_ns / CAP;
        assert_int_equal(g->samples[i].dur_ns, (int64_t)g->samples[i].index);
        if (i > 0)
            assert_true(g->samples[i].start_ns > g->samples[i - 1].start_ns);
    }
    /* the mean of 500 of 0..19999 has a standard error of 258: four of them */
    assert_true(fabs(mean - (N - 1) / 2.0) < 1032);
    memset(&again, 0, sizeof again);
    again.bytes = r.bytes;
    add(&again, CAP);
    assert_memory_equal(
        again.trace.groups[0].samples, g->samples, CAP * sizeof *g->samples); /* fixed seed */
    lore_arena_free(&again.arena);
    end(&r);
}

static void
a_cap_of_no_samples_keeps_sums_alone(void **state)
{
    struct read r;

    (void)state;
    begin(&r);
    launch_frame(&r.bytes, 1, 1, 5, 0);
    add(&r, 0);
    assert_int_equal(r.trace.groups[0].n_samples, 0);
    assert_true(r.trace.groups[0].sampled);
    assert_int_equal(r.trace.groups[0].total_ns, 5);
    end(&r);
}

static void
a_file_cut_anywhere_gives_what_came_before(void **state)
{
    struct read r;
    size_t last = 0;

    (void)state;
    begin(&r);
    for (uint64_t i = 0; i < 20; i++)
        launch_frame(&r.bytes, 1 + (uint32_t)(i % 2), i * 10, 1, 0);
    for (size_t n = 0; n <= r.bytes.len; n++) {
        struct lore_trace t = {0};
        struct lore_arena arena = {0};
        unsigned char *exact = malloc(n + !n); /* so that one byte too many is seen */
        size_t launches;

        memcpy(exact, r.bytes.data, n);
        lore_trace_add(&t, "x", exact, n, 16, &arena);
        launches = t.n_processes > 0 ? t.processes[0].launches : 0;
        assert_true(launches >= last);
        assert_true(launches > 0 || t.n_groups < 3);
        assert_int_equal(t.problems.n, t.n_processes > 0 ? 0 : 1);
        if (t.n_processes > 0)
            assert_false(t.processes[0].ended);
        last = launches;
        free(exact);
        lore_arena_free(&arena);
    }
    assert_int_equal(last, 20);
    end(&r);
}

static void
an_overwritten_file_is_named_and_the_rest_counts(void **state)
{
    struct read r;

    (void)state;
    begin(&r);
    launch_frame(&r.bytes, 1, 1, 5, 0);
    size_t at = r.bytes.len;
    launch_frame(&r.bytes, 1, 2, 5, 0);
    r.bytes.data[at] ^= 1;
    add(&r, 16);
    assert_int_equal(r.trace.groups[0].launches, 1);
    assert_int_equal(r.trace.problems.n, 1);
    assert_non_null(strstr(
        r.trace.problems.v[0], lore_format(&r.arena, "x.capture: no frame at byte %zu", at)));
    end(&r);
}

static void
other_formats_and_other_files_are_refused_by_name(void **state)
{
    struct read r = {0};
    struct lore_cap_start s = {.version = 9};

    (void)state;
    lore_buf_puts(&r.bytes, "#!/bin/sh\necho this is no capture file at all, but long enough\n"
                            "................................................................");
    add(&r, 16);
    assert_string_equal(r.trace.problems.v[0], "x.capture: not a capture file");
    lore_buf_reset(&r.bytes);
    frame(&r.bytes, LORE_CAP_START, &s, sizeof s);
    add(&r, 16);
    assert_string_equal(r.trace.problems.v[1], "x.capture: capture format 9; this program reads 1");
    assert_int_equal(r.trace.n_processes, 0);
    end(&r);
}

static void
launches_of_unknown_shapes_and_impossible_times_are_losses(void **state)
{
    struct read r;
    struct lore_cap_loss loss = {.dropped = 3, .bad = 1};

    (void)state;
    begin(&r);
    launch_frame(&r.bytes, 9, 1, 5, 0);
    launch_frame(&r.bytes, 0, 1, 5, 0);
    launch_frame(&r.bytes, 1, 1, UINT64_MAX, 0);
    launch_frame(&r.bytes, 1, 1, 5, 0);
    frame(&r.bytes, LORE_CAP_LOSS, &loss, sizeof loss);
    loss.dropped = 5; /* the last one counts */
    frame(&r.bytes, LORE_CAP_LOSS, &loss, sizeof loss);
    add(&r, 16);
    add(&r, 16); /* a second process: sums */
    assert_int_equal(r.trace.loss.dropped, 10);
    assert_int_equal(r.trace.loss.bad, 2 * (1 + 3));
    assert_int_equal(r.trace.processes[0].launches, 1);
    assert_int_equal(r.trace.problems.n, 2); /* once per file, not once per launch */
    end(&r);
}

static void
names_of_any_length_and_any_bytes_become_text(void **state)
{
    struct read r;
    char *longest = malloc(20000);

    (void)state;
    memset(longest, 'k', 20000);
    begin(&r);
    name_frame(&r.bytes, 10, longest, 20000);
    name_frame(&r.bytes, 11, "sch\xc3\xb6n_\xe6\xa0\xb8", 11);
    name_frame(&r.bytes, 12, "bad\xff\x01z", 6);
    name_frame(&r.bytes, 11, "twice", 5);
    for (uint32_t i = 10; i < 14; i++) {
        shape_frame(&r.bytes, i, i);
        launch_frame(&r.bytes, i, 1, 1000 - i, 0);
    }
    add(&r, 16);
    assert_int_equal(strlen(r.trace.groups[0].name), 20000);
    assert_string_equal(r.trace.groups[1].name, "sch\xc3\xb6n_\xe6\xa0\xb8");
    assert_string_equal(r.trace.groups[2].name, "bad??z");
    assert_string_equal(r.trace.groups[3].name, "(name lost)");
    assert_int_equal(r.trace.problems.n, 2); /* the id that came twice; the name that never did */
    free(longest);
    end(&r);
}

static void
counters_are_medians_and_what_is_missing_says_why(void **state)
{
    struct read r;

    (void)state;
    begin(&r);
    name_frame(&r.bytes, 20, "sm__cycles", 10);
    name_frame(&r.bytes, 21, "dram__bytes", 11);
    name_frame(&r.bytes, 22, "gone", 4);
    for (uint32_t i = 0; i < 3; i++) {
        metric_frame(&r.bytes, 1, 20, i, 0, i == 0 ? 5e6 : 10.0 * i);
        metric_frame(&r.bytes, 1, 21, i, i == 0 ? 0 : LORE_MISS_LOST, 0);
        metric_frame(&r.bytes, 1, 22, i, LORE_MISS_COUNTER_UNSUPPORTED, 5);
    }
    metric_frame(&r.bytes, 2, 20, 0, 0, (double)NAN);
    metric_frame(&r.bytes, 3, 20, 0, 0, 1);
    add(&r, 16);
    const struct lore_trace_group *g = &r.trace.groups[0], *other = &r.trace.groups[1];
    if (!lore_streq(g->symbol, "_Z6kernelPfi")) {
        g = &r.trace.groups[1];
        other = &r.trace.groups[0];
    }
    assert_int_equal(g->metrics.n, 3);
    assert_int_equal(g->counted, 3);
    assert_true(g->metrics.v[0].value == 20.0 && g->metrics.v[0].std.v > 2.8e6); /* 5e6, 10, 20 */
    assert_true(g->metrics.v[0].min.v == 10.0 && g->metrics.v[0].max.v == 5e6);
    assert_int_equal(g->metrics.v[0].n.v, 3);
    assert_true(g->metrics.v[1].missing == LORE_MISS_NONE && g->metrics.v[1].value == 0);
    assert_int_equal(g->metrics.v[1].n.v, 1);
    assert_int_equal(g->metrics.v[2].missing, LORE_MISS_COUNTER_UNSUPPORTED);
    assert_int_equal(other->metrics.v[0].missing, LORE_MISS_LOST);
    assert_int_equal(r.trace.problems.n, 1);
    end(&r);
}

static void
a_folder_is_read_whole_and_what_is_no_file_is_named(void **state)
{
    struct read r;
    char dir[64], path[128];
    struct lore_err err = {0};

    (void)state;
    assert_int_equal(scratch_make(dir), 0);
    begin(&r);
    launch_frame(&r.bytes, 1, 1, 5, 0);
    for (int i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "%s/%d-1.capture", dir, i);
        FILE *f = fopen(path, "wb");
        assert_int_equal(fwrite(r.bytes.data, 1, r.bytes.len, f), r.bytes.len);
        fclose(f);
    }
    snprintf(path, sizeof path, "%s/pipe.capture", dir);
    assert_int_equal(mkfifo(path, 0600), 0);
    snprintf(path, sizeof path, "%s/link.capture", dir);
    assert_int_equal(symlink("0-1.capture", path), 0);
    snprintf(path, sizeof path, "%s/lock", dir);
    close(open(path, O_WRONLY | O_CREAT, 0600));
    assert_int_equal(lore_trace_read(dir, 16, &r.arena, &r.trace, &err), LORE_OK);
    assert_int_equal(r.trace.n_processes, 3);
    assert_int_equal(r.trace.problems.n, 2);
    assert_non_null(strstr(r.trace.problems.v[1], "pipe.capture: not a file"));
    scratch_drop(dir);
    assert_int_equal(lore_trace_read(dir, 16, &r.arena, &r.trace, &err), LORE_IO);
    assert_non_null(strstr(err.msg, dir));
    end(&r);
}

static void
write_file(const char *path, const struct lore_buf *b)
{
    FILE *f = fopen(path, "wb");

    assert_int_equal(fwrite(b->data, 1, b->len, f), b->len);
    fclose(f);
}

/* Names and launches of many lengths, so that frames lie across the ends of what is read at once.
 */
static void
many_frames(struct lore_buf *b, size_t bytes)
{
    static char text[3 << 20];
    uint32_t id = 3;

    memset(text, 'n', sizeof text);
    for (; b->len < bytes; id++) {
        size_t n = id % 40 == 0 ? sizeof text - id : id % 1000;
        name_frame(b, id, text, n);
        shape_frame(b, id, id);
        launch_frame(b, id, id, 100 + id, 0);
    }
}

static void
a_file_reads_the_same_from_disk_and_from_memory(void **state)
{
    struct read r;
    struct lore_trace t = {0};
    char dir[64], path[128];
    struct lore_err err = {0};

    (void)state;
    begin(&r);
    r.bytes.max = 64u << 20;
    many_frames(&r.bytes, 30u << 20);
    add(&r, 16);
    assert_int_equal(scratch_make(dir), 0);
    snprintf(path, sizeof path, "%s/1-1.capture", dir);
    for (size_t cut = 0; cut < 3; cut++) {
        r.bytes.len -= cut; /* into the padding and the frame before it */
        write_file(path, &r.bytes);
        assert_int_equal(lore_trace_read(dir, 16, &r.arena, &t, &err), LORE_OK);
        assert_int_equal(t.problems.n, 0);
        assert_int_equal(t.n_groups, r.trace.n_groups);
        assert_int_equal(t.processes[0].launches, r.trace.processes[0].launches - (cut > 0));
        for (size_t i = 0; i < t.n_groups - 1 && cut == 0; i++)
            assert_string_equal(t.groups[i].symbol, r.trace.groups[i].symbol);
    }
    scratch_drop(dir);
    end(&r);
}

/* In a child: shorten PATH as soon as process READER has it open. */
static void
shorten_while_read(const char *path, pid_t reader)
{
    char link[64], at[PATH_MAX];
    bool open = false;

    alarm(60);
    while (!open)
        for (int fd = 3; fd < 20 && !open; fd++) {
            snprintf(link, sizeof link, "/proc/%d/fd/%d", (int)reader, fd);
            ssize_t n = readlink(link, at, sizeof at - 1);
            at[n > 0 ? n : 0] = '\0';
            open = n > 0 && strcmp(at, path) == 0;
        }
    _exit(truncate(path, 100) == 0 ? 0 : 1);
}

static void
a_file_that_is_shortened_while_it_is_read_harms_nobody(void **state)
{
    struct read r;
    char dir[64], path[128], whole[PATH_MAX];
    struct lore_err err = {0};
    int status;

    (void)state;
    begin(&r);
    r.bytes.max = 64u << 20;
    while (r.bytes.len < 40u << 20)
        launch_frame(&r.bytes, 1, r.bytes.len, 5, 0);
    assert_int_equal(scratch_make(dir), 0);
    snprintf(path, sizeof path, "%s/1-1.capture", dir);
    write_file(path, &r.bytes);
    assert_non_null(realpath(path, whole));
    pid_t reader = getpid(), child = fork();
    if (child == 0)
        shorten_while_read(whole, reader);
    while (waitpid(child, &status, WNOHANG) == 0) {
        assert_int_equal(lore_trace_read(dir, 16, &r.arena, &r.trace, &err), LORE_OK);
        assert_int_equal(r.trace.n_processes, 1);
    }
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    scratch_drop(dir);
    end(&r);
}

static void
a_million_launches_fit_and_so_do_a_hundred_thousand_shapes(void **state)
{
    struct read r = {.bytes.max = 512u << 20};
    struct lore_cap_launch *v = calloc(1000000, sizeof *v);

    (void)state;
    start_frame(&r.bytes, 1);
    name_frame(&r.bytes, 1, "k", 1);
    for (uint32_t i = 1; i <= 100100; i++)
        shape_frame(&r.bytes, i, 1);
    for (uint32_t i = 0; i < 1000000; i++)
        v[i] = (struct lore_cap_launch){i, 1 + i % 7, 1 + i % 100000, i % 16};
    for (uint32_t i = 0; i < 1000000; i += 100000)
        frame(&r.bytes, LORE_CAP_LAUNCHES, v + i, 100000 * sizeof *v);
    add(&r, 4096);
    assert_int_equal(r.trace.n_groups, 100000);
    assert_int_equal(r.trace.processes[0].launches, 1000000);
    assert_int_equal(r.trace.loss.bad, 0);
    assert_int_equal(r.trace.problems.n, 1); /* a hundred shapes too many, without launches */
    assert_true(r.arena.used < (size_t)320 << 20);
    free(v);
    end(&r);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(launches_are_grouped_and_the_longest_group_comes_first),
        cmocka_unit_test(cxx_names_are_readable_where_the_system_can_read_them),
        cmocka_unit_test(a_name_with_many_references_is_readable),
        cmocka_unit_test(a_name_that_means_endless_text_is_shown_as_it_is),
        cmocka_unit_test(beyond_the_cap_a_fair_sample_is_kept_and_sums_count_all),
        cmocka_unit_test(a_cap_of_no_samples_keeps_sums_alone),
        cmocka_unit_test(a_file_cut_anywhere_gives_what_came_before),
        cmocka_unit_test(an_overwritten_file_is_named_and_the_rest_counts),
        cmocka_unit_test(other_formats_and_other_files_are_refused_by_name),
        cmocka_unit_test(launches_of_unknown_shapes_and_impossible_times_are_losses),
        cmocka_unit_test(names_of_any_length_and_any_bytes_become_text),
        cmocka_unit_test(counters_are_medians_and_what_is_missing_says_why),
        cmocka_unit_test(a_folder_is_read_whole_and_what_is_no_file_is_named),
        cmocka_unit_test(a_file_reads_the_same_from_disk_and_from_memory),
        cmocka_unit_test(a_file_that_is_shortened_while_it_is_read_harms_nobody),
        cmocka_unit_test(a_million_launches_fit_and_so_do_a_hundred_thousand_shapes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
