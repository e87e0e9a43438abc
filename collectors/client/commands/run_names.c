/* Operators and techniques may have new names, so an unknown one is no error. A new name that
 * nearly equals a known one is probably a typing error, which would be stored as a thing of its
 * own. The run goes on after a warning. */
#include <string.h>
#include <unistd.h>

#include "collectors/client/ask/ask.h"
#include "collectors/client/commands/run_cmd.h"
#include "collectors/client/screen/print.h"
#include "service/base/text.h"
#include "service/base/ulid.h"
#include "service/catalogue/catalogue.h"
#include "service/catalogue/words.h"

static void
technique(struct lore_run_job *j, const char *option, const char *said)
{
    const char *name = lore_strndup(j->cli->arena, said, strcspn(said, "{"));
    const char *near[LORE_WORDS_NEAREST];

    if (!lore_words_name(name) && lore_words_nearest(name, near) > 0)
        lore_run_message(j, "--%s: %s is new here; did you mean %s?", option, name, near[0]);
}

void
lore_run_names(struct lore_run_job *j)
{
    const struct lore_run_options *w = &j->c.what;
    const char *near[LORE_WORDS_NEAREST];

    if (w->op && !w->family && /* --family confirms that the name is new */
        !lore_operator_find(w->op) && lore_operators_nearest(w->op, near) > 0)
        lore_run_message(j,
            "--operator: %s is new here; did you mean %s? (--family NAME confirms it)", w->op,
            near[0]);
    for (size_t i = 0; i < w->techniques.n; i++)
        technique(j, "technique", w->techniques.v[i]);
    if (w->ablates)
        technique(j, "ablates", w->ablates);
}

void
lore_run_parent(struct lore_run_job *j)
{
    struct lore_run_options *w = &j->c.what;
    const char *kernel = w->kernel ? w->kernel : w->op, *text = w->parent;
    struct lore_query q;

    if (!text || lore_ulid_valid(text) || access(text, F_OK) == 0)
        return;
    if (!strchr(text, ':') && kernel)
        text = lore_format(j->cli->arena, "%s:%s", kernel, text);
    lore_query_start(&q, "/api/v1/versions");
    lore_query_segment(&q, text);
    const char *id = lore_answer_text(lore_run_ask(j, q.path.data, NULL), "id");
    lore_buf_free(&q.path);
    if (id)
        w->parent = id;
}
