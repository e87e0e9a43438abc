/* Runs a fuzz target without libFuzzer, as an ordinary test: every file of the corpus folder,
 * then bombs made of them, then a fixed number of mutations of them from a fixed seed, so a failure
 * repeats. Every parser gets the bombs, a new one too: nested openers, long rows, words, quotes and
 * numbers, and its own files over and over. None may take long, and none a time that grows faster
 * than the input. Usage:
 *   fuzz_x CORPUS [MUTATIONS]
 * To run one input alone, give the file instead of the folder. An input that aborts is left in
 * fuzz-crash.bin. It finds what lies near the corpus; it has no coverage feedback and does not
 * replace a libFuzzer run (WARPLORE_FUZZ). */
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MUTATIONS = 20000, FILES_MAX = 4096, EXTRA = 256 };

struct input {
    uint8_t *data;
    size_t size;
};

static struct input inputs[FILES_MAX];
static size_t n_inputs;
static uint64_t seed = 0x9e3779b97f4a7c15u;

/* What runs now, for on_abort. */
static const uint8_t *running;
static size_t running_size;

const char *__asan_default_options(void);
const char *__ubsan_default_options(void);

/* The sanitizers end in abort() too, so that every failure passes on_abort. */
const char *
__asan_default_options(void)
{
    return "abort_on_error=1";
}

const char *
__ubsan_default_options(void)
{
    return "abort_on_error=1:print_stacktrace=1";
}

static void
on_abort(int sig)
{
    static const char said[] = "the input is in fuzz-crash.bin\n";
    int fd = open("fuzz-crash.bin", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);

    (void)sig; /* its default action follows when this returns: see SA_RESETHAND */
    if (fd >= 0 && write(fd, running, running_size) == (ssize_t)running_size)
        (void)!write(STDERR_FILENO, said, sizeof said - 1);
}

static _Noreturn void
give_up(const char *what, const char *name)
{
    fprintf(stderr, "%s: %s\n", name, what);
    exit(1);
}

/* xorshift64*: the same numbers everywhere, which rand() does not promise. */
static size_t
below(size_t n)
{
    seed ^= seed >> 12;
    seed ^= seed << 25;
    seed ^= seed >> 27;
    return n > 0 ? (size_t)((seed * 0x2545f4914f6cdd1du) >> 33) % n : 0;
}

static void
load(const char *path)
{
    struct stat sb;
    struct input *in = &inputs[n_inputs];
    FILE *f;

    if (stat(path, &sb) != 0)
        give_up("cannot be read", path);
    if (!S_ISREG(sb.st_mode))
        return;
    if (n_inputs == FILES_MAX)
        give_up("more files than this program holds", path);
    f = fopen(path, "rb");
    in->size = (size_t)sb.st_size;
    in->data = malloc(in->size + 1);
    if (!f || !in->data || fread(in->data, 1, in->size, f) != in->size)
        give_up("cannot be read", path);
    fclose(f);
    n_inputs++;
}

static void
load_folder(const char *folder)
{
    struct dirent **names;
    int n = scandir(folder, &names, NULL, alphasort), i;
    char path[4096];

    if (n < 0)
        give_up("no such folder", folder);
    for (i = 0; i < n; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]->d_name);
        if (names[i]->d_name[0] != '.')
            load(path);
        free(names[i]);
    }
    free(names);
}

/* The target gets an exact-size copy, so that the sanitizer sees a read one byte past it. */
static void
run_one(const uint8_t *data, size_t size)
{
    uint8_t *copy = malloc(size > 0 ? size : 1);

    if (!copy)
        give_up("out of memory", "input");
    if (size > 0)
        memcpy(copy, data, size);
    running = copy;
    running_size = size;
    (void)LLVMFuzzerTestOneInput(copy, size);
    free(copy);
}

static size_t
erase(uint8_t *b, size_t size)
{
    size_t from = below(size), n = 1 + below(size - from < 16 ? size - from : 16);

    if (n > size - from)
        n = size - from;
    memmove(b + from, b + from + n, size - from - n);
    return size - n;
}

static size_t
duplicate(uint8_t *b, size_t size, size_t cap)
{
    size_t from = below(size), n = 1 + below(32), to = below(size + 1);
    uint8_t piece[32];

    if (n > size - from)
        n = size - from;
    if (n > cap - size)
        return size;
    memcpy(piece, b + from, n);
    memmove(b + to + n, b + to, size - to);
    memcpy(b + to, piece, n);
    return size + n;
}

/* The start of B, then the rest of another file from a place of its own. */
static size_t
graft(uint8_t *b, size_t size, size_t cap)
{
    const struct input *other = &inputs[below(n_inputs)];
    size_t keep = below(size + 1), from = below(other->size + 1), n = other->size - from;

    if (n > cap - keep)
        n = cap - keep;
    memcpy(b + keep, other->data + from, n);
    return keep + n;
}

