// uses: import
/* Trees of files and the documents made of them: what is loaded and what is listed as left out,
 * which licence applies, how units share documents, what happens to records that come twice. */
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "service/base/file.h"
#include "tests/unit/import_intake.h"

struct folder {
    struct lore_arena arena;
    struct lore_intake k;
    char path[64];
};

static int
setup(void **state)
{
    struct folder *f = test_calloc(1, sizeof *f);

    (void)snprintf(f->path, sizeof f->path, "/tmp/warplore-tree-XXXXXX");
    *state = f;
    lore_intake_begin(&f->k, &f->arena);
    return mkdtemp(f->path) ? 0 : -1;
}

static int
teardown(void **state)
{
    struct folder *f = *state;
    const char *command = lore_format(&f->arena, "rm -rf '%s'", f->path);
    int rc = system(command); /* NOLINT: a path of our own */

    lore_arena_free(&f->k.kept);
    lore_arena_free(&f->arena);
    test_free(f);
    return rc;
}

static const char *
put(struct folder *f, const char *name, const char *text, size_t len)
{
    const char *path = lore_format(&f->arena, "%s/%s", f->path, name);
    char *dir = lore_strdup(&f->arena, path);

    *strrchr(dir, '/') = '\0';
    assert_int_equal(lore_mkdirs(dir, 0700, NULL), LORE_OK);
    assert_int_equal(lore_file_write(path, text, len, 0600, NULL), LORE_OK);
    return path;
}

static void
load(struct folder *f, struct lore_import_tree *t)
{
    struct lore_err err = {0};

    if (lore_tree_load(f->path, &f->arena, t, &err) != LORE_OK)
        fail_msg("%s", err.msg);
}

static bool
is_skipped(const struct lore_texts *list, const char *line)
{
    for (size_t i = 0; i < list->n; i++) {
        if (strcmp(list->v[i], line) == 0)
            return true;
    }
    return false;
}

static void
links_that_lead_out_hidden_files_and_odd_names_are_listed_and_not_read(void **state)
{
    struct folder *f = *state;
    struct lore_import_tree t;

    (void)put(f, "a/x.txt", "x", 1);

    (void)put(f, ".secret/key", "k", 1);
    (void)put(f, "a/two\nlines.md", "x", 1);
    assert_int_equal(symlink("/etc/hosts", lore_format(&f->arena, "%s/hosts", f->path)), 0);
    assert_int_equal(symlink("nothing", lore_format(&f->arena, "%s/nowhere", f->path)), 0);
    assert_int_equal(symlink("/", lore_format(&f->arena, "%s/a/root", f->path)), 0);
    load(f, &t);
    assert_int_equal(t.n, 1);
    assert_string_equal(t.files[0].path, "a/x.txt");
    assert_true(is_skipped(&t.skipped, ".secret: hidden"));
    assert_true(is_skipped(
        &t.skipped, "a/two\nlines.md: its name holds a control character or is not UTF-8"));
    assert_true(is_skipped(&t.skipped, "hosts: a symbolic link that leads out of the folder"));
    assert_true(is_skipped(&t.skipped, "nowhere: a symbolic link that leads nowhere"));
    assert_true(is_skipped(&t.skipped, "a/root: a symbolic link that leads out of the folder"));
}

static void
links_inside_the_folder_are_followed_and_circles_are_not(void **state)
{
    struct folder *f = *state;
    struct lore_import_tree t;

    (void)put(f, "a/x.txt", "x", 1);
    (void)put(f, "b/y.txt", "y", 1);
    assert_int_equal(symlink("a/x.txt", lore_format(&f->arena, "%s/best.txt", f->path)), 0);
    assert_int_equal(symlink("../b", lore_format(&f->arena, "%s/a/other", f->path)), 0);
    assert_int_equal(symlink("..", lore_format(&f->arena, "%s/a/up", f->path)), 0);
    assert_int_equal(symlink("../a", lore_format(&f->arena, "%s/b/back", f->path)), 0);
    load(f, &t);
    assert_non_null(lore_tree_file(&t, "", "best.txt"));
    assert_string_equal(lore_tree_file(&t, "a/other", "y.txt")->text, "y");
    assert_true(is_skipped(&t.skipped, "a/up: a symbolic link to a folder above it"));
    assert_true(is_skipped(&t.skipped, "a/other/back: a symbolic link to a folder above it"));
    assert_int_equal(t.n, 5);
}

