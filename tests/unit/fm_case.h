/* The two cases of version directories, loaded, and how to find things in what came out. */
#ifndef LORE_TESTS_UNIT_FM_CASE_H
#define LORE_TESTS_UNIT_FM_CASE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "collectors/import/intake.h"
#include "collectors/import/tree.h"
#include "service/base/file.h"
#include "service/wire/build.h"

#define FIXTURES SOURCE_DIR "/tests/fixtures/import/fm"

struct fixture {
    struct lore_arena arena;
    struct lore_intake k;
    struct lore_import_tree tree;
    const struct lore_import *in;
    const struct lore_submission *doc;
};

static inline void
use_intake(struct fixture *f)
{
    assert_int_equal(f->k.n_formats, 1);
    assert_string_equal(f->k.formats[0]->importer->name, "version-directories");
    assert_int_equal(f->k.formats[0]->n, 1);
    f->in = &f->k.formats[0]->in;
    f->doc = f->k.formats[0]->documents[0].doc;
}

static inline int
load(void **state, const char *path)
{
    struct fixture *f = test_calloc(1, sizeof *f);
    struct lore_err err = {0};

    *state = f;
    lore_intake_begin(&f->k, &f->arena);
    if (lore_intake_path(&f->k, path, &err) != LORE_OK)
        fail_msg("%s", err.msg);
    use_intake(f);
    return 0;
}

static inline int
rowmax(void **state)
{
    return load(state, FIXTURES "/rowmax");
}

static inline int
gather(void **state)
{
    return load(state, FIXTURES "/paged_gather");
}

static inline int
both(void **state)
{
    return load(state, FIXTURES);
}

static inline int
empty(void **state)
{
    *state = test_calloc(1, sizeof(struct fixture));
    lore_intake_begin(&((struct fixture *)*state)->k, &((struct fixture *)*state)->arena);
    return 0;
}

static inline int
teardown(void **state)
{
    struct fixture *f = *state;

    lore_arena_free(&f->arena);
    test_free(f);
    return 0;
}

static inline void
add(struct fixture *f, const char *path, const char *text)
{
    f->tree.name = "case";
    (void)lore_tree_add(&f->arena, &f->tree, path, text, strlen(text));
}

static inline void
read_tree(struct fixture *f)
{
    struct lore_err err = {0};

    lore_tree_sort(&f->tree);
    if (lore_intake_tree(&f->k, &f->tree, &err) != LORE_OK)
        fail_msg("%s", err.msg);
    use_intake(f);
}

static inline bool
listed(const struct fixture *f, enum lore_import_list list, const char *part)
{
    for (size_t i = 0; i < f->in->lists[list].n; i++) {
        if (strstr(f->in->lists[list].v[i], part))
            return true;
    }
    return false;
}

static inline const struct lore_version *
version(const struct fixture *f, const char *label)
{
    for (size_t i = 0; i < f->doc->n_versions; i++) {
        if (strcmp(f->doc->versions[i].label, label) == 0)
            return &f->doc->versions[i];
    }
    fail_msg("no version %s", label);
    return NULL;
}

/* The run of version LABEL that TOOL made. */
static inline const struct lore_run *
run(const struct fixture *f, const char *label, const char *tool)
{
    const char *id = version(f, label)->id;

    for (size_t i = 0; i < f->doc->n_runs; i++) {
        const struct lore_run *r = &f->doc->runs[i];
        if (strcmp(r->version, id) == 0 && strcmp(r->tool, tool) == 0)
            return r;
    }
    fail_msg("no run of %s by %s", label, tool);
    return NULL;
}

static inline const struct lore_experiment *
experiment(const struct fixture *f, const char *label)
{
    const char *id = version(f, label)->id;

    for (size_t i = 0; i < f->doc->n_experiments; i++) {
        if (strcmp(f->doc->experiments[i].to_version, id) == 0)
            return &f->doc->experiments[i];
    }
    fail_msg("no experiment for %s", label);
    return NULL;
}

static inline const struct lore_hypothesis *
hypothesis(const struct fixture *f, const char *id)
{
    for (size_t i = 0; i < f->doc->n_hypotheses; i++) {
        if (strcmp(f->doc->hypotheses[i].id, id) == 0)
            return &f->doc->hypotheses[i];
    }
    fail_msg("no hypothesis %s", id);
    return NULL;
}

static inline const struct lore_metric *
metric(const struct lore_run *r, const char *name)
{
    for (size_t i = 0; i < r->metrics.n; i++) {
        if (strcmp(r->metrics.v[i].name, name) == 0)
            return &r->metrics.v[i];
    }
    fail_msg("no metric %s", name);
    return NULL;
}

/* A check that passed, on M=64. */
#define CHECK_TEXT                                                                                 \
    "# Correctness Check\n\n| | |\n|---|---|\n| **Dims** | {'M': 64} |\n"                          \
    "| **Result** | **ALL PASS** |\n"

#define WITH(setup, test) cmocka_unit_test_setup_teardown(test, setup, teardown)

#endif
