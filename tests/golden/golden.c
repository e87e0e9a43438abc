/* What a fixed memory answers, compared byte for byte with tests/golden/answers:
 *   golden WARPLORED GOLDEN_DIR TESTS_DIR
 * and what the demo with the campaign of tests/fixtures/h200 answers, with tests/golden/campaign:
 * these change with every record that is shipped later, and are blessed again then. LORE_BLESS=1
 * rewrites the files instead; look at the difference before you commit it. What the clock or the
 * process decides is masked (see masked_members), and fractions are rounded to nine digits, so that
 * compilers may differ in the last bit. */
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "service/base/arena.h"
#include "service/base/file.h"
#include "service/base/hash.h"
#include "service/base/json.h"
#include "service/base/jsonw.h"
#include "tests/http/service.h"

struct answer {
    const char *file, *path;
};
static const struct answer answers[] = {
    {"recommend-softmax-sm_86",
        "recommend?operator=softmax&chip=sm_86&bottleneck=memory&limit=3&quiet=true&explain=true"},
    {"recommend-topk_softmax-mi300x",
        "recommend?operator=topk_softmax&chip=mi300x&limit=3&quiet=true&explain=true"},
    {"recommend-nothing-known",
        "recommend?operator=quux&chip=b200&bottleneck=tail&limit=1&quiet=true&explain=true"},
    {"leaderboard", "leaderboard?limit=200"},
    {"leaderboard-mi300x", "leaderboard?chip=mi300x&sort=-speedup"},
    {"experiments-failed", "experiments?effect=loss&limit=3"},
    {"experiments-text", "experiments?words=bank%20conflicts&limit=3"},
    {"experiment-measured", "experiments/01J0000000000000000000EXP1"},
    {"experiment-claimed", "experiments/01J0000000000000000000EXP2"},
    {"run-failed", "runs/01J0000000000000000000RND1"},
    {"kernel", "kernels/01J0000000000000000000KRN1"},
    {"facets", "facets?chip=sm_86"},
    {"stats", "stats"},
    {"search", "search?words=shared%20memory&limit=5"},
    {"routes", "_routes"},
    {"metrics", "_metrics"},
};
static const struct answer campaign[] = {
    {"leaderboard", "leaderboard?chip=h200&limit=200"},
    {"recommend-softmax", "recommend?operator=softmax&chip=h200&quiet=true&explain=true"},
    {"recommend-softmax-memory",
        "recommend?operator=softmax&chip=h200&bottleneck=memory&quiet=true&explain=true"},
    {"recommend-gemm", "recommend?operator=gemm&chip=h200&quiet=true&explain=true"},
    {"recommend-gemm-compute",
        "recommend?operator=gemm&chip=h200&bottleneck=compute&quiet=true&explain=true"},
    {"recommend-transpose", "recommend?operator=transpose&chip=h200&quiet=true&explain=true"},
    {"recommend-transpose-memory",
        "recommend?operator=transpose&chip=h200&bottleneck=memory&quiet=true&explain=true"},
    {"experiments-lost", "experiments?chip=h200&effect=loss&limit=200"},
    {"calibration", "calibration"},
    {"brief-gemm", "brief?operator=gemm&chip=h200&quiet=true"},
    {"brief-gemm_f32", "brief?kernel=0000000000BQ5NF195YCGKM91J&quiet=true"},
    {"brief-rmsnorm-triton", "brief?operator=rmsnorm&chip=h200&language=triton&quiet=true"},
    {"brief-gated_rmsnorm_quant-mi300x",
        "brief?operator=gated_rmsnorm_quant&chip=mi300x&quiet=true"},
    {"brief-gemm-a6000", "brief?operator=gemm&chip=a6000&language=cuda&quiet=true"},
    {"brief-softmax-mi300x-1500", "brief?operator=softmax&chip=mi300x&max_bytes=1500&quiet=true"},
};

static const char *const masked_members[] = {
    "received_at", "updated_at", "at", "request_id", "uptime_s", "generation"};

static bool
is_masked(const char *key)
{
    for (size_t i = 0; key != NULL && i < sizeof masked_members / sizeof masked_members[0]; i++) {
        if (strcmp(key, masked_members[i]) == 0)
            return true;
    }
    return false;
}

static void
write_number(struct lore_jsonw *w, const struct lore_json *node)
{
    char text[40];

    if (node->is_int) {
        lore_w_i64(w, node->i);
        return;
    }
    snprintf(text, sizeof text, "%.9g", node->f);
    lore_w_raw(w, text);
}

static void
write_masked(struct lore_jsonw *w, const struct lore_json *node)
{
    bool object = node->type == LORE_J_OBJECT;

    if (node->type == LORE_J_NUMBER) {
        write_number(w, node);
        return;
    }
    if (!object && node->type != LORE_J_ARRAY) {
        lore_w_node(w, node);
        return;
    }
    if (object)
        lore_w_obj(w);
    else
        lore_w_arr(w);
    for (const struct lore_json *m = node->child; m != NULL; m = m->next) {
        if (object)
            lore_w_key(w, m->key);
        if (is_masked(m->key))
            lore_w_str(w, "(masked)");
        else
            write_masked(w, m);
    }
    if (object)
        lore_w_obj_end(w);
    else
        lore_w_arr_end(w);
}