static void
a_pipe_above_the_path_is_no_licence_to_wait_for(void **state)
{
    struct folder *f = *state;
    struct lore_import_tree t;

    (void)put(f, "runs/y.txt", "y", 1);
    assert_int_equal(mkfifo(lore_format(&f->arena, "%s/LICENSE", f->path), 0600), 0);
    assert_int_equal(
        lore_tree_load(lore_format(&f->arena, "%s/runs", f->path), &f->arena, &t, NULL), LORE_OK);
    assert_int_equal(t.n_outer, 0);
}

static void
what_looks_like_credentials_is_listed_and_stays_here(void **state)
{
    static const char token[] = "curl -H 'Authorization: Bearer wl_0123456789abcdef_"
                                "0123456789012345678901234567890123456789abc'\n";
    static const char key[] = "x\n-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n";
    static const char innocent[] = "wl_ is how tokens start; the hf_attention_fwd_kernel_sm90_bf16_"
                                   "hdim128_causal; AKIA; my_wl_0123456789abcdef_"
                                   "0123456789012345678901234567890123456789abc\n";
    struct folder *f = *state;
    struct lore_import_tree t;

    (void)put(f, "run.sh", token, sizeof token - 1);
    (void)put(f, "notes/deploy.txt", key, sizeof key - 1);
    (void)put(f, "notes/ID_RSA", "?", 1);
    (void)put(f, "prod.env", "A=1", 3);
    (void)put(f, "env.json", "{}", 2);
    (void)put(f, "notes.md", innocent, sizeof innocent - 1);
    load(f, &t);
    assert_non_null(lore_tree_file(&t, "", "env.json"));
    assert_non_null(lore_tree_file(&t, "", "notes.md"));
    assert_null(lore_tree_file(&t, "", "run.sh"));
    assert_null(lore_tree_file(&t, "notes", "deploy.txt"));
    assert_int_equal(t.n, 4);
    assert_string_equal(t.files[2].left_out, "looks like a private key");
    assert_string_equal(t.files[3].left_out, "looks like a token of Warplore");
    assert_true(is_skipped(&t.skipped, "notes/ID_RSA: looks like credentials, by its name"));
    assert_true(is_skipped(&t.skipped, "prod.env: looks like credentials, by its name"));
}

static void
a_tree_has_the_name_of_its_folder_however_it_is_given(void **state)
{
    static const char *const ways[] = {"runs", "runs/", "runs/.", "runs/x/.."};
    struct folder *f = *state;

    (void)put(f, "runs/x/y.txt", "y", 1);
    for (size_t i = 0; i < 4; i++) {
        struct lore_import_tree t;
        const char *path = lore_format(&f->arena, "%s/%s", f->path, ways[i]);
        assert_int_equal(lore_tree_load(path, &f->arena, &t, NULL), LORE_OK);
        assert_string_equal(t.name, "runs");
        assert_string_equal(t.files[0].path, "x/y.txt");
    }
}

static void
files_are_found_by_folder_whatever_sorts_between(void **state)
{
    struct folder *f = *state;
    struct lore_import_tree t = {0};

    (void)lore_tree_add(&f->arena, &t, "a/z", "1", 1);
    (void)lore_tree_add(&f->arena, &t, "a-b/x", "2", 1);
    (void)lore_tree_add(&f->arena, &t, "a/b/x", "3", 1);
    (void)lore_tree_add(&f->arena, &t, "ab", "4", 1);
    lore_tree_sort(&t);
    assert_string_equal(lore_tree_file(&t, "a", "z")->text, "1");
    assert_string_equal(lore_tree_file(&t, "", "ab")->text, "4");
    assert_null(lore_tree_file(&t, "a", "b"));
    const struct lore_import_file *x = lore_tree_next(&t, "a", NULL);
    assert_string_equal(x->path, "a/b/x");
    x = lore_tree_next(&t, "a", x);
    assert_string_equal(x->path, "a/z");
    assert_null(lore_tree_next(&t, "a", x));
    assert_null(lore_tree_next(&t, "none", NULL));
}

