/* The state while one capture file is read; private to the trace*.c files. Everything lives in the
 * trace's arena. Nothing grows when less than keep_room bytes of it are left, so that a file of any
 * size is read in bounded memory. */
#ifndef LORE_RUN_TRACE_FILE_H
#define LORE_RUN_TRACE_FILE_H

#include "collectors/run/trace.h"
#include "collectors/run/trace_busy.h"
#include "collectors/run/trace_ties.h"

enum {
    LORE_TRACE_MOST_GROUPS = 100000,
    LORE_TRACE_MOST_STREAMS = 4096,
    LORE_TRACE_MOST_RANGED = 20000 /* groups of a file that a range sets apart */
};

/* A hash map from frame ids, or pairs of them, to array indexes; a zeroed map is valid. */
struct lore_trace_ids {
    uint64_t *slots; /* pairs: id, index + 1 */
    size_t n, size;
};
/* The index of ID, or -1. */
int64_t lore_trace_ids_find(const struct lore_trace_ids *m, uint64_t id);
void
lore_trace_ids_put(struct lore_trace_ids *m, struct lore_arena *arena, uint64_t id, size_t index);

struct lore_trace_text {
    const char *text, *readable; /* readable: NULL until asked for */
};
struct lore_trace_shape { /* the state of a group that is needed only while its file is read */
    size_t group;
    size_t cap_samples;
    uint64_t random, first_start;
    uint32_t *streams; /* in order of number */
    size_t n_streams, cap_streams;
    size_t next_counter;
    bool apart; /* launches went to groups of their ranges */
    bool full;  /* the cap or the memory limit was reached: samples must not grow any more */
};
struct lore_trace_file {
    struct lore_trace *trace;
    struct lore_arena *arena;
    const char *name;
    size_t samples; /* cap per group */
    struct lore_trace_process *process;
    struct lore_trace_ids name_ids, shape_ids;
    struct lore_trace_ids ranged; /* shapes by id and range */
    struct lore_trace_ties ties;
    struct lore_trace_text *names;
    size_t n_names, cap_names;
    struct lore_trace_shape *shapes;
    size_t n_shapes, cap_shapes;
    struct lore_cap_totals totals;
    struct lore_cap_loss loss;
    struct lore_trace_busy busy;
    uint64_t lost_here;  /* launches with an unknown shape or unusable times */
    bool over;           /* the rest of the file is ignored */
    unsigned complained; /* bits of the complaints already made */
};

/* Add TEXT to the problems of T; the first 64 are kept. */
void lore_trace_problem(struct lore_trace *t, struct lore_arena *arena, const char *text);
enum lore_trace_complaint { /* each is made once per file */
    LORE_TRACE_BAD_NAME,
    LORE_TRACE_BAD_SHAPE,
    LORE_TRACE_BAD_LAUNCH,
    LORE_TRACE_BAD_METRIC,
    LORE_TRACE_NO_ROOM,
    LORE_TRACE_UNKNOWN_KIND,
    LORE_TRACE_BAD_RANGE,
};
void lore_trace_complain(
    struct lore_trace_file *f, enum lore_trace_complaint what, const char *text, size_t at);
bool lore_trace_has_room(const struct lore_trace_file *f, size_t bytes);
/* The text of a name id; NULL when the file did not define it. */
struct lore_trace_text *lore_trace_name(struct lore_trace_file *f, uint32_t id);

/* trace_group.c: frames of shapes and launches; the last steps at a file's end. */
/* The shape with ID; NULL when the file did not define it. */
struct lore_trace_shape *lore_trace_shape_find(struct lore_trace_file *f, uint32_t id);
void lore_trace_take_shape(struct lore_trace_file *f, const struct lore_cap_shape *s, size_t at);
/* RANGE: id of its text; 0: none. */
void lore_trace_take_launch(
    struct lore_trace_file *f, const struct lore_cap_launch *l, uint32_t range, size_t at);
void lore_trace_finish_groups(struct lore_trace_file *f);
/* trace_counters.c: frames of counters. */
void lore_trace_take_metric(struct lore_trace_file *f, const struct lore_cap_metric *m, size_t at);

#endif
