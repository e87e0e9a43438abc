// uses: run
/* Files that a run reads beside its capture. The first byte chooses: ledger.jsonl, which other
 * processes append to (what is read is written, and read again the same), and --hypothesis-file as
 * text or as YAML (an answer has a claim, an error names the option). */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collectors/run/hypothesis_file.h"
#include "collectors/run/ledger.h"
#include "service/base/text.h"
#include "service/base/ulid.h"
#include "tests/unit/scratch.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static char dir[64], path[96];

static void
must(bool true_of_every_input)
{
    if (!true_of_every_input)
        abort();
}

static void
leave(void)
{
    scratch_drop(dir);
}

static void
put(const char *name, const void *p, size_t n)
{
    snprintf(path, sizeof path, "%s/%s", dir, name);
    int made = creat(path, 0600);
    must(made >= 0 && write(made, p, n) == (ssize_t)n);
    close(made);
}

static void
check_entry(const struct lore_ledger_entry *e)
{
    must(lore_ulid_valid(e->kernel) && lore_ulid_valid(e->version) && lore_ulid_valid(e->run));
    must(e->content && e->workload && e->hard && e->service);
}

static void
read_ledger(struct lore_arena *arena)
{
    struct lore_ledger first, again;

    must(lore_ledger_read(dir, NULL, arena, &first, NULL) == LORE_OK);
    for (size_t i = 0; i < first.n; i++)
        check_entry(&first.v[i]);
    must(lore_ledger_add(dir, first.v, first.n, NULL) == LORE_OK);
    must(lore_ledger_read(dir, NULL, arena, &again, NULL) == LORE_OK);
    /* a last line that lacked nothing but its end got it */
    must(again.n - 2 * first.n <= (first.n > 0));
    for (size_t i = 0; i < first.n; i++) {
        const struct lore_ledger_entry *a = &first.v[i], *b = &again.v[again.n - first.n + i];
        must(strcmp(a->run, b->run) == 0 && a->at_us == b->at_us);
        must(a->median_ns.set == b->median_ns.set && a->median_ns.v == b->median_ns.v);
    }
}

static void
read_hypothesis(struct lore_arena *arena)
{
    struct lore_hypothesis h;
    struct lore_err err = {0};

    if (lore_hypothesis_file_read(path, arena, &h, &err) == LORE_OK) {
        must(h.claim && *h.claim && lore_utf8_valid(h.claim, strlen(h.claim)));
        must(!h.rationale || lore_utf8_valid(h.rationale, strlen(h.rationale)));
        must(h.claimed_at && !h.id);
    } else {
        must(strcmp(err.path, "--hypothesis-file") == 0 && err.msg[0]);
        must(lore_utf8_valid(err.msg, strlen(err.msg)));
    }
}

int
LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    struct lore_arena arena = {0};

    if (size == 0)
        return 0;
    if (!dir[0]) {
        must(scratch_make(dir) == 0);
        atexit(leave);
    }
    switch (data[0] % 3) {
    case 0:
        put("ledger.jsonl", data + 1, size - 1);
        read_ledger(&arena);
        break;
    case 1:
        put("h.txt", data + 1, size - 1);
        read_hypothesis(&arena);
        break;
    default:
        put("h.yaml", data + 1, size - 1);
        read_hypothesis(&arena);
    }
    lore_arena_free(&arena);
    return 0;
}
