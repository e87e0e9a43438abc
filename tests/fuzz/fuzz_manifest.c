// uses: db
/* Any bytes as the manifest of a backup: refused, or written again as the same bytes would be. A
 * manifest with its right hash is made of the input too, so that its members are reached. */
#include <stdlib.h>
#include <string.h>

#include "db/manifest.h"

#define SELF ",\"manifest_blake2b\":\""

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static void
must(bool true_of_every_input)
{
    if (!true_of_every_input)
        abort();
}

static void
read_it(const char *text, size_t len)
{
    struct lore_arena arena = {0};
    struct lore_manifest m, again;
    struct lore_err err = {0};
    struct lore_buf out = {0};

    if (lore_manifest_read(text, len, &arena, &m, &err) != LORE_OK) {
        must(err.code != NULL);
    } else {
        must(m.n_files >= 1 && m.n_files <= LORE_MANIFEST_FILES);
        must(strcmp(m.files[0].name, "warplore.db") == 0 && m.files[0].bytes >= 0);
        if (lore_manifest_write(&m, &out, &err) == LORE_OK) {
            must(lore_manifest_read(out.data, out.len, &arena, &again, &err) == LORE_OK);
            must(again.made_us == m.made_us && again.n_files == m.n_files);
        }
    }
    lore_buf_free(&out);
    lore_arena_free(&arena);
}

int
LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    struct lore_buf whole = {0};
    char hash[LORE_HASH_HEX];

    lore_hash_init();
    read_it((const char *)data, size);
    lore_hash_hex(data, size, hash);
    lore_buf_add(&whole, data, size);
    lore_buf_printf(&whole, SELF "%s\"}\n", hash);
    read_it(whole.data, whole.len);
    lore_buf_free(&whole);
    return 0;
}
