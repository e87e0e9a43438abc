// uses: base
/* Files, directories and zstd, in a temporary directory of this run. */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "service/base/file.h"
#include "service/base/xalloc.h"
#include "tests/unit/scratch.h"

static char dir[64];

static const char *
in_dir(const char *name)
{
    static char path[256];

    snprintf(path, sizeof path, "%s/%s", dir, name);
    return path;
}

static void
write_text(const char *path, const char *text, int mode)
{
    struct lore_err err;

    if (lore_file_write(path, text, strlen(text), mode, &err) != LORE_OK)
        fail_msg("%s", err.msg);
}

static int
entries(const char *path)
{
    DIR *d = opendir(path);
    int n = 0;

    assert_non_null(d);
    while (readdir(d))
        n++;
    closedir(d);
    return n - 2; /* . and .. */
}

static void
what_was_written_is_read_back(void **state)
{
    const char *path = in_dir("a.txt");
    struct lore_buf b = {0};
    struct lore_err err;
    struct stat sb;

    (void)state;
    write_text(path, "old, and longer", 0644);
    write_text(path, "new", 0600);
    lore_buf_puts(&b, "> ");
    assert_int_equal(lore_file_read(path, &b, &err), LORE_OK);
    assert_string_equal(b.data, "> new");
    assert_int_equal(stat(path, &sb), 0);
    assert_int_equal(sb.st_mode & 0777, 0600);
    assert_int_equal(entries(dir), 1); /* no temporary file is left */
    unlink(path);
    lore_buf_free(&b);
}

static void
large_and_empty_files_are_read_whole(void **state)
{
    const size_t sizes[] = {0, 1, 65535, 65536, 65537, 300000};
    const char *path = in_dir("big");
    char *bytes = lore_xalloc(300000);
    struct lore_err err;
    size_t i;

    (void)state;
    for (i = 0; i < 300000; i++)
        bytes[i] = (char)(i * 31 % 251);
    for (i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct lore_buf b = {.max = 300000};

        assert_int_equal(lore_file_write(path, bytes, sizes[i], 0644, &err), LORE_OK);
        assert_int_equal(lore_file_read(path, &b, &err), LORE_OK);
        assert_int_equal(b.len, sizes[i]);
        assert_memory_equal(b.data, bytes, sizes[i]);
        lore_buf_free(&b);
    }
    unlink(path);
    lore_xfree(bytes);
}

static void
a_file_over_the_ceiling_leaves_the_buffer_as_it_was(void **state)
{
    const char *path = in_dir("five");
    struct lore_buf b = {.max = 6};
    struct lore_err err;

    (void)state;
    write_text(path, "12345", 0644);
    lore_buf_puts(&b, "ab");
    assert_int_equal(lore_file_read(path, &b, &err), LORE_TOOBIG);
    assert_string_equal(b.data, "ab");
    assert_non_null(strstr(err.msg, path));
    lore_buf_reset(&b);
    lore_buf_puts(&b, "a");
    assert_int_equal(lore_file_read(path, &b, &err), LORE_OK);
    assert_string_equal(b.data, "a12345");
    unlink(path);
    lore_buf_free(&b);
}

static void
errors_name_the_path_and_the_reason(void **state)
{
    char path[256];
    struct lore_buf b = {0};
    struct lore_err err;

    (void)state;
    snprintf(path, sizeof path, "%s", in_dir("nope/x"));
    assert_int_equal(lore_file_read(path, &b, &err), LORE_NOTFOUND);
    assert_non_null(strstr(err.msg, path));
    assert_non_null(strstr(err.msg, "No such file"));
    assert_int_equal(lore_file_read(dir, &b, &err), LORE_IO);
    assert_non_null(strstr(err.msg, "directory"));
    assert_int_equal(lore_file_write(path, "x", 1, 0644, &err), LORE_NOTFOUND);
    assert_non_null(strstr(err.msg, path));
    assert_int_equal(lore_file_write(dir, "x", 1, 0644, &err), LORE_IO);
    assert_int_equal(entries(dir), 0);
    lore_buf_free(&b);
}

static void
directories_are_made_with_their_parents_and_again(void **state)
{
    struct lore_err err;
    struct stat sb;

    (void)state;
    assert_int_equal(lore_mkdirs(in_dir("x/y//z/"), 0755, &err), LORE_OK);
    assert_int_equal(lore_mkdirs(in_dir("x/y/z"), 0755, &err), LORE_OK);
    assert_int_equal(stat(in_dir("x/y/z"), &sb), 0);
    assert_true(S_ISDIR(sb.st_mode));
    assert_int_equal(lore_mkdirs("/", 0755, &err), LORE_OK);
    assert_int_equal(lore_mkdirs("", 0755, &err), LORE_INVALID);
    write_text(in_dir("x/file"), "", 0644);
    assert_int_equal(lore_mkdirs(in_dir("x/file/sub"), 0755, &err), LORE_IO);
    assert_non_null(strstr(err.msg, "x/file"));
    unlink(in_dir("x/file"));
    rmdir(in_dir("x/y/z"));
    rmdir(in_dir("x/y"));
    rmdir(in_dir("x"));
}

