/* Versions to start from, changes to make and what to measure next, as JSON (docs/api.md). */
#include <math.h>

#include "service/api/objects.h"
#include "service/api/tune.h"

#define ROW struct lore_interval
static const struct lore_object_member interval[] = {
    {"!value", AT(value)}, {"!low", AT(low)}, {"!high", AT(high)}};
const struct lore_object lore_interval_object = LORE_OBJECT("Interval", interval);
#undef ROW

#define ROW struct lore_repeats_attempt
static const struct lore_object_member attempt[] = {{"!experiment", AT(id), "ulid"}};
static const struct lore_object failed_attempt = LORE_OBJECT("", attempt);
#undef ROW

#define ROW struct lore_repeat
static const struct lore_object_member repeat[] = {
    {"!verdict", NAMED(kind, lore_repeat_kind_name), "near|exact"},
    {"!reason", AT(why)},
    {"!", SPREAD(of, failed_attempt)},
};
const struct lore_object lore_repeated_idea_object = LORE_OBJECT("RepeatedIdea", repeat);
#undef ROW

static void
write_label(struct lore_jsonw *w, const char *key, const void *row)
{
    const struct lore_version *v = &((const struct lore_version_row *)row)->v;

    lore_w_kstr_opt(w, key, v->label != NULL ? v->label : v->tag);
}

#define ROW struct lore_version_row
static const struct lore_object_member named[] = {
    {"!version", AT(v.id), "ulid"},
    {"label", WRITTEN(write_label), "text"},
};
static const struct lore_object named_version = LORE_OBJECT("", named);

static const struct lore_object_member said[] = {
    {"version", AT(v.id), "ulid",
        "absent: no version has these parameters; sweep and configuration say where they stand"},
    {"label", WRITTEN(write_label), "text"},
    {"!params", AT(v.params)},
    {"!kernel", AT(v.kernel), "ulid"},
    {"kernel_name", AT(kernel_name)},
    {"language", AT(language)},
};
static const struct lore_object lore_version_said_object = LORE_OBJECT("VersionSaid", said);
#undef ROW

/* A chip and workload on which a version was measured. */
struct place {
    struct lore_start_from from;
    bool failed;
    const char *run, *sweep;
};
#define ROW struct place
static const struct lore_object_member from[] = {
    {"!chip", AT(from.chip)},
    {"workload", AT(from.workload)},
    {"!fraction", AT(from.fraction), NULL, "of the best measured there"},
    {"!failed", AT(failed)},
    {"run", AT(run), "ulid"},
    {"sweep", AT(sweep), "ulid"},
};
static const struct lore_object lore_start_from_object = LORE_OBJECT("StartFrom", from);
#undef ROW

static void
write_from(struct lore_jsonw *w, const char *key, const void *row)
{
    const struct lore_start_row *r = row;

    lore_w_key(w, key);
    lore_w_arr(w);
    for (size_t i = 0; i < r->s.n_from; i++) {
        struct place p = {r->s.from[i], !(r->s.from[i].fraction > 0), r->run[i], r->sweep[i]};

        lore_object_write(w, &lore_start_from_object, &p);
    }
    lore_w_arr_end(w);
}

#define ROW struct lore_trial_config
static const struct lore_object_member config[] = {
    {"sweep", AT(sweep), "ulid"},
    {"configuration", AT(number), NULL, "its number in the sweep"},
};
static const struct lore_object config_object = LORE_OBJECT("", config);
#undef ROW

#define ROW struct lore_start_row
static const struct lore_object_member forecast[] = {
    {"!fraction", OBJECT(s.fraction, lore_interval_object), NULL, "of the optimum"},
    {"!p_fail", AT(s.p_fail)},
    {"!measured_here", AT(s.measured_here)},
    {"time_ns", AT(s.time_ns), NULL, "here"},
    {"evidence", NAMED(s.evidence, lore_evidence_name), LORE_EVIDENCE_NAMES, "of that time"},
    {"!from", WRITTEN_LIST(write_from, lore_start_from_object), NULL,
        "where it was measured, nearest first"},
};
static const struct lore_object start_forecast = LORE_OBJECT("", forecast);

static const struct lore_object_member start[] = {
    {"", MEMBERS(row, lore_version_said_object)},
    {"", MEMBERS(s.config, config_object)},
    {"", MEMBERS_HERE(start_forecast)},
};
static const struct lore_object lore_start_object = LORE_OBJECT("Start", start);

