// uses: ingest bench_workload
/* What it costs to record a pair of an experiment and a run, in units that do not depend on the
 * machine: statements, steps of SQLite's virtual machine, pages of the write-ahead log, SQLite's
 * allocations, bytes of arenas. A change that adds more than the slack of a budget fails here, and
 * the statements that ran are printed. Raise a budget only for a cost that recording must have.
 *
 * The documents are those of the benchmark (tests/bench/workload.h) with fixed ids. They are stored
 * on this thread, so that every number is the same in every run. */
#include <setjmp.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "db/internal.h"
#include "tests/bench/workload.h"
#include "tests/unit/ingest_fixture.h"

enum { STATEMENTS, STEPS, PAGES, ALLOCATIONS, ALLOCATED, ARENA, COSTS };

/* Costs of one pair. */
struct costs {
    double of[COSTS];
};

static const char *const cost_names[COSTS] = {"statements", "virtual machine steps",
    "pages of the write-ahead log", "SQLite allocations", "bytes allocated by SQLite",
    "bytes of arenas"};

/* A document of 64 pairs; a document of one pair. */
static const struct costs budget_batch = {{35.5, 1630, 2.85, 286, 92000, 36800}};
static const struct costs budget_single = {{71.5, 2100, 37, 481, 159000, 38000}};

/* ---- counters ---- */

static sqlite3_mem_methods own; /* SQLite's allocator, which the counting one calls */
static size_t allocations, allocated;

static void *
counted_malloc(int n)
{
    allocations++;
    allocated += (size_t)n;
    return own.xMalloc(n);
}

static void *
counted_realloc(void *p, int n)
{
    allocations++;
    allocated += (size_t)n;
    return own.xRealloc(p, n);
}

/* Call before SQLite starts. */
static void
count_allocations(void)
{
    sqlite3_mem_methods counted;

    sqlite3_config(SQLITE_CONFIG_GETMALLOC, &own);
    counted = own;
    counted.xMalloc = counted_malloc;
    counted.xRealloc = counted_realloc;
    sqlite3_config(SQLITE_CONFIG_MALLOC, &counted);
}

/* Runs of one statement, by its text. */
struct ran {
    char *sql;
    size_t runs;
    int64_t steps;
};
struct trace {
    struct ran ran[512];
    size_t n;
    size_t statements;
    int64_t steps;
};

static struct ran *
ran_of(struct trace *t, const char *sql)
{
    size_t room = sizeof t->ran / sizeof *t->ran;

    for (size_t i = 0; i < t->n; i++)
        if (strcmp(t->ran[i].sql, sql) == 0)
            return &t->ran[i];
    assert_true(t->n < room);
    t->ran[t->n] = (struct ran){.sql = strdup(sql)};
    return &t->ran[t->n++];
}

/* STMT: a statement or a trigger's begins. PROFILE: a statement has ended. */
static int
traced(unsigned what, void *ctx, void *p, void *x)
{
    struct trace *t = ctx;
    const char *sql = what == SQLITE_TRACE_STMT ? x : sqlite3_sql(p);
    int steps = 0;

    if (what == SQLITE_TRACE_PROFILE)
        steps = sqlite3_stmt_status(p, SQLITE_STMTSTATUS_VM_STEP, 1);
    else if (strncmp(sql, "-- ", 3) == 0)
        sql += 3;
    struct ran *r = ran_of(t, sql != NULL ? sql : "");

    r->runs += what == SQLITE_TRACE_STMT;
    r->steps += steps;
    t->statements += what == SQLITE_TRACE_STMT;
    t->steps += steps;
    return 0;
}

static int
by_steps(const void *a, const void *b)
{
    int64_t x = ((const struct ran *)a)->steps, y = ((const struct ran *)b)->steps;

    return (x < y) - (x > y);
}

static void
print_statements(struct trace *t, double pairs)
{
    qsort(t->ran, t->n, sizeof *t->ran, by_steps);
    printf("runs and steps a pair, statement\n");
    for (size_t i = 0; i < t->n; i++)
        printf("%6.2f %7.1f  %.110s\n", (double)t->ran[i].runs / pairs,
            (double)t->ran[i].steps / pairs, t->ran[i].sql);
}

static void
free_trace(struct trace *t)
{
    for (size_t i = 0; i < t->n; i++)
        free(t->ran[i].sql);
    free(t);
}

/* ---- measuring ---- */

static void
store(struct fixture *f, struct lore_indexes *indexes, const struct lore_buf *body)
{
    struct lore_ingest_doc doc = {body->data, body->len, "tester", true, NULL, 0};
    enum lore_status status = lore_ingest_now(f->db,
        &(struct lore_ingest_parts){.indexes = indexes}, &doc, &f->arena, &f->receipt, &f->err);

    if (status != LORE_OK)
        fail_msg("%s", f->err.msg);
    assert_false(f->receipt.duplicate);
    lore_arena_free(&f->arena);
}

