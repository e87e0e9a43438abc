// uses: import
/* Compressed files and archives: their words are read, their bytes are kept, and what they unpack
 * to is bounded. Files that are too long to be kept as they are. */
#include <archive.h>
#include <archive_entry.h>

#include "collectors/import/feed.h"
#include "collectors/import/unpack.h"
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

static const char *
path_of(struct folder *f, const char *name)
{
    return lore_format(&f->arena, "%s/%s", f->path, name);
}

static void
put(struct folder *f, const char *name, const char *text, size_t len)
{
    assert_int_equal(lore_file_write(path_of(f, name), text, len, 0600, NULL), LORE_OK);
}

struct member {
    const char *name, *text;
    size_t len;
    int type; /* AE_IFREG: 0 */
};

/* Write an archive, or with the raw format one compressed file. */
static void
put_archive(struct folder *f, const char *name, int format, int filter,
    const struct member *members, size_t n)
{
    struct archive *a = archive_write_new();

    assert_int_equal(archive_write_set_format(a, format), ARCHIVE_OK);
    assert_int_equal(archive_write_add_filter(a, filter), ARCHIVE_OK);
    assert_int_equal(archive_write_open_filename(a, path_of(f, name)), ARCHIVE_OK);
    for (size_t i = 0; i < n; i++) {
        struct archive_entry *e = archive_entry_new();
        size_t len = members[i].len    ? members[i].len
                     : members[i].text ? strlen(members[i].text)
                                       : 0;
        archive_entry_set_pathname(e, members[i].name);
        archive_entry_set_filetype(e, members[i].type ? (unsigned)members[i].type : AE_IFREG);
        archive_entry_set_perm(e, 0600);
        archive_entry_set_size(e, (la_int64_t)len);
        if (members[i].type == AE_IFLNK)
            archive_entry_set_symlink(e, "/etc/passwd");
        assert_true(archive_write_header(a, e) >= ARCHIVE_WARN);
        if (len > 0)
            assert_int_equal(archive_write_data(a, members[i].text, len), len);
        archive_entry_free(e);
    }
    assert_int_equal(archive_write_close(a), ARCHIVE_OK);
    assert_int_equal(archive_write_free(a), ARCHIVE_OK);
}

static void
put_packed(struct folder *f, const char *name, int filter, const char *text, size_t len)
{
    put_archive(f, name, ARCHIVE_FORMAT_RAW, filter, &(struct member){"x", text, len, 0}, 1);
}

/* The tree of the folder with every file loaded. */
static const struct lore_import_tree *
load(struct folder *f)
{
    struct lore_import_tree *t = lore_alloc(&f->arena, sizeof *t);
    struct lore_err err = {0};

    if (lore_tree_load(f->path, &f->arena, t, &err) != LORE_OK)
        fail_msg("%s", err.msg);
    for (size_t i = 0; i < t->n; i++)
        (void)lore_tree_open(t, &t->files[i]);
    return t;
}

static bool
skips(const struct lore_import_tree *t, const char *line)
{
    for (size_t i = 0; i < t->skipped.n; i++) {
        if (strcmp(t->skipped.v[i], line) == 0)
            return true;
    }
    return false;
}

static void
drop(const struct lore_import_tree *t)
{
    lore_tree_close((struct lore_import_tree *)t);
}

/* ---- compressed files ---- */

static const struct {
    int filter;
    const char *type;
} packings[] = {
    {ARCHIVE_FILTER_GZIP, "application/gzip"},
    {ARCHIVE_FILTER_BZIP2, "application/x-bzip2"},
    {ARCHIVE_FILTER_ZSTD, "application/zstd"},
    {ARCHIVE_FILTER_XZ, "application/x-xz"},
};