static void
json_is_read_where_a_file_looks_like_it_and_text_is_text(void **state)
{
    struct folder *f = *state;
    struct lore_import_tree t = {0};

    assert_non_null(lore_import_json(lore_tree_add(&f->arena, &t, "a", " {\"x\":1}", 8)));
    assert_null(lore_import_json(lore_tree_add(&f->arena, &t, "b", "12", 2)));
    const struct lore_import_file *bad = lore_tree_add(&f->arena, &t, "c", "{\"x\":", 5);
    assert_null(lore_import_json(bad));
    assert_non_null(bad->problem);
    assert_false(lore_tree_add(&f->arena, &t, "d", "a\0b", 3)->utf8);
    assert_false(lore_tree_add(&f->arena, &t, "e", "\xff", 1)->utf8);
}

static void
licences_are_known_by_their_words(void **state)
{
    (void)state;
    assert_string_equal(
        lore_licence_name("   Apache License\n    Version 2.0, January"), "Apache-2.0");
    assert_string_equal(
        lore_licence_name("GNU GENERAL PUBLIC LICENSE\n  Version 3, 29"), "GPL-3.0");
    assert_string_equal(
        lore_licence_name("Redistributions in binary form must reproduce\nthe above. Neither the "
                          "name of the owner"),
        "BSD-3-Clause");
    assert_null(lore_licence_name("All rights reserved."));
    assert_true(lore_tree_is_licence("x/LICENSE.txt"));
    assert_false(lore_tree_is_licence("x/licenses.json"));
}

static void
the_nearest_licence_applies_and_one_above_the_path_is_found(void **state)
{
    struct folder *f = *state;
    struct lore_import_tree t;

    (void)put(f, "LICENSE", "Apache License Version 2.0", 26);
    (void)put(f, "NOTICE", "n", 1);
    (void)put(f, "in/a/LICENSE", "Mozilla Public License Version 2.0", 34);
    (void)put(f, "in/a/x.txt", "x", 1);
    (void)put(f, "in/b/x.txt", "x", 1);
    assert_int_equal(
        lore_tree_load(lore_format(&f->arena, "%s/in", f->path), &f->arena, &t, NULL), LORE_OK);
    assert_string_equal(lore_licence_name(lore_tree_licence(&t, "a/x.txt")->text), "MPL-2.0");
    const struct lore_import_file *outer = lore_tree_licence(&t, "b/x.txt");
    assert_string_equal(lore_licence_name(outer->text), "Apache-2.0");
    assert_string_equal(lore_tree_notice(&t, outer)->text, "n");
    assert_null(lore_tree_notice(&t, lore_tree_licence(&t, "a/x.txt")));
}

static void
a_licence_outside_the_repository_is_not_its_licence(void **state)
{
    struct folder *f = *state;
    struct lore_import_tree t;

    (void)put(f, "LICENSE", "Apache License Version 2.0", 26);
    (void)put(f, "repository/.git/HEAD", "x", 1);
    (void)put(f, "repository/in/x.txt", "x", 1);
    assert_int_equal(
        lore_tree_load(lore_format(&f->arena, "%s/repository/in", f->path), &f->arena, &t, NULL),
        LORE_OK);
    assert_null(lore_tree_licence(&t, "x.txt"));
}

/* ---- documents ---- */

static const char *
experience(struct folder *f, int n, size_t notes)
{
    char *text = lore_alloc(&f->arena, notes + 1);

    memset(text, 'n', notes);
    return lore_format(&f->arena,
        "[{\"id\":%d,\"kernel\":\"gemm\",\"optimization\":\"unroll %d\",\"outcome\":\"success\","
        "\"notes\":\"%s\"}]",
        n, n, text);
}

static void
intake(struct folder *f)
{
    struct lore_err err = {0};

    if (lore_intake_path(&f->k, f->path, &err) != LORE_OK)
        fail_msg("%s", err.msg);
}

