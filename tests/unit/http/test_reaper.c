// uses: http Threads::Threads
/* Real sockets on loopback: a listener of our own, clients, and the reaper between them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdatomic.h>
#include <sys/socket.h>
#include <unistd.h>

#include "service/http/reaper.h"
#include "service/http/sockets.h"

#define THREADS 4
#define SOON_MS 5000

struct fixture {
    int listener, port;
    struct lore_reaper *reaper;
    atomic_int cuts, silent;
};

struct pair {
    int client, server, port; /* of the client */
};

static void
on_cut(void *ctx, enum lore_phase phase)
{
    struct fixture *f = ctx;

    atomic_fetch_add(&f->cuts, 1);
    if (phase == 0)
        atomic_fetch_add(&f->silent, 1);
}

static int
port_of(int fd)
{
    struct sockaddr_in at = {0};
    socklen_t len = sizeof at;

    assert_int_equal(getsockname(fd, (struct sockaddr *)&at, &len), 0);
    return ntohs(at.sin_port);
}

static int
set_up(void **state)
{
    static struct fixture f;
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};

    f.cuts = 0;
    f.silent = 0;
    f.listener = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(bind(f.listener, (struct sockaddr *)&at, sizeof at), 0);
    assert_int_equal(listen(f.listener, 16), 0);
    f.port = port_of(f.listener);
    f.reaper = lore_reaper_start(THREADS, on_cut, &f);
    lore_reaper_set_port(f.reaper, f.port);
    *state = &f;
    return 0;
}

static int
tear_down(void **state)
{
    struct fixture *f = *state;

    lore_reaper_stop(f->reaper);
    close(f->listener);
    return 0;
}

static struct pair
connect_one(const struct fixture *f)
{
    struct sockaddr_in at = {.sin_family = AF_INET,
        .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
        .sin_port = htons((uint16_t)f->port)};
    struct pair p = {.client = socket(AF_INET, SOCK_STREAM, 0)};

    assert_int_equal(connect(p.client, (struct sockaddr *)&at, sizeof at), 0);
    p.server = accept(f->listener, NULL, NULL);
    assert_true(p.server >= 0);
    p.port = port_of(p.client);
    return p;
}

static void
close_pair(const struct pair *p)
{
    close(p->client);
    close(p->server);
}

/* Does FD come to its end within MS? Nothing is ever written to it. */
static bool
ends(int fd, int ms)
{
    struct pollfd p = {.fd = fd, .events = POLLIN};
    char c;

    return poll(&p, 1, ms) == 1 && read(fd, &c, 1) <= 0;
}

static void
hold(struct fixture *f, int n)
{
    while (n-- > 0)
        lore_reaper_take_thread(f->reaper);
}

static void
a_late_reader_is_cut_and_can_still_be_answered(void **state)
{
    struct fixture *f = *state;
    struct pair p = connect_one(f);
    int slot = lore_reaper_arm(f->reaper, "127.0.0.1", p.port, 10);
    char c = 0;

    assert_true(slot >= 0);
    assert_true(ends(p.server, SOON_MS));
    assert_int_equal(write(p.server, "x", 1), 1);
    assert_int_equal(read(p.client, &c, 1), 1);
    assert_int_equal(c, 'x');
    assert_int_equal(f->cuts, 1);
    lore_reaper_disarm(f->reaper, slot);
    close_pair(&p);
}

static void
a_late_writer_is_cut_whole_and_others_are_not(void **state)
{
    struct fixture *f = *state;
    struct pair late = connect_one(f), other = connect_one(f);
    int slot = lore_reaper_arm(f->reaper, "127.0.0.1", late.port, 60000);
    int fine = lore_reaper_arm(f->reaper, "127.0.0.1", other.port, 60000);

    lore_reaper_rearm(f->reaper, slot, 10, LORE_PHASE_WRITING);
    assert_true(ends(late.client, SOON_MS));
    assert_false(ends(other.client, 0));
    assert_int_equal(f->cuts, 1);
    lore_reaper_disarm(f->reaper, slot);
    lore_reaper_disarm(f->reaper, fine);
    close_pair(&late);
    close_pair(&other);
}

static void
silent_connections_are_cut_only_when_threads_run_short(void **state)
{
    struct fixture *f = *state;
    struct pair silent = connect_one(f), asks = connect_one(f), resting = connect_one(f);
    int slot = lore_reaper_arm(f->reaper, "127.0.0.1", resting.port, 60000);

    lore_reaper_rearm(f->reaper, slot, 0, LORE_PHASE_IDLE);
    assert_int_equal(write(asks.client, "G", 1), 1);
    hold(f, 3);
    assert_false(lore_reaper_is_crowded(f->reaper));
    assert_false(ends(silent.client, 600));
    hold(f, 1);
    assert_true(lore_reaper_is_crowded(f->reaper));
    assert_true(ends(silent.client, SOON_MS));
    /* One has asked and waits to be read, one was answered before. */
    assert_false(ends(asks.client, 300));
    assert_false(ends(resting.client, 0));
    assert_int_equal(f->silent, 1);
    lore_reaper_free_thread(f->reaper);
    assert_false(lore_reaper_is_crowded(f->reaper));
    lore_reaper_disarm(f->reaper, slot);
    close_pair(&silent);
    close_pair(&asks);
    close_pair(&resting);
}

static void
clearing_cuts_what_is_owed_nothing(void **state)
{
    struct fixture *f = *state;
    struct pair silent = connect_one(f), resting = connect_one(f), reading = connect_one(f);
    int slot = lore_reaper_arm(f->reaper, "127.0.0.1", resting.port, 60000);
    int busy = lore_reaper_arm(f->reaper, "127.0.0.1", reading.port, 60000);

    lore_reaper_rearm(f->reaper, slot, 0, LORE_PHASE_IDLE);
    lore_reaper_cut_idle(f->reaper);
    assert_true(ends(silent.client, SOON_MS));
    assert_true(ends(resting.client, SOON_MS));
    assert_false(ends(reading.client, 0));
    lore_reaper_disarm(f->reaper, slot);
    lore_reaper_disarm(f->reaper, busy);
    close_pair(&silent);
    close_pair(&resting);
    close_pair(&reading);
}

static void
connections_to_elsewhere_are_left_alone(void **state)
{
    struct fixture *f = *state;
    struct pair p = connect_one(f);

    lore_reaper_set_port(f->reaper, f->port == 1 ? 2 : 1);
    lore_reaper_cut_idle(f->reaper);
    assert_false(ends(p.client, 0));
    assert_int_equal(f->cuts, 0);
    close_pair(&p);
}

static void
a_listener_can_be_stopped_by_its_port(void **state)
{
    struct fixture *f = *state;
    struct sockaddr_in at = {.sin_family = AF_INET,
        .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
        .sin_port = htons((uint16_t)f->port)};
    struct pollfd p = {.fd = f->listener, .events = POLLIN};
    int client = socket(AF_INET, SOCK_STREAM, 0);

    assert_int_equal(poll(&p, 1, 0), 0);
    lore_sockets_stop_listening(f->port);
    assert_int_equal(poll(&p, 1, SOON_MS), 1);
    assert_int_not_equal(connect(client, (struct sockaddr *)&at, sizeof at), 0);
    close(client);
}

int
main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        T(a_late_reader_is_cut_and_can_still_be_answered),
        T(a_late_writer_is_cut_whole_and_others_are_not),
        T(silent_connections_are_cut_only_when_threads_run_short),
        T(clearing_cuts_what_is_owed_nothing),
        T(connections_to_elsewhere_are_left_alone),
        T(a_listener_can_be_stopped_by_its_port),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
