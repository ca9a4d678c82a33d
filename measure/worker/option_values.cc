// SPDX-License-Identifier: Apache-2.0
#include "measure/worker/option_values.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/text.h"

namespace dovetail {

Result<int64_t> parse_count(const std::string& option, std::string_view text) {
  const std::optional<int64_t> number = read_number<int64_t>(text);
  if (number && *number >= 0) return *number;
  return fail(fmt::format("{}: expected a number, found {}", option, text));
}

Result<std::vector<int>> parse_cores(const std::string& option, std::string_view text) {
  std::vector<int> cores;
  while (!text.empty()) {
    const std::string_view entry = text.substr(0, text.find(','));
    text.remove_prefix(std::min(text.size(), entry.size() + 1));
    cores.push_back(static_cast<int>(TRY(parse_count(option, entry))));
  }
  return cores;
}

}  // namespace dovetail