static void
a_packed_file_is_read_by_its_words_and_kept_by_its_bytes(void **state)
{
    static const char text[] = "[{\"id\":1,\"kernel\":\"gemm\",\"optimization\":\"unroll\","
                               "\"outcome\":\"success\"}]";
    struct folder *f = *state;

    for (size_t i = 0; i < 4; i++) {
        struct taken t = {0};
        struct lore_buf bytes = {0};
        put_packed(f, "e.json", packings[i].filter, text, sizeof text - 1);
        assert_int_equal(lore_file_read(path_of(f, "e.json"), &bytes, NULL), LORE_OK);
        take(&t, path_of(f, "e.json"));
        const struct lore_submission doc = decoded(&t, format_named(&t, "experiences"));
        assert_int_equal(doc.n_artifacts, 1);
        assert_string_equal(doc.artifacts[0].media_type, packings[i].type);
        assert_int_equal(strlen(doc.artifacts[0].base64), (bytes.len + 2) / 3 * 4);
        lore_arena_free(&t.arena);
        lore_buf_free(&bytes);
    }
}

static void
several_members_of_a_compressed_file_are_one_text(void **state)
{
    struct folder *f = *state;

    for (size_t i = 0; i < 4; i++) {
        struct lore_buf both = {0};
        put_packed(f, "one", packings[i].filter, "{\"one\":", 7);
        put_packed(f, "two", packings[i].filter, "2}", 2);
        assert_int_equal(lore_file_read(path_of(f, "one"), &both, NULL), LORE_OK);
        assert_int_equal(lore_file_read(path_of(f, "two"), &both, NULL), LORE_OK);
        put(f, "both", both.data, both.len);
        const struct lore_import_tree *t = load(f);
        assert_string_equal(lore_tree_file(t, "", "both")->text, "{\"one\":2}");
        assert_non_null(lore_import_json(lore_tree_file(t, "", "both")));
        drop(t);
        lore_buf_free(&both);
    }
}

static void
cut_and_damaged_files_have_no_text_and_say_why(void **state)
{
    struct folder *f = *state;

    for (size_t i = 0; i < 4; i++) {
        struct lore_buf b = {0};
        put_packed(f, "whole", packings[i].filter, "{\"one\":2}", 9);
        assert_int_equal(lore_file_read(path_of(f, "whole"), &b, NULL), LORE_OK);
        put(f, "cut", b.data, b.len - 9);
        const struct lore_import_tree *t = load(f);
        const struct lore_import_file *cut = lore_tree_file(t, "", "cut");
        assert_int_equal(cut->len, 0);
        assert_non_null(strstr(cut->problem, "cannot be unpacked"));
        drop(t);
        lore_buf_free(&b);
    }
    put(f, "cut", "\x1f\x8b\x08nothing", 10);
    const struct lore_import_tree *t = load(f);
    assert_non_null(lore_tree_file(t, "", "cut")->problem);
    drop(t);
}

/* 200 MiB of one letter in 200 kB. */
static void
a_bomb_is_refused_after_a_bounded_number_of_bytes(void **state)
{
    enum { BLOCK = 1 << 20 };
    struct folder *f = *state;
    struct archive *a = archive_write_new();
    struct archive_entry *e = archive_entry_new();
    char *letters = memset(lore_alloc(&f->arena, BLOCK), 'x', BLOCK);
    struct lore_bytes from = {.disk = path_of(f, "bomb")};
    struct lore_feed feed = {0};
    struct lore_err err = {0};
    const char *piece;
    size_t got = 1;
    uint64_t n = 0;

    assert_int_equal(archive_write_set_format_raw(a), ARCHIVE_OK);
    assert_int_equal(archive_write_add_filter_gzip(a), ARCHIVE_OK);
    assert_int_equal(archive_write_open_filename(a, from.disk), ARCHIVE_OK);
    archive_entry_set_filetype(e, AE_IFREG);
    assert_int_equal(archive_write_header(a, e), ARCHIVE_OK);
    for (int i = 0; i < 200; i++)
        assert_int_equal(archive_write_data(a, letters, BLOCK), BLOCK);
    archive_entry_free(e);
    assert_int_equal(archive_write_close(a), ARCHIVE_OK);
    from.size = (uint64_t)archive_filter_bytes(a, -1);
    assert_int_equal(archive_write_free(a), ARCHIVE_OK);
    assert_int_equal(lore_feed_bytes(&from, true, &feed, NULL), LORE_OK);
    for (; feed.next(&feed, &piece, &got, &err) == LORE_OK && got > 0; n += got)
        continue;
    assert_int_equal(err.status, LORE_TOOBIG);
    assert_in_range(n, LORE_UNPACK_FREE - BLOCK, 2 * LORE_UNPACK_FREE + BLOCK);
    lore_feed_close(&feed);
}

