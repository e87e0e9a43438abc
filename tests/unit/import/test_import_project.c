// uses: import
/* The project that an import gives to its kernels: from the remote of the repository, its folder,
 * the folder's name, or as the caller says. */
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collectors/import/project.h"
#include "service/base/file.h"
#include "tests/unit/import_intake.h"

struct folder {
    struct lore_arena arena;
    char path[64];
};

static int
setup(void **state)
{
    struct folder *f = test_calloc(1, sizeof *f);

    (void)snprintf(f->path, sizeof f->path, "/tmp/warplore-project-XXXXXX");
    *state = f;
    return mkdtemp(f->path) ? 0 : -1;
}

static int
teardown(void **state)
{
    struct folder *f = *state;
    const char *command = lore_format(&f->arena, "rm -rf '%s'", f->path);
    int rc = system(command); /* NOLINT: a path of our own */

    lore_arena_free(&f->arena);
    test_free(f);
    return rc;
}

static const char *
put(struct folder *f, const char *name, const char *text)
{
    const char *path = lore_format(&f->arena, "%s/%s", f->path, name);
    char *dir = lore_strdup(&f->arena, path);

    *strrchr(dir, '/') = '\0';
    assert_int_equal(lore_mkdirs(dir, 0700, NULL), LORE_OK);
    assert_int_equal(lore_file_write(path, text, strlen(text), 0600, NULL), LORE_OK);
    return path;
}

static void
the_url_of_origin_names_the_project(void **state)
{
    static const char *const urls[][2] = {
        {"https://example.org/team/attention.git", "team/attention"},
        {"https://ada:secret@example.org/team/attention", "team/attention"},
        {"ssh://git@example.org:22/team/sub/attention.git/", "team/sub/attention"},
        {"git@example.org:team/attention.git", "team/attention"},
        {"/srv/git/attention.git", "attention"}, {"../attention", "attention"},
        {"file:///srv/git/attention.git", "attention"}, {"https://example.org", NULL},
        {"https://example.org/", NULL}, {".git", ".git"}, {"", NULL}};
    struct folder *f = *state;

    for (size_t i = 0; i < sizeof urls / sizeof *urls; i++) {
        const char *text = lore_format(&f->arena,
            "[remote \"fork\"]\n\turl = https://example.org/other/fork\n"
            "[remote \"origin\"]\n\tfetch = +refs/*\n\turl = %s \r\n[branch \"main\"]\n",
            urls[i][0]);
        const char *project = lore_project_of_git(text, &f->arena);
        if (urls[i][1])
            assert_string_equal(project, urls[i][1]);
        else
            assert_null(project);
    }
    assert_null(lore_project_of_git("[remote \"fork\"]\nurl = a/b\n", &f->arena));
    assert_null(lore_project_of_git("", &f->arena));
}

static void
found(struct folder *f, const char *path, const char *project, const char *from)
{
    const char *name = NULL, *why = NULL;

    lore_project_find(lore_format(&f->arena, "%s/%s", f->path, path), &f->arena, &name, &why);
    if (!project) {
        assert_null(name);
        return;
    }
    assert_string_equal(name, project);
    assert_string_equal(why, from);
}

static void
a_folder_belongs_to_its_repository_or_is_one_itself(void **state)
{
    struct folder *f = *state;

    put(f, "clone/.git/config", "[remote \"origin\"]\n\turl = git@host:team/attention.git\n");
    put(f, "clone/runs/a/state.json", "{}");
    put(f, "local/.git/config", "[core]\n\tbare = false\n");
    put(f, "local/state.json", "{}");
    put(f, "plain/state.json", "{}");
    found(f, "clone", "team/attention", "the git remote origin");
    found(f, "clone/runs/a", "team/attention", "the git remote origin");
    found(f, "local", "local", "the repository's folder");
    found(f, "plain/", "plain", "the folder's name");
    found(f, "plain/state.json", NULL, NULL);
    found(f, "missing", NULL, NULL);
}

static void
a_worktree_has_the_project_of_its_repository(void **state)
{
    struct folder *f = *state;

    put(f, "main/.git/config", "[remote \"origin\"]\n\turl = git@host:team/attention.git\n");
    put(f, "main/.git/worktrees/w/commondir", "../..\n");
    put(f, "w/.git", lore_format(&f->arena, "gitdir: %s/main/.git/worktrees/w\n", f->path));
    put(f, "odd/.git", "no such thing\n");
    found(f, "w", "team/attention", "the git remote origin");
    found(f, "odd", "odd", "the folder's name");
}

/* Import PATH and return the first kernel; the project of every kernel is that. */
static const struct lore_kernel *
kernel_of(struct folder *f, struct lore_intake *k, const char *path)
{
    struct lore_err err = {0};

    assert_int_equal(
        lore_intake_path(k, lore_format(&f->arena, "%s/%s", f->path, path), &err), LORE_OK);
    assert_true(k->n_formats == 1 && k->formats[0]->n == 1);
    const struct lore_submission *doc = k->formats[0]->documents[0].doc;
    assert_true(doc->n_kernels > 1);
    for (size_t i = 1; i < doc->n_kernels; i++)
        assert_true(lore_streq(doc->kernels[i].project, doc->kernels[0].project));
    return &doc->kernels[0];
}

/* A copy of a folder with a leaderboard. */
static void
copy_board(struct folder *f, const char *name)
{
    const char *command =
        lore_format(&f->arena, "cp -r '%skf/kernels' '%s/%s'", FIXTURES, f->path, name);

    assert_int_equal(system(command), 0); /* NOLINT: a path of our own */
}

static struct lore_intake
intake(struct folder *f, const char *project)
{
    struct lore_intake k;

    lore_intake_begin(&k, &f->arena);
    k.project = project;
    return k;
}

static bool
reports(const struct lore_intake *k, const char *line)
{
    const struct lore_texts *t = &k->formats[0]->in.lists[LORE_IL_NAMES];

    for (size_t i = 0; i < t->n; i++)
        if (strcmp(t->v[i], line) == 0)
            return true;
    return false;
}

static void
two_folders_give_two_kernels_and_the_caller_may_name_the_project(void **state)
{
    struct folder *f = *state;
    struct lore_intake one = intake(f, NULL), two = intake(f, NULL), both = intake(f, "team/x"),
                       none = intake(f, "");

    copy_board(f, "attention");
    copy_board(f, "norm");
    const struct lore_kernel *a = kernel_of(f, &one, "attention"), *b = kernel_of(f, &two, "norm");
    const struct lore_kernel *c = kernel_of(f, &both, "norm"), *d = kernel_of(f, &none, "norm");
    assert_string_equal(a->project, "attention");
    assert_string_equal(b->project, "norm");
    assert_string_equal(c->project, "team/x");
    assert_null(d->project);
    assert_string_equal(a->name, b->name);
    assert_string_not_equal(a->id, b->id);
    assert_string_not_equal(b->id, c->id);
    assert_string_not_equal(b->id, d->id);
    assert_true(reports(&one, "project attention, from the folder's name"));
    assert_true(reports(&both, "project team/x, from --project"));
}

#define IN_FOLDER(t) cmocka_unit_test_setup_teardown(t, setup, teardown)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(the_url_of_origin_names_the_project),
        IN_FOLDER(a_folder_belongs_to_its_repository_or_is_one_itself),
        IN_FOLDER(a_worktree_has_the_project_of_its_repository),
        IN_FOLDER(two_folders_give_two_kernels_and_the_caller_may_name_the_project),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
