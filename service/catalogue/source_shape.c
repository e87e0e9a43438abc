/* What takes more than a row of tokens to see (source_code.h): where arrays lie, how they are
 * indexed, what is assigned. Every look ahead is limited, so that time is linear. */
#include "service/catalogue/source_shape.h"

const char *const lore_code_marks[] = {"@tile_copy", "@swizzle", "@padding", "@double_buffer",
    "@vector", "@wide_shared", "@register_tile", "@accumulators", "@register_cache", "@coarse",
    "@persistent", "@shared_atomic", "@running_maximum", "@warp_per_row", "@shared", "@no_shared",
    "@no_barrier", "@no_loop"};
const size_t lore_code_n_marks = sizeof lore_code_marks / sizeof *lore_code_marks;

#define VECTORS                                                                                    \
    "float4 float2 double2 double4 int4 int2 uint4 uint2 longlong2 ulonglong2 ushort4 short4 "     \
    "float4_t floatx4 *f32x4 *f32x2 *f16x8 *f16x4 *bf16x8 *bf16x4 half8 half4 *_half8 u32x4 "      \
    "*u32x4 "                                                                                      \
    "i32x4 fp16x8 __hip_bfloat168"

struct lore_code_symbol *
lore_code_walk_own(struct lore_code_walk *s, size_t i)
{
    struct lore_code_symbol *y = lore_code_symbol(s->c, &s->v[i]);

    if (y->part != s->part) {
        y->part = s->part;
        y->flags &= LORE_SYMBOL_CONST | LORE_SYMBOL_WIDE; /* types of the file stay */
        y->filled = y->read = y->n_reads = 0;
    }
    return y;
}

static void
add_pair(struct lore_code_walk_pairs *p, const struct lore_code_token *a,
    const struct lore_code_token *b)
{
    if (p->n < PAIRS)
        p->v[p->n++] = (struct lore_code_walk_pair){a, b};
}

/* Behind the last index of the array whose name is at I. */
static size_t
behind_indices(const struct lore_code_walk *s, size_t i, size_t end)
{
    for (i++; i < end && is(s, i, "["); i++)
        i = closed(s, i, end);
    return i < end ? i : end;
}

/* ---- arrays ---- */

static bool
is_power(long long x)
{
    return x > 0 && (x & (x - 1)) == 0;
}

/* Whether [FIRST, END) is the size of a row that is padded: "M + 1", "BK + PAD", 33, a constant
 * that is 40. A sum of 2 is a halo. */
static bool
is_padded(const struct lore_code_walk *s, size_t first, size_t end)
{
    const struct lore_code_symbol *y =
        end == first + 1 ? lore_code_find_symbol(s->c, &s->v[first]) : NULL;
    size_t plus = find_like(s, first, end, "+");
    long long x = 0, by = 0;

    size_t named = find_like(s, first, end, "*PAD* *pad* *Pad* *SKEW* *skew*");
    if (named < end)
        return !lore_code_value(s->c, s->v + named, 1, &by) || by != 0;
    bool known = lore_code_value(s->c, s->v + first, end - first, &x);
    if (plus < end && lore_code_value(s->c, s->v + plus + 1, end - plus - 1, &by))
        return by == 1 || ((by == 4 || by == 8) && (!known || is_power(x - by)));
    if (y && y->n_def > 2 && y->n_def < NEAR && y->def != first)
        for (size_t i = y->def + 1; i < y->def + y->n_def; i++)
            if (is(s, i, "+") && lore_code_like(&s->v[i + 1], "1 4 8"))
                return true;
    return known && x > 32 && (is_power(x - 1) || is_power(x - 4) || is_power(x - 8)) &&
           !is_power(x);
}

/* Read the sizes behind the name at I into Y. */
static size_t
read_sizes(struct lore_code_walk *s, size_t i, size_t end, struct lore_code_symbol *y)
{
    long long elements = 1, x;
    size_t head = i; /* ")": float (*name)[N] */
    bool known = true, even = true, padded = false;
    uint32_t n = 0;

    for (i++; i < end && is(s, i, "["); i++) {
        size_t close = closed(s, i, end);
        even &= !padded;
        padded = is_padded(s, i + 1, close);
        known &= lore_code_value(s->c, s->v + i + 1, close - i - 1, &x) && x > 0;
        elements = known && elements < INT32_MAX ? elements * x : elements;
        n++;
        i = close;
    }
    y->n_dims = n;
    if (y->flags & LORE_SYMBOL_SHARED) {
        if (n > 0 && (!known || elements >= (n == 1 ? 8 * TILE : TILE)))
            y->flags |= LORE_SYMBOL_LARGE;
        if (padded && even && (n > 1 || is(s, head, ")")))
            found(s, PADDING);
    }
    y->value = known ? elements : 0;
    y->flags &= ~(unsigned)LORE_SYMBOL_CONST;
    return i < end ? i : end;
}

