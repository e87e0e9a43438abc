/* What the tests of importers of directories share: a fixture read as one unit, the report, the
 * documents as the service decodes them, and the check that no leaf of a JSON file was lost. */
#ifndef LORE_TESTS_UNIT_IMPORT_UNIT_H
#define LORE_TESTS_UNIT_IMPORT_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "collectors/import/import.h"
#include "collectors/import/intake.h"
#include "collectors/import/tree.h"
#include "service/base/text.h"
#include "service/wire/build.h"
#include "service/wire/wire.h"

struct unit {
    struct lore_arena arena;
    struct lore_import_tree tree;
    struct lore_submission doc;
    struct lore_import in;
    const char *body; /* the document as JSON, without artifacts */
};

static void
unit_encode(struct unit *u)
{
    struct lore_buf b = {.max = 64u << 20};
    struct lore_err err = {0};

    u->doc.format = LORE_WIRE_VERSION;
    u->doc.id = lore_build_id(&u->arena, 0, "test");
    u->doc.author.name = "test";
    if (lore_build_encode(&u->doc, &b, &err) != LORE_OK)
        fail_msg("%s", err.msg);
    u->body = lore_strndup(&u->arena, b.data, b.len);
    lore_buf_free(&b);
}

/* Read UNIT of the tree in U, which is complete. */
static void
unit_read_tree(struct unit *u, const char *importer, const char *unit)
{
    const struct lore_importer *i = lore_importer_find(importer);
    struct lore_err err = {0};

    assert_non_null(i);
    if (!i->detect(&u->tree, unit))
        fail_msg("%s does not recognise \"%s\"", importer, unit);
    u->in =
        (struct lore_import){.arena = &u->arena, .tree = &u->tree, .unit = unit, .doc = &u->doc};
    if (!i->directory)
        lore_import_open(&u->in, lore_tree_file(&u->tree, "", unit));
    if (i->read(&u->in, &err) != LORE_OK)
        fail_msg("%s", err.msg);
    unit_encode(u);
}

static void
unit_read(struct unit *u, const char *importer, const char *path, const char *unit)
{
    struct lore_err err = {0};

    memset(u, 0, sizeof *u);
    if (lore_tree_load(path, &u->arena, &u->tree, &err) != LORE_OK)
        fail_msg("%s", err.msg);
    unit_read_tree(u, importer, unit);
}

static inline bool
unit_listed(const struct unit *u, enum lore_import_list list, const char *part)
{
    for (size_t i = 0; i < u->in.lists[list].n; i++) {
        if (strstr(u->in.lists[list].v[i], part))
            return true;
    }
    return false;
}

/* The document is one that the service takes. */
static inline void
unit_must_decode(struct unit *u)
{
    struct lore_submission again;
    struct lore_json *root = NULL;
    struct lore_err err = {0};

    if (lore_json_parse(u->body, strlen(u->body), &lore_wire_limits, &u->arena, &root, &err) !=
            LORE_OK ||
        lore_wire_decode(root, &u->arena, &again, &err) != LORE_OK)
        fail_msg("%s", err.msg);
    assert_int_equal(again.n_experiments, u->doc.n_experiments);
}

static bool
unit_has_number(const struct unit *u, const struct lore_json *n)
{
    const double scales[] = {1, 1e3, 1e6};
    char digits[32];

    if (strstr(u->body, n->str))
        return true;
    for (size_t i = 0; i < 3; i++) {
        lore_f64_text(lore_build_ns(n->f * (scales[i] / 1e6)), digits);
        if (strstr(u->body, digits))
            return true;
    }
    lore_f64_text(-lore_build_ns(-n->f), digits);
    return strstr(u->body, digits);
}

static void
unit_keeps(struct unit *u, const struct lore_json *node, const char *file)
{
    char path[200];

    for (const struct lore_json *m = node->child; m; m = m->next)
        unit_keeps(u, m, file);
    if (node->type == LORE_J_NUMBER && !unit_has_number(u, node)) {
        lore_json_path(node, path, sizeof path);
        fail_msg("%s: %s: %s is lost", file, path, node->str);
    }
    if (node->type != LORE_J_STRING || node->len == 0)
        return;
    size_t stripped = 0;
    const char *json = lore_build_verbatim(&u->arena, node, NULL, &stripped);
    char *inner = lore_strndup(&u->arena, json + 1, strlen(json) - 2);
    if (!strstr(u->body, inner)) {
        lore_json_path(node, path, sizeof path);
        fail_msg("%s: %s: \"%s\" is lost", file, path, node->str);
    }
}

/* Every number and text of every JSON file is in a record or in its extra. */
static inline void
unit_loses_nothing(struct unit *u)
{
    for (size_t i = 0; i < u->tree.n; i++) {
        if (u->tree.files[i].root)
            unit_keeps(u, u->tree.files[i].root, u->tree.files[i].path);
    }
}

/* Importing PATH twice gives the same documents, each complete and short enough. */
static inline void
unit_is_stable(const char *path, const char *importer)
{
    struct lore_arena arena = {0};
    const char *ids[2] = {NULL, NULL};

    for (size_t k = 0; k < 2; k++) {
        struct lore_intake take;
        struct lore_err err = {0};
        lore_intake_begin(&take, &arena);
        if (lore_intake_path(&take, path, &err) != LORE_OK)
            fail_msg("%s", err.msg);
        assert_string_equal(take.formats[0]->importer->name, importer);
        for (size_t f = 0; f < take.n_formats; f++) {
            if (take.formats[f]->refused_units > 0)
                fail_msg("%s", take.formats[f]->first.msg);
            for (size_t i = 0; i < take.formats[f]->n; i++) {
                const char *id = take.formats[f]->documents[i].doc->id;
                ids[k] = ids[k] ? lore_format(&arena, "%s %s", ids[k], id) : id;
            }
        }
    }
    assert_non_null(ids[0]);
    assert_string_equal(ids[0], ids[1]);
    lore_arena_free(&arena);
}

#endif
