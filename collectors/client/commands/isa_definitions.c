/* Asks the service for the definitions of a technique and runs their patterns here, where the
 * listing is. The results of imported patterns are shown and never recorded. Many patterns use PTX
 * spelling, which machine code never has; a recorded "missing" would wrongly mean that the
 * implementation failed. */
#include "collectors/client/commands/isa_definitions.h"

#include <string.h>

#include "collectors/client/screen/print.h"
#include "service/base/text.h"
#include "service/catalogue/catalogue.h"

static enum lore_isa_target
target_of(const char *name)
{
    for (int t = LORE_ISA_SASS; t < LORE_ISA_TARGET_COUNT; t++)
        if (lore_streq(name, lore_isa_target_name((enum lore_isa_target)t)))
            return (enum lore_isa_target)t;
    return LORE_ISA_NONE;
}

/* A pattern that is not a text becomes "", which the check refuses; so no pattern is dropped in
 * silence. */
static void
read_patterns(struct lore_cli *cli, const struct lore_json *list, struct lore_isa_imported *out)
{
    const char **v = NULL;
    size_t n = 0, cap = 0;

    for (const struct lore_json *p = list != NULL ? list->child : NULL; p != NULL; p = p->next)
        *LORE_PUSH(cli->arena, v, n, cap) = p->type == LORE_J_STRING ? p->str : "";
    out->patterns = v;
    out->n = n;
}

static const char *
name_of(struct lore_cli *cli, const struct lore_json *definition)
{
    const char *slug = lore_answer_text(definition, "slug"),
               *title = lore_answer_text(definition, "title");
    const char *system = lore_answer_text(lore_json_get(definition, "provenance"), "system");

    slug = slug != NULL ? slug : title != NULL ? title : "a definition";
    return system ? lore_format(cli->arena, "%s: %s", system, slug) : slug;
}

static void
check_definition(struct lore_cli *cli, const struct lore_isa_request *q,
    const struct lore_json *definition, struct lore_definition_checks *out)
{
    const struct lore_json *list = lore_json_get(definition, "signatures");

    for (const struct lore_json *s = list != NULL ? list->child : NULL; s != NULL; s = s->next) {
        struct lore_definition_check *c = LORE_PUSH(cli->arena, out->v, out->n, out->cap);
        struct lore_isa_imported signature = {.technique = q->technique,
            .target = target_of(lore_answer_text(s, "target")),
            .all = lore_streq(lore_answer_text(s, "require"), "all")};
        double min;

        if (lore_answer_number(s, "min_count", &min) && min >= 1 && min < 1e9)
            signature.min_count = (int64_t)min;
        read_patterns(cli, lore_json_get(s, "patterns"), &signature);
        *c = (struct lore_definition_check){.name = name_of(cli, definition)};
        lore_isa_check_imported(q, &signature, cli->arena, &c->check);
    }
}

int
lore_command_definitions_check(
    struct lore_cli *cli, const struct lore_isa_request *q, struct lore_definition_checks *out)
{
    struct lore_json *root = NULL;
    const struct lore_json *list;
    struct lore_query query;
    int code;

    lore_query_start(&query, "/api/v1/techniques");
    lore_query_segment(&query, lore_technique_slug(cli->arena, q->technique));
    code = lore_cli_fetch(cli, &query, true, &root);
    if (code != LORE_EXIT_OK)
        return code == LORE_EXIT_NO ? LORE_EXIT_OK : code;
    list = lore_json_get(root, "definitions");
    for (const struct lore_json *d = list != NULL ? list->child : NULL; d != NULL; d = d->next)
        check_definition(cli, q, d, out);
    return LORE_EXIT_OK;
}
