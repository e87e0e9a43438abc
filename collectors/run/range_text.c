/* A row of the table below names the axes of an operator's inputs. An input that does not fit its
 * axes, or an axis with two lengths, makes the text one of another range: it is never guessed. */
#include "collectors/run/range_text.h"

#include <inttypes.h>
#include <string.h>

#include "service/base/text.h"
#include "service/catalogue/catalogue.h"

enum { MAX_INPUTS = 16, MAX_AXES = 8 };

struct sizes {
    int64_t axis[MAX_INPUTS][MAX_AXES];
    size_t n_axes[MAX_INPUTS], n;
};

/* What PyTorch calls an operator, and the axes of its first inputs: names joined by commas, an
 * input per word. "-": any input. A name with '*' is the product of all axes that the other names
 * leave, at least one. Later inputs are not looked at. */
static const struct known {
    const char *name, *op, *inputs;
} known[] = {
    {"aten::mm", "gemm", "M,K K,N"},
    {"aten::addmm", "gemm", "- M,K K,N"},
    {"aten::_addmm_activation", "gemm_epilogue", "- M,K K,N"},
    {"aten::bmm", "batched_gemm", "B,M,K B,K,N"},
    {"aten::baddbmm", "batched_gemm", "- B,M,K B,K,N"},
    {"aten::mv", "gemv", "M,N N"},
    {"aten::addmv", "gemv", "- M,N N"},
    {"aten::dot", "dot", "n n"},
    {"aten::native_layer_norm", "layernorm", "rows*,cols - cols"},
    {"aten::_fused_rms_norm", "rmsnorm", "rows*,cols - cols"},
    {"aten::relu", "relu", "n*"},
    {"aten::gelu", "gelu", "n*"},
    {"aten::silu", "silu", "n*"},
    {"aten::embedding", "embedding", "entries,width tokens*"},
};

static enum lore_status
other(struct lore_err *err, const char *text)
{
    return lore_fail(err, LORE_NOTFOUND, "range '%.80s' names no operator", text);
}

/* ---- warplore:gemm M=4096,… ---- */

static const char *
plain_or_null(struct lore_arena *arena, const struct lore_kvs *pairs, const char *key)
{
    const char *value = lore_kvs_get(pairs, key);

    return value ? lore_kvs_plain(arena, value) : NULL;
}

static enum lore_status
read_asked(
    const char *text, struct lore_arena *arena, struct lore_workload *out, struct lore_err *err)
{
    const char *name = text + strlen(LORE_RANGE_PREFIX);
    struct lore_workload w = {.set = true};
    struct lore_kvs pairs = {0};
    size_t length;

    name += strspn(name, " \t");
    length = strcspn(name, " \t,;{");
    if (length == 0 || memchr(name, '=', length)) {
        (void)lore_fail_at(
            err, LORE_INVALID, "invalid_value", "range", "range '%.80s': no operator", text);
        lore_err_hint(err, "write warplore:gemm M=4096,N=4096,K=4096,dtype=bf16");
        return LORE_INVALID;
    }
    if (!lore_utf8_valid(text, strlen(text)))
        return lore_fail_at(err, LORE_INVALID, "invalid_utf8", "range", "range: not UTF-8");
    if (lore_dims_parse(name + length + strspn(name + length, " \t,;"), arena, &pairs, err) !=
        LORE_OK)
        return err ? err->status : LORE_INVALID;
    w.op = lore_operator_name(arena, lore_strndup(arena, name, length));
    w.dtype = lore_workload_dtype(plain_or_null(arena, &pairs, "dtype"));
    w.layout = plain_or_null(arena, &pairs, "layout");
    for (size_t i = 0; i < pairs.n; i++) {
        if (!lore_streq(pairs.v[i].key, "dtype") && !lore_streq(pairs.v[i].key, "layout"))
            lore_kvs_set(arena, &w.dims, pairs.v[i].key, pairs.v[i].value);
    }
    *out = w;
    return LORE_OK;
}

/* ---- aten::mm, …, sizes = [[64, 32], [32, 16]] ---- */

/* One length, at most 2^40, so that a product of MAX_AXES of them is checked before it overflows.
 * Returns where it ends, or NULL. */
