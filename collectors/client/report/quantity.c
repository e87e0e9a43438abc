/* The lookup uses the metric catalogue, so that a tool's label, a vendor's name and the canonical
 * name find the same number. */
#include "collectors/client/report/quantity.h"

#include <string.h>

#include "collectors/client/ask/fetch.h"
#include "collectors/client/report/sheet.h"
#include "service/base/text.h"
#include "service/catalogue/catalogue.h"

static bool
means(const char *name, const char *canonical)
{
    const struct lore_metric_def *def = lore_metric_find(name);

    return lore_streq(name, canonical) ||
           (def && (lore_streq(def->canonical, canonical) || lore_streq(def->name, canonical)));
}

static bool
number_of(const struct lore_json *m, struct lore_arena *arena, double *value, const char **why)
{
    const struct lore_metric_def *def = lore_metric_find(m->key);
    const char *missing = lore_fetch_text(m, "missing"), *unit = lore_fetch_text(m, "unit");

    if (m->type == LORE_J_NUMBER) {
        *value = m->f;
        return true;
    }
    if (missing) {
        *why = lore_sheet_say_words(arena, missing);
        return false;
    }
    if (unit && def && def->unit && !lore_streq(unit, def->unit)) {
        *why = lore_format(arena, "recorded in %s", unit);
        return false;
    }
    return lore_fetch_number(m, "value", value);
}

bool
lore_quantity(const struct lore_json *metrics, const char *canonical, struct lore_arena *arena,
    double *value, const char **why)
{
    for (const struct lore_json *m = metrics ? metrics->child : NULL; m; m = m->next)
        if (means(m->key, canonical) && number_of(m, arena, value, why))
            return true;
    return false;
}

const char *
lore_report_effect(const struct lore_json *outcome)
{
    const char *effect = lore_fetch_text(outcome, "effect"),
               *check = lore_fetch_text(outcome, "correctness");
    bool wrong = lore_streq(check, "fail") || lore_streq(check, "timeout");

    return wrong && lore_streq(effect, "win") ? "wrong_result" : effect;
}

static bool
has_flag(const struct lore_json *outcome, const char *flag)
{
    const struct lore_json *flags = lore_json_get(outcome, "flags");

    for (const struct lore_json *f = flags ? flags->child : NULL; f; f = f->next)
        if (lore_streq(f->str, flag))
            return true;
    return false;
}

const char *
lore_report_say_effect(struct lore_arena *arena, const struct lore_json *outcome)
{
    const char *effect = lore_report_effect(outcome);

    if (lore_streq(effect, "neutral"))
        return has_flag(outcome, "recovery") ? "no gain: recovered" : "no gain";
    return effect ? lore_sheet_say_words(arena, effect) : NULL;
}

const char *
lore_report_say_failure(struct lore_arena *arena, const char *type)
{
    static const struct {
        const char *type, *word, *text;
    } failures[] = {{"compilation", "compile", "did not compile"},
        {"runtime", "runtime", "failed when it ran"}, {"accuracy", "wrong", "wrong result"},
        {"timeout", "timeout", "took too long"}};

    for (size_t i = 0; i < sizeof failures / sizeof *failures; i++)
        if (lore_streq(type, failures[i].type) || lore_streq(type, failures[i].word))
            return failures[i].text;
    return type ? lore_sheet_say_words(arena, type) : NULL;
}

const char *
lore_report_say_outcome(struct lore_arena *arena, const struct lore_json *outcome, const char *gain)
{
    const char *text = lore_report_say_effect(arena, outcome),
               *check = lore_fetch_text(outcome, "correctness"),
               *type = lore_fetch_text(outcome, "error_type");
    bool measured = !lore_streq(text, "not measured");
    const char *failure = lore_report_say_failure(arena, type);

    if (text && failure && !measured)
        return failure;
    if (lore_streq(check, "fail")) /* without a time, a check says "fail" of every failure */
        failure = measured ? "wrong result" : "incorrect";
    else if (lore_streq(check, "timeout"))
        failure = lore_report_say_failure(arena, check);
    if (!text)
        return NULL;
    if (lore_streq(text, failure) || lore_streq(text, "wrong result"))
        failure = NULL;
    return lore_format(arena, "%s%s%s%s%s", text, gain ? " " : "", gain ? gain : "",
        failure ? ", " : "", failure ? failure : "");
}

bool
lore_quantity_side(const struct lore_json *experiment, const char *side, const char *canonical,
    struct lore_arena *arena, double *value)
{
    const char *why = NULL, *stated = lore_format(arena, "metrics_%s", side);

    if (lore_quantity(lore_fetch_object(lore_fetch_object(experiment, "record"), stated), canonical,
            arena, value, &why))
        return true;
    for (const struct lore_json *r = lore_fetch_first(experiment, side); r; r = r->next)
        if (lore_quantity(lore_fetch_object(lore_fetch_object(r, "record"), "metrics"), canonical,
                arena, value, &why))
            return true;
    return false;
}
