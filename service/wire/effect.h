/* The effect of an experiment, as verdicts store it and as people type it. */
#ifndef LORE_WIRE_EFFECT_H
#define LORE_WIRE_EFFECT_H

enum lore_effect {
    LORE_X_NOT_MEASURED,
    LORE_X_WIN,
    LORE_X_NEUTRAL,
    LORE_X_LOSS,
    LORE_X_INCONCLUSIVE,
    LORE_X_COUNT
};
const char *lore_effect_name(enum lore_effect e);
enum lore_effect lore_effect_find(const char *name); /* LORE_X_COUNT: unknown */
/* The effect that a person's word means: success, positive, improved, win -> win; failure,
 * regression, regressed, negative, loss -> loss; neutral -> neutral. LORE_X_COUNT: any other word
 * ("rejected"). */
enum lore_effect lore_effect_typed(const char *typed);

#endif
