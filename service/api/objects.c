/* The list of all objects that have a table (object.h). */
#include "service/api/objects.h"

const struct lore_object *const lore_objects[] = {
    &lore_operator_object,
    &lore_used_chip_object,
    &lore_technique_object,
    &lore_metric_object,
    &lore_rule_object,
    NULL,
};
