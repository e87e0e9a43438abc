// uses: run
/* Triton's cache: what was written since the program started, and nothing older. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "collectors/run/triton_cache.h"
#include "service/base/clock.h"
#include "service/base/file.h"
#include "service/base/text.h"
#include "tests/unit/scratch.h"

static struct lore_arena arena;
static char dir[64];

static int
make_dir(void **state)
{
    (void)state;
    return scratch_make(dir);
}

static int
drop_dir(void **state)
{
    (void)state;
    scratch_drop(dir);
    lore_arena_free(&arena);
    return 0;
}

static void
put(const char *folder, const char *name, const char *text)
{
    const char *path = lore_format(&arena, "%s/%s", dir, folder);

    (void)mkdir(path, 0700);
    path = lore_format(&arena, "%s/%s", path, name);
    assert_int_equal(lore_file_write(path, text, strlen(text), 0600, NULL), LORE_OK);
}

static struct lore_triton_kernel
metadata(const char *text, bool good)
{
    struct lore_triton_kernel k;

    assert_int_equal(lore_triton_metadata(text, strlen(text), &arena, &k), good);
    return k;
}

#define MATMUL                                                                                     \
    "{\"name\":\"matmul\",\"num_warps\":8,\"num_stages\":3,\"num_ctas\":1,\"shared\":65536,"       \
    "\"target\":{\"backend\":\"cuda\",\"arch\":90,\"warp_size\":32}}"

static void
metadata_says_how_a_kernel_was_compiled(void **state)
{
    struct lore_triton_kernel k = metadata(MATMUL, true);

    (void)state;
    assert_string_equal(k.symbol, "matmul");
    assert_int_equal(k.num_warps, 8);
    assert_int_equal(k.num_stages, 3);
    assert_int_equal(k.shared_bytes, 65536);
    assert_int_equal(k.warp_size, 32);
    assert_null(k.cubin);
    k = metadata("{\"name\":\"k\",\"num_warps\":4,\"shared\":-1,\"num_stages\":\"3\"}", true);
    assert_int_equal(k.shared_bytes, 0);
    assert_int_equal(k.num_stages, 0);
    (void)metadata("{\"child_paths\":{}}", false);
    (void)metadata("{\"name\":7,\"num_warps\":4}", false);
    (void)metadata("[1]", false);
    (void)metadata("{", false);
}

static void
only_what_is_new_is_read(void **state)
{
    struct lore_triton_found found;
    int64_t now = lore_now_us();

    (void)state;
    put("A", "matmul.json", MATMUL);
    put("A", "matmul.ttir", "module {}");
    put("A", "matmul.ptx", "");
    put("A", "matmul.cubin", "no cubin");
    put("A", "__grp__matmul.json", "{}");
    put("A", "matmul.autotune.json", "{}");
    put("B", "broken.json", "{");
    lore_triton_left(dir, now, &arena, &found);
    assert_int_equal(found.n_kernels, 1);
    assert_int_equal(strlen(found.kernels[0].ttir_hash), 64);
    assert_string_not_equal(found.kernels[0].ttir_hash, found.kernels[0].ptx_hash);
    assert_null(found.kernels[0].cubin);
    assert_int_equal(found.tuned.n, 1);
    assert_non_null(strstr(found.tuned.v[0], "/A/matmul.autotune.json"));
    lore_triton_left(dir, now + 3600000000, &arena, &found);
    assert_int_equal(found.n_kernels + found.tuned.n, 0);
    lore_triton_left("/nonexistent", 0, &arena, &found);
    lore_triton_left(NULL, 0, &arena, &found);
    assert_int_equal(found.n_kernels, 0);
}

static void
the_folder_is_where_triton_looks(void **state)
{
    (void)state;
    setenv("TRITON_CACHE_DIR", "/t", 1);
    assert_string_equal(lore_triton_folder(&arena), "/t");
    unsetenv("TRITON_CACHE_DIR");
    setenv("TRITON_HOME", "/home/t", 1);
    assert_string_equal(lore_triton_folder(&arena), "/home/t/.triton/cache");
    unsetenv("TRITON_HOME");
    setenv("HOME", "/home/u", 1);
    assert_string_equal(lore_triton_folder(&arena), "/home/u/.triton/cache");
    unsetenv("HOME");
    assert_null(lore_triton_folder(&arena));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(
            metadata_says_how_a_kernel_was_compiled, make_dir, drop_dir),
        cmocka_unit_test_setup_teardown(only_what_is_new_is_read, make_dir, drop_dir),
        cmocka_unit_test_setup_teardown(the_folder_is_where_triton_looks, make_dir, drop_dir),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
