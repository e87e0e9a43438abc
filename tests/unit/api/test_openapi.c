// uses: api
/* The route table and its description, compared both ways. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "service/api/api.h"
#include "service/api/openapi.h"
#include "service/base/hash.h"
#include "service/base/json.h"
#include "service/http/app.h"
#include "service/wire/wire.h"

struct fixture {
    struct lore_arena arena;
    struct lore_app app;
    struct lore_resp resp;
    struct lore_json *api, *schema;
    struct lore_buf text; /* of the schema */
};

static int
set_up(void **state)
{
    static struct fixture f;
    struct lore_req req = {.arena = &f.arena, .app = &f.app};
    struct lore_err err = {0};
    struct lore_jsonw w;

    memset(&f, 0, sizeof f);
    f.app.version = "1.2.3";
    *state = &f;
    if (lore_api_openapi(&req, &f.resp, &err) != LORE_OK ||
        lore_json_parse(f.resp.body.data, f.resp.body.len, NULL, &f.arena, &f.api, &err) != LORE_OK)
        return -1;
    lore_jsonw_begin(&w, &f.text, false);
    lore_wire_schema(&w);
    if (lore_jsonw_end(&w, &err) != LORE_OK ||
        lore_json_parse(f.text.data, f.text.len, NULL, &f.arena, &f.schema, &err) != LORE_OK)
        return -1;
    return 0;
}

static int
tear_down(void **state)
{
    struct fixture *f = *state;

    lore_buf_free(&f->resp.body);
    lore_buf_free(&f->text);
    lore_arena_free(&f->arena);
    return 0;
}

static const char *
method_of(const struct lore_route *r)
{
    return r->method == LORE_POST ? "post" : "get";
}

static const struct lore_json *
operation_of(const struct fixture *f, const struct lore_route *r)
{
    const struct lore_json *paths = lore_json_get(f->api, "paths");

    return lore_json_get(lore_json_get(paths, r->path), method_of(r));
}

static void
every_route_is_described_with_its_help_and_role(void **state)
{
    struct fixture *f = *state;

    for (const struct lore_route *r = lore_routes; r->path != NULL; r++) {
        const struct lore_json *op = operation_of(f, r), *security;

        assert_non_null(op);
        assert_string_equal(lore_json_get(op, "summary")->str, r->help);
        security = lore_json_get(op, "security");
        if (r->who == LORE_PUBLIC || r->who == LORE_CODED) {
            assert_int_equal(security->len, 0);
            continue;
        }
        if (r->who == LORE_SIGNED || r->who == LORE_SIGNED_OR_READER) {
            assert_non_null(lore_json_get(security->child, "signature"));
            assert_int_equal(security->len, r->who == LORE_SIGNED ? 1 : 2);
            continue;
        }
        assert_string_equal(
            lore_json_get(security->child, "token")->child->str, lore_role_name(r->who));
    }
}

static void
every_described_operation_is_a_route(void **state)
{
    struct fixture *f = *state;
    size_t described = 0, routes = 0;

    for (const struct lore_json *p = lore_json_get(f->api, "paths")->child; p != NULL; p = p->next)
        described += p->len;
    for (const struct lore_route *r = lore_routes; r->path != NULL; r++)
        routes++;
    assert_int_equal(described, routes);
}

static void
every_parameter_is_described_and_no_other(void **state)
{
    struct fixture *f = *state;

    for (const struct lore_route *r = lore_routes; r->path != NULL; r++) {
        const struct lore_json *params = lore_json_get(operation_of(f, r), "parameters");
        size_t expected = 0, found = 0;

        for (const char *c = r->path; *c != '\0'; c++)
            expected += *c == '{';
        for (const struct lore_param *p = r->params; p != NULL && p->name; p++)
            expected += strcmp(p->name, "*") != 0;
        for (const struct lore_json *p = params->child; p != NULL; p = p->next, found++) {
            assert_non_null(lore_json_get(p, "schema"));
            assert_non_null(lore_json_get(p, "name")->str);
        }
        assert_int_equal(found, expected);
    }
}

/* Every "$ref" below NODE leads to something. */
static void
check_references(const struct fixture *f, const struct lore_json *node)
{
    for (const struct lore_json *m = node->child; m != NULL; m = m->next) {
        if (m->key && strcmp(m->key, "$ref") == 0) {
            static const char other[] = "/api/v1/schema/submission";
            bool there = strncmp(m->str, other, strlen(other)) == 0;
            const struct lore_json *at = there ? f->schema : f->api;
            const char *path = m->str + (there ? strlen(other) : 0);

            if (*path == '\0')
                continue;
            assert_int_equal(strncmp(path, "#/", 2), 0);
            for (const char *p = path + 2; *p != '\0'; p += *p == '/') {
                char key[64];
                size_t n = strcspn(p, "/");

                snprintf(key, sizeof key, "%.*s", (int)n, p);
                at = lore_json_get(at, key);
                p += n;
            }
            if (!at)
                fail_msg("%s leads nowhere", m->str);
        }
        check_references(f, m);
    }
}

static void
every_reference_leads_somewhere(void **state)
{
    struct fixture *f = *state;

    check_references(f, f->api);
}

static void
operations_have_names_of_their_own(void **state)
{
    struct fixture *f = *state;
    const char *seen[256];
    size_t n = 0;

    for (const struct lore_route *r = lore_routes; r->path != NULL; r++) {
        const char *id = lore_json_get(operation_of(f, r), "operationId")->str;

        for (size_t i = 0; i < n; i++)
            assert_string_not_equal(seen[i], id);
        seen[n++] = id;
    }
}

static void
a_body_names_its_schema_and_its_limit(void **state)
{
    struct fixture *f = *state;

    for (const struct lore_route *r = lore_routes; r->path != NULL; r++) {
        const struct lore_json *body = lore_json_get(operation_of(f, r), "requestBody");

        if (r->max_body == 0) {
            assert_null(body);
            continue;
        }
        assert_int_equal(lore_json_get(body, "x-max-bytes")->i, (int64_t)r->max_body);
    }
}

static void
a_choice_is_an_enum_with_null_when_it_may_be_absent(void **state)
{
    struct lore_buf out = {0};
    struct lore_jsonw w;
    struct lore_err err;

    (void)state;
    lore_jsonw_begin(&w, &out, false);
    lore_openapi_type(&w, "clean|broken?");
    assert_int_equal(lore_jsonw_end(&w, &err), LORE_OK);
    assert_string_equal(out.data, "{\"enum\":[\"clean\",\"broken\",null]}");
    lore_buf_free(&out);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_route_is_described_with_its_help_and_role),
        cmocka_unit_test(every_described_operation_is_a_route),
        cmocka_unit_test(every_parameter_is_described_and_no_other),
        cmocka_unit_test(every_reference_leads_somewhere),
        cmocka_unit_test(operations_have_names_of_their_own),
        cmocka_unit_test(a_body_names_its_schema_and_its_limit),
        cmocka_unit_test(a_choice_is_an_enum_with_null_when_it_may_be_absent),
    };

    lore_hash_init();
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