static void
declare_shared(struct lore_code_walk *s, size_t first, size_t end)
{
    bool dynamic = find_like(s, first, end, "extern") < end;
    bool wide = find_like(s, first, end, VECTORS) < end;

    found(s, SHARED);
    for (size_t i = find_like(s, first, end, "__shared__") + 1; i + 1 < end;) {
        bool name = s->v[i].kind == LORE_CODE_WORD && lore_code_like(&s->v[i + 1], "[ , ; =");
        if (lore_code_is(&s->v[i], "(") || lore_code_is(&s->v[i], "{")) {
            i = closed(s, i, end) + 1;
            continue;
        }
        if (!name) {
            i++;
            continue;
        }
        struct lore_code_symbol *y = lore_code_walk_own(s, i);
        y->flags = LORE_SYMBOL_SHARED;
        i = read_sizes(s, i, end, y);
        if (dynamic)
            y->flags |= LORE_SYMBOL_LARGE;
        if (wide && y->n_dims > 0)
            found(s, WIDE_SHARED);
    }
}

/* Arrays of one thread: "float sum[16][8], x;" */
static void
declare_local(struct lore_code_walk *s, size_t first, size_t end)
{
    if (end < first + 3 || s->v[first].kind != LORE_CODE_WORD ||
        s->v[first + 1 + is(s, first + 1, "*")].kind != LORE_CODE_WORD ||
        lore_code_like(&s->v[first], "return else case goto delete new in for if while extern"))
        return;
    for (size_t i = first + 1; i + 1 < end; i++) {
        if (lore_code_like(&s->v[i], "( {")) {
            i = closed(s, i, end);
            continue;
        }
        if (s->v[i].kind != LORE_CODE_WORD || !is(s, i + 1, "[") ||
            !(s->v[i - 1].kind == LORE_CODE_WORD || is(s, i - 1, ",")))
            continue;
        struct lore_code_symbol *y = lore_code_walk_own(s, i);
        y->flags = LORE_SYMBOL_LOCAL;
        i = read_sizes(s, i, end, y) - 1;
    }
}

/* ---- how arrays are used ---- */

/* Whether the ^ at I mixes two things: not "i ^ 1", and no hash of one thing with itself. */
static bool
mixes(const struct lore_code_walk *s, size_t i, size_t end)
{
    size_t right = i + 1;

    while (right < end && is(s, right, "("))
        right++;
    return i > 0 && right < end && s->v[right].kind == LORE_CODE_WORD &&
           !same(&s->v[right], &s->v[i - 1]) && find_like(s, i > 4 ? i - 4 : 0, i, "*shfl*") == i;
}

/* The indices of the shared array at I. */
static void
look_at_indices(struct lore_code_walk *s, size_t i, size_t end)
{
    struct lore_code_symbol *y = lore_code_find_symbol(s->c, &s->v[i]);
    size_t last = behind_indices(s, i, end), dim = 0;
    long long x;

    for (size_t at = i + 1; at < last && is(s, at, "["); dim++) {
        size_t close = closed(s, at, last);
        for (size_t k = at + 1; k < close && k < at + NEAR; k++) {
            bool whole = y->n_dims < 2 && dim == 0 && close == at + 4;
            if (is(s, k, "^") && mixes(s, k, close) && !whole)
                found(s, SWIZZLE);
            else if (is(s, k, "^") && k + 1 < close && is(s, k + 1, "1") && dim == 0)
                found(s, DOUBLE_BUFFER);
            else if (flags_of(s, k) & LORE_SYMBOL_XORED && !(y->n_dims < 2 && close == at + 2))
                found(s, SWIZZLE);
            else if (is(s, k, "%") && dim == 0 && y->n_dims > 1 && close == k + 2 &&
                     lore_code_like(&s->v[k + 1], "*STAGE* *stage* *Stage*") &&
                     (!lore_code_value(s->c, &s->v[k + 1], 1, &x) || x > 1))
                found(s, DOUBLE_BUFFER);
        }
        at = close + 1;
    }
}

