/* The summary that `warplore run` prints: about twenty lines at most. It is made from the records,
 * so it agrees with them. It includes losses and problems. */
#include <string.h>

#include "collectors/run/collect.h"
#include "collectors/run/collect_parts.h"
#include "service/base/text.h"
#include "service/wire/wire.h"

enum { NOTES_SHOWN = 4, NAME_SHOWN = 60 };

static const char *
word(struct lore_arena *arena, const struct lore_kvs *kvs, const char *key)
{
    const char *v = lore_kvs_get(kvs, key);

    return v ? lore_kvs_plain(arena, v) : NULL;
}

/* Replace control characters, because text of the program and of files goes to a terminal. */
static const char *
clean(struct lore_arena *arena, const char *s, size_t most)
{
    size_t n = strlen(s), keep = lore_utf8_prefix(s, n < most ? n : most);
    char *out = lore_strndup(arena, s, keep);

    for (char *p = out; *p; p++)
        if ((unsigned char)*p < 0x20 || *p == 0x7f)
            *p = ' ';
    return n > keep ? lore_format(arena, "%s…", out) : out;
}

static void
say(struct lore_buf *out, struct lore_arena *arena, const char *text)
{
    lore_buf_printf(out, "  %s\n", clean(arena, text, 300));
}

/* "median 69.17 us (p10 68.9 us, p90 69.9 us), first 81.2 us" */
static const char *
times(struct lore_arena *arena, const struct lore_run *run)
{
    struct lore_flags f;
    const char *text;

    lore_flags_of(run->samples_ns, run->n_samples, 1, arena, &f);
    if (f.n == 0)
        return "no time";
    text = lore_format(arena, "median %s (p10 %s, p90 %s)", lore_flags_time(arena, f.median_ns),
        lore_flags_time(arena, f.p10_ns), lore_flags_time(arena, f.p90_ns));
    if (!run->first_ns.set)
        return text;
    return lore_format(
        arena, "%s, first %s", text, lore_flags_time(arena, (double)run->first_ns.v));
}

static void
tell_clocks(const struct lore_run *run, struct lore_arena *arena, struct lore_buf *out)
{
    const char *low = word(arena, &run->method, "sm_clock_mhz_min");
    const char *high = word(arena, &run->method, "sm_clock_mhz_max");
    const char *throttle = word(arena, &run->method, "throttle");

    if (!low || !high)
        return;
    say(out, arena,
        lore_format(arena, "SM clock %s to %s MHz, median %s (%s)%s%s", low, high,
            word(arena, &run->method, "sm_clock_mhz_median"),
            word(arena, &run->method, "clock_samples_from"),
            throttle && strcmp(throttle, "none") != 0 ? "; throttled: " : "",
            throttle && strcmp(throttle, "none") != 0 ? throttle : ""));
    if (word(arena, &run->method, "clock_change"))
        say(out, arena, word(arena, &run->method, "clock_change"));
}

static void
tell_flags(const struct lore_run *run, struct lore_arena *arena, struct lore_buf *out)
{
    const char *flags = word(arena, &run->method, "flags");

    if (flags && strstr(flags, "drift"))
        say(out, arena, word(arena, &run->method, "drift"));
    if (flags && strstr(flags, "bimodal"))
        say(out, arena, word(arena, &run->method, "modes"));
    if (flags && strstr(flags, "launch_overhead"))
        say(out, arena, word(arena, &run->method, "launch_overhead"));
    for (int i = 1; i <= NOTES_SHOWN; i++) {
        const char *note = word(arena, &run->method, lore_format(arena, "note_%d", i));
        if (note)
            say(out, arena, note);
    }
}

