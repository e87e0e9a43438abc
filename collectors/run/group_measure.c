/* Finds iterations from launch counts: kernels that belong together are launched in fixed
 * proportion, so the greatest common divisor of the counts is the number of iterations. A set-up
 * kernel that is launched once makes the divisor 1. Then, if the longest group was repeated, it
 * alone is measured. `notes` gives each decision. */
#include "collectors/run/group_measure.h"

#include <regex.h>
#include <stdio.h>
#include <string.h>

#include "service/base/buf.h"
#include "service/base/text.h"

enum {
    REPEATED = 10,       /* a group launched this often was repeated on purpose */
    SYMBOLS_MAX = 64000, /* bytes of symbols in an expression: an environment value holds 128 KiB */
};
#define LONGEST_NS (INT64_C(1) << 53) /* largest exact integer of JSON readers: 104 days */

static void
note(struct lore_arena *arena, struct lore_measure *m, const char *fmt, ...) LORE_PRINTF(3, 4);

static void
note(struct lore_arena *arena, struct lore_measure *m, const char *fmt, ...)
{
    char text[400];
    va_list ap;

    va_start(ap, fmt);
    (void)vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    *LORE_PUSH(arena, m->notes.v, m->notes.n, m->notes.cap) = lore_strdup(arena, text);
}

enum lore_status
lore_measure_match(const struct lore_trace *trace, const char *regex, struct lore_arena *arena,
    const struct lore_trace_group ***out, size_t *n, struct lore_err *err)
{
    regex_t re;
    char why[120];

    *out = lore_alloc_array(arena, trace->n_groups + 1, sizeof **out);
    *n = 0;
    int bad = regex ? regcomp(&re, regex, REG_EXTENDED | REG_NOSUB) : 0;
    if (bad) {
        regerror(bad, &re, why, sizeof why);
        return lore_fail_at(
            err, LORE_INVALID, "invalid_value", "--kernel-regex", "--kernel-regex: %s", why);
    }
    for (size_t i = 0; i < trace->n_groups; i++) {
        const struct lore_trace_group *g = &trace->groups[i];
        if (!regex || (g->name && regexec(&re, g->name, 0, NULL, 0) == 0) ||
            (g->symbol && regexec(&re, g->symbol, 0, NULL, 0) == 0))
            (*out)[(*n)++] = g;
    }
    if (regex)
        regfree(&re);
    return LORE_OK;
}

/* Append SYMBOL as an extended regular expression that matches itself alone. */
static void
put_literally(struct lore_buf *b, const char *symbol)
{
    for (const char *c = symbol; *c; c++) {
        if (strchr(".[{}()\\*+?|^$", *c))
            lore_buf_putc(b, '\\');
        lore_buf_putc(b, *c);
    }
}

const char *
lore_measure_symbols(const struct lore_trace *trace, const char *regex, struct lore_arena *arena)
{
    const struct lore_trace_group **matched;
    LORE_BUF b = {0};
    struct lore_err ignored = {0};
    size_t n, put = 0;

    if (!regex || lore_measure_match(trace, regex, arena, &matched, &n, &ignored) != LORE_OK)
        return regex;
    for (size_t i = 0; i < n; i++) {
        bool known = !matched[i]->symbol;
        for (size_t k = 0; !known && k < i; k++)
            known = lore_streq(matched[k]->symbol, matched[i]->symbol);
        if (known)
            continue;
        lore_buf_puts(&b, put++ ? "|" : "^(");
        put_literally(&b, matched[i]->symbol);
    }
    lore_buf_puts(&b, ")$");
    return put > 0 && b.len < SYMBOLS_MAX ? lore_strndup(arena, b.data, b.len) : regex;
}

/* Add with saturation, because a damaged capture may hold any number. */
static int64_t
add_ns(int64_t a, int64_t b)
{
    int64_t sum;

    return __builtin_add_overflow(a, b, &sum) ? INT64_MAX : sum;
}

/* ---- which groups ---- */

static bool
same_device(const struct lore_trace_group *a, const struct lore_trace_group *b)
{
    return a->pid == b->pid && a->shape.device == b->shape.device;
}

/* Keep the groups of the process and device that took the most time: times of devices that work
 * side by side do not add up. */
