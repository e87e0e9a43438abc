// uses: http
/* The route table: which row a path finds, and which rows a table may not have. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/routes_fixture.h"

static enum lore_status
find(struct lore_arena *arena, enum lore_method method, const char *path, struct lore_req *req,
    const struct lore_route **route, struct lore_err *err)
{
    *req = (struct lore_req){.method = method, .path = path, .arena = arena};
    return lore_route_find(lore_routes, req, route, err);
}

static void
a_path_finds_its_row_and_its_parts(void **state)
{
    struct lore_arena arena = {0};
    struct lore_req req;
    const struct lore_route *route = NULL;
    struct lore_err err = {0};

    (void)state;
    assert_int_equal(find(&arena, LORE_GET, "/things/7/parts/a b", &req, &route, &err), LORE_OK);
    assert_string_equal(route->path, "/things/{id}/parts/{part}");
    assert_string_equal(req.vars[0], "7");
    assert_string_equal(req.vars[1], "a b");
    lore_arena_free(&arena);
}

static void
the_first_row_that_fits_wins(void **state)
{
    struct lore_arena arena = {0};
    struct lore_req req;
    const struct lore_route *route = NULL;
    struct lore_err err = {0};

    (void)state;
    assert_int_equal(find(&arena, LORE_GET, "/things/latest", &req, &route, &err), LORE_OK);
    assert_string_equal(route->path, "/things/latest");
    assert_null(req.vars[0]);
    lore_arena_free(&arena);
}

static void
a_prefix_or_a_longer_path_is_not_the_path(void **state)
{
    static const char *const wrong[] = {"/hell", "/helloo", "/hello/", "/hello/x", "/things/",
        "/things/1/", "/things/1/parts", "/", "/Hello"};
    struct lore_arena arena = {0};
    struct lore_req req;
    const struct lore_route *route = NULL;
    struct lore_err err = {0};

    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_int_equal(find(&arena, LORE_GET, wrong[i], &req, &route, &err), LORE_NOTFOUND);
    lore_arena_free(&arena);
}

static void
a_known_path_with_another_method_says_which_exist(void **state)
{
    struct lore_arena arena = {0};
    struct lore_req req;
    const struct lore_route *route = NULL;
    struct lore_err err = {0};

    (void)state;
    assert_int_equal(find(&arena, LORE_PUT, "/things/7", &req, &route, &err), LORE_METHOD);
    assert_string_equal(lore_route_allow(lore_routes, &req), "GET, HEAD, DELETE");
    lore_arena_free(&arena);
}

static void
head_finds_the_row_of_get(void **state)
{
    struct lore_arena arena = {0};
    struct lore_req req;
    const struct lore_route *route = NULL;
    struct lore_err err = {0};

    (void)state;
    assert_int_equal(find(&arena, LORE_HEAD, "/hello", &req, &route, &err), LORE_OK);
    assert_int_equal(find(&arena, LORE_HEAD, "/things", &req, &route, &err), LORE_METHOD);
    lore_arena_free(&arena);
}

static void
check_refuses(struct lore_route row, const char *why)
{
    struct lore_route table[] = {row, {0}};
    struct lore_err err = {0};

    assert_int_equal(lore_routes_check(table, &err), LORE_INVALID);
    assert_string_equal(err.code, "bad_route");
    assert_non_null(strstr(err.msg, why));
}

static void
a_row_without_permission_help_or_handler_is_refused(void **state)
{
    struct lore_route good = {
        LORE_GET, "/x", LORE_READER, 0, NULL, say_hello, .help = "help", .answer = "object"};
    struct lore_route bad;

    (void)state;
    bad = good;
    bad.who = LORE_NO_ROLE;
    check_refuses(bad, "no permission");
    bad = good;
    bad.help = "";
    check_refuses(bad, "no help");
    bad = good;
    bad.answer = NULL;
    check_refuses(bad, "no answer");
    bad = good;
    bad.handler = NULL;
    check_refuses(bad, "no handler");
    bad = good;
    bad.method = LORE_POST;
    bad.who = LORE_PUBLIC;
    check_refuses(bad, "anybody");
    bad = good;
    bad.path = "/{a}/{b}/{c}/{d}/{e}";
    check_refuses(bad, "too many parts");
    bad = good;
    bad.method = LORE_POST;
    bad.pooled = always;
    check_refuses(bad, "only reads are pooled");
}

static void
the_same_row_twice_is_refused(void **state)
{
    struct lore_route row = {
        LORE_GET, "/x", LORE_READER, 0, NULL, say_hello, .help = "help", .answer = "object"};
    struct lore_route table[] = {row, row, {0}};
    struct lore_err err = {0};

    (void)state;
    assert_int_equal(lore_routes_check(table, &err), LORE_INVALID);
    assert_int_equal(lore_routes_check(lore_routes, &err), LORE_OK);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_path_finds_its_row_and_its_parts),
        cmocka_unit_test(the_first_row_that_fits_wins),
        cmocka_unit_test(a_prefix_or_a_longer_path_is_not_the_path),
        cmocka_unit_test(a_known_path_with_another_method_says_which_exist),
        cmocka_unit_test(head_finds_the_row_of_get),
        cmocka_unit_test(a_row_without_permission_help_or_handler_is_refused),
        cmocka_unit_test(the_same_row_twice_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
