/* Whether a technique can be used at a place. Each technique may have needs: work of a kind (its
 * operator), a chip, a language, and facts of the place, such as a shape, a launch, or counters of
 * the version that is asked about. A need is tested, so that an answer only says what is not known.
 * All text is static. */
#ifndef LORE_CATALOGUE_TECHNIQUE_APPLIES_H
#define LORE_CATALOGUE_TECHNIQUE_APPLIES_H

#include "service/base/arena.h"
#include "service/catalogue/technique_info.h"

/* Numbers about a place. The first ones come from its shape and chip, those from
 * LORE_FACT_WAVES on from a run of the version that is asked about (service/derive/place_facts.h).
 */
enum lore_place_fact {
    LORE_FACT_SHAPE,         /* 1: the shape is known */
    LORE_FACT_ELEMENT_BITS,  /* of the inputs */
    LORE_FACT_WHOLE_VECTORS, /* 1: each extent is a multiple of 16 bytes; 0: none is */
    LORE_FACT_ROW,           /* elements of a row that is normalised or searched */
    LORE_FACT_DEPTH,         /* K of a product */
    LORE_FACT_FEW_TILES, /* 1: output tiles of 64x64 leave units idle; 0: tiles of 256x256 do not */
    LORE_FACT_TAIL,      /* 1: the last wave of tiles is short at every usual size; 0: at none */
    LORE_FACT_INPUTS_PER_L2, /* bytes of the inputs over those of L2 */
    LORE_FACT_WAVES,         /* blocks over those that fit on the chip at once */
    LORE_FACT_SHARED_BYTES,  /* shared memory of a block */
    LORE_FACT_SHARED_SHARE,  /* the same over that of a unit of the chip */
    LORE_FACT_REGISTERS,     /* of a thread */
    LORE_FACT_SPILLED,       /* bytes of local memory per thread, or sectors; 0: none */
    LORE_FACT_CONFLICTS,     /* bank conflicts per 1,000 instructions */
    LORE_FACT_OCCUPANCY,     /* percent, achieved */
    LORE_FACT_MATRIX_UNITS,  /* percent of the time that they are busy */
    LORE_FACT_ACTIVE_LANES,  /* percent of the lanes of a wave, per instruction */
    LORE_FACT_BARRIER_WAITS, /* warps that wait at a barrier per issued instruction */
    LORE_FACT_GLOBAL_LOADS,  /* requests of threads */
    LORE_FACT_DURATION_US,
    LORE_FACT_L2,   /* percent of its peak */
    LORE_FACT_DRAM, /* the same */
    LORE_FACT_COUNT
};
struct lore_place_facts {
    bool known[LORE_FACT_COUNT];
    double v[LORE_FACT_COUNT];
};
struct lore_technique_place {  /* NULL: not known */
    const char *op, *language; /* canonical names */
    const struct lore_chip *chip;
    const struct lore_place_facts *facts;
    const char *const *has; /* techniques of the version that is asked about */
    size_t n_has;
};

/* Work of one kind: the operators that do it, by family or name, and the techniques that need it.
 * Lists are comma-separated; NULL: none. */
struct lore_technique_need {
    const char *what; /* "a matrix product" */
    const char *families, *operators, *not_operators, *techniques;
};
const struct lore_technique_need *lore_technique_needs(size_t *n);
/* A number that decides: at NO or beyond it the place lacks WHAT, at YES or beyond it has it, and
 * between the two nothing is known. SHOWN_BY: techniques whose presence shows it, too. */
struct lore_technique_test {
    const char *what;
    enum lore_place_fact fact;
    double no, yes;
    const char *shown_by, *techniques;
};
const struct lore_technique_test *lore_technique_tests(size_t *n);

/* What technique NAME needs and the place lacks, in words ("a matrix product"), or that another
 * technique there includes it; NULL: nothing that is known. */
const char *lore_technique_lacks(const char *name, const struct lore_technique_place *at);
/* What technique NAME needs and nothing tells, in words, in ARENA; NULL: nothing. */
const char *lore_technique_asks(
    const char *name, const struct lore_technique_place *at, struct lore_arena *arena);
/* Whether a cost that technique NAME cures was measured, such as bank conflicts or idle units. */
bool lore_technique_is_called_for(const char *name, const struct lore_technique_place *at);
/* How technique NAME changes the result: "rounds products to TF32"; NULL: it does not. */
const char *lore_technique_changes(const char *name, const struct lore_technique_place *at);

#endif
