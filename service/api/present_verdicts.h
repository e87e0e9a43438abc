/* How well stated probabilities came true, as JSON. */
#ifndef LORE_API_PRESENT_VERDICTS_H
#define LORE_API_PRESENT_VERDICTS_H

#include "service/base/jsonw.h"
#include "service/derive/calibration.h"
#include "service/verdicts/verdicts.h"

/* judgements.c: one object; `author` null for none. */
void lore_present_calibration(struct lore_jsonw *w, const struct lore_calibration *c);

#endif
