// uses: auth
/* Any text as a token, with and without a key set in front of it: nothing that was not signed is
 * taken, and reading the same again gives the same answer. */
#include <stdlib.h>
#include <string.h>

#include "service/auth/jwt.h"
#include "service/base/hash.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

/* A key whose secret nobody kept, so that no input is signed with it. */
static const char fixed[] = "{\"keys\":[{\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"kid\":\"k\","
                            "\"x\":\"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo\"}]}";

int
LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    const struct lore_jwt_wanted wanted = {"https://i.example", "warplore", 1800000000};
    const unsigned char *cut = memchr(data, '\n', size);
    size_t n_keys = cut ? (size_t)(cut - data) : 0, rest = cut ? n_keys + 1 : 0;
    struct lore_jwt_keys *keys = NULL, *own = NULL;
    struct lore_arena arena = {0};
    struct lore_err err = {0};
    struct lore_jwt t, again;
    const char *text;

    lore_hash_init();
    if (lore_jwt_keys_read(fixed, sizeof fixed - 1, &keys, &err) != LORE_OK)
        abort();
    text = lore_strndup(&arena, (const char *)data + rest, size - rest);
    if (lore_jwt_read(text, &arena, &t, &err) == LORE_OK) {
        if (lore_jwt_verify(&t, keys, &err) == LORE_OK)
            abort();
        (void)!lore_jwt_check(&t, &wanted, &err);
        if (lore_jwt_read(text, &arena, &again, &err) != LORE_OK ||
            again.n_signature != t.n_signature)
            abort();
        if (cut && lore_jwt_keys_read((const char *)data, n_keys, &own, &err) == LORE_OK)
            (void)!lore_jwt_verify(&t, own, &err);
    } else if (cut && lore_jwt_keys_read((const char *)data, n_keys, &own, &err) != LORE_OK) {
        own = NULL;
    }
    lore_jwt_keys_free(own);
    lore_jwt_keys_free(keys);
    lore_arena_free(&arena);
    return 0;
}