static double
pages_written(struct fixture *f)
{
    int now = 0, most = 0;

    sqlite3_db_status(f->db->handle, SQLITE_DBSTATUS_CACHE_WRITE, &now, &most, 0);
    return now;
}

struct measured {
    struct costs costs;
    struct trace *trace;
};

/* Store DOCUMENTS of PAIRS each, after as many of the same to fill the caches; costs per pair. */
static struct measured
measure(struct fixture *f, int documents, int pairs)
{
    struct bench_ids ids = {.numbered = true};
    struct lore_indexes *indexes = NULL;
    struct lore_buf body = {0};
    struct measured m = {.trace = calloc(1, sizeof *m.trace)};
    double before[COSTS] = {0}, all = documents * pairs;

    assert_int_equal(lore_indexes_load(f->db, &indexes, &f->err), LORE_OK);
    bench_setup(&ids, &body);
    store(f, indexes, &body);
    for (int i = 0; i < 2 * documents; i++) {
        if (i == documents) {
            sqlite3_trace_v2(
                f->db->handle, SQLITE_TRACE_STMT | SQLITE_TRACE_PROFILE, traced, m.trace);
            for (sqlite3_stmt *s = NULL; (s = sqlite3_next_stmt(f->db->handle, s)) != NULL;)
                (void)sqlite3_stmt_status(s, SQLITE_STMTSTATUS_VM_STEP, 1);
            before[PAGES] = pages_written(f);
            before[ALLOCATIONS] = (double)allocations;
            before[ALLOCATED] = (double)allocated;
            before[ARENA] = (double)lore_arena_emptied();
        }
        lore_buf_reset(&body);
        bench_document(&ids, (uint64_t)i * (uint64_t)pairs, pairs, &body);
        store(f, indexes, &body);
    }
    sqlite3_trace_v2(f->db->handle, 0, NULL, NULL);
    const double now[COSTS] = {(double)m.trace->statements, (double)m.trace->steps,
        pages_written(f), (double)allocations, (double)allocated, (double)lore_arena_emptied()};

    for (int i = 0; i < COSTS; i++)
        m.costs.of[i] = (now[i] - before[i]) / all;
    lore_buf_free(&body);
    lore_indexes_free(indexes);
    return m;
}

/* The number of costs above their budget. Prints all of them, and the statements when there are
 * any. */
static int
exceeded(const struct measured *m, const struct costs *budget, double pairs)
{
    int n = 0;

    for (int i = 0; i < COSTS; i++) {
        bool over = m->costs.of[i] > budget->of[i];

        printf("%s: %.2f a pair, budget %.2f%s\n", cost_names[i], m->costs.of[i], budget->of[i],
            over ? " EXCEEDED" : "");
        n += over;
    }
    if (n > 0 || getenv("LORE_STATEMENTS"))
        print_statements(m->trace, pairs);
    return n;
}

static int
over_budget(struct fixture *f, int documents, int pairs, const struct costs *budget)
{
    struct measured m = measure(f, documents, pairs);
    int n = exceeded(&m, budget, documents * pairs);

    free_trace(m.trace);
    return n;
}

static void
a_pair_in_a_batch_stays_within_its_budget(void **state)
{
    assert_int_equal(over_budget(*state, 8, 64, &budget_batch), 0);
}

static void
a_pair_alone_stays_within_its_budget(void **state)
{
    assert_int_equal(over_budget(*state, 128, 1, &budget_single), 0);
}

static void
one_more_statement_a_pair_exceeds_the_budget(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(
        lore_db_exec(f->db,
            "CREATE TRIGGER more AFTER INSERT ON fact_experiment BEGIN"
            " SELECT count(*) FROM fact_run WHERE version = new.to_version AND seq > new.seq; END",
            &f->err),
        LORE_OK);
    assert_true(over_budget(f, 8, 64, &budget_batch) > 0);
}

static void
one_more_index_exceeds_the_budget(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(
        lore_db_exec(f->db, "CREATE INDEX more ON fact_run (digest, metrics)", &f->err), LORE_OK);
    assert_true(over_budget(f, 8, 64, &budget_batch) > 0);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(
            a_pair_in_a_batch_stays_within_its_budget, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_pair_alone_stays_within_its_budget, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            one_more_statement_a_pair_exceeds_the_budget, set_up, tear_down),
        cmocka_unit_test_setup_teardown(one_more_index_exceeds_the_budget, set_up, tear_down),
    };

    count_allocations();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
