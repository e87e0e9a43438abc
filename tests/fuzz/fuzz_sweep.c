// uses: wire
/* A sweep from any bytes. 'T' and lines: the texts of a submission (values, times, samples,
 * failures); what is read comes back from its packed form. 'B': the three frames of a packed sweep,
 * whose lengths are the next four bytes; what is unpacked can be packed again. */
#include <stdlib.h>
#include <string.h>

#include "service/base/file.h"
#include "service/base/hash.h"
#include "service/wire/sweep.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static void
must(bool true_of_every_input)
{
    if (!true_of_every_input)
        abort();
}

static void
come_back(const struct lore_sweep_data *d, struct lore_arena *arena)
{
    LORE_BUF first = {0}, second = {0};
    struct lore_sweep_data back;
    struct lore_sweep_witness *w;
    char print[33];
    size_t n;

    must(lore_sweep_pack(d, &first, NULL) == LORE_OK);
    must(lore_sweep_unpack(first.data, first.len, LORE_SWEEP_ALL, arena, &back, NULL) == LORE_OK);
    must(lore_sweep_pack(&back, &second, NULL) == LORE_OK);
    must(first.len == second.len && memcmp(first.data, second.data, first.len) == 0);
    (void)lore_sweep_order(&back, arena, &n);
    (void)lore_sweep_witnesses(&back, arena, &w);
    lore_sweep_print(&back, arena, print);
}

static void
try_texts(char *text, struct lore_arena *arena)
{
    const char *line[4] = {NULL};
    char *rest = NULL;
    size_t n = 0;

    for (char *at = strtok_r(text, "\n", &rest); at && n < 4; at = strtok_r(NULL, "\n", &rest))
        line[n++] = at;
    if (n < 2)
        return;
    struct lore_sweep_column column = {.name = "p", .values = line[0]};
    struct lore_sweep_failed failed = {.type = "runtime", .at = line[3]};
    struct lore_configurations c = {.set = true,
        .parameters = &column,
        .n_parameters = 1,
        .times_ns = line[1],
        .samples_ns = line[2],
        .failures = &failed,
        .n_failures = line[3] != NULL};
    struct lore_sweep_data d;

    for (c.count = (struct lore_i64){true, 1}; c.count.v < 40; c.count.v++)
        if (lore_sweep_read(&c, arena, &d, NULL) == LORE_OK)
            come_back(&d, arena);
}

static void
add_frame(struct lore_buf *blob, const unsigned char *p, size_t n)
{
    LORE_BUF packed = {0};

    must(lore_zstd_pack(p, n, &packed, NULL) == LORE_OK);
    for (unsigned shift = 0; shift < 32; shift += 8)
        lore_buf_putc(blob, (char)(packed.len >> shift));
    lore_buf_add(blob, packed.data, packed.len);
}

static void
try_frames(const unsigned char *p, size_t size, struct lore_arena *arena)
{
    LORE_BUF blob = {0};
    struct lore_sweep_data d;

    if (size < 4)
        return;
    size_t first = (size_t)p[0] << 8 | p[1], second = (size_t)p[2] << 8 | p[3];
    p += 4;
    size -= 4;
    first = first < size ? first : size;
    second = second < size - first ? second : size - first;
    lore_buf_putc(&blob, 1);
    add_frame(&blob, p, first);
    add_frame(&blob, p + first, second);
    add_frame(&blob, p + first + second, size - first - second);
    if (lore_sweep_unpack(blob.data, blob.len, LORE_SWEEP_ALL, arena, &d, NULL) == LORE_OK)
        come_back(&d, arena);
}

int
LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    struct lore_arena arena = {0};

    lore_hash_init();
    if (size > 0 && data[0] == 'T')
        try_texts(lore_strndup(&arena, (const char *)data + 1, size - 1), &arena);
    else if (size > 0)
        try_frames(data + 1, size - 1, &arena);
    lore_arena_free(&arena);
    return 0;
}