static void
a_secret_that_is_packed_is_one(void **state)
{
    static const char key[] = "-----BEGIN RSA PRIVATE KEY-----";
    struct folder *f = *state;

    put_packed(f, "notes.txt.gz", ARCHIVE_FILTER_GZIP, key, sizeof key - 1);
    const struct lore_import_tree *t = load(f);
    assert_null(lore_tree_file(t, "", "notes.txt.gz"));
    assert_null(lore_tree_next(t, "", NULL));
    assert_string_equal(t->files[0].left_out, "looks like a private key");
    drop(t);
}

/* ---- archives ---- */

static const struct {
    int format, filter;
} archives[] = {
    {ARCHIVE_FORMAT_TAR_PAX_RESTRICTED, ARCHIVE_FILTER_NONE},
    {ARCHIVE_FORMAT_TAR_PAX_RESTRICTED, ARCHIVE_FILTER_GZIP},
    {ARCHIVE_FORMAT_TAR_PAX_RESTRICTED, ARCHIVE_FILTER_ZSTD},
    {ARCHIVE_FORMAT_ZIP, ARCHIVE_FILTER_NONE},
};

static void
an_archive_is_a_folder(void **state)
{
    const struct member members[] = {
        {"./a/x.json", "{\"x\":1}", 0, 0}, {"b.txt", "b", 0, 0}, {"a/", NULL, 0, AE_IFDIR}};
    struct folder *f = *state;

    for (size_t i = 0; i < 4; i++) {
        put_archive(f, "runs", archives[i].format, archives[i].filter, members, 3);
        const struct lore_import_tree *t = load(f);
        assert_int_equal(t->n, 2);
        assert_string_equal(t->files[0].path, "runs/a/x.json");
        assert_non_null(lore_import_json(&t->files[0]));
        assert_string_equal(lore_tree_file(t, "runs", "b.txt")->text, "b");
        drop(t);
    }
}

static void
names_that_lead_out_links_and_repeated_names_are_listed(void **state)
{
    const struct member members[] = {{"../up.txt", "u", 0, 0}, {"a/../../up.txt", "u", 0, 0},
        {"/abs.txt", "u", 0, 0}, {"link", NULL, 0, AE_IFLNK}, {"two\nlines", "n", 0, 0},
        {".git/config", "n", 0, 0}, {"same.txt", "first", 0, 0}, {"same.txt", "second", 0, 0}};
    struct folder *f = *state;

    put_archive(f, "t.tar", ARCHIVE_FORMAT_TAR_PAX_RESTRICTED, ARCHIVE_FILTER_NONE, members, 8);
    const struct lore_import_tree *t = load(f);
    assert_int_equal(t->n, 1);
    assert_string_equal(t->files[0].text, "first");
    assert_true(skips(t, "t.tar/../up.txt: its name leads out of the archive"));
    assert_true(skips(t, "t.tar/a/../../up.txt: its name leads out of the archive"));
    assert_true(skips(t, "t.tar//abs.txt: its name leads out of the archive"));
    assert_true(skips(t, "t.tar/link: not a regular file"));
    assert_true(skips(t, "t.tar/.git/config: hidden"));
    assert_true(
        skips(t, "t.tar: contains a file whose name is not UTF-8 or holds a control character"));
    assert_true(
        skips(t, "t.tar/same.txt: the archive has two files of this name; the first is read"));
    drop(t);
}

