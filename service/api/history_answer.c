/* GET /api/v1/kernels/{id}/history, and the members of answers that frontier and drift share. */
#include "service/api/history.h"

#include "service/api/api_knowledge.h"
#include "service/api/objects.h"
#include "service/api/params.h"

#define ROW struct lore_history_version
static const struct lore_object_member hidden[] = {
    {"!hidden", AT(hidden)},
    {"hidden_why", AT(hidden_why), "masked|merged|retracted|copy|beyond_ceiling"},
    {"disputed", AT(disputed), "ulid",
        "run or experiment of somebody else that says, without evidence, that it is wrong"},
    {"beyond_ceiling", AT(beyond), NULL, "why the time of a run is impossible"},
    {"!retracted", AT(retracted)},
};
const struct lore_object lore_history_hidden_object = LORE_OBJECT("", hidden);
#undef ROW

#define ROW struct lore_history
static const struct lore_object_member place[] = {
    {"workload", AT(timing.workload)},
    {"workload_label", AT(timing.workload_label)},
    {"chip", AT(timing.chip)},
};
const struct lore_object lore_history_place_object = LORE_OBJECT("", place);
static const struct lore_object_member older[] = {
    {"!older_versions", AT(older_versions), NULL, "versions that were not read"},
    {"!older_experiments", AT(older_experiments), NULL, "experiments that were not read"},
};
const struct lore_object lore_history_older_object = LORE_OBJECT("", older);
#undef ROW

struct step {
    struct lore_lineage_step s;
    struct lore_history_version t;
    const char *best; /* the version that vs_best compares with; NULL: none */
    uint32_t labels;
    struct lore_texts line;
    struct lore_object_reading *reading;
};
/* Read and write one run at a time, because samples are large. */
static void
write_run(struct lore_jsonw *w, const char *key, const void *row)
{
    const struct step *x = row;
    struct lore_object_reading *r = x->reading;
    LORE_SCRATCH scratch = {0};
    struct lore_run_row run = {0};

    if (!x->t.run || r->status != LORE_OK)
        return;
    r->status = lore_db_get_run(r->db, x->t.run, &scratch, &run, &r->err);
    if (r->status == LORE_OK) {
        lore_w_key(w, key);
        lore_object_write(w, &lore_run_object, &run);
    }
}

#define ROW struct step
static const struct lore_object_member step[] = {
    {"!version", POINTER(t.version, lore_version_object), "#Version"},
    {"experiment", POINTER(t.experiment, lore_experiment_object), NULL, "experiment that made it"},
    {"run", WRITTEN_ONE(write_run, lore_run_object), NULL, "its representative run"},
    {"time_ns", AT(t.time_ns)},
    {"error_type", AT(t.error_type), NULL, "why it has no time"},
    {"timed_elsewhere", AT(t.elsewhere), NULL, "why its time does not compare"},
    {"speedup_vs_first", AT(s.vs_first), NULL,
        "over the first version of its own log, else the baseline of the answer"},
    {"speedup_vs_parent", AT(s.vs_parent), NULL, "over the first parent"},
    {"speedup_vs_best_before", AT(s.vs_best), NULL, "over `best_before`"},
    {"best_before", AT(best), "ulid", "the champion among the earlier steps"},
    {"labels", LABELS(labels), NULL, "bottlenecks that experiments starting from it name"},
    {"!line", AT(line), NULL, "techniques that it has from its whole line"},
    {"!baseline", AT(s.baseline)},
    {"!champion", AT(s.champion)},
    {"", MEMBERS(t, lore_history_hidden_object)},
};
static const struct lore_object step_object = LORE_OBJECT("HistoryStep", step);
#undef ROW

struct history {
    struct lore_history h;
    struct step *steps;
    const char *next, *baseline, *champion; /* next: NULL, all versions are on one page */
};
#define ROW struct history
static const struct lore_object_member history[] = {
    {"!rows", LIST(steps, h.line.n, step_object)},
    {"!next", AT(next), "text?"},
    {"", MEMBERS(h, lore_history_place_object)},
    {"environment", AT(h.timing.environment), "ulid"},
    {"method", AT(h.timing.method), NULL, "the tool that timed"},
    {"baseline", AT(baseline), "ulid"},
    {"champion", AT(champion), "ulid"},
    {"", MEMBERS(h, lore_history_older_object)},
    {"!sweeps", LIST(h.sweeps, h.n_sweeps, lore_history_sweep_object), NULL, "newest first"},
};
const struct lore_object lore_history_object = LORE_OBJECT("History", history);
#undef ROW

static const char *
version_at(const struct lore_history *h, size_t step_at)
{
    return step_at < h->line.n ? h->entries[h->line.steps[step_at].in].version->v.id : NULL;
}

enum lore_status
lore_history_read_filter(
    const struct lore_req *req, struct lore_history_filter *out, struct lore_err *err)
{
    const struct lore_chip *chip = NULL;
    enum lore_status status = lore_params_chip(req, &chip, err);

    if (status == LORE_OK)
        *out = (struct lore_history_filter){
            .workload = lore_arg_text(req, "workload", NULL), .chip = chip ? chip->name : NULL};
    return status;
}

enum lore_status
lore_api_history(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    struct lore_object_reading reading = {.db = req->db};
    struct history x = {0};
    struct lore_history *h = &x.h;
    struct lore_history_filter of;
    const struct lore_line *lines = NULL, none = {0};
    enum lore_status status = lore_history_read_filter(req, &of, err);

    if (status == LORE_OK)
        status = lore_history_load(req->db, req->vars[0], &of, req->arena, h, err);
    if (status == LORE_OK) {
        x.steps = lore_alloc_array(req->arena, h->line.n + 1, sizeof *x.steps);
        lines = lore_history_lines(h, req->arena);
    }
    for (size_t i = 0; status == LORE_OK && i < h->line.n; i++) {
        struct lore_history_version *t = &h->entries[h->line.steps[i].in];

        status = lore_history_read_hidden(req->db, t, err);
        x.steps[i] = (struct step){h->line.steps[i], *t, version_at(h, h->line.steps[i].best),
            lore_history_stated_labels(h, t->version->v.id),
            lore_line_only(&lines[h->line.steps[i].in], &none, req->arena), &reading};
    }
    if (status == LORE_OK)
        status = lore_history_read_sweeps(req->db, req->vars[0], h, req->arena, err);
    if (status != LORE_OK)
        return status;
    x.baseline = version_at(h, h->line.baseline);
    x.champion = version_at(h, h->line.champion);
    return lore_reply_reading(resp, &lore_history_object, &x, &reading, err);
}
