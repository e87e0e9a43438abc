/* One line of a find database:
 *
 *   1000-13-13-1x1-512-13-13-16-0x0-1x1-1x1-0-NCHW-FP16-B=Solver:0.051639,13714688,algorithm;…
 *   C   -H -W -RxS-K  -H -W -N -pads-strides-dilations-bias-layout-dtype-direction[_g<groups>]
 *
 * with D before H and a third number in each pair for three axes, and three layouts or dtypes where
 * the tensors differ. Times are milliseconds. The first C, H, W belong to the tensor that the
 * direction reads. Backward, that is the gradient of the output. The parser then swaps input and
 * output, so that a convolution has the same dims in all three directions. The extents of the
 * output usually follow from the others; otherwise they become dims, too. */
#include <stdlib.h>
#include <string.h>

#include "collectors/import/tuning/miopen.h"
#include "service/base/text.h"
#include "service/catalogue/catalogue.h"
#include "service/wire/build.h"
#include "service/wire/fields.h"

enum { TOKENS = 24, AXES = 3, MAX_EXTENT = 1000000000 };

struct key {
    struct lore_arena *arena;
    const char *token[TOKENS]; /* cut at '-' */
    size_t n, next;
    size_t axes;
    long long in_c, out_c, batch, bias, groups;
    long long in[AXES], out[AXES], filter[AXES], pad[AXES], stride[AXES], dilation[AXES];
    const char *layout, *dtype, *direction;
};

static enum lore_status
number(struct key *k, const char *what, long long least, long long *out, struct lore_err *err)
{
    if (k->next == k->n)
        return lore_fail(err, LORE_INVALID, "%s: missing in the key", what);
    const char *text = k->token[k->next++];
    if (!lore_is_digit(*text) || strlen(text) > 12 ||
        lore_parse_i64(text, what, out, NULL) != LORE_OK || *out < least)
        return lore_fail(err, LORE_INVALID, "%s: \"%.40s\" is not a valid number", what, text);
    return LORE_OK;
}

/* Read H and W; with three axes, D, H and W. */
static enum lore_status
extents(struct key *k, const char *what, long long out[AXES], struct lore_err *err)
{
    enum lore_status status = LORE_OK;

    for (size_t i = 0; i < k->axes && status == LORE_OK; i++)
        status = number(k, what, 1, &out[i], err);
    return status;
}

/* Read one number per axis: "3x3". Older files give the padding of three axes for the last two
 * alone; the first is then -1. */
static enum lore_status
pair(struct key *k, const char *what, long long least, long long out[AXES], struct lore_err *err)
{
    const char *text = k->next < k->n ? k->token[k->next++] : "", *p = text;
    size_t first = least == 0 && k->axes == 3 && strchr(text, 'x') == strrchr(text, 'x');

    out[0] = -1;
    for (size_t i = first; i < k->axes; i++) {
        size_t len = strspn(p, "0123456789");
        if (len == 0 || len > 9 || p[len] != (i + 1 < k->axes ? 'x' : '\0'))
            return lore_fail(
                err, LORE_INVALID, "%s: \"%.40s\" does not have one number per axis", what, text);
        out[i] = strtoll(p, NULL, 10);
        if (out[i] < least)
            return lore_fail(err, LORE_INVALID, "%s: \"%.40s\" is too small", what, text);
        p += len + 1;
    }
    return LORE_OK;
}

static bool
is_layout(const char *token)
{
    return (*token == 'N' || *token == 'C') &&
           token[strspn(token, "NCDHWGKYXVEc0123456789")] == '\0';
}

/* Read the layouts when LAYOUTS is set, else the dtypes: one token for all tensors, or three
 * tokens, one per tensor. */
static const char *
read_per_tensor(struct key *k, bool layouts, struct lore_err *err)
{
    const char *t[3] = {NULL, NULL, NULL};
    size_t n = 0;

    while (k->next + 1 < k->n && n < 3 && is_layout(k->token[k->next]) == layouts)
        t[n++] = k->token[k->next++];
    if (n == 1 || (n == 3 && strcmp(t[0], t[1]) == 0 && strcmp(t[0], t[2]) == 0))
        return t[0];
    if (n == 3)
        return lore_format(k->arena, "%s,%s,%s", t[0], t[1], t[2]);
    (void)lore_fail(err, LORE_INVALID, "%zu %s in the key: expected one, or one per tensor", n,
        layouts ? "layouts" : "dtypes");
    return NULL;
}

