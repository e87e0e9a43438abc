/* The objects of the interface as OpenAPI schemas. Tables: openapi_objects.c, openapi_knowledge.c,
 * openapi_feedback.c;
 * who answers with what: openapi_answers.c. A type is `text`, `number`, `integer`, `boolean`,
 * `time`, `ulid`, `object`, `any`, `#Name` for another object, `[` + type for a list, `a|b|c` for a
 * choice, `#A/#B` for one of two objects; a `?` at the end allows null. */
#ifndef LORE_API_OPENAPI_H
#define LORE_API_OPENAPI_H

#include "service/base/jsonw.h"
#include "service/http/http.h"

#define LORE_OPENAPI_SUBMISSION "/api/v1/schema/submission"

/* Rows of one object stand together. `!` before the name: always there. The name `=spec`: every
 * field that a submission's spec may have; no type. Tables end with a NULL object. */
struct lore_openapi_member {
    const char *object, *name, *type;
};
extern const struct lore_openapi_member lore_openapi_members[], lore_openapi_knowledge[],
    lore_openapi_feedback[];
extern const struct lore_openapi_member lore_openapi_start[];

/* A whole schema for TYPE. */
void lore_openapi_type(struct lore_jsonw *w, const char *type);
/* `"schemas": {…}` of every object in the tables. */
void lore_openapi_objects(struct lore_jsonw *w);
/* What a route answers with: its object, `rows:Name` for a list of them, or a media type. NULL:
 * nobody said, which a test refuses. */
const char *lore_openapi_answer(enum lore_method method, const char *path);
/* The object that a write takes, unless that is a submission. */
const char *lore_openapi_body(enum lore_method method, const char *path);

#endif
