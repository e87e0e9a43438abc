/* Dispositions outlive exec. A parent that ignores SIGCHLD hands that on, and then no child of ours
 * has a status; one whose pipe behind our standard error is closed, or that set a file size limit,
 * would have us killed while we write, after the program ended well. So we take our own
 * dispositions and give the children the inherited ones. */
#include "collectors/run/shield.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>

static const struct {
    int sig;
    void (*ours)(int);
} held[] = {{SIGCHLD, SIG_DFL}, {SIGPIPE, SIG_IGN}, {SIGXFSZ, SIG_IGN}};
enum { N_HELD = sizeof held / sizeof *held };

static struct sigaction inherited[N_HELD];
static volatile sig_atomic_t is_on;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void
take(void)
{
    for (size_t i = 0; i < N_HELD; i++) {
        struct sigaction on;

        memset(&on, 0, sizeof on);
        on.sa_handler = held[i].ours;
        sigaction(held[i].sig, &on, &inherited[i]);
    }
    is_on = 1;
}

void
lore_shield_on(void)
{
    pthread_once(&once, take);
}

void
lore_shield_off(void)
{
    for (size_t i = 0; is_on && i < N_HELD; i++)
        sigaction(held[i].sig, &inherited[i], NULL);
}
