/* `run` in the directory of a session records into it: operator, kernel, shape and parent are those
 * of the session, unless an option or warplore.yaml names an operator or a kernel. */
#include "collectors/client/commands/run_cmd.h"
#include "collectors/client/commands/session.h"
#include "collectors/client/screen/print.h"
#include "service/base/jsonw.h"
#include "service/base/text.h"
#include "service/wire/wire.h"

/* The champion as the service knows it now: a start of the same session answers with it. NULL when
 * the service does not answer in time. */
static const char *
ask_champion(struct lore_run_job *j, const struct lore_session *s)
{
    LORE_BUF body = {.max = 64u << 10};
    struct lore_jsonw w;

    lore_jsonw_begin(&w, &body, false);
    lore_w_obj(&w);
    lore_w_kstr(&w, "kernel", s->kernel_id);
    lore_w_kstr(&w, "chip", s->chip);
    lore_w_kstr_opt(&w, "dims", s->dims);
    lore_w_kstr_opt(&w, "dtype", s->dtype);
    lore_w_kstr(&w, "idempotency_key", s->key);
    lore_w_obj_end(&w);
    if (lore_jsonw_end(&w, NULL) != LORE_OK)
        return NULL;
    return lore_answer_text(
        lore_json_get(lore_run_ask(j, "/api/v1/sessions", &body), "champion"), "id");
}

enum lore_status
lore_run_session(struct lore_run_job *j, struct lore_err *err)
{
    struct lore_run_options *w = &j->c.what;
    struct lore_session s;
    enum lore_status status = lore_session_read(j->cli, &s, err);

    if (status == LORE_NOTFOUND)
        return LORE_OK;
    if (status != LORE_OK || w->op || w->kernel || !s.id || s.ended_at)
        return status;
    w->op = s.op;
    w->kernel = s.kernel;
    w->project = s.project;
    w->language = s.language ? lore_language_find(s.language) : w->language;
    if (!w->dtype)
        w->dtype = s.dtype;
    if (w->dims.n == 0 && s.dims)
        status = lore_dims_parse(s.dims, j->cli->arena, &w->dims, err);
    if (!w->campaign)
        w->campaign = s.id;
    if (!w->parent && w->kind == LORE_V_NONE)
        w->parent = s.head_id ? s.head_id : ask_champion(j, &s);
    if (!w->parent && w->kind == LORE_V_NONE)
        w->parent = s.champion_id;
    return status;
}
