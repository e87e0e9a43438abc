// uses: http
/* The address of a client, behind proxies and liars. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "service/http/client.h"

static void
the_client_is_the_last_hop_that_is_not_a_trusted_proxy(void **state)
{
    static const struct {
        const char *peer, *forwarded, *address, *via, *key;
        bool is_local;
    } cases[] = {
        {"127.0.0.1", NULL, "127.0.0.1", NULL, "127.0.0.1", true},
        {"192.0.2.1", NULL, "192.0.2.1", NULL, "192.0.2.1", false},
        {"127.0.0.1", "192.0.2.7", "192.0.2.7", "127.0.0.1", "192.0.2.7", false},
        /* what the client itself wrote stands before */
        {"127.0.0.1", "203.0.113.9, 192.0.2.7", "192.0.2.7", "127.0.0.1", "192.0.2.7", false},
        /* two proxies of ours */
        {"127.0.0.1", "192.0.2.7, 10.1.2.3", "192.0.2.7", "127.0.0.1", "192.0.2.7", false},
        {"127.0.0.1", "10.9.9.9, 10.1.2.3", "10.9.9.9", "127.0.0.1", "10.9.9.9", false},
        /* nobody's proxy */
        {"192.0.2.1", "203.0.113.9", "192.0.2.1", NULL, "192.0.2.1", false},
        {"127.0.0.1", "192.0.2.7, unknown", "127.0.0.1", NULL, "127.0.0.1", false},
        {"127.0.0.1", "", "127.0.0.1", NULL, "127.0.0.1", false},
        {"127.0.0.1", ",,", "127.0.0.1", NULL, "127.0.0.1", false},
        {"127.0.0.1", " 192.0.2.7\t", "192.0.2.7", "127.0.0.1", "192.0.2.7", false},
        {"127.0.0.1", "192.0.2.7:4711", "192.0.2.7", "127.0.0.1", "192.0.2.7", false},
        {"127.0.0.1", "::ffff:192.0.2.7", "192.0.2.7", "127.0.0.1", "192.0.2.7", false},
        {"127.0.0.1", "2001:DB8:1:2:3::4", "2001:db8:1:2:3::4", "127.0.0.1", "2001:db8:1:2::/64",
            false},
        {"127.0.0.1", "[2001:db8::4]:80", "2001:db8::4", "127.0.0.1", "2001:db8::/64", false},
        {"127.0.0.1", "192.0.2.7, 2001:db8:ff::1", "192.0.2.7", "127.0.0.1", "192.0.2.7", false},
        {"127.0.0.1", "127.0.0.1", "127.0.0.1", "127.0.0.1", "127.0.0.1", false},
        {"not an address", "192.0.2.7", "not an address", NULL, "not an address", false},
    };
    struct lore_arena arena = {0};
    struct lore_nets trusted;
    struct lore_err err;

    (void)state;
    assert_int_equal(lore_nets_read("127.0.0.0/8, 10.1.2.3,10.0.0.0/15 2001:db8:ff::/47", &arena,
                         &trusted, &err),
        LORE_OK);
    assert_int_equal(trusted.n, 4);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct lore_client c = lore_client_of(cases[i].peer, cases[i].forwarded, &trusted, &arena);

        assert_string_equal(c.address, cases[i].address);
        assert_string_equal(c.key, cases[i].key);
        assert_int_equal(c.is_local, cases[i].is_local);
        if (cases[i].via)
            assert_string_equal(c.via, cases[i].via);
        else
            assert_null(c.via);
    }
    lore_arena_free(&arena);
}

static void
what_is_no_network_is_named(void **state)
{
    static const char *const bad[] = {"nginx", "10.0.0.0/33", "::/129", "10.0.0.0/", "10.0.0.0/-1",
        "10.0.0.0/1x", "[::1]", "10.0.0/8", "/8"};
    struct lore_arena arena = {0};
    struct lore_nets nets;
    struct lore_err err;

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(lore_nets_read(bad[i], &arena, &nets, &err), LORE_INVALID);
        assert_string_equal(err.path, "trusted_proxies");
        assert_non_null(strstr(err.msg, bad[i]));
    }
    assert_int_equal(lore_nets_read(NULL, &arena, &nets, &err), LORE_OK);
    assert_int_equal(nets.n, 0);
    lore_arena_free(&arena);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_client_is_the_last_hop_that_is_not_a_trusted_proxy),
        cmocka_unit_test(what_is_no_network_is_named),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
