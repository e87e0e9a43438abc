/* Operations and bytes of operators (work.h). Every dim must have a known name and a positive
 * integer value; an unknown dim (a block size, a stride, "top_k") may mean another computation.
 * Bytes need a type that inputs and outputs usually share. They are unknown for 8-bit types, whose
 * products are written in wider types, unless only reads count. An exponential and a comparison
 * count as one operation each. The activations have bytes only. */
#include "service/wire/work.h"

#include <string.h>

#include "service/base/text.h"
#include "service/catalogue/names.h"
#include "service/wire/wire.h"

enum shape { PRODUCT, BATCHED, VECTOR, ATTENTION, PER_ELEMENT };

static const struct rule {
    const char *op, *rule;
    enum shape shape;
    double flops, moved;    /* PER_ELEMENT; flops below 0: no agreed number */
    const char *besides[3]; /* PER_ELEMENT: dims that change neither */
} known[] = {
    {"gemm", "2MNK; MK + KN + MN elements", PRODUCT, 0, 0, {0}},
    {"batched_gemm", "2BMNK; B(MK + KN + MN) elements", BATCHED, 0, 0, {0}},
    {"gemv", "2MN; MN + M + N elements", VECTOR, 0, 0, {0}},
    {"mha", "4NN d_model; queries, keys, values and outputs", ATTENTION, 0, 0, {0}},
    {"copy", "0; each element read and written", PER_ELEMENT, 0, 2, {0}},
    {"transpose", "0; each element read and written", PER_ELEMENT, 0, 2, {0}},
    {"softmax", "5 per element; each read and written", PER_ELEMENT, 5, 2, {0}},
    {"rmsnorm", "4 per element; each read and written", PER_ELEMENT, 4, 2, {0}},
    {"gated_rmsnorm_quant", "at least 6 per element; each and its gate read", PER_ELEMENT, 6, 2,
        {0}},
    {"stencil", "at least 2 per cell; each read and written", PER_ELEMENT, 2, 2, {0}},
    {"reduction", "1 per element; each read", PER_ELEMENT, 1, 1, {0}},
    {"histogram", "0; each element read", PER_ELEMENT, 0, 1, {"bins"}},
    {"topk_per_row", "at least 1 per element; each read", PER_ELEMENT, 1, 1, {"k"}},
    {"topk_softmax", "at least 5 per element; each read", PER_ELEMENT, 5, 1, {"k", "topk"}},
    {"moe_fused_gate", "at least 2 per element; each read", PER_ELEMENT, 2, 1,
        {"k", "topk", "groups"}},
    {"relu", "bytes only: each element read and written", PER_ELEMENT, -1, 2, {0}},
    {"gelu", "bytes only: each element read and written", PER_ELEMENT, -1, 2, {0}},
    {"silu", "bytes only: each element read and written", PER_ELEMENT, -1, 2, {0}},
};

/* Names of dims whose product is the number of elements. */
static const char *const extents[] = {"rows", "cols", "columns", "m", "n", "b", "batch",
    "batch_size", "h", "w", "c", "d", "height", "width", "channels", "size", "elements", "numel",
    "length", "tokens", "seq", "seq_len", "heads", "head_dim", "dim", "hidden", "hidden_size", "nx",
    "ny", "nz", "experts"};

/* Bytes per element; 0: unknown, or the output usually has another type. READ: outputs do not
 * count. */
