/* Reads the script in one pass. A table maps each word to the function that reads its keys. */
#include "collectors/fake/script.h"

#include <stdlib.h>
#include <string.h>

#include "collectors/capture/capture.h"

bool
lore_fake_text_is(struct lore_fake_text t, const char *word)
{
    return t.n == strlen(word) && memcmp(t.p, word, t.n) == 0;
}

/* --- one line --- */

/* The value of KEY in LINE, without its quotes; empty when it is not there. */
static struct lore_fake_text
value_of(struct lore_fake_text line, const char *key)
{
    const char *p = line.p, *end = line.p + line.n;
    size_t n = strlen(key);

    while (p < end) {
        while (p < end && (*p == ' ' || *p == '\t'))
            p++;
        const char *from = p;
        while (p < end && *p != ' ' && *p != '\t') {
            const char *close = *p == '"' ? memchr(p + 1, '"', (size_t)(end - p - 1)) : NULL;
            p = close ? close + 1 : p + 1;
        }
        if ((size_t)(p - from) <= n || memcmp(from, key, n) != 0 || from[n] != '=')
            continue;
        struct lore_fake_text v = {from + n + 1, (size_t)(p - from) - n - 1};
        if (v.n >= 2 && *v.p == '"')
            v = (struct lore_fake_text){v.p + 1, v.n - 2};
        return v;
    }
    return (struct lore_fake_text){line.p, 0};
}

/* Read up to MOST numbers of "4,2,1" or "0.2:1.5"; for missing ones OUT keeps its value. */
static void
numbers(struct lore_fake_text t, double *out, size_t most)
{
    char text[96], *at = text, *end;
    size_t n = t.n < sizeof text - 1 ? t.n : sizeof text - 1;

    memcpy(text, t.p, n);
    text[n] = '\0';
    for (size_t i = 0; i < most && *at; i++) {
        double v = strtod(at, &end);
        if (end == at || !(v > -1e18 && v < 1e18)) /* or NaN: callers convert to integers */
            return;
        out[i] = v;
        at = *end == ',' || *end == ':' || *end == '.' ? end + 1 : end;
    }
}

static double
number(struct lore_fake_text line, const char *key, double absent)
{
    numbers(value_of(line, key), &absent, 1);
    return absent;
}

static uint64_t
count(struct lore_fake_text line, const char *key, uint64_t absent)
{
    double v = number(line, key, (double)absent);
    return v >= 0 && v < 1e18 ? (uint64_t)v : absent;
}

static void
read_triple(struct lore_fake_text line, const char *key, uint32_t out[3])
{
    double v[3] = {1, 1, 1};
    struct lore_fake_text t = value_of(line, key);

    if (t.n == 0)
        return;
    numbers(t, v, 3);
    for (int i = 0; i < 3; i++)
        out[i] = v[i] >= 0 && v[i] < 4294967296.0 ? (uint32_t)v[i] : 0;
}

/* Index in WORDS of LINE's value for KEY, or ABSENT. */
static uint32_t
choice(struct lore_fake_text line, const char *key, const char *const *words, uint32_t absent)
{
    struct lore_fake_text t = value_of(line, key);

    for (uint32_t i = 0; words[i]; i++) {
        if (t.n > 0 && lore_fake_text_is(t, words[i]))
            return i;
    }
    return absent;
}

/* --- words --- */

static void
take_device(struct lore_fake_text line, struct lore_fake_script *s)
{
    uint32_t cc[2] = {0, 0};
    char text[16] = "";
    struct lore_fake_text t = value_of(line, "cc");

    if (s->n_devices == FAKE_DEVICES)
        return;
    memcpy(text, t.p, t.n < sizeof text - 1 ? t.n : sizeof text - 1);
    cc[0] = (uint32_t)strtoul(text, NULL, 10);
    if (strchr(text, '.'))
        cc[1] = (uint32_t)strtoul(strchr(text, '.') + 1, NULL, 10);
    s->devices[s->n_devices++] = (struct lore_fake_device){.name = value_of(line, "name"),
        .units = (uint32_t)count(line, "units", 0),
        .major = cc[0],
        .minor = cc[1]};
}

