// uses: run
/* The machine code of the program and of the modules that it loads. Stand-ins for the vendors'
 * disassemblers, scripts in a folder of its own, print stored listings. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "collectors/run/isa_shape.h"
#include "tests/unit/collect_case.h"
#include "tests/unit/scratch.h"

static char dir[64];

static int
make_dir(void **state)
{
    (void)state;
    return scratch_make(dir);
}

static int
drop_dir(void **state)
{
    (void)state;
    scratch_drop(dir);
    return 0;
}

static const char *
write_file(const char *name, const char *text, int mode)
{
    const char *path = lore_format(&arena, "%s/%s", dir, name);

    assert_int_equal(lore_file_write(path, text, strlen(text), mode, NULL), LORE_OK);
    return path;
}

static void
machine_code_is_counted_and_techniques_are_looked_for(void **state)
{
    struct lore_texts techniques = {0};
    struct lore_submission doc = {0};
    struct lore_isa_facts facts;
    struct lore_buf out = {0};
    struct lore_jsonw w;

    (void)state;
    write_file("cuobjdump",
        "#!/bin/sh\n[ \"$1\" = --dump-sass ] && cat " SOURCE_DIR
        "/tests/fixtures/isa/sm_90a.cuobjdump.txt\n",
        0700);
    setenv("PATH", lore_format(&arena, "%s:/usr/bin:/bin", dir), 1);
    const struct lore_isa_source source = {.vendor = "nvidia", .object = "/proc/self/exe"};
    const struct lore_isa_kernel tma = {.symbol = "tma_im2col", .isa = "sm_90"};
    lore_isa_facts_read(&source, &arena, &facts);
    assert_int_equal(facts.n_objects, 1);
    lore_jsonw_begin(&w, &out, false);
    lore_isa_facts_write(&w, &facts, &tma, &arena);
    assert_int_equal(lore_jsonw_end(&w, NULL), LORE_OK);
    assert_non_null(
        strstr(out.data, "\"tool\":\"cuobjdump\",\"isa\":\"sm_90a\",\"instructions\":"));
    assert_non_null(strstr(out.data, "\"UTMALDG\":"));
    lore_buf_free(&out);
    case_add(&techniques, "memory.im2col_copy{bytes=128}");
    case_add(&techniques, "memory.vectorized_access");
    const struct lore_isa_claim claim = {"01M7ZS70X0QVN0DFBJFW6ENZ81", tma, &techniques};
    lore_isa_facts_verify(&facts, &claim, &arena, &doc);
    lore_isa_facts_verify(&facts, &claim, &arena, &doc);
    assert_int_equal(doc.n_verifications, 4);
    assert_string_equal(doc.verifications[0].status, "verified");
    assert_string_equal(doc.verifications[0].id, doc.verifications[2].id);
    assert_string_not_equal(doc.verifications[0].id, doc.verifications[1].id);
}

static void
amds_kept_objects_are_read_for_the_launched_kernels(void **state)
{
    struct lore_isa_facts facts;
    struct lore_isa_function f;
    const struct lore_isa_kernel copy = {.symbol = "float4_copy", .isa = "gfx942"};
    const char *why;

    (void)state;
    write_file("llvm-objdump",
        "#!/bin/sh\n[ \"$1 $2\" = '-d --disassemble-symbols=float4_copy,other' ] && grep -q object "
        "\"$3\" && cat " SOURCE_DIR "/tests/fixtures/isa/gfx90a.objdump.txt\n",
        0700);
    write_file("12-1.co", "an object", 0600);
    write_file("12-1.capture", "no object", 0600);
    setenv("PATH", lore_format(&arena, "%s:/usr/bin:/bin", dir), 1);
    struct lore_isa_source source = {.vendor = "amd", .folder = dir};
    case_add(&source.symbols, "float4_copy");
    case_add(&source.symbols, "other");
    lore_isa_facts_read(&source, &arena, &facts);
    assert_int_equal(facts.n_objects, 1);
    assert_string_equal(facts.objects[0].tool, "llvm-objdump");
    assert_non_null(lore_isa_facts_find(&facts, &copy, &arena, &f, &why));
    assert_true(f.instructions > 10);
}

/* Debian 12's LLVM does not know gfx942: ROCm's is asked first, and is named when it is missing. */
static void
rocms_disassembler_comes_before_a_distributions(void **state)
{
    struct lore_isa_facts facts;

    (void)state;
    write_file("llvm-objdump", "#!/bin/sh\necho 'unable to get target' >&2; exit 1\n", 0700);
    write_file("12-1.co", "an object", 0600);
    setenv("PATH", lore_format(&arena, "%s:/usr/bin:/bin", dir), 1);
    struct lore_isa_source source = {.vendor = "amd", .folder = dir};
    case_add(&source.symbols, "float4_copy");
    lore_isa_facts_read(&source, &arena, &facts);
    assert_int_equal(facts.n_objects, 0);
    assert_non_null(strstr(facts.why, "llvm-objdump ended with status 1"));
    assert_non_null(strstr(facts.why, "gfx942 needs ROCm's, in $ROCM_PATH/llvm/bin"));
    assert_int_equal(mkdir(lore_format(&arena, "%s/llvm", dir), 0700), 0);
    assert_int_equal(mkdir(lore_format(&arena, "%s/llvm/bin", dir), 0700), 0);
    write_file("llvm/bin/llvm-objdump",
        "#!/bin/sh\ncat " SOURCE_DIR "/tests/fixtures/isa/gfx90a.objdump.txt\n", 0700);
    setenv("ROCM_PATH", dir, 1);
    lore_isa_facts_read(&source, &arena, &facts);
    assert_int_equal(facts.n_objects, 1);
    unsetenv("ROCM_PATH");
}

