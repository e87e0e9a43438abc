/* A database of its own and documents to put into it, for the tests of service/ingest. */
#ifndef LORE_TESTS_UNIT_INGEST_FIXTURE_H
#define LORE_TESTS_UNIT_INGEST_FIXTURE_H

#include "db/store.h"
#include "service/base/buf.h"
#include "service/base/hash.h"
#include "service/ingest/indexes.h"
#include "service/ingest/ingest.h"
#include "service/wire/wire.h"
#include "tests/unit/scratch.h"

struct fixture {
    char dir[64];
    struct lore_db *db; /* the writer, until a test hands it over */
    struct lore_arena arena;
    struct lore_err err;
    struct lore_receipt receipt;
};

static inline int
set_up(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);

    *state = f;
    lore_hash_init();
    return scratch_make(f->dir) != 0 || lore_db_open_writer(f->dir, &f->db, &f->err) != LORE_OK ? -1
                                                                                                : 0;
}

static inline int
tear_down(void **state)
{
    struct fixture *f = *state;

    lore_db_close(f->db);
    lore_arena_free(&f->arena);
    scratch_drop(f->dir);
    free(f);
    return 0;
}

/* The N-th id of the tests. */
static inline const char *
id(struct fixture *f, int n)
{
    return lore_format(&f->arena, "01JB%022d", n);
}

/* Document N about kernel 1: the kernel, versions 2 and 3, and experiment E with a stated gain.
 * NOTES tells documents apart that bring the same records. */
static inline const char *
document(struct fixture *f, int n, int e, const char *title)
{
    return lore_format(&f->arena,
        "{\"warplore\":1,\"id\":\"%s\","
        "\"kernels\":[{\"id\":\"%s\",\"operator\":\"softmax\",\"name\":\"row\",\"language\":"
        "\"cuda\"}],"
        "\"versions\":[{\"id\":\"%s\",\"kernel\":\"%s\",\"kind\":\"baseline\",\"label\":\"v0\"},"
        "{\"id\":\"%s\",\"kernel\":\"%s\",\"kind\":\"candidate\",\"label\":\"v1\",\"parents\":[\"%"
        "s\"]}],"
        "\"experiments\":[{\"id\":\"%s\",\"kernel\":\"%s\",\"from_version\":\"%s\",\"to_version\":"
        "\"%s\","
        "\"title\":\"%s\",\"techniques\":[\"float4 loads\"],\"chip\":\"sm_86\","
        "\"claim\":{\"latency_before_ns\":2000,\"latency_after_ns\":1000}}]}",
        id(f, n), id(f, 1), id(f, 2), id(f, 1), id(f, 3), id(f, 1), id(f, 2), id(f, e), id(f, 1),
        id(f, 2), id(f, 3), title);
}

static inline enum lore_status
put_now(struct fixture *f, const char *body)
{
    memset(&f->err, 0, sizeof f->err);
    memset(&f->receipt, 0, sizeof f->receipt);
    return lore_ingest_now(f->db, &(struct lore_ingest_parts){0},
        &(struct lore_ingest_doc){body, strlen(body), "tester", true, NULL, 0}, &f->arena,
        &f->receipt, &f->err);
}

/* Rows of a fact table. */
static inline int64_t
rows(struct fixture *f, struct lore_db *db, const char *table)
{
    struct lore_count *counts = NULL;
    size_t n = 0;

    assert_int_equal(lore_db_stats(db, &f->arena, &counts, &n, &f->err), LORE_OK);
    for (size_t i = 0; i < n; i++)
        if (strcmp(counts[i].name, table) == 0)
            return counts[i].n;
    return -1;
}

#endif