static double
element_bytes(const char *dtype, bool read)
{
    static const struct {
        const char *name;
        double bytes;
    } types[] = {{"f64", 8}, {"fp64", 8}, {"float64", 8}, {"double", 8}, {"f32", 4}, {"fp32", 4},
        {"float32", 4}, {"float", 4}, {"single", 4}, {"tf32", 4}, {"f16", 2}, {"fp16", 2},
        {"float16", 2}, {"half", 2}, {"bf16", 2}, {"bfloat16", 2}, {"u8", 1}, {"uint8", 1},
        {"i8", 1}, {"int8", 1}, {"fp8", 1}, {"f8", 1}, {"e4m3", 1}, {"e5m2", 1}, {"fp8_e4m3", 1},
        {"fp8_e5m2", 1}};

    for (size_t i = 0; dtype != NULL && i < sizeof types / sizeof *types; i++) {
        if (lore_names_equal(dtype, types[i].name))
            return types[i].bytes > 1 || read ? types[i].bytes : 0;
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
is_besides(const struct rule *r, const char *key)
{
    for (size_t i = 0; i < sizeof r->besides / sizeof *r->besides; i++)
        if (r->besides[i] && lore_names_equal(key, r->besides[i]))
            return true;
    return false;
}

static bool
elements(const struct rule *r, const struct lore_kvs *dims, double *out)
{
    size_t extent = 0;

    *out = 1;
    for (size_t i = 0; i < dims->n; i++) {
        double v;
        size_t k = 0, n = sizeof extents / sizeof *extents;
        while (k < n && !lore_names_equal(dims->v[i].key, extents[k]))
            k++;
        if (!parse_positive(dims->v[i].value, &v))
            return false;
        if (is_besides(r, dims->v[i].key))
            continue;
        if (k == n)
            return false;
        *out *= v;
        extent++;
    }
    return extent > 0;
}

/* N rows of queries, keys, values and outputs of D_MODEL = heads * d_k elements each. */
static bool
attention(const struct lore_kvs *dims, double *flops, double *moved)
{
    static const char *const names[] = {"N", "d_model", "heads", "d_k"};
    double d[4] = {0};

    for (size_t i = 0; i < 4; i++) {
        const char *text = lore_kvs_get(dims, names[i]);

        if (!text || !parse_positive(text, &d[i]))
            return false;
    }
    *flops = 4 * d[0] * d[0] * d[1];
    *moved = 4 * d[0] * d[1];
    return dims->n == 4 && d[1] == d[2] * d[3];
}

/* The operations and the elements that are moved. *FLOPS below 0: no agreed number of
 * operations. */
static bool
count(const struct rule *r, const struct lore_kvs *dims, double *flops, double *moved)
{
    double d[4] = {0, 0, 0, 1}, n = 0;

    switch (r->shape) {
    case PRODUCT:
    case BATCHED:
        if (!read_letter_dims(dims, r->shape == BATCHED ? "MNKB" : "MNK", d))
            return false;
        *flops = 2 * d[0] * d[1] * d[2] * d[3];
        *moved = d[3] * (d[0] * d[2] + d[2] * d[1] + d[0] * d[1]);
        return true;
    case VECTOR:
        if (!read_letter_dims(dims, "MN", d) && !read_letter_dims(dims, "MK", d))
            return false;
        *flops = 2 * d[0] * d[1];
        *moved = d[0] * d[1] + d[0] + d[1];
        return true;
    case ATTENTION:
        return attention(dims, flops, moved);
    case PER_ELEMENT:
        if (!elements(r, dims, &n))
            return false;
        *flops = r->flops < 0 ? -1 : r->flops * n;
        *moved = r->moved * n;
        return true;
    }
    return false;
}

bool
lore_work_of(const char *op, const struct lore_kvs *dims, const char *dtype, struct lore_work *out)
{
    double flops = 0, moved = 0, size;

    *out = (struct lore_work){0};
    for (size_t i = 0; op != NULL && i < sizeof known / sizeof *known; i++) {
        if (strcmp(known[i].op, op) != 0 || !count(&known[i], dims, &flops, &moved))
            continue;
        size = element_bytes(dtype, known[i].shape == PER_ELEMENT && known[i].moved == 1);
        out->flops = (struct lore_f64){flops >= 0, flops >= 0 ? flops : 0};
        out->bytes = (struct lore_f64){size > 0, moved * size};
        out->sure = known[i].shape == ATTENTION ? 0.5 : 1;
        out->rule = known[i].rule;
        return out->flops.set || out->bytes.set;
    }
    return false;
}

const char *
lore_work_dims(const char *op)
{
    static const char *const dims[] = {[PRODUCT] = "exactly M, N, K",
        [BATCHED] = "exactly B (or batch), M, N, K",
        [VECTOR] = "exactly M, N (or M, K)",
        [ATTENTION] = "exactly N, d_model, heads, d_k",
        [PER_ELEMENT] = ("extents such as rows, cols, M, N, batch, seq_len, hidden_size, and no "
                         "others")};

    for (size_t i = 0; op != NULL && i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i].op, op) == 0)
            return dims[known[i].shape];
    return NULL;
}

double
lore_work_element_bits(const char *dtype)
{
    return 8 * element_bytes(dtype, true);
}
