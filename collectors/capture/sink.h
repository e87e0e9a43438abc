/* The file under a channel: whole writes at its end, or none. */
#ifndef LORE_CAPTURE_SINK_H
#define LORE_CAPTURE_SINK_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct lore_sink {
    int fd;
    pid_t pid;
    dev_t dev;
    ino_t ino;
    char path[PATH_MAX];
};
/* Create PATH, which must not exist, for this user alone. errno says why not. */
bool lore_sink_open(struct lore_sink *s, const char *path);
/* Append N bytes; false: the file is as it was before. Never a signal, never a cancelled thread;
 * errno is kept. Another process than the one that opened writes nothing. */
bool lore_sink_write(struct lore_sink *s, const void *p, size_t n);
void lore_sink_close(struct lore_sink *s);

#endif
