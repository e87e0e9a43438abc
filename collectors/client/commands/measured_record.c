/* Collects the warm-up process of each side as `warplore run` collects a program. Then samples,
 * method and the experiment's runs are replaced by those of the whole comparison. */
#include "collectors/client/commands/measured_record.h"

#include <math.h>
#include <string.h>

#include "collectors/client/commands/run_cmd.h"
#include "collectors/run/collect.h"
#include "collectors/upload/upload.h"
#include "service/base/file.h"
#include "service/base/jsonw.h"
#include "service/base/text.h"
#include "service/wire/build.h"
#include "service/wire/wire.h"

enum { DELIVER_MS = 3000 };

/* --- options --- */

static int
needs(struct lore_cli *cli, const char *what)
{
    return lore_cli_say(
        cli, LORE_EXIT_USAGE, "--%s: recording needs --source-a, --source-b and --operator", what);
}

/* Read the facts that both sides share, from the options and warplore.yaml of `run`. */
static int
common_what(struct lore_measured *m, const struct lore_args *args, struct lore_run_options *out)
{
    struct lore_run_job job = {.cli = m->cli, .args = args};
    struct lore_err err = {0};

    if (lore_run_what(&job, &err) != LORE_OK)
        return lore_cli_error(m->cli, LORE_EXIT_USAGE, &err);
    *out = job.c.what;
    out->version_files = (struct lore_texts){0};
    out->parent = out->ablates = NULL;
    return LORE_EXIT_OK;
}

int
lore_recording_begin(
    struct lore_measured *m, const struct lore_args *args, struct lore_recording *r)
{
    const char *file[2] = {lore_args_get(args, "source-a"), lore_args_get(args, "source-b")};
    struct lore_arena *arena = m->cli->arena;
    struct lore_err err = {0};

    *r = (struct lore_recording){.out = lore_args_get(args, "out"),
        .no_upload = lore_args_has(args, "no-upload"),
        .wanted = file[0] && file[1]};
    if (!r->wanted && (file[0] || file[1] || r->out))
        return needs(m->cli, file[0] ? "source-a" : file[1] ? "source-b" : "out");
    if (!r->wanted)
        return LORE_EXIT_OK;
    int code = common_what(m, args, &r->what[1]);
    if (code != LORE_EXIT_OK)
        return code;
    if (!r->what[1].op)
        return needs(m->cli, "operator");
    r->what[0] = r->what[1];
    r->what[0].hypothesis = NULL;
    r->what[0].techniques = (struct lore_texts){0};
    r->what[0].summary = r->what[0].label = NULL;
    for (unsigned i = 0; i < 2; i++) {
        lore_build_text(arena, &r->what[i].version_files, file[i]);
        r->what[i].kernel_regex = m->programs.of[i].what.kernel_regex;
        r->what[i].parent = i ? file[0] : NULL;
        if (lore_collect_check(&r->what[i], arena, &err) != LORE_OK)
            return lore_cli_error(m->cli, LORE_EXIT_USAGE, &err);
    }
    return LORE_EXIT_OK;
}

/* --- the document --- */

static void
put(struct lore_arena *arena, struct lore_kvs *kvs, const char *key, const char *text)
{
    lore_kvs_set(arena, kvs, key, lore_kvs_quote(arena, text));
}

/* One process is one sample: the launches of one process say nothing about the spread between
 * processes. */
static void
put_times(const struct lore_measured *m, unsigned side, struct lore_run *run)
{
    const struct lore_abba_side *s = &m->result.side[side];
    struct lore_arena *arena = m->cli->arena;
    size_t n = m->result.pairs;

    run->samples_ns = lore_alloc_array(arena, n + 1, sizeof *run->samples_ns);
    for (size_t i = 0; i < n; i++)
        run->samples_ns[i] = (int64_t)llround(s->times_ns[i]);
    run->n_samples = run->cap_samples = n;
    run->first_ns = (struct lore_i64){0};
    run->tool = "warplore compare";
    put(arena, &run->method, "order", "ABBA");
    put(arena, &run->method, "sample", "median of one process");
    lore_kvs_set(arena, &run->method, "samples_kept", lore_format(arena, "%zu", n));
    lore_kvs_set(arena, &run->method, "processes", lore_format(arena, "%zu", n));
    lore_kvs_set(
        arena, &run->method, "dropped", lore_format(arena, "%llu", (unsigned long long)s->lost));
    put(arena, &run->method, "flags", m->result.c.drift.drifts ? "drift" : "none");
}

static const char *
extra(const struct lore_measured *m)
{
    struct lore_buf text = {0};

    lore_buf_puts(&text, "{\"comparison\":");
    lore_measured_json(m, false, &text);
    lore_buf_puts(&text, "}");
    const char *out = lore_strndup(m->cli->arena, text.data, text.len);
    lore_buf_free(&text);
    return out;
}

static enum lore_status
collect(const struct lore_measured *m, struct lore_recording *r, unsigned side, const char *parent,
    struct lore_err *err)
{
    const struct lore_abba_program *p = &m->programs.of[side];
    struct lore_submission *out = &r->side[side];

