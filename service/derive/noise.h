/* The precision of a median, for rules with a noise threshold. Pure functions. */
#ifndef LORE_DERIVE_NOISE_H
#define LORE_DERIVE_NOISE_H

#include "service/derive/outcome.h"

enum { LORE_NOISE_SAMPLES = 5 };   /* fewer samples do not allow an estimate of the noise */
#define LORE_NOISE_DEFAULT_PCT 2.0 /* smaller differences count as noise by default */

/* Median of the samples, else the summary's; unset when there is neither or it is not positive. */
struct lore_f64 lore_noise_median(const struct lore_side *side, struct lore_arena *arena);
/* Half the width of the 95 % interval of the median, in percent of the median. Unset with fewer
 * than LORE_NOISE_SAMPLES samples. */
struct lore_f64 lore_noise_pct(const struct lore_side *side, struct lore_arena *arena);
/* The noise of a comparison of A and B: the root of the sum of squares. Unset unless both sides
 * have a noise. */
struct lore_f64
lore_noise_pair_pct(const struct lore_side *a, const struct lore_side *b, struct lore_arena *arena);

#endif
