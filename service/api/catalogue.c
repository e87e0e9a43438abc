/* Known names with usage counts: operators, chips, techniques, metrics. */
#include "service/api/api.h"

#include <string.h>

#include "db/store.h"
#include "service/api/objects.h"
#include "service/catalogue/catalogue.h"

#define ROW struct lore_operator_row
static const struct lore_object_member operators[] = {
    {"!name", AT(name)},
    {"!family", AT(family)},
    {"summary", AT(summary)},
    {"!aliases", WORDS(aliases)},
    {"!known", AT(known), NULL, "in the catalogue, not only in records"},
    {"!kernels", AT(kernels)},
    {"!experiments", AT(experiments)},
};
const struct lore_object lore_operator_object = LORE_OBJECT("Operator", operators);
#undef ROW

enum lore_status
lore_api_operators(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    struct lore_operator_row *rows = NULL;
    size_t n = 0;
    enum lore_status status = lore_db_list_operators(req->db, req->arena, &rows, &n, err);

    if (status != LORE_OK)
        return status;
    return lore_reply_rows(resp, &lore_operator_object, rows, n, NULL, err);
}

#define ROW struct lore_chip
static const struct lore_object_member chip[] = {
    {"!name", AT(name)},
    {"!title", AT(title)},
    {"!vendor", AT(vendor)},
    {"!arch", AT(arch)},
    {"!isa", AT(isa)},
    {"!unit", AT(unit), NULL, "name of its compute units"},
    {"!product", AT(product), NULL, "false: an ISA that several products share"},
};
const struct lore_object lore_chip_object = LORE_OBJECT("", chip);
#undef ROW

struct used_chip {
    struct lore_chip chip;
    int64_t runs, experiments;
};
#define ROW struct used_chip
static const struct lore_object_member used_chip[] = {
    {"", MEMBERS(chip, lore_chip_object)},
    {"!runs", AT(runs)},
    {"!experiments", AT(experiments)},
};
const struct lore_object lore_used_chip_object = LORE_OBJECT("Chip", used_chip);
#undef ROW

enum lore_status
lore_api_chips(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    bool all = lore_arg_bool(req, "all", false);
    size_t n_used = 0, n_chips, n = 0;
    const struct lore_chip *chips = lore_chips(&n_chips);
    struct used_chip *rows = lore_alloc_array(req->arena, n_chips, sizeof *rows);
    struct lore_chip_row *used = NULL;
    enum lore_status status = lore_db_list_chips(req->db, req->arena, &used, &n_used, err);

    if (status != LORE_OK)
        return status;
    for (size_t i = 0; i < n_chips; i++) {
        size_t k = 0;

        while (k < n_used && strcmp(used[k].name, chips[i].name) != 0)
            k++;
        if (k < n_used)
            rows[n++] = (struct used_chip){chips[i], used[k].runs, used[k].experiments};
        else if (all)
            rows[n++] = (struct used_chip){.chip = chips[i]};
    }
    return lore_reply_rows(resp, &lore_used_chip_object, rows, n, NULL, err);
}

static void
write_triggers(struct lore_jsonw *w, const char *key, const void *row)
{
    const struct lore_technique_row *r = row;
    const struct lore_technique *t = lore_technique_find(r->slug);

    lore_present_labels(w, key, !t ? 0 : t->triggers);
}

#define ROW struct lore_technique_row
static const struct lore_object_member techniques[] = {
    {"!slug", AT(slug)},
    {"!title", AT(title)},
    {"axis", AT(axis)},
    {"layer", AT(layer)},
    {"summary", AT(summary)},
    {"!triggers", WRITTEN(write_triggers), "[text", "bottleneck labels that call for it"},
    {"!known", AT(known), NULL, "in the catalogue, not only in records"},
    {"!experiments", AT(experiments)},
    {"!wins", AT(wins)},
    {"!losses", AT(losses)},
};
const struct lore_object lore_technique_object = LORE_OBJECT("Technique", techniques);
#undef ROW

enum lore_status
lore_api_techniques(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    struct lore_technique_row *rows = NULL;
    size_t n = 0;
    enum lore_status status = lore_db_list_techniques(req->db, req->arena, &rows, &n, err);

    if (status != LORE_OK)
        return status;
    return lore_reply_rows(resp, &lore_technique_object, rows, n, NULL, err);
}

#define ROW struct lore_metric_def
static const struct lore_object_member metrics[] = {
    {"!name", AT(name)},
    {"vendor", AT(vendor)},
    {"unit", AT(unit)},
    {"kind", AT(kind)},
    {"direction", AT(direction), "higher|lower|neutral", "better direction"},
    {"canonical", AT(canonical), NULL, "the name that several vendors' metrics share"},
    {"title", AT(title)},
};
const struct lore_object lore_metric_object = LORE_OBJECT("MetricDefinition", metrics);
#undef ROW

enum lore_status
lore_api_metric_defs(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    size_t n;
    const struct lore_metric_def *defs = lore_metrics(&n);

    (void)req;
    return lore_reply_rows(resp, &lore_metric_object, defs, n, NULL, err);
}
