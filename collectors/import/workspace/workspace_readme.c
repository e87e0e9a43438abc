/* Reads README.md of a workspace, or the same sections of the legacy memory.md: bullets "key:
 * value" under known headings. Each bullet becomes a setting of the campaign. Some also define the
 * task: chip, framework, kernel, shapes, threshold. workspace_specs.c reads hardware values,
 * because it checks their sources. */
#include <string.h>

#include "collectors/import/workspace/workspace.h"
#include "service/base/hash.h"
#include "service/base/text.h"
#include "service/catalogue/catalogue.h"
#include "service/wire/build.h"

static const char *const task_sections[] = {"Target", "Execution", "Inputs", "Hard Constraints",
    "Additional Notes", "Task Context", "Tools"};

const char *
lore_workspace_field(const struct lore_workspace *at, const char *slug)
{
    const char *json = lore_kvs_get(&at->config, slug);
    return json ? lore_kvs_plain(at->in->arena, json) : NULL;
}

static bool
is_task(const char *section)
{
    for (size_t i = 0; i < sizeof task_sections / sizeof *task_sections; i++) {
        if (lore_streqi(section, task_sections[i]))
            return true;
    }
    return false;
}

static bool
is_blank_value(const char *v)
{
    size_t n = strlen(v);
    return n == 0 || (v[0] == '<' && v[n - 1] == '>');
}

/* Store a bullet "key: value". When two sections give a key different values, both are stored and a
 * conflict is noted. */
static void
take_field(struct lore_workspace *at, const struct lore_md_line *l)
{
    struct lore_arena *arena = at->in->arena;
    const char *text = lore_md_plain(arena, l->text), *colon = strchr(text, ':');
    const char *key = lore_slug(arena, l->section), *value = text;

    if (l->bullet > 0 && colon && colon - text < 60) {
        key = lore_slug(arena, lore_strndup(arena, text, (size_t)(colon - text)));
        value = colon + 1 + strspn(colon + 1, " ");
    }
    if (is_blank_value(value) || !*key)
        return;
    if (value[0] == '/' && !strchr(value, ' '))
        value = lore_build_basename(value);
    const char *before = lore_workspace_field(at, key);
    if (before && strcmp(before, value) == 0)
        return;
    if (before && colon && l->bullet > 0) {
        lore_import_note(at->in, LORE_IL_CONFLICTS,
            "%s line %zu: %s is \"%s\" here and \"%s\" above", at->in->at->path, l->line, key,
            value, before);
        key = lore_format(arena, "%s_%zu", key, l->line);
        before = NULL;
    }
    const char *all = before ? lore_format(arena, "%s\n%s", before, value) : value;
    if (strlen(all) <= LORE_TAKE_TEXT && strlen(key) <= LORE_TAKE_NAME && at->config.n < 900)
        lore_kvs_set(arena, &at->config, key, lore_kvs_quote(arena, all));
}

/* Add a stop condition such as "compute-bound target: >= 185.4 TFLOPS (90 % of …)". */
static void
take_target(struct lore_workspace *at, const struct lore_md_line *l)
{
    static const struct {
        const char *sign, *direction;
    } signs[] = {
        {">=", "up"}, {"≥", "up"}, {"<=", "down"}, {"≤", "down"}, {">", "up"}, {"<", "down"}};
    struct lore_arena *arena = at->in->arena;
    const char *text = lore_md_plain(arena, l->text), *colon = strchr(text, ':'), *rest = NULL;
    struct lore_target t = {.met = "unknown"};
    size_t n = colon ? (size_t)(colon - text) : strlen(text);

    t.metric = lore_strndup(arena, text, lore_utf8_prefix(text, n < LORE_TAKE_NAME ? n : 199));
    for (size_t i = 0; colon && i < sizeof signs / sizeof *signs; i++) {
        const char *at_sign = strstr(colon, signs[i].sign);
        if (!at_sign)
            continue;
        const char *number = at_sign + strlen(signs[i].sign);
        if (!lore_md_number(number, &t.value.v, &rest, NULL))
            break;
        t.value.set = true;
        t.direction = signs[i].direction;
        rest += strspn(rest, " ");
        size_t len = strcspn(rest, " ,;()");
        if (len > 0 && len < 40)
            t.unit = lore_strndup(arena, rest, len);
        break;
    }
    const char *all = at->goal ? lore_format(arena, "%s; %s", at->goal, text) : text;
    if (strlen(all) <= LORE_TAKE_LINE)
        at->goal = all;
    if (*t.metric && at->n_targets < 64)
        *LORE_PUSH(arena, at->targets, at->n_targets, at->cap_targets) = t;
}

