// uses: import
/* Any bytes as a file for which a map is proposed: the map that comes out is one that the reader of
 * maps accepts, and the file is read by it. */
#include <stdlib.h>
#include <string.h>

#include "collectors/import/maps/suggest.h"
#include "collectors/import/tree.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

int
LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    struct lore_arena arena = {0};
    struct lore_import_tree tree = {.name = "gemm_h100.csv", .above = "/x"};
    struct lore_submission doc = {0};
    struct lore_import in = {.arena = &arena, .unit = "gemm_h100.csv", .tree = &tree, .doc = &doc};
    struct lore_buf yaml = {.max = 4 << 20};
    struct lore_suggestion s;
    struct lore_map *map = NULL;

    if (size > (32u << 10))
        return 0;
    lore_import_open(&in, lore_tree_add(&arena, &tree, "gemm_h100.csv", (const char *)data, size));
    if (lore_map_suggest(&in, &s, NULL) == LORE_OK) {
        lore_suggest_explain(&s, &yaml);
        lore_buf_reset(&yaml);
        lore_suggest_write(&s, true, &yaml);
        /* a map longer than the limit, of a thousand long columns, may be refused */
        if (lore_map_read(yaml.data, yaml.len, "m", &arena, &map, NULL) != LORE_OK) {
            if (yaml.len < (200u << 10))
                abort();
        } else {
            if (lore_map_import(&in, map, NULL) != LORE_OK)
                abort();
            lore_map_free(map);
        }
    }
    lore_buf_free(&yaml);
    lore_arena_free(&arena);
    return 0;
}
