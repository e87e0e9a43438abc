/* Turns env.json, or its copy in state.json, into an environment. The device fields are hard: they
 * decide whether numbers are comparable. Tools and libraries are soft fields. Of several devices,
 * only the first is used. */
#include <string.h>

#include "collectors/import/v2_run/v2.h"
#include "service/catalogue/catalogue.h"
#include "service/wire/build.h"

/* Add the members of object TOOL to SOFT: "nvcc.version", "nvcc.path", … */
static void
take_tool(struct lore_v2 *co, struct lore_take *t, const struct lore_json *env, const char *tool,
    struct lore_kvs *soft)
{
    static const char *const keys[] = {"available", "version", "path", "include_dir", "raw",
        "can_read_counters", "note", "counter_access_error"};
    const struct lore_json *node = lore_json_get(env, tool);
    struct lore_kvs one = {0};

    if (!node || node->type != LORE_J_OBJECT)
        return;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        (void)lore_take_kv(t, node, keys[i], &one);
    for (size_t i = 0; i < one.n; i++)
        lore_kvs_set(co->in->arena, soft, lore_format(co->in->arena, "%s.%s", tool, one.v[i].key),
            one.v[i].value);
}

static void
take_device(struct lore_v2 *co, struct lore_take *t, const struct lore_json *env,
    struct lore_environment *e)
{
    static const char *const keys[] = {"name", "compute_capability", "sm_arch", "total_memory_mb"};
    const struct lore_json *list = lore_json_get(env, "gpus");
    const struct lore_json *gpu = list && list->type == LORE_J_ARRAY ? list->child : NULL;
    const struct lore_json *name = lore_json_get(gpu, "name");
    const struct lore_json *arch = lore_json_get(env, "primary_sm_arch");
    const struct lore_chip *chip = NULL;

    for (size_t i = 0; gpu && i < sizeof keys / sizeof *keys; i++)
        (void)lore_take_kv(t, gpu, keys[i], &e->hard);
    if (gpu)
        (void)lore_take_kv(t, gpu, "index", &e->soft);
    (void)lore_take_kv(t, env, "primary_sm_arch", &e->hard);
    if (list && list->len > 1)
        lore_import_note(co->in, LORE_IL_DOUBTS,
            "env.json: %u devices; the first is used, the others are in extra", list->len);
    if (name && name->type == LORE_J_STRING)
        chip = lore_chip_find(name->str);
    if (!chip && arch && arch->type == LORE_J_STRING)
        chip = lore_chip_find(arch->str);
    if (chip) {
        co->chip = e->chip = chip->name;
        lore_import_note(co->in, LORE_IL_NAMES, "%s: chip %s",
            name && name->type == LORE_J_STRING ? name->str : arch->str, chip->name);
    } else {
        lore_import_note(co->in, LORE_IL_DOUBTS, "no known device in env.json; chip unknown");
    }
}

void
lore_v2_environment(struct lore_v2 *co)
{
    static const char *const tools[] = {"nvcc", "ncu", "driver", "cutlass", "cuobjdump"};
    const struct lore_json *copy = lore_json_get(co->state, "env"), *env, *libs;
    struct lore_submission *doc = co->in->doc;
    unsigned char a[32], b[32];

    env = lore_v2_file(co, co->in->unit, "env.json");
    if (!env && copy && copy->type == LORE_J_OBJECT && copy->len > 0) {
        env = copy;
        lore_take_mark(&co->take, copy);
    }
    if (!env)
        return;
    if (copy && copy != env) {
        lore_json_digest(env, a);
        lore_json_digest(copy, b);
        if (memcmp(a, b, sizeof a) == 0)
            lore_take_mark(&co->take, copy);
        else if (copy->len > 0)
            lore_import_note(co->in, LORE_IL_CONFLICTS,
                "env.json and env of state.json differ; env.json is used, the other is in extra");
    }
    struct lore_take t = {.in = co->in};
    struct lore_environment *e =
        LORE_PUSH(co->in->arena, doc->environments, doc->n_environments, doc->cap_environments);
    e->id = lore_v2_id(co, "environment");
    take_device(co, &t, env, e);
    (void)lore_take_kv(&t, env, "platform", &e->soft);
    (void)lore_take_kv(&t, env, "python", &e->soft);
    for (size_t i = 0; i < sizeof tools / sizeof *tools; i++)
        take_tool(co, &t, env, tools[i], &e->soft);
    libs = lore_json_get(env, "libs");
    for (const struct lore_json *m = libs ? libs->child : NULL; m; m = m->next) {
        if (libs->type == LORE_J_OBJECT && strlen(m->key) < 100)
            take_tool(co, &t, libs, m->key, &e->soft);
    }
    const struct lore_named parts[] = {{"env", lore_take_rest(&t, env, "env.json")}};
    e->extra = lore_take_extra(co->in->arena, parts, 1);
    co->environment = e->id;
}
