/* What is known of a chip by its name, for the model of moves: identity from the catalogue, and two
 * numbers from the vendors' data sheets by which chips of one architecture are nearer or farther:
 * how many multiprocessors or compute units run a kernel, and the memory's bandwidth. Of a package
 * with two dies that run kernels apart (MI250, MI250X) the numbers are one die's. They only order
 * sources; a number that is told to people comes from the database, with its source. */
#include <string.h>

#include "service/catalogue/catalogue.h"
#include "service/moves/moves_chip_data.h"

static const struct {
    const char *name;
    double units, bandwidth_gbs;
} numbers[] = {
    {"a10", 72, 600},
    {"a100", 108, 1555},
    {"a30", 56, 933},
    {"a40", 84, 696},
    {"a4000", 48, 448},
    {"a5000", 64, 768},
    {"a6000", 84, 768},
    {"b200", 148, 8000},
    {"gb10", 48, 273},
    {"gb200", 148, 8000},
    {"gh200", 132, 4000},
    {"gtx1080ti", 28, 484},
    {"h100-nvl", 132, 3938},
    {"h100-pcie", 114, 2039},
    {"h100-sxm", 132, 3352},
    {"h20", 78, 4000},
    {"h200", 132, 4800},
    {"h800", 132, 3352},
    {"l4", 58, 300},
    {"l40", 142, 864},
    {"l40s", 142, 864},
    {"mi100", 120, 1229},
    {"mi210", 104, 1638},
    {"mi250", 104, 1638},
    {"mi250x", 110, 1638},
    {"mi300a", 228, 5300},
    {"mi300x", 304, 5300},
    {"mi308x", 80, 5300},
    {"mi325x", 304, 6000},
    {"mi350x", 256, 8000},
    {"mi355x", 256, 8000},
    {"mi50", 60, 1024},
    {"mi60", 64, 1024},
    {"orin", 16, 205},
    {"p100", 56, 732},
    {"rtx-pro-6000", 188, 1792},
    {"rtx2070super", 40, 448},
    {"rtx2080super", 48, 496},
    {"rtx2080ti", 68, 616},
    {"rtx3060", 28, 360},
    {"rtx3060-laptop", 30, 336},
    {"rtx3060ti", 38, 448},
    {"rtx3070", 46, 448},
    {"rtx3070ti", 48, 608},
    {"rtx3080", 68, 760},
    {"rtx3080ti", 80, 912},
    {"rtx3090", 82, 936},
    {"rtx3090ti", 84, 1008},
    {"rtx4060", 24, 272},
    {"rtx4060ti", 34, 288},
    {"rtx4070", 46, 504},
    {"rtx4070super", 56, 504},
    {"rtx4070ti", 60, 504},
    {"rtx4070tisuper", 66, 672},
    {"rtx4080", 76, 717},
    {"rtx4080super", 80, 736},
    {"rtx4090", 128, 1008},
    {"rtx4090-laptop", 76, 576},
    {"rtx5070", 48, 672},
    {"rtx5070ti", 70, 896},
    {"rtx5080", 84, 960},
    {"rtx5090", 170, 1792},
    {"rtx6000-ada", 142, 960},
    {"rx6900xt", 80, 512},
    {"rx7900xtx", 96, 960},
    {"rx9070xt", 64, 645},
    {"t4", 40, 320},
    {"titan_rtx", 72, 672},
    {"v100", 80, 900},
    {"w6600", 28, 224},
    {"w6800", 60, 512},
    {"w7800", 70, 576},
    {"w7900", 96, 864},
};

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
    place->units = place->bandwidth_gbs = 0;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        if (strcmp(numbers[i].name, known->name) == 0) {
            place->units = numbers[i].units;
            place->bandwidth_gbs = numbers[i].bandwidth_gbs;
        }
    }
    return true;
}
