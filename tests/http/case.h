/* One HTTP case: a request and what must come back. The text format is in README.md. */
#ifndef LORE_TESTS_HTTP_CASE_H
#define LORE_TESTS_HTTP_CASE_H

#include "service/base/arena.h"
#include "service/base/json.h"
#include "tests/http/service.h"

enum expect_kind { EXPECT_STATUS = 1, EXPECT_HEADER, EXPECT_JSON, EXPECT_BODY, EXPECT_CLOSED };
struct expect {
    enum expect_kind kind;
    const char *subject; /* header name or JSON path */
    const char *op;      /* = ~ > < exists absent count */
    const char *value;
    int line;
};
struct save {
    const char *name, *from /* json | header */, *path;
};
struct test_case {
    const char *name;
    int line;
    enum who who;
    const char *method, *target;
    struct lore_buf headers, body, raw;
    bool has_body, hangup;
    bool is_signed;    /* as agent */
    const char *batch; /* the id of a signed batch; NULL: a new one */
    struct expect *expects;
    size_t n_expects, cap_expects;
    struct save *saves;
    size_t n_saves, cap_saves;
};
/* Values that later cases of the file may use as ${name}. */
struct vars {
    struct {
        const char *name, *value;
    } * v;
    size_t n, cap;
};
void vars_set(struct vars *vars, struct lore_arena *arena, const char *name, const char *value);
const char *vars_get(const struct vars *vars, const char *name); /* the last value; "": none */

/* Parse the block TEXT (one case, from its `case` line on, LINE in the file). Prints and returns
 * false when it is malformed. FIXTURES: directory that body-file looks in. */
bool case_parse(char *text, int line, const struct vars *vars, const char *fixtures,
    struct lore_arena *arena, struct test_case *out);
void case_free(struct test_case *c);
/* Does REPLY meet every expectation? The first that it does not is printed. */
bool case_check(const struct test_case *c, const struct reply *reply, struct lore_arena *arena);
/* Keep what the case saves. False when there is nothing at the path. */
bool case_save(const struct test_case *c, const struct reply *reply, struct vars *vars,
    struct lore_arena *arena);
/* The status that the case expects; 0: none named. */
int case_status(const struct test_case *c);
/* The reply's body as JSON, in ARENA; NULL when it is none. */
struct lore_json *case_json(const struct reply *reply, struct lore_arena *arena);
/* `rows[0].outcome.effect` below ROOT, or NULL. */
const struct lore_json *json_at(const struct lore_json *root, const char *path);

/* Every route of the service with every method and credential (matrix.c). Prints one line
 * per route; returns how many were wrong, *n counts them. */
int matrix_run(const struct service *s, int *n);
/* Note that a case reached METHOD TARGET with STATUS; then list the routes that no case reached
 * with success. */
struct coverage {
    struct {
        char *method, *path;
        bool reached;
    } * routes;
    size_t n, cap;
};
void coverage_load(struct coverage *c, const struct service *s);
/* The pattern of the route that the request meets, or NULL. */
const char *coverage_note(struct coverage *c, const char *method, const char *target, int status);
int coverage_report(const struct coverage *c);
void coverage_free(struct coverage *c);

/* /openapi.json of S, in ARENA; NULL when it cannot be had. */
struct lore_json *contract_read(const struct service *s, struct lore_arena *arena);
/* Is BODY what the description says of METHOD PATH (a pattern) with this status? Prints what is
 * not. */
bool contract_check(const struct lore_json *api, const char *method, const char *path, int status,
    const struct lore_json *body);

#endif