static void
packed_bytes_unpack_to_the_same(void **state)
{
    const size_t sizes[] = {0, 1, 1000, 131072, 1000000};
    char *bytes = lore_xalloc(1000000);
    struct lore_err err;
    size_t i;

    (void)state;
    for (i = 0; i < 1000000; i++)
        bytes[i] = (char)(i * i / 7 % 100);
    for (i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct lore_buf packed = {0}, back = {0};

        lore_buf_puts(&back, "head:");
        assert_int_equal(lore_zstd_pack(bytes, sizes[i], &packed, &err), LORE_OK);
        assert_int_equal(lore_zstd_unpack(packed.data, packed.len, &back, &err), LORE_OK);
        assert_int_equal(back.len, sizes[i] + 5);
        assert_memory_equal(back.data + 5, bytes, sizes[i]);
        lore_buf_free(&packed);
        lore_buf_free(&back);
    }
    lore_xfree(bytes);
}

static void
a_small_frame_that_unpacks_to_much_stops_at_the_ceiling(void **state)
{
    struct lore_buf packed = {0}, back = {.max = 1 << 20};
    char *zeros = lore_xalloc((16 << 20) + 1);
    struct lore_err err;

    (void)state;
    assert_int_equal(lore_zstd_pack(zeros, (16 << 20) + 1, &packed, &err), LORE_OK);
    assert_true(packed.len < 4096);
    lore_buf_puts(&back, "kept");
    assert_int_equal(lore_zstd_unpack(packed.data, packed.len, &back, &err), LORE_TOOBIG);
    assert_string_equal(back.data, "kept");
    back.over = false;
    back.max = (16 << 20) + 5;
    assert_int_equal(lore_zstd_unpack(packed.data, packed.len, &back, &err), LORE_OK);
    lore_buf_free(&packed);
    lore_buf_free(&back);
    lore_xfree(zeros);
}

static void
frames_follow_each_other(void **state)
{
    struct lore_buf packed = {0}, back = {0};
    struct lore_err err;

    (void)state;
    assert_int_equal(lore_zstd_pack("one ", 4, &packed, &err), LORE_OK);
    assert_int_equal(lore_zstd_pack("two", 3, &packed, &err), LORE_OK);
    assert_int_equal(lore_zstd_unpack(packed.data, packed.len, &back, &err), LORE_OK);
    assert_string_equal(back.data, "one two");
    lore_buf_free(&packed);
    lore_buf_free(&back);
}

/* Every proper start of a frame, and every frame with one byte changed, ends in an answer. */
static void
bytes_that_are_no_whole_frames_are_invalid(void **state)
{
    static const char text[] = "softmax softmax softmax, online softmax";
    struct lore_buf packed = {0}, back = {0};
    struct lore_err err;
    size_t i;

    (void)state;
    assert_int_equal(lore_zstd_pack(text, sizeof text, &packed, &err), LORE_OK);
    for (i = 0; i < packed.len; i++) {
        assert_int_equal(lore_zstd_unpack(packed.data, i, &back, &err), LORE_INVALID);
        assert_string_equal(err.code, "invalid_zstd");
        assert_int_equal(back.len, 0);
    }
    assert_int_equal(lore_zstd_unpack("plain text", 10, &back, &err), LORE_INVALID);
    for (i = 0; i < packed.len; i++) {
        packed.data[i] = (char)(packed.data[i] ^ 0x55);
        if (lore_zstd_unpack(packed.data, packed.len, &back, &err) != LORE_OK)
            assert_int_equal(back.len, 0);
        lore_buf_reset(&back);
        packed.data[i] = (char)(packed.data[i] ^ 0x55);
    }
    lore_buf_free(&packed);
    lore_buf_free(&back);
}

static int
make_dir(void **state)
{
    (void)state;
    return scratch_make(dir);
}

static int
remove_dir(void **state)
{
    (void)state;
    return rmdir(dir);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_written_is_read_back),
        cmocka_unit_test(large_and_empty_files_are_read_whole),
        cmocka_unit_test(a_file_over_the_ceiling_leaves_the_buffer_as_it_was),
        cmocka_unit_test(errors_name_the_path_and_the_reason),
        cmocka_unit_test(directories_are_made_with_their_parents_and_again),
        cmocka_unit_test(packed_bytes_unpack_to_the_same),
        cmocka_unit_test(a_small_frame_that_unpacks_to_much_stops_at_the_ceiling),
        cmocka_unit_test(frames_follow_each_other),
        cmocka_unit_test(bytes_that_are_no_whole_frames_are_invalid),
    };

    return cmocka_run_group_tests(tests, make_dir, remove_dir);
}
