// SPDX-License-Identifier: Apache-2.0
#include "core/record/line/trace_text.h"
#include "core/ir/schedule/algorithm_words.h"

#include "core/base/text.h"

namespace dovetail {
namespace {

constexpr std::string_view kAlgorithm = "algorithm: ";

}  // namespace

std::string_view recorded_algorithm(std::string_view trace) {
  if (!trace.starts_with(kAlgorithm)) return {};
  trace.remove_prefix(kAlgorithm.size());
  const std::string_view word = trace.substr(0, trace.find_first_of("(\n"));
  return word == kFormerInnerProductWord ? kInnerProductWord : word;
}

std::string way_of(std::string_view trace) {
  std::string way;
  for (const std::string_view line : split(trace, '\n')) {
    way += line.starts_with(kAlgorithm) ? line : line.substr(0, line.find(':'));
    way += "\n";
  }
  return way;
}

}  // namespace dovetail
