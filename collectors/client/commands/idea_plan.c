/* Asks the service about a plan, and reads the warning from its answer (idea_plan.h). */
#include "collectors/client/commands/idea_plan.h"

#include <string.h>

#include "collectors/client/ask/ask.h"
#include "collectors/client/screen/print.h"
#include "collectors/client/screen/rows.h"
#include "service/base/text.h"

enum { TEXT_MAX = 1000 };

/* A text's first part, cut between characters. */
static const char *
cut(struct lore_arena *arena, const char *text)
{
    size_t n = text ? strlen(text) : 0;

    return n <= TEXT_MAX ? text : lore_strndup(arena, text, lore_utf8_prefix(text, TEXT_MAX));
}

void
lore_idea_query(struct lore_cli *cli, const struct lore_idea_plan *plan, struct lore_query *q)
{
    lore_query_start(q, "/api/v1/check-idea");
    lore_query_add(q, "text", cut(cli->arena, plan->text));
    lore_query_add(q, "technique", plan->techniques);
    lore_query_add(q, "params", plan->params);
    lore_query_add(q, "kernel", plan->kernel);
    lore_query_add(q, "operator", plan->op);
    lore_query_add(q, "chip", plan->chip);
    lore_query_add(q, "workload", plan->workload);
    lore_query_add(q, "dims", plan->dims);
    lore_query_add(q, "dtype", plan->dtype);
    lore_query_add(q, "from", plan->from);
}

const char *
lore_idea_option(struct lore_cli *cli, const struct lore_args *args, const char *option)
{
    const char *all = NULL, *one;
    size_t at = 0;

    while ((one = lore_args_next(args, option, &at)))
        all = lore_format(cli->arena, "%s%s%s", all ? all : "", all ? "," : "", one);
    return all;
}

const char *
lore_idea_cite(struct lore_cli *cli, const struct lore_json *attempt)
{
    const char *kernel = lore_answer_text(attempt, "kernel"),
               *label = lore_answer_text(attempt, "label"),
               *id = lore_answer_text(attempt, "experiment");

    return lore_print_clean(cli, kernel && label && !strchr(kernel, ' ')
                                     ? lore_format(cli->arena, "%s:%s", kernel, label)
                                     : (id ? id : "?"));
}

const char *
lore_idea_warning(struct lore_cli *cli, const struct lore_json *root)
{
    const char *answer = lore_answer_text(root, "answer"), *why = lore_answer_text(root, "why");
    bool stop = lore_streq(answer, "stop");

    if (!why || !(stop || lore_streq(answer, "won_here")))
        return NULL;
    return lore_format(cli->arena, "%s%s (%s)",
        stop ? "" : "won here: ", lore_print_clean(cli, why),
        lore_idea_cite(cli, lore_rows_of(root)));
}

const char *
lore_idea_warn(struct lore_cli *cli, const struct lore_idea_plan *plan)
{
    struct lore_json *root = NULL;
    struct lore_query q;

    if (!(plan->text && *plan->text) && !(plan->techniques && *plan->techniques))
        return NULL;
    if (!plan->kernel && !plan->op && !plan->from)
        return NULL;
    lore_idea_query(cli, plan, &q);
    return lore_ask_quietly(cli, &q, &root) ? lore_idea_warning(cli, root) : NULL;
}