static void
tell_counters(const struct lore_run *run, struct lore_arena *arena, struct lore_buf *out)
{
    size_t missing[LORE_MISS_COUNT] = {0}, have = 0;
    const char *text;

    for (size_t i = 0; i < run->metrics.n; i++) {
        have += run->metrics.v[i].missing == LORE_MISS_NONE;
        missing[run->metrics.v[i].missing]++;
    }
    if (run->metrics.n == 0)
        return;
    text = lore_format(arena, "counters: %zu of %zu metrics", have, run->metrics.n);
    for (int m = LORE_MISS_NONE + 1; m < LORE_MISS_COUNT; m++) {
        if (missing[m] == 0)
            continue;
        char *why = lore_strdup(arena, lore_missing_name((enum lore_missing)m));
        for (char *p = why; *p; p++)
            *p = *p == '_' ? ' ' : *p;
        text = lore_format(arena, "%s, %zu %s", text, missing[m], why);
    }
    if (word(arena, &run->method, "not_counted"))
        text = lore_format(arena, "%s: %s", text, word(arena, &run->method, "not_counted"));
    say(out, arena, text);
}

enum { CHECK_SHOWN = 200 };

const char *
lore_collect_check_text(const struct lore_correctness *c, struct lore_arena *arena)
{
    char *text = lore_format(arena, "correctness: %s",
        c->status == LORE_C_NOT_CHECKED ? "not checked" : lore_check_name(c->status));
    const char *p = c->message ? c->message : "";
    const char *between = ": ";

    if (c->status == LORE_C_PASS) /* the output of a passed check is only in the record */
        return text;
    while (*p && strlen(text) < CHECK_SHOWN) {
        size_t n = strcspn(p, "\r\n");
        size_t shown = n < CHECK_SHOWN ? n : lore_utf8_prefix(p, CHECK_SHOWN);
        if (n > 0) {
            text = lore_format(arena, "%s%s%.*s", text, between, (int)shown, p);
            between = "; ";
        }
        p += n + strspn(p + n, "\r\n");
    }
    return text;
}

static void
tell_checks(const struct lore_submission *doc, const struct lore_run *run, struct lore_arena *arena,
    struct lore_buf *out)
{
    const char *text = "machine code:";

    if (!run->correctness.message || !*run->correctness.message)
        say(out, arena,
            run->correctness.status == LORE_C_NOT_CHECKED
                ? "correctness: not checked (--check COMMAND checks it)"
                : lore_format(arena, "correctness: %s", lore_check_name(run->correctness.status)));
    else
        say(out, arena, lore_collect_check_text(&run->correctness, arena));
    for (size_t i = 0; i < doc->n_verifications; i++)
        text = lore_format(arena, "%s%s %s %s", text, i ? "," : "", doc->verifications[i].technique,
            doc->verifications[i].status);
    if (doc->n_verifications > 0)
        say(out, arena, text);
}

static void
tell_losses(const struct lore_observations *c, const char *said, struct lore_arena *arena,
    struct lore_buf *out)
{
    const struct lore_cap_loss *l = &c->trace.loss;
    const struct {
        uint64_t n;
        const char *what;
    } rows[] = {{l->dropped, "launches were dropped by the vendor's library"},
        {l->bad, "records had no usable times"},
        {l->no_memory, "records were lost for lack of memory"},
        {l->write_failed, "records could not be written"}};
    struct lore_texts problems = {0};
    enum lore_cap_state_code first;
    size_t cut = 0;

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].n)
            say(out, arena,
                lore_format(arena, "%llu %s", (unsigned long long)rows[i].n, rows[i].what));
    for (size_t i = 0; i < c->trace.n_processes; i++)
        cut += !c->trace.processes[i].ended;
    if (cut)
        say(out, arena,
            lore_format(arena,
                "%zu process%s ended without closing its capture file: its last launches may be "
                "missing",
                cut, cut == 1 ? "" : "es"));
    lore_collect_problems(c, arena, &problems, &first);
    for (size_t i = 0; i < problems.n && i < NOTES_SHOWN; i++)
        if (!lore_streq(problems.v[i], said))
            say(out, arena, problems.v[i]);
    if (problems.n > NOTES_SHOWN)
        say(out, arena, lore_format(arena, "and %zu more problems", problems.n - NOTES_SHOWN));
}

