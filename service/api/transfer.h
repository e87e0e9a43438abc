/* Compares the ridges of the evidence's chips with the ridge of the requested chip, when both have
 * the numbers in force. */
#ifndef LORE_API_TRANSFER_H
#define LORE_API_TRANSFER_H

#include "service/api/hardware.h"
#include "service/catalogue/catalogue.h"

enum { LORE_TRANSFERS = 8 }; /* chips compared; later ones are not looked at */
struct lore_transfers {
    struct lore_arena *arena;
    const struct lore_chip *asked; /* NULL: nothing is compared */
    const char *dtype;             /* data type of the ridges */
    double ridge;                  /* of the chip asked about, FLOP/byte; 0: not known */
    const struct lore_chip *chips[LORE_TRANSFERS];
    double ridges[LORE_TRANSFERS]; /* 0: not known */
    size_t n;
};
/* DTYPE NULL: bf16. */
enum lore_status
lore_transfers_begin(struct lore_db *db, const struct lore_chip *asked, const char *dtype,
    struct lore_arena *arena, struct lore_transfers *out, struct lore_err *err) LORE_MUST;
/* The chip of one piece of evidence; NULL, the requested chip and chips added before change
 * nothing. */
enum lore_status lore_transfers_add(
    struct lore_db *db, const char *chip, struct lore_transfers *t, struct lore_err *err) LORE_MUST;
/* One row per chip whose ridge is known. */
struct lore_transfer {
    const char *chip, *dtype, *note;
    enum lore_travel travel;
    double ridge, ridge_here, ratio;
};
struct lore_transfer *lore_transfers_rows(const struct lore_transfers *t, size_t *n);

#endif
