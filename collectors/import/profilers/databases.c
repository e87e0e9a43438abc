#include "collectors/import/profilers/databases.h"

#include <string.h>

#include "collectors/import/importers.h"
#include "collectors/import/profilers/profilers.h"
#include "service/base/text.h"
#include "service/wire/build.h"

enum { TABLES_LISTED = 100, EXTRA_MAX = 1 << 20 };

bool
lore_profiler_database_detect(const struct lore_import_tree *t, const char *unit)
{
    const struct lore_import_file *f = lore_tree_file(t, "", unit);

    return f && lore_sqlite_is(f->head, f->head_len);
}

static void
mark_read(struct lore_database *d, const char *table)
{
    lore_build_text(d->in->arena, &d->read, table);
}

void
lore_database_has_read(struct lore_database *d, const char *prefix)
{
    const struct lore_texts *names = lore_sqlite_names(d->file);

    for (size_t i = 0; i < names->n; i++)
        if (lore_starts(names->v[i], prefix))
            mark_read(d, names->v[i]);
}

enum lore_status
lore_database_steps(
    struct lore_database *d, const struct lore_database_step *steps, size_t n, struct lore_err *err)
{
    enum lore_status status = LORE_OK;

    for (size_t i = 0; i < n && status == LORE_OK; i++) {
        struct lore_sqlite_rows r = {0};
        if (!lore_sqlite_find(d->file, steps[i].table))
            continue;
        mark_read(d, steps[i].table);
        if (steps[i].note)
            lore_import_note(d->in, LORE_IL_EXTRA, "%s: table %s: %s", d->in->at->path,
                steps[i].table, steps[i].note);
        if (!steps[i].sql)
            continue;
        status = lore_sqlite_query(d->file, steps[i].sql, &r, err);
        while (status == LORE_OK && lore_sqlite_next(&r))
            steps[i].take(d, r.row);
        enum lore_status end = lore_sqlite_end(&r, status == LORE_OK ? err : NULL);
        status = status == LORE_OK ? end : status;
    }
    return status;
}

static void
write_row(struct lore_jsonw *w, const struct lore_json *row)
{
    lore_w_obj(w);
    for (const struct lore_json *cell = row->child; cell; cell = cell->next) {
        lore_w_key(w, cell->key);
        lore_w_node(w, cell);
    }
    lore_w_obj_end(w);
}

enum lore_status
lore_database_summaries(struct lore_database *d, const struct lore_database_summary *list, size_t n,
    struct lore_err *err)
{
    struct lore_jsonw w;

    d->extra.max = EXTRA_MAX;
    lore_jsonw_begin(&w, &d->extra, false);
    lore_w_obj(&w);
    for (size_t i = 0; i < n; i++) {
        struct lore_sqlite_rows r = {0};
        struct lore_err why = {0};
        if (!lore_sqlite_find(d->file, list[i].table))
            continue;
        enum lore_status status = lore_sqlite_query(d->file, list[i].sql, &r, &why);
        lore_w_key(&w, list[i].key);
        lore_w_arr(&w);
        while (status == LORE_OK && lore_sqlite_next(&r))
            write_row(&w, r.row);
        lore_w_arr_end(&w);
        enum lore_status end = lore_sqlite_end(&r, status == LORE_OK ? &why : NULL);
        if (status == LORE_OK && end == LORE_OK)
            mark_read(d, list[i].table);
        else
            lore_import_note(
                d->in, LORE_IL_DOUBTS, "%s: table %s: %s", d->in->at->path, list[i].table, why.msg);
    }
    lore_w_obj_end(&w);
    return lore_jsonw_end(&w, err);
}

/* Say which tables with rows were not read. Views show tables, so only tables are looked at. */
static void
list_unread(struct lore_database *d)
{
    const struct lore_texts *names = lore_sqlite_names(d->file);
    const char *list = "";
    size_t listed = 0;

    for (size_t i = 0; i < names->n && listed < TABLES_LISTED; i++) {
        struct lore_sqlite_rows r = {0};
        const char *name = names->v[i];
        bool known =
            lore_starts(name, "ENUM_") || lore_starts(name, "sqlite_") || strchr(name, '"') != NULL;
        for (size_t k = 0; k < d->read.n && !known; k++)
            known = lore_streqi(d->read.v[k], name);
        if (known || !lore_sqlite_is_table(d->file, name))
            continue;
        int64_t n = 0;
        if (lore_sqlite_query(d->file,
                lore_format(d->in->arena, "SELECT COUNT(*) AS n FROM \"%s\"", name), &r,
                NULL) == LORE_OK &&
            lore_sqlite_next(&r))
            (void)lore_row_i64(r.row, "n", &n);
        if (lore_sqlite_end(&r, NULL) == LORE_OK && n > 0) {
            list = lore_format(
                d->in->arena, "%s%s%s %lld", list, *list ? ", " : "", name, (long long)n);
            listed++;
        }
    }
    if (listed > 0)
        lore_import_note(d->in, LORE_IL_EXTRA,
            "%s: rows of tables that are not read, besides those of names (ENUM_*): %s",
            d->in->at->path, list);
}

/* Rows of the tables that were read are joined and added up, so that their single values are in the
 * file only. */
static void
list_read(struct lore_database *d)
{
    for (size_t i = 0; i < d->read.n; i++) {
        const char *columns = lore_sqlite_is_table(d->file, d->read.v[i])
                                  ? lore_sqlite_columns(d->file, d->read.v[i])
                                  : NULL;
        if (columns)
            lore_import_note(d->in, LORE_IL_EXTRA,
                "%s: table %s: its rows are joined and added up; not kept one by one: %s",
                d->in->at->path, d->read.v[i], columns);
    }
}

static enum lore_status
finish(struct lore_database *d, struct lore_err *err)
{
    struct lore_program_profile p = {
        .program = d->program, .tool = d->tool, .measured_at = d->measured_at};

    p.chip = lore_profiler_chip(d->in, d->chip_name, d->isa);
    lore_profiler_set(d->in->arena, &d->soft, "isa", d->isa);
    p.environment = lore_profiler_environment(d->in, p.chip, &d->hard, &d->soft);
    lore_profiler_set(d->in->arena, &p.method, "timer", d->timer);
    if (d->extra.len > 2)
        p.extra = lore_strndup(d->in->arena, d->extra.data, d->extra.len);
    list_read(d);
    list_unread(d);
    return lore_launches_finish(d->l, &p, err);
}

enum lore_status
lore_profiler_database_read(struct lore_import *in, struct lore_err *err)
{
    struct lore_database d = {.in = in};
    enum lore_status status = lore_sqlite_open(in, &d.file, err);

    if (status != LORE_OK)
        return status;
    in->not_kept = "they include the environment variables of the profiled program";
    d.l = lore_launches_begin(in);
    if (lore_nsys_is(d.file))
        status = lore_nsys_read(&d, err);
    else if (lore_rocpd_is(d.file))
        status = lore_rocpd_read(&d, err);
    else
        status = lore_fail(err, LORE_INVALID,
            "an SQLite file with neither the tables of Nsight Systems nor those of rocprofv3");
    if (status == LORE_OK)
        status = finish(&d, err);
    lore_buf_free(&d.extra);
    lore_launches_free(d.l);
    lore_sqlite_close(d.file);
    return status;
}
