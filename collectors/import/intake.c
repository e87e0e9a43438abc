/* Finds the units of a tree and calls their importers. Directories come first, from the top down.
 * Then follows every file that no importer has opened, also inside a directory unit. So a results
 * file in a run directory is part of the run and also a unit of its own. */
#include "collectors/import/intake.h"

#include <stddef.h>
#include <string.h>

#include "collectors/import/index.h"
#include "collectors/import/looks.h"
#include "collectors/import/project.h"
#include "collectors/import/tree.h"
#include "service/base/text.h"
#include "service/wire/build.h"

void
lore_intake_begin(struct lore_intake *k, struct lore_arena *arena)
{
    memset(k, 0, sizeof *k);
    k->arena = arena;
    k->seen = lore_alloc(arena, sizeof *k->seen);
    k->campaign_counts = lore_alloc(arena, sizeof *k->campaign_counts);
}

static void
count_bytes(struct lore_import *in, uint64_t raw)
{
    struct lore_intake *k = in->intake;

    k->bytes_read += raw;
    if (k->tick)
        k->tick(k->context, k);
}

static struct lore_intake_format *
format_of(struct lore_intake *k, const struct lore_importer *importer)
{
    for (size_t i = 0; i < k->n_formats; i++) {
        if (k->formats[i]->importer == importer)
            return k->formats[i];
    }
    struct lore_intake_format *f = lore_alloc(k->arena, sizeof *f);
    f->importer = importer;
    f->in.report = k->arena;
    f->in.intake = k;
    f->in.tick = count_bytes;
    f->in.arena = &k->records;
    f->in.kept = &k->kept;
    f->in.doc = lore_alloc(k->arena, sizeof *f->in.doc);
    *LORE_PUSH(k->arena, k->formats, k->n_formats, k->cap_formats) = f;
    return f;
}

/* ---- one unit ---- */

static void
set_licence(struct lore_intake *k, struct lore_import *in, const struct lore_import_file *licence)
{
    const char *name = licence ? lore_licence_name(licence->text) : NULL;

    in->licence = k->licence ? k->licence : name;
    in->redistribution = k->redistribution;
    if (!licence || k->licence)
        return;
    if (name)
        lore_import_note(in, LORE_IL_NAMES, "%s: licence %s", licence->path, name);
    else
        lore_import_note(
            in, LORE_IL_NAMES, "%s: licence not recognised; name it with --licence", licence->path);
}

/* The project of the unit's kernels, by --project or else of the folder; note it in the report. */
static void
set_project(struct lore_intake *k, const struct lore_importer *importer, struct lore_import *in)
{
    const char *project = k->project, *from = "--project";

    if (!project && importer->project) {
        project = in->tree->project;
        from = in->tree->project_from;
    }
    in->doc->project = project && *project ? project : NULL;
    if (in->doc->project)
        lore_import_note(in, LORE_IL_NAMES, "project %s, from %s", in->doc->project, from);
}

/* The files to store with the unit: its own files, the licence that applies, and its NOTICE. */
static size_t
files_of(struct lore_intake *k, const struct lore_import *in, bool directory,
    const struct lore_import_file *licence, struct lore_import_file ***out)
{
    const struct lore_import_tree *t = in->tree;
    const char *unit = in->unit;
    struct lore_import_file **files, *f = NULL;
    size_t n = 0;

    while (directory && (f = lore_tree_next_path(t, unit, f)))
        n++;
    files = lore_alloc_array(&k->kept, n + in->n_with + 3, sizeof *files);
    n = 0;
    if (!directory)
        files[n++] = lore_tree_file(t, "", unit);
    for (size_t i = 0; i < in->n_with; i++)
        files[n++] = (struct lore_import_file *)(uintptr_t)in->with[i];
    while (directory && (f = lore_tree_next_path(t, unit, f)))
        files[n++] = f;
    if (licence)
        files[n++] = (struct lore_import_file *)licence;
    const struct lore_import_file *notice = licence ? lore_tree_notice(t, licence) : NULL;
    if (notice)
        files[n++] = (struct lore_import_file *)notice;
    *out = files;
    return n;
}

