// SPDX-License-Identifier: Apache-2.0
#include "tests/support/schedule_text.h"

#include <fmt/format.h>

#include "core/ir/program/program_words.h"
#include "core/ir/value/value_text.h"
#include "tests/support/computation_text.h"

namespace dovetail {
namespace {

using testing::kStageRoles;
using testing::kTensorRoles;

std::string print_operand(const Tensor& tensor) {
  std::string dims;
  for (const LogicalDim& dim : tensor.dims)
    dims += fmt::format("{}{}={}", dims.empty() ? "" : ", ", dim.name, dim.extent);
  return fmt::format("  operand {}: {} {} [{}]\n", tensor.name, name_of(tensor.type),
                     kTensorRoles[static_cast<size_t>(tensor.role)], dims);
}

std::string print_computation(const Stage& stage) {
  const Computation& c = stage.computation;
  std::string text;
  for (const Tensor& tensor : c.tensors) text += print_operand(tensor);
  for (const CoefficientTable& table : c.tables) {
    text += fmt::format("  table {}[{}] = {{{}}}\n", table.name, fmt::join(table.extents, ", "),
                        fmt::join(table.values, ", "));
  }
  for (const Axis& axis : c.axes) {
    text +=
        fmt::format("  axis {} in 0..{}{}", axis.name, axis.extent, axis.reduction ? " sum" : "");
    const auto value = stage.axis_values.find(axis.name);
    text += value == stage.axis_values.end() ? "\n" : " = " + print(value->second) + "\n";
  }
  const auto access = [&](std::string_view word, const Access& a) {
    text += fmt::format("  {} {}{}{}{}\n", word, a.tensor, print_indices(a.indices),
                        print_conditions(a),
                        a.outside == 0 ? "" : fmt::format(" outside {}", a.outside));
  };
  for (const Access& read : c.reads) access("read", read);
  for (const GatherIndex& index : c.gathers)
    text +=
        fmt::format("  chosen {} in 0..{} at {}\n", index.name, index.extent, print(index.value));
  text += "  element " + print(c.element) + "\n";
  if (c.reducer != Reducer::none) {
    text += fmt::format("  reduce {}\n  result {}\n", kReducerNames[static_cast<size_t>(c.reducer)],
                        print(c.result));
  }
  if (stage.pairs)
    text += fmt::format("  pairs along {} of {} apart {}{}\n", stage.pairs->axis, stage.pairs->of,
                        stage.pairs->apart, stage.pairs->signs == 2 ? " signs 2" : "");
  access("output", c.output);
  return text;
}

std::string print_loop(std::string_view word, const StageLoop& loop) {
  std::string text =
      fmt::format("  {} {} in 0..{}{}", word, loop.name, loop.extent, loop.reduction ? " sum" : "");
  if (loop.gathers >= 0) text += fmt::format(" chosen {}", loop.gathers);
  if (loop.kind != LoopKind::serial)
    text += fmt::format(" {}", kLoopKinds[static_cast<size_t>(loop.kind)]);
  if (loop.kind == LoopKind::bound) text += " " + print(loop.thread);
  return text + "\n";
}

std::string printed_pad(int64_t pad) { return pad == 0 ? "" : fmt::format(" pad {}", pad); }

std::string printed_copies(int64_t copies) {
  return copies == 1 ? "" : fmt::format(" copies {}", copies);
}

std::string print_attachment(const Attachment& a) {
  std::string text =
      fmt::format("  attached to {} at {} {}{}", a.stage, a.loop,
                  kTileScopes[static_cast<size_t>(a.scope)], printed_copies(a.copies));
  if (a.flat_elements > 0) text += fmt::format(" flat {}", a.flat_elements);
  text += printed_pad(a.row_pad) + "\n";
  for (const StageLoop& loop : a.around) text += print_loop("around", loop);
  for (size_t k = 0; k < a.starts.size(); ++k)
    text += fmt::format("  part {} in 0..{}\n", print(a.starts[k]), a.extents[k]);
  if (a.ring)
    text +=
        fmt::format("  ring axis {} step {} ahead {}\n", a.ring->axis, a.ring->step, a.ring->ahead);
  return text;
}

std::string print_stage(const Stage& stage) {
  const std::string role = stage.role == StageRole::computation
                               ? ""
                               : fmt::format(" {}", kStageRoles[static_cast<size_t>(stage.role)]);
  std::string text =
      fmt::format("stage {}{}{}\n", stage.name, role, stage.prepares ? " once" : "") +
      print_computation(stage);
  for (const FusedAxes& fused : stage.fused)
    text += fmt::format("  fused {} = {}\n", fmt::join(fused.axes, " "), print(fused.whole));
  for (const StageLoop& loop : stage.loops) text += print_loop("loop", loop);
  for (const Bound& bound : stage.bounds) text += "  where " + print_bounds({bound}) + "\n";
  text += "  stores " + print_indices(stage.output_indices) + "\n";
  if (stage.cache_write_at) {
    text += "  registers at " + *stage.cache_write_at;
    text += stage.streaming_stores ? " streaming\n" : "\n";
  }
  for (const StagePrefetch& p : stage.prefetches)
    text += fmt::format("  prefetch {} at {} distance {}{}\n", p.tensor, p.loop, p.distance,
                        p.of.empty() ? "" : " of " + p.of);
  for (const CachedRead& read : stage.cached_reads) {
    text += fmt::format("  caches {} at {} {}{}{}\n", read.tensor, read.at,
                        kTileScopes[static_cast<size_t>(read.scope)], printed_copies(read.copies),
                        printed_pad(read.pad));
  }
  if (stage.attachment) text += print_attachment(*stage.attachment);
  return text;
}

}  // namespace

std::string print(const Schedule& schedule) {
  std::string text =
      schedule.anchor.empty() ? "schedule\n" : fmt::format("schedule of {}\n", schedule.anchor);
  for (const ScheduledTensor& tensor : schedule.tensors) {
    text +=
        fmt::format("tensor {}: {} {}{}{} {}{}\n", tensor.name, name_of(tensor.type),
                    kBufferRoles[static_cast<size_t>(tensor.role)], tensor.crops ? " cropped" : "",
                    tensor.outside ? fmt::format(" outside {}", *tensor.outside) : "",
                    print(tensor.layout, tensor.tensor),
                    tensor.copied_as ? " copied " + print(*tensor.copied_as, tensor.tensor) : "");
  }
  for (const Stage& stage : schedule.stages) text += print_stage(stage);
  return text;
}

namespace testing {

std::string print_stages(const Schedule& schedule) {
  std::string text;
  for (const Stage& stage : schedule.stages)
    text += stage.name + (stage.prepares ? " once" : "") + ": " + print(stage.computation) + "\n";
  return text;
}

}  // namespace testing
}  // namespace dovetail