static void
units_share_documents_until_one_is_full(void **state)
{
    struct folder *f = *state;
    size_t experiments = 0, artifacts = 0;

    for (int i = 0; i < 60; i++) {
        const char *text = experience(f, i, 60000);
        (void)put(f, lore_format(&f->arena, "e%02d.json", i), text, strlen(text));
    }
    intake(f);
    const struct lore_intake_format *x = f->k.formats[0];
    assert_int_equal(x->units, 60);
    assert_in_range(x->n, 10, 20);
    for (size_t i = 0; i < x->n; i++) {
        assert_true(x->documents[i].len < LORE_INTAKE_DOCUMENT);
        experiments += x->documents[i].doc->n_experiments;
        artifacts += x->documents[i].doc->n_artifacts;
        if (i > 0)
            assert_string_not_equal(x->documents[i].doc->id, x->documents[0].doc->id);
        if (i > 0) /* the kernel is in the first document; the others refer to it */
            assert_int_equal(x->documents[i].doc->n_kernels, 0);
    }
    assert_int_equal(experiments, 60);
    assert_int_equal(artifacts, 60);
}

static void
the_same_record_in_two_files_is_kept_once(void **state)
{
    struct folder *f = *state;
    const char *text = experience(f, 1, 3);

    (void)put(f, "a/e.json", text, strlen(text));
    (void)put(f, "b/e.json", text, strlen(text));
    intake(f);
    const struct lore_intake_format *x = f->k.formats[0];
    assert_int_equal(x->records[LORE_K_EXPERIMENT], 1);
    assert_int_equal(x->repeated[LORE_K_EXPERIMENT], 1);
    assert_int_equal(x->documents[0].doc->n_artifacts, 2);
    assert_int_equal(x->in.refused, 0);
}

static void
one_file_that_cannot_be_read_refuses_only_itself(void **state)
{
    struct folder *f = *state;
    const char *good = experience(f, 1, 3);

    (void)put(f, "good.json", good, strlen(good));
    (void)put(f, "bad.json", "{\"version\": 2, \"scopes\": {}}", 28);
    (void)put(f, "other.json", "{\"a\": 1}", 8);
    (void)put(f, "broken.json", "{\"a\": ", 6);
    intake(f);
    assert_int_equal(f->k.n_formats, 2);
    for (size_t i = 0; i < 2; i++) {
        const struct lore_intake_format *x = f->k.formats[i];
        bool bad = strcmp(x->importer->name, "kernelflow") == 0;
        assert_int_equal(x->in.refused, bad);
        assert_int_equal(x->n, !bad);
        if (bad)
            assert_int_equal(noted(x, LORE_IL_ERRORS, "bad.json: version: 2"), 1);
    }
    assert_true(
        is_skipped(&f->k.skipped, "other.json: no importer recognises it: JSON with members a"));
    assert_int_equal(f->k.skipped.n, 2);
}

static void
nothing_that_is_recognised_is_an_error_that_says_where_the_formats_are(void **state)
{
    struct folder *f = *state;
    struct lore_err err = {0};

    (void)put(f, "x.txt", "x", 1);
    assert_int_equal(lore_intake_path(&f->k, f->path, &err), LORE_INVALID);
    assert_string_equal(err.code, "unknown_format");
    assert_non_null(strstr(err.hint, "docs/import.md"));
}

static void
bytes_that_are_no_text_are_kept_in_base64(void **state)
{
    struct folder *f = *state;
    struct lore_import_tree t = {0};
    struct lore_import_file *file = lore_tree_add(&f->arena, &t, "x.bin", "\xff\x00\x01\x02", 4);
    struct lore_intake_format x = {.importer = lore_importers};

    x.in.arena = x.in.report = &f->arena;
    x.in.unit = "";
    x.in.doc = lore_alloc(&f->arena, sizeof *x.in.doc);
    assert_int_equal(lore_pack_unit(&f->k, &x, &file, 1, NULL), LORE_OK);
    assert_int_equal(lore_pack_close(&f->k, &x, NULL), LORE_OK);
    const struct lore_artifact *a = &x.documents[0].doc->artifacts[0];
    assert_null(a->text);
    assert_string_equal(a->base64, "/wABAg==");
    assert_string_equal(a->media_type, "application/octet-stream");
}

