// uses: db
/* Connections of one process to auth.db, beside other processes. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "db/auth_db.h"
#include "db/credentials.h"
#include "db/files.h"
#include "service/base/hash.h"
#include "tests/unit/scratch.h"

/* Whether another process would have to wait for a lock of this one. */
static bool
is_locked(const char *path)
{
    pid_t child = fork();
    int status = 0;

    assert_true(child >= 0);
    if (child == 0) {
        struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
        int fd = open(path, O_RDWR | O_CLOEXEC);

        _exit(fd >= 0 && fcntl(fd, F_GETLK, &lock) == 0 ? lock.l_type != F_UNLCK : 2);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) < 2);
    return WEXITSTATUS(status) == 1;
}

static void
a_second_connection_leaves_the_locks_of_the_first(void **state)
{
    struct lore_auth_db *first = NULL, *second = NULL;
    struct lore_err err = {0};
    char dir[64], path[96];

    (void)state;
    assert_int_equal(scratch_make(dir), 0);
    snprintf(path, sizeof path, "%s/auth.db", dir);
    assert_int_equal(lore_auth_open(dir, true, &first, &err), LORE_OK);
    assert_false(is_locked(path));
    assert_int_equal(lore_db_begin(first->db, &err), LORE_OK);
    assert_true(is_locked(path));
    assert_int_equal(lore_auth_open(dir, true, &second, &err), LORE_OK);
    assert_true(is_locked(path));
    lore_auth_close(second);
    assert_true(is_locked(path));
    lore_db_rollback(first->db);
    assert_false(is_locked(path));
    lore_auth_close(first);
    scratch_drop(dir);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_second_connection_leaves_the_locks_of_the_first),
    };

    lore_hash_init();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
