// SPDX-License-Identifier: Apache-2.0
#include "tools/colour.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>

namespace dovetail {

bool wants_colour(std::FILE* stream) {
  const char* forbidden = std::getenv("NO_COLOR");
  if (forbidden != nullptr && *forbidden != '\0') return false;
  const char* terminal = std::getenv("TERM");
  const bool is_dumb = terminal == nullptr || std::string_view(terminal) == "dumb";
  return !is_dumb && isatty(fileno(stream)) == 1;
}

std::string in_red(std::string_view text, std::FILE* stream) {
  return wants_colour(stream) ? fmt::format("\033[31m{}\033[0m", text) : std::string(text);
}

}  // namespace dovetail
