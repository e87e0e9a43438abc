/* The objects of the interface as OpenAPI schemas, from the tables that write and read them
 * (object.h). A type is `text`, `number`, `integer`, `boolean`, `time`, `ulid`, `object`, `any`,
 * `#Name` for another object, `[` + type for a list, `{` + type for a map from names, `a|b|c` for a
 * choice, `#A/#B` for one of two objects; a `?` at the end allows null. */
#ifndef LORE_API_OPENAPI_H
#define LORE_API_OPENAPI_H

#include "service/api/object.h"
#include "service/base/jsonw.h"
#include "service/http/http.h"

#define LORE_OPENAPI_SUBMISSION "/api/v1/schema/submission"

/* A whole schema for TYPE; HELP, or NULL, describes it. */
void lore_openapi_type(struct lore_jsonw *w, const char *type);
void lore_openapi_type_as(struct lore_jsonw *w, const char *type, const char *help);
/* The type of M; TEXT is the buffer for a composed type. NULL: it has none. */
const char *lore_openapi_type_of(const struct lore_object_member *m, char *text, size_t size);
/* Every object in a request or an answer, each once. A test checks that all fit. */
enum { LORE_OPENAPI_OBJECTS = 400 };
struct lore_openapi_list {
    const struct lore_object *v[LORE_OPENAPI_OBJECTS];
    size_t n;
};
void lore_openapi_list(struct lore_openapi_list *out);
/* `"schemas": {…}` of every object. */
void lore_openapi_objects(struct lore_jsonw *w);

#endif
