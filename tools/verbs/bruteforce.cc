// SPDX-License-Identifier: Apache-2.0
// The verb `bruteforce`: measures every point of a reduced space.
#include "campaign/bruteforce.h"

#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "report/tables/table.h"
#include "tools/interrupt.h"
#include "tools/progress_bar.h"
#include "tools/verbs.h"

namespace dovetail {
namespace {

std::string text_of(const BruteforceResult& result, bool json) {
  if (json) {
    const nlohmann::ordered_json object{{"spec", result.spec},
                                        {"points", result.points},
                                        {"layouts", result.layouts},
                                        {"valid", result.valid},
                                        {"best_seconds", result.best_seconds},
                                        {"file", result.file}};
    return object.dump(2) + "\n";
  }
  Table table({{"spec", Align::left},
               {"points"},
               {"layouts"},
               {"valid"},
               {"best (us)"},
               {"file", Align::left}});
  table.add_row({result.spec, fmt::format("{}", result.points), fmt::format("{}", result.layouts),
                 fmt::format("{}", result.valid), microseconds(result.best_seconds), result.file});
  return print(table);
}

}  // namespace

Result<ExitCode> run_bruteforce(const BruteforceOptions& options, bool json) {
  catch_interrupts();
  ProgressBar bar(stderr);
  const Listener listener = listener_of(bar);
  const BruteforceResult result = TRY(bruteforce(options, listener));
  if (result.ending != Ending::done) {
    const bool stopped = result.ending == Ending::interrupted;
    listener.note(fmt::format("{}; everything measured is in {}; the same command goes on",
                              stopped ? "interrupted" : result.device_error, result.log));
    return stopped ? ExitCode::interrupted : ExitCode::device_failure;
  }
  std::fputs(text_of(result, json).c_str(), stdout);
  return result.valid > 0 ? ExitCode::done : ExitCode::no_candidate;
}

}  // namespace dovetail
