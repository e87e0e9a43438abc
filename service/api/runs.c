/* GET /api/v1/runs and /runs/{id}: executions of versions, their samples and metrics. */
#include "db/store.h"
#include "service/api/api.h"
#include "service/api/objects.h"
#include "service/api/params.h"
#include "service/catalogue/catalogue.h"
#include "service/stats/stats.h"

#define ROW struct lore_summary
static const struct lore_object_member statistics[] = {
    {"n", AT(n)},
    {"median_ns", AT(median_ns)},
    {"p10_ns", AT(p10_ns)},
    {"p90_ns", AT(p90_ns)},
    {"min_ns", AT(min_ns)},
    {"max_ns", AT(max_ns)},
    {"mean_ns", AT(mean_ns)},
    {"std_ns", AT(std_ns)},
};
static const struct lore_object lore_run_statistics_object =
    LORE_OBJECT("RunStatistics", statistics);
#undef ROW

static struct lore_f64
known(double v)
{
    return (struct lore_f64){true, v};
}

/* Statistics of the samples; without samples, the submitted summary. */
static struct lore_summary
statistics_of(const struct lore_run *r)
{
    LORE_SCRATCH scratch = {0};
    struct lore_stats s;

    if (r->n_samples == 0)
        return r->summary;
    lore_stats(r->samples_ns, r->n_samples, &scratch, &s);
    return (struct lore_summary){.set = true,
        .n = {true, (int64_t)s.n},
        .median_ns = known(s.median),
        .p10_ns = known(s.p10),
        .p90_ns = known(s.p90),
        .min_ns = known(s.min),
        .max_ns = known(s.max),
        .mean_ns = known(s.mean),
        .std_ns = known(s.std)};
}

static void
write_statistics(struct lore_jsonw *w, const char *key, const void *row)
{
    struct lore_summary s = statistics_of(&((const struct lore_run_row *)row)->r);

    if (!s.set)
        return;
    lore_w_key(w, key);
    lore_object_write(w, &lore_run_statistics_object, &s);
}

bool
lore_run_work(const struct lore_run_row *row, struct lore_work *out)
{
    LORE_SCRATCH a = {0};
    struct lore_kvs dims = {0};
    struct lore_err ignored;
    const struct lore_workload_row *on = &row->workload;
    bool known = on->dims && lore_dims_parse(on->dims, &a, &dims, &ignored) == LORE_OK &&
                 lore_work_of(on->op, &dims, on->dtype, out);

    return known;
}

/* Rates computed from shape and time. */
struct derived {
    struct lore_f64 flops, bytes, tflops, gbps;
    const char *rule;
};
#define ROW struct derived
static const struct lore_object_member derived[] = {
    {"flops", AT(flops)},
    {"bytes", AT(bytes)},
    {"tflops", AT(tflops)},
    {"gbps", AT(gbps)},
    {"!rule", AT(rule)},
};
static const struct lore_object lore_run_derived_object = LORE_OBJECT("RunDerived", derived);
#undef ROW

static void
write_derived(struct lore_jsonw *w, const char *key, const void *row)
{
    const struct lore_run_row *r = row;
    struct lore_work work;
    struct lore_f64 median;
    struct derived d;

    if (!lore_run_work(r, &work))
        return;
    median = statistics_of(&r->r).median_ns;
    d = (struct derived){.flops = work.flops, .bytes = work.bytes, .rule = work.rule};
    if (median.set && median.v > 0) {
        d.tflops =
            (struct lore_f64){work.flops.set && work.flops.v > 0, work.flops.v / median.v / 1e3};
        d.gbps = (struct lore_f64){work.bytes.set, work.bytes.v / median.v};
    }
    lore_w_key(w, key);
    lore_object_write(w, &lore_run_derived_object, &d);
}

static void
write_labels(struct lore_jsonw *w, const char *key, const void *row)
{
    const struct lore_run *r = &((const struct lore_run_row *)row)->r;
    uint32_t labels = 0;

    for (size_t i = 0; i < r->n_diagnoses; i++)
        labels |= lore_present_label_bits(&r->diagnoses[i].labels);
    lore_present_labels(w, key, labels);
}

#define ROW struct lore_run_row
static const struct lore_object_member run[] = {
    {"!id", AT(r.id), "ulid"},
    {"!version", AT(r.version), "ulid"},
    {"version_label", AT(version_label)},
    {"operator", AT(op)},
    {"kernel", AT(kernel), "ulid"},
    {"kernel_name", AT(kernel_name)},
    {"language", AT(language)},
    {"project", AT(project)},
    {"copy_of", AT(copy_of), "ulid", "the earlier one that it repeats, which counts instead"},
    {"copy_of_project", AT(copy_of_project)},
    {"chip", AT(r.chip)},
    {"environment", AT(r.environment), "ulid"},
    {"!workload", OBJECT(workload, lore_workload_object)},
    {"!role", NAMED(r.role, lore_run_role_name), "candidate|baseline|reference|ablation|branch"},
    {"!evidence", NAMED(r.evidence, lore_evidence_name), LORE_EVIDENCE_NAMES},
    {"measured_at", TIME(measured_us)},
    {"received_at", TIME(received_us)},
    {"tool", AT(r.tool)},
    {"time_ns", AT(time_ns), NULL, "median of its samples, else as stated"},
    {"stats", WRITTEN_ONE(write_statistics, lore_run_statistics_object), NULL,
        "computed from the samples, or the summary"},
    {"derived", WRITTEN_ONE(write_derived, lore_run_derived_object), NULL,
        "rates computed from shape and time"},
    {"!correctness", NAMED(r.correctness.status, lore_present_check), LORE_CHECK_NAMES},
    {"!error_type", AT(r.error.type), "text?"},
    {"!labels", WRITTEN(write_labels), "[text", "bottlenecks"},
    {"!retracted", AT(retracted)},
    {"beyond_ceiling", AT(beyond), NULL,
        "why its time is impossible on this chip, so that it does not count"},
    {"!seq", AT(seq)},
};
const struct lore_object lore_run_object = LORE_OBJECT("Run", run);

static const struct lore_object_member full[] = {
    {"", MEMBERS_HERE(lore_run_object)},
    {"!record", RECORD(r, LORE_K_RUN, rest)},
    {"document", AT(document), "ulid"},
};
const struct lore_object lore_run_full_object = LORE_OBJECT("RunFull", full);
#undef ROW

LORE_LIST_HANDLER(lore_api_runs, runs, run, lore_run_object)
LORE_GET_HANDLER(lore_api_run, run, lore_run_full_object)
