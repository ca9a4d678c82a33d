// SPDX-License-Identifier: Apache-2.0
// The traces of products by tensor cores.
#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "core/ir/intrinsic/nvidia.h"
#include "primitives/layout/axis_primitives.h"
#include "primitives/loop/shared_loops.h"
#include "primitives/space/contraction/execution.h"
#include "primitives/space/tensor_cores/tile_layouts.h"

namespace dovetail::tensor_cores {
namespace {

using Names = std::vector<std::string>;

// A list of primitives that names loops as split does: m, m.0 and m.1, m.0.0 and m.0.1, …
class Loops {
 public:
  // Cuts the outer part of the axis; returns the name of the inner one, none for one iteration.
  std::string cut(const std::string& axis, int64_t factor) {
    if (factor == 1) return {};
    list_.emplace_back(loop::Split{outer_of(axis), factor});
    return cut_as_stored(axis);
  }
  // The same where the output's layout has done so.
  std::string cut_as_stored(const std::string& axis) {
    std::string& outer = outer_of(axis);
    const std::string inner = outer + ".1";
    outer += ".0";
    return inner;
  }
  std::string& outer_of(const std::string& axis) {
    const auto found = std::ranges::find(axes_, axis, &Named::axis);
    if (found != axes_.end()) return found->outer;
    return axes_.emplace_back(Named{axis, axis}).outer;
  }
  // One loop of several that follow each other.
  std::string fused(const Names& loops) {
    std::string name = loops.front();
    for (size_t i = 1; i < loops.size(); ++i) {
      add(loop::Fuse{name, loops[i]});
      name = fused_name(name, loops[i]);
    }
    return name;
  }
  template <typename Primitive>
  void add(Primitive primitive) {
    list_.emplace_back(std::move(primitive));
  }
  void bind(Names loops, ThreadAxis innermost) { bind_loops(std::move(loops), innermost, list_); }
  std::vector<LoopPrimitive> take() { return std::exchange(list_, {}); }

 private:
  struct Named {
    std::string axis, outer;
  };
  std::vector<Named> axes_;
  std::vector<LoopPrimitive> list_;
};

// The loops of a group, once all axes are cut; empty names are loops of one iteration.
struct GroupLoops {
  std::string far, middle, near;  // thread.2, thread.1, thread.0
  Names rounds;                   // one loop in the end
  Names unrolled;                 // in a round
  Names single;                   // taps of a window that has one
  Names instruction;
};

// A loop over groups, and how many iterations it has.
struct GroupLoop {
  std::string name;
  int64_t extent = 1;
};

class Decoder {
 public:
  Decoder(const WarpProduct& product, const WarpTile& tile) : product_(product), tile_(tile) {}

  Trace trace(const Target& target) {
    Trace trace;
    trace.layouts = operand_layouts(product_, tile_);
    trace.layouts.push_back(output_layout(product_, tile_));
    if (tile_.parts > 1) trace.loops.push_back({"", take_apart(trace.layouts.back(), target)});
    std::erase_if(trace.layouts, [](const auto& layout) { return layout.primitives.empty(); });
    cut_columns();
    cut_rows();
    cut_reductions();
    finish(groups());
    trace.loops.push_back({tile_.parts > 1 ? sums_ : "", loops_.take()});
    return trace;
  }

 private:
  bool is_wgmma() const { return tile_.instruction == Instruction::wgmma; }

  // The loops of the kernel that adds up the sums of all parts; those of the other one go on from
  // the cut.
  std::vector<LoopPrimitive> take_apart(const TensorLayout& output, const Target& target) {
    const std::string& k = product_.reduction.name;
    const std::string inside = loops_.cut(k, padded_reduction(product_) / tile_.parts);
    apart_ = std::exchange(loops_.outer_of(k), inside);
    loops_.add(loop::RFactor{apart_});
    sums_ += ".rf";
    std::vector<LoopPrimitive> list = loops_.take();
    std::ranges::move(loops_of_sum(output, product_.output, apart_, target),
                      std::back_inserter(list));
    return list;
  }

  std::string cut_eights(const std::string& axis) {
    const Names stored = axes_in_eights(product_, tile_);
    const bool is_cut = std::ranges::find(stored, axis) != stored.end();
    return is_cut ? loops_.cut_as_stored(axis) : loops_.cut(axis, kBlock);
  }

  // Columns 2*t + c of a block of eight, and blocks along the step.
  void cut_columns() {
    const ProductOperand& columns = product_.columns;
    const std::string eight = cut_eights(columns.base.name);
    columns_ = loops_.cut(eight, 2);
    loop_.near = loops_.outer_of(eight);
    blocks_ = loops_.cut(columns.step.name, tile_.columns / 8);
    if (!is_wgmma()) loop_.far = loops_.cut(columns.step.name, tile_.column_warps);
  }

