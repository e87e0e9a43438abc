/* Reads the name of a tuning task: the operator, then number formats and dims in any order, joined
 * by '_'. Words behind the first of those name a variant; they stay in the name of the kernel. */
#include <stdlib.h>
#include <string.h>

#include "collectors/import/agent_logs/agent_logs.h"
#include "service/base/text.h"
#include "service/catalogue/catalogue.h"
#include "service/wire/wire.h"

enum { EXTENTS = 8 };

/* "f16", or "f16fp32": inputs and sums. */
static bool
take_dtype(struct lore_arena *arena, const char *word, struct lore_agent_task *t)
{
    size_t n = strlen(word);

    if (lore_workload_is_dtype(word)) {
        if (t->dtype && !t->accumulate)
            t->accumulate = word;
        else if (!t->dtype)
            t->dtype = word;
        return true;
    }
    for (size_t i = 2; i + 2 <= n; i++) {
        const char *first = lore_strndup(arena, word, i);
        if (!lore_workload_is_dtype(first) || !lore_workload_is_dtype(word + i))
            continue;
        t->dtype = first;
        t->accumulate = word + i;
        return true;
    }
    return false;
}

/* "16384x16384x512": the number of extents, at most EXTENTS; 0: WORD is something else. */
static size_t
read_extents(struct lore_arena *arena, const char *word, const char *out[EXTENTS])
{
    size_t n = 0;

    for (const char *p = word;; p++) {
        size_t digits = strspn(p, "0123456789");
        if (digits == 0 || digits > 9 || n == EXTENTS)
            return 0;
        out[n++] = lore_strndup(arena, p, digits);
        p += digits;
        if (*p == '\0')
            return n > 1 ? n : 0;
        if (*p != 'x')
            return 0;
    }
}

static void
set_dim(struct lore_arena *arena, struct lore_agent_task *t, const char *name, const char *digits)
{
    digits += strspn(digits, "0");
    if (!lore_kvs_get(&t->dims, name))
        lore_kvs_set(arena, &t->dims, name, *digits ? digits : "0");
}

static bool
take_extents(struct lore_arena *arena, const char *word, struct lore_agent_task *t)
{
    static const char *const product[] = {"M", "N", "K"}, *const batched[] = {"B", "M", "N", "K"};
    const struct lore_operator *known = lore_operator_find(t->op);
    const char *v[EXTENTS];
    size_t n = read_extents(arena, word, v);
    bool gemm = known && lore_streq(known->family, "gemm");

    for (size_t i = 0; i < n; i++)
        set_dim(arena, t,
            gemm && n == 3   ? product[i]
            : gemm && n == 4 ? batched[i]
                             : lore_format(arena, "d%zu", i),
            v[i]);
    return n > 0;
}

/* "B2", "seq128": a name and a number. */
static bool
take_dim(struct lore_arena *arena, const char *word, struct lore_agent_task *t)
{
    size_t letters = 0;

    while ((word[letters] | 0x20) >= 'a' && (word[letters] | 0x20) <= 'z')
        letters++;
    size_t digits = strspn(word + letters, "0123456789");
    if (letters == 0 || letters > 16 || digits == 0 || digits > 9 || word[letters + digits])
        return false;
    set_dim(arena, t, lore_strndup(arena, word, letters), word + letters);
    return true;
}

/* 2MNK for a dense product; other operators count in several ways. */
static double
flops_of(const struct lore_agent_task *t)
{
    static const char *const ops[] = {"gemm", "gemm_quant", "batched_gemm"};
    bool product = false;
    double flops = 2;

    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
        product |= lore_streq(t->op, ops[i]);
    if (!product || !lore_kvs_get(&t->dims, "K"))
        return 0;
    for (size_t i = 0; i < t->dims.n; i++)
        flops *= strtod(t->dims.v[i].value, NULL);
    return flops;
}

struct lore_agent_task
lore_agent_task_read(struct lore_arena *arena, const char *name)
{
    struct lore_agent_task t = {0};

    /* the operator has at least one word */
    for (const char *p = name + strcspn(name, "_"); *p; p += 1 + strcspn(p + 1, "_")) {
        const char *word = lore_strndup(arena, p + 1, strcspn(p + 1, "_"));
        struct lore_agent_task with = t;
        if (!with.op)
            with.op = lore_operator_name(arena, lore_strndup(arena, name, (size_t)(p - name)));
        if (take_dtype(arena, word, &with) || take_extents(arena, word, &with) ||
            take_dim(arena, word, &with))
            t = with;
    }
    if (t.dims.n == 0)
        t.op = NULL;
    t.flops = t.op ? flops_of(&t) : 0;
    return t;
}
