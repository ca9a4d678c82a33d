// SPDX-License-Identifier: Apache-2.0
#include "primitives/algorithm/transform_loops.h"

#include <algorithm>

#include "primitives/divisors.h"
#include "primitives/loop/apply_loop.h"
#include "primitives/lowering/factored_sum.h"

namespace dovetail {
namespace {

constexpr int64_t kMaxWorkItems = 64;

class TransformLoops {
 public:
  TransformLoops(const Stage& stage, const Target& target) : stage_(stage), target_(target) {}

  std::vector<LoopPrimitive> make(bool vectorized) {
    cut_tiles();
    if (vectorized) cut_lanes();
    for (const StageLoop& loop : stage_.loops) {
      if (loop.name == lane_) continue;
      const bool table = runs_over_table(stage_, loop.name);
      (table ? written_out_ : loop.extent == 1 ? single_ : outer_).push_back(loop.name);
    }
    if (target_.name.kind == TargetKind::opencl) cut_work_items();
    std::vector<std::string> order = outer_;
    for (const auto* part : {&single_, &written_out_})
      order.insert(order.end(), part->begin(), part->end());
    if (!lane_.empty()) order.push_back(lane_);
    then(loop::Reorder{order});
    for (const std::string& name : written_out_) then(loop::Unroll{name});
    if (!lane_.empty()) then(loop::Vectorize{lane_});
    share();
    return std::move(list_);
  }

 private:
  void then(LoopPrimitive primitive) {
    stage_ = with_legal_loops(stage_, {primitive});
    list_.push_back(std::move(primitive));
  }

  int64_t extent_of(const std::string& name) const {
    return std::ranges::find(stage_.loops, name, &StageLoop::name)->extent;
  }

  // A loop that runs over a table again and again, once a tile: its tiles apart.
  void cut_tiles() {
    for (const StageLoop& loop : std::vector<StageLoop>(stage_.loops)) {
      const int64_t period = period_over_table(stage_, loop.name);
      if (period > 1 && loop.extent > period && loop.extent % period == 0)
        then(loop::Split{loop.name, period});
    }
  }

  // The innermost physical axis of the output, or its innermost part.
  void cut_lanes() {
    std::string name;
    for (const StageLoop& loop : stage_.loops) {
      if (!loop.reduction) name = loop.name;
    }
    if (name.empty() || runs_over_table(stage_, name)) return;
    const int64_t extent = extent_of(name);
    const int64_t width = default_vector_width(extent, target_.vector_lanes);
    if (width == 1) return;
    if (width < extent) then(loop::Split{name, width});
    lane_ = width < extent ? name + ".1" : name;
  }

  void cut_work_items() {
    if (outer_.empty()) return;
    const std::string last = outer_.back();
    const int64_t extent = extent_of(last);
    const int64_t items =
        largest_divisor(extent, std::min(kMaxWorkItems, max_work_items(target_, 0)));
    if (items == extent || items == 1) return;
    then(loop::Split{last, items});
    outer_.back() = last + ".0";
    outer_.push_back(last + ".1");
  }

  void share() {
    if (outer_.empty()) return;
    if (target_.name.kind == TargetKind::cpu) return then(loop::Parallel{outer_[0]});
    const size_t groups = std::min<size_t>(3, outer_.size() - 1);
    const bool items = outer_.size() <= 4;  // bound loops enclose all others
    for (size_t l = 0; l < groups; ++l) {
      then(loop::Bind{outer_[l], static_cast<ThreadAxis>(static_cast<int>(ThreadAxis::group_0) +
                                                         static_cast<int>(groups - 1 - l))});
    }
    if (items && extent_of(outer_.back()) <= max_work_items(target_, 0))
      then(loop::Bind{outer_.back(), ThreadAxis::thread_0});
  }

  Stage stage_;
  const Target& target_;
  std::vector<LoopPrimitive> list_;
  std::string lane_;
  std::vector<std::string> outer_, single_, written_out_;
};

}  // namespace

std::vector<LoopPrimitive> default_transform_loops(const Stage& stage, const Target& target,
                                                   bool vectorized) {
  return TransformLoops(stage, target).make(vectorized);
}

}  // namespace dovetail
