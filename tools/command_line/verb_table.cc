// SPDX-License-Identifier: Apache-2.0
#include "tools/command_line/verb_table.h"

namespace dovetail {

// Each in the file of its name.
using Parse = Result<Action>(Arguments);
Parse parse_tune, parse_replay, parse_bench, parse_show, parse_log, parse_bruteforce, parse_compare,
    parse_pretrain, parse_doctor, parse_report, parse_run;

namespace {

constexpr Verb kVerbs[] = {
    {"tune", "WORKLOAD... --log FILE", "search for fast kernels, every measurement into the log",
     parse_tune},
    {"replay", "WORKLOAD... --log FILE", "run the best of a log, or a trace of yours, again",
     parse_replay},
    {"bench", "WORKLOAD... --log FILE", "the best of a log beside oneDNN, LibTorch and OpenBLAS",
     parse_bench},
    {"run", "SPEC", "compute one spec on arrays of yours (.npy), checked", parse_run},
    {"show", "SPEC|RECORD|MODEL", "look inside: space, trace, nest, code, features, layout",
     parse_show},
    {"log", "ACTION LOG...", "what logs hold: best, stats, verify, distill, merge, migrate, export",
     parse_log},
    {"bruteforce", "SPEC -o DIR", "measure every point of a reduced space", parse_bruteforce},
    {"pretrain", "SPACE... -o FILE", "train the agent of ppo on measured spaces", parse_pretrain},
    {"compare", "--strategies A,B -o DIR", "strategies side by side, on measured spaces or live",
     parse_compare},
    {"report", "LOG... -o FILE.html", "a campaign or a comparison as one page, and figures",
     parse_report},
    {"doctor", "", "what this machine can do", parse_doctor},
    {"build", "", "", nullptr},
    {"plan", "", "", nullptr},
};

}  // namespace

std::span<const Verb> verbs() { return kVerbs; }

}  // namespace dovetail
