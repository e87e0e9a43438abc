/* The program: terminal, standard streams, exit code. Everything else is in the library, where
 * tests can reach it. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "collectors/client/cli.h"
#include "service/base/hash.h"

static int
terminal_width(void)
{
    const char *columns = getenv("COLUMNS");
    struct winsize size;

    if (columns && strtol(columns, NULL, 10) >= 40)
        return (int)strtol(columns, NULL, 10);
    if (!isatty(STDOUT_FILENO))
        return 0;
    return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= 40 ? size.ws_col : 80;
}

static int
flush(FILE *file, struct lore_buf *b)
{
    size_t n = b->len > 0 ? fwrite(b->data, 1, b->len, file) : 0;
    bool good = n == b->len && fflush(file) == 0;

    if (!good)
        perror("warplore: output");
    lore_buf_free(b);
    return good ? 0 : -1;
}

/* End with the signal that killed the measured program, so that a shell or batch system sees it. A
 * second core file would replace the program's own, so none is written. */
static void
raise_end_signal(int sig)
{
    struct rlimit none = {0, 0};

    (void)setrlimit(RLIMIT_CORE, &none);
    (void)signal(sig, SIG_DFL);
    (void)raise(sig);
}

int
main(int argc, char **argv)
{
    struct lore_arena arena = {0};
    struct lore_cli cli = {.arena = &arena, .send = lore_transport_send, .width = terminal_width()};
    const char *no_colour = getenv("NO_COLOR");

    lore_hash_init();
    cli.colour = isatty(STDOUT_FILENO) && (!no_colour || !*no_colour);
    cli.out.max = 512u << 20;
    int code = lore_cli_main(&cli, argc, argv);
    if (cli.out.over)
        fputs("warplore: the output is cut: it exceeds 512 MiB\n", stderr);
    if (flush(stdout, &cli.out) != 0 && code == LORE_EXIT_OK)
        code = LORE_EXIT_SERVICE;
    (void)flush(stderr, &cli.err);
    lore_arena_free(&arena);
    if (cli.end_signal > 0)
        raise_end_signal(cli.end_signal);
    return code;
}
