/* Starting and stopping a real warplored (service.h). */
#include "tests/http/service.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "service/base/file.h"
#include "service/base/xalloc.h"

#define START_MS 60000

static const char *const names[WHO_COUNT] = {
    "none", "reader", "contributor", "curator", "admin", "revoked", "wrong", "namesake"};

const char *
who_name(enum who who)
{
    return names[who];
}

enum who
who_find(const char *name)
{
    int i = 0;

    while (i < WHO_COUNT && strcmp(names[i], name) != 0)
        i++;
    return i;
}

static _Noreturn void
die(const char *what, const char *detail)
{
    fprintf(stderr, "cannot set up: %s: %s\n", what, detail);
    exit(2);
}

/* Run ARGV to its end; its standard output goes to OUT. */
static int
run(const char *const *argv, struct lore_buf *out)
{
    int fd[2], status;
    char chunk[4096];
    ssize_t n;
    pid_t pid;

    if (pipe2(fd, O_CLOEXEC) != 0)
        die("pipe", strerror(errno));
    pid = fork();
    if (pid < 0)
        die("fork", strerror(errno));
    if (pid == 0) {
        dup2(fd[1], STDOUT_FILENO);
        execv(argv[0], (char *const *)argv);
        _exit(127);
    }
    close(fd[1]);
    while ((n = read(fd[0], chunk, sizeof chunk)) > 0)
        lore_buf_add(out, chunk, (size_t)n);
    close(fd[0]);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        continue;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

static void
make_token(struct service *s, enum who who, const char *role)
{
    const char *label = names[who == WHO_NAMESAKE ? WHO_CONTRIBUTOR : who];
    const char *argv[] = {
        s->program, "token", "--data", s->dir, "--role", role, "--label", label, NULL};
    struct lore_buf out = {0};
    const char *at;

    if (run(argv, &out) != 0 || !(at = strstr(out.data, "wl_")))
        die("warplored token", !out.data ? "no output" : out.data);
    snprintf(s->token[who], sizeof s->token[who], "%.*s", (int)strcspn(at, " \r\n"), at);
    lore_buf_free(&out);
}

static void
make_tokens(struct service *s)
{
    static const char *const roles[] = {[WHO_READER] = "reader",
        [WHO_CONTRIBUTOR] = "contributor",
        [WHO_CURATOR] = "curator",
        [WHO_ADMIN] = "admin"};
    const char *revoke[] = {s->program, "token", "--data", s->dir, "--revoke", NULL, NULL};
    struct lore_buf out = {0};
    char id[17], *last;

    for (enum who w = WHO_READER; w <= WHO_ADMIN; w++)
        make_token(s, w, roles[w]);
    make_token(s, WHO_NAMESAKE, "contributor");
    make_token(s, WHO_REVOKED, "admin");
    snprintf(id, sizeof id, "%s", s->token[WHO_REVOKED] + strlen("wl_"));
    revoke[5] = id;
    if (run(revoke, &out) != 0)
        die("warplored token --revoke", id);
    lore_buf_free(&out);
    /* The right id, a secret that differs in one character. */
    memcpy(s->token[WHO_WRONG], s->token[WHO_ADMIN], sizeof s->token[WHO_WRONG]);
    last = s->token[WHO_WRONG] + strlen("wl_") + 16 + 3;
    *last = *last == 'A' ? 'B' : 'A';
}

static void
load(struct service *s, const char *const *fixtures, size_t n)
{
    const char **argv;
    struct lore_buf out = {0};

    if (n == 0)
        return;
    argv = lore_xcalloc(n + 5, sizeof *argv);
    argv[0] = s->program;
    argv[1] = "load";
    argv[2] = "--data";
    argv[3] = s->dir;
    memcpy(argv + 4, fixtures, n * sizeof *argv);
    if (run(argv, &out) != 0)
        die("warplored load", !out.data ? fixtures[0] : out.data);
    lore_buf_free(&out);
    lore_xfree(argv);
}

static void
spawn(struct service *s, const char *log)
{
    pid_t parent = getpid();

    s->pid = fork();
    if (s->pid < 0)
        die("fork", strerror(errno));
    if (s->pid == 0) {
        int fd = open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);

        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (fd < 0 || getppid() != parent)
            _exit(127);
        dup2(fd, STDERR_FILENO);
        dup2(fd, STDOUT_FILENO);
        execl(s->program, s->program, "--data", s->dir, "--listen", "127.0.0.1:0", "--as-root", (char *)NULL);
        _exit(127);
    }
}

/* The service takes a free port and logs it: event=ready url=http://127.0.0.1:PORT. */
static int
port_in(const char *log)
{
    struct lore_buf text = {0};
    struct lore_err err;
    const char *at;
    int port = 0;

    if (lore_file_read(log, &text, &err) == LORE_OK && text.data &&
        (at = strstr(text.data, "event=ready")) && strchr(at, '\n') &&
        (at = strstr(at, "127.0.0.1:")))
        port = (int)strtol(at + strlen("127.0.0.1:"), NULL, 10);
    lore_buf_free(&text);
    return port;
}

void
service_start(struct service *s, const char *program, const char *const *fixtures, size_t n)
{
    char log[96];
    int waited = 0;

    memset(s, 0, sizeof *s);
    snprintf(s->program, sizeof s->program, "%s", program);
    snprintf(s->dir, sizeof s->dir, "/tmp/warplore-test-XXXXXX");
    if (!mkdtemp(s->dir))
        die("mkdtemp", strerror(errno));
    make_tokens(s);
    load(s, fixtures, n);
    snprintf(log, sizeof log, "%s/log", s->dir);
    spawn(s, log);
    while ((s->port = port_in(log)) == 0) {
        if (waited >= START_MS || waitpid(s->pid, NULL, WNOHANG) != 0)
            die("warplored did not start; see", log);
        waited += 10;
        poll(NULL, 0, 10);
    }
}

void
service_code(const struct service *s, char out[64])
{
    const char *argv[] = {s->program, "enroll", "--data", s->dir, NULL};
    struct lore_buf text = {0};

    if (run(argv, &text) != 0 || !text.data)
        die("warplored enroll", "no code");
    snprintf(out, 64, "%.*s", (int)strcspn(text.data, "\n"), text.data);
    lore_buf_free(&text);
}

static int
remove_one(const char *path, const struct stat *st, int type, struct FTW *at)
{
    (void)st;
    (void)type;
    (void)at;
    return remove(path);
}

static void
show_log(const struct service *s)
{
    struct lore_buf text = {0};
    struct lore_err err;
    char log[96];

    snprintf(log, sizeof log, "%s/log", s->dir);
    if (lore_file_read(log, &text, &err) == LORE_OK && text.data)
        fprintf(stderr, "%s\n", text.data + (text.len > 6000 ? text.len - 6000 : 0));
    lore_buf_free(&text);
}

bool
service_stop(struct service *s)
{
    int status = 0;
    bool ok;

    kill(s->pid, SIGTERM);
    while (waitpid(s->pid, &status, 0) < 0 && errno == EINTR)
        continue;
    ok = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    if (!ok) {
        fprintf(stderr, "warplored ended with %s %d\n", WIFEXITED(status) ? "status" : "signal",
            WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
        show_log(s);
    }
    nftw(s->dir, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    return ok;
}
