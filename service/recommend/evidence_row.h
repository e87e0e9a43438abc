/* A row of evidence: one technique in one experiment. */
#ifndef LORE_RECOMMEND_EVIDENCE_ROW_H
#define LORE_RECOMMEND_EVIDENCE_ROW_H

#include <stdint.h>

#define LORE_NO_NAME UINT32_MAX

/* One fact as the index keeps it, copied out for the reader. */
struct lore_evidence_row {
    char experiment[27];
    uint8_t effect, correctness, evidence, language;
    uint8_t process_broken, masked, labels_derived;
    uint16_t chip; /* index into lore_chips(), UINT16_MAX: not recorded */
    uint32_t op, family, technique, workload; /* interned; LORE_NO_NAME: not recorded */
    uint32_t labels;
    float log_speedup; /* ln; NAN: not measured */
    uint8_t siblings;  /* rows of this experiment, at most 255: they share its credit */
    uint8_t first;     /* the first row of its experiment: what counts experiments counts these */
    uint8_t said_lost, share, step;
    uint8_t year; /* as lore_evidence_year has it */
    int64_t seq;  /* at most 2^32 - 1 */
};

#endif