static size_t
mutate(uint8_t *b, size_t size, size_t cap)
{
    /* bytes that mean something in the formats read here */
    static const char loud[] = "{}[]\",:\\u0-9eE.+\n\t <>=/;#&%\x80\xff\xed";
    size_t times = 1 + below(4);

    while (times-- > 0) {
        if (size == 0)
            return graft(b, size, cap);
        switch (below(6)) {
        case 0:
            b[below(size)] ^= (uint8_t)(1u << below(8));
            break;
        case 1:
            b[below(size)] = (uint8_t)loud[below(sizeof loud)];
            break;
        case 2:
            size = erase(b, size);
            break;
        case 3:
            size = duplicate(b, size, cap);
            break;
        case 4:
            size = graft(b, size, cap);
            break;
        default:
            size = below(8) == 0 ? below(size) : size; /* cut off */
            break;
        }
    }
    return size;
}

static void
run_mutations(unsigned long count)
{
    size_t largest = 0, cap, i;
    unsigned long round;
    uint8_t *b;

    for (i = 0; i < n_inputs; i++)
        largest = inputs[i].size > largest ? inputs[i].size : largest;
    cap = largest + EXTRA;
    b = malloc(cap);
    if (!b)
        give_up("out of memory", "mutations");
    for (round = 1; round <= count; round++) {
        const struct input *in = &inputs[below(n_inputs)];

        memcpy(b, in->data, in->size);
        run_one(b, mutate(b, in->size, cap));
    }
    free(b);
}

/* ---- bombs ---- */

enum { BOMB = 60000, BOMB_SMALL = BOMB / 4, BOMB_SEEDS = 4 };

/* Seconds of the processor for the first KEEP bytes of IN and then FILL, again and again, until
 * there are SIZE bytes. FILL NULL: the bytes of IN. */
static double
burn(const struct input *in, size_t keep, const char *fill, size_t size)
{
    uint8_t *b = malloc(size);
    size_t n = keep < size ? keep : size, step = fill ? strlen(fill) : in->size;
    const void *from = fill ? (const void *)fill : (const void *)in->data;

    if (!b)
        give_up("out of memory", "bomb");
    if (n > 0)
        memcpy(b, in->data, n);
    while (step > 0 && n < size) {
        size_t part = size - n < step ? size - n : step;
        memcpy(b + n, from, part);
        n += part;
    }
    clock_t start = clock();
    run_one(b, n);
    free(b);
    return (double)(clock() - start) / CLOCKS_PER_SEC;
}

static void
run_bomb(const struct input *in, size_t keep, const char *fill)
{
    double whole = burn(in, keep, fill, BOMB);

    if (whole < 2 || keep >= BOMB_SMALL)
        return;
    double part = burn(in, keep, fill, BOMB_SMALL);
    if (whole > 30 || whole > 10 * part) {
        fprintf(stderr,
            "%d bytes: %.1f s, %d bytes: %.1f s; %zu bytes of the corpus, then %.20s…\n", BOMB,
            whole, BOMB_SMALL, part, keep, fill ? fill : "the file again");
        give_up("a bomb: its time grows faster than the input", "input");
    }
}

static size_t
run_bombs(void)
{
    static const char *const fills[] = {"[", "{\"a\":", "(", "<a>", "- ", "> ", "| a ", "a,", ",",
        "\"", "a", "9", "a b ", "a: ", "\n", "#", "*", "{{", "\\", "a=b;", "\xff"};
    size_t n = 0, k, i;

    for (i = 0; i < n_inputs && i < BOMB_SEEDS; i++) {
        const struct input *in = &inputs[i];
        run_bomb(in, 0, NULL);
        for (k = 0; k < sizeof fills / sizeof *fills; k++, n += 2) {
            run_bomb(in, in->size, fills[k]);
            run_bomb(in, in->size / 2, fills[k]);
        }
    }
    return n + i;
}

int
main(int argc, char **argv)
{
    unsigned long mutations = argc > 2 ? strtoul(argv[2], NULL, 10) : MUTATIONS;
    struct sigaction on = {.sa_handler = on_abort, .sa_flags = (int)SA_RESETHAND};
    struct stat sb;
    size_t i, bombs = 0;

    if (argc < 2 || stat(argv[1], &sb) != 0)
        give_up("usage: fuzz_x CORPUS [MUTATIONS]", argc < 2 ? "" : argv[1]);
    if (S_ISREG(sb.st_mode)) {
        mutations = 0;
        load(argv[1]);
    } else {
        load_folder(argv[1]);
    }
    if (n_inputs == 0)
        give_up("the corpus is empty", argv[1]);
    sigaction(SIGABRT, &on, NULL);
    for (i = 0; i < n_inputs; i++)
        run_one(inputs[i].data, inputs[i].size);
    if (mutations > 0)
        bombs = run_bombs();
    run_mutations(mutations);
    printf("%lu inputs, %zu of them bombs\n", (unsigned long)(n_inputs + bombs) + mutations, bombs);
    for (i = 0; i < n_inputs; i++)
        free(inputs[i].data);
    return 0;
}
