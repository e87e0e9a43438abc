/* A host's busy program, for kill9_agent.py: adds documents to an outbox as fast as it is told to,
 * and says of each that lore_outbox_add returned.
 *   add_documents STATE LOG FIRST LAST PAUSE_US
 * Document N is a function of N. LOG gets "ID HASH NUMBER" a line, in one write, behind each add.
 * Killed and started again it goes on behind the last one logged: what was added but not logged is
 * added once more, the same bytes under another number. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "collectors/upload/upload.h"
#include "service/base/hash.h"
#include "service/base/ulid.h"

static void
id_of(uint64_t n, char kind, char out[LORE_ULID_SIZE])
{
    static const char digits[] = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

    memcpy(out, "01JC", 4);
    for (int i = 25; i > 3; i--, n /= 32)
        out[i] = digits[n % 32];
    out[4] = kind;
    out[LORE_ULID_SIZE - 1] = '\0';
}

/* Of very different lengths: batches are cut at a length and at a number. */
static void
document(uint64_t n, struct lore_buf *out)
{
    unsigned kernels = n % 97 == 0 ? 120 : n % 11 == 0 ? 12 : 1;
    char id[LORE_ULID_SIZE];

    lore_buf_reset(out);
    id_of(n, 'D', id);
    lore_buf_printf(out, "{\"warplore\":1,\"id\":\"%s\",\"kernels\":[", id);
    for (unsigned k = 0; k < kernels; k++) {
        id_of(n * 128 + k, 'K', id);
        lore_buf_printf(out,
            "%s{\"id\":\"%s\",\"operator\":\"softmax\",\"name\":\"kernel %" PRIu64
            "\",\"language\":\"cuda\"}",
            k ? "," : "", id, n);
    }
    lore_buf_puts(out, "]}");
}

static uint64_t
lines_of(const char *path)
{
    FILE *f = fopen(path, "re");
    uint64_t lines = 0;

    for (int c; f && (c = getc(f)) != EOF;)
        lines += c == '\n';
    if (f)
        fclose(f);
    return lines;
}

static bool
add(struct lore_outbox *o, uint64_t n, int log, struct lore_buf *text)
{
    char id[LORE_ULID_SIZE], hash[LORE_HASH_HEX], line[160];
    struct lore_err err = {0};
    uint64_t seq = 0;

    document(n, text);
    if (lore_outbox_add(o, text->data, text->len, &seq, &err) != LORE_OK) {
        fprintf(stderr, "document %" PRIu64 ": %s\n", n, err.msg);
        return false;
    }
    id_of(n, 'D', id);
    lore_hash_hex(text->data, text->len, hash);
    int k = snprintf(line, sizeof line, "%s %s %" PRIu64 "\n", id, hash, seq);
    return write(log, line, (size_t)k) == k;
}

int
main(int argc, char **argv)
{
    struct lore_outbox *o = NULL;
    struct lore_buf text = {0};
    struct lore_err err = {0};
    bool ok = true;

    if (argc != 6)
        return 2;
    lore_hash_init();
    uint64_t last = strtoull(argv[4], NULL, 10);
    int64_t pause_ns = strtoll(argv[5], NULL, 10) * 1000;
    const struct timespec pause = {
        .tv_sec = pause_ns / 1000000000, .tv_nsec = pause_ns % 1000000000};
    int log = open(argv[2], O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    if (log < 0 || lore_outbox_open(argv[1], NULL, &o, &err) != LORE_OK) {
        fprintf(stderr, "%s\n", log < 0 ? strerror(errno) : err.msg);
        return 1;
    }
    for (uint64_t n = strtoull(argv[3], NULL, 10) + lines_of(argv[2]); ok && n <= last; n++) {
        ok = add(o, n, log, &text);
        nanosleep(&pause, NULL);
    }
    lore_buf_free(&text);
    lore_outbox_close(o);
    return ok ? 0 : 1;
}