/* Pointers to wide types, by the first thing that they point into. */
static void
look_at_vector(struct lore_code_walk *s, size_t i, size_t end)
{
    size_t at = i + 1;

    at += at < end && is(s, at, "const");
    if (at >= end || !is(s, at, "*"))
        return;
    for (at++; at < end && lore_code_like(&s->v[at], ") > ( & __restrict__ __restrict const");)
        at++;
    if (at < end && flags_of(s, at) & LORE_SYMBOL_SHARED)
        found(s, WIDE_SHARED);
    else if (at < end && s->v[at].kind == LORE_CODE_WORD && at + 1 < end && is(s, at + 1, "=")) {
        size_t far = at + NEAR < end ? at + NEAR : end;
        size_t to =
            first_with(s, at + 2, far, LORE_SYMBOL_SHARED | LORE_SYMBOL_GLOBAL | LORE_SYMBOL_LOCAL);
        found(s, to < far && flags_of(s, to) & LORE_SYMBOL_SHARED ? WIDE_SHARED : VECTOR);
    } else if (at < end && !(flags_of(s, at) & LORE_SYMBOL_LOCAL)) {
        found(s, VECTOR);
    }
}

/* Whether a turn of the loop L moves the variable T on. */
static bool
moves(const struct lore_code_walk_loop *l, const struct lore_code_token *t)
{
    for (size_t i = 0; i < l->n_moved; i++)
        if (same(l->moved[i], t))
            return true;
    return false;
}

static bool
in_counted_loop(const struct lore_code_walk *s, size_t first, size_t end)
{
    for (size_t k = 0; k < s->n_loops; k++)
        for (size_t i = first; s->loop[k].counted && i < end; i++)
            if (moves(&s->loop[k], &s->v[i]))
                return true;
    return false;
}

/* Whether [FIRST, END) depends on the thread, by itself or by how its variables were set. */
static bool
names_thread(const struct lore_code_walk *s, size_t first, size_t end)
{
    for (size_t i = first; i < end && i < first + NEAR; i++) {
        const struct lore_code_symbol *y = lore_code_find_symbol(s->c, &s->v[i]);

        if (is(s, i, "threadIdx") ||
            (y && y->n_def > 0 && y->n_def < NEAR && y->part == s->part &&
                find_like(s, y->def, y->def + y->n_def, "threadIdx") < y->def + y->n_def))
            return true;
    }
    return false;
}

/* Whether the statement loads elements that lie apart, one per turn of a counted loop, into an
 * array of the thread: kept[i] = row[threadIdx.x + 256 * i]. GLOBAL: the array that it reads. */
static bool
keeps_several(const struct lore_code_walk *s, size_t first, size_t equal, size_t global, size_t end)
{
    const struct lore_code_walk_loop *l = s->n_loops > 0 ? &s->loop[s->n_loops - 1] : NULL;
    size_t last = behind_indices(s, global, end);

    if (!l || !l->counted || !(flags_of(s, first) & LORE_SYMBOL_LOCAL) || equal < first + 4 ||
        !moves(l, &s->v[first + 2]) || !names_thread(s, global + 1, last))
        return false;
    for (size_t i = global + 2; i + 1 < last; i++)
        if (is(s, i, "*") && (moves(l, &s->v[i - 1]) || moves(l, &s->v[i + 1])))
            return true;
    return false;
}

/* "using vec = float4;", "typedef float4 vec;": the name is as wide as the type at I. */
static void
name_vector(struct lore_code_walk *s, size_t i, size_t end)
{
    if (i > 2 && is(s, i - 1, "=") && is(s, i - 3, "using"))
        lore_code_walk_own(s, i - 2)->flags |= LORE_SYMBOL_WIDE;
    else if (i > 0 && i + 1 < end && is(s, i - 1, "typedef"))
        lore_code_walk_own(s, i + 1)->flags |= LORE_SYMBOL_WIDE;
}

