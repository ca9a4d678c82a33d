// SPDX-License-Identifier: Apache-2.0
#include "primitives/loop/loop_lookup.h"
#include "primitives/refuse.h"

namespace dovetail {

Result<size_t> require_loop(const std::string& primitive, const std::string& name,
                            const Stage& stage) {
  std::string known;
  for (size_t l = 0; l < stage.loops.size(); ++l) {
    if (stage.loops[l].name == name) return l;
    known += (l > 0 ? ", " : "") + stage.loops[l].name;
  }
  return refuse(primitive, "no loop {}, expected one of {}", name, known);
}

Result<size_t> require_plain_loop(const std::string& primitive, const std::string& name,
                                  const Stage& stage) {
  const size_t index = TRY(require_loop(primitive, name, stage));
  if (stage.loops[index].kind != LoopKind::serial) {
    return refuse(primitive, "loop {} is already annotated", name);
  }
  return index;
}

Result<size_t> require_output_loop(const std::string& primitive, const std::string& name,
                                   const std::string& verb, const Stage& stage) {
  const size_t index = TRY(require_plain_loop(primitive, name, stage));
  if (stage.loops[index].reduction) {
    return refuse(primitive, "loop {} is a reduction, expected an output loop to {}", name, verb);
  }
  return index;
}

bool is_over_work_items(const StageLoop& loop) {
  return loop.kind == LoopKind::bound && loop.thread >= ThreadAxis::thread_0;
}

Stage with_values(Stage stage, const std::map<std::string, IndexExpr, std::less<>>& values) {
  const Ranges ranges = loop_ranges(stage);
  for (auto& [axis, value] : stage.axis_values) value = substitute(value, values, ranges);
  for (IndexExpr& index : stage.output_indices) index = substitute(index, values, ranges);
  if (!stage.attachment) return stage;
  for (IndexExpr& start : stage.attachment->starts) start = substitute(start, values, ranges);
  return stage;
}

}  // namespace dovetail
