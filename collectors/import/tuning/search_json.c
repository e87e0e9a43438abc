/* JSON values as values of a configuration (search.h). */
#include <string.h>

#include "collectors/import/tuning/search.h"
#include "service/base/clock.h"
#include "service/base/text.h"
#include "service/wire/build.h"

bool
lore_search_scalar(struct lore_search *s, const struct lore_json *node, const char **out)
{
    char digits[32];

    switch (node ? node->type : LORE_J_NULL) {
    case LORE_J_NUMBER: /* same text for 16 and 16.0 */
        (void)lore_f64_text(node->f, digits);
        *out = lore_strdup(&s->scratch, digits);
        return true;
    case LORE_J_BOOL:
        *out = node->i ? "true" : "false";
        return true;
    case LORE_J_STRING:
        *out = lore_build_json_text(&s->scratch, node->str);
        return true;
    default:
        return false;
    }
}

void
lore_search_node(struct lore_search *s, struct lore_search_config *c, const char *name,
    const char *unit, const struct lore_json *node)
{
    if (!node || node->type == LORE_J_NULL)
        return;
    const char *text = node->type == LORE_J_NUMBER
                           ? node->str
                           : lore_build_verbatim(&s->scratch, node, NULL, NULL);
    if (node->type == LORE_J_ARRAY || node->type == LORE_J_OBJECT)
        text = lore_build_json_text(&s->scratch, text);
    (void)lore_search_value(s, c, name, unit, text);
}

const char *
lore_search_text(const struct lore_json *node, const char *key)
{
    const struct lore_json *m = lore_json_get(node, key);

    return m && m->type == LORE_J_STRING && m->len > 0 ? m->str : NULL;
}

void
lore_search_time(struct lore_search *s, struct lore_search_config *c, const char *text)
{
    size_t len = text ? strlen(text) : 0;
    int64_t us;

    if (len < 20)
        return;
    char *at = len > 4 && strcmp(text + len - 4, " UTC") == 0
                   ? lore_format(&s->scratch, "%.*sZ", (int)(len - 4), text)
                   : lore_strdup(&s->scratch, text);
    if (at[10] == ' ')
        at[10] = 'T';
    if (lore_time_parse(at, &us, NULL) != LORE_OK || us < 0)
        return;
    c->measured_at = at;
    c->ms = us / 1000;
}

double
lore_search_unit_ms(const char *unit)
{
    static const struct {
        const char *name;
        double ms;
    } units[] = {{"miliseconds", 1}, {"milliseconds", 1}, {"ms", 1}, {"microseconds", 1e-3},
        {"us", 1e-3}, {"nanoseconds", 1e-6}, {"ns", 1e-6}, {"seconds", 1e3}, {"s", 1e3}};

    for (size_t i = 0; unit && i < sizeof units / sizeof *units; i++) {
        if (lore_streqi(unit, units[i].name))
            return units[i].ms;
    }
    return 0;
}
