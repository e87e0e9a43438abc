/* Sessions of agents that tune a kernel: a folder <language>/logs/<task>/<model> with results.tsv
 * (one row an attempt), idea-log.jsonl (the same ideas in full) and task_config.json (device,
 * model). What the session is about stands in the names of its folders. A session becomes a
 * campaign.
 *
 * Speeds are TFLOP/s. They become times where the operator's work is known, else the speedup over
 * the version before is a claim. A log that has grown can be imported again. */
#include "collectors/import/agent_logs/agent_logs.h"

#include <string.h>

#include "collectors/import/importers.h"
#include "service/base/text.h"
#include "service/catalogue/catalogue.h"
#include "service/wire/build.h"

enum { LEVELS = 4 }; /* folders above the session's that may name task and language */

static bool
starts_like_a_table(const struct lore_import_file *f)
{
    size_t n = f && f->utf8 ? strcspn(f->text, "\n") : 0;
    const char *decision = n > 0 ? strstr(f->text, "\tdecision") : NULL;

    return decision && decision < f->text + n;
}

static bool
starts_like_a_log(const struct lore_import_file *f)
{
    size_t n = f && f->utf8 ? strcspn(f->text, "\n") : 0;
    const char *idea = n > 0 && f->text[0] == '{' ? strstr(f->text, "\"idea\"") : NULL;

    return idea && idea < f->text + n;
}

bool
lore_agent_logs_detect(const struct lore_import_tree *t, const char *unit)
{
    return starts_like_a_table(lore_tree_file(t, unit, LORE_AGENT_TABLE)) ||
           starts_like_a_log(lore_tree_file(t, unit, LORE_AGENT_IDEAS));
}

/* ---- what the session is about ---- */

/* Names of the folders that hold the session, the nearest first; NULL where there are no more. */
static void
folders_of(const struct lore_import *in, const char *out[LEVELS])
{
    const char *above = in->tree->above ? in->tree->above : in->tree->name;
    const char *path = lore_format(in->arena, "%s/%s", above, in->unit);
    size_t n = strlen(path), found = 0;

    memset(out, 0, LEVELS * sizeof *out);
    while (n > 0 && found < LEVELS) {
        size_t end = n;
        while (n > 0 && path[n - 1] != '/')
            n--;
        const char *name = lore_strndup(in->arena, path + n, end - n);
        if (*name && strcmp(name, "logs") != 0)
            out[found++] = name;
        n -= n > 0;
    }
}

/* The task, from the nearest folder whose name has dims; *level is its place. Without one the
 * nearest folder names the operator. */
static struct lore_agent_task
find_task(const struct lore_agent_session *s, const char *const folder[LEVELS], size_t *level)
{
    struct lore_arena *arena = s->in->arena;
    const struct lore_json *key = lore_json_get(s->config, "shape_key");
    struct lore_agent_task t = {0};

    for (*level = 0; !t.op && *level < LEVELS && folder[*level]; ++*level)
        t = lore_agent_task_read(arena, folder[*level]);
    if (t.op) {
        --*level;
        return t;
    }
    *level = 0;
    if (key && key->type == LORE_J_STRING)
        t = lore_agent_task_read(arena, key->str);
    if (!t.op)
        t.op = lore_operator_name(arena, folder[0] ? folder[0] : "");
    if (!*t.op)
        t.op = LORE_UNCLASSIFIED;
    return t;
}

static enum lore_language
find_language(struct lore_agent_session *s, const char *const folder[LEVELS])
{
    const char *name = NULL;
    enum lore_language language = LORE_LANG_NONE;

    if (lore_take_text(&s->take, s->config, "dsl", LORE_TAKE_NAME, &name))
        language = lore_language_find(name);
    for (size_t i = 0; language == LORE_LANG_NONE && i < LEVELS && folder[i]; i++)
        language = lore_language_find(folder[i]);
    if (language != LORE_LANG_NONE)
        return language;
    lore_import_note(
        s->in, LORE_IL_NAMES, "%s: no folder names a language: language other", s->name);
    return LORE_LANG_OTHER;
}

static const char *
find_chip(struct lore_agent_session *s)
{
    const char *device = NULL;
    const struct lore_chip *chip = NULL;

    if (lore_take_text(&s->take, s->config, "device", LORE_TAKE_NAME, &device))
        chip = lore_chip_find(device);
    if (chip)
        return chip->name;
    lore_import_note(s->in, LORE_IL_DOUBTS, "%s: %s%s", s->name,
        device ? lore_format(s->in->arena, "device \"%s\" is not known", device) : "no device",
        s->in->chip ? "; --chip is used" : "; name it with --chip");
    return s->in->chip;
}

