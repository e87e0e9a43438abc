/* Local YAML files, read into the same tree as JSON, so that one set of getters and error paths
 * serves both. Only the plain subset that a person writes: mappings, lists, scalars. Anchors,
 * aliases, tagged scalars and several documents are errors. Never read an uploaded file with this:
 * libyaml is slow on hostile input. */
#ifndef LORE_IMPORT_YAMLFILE_H
#define LORE_IMPORT_YAMLFILE_H

#include "service/base/json.h"

#define LORE_YAML_MAX (256u << 10)

/* A plain scalar becomes a number, true, false or null if JSON spells it so. "~" and an empty
 * scalar become null. All other scalars are text. */
enum lore_status lore_yamlfile_parse(const char *text, size_t len, const char *name,
    struct lore_arena *arena, struct lore_json **out, struct lore_err *err) LORE_MUST;

#endif
