/* GET /openapi.json and the schema of a submission. Paths, parameters, permissions and limits come
 * from the route table itself, so the two cannot disagree; objects come from their tables
 * (object.h). */
#include "service/api/openapi.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "service/api/api.h"
#include "service/api/params.h"
#include "service/base/text.h"
#include "service/http/app.h"
#include "service/wire/wire.h"

static void
write_schema(struct lore_jsonw *w, const struct lore_param *p)
{
    lore_w_key(w, "schema");
    if (p->type == LORE_P_ENUM) {
        lore_openapi_type(w, p->choices);
        return;
    }
    if (p->type == LORE_P_BOOL || p->type == LORE_P_NAME) {
        lore_openapi_type(w, p->type == LORE_P_BOOL ? "boolean" : "ulid");
        return;
    }
    lore_w_obj(w);
    if (p->type == LORE_P_INT) {
        lore_w_kstr(w, "type", "integer");
        lore_w_ki64(w, "minimum", p->min);
        lore_w_ki64(w, "maximum", p->max);
    } else {
        lore_w_kstr(w, "type", "string");
        lore_w_ki64(w, "maxLength", p->max > 0 ? p->max : 200);
    }
    lore_w_obj_end(w);
}

/* The {parts} of the path: required text. */
static void
write_path_parts(struct lore_jsonw *w, const char *path)
{
    for (const char *p = strchr(path, '{'); p != NULL; p = strchr(p, '{')) {
        size_t n = strcspn(++p, "}");

        lore_w_obj(w);
        lore_w_key(w, "name");
        lore_w_strn(w, p, n);
        lore_w_kstr(w, "in", "path");
        lore_w_kbool(w, "required", true);
        lore_w_key(w, "schema");
        lore_openapi_type(w, "text");
        lore_w_obj_end(w);
    }
}

static void
write_parameters(struct lore_jsonw *w, const struct lore_route *r)
{
    lore_w_key(w, "parameters");
    lore_w_arr(w);
    write_path_parts(w, r->path);
    for (const struct lore_param *p = r->params; p != NULL && p->name; p++) {
        if (strcmp(p->name, "*") == 0)
            continue;
        lore_w_obj(w);
        lore_w_kstr(w, "name", p->name);
        lore_w_kstr(w, "in", "query");
        lore_w_kstr(w, "description", p->help);
        write_schema(w, p);
        lore_w_obj_end(w);
    }
    lore_w_arr_end(w);
}

/* One security scheme: {"token": ["reader"]}. */
static void
write_scheme(struct lore_jsonw *w, const char *scheme, const char *role)
{
    lore_w_obj(w);
    lore_w_key(w, scheme);
    lore_w_arr(w);
    if (role)
        lore_w_str(w, role);
    lore_w_arr_end(w);
    lore_w_obj_end(w);
}

static void
write_security(struct lore_jsonw *w, const struct lore_route *r)
{
    bool is_signed = r->who == LORE_SIGNED || r->who == LORE_SIGNED_OR_READER;

    lore_w_key(w, "security");
    lore_w_arr(w);
    if (is_signed)
        write_scheme(w, "signature", NULL);
    if (r->who == LORE_SIGNED_OR_READER)
        write_scheme(w, "token", lore_role_name(LORE_READER));
    else if (!is_signed && r->who != LORE_PUBLIC && r->who != LORE_CODED)
        write_scheme(w, "token", lore_role_name(r->who));
    lore_w_arr_end(w);
}

static void
write_body(struct lore_jsonw *w, const struct lore_route *r)
{
    char ref[96];

    if (r->max_body == 0)
        return;
    lore_w_key(w, "requestBody");
    lore_w_obj(w);
    lore_w_kbool(w, "required", true);
    lore_w_key(w, "content");
    lore_w_obj(w);
    lore_w_key(w, r->who == LORE_SIGNED ? LORE_BATCH_MEDIA : "application/json");
    lore_w_obj(w);
    lore_w_key(w, "schema");
    lore_w_obj(w);
    if (r->takes_record)
        snprintf(ref, sizeof ref, LORE_OPENAPI_SUBMISSION "#/$defs/%s", r->takes_record);
    else
        snprintf(
            ref, sizeof ref, "#/components/schemas/%s", r->takes != NULL ? r->takes->name : "");
    if (r->who == LORE_SIGNED)
        lore_w_kstr(w, "type", "string");
    else
        lore_w_kstr(w, "$ref", !r->takes && !r->takes_record ? LORE_OPENAPI_SUBMISSION : ref);
    lore_w_obj_end(w);
    lore_w_obj_end(w);
    lore_w_obj_end(w);
    lore_w_ki64(w, "x-max-bytes", (int64_t)r->max_body);
    lore_w_obj_end(w);
}