static void
an_archive_in_an_archive_is_opened_and_a_third_is_not(void **state)
{
    const struct member inner[] = {{"x.txt", "x", 0, 0}};
    struct folder *f = *state;
    struct lore_buf one = {0}, two = {0};

    put_archive(f, "1.zip", ARCHIVE_FORMAT_ZIP, ARCHIVE_FILTER_NONE, inner, 1);
    assert_int_equal(lore_file_read(path_of(f, "1.zip"), &one, NULL), LORE_OK);
    const struct member middle[] = {{"1.zip", one.data, one.len, 0}};
    put_archive(f, "2.tgz", ARCHIVE_FORMAT_TAR_PAX_RESTRICTED, ARCHIVE_FILTER_GZIP, middle, 1);
    assert_int_equal(lore_file_read(path_of(f, "2.tgz"), &two, NULL), LORE_OK);
    const struct member outer[] = {{"2.tgz", two.data, two.len, 0}};
    put_archive(f, "3.zip", ARCHIVE_FORMAT_ZIP, ARCHIVE_FILTER_NONE, outer, 1);
    const struct lore_import_tree *t = load(f);
    assert_int_equal(t->n, 2);
    assert_string_equal(t->files[0].path, "1.zip/x.txt");
    assert_string_equal(t->files[1].path, "2.tgz/1.zip/x.txt");
    assert_string_equal(t->files[1].text, "x");
    assert_true(
        skips(t, "3.zip/2.tgz/1.zip: an archive in an archive in an archive; unpack it first"));
    drop(t);
    lore_buf_free(&one);
    lore_buf_free(&two);
}

/* ---- long files ---- */

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
a_file_is_whole_up_to_a_limit_and_longer_ones_have_a_head(void **state)
{
    struct folder *f = *state;
    size_t size = LORE_IMPORT_WHOLE;

    put(f, "long.json", long_json(f, size + 1), size + 1);
    put(f, "whole.json", long_json(f, size), size);
    const struct lore_import_tree *t = load(f);
    assert_false(t->files[0].whole);
    assert_null(lore_import_json(&t->files[0]));
    assert_string_equal(t->files[0].text, "");
    assert_int_equal(t->files[0].head_len, LORE_IMPORT_HEAD);
    assert_memory_equal(t->files[0].head, "{\"a\":1}", 7);
    assert_true(t->files[1].whole);
    assert_non_null(lore_import_json(&t->files[1]));
    assert_int_equal(t->files[1].len, size);
    drop(t);
}

static void
the_stored_file_of_a_long_one_is_named_for_what_it_is(void **state)
{
    struct folder *f = *state;
    struct lore_buf text = {0};
    struct taken t = {0};

    assert_int_equal(lore_file_read(FIXTURES "kernel-tuner/scale_A100.json", &text, NULL), LORE_OK);
    char *padded = long_json(f, LORE_IMPORT_MAX + 10);
    memcpy(padded, text.data, text.len);
    put(f, "scale_A100.json", padded, LORE_IMPORT_MAX + 10);
    take(&t, f->path);
    const struct lore_submission doc = decoded(&t, format_named(&t, "kernel-tuner"));
    assert_int_equal(doc.n_artifacts, 1);
    assert_string_equal(doc.artifacts[0].name, "scale_A100.json.zst");
    assert_string_equal(doc.artifacts[0].media_type, "application/zstd");
    assert_non_null(doc.artifacts[0].base64);
    lore_arena_free(&t.arena);
    lore_buf_free(&text);
}

/* 160 MiB of zeros that are only unpacked to find the next member. */
static void
what_is_skipped_in_an_archive_is_bounded_too(void **state)
{
    enum { SIZE = 160 << 20 };
    struct folder *f = *state;
    const struct member members[] = {{".hidden", lore_alloc(&f->arena, SIZE), SIZE, 0},
        {"k.cu", "__global__ void k() {}", 0, 0}};

    put_archive(f, "z.tar.gz", ARCHIVE_FORMAT_TAR_PAX_RESTRICTED, ARCHIVE_FILTER_GZIP, members, 2);
    const struct lore_import_tree *t = load(f);
    assert_int_equal(t->n, 0);
    assert_true(skips(t, "z.tar.gz/.hidden: hidden"));
    assert_true(skips(t, "z.tar.gz: unpacks to more than 500 times its size, as only a trap or a "
                         "file of zeros does; "
                         "unpack it yourself if it is neither"));
    drop(t);
}

