// SPDX-License-Identifier: Apache-2.0
#include "tools/output.h"

#include <fmt/format.h>

#include <cstdio>

#include "core/base/printable.h"

namespace dovetail {

void put(const std::string& text) { std::fputs(printable_lines(text).c_str(), stdout); }

void tell(const std::string& lines) {
  std::fprintf(stderr, "dovetail: %s\n", printable_lines(lines).c_str());
}

void tell_how_to_continue(const std::string& what, bool was_confirming,
                          const std::string& command) {
  tell(fmt::format("{}{}; continue with:\n{}", what,
                   was_confirming ? "; confirming the best begins anew" : "", command));
}

}  // namespace dovetail
