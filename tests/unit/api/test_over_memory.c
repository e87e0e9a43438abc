// uses: api
/* Every route with too little memory: with a ceiling from a few bytes up to 64 KiB a request gets
 * its normal answer or the problem over_memory, releases what it held, and leaves the service as it
 * was. The route table is the list; a route that is not asked for here fails the test. */
#include "tests/unit/agents_fixture.h"

#include "service/api/assets.h"
#include "service/base/text.h"
#include "service/http/answer_pool.h"
#include "service/ingest/served.h"

#define CEILING ((size_t)64 << 10)

#define ID(kind) "01J0000000000000000000" kind
#define REASON "{\"reason\":\"x\"}"

/* What to ask of a route, where its path alone is no question. $names are filled in by text_of. */
static const struct question {
    enum lore_method method;
    const char *route, *asks, *body;
} questions[] = {
    {LORE_GET, "/api/v1/submissions/{id}", "/api/v1/submissions/01J000000000000000000DCMT1", NULL},
    {LORE_GET, "/api/v1/submissions/{id}/raw", "/api/v1/submissions/01J000000000000000000DCMT1/raw",
        NULL},
    {LORE_GET, "/api/v1/agents/{id}/receipts", "/api/v1/agents/$agent/receipts", NULL},
    {LORE_GET, "/api/v1/blobs/{hash}", "/api/v1/blobs/$blob", NULL},
    {LORE_GET, "/api/v1/chips/{name}", "/api/v1/chips/mi300x", NULL},
    {LORE_GET, "/api/v1/techniques/{slug}", "/api/v1/techniques/tiling_smem", NULL},
    {LORE_GET, "/api/v1/kernels/{id}", "/api/v1/kernels/" ID("KRN7"), NULL},
    {LORE_GET, "/api/v1/kernels/{id}/history", "/api/v1/kernels/" ID("KRN7") "/history", NULL},
    {LORE_GET, "/api/v1/kernels/{id}/frontier", "/api/v1/kernels/" ID("KRN7") "/frontier", NULL},
    {LORE_GET, "/api/v1/kernels/{id}/drift", "/api/v1/kernels/" ID("KRN7") "/drift", NULL},
    {LORE_GET, "/api/v1/versions/{id}", "/api/v1/versions/" ID("VRS5"), NULL},
    {LORE_GET, "/api/v1/versions/{id}/lineage", "/api/v1/versions/" ID("VRS5") "/lineage", NULL},
    {LORE_GET, "/api/v1/versions/{id}/verifications",
        "/api/v1/versions/" ID("VRS5") "/verifications", NULL},
    {LORE_GET, "/api/v1/versions/{id}/compare/{other}",
        "/api/v1/versions/" ID("VRS1") "/compare/" ID("VRS2"), NULL},
    {LORE_GET, "/api/v1/runs/{id}", "/api/v1/runs/" ID("RNV1"), NULL},
    {LORE_GET, "/api/v1/runs/{id}/diagnosis", "/api/v1/runs/" ID("RNV1") "/diagnosis", NULL},
    {LORE_GET, "/api/v1/runs/{id}/triggers", "/api/v1/runs/" ID("RNV1") "/triggers", NULL},
    {LORE_GET, "/api/v1/environments/{id}/compare/{other}",
        "/api/v1/environments/" ID("ENG1") "/compare/" ID("ENG2"), NULL},
    {LORE_GET, "/api/v1/environments/{id}", "/api/v1/environments/" ID("ENV7"), NULL},
    {LORE_GET, "/api/v1/workloads/{id}", "/api/v1/workloads/$workload", NULL},
    {LORE_GET, "/api/v1/hypotheses/{id}", "/api/v1/hypotheses/" ID("HYP7"), NULL},
    {LORE_GET, "/api/v1/experiments", "/api/v1/experiments?operator=gemm&words=tiles", NULL},
    {LORE_GET, "/api/v1/experiments", "/api/v1/experiments?chip=sm_86", NULL},
    {LORE_GET, "/api/v1/experiments/{id}", "/api/v1/experiments/" ID("EXP6"), NULL},
    {LORE_GET, "/api/v1/check-idea",
        "/api/v1/check-idea?kernel=" ID("KFA1") "&text=SECOND&from=" ID("VFA0"), NULL},
    {LORE_GET, "/api/v1/facets", "/api/v1/facets?operator=gemm", NULL},
    {LORE_GET, "/api/v1/insights/{id}", "/api/v1/insights/" ID("NSG1"), NULL},
    {LORE_GET, "/api/v1/source-documents/{id}", "/api/v1/source-documents/" ID("SRC1"), NULL},
    {LORE_GET, "/api/v1/specs/{id}", "/api/v1/specs/" ID("SPC1"), NULL},
    {LORE_GET, "/api/v1/roofline",
        "/api/v1/roofline?chip=h100-sxm&dtype=half&flops=1e12&bytes=1e10", NULL},
    {LORE_GET, "/api/v1/axis-budget", "/api/v1/axis-budget?compute=0.5&memory=0.3&latency=0.2",
        NULL},
    {LORE_GET, "/api/v1/methods/validate",
        "/api/v1/methods/validate?methods=memory.vectorized_access&budget=1,1,1", NULL},
    {LORE_GET, "/api/v1/campaigns/{id}", "/api/v1/campaigns/" ID("CMP1"), NULL},
    {LORE_GET, "/api/v1/sweeps/{id}", "/api/v1/sweeps/" ID("SWP1"), NULL},
    {LORE_GET, "/api/v1/sweeps/{id}/configurations", "/api/v1/sweeps/" ID("SWP1") "/configurations",
        NULL},
    {LORE_GET, "/api/v1/profiles/{id}", "/api/v1/profiles/" ID("PRF1"), NULL},
    {LORE_GET, "/api/v1/profiles/{id}/diagnosis", "/api/v1/profiles/" ID("PRF1") "/diagnosis",
        NULL},
    {LORE_GET, "/api/v1/directions/{id}", "/api/v1/directions/" ID("DRC1"), NULL},
    {LORE_GET, "/api/v1/curations/{id}", "/api/v1/curations/$curation", NULL},
    {LORE_GET, "/api/v1/records/{id}", "/api/v1/records/" ID("EXP6"), NULL},
    {LORE_GET, "/api/v1/search", "/api/v1/search?words=tiles", NULL},
    {LORE_GET, "/api/v1/recommend",
        "/api/v1/recommend?operator=gemm&chip=a6000&language=cuda&next=true&version=" ID("VRS5"),
        NULL},
    {LORE_GET, "/api/v1/recommend", "/api/v1/recommend?run=" ID("RNV1"), NULL},
    {LORE_GET, "/api/v1/brief", "/api/v1/brief?operator=gemm&chip=a6000&language=cuda", NULL},
    {LORE_GET, "/api/v1/recommend", "/api/v1/recommend?method=seed-score&operator=gemm&chip=a6000",
        NULL},
    {LORE_GET, "/api/v1/advice/{id}", "/api/v1/advice/$advice", NULL},
    {LORE_GET, "/assets/{file}", "$asset", NULL},
    {LORE_GET, "/{page}", "/kernels", NULL},
    {LORE_GET, "/compare/{id}/{other}", "/compare/" ID("VRS1") "/" ID("VRS2"), NULL},
    {LORE_GET, "/{page}/{id}", "/kernels/" ID("KRN7"), NULL},
    {LORE_POST, "/api/v1/submissions", "/api/v1/submissions", "$new"},
    {LORE_POST, "/api/v1/submissions", "/api/v1/submissions", "$large"},
    {LORE_POST, "/api/v1/attempts", "/api/v1/attempts",
        "{\"operator\":\"rope\",\"language\":\"cuda\",\"chip\":\"h100\",\"change\":\"x\","
        "\"before\":\"2us\",\"time\":\"1us\"}"},
    {LORE_POST, "/api/v1/sessions", "/api/v1/sessions",
        "{\"operator\":\"rope\",\"language\":\"cuda\",\"chip\":\"h100\"}"},
    {LORE_POST, "/api/v1/batches", "/api/v1/batches", "$batch"},
    {LORE_POST, "/api/v1/agents", "/api/v1/agents",
        "{\"code\":\"$code\",\"public_key\":\"$key\",\"label\":\"gpu\"}"},
    {LORE_POST, "/api/v1/kernels/{id}/restart", "/api/v1/kernels/" ID("KRN7") "/restart",
        "{\"seed\":7,\"reason\":\"stuck\"}"},
    {LORE_POST, "/api/v1/experiments/{id}/mask", "/api/v1/experiments/" ID("EXP6") "/mask",
        "{\"masked\":false,\"reason\":\"x\"}"},
    {LORE_POST, "/api/v1/insights/{id}/review", "/api/v1/insights/" ID("NSG1") "/review",
        "{\"state\":\"reviewed\",\"reason\":\"x\"}"},
    {LORE_POST, "/api/v1/specs/{id}/select", "/api/v1/specs/" ID("SPC1") "/select", REASON},
    {LORE_POST, "/api/v1/specs/{id}/reject", "/api/v1/specs/" ID("SPC2") "/reject", REASON},
    {LORE_POST, "/api/v1/campaigns/{id}/close", "/api/v1/campaigns/" ID("CMP2") "/close", REASON},
    {LORE_POST, "/api/v1/campaigns/{id}/amend", "/api/v1/campaigns/" ID("CMP2") "/amend",
        "{\"reason\":\"x\",\"iterations\":3}"},
    {LORE_POST, "/api/v1/directions/{id}/close", "/api/v1/directions/" ID("DRC1") "/close", REASON},
    {LORE_POST, "/api/v1/quarantines", "/api/v1/quarantines",
        "{\"author\":\"Ada\",\"reason\":\"its clock was wrong\"}"},
    {LORE_POST, "/api/v1/records/{id}/retract", "/api/v1/records/" ID("DRC2") "/retract", REASON},
    {LORE_POST, "/api/v1/records/{id}/comment", "/api/v1/records/" ID("RNV0") "/comment", REASON},
    {LORE_POST, "/api/v1/merges", "/api/v1/merges",
        "{\"members\":[\"" ID("EXP6") "\",\"" ID("EXP8") "\"],\"canonical\":\"" ID(
            "EXP8") "\",\"reason\":\"the same\"}"},
    {LORE_POST, "/api/v1/merges/{id}/undo", "/api/v1/merges/$merge/undo", REASON},
    {LORE_POST, "/api/v1/advice/{id}/events", "/api/v1/advice/$advice/events",
        "{\"event\":\"opened\"}"},
};

