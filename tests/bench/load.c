/* A load generator for warplored: CLIENTS keep-alive connections, closed loop, raw HTTP.
 *   bench_load PORT TOKEN post CLIENTS DOCUMENTS PAIRS   posts documents of PAIRS pairs each
 *   bench_load PORT TOKEN get CLIENTS REQUESTS PATH      repeats one GET; PATH "?": a question to
 *                                                        recommend, another one each time
 *   bench_load PORT TOKEN post CLIENTS DOCUMENTS PAIRS PER_SECOND   open loop: a document is due
 *       whether or not the one before was answered, and its latency counts from there
 * Prints one line: what, per second, p50, p99 and worst latency in milliseconds, failures. */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "service/base/clock.h"
#include "service/base/hash.h"
#include "tests/bench/scale_data.h"
#include "tests/bench/workload.h"

struct job {
    int port, pairs, total;
    double per_second; /* 0: closed loop */
    int64_t start_us;
    const char *token, *path; /* path NULL: post */
    struct bench_ids ids;
    atomic_int next, failed;
    int64_t *took_us;
    struct lore_buf *bodies; /* made before the clock starts when they fit in memory; else NULL */
};

/* Documents of up to this many pairs together are made ahead: making them is not what is measured.
 */
#define AHEAD_PAIRS 40000

static int
dial(int port)
{
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    int one = 1, fd = socket(AF_INET, SOCK_STREAM, 0);

    a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (fd < 0 || connect(fd, (struct sockaddr *)&a, sizeof a) != 0) {
        perror("connect");
        exit(1);
    }
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    return fd;
}

static bool
send_all(int fd, const char *p, size_t n)
{
    while (n > 0) {
        ssize_t w = send(fd, p, n, MSG_NOSIGNAL);
        if (w <= 0)
            return false;
        p += w;
        n -= (size_t)w;
    }
    return true;
}

/* Read one reply by its Content-Length; the status, or 0 when the connection broke. *CLOSED says
 * that the server will not take another request here. */
static int
read_reply(int fd, bool *closed)
{
    char head[8192];
    size_t n = 0, body = 0, have;
    char *end = NULL;

    while (!end && n < sizeof head - 1) {
        ssize_t r = recv(fd, head + n, sizeof head - 1 - n, 0);
        if (r <= 0)
            return 0;
        n += (size_t)r;
        head[n] = '\0';
        end = strstr(head, "\r\n\r\n");
    }
    if (!end)
        return 0;
    have = n - (size_t)(end + 4 - head);
    *end = '\0';
    *closed = strcasestr(head, "connection: close") != NULL;
    const char *len = strcasestr(head, "content-length:");
    body = len != NULL ? strtoul(len + 15, NULL, 10) : 0;
    while (have < body) {
        char sink[65536];
        ssize_t r = recv(fd, sink, sizeof sink, 0);
        if (r <= 0)
            return 0;
        have += (size_t)r;
    }
    return (int)strtol(head + 9, NULL, 10);
}

/* Request I of the job: a POST of BODY, or a GET. */
static int
exchange(int *fd, const struct job *j, int i, const struct lore_buf *body)
{
    struct lore_buf req = {0}, asked = {0};
    bool closed = false;

    if (j->path && strcmp(j->path, "?") == 0) {
        lore_buf_puts(&asked, "/api/v1/recommend?");
        scale_question((uint64_t)i, &asked);
    }

    if (*fd < 0)
        *fd = dial(j->port);
    lore_buf_printf(&req, "%s %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nAuthorization: Bearer %s\r\n",
        body ? "POST" : "GET",
        body            ? "/api/v1/submissions"
        : asked.len > 0 ? asked.data
                        : j->path,
        j->port, j->token);
    if (body)
        lore_buf_printf(
            &req, "Content-Type: application/json\r\nContent-Length: %zu\r\n", body->len);
    lore_buf_puts(&req, "\r\n");
    if (body)
        lore_buf_add(&req, body->data, body->len);
    int status = send_all(*fd, req.data, req.len) ? read_reply(*fd, &closed) : 0;
    lore_buf_free(&req);
    lore_buf_free(&asked);
    if (status == 0 || closed) {
        close(*fd);
        *fd = -1;
    }
    return status;
}