static const char *
read_length(const char *s, int64_t *out)
{
    int64_t v = 0;

    if (!lore_is_digit(*s))
        return NULL;
    for (; lore_is_digit(*s); s++) {
        v = v * 10 + (*s - '0');
        if (v > INT64_C(1) << 40)
            return NULL;
    }
    *out = v;
    return s;
}

/* "[64, 32]" into input I; "[]" has no axes. */
static const char *
read_input(const char *s, struct sizes *z, size_t i)
{
    if (*s++ != '[')
        return NULL;
    while (*s != ']') {
        if (z->n_axes[i] > 0 && *s++ != ',')
            return NULL;
        s += *s == ' ';
        if (z->n_axes[i] == MAX_AXES)
            return NULL;
        s = read_length(s, &z->axis[i][z->n_axes[i]++]);
        if (!s)
            return NULL;
    }
    return s + 1;
}

static bool
read_sizes(const char *s, struct sizes *z)
{
    memset(z, 0, sizeof *z);
    if (*s++ != '[')
        return false;
    while (*s != ']' && z->n < MAX_INPUTS) {
        if (z->n > 0 && *s++ != ',')
            return false;
        s += *s == ' ';
        s = read_input(s, z, z->n++);
        if (!s)
            return false;
    }
    return *s == ']' || *s == ',';
}

/* Give axis NAME its LENGTH; false: it has another one, or none at all. */
static bool
put_axis(struct lore_arena *arena, struct lore_kvs *dims, const char *name, int64_t length)
{
    const char *text = lore_format(arena, "%" PRId64, length), *had = lore_kvs_get(dims, name);

    if (length == 0 || (had && !lore_streq(had, text)))
        return false;
    lore_kvs_set(arena, dims, name, text);
    return true;
}

static size_t
count_names(const char *names, size_t length)
{
    size_t n = 1;

    for (size_t i = 0; i < length; i++)
        n += names[i] == ',';
    return n;
}

/* The axes of input I are NAMES (LENGTH bytes). */
static bool
put_input(struct lore_arena *arena, struct lore_kvs *dims, const char *names, size_t length,
    const struct sizes *z, size_t i)
{
    size_t n = count_names(names, length), at = 0;
    bool folds = memchr(names, '*', length) != NULL;

    if (i >= z->n || (folds ? z->n_axes[i] < n : z->n_axes[i] != n))
        return false;
    for (const char *end = names + length; names < end; names++) {
        size_t word = strcspn(names, ",* ");
        const char *name = lore_strndup(arena, names, word);
        int64_t axis = z->axis[i][at++];

        names += word;
        for (size_t more = *names == '*' ? z->n_axes[i] - n : 0; more > 0; more--) {
            if (__builtin_mul_overflow(axis, z->axis[i][at++], &axis))
                return false;
        }
        names += *names == '*';
        if (!put_axis(arena, dims, name, axis))
            return false;
    }
    return true;
}

static bool
put_inputs(
    struct lore_arena *arena, struct lore_kvs *dims, const char *inputs, const struct sizes *z)
{
    for (size_t i = 0; *inputs != '\0'; i++) {
        size_t length = strcspn(inputs, " ");

        if (*inputs != '-' && !put_input(arena, dims, inputs, length, z, i))
            return false;
        inputs += length + (inputs[length] == ' ');
    }
    return true;
}

static enum lore_status
read_aten(
    const char *text, struct lore_arena *arena, struct lore_workload *out, struct lore_err *err)
{
    static const char key[] = ", sizes = ";
    size_t length = strcspn(text, ",");
    const char *sizes = strstr(text, key);
    struct lore_workload w = {.set = true};
    struct sizes z;

    if (!sizes || !read_sizes(sizes + strlen(key), &z))
        return other(err, text);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strlen(known[i].name) != length || strncmp(text, known[i].name, length) != 0)
            continue;
        if (!put_inputs(arena, &w.dims, known[i].inputs, &z))
            break;
        w.op = lore_operator_name(arena, known[i].op);
        *out = w;
        return LORE_OK;
    }
    return other(err, text);
}

enum lore_status
lore_range_text_read(
    const char *text, struct lore_arena *arena, struct lore_workload *out, struct lore_err *err)
{
    if (lore_starts(text, LORE_RANGE_PREFIX))
        return read_asked(text, arena, out, err);
    if (lore_starts(text, "aten::"))
        return read_aten(text, arena, out, err);
    return other(err, text);
}
