/* What the tests of importers of files share: paths taken in as the client does, the report, and
 * the documents as the service reads them. */
#ifndef LORE_TESTS_UNIT_IMPORT_INTAKE_H
#define LORE_TESTS_UNIT_IMPORT_INTAKE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "collectors/import/intake.h"
#include "collectors/import/tree.h"
#include "service/base/text.h"
#include "service/wire/build.h"

#define FIXTURES SOURCE_DIR "/tests/fixtures/import/"

struct taken {
    struct lore_arena arena;
    struct lore_intake k;
};

static inline void
take(struct taken *t, const char *path)
{
    struct lore_err err = {0};

    if (!t->k.arena)
        lore_intake_begin(&t->k, &t->arena);
    if (lore_intake_path(&t->k, path, &err) != LORE_OK)
        fail_msg("%s", err.msg);
}

static inline const struct lore_intake_format *
format_named(const struct taken *t, const char *name)
{
    for (size_t i = 0; i < t->k.n_formats; i++) {
        if (strcmp(t->k.formats[i]->importer->name, name) == 0)
            return t->k.formats[i];
    }
    fail_msg("no %s was recognised", name);
    return NULL;
}

/* How often a line with PART was noted; 0: not listed. */
static inline size_t
noted(const struct lore_intake_format *f, enum lore_import_list list, const char *part)
{
    for (size_t i = 0; i < f->in.lists[list].n; i++) {
        if (strstr(f->in.lists[list].v[i], part))
            return f->in.counts[list][i];
    }
    return 0;
}

/* The only document of F, as the service's decoder reads it. */
static inline struct lore_submission
decoded(struct taken *t, const struct lore_intake_format *f)
{
    struct lore_submission doc = {0};
    struct lore_json *root = NULL;
    struct lore_err err = {0};

    assert_int_equal(f->n, 1);
    if (lore_json_parse(f->documents[0].body, f->documents[0].len, &lore_wire_limits, &t->arena,
            &root, &err) != LORE_OK ||
        lore_wire_decode(root, &t->arena, &doc, &err) != LORE_OK)
        fail_msg("%s", err.msg);
    return doc;
}

static inline int
intake_setup(void **state)
{
    *state = test_calloc(1, sizeof(struct taken));
    return 0;
}

static inline int
intake_teardown(void **state)
{
    struct taken *t = *state;

    lore_arena_free(&t->arena);
    test_free(t);
    return 0;
}

#define INTAKE(t) cmocka_unit_test_setup_teardown(t, intake_setup, intake_teardown)

#endif
