/* A HIP program that gcc builds, as hipcc would: it registers its kernels before main and launches
 * them. hip_program LAUNCHES [HOW]: exit (default), leave (_exit), fork, crash, threads, STATUS.
 * HIP_PROGRAM_RANGES="A|B": the launches of the first kernel are inside the roctx ranges A and B.
 * HIP_PROGRAM_KERNEL="SYMBOL GROUPS THREADS": another kernel than vecCopy. */
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct dim3 {
    uint32_t x, y, z;
};
void **__hipRegisterFatBinary(const void *);
void __hipRegisterFunction(void **, const void *, char *, const char *, unsigned, void *, ...);
int hipMalloc(void **, size_t);
int hipMemcpy(void *, const void *, size_t, int);
int hipDeviceSynchronize(void);
int hipLaunchKernel(const void *, struct dim3, struct dim3, void **, size_t, void *);

int roctxRangePushA(const char *) __attribute__((weak));
int roctxRangePop(void) __attribute__((weak));

static char copy, other; /* their addresses are the kernels' host functions */
static char name_copy[256] = "_Z7vecCopyPdS_S_ii", name_other[] = "other";
static unsigned groups = 4096, threads = 256, shared = 32;

__attribute__((constructor)) static void
enrol(void)
{
    const char *told = getenv("HIP_PROGRAM_KERNEL");

    if (told && sscanf(told, "%255s %u %u", name_copy, &groups, &threads) == 3)
        shared = 0;
    __hipRegisterFunction(NULL, &copy, name_copy, name_copy, 0, NULL);
    __hipRegisterFunction(NULL, &other, name_other, name_other, 0, NULL);
}

/* Push the ranges that the environment says; how many. */
static int
push_ranges(void)
{
    const char *told = getenv("HIP_PROGRAM_RANGES");
    char text[2048], *rest = NULL;
    int n = 0;

    if (!told || strlen(told) >= sizeof text)
        return 0;
    strcpy(text, told);
    for (char *p = strtok_r(text, "|", &rest); p; p = strtok_r(NULL, "|", &rest), n++)
        roctxRangePushA(p);
    memset(text, '!', sizeof text - 1); /* who kept the pointer shows it */
    return n;
}

static void
launch(long n)
{
    int ranges = push_ranges();

    for (long i = 0; i < n; i++)
        if (hipLaunchKernel(&copy, (struct dim3){groups, 1, 1}, (struct dim3){threads, 1, 1}, NULL,
                shared, NULL) != 0)
            exit(3);
    while (ranges-- > 0)
        roctxRangePop();
}

static void *
launch_some(void *n)
{
    launch((long)(intptr_t)n);
    return NULL;
}

static void
in_threads(long n)
{
    pthread_t made[4];

    for (int i = 0; i < 4; i++)
        if (pthread_create(&made[i], NULL, launch_some, (void *)(intptr_t)(n / 4)) != 0)
            exit(4);
    for (int i = 0; i < 4; i++)
        pthread_join(made[i], NULL);
}

int
main(int argc, char **argv)
{
    long n = argc > 1 ? atol(argv[1]) : 3;
    const char *how = argc > 2 ? argv[2] : "exit";
    static double host[1 << 20];
    void *device = NULL;

    if (hipMalloc(&device, sizeof host) != 0 || hipMemcpy(device, host, sizeof host, 1) != 0)
        return 2;
    if (strcmp(how, "threads") == 0)
        in_threads(n);
    else
        launch(n);
    hipLaunchKernel(&other, (struct dim3){1, 1, 1}, (struct dim3){100, 1, 1}, NULL, 0, NULL);
    hipMemcpy(host, device, sizeof host, 2);
    if (strcmp(how, "fork") == 0) {
        pid_t pid = fork();
        if (pid == 0) {
            launch(10);
            exit(0);
        }
        waitpid(pid, NULL, 0);
    }
    hipDeviceSynchronize();
    puts("the program's own words");
    fflush(stdout);
    if (strcmp(how, "leave") == 0) {
        usleep(400000); /* our thread collects in between */
        _exit(0);
    }
    if (strcmp(how, "crash") == 0) {
        usleep(400000);
        abort();
    }
    return atoi(how);
}
