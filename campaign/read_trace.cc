// SPDX-License-Identifier: Apache-2.0
#include "campaign/read_trace.h"

#include <fmt/format.h>

#include <iostream>
#include <iterator>

#include "core/base/files.h"

namespace dovetail {
namespace {

constexpr size_t kMostBytes = 1 << 20;  // far above any trace: what else is piped in ends there

Result<std::string> read_stdin() {
  std::string text;
  for (std::istreambuf_iterator<char> at(std::cin), end; at != end; ++at) {
    text += *at;
    if (text.size() > kMostBytes)
      return fail(fmt::format("stdin: more than {} bytes; expected a trace", kMostBytes));
  }
  return text;
}

}  // namespace

Result<Trace> read_trace(const std::string& path) {
  const bool is_stdin = path == "-";
  const std::string text = TRY(is_stdin ? read_stdin() : read_file(path));
  Result<Trace> trace = parse_trace(text);
  if (trace) return trace;
  return fail(fmt::format("{}: {}", is_stdin ? "stdin" : path, trace.error().message));
}

}  // namespace dovetail
