/* Who makes a chip, and what runs on it: from the catalogue. */
#include "service/moves/moves_chip_data.h"

#include "service/catalogue/catalogue.h"

bool
lore_moves_chip_known(const char *name, struct lore_moves_chip *place)
{
    const struct lore_chip *known = lore_chip_find(name);

    if (!known)
        return false;
    place->name = known->name;
    place->vendor = known->vendor;
    place->arch = known->arch;
    place->isa = known->isa;
    return true;
}
