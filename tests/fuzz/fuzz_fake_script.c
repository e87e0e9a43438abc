// uses: host capture
/* Any bytes as the script of the fake GPU, as its capture library reads it (its files are a guest's
 * and in no library that could be linked) and as the host does. What was read lies in the script,
 * tables are not overrun, and every launch takes a time that can be added up. */
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collectors/host/vendor.h"
#include "service/base/text.h"
#include "tests/unit/scratch.h"

#include "collectors/fake/model.c"
#include "collectors/fake/script.c"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static char dir[64], path[96];

static void
must(bool true_of_every_input)
{
    if (!true_of_every_input)
        abort();
}

static void
leave(void)
{
    scratch_drop(dir);
}

static void
begin(void)
{
    if (dir[0])
        return;
    must(scratch_make(dir) == 0);
    atexit(leave);
    snprintf(path, sizeof path, "%s/script", dir);
    must(setenv("WARPLORE_FAKE", path, 1) == 0);
}

static void
must_lie_in(struct lore_fake_text t, const char *text, size_t n)
{
    must(t.n <= n && (t.n == 0 || (t.p >= text && t.p + t.n <= text + n)));
}

static void
check_kernel(const struct lore_fake_kernel *k)
{
    uint64_t random = lore_fake_random_start(1, 2);

    for (uint64_t i = 0; i < 4; i++) {
        uint64_t ns = lore_fake_duration(k, i * i * 1000, &random);
        must(ns >= 1 && ns <= (uint64_t)1e15);
    }
}

static void
as_guest(const char *text, size_t n)
{
    static struct lore_fake_script s;

    memset(&s, 0, sizeof s);
    lore_fake_script_read(text, n, &s);
    must(s.n_devices <= FAKE_DEVICES && s.n_kernels <= FAKE_KERNELS);
    must(s.n_copies <= FAKE_COPIES && s.n_counters <= FAKE_COUNTERS);
    for (size_t i = 0; i < s.n_devices; i++)
        must_lie_in(s.devices[i].name, text, n);
    for (size_t i = 0; i < s.n_kernels; i++) {
        must_lie_in(s.kernels[i].name, text, n);
        check_kernel(&s.kernels[i]);
    }
    for (size_t i = 0; i < s.n_counters; i++)
        must(isfinite(s.counters[i].value) && isfinite(s.counters[i].spread));
    must_lie_in(s.only, text, n);
    must_lie_in(s.state_text, text, n);
}

static void
as_host(const void *text, size_t n)
{
    struct lore_arena arena = {0};
    struct lore_host host = {0};
    struct lore_watch_sample sample = {0};
    const char *why;
    int made = creat(path, 0600);

    must(made >= 0 && write(made, text, n) == (ssize_t)n);
    close(made);
    must(lore_host_fake(&arena, &host, &why) == (host.n_devices > 0));
    const char *script = lore_fake_script(&arena);
    for (size_t i = 0; i < 3; i++)
        (void)lore_fake_clocks(&arena, script, i, &sample);
    lore_arena_free(&arena);
}

int
LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    begin();
    char *copy = malloc(size + 1); /* so that a read beyond its end is seen */
    must(copy);
    memcpy(copy, data, size);
    char *fits = realloc(copy, size > 0 ? size : 1);
    as_guest(fits, size);
    as_host(fits, size);
    free(fits);
    return 0;
}
