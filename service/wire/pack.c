/* Writes and reads packed numbers and texts (pack.h). Reading trusts nothing. */
#include "service/wire/pack.h"

#include <string.h>

void
lore_pack_u64(struct lore_buf *out, uint64_t v)
{
    for (; v >= 0x80; v >>= 7)
        lore_buf_putc(out, (char)(v | 0x80));
    lore_buf_putc(out, (char)v);
}

uint64_t
lore_unpack_u64(struct lore_unpack *u)
{
    uint64_t v = 0;

    for (unsigned shift = 0; shift < 64 && u->p < u->end; shift += 7) {
        unsigned char byte = *u->p++;
        if (shift == 63 && byte > 1)
            break;
        v |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80)
            return v;
    }
    u->bad = true;
    u->p = u->end;
    return 0;
}

const unsigned char *
lore_unpack_bytes(struct lore_unpack *u, size_t n)
{
    const unsigned char *at = u->p;

    if (u->bad || (size_t)(u->end - u->p) < n) {
        u->bad = true;
        u->p = u->end;
        return NULL;
    }
    u->p += n;
    return at;
}

void
lore_pack_text(struct lore_buf *out, const char *text)
{
    size_t len = text ? strlen(text) : 0;

    lore_pack_u64(out, text ? len + 1 : 0);
    lore_buf_add(out, text ? text : "", len);
}

const char *
lore_unpack_text(struct lore_unpack *u, struct lore_arena *arena)
{
    uint64_t n = lore_unpack_u64(u);
    const unsigned char *bytes = n > 0 ? lore_unpack_bytes(u, (size_t)n - 1) : NULL;

    return bytes ? lore_strndup(arena, (const char *)bytes, (size_t)n - 1) : NULL;
}

void
lore_pack_f64s(struct lore_buf *out, const double *v, size_t n)
{
    for (unsigned weight = 0; weight < 64; weight += 8) {
        for (size_t i = 0; i < n; i++) {
            uint64_t bits;
            memcpy(&bits, &v[i], sizeof bits);
            lore_buf_putc(out, (char)(bits >> weight));
        }
    }
}

double *
lore_unpack_f64s(struct lore_unpack *u, size_t n, struct lore_arena *arena)
{
    const unsigned char *bytes = lore_unpack_bytes(u, 8 * n);
    double *v = bytes ? lore_alloc_array(arena, n + 1, sizeof *v) : NULL;

    for (size_t i = 0; v && i < n; i++) {
        uint64_t bits = 0;
        for (unsigned k = 0; k < 8; k++)
            bits |= (uint64_t)bytes[k * n + i] << 8 * k;
        memcpy(&v[i], &bits, sizeof bits);
    }
    return v;
}
