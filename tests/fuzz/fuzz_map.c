// uses: import
/* The input is a map, a line "...", and a file to read by it: an answer or an error, and what comes
 * out is a document that parses. */
#include <stdlib.h>
#include <string.h>

#include "collectors/import/maps/map.h"
#include "service/wire/build.h"
#include "service/wire/wire.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static void
read_file(struct lore_arena *arena, const struct lore_map *map, const char *text, size_t len)
{
    struct lore_import_file file = {
        .path = "rows.txt", .text = text, .len = len, .head = text, .head_len = len, .whole = true};
    struct lore_import_tree tree = {.above = "/x"};
    struct lore_submission doc = {0};
    struct lore_import in = {.arena = arena, .unit = "rows.txt", .tree = &tree, .doc = &doc};
    struct lore_buf body = {.max = 64u << 20};
    struct lore_submission again;
    struct lore_json *root = NULL;

    lore_import_open(&in, &file);
    if (lore_map_import(&in, map, NULL) != LORE_OK)
        return;
    if (in.refused > in.records)
        abort();
    doc.format = LORE_WIRE_VERSION;
    doc.id = lore_build_id(arena, 0, "fuzz");
    doc.author.name = "fuzz";
    if (lore_build_encode(&doc, &body, NULL) == LORE_OK) {
        if (lore_json_parse(body.data, body.len, &lore_wire_limits, arena, &root, NULL) != LORE_OK)
            abort();
        (void)!lore_wire_decode(root, arena, &again, NULL);
    } else if (!body.over) {
        abort();
    }
    lore_buf_free(&body);
}

int
LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    struct lore_arena arena = {0};
    struct lore_map *map = NULL;

    if (size > (64u << 10))
        return 0;
    const char *text = lore_strndup(&arena, (const char *)data, size);
    const char *cut = memmem(text, size, "\n...\n", 5);
    size_t n = cut ? (size_t)(cut - text) : size;
    if (lore_map_read(text, n, "m.yaml", &arena, &map, NULL) == LORE_OK) {
        if (cut)
            read_file(&arena, map, cut + 5, size - n - 5);
        lore_map_free(map);
    }
    lore_arena_free(&arena);
    return 0;
}
