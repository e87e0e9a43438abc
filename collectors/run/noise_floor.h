/* The noise floors of this machine: the difference between two processes of one program, by device,
 * chip and duration of the kernel. `warplore calibrate` writes them, `warplore compare` reads them.
 * One JSON file in the state folder, replaced as a whole. */
#ifndef LORE_RUN_NOISE_FLOOR_H
#define LORE_RUN_NOISE_FLOOR_H

#include <stdbool.h>
#include <stdint.h>

#include "service/base/arena.h"
#include "service/stats/compare.h"

/* The lowest noise floor: two builds of one kernel lie at different addresses, and calibrating
 * one program does not show that effect. */
#define LORE_FLOOR_LEAST 0.002

struct lore_floor {
    const char *device;   /* uuid, or "not named" where there is none */
    const char *chip;     /* catalogue name or the device's own */
    const char *duration; /* class: lore_floor_class */
    double floor;         /* fraction: the minimum effect of `compare` */
    double spread;        /* of the ratio of two processes */
    double shift;         /* A / A - 1: should be 0 */
    double drift;         /* over the session, 0 when none was noticed */
    int64_t pairs;        /* n */
    double time_ns;       /* of the kernel that it was measured with */
    const char *kernel, *program;
    int64_t measured_at_us;
};
struct lore_floors {
    struct lore_floor *v;
    size_t n, cap;
};
/* "under 10 us", "10 to 100 us", "100 us to 1 ms", "over 1 ms". */
const char *lore_floor_class(double time_ns);
/* Set floor, spread, shift, drift and pairs from C, the comparison of a program with itself. */
void lore_floor_of(const struct lore_comparison *c, struct lore_floor *out);
/* Read DIR/noise_floor.json; without the file there are no floors. LORE_CORRUPT names the file. */
enum lore_status lore_floors_read(const char *dir, struct lore_arena *arena,
    struct lore_floors *out, struct lore_err *err) LORE_MUST;
/* The file's text; errors name the field. *out may hold some floors after a failure. */
enum lore_status lore_floors_parse(const char *text, size_t n, struct lore_arena *arena,
    struct lore_floors *out, struct lore_err *err) LORE_MUST;
/* Add F, in place of one of the same device, chip and class; makes DIR (0700) when needed. A
 * damaged file is an error and is not overwritten. */
enum lore_status
lore_floors_save(const char *dir, const struct lore_floor *f, struct lore_err *err) LORE_MUST;
/* The floor for DEVICE, CHIP and TIME_NS; NULL: not calibrated. */
const struct lore_floor *lore_floors_find(
    const struct lore_floors *all, const char *device, const char *chip, double time_ns);
/* One floor as a JSON object. */
struct lore_jsonw;
void lore_floor_write(struct lore_jsonw *w, const struct lore_floor *f);

#endif
