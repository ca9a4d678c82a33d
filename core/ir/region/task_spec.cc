// SPDX-License-Identifier: Apache-2.0
#include "core/ir/region/task_spec.h"

#include "core/ir/region/canonical.h"
#include "core/ir/region/region_text.h"

namespace dovetail {

std::string print(const TaskSpec& spec) {
  const std::string text = print(spec.region);
  return spec.border.is_free() ? text : text + " | " + print(spec.border, spec.region);
}

Result<KeyedTask> parse_task_spec(std::string_view text) {
  const BarredText parts = split_at_bar(text);
  TaskSpec spec(TRY(parse_region(parts.spec)));
  if (parts.border) spec.border = TRY(parse_border(*parts.border, spec.region));
  return canonical(spec).spec;
}

}  // namespace dovetail
