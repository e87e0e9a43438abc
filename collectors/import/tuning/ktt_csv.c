/* Reads the CSV of older versions of KTT: kernel, duration with its unit in the name of the column,
 * sizes, then a column for each parameter, for each counter, and for what the compiler says. */
#include <string.h>

#include "collectors/import/importers.h"
#include "collectors/import/rows.h"
#include "collectors/import/tuning/names.h"
#include "collectors/import/tuning/search.h"
#include "service/base/text.h"
#include "service/wire/build.h"

#define KERNEL "Kernel name"
#define DURATION "omputation duration ("

bool
lore_ktt_csv_detect(const struct lore_import_tree *t, const char *unit)
{
    const struct lore_import_file *f = lore_tree_file(t, "", unit);

    for (const char *line = f && f->utf8 ? f->head : ""; *line != '\0';) {
        size_t len = strcspn(line, "\n");
        if (lore_starts(line, KERNEL ",") && memmem(line, len, DURATION, strlen(DURATION)))
            return true;
        line += len + (line[len] == '\n');
    }
    return false;
}

/* Whether a column is a value that the tool or the compiler gives, and no parameter. */
static bool
is_value(const char *name)
{
    return lore_choice("Global size|Local size|Maximum work-group size|Local memory "
                       "size|Private memory size|Constant memory size|Registers count|Status",
        name);
}

/* Names of counters have a unit of the chip and a rollup: "dram__sectors_read.sum". */
static bool
is_counter(const char *name)
{
    return strstr(name, "__") != NULL || strchr(name, '.') != NULL;
}

/* Milliseconds of "Computation duration (us)"; 0: it is another column. */
static double
unit_of(struct lore_search *s, const char *name)
{
    const char *open = strstr(name, DURATION);

    if (!open)
        return 0;
    open += strlen(DURATION);
    return lore_search_unit_ms(lore_strndup(&s->scratch, open, strcspn(open, ")")));
}

static enum lore_status
read_row(struct lore_search *s, struct lore_search_place *place, const struct lore_json *row,
    struct lore_err *err)
{
    struct lore_search_config c = {.measured_at = NULL};
    const char *kernel = lore_search_text(row, KERNEL), *text;

    if (kernel && !lore_streq(kernel, place->symbol)) {
        place->symbol = lore_strdup(s->in->arena, kernel);
        place->kernel = lore_tuning_kernel(s->in, place->symbol, &place->op);
    }
    if (!place->kernel)
        return lore_fail(err, LORE_INVALID, KERNEL ": missing");
    for (const struct lore_json *m = row->child; m; m = m->next) {
        double unit = unit_of(s, m->key);
        if (unit > 0 && m->type == LORE_J_NUMBER)
            lore_search_timed(s, &c, m->f * unit, m->str);
        else if (unit > 0 && m->type == LORE_J_STRING)
            lore_search_fail(s, &c, m->str);
        else if (is_value(m->key) || is_counter(m->key))
            lore_search_node(s, &c, m->key, NULL, m);
        else if (strcmp(m->key, KERNEL) != 0 && lore_search_scalar(s, m, &text))
            lore_search_param(s, &c, m->key, text);
        if (c.n_values > 0)
            c.values[c.n_values - 1].counter = is_counter(c.values[c.n_values - 1].name);
    }
    c.place = lore_search_place(s, place);
    return lore_search_add(s, &c, err);
}

enum lore_status
lore_ktt_csv_read(struct lore_import *in, struct lore_err *err)
{
    struct lore_search *s = lore_alloc(lore_import_kept(in), sizeof *s);
    struct lore_search_place place = {.language = LORE_LANG_OTHER};
    LORE_ROWS rows = {.in = NULL};

    if (lore_rows_csv(in, 0, KERNEL, &rows, err) != LORE_OK)
        return LORE_INVALID;
    lore_search_begin(s, in, "ktt");
    place.chip = lore_tuning_chip(in, NULL, NULL);
    while (lore_rows_next(&rows)) {
        struct lore_err inner = {0};
        in->records++;
        if (read_row(s, &place, rows.row, &inner) != LORE_OK)
            lore_search_refuse_line(s, rows.line, &inner);
    }
    lore_search_end(s);
    return LORE_OK;
}