/* A service with what the fixtures bring, and the request at hand. */
struct service {
    struct fixture f;
    struct lore_arena request; /* its ceiling is what is tried */
    struct lore_resp resp;
    char admin[LORE_TOKEN_SIZE + 8];
    const char *blob, *workload, *advice, *curation, *merge;
    int n;       /* of the last new document */
    size_t over; /* refusals of all routes at the largest ceiling */
};

/* ---- with all the memory that a request wants ---- */

static const char *
file_of(struct fixture *f, const char *name)
{
    LORE_BUF text = {0};
    const char *path = lore_format(&f->arena, SOURCE_DIR "/tests/http/fixtures/%s", name);

    assert_int_equal(lore_file_read(path, &text, &f->err), LORE_OK);
    return lore_strndup(&f->arena, text.data, text.len);
}

static const struct lore_json *
get(struct service *s, const char *path, const char *query)
{
    struct lore_req req = {
        .method = LORE_GET, .path = path, .query = query, .authorization = s->admin};

    if (ask(&s->f, &req) != 200)
        fail_msg("GET %s?%s: %s", path, query != NULL ? query : "", s->f.resp.body.data);
    return s->f.json;
}

static const struct lore_json *
first_of(struct service *s, const char *path, const char *query)
{
    return item(get(s, path, query), "rows", 0);
}

