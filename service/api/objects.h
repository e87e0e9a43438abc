/* Objects of the interface that have a table (object.h), by the file that defines them. A new one
 * is a line here and one in objects.c. */
#ifndef LORE_API_OBJECTS_H
#define LORE_API_OBJECTS_H

#include "service/api/object.h"
#include "service/api/present.h"

/* catalogue.c, rules.c */
extern const struct lore_object lore_operator_object, lore_chip_object, lore_used_chip_object,
    lore_technique_object, lore_metric_object, lore_rule_object;

#endif