static const struct lore_object_member shortly_start[] = {
    {"", MEMBERS(row, lore_version_said_object)},
    {"", MEMBERS(s.config, config_object)},
    {"!fraction", OBJECT(s.fraction, lore_interval_object), NULL, "of the optimum"},
    {"!measured_here", AT(s.measured_here)},
    {"time_ns", AT(s.time_ns), NULL, "here"},
    {"evidence", NAMED(s.evidence, lore_evidence_name), LORE_EVIDENCE_NAMES, "of that time"},
};
static const struct lore_object lore_short_start_object = LORE_OBJECT("ShortStart", shortly_start);
#undef ROW

static void
write_title(struct lore_jsonw *w, const char *key, const void *row)
{
    const struct lore_start_move *m = &((const struct lore_move_row *)row)->m;
    const struct lore_technique *known = lore_technique_find(m->technique);

    lore_w_kstr(w, key, known != NULL ? known->title : m->technique);
}

static void
write_gain(struct lore_jsonw *w, const char *key, const void *row)
{
    struct lore_interval log = ((const struct lore_move_row *)row)->m.gain;
    struct lore_interval gain = {exp(log.value), exp(log.low), exp(log.high)};

    lore_w_key(w, key);
    lore_object_write(w, &lore_interval_object, &gain);
}

static void
write_expected(struct lore_jsonw *w, const char *key, const void *row)
{
    lore_w_kf64(w, key, exp(((const struct lore_move_row *)row)->m.expected));
}

#define ROW struct lore_move_row
static const struct lore_object_member goal[] = {
    {"to_version", AT(to.v.id), "ulid"},
    {"", MEMBERS(m.config, config_object)},
    {"expected", WRITTEN(write_expected), "number",
        "mean speedup when a slower result is not kept"},
};
static const struct lore_object move_goal = LORE_OBJECT("", goal);

static const struct lore_object_member grounds[] = {
    {"gain", WRITTEN_ONE(write_gain, lore_interval_object), NULL, "speedup when it runs"},
    {"p_fail", AT(m.p_fail)},
    {"abstains", AT(m.abstains)},
    {"reach", NAMED(m.reach, lore_moves_reach_name)},
    {"effective_n", AT(m.effective), NULL, "in experiments"},
};
static const struct lore_object move_grounds = LORE_OBJECT("", grounds);

static const struct lore_object_member move[] = {
    {"!technique", AT(m.technique)},
    {"!title", WRITTEN(write_title), "text"},
    {"!parameter", AT(m.parameter)},
    {"!from", RAW(from_value), "any"},
    {"!to", RAW(to_value), "any"},
    {"!p_win", OBJECT(m.p_win, lore_interval_object)},
    {"", MEMBERS_HERE(move_goal)},
    {"", MEMBERS_HERE(move_grounds)},
};
static const struct lore_object lore_move_object = LORE_OBJECT("Move", move);
#undef ROW

static void
write_kind(struct lore_jsonw *w, const char *key, const void *row)
{
    lore_w_kstr(w, key, ((const struct lore_next_row *)row)->start != NULL ? "start" : "move");
}

#define ROW struct lore_next_row
static const struct lore_object_member to_measure[] = {
    {"!kind", WRITTEN(write_kind), "start|move"},
    {"expected_gain", AT(gain), NULL, "speedup over the best measured here"},
    {"!", SPREAD(version, lore_version_said_object)},
    {"", MEMBERS(config, config_object)},
};
static const struct lore_object lore_short_next_object = LORE_OBJECT("ShortNext", to_measure);

static const struct lore_object_member next[] = {
    {"", MEMBERS_HERE(lore_short_next_object)},
    {"", SPREAD(start, start_forecast)},
    {"from_version", AT(n.from), "ulid", "of a move: the version it is made from"},
    {"change", POINTER(move, lore_move_object)},
};
static const struct lore_object lore_next_object = LORE_OBJECT("Next", next);
#undef ROW

#define ROW struct lore_tune_value
static const struct lore_object_member value[] = {
    {"!value", RAW(value), "any"},
    {"!end", NAMED(end, lore_attempt_end_name),
        "gain|open|no_gain|loss|wrong|timed_out|not_run|not_built"},
    {"speedup", AT(speedup)},
    {"!experiment", AT(experiment), "ulid"},
    {"operator", AT(op), NULL, "on another kernel; absent: on this one"},
};
static const struct lore_object lore_tune_value_object = LORE_OBJECT("TuneValue", value);
#undef ROW