static void
submit(struct service *s, const char *document)
{
    struct lore_req req = {.method = LORE_POST,
        .path = "/api/v1/submissions",
        .authorization = s->admin,
        .content_type = "application/json",
        .body = document,
        .body_len = strlen(document)};

    if (ask(&s->f, &req) / 100 != 2)
        fail_msg("%s", s->f.resp.body.data);
}

/* ---- what is filled in ---- */

static const char *
agent(struct service *s)
{
    return s->f.agent.id;
}

static const char *
blob(struct service *s)
{
    return s->blob;
}

static const char *
workload(struct service *s)
{
    return s->workload;
}

static const char *
advice(struct service *s)
{
    return s->advice;
}

static const char *
curation(struct service *s)
{
    return s->curation;
}

static const char *
asset(struct service *s)
{
    (void)s;
    for (const struct lore_asset *a = lore_assets; a->path != NULL; a++)
        if (strncmp(a->path, "/assets/", 8) == 0)
            return a->path;
    return "/assets/none";
}

/* The last one: also after it was taken apart by a request whose reply had no room. */
static const char *
merge(struct service *s)
{
    const struct lore_json *rows = lore_json_get(get(s, "/api/v1/merges", NULL), "rows");

    if (rows->child)
        s->merge = lore_strdup(&s->f.arena, text_at(rows->child, "id"));
    return s->merge;
}

static const char *
code(struct service *s)
{
    return new_code(&s->f, NULL, 15);
}

