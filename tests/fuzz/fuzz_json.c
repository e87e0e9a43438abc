// uses: base
/* Any bytes: the parser answers or names the mistake. What it accepts is written out, read again,
 * and must say the same (equal digests); what it refuses carries a code and a message. */
#include <stdlib.h>
#include <string.h>

#include "service/base/hash.h"
#include "service/base/json.h"
#include "service/base/jsonw.h"
#include "service/base/text.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static const struct lore_json_limits limits = {24, 4096, 512, 4096};

static void
must(bool true_of_every_input)
{
    if (!true_of_every_input)
        abort();
}

static void
check_refusal(const struct lore_err *err)
{
    must(err->status != LORE_OK && err->code && err->msg[0] != '\0');
    must(!strchr(err->msg, '\n'));
    must(lore_utf8_valid(err->msg, strlen(err->msg)));
    must(lore_utf8_valid(err->path, strlen(err->path)));
}

/* Every node: parents and counts fit, text is UTF-8 and holds no NUL, paths fit any buffer. */
static void
walk(const struct lore_json *node)
{
    const struct lore_json *m;
    uint32_t n = 0;
    char path[24];

    lore_json_path(node, path, sizeof path);
    must(strlen(path) < sizeof path && path[0] != '\0' && lore_utf8_valid(path, strlen(path)));
    if (node->type == LORE_J_STRING)
        must(strlen(node->str) == node->len && lore_utf8_valid(node->str, node->len));
    for (m = node->child; m != NULL; m = m->next) {
        must(m->parent == node && m->index == n++);
        must((m->key != NULL) == (node->type == LORE_J_OBJECT));
        must(!m->key || lore_json_get(node, m->key) == m);
        walk(m);
    }
    must(!node->child || n == node->len);
}

static void
check_round_trip(const struct lore_json *node, bool pretty)
{
    unsigned char before[32], after[32];
    struct lore_arena arena = {0};
    struct lore_buf buf = {0};
    struct lore_json *again;
    struct lore_jsonw w;
    struct lore_err err;

    lore_jsonw_begin(&w, &buf, pretty);
    lore_w_node(&w, node);
    must(lore_jsonw_end(&w, &err) == LORE_OK);
    must(lore_json_parse(buf.data, buf.len, &limits, &arena, &again, &err) == LORE_OK);
    lore_json_digest(node, before);
    lore_json_digest(again, after);
    must(memcmp(before, after, sizeof before) == 0);
    lore_arena_free(&arena);
    lore_buf_free(&buf);
}

int
LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    struct lore_arena arena = {0};
    struct lore_json *root = NULL;
    struct lore_err err = {0};

    if (lore_json_parse((const char *)data, size, &limits, &arena, &root, &err) == LORE_OK) {
        walk(root);
        check_round_trip(root, false);
        check_round_trip(root, true);
    } else {
        must(!root);
        check_refusal(&err);
    }
    lore_arena_free(&arena);
    return 0;
}