static void
tell_records(const struct lore_observations *c, const struct lore_submission *doc,
    struct lore_arena *arena, struct lore_buf *out)
{
    if (doc->n_runs == 1)
        say(out, arena,
            lore_format(arena, "version %s, run %s", doc->runs[0].version, doc->runs[0].id));
    if (c->again)
        say(out, arena,
            lore_format(arena,
                "repeats experiment %s, which is not counted again (--new-experiment counts it)",
                c->again));
    for (size_t i = 0; i < doc->n_experiments; i++) {
        const struct lore_experiment *x = &doc->experiments[i];
        say(out, arena,
            lore_format(arena, "experiment %s%s%s", x->id,
                x->hypothesis ? "" : ", without a hypothesis",
                x->runs_before.n ? "" : ", and no earlier run of its parent is known here"));
    }
    for (size_t i = 0; i < doc->n_sweeps; i++)
        say(out, arena,
            lore_format(arena, "sweep of %lld configurations, by %s",
                (long long)doc->sweeps[i].configurations.count.v, doc->sweeps[i].tool));
    for (size_t i = 0; i < doc->n_attributions; i++) {
        const struct lore_attribution *a = &doc->attributions[i];
        say(out, arena,
            lore_format(arena, "without %s: %+.2f %% time, contributed: %s", a->technique,
                a->attribution_pct.v, a->contributed));
    }
}

static void
tell_heading(const struct lore_run *run, struct lore_arena *arena, struct lore_buf *out)
{
    const char *shape = lore_workload_label(arena, &run->workload);

    lore_buf_printf(
        out, "%s%s%s\n", clean(arena, run->workload.op, NAME_SHOWN), *shape ? ": " : "", shape);
}

static void
tell_one(const struct lore_submission *doc, const struct lore_run *run, struct lore_arena *arena,
    struct lore_buf *out)
{
    const char *name = word(arena, &run->launch, "kernel");

    if (name)
        say(out, arena,
            lore_format(arena, "kernel %s, grid %s, block %s", clean(arena, name, NAME_SHOWN),
                word(arena, &run->launch, "grid"), word(arena, &run->launch, "block")));
    if (run->n_samples)
        say(out, arena,
            lore_format(arena, "%s launches, %zu samples: %s",
                word(arena, &run->method, "launches"), run->n_samples, times(arena, run)));
    tell_clocks(run, arena, out);
    tell_flags(run, arena, out);
    tell_counters(run, arena, out);
    tell_checks(doc, run, arena, out);
}

void
lore_collect_summary(const struct lore_observations *c, const struct lore_submission *doc,
    struct lore_arena *arena, struct lore_buf *out)
{
    const struct lore_run *run = doc->n_runs ? &doc->runs[0] : NULL;

    if (doc->n_profiles > 0) { /* the caller shows its kernels */
        tell_losses(c, doc->profiles[0].error.message, arena, out);
        return;
    }
    if (!run) {
        lore_buf_puts(out, "nothing was measured\n");
        if (c->no_device)
            say(out, arena, c->no_device);
        else if (c->trace.n_groups == 0)
            say(out, arena, "the program launched no kernel that could be seen");
        else
            say(out, arena, lore_collect_unmatched(c, arena));
        tell_losses(c, NULL, arena, out);
        return;
    }
    for (size_t i = 0; i < doc->n_runs; i++) { /* several: of ranges */
        tell_heading(&doc->runs[i], arena, out);
        if (doc->runs[i].error.set)
            say(out, arena, doc->runs[i].error.message);
        tell_one(doc, &doc->runs[i], arena, out);
    }
    tell_losses(c, run->error.set ? run->error.message : NULL, arena, out);
    tell_records(c, doc, arena, out);
}
