/* Workload identity. Two numbers are comparable when operator, shape, number format and layout
 * agree, however they were spelled: dims are sorted, names resolve, `float32` is `f32`. The
 * canonical text is hashed into the id; the label keeps the order and words of the submitter. */
#include <string.h>

#include "service/base/hash.h"
#include "service/base/text.h"
#include "service/catalogue/catalogue.h"
#include "service/catalogue/names.h"
#include "service/wire/fields.h"

/* Other spellings of number formats. An unknown format keeps its spelling, in lower case. */
static const struct {
    const char *spelling, *dtype;
} dtypes[] = {
    {"float", "f32"},
    {"float32", "f32"},
    {"fp32", "f32"},
    {"single", "f32"},
    {"half", "f16"},
    {"float16", "f16"},
    {"fp16", "f16"},
    {"bfloat16", "bf16"},
    {"double", "f64"},
    {"float64", "f64"},
    {"fp64", "f64"},
    {"int8", "i8"},
    {"s8", "i8"},
    {"int4", "i4"},
    {"int32", "i32"},
    {"s32", "i32"},
    {"int64", "i64"},
    {"uint8", "u8"},
    {"fp8_e4m3", "f8e4m3"},
    {"float8_e4m3", "f8e4m3"},
    {"e4m3", "f8e4m3"},
    {"fp8_e4m3fn", "f8e4m3"},
    {"float8_e4m3fn", "f8e4m3"},
    {"fp8_e5m2", "f8e5m2"},
    {"float8_e5m2", "f8e5m2"},
    {"e5m2", "f8e5m2"},
    {"fp8", "f8"},
    {"float8", "f8"},
    {"tf32", "tf32"},
};

const char *
lore_workload_dtype(const char *s)
{
    for (size_t i = 0; s && i < sizeof dtypes / sizeof *dtypes; i++)
        if (lore_names_equal(s, dtypes[i].spelling))
            return dtypes[i].dtype;
    return s;
}

bool
lore_workload_is_dtype(const char *s)
{
    static const char *const others[] = {"bf16", "f4", "u4", "i16", "u16", "u32", "u64"};
    bool found = false;

    for (size_t i = 0; i < sizeof dtypes / sizeof *dtypes; i++)
        found |= lore_names_equal(s, dtypes[i].spelling) || lore_names_equal(s, dtypes[i].dtype);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        found |= lore_names_equal(s, others[i]);
    return found;
}

const char *
lore_workload_near_dtype(const char *s)
{
    static const char *const others[] = {"float8_e8m0", "mxfp4", "mxfp6", "mxfp8", "nvfp4", "int16",
        "uint16", "uint32", "uint64", "complex64", "complex128", "bool"};
    enum { SPELLINGS = sizeof dtypes / sizeof *dtypes, OTHERS = sizeof others / sizeof *others };
    const char *names[SPELLINGS + OTHERS];

    if (!s || strlen(s) < 5) /* i16, u16, f4: too short to be near anything */
        return NULL;
    for (size_t i = 0; i < SPELLINGS + OTHERS; i++) {
        names[i] = i < SPELLINGS ? dtypes[i].spelling : others[i - SPELLINGS];
        if (lore_names_equal(s, names[i]) ||
            (i < SPELLINGS && lore_names_equal(s, dtypes[i].dtype)))
            return NULL;
    }
    int near = lore_nearest(s, names, SPELLINGS + OTHERS);
    return near >= 0 ? names[near] : NULL;
}

/* Add S with separators of the canonical text escaped as %xx; letters in lower case when LOWER. */
static void
add_escaped(struct lore_buf *b, const char *s, bool lower)
{
    for (; s != NULL && *s != '\0'; s++) {
        unsigned char c = (unsigned char)*s;

        if (strchr("|,=%", c) || c < 0x20)
            lore_buf_printf(b, "%%%02x", c);
        else
            lore_buf_putc(b, (char)(lower && c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c));
    }
}

const char *
lore_workload_text(struct lore_arena *arena, const char *op, const struct lore_workload *w)
{
    LORE_BUF b = {0};
    struct lore_kv *dims = lore_kvs_sorted(arena, &w->dims);

    add_escaped(&b, op != NULL && op[0] != '\0' ? lore_operator_name(arena, op) : "", false);
    lore_buf_putc(&b, '|');
    for (size_t i = 0; i < w->dims.n; i++) {
        if (i > 0)
            lore_buf_putc(&b, ',');
        add_escaped(&b, dims[i].key, false);
        lore_buf_putc(&b, '=');
        add_escaped(&b, lore_kvs_plain(arena, dims[i].value), false);
    }
    lore_buf_putc(&b, '|');
    if (w->dtype)
        add_escaped(&b, lore_workload_dtype(w->dtype), true);
    lore_buf_putc(&b, '|');
    add_escaped(&b, w->layout, true);
    return lore_strndup(arena, b.data, b.len);
}

void
lore_workload_id(const char *canonical_text, char out[33])
{
    unsigned char hash[LORE_HASH_BYTES];

    lore_hash(canonical_text, strlen(canonical_text), hash);
    lore_hex(hash, 16, out);
}

const char *
lore_workload_label(struct lore_arena *arena, const struct lore_workload *w)
{
    LORE_BUF b = {0};

    for (size_t i = 0; i < w->dims.n; i++)
        lore_buf_printf(&b, "%s%s=%s", b.len > 0 ? " " : "", w->dims.v[i].key,
            lore_kvs_plain(arena, w->dims.v[i].value));
    if (w->dtype)
        lore_buf_printf(&b, "%s%s", b.len > 0 ? " " : "", w->dtype);
    if (w->layout)
        lore_buf_printf(&b, "%s%s", b.len > 0 ? " " : "", w->layout);
    return lore_strndup(arena, b.data != NULL ? b.data : "", b.len);
}

const char *
lore_workload_kind(struct lore_arena *arena, const char *dtype, const char *layout)
{
    return !dtype && !layout ? NULL
                             : lore_format(arena, "%s|%s", dtype != NULL ? dtype : "",
                                   layout != NULL ? layout : "");
}
