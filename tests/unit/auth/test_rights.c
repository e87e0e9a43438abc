// uses: auth
/* Rights in projects: how they are written, read, and refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "service/auth/rights.h"

static const char *
written(const char *role, const char *projects, struct lore_arena *a)
{
    const char *out = NULL;
    struct lore_err err = {0};

    return lore_rights_write(role, projects, a, &out, &err) == LORE_OK ? out : err.code;
}

static void
are_written_as_one_text(void **state)
{
    LORE_SCRATCH a = {0};

    (void)state;
    assert_string_equal(written("contributor", "team/attention", &a), "contributor@team/attention");
    assert_string_equal(written("contributor", "team/attention,moe=reader,x=y=reader", &a),
        "contributor@team/attention,reader@moe,reader@x=y");
}

static void
refuse_what_is_no_project(void **state)
{
    static const char *const wrong[] = {
        "", ",", "a,,b", " a", "a ", "=reader", "a\tb", "warplored"};
    LORE_SCRATCH a = {0};

    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_null(strchr(written("reader", wrong[i], &a), '@'));
}

static void
name_the_roles_of_a_project(void **state)
{
    static const char *const wrong[][2] = {{"admin", "a"}, {"curator", "a=reader"},
        {"reader", "a=boss"}, {"reader", "a=admin"}, {"reader", "a="}, {"reader", "b,a=boss,c"}};
    LORE_SCRATCH a = {0};

    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const char *out = NULL;
        struct lore_err err = {0};

        assert_int_equal(lore_rights_write(wrong[i][0], wrong[i][1], &a, &out, &err), LORE_INVALID);
        assert_string_equal(err.path, i < 2 ? "role" : "projects");
        assert_non_null(strstr(err.msg, "reader or contributor"));
    }
}

static void
must_fit(void **state)
{
    LORE_SCRATCH a = {0};
    char many[3 * LORE_RIGHTS_MAX];

    (void)state;
    for (size_t i = 0; i + 3 < sizeof many; i += 3)
        memcpy(many + i, "ab,", 4);
    assert_string_equal(written("reader", many, &a), "too_long");
}

struct asked {
    const char *rights, *wanted, *role, *project;
};

static void
answer_for_one_project(void **state)
{
    static const struct asked cases[] = {
        {"curator", NULL, "curator", NULL},
        {"curator", "moe", "curator", NULL},
        {"contributor@att,reader@moe", NULL, "contributor", "att"},
        {"contributor@att,reader@moe", "", "contributor", "att"},
        {"contributor@att,reader@moe", "moe", "reader", "moe"},
        {"contributor@att,reader@moe", "mo", NULL, NULL},
        {"contributor@att,reader@moe", "moe2", NULL, NULL},
        {"contributor@att,reader@moe", "att,reader@moe", NULL, NULL},
        {"contributor@att,reader@moe", "contributor@att", NULL, NULL},
        {"reader@att,contributor@att", NULL, "contributor", "att"},
        {"contributor@att,reader@att", "att", "contributor", "att"},
        {"reader@a@b", "a@b", "reader", "a@b"},
        {"admin@att", NULL, NULL, NULL}, /* no such right */
        {"@att", NULL, NULL, NULL},
        {"@", "@", NULL, NULL},
    };
    LORE_SCRATCH a = {0};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct asked *c = &cases[i];
        struct lore_right got = {0};
        struct lore_err err = {0};
        enum lore_status status = lore_rights_in(c->rights, c->wanted, &a, &got, &err);

        if (!c->role) {
            assert_int_equal(status, LORE_FORBIDDEN);
            assert_string_equal(err.code, "other_project");
            continue;
        }
        assert_int_equal(status, LORE_OK);
        assert_string_equal(got.role, c->role);
        if (c->project)
            assert_string_equal(got.project, c->project);
        else
            assert_null(got.project);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(are_written_as_one_text),
        cmocka_unit_test(refuse_what_is_no_project), cmocka_unit_test(name_the_roles_of_a_project),
        cmocka_unit_test(must_fit), cmocka_unit_test(answer_for_one_project)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