/* Add a metric to watch from a line of "ISA Optimization Targets". Its threshold has no source, so
 * it is not stored as a value. */
static void
take_isa_target(struct lore_workspace *at, const struct lore_md_line *l)
{
    struct lore_arena *arena = at->in->arena;
    const struct lore_chip *chip = at->chip ? lore_chip_find(at->chip) : NULL;
    const char *text = lore_md_plain(arena, l->text);
    size_t n = strcspn(text, ":");

    lore_build_text(arena, &at->isa_targets, text);
    if (chip && !lore_streqi(l->section, chip->vendor))
        return;
    n = lore_utf8_prefix(text, n < LORE_TAKE_NAME ? n : 199);
    if (n == 0 || at->n_targets >= 64)
        return;
    struct lore_target *t = LORE_PUSH(arena, at->targets, at->n_targets, at->cap_targets);
    *t = (struct lore_target){.metric = lore_strndup(arena, text, n), .met = "unknown"};
}

static void
read_fields(struct lore_workspace *at, const struct lore_md *md)
{
    for (size_t i = 0; i < md->n_lines; i++) {
        const struct lore_md_line *l = &md->lines[i];
        if (l->level == 0 && is_task(l->section))
            take_field(at, l);
    }
}

static void
set_chip(struct lore_workspace *at)
{
    static const char *const keys[] = {
        "platform", "logical_platform", "arch", "runtime_architecture", "runtime_arch"};

    for (size_t i = 0; i < sizeof keys / sizeof *keys && !at->chip; i++) {
        const char *text = lore_workspace_field(at, keys[i]);
        const struct lore_chip *c = text ? lore_chip_find(text) : NULL;
        if (!c)
            continue;
        at->chip = c->name;
        if (strcmp(c->name, text) != 0)
            lore_import_note(at->in, LORE_IL_NAMES, "%s: chip %s", text, c->name);
    }
    if (!at->chip)
        lore_import_note(at->in, LORE_IL_DOUBTS, "README.md names no known chip; chip unknown");
}

static void
set_kernel(struct lore_workspace *at)
{
    struct lore_arena *arena = at->in->arena;
    const char *type = lore_workspace_field(at, "kernel_type"),
               *framework = lore_workspace_field(at, "framework");
    const char *demo = lore_workspace_field(at, "kernel_demo"), *name;

    name = demo ? lore_build_basename(demo) : NULL;
    if (!type)
        type = lore_workspace_field(at, "operator");
    if (!type && name)
        type = lore_strndup(arena, name, strcspn(name, "."));
    if (!type) {
        type = *at->in->unit ? lore_build_basename(at->in->unit) : at->in->tree->name;
        lore_import_note(at->in, LORE_IL_NAMES,
            "README.md names no kernel; using the name of the folder, \"%s\"", type);
    }
    at->op = lore_operator_name(arena, type);
    if (!*at->op || strlen(at->op) > 100)
        at->op = "unnamed";
    if (strcmp(at->op, type) != 0)
        lore_import_note(at->in, LORE_IL_NAMES, "%s: operator %s", type, at->op);
    at->language = framework ? lore_language_find(framework) : LORE_LANG_NONE;
    if (at->language == LORE_LANG_NONE) {
        at->language = LORE_LANG_OTHER;
        lore_import_note(at->in, LORE_IL_NAMES, "framework \"%s\": language other",
            framework ? framework : "not recorded");
    }
    if (!name || strlen(name) > LORE_TAKE_NAME)
        name = at->op;
    at->kernel = lore_build_kernel(arena, at->in->doc, at->op, at->language, name);
    at->name = lore_format(arena, "%s in %s on %s", at->op, lore_language_name(at->language),
        at->chip ? at->chip : "an unknown chip");
}