static void
refuse_unit(struct lore_intake_format *f, size_t records, size_t refused, const struct lore_err *e)
{
    struct lore_import *in = &f->in;

    /* a refused unit counts all its records as refused, at least one */
    size_t in_unit = in->records > records ? in->records - records : 1;
    in->records = records + in_unit;
    in->refused = refused + in_unit;
    if (f->refused_units++ == 0)
        f->first = *e;
    lore_import_note(in, LORE_IL_ERRORS, "%s: %s",
        in->at      ? in->at->path
        : *in->unit ? in->unit
                    : in->tree->name,
        e->msg);
}

static size_t
records_in(const struct lore_submission *d)
{
    return d->n_kernels + d->n_versions + d->n_environments + d->n_runs + d->n_hypotheses +
           d->n_experiments + d->n_attributions + d->n_insights + d->n_source_documents +
           d->n_specs + d->n_techniques + d->n_verifications + d->n_campaigns + d->n_directions +
           d->n_curations + d->n_sweeps + d->n_profiles;
}

/* Files of a directory that its importer did not open are stored as artifacts; note that in the
 * report. */
static void
note_unread(struct lore_import *in, struct lore_import_file *const *files, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (!files[i]->read && !lore_tree_is_licence(files[i]->path))
            lore_import_note(in, LORE_IL_EXTRA, "%s: the importer does not read it; kept as a file",
                files[i]->path);
    }
}

/* Begin with no records; the project stays. */
static void
clear_records(struct lore_import *in)
{
    *in->doc = (struct lore_submission){.project = in->doc->project};
    lore_arena_reset(in->arena);
}

static void
begin_unit(struct lore_intake *k, const struct lore_importer *importer, struct lore_import_tree *t,
    const char *unit, const struct lore_import_file *licence)
{
    struct lore_import *in = &format_of(k, importer)->in;

    in->tree = t;
    in->unit = unit;
    in->at = NULL;
    in->text = "";
    in->not_kept = NULL;
    in->with = NULL;
    in->n_with = in->cap_with = 0;
    in->file = *unit ? lore_build_basename(unit) : t->name;
    in->chip = k->chip;
    in->map = k->map;
    clear_records(in);
    if (!importer->directory)
        lore_import_open(in, lore_tree_file(t, "", unit));
    set_licence(k, in, licence);
    set_project(k, importer, in);
}

/* Pack what the importer read, with the files of the unit. */
static enum lore_status
finish_unit(struct lore_intake *k, struct lore_intake_format *f,
    const struct lore_import_file *licence, size_t refused, struct lore_err *err)
{
    struct lore_import *in = &f->in;
    bool raw = in->n_raw > 0 || in->withheld > 0;
    struct lore_import_file **files;

    if (raw) {
        f->files++;
        in->withheld = 0;
        return lore_pack_raw(k, f, err);
    }
    if (records_in(in->doc) == 0 && in->refused > refused && !in->flushed)
        return LORE_OK;
    size_t n = files_of(k, in, f->importer->directory, licence, &files);
    if (f->importer->directory)
        note_unread(in, files, n);
    return lore_pack_unit(k, f, files, n, err);
}

static void
list_unit(struct lore_intake *k, const struct lore_intake_format *f, size_t records, size_t refused)
{
    const char *tree = f->in.tree->name ? f->in.tree->name : "", *unit = f->in.unit;
    bool single = f->in.tree->n == 1 || !*unit;

    *LORE_PUSH(k->arena, k->units, k->n_units, k->cap_units) =
        (struct lore_intake_unit){single ? lore_strdup(k->arena, *unit ? unit : tree)
                                         : lore_format(k->arena, "%s/%s", tree, unit),
            f->importer, f->in.records - records, f->in.refused - refused};
}

static enum lore_status
read_unit(struct lore_intake *k, const struct lore_importer *importer, struct lore_import_tree *t,
    const char *unit, struct lore_err *err)
{
    struct lore_intake_format *f = format_of(k, importer);
    struct lore_import *in = &f->in;
    const struct lore_import_file *licence = lore_tree_licence(t, unit);
    size_t records = in->records, refused = in->refused;
    enum lore_status status = LORE_OK;
    struct lore_err inner = {0};

    begin_unit(k, importer, t, unit, licence);
    f->units++;
    status = importer->read(in, &inner);
    if (k->stopped.status != LORE_OK) {
        status = lore_fail(err, k->stopped.status, "%s", k->stopped.msg);
    } else if (status == LORE_OK) {
        status = finish_unit(k, f, licence, refused, err);
    } else {
        status = LORE_OK;
        /* when the file is not valid JSON, report the parser's error: it is more specific */
        if (in->at && in->at->problem)
            (void)lore_fail(&inner, LORE_INVALID, "%s", in->at->problem);
        refuse_unit(f, records, refused, &inner);
    }
    list_unit(k, f, records, refused);
    clear_records(in);
    in->flushed = false;
    f->refused_ids = (struct lore_index){0};
    lore_arena_reset(&k->kept);
    lore_tree_trim(t);
    return status;
}

