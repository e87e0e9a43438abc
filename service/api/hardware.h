/* Hardware numbers as inputs of formulas: only numbers in force for exactly this chip, in SI units.
 * A number without a source stays unknown, but keeps its name. */
#ifndef LORE_API_HARDWARE_H
#define LORE_API_HARDWARE_H

#include "service/api/ceiling.h"
#include "service/api/specs.h"
#include "service/catalogue/catalogue.h"
#include "service/derive/budget.h"
#include "service/derive/ontology.h"
#include "service/derive/roofline.h"

struct lore_hardware {
    const struct lore_chip *chip; /* NULL: unknown chip, so every number is unknown */
    struct lore_specs specs;
    struct lore_arena *arena;
};
enum lore_status lore_hardware_load(struct lore_db *db, const struct lore_chip *chip,
    struct lore_arena *arena, struct lore_hardware *out, struct lore_err *err) LORE_MUST;
#define LORE_NOT_GIVEN "not_given" /* reason for an input that the caller did not give */

/* The number in force; MEASURED: the newest measured ceiling instead. An unknown one says why:
 * disputed (sources differ, nobody chose), no_source or another missing reason, not_measured,
 * wrong_unit. */
struct lore_input
lore_hardware_input(const struct lore_hardware *h, const char *metric, bool measured);
/* A problem whose measured ceiling is looked up. */
struct lore_hardware_problem {
    const char *metric, *environment; /* NULL: not known where it runs */
    struct lore_f64 bytes;            /* that it moves */
};
struct lore_hardware_found {
    struct lore_input input;
    struct lore_ceiling ceiling; /* the ceiling behind the input; spec NULL: none */
};
/* The measured ceiling for P, as ceiling.h chooses. */
enum lore_status lore_hardware_ceiling(struct lore_db *db, const struct lore_hardware *h,
    const struct lore_hardware_problem *p, struct lore_hardware_found *out,
    struct lore_err *err) LORE_MUST;
/* Device facts for rule sets and canonical quantities. Numbers not in force are not set. */
struct lore_device_facts lore_hardware_facts(const struct lore_hardware *h);
/* An input as it is shown: an unknown one has no value and says why. */
struct lore_input_row {
    const char *name, *unit, *spec, *cite, *why;
    struct lore_f64 value;
};
struct lore_input_row lore_hardware_row(const struct lore_hardware *h, const struct lore_input *in);

#endif
