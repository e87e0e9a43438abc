/* The lines of a brief about other values of what the version has (tune.h). */
#include <string.h>

#include "service/api/brief_say.h"
#include "service/api/tune.h"

enum { ROWS = 2, SEARCHING = 5 /* attempts without a gain that are worth a word */ };

/* The last attempt that tried the value; NULL: none did. */
static const char *
cited(const struct lore_tune_row *r)
{
    return r->n_tried > 0 ? r->tried[r->n_tried - 1].experiment : NULL;
}

void
lore_brief_say_tune(struct saying *s)
{
    const struct lore_start_answer *start = &s->f->x.start;
    const struct lore_searched *searched = &s->f->searched;
    size_t said = 0;

    if (searched->beyond && !s->f->x.answer.stop) /* which says it else */
        SAY(s, LORE_BRIEF_NEXT, "%.*s [%s].", (int)strlen(searched->beyond) - 1, searched->beyond,
            searched->sweep);
    for (size_t i = 0; i < start->n_tune && said < ROWS; i++) {
        const struct lore_tune_row *r = &start->tune[i];
        const char *id = cited(r), *to = r->to;

        if (!to || !r->from || r->move || r->p_win.value < LORE_LEAST_ODDS)
            continue;
        SAY(s, LORE_BRIEF_NEXT, "Another value: %s. Try %.*s; a gain is %.0f %% likely%s%s%s.",
            r->why, (int)(strlen(to) - (*to == '"' ? 2 : 0)), to + (*to == '"'),
            r->p_win.value * 100, id ? " [" : "", id ? id : "", id ? "]" : "");
        said++;
    }
}

void
lore_brief_say_since_gain(struct saying *s)
{
    const struct lore_start_answer *start = &s->f->x.start;

    if (start->tried.past && start->lineage.since_gain >= SEARCHING)
        SAY(s, LORE_BRIEF_NEXT, "%s %s. Of the attempts that came after so many, %.0f %% gained.",
            lore_brief_count(s, start->lineage.since_gain, "attempt"),
            start->lineage.gained ? "since the last gain" : "without a gain", start->p_any * 100);
}
