// uses: wire
/* Any text as dims: it parses into pairs whose label and identity are valid UTF-8, or is refused
 * with a message that can be sent. The same text as labels, chip and technique must not hurt.
 * As a time it is one of more than 0, or refused. */
#include <stdlib.h>
#include <string.h>

#include "service/base/duration.h"
#include "service/base/text.h"
#include "service/catalogue/catalogue.h"
#include "service/wire/wire.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static void
must(bool true_of_every_input)
{
    if (!true_of_every_input)
        abort();
}

static void
check_time(const char *text)
{
    struct lore_err err = {0};
    double ns = 0;

    if (lore_duration_parse(text, "time", &ns, &err) == LORE_OK)
        must(ns > 0 && ns <= 9e15);
    else
        must(lore_utf8_valid(err.msg, strlen(err.msg)) &&
             lore_utf8_valid(err.hint, strlen(err.hint)));
}

static void
check_names(struct lore_arena *arena, const char *text)
{
    uint32_t bits = lore_labels_parse(text, NULL);

    must(lore_labels_parse(lore_labels_text(arena, bits), NULL) == bits);
    must(lore_technique_slug(arena, text)[0] != '\0');
    must(lore_operator_name(arena, text)[0] != '\0');
    (void)lore_chip_hint(arena, text);
    (void)lore_metric_find(text);
}

int
LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    struct lore_arena arena = {0};
    struct lore_workload w = {0};
    struct lore_err err = {0};
    const char *text = lore_strndup(&arena, (const char *)data, size);

    if (lore_dims_parse(text, &arena, &w.dims, &err) == LORE_OK) {
        const char *id = lore_workload_text(&arena, "gemm", &w);
        const char *label = lore_workload_label(&arena, &w);

        must(lore_utf8_valid(id, strlen(id)) && lore_utf8_valid(label, strlen(label)));
    } else {
        must(lore_utf8_valid(err.msg, strlen(err.msg)) && err.code);
    }
    check_time(text);
    if (size < 200)
        check_names(&arena, text);
    lore_arena_free(&arena);
    return 0;
}