static void
keep_busiest(struct lore_arena *arena, struct lore_measure *m)
{
    struct device_sum {
        const struct lore_trace_group *of;
        int64_t ns;
    } *sums = NULL;
    size_t n = 0, cap = 0, kept = 0, dropped = 0, most = 0;

    for (size_t i = 0; i < m->n_groups; i++) {
        size_t k = 0;
        while (k < n && !same_device(sums[k].of, m->groups[i]))
            k++;
        if (k == n)
            LORE_PUSH(arena, sums, n, cap)->of = m->groups[i];
        sums[k].ns = add_ns(sums[k].ns, m->groups[i]->total_ns);
    }
    for (size_t k = 1; k < n; k++)
        most = sums[k].ns > sums[most].ns ? k : most;
    const struct lore_trace_group *busiest = sums[most].of;
    for (size_t i = 0; i < m->n_groups; i++) {
        if (same_device(m->groups[i], busiest))
            m->groups[kept++] = m->groups[i];
        else
            dropped++;
    }
    if (dropped > 0)
        note(arena, m,
            "device %u of process %u was measured, because it was the busiest; %zu kernels also "
            "ran elsewhere",
            busiest->shape.device, busiest->pid, dropped);
    m->n_groups = kept;
}

static uint64_t
gcd(uint64_t a, uint64_t b)
{
    while (b) {
        uint64_t t = a % b;
        a = b;
        b = t;
    }
    return a;
}

/* Use the given ITERATIONS. Groups whose launch count is no multiple of it are set-up kernels and
 * are left out. */
static bool
given_iterations(struct lore_arena *arena, struct lore_measure *m, uint64_t iterations)
{
    size_t kept = 0;

    for (size_t i = 0; i < m->n_groups; i++)
        kept += m->groups[i]->launches % iterations == 0;
    if (kept == 0) {
        note(arena, m,
            "no kernel was launched a multiple of %llu times, so --iterations was not used",
            (unsigned long long)iterations);
        return false;
    }
    if (kept < m->n_groups)
        note(arena, m, "%zu kernels are left out: not launched a multiple of %llu times",
            m->n_groups - kept, (unsigned long long)iterations);
    for (size_t i = kept = 0; i < m->n_groups; i++)
        if (m->groups[i]->launches % iterations == 0)
            m->groups[kept++] = m->groups[i];
    m->n_groups = kept;
    m->iterations = iterations;
    m->rule = "given";
    return true;
}

static bool
has_all_samples(const struct lore_trace_group *g)
{
    return !g->sampled && g->n_samples == g->launches;
}

static void
use_longest(struct lore_measure *m, const char *rule)
{
    m->n_groups = 1;
    m->iterations = m->groups[0]->launches;
    m->rule = rule;
}

static void
find_iterations(struct lore_arena *arena, struct lore_measure *m, int64_t asked)
{
    uint64_t common = 0;
    bool whole = true;

    if (asked <= 0 || !given_iterations(arena, m, (uint64_t)asked)) {
        for (size_t i = 0; i < m->n_groups; i++)
            common = gcd(common, m->groups[i]->launches);
        m->iterations = common;
        m->rule = "greatest common divisor of launch counts";
    }
    if (common == 1 && m->n_groups > 1 && m->groups[0]->launches >= REPEATED) {
        note(arena, m,
            "launch counts of %zu kernels have no common divisor: the longest alone is measured; "
            "--kernel-regex or --iterations says what belongs together",
            m->n_groups);
        use_longest(m, "launches of the longest kernel");
    }
    for (size_t i = 0; i < m->n_groups; i++)
        whole = whole && has_all_samples(m->groups[i]);
    m->reservoir = !whole;
    if (!whole && (m->n_groups > 1 || m->groups[0]->launches != m->iterations)) {
        note(arena, m,
            "not every launch's time was kept, so launches cannot be added up to iterations: the "
            "longest kernel's launches are measured; --samples keeps more");
        use_longest(m, "launches of the longest kernel");
        m->reservoir = !has_all_samples(m->groups[0]);
    }
}

/* ---- samples ---- */

static int64_t
iteration_ns(const struct lore_measure *m, uint64_t i)
{
    int64_t sum = 0;

    for (size_t g = 0; g < m->n_groups; g++) {
        uint64_t each = m->groups[g]->launches / m->iterations;
        for (uint64_t k = i * each; k < (i + 1) * each; k++)
            sum = add_ns(sum, m->groups[g]->samples[k].dur_ns);
    }
    return sum;
}