static const char *
dtype_name(struct lore_arena *arena, const char *text)
{
    static const struct {
        const char *theirs, *ours;
    } names[] = {{"FP16", "f16"}, {"FP32", "f32"}, {"FP64", "f64"}, {"BF16", "bf16"},
        {"BFP16", "bf16"}, {"INT8", "i8"}, {"INT32", "i32"}};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(text, names[i].theirs) == 0)
            return names[i].ours;
    }
    return lore_operator_slug(arena, text);
}

/* Read the direction and the groups from the last token, such as "B_g16". */
static enum lore_status
direction(struct key *k, struct lore_err *err)
{
    const char *text = k->next < k->n ? k->token[k->next] : "";
    size_t groups = strlen(text) > 3 ? strspn(text + 3, "0123456789") : 0;

    k->groups = 1;
    k->direction = *text == 'F'   ? "forward"
                   : *text == 'B' ? "backward_data"
                   : *text == 'W' ? "backward_weights"
                                  : NULL;
    if (groups > 0 && groups < 10 && lore_starts(text + 1, "_g") && text[3 + groups] == '\0')
        k->groups = strtoll(text + 3, NULL, 10);
    else if (k->direction && text[1] != '\0')
        k->direction = NULL;
    if (!k->direction || k->groups < 1 || k->next + 1 != k->n)
        return lore_fail(
            err, LORE_INVALID, "\"%.40s\": expected F, B or W at the end of the key", text);
    return LORE_OK;
}

static enum lore_status
read_numbers(struct key *k, struct lore_err *err)
{
    enum lore_status status = number(k, "channels", 1, &k->in_c, err);

    if (status == LORE_OK)
        status = extents(k, "input extents", k->in, err);
    if (status == LORE_OK)
        status = pair(k, "filter", 1, k->filter, err);
    if (status == LORE_OK)
        status = number(k, "output channels", 1, &k->out_c, err);
    if (status == LORE_OK)
        status = extents(k, "output extents", k->out, err);
    if (status == LORE_OK)
        status = number(k, "batch", 1, &k->batch, err);
    if (status == LORE_OK)
        status = pair(k, "padding", 0, k->pad, err);
    if (status == LORE_OK)
        status = pair(k, "stride", 1, k->stride, err);
    if (status == LORE_OK)
        status = pair(k, "dilation", 1, k->dilation, err);
    return status == LORE_OK ? number(k, "bias", 0, &k->bias, err) : status;
}

static enum lore_status
read_key(struct key *k, const char *text, struct lore_err *err)
{
    for (const char *p = text;; p++) {
        size_t len = strcspn(p, "-");
        if (k->n == TOKENS)
            return lore_fail(err, LORE_INVALID, "more than %d fields in the key", TOKENS);
        k->token[k->n++] = lore_strndup(k->arena, p, len);
        p += len;
        if (*p == '\0')
            break;
    }
    k->axes = k->n > 3 && strchr(k->token[3], 'x') ? 2 : 3;
    enum lore_status status = read_numbers(k, err);
    if (status != LORE_OK)
        return status;
    k->layout = read_per_tensor(k, true, err);
    const char *dtype = k->layout ? read_per_tensor(k, false, err) : NULL;
    if (!dtype)
        return LORE_INVALID;
    k->dtype = dtype_name(k->arena, dtype);
    if (!*k->dtype)
        return lore_fail(err, LORE_INVALID, "\"%.40s\": not a dtype", dtype);
    return direction(k, err);
}

/* ---- dims ---- */

static void
set_dim(struct key *k, struct lore_kvs *dims, const char *name, long long v)
{
    lore_kvs_set(k->arena, dims, name, lore_format(k->arena, "%lld", v));
}