void
lore_code_walk_word(struct lore_code_walk *s, size_t i, size_t end)
{
    unsigned flags = flags_of(s, i);
    bool vector = lore_code_like(&s->v[i], VECTORS);

    const struct lore_code_symbol *type = lore_code_find_symbol(s->c, &s->v[i]);

    if (is(s, i, "using") && i + 1 < end)
        lore_code_walk_own(s, i + 1)->flags &= ~(unsigned)LORE_SYMBOL_WIDE;
    if (vector)
        name_vector(s, i, end);
    if (vector || (type && type->flags & LORE_SYMBOL_WIDE))
        look_at_vector(s, i, end);
    if (lore_code_like(&s->v[i], "__syncthreads __syncwarp_block barrier"))
        s->barrier = true;
    if (lore_code_like(&s->v[i], "*shfl*"))
        s->shuffle = true;
    if (flags & LORE_SYMBOL_SHARED && i + 1 < end && is(s, i + 1, "["))
        look_at_indices(s, i, end);
    if (flags & LORE_SYMBOL_SHARED && i > 1 && is(s, i - 1, "&") && is(s, i - 2, "(") && i > 2 &&
        lore_code_like(&s->v[i - 3], "atomic*") && is(s, i + 1, "["))
        found(s, SHARED_ATOMIC);
    if (lore_code_like(&s->v[i], "*exp* *exp2*") && i + 1 < end && is(s, i + 1, "(")) {
        size_t a = i + 2;
        while (a < end && is(s, a, "("))
            a++;
        if (a + 2 < end && is(s, a + 1, "-") && s->v[a + 2].kind == LORE_CODE_WORD)
            add_pair(&s->decays, &s->v[a], &s->v[a + 2]);
    }
}

/* A loaded array that several loops read. */
static void
count_read(struct lore_code_walk *s, size_t i)
{
    struct lore_code_symbol *y = lore_code_find_symbol(s->c, &s->v[i]);
    uint32_t loop = s->n_loops > 0 ? s->loop[s->n_loops - 1].id : 0;

    if (loop == 0 || loop == y->read)
        return;
    y->read = loop;
    if (++y->n_reads == 2)
        found(s, REGISTER_CACHE);
}

/* ---- assignments ---- */

/* The statement sets the thing at NAME to [FIRST, END). POINTER: it declares a pointer. */
static void
assign(struct lore_code_walk *s, size_t name, size_t first, size_t end, bool pointer)
{
    struct lore_code_symbol *y = lore_code_walk_own(s, name);
    size_t from = first_with(s, first, end, LORE_SYMBOL_SHARED | LORE_SYMBOL_GLOBAL);
    bool element = is(s, name + 1, "[");
    size_t max = find_like(s, first, end, "*max* *maximum*");
    unsigned of = from < end ? flags_of(s, from) : 0;

    if (pointer && of) {
        y->flags = of & (LORE_SYMBOL_SHARED | LORE_SYMBOL_GLOBAL | LORE_SYMBOL_LARGE);
        y->n_dims = lore_code_find_symbol(s->c, &s->v[from])->n_dims;
    } else if (find_like(s, first, end, "__cvta_generic_to_shared") < end) {
        y->flags |= LORE_SYMBOL_SHARED | LORE_SYMBOL_LARGE;
    } else if (!(y->flags & (LORE_SYMBOL_SHARED | LORE_SYMBOL_GLOBAL)) &&
               (of & LORE_SYMBOL_GLOBAL || first_with(s, first, end, LORE_SYMBOL_LOADED) < end)) {
        if (y->flags & LORE_SYMBOL_LOCAL && element && !(y->flags & LORE_SYMBOL_LOADED))
            y->filled = s->n_loops > 0 ? s->loop[s->n_loops - 1].id : 0;
        y->flags |= LORE_SYMBOL_LOADED;
    }
    if (find_like(s, first, end, "blockIdx program_id") < end ||
        first_with(s, first, end, LORE_SYMBOL_BLOCK) < end)
        y->flags |= LORE_SYMBOL_BLOCK;
    for (size_t i = find_like(s, first, end, "^"); i < end; i = find_like(s, i + 1, end, "^"))
        if (mixes(s, i, end) && !same(&s->v[i - 1], &s->v[name]))
            y->flags |= LORE_SYMBOL_XORED;
    for (size_t i = max; i < end && i < max + NEAR; i++)
        if (s->v[i].kind == LORE_CODE_WORD && i + 1 < end && lore_code_like(&s->v[i + 1], ") ,"))
            add_pair(&s->maxima, &s->v[i], &s->v[name]);
    if (end == first + 1 && s->v[first].kind == LORE_CODE_WORD)
        add_pair(&s->copies, &s->v[name], &s->v[first]);
    if (!element) {
        y->def = first;
        y->n_def = end - first;
    }
}

/* sum[r][j] += x[r] * y[j] */
static void
accumulate(struct lore_code_walk *s, size_t name, size_t first, size_t end)
{
    const struct lore_code_symbol *y = lore_code_find_symbol(s->c, &s->v[name]);

    if (!y || y->part != s->part || !(y->flags & LORE_SYMBOL_LOCAL) || s->n_loops == 0 ||
        y->value < 2)
        return;
    if (y->n_dims > 1 && find_like(s, first, end, "* *fma*") < end)
        found(s, REGISTER_TILE);
    else if (s->loop[s->n_loops - 1].counted && y->n_dims == 1 && is(s, name + 1, "[") &&
             s->v[name + 2].kind == LORE_CODE_WORD)
        found(s, ACCUMULATORS);
}

