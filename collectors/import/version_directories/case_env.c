/* Reads env_check.md: lines "- key: value", also with values of several lines, and a table of
 * requirements. Every key becomes a soft field, because a different driver version does not make
 * runs incomparable. Clocks from a profile are hard fields. The host name is stored as a hash;
 * absolute paths are cut to the file name. */
#include <string.h>

#include "collectors/import/version_directories/case_read.h"
#include "service/base/clock.h"
#include "service/base/hash.h"
#include "service/base/text.h"
#include "service/catalogue/catalogue.h"
#include "service/wire/build.h"

/* Set the chip of the case. The first named product wins; it replaces a chip that is only an
 * ISA. */
void
lore_case_set_chip(struct lore_case *c, struct lore_kvs *method, const char *key, const char *text)
{
    const struct lore_chip *chip = lore_chip_find(text);
    const struct lore_chip *have = c->chip != NULL ? lore_chip_find(c->chip) : NULL;

    if (!chip) {
        lore_import_note(
            c->in, LORE_IL_DOUBTS, "%s: unknown chip \"%s\"; kept as text", c->in->at->path, text);
        lore_case_set_text(c->in->arena, method, key, text);
        return;
    }
    if (!have || (!have->product && chip->product)) {
        c->chip = chip->name;
    } else if (strcmp(have->isa, chip->isa) != 0 || (chip->product && have != chip)) {
        lore_import_note(c->in, LORE_IL_CONFLICTS, "%s: %s, but %s elsewhere in the case",
            c->in->at->path, text, have->name);
        lore_case_set_text(c->in->arena, method, key, text);
    }
}

/* Set captured_at. The format writes local times without a zone; they are read as UTC. */
static void
set_time(struct lore_case *c, const char *value)
{
    int64_t us;
    const char *utc = lore_format(c->in->arena, "%sZ", value);

    if (lore_time_parse(value, &us, NULL) == LORE_OK) {
        c->env.captured_at = value;
    } else if (lore_time_parse(utc, &us, NULL) == LORE_OK) {
        c->env.captured_at = utc;
        lore_import_note(
            c->in, LORE_IL_NAMES, "%s: times have no zone; read as UTC", c->in->at->path);
    } else {
        lore_case_add_text(c->in->arena, &c->env.soft, "checked_at", value);
    }
}

static void
take_pair(struct lore_case *c, const char *section, const char *key, const char *value)
{
    bool is_problem = lore_streqi(section, "errors") || lore_streqi(section, "warnings");

    if (is_problem) {
        if (lore_streqi(key, "none"))
            return;
        const char *text = *value != '\0' ? lore_format(c->in->arena, "%s: %s", key, value) : key;
        lore_case_add_text(c->in->arena, &c->env.soft, lore_slug(c->in->arena, section), text);
        lore_import_note(c->in, LORE_IL_DOUBTS, "%s: %s: %s", c->in->at->path, section,
            lore_case_truncate(c->in->arena, text, 120));
        return;
    }
    if (lore_streqi(key, "checked at")) {
        set_time(c, value);
        return;
    }
    if (lore_streqi(key, "model") || lore_streqi(key, "sm"))
        lore_case_set_chip(c, &c->env.soft, lore_slug(c->in->arena, key), value);
    if (lore_streqi(key, "ready") && !lore_streqi(value, "yes"))
        lore_import_note(c->in, LORE_IL_DOUBTS, "%s: the environment was not ready (%s)",
            c->in->at->path, value);
    lore_case_add_text(c->in->arena, &c->env.soft, lore_slug(c->in->arena, key), value);
}

/* Read "- key: value" with its continuation lines. */
static void
take_lines(struct lore_case *c, const struct lore_md *md)
{
    struct lore_arena *arena = c->in->arena;

    for (size_t i = 0; i < md->n_lines; i++) {
        const struct lore_md_line *l = &md->lines[i];
        if (l->level > 0)
            continue;
        if (l->bullet == 0) {
            lore_case_keep_text(c, &c->env_rest, l->section, l->line, l->text);
            continue;
        }
        const char *text = lore_md_plain(arena, l->text), *colon = strstr(text, ": ");
        const char *key = colon ? lore_strndup(arena, text, (size_t)(colon - text)) : text;
        const char *value = colon ? colon + 2 : "";
        while (i + 1 < md->n_lines && md->lines[i + 1].bullet == 0 && md->lines[i + 1].level == 0)
            value = lore_format(arena, "%s\n%s", value, md->lines[++i].text);
        bool is_problem = lore_streqi(l->section, "errors") || lore_streqi(l->section, "warnings");
        if (*value == '\0' && !is_problem)
            lore_case_keep_text(c, &c->env_rest, l->section, l->line, l->text);
        else
            take_pair(c, l->section, key, value);
    }
}