static void
set_axes(struct key *k, struct lore_kvs *dims, const char *const names[AXES], const long long *v)
{
    for (size_t i = 0; i < k->axes; i++)
        set_dim(k, dims, names[AXES - k->axes + i], v[i]);
}

/* Whether the extents of the output follow from input, filter, padding, stride and dilation. */
static bool
output_follows(const struct key *k)
{
    for (size_t i = 0; i < k->axes; i++) {
        long long extent = k->dilation[i] * (k->filter[i] - 1) + 1;
        long long padded = k->in[i] + 2 * k->pad[i] - extent;
        if (padded < 0 || padded / k->stride[i] + 1 != k->out[i])
            return false;
    }
    return true;
}

/* The padding of the first axis, where the file leaves it out, from its extents. */
static enum lore_status
complete_padding(struct key *k, struct lore_err *err)
{
    long long extent = k->dilation[0] * (k->filter[0] - 1) + 1;

    if (k->pad[0] >= 0)
        return LORE_OK;
    if (k->out[0] <= MAX_EXTENT) {
        long long missing = (k->out[0] - 1) * k->stride[0] + extent - k->in[0];
        k->pad[0] = missing > 0 ? (missing + 1) / 2 : 0;
        long long padded = k->in[0] + 2 * k->pad[0] - extent;
        if (padded >= 0 && padded / k->stride[0] + 1 == k->out[0])
            return LORE_OK;
    }
    return lore_fail(
        err, LORE_INVALID, "padding: one number is missing and does not follow from the extents");
}

static void
swap(long long *a, long long *b)
{
    long long c = *a;

    *a = *b;
    *b = c;
}

/* Backward, the tensor that the direction reads is the gradient of the output. */
static void
turn_forward(struct key *k)
{
    if (strcmp(k->direction, "forward") == 0)
        return;
    swap(&k->in_c, &k->out_c);
    for (size_t i = 0; i < k->axes; i++)
        swap(&k->in[i], &k->out[i]);
}

static void
fill_problem(struct key *k, struct lore_miopen_problem *out)
{
    static const char *const in[] = {"D", "H", "W"}, *const filter[] = {"T", "R", "S"},
                             *const result[] = {"out_D", "out_H", "out_W"},
                             *const pad[] = {"pad_d", "pad_h", "pad_w"},
                             *const stride[] = {"stride_d", "stride_h", "stride_w"},
                             *const dilation[] = {"dilation_d", "dilation_h", "dilation_w"};
    struct lore_kvs *dims = &out->dims;

    set_dim(k, dims, "N", k->batch);
    set_dim(k, dims, "C", k->in_c);
    set_axes(k, dims, in, k->in);
    set_dim(k, dims, "K", k->out_c);
    set_axes(k, dims, filter, k->filter);
    set_axes(k, dims, pad, k->pad);
    set_axes(k, dims, stride, k->stride);
    set_axes(k, dims, dilation, k->dilation);
    set_dim(k, dims, "groups", k->groups);
    if (k->bias != 0)
        set_dim(k, dims, "bias", k->bias);
    if (!output_follows(k))
        set_axes(k, dims, result, k->out);
    out->shape = k->layout;
    for (size_t i = 0; i < dims->n; i++)
        out->shape =
            lore_format(k->arena, "%s %s=%s", out->shape, dims->v[i].key, dims->v[i].value);
    lore_kvs_set(k->arena, dims, "direction", lore_build_json_text(k->arena, k->direction));
    out->op = k->axes == 2 ? "conv2d" : "conv3d";
    out->dtype = k->dtype;
    out->layout = k->layout;
}

/* ---- timings ---- */

static const char *
copy_up_to(struct lore_arena *arena, const char **text, const char *ends)
{
    size_t len = strcspn(*text, ends);
    const char *out = lore_strndup(arena, *text, len);

    *text += len;
    return out;
}

/* Parse "Solver:0.051639,13714688,algorithm", which ends at ';' or at the end of the text; in the
 * older layout "algorithm:Solver,0.051639,13714688,…". */
static enum lore_status
timing(struct lore_arena *arena, const char **text, struct lore_miopen_timing *out,
    struct lore_err *err)
{
    long long workspace = 0;

