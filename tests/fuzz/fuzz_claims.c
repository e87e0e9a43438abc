// uses: derive
/* Any text as expectations and as a rule: every item gets words, a direction of the three or none,
 * a range the right way round, and a verdict with a sentence; every rule an answer. */
#include <stdlib.h>
#include <string.h>

#include "service/base/text.h"
#include "service/base/xalloc.h"
#include "service/derive/claims.h"
#include "service/derive/claims_rule.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static struct lore_metric profile[] = {
    {.name = "launch__registers_per_thread", .value = 64},
    {.name = "lts__t_sector_hit_rate.pct", .value = 50},
};
static const struct lore_claim_side before = {
    .runs = {.median_ns = 100000}, .metrics = {.v = profile, .n = 2}};
static const struct lore_claim_side after = {
    .runs = {.median_ns = 50000}, .metrics = {.v = profile, .n = 1}};

static void
must(bool true_of_every_input)
{
    if (!true_of_every_input)
        abort();
}

static void
check_item(const struct lore_expectation *x, bool valid, struct lore_arena *arena)
{
    struct lore_claim_judged j;

    must(x->raw && *x->raw && x->metric);
    must(!x->direction || lore_streq(x->direction, "up") || lore_streq(x->direction, "down") ||
         lore_streq(x->direction, "same"));
    must(!x->low.set || !x->high.set || x->low.v <= x->high.v);
    lore_claims_judge(x, &before, &after, (struct lore_f64){0}, arena, &j);
    must(j.sentence && *j.sentence);
    must(!valid || (lore_utf8_valid(x->raw, strlen(x->raw)) &&
                       lore_utf8_valid(x->metric, strlen(x->metric)) &&
                       lore_utf8_valid(j.sentence, strlen(j.sentence))));
    must((j.verdict == LORE_CLAIM_CONFIRMED) <= (j.moved != NULL));
}

int
LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    struct lore_arena arena = {0};
    /* not in the arena, where reading past the end would go unseen */
    char *text = lore_xstrndup((const char *)data, size);
    struct lore_rule_facts facts = {
        .before = before, .after = after, .correctness = LORE_C_PASS, .noise_pct = {true, 1}};
    struct lore_rule_decision decided;

    for (size_t i = 0; i <= strlen(text); i += 1 + i / 2) {
        struct lore_movement m;
        lore_claims_read(text + i, i % 2 ? "latency" : NULL, &arena, &m);
        must(m.metric);
        if (text[i] == '\0')
            break;
        struct lore_expectation x = {.metric = m.metric, .direction = m.direction, .raw = text + i};
        if (m.range == LORE_RANGE_LEVEL) {
            x.low = m.low;
            x.high = m.high;
        }
        check_item(&x, lore_utf8_valid(text + i, strlen(text + i)), &arena);
    }
    lore_claims_decide(text, NULL, &facts, &arena, &decided);
    must(decided.reason && decided.accept.n <= LORE_RULE_CLAUSES_MAX);
    must(decided.decision != LORE_DECISION_ACCEPT || decided.accept.n > 0);
    lore_xfree(text);
    lore_arena_free(&arena);
    return 0;
}