static const char *
key(struct service *s)
{
    unsigned char public_key[LORE_PUBLIC_KEY], secret[LORE_SECRET_KEY];
    char text[LORE_PUBLIC_KEY_TEXT];

    lore_signing_keys(public_key, secret);
    lore_signing_text(public_key, sizeof public_key, text);
    return lore_strdup(&s->f.arena, text);
}

static const char *
new_one(struct service *s)
{
    return new_document(&s->f, ++s->n);
}

static const char *
large(struct service *s)
{
    return file_of(&s->f, "one.json");
}

static const struct {
    const char *name;
    const char *(*value)(struct service *s);
} names[] = {{"$agent", agent}, {"$blob", blob}, {"$workload", workload}, {"$advice", advice},
    {"$curation", curation}, {"$asset", asset}, {"$merge", merge}, {"$code", code}, {"$key", key},
    {"$new", new_one}, {"$large", large}};

static const char *
filled_in(struct service *s, const char *text)
{
    struct lore_arena *a = &s->f.arena;

    for (size_t i = 0; text != NULL && i < sizeof names / sizeof *names; i++) {
        const char *at = strstr(text, names[i].name);

        if (at)
            text = lore_format(a, "%.*s%s%s", (int)(at - text), text, names[i].value(s),
                at + strlen(names[i].name));
    }
    return text;
}

/* ---- with a ceiling ---- */

/* The path and the query of ASKS in REQ. */
static void
address(struct service *s, const char *asks, struct lore_req *req)
{
    char *path = lore_strdup(&s->f.arena, filled_in(s, asks)), *query = strchr(path, '?');

    if (query != NULL)
        *query++ = '\0';
    req->path = path;
    req->query = query;
}

/* A batch of one new document, signed; its text lives in the fixture's arena. */
static void
sign(struct service *s, struct lore_req *req)
{
    struct fixture *f = &s->f;
    struct sending batch = {0};
    char digest[LORE_HASH_HEX], id[LORE_ULID_SIZE], text[LORE_SIGNATURE_TEXT];
    unsigned char signature[LORE_SIGNATURE];
    const char *document = new_one(s);
    struct lore_sign_request r = {.agent = f->agent.id,
        .created = lore_now_us() / 1000000,
        .method = "POST",
        .path = req->path,
        .digest = digest,
        .batch = id};

    add_part(&batch, &f->agent, (uint64_t)s->n, document);
    req->body = lore_strndup(&f->arena, batch.body.data, batch.body.len);
    req->body_len = batch.body.len;
    lore_buf_free(&batch.body);
    lore_hash_hex(req->body, req->body_len, digest);
    lore_ulid_new(id);
    lore_signing_batch(f->agent.secret, &r, signature);
    lore_signing_text(signature, sizeof signature, text);
    req->content_type = LORE_BATCH_MEDIA;
    req->signed_by = (struct lore_sign_headers){.agent = r.agent,
        .batch = lore_strdup(&f->arena, id),
        .created = lore_format(&f->arena, "%lld", (long long)r.created),
        .digest = lore_strdup(&f->arena, digest),
        .signature = lore_strdup(&f->arena, text)};
}

/* The status of Q with at most CEILING bytes; 0: as many as it wants. */
static int
try(struct service *s, const struct question *q, size_t ceiling)
{
    struct lore_req req = {.method = q->method,
        .authorization = s->admin,
        .content_type = "application/json",
        .request_id = "test",
        .arena = &s->request};

    address(s, q->asks, &req);
    req.body = filled_in(s, q->body);
    req.body_len = req.body != NULL ? strlen(req.body) : 0;
    if (lore_streq(q->body, "$batch"))
        sign(s, &req);
    lore_buf_free(&s->resp.body);
    s->resp = (struct lore_resp){0};
    lore_arena_free(&s->request);
    s->request.limit = ceiling;
    lore_dispatch(&s->f.app, &req, &s->resp);
    assert_true(ceiling == 0 || s->request.used <= ceiling);
    return s->resp.status;
}

/* 2xx; a second time a decision may be a conflict, when its reply was what there was no room for.
 */
static bool
is_normal(const struct question *q, int status)
{
    return status / 100 == 2 || (q->method != LORE_GET && status == 409);
}

static void
drive(struct service *s, const struct question *q)
{
    size_t over = 0, step;
    int status = 0;

    for (size_t c = 16; c <= CEILING && !is_normal(q, status); c += step) {
        step = c / 32 > 16 ? c / 32 / 16 * 16 : 16;
        status = try(s, q, c);
        if (is_normal(q, status))
            break;
        if (status != 413 || !strstr(s->resp.body.data, "\"over_memory\""))
            fail_msg("%s with %zu bytes: %d %s", q->asks, c, status, s->resp.body.data);
        over++;
    }
    if (over == 0)
        fail_msg("%s: needs no memory at all?", q->asks);
    s->over += !is_normal(q, status);
    status = try(s, q, 0);
    if (!is_normal(q, status))
        fail_msg("%s after %zu refusals: %d %s", q->asks, over, status, s->resp.body.data);
}

