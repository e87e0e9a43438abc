/* What the tests of importers of tuning files share: the columns of a sweep by name. */
#ifndef LORE_TESTS_UNIT_IMPORT_SWEEP_H
#define LORE_TESTS_UNIT_IMPORT_SWEEP_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "service/base/text.h"
#include "service/wire/sweep.h"

static inline const struct lore_sweep_data *
sweep_data(const struct lore_submission *doc, size_t i)
{
    assert_true(i < doc->n_sweeps);
    return doc->sweeps[i].configurations.data;
}

/* The value of column NAME in configuration I; NULL: none. */
static inline const char *
sweep_value(const struct lore_sweep_data *d, const char *name, size_t i)
{
    for (size_t p = 0; p < d->n_parameters; p++)
        if (lore_streq(d->parameters[p].name, name))
            return lore_series_value(&d->parameters[p].s, i);
    for (size_t p = 0; p < d->n_metrics; p++)
        if (lore_streq(d->metrics[p].name, name))
            return lore_series_value(&d->metrics[p].s, i);
    fail_msg("no column %s", name);
    return NULL;
}

static inline const struct lore_sweep_why *
sweep_why(const struct lore_sweep_data *d, size_t i)
{
    assert_true(d->why[i] > 0);
    return &d->whys[d->why[i] - 1];
}

#endif
