/* The file of a channel: each write is appended whole or not at all. */
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
/* Append N bytes; false: the file is unchanged. It raises no signal, is no cancellation point and
 * preserves errno. In a process other than the opener it writes nothing. */
bool lore_sink_write(struct lore_sink *s, const void *p, size_t n);
void lore_sink_close(struct lore_sink *s);

#endif