/* Keep MOST evenly spaced samples, so that they span the run. */
static void
thin(struct lore_arena *arena, struct lore_measure *m, size_t most)
{
    size_t n = m->n;

    if (n <= most)
        return;
    for (size_t i = 0; i < most; i++)
        m->samples[i] = m->samples[i * n / most];
    m->n = most;
    m->reservoir = true;
    note(arena, m, "%zu of %zu samples are sent, evenly spaced", m->n, n);
}

/* Keep NS as a sample unless it is negative or above LONGEST_NS. Only a damaged capture holds such
 * a duration, and no document can hold it. */
static void
keep_sample(struct lore_measure *m, int64_t ns, size_t *impossible)
{
    if (ns >= 0 && ns <= LONGEST_NS)
        m->samples[m->n++] = ns;
    else
        ++*impossible;
}

static void
take_samples(struct lore_arena *arena, struct lore_measure *m, int64_t warmup)
{
    uint64_t skip = warmup > 1 ? (uint64_t)warmup : 1;
    const struct lore_trace_group *g = m->groups[0];
    size_t impossible = 0;

    m->first_ns = m->reservoir ? g->first_ns : iteration_ns(m, 0);
    m->has_first = m->first_ns >= 0 && m->first_ns <= LONGEST_NS;
    if (skip >= m->iterations) {
        skip = m->iterations - 1;
        note(arena, m,
            m->iterations == 1 ? "only one iteration was seen: it is the first and the sample"
                               : "--warmup leaves no iteration: the last one is the sample");
    }
    m->left_out = skip;
    m->samples = lore_alloc_array(
        arena, (m->reservoir ? g->n_samples : m->iterations) + 1, sizeof *m->samples);
    if (!m->reservoir) {
        for (uint64_t i = skip; i < m->iterations; i++)
            keep_sample(m, iteration_ns(m, i), &impossible);
    } else {
        for (size_t i = 0; i < g->n_samples; i++)
            if (g->samples[i].index >= skip)
                keep_sample(m, g->samples[i].dur_ns, &impossible);
    }
    if (impossible > 0)
        note(arena, m, "%zu samples are left out: no kernel takes that long", impossible);
}

static void
finish(struct lore_arena *arena, struct lore_measure *m, const struct lore_run_options *what,
    size_t most)
{
    for (size_t i = 0; i < m->n_groups; i++)
        m->launches += m->groups[i]->launches;
    m->per_iteration = m->launches / m->iterations;
    take_samples(arena, m, what->warmup);
    thin(arena, m, most);
    if (m->n_groups > 1 || m->per_iteration > 1)
        note(arena, m, "a sample is the sum of %llu launches of %zu kernel%s",
            (unsigned long long)m->per_iteration, m->n_groups, m->n_groups > 1 ? "s" : "");
}

enum lore_status
lore_measure_all(const struct lore_trace *trace, const struct lore_run_options *what,
    struct lore_arena *arena, struct lore_measure *out, struct lore_err *err)
{
    memset(out, 0, sizeof *out);
    enum lore_status status =
        lore_measure_match(trace, what->kernel_regex, arena, &out->groups, &out->n_groups, err);
    size_t kept = 0;

    /* a damaged file may contain a shape without launches */
    for (size_t i = 0; i < out->n_groups; i++)
        if (out->groups[i]->launches > 0)
            out->groups[kept++] = out->groups[i];
    out->n_groups = kept;
    if (status == LORE_OK && out->n_groups > 0) {
        keep_busiest(arena, out);
        find_iterations(arena, out, what->iterations);
        finish(arena, out, what, LORE_MEASURE_SAMPLES);
    }
    /* out->groups is in the trace's order */
    for (size_t i = 0, k = 0; i < trace->n_groups; i++) {
        if (k < out->n_groups && out->groups[k] == &trace->groups[i]) {
            k++;
            continue;
        }
        out->other_groups++;
        out->other_launches += trace->groups[i].launches;
        out->other_ns = add_ns(out->other_ns, trace->groups[i].total_ns);
    }
    return status;
}

void
lore_measure_one(const struct lore_trace_group *g, const struct lore_run_options *what, size_t most,
    struct lore_arena *arena, struct lore_measure *out)
{
    memset(out, 0, sizeof *out);
    out->groups = lore_alloc_array(arena, 1, sizeof *out->groups);
    out->groups[0] = g;
    if (g->launches == 0)
        return;
    use_longest(out, "every launch");
    out->reservoir = !has_all_samples(g);
    finish(arena, out, what, most);
}
