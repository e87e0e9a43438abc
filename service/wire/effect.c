/* Names of effects (effect.h). */
#include "service/wire/effect.h"

#include "service/base/text.h"

static const char *const effect_names[LORE_X_COUNT] = {
    [LORE_X_NOT_MEASURED] = "not_measured",
    [LORE_X_WIN] = "win",
    [LORE_X_NEUTRAL] = "neutral",
    [LORE_X_LOSS] = "loss",
    [LORE_X_INCONCLUSIVE] = "inconclusive",
};

const char *
lore_effect_name(enum lore_effect e)
{
    return e < LORE_X_COUNT ? effect_names[e] : "unknown";
}

enum lore_effect
lore_effect_find(const char *name)
{
    enum lore_effect e = LORE_X_NOT_MEASURED;

    while (e < LORE_X_COUNT && !lore_streq(name, effect_names[e]))
        e++;
    return e;
}

enum lore_effect
lore_effect_typed(const char *typed)
{
    static const struct {
        const char *word;
        enum lore_effect effect;
    } words[] = {
        {"success", LORE_X_WIN},
        {"positive", LORE_X_WIN},
        {"improved", LORE_X_WIN},
        {"win", LORE_X_WIN},
        {"failure", LORE_X_LOSS},
        {"regression", LORE_X_LOSS},
        {"regressed", LORE_X_LOSS},
        {"negative", LORE_X_LOSS},
        {"loss", LORE_X_LOSS},
        {"neutral", LORE_X_NEUTRAL},
    };

    for (size_t i = 0; typed != NULL && i < sizeof words / sizeof *words; i++) {
        if (lore_streqi(typed, words[i].word))
            return words[i].effect;
    }
    return LORE_X_COUNT;
}