static void
drive_route(struct service *s, const struct lore_route *r)
{
    bool asked = false;

    for (size_t i = 0; i < sizeof questions / sizeof *questions; i++)
        if (questions[i].method == r->method && lore_streq(questions[i].route, r->path)) {
            drive(s, &questions[i]);
            asked = true;
        }
    if (asked)
        return;
    if (r->method != LORE_GET || strchr(r->path, '{'))
        fail_msg("%s: add what to ask of it to `questions`", r->path);
    drive(s, &(struct question){r->method, r->path, r->path, NULL});
}

static void
a_request_over_its_memory_gets_a_problem_and_the_service_goes_on(void **state)
{
    struct service *s = *state;

    for (const struct lore_route *r = lore_routes; r->path != NULL; r++)
        drive_route(s, r);
    /* Else nothing was over the largest ceiling, and the test shows less than it says. */
    assert_true(s->over > 0);
    /* Each connection came back, and the writer still writes, also to the indexes. */
    for (int i = 0; i < 8; i++)
        (void)get(s, "/api/v1/kernels", NULL);
    submit(s, "{\"warplore\":1,\"id\":\"" ID("DNEW") "\",\"runs\":[{\"id\":\"" ID(
                  "RNEW") "\",\"version\":\"" ID("VRS1") "\",\"chip\":\"h200\","
                                                         "\"samples_ns\":[100,101,102]}]}");
}

/* ---- set-up ---- */

static void
load(struct service *s)
{
    static const char *const files[] = {"small.json", "verdicts.json", "knowledge.json",
        "groups.json", "failures.json", "sweeps.json", "profiles.json"};
    const struct lore_json *row;

    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        submit(s, file_of(&s->f, files[i]));
    row = get(s, "/api/v1/versions/" ID("VRS1"), NULL);
    s->blob = lore_strdup(&s->f.arena, text_at(item(row, "files", 0), "blob"));
    row = lore_json_get(first_of(s, "/api/v1/runs", "chip=a6000"), "workload");
    s->workload = lore_strdup(&s->f.arena, text_at(row, "id"));
    row = get(s, "/api/v1/recommend", "operator=gemm&chip=a6000");
    s->advice = lore_strdup(&s->f.arena, text_at(row, "advice_id"));
    (void)try(
        s, &(struct question){LORE_POST, "", "/api/v1/records/" ID("RNV0") "/comment", REASON}, 0);
    s->curation = lore_strdup(&s->f.arena, text_at(first_of(s, "/api/v1/curations", NULL), "id"));
}

static int
set_up_service(void **state)
{
    static const struct lore_setting none[] = {{.name = NULL}};
    static struct lore_stats_http counters;
    struct service *s;
    struct fixture *f;
    char text[LORE_TOKEN_SIZE];

    set_up(state);
    f = *state;
    s = calloc(1, sizeof *s);
    s->f = *f;
    free(f);
    f = &s->f;
    *state = s;
    lore_agents_limits_refusals(lore_agents_limits(f->app.agents), lore_api_store_refusal, &f->app);
    f->app.settings = none;
    f->app.counters = &counters;
    f->app.served = lore_served_new(f->app.ingest,
        &(struct lore_served_limits){.window_us = 1000000, .keep = 1000, .keep_us = INT64_MAX / 2});
    f->app.pool = lore_answer_pool_start(2);
    assert_int_equal(
        lore_readers_open_beside(f->app.readers, 2, &f->app.pool_readers, &f->err), LORE_OK);
    assert_int_equal(lore_token_make(f->auth, "admin", "ada", 0, text, &f->err), LORE_OK);
    snprintf(s->admin, sizeof s->admin, "Bearer %s", text);
    load(s);
    return 0;
}

static int
tear_down_service(void **state)
{
    struct service *s = *state;
    struct lore_served *served = s->f.app.served;

    lore_answer_pool_stop(s->f.app.pool);
    lore_readers_close(s->f.app.pool_readers);
    lore_buf_free(&s->resp.body);
    lore_arena_free(&s->request);
    tear_down(state);
    lore_served_free(served);
    return 0;
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(
            a_request_over_its_memory_gets_a_problem_and_the_service_goes_on, set_up_service,
            tear_down_service),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
