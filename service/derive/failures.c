/* Grouping failures (failures.h). Words are compared without case, and all numbers count as equal:
 * "line 12" equals "line 80". */
#include "service/derive/failures.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "service/base/text.h"

enum { WORDS = 6, KEY_BYTES = 160 };

struct group {
    struct lore_failure_group g;
    const char *key;
    const char **sources; /* ids of experiments, or of runs without one */
    size_t n_sources, cap_sources;
};

/* The first words of TEXT, lower case, digits as #. */
static const char *
first_words(const char *text, struct lore_arena *arena)
{
    char key[KEY_BYTES];
    size_t n = 0;
    int words = 0;
    bool between = true;

    for (const char *p = text; p != NULL && *p != '\0' && n + 2 < sizeof key; p++) {
        unsigned char c = (unsigned char)*p;

        if (isspace(c)) {
            between = true;
            continue;
        }
        if (between && words++ == WORDS)
            break;
        if (between && n > 0)
            key[n++] = ' ';
        between = false;
        if (isdigit(c) && n > 0 && key[n - 1] == '#')
            continue;
        key[n++] = isdigit(c) ? '#' : (char)tolower(c);
    }
    return n == 0 ? NULL : lore_strndup(arena, key, n);
}

static void
add(struct group *g, const struct lore_failed *f, struct lore_arena *arena)
{
    const struct lore_pitfall *p = f->p;
    const char *source = f->experiment != NULL ? f->experiment : f->run;

    g->g.count += p->count.set ? p->count.v : 1;
    g->g.message = g->g.message != NULL ? g->g.message : p->message;
    g->g.root_cause = g->g.root_cause != NULL ? g->g.root_cause : p->root_cause;
    g->g.fix = g->g.fix != NULL ? g->g.fix : p->fix;
    g->g.lesson = g->g.lesson != NULL ? g->g.lesson : p->lesson;
    g->g.run = g->g.run != NULL ? g->g.run : f->run;
    g->g.last_us = f->at_us > g->g.last_us ? f->at_us : g->g.last_us;
    for (size_t i = 0; i < g->n_sources; i++)
        if (lore_streq(g->sources[i], source))
            return;
    *LORE_PUSH(arena, g->sources, g->n_sources, g->cap_sources) = source;
    if (f->experiment && g->g.n_experiments < LORE_FAILURE_EXAMPLES)
        g->g.experiments[g->g.n_experiments++] = f->experiment;
}

static int
most_first(const void *a, const void *b)
{
    const struct lore_failure_group *x = a, *y = b;

    if (x->recurrences != y->recurrences)
        return x->recurrences < y->recurrences ? 1 : -1;
    if (x->last_us != y->last_us)
        return x->last_us < y->last_us ? 1 : -1;
    return strcmp(x->type, y->type);
}

void
lore_failures_group(const struct lore_failed *in, size_t n, struct lore_arena *arena,
    struct lore_failure_group **out, size_t *n_out)
{
    struct group *groups = NULL;
    size_t n_groups = 0, cap = 0;

    for (size_t i = 0; i < n; i++) {
        const struct lore_pitfall *p = in[i].p;
        const char *words = !p->code ? first_words(p->message, arena) : NULL;
        const char *key = lore_format(arena, "%s\n%s\n%s", p->type, p->code != NULL ? p->code : "",
            words != NULL ? words : "");
        size_t at = 0;

        while (at < n_groups && !lore_streq(groups[at].key, key))
            at++;
        if (at == n_groups)
            *LORE_PUSH(arena, groups, n_groups, cap) =
                (struct group){.key = key, .g = {.type = p->type, .code = p->code, .words = words}};
        add(&groups[at], &in[i], arena);
    }
    *out = lore_alloc_array(arena, n_groups + 1, sizeof **out);
    for (size_t i = 0; i < n_groups; i++) {
        (*out)[i] = groups[i].g;
        (*out)[i].recurrences = (int64_t)groups[i].n_sources;
    }
    if (n_groups > 1)
        qsort(*out, n_groups, sizeof **out, most_first);
    *n_out = n_groups;
}
