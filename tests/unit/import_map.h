/* Rows that are read by a map, for the tests of maps. */
#ifndef LORE_TESTS_UNIT_IMPORT_MAP_H
#define LORE_TESTS_UNIT_IMPORT_MAP_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "collectors/import/intake.h"
#include "collectors/import/maps/map.h"
#include "collectors/import/tree.h"
#include "service/base/file.h"
#include "service/base/text.h"
#include "service/wire/build.h"

static struct lore_arena arena;
static struct lore_import in;
static struct lore_submission doc;

static inline int
teardown(void **state)
{
    (void)state;
    lore_arena_free(&arena);
    return 0;
}

static inline struct lore_map *
map_of(const char *yaml)
{
    struct lore_map *map = NULL;
    struct lore_err err = {0};

    if (lore_map_read(yaml, strlen(yaml), "m.yaml", &arena, &map, &err) != LORE_OK)
        fail_msg("%s", err.msg);
    return map;
}

/* Read TEXT by the map; the records are in doc. The error, "": none. */
static inline const char *
try_by(const char *yaml, const char *text)
{
    struct lore_import_file *file = lore_alloc(&arena, sizeof *file);
    struct lore_import_tree *tree = lore_alloc(&arena, sizeof *tree);
    struct lore_map *map = map_of(yaml);
    struct lore_err err = {0};

    *file = (struct lore_import_file){.path = "runs/rows.txt",
        .text = text,
        .len = strlen(text),
        .head = text,
        .head_len = strlen(text),
        .whole = true};
    tree->above = "/home/x";
    memset(&doc, 0, sizeof doc);
    in = (struct lore_import){.arena = &arena, .unit = "rows.txt", .tree = tree, .doc = &doc};
    lore_import_open(&in, file);
    enum lore_status status = lore_map_import(&in, map, &err);
    lore_map_free(map);
    return status == LORE_OK ? "" : lore_strdup(&arena, err.msg);
}

static inline void
read_by(const char *yaml, const char *text)
{
    assert_string_equal(try_by(yaml, text), "");
}

#endif
