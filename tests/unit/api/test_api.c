// uses: api
/* The edge of the handlers: names from outside, cursors, bodies, the page; and the table itself. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "service/api/api.h"
#include "service/api/assets.h"
#include "service/api/objects.h"
#include "service/api/params.h"
#include "service/base/hash.h"
#include "service/http/app.h"
#include "service/wire/wire.h"

struct fixture {
    struct lore_arena arena;
    struct lore_app app;
    struct lore_req req;
    struct lore_resp resp;
    struct lore_err err;
};

static int
set_up(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);

    f->req.arena = &f->arena;
    f->req.app = &f->app;
    *state = f;
    return 0;
}

static int
tear_down(void **state)
{
    struct fixture *f = *state;

    lore_buf_free(&f->resp.body);
    lore_arena_free(&f->arena);
    free(f);
    return 0;
}

static const struct lore_route *
route(enum lore_method method, const char *path)
{
    const struct lore_route *r = lore_routes;

    while (r->path && (r->method != method || strcmp(r->path, path) != 0))
        r++;
    assert_non_null(r->path);
    return r;
}

/* The request `GET path?query`, its parameters checked. */
static enum lore_status
ask(struct fixture *f, const char *path, const char *query)
{
    f->req.method = LORE_GET;
    f->req.path = path;
    f->req.query = query;
    return lore_args_parse(route(LORE_GET, path)->params, &f->req, &f->err);
}

static void
the_route_table_is_whole(void **state)
{
    struct fixture *f = *state;

    if (lore_routes_check(lore_routes, &f->err) != LORE_OK)
        fail_msg("%s", f->err.msg);
}

static void
an_operator_resolves_by_any_name_and_an_unknown_one_is_its_slug(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(ask(f, "/api/v1/experiments", "operator=matmul"), LORE_OK);
    assert_string_equal(lore_params_operator(&f->req), "gemm");
    assert_int_equal(ask(f, "/api/v1/experiments", "operator=My%20Op"), LORE_OK);
    assert_string_equal(lore_params_operator(&f->req), "my_op");
    assert_int_equal(ask(f, "/api/v1/experiments", ""), LORE_OK);
    assert_null(lore_params_operator(&f->req));
}

static void
an_unknown_chip_names_the_parameter_and_offers_the_nearest(void **state)
{
    struct fixture *f = *state;
    const struct lore_chip *chip = NULL;

    assert_int_equal(ask(f, "/api/v1/experiments", "chip=mi300q"), LORE_OK);
    assert_int_equal(lore_params_chip(&f->req, &chip, &f->err), LORE_INVALID);
    assert_string_equal(f->err.code, "unknown_chip");
    assert_string_equal(f->err.path, "chip");
    assert_non_null(strstr(f->err.hint, "mi300x"));
    assert_null(chip);
}

static void
an_isa_stands_for_all_its_products_and_a_product_for_itself(void **state)
{
    struct fixture *f = *state;
    const char *const *names;
    size_t n;
    bool a6000 = false, own = false;

    lore_params_chip_names(&f->arena, lore_chip_find("sm_86"), &names, &n);
    for (size_t i = 0; i < n; i++) {
        a6000 |= strcmp(names[i], "a6000") == 0;
        own |= strcmp(names[i], "sm_86") == 0;
        assert_string_not_equal(names[i], "h100-sxm");
    }
    assert_true(a6000 && own);
    lore_params_chip_names(&f->arena, lore_chip_find("rtx a6000"), &names, &n);
    assert_int_equal(n, 1);
    assert_string_equal(names[0], "a6000");
}

static void
an_unknown_label_lists_the_labels(void **state)
{
    struct fixture *f = *state;
    uint32_t labels = 77;

    assert_int_equal(ask(f, "/api/v1/leaderboard", "bottleneck=gremlins"), LORE_OK);
    assert_int_equal(lore_params_labels(&f->req, &labels, &f->err), LORE_INVALID);
    assert_string_equal(f->err.code, "unknown_label");
    assert_non_null(strstr(f->err.hint, "memory"));
    assert_int_equal(labels, 77);
    assert_int_equal(ask(f, "/api/v1/leaderboard", "bottleneck=DRAM_MEMORY_BOUND"), LORE_OK);
    assert_int_equal(lore_params_labels(&f->req, &labels, &f->err), LORE_OK);
    assert_int_equal(labels, 1u << LORE_L_MEMORY);
}

