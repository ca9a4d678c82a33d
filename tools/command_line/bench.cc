// SPDX-License-Identifier: Apache-2.0
#include "tools/command_line/verb_parser.h"
#include "tools/verbs.h"

namespace dovetail {
namespace {

constexpr Option<BenchOptions> kBenchOptions[] = {
    {"WORKLOAD", &BenchOptions::workloads, kWorkloadHelp},
    {"--target", &BenchOptions::target, kTargetHelp},
    {"--log", &BenchOptions::log, "file of records, or none: default traces (required)"},
    {.name = "--against",
     .member = &BenchOptions::against,
     .help = "onednn, libtorch, openblas, FILE with rows {spec, peer, seconds}; by commas; or none",
     .otherwise = "onednn,libtorch,openblas"},
    {"--beside", &BenchOptions::beside,
     "NAME=LOG: the best of another log (none: default traces) in turn with them"},
    {"--save", &BenchOptions::save,
     "FILE: keeps each row as it is measured; the same command then goes on"},
    {"--shape", &BenchOptions::shapes, kShapeHelp},
};

}  // namespace

Result<Action> parse_bench(Arguments arguments) {
  BenchOptions options;
  VerbParser parser("bench", "Times the best of a log beside other libraries, in turn.");
  parser.add<BenchOptions>(kBenchOptions, options);
  parser.add_json();
  if (TRY(parser.parse(std::move(arguments)))) return parser.help();
  if (options.workloads.empty()) return fail("bench: no WORKLOAD given; see dovetail bench --help");
  if (options.log.empty()) return fail("bench: --log FILE is missing");
  return Action([options = std::move(options), json = parser.wants_json()] {
    return run_bench(options, json);
  });
}

}  // namespace dovetail