#define ROW struct lore_tune_row
static const struct lore_object_member tune[] = {
    {"!rank", AT(rank), NULL, "among these rows and the advice"},
    {"!technique", AT(technique)},
    {"!title", AT(title)},
    {"parameter", AT(parameter)},
    {"from", RAW(from), "any", "the value now"},
    {"to", RAW(to), "any", "the next value to try"},
    {"!p_win", OBJECT(p_win, lore_chance_object), NULL, "probability that another value wins"},
    {"why", AT(why)},
    {"", SPREAD(move, move_goal)},
};
static const struct lore_object lore_short_tune_object = LORE_OBJECT("ShortTune", tune);

static const struct lore_object_member tune_whole[] = {
    {"", MEMBERS_HERE(lore_short_tune_object)},
    {"", SPREAD(move, move_grounds)},
    {"!failed", AT(failed), NULL, "attempts with the technique here since its last gain"},
    {"!tried", LIST(tried, n_tried, lore_tune_value_object), NULL, "oldest first"},
};
static const struct lore_object lore_tune_object = LORE_OBJECT("Tune", tune_whole);
#undef ROW

#define ROW struct lore_chip
static const struct lore_object_member chip[] = {{"!chip", AT(name)}};
static const struct lore_object named_chip = LORE_OBJECT("", chip);
#undef ROW

#define ROW struct lore_start_answer
static const struct lore_object_member place[] = {
    {"!", SPREAD(place.chip, named_chip)},
    {"workload", OBJECT(workload, lore_workload_object)},
    {"!workload_assumed", AT(place.assumed), NULL,
        "no workload was given: this one has most results"},
    {"!measured", AT(place.measured), NULL, "configurations with a result here"},
    {"!known", AT(place.n_states), NULL, "configurations with a result here or elsewhere"},
    {"best", POINTER(best, lore_start_object)},
};
static const struct lore_object lore_place_object = LORE_FLAGGED_OBJECT("Place", place, placed);

static const struct lore_object_member lineage[] = {
    {"!", SPREAD(about.version, named_version)},
    {"!attempts", AT(lineage.attempts)},
    {"!since_gain", AT(lineage.since_gain), NULL, "attempts after the last gain"},
    {"!p_win", AT(p_any), NULL, "probability that an attempt of any kind wins in this state"},
    {"!gained", AT(lineage.gained)},
    {"!recent", AT(lineage.recent), NULL, "the last attempts that ended"},
    {"!recent_not_built", AT(lineage.recent_not_built)},
};
static const struct lore_object lore_lineage_state_object =
    LORE_KEYED_OBJECT("LineageState", lineage, tried.past);

#define STATE                                                                                      \
    {                                                                                              \
        "start_state", NAMED(state, lore_moves_state_name), "reading|behind",                      \
            "`reading`: just started, versions are still being loaded; `behind`: they do not "     \
            "show a"                                                                               \
            " retraction of the last seconds yet"                                                  \
    }
static const struct lore_object_member versions[] = {
    STATE,
    {"about", OBJECT(about, lore_about_object), NULL,
        "the version that the advice is about, and what it has already"},
    {"place", PART(lore_place_object)},
    {"start", LIST(start, n_start, lore_start_object)},
    {"tune", LIST(tune, n_tune, lore_tune_object), NULL, "other values of what it has"},
    {"next", LIST(next, n_next, lore_next_object)},
    {"lineage", PART(lore_lineage_state_object)},
};
const struct lore_object lore_start_answer_object = LORE_OBJECT("", versions);

static const struct lore_object_member shortly[] = {
    STATE,
    {"about", OBJECT(about, lore_about_short_object), NULL,
        "the version that the advice is about, and what it has already"},
    {"start", LIST(start, n_start, lore_short_start_object)},
    {"tune", LIST(tune, n_tune, lore_short_tune_object), NULL, "other values of what it has"},
    {"next", LIST(next, n_next, lore_short_next_object)},
    {"lineage", PART(lore_lineage_state_object)},
};
const struct lore_object lore_start_short_object = LORE_OBJECT("", shortly);

static const struct lore_object_member level[] = {
    {"level", AT(level), "exact|near|far|none"},
    {"why", AT(level_why)},
};
const struct lore_object lore_start_level_object = LORE_OBJECT("", level);
#undef ROW
