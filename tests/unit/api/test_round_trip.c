// uses: api
/* Nothing that was submitted is lost: every record of full.json, which uses every field, is stored,
 * read through its handler, and decoded again. Both sides are compared as the encoder writes them:
 * a name may come back in its canonical spelling, and what was left out may be filled in (the unit
 * of a known metric, the kernel's operator); nothing may be missing or say something else. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "service/api/api.h"
#include "service/base/clock.h"
#include "service/base/file.h"
#include "service/ingest/document.h"
#include "tests/unit/ingest_fixture.h"

static const struct {
    enum lore_kind kind;
    lore_handler get;
} readers[] = {
    {LORE_K_KERNEL, lore_api_kernel},
    {LORE_K_VERSION, lore_api_version},
    {LORE_K_ENVIRONMENT, lore_api_environment},
    {LORE_K_RUN, lore_api_run},
    {LORE_K_HYPOTHESIS, lore_api_hypothesis},
    {LORE_K_EXPERIMENT, lore_api_experiment},
    {LORE_K_INSIGHT, lore_api_insight},
};

static struct lore_json *
parse(struct fixture *f, const struct lore_buf *text)
{
    struct lore_json *root = NULL;

    if (lore_json_parse(text->data, text->len, &lore_wire_limits, &f->arena, &root, &f->err) !=
        LORE_OK)
        fail_msg("%s", f->err.msg);
    return root;
}

static struct lore_submission
decode(struct fixture *f, const struct lore_buf *text)
{
    struct lore_submission doc = {0};

    if (lore_wire_decode(parse(f, text), &f->arena, &doc, &f->err) != LORE_OK)
        fail_msg("%s", f->err.msg);
    return doc;
}

static const char *
encoded(struct fixture *f, enum lore_kind kind, const void *record)
{
    struct lore_buf out = {0};
    struct lore_jsonw w;
    const char *text;

    lore_jsonw_begin(&w, &out, true);
    lore_w_obj(&w);
    lore_wire_members(&w, kind, record);
    lore_w_obj_end(&w);
    assert_int_equal(lore_jsonw_end(&w, &f->err), LORE_OK);
    text = lore_strdup(&f->arena, out.data);
    lore_buf_free(&out);
    return text;
}

/* The answer of GET to the id at the start of RECORD. */
static const struct lore_json *
answer(struct fixture *f, lore_handler get, const char *id_text)
{
    struct lore_req req = {.method = LORE_GET, .arena = &f->arena, .db = f->db, .vars = {id_text}};
    struct lore_resp resp = {0};
    const struct lore_json *root;

    if (get(&req, &resp, &f->err) != LORE_OK)
        fail_msg("%s: %s", id_text, f->err.msg);
    root = parse(f, &resp.body);
    lore_buf_free(&resp.body);
    return root;
}

/* NODE but its member SKIP (may be NULL), decoded as the one KIND of a document and encoded. */
static const char *
again(struct fixture *f, enum lore_kind kind, const struct lore_json *node, const char *skip)
{
    struct lore_buf text = {0};
    struct lore_submission doc;
    struct lore_jsonw w;
    const char *out;
    size_t n, size;

    assert_non_null(node);
    lore_jsonw_begin(&w, &text, false);
    lore_w_obj(&w);
    lore_w_ki64(&w, "warplore", LORE_WIRE_VERSION);
    lore_w_kstr(&w, "id", id(f, 900));
    lore_w_key(&w, lore_kind_plural(kind));
    lore_w_arr(&w);
    lore_w_obj(&w);
    for (const struct lore_json *m = node->child; m != NULL; m = m->next) {
        if (skip && strcmp(m->key, skip) == 0)
            continue;
        lore_w_key(&w, m->key);
        lore_w_node(&w, m);
    }
    lore_w_obj_end(&w);
    lore_w_arr_end(&w);
    lore_w_obj_end(&w);
    assert_int_equal(lore_jsonw_end(&w, &f->err), LORE_OK);
    doc = decode(f, &text);
    out = encoded(f, kind, lore_wire_list(&doc, kind, &n, &size));
    lore_buf_free(&text);
    return out;
}

/* A time may come back as the same moment in other words. */
static bool
same_moment(const struct lore_json *a, const struct lore_json *b)
{
    int64_t at = 0, bt = 1;

    return a->type == LORE_J_STRING && lore_time_parse(a->str, &at, NULL) == LORE_OK &&
           lore_time_parse(b->str, &bt, NULL) == LORE_OK && at == bt;
}

