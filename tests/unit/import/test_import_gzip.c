// uses: import
/* Packed files: their words are read, their bytes are kept, and what they unpack to has a ceiling;
 * JSON that is too long to be kept as it is is kept packed. */

#include "collectors/import/gzip.h"
#include "service/base/file.h"
#include "tests/unit/import_intake.h"
#include "tests/unit/scratch.h"

struct folder {
    struct lore_arena arena;
    char path[64];
};

static int
setup(void **state)
{
    struct folder *f = test_calloc(1, sizeof *f);

    *state = f;
    return scratch_make(f->path);
}

static int
teardown(void **state)
{
    struct folder *f = *state;

    scratch_drop(f->path);
    lore_arena_free(&f->arena);
    test_free(f);
    return 0;
}

static void
put(struct folder *f, const char *name, const char *text, size_t len)
{
    const char *path = lore_format(&f->arena, "%s/%s", f->path, name);

    assert_int_equal(lore_file_write(path, text, len, 0600, NULL), LORE_OK);
}

static void
put_packed(struct folder *f, const char *name, const char *text, size_t len)
{
    struct lore_buf b = {0};

    assert_int_equal(lore_gzip(text, len, &b, NULL), LORE_OK);
    put(f, name, b.data, b.len);
    lore_buf_free(&b);
}

static const struct lore_import_tree *
load(struct folder *f)
{
    struct lore_import_tree *t = lore_alloc(&f->arena, sizeof *t);
    struct lore_err err = {0};

    if (lore_tree_load(f->path, &f->arena, t, &err) != LORE_OK)
        fail_msg("%s", err.msg);
    return t;
}

/* SIZE bytes of JSON that pack well. */
static char *
long_json(struct folder *f, size_t size)
{
    char *text = lore_alloc(&f->arena, size + 1);

    memset(text, ' ', size);
    memcpy(text, "{\"a\":1}", 7);
    return text;
}

static void
what_was_packed_comes_out_again_also_in_several_members(void **state)
{
    struct lore_buf packed = {0}, out = {0};

    (void)state;
    assert_int_equal(lore_gzip("one ", 4, &packed, NULL), LORE_OK);
    assert_int_equal(lore_gzip("two", 3, &packed, NULL), LORE_OK);
    assert_true(lore_gzip_is(packed.data, packed.len));
    assert_int_equal(lore_gzip_unpack(packed.data, packed.len, &out, NULL), LORE_OK);
    assert_int_equal(out.len, 7);
    assert_memory_equal(out.data, "one two", 7);
    lore_buf_free(&packed);
    lore_buf_free(&out);
}

static void
cut_and_damaged_files_are_errors(void **state)
{
    struct lore_buf packed = {0}, out = {0};
    struct lore_err err = {0};

    (void)state;
    assert_int_equal(lore_gzip("one two three", 13, &packed, NULL), LORE_OK);
    assert_int_equal(lore_gzip_unpack(packed.data, packed.len - 1, &out, &err), LORE_INVALID);
    assert_string_equal(err.msg, "gzip: the file is truncated");
    packed.data[packed.len - 6] ^= 1; /* in the checksum */
    assert_int_equal(lore_gzip_unpack(packed.data, packed.len, &out, &err), LORE_INVALID);
    assert_int_equal(lore_gzip_unpack("", 0, &out, &err), LORE_INVALID);
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
    assert_int_equal(lore_gzip(zeros, sizeof zeros, &packed, NULL), LORE_OK);
    assert_int_equal(lore_gzip_unpack(packed.data, packed.len, &out, &err), LORE_TOOBIG);
    assert_true(out.len <= 1 << 16);
    lore_buf_free(&packed);
    lore_buf_free(&out);
}

static void
a_packed_file_is_read_by_its_words_and_kept_by_its_bytes(void **state)
{
    struct folder *f = *state;

    put_packed(f, "a.json.gz", "{\"a\":1}", 7);
    put(f, "b.json.gz", "\x1f\x8b\x08nothing", 10);
    const struct lore_import_tree *t = load(f);
    assert_int_equal(t->n, 2);
    assert_non_null(t->files[0].root);
    assert_string_equal(t->files[0].text, "{\"a\":1}");
    assert_true(lore_gzip_is(t->files[0].packed, t->files[0].packed_len));
    assert_null(t->files[1].packed);
    assert_non_null(strstr(t->files[1].problem, "gzip"));
}

static void
a_long_json_file_is_read_and_kept_packed(void **state)
{
    struct folder *f = *state;
    size_t size = LORE_IMPORT_MAX + 1;

    put(f, "long.json", long_json(f, size), size);
    const struct lore_import_tree *t = load(f);
    assert_int_equal(t->n, 1);
    assert_int_equal(t->files[0].len, size);
    assert_non_null(t->files[0].root);
    assert_true(t->files[0].packed_len < size / 100);
}

