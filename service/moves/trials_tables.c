/* Makes, grows and frees the tables of trials. */
#include "service/moves/trials_tables.h"

#include <string.h>

#include "service/base/xalloc.h"
#include "service/moves/trials.h"

#define MODEL_MAX ((size_t)16 << 30)

struct lore_trials *
lore_trials_new(void)
{
    struct lore_trials *t = lore_xalloc(sizeof *t);

    t->arena.limit = MODEL_MAX;
    t->moves = lore_moves_new(&t->arena);
    return t;
}

void
lore_trials_free(struct lore_trials *t)
{
    if (!t)
        return;
    lore_arena_free(&t->arena);
    lore_intern_free(&t->names);
    lore_xfree(t->version);
    lore_xfree(t->version_slot);
    lore_xfree(t->first_version);
    lore_xfree(t->languages);
    lore_xfree(t->run);
    lore_xfree(t->spot);
    lore_xfree(t->spot_slot);
    lore_xfree(t->first_spot);
    lore_xfree(t->place);
    lore_intern_free(&t->kinds.names);
    lore_xfree(t->kinds.place);
    lore_xfree(t->kinds.work);
    lore_xfree(t->kinds.mask);
    lore_xfree(t->kinds.tally);
    lore_xfree(t->sweep);
    lore_xfree(t->config);
    lore_xfree(t->called);
    lore_xfree(t);
}

size_t
lore_trials_size(const struct lore_trials *t)
{
    return t->n_versions + t->n_runs;
}

struct lore_moves *
lore_trials_model(struct lore_trials *t)
{
    return t->moves;
}

void *
lore_trials_room(void *v, size_t at, size_t *cap, size_t size, int byte)
{
    size_t was = *cap;

    if (at < was)
        return v;
    *cap = at + at / 2 + 64;
    v = lore_xrealloc(v, *cap * size);
    memset((char *)v + was * size, byte, (*cap - was) * size);
    return v;
}