/* The first value of PART that WHOLE does not have; NULL: it says all that PART says. */
static const struct lore_json *
lost(const struct lore_json *whole, const struct lore_json *part)
{
    const struct lore_json *w = whole != NULL ? whole->child : NULL, *missing = NULL;
    unsigned char a[32], b[32];

    if (!whole)
        return part;
    if (part->type == LORE_J_NUMBER && whole->type == LORE_J_OBJECT)
        return lost(lore_json_get(whole, "value"), part); /* a metric whose unit is known */
    if (part->type != whole->type || (part->type == LORE_J_ARRAY && part->len != whole->len))
        return part;
    for (const struct lore_json *p = part->child; p != NULL && !missing; p = p->next) {
        missing = lost(part->type == LORE_J_OBJECT ? lore_json_get(whole, p->key) : w, p);
        w = w != NULL ? w->next : NULL;
    }
    if (part->child)
        return missing;
    lore_json_digest(whole, a);
    lore_json_digest(part, b);
    return memcmp(a, b, sizeof a) == 0 || same_moment(whole, part) ? NULL : part;
}

static void
assert_says(struct fixture *f, const char *whole, const char *part)
{
    struct lore_json *w = NULL, *p = NULL;
    const struct lore_json *missing;
    char path[160];

    assert_int_equal(lore_json_parse(whole, strlen(whole), NULL, &f->arena, &w, &f->err), LORE_OK);
    assert_int_equal(lore_json_parse(part, strlen(part), NULL, &f->arena, &p, &f->err), LORE_OK);
    missing = lost(w, p);
    if (missing) {
        lore_json_path(missing, path, sizeof path);
        fail_msg("%s is not there, or other, in %.1000s", path, whole);
    }
}

static struct lore_submission
submitted(struct fixture *f)
{
    struct lore_buf text = {0};
    struct lore_submission doc;

    assert_int_equal(
        lore_file_read(SOURCE_DIR "/tests/fixtures/submissions/full.json", &text, &f->err),
        LORE_OK);
    doc = decode(f, &text);
    if (put_now(f, text.data) != LORE_OK)
        fail_msg("%s", f->err.msg);
    lore_buf_free(&text);
    return doc;
}

static void
every_record_comes_back_with_every_field(void **state)
{
    struct fixture *f = *state;
    struct lore_submission doc = submitted(f);

    for (size_t k = 0; k < sizeof readers / sizeof *readers; k++) {
        enum lore_kind kind = readers[k].kind;
        size_t n, size;
        const char *record = lore_wire_list(&doc, kind, &n, &size);

        assert_true(n > 0);
        for (size_t i = 0; i < n; i++, record += size) {
            const char *its_id = *(const char *const *)(const void *)record;
            const struct lore_json *root = answer(f, readers[k].get, its_id);

            assert_says(
                f, again(f, kind, lore_json_get(root, "record"), NULL), encoded(f, kind, record));
        }
    }
}

static void
attributions_come_back_with_their_experiment(void **state)
{
    struct fixture *f = *state;
    struct lore_submission doc = submitted(f);
    size_t found = 0;

    assert_true(doc.n_attributions > 0);
    for (size_t i = 0; i < doc.n_attributions; i++) {
        const struct lore_attribution *a = &doc.attributions[i];
        const struct lore_json *list =
            lore_json_get(answer(f, lore_api_experiment, a->experiment), "attributions");

        for (const struct lore_json *c = list->child; c != NULL; c = c->next) {
            if (strcmp(lore_json_get(c, "id")->str, a->id) != 0)
                continue;
            assert_says(
                f, again(f, LORE_K_ATTRIBUTION, c, "seq"), encoded(f, LORE_K_ATTRIBUTION, a));
            found++;
        }
    }
    assert_int_equal(found, doc.n_attributions);
}

/* What is taken is given back: the longest text a document may carry in an open field too. */
static void
a_long_text_in_an_open_field_comes_back(void **state)
{
    struct fixture *f = *state;
    size_t n = 2 << 20;
    char *text = lore_alloc(&f->arena, n + 1);
    const struct lore_json *extra;

    memset(text, 'x', n);
    if (put_now(f, lore_format(&f->arena,
                       "{\"warplore\":1,\"id\":\"%s\",\"kernels\":[{\"id\":\"%s\",\"operator\":"
                       "\"gemm\",\"name\":\"k\",\"language\":\"hip\",\"extra\":{\"a\":\"%s\"}}]}",
                       id(f, 1), id(f, 2), text)) != LORE_OK)
        fail_msg("%s", f->err.msg);
    extra = lore_json_get(lore_json_get(answer(f, lore_api_kernel, id(f, 2)), "record"), "extra");
    assert_non_null(extra);
    assert_int_equal(lore_json_get(extra, "a")->len, n);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(
            every_record_comes_back_with_every_field, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            attributions_come_back_with_their_experiment, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_long_text_in_an_open_field_comes_back, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
