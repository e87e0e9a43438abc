// uses: db
/* Credentials that travel to another auth.db: the sum of both sides stays, and agents with receipts
 * come back when auth.db was lost. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "db/auth_change.h"
#include "db/auth_copy.h"
#include "db/files.h"
#include "service/base/hash.h"
#include "tests/unit/scratch.h"

struct fixture {
    char dir[64], other[96];
    struct lore_auth_db *here, *there;
    struct lore_arena arena;
    struct lore_err err;
};

static int
set_up(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);

    *state = f;
    lore_hash_init();
    if (scratch_make(f->dir) != 0)
        return -1;
    snprintf(f->other, sizeof f->other, "%s/other", f->dir);
    return lore_auth_open(f->dir, true, &f->here, &f->err) != LORE_OK ||
                   lore_auth_open(f->other, true, &f->there, &f->err) != LORE_OK
               ? -1
               : 0;
}

static int
tear_down(void **state)
{
    struct fixture *f = *state;

    lore_auth_close(f->here);
    lore_auth_close(f->there);
    lore_arena_free(&f->arena);
    scratch_drop(f->dir);
    free(f);
    return 0;
}

static struct lore_credential
only(struct fixture *f, struct lore_auth_db *db)
{
    struct lore_credential *all = NULL;
    size_t n = 0;

    assert_int_equal(lore_auth_credentials(db, &f->arena, &all, &n, &f->err), LORE_OK);
    assert_int_equal(n, 1);
    return all[0];
}

static void
a_revocation_of_either_side_stays(void **state)
{
    struct fixture *f = *state;
    const struct lore_token_row token = {
        .id = "T", .label = "ann", .role = "reader", .created_us = 1, .expires_us = 9};
    struct lore_credential old, now;

    assert_int_equal(
        lore_auth_apply(f->here,
            &(struct lore_auth_change){.kind = LORE_AUTH_TOKEN_MADE, .token = &token, .at_us = 1},
            &f->err),
        LORE_OK);
    old = only(f, f->here);
    assert_string_equal(old.name, "token:T");
    assert_int_equal(lore_auth_merge(f->there, &old, &f->arena, &now, &f->err), LORE_OK);
    assert_string_equal(now.body, old.body);
    assert_int_equal(
        lore_auth_apply(f->there,
            &(struct lore_auth_change){.kind = LORE_AUTH_TOKEN_REVOKED, .id = "T", .at_us = 7},
            &f->err),
        LORE_OK);
    assert_int_equal(lore_auth_merge(f->there, &old, &f->arena, &now, &f->err), LORE_OK);
    assert_non_null(strstr(now.body, "\"revoked_us\":7"));
    assert_int_equal(lore_auth_merge(f->here, &now, &f->arena, &now, &f->err), LORE_OK);
    assert_non_null(strstr(only(f, f->here).body, "\"revoked_us\":7"));
}

static void
what_is_no_credential_is_refused(void **state)
{
    struct fixture *f = *state;
    const struct lore_credential bad[] = {{.kind = "token", .body = "{"},
        {.kind = "token", .body = "{\"id\":\"T\",\"hash\":\"AAAA\"}"},
        {.kind = "agent", .body = "{\"id\":7}"}, {.kind = "king", .body = "{}"}};
    struct lore_credential now;

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(lore_auth_merge(f->here, &bad[i], &f->arena, &now, &f->err), LORE_INVALID);
}

static void
agents_with_receipts_come_back_revoked(void **state)
{
    struct fixture *f = *state;
    struct lore_agent_row agent = {.id = "A", .label = "gpu01", .enrolled_us = 3};
    struct lore_db *db = NULL;
    struct lore_agent_row *rows = NULL;
    size_t n = 0;

    assert_int_equal(lore_db_open_writer(f->dir, &db, &f->err), LORE_OK);
    assert_int_equal(lore_db_begin(db, &f->err), LORE_OK);
    assert_int_equal(lore_put_agent(db, &agent, 5, &f->err), LORE_OK);
    assert_int_equal(lore_db_commit(db, &f->err), LORE_OK);
    for (int i = 0; i < 2; i++) /* twice is once */
        assert_int_equal(lore_auth_adopt_agents(f->here, db, 8 + i, &f->err), LORE_OK);
    assert_int_equal(lore_db_auth_agents(f->here, &f->arena, &rows, &n, &f->err), LORE_OK);
    assert_int_equal(n, 1);
    assert_string_equal(rows[0].label, "gpu01");
    assert_int_equal(rows[0].revoked_us, 8);
    lore_db_close(db);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_revocation_of_either_side_stays, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_is_no_credential_is_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(agents_with_receipts_come_back_revoked, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
