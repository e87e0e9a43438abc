/* Options that several commands take, one macro each: a command's table lists the macros. So an
 * option has the same letter, value and help in every command; a test compares all tables. The
 * letters a c d k l o p s t w belong to what a record is about, and to nothing else. */
#ifndef LORE_CLIENT_COMMANDS_OPTIONS_H
#define LORE_CLIENT_COMMANDS_OPTIONS_H

#include "collectors/client/cli.h"

/* clang-format off */
#define LORE_OPT_OPERATOR {"operator", 'o', "OPERATOR", false, "Operator, by any known name: gemm, softmax, topk_softmax"}
#define LORE_OPT_KERNEL {"kernel", 'k', "KERNEL", false, "Kernel, by name or id (a new one, by default: named like its operator)"}
#define LORE_OPT_LANGUAGE {"language", 'l', "LANGUAGE", false, "Kernel language: cuda, hip, triton, ck, cutlass, cute_dsl, asm, …"}
#define LORE_OPT_CHIP {"chip", 'c', "CHIP", false, "Chip or ISA: mi300x, h100-sxm, sm_86, …"}
#define LORE_OPT_PROJECT {"project", 'p', "PROJECT", false, "Project of the kernel: team/attention (of a new record, by default: the configuration's)"}
#define LORE_OPT_DIMS {"dims", 'd', "DIMS", false, "Size of the problem: M=4096,N=4096,K=4096"}
#define LORE_OPT_TIME {"time", 0, "TIME", false, "Time of the version, with its unit: 81us"}
#define LORE_OPT_HYPOTHESIS {"hypothesis", 0, "TEXT", false, "The claim made before the run"}
#define LORE_OPT_DTYPE {"dtype", 0, "TYPE", false, "Element type: f32, bf16"}
#define LORE_OPT_LAYOUT {"layout", 0, "LAYOUT", false, "Layout: row, col, nhwc"}
#define LORE_OPT_AUTHOR {"author", 'a', "NAME", false, "Author (of a new record, by default: the author in the configuration file)"}
#define LORE_OPT_SINCE {"since", 's', "TIME", false, "Not before: 2026-11-24, a time, or how long ago: 36h, 7d"}
#define LORE_OPT_SORT {"sort", 0, "COLUMN", false, "Sort by this column (boards: operator, speedup, chip, time or updated); `-` first: descending"}
#define LORE_OPT_TECHNIQUE {"technique", 't', "TECHNIQUE", false, "Technique: name or name{param=value}"}
#define LORE_OPT_TECHNIQUES {"technique", 't', "TECHNIQUE", true, "Technique: name or name{param=value}"}
#define LORE_OPT_WORKLOAD {"workload", 'w', "ID", false, "Workload, by id"}
#define LORE_OPT_FAMILY {"family", 0, "FAMILY", false, "Operator family: moe, norm, attention"}
#define LORE_OPT_BOTTLENECK {"bottleneck", 0, "LABELS", false, "Bottleneck: memory, compute, sync, …; several: memory+sync"}
#define LORE_OPT_EVIDENCE {"evidence", 0, "CLASS", false, "Evidence class (boards and advice: at least this): confirmed, measured, imported or claimed"}
#define LORE_OPT_EFFECT {"effect", 0, "EFFECT", false, "Effect: win, neutral, loss, inconclusive, wrong_result or not_measured"}
#define LORE_OPT_CORRECTNESS {"correctness", 0, "STATE", false, "Correctness: pass, fail, timeout or not_checked"}
#define LORE_OPT_ERROR_TYPE {"error-type", 0, "KIND", false, "Failure: compilation, runtime, accuracy, performance, timeout, profiling, environment or process"}
#define LORE_OPT_KIND {"kind", 0, "KIND", false, "Kind of insight: note, technique_card, anti_strategy, symptom_card, playbook, …"}
#define LORE_OPT_STATE {"state", 0, "STATE", false, "State of a direction: open, closed or all; of an insight: draft, reviewed or rejected"}
#define LORE_OPT_CAMPAIGN {"campaign", 0, "ID", false, "Campaign, by id"}
#define LORE_OPT_RUN {"run", 0, "RUN", false, "Run, by id"}
#define LORE_OPT_VERSION {"version", 0, "VERSION", false, "Version, by id"}
#define LORE_OPT_FROM {"from", 0, "VERSION", false, "Version that the change starts from: champion, last, first, v3, or an id"}
#define LORE_OPT_METRIC {"metric", 'm', "NAME", false, "Metric: hbm_bandwidth"}
#define LORE_OPT_LIMIT {"limit", 'n', "N", false, "Rows at most"}
#define LORE_OPT_CURSOR {"cursor", 0, "TEXT", false, "The cursor that the last page printed"}
#define LORE_OPT_REASON {"reason", 'r', "TEXT", false, "The reason, stored with the decision"}
#define LORE_OPT_DRY_RUN {"dry-run", 0, NULL, false, "Show the result, and send or change nothing"}
#define LORE_OPT_TITLE {"title", 0, "TEXT", false, "Title, in one line"}
#define LORE_OPT_BODY {"body", 0, "TEXT", false, "Text; - reads it from standard input"}
#define LORE_OPT_LABEL {"label", 0, "TEXT", false, "Label of a version (v4) or of a host (gpu-7)"}
#define LORE_OPT_LICENCE {"licence", 0, "NAME", false, "Licence of the files"}
#define LORE_OPT_MARKDOWN {"markdown", 0, NULL, false, "Print a Markdown table or page"}
#define LORE_OPT_CSV {"csv", 0, NULL, false, "Print every row as CSV; with --limit: one page"}
#define LORE_OPT_ALL {"all", 0, NULL, false, "Leave nothing out"}
#define LORE_OPT_RECORD {"record", 0, NULL, false, "Store the result"}
#define LORE_OPT_NEW {"new", 0, NULL, false, "A new session, although the last one could go on; a new kernel, although a stored one has a name like it"}
#define LORE_OPT_STRICT {"strict", 0, NULL, false, "Exit with a failure when the result is not as wanted"}
#define LORE_OPT_ADVICE {"advice", 0, "ID", false, "Advice that was followed: the id that `recommend` printed"}
#define LORE_OPT_HYPOTHESIS_FILE {"hypothesis-file", 0, "FILE", false, "The claim made before the run, from a file: text or YAML"}
#define LORE_OPT_KERNEL_REGEX {"kernel-regex", 0, "REGEX", false, "Kernels to measure (default: all)"}
#define LORE_OPT_ITERATIONS {"iterations", 0, "N", false, "Iterations (of a program, by default: found from launch counts)"}
#define LORE_OPT_WARMUP {"warmup", 0, "N", false, "Warm-up iterations, which do not count"}
#define LORE_OPT_ROUNDS {"rounds", 0, "N", false, "Rounds of four processes at most (default 12)"}
#define LORE_OPT_SECONDS {"seconds", 0, "S", false, "Stop after the round in which S seconds are reached"}
#define LORE_OPT_CAPTURE {"capture", 0, "NAME", false, "Capture library: cupti or fake (default: the first with a device)"}
#define LORE_OPT_SHOW_OUTPUT {"show-output", 0, NULL, false, "Let the program write to the terminal"}
#define LORE_OPT_STATE_DIR {"state-dir", 0, "DIR", false, "Directory of keys, spool and noise floors (default: WARPLORE_STATE)"}
#define LORE_OPT_SHOW_HOST {"show-host", 0, NULL, false, "Record the host's name instead of its hash"}
#define LORE_OPT_NO_ISA {"no-isa", 0, NULL, false, "Do not read the machine code"}
#define LORE_OPT_NO_COMMAND {"no-command", 0, NULL, false, "Do not record the program's arguments"}
#define LORE_OPT_NO_UPLOAD {"no-upload", 0, NULL, false, "Keep the record; a later run or the agent sends it"}
#define LORE_OPT_OUT {"out", 0, "FILE", false, "Write the record to FILE instead of sending it"}
#define LORE_OPT_UNMASKED_ONLY {"unmasked-only", 0, NULL, false, "Leave out masked versions; fail on a masked experiment"}
#define LORE_OPT_VERBOSE {"verbose", 'v', NULL, false, "Print every line of the report"}
#define LORE_OPT_SOURCE {"source", 0, "FILE", true, "Source file of the version"}

/* Groups: a measured kernel, how its record is kept, and an insight with its scope. */
#define LORE_OPTS_MEASURED LORE_OPT_OPERATOR, LORE_OPT_FAMILY, LORE_OPT_KERNEL, LORE_OPT_DIMS, LORE_OPT_DTYPE, LORE_OPT_LAYOUT, LORE_OPT_LANGUAGE, LORE_OPT_PROJECT
#define LORE_OPTS_KEPT LORE_OPT_CAMPAIGN, LORE_OPT_AUTHOR, LORE_OPT_LICENCE, LORE_OPT_NO_ISA, LORE_OPT_NO_COMMAND, LORE_OPT_SHOW_HOST, LORE_OPT_OUT, LORE_OPT_NO_UPLOAD
#define LORE_OPTS_INSIGHT LORE_OPT_TITLE, LORE_OPT_BODY, LORE_OPT_KIND, LORE_OPT_OPERATOR, LORE_OPT_FAMILY, LORE_OPT_CHIP, LORE_OPT_TECHNIQUE, LORE_OPT_LANGUAGE, LORE_OPT_BOTTLENECK
/* clang-format on */

#endif