    *out = (struct lore_miopen_timing){.solver = copy_up_to(arena, text, ":;")};
    if (**text != ':' || *out->solver == '\0' || strlen(out->solver) > 150)
        return lore_fail(
            err, LORE_INVALID, "\"%.60s\": expected solver:time,workspace,algorithm", out->solver);
    ++*text;
    const char *time = copy_up_to(arena, text, ",;"), *older = NULL;
    if (lore_starts(out->solver, "miopen") && **text == ',') {
        ++*text;
        older = out->solver;
        out->solver = time;
        time = copy_up_to(arena, text, ",;");
    }
    if (lore_parse_f64(time, "time", &out->ms, NULL) != LORE_OK || out->ms <= 0 || out->ms > 1e9)
        return lore_fail(err, LORE_INVALID, "%.60s: \"%.40s\" is not a time", out->solver, time);
    *text += **text == ',';
    const char *bytes = copy_up_to(arena, text, ",;");
    if (*bytes &&
        (lore_parse_i64(bytes, "workspace", &workspace, NULL) != LORE_OK || workspace < 0))
        return lore_fail(
            err, LORE_INVALID, "%.60s: \"%.40s\" is not a workspace size", out->solver, bytes);
    out->workspace_bytes = workspace;
    *text += **text == ',';
    const char *algorithm = copy_up_to(arena, text, ",;"), *rest = "";
    if (**text == ',') {
        ++*text;
        rest = copy_up_to(arena, text, ";");
    }
    out->algorithm = older ? older : *algorithm ? algorithm : NULL;
    if (strcmp(rest, LORE_MIOPEN_UNUSED) == 0)
        rest = "";
    if (older && *algorithm && strcmp(algorithm, older) != 0) /* a library: rocBlas */
        rest = lore_format(arena, "%s%s%s", algorithm, *rest ? "," : "", rest);
    out->rest = *rest ? rest : NULL;
    return LORE_OK;
}

static enum lore_status
add_timing(struct lore_miopen_problem *p, const struct lore_miopen_timing *t, struct lore_err *err)
{
    size_t at = p->n;

    for (size_t i = 0; i < p->n; i++) {
        if (strcmp(p->timings[i].solver, t->solver) == 0)
            return lore_fail(err, LORE_INVALID, "%.60s is listed twice", t->solver);
    }
    if (p->n == LORE_MIOPEN_TIMINGS)
        return lore_fail(err, LORE_INVALID, "more than %d timings", LORE_MIOPEN_TIMINGS);
    for (; at > 0 && p->timings[at - 1].ms > t->ms; at--)
        p->timings[at] = p->timings[at - 1];
    p->timings[at] = *t;
    p->n++;
    return LORE_OK;
}

enum lore_status
lore_miopen_key(struct lore_arena *arena, const char *key, struct lore_miopen_problem *out,
    struct lore_err *err)
{
    struct lore_miopen_problem p = {.key = key};
    struct key k = {.arena = arena};

    if (read_key(&k, key, err) != LORE_OK)
        return LORE_INVALID;
    turn_forward(&k);
    if (complete_padding(&k, err) != LORE_OK)
        return LORE_INVALID;
    fill_problem(&k, &p);
    *out = p;
    return LORE_OK;
}

enum lore_status
lore_miopen_line(struct lore_arena *arena, const char *text, size_t len,
    struct lore_miopen_problem *out, struct lore_err *err)
{
    const char *line = lore_strndup(arena, text, len), *values = strchr(line, '=');
    struct lore_miopen_problem p;
    size_t capacity = 1;