static const char *
why_none(const char *object, const char *vendor)
{
    const struct lore_isa_source source = {.vendor = vendor, .object = object};
    struct lore_isa_facts facts;

    lore_isa_facts_read(&source, &arena, &facts);
    assert_int_equal(facts.n_objects, 0);
    return facts.why;
}

static void
without_machine_code_the_answer_is_unavailable_and_says_why(void **state)
{
    (void)state;
    write_file("cuobjdump", "#!/bin/sh\nexit 0\n", 0700);
    setenv("PATH", dir, 1);
    assert_non_null(strstr(why_none("/proc/self/exe", "nvidia"), "no device code"));
    assert_non_null(strstr(why_none(case_file("v1.cu"), "nvidia"), "no program with device code"));
    assert_non_null(strstr(why_none(NULL, "nvidia"), "no program"));
    assert_non_null(strstr(why_none("/proc/self/exe", "amd"), "llvm-objdump was not found"));
    assert_non_null(strstr(why_none("/proc/self/exe", "intel"), "no disassembler"));
    write_file("llvm-objdump", "#!/bin/sh\nexit 0\n", 0700);
    assert_non_null(strstr(why_none("/proc/self/exe", "amd"), "no code object was kept"));
    write_file("cuobjdump", "#!/bin/sh\nexit 3\n", 0700);
    assert_non_null(strstr(why_none("/proc/self/exe", "nvidia"), "ended with status 3"));
}

/* ---- modules ---- */

/* A module as the capture library keeps it: the stored cubin, with REGISTERS for its kernel. */
static void
keep_module(const char *name, uint32_t registers)
{
    LORE_BUF b = {.max = 1 << 20};
    static const unsigned char as_built[] = {4, 0x2f, 8, 0};

    assert_int_equal(
        lore_file_read(SOURCE_DIR "/tests/fixtures/isa/float4_copy.sm_90a.cubin", &b, NULL),
        LORE_OK);
    unsigned char *at = memmem(b.data, b.len, as_built, sizeof as_built);
    assert_non_null(at);
    assert_int_equal(at[8], 14);
    memcpy(at + 8, &registers, sizeof registers);
    assert_int_equal(
        lore_file_write(lore_format(&arena, "%s/%s", dir, name), b.data, b.len, 0600, NULL),
        LORE_OK);
}