    r->c[side] = (struct lore_observations){.what = r->what[side],
        .trace = p->trace,
        .app = p->launched,
        .backend = m->programs.backend,
        .host = &m->host,
        .argv = p->argv,
        .state_dir = m->state_dir,
        .service = m->cli->config.url};
    r->c[side].what.parent = parent;
    r->c[side].what.new_experiment = true; /* a comparison always makes an experiment of its own */
    enum lore_status status = lore_collect(&r->c[side], m->cli->arena, out, err);
    if (status == LORE_OK && out->n_runs != 1)
        status = lore_fail(
            err, LORE_INVALID, "%s: %zu runs were collected, not one", p->letter, out->n_runs);
    if (status == LORE_OK)
        put_times(m, side, &out->runs[0]);
    return status;
}

/* Append the records of FROM that TO does not have yet. */
#define TAKE(list)                                                                                 \
    for (size_t i = 0; i < from->n_##list; i++) {                                                  \
        size_t k = 0;                                                                              \
        while (k < to->n_##list && !lore_streq(to->list[k].id, from->list[i].id))                  \
            k++;                                                                                   \
        if (k == to->n_##list)                                                                     \
            *LORE_PUSH(arena, to->list, to->n_##list, to->cap_##list) = from->list[i];             \
    }

static void
merge(struct lore_arena *arena, struct lore_submission *to, const struct lore_submission *from)
{
    TAKE(kernels)
    TAKE(versions)
    TAKE(environments)
    TAKE(runs)
    TAKE(hypotheses)
    TAKE(experiments)
    TAKE(verifications)
    TAKE(source_documents)
    TAKE(specs)
    TAKE(campaigns)
}

static enum lore_status
make(const struct lore_measured *m, struct lore_recording *r, struct lore_submission *out,
    struct lore_err *err)
{
    struct lore_arena *arena = m->cli->arena;

    enum lore_status status = collect(m, r, 0, NULL, err);
    if (status == LORE_OK)
        status = collect(m, r, 1, r->side[0].runs[0].version, err);
    if (status != LORE_OK)
        return status;
    if (r->side[1].n_experiments != 1)
        return lore_fail(err, LORE_INVALID, "no experiment from A to B could be made");
    struct lore_experiment *x = &r->side[1].experiments[0];
    x->runs_before = (struct lore_texts){0};
    lore_build_text(arena, &x->runs_before, r->side[0].runs[0].id);
    x->evidence = LORE_EV_CONFIRMED;
    x->extra = extra(m);
    *out = r->side[0];
    merge(arena, out, &r->side[1]);
    return LORE_OK;
}

/* Note both runs in the ledger, where later runs look for their parent's last run. Errors are
 * ignored: the later run reports the missing parent. */
static void
remember(const struct lore_measured *m, const struct lore_recording *r)
{
    struct lore_err ignored;

    for (unsigned i = 0; i < 2; i++)
        (void)!lore_collect_add_to_ledger(&r->c[i], &r->side[i], m->cli->arena, &ignored);
}

/* --- spool and delivery --- */

static const char *
deliver(struct lore_measured *m, struct lore_outbox *box)
{
    const struct lore_client_config *config = &m->cli->config;
    struct lore_upload_options options = {.url = config->url,
        .token = config->token,
        .project = config->project,
        .limit_ms = DELIVER_MS};
    struct lore_upload_result result = {0};
    struct lore_err err = {0};

    enum lore_status status = lore_config_may_send(options.url, &err);
    if (status == LORE_OK)
        status = lore_upload_drain(box, &options, &result, &err);
    if (result.refused > 0)
        return lore_format(m->cli->arena, "the service refused it: %s", result.refusal);
    if (status == LORE_OK && result.empty)
        return lore_format(m->cli->arena, "delivered to %s", config->url);
    return lore_format(
        m->cli->arena, "kept in the spool: %s", status == LORE_OK ? "waiting" : err.msg);
}

static enum lore_status
spool(struct lore_measured *m, const struct lore_recording *r, const struct lore_buf *body,
    const char **message, struct lore_err *err)
{
    struct lore_outbox *box = NULL;
    enum lore_status status = lore_outbox_open(m->state_dir, NULL, &box, err);

    if (status == LORE_OK)
        status = lore_outbox_add(box, body->data, body->len, NULL, err);
    if (status == LORE_OK)
        *message = r->no_upload ? "kept in the spool" : deliver(m, box);
    lore_outbox_close(box);
    return status;
}

int
lore_recording_keep(struct lore_measured *m, struct lore_recording *r, const char **message)
{
    struct lore_buf body = {.max = LORE_WIRE_SENT};
    struct lore_submission doc;
    struct lore_err err = {0};

    enum lore_status status = make(m, r, &doc, &err);
    if (status == LORE_OK)
        status = lore_build_encode(&doc, &body, &err);
    if (status == LORE_OK && r->out) {
        status = lore_file_write(r->out, body.data, body.len, 0644, &err);
        *message = lore_format(m->cli->arena, "written to %s", r->out);
    } else if (status == LORE_OK) {
        status = spool(m, r, &body, message, &err);
    }
    lore_buf_free(&body);
    if (status == LORE_OK) {
        remember(m, r);
        return LORE_EXIT_OK;
    }
    lore_args_err_in(&err, "this comparison was not kept");
    return lore_cli_error(m->cli, LORE_EXIT_SERVICE, &err);
}
