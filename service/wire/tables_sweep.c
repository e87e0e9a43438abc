/* Field tables of sweeps: one search of a tuner, its configurations as series (series.h). */
#include <string.h>

#include "service/wire/decoder.h"
#include "service/wire/field_rows.h"
#include "service/wire/sweep.h"

#define NAMES(list, ...)                                                                           \
    static const char *const list##_names[] = {__VA_ARGS__};                                       \
    static const struct lore_choices list = {                                                      \
        list##_names, sizeof list##_names / sizeof *list##_names}

NAMES(failure_types, "compilation", "runtime", "accuracy", "timeout", "environment", "process");
NAMES(statistics, "mean", "median", "min");

#define SERIES LORE_WIRE_MAX_BYTES

static const struct lore_field column_fields[] = {
    {TEXT(lore_sweep_column, "name", name, LORE_MAX_NAME), .required = true,
        .help = "Name of the parameter or quantity."},
    {TEXT(lore_sweep_column, "unit", unit, LORE_MAX_NAME), .help = "Unit of a quantity."},
    {FIELD(lore_sweep_column, "technique", TECHNIQUE, technique), .max = LORE_MAX_NAME,
        .help = "Technique that a parameter stands for."},
    {TEXT(lore_sweep_column, "values", values, SERIES), .required = true,
        .help = "One JSON number, text or boolean for each configuration, separated by blanks; - "
                "where there is none."},
};
static const struct lore_record column_record = {
    RECORD("column",
        "One value for each configuration of a sweep: a parameter, or something else "
        "that is known of it.",
        column_fields, lore_sweep_column),
    .flag = LORE_NO_FLAG};

static const struct lore_field failed_fields[] = {
    {CHOICE(lore_sweep_failed, "type", type, failure_types), .required = true,
        .help = "What went wrong."},
    {TEXT(lore_sweep_failed, "said", said, LORE_MAX_TEXT), .help = "Text of the tool, verbatim."},
    {TEXT(lore_sweep_failed, "at", at, SERIES), .required = true,
        .help = "Configurations, as numbers from 0 in ascending order, separated by blanks."},
};
static const struct lore_record failed_record = {
    RECORD("failure", "Configurations of a sweep that failed for one reason.", failed_fields,
        lore_sweep_failed),
    .flag = LORE_NO_FLAG};

static const struct lore_field configurations_fields[] = {
    {FIELD(lore_configurations, "count", I64, count), .required = true, .min = 1,
        .max = LORE_SERIES_MAX, .help = "Number of configurations."},
    {ITEMS(lore_configurations, parameters, column_record, LORE_SWEEP_SERIES),
        .help = "Parameters, each with its value in every configuration."},
    {TEXT(lore_configurations, "times_ns", times_ns, SERIES),
        .help = "The time of each configuration in nanoseconds; - where there is none. Default: "
                "the median of its samples."},
    {TEXT(lore_configurations, "samples_ns", samples_ns, SERIES),
        .help = "The samples of each configuration in order: whole numbers of nanoseconds "
                "separated by blanks, configurations separated by ';'."},
    {ITEMS(lore_configurations, failures, failed_record, 1000),
        .help = "Configurations that failed, by reason."},
    {ITEMS(lore_configurations, metrics, column_record, LORE_SWEEP_SERIES),
        .help = "Other values of each configuration: GFLOP/s, compile time."},
};
static const struct lore_record configurations_record = {
    RECORD("configurations", "The configurations of a sweep, by columns.", configurations_fields,
        lore_configurations),
    .flag = offsetof(struct lore_configurations, set), .finish = lore_tables_finish_configurations};

static const struct lore_field best_fields[] = {
    {FIELD(lore_sweep_best, "configuration", I64, configuration), .required = true, .min = 0,
        .max = LORE_SERIES_MAX, .help = "Its number, from 0."},
    {REF(lore_sweep_best, version, LORE_K_VERSION), .required = true,
        .help = "The version that it is."},
};
static const struct lore_record best_record = {
    RECORD("best", "A configuration of a sweep that is a version.", best_fields, lore_sweep_best),
    .flag = LORE_NO_FLAG};

static const struct lore_field sweep_fields[] = {
    {ID(lore_sweep)},
    {REF(lore_sweep, kernel, LORE_K_KERNEL), .required = true, .help = "Kernel that was tuned."},
    {FIELD(lore_sweep, "chip", CHIP, chip), .help = "Chip that it ran on."},
    {REF(lore_sweep, environment, LORE_K_ENVIRONMENT), .help = "Environment of the search."},
    {OBJECT(lore_sweep, "workload", workload, lore_workload_record),
        .help = "Workload of every configuration."},
    {TEXT(lore_sweep, "tool", tool, LORE_MAX_NAME), .help = "Tuner: kernel-tuner."},
    {TEXT(lore_sweep, "strategy", strategy, LORE_MAX_NAME),
        .help = "Search strategy: brute_force, random_sample …"},
    {TEXT(lore_sweep, "objective", objective, LORE_MAX_NAME),
        .help = "Quantity that the tuner minimises: time."},
    {CHOICE(lore_sweep, "statistic", statistic, statistics), .help = "Statistic of times_ns."},
    {TEXT(lore_sweep, "author", author, LORE_MAX_NAME), .help = "Who searched."},
    {REF(lore_sweep, campaign, LORE_K_CAMPAIGN), .help = "Campaign that it belongs to."},
    {TIME(lore_sweep, "searched_at", searched_at), .help = "When the search began."},
    {FIELD(lore_sweep, "evidence", ENUM, evidence), .choices = &lore_evidence_choices,
        .help = "Evidence class; default measured with samples, else claimed."},
    {OBJECT(lore_sweep, "configurations", configurations, configurations_record), .required = true,
        .help = "What was tried, and how it went."},
    {ITEMS(lore_sweep, best, best_record, 16),
        .help = "The best configurations, which are versions with runs."},
    {PROVENANCE(lore_sweep)},
    {EXTRA(lore_sweep)},
};
const struct lore_record lore_sweep_record = {
    RECORD("sweep", "One search of a tuner over the parameters of a kernel.", sweep_fields,
        lore_sweep),
    .flag = LORE_NO_FLAG, .finish = lore_tables_finish_sweep};

enum lore_status
lore_tables_finish_configurations(
    struct lore_decoder *d, const struct lore_json *node, void *out, uint64_t given)
{
    struct lore_configurations *c = out;
    struct lore_sweep_data *data = lore_alloc(d->arena, sizeof *data);
    struct lore_err why = {0};

    (void)given;
    if (lore_sweep_read(c, d->arena, data, &why) != LORE_OK)
        return lore_decode_fail(d, node, NULL, "invalid_value", "%s", why.msg);
    c->data = data;
    return LORE_OK;
}

enum lore_status
lore_tables_finish_sweep(
    struct lore_decoder *d, const struct lore_json *node, void *out, uint64_t given)
{
    struct lore_sweep *s = out;

    (void)d;
    (void)node;
    (void)given;
    if (s->evidence == LORE_EV_NONE)
        s->evidence = s->configurations.samples_ns ? LORE_EV_MEASURED : LORE_EV_CLAIMED;
    return LORE_OK;
}
