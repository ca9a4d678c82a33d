// SPDX-License-Identifier: Apache-2.0
#include "primitives/space/memory_bound/row_sums.h"

#include <algorithm>
#include <iterator>
#include <ranges>

#include "primitives/divisors.h"
#include "primitives/layout/axis_primitives.h"
#include "primitives/space/machine_facts.h"

namespace dovetail::memory_bound {
namespace {

constexpr int64_t kWrittenOutTerms = 64;  // whose loads are then on their way at once

// The longest of the axes that the stage reduces; null: it reduces none.
const StageAxis* longest_reduced(const Stage& stage) {
  const StageAxis* longest = nullptr;
  for (const StageAxis& axis : stage.axes)
    if (axis.reduction && (longest == nullptr || axis.extent > longest->extent)) longest = &axis;
  return longest;
}

// Elements along the other axes that it reduces.
int64_t reduced_beside(const Stage& stage, const StageAxis& longest) {
  int64_t elements = 1;
  for (const StageAxis& axis : stage.axes)
    if (axis.reduction && &axis != &longest) elements *= axis.extent;
  return elements;
}

bool reads_neighbours(const Stage& stage, const StageAxis& axis) {
  const auto at = static_cast<size_t>(&axis - stage.axes.data());
  return std::ranges::any_of(stage.read, [&](const Strides& read) { return read.at(at) == 1; });
}

// The loop around what is accumulated in registers.
std::string innermost_output(const Stage& stage, const std::string& otherwise) {
  const size_t outputs = stage.output_axes();
  return outputs == 0 ? otherwise : stage.axes[outputs - 1].loop;
}

// Splits the loop, if it is longer; returns the name of the inner one.
std::string cut(const std::string& loop, int64_t extent, int64_t factor,
                std::vector<LoopPrimitive>& list) {
  if (extent == factor) return loop;
  list.emplace_back(loop::Split{loop, factor, Tail::none});
  return loop + ".1";
}

std::vector<LoopPrimitive> loops_of_sum(const Stage& stage, const std::string& parts,
                                        const std::string& at, int64_t items) {
  std::vector<LoopPrimitive> list = {loop::ComputeAt{stage.root, at, TileScope::private_}};
  const int64_t written_out = largest_divisor(items, kWrittenOutTerms);
  if (written_out > 1) list.emplace_back(loop::Unroll{cut(parts, items, written_out, list)});
  list.emplace_back(loop::CacheWrite{stage.tensor, innermost_output(stage, "root")});
  return list;
}

}  // namespace

std::optional<int64_t> lanes_of_part(const Stage& stage, int64_t items, const Target& target) {
  const StageAxis* axis = longest_reduced(stage);
  if (axis == nullptr || items < 2 || target.local_memory_bytes == 0 || !stage.gathers.empty())
    return std::nullopt;
  const int64_t vector = reads_neighbours(stage, *axis) ? vector_lanes(target) : 1;
  const bool has_several = axis->extent > items || reduced_beside(stage, *axis) > 1;
  for (const int64_t lanes : {vector, int64_t{1}})
    if (axis->extent % (items * lanes) == 0 && has_several) return lanes;
  return std::nullopt;
}

void fuse_reductions(const Stage& stage, std::vector<LoopPrimitive>& list) {
  loop::Reorder order;
  std::vector<LoopPrimitive> fused;
  for (const StageAxis& axis : stage.axes) {
    if (!axis.reduction) continue;
    std::string name = axis.axes[0];
    for (size_t k = 1; k < axis.axes.size(); ++k) {
      fused.emplace_back(loop::Fuse{name, axis.axes[k]});
      name = fused_name(name, axis.axes[k]);
    }
    order.loops.insert(order.loops.end(), axis.axes.begin(), axis.axes.end());
  }
  if (fused.empty()) return;
  list.emplace_back(std::move(order));
  list.insert(list.end(), fused.begin(), fused.end());
}

std::vector<StageLoops> row_sum_loops(const Stage& stage, const std::string& loop, int64_t items,
                                      int64_t lanes) {
  const StageAxis& axis = *longest_reduced(stage);
  const std::string tensor = stage.tensor + ".rf";
  std::vector<LoopPrimitive> own, list;
  fuse_reductions(stage, own);
  const std::string turn = cut(axis.loop, axis.extent, items * lanes, own);
  if (lanes > 1) own.emplace_back(loop::Split{turn, lanes, Tail::none});
  const std::string parts = lanes > 1 ? turn + ".0" : turn;
  own.emplace_back(loop::RFactor{parts});
  std::ranges::move(loops_of_sum(stage, parts, loop, items), std::back_inserter(own));
  list.emplace_back(loop::ComputeAt{stage.root, loop, TileScope::local});
  list.emplace_back(loop::Bind{parts, ThreadAxis::thread_0});
  int64_t terms = lanes;
  if (lanes > 1) list.emplace_back(loop::Unroll{turn + ".1"});
  const auto write_out = [&](const std::string& name, int64_t extent) {
    if (extent == 1 || terms * extent > kWrittenOutTerms) return;
    terms *= extent;
    list.emplace_back(loop::Unroll{name});
  };
  for (const StageAxis& beside : stage.axes | std::views::reverse)
    if (beside.reduction && &beside != &axis) write_out(beside.loop, beside.extent);
  write_out(axis.loop + ".0", axis.extent / (items * lanes));
  list.emplace_back(loop::CacheWrite{tensor, innermost_output(stage, parts)});
  return {StageLoops{stage.name, std::move(own)}, StageLoops{tensor, std::move(list)}};
}

}  // namespace dovetail::memory_bound
