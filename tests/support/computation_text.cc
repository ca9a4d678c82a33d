// SPDX-License-Identifier: Apache-2.0
#include "tests/support/computation_text.h"

#include "core/ir/value/value_text.h"

namespace dovetail {
namespace {

std::string print_access(const Access& access) {
  std::string text = access.tensor + "[";
  for (size_t j = 0; j < access.indices.size(); ++j)
    text += (j > 0 ? ", " : "") + print(access.indices[j]);
  return text + "]" + print_conditions(access);
}

// Each read as what it reads, so that the value can be read by people.
std::string print_reads(const Value& value, const Computation& c, const std::string& reduced) {
  std::string text = print(value);
  for (size_t i = c.reads.size(); i-- > 0;) {
    const std::string name = print(read_of(i));
    for (size_t at = text.find(name); at != std::string::npos; at = text.find(name, at))
      text.replace(at, name.size(), print_access(c.reads[i]));
  }
  if (const size_t at = text.find('@'); at != std::string::npos) text.replace(at, 1, reduced);
  return text;
}

}  // namespace

std::string print_conditions(const Access& access) {
  std::string text;
  for (const Bound& condition : access.conditions) {
    text += (text.empty() ? " where " : " and ") + std::to_string(condition.lower) +
            " <= " + print(condition.expr) + " < " + std::to_string(condition.upper);
  }
  return text;
}

std::string print(const Computation& computation) {
  std::string text = "for ";
  std::string reduced;
  for (const Axis& axis : computation.axes) {
    std::string& list = axis.reduction ? reduced : text;
    if (!list.empty() && list != "for ") list += ", ";
    list += axis.name + "<" + std::to_string(axis.extent);
  }
  for (const GatherIndex& index : computation.gathers)
    text += ", " + index.name + "<" + std::to_string(index.extent) + " at " +
            print_reads(index.value, computation, "");
  std::string value = print_reads(computation.element, computation, "");
  if (computation.reducer != Reducer::none) {
    value = std::string(kReducerNames[static_cast<size_t>(computation.reducer)]) + "(" + reduced +
            "; " + value + ")";
    value = print_reads(computation.result, computation, value);
  }
  return text + ": " + print_access(computation.output) + " = " + value;
}

}  // namespace dovetail
