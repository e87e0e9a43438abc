// uses: ingest
/* A database that follows a journal in a directory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "service/base/log.h"
#include "service/ingest/projection.h"
#include "tests/unit/ingest_fixture.h"

static bool
at_once(void)
{
    return true;
}

static enum lore_status
open_projection(struct fixture *f, struct lore_projection_setup setup, struct lore_projection **out)
{
    setup.journal = lore_format(&f->arena, "%s/journal", f->dir);
    return lore_projection_open(&setup, f->db, out, &f->err);
}

/* A start that takes long can be stopped; the next one goes on where it was. */
static void
catching_up_stops_when_asked_and_goes_on(void **state)
{
    struct fixture *f = *state;
    struct lore_projection *p = NULL;
    const char *data = lore_format(&f->arena, "%s/new", f->dir);
    struct lore_applied_state at;

    assert_int_equal(
        open_projection(f, (struct lore_projection_setup){.data = f->dir}, &p), LORE_OK);
    for (int i = 0; i < 3; i++) {
        const char *body = document(f, 100 + i, 10 + i, "x");

        assert_int_equal(lore_ingest_now(f->db, &(struct lore_ingest_parts){.projection = p},
                             &(struct lore_ingest_doc){body, strlen(body), "ann", true, NULL, 0},
                             &f->arena, &f->receipt, &f->err),
            LORE_OK);
    }
    lore_projection_close(p);
    lore_db_close(f->db);
    f->db = NULL;
    assert_int_equal(lore_db_open_writer(data, &f->db, &f->err), LORE_OK);
    assert_int_equal(
        open_projection(f, (struct lore_projection_setup){.data = data, .stop = at_once}, &p),
        LORE_BUSY);
    assert_string_equal(f->err.code, "stopped");
    assert_null(p);
    assert_int_equal(open_projection(f, (struct lore_projection_setup){.data = data}, &p), LORE_OK);
    lore_applied_get(lore_projection_applied(p), &at);
    assert_int_equal(at.seq, 3);
    assert_int_equal(rows(f, f->db, "fact_document"), 3);
    lore_projection_close(p);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(
            catching_up_stops_when_asked_and_goes_on, set_up, tear_down),
    };

    lore_log_level(LORE_ERROR);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
