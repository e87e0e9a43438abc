/* Operations and bytes of operators (work.h). Every dim must have a known name and a positive
 * integer value; an unknown dim (a block size, a stride, "top_k") may mean another computation.
 * Bytes need a type that inputs and outputs usually share. They are unknown for 8-bit types, whose
 * products are written in wider types. softmax has bytes only, because there is no agreed number of
 * operations for an exponential. */
#include "service/derive/work.h"

#include <string.h>

#include "service/base/text.h"
#include "service/catalogue/names.h"
#include "service/wire/wire.h"

enum shape { PRODUCT, BATCHED, VECTOR, COPIED, POINTWISE };

static const struct {
    const char *op, *rule;
    enum shape shape;
} known[] = {
    {"gemm", "2MNK; MK + KN + MN elements", PRODUCT},
    {"batched_gemm", "2BMNK; B(MK + KN + MN) elements", BATCHED},
    {"gemv", "2MN; MN + M + N elements", VECTOR},
    {"copy", "0; each element read and written", COPIED},
    {"transpose", "0; each element read and written", COPIED},
    {"softmax", "bytes only: each element read and written", POINTWISE},
    {"relu", "bytes only: each element read and written", POINTWISE},
    {"gelu", "bytes only: each element read and written", POINTWISE},
    {"silu", "bytes only: each element read and written", POINTWISE},
};

/* Names of dims whose product is the number of elements. */
static const char *const extents[] = {"rows", "cols", "columns", "m", "n", "b", "batch",
    "batch_size", "h", "w", "c", "d", "height", "width", "channels", "size", "elements", "numel",
    "length", "tokens", "seq", "seq_len", "heads", "head_dim", "dim", "hidden", "hidden_size"};

/* Bytes per element; 0: unknown, or the output usually has another type. */
static double
element_bytes(const char *dtype)
{
    static const struct {
        const char *name;
        double bytes;
    } types[] = {{"f64", 8}, {"fp64", 8}, {"float64", 8}, {"double", 8}, {"f32", 4}, {"fp32", 4},
        {"float32", 4}, {"float", 4}, {"single", 4}, {"tf32", 4}, {"f16", 2}, {"fp16", 2},
        {"float16", 2}, {"half", 2}, {"bf16", 2}, {"bfloat16", 2}};

    for (size_t i = 0; dtype != NULL && i < sizeof types / sizeof *types; i++) {
        if (lore_names_equal(dtype, types[i].name))
            return types[i].bytes;
    }
    return 0;
}

static bool
parse_positive(const char *text, double *out)
{
    long long v;

    if (lore_parse_i64(text, "dim", &v, NULL) != LORE_OK || v < 1)
        return false;
    *out = (double)v;
    return true;
}

/* Read the dims NAMES (one letter each, in any case). False unless each is given once and there are
 * no others. */
static bool
read_letter_dims(const struct lore_kvs *dims, const char *names, double *out)
{
    size_t n = strlen(names);

    for (size_t i = 0; i < n; i++)
        out[i] = 0;
    if (dims->n != n)
        return false;
    for (size_t i = 0; i < n; i++) {
        const char *key = dims->v[i].key;
        const char *at = strlen(key) == 1 ? strchr(names, key[0] & ~0x20) : NULL;
        if (lore_names_equal(key, "batch"))
            at = strchr(names, 'B');
        if (!at || out[at - names] > 0 || !parse_positive(dims->v[i].value, &out[at - names]))
            return false;
    }
    return true;
}

static bool
elements(const struct lore_kvs *dims, double *out)
{
    *out = 1;
    for (size_t i = 0; i < dims->n; i++) {
        double v;
        size_t k = 0, n = sizeof extents / sizeof *extents;
        while (k < n && !lore_names_equal(dims->v[i].key, extents[k]))
            k++;
        if (k == n || !parse_positive(dims->v[i].value, &v))
            return false;
        *out *= v;
    }
    return dims->n > 0;
}

/* The operations and the elements that are moved. *FLOPS below 0: no agreed number of
 * operations. */
static bool
count(enum shape shape, const struct lore_kvs *dims, double *flops, double *moved)
{
    double d[4];

    switch (shape) {
    case PRODUCT:
    case BATCHED:
        if (!read_letter_dims(dims, shape == BATCHED ? "MNKB" : "MNK", d))
            return false;
        if (shape == PRODUCT)
            d[3] = 1;
        *flops = 2 * d[0] * d[1] * d[2] * d[3];
        *moved = d[3] * (d[0] * d[2] + d[2] * d[1] + d[0] * d[1]);
        return true;
    case VECTOR:
        if (!read_letter_dims(dims, "MN", d) && !read_letter_dims(dims, "MK", d))
            return false;
        *flops = 2 * d[0] * d[1];
        *moved = d[0] * d[1] + d[0] + d[1];
        return true;
    case COPIED:
    case POINTWISE:
        *flops = shape == COPIED ? 0 : -1;
        if (!elements(dims, moved))
            return false;
        *moved *= 2;
        return true;
    }
    return false;
}

bool
lore_work_of(const char *op, const struct lore_kvs *dims, const char *dtype, struct lore_work *out)
{
    double flops = 0, moved = 0, size = element_bytes(dtype);

    *out = (struct lore_work){0};
    for (size_t i = 0; op != NULL && i < sizeof known / sizeof *known; i++) {
        if (strcmp(known[i].op, op) != 0 || !count(known[i].shape, dims, &flops, &moved))
            continue;
        out->flops = (struct lore_f64){flops >= 0, flops >= 0 ? flops : 0};
        out->bytes = (struct lore_f64){size > 0, moved * size};
        out->rule = known[i].rule;
        return out->flops.set || out->bytes.set;
    }
    return false;
}