static void
one_that_does_not_pack_is_listed(void **state)
{
    struct folder *f = *state;
    size_t size = 2 * LORE_IMPORT_MAX;
    char *text = lore_alloc(&f->arena, size);
    uint32_t x = 1;

    for (size_t i = 0; i < size; i++)
        text[i] = (char)((x = x * 1664525u + 1013904223u) >> 24);
    put(f, "noise.json", text, size);
    const struct lore_import_tree *t = load(f);
    assert_int_equal(t->n, 0);
    assert_string_equal(t->skipped.v[0], "noise.json: longer than 3 MiB, even when compressed");
}

/* Its sweep holds all of it. */
static void
a_tuning_file_that_cannot_be_kept_is_read_all_the_same(void **state)
{
    static const char letters[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-";
    enum { ENTRIES = 5, NOISE = 1 << 20 };
    struct folder *f = *state;
    struct lore_buf b = {0};
    struct taken t = {0};
    uint32_t x = 1;

    lore_buf_puts(&b, "{\"device_name\":\"A100\",\"kernel_name\":\"gemm\",\"problem_size\":[8],"
                      "\"tune_params_keys\":[\"tile\"],\"cache\":{");
    for (int i = 0; i < ENTRIES; i++) {
        lore_buf_printf(
            &b, "%s\"%d\":{\"tile\":%d,\"time\":%d,\"note\":\"", i > 0 ? "," : "", i, i, i + 1);
        for (int k = 0; k < NOISE; k++)
            lore_buf_putc(&b, letters[(x = x * 1664525u + 1013904223u) >> 26]);
        lore_buf_puts(&b, "\"}");
    }
    lore_buf_puts(&b, "}}");
    put(f, "gemm.json", b.data, b.len);
    take(&t, f->path);
    const struct lore_intake_format *format = format_named(&t, "kernel-tuner");
    assert_int_equal(format->records[LORE_K_SWEEP], 1);
    assert_int_equal(format->files, 0);
    assert_true(noted(format, LORE_IL_EXTRA, "its bytes are not kept"));
    lore_arena_free(&t.arena);
    lore_buf_free(&b);
}

static void
a_secret_that_is_packed_is_one(void **state)
{
    static const char key[] = "-----BEGIN RSA PRIVATE KEY-----";
    struct folder *f = *state;

    put_packed(f, "notes.txt.gz", key, sizeof key - 1);
    const struct lore_import_tree *t = load(f);
    assert_int_equal(t->n, 0);
    assert_string_equal(t->skipped.v[0], "notes.txt.gz: looks like a private key");
}

static void
the_stored_file_of_a_long_one_is_named_for_what_it_is(void **state)
{
    struct folder *f = *state;
    struct lore_buf text = {.max = LORE_IMPORT_UNPACKED};
    struct taken t = {0};

    assert_int_equal(lore_file_read(FIXTURES "kernel-tuner/scale_A100.json", &text, NULL), LORE_OK);
    char *padded = long_json(f, LORE_IMPORT_MAX + 10);
    memcpy(padded, text.data, text.len);
    put(f, "scale_A100.json", padded, LORE_IMPORT_MAX + 10);
    take(&t, f->path);
    const struct lore_submission doc = decoded(&t, format_named(&t, "kernel-tuner"));
    assert_int_equal(doc.n_artifacts, 1);
    assert_string_equal(doc.artifacts[0].name, "scale_A100.json.gz");
    assert_string_equal(doc.artifacts[0].media_type, "application/gzip");
    assert_non_null(doc.artifacts[0].base64);
    lore_arena_free(&t.arena);
    lore_buf_free(&text);
}

#define IN_FOLDER(t) cmocka_unit_test_setup_teardown(t, setup, teardown)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_packed_comes_out_again_also_in_several_members),
        cmocka_unit_test(cut_and_damaged_files_are_errors),
        cmocka_unit_test(unpacking_stops_at_the_ceiling),
        IN_FOLDER(a_packed_file_is_read_by_its_words_and_kept_by_its_bytes),
        IN_FOLDER(a_long_json_file_is_read_and_kept_packed),
        IN_FOLDER(one_that_does_not_pack_is_listed),
        IN_FOLDER(a_tuning_file_that_cannot_be_kept_is_read_all_the_same),
        IN_FOLDER(a_secret_that_is_packed_is_one),
        IN_FOLDER(the_stored_file_of_a_long_one_is_named_for_what_it_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
