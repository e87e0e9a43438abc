// uses: ingest
// The learner's thread: a service that stops does not wait for what is being learned, and what is
// left behind touches nothing of the service's.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <cmocka.h>

#include "db/learned.h"
#include "service/base/clock.h"
#include "service/ingest/learn.h"
#include "service/ingest/learner.h"
#include "service/recommend/model.h"
#include "service/recommend/train.h"
#include "tests/unit/ingest_fixture.h"

enum { EXPERIMENTS = 150, STOPS = 8, FIRST = 1000 };

static void
wait_ms(int ms)
{
    const struct timespec t = {.tv_nsec = (long)ms * 1000000};

    nanosleep(&t, NULL);
}

static struct lore_learner *
learner(struct fixture *f, struct lore_indexes *m, struct lore_ingest *in)
{
    struct lore_learner *l = NULL;

    assert_int_equal(lore_learner_start(f->dir, m, in,
                         &(struct lore_learner_pace){.hours = 1, .ask_ms = 1}, &l, &f->err),
        LORE_OK);
    return l;
}

/* Numbers, from rows that are counted. */
static bool
has_learned(struct fixture *f)
{
    struct lore_learned numbers;
    struct lore_db *db = NULL;
    enum lore_status status = lore_db_open_reader(f->dir, &db, &f->err);

    assert_int_equal(status, LORE_OK);
    status = lore_db_get_learned(db, "evidence@1", &f->arena, &numbers, &f->err);
    lore_db_close(db);
    return status == LORE_OK && strstr(numbers.basis, "\"rows\":") &&
           strstr(numbers.numbers, "\"travel.same_isa\":");
}

/* Stopped at any moment: before it looks, while it reads, learns, stores. The memory and the writer
 * are gone right after the last stop; sanitizers see who touches them. */
static void
it_may_be_stopped_at_any_moment(void **state)
{
    struct fixture *f = *state;
    struct lore_indexes *indexes = NULL;
    struct lore_ingest *in = NULL;

    for (int i = 0; i < EXPERIMENTS; i++)
        assert_int_equal(
            put_now(f, document(f, FIRST + i, FIRST + 500 + i, "wide loads")), LORE_OK);
    assert_int_equal(lore_indexes_load(f->db, &indexes, &f->err), LORE_OK);
    assert_int_equal(lore_ingest_start(f->db, &(struct lore_ingest_parts){indexes, NULL, 100, NULL},
                         &in, &f->err),
        LORE_OK);
    f->db = NULL;
    for (int i = 0; i < STOPS; i++) {
        struct lore_learner *l = learner(f, indexes, in);
        wait_ms(1 << i);
        lore_learner_stop(l);
    }
    lore_ingest_stop(in);
    lore_indexes_free(indexes);
}

static void
learns(struct fixture *f)
{
    struct lore_indexes *indexes = NULL;
    struct lore_ingest *in = NULL;

    for (int i = 0; i < EXPERIMENTS; i++)
        assert_int_equal(
            put_now(f, document(f, FIRST + i, FIRST + 500 + i, "wide loads")), LORE_OK);
    assert_int_equal(lore_indexes_load(f->db, &indexes, &f->err), LORE_OK);
    assert_int_equal(lore_ingest_start(f->db, &(struct lore_ingest_parts){indexes, NULL, 100, NULL},
                         &in, &f->err),
        LORE_OK);
    f->db = NULL;
    struct lore_learner *l = learner(f, indexes, in);
    for (int i = 0; i < 600 && !has_learned(f); i++)
        wait_ms(100);
    assert_true(has_learned(f));
    lore_learner_stop(l);
    lore_ingest_stop(in);
    lore_indexes_free(indexes);
}

static void
what_it_learns_is_stored(void **state)
{
    learns(*state);
}

static void
learned_before(struct fixture *f, const char *numbers, const char *basis)
{
    const struct lore_learned lesson = {numbers, basis, lore_now_us()};

    assert_int_equal(lore_db_begin(f->db, &f->err), LORE_OK);
    assert_int_equal(lore_put_learned(f->db, "evidence@1", &lesson, &f->err), LORE_OK);
    assert_int_equal(lore_db_commit(f->db, &f->err), LORE_OK);
    assert_false(has_learned(f));
}

static void
a_lesson_whose_basis_is_damaged_is_learned_anew(void **state)
{
    learned_before(*state, "{}", "{\"ro");
    learns(*state);
}

static void
a_lesson_whose_basis_counts_no_rows_is_learned_anew(void **state)
{
    learned_before(*state, "{}", "{}");
    learns(*state);
}

static void
numbers_that_are_damaged_are_learned_anew(void **state)
{
    learned_before(*state, "{\"trav", "{\"rows\":150}");
    learns(*state);
}

static void
a_memory_that_has_doubled_does_not_wait_for_its_hour(void **state)
{
    struct fixture *f = *state;
    double numbers[LORE_M_COUNT];

    assert_int_equal(
        lore_train_numbers_parse("{}", numbers, &f->err), LORE_OK); /* a lesson that holds */
    learned_before(f, "{}", "{\"rows\":70}");
    learns(f);
}

/* Document N with an experiment of its own that tried two techniques. */
static const char *
two_techniques(struct fixture *f, int n)
{
    const char *body = document(f, FIRST + n, FIRST + 500 + n, "wide loads"), *one = "float4 loads";
    const char *at = strstr(body, one);

    assert_non_null(at);
    return lore_format(&f->arena, "%.*ssplit-k\",\"%s", (int)(at - body), body, at);
}

/* Each experiment in a snapshot of its own: its rows stay together. */
static void
a_lesson_read_piece_by_piece_is_the_lesson_read_at_once(void **state)
{
    struct fixture *f = *state;
    struct lore_fit whole[LORE_FITS], pieces[LORE_FITS];

    for (int i = 0; i < EXPERIMENTS; i++)
        assert_int_equal(put_now(f, two_techniques(f, i)), LORE_OK);
    assert_int_equal(lore_learn(f->db, LORE_SNAPSHOT_US, &f->arena, whole, &f->err), LORE_OK);
    assert_non_null(strstr(whole[0].basis, "\"rows\":300,"));
    assert_int_equal(lore_learn(f->db, 0, &f->arena, pieces, &f->err), LORE_OK);
    assert_string_equal(pieces[0].basis, whole[0].basis);
    assert_string_equal(pieces[0].numbers, whole[0].numbers);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_it_learns_is_stored, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            a_lesson_whose_basis_is_damaged_is_learned_anew, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            a_lesson_whose_basis_counts_no_rows_is_learned_anew, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            a_memory_that_has_doubled_does_not_wait_for_its_hour, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            numbers_that_are_damaged_are_learned_anew, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            a_lesson_read_piece_by_piece_is_the_lesson_read_at_once, set_up, tear_down),
        cmocka_unit_test_setup_teardown(it_may_be_stopped_at_any_moment, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