static void
an_unknown_language_lists_the_languages(void **state)
{
    struct fixture *f = *state;
    enum lore_language language = LORE_LANG_ASM;

    assert_int_equal(ask(f, "/api/v1/kernels", "language=cobol"), LORE_OK);
    assert_int_equal(lore_params_language(&f->req, &language, &f->err), LORE_INVALID);
    assert_string_equal(f->err.path, "language");
    assert_non_null(strstr(f->err.hint, "triton"));
    assert_int_equal(language, LORE_LANG_ASM);
}

static void
evidence_is_found_by_name(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(ask(f, "/api/v1/leaderboard", "evidence=imported"), LORE_OK);
    assert_int_equal(lore_params_evidence(&f->req), LORE_EV_IMPORTED);
    assert_int_equal(ask(f, "/api/v1/leaderboard", ""), LORE_OK);
    assert_int_equal(lore_params_evidence(&f->req), LORE_EV_NONE);
}

static void
a_cursor_is_what_the_last_page_gave_or_an_error(void **state)
{
    static const char *const bad[] = {
        "cursor=abc", "cursor=-1", "cursor=0", "cursor=1e3", "cursor=99999999999999999999"};
    struct fixture *f = *state;
    struct lore_paging paging = {0};

    assert_int_equal(ask(f, "/api/v1/runs", "cursor=42&limit=7"), LORE_OK);
    assert_int_equal(lore_params_paging(&f->req, &paging, &f->err), LORE_OK);
    assert_int_equal(paging.at, 42);
    assert_int_equal(paging.limit, 7);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_int_equal(ask(f, "/api/v1/runs", bad[i]), LORE_OK);
        assert_int_equal(lore_params_paging(&f->req, &paging, &f->err), LORE_INVALID);
        assert_string_equal(f->err.code, "bad_cursor");
    }
    paging.sort = "-chip";
    assert_int_equal(ask(f, "/api/v1/runs", "sort=-chip&cursor=-chip%4042"), LORE_OK);
    assert_int_equal(lore_params_paging(&f->req, &paging, &f->err), LORE_OK);
    assert_int_equal(paging.at, 42);
    paging.sort = "chip";
    assert_int_equal(lore_params_paging(&f->req, &paging, &f->err), LORE_INVALID);
}

static void
next_is_null_exactly_at_the_end(void **state)
{
    struct fixture *f = *state;
    struct lore_paging paging = {.limit = 2};
    struct lore_jsonw w;
    bool more;

    assert_int_equal(lore_paging_rows(&paging, 2, &more), 2);
    assert_false(more);
    assert_int_equal(lore_paging_rows(&paging, 3, &more), 2);
    assert_true(more);
    lore_paging_begin(&w, &f->resp);
    assert_int_equal(lore_paging_done(&w, true, 17, &f->err), LORE_OK);
    assert_string_equal(f->resp.body.data, "{\"rows\":[],\"next\":\"17\"}");
}

static void
a_record_is_written_as_submitted_where_the_store_kept_that(void **state)
{
    struct fixture *f = *state;
    struct lore_kernel k = {
        .id = "01J0000000000000000000KRN1", .op = "gemm", .name = "k", .language = LORE_LANG_HIP};
    struct lore_jsonw w;
    struct lore_json *root;

    lore_jsonw_begin(&w, &f->resp.body, false);
    lore_w_obj(&w);
    lore_present_record(&w, LORE_K_KERNEL, &k, "{\"extra\":{\"a\":1},\"name\":\"kept\"}");
    lore_w_obj_end(&w);
    assert_int_equal(lore_jsonw_end(&w, &f->err), LORE_OK);
    assert_int_equal(
        lore_json_parse(f->resp.body.data, f->resp.body.len, NULL, &f->arena, &root, &f->err),
        LORE_OK);
    root = (struct lore_json *)lore_json_get(root, "record");
    assert_string_equal(lore_json_get(root, "operator")->str, "gemm");
    assert_string_equal(lore_json_get(root, "name")->str, "kept");
    assert_int_equal(lore_json_get(lore_json_get(root, "extra"), "a")->i, 1);
}