static void
a_record_that_says_something_else_than_an_earlier_one_is_refused(void **state)
{
    struct folder *f = *state;
    struct lore_intake_format x = {.importer = lore_importers};

    x.in.arena = x.in.report = &f->arena;
    x.in.unit = "u";
    x.in.file = "u";
    for (int i = 0; i < 2; i++) {
        x.in.doc = lore_alloc(&f->arena, sizeof *x.in.doc);
        struct lore_kernel *k =
            LORE_PUSH(&f->arena, x.in.doc->kernels, x.in.doc->n_kernels, x.in.doc->cap_kernels);
        k->id = "01J00000000000000000000001";
        k->op = "gemm";
        k->language = LORE_LANG_CUDA;
        k->name = i ? "b" : "a";
        assert_int_equal(lore_pack_unit(&f->k, &x, NULL, 0, NULL), LORE_OK);
    }
    assert_int_equal(lore_pack_close(&f->k, &x, NULL), LORE_OK);
    assert_int_equal(x.in.refused, 1);
    assert_int_equal(
        noted(&x, LORE_IL_ERRORS, "an earlier file has this record with other content"), 1);
    assert_int_equal(x.documents[0].doc->n_kernels, 1);
    assert_string_equal(x.documents[0].doc->kernels[0].name, "a");
}

static void
files_that_must_not_be_passed_on_say_so_when_no_record_is_beside_them(void **state)
{
    struct folder *f = *state;
    struct lore_import_tree t = {0};
    struct lore_import_file *file = lore_tree_add(&f->arena, &t, "x.txt", "x", 1);
    struct lore_intake_format x = {.importer = lore_importers};

    f->k.redistribution = "forbidden";
    x.in.arena = x.in.report = &f->arena;
    x.in.unit = "";
    x.in.doc = lore_alloc(&f->arena, sizeof *x.in.doc);
    assert_int_equal(lore_pack_unit(&f->k, &x, &file, 1, NULL), LORE_OK);
    assert_int_equal(lore_pack_close(&f->k, &x, NULL), LORE_OK);
    assert_int_equal(x.documents[0].doc->n_source_documents, 1);
    assert_string_equal(x.documents[0].doc->source_documents[0].text, "x.txt\n");
    assert_string_equal(
        x.documents[0].doc->source_documents[0].provenance.redistribution, "forbidden");
}

static void
a_commit_is_given_to_what_names_none(void **state)
{
    struct folder *f = *state;
    struct lore_import_tree t = {0};
    struct lore_import_file *file = lore_tree_add(&f->arena, &t, "x.txt", "x", 1);
    struct lore_intake_format x = {.importer = lore_importers};
    struct lore_source_document d[3] = {
        {.id = "01J00000000000000000000001", .title = "a", .path = "a", .text = "a"},
        {.id = "01J00000000000000000000002",
            .title = "b",
            .path = "b",
            .text = "b",
            .commit = "0ther0"},
        {.id = "01J00000000000000000000003", .title = "c", .path = "c", .text = "c"}};

    d[0].provenance.system = d[1].provenance.system = d[2].provenance.system = "wiki";
    d[2].provenance.commit = "its own";
    f->k.commit = "abcdef0";
    x.in.arena = x.in.report = &f->arena;
    x.in.unit = "";
    x.in.doc = lore_alloc(&f->arena, sizeof *x.in.doc);
    x.in.doc->source_documents = d;
    x.in.doc->n_source_documents = x.in.doc->cap_source_documents = 3;
    assert_int_equal(lore_pack_unit(&f->k, &x, &file, 1, NULL), LORE_OK);
    assert_int_equal(lore_pack_close(&f->k, &x, NULL), LORE_OK);
    assert_int_equal(x.documents[0].doc->n_source_documents, 3);
    const struct lore_source_document *s = x.documents[0].doc->source_documents;
    assert_string_equal(s[0].commit, "abcdef0");
    assert_string_equal(s[0].provenance.commit, "abcdef0");
    assert_string_equal(s[1].commit, "0ther0");
    assert_null(s[1].provenance.commit);
    assert_string_equal(s[2].commit, "its own");
    assert_string_equal(s[2].provenance.commit, "its own");
}

