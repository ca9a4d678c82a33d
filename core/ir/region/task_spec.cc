// SPDX-License-Identifier: Apache-2.0
#include "core/ir/region/task_spec.h"

#include "core/base/check.h"

namespace dovetail {

std::string print(const TaskSpec& spec) {
  if (spec.border.is_free()) return print(spec.op);
  const Result<Region> region = region_of(spec.op);
  CHECK(region.has_value(), "a border of an operator without computation");
  return print(BorderedRegion{*region, spec.border});
}

Result<TaskSpec> parse_task_spec(std::string_view text) {
  const BarredText parts = split_at_bar(text);
  TaskSpec spec(TRY(parse_operator(parts.spec)));
  if (!parts.border) return spec;
  const Region region = TRY(region_of(spec.op));
  spec.border = TRY(parse_border(*parts.border, region));
  return spec;
}

Result<TaskSpec> with_framework_border(const Operator& op) {
  return TaskSpec(op, framework_border(TRY(region_of(op))));
}

}  // namespace dovetail
