/* The end of a run: writes a submission to disk, then tries once to deliver it. An undelivered
 * submission waits in the spool and is no failure. */
#include <inttypes.h>
#include <string.h>

#include "collectors/client/commands/profile_text.h"
#include "collectors/client/commands/run_cmd.h"
#include "collectors/client/screen/print.h"
#include "collectors/upload/upload.h"
#include "service/base/file.h"
#include "service/base/text.h"
#include "service/wire/build.h"

enum { DRAIN_MS = 3000 };

/* Print that nothing was measured or that the check did not pass, for the program's log. */
static void
print_result(struct lore_run_job *j, const struct lore_submission *doc)
{
    const struct lore_run *run = doc->n_runs ? &doc->runs[0] : NULL;
    enum lore_check check = j->c.correctness.status;
    bool printed = false; /* print_problems prints it */

    for (size_t i = 0; i < j->c.trace.n_states; i++)
        printed = printed || j->c.trace.states[i].code != LORE_CAP_ATTACHED;
    if (run && run->error.set && lore_streq(run->error.stage, "capture") && !printed)
        lore_run_message(j, "nothing was measured: %s", run->error.message);
    if (j->c.correctness.set && check != LORE_C_PASS)
        lore_run_message(j, "%s", lore_collect_check_text(&j->c.correctness, j->cli->arena));
}

/* Print problems that a user must know even without a terminal. */
static void
print_problems(struct lore_run_job *j)
{
    const struct lore_trace *t = &j->c.trace;
    uint64_t lost = t->loss.dropped + t->loss.bad + t->loss.no_memory + t->loss.write_failed;

    if (lost > 0)
        lore_run_message(j, "%" PRIu64 " records were lost; the run's record counts them", lost);
    for (size_t i = 0; i < t->problems.n; i++)
        lore_run_message(j, "capture: %s", t->problems.v[i]);
    for (size_t i = 0; i < t->n_states; i++) {
        const struct lore_trace_state *s = &t->states[i];
        const char *text = s->text ? s->text : "";
        if (s->code == LORE_CAP_OTHER_PROFILER || s->code == LORE_CAP_REPLACED)
            lore_run_message(j, "process %" PRIu32 ": another profiler %s%s%s", s->pid,
                s->code == LORE_CAP_REPLACED ? "replaced the capture library while the program ran"
                                             : "is attached: the process was not watched",
                *text ? ": " : "", text);
        else if (s->code == LORE_CAP_VENDOR_TOO_OLD || s->code == LORE_CAP_VENDOR_MISSING ||
                 s->code == LORE_CAP_VENDOR_ERROR)
            lore_run_message(j, "process %" PRIu32 " was not watched: %s%s%s", s->pid,
                s->code == LORE_CAP_VENDOR_TOO_OLD   ? "driver or library too old"
                : s->code == LORE_CAP_VENDOR_MISSING ? "the vendor's library was not found"
                                                     : "the vendor's library refused",
                *text ? ": " : "", text);
    }
    for (size_t i = 0; i < j->c.counters.n_states; i++) {
        const struct lore_trace_state *s = &j->c.counters.states[i];
        if (s->code == LORE_CAP_PERMISSION)
            lore_run_message(
                j, "counters: permission denied%s%s", s->text ? ": " : "", s->text ? s->text : "");
        else if (s->code == LORE_CAP_VENDOR_TOO_OLD)
            lore_run_message(j, "counters: %s", s->text ? s->text : "the library is too old");
    }
}

static void
print_summary(struct lore_run_job *j, const struct lore_submission *doc)
{
    struct lore_buf text = {0};

    if (j->quiet)
        return;
    if (j->terminal || j->verbose) {
        if (doc->n_profiles > 0)
            lore_profile_print(j->cli, &doc->profiles[0], LORE_PROFILE_SHOWN, &j->cli->err);
        lore_collect_summary(&j->c, doc, j->cli->arena, &text);
        lore_buf_add(&j->cli->err, text.data, text.len);
        lore_buf_free(&text);
    } else {
        print_problems(j);
        print_result(j, doc);
        if (doc->n_profiles > 0)
            lore_run_message(
                j, "one profile of the program: warplore profile %s", doc->profiles[0].id);
    }
    lore_run_metrics_report(j);
}