/* When request I is due; now, in a closed loop. */
static int64_t
due(const struct job *j, int i)
{
    int64_t now = lore_ticks_us(), at = j->start_us;

    if (j->per_second <= 0)
        return now;
    at += (int64_t)(1e6 * i / j->per_second);
    if (at > now)
        usleep((useconds_t)(at - now));
    return at;
}

static void *
client(void *arg)
{
    struct job *j = arg;
    struct lore_buf body = {0};
    int fd = -1;

    for (;;) {
        int i = atomic_fetch_add(&j->next, 1);
        if (i >= j->total)
            break;
        const struct lore_buf *send = j->bodies != NULL ? &j->bodies[i] : &body;
        if (!j->path && !j->bodies) {
            lore_buf_reset(&body);
            bench_document(&j->ids, (uint64_t)i * (uint64_t)j->pairs, j->pairs, &body);
        }
        int64_t start = due(j, i);
        int status = exchange(&fd, j, i, !j->path ? send : NULL);
        j->took_us[i] = lore_ticks_us() - start;
        if (status != 200 && status != 201)
            atomic_fetch_add(&j->failed, 1);
    }
    lore_buf_free(&body);
    if (fd >= 0)
        close(fd);
    return NULL;
}

static void
prepare(struct job *j)
{
    if ((long)j->total * j->pairs > AHEAD_PAIRS)
        return;
    j->bodies = calloc((size_t)j->total, sizeof *j->bodies);
    for (int i = 0; j->bodies != NULL && i < j->total; i++)
        bench_document(&j->ids, (uint64_t)i * (uint64_t)j->pairs, j->pairs, &j->bodies[i]);
}

static int
by_value(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

static void
report(struct job *j, int clients, double seconds)
{
    int n = j->total;

    qsort(j->took_us, (size_t)n, sizeof *j->took_us, by_value);
    printf("%s clients=%d requests=%d pairs=%d per_second=%.0f pairs_per_second=%.0f p50_ms=%.3f "
           "p99_ms=%.3f max_ms=%.3f failed=%d\n",
        j->path ? j->path : "post", clients, n, j->pairs, n / seconds,
        j->path ? 0 : n * (double)j->pairs / seconds, (double)j->took_us[n / 2] / 1e3,
        (double)j->took_us[(int)(n * 0.99)] / 1e3, (double)j->took_us[n - 1] / 1e3,
        atomic_load(&j->failed));
}

int
main(int argc, char **argv)
{
    static struct job j;
    pthread_t threads[256];

    if (argc != 7 && argc != 8) {
        fprintf(stderr,
            "usage: %s PORT TOKEN post CLIENTS DOCUMENTS PAIRS [PER_SECOND] | PORT TOKEN get "
            "CLIENTS REQUESTS PATH\n",
            argv[0]);
        return 2;
    }
    lore_hash_init();
    int clients = (int)strtol(argv[4], NULL, 10);
    j.port = (int)strtol(argv[1], NULL, 10);
    j.token = argv[2];
    j.total = (int)strtol(argv[5], NULL, 10);
    if (strcmp(argv[3], "get") == 0)
        j.path = argv[6];
    else
        j.pairs = (int)strtol(argv[6], NULL, 10);
    if (argc == 8)
        j.per_second = strtod(argv[7], NULL);
    j.took_us = calloc((size_t)j.total, sizeof *j.took_us);
    if (!j.took_us || clients < 1 || clients > 256)
        return 2;
    if (!j.path) {
        struct lore_buf body = {0};
        int fd = -1;
        bench_setup(&j.ids, &body);
        int status = exchange(&fd, &j, 0, &body);
        if (status != 201) {
            fprintf(stderr, "setup: status %d\n", status);
            return 1;
        }
        lore_buf_free(&body);
        prepare(&j);
    }
    int64_t start = j.start_us = lore_ticks_us();
    for (int i = 0; i < clients; i++)
        pthread_create(&threads[i], NULL, client, &j);
    for (int i = 0; i < clients; i++)
        pthread_join(threads[i], NULL);
    report(&j, clients, (double)(lore_ticks_us() - start) / 1e6);
    for (int i = 0; j.bodies != NULL && i < j.total; i++)
        lore_buf_free(&j.bodies[i]);
    free(j.bodies);
    free(j.took_us);
    return atomic_load(&j.failed) != 0;
}
