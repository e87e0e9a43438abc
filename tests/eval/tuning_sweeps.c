/* One file is one import: its documents are decoded as the service decodes them. */
#include "tests/eval/tuning_sweeps.h"

#include <string.h>

#include "collectors/import/intake.h"
#include "service/base/text.h"

static const size_t memory_max = (size_t)4 << 30;

static const char *
kernel_name(const struct lore_intake_format *f, const char *id)
{
    for (size_t i = 0; i < f->n; i++)
        for (size_t k = 0; k < f->documents[i].doc->n_kernels; k++)
            if (lore_streq(f->documents[i].doc->kernels[k].id, id))
                return f->documents[i].doc->kernels[k].name;
    return "";
}

static void
note(const struct tuning_path *from, const struct lore_intake_format *f, struct lore_buf *notes)
{
    for (size_t i = 0; i < f->in.lists[LORE_IL_DOUBTS].n; i++)
        if (strstr(f->in.lists[LORE_IL_DOUBTS].v[i], ": unfinished"))
            lore_buf_printf(notes, "%s: the file was cut\n", from->name);
    if (f->in.refused > 0)
        lore_buf_printf(
            notes, "%s: %zu configurations refused: left out\n", from->name, f->in.refused);
}

static enum lore_status
give(const struct tuning_path *from, const struct lore_intake_format *f, struct lore_arena *arena,
    tuning_sweep_fn fn, void *ctx, struct lore_err *err)
{
    enum lore_status status = LORE_OK;

    for (size_t i = 0; i < f->n; i++) {
        const struct lore_submission *doc = f->documents[i].doc;
        for (size_t k = 0; k < doc->n_sweeps && status == LORE_OK; k++) {
            const struct lore_sweep *r = &doc->sweeps[k];
            struct tuning_sweep s = {
                .file = from->name, .kernel = kernel_name(f, r->kernel), .record = r};
            status = lore_sweep_read(&r->configurations, arena, &s.d, err);
            if (status != LORE_OK)
                break;
            lore_sweep_print(&s.d, arena, s.print);
            status = fn(ctx, &s, err);
        }
    }
    return status;
}

enum lore_status
tuning_sweeps(const struct tuning_path *from, struct lore_buf *notes, tuning_sweep_fn fn, void *ctx,
    struct lore_err *err)
{
    struct lore_arena arena = {.limit = memory_max};
    struct lore_err why = {0};
    struct lore_intake k;
    enum lore_status status;

    lore_intake_begin(&k, &arena);
    status = lore_intake_path(&k, from->path, &why);
    if (status != LORE_OK && lore_streq(why.code, "unknown_format")) {
        lore_buf_printf(notes, "%s: no tuning file: left out\n", from->name);
        status = LORE_OK;
    }
    for (size_t i = 0; i < k.n_formats && status == LORE_OK; i++) {
        if (k.formats[i]->refused_units > 0)
            status = lore_fail(&why, k.formats[i]->first.status, "%s", k.formats[i]->first.msg);
        note(from, k.formats[i], notes);
        if (status == LORE_OK)
            status = give(from, k.formats[i], &arena, fn, ctx, &why);
    }
    if (status != LORE_OK)
        (void)lore_fail(err, status, "%s: %.200s", from->path, why.msg);
    lore_arena_free(&arena);
    return status;
}
