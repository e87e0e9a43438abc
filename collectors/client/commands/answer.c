/* Reads members of the service's answers leniently, and formats numbers. An absent member was
 * not recorded: it shows as nothing, never as zero. */
#include <math.h>
#include <string.h>

#include "collectors/client/report/quantity.h"
#include "collectors/client/screen/print.h"
#include "service/base/duration.h"
#include "service/base/text.h"

const char *
lore_answer_text(const struct lore_json *object, const char *key)
{
    const struct lore_json *m = lore_json_get(object, key);
    return m && (m->type == LORE_J_STRING || m->type == LORE_J_NUMBER) ? m->str : NULL;
}

const char *
lore_answer_label(const struct lore_json *version)
{
    const char *label = lore_answer_text(version, "label");
    return label ? label : lore_answer_text(version, "id");
}

bool
lore_answer_number(const struct lore_json *object, const char *key, double *out)
{
    const struct lore_json *m = lore_json_get(object, key);

    if (!m || m->type != LORE_J_NUMBER)
        return false;
    *out = m->is_int ? (double)m->i : m->f;
    return true;
}

long long
lore_answer_int(const struct lore_json *object, const char *key)
{
    double v = 0;
    return lore_answer_number(object, key, &v) ? (long long)v : 0;
}

bool
lore_answer_true(const struct lore_json *object, const char *key)
{
    const struct lore_json *m = lore_json_get(object, key);
    return m && m->type == LORE_J_BOOL && m->i;
}

const char *
lore_answer_join(struct lore_cli *cli, const struct lore_json *list, const char *between)
{
    struct lore_buf b = {.max = 64u << 10};

    for (const struct lore_json *m = list ? list->child : NULL; m; m = m->next) {
        const char *text = m->type == LORE_J_OBJECT ? lore_answer_text(m, "name") : m->str;
        if (!text)
            continue;
        if (b.len > 0)
            lore_buf_puts(&b, between);
        lore_buf_puts(&b, text);
    }
    const char *out = lore_strdup(cli->arena, b.data ? b.data : "");
    lore_buf_free(&b);
    return out;
}

const char *
lore_answer_show_ns(struct lore_cli *cli, double ns)
{
    return lore_duration_text(cli->arena, ns);
}

const char *
lore_answer_show_factor(struct lore_cli *cli, double factor)
{
    return lore_factor_text(cli->arena, factor);
}

const char *
lore_answer_show_stats(struct lore_cli *cli, const struct lore_json *stats)
{
    static const struct {
        const char *key, *name;
    } kinds[] = {{"median_ns", "median"}, {"mean_ns", "mean"}, {"min_ns", "min"}};
    long long n = lore_answer_int(stats, "n");
    double ns;

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (!lore_answer_number(stats, kinds[i].key, &ns))
            continue;
        if (i == 0 && n > 0)
            return lore_format(cli->arena, "%s, n=%lld", lore_answer_show_ns(cli, ns), n);
        return lore_format(cli->arena, "%s (%s)", lore_answer_show_ns(cli, ns), kinds[i].name);
    }
    return "no time";
}

const char *
lore_answer_show_word(struct lore_cli *cli, const char *word)
{
    char *out = word ? lore_strndup(cli->arena, word, strlen(word)) : NULL;

    for (char *p = out; p && *p; p++)
        *p = *p == '_' ? ' ' : *p;
    return out;
}

const char *
lore_answer_show_count(struct lore_cli *cli, long long n, const char *one, const char *many)
{
    return lore_format(cli->arena, "%lld %s", n, n == 1 ? one : many);
}

const char *
lore_answer_show_day(struct lore_cli *cli, const char *time)
{
    return time && strlen(time) >= 10 ? lore_strndup(cli->arena, time, 10) : time;
}

const char *
lore_answer_show_line(struct lore_cli *cli, const struct lore_json *line)
{
    const char *text = "";

    for (const struct lore_json *t = line ? line->child : NULL; t; t = t->next) {
        const char *in = lore_answer_text(t, "label"), *out = lore_answer_text(t, "out_label");
        if (!in)
            in = lore_answer_text(t, "version");
        if (!out)
            out = lore_answer_text(t, "out_version");
        text = lore_format(cli->arena, "%s%s%s (%s%s%s)", text, *text ? ", " : "",
            lore_answer_text(t, "name"), in ? in : "?", out ? ", out in " : "", out ? out : "");
    }
    return text;
}

const char *
lore_answer_show_outcome(struct lore_cli *cli, const struct lore_json *outcome)
{
    const char *gain = NULL, *text;
    double speedup = 0;

    if (outcome && outcome->type == LORE_J_STRING)
        return lore_report_say_failure(cli->arena, outcome->str);
    if ((!lore_streq(lore_answer_text(outcome, "effect"), "neutral") &&
            lore_answer_number(outcome, "gain", &speedup)) ||
        lore_answer_number(outcome, "speedup", &speedup))
        gain = lore_answer_show_factor(cli, speedup);
    text = lore_report_say_outcome(cli->arena, outcome, gain);
    if (text && lore_streq(lore_answer_text(outcome, "process"), "broken"))
        text = lore_format(cli->arena, "%s, rule broken", text);
    return text;
}

#define MOST_DIGITS 8 /* the mean of samples has more digits than the measurement */

const char *
lore_answer_show_members(struct lore_cli *cli, const struct lore_json *object)
{
    const char *out = "";

    for (const struct lore_json *m = object ? object->child : NULL; m; m = m->next) {
        const char *value = m->type == LORE_J_BOOL ? (m->i ? "yes" : "no") : m->str;
        if (m->type == LORE_J_NUMBER && strlen(m->str) > MOST_DIGITS && strchr(m->str, '.'))
            value = lore_format(cli->arena, "%.7g", m->f);
        if (m->type == LORE_J_OBJECT || m->type == LORE_J_ARRAY || m->type == LORE_J_NULL)
            continue;
        out = lore_format(cli->arena, "%s%s%s=%s", out, *out ? "  " : "", m->key, value);
    }
    return out;
}
