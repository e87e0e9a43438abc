/* Forced unwinding, as pthread_cancel does it: before each frame, _Unwind_ForcedUnwind asks
 * stop_at_guard, then runs the frame's cleanups (guard.h). */
#include "service/base/guard.h"

#include <setjmp.h>
#include <stdint.h>
#include <unwind.h>

struct guard {
    struct guard *outer;
    size_t limit;
    uintptr_t frame; /* of lore_guarded */
    jmp_buf back;
    struct _Unwind_Exception ending;
};

static _Thread_local struct guard *innermost;

size_t
lore_guard_limit(void)
{
    return innermost ? innermost->limit : 0;
}

/* A frame's CFA is the stack pointer of its caller: the first one above the frame address of
 * lore_guarded is that of lore_guarded itself. */
static _Unwind_Reason_Code
stop_at_guard(int version, _Unwind_Action actions, _Unwind_Exception_Class class,
    struct _Unwind_Exception *ending, struct _Unwind_Context *context, void *guard)
{
    struct guard *g = guard;

    (void)version, (void)actions, (void)class, (void)ending;
    if (_Unwind_GetCFA(context) > g->frame)
        longjmp(g->back, 1);
    return _URC_NO_REASON;
}

void
lore_guard_end(const char *what, size_t bytes)
{
    struct guard *g = innermost;

    innermost = NULL; /* otherwise a cleanup that allocates could unwind again */
    if (g)
        (void)_Unwind_ForcedUnwind(&g->ending, stop_at_guard, g);
    lore_nomem(what, bytes);
}

/* Not inlined: stop_at_guard looks for its frame. */
__attribute__((noinline)) enum lore_status
lore_guarded(size_t limit, lore_guarded_fn *work, void *ctx, struct lore_err *err)
{
    struct guard g = {.outer = innermost,
        .limit = limit > 0 ? limit : SIZE_MAX,
        .frame = (uintptr_t)__builtin_frame_address(0)};
    enum lore_status status;

    if (setjmp(g.back) == 0) {
        innermost = &g;
        status = work(ctx, err);
        innermost = g.outer;
        return status;
    }
    innermost = g.outer;
    status = lore_fail_at(err, LORE_TOOBIG, "over_memory", "",
        "the request needs more memory than one request may have");
    lore_err_hint(err, "ask for less at a time: a smaller limit, more filters, a smaller document");
    return status;
}

void
lore_unlock(pthread_mutex_t **held)
{
    pthread_mutex_unlock(*held);
}
