/* What of a source can run (source_code.h): file scope, the functions that something live names,
 * and the macros that it uses. A kernel lives when it is launched, or when the source launches
 * none; a function of the host lives unless it is static. Branches on a constant 0 are left out. */
#include <string.h>

#include "service/base/fnv.h"
#include "service/catalogue/source_code.h"

enum { TABLE = 512, CHAIN = 16, NEAR = 40 /* tokens of a condition or value */ };

struct living {
    struct lore_code *c;
    struct lore_code_part *table[TABLE];
    struct lore_code_part **todo;
    size_t n_todo;
    bool launches;
};

/* ---- parts of C ---- */

static void
add_part(struct lore_code *c, struct lore_code_part part)
{
    if (part.n > 0)
        *LORE_PUSH(c->arena, c->parts, c->n_parts, c->cap_parts) = part;
}

/* The name of the function whose head is V[FIRST..OPEN), where OPEN is its brace; NULL: it is none.
 */
static const struct lore_code_token *
name_of(const struct lore_code_token *v, size_t first, size_t open)
{
    const struct lore_code_token *name = NULL;

    for (size_t i = first; i < open; i++) {
        if (lore_code_like(&v[i], "= enum"))
            return NULL;
        if (!lore_code_is(&v[i], "(") || i == first)
            continue;
        if (v[i - 1].kind == LORE_CODE_WORD &&
            !lore_code_like(&v[i - 1], "__launch_bounds__ __align__ alignas __attribute__ decltype "
                                       "noexcept requires __cluster_dims__ __maxnreg__"))
            name = &v[i - 1];
        i = lore_code_close(v, open, i);
        if (name && i + 1 < open && lore_code_is(&v[i + 1], ":"))
            break; /* the members that a constructor sets */
    }
    return name;
}

static bool
has_word(const struct lore_code_token *v, size_t n, const char *words)
{
    for (size_t i = 0; i < n; i++)
        if (lore_code_like(&v[i], words))
            return true;
    return false;
}

static void
add_function(
    struct lore_code *c, const struct lore_code_token *name, size_t first, size_t open, size_t end)
{
    const struct lore_code_token *head = &c->raw.v[first];
    bool kernel = has_word(head, open - first, "__global__");
    bool device = has_word(head, open - first, "__device__ *DEVICE* __forceinline__");

    add_part(c, (struct lore_code_part){.name = name->at,
                    .len = name->len,
                    .first = first,
                    .n = end - first,
                    .kernel = kernel,
                    .device = kernel || device,
                    .fixed = device || has_word(head, open - first, "static inline")});
}

/* Split RAW into functions and what lies between. The braces of namespaces and classes open no
 * part.
 */
static void
split_c(struct lore_code *c)
{
    const struct lore_code_token *v = c->raw.v, *name;
    size_t n = c->raw.n, begin = 0, head = 0, i = 0;

    while (i < n) {
        if (lore_code_like(&v[i], "; }") ||
            (lore_code_is(&v[i], ":") && i > 0 &&
                lore_code_like(&v[i - 1], "public private protected"))) {
            head = ++i;
        } else if (!lore_code_is(&v[i], "{")) {
            i++;
        } else if ((name = name_of(v, head, i)) != NULL) {
            size_t end = lore_code_close(v, n, i);
            end += end < n;
            add_part(c, (struct lore_code_part){.first = begin, .n = head - begin, .live = true});
            add_function(c, name, head, i, end);
            begin = head = i = end;
        } else if (has_word(v + head, i - head, "= enum") ||
                   (i > head && lore_code_is(&v[i - 1], "]"))) {
            head = i = lore_code_close(v, n, i);
        } else {
            head = ++i;
        }
    }
    add_part(c, (struct lore_code_part){.first = begin, .n = n - begin, .live = true});
}

/* ---- parts of Python ---- */