enum lore_status
lore_import_flush(struct lore_import *in, struct lore_err *err)
{
    struct lore_intake *k = in->intake;
    struct lore_err inner = {0};

    if (k && k->stopped.status != LORE_OK)
        return lore_fail(err, k->stopped.status, "%s", k->stopped.msg);
    if (!k || in->arena->used < (k->batch > 0 ? k->batch : LORE_INTAKE_BATCH))
        return LORE_OK;
    struct lore_intake_format *f =
        (struct lore_intake_format *)(void *)((char *)in - offsetof(struct lore_intake_format, in));
    enum lore_status status =
        in->n_raw > 0 ? lore_pack_raw(k, f, &inner) : lore_pack_unit(k, f, NULL, 0, &inner);
    in->flushed = true;
    clear_records(in);
    return status == LORE_OK ? LORE_OK : lore_fail(err, status, "%s", inner.msg);
}

/* ---- finding units ---- */

static const struct lore_importer *
recognise(struct lore_intake *k, const struct lore_import_tree *t, const char *unit, bool directory)
{
    for (const struct lore_importer *i = lore_importers; i->name; i++) {
        if (i->directory != directory || (k->forced && k->forced != i))
            continue;
        lore_tree_ask(t, i->name);
        if (i->detect(t, unit))
            return i;
    }
    return NULL;
}

static void
mark_taken(struct lore_import_tree *t, const char *dir)
{
    struct lore_import_file *f = NULL;

    while ((f = lore_tree_next_path(t, dir, f)))
        f->taken = true;
}

static bool
is_below(const char *path, const char *dir)
{
    size_t n = strlen(dir);
    return n == 0 || (strncmp(path, dir, n) == 0 && (path[n] == '/' || !path[n]));
}

/* Offer the directories above FILE to the importers, except those that also contain the file
 * BEFORE, because they were offered with it. BEFORE is NULL for the first file. */
static enum lore_status
offer_directories(struct lore_intake *k, struct lore_import_tree *t, const char *file,
    const char *before, size_t *units, struct lore_err *err)
{
    for (const char *p = file; p; p = strchr(p + 1, '/')) {
        size_t n = p == file ? 0 : (size_t)(p - file);
        const char *dir = lore_strndup(k->arena, file, n);
        if (before && (n == 0 || (is_below(before, dir) && before[n] == '/')))
            continue;
        const struct lore_importer *i = recognise(k, t, dir, true);
        if (!i) {
            lore_tree_trim(t);
            continue;
        }
        mark_taken(t, dir);
        ++*units;
        return read_unit(k, i, t, dir, err);
    }
    return LORE_OK;
}

static enum lore_status
read_directories(
    struct lore_intake *k, struct lore_import_tree *t, size_t *units, struct lore_err *err)
{
    for (size_t i = 0; i < t->n; i++) {
        if (t->files[i].taken)
            continue;
        const char *before = i > 0 ? t->files[i - 1].path : NULL;
        enum lore_status status = offer_directories(k, t, t->files[i].path, before, units, err);
        if (status != LORE_OK)
            return status;
    }
    return LORE_OK;
}

static enum lore_status
read_files(struct lore_intake *k, struct lore_import_tree *t, size_t *units, struct lore_err *err)
{
    for (size_t i = 0; i < t->n; i++) {
        struct lore_import_file *f = &t->files[i];
        if (f->read || lore_tree_is_licence(f->path))
            continue;
        const struct lore_importer *importer = recognise(k, t, f->path, false);
        if (!importer) {
            lore_tree_trim(t);
            continue;
        }
        f->taken = true;
        ++*units;
        enum lore_status status = read_unit(k, importer, t, f->path, err);
        if (status != LORE_OK)
            return status;
    }
    return LORE_OK;
}

