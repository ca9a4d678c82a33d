// SPDX-License-Identifier: Apache-2.0
#pragma once

// Options with which one of our programs starts another: each program has a list of them, which
// both sides walk.
//
//   print_options({{"--peer", &peer}, {"--cores", &cores}})     {"--peer", "onednn",
//                                                                "--cores", "0,1"}

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/base/result.h"
#include "core/ir/target.h"
#include "measure/worker/faults.h"

namespace dovetail {

struct Option {
  std::string name;  // "--cores"
  std::variant<std::string*, int64_t*, bool*, std::vector<int>*, Target*, Faults*> value;
};
using OptionList = std::vector<Option>;

// `program` is for messages.
Result<void> parse_options(const std::vector<std::string>& arguments, const OptionList& options,
                           std::string_view program);
std::vector<std::string> print_options(const OptionList& options);

}  // namespace dovetail