/* One kernel past a limit, one that is fine, and a version of each. */
static void
a_record_past_a_limit_is_refused_by_name_and_takes_its_dependants_along(void **state)
{
    struct folder *f = *state;
    struct lore_intake_format x = {.importer = lore_importers};
    char *title = lore_alloc(&f->arena, 400);

    memset(title, 't', 399);
    x.in.arena = x.in.report = &f->arena;
    x.in.unit = "dir/file.json";
    x.in.records = 4; /* each from an entry of its own */
    x.in.doc = lore_alloc(&f->arena, sizeof *x.in.doc);
    struct lore_submission *doc = x.in.doc;
    for (int i = 0; i < 2; i++) {
        struct lore_kernel *k =
            LORE_PUSH(&f->arena, doc->kernels, doc->n_kernels, doc->cap_kernels);
        struct lore_version *v =
            LORE_PUSH(&f->arena, doc->versions, doc->n_versions, doc->cap_versions);
        k->id = lore_build_id(&f->arena, 0, "k%d", i);
        k->op = "gemm";
        k->language = LORE_LANG_CUDA;
        k->name = i ? "fine" : title;
        v->id = lore_build_id(&f->arena, 0, "v%d", i);
        v->kernel = k->id;
        v->kind = LORE_V_CANDIDATE;
    }
    assert_int_equal(lore_pack_unit(&f->k, &x, NULL, 0, NULL), LORE_OK);
    assert_int_equal(lore_pack_close(&f->k, &x, NULL), LORE_OK);
    assert_int_equal(x.in.refused, 2);
    assert_int_equal(noted(&x, LORE_IL_ERRORS, "dir/file.json: kernel "), 1);
    assert_int_equal(noted(&x, LORE_IL_ERRORS, "it refers to a refused record"), 1);
    assert_int_equal(x.documents[0].doc->n_kernels, 1);
    assert_int_equal(x.documents[0].doc->n_versions, 1);
}

static void
a_unit_that_is_longer_than_a_document_is_cut_between_records(void **state)
{
    struct folder *f = *state;
    struct lore_intake_format x = {.importer = lore_importers};
    char *source = lore_alloc(&f->arena, 90001);

    memset(source, 's', 90000);
    x.in.arena = x.in.report = &f->arena;
    x.in.unit = "u";
    x.in.doc = lore_alloc(&f->arena, sizeof *x.in.doc);
    for (int i = 0; i < 10; i++) {
        struct lore_source_document *d = LORE_PUSH(&f->arena, x.in.doc->source_documents,
            x.in.doc->n_source_documents, x.in.doc->cap_source_documents);
        d->id = lore_build_id(&f->arena, 0, "%d", i);
        d->title = d->path = "t";
        d->text = source;
    }
    assert_int_equal(lore_pack_unit(&f->k, &x, NULL, 0, NULL), LORE_OK);
    assert_int_equal(lore_pack_close(&f->k, &x, NULL), LORE_OK);
    assert_int_equal(x.n, 2);
    assert_int_equal(x.documents[0].doc->n_source_documents, 8);
    assert_true(x.documents[0].len <= LORE_INTAKE_DOCUMENT);
}

#define IN_FOLDER(t) cmocka_unit_test_setup_teardown(t, setup, teardown)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(links_that_lead_out_hidden_files_and_odd_names_are_listed_and_not_read),
        IN_FOLDER(links_inside_the_folder_are_followed_and_circles_are_not),
        IN_FOLDER(a_pipe_above_the_path_is_no_licence_to_wait_for),
        IN_FOLDER(what_looks_like_credentials_is_listed_and_stays_here),
        IN_FOLDER(a_tree_has_the_name_of_its_folder_however_it_is_given),
        IN_FOLDER(files_are_found_by_folder_whatever_sorts_between),
        IN_FOLDER(json_is_read_where_a_file_looks_like_it_and_text_is_text),
        cmocka_unit_test(licences_are_known_by_their_words),
        IN_FOLDER(the_nearest_licence_applies_and_one_above_the_path_is_found),
        IN_FOLDER(a_licence_outside_the_repository_is_not_its_licence),
        IN_FOLDER(units_share_documents_until_one_is_full),
        IN_FOLDER(the_same_record_in_two_files_is_kept_once),
        IN_FOLDER(one_file_that_cannot_be_read_refuses_only_itself),
        IN_FOLDER(nothing_that_is_recognised_is_an_error_that_says_where_the_formats_are),
        IN_FOLDER(bytes_that_are_no_text_are_kept_in_base64),
        IN_FOLDER(a_record_that_says_something_else_than_an_earlier_one_is_refused),
        IN_FOLDER(files_that_must_not_be_passed_on_say_so_when_no_record_is_beside_them),
        IN_FOLDER(a_commit_is_given_to_what_names_none),
        IN_FOLDER(a_record_past_a_limit_is_refused_by_name_and_takes_its_dependants_along),
        IN_FOLDER(a_unit_that_is_longer_than_a_document_is_cut_between_records),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
