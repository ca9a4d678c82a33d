// SPDX-License-Identifier: Apache-2.0
#include "primitives/space/winograd/bands.h"

#include <algorithm>
#include <map>
#include <utility>

#include "core/base/check.h"
#include "primitives/divisors.h"
#include "primitives/loop/shared_loops.h"
#include "primitives/space/layouts/decode_layouts.h"

namespace dovetail {
namespace {

class BandLoops {
 public:
  BandLoops(const WinogradPlan& plan, const Target& target, const Choices& choices)
      : plan_(plan), last_(plan.stages.back()), target_(target), choices_(choices) {}

  std::vector<LoopPrimitive> build(const Layout& output) {
    for (const std::string& axis : plan_.bands) cut(axis);
    CHECK(!bands_.empty(), "a product in bands has more than one of them");
    innermost_band_ = bands_.back();
    share();
    const std::string lanes = cut_lanes(output.axes.back());
    std::vector<std::string> inside, written_out;
    for (const PhysicalAxis& axis : output.axes) {
      if (axis.name == lanes || std::ranges::count(whole_, axis.name) > 0) continue;
      const auto cut = rest_.find(axis.name);
      (is_inside_tile(axis) ? written_out : inside)
          .push_back(cut == rest_.end() ? axis.name : cut->second);
    }
    for (const Axis& axis : last_.computation.axes)
      if (axis.reduction) written_out.push_back(axis.name);
    std::vector<std::string> order = bands_;
    for (const auto* part : {&inside, &written_out})
      order.insert(order.end(), part->begin(), part->end());
    if (!lanes.empty()) order.push_back(lanes);
    list_.push_back(loop::Reorder{order});
    for (const std::string& name : written_out) list_.push_back(loop::Unroll{name});
    if (!lanes.empty()) list_.push_back(loop::Vectorize{lanes});
    if (!shared_.empty()) list_.push_back(loop::Parallel{shared_});
    if (is_streamed(output.axes.back(), lanes))
      list_.push_back(loop::CacheWrite{this->output().name,
                                       inside.empty() ? innermost_band_ : inside.back(), true});
    return std::move(list_);
  }

  // The loop inside which the other stages run.
  const std::string& innermost_band() const { return innermost_band_; }

 private:
  const Tensor& output() const { return last_.computation.tensors.back(); }

  bool is_inside_tile(const PhysicalAxis& axis) const {
    return std::ranges::any_of(axis.digits, [&](const Digit& digit) {
      return digit.step == 1 &&
             is_window_axis(last_.computation, output().dims[static_cast<size_t>(digit.dim)].name);
    });
  }

  // Without whole vectors of channels innermost, non-temporal stores would equal plain ones.
  bool is_streamed(const PhysicalAxis& innermost, const std::string& lanes) const {
    return chosen(choices_, ParameterKind::stores, 0) == 1 && !lanes.empty() &&
           innermost.extent() % vector_lanes(target_) == 0;
  }

  // The loop of the last stage that counts tiles: h.0 for th, n for n.
  std::string loop_of(const std::string& axis) const {
    const bool is_own = std::ranges::find(last_.computation.axes, axis, &Axis::name) !=
                        last_.computation.axes.end();
    return is_own ? axis : axis.substr(1) + ".0";
  }

  void cut(const std::string& axis) {
    const int64_t extent = plan_.facts().axis(axis).extent,
                  band = band_extent(plan_, choices_, axis);
    const std::string loop = loop_of(axis);
    if (band == extent) return;
    if (bands_.empty()) rounds_ = extent / band;
    if (band == 1) {
      bands_.push_back(loop);
      whole_.push_back(loop);
      return;
    }
    list_.push_back(loop::Split{loop, band});
    bands_.push_back(loop + ".0");
    rest_[loop] = loop + ".1";
  }

  void share() {
    if (target_.name.threads == 1) return;
    ParallelChunks parts = parallel_chunks(bands_, rounds_, target_.name.threads);
    if (parts.split) list_.push_back(*parts.split);
    bands_ = std::move(parts.loops);
    innermost_band_ = bands_.back();
    shared_ = bands_.front();
  }

  // Splits vector lanes off the innermost axis and returns them; empty where it is no axis of
  // channels.
  std::string cut_lanes(const PhysicalAxis& axis) {
    if (is_inside_tile(axis) || std::ranges::count(whole_, axis.name) > 0 ||
        rest_.contains(axis.name))
      return "";
    const int64_t extent = axis.extent();
    const int64_t width = extent % vector_lanes(target_) == 0
                              ? int64_t{vector_lanes(target_)}
                              : largest_divisor(extent, vector_lanes(target_));
    if (width == extent) return axis.name;
    if (width == 1) return "";
    list_.push_back(loop::Split{axis.name, width});
    rest_[axis.name] = axis.name + ".0";
    return axis.name + ".1";
  }

  const WinogradPlan& plan_;
  const PlannedStage& last_;
  const Target& target_;
  const Choices& choices_;
  std::vector<LoopPrimitive> list_;
  std::vector<std::string> bands_, whole_;   // loops over bands; those that are not split
  std::map<std::string, std::string> rest_;  // a split loop -> its remaining part
  std::string innermost_band_, shared_;
  int64_t rounds_ = 1;  // iterations of the first loop over bands
};

}  // namespace

bool is_window_axis(const Computation& last, const std::string& axis) {
  return std::ranges::any_of(element_reads(last), [&](const Access& access) {
    return find_table(last, access.tensor) != nullptr && access.indices[0].mentions(axis);
  });
}

void run_in_bands(const WinogradPlan& plan, const Target& target, const Choices& choices,
                  Trace& trace) {
  const PlannedStage& last = plan.stages.back();
  const Tensor& output = last.computation.tensors.back();
  const auto lines = std::ranges::find(trace.layouts, output.name, &TensorLayout::tensor);
  CHECK(lines != trace.layouts.end(), "the output has a layout line");
  BandLoops loops(plan, target, choices);
  StageLoops own{"", loops.build(applied(*lines, output.dims))};
  const loop::ComputeAt inside{last.name, loops.innermost_band(), TileScope::workspace};
  std::vector<LoopPrimitive>& product = trace.loops[0].primitives;
  product.insert(product.begin(), inside);
  trace.loops.insert(trace.loops.begin(), std::move(own));
  trace.loops.push_back({plan.stages[1].name, {inside}});
}

}  // namespace dovetail
