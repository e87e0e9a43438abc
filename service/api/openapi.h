/* The objects of the interface as OpenAPI schemas: one table in openapi_objects.c. A type is
 * `text`, `number`, `integer`, `boolean`, `time`, `ulid`, `object`, `#Name` for another object,
 * `[` + type for a list, `a|b|c` for a choice; a `?` at the end allows null. */
#ifndef LORE_OPENAPI_H
#define LORE_OPENAPI_H

#include "http.h"
#include "jsonw.h"

/* A whole schema for TYPE. */
void lore_openapi_type(struct lore_jsonw *w, const char *type);
/* `"schemas": {…}` of every object in the table. */
void lore_openapi_objects(struct lore_jsonw *w);
/* What a route answers with: its object, `rows:Name` for a list of them, or a media type. NULL:
 * nobody said, which a test refuses. */
const char *lore_openapi_answer(enum lore_method method, const char *path);

#endif