/* A function with its decorators is a part. */
static void
split_python(struct lore_code *c)
{
    const struct lore_code_token *v = c->raw.v;
    size_t n = c->raw.n, i = 0;

    while (i < n) {
        size_t first = i, def = n;
        bool kernel = false;

        do { /* decorators, and the line that they stand before */
            bool mark = i + 1 < n && lore_code_is(&v[i + 1], "@");
            for (i++; i < n && !(lore_code_is(&v[i], ";") && v[i].indent == 0); i++) {
                kernel |= mark && lore_code_like(&v[i], "jit kernel prim_func *_jit");
                if (def == n && !mark && v[i].kind == LORE_CODE_WORD && i > first &&
                    lore_code_is(&v[i - 1], "def"))
                    def = i;
            }
            if (!mark)
                break;
        } while (i < n);
        if (def < n)
            add_part(c, (struct lore_code_part){.name = v[def].at,
                            .len = v[def].len,
                            .first = first,
                            .n = i - first,
                            .kernel = kernel,
                            .device = kernel,
                            .fixed = kernel});
        else
            add_part(c, (struct lore_code_part){.first = first, .n = i - first, .live = true});
    }
}

/* ---- what lives ---- */

static void
index_parts(struct living *l)
{
    for (size_t i = l->c->n_parts; i-- > 0;) {
        struct lore_code_part *p = &l->c->parts[i];
        if (p->name) {
            size_t at = lore_fnv_bytes(LORE_FNV, p->name, p->len) % TABLE;
            p->next = l->table[at];
            l->table[at] = p;
        }
    }
}

static void
enliven(struct living *l, struct lore_code_part *p)
{
    p->live = true;
    l->todo[l->n_todo++] = p;
}

/* Enliven the parts that T names. A chain is followed for CHAIN steps: see source_lex.c. */
static void
mention(struct living *l, const struct lore_code_token *t)
{
    size_t at = lore_fnv_bytes(LORE_FNV, t->at, t->len) % TABLE, n = 0;

    for (struct lore_code_part *p = l->table[at]; p && n < CHAIN; p = p->next, n++)
        if (!p->live && p->len == t->len && memcmp(p->name, t->at, t->len) == 0)
            enliven(l, p);
}

static const struct lore_code_token *
tokens_of(const struct lore_code *c, const struct lore_code_part *p)
{
    return p->macro ? c->aside.v + p->first : c->raw.v + p->first;
}

/* The index behind the branch at I of V[0..N) that is never taken; I: it may be. */
static size_t
skip_never(const struct lore_code *c, const struct lore_code_token *v, size_t n, size_t i)
{
    size_t at = i + 1, end;
    long long x;

    if (!lore_code_is(&v[i], "if"))
        return i;
    if (c->family == LORE_CODE_PYTHON) {
        for (end = at; end < n && end < at + NEAR && !lore_code_is(&v[end], ":");)
            end++;
        if (i == 0 || !lore_code_is(&v[i - 1], ";") || !lore_code_value(c, v + at, end - at, &x) ||
            x)
            return i;
        uint16_t indent = v[i - 1].indent;
        while (end < n && !(lore_code_is(&v[end], ";") && v[end].indent <= indent))
            end++;
        return end;
    }
    at += at < n && lore_code_is(&v[at], "constexpr");
    if (at >= n || !lore_code_is(&v[at], "("))
        return i;
    end = lore_code_close(v, at + NEAR < n ? at + NEAR : n, at);
    if (end >= n || !lore_code_is(&v[end], ")") ||
        !lore_code_value(c, v + at + 1, end - at - 1, &x) || x)
        return i;
    if (end + 1 < n && lore_code_is(&v[end + 1], "{")) {
        end = lore_code_close(v, n, end + 1);
        return end < n ? end + 1 : n;
    }
    while (end < n && !lore_code_is(&v[end], ";"))
        end++;
    return end;
}

/* Mention the words of P, and append it to the live tokens unless it is a macro's body that must
 * not be read as a statement. */
static void
read_part(struct living *l, struct lore_code_part *p, struct lore_code_part *out)
{
    struct lore_code *c = l->c;
    const struct lore_code_token *v = tokens_of(c, p);

    *out = *p;
    out->first = c->live.n;
    for (size_t i = 0; i < p->n; i++) {
        for (size_t to; i < p->n && (to = skip_never(c, v, p->n, i)) != i;)
            i = to;
        if (i == p->n)
            break;
        if (v[i].kind == LORE_CODE_WORD)
            mention(l, &v[i]);
        *LORE_PUSH(c->arena, c->live.v, c->live.n, c->live.cap) = v[i];
    }
    *LORE_PUSH(c->arena, c->live.v, c->live.n, c->live.cap) =
        (struct lore_code_token){";", 1, LORE_CODE_MARK, 0};
    out->n = c->live.n - out->first;
}

