// SPDX-License-Identifier: Apache-2.0
#include "core/base/check.h"

#include <cstdio>
#include <cstdlib>
#include <string>

namespace dovetail {

void check_failed(const char* file, int line, std::string_view condition,
                  std::string_view message) {
  std::string text = std::string(file) + ":" + std::to_string(line) + ": CHECK failed: ";
  text += condition;
  if (!message.empty()) text.append(": ").append(message);
  text += '\n';
  std::fputs(text.c_str(), stderr);
  std::abort();
}

}  // namespace dovetail