/* A disassembler whose answer depends on the file: "wide" in its name gives the vector loads. */
static void
make_nvdisasm(void)
{
    write_file("nvdisasm",
        "#!/bin/sh\n[ \"$1 $2\" = '-c -fun' ] || exit 9\n"
        "echo '\t.target\tsm_90a'\necho '\t.section\t.text.float4_copy,\"ax\"'\n"
        "case $4 in */wide*) w=.128 ;; esac\n"
        "echo \"        /*0000*/   LDG.E$w R4, desc[UR4][R2.64] ;\"\n"
        "echo '        /*0010*/   EXIT ;'\n",
        0700);
    setenv("PATH", lore_format(&arena, "%s:/usr/bin:/bin", dir), 1);
}

static const struct lore_isa_kernel copy = {.symbol = "float4_copy", .isa = "sm_90"};

static void
read_modules(struct lore_isa_facts *facts)
{
    struct lore_isa_source source = {.vendor = "nvidia", .folder = dir};

    case_add(&source.symbols, "float4_copy");
    lore_isa_facts_read(&source, &arena, facts);
}

static const char *
wide_loads(const struct lore_isa_facts *facts, uint32_t registers)
{
    struct lore_isa_kernel q = copy;
    struct lore_isa_function f;
    const char *why = NULL;

    q.registers = registers;
    if (!lore_isa_facts_find(facts, &q, &arena, &f, &why))
        return why;
    return strcmp(f.forms[1].form, "LDG.E.128") == 0 ? "wide" : f.forms[1].form;
}

static void
of_an_autotuners_modules_the_one_with_as_many_registers_ran(void **state)
{
    struct lore_isa_facts facts;

    (void)state;
    make_nvdisasm();
    keep_module("wide.co", 40);
    keep_module("narrow.co", 14);
    read_modules(&facts);
    assert_int_equal(facts.n_objects, 2);
    assert_string_equal(wide_loads(&facts, 40), "wide");
    assert_string_equal(wide_loads(&facts, 14), "LDG.E");
    assert_string_equal(wide_loads(&facts, 16), "LDG.E"); /* the driver rounds up */
    assert_non_null(strstr(wide_loads(&facts, 0), "which one ran is not known"));
    assert_non_null(strstr(wide_loads(&facts, 99), "which one ran is not known"));
    keep_module("wide.co", 14);
    read_modules(&facts);
    assert_non_null(strstr(wide_loads(&facts, 14), "which one ran is not known"));
    keep_module("narrow2.co", 14);
    assert_int_equal(unlink(lore_format(&arena, "%s/wide.co", dir)), 0);
    read_modules(&facts);
    assert_string_equal(wide_loads(&facts, 14), "LDG.E"); /* equal code is no question */
}

#define WIDE "        /*0000*/   LDG.E.128 R4, desc[UR4][R2.64] ;\n        /*0010*/   EXIT ;\n"

/* As nvdisasm does of a module that a compiler of another release made: asked for a function by its
 * number it ends well, and prints none or another one. */
static void
a_disassembler_of_another_release_is_asked_for_the_whole_module(void **state)
{
    static const char *const by_number[] = {"exit 0", "f=another"};
    struct lore_isa_facts facts;

    (void)state;
    make_nvdisasm();
    keep_module("one.co", 14);
    for (size_t i = 0; i < 2; i++) {
        write_file("nvdisasm",
            lore_format(&arena,
                "#!/bin/sh\nf=float4_copy\n[ \"$2\" != -fun ] || %s\n"
                "printf '\\t.section\\t.text.%%s,\"ax\"\\n' $f\ncat <<'E'\n" WIDE "E\n",
                by_number[i]),
            0700);
        read_modules(&facts);
        assert_int_equal(facts.n_objects, 1);
        assert_string_equal(wide_loads(&facts, 14), "wide");
        assert_string_equal(facts.objects[0].tool, "nvdisasm");
    }
    write_file("nvdisasm", "#!/bin/sh\necho .headerflags\n", 0700);
    read_modules(&facts);
    assert_int_equal(facts.n_objects, 0);
    assert_non_null(strstr(wide_loads(&facts, 14), "another CUDA release"));
    write_file("cuobjdump",
        "#!/bin/sh\ncat <<'E'\n\tcode for sm_90\n\t\tFunction : float4_copy\n" WIDE "E\n", 0700);
    read_modules(&facts);
    assert_string_equal(wide_loads(&facts, 14), "wide");
    assert_string_equal(facts.objects[0].tool, "cuobjdump");
}

