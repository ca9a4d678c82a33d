// SPDX-License-Identifier: Apache-2.0
#include "core/ir/region/task_spec.h"

#include "core/base/check.h"

namespace dovetail {

std::string print(const TaskSpec& spec) {
  std::string text = print(spec.op);
  if (spec.border.is_free()) return text;
  const Result<Region> region = region_of(spec.op);
  CHECK(region.has_value(), "a border of an operator without computation");
  return text + " | " + print(spec.border, *region);
}

Result<TaskSpec> parse_task_spec(std::string_view text) {
  const size_t bar = text.find('|');
  std::string_view own = text.substr(0, bar);
  if (bar != std::string_view::npos) own = own.substr(0, own.find_last_not_of(" \t") + 1);
  TaskSpec spec(TRY(parse_operator(own)));
  if (bar == std::string_view::npos) return spec;
  const Region region = TRY(region_of(spec.op));
  spec.border = TRY(parse_border(text.substr(bar + 1), region));
  return spec;
}

Result<TaskSpec> with_framework_border(const Operator& op) {
  return TaskSpec(op, framework_border(TRY(region_of(op))));
}

}  // namespace dovetail