/* {"rows": [NAME…], "next": text or null, "total": …} */
static void
write_rows_schema(struct lore_jsonw *w, const char *name)
{
    char type[64];

    snprintf(type, sizeof type, "[#%s", name);
    lore_w_obj(w);
    lore_w_kstr(w, "type", "object");
    lore_w_key(w, "properties");
    lore_w_obj(w);
    lore_w_key(w, "rows");
    lore_openapi_type(w, type);
    lore_w_key(w, "next");
    lore_openapi_type(w, "text?");
    lore_w_key(w, "total");
    lore_openapi_type(w, "integer");
    if (lore_streq(name, "BoardRow")) {
        lore_w_key(w, "unclassified");
        lore_openapi_type(w, "integer");
    }
    lore_w_obj_end(w);
    lore_w_key(w, "required");
    lore_w_raw(w, "[\"rows\",\"next\"]");
    lore_w_obj_end(w);
}

/* The schema of what R answers with; none for a media type. */
static void
write_answer_schema(struct lore_jsonw *w, const struct lore_route *r)
{
    char type[160];

    lore_w_key(w, "schema");
    if (r->rows) {
        write_rows_schema(w, r->rows->name);
    } else if (r->one) {
        snprintf(type, sizeof type, "#%s", r->one->name);
        for (size_t i = 0; i < sizeof r->or_one / sizeof *r->or_one && r->or_one[i]; i++)
            snprintf(type + strlen(type), sizeof type - strlen(type), "/#%s", r->or_one[i]->name);
        lore_openapi_type(w, type);
    } else {
        lore_openapi_type(w, r->answer);
    }
}

static void
write_answer(struct lore_jsonw *w, const struct lore_route *r, const char *code, const char *says)
{
    bool media = r->answer && strchr(r->answer, '/');

    lore_w_key(w, code);
    lore_w_obj(w);
    lore_w_kstr(w, "description", says);
    lore_w_key(w, "content");
    lore_w_obj(w);
    lore_w_key(w, media ? r->answer : "application/json");
    lore_w_obj(w);
    if (!media)
        write_answer_schema(w, r);
    lore_w_obj_end(w);
    lore_w_obj_end(w);
    lore_w_obj_end(w);
}

static void
write_problem_ref(struct lore_jsonw *w, const char *code)
{
    lore_w_key(w, code);
    lore_w_obj(w);
    lore_w_kstr(w, "$ref", "#/components/responses/Problem");
    lore_w_obj_end(w);
}

static void
write_responses(struct lore_jsonw *w, const struct lore_route *r)
{
    bool submission = r->handler == lore_api_submit;

    lore_w_key(w, "responses");
    lore_w_obj(w);
    write_answer(w, r, "200", submission ? "Everything was stored before" : r->help);
    if (r->method == LORE_POST)
        write_answer(w, r, "201", "Stored and on disk");
    if (r->method == LORE_GET) {
        lore_w_key(w, "304");
        lore_w_obj(w);
        lore_w_kstr(w, "description", "Not modified since the caller's copy");
        lore_w_obj_end(w);
    }
    write_problem_ref(w, "400");
    if (r->who != LORE_PUBLIC) {
        write_problem_ref(w, "401");
        write_problem_ref(w, "403");
        write_problem_ref(w, "429");
        write_problem_ref(w, "503");
    }
    if (strchr(r->path, '{'))
        write_problem_ref(w, "404");
    if (r->method == LORE_POST)
        write_problem_ref(w, "409");
    write_problem_ref(w, "413");
    if (r->max_body > 0)
        write_problem_ref(w, "415");
    lore_w_obj_end(w);
}