static void
what_is_no_cubin_or_lacks_the_kernel_is_passed_over(void **state)
{
    struct lore_isa_facts facts;

    (void)state;
    make_nvdisasm();
    write_file("text.co", "no cubin", 0600);
    read_modules(&facts);
    assert_int_equal(facts.n_objects, 0);
    assert_non_null(strstr(wide_loads(&facts, 14), "none of the loaded modules"));
    write_file("nvdisasm", "#!/bin/sh\nexit 4\n", 0700);
    keep_module("wide.co", 14);
    read_modules(&facts);
    assert_non_null(strstr(wide_loads(&facts, 14), "nvdisasm ended with status 4"));
    setenv("PATH", "/usr/bin:/bin", 1);
    setenv("CUDA_HOME", dir, 1);
    read_modules(&facts);
    assert_non_null(strstr(wide_loads(&facts, 14), "nvdisasm was not found"));
    unsetenv("CUDA_HOME");
}

static void
a_line_of_a_profile_keeps_what_a_technique_needs(void **state)
{
    struct lore_profile_shape s = {0};
    struct lore_submission doc = {0};
    struct lore_texts techniques = {0};
    struct lore_isa_facts facts, kept;

    (void)state;
    make_nvdisasm();
    keep_module("wide.co", 14);
    read_modules(&facts);
    lore_isa_shape_put(&facts, &copy, &arena, &s);
    assert_string_equal(lore_kvs_get(&s.isa, "target"), "\"sm_90a\"");
    assert_string_equal(lore_kvs_get(&s.forms, "LDG.E.128"), "1");
    lore_isa_shape_facts(&s, "float4_copy", &arena, &kept);
    case_add(&techniques, "memory.vectorized_access");
    const struct lore_isa_claim claim = {"01M7ZS70X0QVN0DFBJFW6ENZ81", copy, &techniques};
    lore_isa_facts_verify(&kept, &claim, &arena, &doc);
    lore_isa_facts_verify(&facts, &claim, &arena, &doc);
    assert_string_equal(doc.verifications[0].status, "verified");
    assert_string_equal(doc.verifications[0].tool, "nvdisasm");
    assert_string_equal(doc.verifications[0].id, doc.verifications[1].id);
    s = (struct lore_profile_shape){0};
    lore_isa_shape_facts(&s, "float4_copy", &arena, &kept);
    assert_non_null(strstr(wide_loads(&kept, 0), "the profile has no machine code"));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(
            machine_code_is_counted_and_techniques_are_looked_for, make_dir, drop_dir),
        cmocka_unit_test_setup_teardown(
            amds_kept_objects_are_read_for_the_launched_kernels, make_dir, drop_dir),
        cmocka_unit_test_setup_teardown(
            rocms_disassembler_comes_before_a_distributions, make_dir, drop_dir),
        cmocka_unit_test_setup_teardown(
            without_machine_code_the_answer_is_unavailable_and_says_why, make_dir, drop_dir),
        cmocka_unit_test_setup_teardown(
            of_an_autotuners_modules_the_one_with_as_many_registers_ran, make_dir, drop_dir),
        cmocka_unit_test_setup_teardown(
            a_disassembler_of_another_release_is_asked_for_the_whole_module, make_dir, drop_dir),
        cmocka_unit_test_setup_teardown(
            what_is_no_cubin_or_lacks_the_kernel_is_passed_over, make_dir, drop_dir),
        cmocka_unit_test_setup_teardown(
            a_line_of_a_profile_keeps_what_a_technique_needs, make_dir, drop_dir),
    };

    return cmocka_run_group_tests(tests, NULL, case_free);
}
