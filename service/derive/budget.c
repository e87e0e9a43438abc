/* The axis budget. The order of these steps affects the result:
 *   1. Gaps below 0.10 count as 0. If none is left, each axis gets one.
 *   2. Each axis gets its proportional share of 3, rounded half to even, as Python's round does.
 *   3. The surplus of an axis above 2 goes to the axis below 2 with the largest gap, even if that
 * gap is 0.
 *   4. A total below 3 is filled by largest remainder; of equals memory is first, then latency. A
 *      total above 3 is cut by smallest remainder; of equals compute is first, then latency. */
#include "service/derive/budget.h"

#include <math.h>

enum { COMPUTE, MEMORY, LATENCY, AXES, TOTAL = 3, CAP = 2 };

/* Rounds half to even in every rounding mode of the process. */
static int
round_half_even(double x)
{
    double down = floor(x), rest = x - down;
    int n = (int)down;

    return rest > 0.5 || (rest == 0.5 && n % 2 != 0) ? n + 1 : n;
}

/* Move the surplus above CAP to the axes below CAP with the largest gaps. Of equal gaps, the first
 * axis wins. */
static void
cap(const double gap[AXES], int n[AXES])
{
    int surplus = 0;

    for (int a = 0; a < AXES; a++)
        if (n[a] > CAP) {
            surplus += n[a] - CAP;
            n[a] = CAP;
        }
    while (surplus > 0) {
        int to = -1;

        for (int a = 0; a < AXES; a++)
            if (n[a] < CAP && (to < 0 || gap[a] > gap[to]))
                to = a;
        n[to]++;
        surplus--;
    }
}

static void
add_one(const double share[AXES], int n[AXES])
{
    static const int order[AXES] = {MEMORY, LATENCY, COMPUTE};
    int to = -1;

    for (int i = 0; i < AXES; i++) {
        int a = order[i];

        if (n[a] < CAP && (to < 0 || share[a] - n[a] > share[to] - n[to]))
            to = a;
    }
    n[to]++;
}

static void
take_one(const double share[AXES], int n[AXES])
{
    static const int order[AXES] = {COMPUTE, LATENCY, MEMORY};
    int from = -1;

    for (int i = 0; i < AXES; i++) {
        int a = order[i];

        if (n[a] > 0 && (from < 0 || share[a] - n[a] < share[from] - n[from]))
            from = a;
    }
    n[from]--;
}

struct lore_axis_budget
lore_axis_budget(double compute, double memory, double latency)
{
    double gap[AXES] = {compute, memory, latency}, share[AXES], sum = 0;
    int n[AXES];

    for (int a = 0; a < AXES; a++) {
        gap[a] = gap[a] >= 0.10 ? fmin(gap[a], 1) : 0;
        sum += gap[a];
    }
    if (sum < 0.01)
        return (struct lore_axis_budget){1, 1, 1};
    for (int a = 0; a < AXES; a++) {
        share[a] = TOTAL * gap[a] / sum;
        n[a] = round_half_even(share[a]);
    }
    cap(gap, n);
    while (n[COMPUTE] + n[MEMORY] + n[LATENCY] < TOTAL)
        add_one(share, n);
    while (n[COMPUTE] + n[MEMORY] + n[LATENCY] > TOTAL)
        take_one(share, n);
    return (struct lore_axis_budget){n[COMPUTE], n[MEMORY], n[LATENCY]};
}

bool
lore_axis_budget_of(const struct lore_gaps *g, struct lore_axis_budget *out)
{
    if (!g->compute.set || !g->memory.set || !g->latency.set)
        return false;
    *out = lore_axis_budget(g->compute.v, g->memory.v, g->latency.v);
    return true;
}
