// SPDX-License-Identifier: Apache-2.0
#include "tools/command_line/verb_parser.h"
#include "tools/verbs.h"

namespace dovetail {

Result<Action> parse_bench(Arguments arguments) {
  BenchOptions options;
  VerbParser parser("bench", "Times the best of a log beside other libraries, in turn.");
  parser.workloads(options.workloads);
  parser.target(options.target);
  parser.text("--log", options.log, "file of records, or none: default traces (required)");
  parser.listed(
      "--against", options.against,
      "onednn, libtorch, openblas, FILE with rows {spec, peer, seconds}; by commas; or none",
      "onednn,libtorch,openblas");
  parser.repeated("--beside", options.beside,
                  "NAME=LOG: the best of another log (none: default traces) in turn with them");
  parser.text("--save", options.save,
              "FILE: keeps each row as it is measured; the same command then goes on");
  parser.shapes(options.shapes);
  parser.json(options.json);
  if (TRY(parser.parse(std::move(arguments)))) return parser.help();
  if (options.workloads.empty()) return fail("bench: no WORKLOAD given; see dovetail bench --help");
  if (options.log.empty()) return fail("bench: --log FILE is missing");
  return Action([options = std::move(options)] { return run_bench(options); });
}

}  // namespace dovetail
