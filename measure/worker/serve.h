// SPDX-License-Identifier: Apache-2.0
#pragma once

// Common to all processes that dovetail starts: answer frames on descriptor 3 until it closes, and
// end with the parent process, even if that is killed.
//
//   if (!follow_parent(options.parent)) return 0;
//   return serve([&](const Frame& request) { return answer(request); });

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/base/result.h"
#include "core/ir/target.h"
#include "measure/transport/frame.h"
#include "measure/worker/faults.h"

namespace dovetail {

// False if the parent has ended already, so that there is no one to answer. 0: any parent.
bool follow_parent(int64_t parent);

// Returns the exit code. An error of `answer` ends it, with the message on stderr. Greetings
// (hello()) are answered here.
int serve(const std::function<Result<Frame>(const Frame&)>& answer);

inline constexpr int kFailureExit = 4;

// Command-line options with which one Dovetail program starts another: each program has one list of
// them, used for printing and for parsing.
//
//   print_options({{"--peer", &peer}, {"--cores", &cores}})     {"--peer", "onednn",
//                                                                "--cores", "0,1"}

struct ProgramOption {
  std::string name;  // "--cores"
  std::variant<std::string*, int64_t*, bool*, std::vector<int>*, Target*, Faults*> value;
};
using ProgramOptions = std::vector<ProgramOption>;

// `program` is named in messages.
Result<void> parse_options(const std::vector<std::string>& arguments, const ProgramOptions& options,
                           std::string_view program);
std::vector<std::string> print_options(const ProgramOptions& options);

}  // namespace dovetail
