/* Checks the path from this host's GPUs to the service: GPU, capture library, counter permission,
 * spool and agent. Creates nothing and sends nothing. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "collectors/client/commands/doctor.h"
#include "collectors/client/screen/print.h"
#include "collectors/run/backends.h"
#include "collectors/upload/agent.h"
#include "service/base/clock.h"
#include "service/base/file.h"
#include "service/base/text.h"

enum { OLD_S = 24 * 3600, PARAMS_MAX = 64 << 10 };

static void
wrong(struct lore_doctor *d, bool gpu, const char *what, const char *detail)
{
    lore_doctor_check(d, false, what, detail);
    d->host_failed = d->host_failed || gpu;
}

/* ---- the GPU and its capture library ---- */

static void
check_gpu(struct lore_doctor *d, const struct lore_host *host)
{
    struct lore_arena *a = d->cli->arena;

    for (size_t i = 0; i < host->n_devices; i++) {
        const struct lore_host_device *g = &host->devices[i];
        const char *text = lore_format(
            a, "%s (%s)", g->name ? g->name : "?", g->chip ? g->chip : "chip not known");
        if (host->driver)
            text = lore_format(a, "%s, driver %s", text, host->driver);
        if (host->cuda)
            text = lore_format(a, "%s, CUDA %s", text, host->cuda);
        if (host->hip)
            text = lore_format(a, "%s, HIP %s", text, host->hip);
        for (size_t k = 0; k < g->missing.n; k++)
            text = lore_format(a, "%s; no %s", text, g->missing.v[k]);
        lore_doctor_check(d, true, "gpu", text);
    }
}

static void
check_library(struct lore_doctor *d, const struct lore_backend *b)
{
    struct lore_arena *a = d->cli->arena;
    const char *path = NULL, *set = getenv(b->variable);
    struct lore_err err = {0};

    if (lore_backend_ready(b, a, &path, &err) != LORE_OK)
        wrong(d, true, "capture",
            lore_format(a, "%s%s%s", err.msg, err.hint[0] ? "; " : "", err.hint));
    else if (!(b->traits & LORE_BACKEND_LIST) && set && *set && !lore_streq(set, path))
        wrong(d, true, "capture",
            lore_format(a,
                "%s is set to %s: that library is used, and nothing is captured (unset it)",
                b->variable, set));
    else
        lore_doctor_check(d, true, "capture", path);
}

/* The driver decides who may read counters; root in a container may still be refused. */
static void
check_counters(struct lore_doctor *d)
{
    struct lore_buf text = {.max = PARAMS_MAX};
    bool known = lore_file_read("/proc/driver/nvidia/params", &text, NULL) == LORE_OK && text.data;
    bool admin = known && strstr(text.data, "RmProfilingAdminOnly: 1");

    lore_buf_free(&text);
    if (admin && geteuid() != 0)
        lore_doctor_check(d, false, "counters",
            "only for the administrator: --metrics needs the driver loaded with "
            "NVreg_RestrictProfilingToAdminUsers=0, or CAP_SYS_ADMIN; durations need no "
            "permission");
    else if (known)
        lore_doctor_check(d, true, "counters",
            admin ? "only for the administrator, which you are" : "for everybody");
}

/* ---- the spool and who delivers it ---- */

static void
check_spool_space(
    struct lore_doctor *d, bool gpu, const char *state, const struct lore_spool_stats *s)
{
    struct lore_arena *a = d->cli->arena;
    struct statvfs fs;
    uint64_t free_mib = UINT64_MAX;
    char since[LORE_TIME_SIZE] = "";
    bool old = s->waiting > 0 && lore_now_us() - s->oldest_us > OLD_S * INT64_C(1000000);

