/* The numbers of the model by name, for the code that uses them; lore_recommend_model shows the
 * same table to people. Private to recommend/. */
#ifndef LORE_MODEL_H
#define LORE_MODEL_H

enum lore_model_index {
    LORE_M_TRAVEL_CHIP, /* six numbers in the order of enum lore_travel */
    LORE_M_TRAVEL_ISA,
    LORE_M_TRAVEL_ARCH,
    LORE_M_TRAVEL_VENDOR,
    LORE_M_TRAVEL_OTHER,
    LORE_M_TRAVEL_UNKNOWN,
    LORE_M_LANGUAGE_VENDOR,
    LORE_M_LANGUAGE_OTHER,
    LORE_M_LABELS_UNKNOWN,
    LORE_M_LABELS_DISJOINT,
    LORE_M_SHAPE_WIDTH,
    LORE_M_EVIDENCE_IMPORTED,
    LORE_M_EVIDENCE_CLAIMED,
    LORE_M_PROCESS_BROKEN,
    LORE_M_SAID_LOST,
    LORE_M_CLOSE_OPERATOR,
    LORE_M_CLOSE_FAMILY,
    LORE_M_CLOSE_OTHER,
    LORE_M_PRIOR_WINS,
    LORE_M_PRIOR_NON_WINS,
    LORE_M_KAPPA,
    LORE_M_GAIN_SD,
    LORE_M_GAIN_NU,
    LORE_M_GAIN_CLAMP,
    LORE_M_AVOID_SHARE,
    LORE_M_MATCHED,
    LORE_M_ORDER_STEP,
    LORE_M_COUNT
};
double lore_model(enum lore_model_index i);

#endif