static void
take_kernel(struct lore_fake_text line, struct lore_fake_script *s)
{
    static const char *const apis[] = {"unknown", "stream", "cooperative", "graph", "device", NULL};
    double mode[2] = {0, 1}, step[2] = {0, 1};

    if (s->n_kernels == FAKE_KERNELS)
        return;
    struct lore_fake_kernel *k = &s->kernels[s->n_kernels++];
    *k = (struct lore_fake_kernel){.name = value_of(line, "name"),
        .pad = (uint32_t)count(line, "pad", 0),
        .kinds = (uint32_t)count(line, "kinds", 0),
        .launches = count(line, "launches", 1),
        .grid = {1, 1, 1},
        .block = {1, 1, 1},
        .registers = (uint32_t)count(line, "registers", 0),
        .shared = (uint32_t)count(line, "shared", 0),
        .dynamic = (uint32_t)count(line, "dynamic", 0),
        .local = (uint32_t)count(line, "local", 0),
        .api = choice(line, "api", apis, LORE_CAP_API_STREAM),
        .stream = (uint32_t)count(line, "stream", 0),
        .streams = (uint32_t)count(line, "streams", 1),
        .device = (uint32_t)count(line, "device", 0),
        .base_ns = number(line, "base_ns", 10000),
        .noise = number(line, "noise", 0),
        .drift = number(line, "drift", 0),
        .first = number(line, "first", 1),
        .gap_ns = count(line, "gap_ns", 1000)};
    read_triple(line, "grid", k->grid);
    read_triple(line, "block", k->block);
    read_triple(line, "cluster", k->cluster);
    numbers(value_of(line, "bimodal"), mode, 2);
    numbers(value_of(line, "step"), step, 2);
    k->mode_share = mode[0];
    k->mode_factor = mode[1];
    k->step_at = step[0] > 0 ? (uint64_t)step[0] : UINT64_MAX;
    k->step_factor = step[1];
}

static void
take_copy(struct lore_fake_text line, struct lore_fake_script *s)
{
    static const char *const kinds[] = {"h2d", "d2h", "d2d", "other", "fill", NULL};

    if (s->n_copies == FAKE_COPIES)
        return;
    s->copies[s->n_copies++] =
        (struct lore_fake_copy){.which = (int)choice(line, "kind", kinds, LORE_CAP_COPY_OTHER),
            .count = count(line, "count", 1),
            .bytes = count(line, "bytes", 0),
            .ns = count(line, "ns", 0)};
}

static void
take_counter(struct lore_fake_text line, struct lore_fake_script *s)
{
    /* in the order of enum lore_missing, whose header a capture library does not include */
    static const char *const reasons[] = {"none", "not_collected", "tool_unavailable",
        "permission_denied", "counter_unsupported", "not_applicable", "no_source", "lost", NULL};

    if (s->n_counters == FAKE_COUNTERS)
        return;
    s->counters[s->n_counters++] = (struct lore_fake_counter){.name = value_of(line, "name"),
        .kernel = value_of(line, "kernel"),
        .value = number(line, "value", 0),
        .spread = number(line, "spread", 0),
        .first = number(line, "first", 0),
        .missing = choice(line, "missing", reasons, 0)};
}

static void
take_state(struct lore_fake_text line, struct lore_fake_script *s)
{
    static const char *const codes[] = {"", "attached", "other_profiler", "taken_over",
        "vendor_too_old", "vendor_missing", "vendor_error", NULL};

    s->state = choice(line, "code", codes, 0);
    s->state_text = value_of(line, "text");
}

static void
take_rest(struct lore_fake_text word, struct lore_fake_text line, struct lore_fake_script *s)
{
    if (lore_fake_text_is(word, "seed"))
        s->seed = count(line, "value", 0);
    else if (lore_fake_text_is(word, "only"))
        s->only = value_of(line, "name");
    else if (lore_fake_text_is(word, "ending"))
        s->ending = value_of(line, "how");
    else if (lore_fake_text_is(word, "loss")) {
        s->dropped = count(line, "dropped", 0);
        s->bad = count(line, "bad", 0);
    } else if (lore_fake_text_is(word, "counting")) {
        s->passes = count(line, "passes", 1);
        s->remedy = value_of(line, "denied");
        s->too_old = value_of(line, "too_old");
    }
}

void
lore_fake_script_read(const char *text, size_t n, struct lore_fake_script *out)
{
    static const struct {
        const char *word;
        void (*take)(struct lore_fake_text line, struct lore_fake_script *s);
    } words[] = {{"device", take_device}, {"kernel", take_kernel}, {"copy", take_copy},
        {"counter", take_counter}, {"state", take_state}};
    const char *p = text, *end = text + n;

    out->passes = 1;
    while (p < end) {
        const char *stop = memchr(p, '\n', (size_t)(end - p)), *next = stop ? stop + 1 : end;
        stop = stop ? stop : end;
        while (p < stop && (*p == ' ' || *p == '\t'))
            p++;
        const char *from = p;
        while (p < stop && *p != ' ' && *p != '\t')
            p++;
        struct lore_fake_text word = {from, (size_t)(p - from)}, line = {p, (size_t)(stop - p)};
        bool known = word.n == 0 || *word.p == '#';
        for (size_t i = 0; i < sizeof words / sizeof *words && !known; i++) {
            if ((known = lore_fake_text_is(word, words[i].word)))
                words[i].take(line, out);
        }
        if (!known)
            take_rest(word, line, out);
        p = next;
    }
}
