/* An ignored signal stays ignored after exec. If our parent ignores SIGCHLD, so do we, and the
 * status of our children is lost. A closed pipe or a file size limit would kill us during a write,
 * after the program succeeded. So we set our own dispositions and restore the inherited ones in
 * children. */
#include "collectors/run/shield.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>

static const struct {
    int sig;
    void (*ours)(int);
} dispositions[] = {{SIGCHLD, SIG_DFL}, {SIGPIPE, SIG_IGN}, {SIGXFSZ, SIG_IGN}};
enum { N_DISPOSITIONS = sizeof dispositions / sizeof *dispositions };

static struct sigaction inherited[N_DISPOSITIONS];
static volatile sig_atomic_t is_on;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void
set_dispositions(void)
{
    for (size_t i = 0; i < N_DISPOSITIONS; i++) {
        struct sigaction on;

        memset(&on, 0, sizeof on);
        on.sa_handler = dispositions[i].ours;
        sigaction(dispositions[i].sig, &on, &inherited[i]);
    }
    is_on = 1;
}

void
lore_shield_set(void)
{
    pthread_once(&once, set_dispositions);
}

void
lore_shield_restore(void)
{
    for (size_t i = 0; is_on && i < N_DISPOSITIONS; i++)
        sigaction(dispositions[i].sig, &inherited[i], NULL);
}
