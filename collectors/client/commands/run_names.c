/* Operators and techniques may have new names, so an unknown one is no error. A new name that
 * nearly equals a known one is probably a typing error, which would be stored as a thing of its
 * own. The run goes on after a warning. */
#include <string.h>

#include "collectors/client/commands/run_cmd.h"
#include "service/base/text.h"
#include "service/catalogue/catalogue.h"

/* The operator nearest to S. */
static const char *
near_operator(struct lore_arena *arena, const char *s)
{
    size_t n;
    const struct lore_operator *all = lore_operators(&n);
    const char **names = lore_alloc_array(arena, n, sizeof *names);

    for (size_t i = 0; i < n; i++)
        names[i] = all[i].name;
    int at = lore_nearest(s, names, n);
    return at < 0 ? NULL : names[at];
}

static const char *
near_technique(struct lore_arena *arena, const char *s)
{
    size_t n;
    const struct lore_technique *all = lore_techniques(&n);
    const char **names = lore_alloc_array(arena, n, sizeof *names);

    for (size_t i = 0; i < n; i++)
        names[i] = all[i].slug;
    int at = lore_nearest(s, names, n);
    return at < 0 ? NULL : names[at];
}

static void
technique(struct lore_run_job *j, const char *option, const char *said)
{
    const char *name = lore_strndup(j->cli->arena, said, strcspn(said, "{"));
    const char *near = lore_technique_find(name) ? NULL : near_technique(j->cli->arena, name);

    if (near)
        lore_run_message(j, "--%s: %s is new here; did you mean %s?", option, name, near);
}

void
lore_run_names(struct lore_run_job *j)
{
    const struct lore_run_options *w = &j->c.what;
    const char *near =
        w->op && !lore_operator_find(w->op) ? near_operator(j->cli->arena, w->op) : NULL;

    if (near && !w->family) /* --family confirms that the name is new */
        lore_run_message(j,
            "--operator: %s is new here; did you mean %s? (--family NAME confirms it)", w->op,
            near);
    for (size_t i = 0; i < w->techniques.n; i++)
        technique(j, "technique", w->techniques.v[i]);
    if (w->ablates)
        technique(j, "ablates", w->ablates);
}