static void
take_requirement(struct lore_case *c, const struct lore_md_table *t, const struct lore_md_row *r)
{
    struct lore_arena *arena = c->in->arena;
    bool known = lore_streqi(t->header.cells[0], "Requirement") ||
                 lore_streqi(t->header.cells[0], "Implementation");

    if (!known || r->n < 2) {
        lore_case_keep_row(c, &c->env_rest, t, r);
        return;
    }
    const char *text = r->cells[1];
    for (size_t i = 2; i < r->n; i++)
        text = lore_format(arena, "%s; %s", text, r->cells[i]);
    lore_case_set_text(arena, &c->env.soft,
        lore_format(
            arena, "%s.%s", lore_slug(arena, t->header.cells[0]), lore_slug(arena, r->cells[0])),
        text);
}

void
lore_case_read_env(struct lore_case *c)
{
    struct lore_import_file *file = lore_tree_file(c->in->tree, c->in->unit, "env_check.md");
    struct lore_md md;

    if (!file)
        return;
    c->in->records++;
    lore_import_open(c->in, file);
    if (!file->utf8) {
        lore_import_refuse_line(c->in, 0, "not UTF-8 text");
        return;
    }
    lore_md_parse(c->in->arena, file->text, file->len, NULL, &md);
    take_lines(c, &md);
    for (size_t i = 0; i < md.n_tables; i++) {
        for (size_t r = 0; r < md.tables[i].n; r++)
            take_requirement(c, &md.tables[i], &md.tables[i].rows[r]);
    }
}

/* V, or the first version with clocks when V has none: clocks are locked for the whole case. */
static const struct lore_case_version *
with_clocks(const struct lore_case *c, const struct lore_case_version *v)
{
    if (v && (v->compute_khz || v->memory_khz))
        return v;
    for (size_t i = 0; i < c->n; i++) {
        if (c->versions[i].compute_khz || c->versions[i].memory_khz)
            return &c->versions[i];
    }
    return v;
}

static void
set_clock(struct lore_arena *arena, struct lore_kvs *hard, const char *key, const char *text)
{
    double khz;

    if (!text)
        return;
    if (lore_md_number(text, &khz, NULL, NULL))
        lore_case_set_f64(arena, hard, key, khz);
    else
        lore_case_set_text(arena, hard, key, text);
}

static void
set_host(struct lore_arena *arena, struct lore_kvs *soft, const char *host)
{
    char hex[LORE_HASH_HEX];

    lore_hash_hex(host, strlen(host), hex);
    hex[16] = '\0';
    lore_case_set_text(arena, soft, "host_hash", lore_strdup(arena, hex));
}

static struct lore_kvs
copy(struct lore_arena *arena, const struct lore_kvs *from)
{
    struct lore_kvs out = {0};

    for (size_t i = 0; i < from->n; i++)
        *LORE_PUSH(arena, out.v, out.n, out.cap) = from->v[i];
    return out;
}

const char *
lore_case_add_env(struct lore_case *c, const struct lore_case_version *v)
{
    struct lore_submission *doc = c->in->doc;
    struct lore_arena *arena = c->in->arena;
    struct lore_environment env = c->env;
    const struct lore_case_version *clocks = with_clocks(c, v);
    struct lore_kvs none = {0};

    env.chip = c->chip;
    env.hard = copy(arena, &c->env.hard);
    env.soft = copy(arena, &c->env.soft);
    if (clocks) {
        set_clock(arena, &env.hard, "compute_clock_khz", clocks->compute_khz);
        set_clock(arena, &env.hard, "memory_clock_khz", clocks->memory_khz);
        if (clocks->host)
            set_host(arena, &env.soft, clocks->host);
    }
    if (env.hard.n == 0 && env.soft.n == 0)
        return NULL;
    env.extra = lore_case_extra(arena, &none, &c->env_rest);
    env.id = lore_case_derive_id(c, LORE_K_ENVIRONMENT, &env);
    for (size_t i = 0; i < doc->n_environments; i++) {
        if (strcmp(doc->environments[i].id, env.id) == 0)
            return env.id;
    }
    *LORE_PUSH(arena, doc->environments, doc->n_environments, doc->cap_environments) = env;
    return env.id;
}