static void
find_names(struct lore_agent_session *s)
{
    const char *folder[LEVELS];
    size_t level;

    folders_of(s->in, folder);
    s->task = find_task(s, folder, &level);
    s->name = folder[level] ? folder[level] : s->task.op;
    for (size_t i = level; i > 0; i--)
        s->name = lore_format(s->in->arena, "%s/%s", s->name, folder[i - 1]);
    if (strlen(s->name) > LORE_TAKE_NAME)
        s->name = s->task.op;
    s->language = find_language(s, folder);
    s->chip = find_chip(s);
    s->author = NULL;
    (void)lore_take_text(&s->take, s->config, "model", LORE_TAKE_NAME, &s->author);
    lore_import_note(s->in, LORE_IL_NAMES, "%s: operator %s, language %s", s->name, s->task.op,
        lore_language_name(s->language));
    if (s->task.flops > 0)
        lore_import_note(s->in, LORE_IL_NAMES, "%s: times are 2 x the dims / TFLOPS", s->name);
    else
        lore_import_note(s->in, LORE_IL_DOUBTS,
            "%s: the work of %s is not known, so there are speedups and no times", s->name,
            s->task.op);
}

/* ---- the campaign ---- */

/* Only what stays as it is while the session runs, so that the campaign's record does not change.
 */
static void
add_campaign(struct lore_agent_session *s, const struct lore_agent_attempts *all)
{
    static const char *const settled[] = {"task_id", "task_uid", "shape_key", "variant",
        "agent_type", "mode", "device", "model", "dsl", "baseline_name", "baseline_source",
        "request_budget"};
    struct lore_import *in = s->in;
    struct lore_submission *doc = in->doc;
    struct lore_campaign *c =
        LORE_PUSH(in->arena, doc->campaigns, doc->n_campaigns, doc->cap_campaigns);
    struct lore_take config = {.in = in};

    c->id = s->campaign;
    c->label = s->name;
    c->kernel = s->kernel;
    c->chip = s->chip;
    c->workload = (struct lore_workload){
        .op = s->task.op, .dims = s->task.dims, .dtype = s->task.dtype, .set = s->task.dims.n > 0};
    c->author = s->author;
    c->started_at = all->v[0].ms > 0 ? all->v[0].when : NULL;
    (void)lore_take_count(&config, s->config, "max_iterations", &c->iterations);
    for (size_t i = 0; i < sizeof settled / sizeof *settled; i++)
        (void)lore_take_kv(&config, s->config, settled[i], &c->config);
    if (s->task.accumulate)
        lore_kvs_set(in->arena, &c->config, "accumulate",
            lore_build_json_text(in->arena, s->task.accumulate));
    c->provenance.system = LORE_AGENT_SYSTEM;
    if (s->config)
        lore_import_note(in, LORE_IL_EXTRA,
            "task_config.json: members that change while a session runs are in the stored file "
            "only");
}

enum lore_status
lore_agent_logs_read(struct lore_import *in, struct lore_err *err)
{
    struct lore_agent_session s = {.in = in, .take = {.in = in}};
    struct lore_import_file *table = lore_tree_file(in->tree, in->unit, LORE_AGENT_TABLE);
    struct lore_import_file *ideas = lore_tree_file(in->tree, in->unit, LORE_AGENT_IDEAS);
    struct lore_import_file *config = lore_tree_file(in->tree, in->unit, "task_config.json");
    struct lore_agent_attempts all;

    if (!table && !ideas)
        return lore_fail(
            err, LORE_INVALID, "neither %s nor %s", LORE_AGENT_TABLE, LORE_AGENT_IDEAS);
    if (config) {
        lore_import_open(in, config);
        s.config = lore_import_json(config);
    }
    find_names(&s);
    lore_agent_rows_read(&s.take, table, ideas, &all);
    if (all.n == 0)
        return lore_fail(err, LORE_INVALID, "no attempt can be read");
    s.kernel = lore_build_kernel(in->arena, in->doc, s.task.op, s.language, s.name);
    s.campaign =
        lore_build_id(in->arena, 0, "agent-logs-campaign|%s|%s", s.kernel, s.chip ? s.chip : "");
    add_campaign(&s, &all);
    lore_agent_map(&s, &all);
    return LORE_OK;
}
