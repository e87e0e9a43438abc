/* A library to preload: a disk that is slow to sync, as a network mount is. fdatasync of a segment
 * of the journal takes SLOW_SYNC_MS milliseconds longer. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int
fdatasync(int fd)
{
    int (*real)(int);
    char link[64], path[4096];
    ssize_t n;
    const char *ms = getenv("SLOW_SYNC_MS");

    *(void **)&real = dlsym(RTLD_NEXT, "fdatasync");
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    n = readlink(link, path, sizeof path - 1);
    path[n > 0 ? n : 0] = '\0';
    if (ms && strstr(path, ".journal"))
        usleep((useconds_t)atoi(ms) * 1000);
    return real(fd);
}
