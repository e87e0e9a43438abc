// uses: import
/* Files packed by bzip2: their words are read, also of several streams, their bytes are kept, and
 * what they unpack to has a ceiling. */
#include <bzlib.h>

#include "collectors/import/bzip2.h"
#include "collectors/import/tree.h"
#include "tests/unit/import_intake.h"

static void
pack(struct lore_buf *out, const char *text, size_t len)
{
    char *bytes = test_malloc(len + len / 100 + 600);
    unsigned n = (unsigned)(len + len / 100 + 600);

    assert_int_equal(
        BZ2_bzBuffToBuffCompress(bytes, &n, (char *)(uintptr_t)text, (unsigned)len, 9, 0, 0),
        BZ_OK);
    lore_buf_add(out, bytes, n);
    test_free(bytes);
}

static void
what_was_packed_comes_out_again_also_in_several_streams(void **state)
{
    struct lore_buf packed = {0}, out = {0};

    (void)state;
    pack(&packed, "one ", 4);
    pack(&packed, "two", 3);
    assert_true(lore_bzip2_is(packed.data, packed.len));
    assert_int_equal(lore_bzip2_unpack(packed.data, packed.len, &out, NULL), LORE_OK);
    assert_int_equal(out.len, 7);
    assert_memory_equal(out.data, "one two", 7);
    lore_buf_free(&packed);
    lore_buf_free(&out);
}

static void
cut_damaged_and_continued_files_are_errors(void **state)
{
    struct lore_buf packed = {0}, out = {0};
    struct lore_err err = {0};

    (void)state;
    pack(&packed, "one two three", 13);
    for (size_t n = 1; n < packed.len; n++)
        assert_int_equal(lore_bzip2_unpack(packed.data, n, &out, &err), LORE_INVALID);
    assert_string_equal(err.msg, "bzip2: the file is truncated");
    assert_int_equal(lore_bzip2_unpack("", 0, &out, &err), LORE_INVALID);
    lore_buf_add(&packed, "more", 4);
    assert_int_equal(lore_bzip2_unpack(packed.data, packed.len, &out, &err), LORE_INVALID);
    packed.data[packed.len / 2] ^= 1;
    assert_int_equal(lore_bzip2_unpack(packed.data, packed.len - 4, &out, &err), LORE_INVALID);
    assert_false(lore_bzip2_is("BZh", 3));
    assert_false(lore_bzip2_is("BZh0", 4));
    lore_buf_free(&packed);
    lore_buf_free(&out);
}

static void
unpacking_stops_at_the_ceiling(void **state)
{
    static const char zeros[1 << 20];
    struct lore_buf packed = {0}, out = {.max = 1 << 16};
    struct lore_err err = {0};

    (void)state;
    pack(&packed, zeros, sizeof zeros);
    assert_int_equal(lore_bzip2_unpack(packed.data, packed.len, &out, &err), LORE_TOOBIG);
    assert_true(out.len <= 1 << 16);
    lore_buf_free(&packed);
    lore_buf_free(&out);
}

static void
a_packed_file_is_read_by_its_words_and_kept_by_its_bytes(void **state)
{
    struct lore_arena arena = {0};
    struct lore_import_tree t = {.name = "t"};
    struct lore_buf packed = {0};

    (void)state;
    pack(&packed, "{\"a\":1}", 7);
    const struct lore_import_file *f =
        lore_tree_add(&arena, &t, "a.json.bz2", packed.data, packed.len);
    assert_non_null(f->root);
    assert_string_equal(f->text, "{\"a\":1}");
    assert_int_equal(f->packed_len, packed.len);
    f = lore_tree_add(&arena, &t, "b.json.bz2", "BZh9nothing", 11);
    assert_null(f->packed);
    assert_non_null(strstr(f->problem, "bzip2"));
    f = lore_tree_add(&arena, &t, "c.tar.bz2", packed.data, packed.len);
    assert_null(f->packed);
    lore_buf_free(&packed);
    lore_arena_free(&arena);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_packed_comes_out_again_also_in_several_streams),
        cmocka_unit_test(cut_damaged_and_continued_files_are_errors),
        cmocka_unit_test(unpacking_stops_at_the_ceiling),
        cmocka_unit_test(a_packed_file_is_read_by_its_words_and_kept_by_its_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