static void
set_workload(struct lore_workspace *at)
{
    const char *shapes = lore_workspace_field(at, "shapes"),
               *dtype = lore_workspace_field(at, "dtype");
    const char *limit = lore_workspace_field(at, "correctness_threshold");
    struct lore_workload *w = &at->workload;
    struct lore_kvs dims = {0};

    if (limit) {
        const char *number = limit + strcspn(limit, "0123456789.");
        if (lore_md_number(number, &at->rel_err_limit.v, NULL, NULL))
            at->rel_err_limit.set = at->rel_err_limit.v >= 0;
    }
    if (dtype && strlen(dtype) <= LORE_TAKE_NAME)
        w->dtype = dtype;
    if (shapes && lore_dims_parse(shapes, at->in->arena, &dims, NULL) == LORE_OK && dims.n > 0) {
        w->dims = dims;
    } else if (shapes) {
        lore_kvs_set(at->in->arena, &w->dims, "shapes", lore_kvs_quote(at->in->arena, shapes));
        lore_import_note(at->in, LORE_IL_EXTRA,
            "README.md: shapes \"%s\": not understood as one shape; kept as text in the workload",
            shapes);
    }
    /* the same reference and shapes are the same problem in every language */
    const char *reference = lore_workspace_field(at, "reference"),
               *demo = lore_workspace_field(at, "kernel_demo");
    const char *problem = lore_format(at->in->arena, "%s|%s|%s|%s", at->op, shapes ? shapes : "",
        reference ? reference : "", !shapes && !reference && demo ? demo : "");
    char hex[LORE_HASH_HEX];
    lore_hash_hex(problem, strlen(problem), hex);
    at->shape_set = lore_strndup(at->in->arena, hex, 8);
    w->set = w->dims.n > 0 || w->dtype;
    w->op = w->set ? at->op : NULL;
}

static void
set_context(struct lore_workspace *at)
{
    struct lore_buf b = {0};
    char hex[LORE_HASH_HEX];

    for (size_t i = 0; i < at->config.n; i++)
        lore_buf_printf(&b, "%s=%s\n", at->config.v[i].key, at->config.v[i].value);
    for (size_t i = 0; i < at->isa_targets.n; i++)
        lore_buf_printf(&b, "%s\n", at->isa_targets.v[i]);
    lore_buf_printf(&b, "%s|%s|%s", at->kernel, at->chip ? at->chip : "", at->goal ? at->goal : "");
    for (size_t i = 0; at->readme_file && i < at->readme.n_lines; i++) {
        if (lore_streqi(at->readme.lines[i].section, "hardware spec"))
            lore_buf_printf(&b, "\n%s", at->readme.lines[i].text);
    }
    lore_hash_hex(b.data ? b.data : "", b.len, hex);
    at->context = lore_strdup(at->in->arena, hex);
    at->campaign = lore_build_id(at->in->arena, 0, "workspace-campaign|%s", at->context);
    lore_buf_free(&b);
}

/* List the sections that no function reads; they are in the stored file. */
static void
list_sections(struct lore_workspace *at, const struct lore_md *md)
{
    static const char *const others[] = {"Hardware Spec", "Stop Conditions",
        "ISA Optimization Targets", "AMD", "NVIDIA", "Pitfalls", "Iteration Log"};

    for (size_t i = 0; i < md->n_lines; i++) {
        const struct lore_md_line *l = &md->lines[i];
        bool known = l->level < 2 || is_task(l->text);
        for (size_t k = 0; k < sizeof others / sizeof *others && !known; k++)
            known = lore_streqi(l->text, others[k]);
        if (!known)
            lore_import_note(at->in, LORE_IL_EXTRA, "%s: section \"%s\": kept in the stored file",
                at->in->at->path, l->text);
    }
}

void
lore_workspace_readme(struct lore_workspace *at)
{
    static const char *const names[] = {"README.md", "memory.md"};

    for (size_t i = 0; i < 2; i++) {
        struct lore_import_file *f = lore_tree_file(at->in->tree, at->in->unit, names[i]);
        struct lore_md md;
        if (!f || !f->utf8)
            continue;
        lore_import_open(at->in, f);
        lore_md_parse(at->in->arena, f->text, f->len, NULL, &md);
        read_fields(at, &md);
        list_sections(at, &md);
        if (at->readme_file)
            continue;
        at->readme_file = f;
        at->readme = md;
    }
    set_chip(at);
    set_kernel(at);
    set_workload(at);
    for (size_t i = 0; at->readme_file && i < at->readme.n_lines; i++) {
        const struct lore_md_line *l = &at->readme.lines[i];
        if (l->level > 0)
            continue;
        if (lore_streqi(l->section, "Stop Conditions"))
            take_target(at, l);
        if (l->bullet > 0 && (lore_streqi(l->section, "AMD") || lore_streqi(l->section, "NVIDIA")))
            take_isa_target(at, l);
    }
    set_context(at);
}
