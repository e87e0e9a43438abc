/* One file from memory: read TEXT with IMPORTER (NULL: the one that recognises it). out->doc is the
 * first document, or an empty one; *used the importer. A refused unit is the error. */
#ifndef LORE_TESTS_UNIT_IMPORT_READ_H
#define LORE_TESTS_UNIT_IMPORT_READ_H

#include <string.h>

#include "collectors/import/intake.h"
#include "collectors/import/tree.h"
#include "service/wire/build.h"

static inline enum lore_status
import_read(const struct lore_importer *importer, const char *file, const char *text, size_t len,
    struct lore_arena *arena, struct lore_import *out, const struct lore_importer **used,
    struct lore_err *err)
{
    struct lore_import_tree *t = lore_alloc(arena, sizeof *t);
    struct lore_intake k;

    memset(out, 0, sizeof *out);
    if (len > LORE_IMPORT_MAX)
        return lore_fail(
            err, LORE_TOOBIG, "%s: longer than %u MiB; split it", file, LORE_IMPORT_MAX >> 20);
    lore_intake_begin(&k, arena);
    k.forced = importer;
    t->name = lore_build_basename(file);
    (void)lore_tree_add(arena, t, t->name, text, len);
    enum lore_status status = lore_intake_tree(&k, t, err);
    if (status != LORE_OK)
        return status;
    struct lore_intake_format *f = k.formats[0];
    *used = f->importer;
    *out = f->in;
    if (f->refused_units > 0) {
        (void)lore_fail_at(
            err, f->first.status, f->first.code, f->first.path, "%s: %s", file, f->first.msg);
        return f->first.status;
    }
    if (f->n > 0) {
        out->doc = lore_alloc(arena, sizeof *out->doc);
        *out->doc = *f->documents[0].doc;
    }
    return LORE_OK;
}

#endif