/* Constants of C and Python: "constexpr int A = 4", "enum { A = 4, B }", "A: tl.constexpr = 4". */
static void
read_constants(struct lore_code *c, const struct lore_code_token *v, size_t n)
{
    bool in_enum = false, constant = c->family == LORE_CODE_PYTHON;
    long long next = 0;

    for (size_t i = 0; i < n; i++) {
        in_enum |= lore_code_is(&v[i], "enum");
        constant |= lore_code_like(&v[i], "const constexpr");
        if (lore_code_like(&v[i], "; }")) {
            in_enum = false;
            constant = c->family == LORE_CODE_PYTHON;
            next = 0;
        }
        if (v[i].kind != LORE_CODE_WORD || i + 1 >= n)
            continue;
        size_t eq = i + 1, end;
        if (constant && !in_enum && lore_code_is(&v[eq], ":"))
            while (eq + 1 < n && eq < i + 6 && !lore_code_is(&v[eq], "="))
                eq++;
        bool stated = lore_code_is(&v[eq], "=");
        if (!(stated && (constant || in_enum)) &&
            !(in_enum && i > 0 && lore_code_like(&v[i - 1], "{ ,") &&
                lore_code_like(&v[i + 1], ", }")))
            continue;
        for (end = eq + stated; end < n && end < eq + NEAR && !lore_code_like(&v[end], ", ; } )");
             end++)
            if (lore_code_like(&v[end], "( [ {"))
                end = lore_code_close(v, end + NEAR < n ? end + NEAR : n, end);
        struct lore_code_symbol *s = lore_code_symbol(c, &v[i]);
        if (stated && end < n && lore_code_value(c, v + eq + 1, end - eq - 1, &next)) {
            s->value = next;
            s->flags |= LORE_SYMBOL_CONST;
        } else if (!stated) {
            s->value = next;
            s->flags |= LORE_SYMBOL_CONST;
        }
        next++;
    }
}

bool
lore_code_find_live(struct lore_code *c)
{
    struct living l = {.c = c};
    struct lore_code_part *live;
    bool kernel = false, host = false;
    size_t n = 0;

    if (c->family == LORE_CODE_C)
        split_c(c);
    else
        split_python(c);
    read_constants(c, c->raw.v, c->raw.n);
    index_parts(&l);
    l.todo = lore_alloc_array(c->arena, c->n_parts + 1, sizeof(struct lore_code_part *));
    live = lore_alloc_array(c->arena, c->n_parts + 1, sizeof *live);
    for (size_t i = 0; i < c->n_parts; i++) {
        kernel |= c->parts[i].kernel;
        host |= c->parts[i].name && !c->parts[i].device && !c->parts[i].macro;
    }
    l.launches = host && has_word(c->raw.v, c->raw.n,
                             c->family == LORE_CODE_C ? "<<< cudaLaunch* hipLaunch*" : "[");
    for (size_t i = 0; i < c->n_parts; i++) {
        struct lore_code_part *p = &c->parts[i];
        if (p->live || (p->kernel ? !l.launches : !p->fixed || (!kernel && !p->macro)))
            enliven(&l, p);
    }
    while (n < l.n_todo) {
        read_part(&l, l.todo[n], &live[n]);
        n++;
    }
    c->parts = live;
    c->n_parts = n;
    *LORE_PUSH(c->arena, c->live.v, c->live.n, c->live.cap) = /* so that a look ahead finds one */
        (struct lore_code_token){";", 1, LORE_CODE_MARK, 0};
    c->live.n--;
    for (size_t i = 0; i < n && !kernel; i++)
        kernel = live[i].device;
    return kernel || c->assembly ||
           (c->family == LORE_CODE_PYTHON && has_word(c->live.v, c->live.n, "prim_func"));
}
