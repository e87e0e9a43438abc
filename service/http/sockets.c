/* Looking through our own descriptors (sockets.h). The system calls used here fail on files and
 * pipes, so those are skipped. */
#include "service/http/sockets.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <sys/socket.h>

void
lore_sockets_each(void (*visit)(int fd, void *ctx), void *ctx)
{
    DIR *dir = opendir("/proc/self/fd");
    const struct dirent *e;

    if (!dir)
        return;
    while ((e = readdir(dir))) {
        int fd = (int)strtol(e->d_name, NULL, 10);
        if (fd > 2)
            visit(fd, ctx);
    }
    closedir(dir);
}

static void
stop_listening(int fd, void *ctx)
{
    const int *port = ctx;
    struct sockaddr_in at = {0};
    socklen_t len = sizeof at, size = sizeof(int);
    int listens = 0;

    if (getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) != 0 || !listens)
        return;
    if (getsockname(fd, (struct sockaddr *)&at, &len) == 0 && at.sin_family == AF_INET &&
        ntohs(at.sin_port) == *port)
        shutdown(fd, SHUT_RDWR);
}

void
lore_sockets_stop_listening(int port)
{
    lore_sockets_each(stop_listening, &port);
}