/* LINES problems of a find database, each with two solvers. */
static void
put_find_db(struct folder *f, const char *name, size_t lines)
{
    struct lore_buf b = {.max = 1u << 30};

    for (size_t i = 0; i < lines; i++)
        lore_buf_printf(&b,
            "64-%zu-28-3x3-64-%zu-28-16-1x1-1x1-1x1-0-NCHW-FP32-F=ConvBinWinogradRxS:0.%07zu,0,"
            "miopenConvolutionFwdAlgoWinograd;GemmFwdRest:1.%07zu,1024,"
            "miopenConvolutionFwdAlgoGEMM\n",
            i % 512 + 1, i % 512 + 1, i + 1, i + 1);
    put(f, name, b.data, b.len);
    lore_buf_free(&b);
}

static enum lore_status
count_document(void *context, struct lore_intake_format *f, const struct lore_intake_document *d,
    struct lore_err *err)
{
    (void)f;
    (void)err;
    assert_true(d->len <= LORE_INTAKE_DOCUMENT + 4096);
    ++*(size_t *)context;
    return LORE_OK;
}

static void
a_long_file_becomes_records_and_its_bytes_are_not_kept(void **state)
{
    struct folder *f = *state;
    struct taken t = {0};
    size_t lines = LORE_IMPORT_WHOLE / 150, documents = 0;

    put_find_db(f, "gfx942130.HIP.fdb.txt", lines);
    lore_intake_begin(&t.k, &t.arena);
    t.k.send = count_document;
    t.k.context = &documents;
    take(&t, f->path);
    const struct lore_intake_format *format = format_named(&t, "miopen");
    assert_int_equal(format->in.records, lines);
    assert_int_equal(format->records[LORE_K_RUN], 2 * lines);
    assert_int_equal(format->files, 0);
    assert_true(noted(format, LORE_IL_EXTRA, "its bytes are not kept, because the records hold"));
    assert_true(documents > 10);
    assert_true(t.arena.used < 2 * LORE_IMPORT_WHOLE);
    lore_arena_free(&t.arena);
}

/* The records of a unit do not depend on how often they are packed. */
static void
records_that_are_packed_in_between_are_the_same(void **state)
{
    struct folder *f = *state;
    struct taken once = {0}, often = {0};

    put_find_db(f, "gfx942130.HIP.fdb.txt", 300);
    take(&once, f->path);
    lore_intake_begin(&often.k, &often.arena);
    often.k.batch = 1;
    take(&often, f->path);
    const struct lore_submission a = decoded(&once, format_named(&once, "miopen")),
                                 b = decoded(&often, format_named(&often, "miopen"));
    assert_int_equal(a.n_runs, b.n_runs);
    assert_int_equal(a.n_kernels, b.n_kernels);
    assert_int_equal(a.n_experiments, b.n_experiments);
    for (size_t i = 0; i < a.n_runs; i++)
        assert_string_equal(a.runs[i].id, b.runs[i].id);
    lore_arena_free(&once.arena);
    lore_arena_free(&often.arena);
}

#define IN_FOLDER(t) cmocka_unit_test_setup_teardown(t, setup, teardown)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(a_packed_file_is_read_by_its_words_and_kept_by_its_bytes),
        IN_FOLDER(what_is_skipped_in_an_archive_is_bounded_too),
        IN_FOLDER(several_members_of_a_compressed_file_are_one_text),
        IN_FOLDER(cut_and_damaged_files_have_no_text_and_say_why),
        IN_FOLDER(a_bomb_is_refused_after_a_bounded_number_of_bytes),
        IN_FOLDER(a_secret_that_is_packed_is_one),
        IN_FOLDER(an_archive_is_a_folder),
        IN_FOLDER(names_that_lead_out_links_and_repeated_names_are_listed),
        IN_FOLDER(an_archive_in_an_archive_is_opened_and_a_third_is_not),
        IN_FOLDER(a_file_is_whole_up_to_a_limit_and_longer_ones_have_a_head),
        IN_FOLDER(the_stored_file_of_a_long_one_is_named_for_what_it_is),
        IN_FOLDER(a_long_file_becomes_records_and_its_bytes_are_not_kept),
        IN_FOLDER(records_that_are_packed_in_between_are_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
