/* An estimate and its 90 % interval. */
#ifndef LORE_STATS_INTERVAL_H
#define LORE_STATS_INTERVAL_H

struct lore_interval {
    double value, low, high;
};

#endif