/* The answer to PATH as it goes into the file. */
static bool
canonical(const struct service *s, const char *path, struct lore_buf *out)
{
    struct lore_arena arena = {0};
    struct lore_json *root = NULL;
    struct lore_jsonw w;
    struct lore_err err = {0};
    struct reply reply;
    size_t n;
    const char *body;
    bool ok;

    service_request(s, "GET", lore_format(&arena, "/api/v1/%s", path), WHO_ADMIN, "", NULL, &reply);
    body = reply_body(&reply, &n);
    ok = reply.status == 200 && lore_json_parse(body, n, NULL, &arena, &root, &err) == LORE_OK;
    if (ok) {
        lore_jsonw_begin(&w, out, true);
        write_masked(&w, root);
        ok = lore_jsonw_end(&w, &err) == LORE_OK;
    }
    if (!ok)
        fprintf(stderr, "%s: %d %s %s\n", path, reply.status, err.msg, body);
    reply_free(&reply);
    lore_arena_free(&arena);
    return ok;
}

/* Say where the two part, with the lines around it. */
static void
show_difference(const struct lore_buf *want, const struct lore_buf *got)
{
    size_t at = 0, line = 1, start = 0;

    while (at < want->len && at < got->len && want->data[at] == got->data[at]) {
        if (want->data[at++] == '\n') {
            line++;
            start = at;
        }
    }
    fprintf(stderr, "  line %zu\n  - %.*s\n  + %.*s\n", line,
        (int)strcspn(want->data + start, "\n"), want->data + start,
        (int)strcspn(got->data + start, "\n"), got->data + start);
}

static bool
compare(const char *path, const struct lore_buf *got, bool bless)
{
    struct lore_buf want = {0};
    struct lore_err err = {0};
    bool same;

    if (bless) {
        same = lore_file_write(path, got->data, got->len, 0644, &err) == LORE_OK;
        if (!same)
            fprintf(stderr, "  %s\n", err.msg);
        return same;
    }
    if (lore_file_read(path, &want, &err) != LORE_OK) {
        fprintf(stderr, "  %s\n", err.msg);
        return false;
    }
    same = want.len == got->len && memcmp(want.data, got->data, got->len) == 0;
    if (!same)
        show_difference(&want, got);
    lore_buf_free(&want);
    return same;
}

/* Start a service with FILES, ask every question of V, compare with DIR. How many were wrong. */
static int
compare_all(const char *program, const char *dir, const struct answer *v, size_t n,
    const char *const *files, size_t n_files)
{
    struct lore_arena arena = {0};
    struct service s;
    const char *bless = getenv("LORE_BLESS");
    int wrong = 0;

    service_start(&s, program, files, n_files);
    for (size_t i = 0; i < n; i++) {
        const char *path = lore_format(&arena, "%s/%s.json", dir, v[i].file);
        struct lore_buf got = {0};
        bool ok = canonical(&s, v[i].path, &got) &&
                  compare(path, &got, bless != NULL && strcmp(bless, "1") == 0);

        printf("%s  %s\n", ok ? "ok   " : "WRONG", path);
        wrong += !ok;
        lore_buf_free(&got);
    }
    wrong += !service_stop(&s);
    lore_arena_free(&arena);
    return wrong;
}

int
main(int argc, char **argv)
{
    struct lore_arena arena = {0};
    const char *fixtures[3];
    glob_t shipped = {0};
    int wrong;

    if (argc != 4) {
        fprintf(stderr, "golden WARPLORED GOLDEN_DIR TESTS_DIR\n");
        return 2;
    }
    lore_hash_init();
    fixtures[0] = lore_format(&arena, "%s/fixtures/demo/kernel-forge.json", argv[3]);
    fixtures[1] = lore_format(&arena, "%s/fixtures/demo/kernel-opt-skill.json", argv[3]);
    fixtures[2] = lore_format(&arena, "%s/http/fixtures/small.json", argv[3]);
    wrong = compare_all(argv[1], lore_format(&arena, "%s/answers", argv[2]), answers,
        sizeof answers / sizeof answers[0], fixtures, 3);
    if (glob(lore_format(&arena, "%s/fixtures/demo/*.json", argv[3]), 0, NULL, &shipped) != 0 ||
        glob(lore_format(&arena, "%s/fixtures/h200/*.json", argv[3]), GLOB_APPEND, NULL,
            &shipped) != 0) {
        fprintf(stderr, "%s/fixtures: demo or h200 is missing\n", argv[3]);
        return 2;
    }
    wrong += compare_all(argv[1], lore_format(&arena, "%s/campaign", argv[2]), campaign,
        sizeof campaign / sizeof campaign[0], (const char *const *)shipped.gl_pathv,
        shipped.gl_pathc);
    globfree(&shipped);
    lore_arena_free(&arena);
    return wrong == 0 ? 0 : 1;
}