/* Such as get_api_v1_kernels_id. An underscore is kept, so that _stats and stats differ. */
static void
write_operation_id(struct lore_jsonw *w, const char *method, const char *path)
{
    char id[160];
    size_t n = (size_t)snprintf(id, sizeof id, "%s", method);

    for (const char *p = path; *p != '\0' && n + 2 < sizeof id; p++) {
        if (isalnum((unsigned char)*p))
            id[n++] = *p;
        else if (*p != '{' && *p != '}')
            id[n++] = '_';
    }
    while (n > 0 && id[n - 1] == '_')
        n--;
    lore_w_key(w, "operationId");
    lore_w_strn(w, id, n);
}

static void
write_operation(struct lore_jsonw *w, const struct lore_route *r)
{
    const char *method = r->method == LORE_POST     ? "post"
                         : r->method == LORE_PUT    ? "put"
                         : r->method == LORE_DELETE ? "delete"
                                                    : "get";

    lore_w_key(w, method);
    lore_w_obj(w);
    write_operation_id(w, method, r->path);
    lore_w_kstr(w, "summary", r->help);
    write_security(w, r);
    write_parameters(w, r);
    write_body(w, r);
    write_responses(w, r);
    lore_w_obj_end(w);
}

static bool
seen_before(const struct lore_route *r)
{
    for (const struct lore_route *q = lore_routes; q < r; q++) {
        if (strcmp(q->path, r->path) == 0)
            return true;
    }
    return false;
}

static void
write_paths(struct lore_jsonw *w)
{
    lore_w_key(w, "paths");
    lore_w_obj(w);
    for (const struct lore_route *r = lore_routes; r->path != NULL; r++) {
        if (seen_before(r))
            continue;
        lore_w_key(w, r->path);
        lore_w_obj(w);
        for (const struct lore_route *q = r; q->path != NULL; q++) {
            if (strcmp(q->path, r->path) == 0)
                write_operation(w, q);
        }
        lore_w_obj_end(w);
    }
    lore_w_obj_end(w);
}

static void
write_components(struct lore_jsonw *w)
{
    lore_w_key(w, "components");
    lore_w_obj(w);
    lore_w_key(w, "securitySchemes");
    lore_w_raw(w,
        "{\"token\":{\"type\":\"http\",\"scheme\":\"bearer\",\"description\":"
        "\"A token `wl_…`. Each role includes those before it: reader, contributor, curator, "
        "admin.\"},"
        "\"signature\":{\"type\":\"apiKey\",\"in\":\"header\",\"name\":\"Warplore-Signature\","
        "\"description\":\"An enrolled agent's Ed25519 signature, with Warplore-Agent, "
        "Warplore-Batch, Warplore-Created and Warplore-Digest.\"}}");
    lore_w_key(w, "responses");
    lore_w_raw(w, "{\"Problem\":{\"description\":\"A problem object (RFC 9457)\",\"content\":"
                  "{\"application/problem+json\":{\"schema\":"
                  "{\"$ref\":\"#/components/schemas/Problem\"}}}}}");
    lore_openapi_objects(w);
    lore_w_obj_end(w);
}

enum lore_status
lore_api_openapi(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    struct lore_jsonw w;

    lore_jsonw_begin(&w, &resp->body, false);
    lore_w_obj(&w);
    lore_w_kstr(&w, "openapi", "3.1.0");
    lore_w_key(&w, "info");
    lore_w_obj(&w);
    lore_w_kstr(&w, "title", "Warplore");
    lore_w_kstr(&w, "version", req->app->version);
    lore_w_kstr(&w, "description", "A team's memory of GPU kernel work.");
    lore_w_obj_end(&w);
    write_paths(&w);
    write_components(&w);
    lore_w_obj_end(&w);
    return lore_jsonw_end(&w, err);
}

enum lore_status
lore_api_submission_schema(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    struct lore_jsonw w;

    (void)req;
    lore_jsonw_begin(&w, &resp->body, false);
    lore_wire_schema(&w);
    return lore_jsonw_end(&w, err);
}
