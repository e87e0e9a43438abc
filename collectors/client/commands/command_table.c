/* The table of commands, in the order of the overview; commands.c finds them and makes the help. */
#include "collectors/client/commands/commands.h"

#define ANY 1000

const struct lore_cli_command lore_commands[] = {
    {"session", "start KERNEL | status | log | end", 1, 2, lore_session_opts, lore_cmd_session,
        "What the attempts of this directory belong to: kernel, chip, shape",
        "  warplore session start rope_kv_append --operator rope --language cuda --chip h100 \\\n"
        "      --dims B=8,S=4096\n"
        "  warplore try baseline --time 120us\n"
        "  warplore try 'float4 loads' --time 81us\n"
        "  warplore session log"},
    {"try", "CHANGE", 1, 1, lore_try_opts, lore_cmd_try,
        "Record one attempt of the session, also a failed one",
        "  warplore try 'float4 loads' --time 81us --hypothesis 'Wider loads, fewer requests'\n"
        "  warplore try 'tile 128' --params tile=128 --samples times.txt --checked-against torch\n"
        "  warplore try 'more unroll' --error compile --log nvcc.log\n"
        "The first time is the baseline. Every attempt starts from the champion, unless --from or\n"
        "--keep says otherwise. The same attempt twice is stored once; the same words with "
        "another\n"
        "time are a further run of that version (--again: a new one).\n"
        "win: more than 5 % faster, with samples also beyond their noise; loss: slower beyond\n"
        "noise (without samples: by more than 2 %); no gain: between them."},
    {"record", "[CHANGE | DIRECTORY]", 0, 1, lore_record_opts, lore_cmd_record,
        "Record one attempt without a session, from options, a file, or a directory",
        "  warplore record 'float4 loads' --operator softmax --language cuda --chip sm_86 \\\n"
        "      --dims M=4096,N=1024 --before 0.90ms --time 0.52ms --bottleneck memory\n"
        "  warplore record --file experiment.yaml      keys are the options' names\n"
        "  warplore record v3/ --chip mi300x --operator topk_softmax --language hip\n"
        "The time before is that of a stored version of the same kernel, chip and shape when they\n"
        "differ by less than 2 %; else it becomes a version of its own."},
    {"run", "-- APP [ARGUMENT…]", 0, ANY, lore_run_opts, lore_cmd_run,
        "Run a program on a GPU and record what its kernels did",
        "  warplore run -- ./bench\n"
        "  warplore run --operator gemm --dims M=4096,N=4096,K=4096 --dtype bf16 \\\n"
        "      --source v3.cu --parent v2.cu --hypothesis-file h.txt -- ./bench v3\n"
        "  warplore run --metrics basic --check './check v3' -- python3 bench.py\n"
        "Options end at -- or at the program's name. The exit status is the program's.\n"
        "A later --parent can name the first --source. --strict: status 5 when nothing was "
        "measured or\n"
        "kept. warplore.yaml, beside the first --source or here, may hold the same options."},
    {"submit", "FILE…", 1, ANY, NULL, lore_cmd_submit,
        "Send submission documents as they are (- is standard input)",
        "Documents are sent in the given order; the first refusal ends the command. "
        "Sending one\n"
        "again stores nothing new."},
    {"import", "PATH…", 1, ANY, lore_import_opts, lore_cmd_import,
        "Import other systems' files: memories, run directories, wikis, spec sheets",
        "  warplore import --dry-run runs/ experiences.json\n"
        "  warplore import --licence MIT global_strategy_memory.json\n"
        "The content shows the format. Importing again stores nothing new. The project of the "
        "kernels is\n"
        "by default that of the repository or folder; --project '' gives none."},
    {"note", "[TEXT]", 0, 1, lore_note_opts, lore_cmd_note, "Write down an insight",
        "  warplore note 'Keep short rows in one warp: a barrier costs more than idle lanes.'\n"
        "  warplore note --title 'Keep short rows in one warp' --operator topk_softmax \\\n"
        "      --body 'A barrier costs more than idle lanes.'"},
    {"promote", "EXPERIMENT…", 1, 200, lore_promote_opts, lore_cmd_promote,
        "Draft an insight from what experiments showed; --record stores it",
        "  warplore promote 01J… 01J… --title 'Wide loads pay on sm_86'\n"
        "  warplore promote 01J… --title '…' --body 'In my own words.' --record"},

    {"brief", "[KERNEL]", 0, 1, lore_brief_opts, lore_cmd_brief,
        "What to know before work on a kernel: standing, what to try, dead ends",
        "  warplore brief                           in the directory of a session\n"
        "  warplore brief softmax_cuda -c h200 --max-bytes 2000\n"
        "  warplore brief -o gemm -c h200 -d M=4096,N=4096,K=4096 --dtype bf16\n"
        "An operator's name for KERNEL means the operator when several kernels compute it.\n"
        "In brackets after each sentence: the records that it rests on, for `warplore show`."},
    {"recommend", "[KERNEL]", 0, 1, lore_recommend_opts, lore_cmd_recommend,
        "What worked for similar kernels on this chip and bottleneck?",
        "  warplore recommend softmax_cuda -c h200          for its best version\n"
        "  warplore recommend --operator softmax --chip sm_86 --bottleneck memory\n"
        "An operator's name for KERNEL means the operator when several kernels compute it."},
    {"advice", "ID | opened ID | applied ID TECHNIQUE | dismissed ID TECHNIQUE", 1, 3,
        lore_advice_opts, lore_cmd_advice,
        "Show the results of an answer of `recommend`, or report what you did with it",
        "  warplore advice applied 01J… memory.vectorized_access\n"
        "  warplore advice dismissed 01J… compute.tensor_core --note 'the inputs are fp64'\n"
        "  warplore advice 01J…                    the listed techniques and their results"},
    {"check-idea", "[PLAN…]", 0, ANY, lore_check_idea_opts, lore_cmd_check_idea,
        "Has this plan failed here before?",
        "  warplore check-idea 'float4 loads' -k softmax -c h200\n"
        "  warplore check-idea -o softmax -t 'memory.tiling_smem{tile=64}'\n"
        "  warplore check-idea --hypothesis-file next.txt --from 01J…\n"
        "Exit status: 0 new, 10 stop: it failed here before, 11 known: it won or failed on\n"
        "another kernel, chip, workload or earlier version, or its technique failed each time "
        "here,\n12 it won here already. A plan without parameters matches an attempt with any."},
    {"search", "WORDS…", 1, ANY, lore_search_opts, lore_cmd_search,
        "Find words in experiments, hypotheses, insights and versions", NULL},
    {"list", "[NOUN]", 0, 1, lore_list_opts, lore_cmd_list,
        "List experiments, kernels, versions, runs, hypotheses, operators, chips, specs …",
        "  warplore list --operator softmax --effect loss\n"
        "  warplore list kernels --language hip\n"
        "Nouns: experiments, kernels, versions, runs, hypotheses, operators, chips, techniques,\n"
        "unresolved (names the catalogue does not know), insights, submissions, specs, documents,\n"
        "campaigns, sweeps, profiles, directions, curations, merges."},
    {"show", "ID", 1, 1, lore_show_opts, lore_cmd_show,
        "Show anything by its id; a chip or technique by its name", NULL},
    {"leaderboard", "[WORD]", 0, 1, lore_leaderboard_opts, lore_cmd_leaderboard,
        "The best version per operator, language, chip and workload", NULL},
    {"matrix", "", 0, 0, lore_matrix_opts, lore_cmd_matrix, "The best result per operator and chip",
        NULL},
    {"stats", "[advice]", 0, 1, lore_stats_opts, lore_cmd_stats,
        "Totals of the stored records; `stats advice`: results of past advice",
        "  warplore stats advice --chip mi300x"},

    {"failures", "", 0, 0, lore_failures_opts, lore_cmd_failures,
        "List recorded failures with their count, cause and fix",
        "  warplore failures --error-type compilation"},
    {"history", "KERNEL", 1, 1, lore_history_opts, lore_cmd_history,
        "A kernel's versions in order: time, gain, verdict, champion", NULL},
    {"summary", "KERNEL", 1, 1, lore_history_opts, lore_cmd_summary,
        "Summarise each version of a kernel; masked ones are marked", NULL},
    {"latest", "KERNEL", 1, 1, NULL, lore_cmd_latest, "The highest version that is not masked",
        NULL},
    {"frontier", "KERNEL", 1, 1, lore_workload_opts, lore_cmd_frontier,
        "Correct versions behind the champion, and how they differ", NULL},
    {"compare", "A B [-- ARGS…]", 2, ANY, lore_compare_opts, lore_cmd_compare,
        "Two programs, measured in turns; or two stored versions side by side",
        "  warplore compare ./softmax_v1 ./softmax_v2 -- 4096\n"
        "  warplore compare 'python3 a.py --n 4096' 'python3 b.py --n 4096' \\\n"
        "      --kernel-regex softmax\n"
        "  warplore compare 01J… 01J…              versions: time, metrics, techniques, source\n"
        "Programs run in the order A B B A under the capture library until the verdict is "
        "decided:\n"
        "win, loss, no gain or inconclusive, with an interval. See docs/compare.md.\n"
        "--source-a and --source-b record the comparison. --strict: status 1 unless B is at least "
        "as fast."},
    {"calibrate", "[-- APP ARGS…]", 0, ANY, lore_calibrate_opts, lore_cmd_calibrate,
        "Measure a program against itself: the noise floor of this machine",
        "  warplore calibrate -- ./softmax_v1 4096\n"
        "  warplore calibrate --show\n"
        "`compare` ignores differences below the floor, for kernels of similar duration\n"
        "on the same device."},
    {"drift", "KERNEL", 1, 1, lore_workload_opts, lore_cmd_drift,
        "How a kernel's bottleneck moved from version to version", NULL},
    {"lineage", "VERSION", 1, 1, NULL, lore_cmd_lineage,
        "The ancestors and descendants of a version", NULL},
    {"environments", "[diff A B]", 0, 3, lore_environments_opts, lore_cmd_environments,
        "The environments of runs, and how two of them differ",
        "  warplore environments --chip mi300x\n"
        "  warplore environments diff 01J… 01J…"},
    {"campaigns", "[KERNEL]", 0, 1, lore_page_opts, lore_cmd_campaigns,
        "List campaigns, and whether all their experiments arrived", NULL},
    {"campaign", "ID | close ID | amend ID", 1, 2, lore_campaign_opts, lore_cmd_campaign,
        "Show a campaign, close it, or change what it expects",
        "  warplore campaign amend 01J… --expected 3 --reason 'the third run never started'\n"
        "  warplore campaign close 01J… --stop-reason target_met --reason 'within 5 % of peak'\n"
        "Stop reasons: max_iterations, target_met, near_peak, "
        "bottleneck_saturated, blocked, user,\n"
        "error."},
    {"directions", "[KERNEL]", 0, 1, lore_directions_opts, lore_cmd_directions,
        "List directions: ideas that are worth trying next", NULL},
    {"direction", "ID | close ID", 1, 2, lore_reason_opts, lore_cmd_direction,
        "Show a direction, or close it", "  warplore direction close 01J… --reason 'tried, lost'"},

    {"profiles", "", 0, 0, lore_profiles_opts, lore_cmd_profiles,
        "List profiles: programs run without --operator, and their GPU time", NULL},
    {"profile", "ID|FILE", 1, 1, lore_profile_opts, lore_cmd_profile,
        "Where a program's GPU time went, kernel by kernel",
        "  warplore profile 01J…\n"
        "  warplore profile out.json               a record that `run --out` wrote\n"
        "  warplore profile 01J… --line 3          the launch shapes of line 3"},
    {"adopt", "PROFILE LINE", 2, 2, lore_adopt_opts, lore_cmd_adopt,
        "Make a run of a line of a profile: say what the kernel computes",
        "  warplore adopt 01J… 1 --operator gemm --dims M=4096,N=4096,K=4096 --dtype bf16\n"
        "  warplore adopt 01J… 3.2 -o softmax -d rows=8192,cols=4096   launch shape 2 of line 3"},
    {"diagnose", "RUN | PROFILE [LINE]", 1, 2, NULL, lore_cmd_diagnose,
        "Show a run's bottleneck by every rule set, and contradictions",
        "  warplore diagnose 01J…\n"
        "  warplore diagnose 01J… 3.2          launch shape 2 of line 3 of a profile"},
    {"triggers", "RUN", 1, 1, lore_triggers_opts, lore_cmd_triggers,
        "The techniques that a run's metrics suggest, strongest first",
        "  warplore triggers 01J… --select\n"
        "  warplore triggers 01J… --select --budget 1,2,0 --failed memory.tma_multicast"},
    {"methods", "check METHOD…", 2, 33, lore_methods_opts, lore_cmd_methods,
        "Check a choice of methods against the rules of selection",
        "  warplore methods check memory.async_copy compute.tensor_core --run 01J…\n"
        "A METHOD may carry its axis and priority: memory.async_copy:memory:3. Exit status 1 when\n"
        "a rule is broken; each broken rule is a line."},
    {"roofline", "[RUN]", 0, 1, lore_roofline_opts, lore_cmd_roofline,
        "How near a kernel is to the chip's peak",
        "  warplore roofline --chip h100-sxm --dtype bf16 --flops 1.4e11 --bytes "
        "1e8 --time 300us\n"
        "  warplore roofline 01J…\n"
        "Without a sourced spec the answer is UNKNOWN and names what is missing."},
    {"budget", "COMPUTE MEMORY LATENCY", 3, 3, NULL, lore_cmd_budget,
        "Spread the next attempts over three gaps to peak (each 0 to 1)", NULL},
    {"isa", "FILE | diff BEFORE AFTER", 1, 3, lore_isa_opts, lore_cmd_isa,
        "Look for techniques in a disassembly, or compare two",
        "  warplore isa v2.sass --technique memory.vectorized_access --base v1.sass\n"
        "  warplore isa v2.sass -t warp_shuffle --version 01J… --record\n"
        "  warplore isa diff v1.sass v2.sass\n"
        "--strict: status 1 unless every technique is verified.\n"
        "Reads cuobjdump --dump-sass, nvdisasm, llvm-objdump -d and AMDGCN assembler."},
    {"verifications", "VERSION", 1, 1, lore_verifications_opts, lore_cmd_verifications,
        "List the techniques found in a version's machine code", NULL},

    {"chip", "NAME", 1, 1, lore_chip_opts, lore_cmd_chip,
        "A chip's numbers with their sources; unknown and disputed numbers", NULL},
    {"specs", "[CHIP] | disputes | select ID | reject ID", 0, 2, lore_specs_opts, lore_cmd_specs,
        "Hardware numbers with path and line; choose between sources",
        "  warplore specs mi300x\n"
        "  warplore specs disputes\n"
        "  warplore specs select 01J… --reason 'the vendor's data sheet'"},
    {"technique", "NAME", 1, 1, NULL, lore_cmd_technique,
        "Show a technique's catalogue entries and its results", NULL},
    {"alias", "NAME TECHNIQUE", 2, 2, lore_alias_opts, lore_cmd_alias,
        "Say which technique a name means that the catalogue does not know",
        "  warplore list unresolved\n"
        "  warplore alias 'floot4 lods' memory.vectorized_access"},
    {"rules", "", 0, 0, NULL, lore_cmd_rules, "List the process rules and flags that verdicts name",
        NULL},
    {"calibration", "[AUTHOR]", 0, 1, lore_calibration_opts, lore_cmd_calibration,
        "How often predictions came true", NULL},
    {"judgements", "", 0, 0, lore_judgements_opts, lore_cmd_judgements,
        "Compare expectations with measurements", NULL},

    {"mask", "ID [TEXT]", 1, 2, lore_reason_opts, lore_cmd_mask,
        "Hide an experiment from recommendations, with a reason", NULL},
    {"unmask", "ID [TEXT]", 1, 2, lore_reason_opts, lore_cmd_unmask,
        "Show a masked experiment again, with a reason", NULL},
    {"restart", "KERNEL", 1, 1, lore_restart_opts, lore_cmd_restart,
        "Hide a random half of the versions, never the baseline or the best",
        "  warplore restart 01J… --reason 'stuck since v6' --seed 7 --dry-run"},
    {"merge", "[ID ID…]", 0, 200, lore_merge_opts, lore_cmd_merge,
        "Merge duplicate experiments; without ids: list likely duplicates",
        "  warplore merge                                          proposals\n"
        "  warplore merge 01J… 01J… --reason 'imported twice' --dry-run"},
    {"unmerge", "ID", 1, 1, lore_reason_opts, lore_cmd_unmerge, "Undo a merge, with a reason",
        NULL},
    {"retract", "ID [TEXT]", 1, 2, lore_reason_opts, lore_cmd_retract,
        "Withdraw a record; verdicts that rest on it are derived again", NULL},
    {"quarantine", "", 0, 0, lore_quarantine_opts, lore_cmd_quarantine,
        "Withdraw all that somebody brought, in one decision, or undo it",
        "  warplore quarantine --author bot-7 --since 2026-11-24 --reason 'its clock was wrong'"},
    {"review", "INSIGHT", 1, 1, lore_review_opts, lore_cmd_review,
        "Review an insight: draft, reviewed or rejected", NULL},
    {"comment", "ID [TEXT]", 1, 2, lore_reason_opts, lore_cmd_comment, "Add a remark to any record",
        "  warplore comment v12 'the clock was not locked'"},

    {"export", "[PATH]", 0, 1, lore_export_opts, lore_cmd_export,
        "Write everything as JSON lines, or experiments in other forms",
        "  warplore export --all backup.jsonl       and back: warplore import backup.jsonl\n"
        "  warplore export --experiences experiences.json\n"
        "  warplore export --memory softmax workspace/"},
    {"report", "KERNEL", 1, 1, lore_report_opts, lore_cmd_report,
        "Write a report on one kernel: versions, hypotheses, verifications, failures",
        "  warplore report softmax --template final\n"
        "  warplore report 01K… --template iteration --version v3 --output v3.md"},

    {"doctor", "", 0, 0, NULL, lore_cmd_doctor,
        "Check configuration, GPU, spool, service and token", NULL},
    {"agent", "enroll | run | add FILE… | status | verify", 1, ANY, lore_agent_opts, lore_cmd_agent,
        "Deliver this host's documents, signed, until the service has them",
        "  warplore agent enroll --url https://warplore.example --code wle_… --label gpu-7\n"
        "  warplore agent run                 deliver as a daemon; --once: deliver once\n"
        "  warplore agent add run.json        add documents to the spool\n"
        "  warplore agent status              waiting and refused documents, with reasons\n"
        "  warplore agent verify              check the chain of stored receipts"},
    {NULL, NULL, 0, 0, NULL, NULL, NULL, NULL},
};