static void
print_delivery(struct lore_run_job *j, struct lore_outbox *box, enum lore_status status,
    const struct lore_upload_result *r, const struct lore_err *err)
{
    struct lore_spool_stats stats = {0};
    struct lore_err ignored;
    const char *why = status != LORE_OK && !r->alarm ? err->msg : NULL;

    if (r->refused > 0)
        lore_run_message(j, "the service refused %s: %s (warplore agent status)",
            lore_answer_show_count(j->cli, (long long)r->refused, "record", "records"), r->refusal);
    if (r->alarm && status != LORE_OK)
        lore_run_message(j, "the service refused our credentials: %s%s", err->msg,
            " (WARPLORE_TOKEN, or warplore agent enroll)");
    if (status == LORE_OK && r->empty) {
        if (j->terminal || j->verbose)
            lore_run_message(j, "delivered to %s", j->cli->config.url);
        return;
    }
    if (lore_spool_stats(lore_outbox_spool(box), &stats, &ignored) == LORE_OK && stats.waiting > 0)
        lore_run_message(j, "kept in the spool, %" PRIu64 " waiting%s%s%s%s%s", stats.waiting,
            why ? ": " : "", why ? why : "", why && err->hint[0] ? " (" : "", why ? err->hint : "",
            why && err->hint[0] ? ")" : "");
}

static void
deliver(struct lore_run_job *j, struct lore_outbox *box)
{
    struct lore_upload_options options = {.url = j->cli->config.url,
        .token = j->cli->config.token,
        .project = j->cli->config.project,
        .limit_ms = DRAIN_MS};
    struct lore_upload_result result = {0};
    struct lore_err err = {0};

    enum lore_status status = lore_config_may_send(options.url, &err);
    if (status == LORE_OK && j->c.backend && lore_streq(j->c.backend->name, "fake"))
        lore_run_message(j,
            "times of the fake GPU are sent to %s (--no-upload or --out FILE prevents it)",
            options.url);
    if (status == LORE_OK)
        status = lore_upload_drain(box, &options, &result, &err);
    print_delivery(j, box, status, &result, &err);
}

/* Into the spool; the document is on disk when this returns true. */
static bool
spool(struct lore_run_job *j, const struct lore_buf *body, struct lore_outbox **box)
{
    struct lore_err err = {0};

    enum lore_status status = lore_outbox_open(j->c.state_dir, NULL, box, &err);
    if (status == LORE_OK)
        status = lore_outbox_add(*box, body->data, body->len, NULL, &err);
    if (status == LORE_OK)
        return true;
    if (!err.hint[0])
        lore_err_hint(&err, "set WARPLORE_STATE to a writable folder, or use --out");
    lore_run_error_line(j, &err, "this run was not kept");
    return false;
}

/* Write the record to --out or to the spool; *box is the open spool. */
static bool
store(struct lore_run_job *j, const struct lore_submission *doc, const struct lore_buf *body,
    struct lore_outbox **box)
{
    struct lore_err err = {0};
    bool kept;

    if (j->out) {
        kept = lore_file_write(j->out, body->data, body->len, 0644, &err) == LORE_OK;
        if (!kept)
            lore_run_error_line(j, &err, "this run was not kept");
    } else {
        kept = spool(j, body, box);
    }
    if (kept && lore_collect_add_to_ledger(&j->c, doc, j->cli->arena, &err) != LORE_OK)
        lore_run_message(j, "later runs cannot be compared with this one: %s", err.msg);
    return kept;
}

/* Print why nothing was recorded: no device, another profiler's library, or no kernel. */
static void
keep_nothing(struct lore_run_job *j)
{
    struct lore_err err = {0};
    enum lore_status status = lore_fail(&err, LORE_NOTFOUND, "%s",
        j->c.no_device           ? j->c.no_device
        : j->c.app.other_library ? "nothing was watched"
                                 : "no kernel was seen");

    if (!j->quiet)
        print_problems(j);
    if (j->c.no_device)
        lore_err_hint(&err, "warplore doctor says what is missing");
    if (status != LORE_OK)
        lore_run_error_line(j, &err, "nothing was recorded");
}

static void
keep(struct lore_run_job *j, const struct lore_submission *doc, const struct lore_buf *body)
{
    struct lore_outbox *box = NULL;

    const struct lore_failure *error = doc->n_runs ? &doc->runs[0].error : &doc->profiles[0].error;
    bool stored = store(j, doc, body, &box);
    if (error->set && lore_streq(error->stage, "capture"))
        j->trouble = true; /* a record without a measurement fails --strict */
    print_summary(j, doc);
    if (stored && box && !j->no_upload)
        deliver(j, box);
    lore_outbox_close(box);
}

void
lore_run_keep(struct lore_run_job *j)
{
    struct lore_buf body = {.max = LORE_WIRE_SENT};
    struct lore_submission doc = {0};
    struct lore_err err = {0};

    enum lore_status status = lore_collect(&j->c, j->cli->arena, &doc, &err);
    bool some = status == LORE_OK && doc.n_runs + doc.n_profiles > 0 && j->c.host;
    if (some)
        status = lore_build_encode(&doc, &body, &err);
    if (status != LORE_OK)
        lore_run_error_line(j, &err, "this run was not kept");
    else if (some)
        keep(j, &doc, &body);
    else
        keep_nothing(j);
    lore_buf_free(&body);
}