    if (statvfs(state, &fs) == 0)
        free_mib = ((uint64_t)fs.f_bavail * fs.f_frsize) >> 20;
    lore_time_format(s->oldest_us, since);
    const char *text = s->waiting == 0 ? lore_format(a, "nothing waits in %s", state)
                                       : lore_format(a, "%s, the oldest since %s, in %s",
                                             lore_answer_show_count(d->cli, (long long)s->waiting,
                                                 "record waits", "records wait"),
                                             since, state);
    if (old)
        text = lore_format(a, "%s: no agent delivers them (warplore agent run)", text);
    if (free_mib < LORE_SPOOL_FREE_MIB)
        wrong(d, gpu, "spool",
            lore_format(a,
                "the disk of %s has %" PRIu64 " MiB left: runs are not stored (free some space)",
                state, free_mib));
    if (old)
        wrong(d, gpu, "spool", text);
    else
        lore_doctor_check(d, true, "spool", text);
    if (s->dead + s->damaged > 0)
        wrong(d, gpu, "spool",
            lore_format(a,
                "%" PRIu64 " refused, %" PRIu64 " damaged (warplore agent status says why)",
                s->dead, s->damaged));
}

static void
check_spool(struct lore_doctor *d, bool gpu, const char *state)
{
    struct lore_spool_stats stats = {0};
    struct lore_outbox *box = NULL;
    struct lore_err err = {0};

    if (access(lore_format(d->cli->arena, "%s/spool", state), F_OK) != 0) {
        lore_doctor_check(
            d, true, "spool", lore_format(d->cli->arena, "nothing was collected in %s yet", state));
        return;
    }
    enum lore_status status = lore_outbox_open(state, NULL, &box, &err);
    if (status == LORE_OK)
        status = lore_spool_stats(lore_outbox_spool(box), &stats, &err);
    lore_outbox_close(box);
    if (status == LORE_OK)
        check_spool_space(d, gpu, state, &stats);
    else
        wrong(d, gpu, "spool", err.msg);
}

/* The error that the last delivery noted; NULL: it succeeded, or there was none. */
static const char *
last_error(struct lore_doctor *d, const char *state)
{
    const char *path = lore_format(d->cli->arena, "%s/status.json", state);
    struct lore_buf text = {.max = PARAMS_MAX};
    struct lore_json *note = NULL;
    const char *error = NULL;

    if (lore_file_read(path, &text, NULL) == LORE_OK &&
        lore_json_parse(text.data ? text.data : "", text.len, NULL, d->cli->arena, &note, NULL) ==
            LORE_OK)
        error = lore_answer_text(note, "error");
    if (error)
        error = lore_format(
            d->cli->arena, "the last delivery, %s: %s", lore_answer_text(note, "at"), error);
    lore_buf_free(&text);
    return error;
}

static void
check_agent(struct lore_doctor *d, bool gpu, const char *state)
{
    struct lore_arena *a = d->cli->arena;
    struct lore_upload_identity who;
    struct lore_err err = {0};
    const char *error = last_error(d, state);

    enum lore_status status = lore_identity_load(state, a, &who, &err);
    if (status == LORE_OK)
        lore_doctor_check(
            d, true, "agent", lore_format(a, "%s, enrolled at %s", who.label, who.url));
    else if (status == LORE_NOTFOUND && d->cli->config.token)
        lore_doctor_check(d, true, "agent", "not enrolled: records are sent with the token");
    else if (status == LORE_NOTFOUND)
        wrong(d, gpu, "agent",
            "not enrolled and no token: records wait (warplore agent enroll, or WARPLORE_TOKEN)");
    else
        wrong(d, gpu, "agent", err.msg);
    if (error)
        wrong(d, gpu, "delivery", error);
}

void
lore_doctor_host(struct lore_doctor *d)
{
    const char *none, *state = lore_outbox_dir(d->cli->arena);
    struct lore_host host;
    const struct lore_backend *b = lore_backend_probe(NULL, d->cli->arena, &host, &none);

    if (!b) {
        lore_doctor_check(d, true, "gpu",
            lore_format(d->cli->arena, "none here, so `run` records nothing (%s)", none));
    } else {
        check_gpu(d, &host);
        check_library(d, b);
        if (lore_streq(b->vendor, "nvidia"))
            check_counters(d);
    }
    if (!b && access(state, F_OK) != 0)
        return; /* a machine that collects nothing */
    check_spool(d, b != NULL, state);
    check_agent(d, b != NULL, state);
}
