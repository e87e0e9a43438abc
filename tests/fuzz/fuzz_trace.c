// uses: run
/* Any bytes as a capture file: reading ends, stays within the arena, and every text and number that
 * comes out can stand in a document. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "collectors/run/trace_read.h"
#include "service/base/text.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static void
must(bool true_of_every_input)
{
    if (!true_of_every_input)
        abort();
}

static void
check_group(const struct lore_trace_group *g)
{
    must(
        lore_utf8_valid(g->symbol, strlen(g->symbol)) && lore_utf8_valid(g->name, strlen(g->name)));
    must(!g->range || lore_utf8_valid(g->range, strlen(g->range)));
    must(g->n_samples <= 8 && g->n_samples <= g->launches);
    must(
        g->launches == 0 || (g->min_ns >= 0 && g->min_ns <= g->max_ns && g->max_ns <= g->total_ns));
    for (size_t i = 1; i < g->n_samples; i++)
        must(g->samples[i - 1].start_ns <= g->samples[i].start_ns);
    for (size_t i = 0; i < g->metrics.n; i++)
        must(g->metrics.v[i].missing != LORE_MISS_NONE || isfinite(g->metrics.v[i].value));
}

int
LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    struct lore_arena arena = {0};
    struct lore_trace t = {0};

    lore_trace_add(&t, "a", data, size, 8, &arena);
    lore_trace_add(&t, "b", data, size, 8, &arena); /* names and ids of one file stay its own */
    must(t.n_processes <= 2 && t.problems.n <= 64);
    for (size_t i = 0; i < t.n_groups; i++)
        check_group(&t.groups[i]);
    for (size_t i = 0; i < t.n_states; i++)
        must(!t.states[i].text || lore_utf8_valid(t.states[i].text, strlen(t.states[i].text)));
    lore_arena_free(&arena);
    return 0;
}