  void cut_rows() {
    const std::string &base = product_.rows.base.name, &step = product_.rows.step.name;
    loop_.middle = is_wgmma() ? cut_eights(base) : loops_.cut(base, 8 * tile_.row_warps);
    rows_ = loops_.cut(step, 2);
    if (is_wgmma()) loop_.far = loops_.cut(step, 4 * tile_.row_warps);
    row_tiles_ = loops_.cut(axis_of_row_tiles(product_, tile_)->name, row_tiles(tile_));
  }

  void cut_reductions() {
    const std::string& k = product_.reduction.name;
    const std::string terms = loops_.cut(k, (is_wgmma() ? 1 : 2) * block_terms(product_));
    const std::string halves = is_wgmma() ? loops_.cut(k, 2) : "";
    const std::string steps = loops_.cut(k, tile_.part / instruction_terms(product_));
    loop_.rounds = {loops_.outer_of(k)};
    for (size_t i = 0; i < product_.windows.size(); ++i) {
      const Axis& window = product_.windows[i];
      (window.extent == 1   ? loop_.single
       : has_taps(tile_, i) ? loop_.unrolled
                            : loop_.rounds)
          .push_back(window.name);
    }
    for (const std::string& name : {steps, row_tiles_}) loop_.unrolled.push_back(name);
    if (!is_wgmma()) loop_.unrolled.push_back(blocks_);
    std::erase(loop_.unrolled, "");
    loop_.instruction =
        is_wgmma() ? Names{halves, terms, rows_, blocks_, columns_} : Names{terms, rows_, columns_};
  }

  // Loops of one iteration come first; then axes that rows and columns share, rows, and columns.
  // Groups of a band of rows follow each other.
  std::vector<GroupLoop> groups() {
    const std::string& step = product_.rows.step.name;
    const std::string in_band = loops_.cut(step, tile_.band);
    std::vector<GroupLoop> groups;
    if (tile_.parts > 1) groups.push_back({apart_, tile_.parts});
    for (const auto* axes : {&product_.outer, &product_.rows.axes, &product_.columns.axes})
      for (const Axis& axis : *axes)
        groups.push_back({loops_.outer_of(axis.name), groups_along(product_, tile_, axis) /
                                                          (axis.name == step ? tile_.band : 1)});
    if (!in_band.empty()) groups.push_back({in_band, tile_.band});
    std::ranges::stable_partition(groups, [](const GroupLoop& loop) { return loop.extent == 1; });
    return groups;
  }

  void finish(const std::vector<GroupLoop>& groups) {
    Names order, bound;
    for (const GroupLoop& loop : groups) {
      order.push_back(loop.name);
      if (loop.extent > 1 || loop.name == groups.back().name) bound.push_back(loop.name);
    }
    Names items = {loop_.far, loop_.middle, loop_.near};
    std::erase(items, "");
    for (const Names* names :
         {&items, &loop_.rounds, &loop_.unrolled, &loop_.single, &loop_.instruction})
      order.insert(order.end(), names->begin(), names->end());
    loops_.add(loop::Reorder{order});
    loops_.bind(std::move(bound), ThreadAxis::group_0);
    loops_.bind(std::move(items), ThreadAxis::thread_0);
    copy_operands(loops_.fused(loop_.rounds));
  }

  void copy_operands(const std::string& round) {
    for (const std::string& name : loop_.unrolled) loops_.add(loop::Unroll{name});
    loops_.add(loop::CacheWrite{sums_, loop_.near});
    const std::array tensors = {stored_name(product_, product_.rows),
                                stored_name(product_, product_.columns)};
    for (const std::string& tensor : tensors)
      loops_.add(loop::CacheRead{tensor, round, TileScope::local, row_pad(tile_.instruction)});
    if (tile_.ahead > 0)
      for (const std::string& tensor : tensors)
        loops_.add(loop::DoubleBuffer{tensor + ".cache", copies_in_turn(tile_), tile_.behind});
    loops_.add(loop::Tensorize{loop_.instruction[0], is_wgmma()
                                                         ? wgmma_of(product_.type, tile_.columns)
                                                         : mma_of(product_.type)});
  }

  const WarpProduct& product_;
  const WarpTile& tile_;
  Loops loops_;
  GroupLoops loop_;
  std::string columns_, blocks_, rows_, row_tiles_;
  std::string sums_ = product_.output.name;  // Y, or Y.rf with a sum for each part
  std::string apart_;                        // the loop over parts
};

}  // namespace

Trace decode(const WarpProduct& product, const WarpTile& tile, const Target& target) {
  return Decoder(product, tile).trace(target);
}

}  // namespace dovetail::tensor_cores