/* Every assignment of the statement [FIRST, END). */
static void
assignments(struct lore_code_walk *s, size_t first, size_t end)
{
    for (size_t i = first; i < end; i++) {
        if (lore_code_like(&s->v[i], "( [ {")) {
            i = closed(s, i, end);
            continue;
        }
        bool plain = is(s, i, "="), sum = lore_code_like(&s->v[i], "+= -=");
        size_t name = i > first ? i - 1 : i, to = i + 1;
        if (!(plain || sum) || name == i)
            continue;
        while (name > first && is(s, name, "]") && s->match[name] > first)
            name = s->match[name] - 1;
        bool wrapped = is(s, name, ")") && name > first + 2 && is(s, name - 2, "*");
        name -= wrapped; /* float (*as)[BK][N] = … */
        if (s->v[name].kind != LORE_CODE_WORD)
            continue;
        while (to < end && (plain || to < i + NEAR) && !is(s, to, ","))
            to = (lore_code_like(&s->v[to], "( [ {") ? closed(s, to, end) : to) + 1;
        to = to < end ? to : end;
        if (sum) { /* its value may be an assignment */
            accumulate(s, name, i + 1, to < i + NEAR ? to : i + NEAR);
            continue;
        }
        bool pointer = name > first + 1 && is(s, name - 1, "*");
        if (name > first && name + 1 == i && s->v[name - 1].kind == LORE_CODE_WORD)
            lore_code_walk_own(s, name)->flags &=
                LORE_SYMBOL_CONST; /* a new variable of an old name */
        assign(s, name, i + 1, to, pointer || wrapped);
        struct lore_code_symbol *y = lore_code_walk_own(s, name);
        if (wrapped && y->flags & LORE_SYMBOL_SHARED) {
            (void)read_sizes(s, name + 1, end, y);
            y->n_dims++;
        }
        bool sums = find_like(s, i + 1, to, "* + *fma*") < to;
        for (size_t k = i + 1; k < to && sums; k++)
            if (same(&s->v[k], &s->v[name])) {
                accumulate(s, name, i + 1, to);
                break;
            }
        i = to;
    }
}

void
lore_code_walk_statement(struct lore_code_walk *s, size_t first, size_t end)
{
    size_t shared, global, equal = find_like(s, first, end, "= += -=");
    bool atomic = find_like(s, first, end, "*atomic*") < end;

    if (find_like(s, first, end, "__shared__") < end)
        declare_shared(s, first, end);
    else
        declare_local(s, first, end);
    assignments(s, first, end);
    for (size_t i = first; i < end; i++) {
        lore_code_walk_word(s, i, end);
        unsigned flags = i > equal && is(s, i + 1, "[") ? flags_of(s, i) : 0;
        if (flags & LORE_SYMBOL_LOCAL && flags & LORE_SYMBOL_LOADED)
            count_read(s, i);
    }
    shared = first_with(s, first, end, LORE_SYMBOL_LARGE);
    global = equal < end ? first_with(s, equal, end, LORE_SYMBOL_GLOBAL | LORE_SYMBOL_LOADED)
                         : first_with(s, shared, end, LORE_SYMBOL_GLOBAL);
    if (shared < end && global < end && !atomic && (equal == end || shared < equal) &&
        !(first + 1 < end && s->v[first + 1].kind == LORE_CODE_WORD && equal < end))
        found(s, TILE_COPY);
    if (shared < end && first_with(s, shared, end, LORE_SYMBOL_XORED) < end &&
        first_with(s, first, end, LORE_SYMBOL_SHARED) < end && !is(s, shared + 1, "["))
        found(s, SWIZZLE);
    global = first_with(s, first, end, LORE_SYMBOL_GLOBAL);
    bool stores = lore_code_like(&s->v[first], "__st*") || (equal < end && global < equal);
    if (global < end && !atomic && first >= s->guarded &&
        (stores ? in_counted_loop(s, first, end) : keeps_several(s, first, equal, global, end)))
        found(s, COARSE);
    if (find_like(s, first, end, "blockIdx") < end)
        for (size_t i = first; i + 4 < end; i++)
            s->warp_row |=
                is(s, i, "threadIdx") &&
                ((is(s, i + 3, "/") && lore_code_like(&s->v[i + 4], "32 warpSize WARP*")) ||
                    (is(s, i + 3, ">>") && is(s, i + 4, "5")));
}