static void
what_was_not_recorded_is_left_out(void **state)
{
    struct fixture *f = *state;
    struct lore_outcome_row o = {.effect = "not_measured",
        .correctness = "not_checked",
        .process = "broken",
        .rules = "one_variable,ncu_symptom_mismatch",
        .basis = "none",
        .policy = "none"};
    struct lore_jsonw w;

    lore_jsonw_begin(&w, &f->resp.body, false);
    lore_object_write(&w, &lore_outcome_object, &o);
    assert_int_equal(lore_jsonw_end(&w, &f->err), LORE_OK);
    assert_null(strstr(f->resp.body.data, "speedup"));
    assert_null(strstr(f->resp.body.data, "before_ns"));
    assert_non_null(
        strstr(f->resp.body.data, "\"rules\":[\"one_variable\",\"ncu_symptom_mismatch\"]"));
}

static void
a_view_of_the_page_is_the_page_and_a_file_that_is_not_there_is_not(void **state)
{
    static const char *const missing[] = {
        "/favicon.ico", "/assets/nothing", "/api", "/api/v1", "/experiments/x.js"};
    struct fixture *f = *state;

    f->req.path = "/experiments/01J0000000000000000000EXP1";
    assert_int_equal(lore_api_page(&f->req, &f->resp, &f->err), LORE_OK);
    assert_string_equal(f->resp.content_type, "text/html; charset=utf-8");
    assert_false(f->resp.immutable);
    f->req.path = "/technique/memory.vectorized_access";
    assert_int_equal(lore_api_page(&f->req, &f->resp, &f->err), LORE_OK);
    assert_string_equal(f->resp.content_type, "text/html; charset=utf-8");
    for (size_t i = 0; i < sizeof missing / sizeof missing[0]; i++) {
        f->req.path = missing[i];
        assert_int_equal(lore_api_page(&f->req, &f->resp, &f->err), LORE_NOTFOUND);
    }
}

static void
every_embedded_file_is_served_with_its_bytes(void **state)
{
    struct fixture *f = *state;

    for (const struct lore_asset *a = lore_assets; a->path != NULL; a++) {
        lore_buf_reset(&f->resp.body);
        f->req.path = a->path;
        assert_int_equal(lore_api_page(&f->req, &f->resp, &f->err), LORE_OK);
        assert_int_equal(f->resp.body.len, a->size);
        assert_memory_equal(f->resp.body.data, a->bytes, a->size);
        assert_string_not_equal(f->resp.content_type, "application/octet-stream");
    }
}

static void
a_state_of_the_page_in_the_query_is_not_for_the_service(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(ask(f, "/", "anything=1&anything=2&%zz"), LORE_OK);
    assert_int_equal(ask(f, "/api/v1/me", "anything=1"), LORE_INVALID);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_route_table_is_whole, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            an_operator_resolves_by_any_name_and_an_unknown_one_is_its_slug, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            an_unknown_chip_names_the_parameter_and_offers_the_nearest, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            an_isa_stands_for_all_its_products_and_a_product_for_itself, set_up, tear_down),
        cmocka_unit_test_setup_teardown(an_unknown_label_lists_the_labels, set_up, tear_down),
        cmocka_unit_test_setup_teardown(an_unknown_language_lists_the_languages, set_up, tear_down),
        cmocka_unit_test_setup_teardown(evidence_is_found_by_name, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            a_cursor_is_what_the_last_page_gave_or_an_error, set_up, tear_down),
        cmocka_unit_test_setup_teardown(next_is_null_exactly_at_the_end, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            a_record_is_written_as_submitted_where_the_store_kept_that, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_was_not_recorded_is_left_out, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            a_view_of_the_page_is_the_page_and_a_file_that_is_not_there_is_not, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            every_embedded_file_is_served_with_its_bytes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            a_state_of_the_page_in_the_query_is_not_for_the_service, set_up, tear_down),
    };

    lore_hash_init();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