    if (!values)
        return lore_fail(err, LORE_INVALID, "expected problem=solver:time,workspace,algorithm;…");
    if (lore_miopen_key(arena, lore_strndup(arena, line, (size_t)(values - line)), &p, err) !=
        LORE_OK)
        return LORE_INVALID;
    for (const char *c = values; *c != '\0' && capacity < LORE_MIOPEN_TIMINGS; c++)
        capacity += *c == ';';
    p.timings = lore_alloc_array(arena, capacity, sizeof *p.timings);
    for (values++; *values != '\0'; values += *values == ';') {
        struct lore_miopen_timing t;
        struct lore_err fault = {0};
        if (timing(arena, &values, &t, &fault) != LORE_OK || add_timing(&p, &t, &fault) != LORE_OK)
            lore_build_text(arena, &p.faults, lore_strdup(arena, fault.msg));
        values += strcspn(values, ";");
    }
    if (p.n == 0)
        return lore_fail(
            err, LORE_INVALID, "%s", p.faults.n > 0 ? p.faults.v[0] : "the line has no timing");
    *out = p;
    return LORE_OK;
}

bool
lore_miopen_is_gemm(const struct lore_miopen_timing *t)
{
    size_t n = t->algorithm ? strlen(t->algorithm) : 0;

    return lore_starts(t->solver, "Gemm") ||
           (n > 8 && strcmp(t->algorithm + n - 8, "AlgoGEMM") == 0);
}

const struct lore_miopen_timing *
lore_miopen_base(const struct lore_miopen_problem *p)
{
    for (size_t i = 0; i < p->n; i++) {
        if (lore_miopen_is_gemm(&p->timings[i]))
            return &p->timings[i];
    }
    return NULL;
}

/* The length of the direction word at the start of NAME; 0: none. */
static size_t
direction_word(const char *name)
{
    static const char *const words[] = {
        "BackwardWeights", "BackwardData", "Backward", "Forward", "Fwd", "Bwd", "Wrw", "WrW"};

    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (lore_starts(name, words[i]))
            return strlen(words[i]);
    }
    return 0;
}

const char *
lore_miopen_technique(struct lore_arena *arena, const char *solver)
{
    char *name = lore_strdup(arena, solver), *to = name;

    for (const char *p = solver; *p != '\0';) {
        size_t skip = direction_word(p);
        if (skip == 0)
            *to++ = *p++;
        p += skip;
    }
    *to = '\0';
    return lore_format(arena, "miopen.%s", lore_operator_slug(arena, *name ? name : solver));
}

/* Products by ISA and number of compute units as the driver reports them. For a card with two
 * chips, the driver counts one chip. Of products that share both values, the table has the one for
 * which the databases are made. */
static const struct {
    const char *isa;
    int units;
    const char *chip;
} products[] = {
    {"gfx906", 60, "mi50"},
    {"gfx906", 64, "mi60"},
    {"gfx908", 120, "mi100"},
    {"gfx90a", 104, "mi250"},
    {"gfx90a", 110, "mi250x"},
    {"gfx942", 80, "mi308x"},
    {"gfx942", 228, "mi300a"},
    {"gfx942", 304, "mi300x"},
    {"gfx950", 256, "mi355x"},
};

/* The number of compute units in TEXT up to '.'; 0: none. */
static int
units_of(const char *text)
{
    char *end;
    long v = *text == '_' ? strtol(text + 1, &end, 10) : strtol(text, &end, 16);
    bool number = *text == '_' ? lore_is_digit(text[1]) : *text != '-' && *text != '+';

    return number && end != text && *end == '.' && v > 0 && v < 4096 ? (int)v : 0;
}

const char *
lore_miopen_chip(struct lore_arena *arena, const char *file, int *units)
{
    const struct lore_chip *isa = NULL;
    int n = 0;

    if (!lore_starts(file, "gfx"))
        return NULL;
    /* digits after the ISA may belong to it: take the longest known ISA that is followed by a
     * number of units or by '.' */
    for (size_t len = strcspn(file, "._"); len > 4 && !isa; len--) {
        const struct lore_chip *c = lore_chip_find(lore_strndup(arena, file, len));
        n = units_of(file + len);
        if (c && !c->product && (n > 0 || file[len] == '.'))
            isa = c;
    }
    if (!isa)
        return NULL;
    if (units != NULL)
        *units = n;
    for (size_t i = 0; i < sizeof products / sizeof *products; i++) {
        if (products[i].units == n && strcmp(products[i].isa, isa->isa) == 0)
            return products[i].chip;
    }
    return isa->name;
}
