/* What the name of a chip family means in a question about one place. "h800" is a chip of its own
 * in the catalogue (form factor not recorded), and results may be recorded for its variants. */
#ifndef LORE_API_CHIP_MEANT_H
#define LORE_API_CHIP_MEANT_H

#include "service/catalogue/catalogue.h"
#include "service/http/http.h"

/* The chip that CHIP means for operator OP (either may be NULL): CHIP itself when the board has
 * results of OP on it or on none of its variants, else the variant with the most places. When
 * variants have results, *NOTE is a sentence that names them, in the request's arena; else NULL. */
const struct lore_chip *lore_chip_meant(
    struct lore_req *req, const char *op, const struct lore_chip *chip, const char **note);

#endif
