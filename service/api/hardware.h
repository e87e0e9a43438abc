/* Hardware numbers as formulas take them: only what is in force for exactly this chip, in SI units.
 * What no source says stays unknown and keeps its name. */
#ifndef LORE_API_HARDWARE_H
#define LORE_API_HARDWARE_H

#include "service/api/ceiling.h"
#include "service/api/specs.h"
#include "service/catalogue/catalogue.h"
#include "service/derive/budget.h"
#include "service/derive/ontology.h"
#include "service/derive/roofline.h"

struct lore_hardware {
    const struct lore_chip *chip; /* NULL: not known, and then nothing is */
    struct lore_specs specs;
    struct lore_arena *arena;
};
enum lore_status lore_hardware_load(struct lore_db *db, const struct lore_chip *chip,
    struct lore_arena *arena, struct lore_hardware *out, struct lore_err *err) LORE_MUST;
#define LORE_NOT_GIVEN "not_given" /* why an input of the caller's is not known */

/* The number in force; MEASURED: the newest measured ceiling instead. An unknown one says why:
 * disputed (sources differ, nobody chose), no_source or another missing reason, not_measured,
 * wrong_unit. */
struct lore_input
lore_hardware_input(const struct lore_hardware *h, const char *metric, bool measured);
/* A problem that is held against a measured ceiling. */
struct lore_hardware_problem {
    const char *metric, *environment; /* NULL: not known where it runs */
    struct lore_f64 bytes;            /* that it moves */
};
struct lore_hardware_found {
    struct lore_input input;
    struct lore_ceiling ceiling; /* what the input is; spec NULL: there is none */
};
/* The measured ceiling for P, as ceiling.h chooses. */
enum lore_status lore_hardware_ceiling(struct lore_db *db, const struct lore_hardware *h,
    const struct lore_hardware_problem *p, struct lore_hardware_found *out,
    struct lore_err *err) LORE_MUST;
/* The metric that names the peak rate of DTYPE ("bf16", "FP8"): "peak_tflops.bf16.matrix.dense".
 * NULL for a type that is not known. */
const char *
lore_hardware_peak(struct lore_arena *arena, const char *dtype, bool matrix, bool sparse);
/* What rule sets and canonical quantities need; what is not in force is not set. */
struct lore_device_facts lore_hardware_facts(const struct lore_hardware *h);
/* An input as it is shown: an unknown one has no value and says why. */
struct lore_input_row {
    const char *name, *unit, *spec, *cite, *why;
    struct lore_f64 value;
};
struct lore_input_row lore_hardware_row(const struct lore_hardware *h, const struct lore_input *in);

#endif