/* Read the unit with the importer named by --format although it does not recognise the unit. Its
 * errors tell the user what is wrong. */
static enum lore_status
read_forced(struct lore_intake *k, struct lore_import_tree *t, size_t *units, struct lore_err *err)
{
    if (k->forced->directory) {
        mark_taken(t, "");
    } else if (t->n == 1) {
        t->files[0].taken = true;
    } else {
        return LORE_OK;
    }
    ++*units;
    return read_unit(k, k->forced, t, k->forced->directory ? "" : t->files[0].path, err);
}

/* What F looks like and who nearly reads it. */
static const char *
why_unread(struct lore_intake *k, struct lore_import_tree *t, struct lore_import_file *f)
{
    if (!lore_tree_open(t, f))
        return f->left_out;
    lore_tree_ask(t, NULL);
    (void)recognise(k, t, f->path, false); /* once more, for those that come near */
    const char *near = lore_tree_nearest(t, k->arena);
    const char *looks = lore_looks_like(k->arena, f);
    if (f->head_len == 0)
        return looks;
    return near ? lore_format(k->arena, "no importer recognises it: %s. Nearest: %s", looks, near)
                : lore_format(k->arena, "no importer recognises it: %s", looks);
}

static void
list_skipped(struct lore_intake *k, struct lore_import_tree *t)
{
    for (size_t i = 0; i < t->skipped.n; i++)
        lore_build_text(k->arena, &k->skipped, t->skipped.v[i]);
    for (size_t i = 0; i < t->n; i++) {
        struct lore_import_file *f = &t->files[i];
        if ((f->taken && !f->left_out) || lore_tree_is_licence(f->path))
            continue;
        const char *why = f->left_out ? f->left_out : why_unread(k, t, f);
        lore_build_text(k->arena, &k->skipped, lore_format(k->arena, "%s: %s", f->path, why));
        lore_tree_trim(t);
    }
}

static enum lore_status
fail_unknown_format(struct lore_intake *k, struct lore_import_tree *t, struct lore_err *err)
{
    const char *why = "no importer recognises it";
    bool single = t->n == 1;

    if (t->n == 0 && t->skipped.n > 0)
        return lore_fail(err, LORE_INVALID, "%s: nothing in it can be read: %s", t->name,
            t->skipped.v[t->skipped.n - 1]);
    if (single)
        why = why_unread(k, t, &t->files[0]);
    if (single && (t->files[0].left_out || t->files[0].head_len == 0))
        return lore_fail(err, LORE_INVALID, "%s: %s", t->name, why);
    enum lore_status status =
        lore_fail_at(err, LORE_INVALID, "unknown_format", t->name, "%s: %s", t->name, why);
    lore_err_hint(err,
        "warplore import --suggest %.60s proposes a map of its rows; --format NAME forces one of "
        "the formats (docs/import.md)",
        single ? t->name : "FILE");
    return status;
}

enum lore_status
lore_intake_tree(struct lore_intake *k, struct lore_import_tree *t, struct lore_err *err)
{
    size_t units = 0;

    enum lore_status status = read_directories(k, t, &units, err);
    if (status == LORE_OK)
        status = read_files(k, t, &units, err);
    if (status == LORE_OK && units == 0 && k->forced)
        status = read_forced(k, t, &units, err);
    for (size_t i = 0; i < k->n_formats && status == LORE_OK; i++)
        status = lore_pack_close(k, k->formats[i], err);
    for (size_t i = 0; i < k->n_formats; i++)
        lore_pack_drop(k->formats[i]);
    lore_arena_free(&k->records);
    lore_arena_free(&k->kept);
    if (status != LORE_OK)
        return status;
    if (units == 0)
        return fail_unknown_format(k, t, err);
    list_skipped(k, t);
    return LORE_OK;
}

enum lore_status
lore_intake_path(struct lore_intake *k, const char *path, struct lore_err *err)
{
    struct lore_import_tree *t = lore_alloc(k->arena, sizeof *t);

    enum lore_status status = lore_tree_load(path, k->arena, t, err);
    if (status != LORE_OK)
        return status;
    lore_tree_be_lazy(t);
    k->bytes = t->bytes;
    k->bytes_read = 0;
    if (!k->project)
        lore_project_find(path, k->arena, &t->project, &t->project_from);
    status = lore_intake_tree(k, t, err);
    lore_tree_close(t);
    return status;
}
