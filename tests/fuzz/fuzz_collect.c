// uses: run
/* Any bytes as what a capture library left behind: whatever comes of them is a document that the
 * service can read, with and without an operator, and a story in UTF-8. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collectors/run/collect.h"
#include "collectors/run/trace_read.h"
#include "service/base/text.h"
#include "service/wire/wire.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static void
must(bool true_of_every_input, const char *why)
{
    if (true_of_every_input)
        return;
    fprintf(stderr, "%s\n", why);
    abort();
}

static void
collect(struct lore_observations *c, struct lore_arena *arena)
{
    struct lore_submission doc, again;
    struct lore_buf text = {.max = LORE_WIRE_MAX_BYTES}, story = {0};
    struct lore_json *root = NULL;
    struct lore_err err = {0};
    struct lore_jsonw w;

    must(lore_collect(c, arena, &doc, &err) == LORE_OK, err.msg);
    lore_jsonw_begin(&w, &text, false);
    lore_wire_encode(&w, &doc);
    must(lore_jsonw_end(&w, &err) == LORE_OK, err.msg);
    must(lore_json_parse(text.data, text.len, &lore_wire_limits, arena, &root, &err) == LORE_OK,
        err.msg);
    must(lore_wire_decode(root, arena, &again, &err) == LORE_OK, err.msg);
    must(again.n_runs == doc.n_runs && again.n_profiles == doc.n_profiles, "records were lost");
    lore_collect_summary(c, &doc, arena, &story);
    must(lore_utf8_valid(story.data, story.len), "the story is no text");
    lore_buf_free(&text);
    lore_buf_free(&story);
}

int
LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    static char *argv[] = {"./no-such-program", NULL};
    struct lore_arena arena = {0};
    struct lore_observations c = {.argv = argv,
        .state_dir = "/nonexistent/warplore",
        .counters_asked = "sm__cycles_active.sum,none.sum"};

    lore_trace_add(&c.trace, "a", data, size, 8, &arena);
    lore_trace_add(&c.trace, "b", data, size / 2, 64, &arena);
    lore_trace_add(&c.counters, "c", data, size, 8, &arena);
    collect(&c, &arena);
    c.what.op = "softmax";
    c.what.warmup = 2;
    collect(&c, &arena);
    c.what.iterations = 3;
    c.app.exit_status = 1;
    collect(&c, &arena);
    lore_arena_free(&arena);
    return 0;
}
