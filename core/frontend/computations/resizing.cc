// SPDX-License-Identifier: Apache-2.0
// Resize and Upsample: each element of the output has a position x in the input,
//
//   half_pixel   x = (h + 0.5) * in / out - 0.5 = (2 * in * h + in - out) / (2 * out)
//
// and is the nearest element, or a weighted sum of 2 (linear) or 4 (cubic), one axis after the
// other:
//
//   W2[a2,r2]=select(r2<1,1-f,f);Y[…]=A[…,clamp(x,0,in-1)]*W2[a2,0]+A[…,clamp(x+1,0,in-1)]*W2[a2,1]
//
// With known extents x is a quotient of integers, which is exact; with scales that are known only
// at run time it is a real number.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/frontend/computations/node_rules.h"
#include "core/frontend/graph_edit.h"
#include "core/frontend/opsets/kept_proportions.h"

namespace dovetail::node_rules {
namespace {

struct ResizeModes {
  std::string mode = "nearest", coordinates = "half_pixel", nearest = "round_prefer_floor";
  double cubic = -0.75;
  bool excludes_outside = false;
};

// (by * h + plus) / over, in integers.
struct Quotient {
  int64_t by = 1, plus = 0, over = 1;
};

// The position in the input of an element along one axis.
struct Place {
  std::string axis;
  std::optional<Quotient> exact;
  std::string real;  // if there is no exact one

  // The position plus `halves` / 2, rounded down.
  std::string floor(int64_t halves = 0) const {
    if (!exact) return fmt::format("floor({}+{})", real, static_cast<double>(halves) / 2);
    return fmt::format("({}*{}+{}) div {}", 2 * exact->by, axis,
                       2 * exact->plus + halves * exact->over, 2 * exact->over);
  }
  std::string ceil(int64_t halves = 0) const {
    if (!exact) return fmt::format("(0-floor(0-({}+{})))", real, static_cast<double>(halves) / 2);
    return fmt::format("({}*{}+{}) div {}", 2 * exact->by, axis,
                       2 * exact->plus + halves * exact->over + 2 * exact->over - 1,
                       2 * exact->over);
  }
  std::string fraction() const {
    if (!exact) return fmt::format("({}-floor({}))", real, real);
    return fmt::format("(({}*{}+{}) mod {})/{}", exact->by, axis, exact->plus, exact->over,
                       exact->over);
  }
};

class ResizeRule {
 public:
  ResizeRule(RegionWriter& write, ResizeModes modes) : write_(write), modes_(std::move(modes)) {}

  Result<NodeRegion> region() {
    const size_t rank = write_.output_shape().size();
    TRY(find_scales());
    if (!reason_.empty()) return refuse(reason_);
    for (size_t i = 0; i < rank; ++i) {
      const bool stays =
          write_.shape(0)[i] == write_.output_shape()[i] && (write_.shape(0)[i] == 1 || is_one(i));
      if (!stays) resized_.push_back(i);
    }
    indices_ = write_.axes();
    if (modes_.mode != "nearest" && modes_.mode != "linear" && modes_.mode != "cubic")
      return refuse("mode " + modes_.mode);
    for (const size_t i : resized_) {
      const auto place = place_of(i);
      if (!place) return refuse("coordinates " + modes_.coordinates);
      if (modes_.mode != "nearest")
        weigh(i, *place);
      else if (!nearest(i, *place))
        return refuse("mode nearest " + modes_.nearest);
    }
    if (modes_.mode == "nearest" || resized_.empty())
      return write_.finish_one(write_.read(0, indices_));
    return write_.finish(statements_);
  }

 private:
  // Scales are an attribute (Upsample 7), constants, or an input; else they follow from extents.
  // Axes without scales are unchanged.
  Result<void> find_scales() {
    const size_t rank = write_.output_shape().size();
    for (const int64_t number : TRY(integers_attribute(write_.node(), "axes", {}))) {
      const auto axis = axis_of(number, rank);
      if (!axis) reason_ = "an axis beyond its rank";
      axes_.push_back(axis.value_or(0));
    }
    const auto found = write_.node().attributes.find("scales");
    if (found != write_.node().attributes.end()) {
      const auto* numbers = std::get_if<std::vector<double>>(&found->second);
      if (numbers != nullptr) known_ = *numbers;
      if (numbers == nullptr) reason_ = "scales that are no numbers";
    } else {
      given_ = write_.node().type == "Upsample" || write_.node().inputs.size() == 2 ? 1 : 2;
      if (!write_.has_input(given_) || num_elements(write_.shape(given_)) == 0)
        given_ = 0;
      else if (has_floats(write_.input(given_)))
        known_ = reals_of(*write_.input(given_).data);
    }
    const size_t count = axes_.empty() ? rank : axes_.size();
    const bool known_fit = known_.empty() || known_.size() == count;
    const bool given_fit =
        given_ == 0 || num_elements(write_.shape(given_)) == static_cast<int64_t>(count);
    if (!known_fit || !given_fit) reason_ = "scales of other axes";
    return reason_.empty() ? keep_proportions() : Result<void>();
  }

  // Sizes with an aspect ratio policy become one scale for all of the axes.
  Result<void> keep_proportions() {
    const std::string policy =
        TRY(text_attribute(write_.node(), "keep_aspect_ratio_policy", "stretch"));
    if (policy == "stretch" || given_ != 0) return {};
    const auto sizes =
        TRY(numbers_of(write_.node(), "", write_.has_input(3) ? &write_.input(3) : nullptr));
    std::vector<size_t> axes = axes_;
    if (axes.empty())
      for (size_t i = 0; i < write_.shape(0).size(); ++i) axes.push_back(i);
    if (!sizes) reason_ = "sizes that are only known at run time";
    if (sizes && sizes->size() != axes.size()) reason_ = "sizes of other axes";
    if (!reason_.empty()) return {};
    if (const auto scale = kept_scale(policy, *sizes, write_.shape(0), axes))
      known_.assign(axes.size(), static_cast<double>(*scale));
    return {};
  }

  // The position of the axis in the scales; nullopt if it has none.
  std::optional<size_t> place_in_scales(size_t axis) const {
    if (axes_.empty()) return axis;
    const auto found = std::ranges::find(axes_, axis);
    if (found == axes_.end()) return std::nullopt;
    return static_cast<size_t>(found - axes_.begin());
  }

  bool is_one(size_t axis) const {
    const auto i = place_in_scales(axis);
    return !i || (known_.empty() ? given_ == 0 : known_[*i] == 1);
  }

  // The scale as a text; empty if it is the quotient of the extents.
  std::string scale(size_t axis) const {
    const auto i = place_in_scales(axis);
    if (!i) return "";
    if (known_.empty()) return given_ == 0 ? "" : write_.read(given_, {std::to_string(*i)});
    const auto of_extents = static_cast<float>(static_cast<double>(write_.output_shape()[axis]) /
                                               static_cast<double>(write_.shape(0)[axis]));
    return static_cast<float>(known_[*i]) == of_extents ? "" : number_text(known_[*i]);
  }

  std::optional<Place> place_of(size_t i) const {
    const int64_t in = write_.shape(0)[i], out = write_.output_shape()[i];
    const std::string h = RegionWriter::axis(i), s = scale(i);
    const std::string& how = modes_.coordinates;
    const bool aligned = how == "align_corners";
    const bool one = out == 1 && (how == "pytorch_half_pixel" || aligned);
    if (one) return Place{h, Quotient{0, 0, 1}, ""};
    // Aligned to the last element of in * scale, which need not be an integer.
    if (aligned)
      return s.empty() ? Place{h, Quotient{in - 1, 0, out - 1}, ""}
                       : Place{h, {}, fmt::format("({}*{}/({}*{}-1))", in - 1, h, in, s)};
    // The part of the extent lost by rounding down is split between both sides.
    if (how == "half_pixel_symmetric" && !s.empty())
      return Place{h,
                   {},
                   fmt::format("(({}+0.5)/{}-0.5+{}*(1-{}/({}*{})))", h, s,
                               number_text(static_cast<double>(in) / 2), out, in, s)};
    if (how.starts_with("half_pixel") || how == "pytorch_half_pixel")
      return s.empty() ? Place{h, Quotient{2 * in, in - out, 2 * out}, ""}
                       : Place{h, {}, fmt::format("(({}+0.5)/{}-0.5)", h, s)};
    if (how == "asymmetric")
      return s.empty() ? Place{h, Quotient{in, 0, out}, ""}
                       : Place{h, {}, fmt::format("{}/{}", h, s)};
    if (how == "tf_half_pixel_for_nn")
      return s.empty() ? Place{h, Quotient{2 * in, in, 2 * out}, ""}
                       : Place{h, {}, fmt::format("({}+0.5)/{}", h, s)};
    return std::nullopt;
  }

  bool nearest(size_t i, const Place& place) {
    std::string at;
    if (modes_.nearest == "floor") at = place.floor();
    if (modes_.nearest == "ceil") at = place.ceil();
    if (modes_.nearest == "round_prefer_floor") at = place.ceil(-1);
    if (modes_.nearest == "round_prefer_ceil") at = place.floor(1);
    indices_[i] = fmt::format("clamp({},0,{})", at, write_.shape(0)[i] - 1);
    return !at.empty();
  }

  // Later axes keep the input's extents until they are resized.
  void weigh(size_t i, const Place& place) {
    const bool linear = modes_.mode == "linear";
    const int taps = linear ? 2 : 4;
    const int64_t extent = write_.shape(0)[i];
    const std::string tap = fmt::format("r{}", i), tensor = fmt::format("W{}", i);
    const std::string fraction = place.fraction();
    const auto place_of_tap = [&](const std::string& number) {
      return fmt::format("{}+{}-{}", place.floor(), number, linear ? 0 : 1);
    };
    write_.add_axis(tap, taps);
    std::string weight = linear ? fmt::format("select({}<1,1-{},{})", tap, fraction, fraction)
                                : cubic_weight(fraction, tap);
    if (modes_.excludes_outside)
      weight =
          fmt::format("select(0<={0},select({0}<{1},{2},0),0)", place_of_tap(tap), extent, weight);
    statements_ += fmt::format("{}[{},{}]={};", tensor, place.axis, tap, weight);
    std::vector<std::string> made = write_.axes();
    for (const size_t later : resized_)
      if (later > i)
        write_.add_axis(made[later] = fmt::format("b{}", later), write_.shape(0)[later]);
    std::string sum, weights;
    for (int k = 0; k < taps; ++k) {
      std::vector<std::string> read = made;
      read[i] = fmt::format("clamp({},0,{})", place_of_tap(std::to_string(k)), extent - 1);
      const std::string x = source_.empty() ? write_.read(0, read) : element_of(source_, read);
      const std::string own = fmt::format("{}[{},{}]", tensor, place.axis, k);
      sum += fmt::format("{}{}*{}", k == 0 ? "" : "+", x, own);
      weights += (k == 0 ? "" : "+") + own;
    }
    if (modes_.excludes_outside) sum = fmt::format("({})/({})", sum, weights);
    source_ = fmt::format("T{}", i);
    const bool last = i == resized_.back();
    statements_ += (last ? write_.output() : element_of(source_, made)) + "=" + sum;
    if (!last) statements_ += ";";
  }

  // Keys' cubic kernel of the distance to one of the four elements.
  std::string cubic_weight(const std::string& fraction, const std::string& tap) const {
    const std::string d = fmt::format("abs({}+1-{})", fraction, tap);
    const double a = modes_.cubic;
    return fmt::format("select({0}<=1,(({1}*{0}-{2})*{0})*{0}+1,(({3}*{0}-{4})*{0}+{5})*{0}-{6})",
                       d, number_text(a + 2), number_text(a + 3), number_text(a),
                       number_text(5 * a), number_text(8 * a), number_text(4 * a));
  }

  RegionWriter& write_;
  ResizeModes modes_;
  size_t given_ = 0;          // position of the input with the scales; 0: none
  std::vector<size_t> axes_;  // axes of scales and sizes; empty: all
  std::vector<double> known_;
  std::string reason_, statements_, source_;  // the tensor that the next axis reads; empty: A
  std::vector<std::string> indices_;
  std::vector<size_t> resized_;
};

}  // namespace

Result<NodeRegion> resize(RegionWriter& write) {
  const GraphNode& node = write.node();
  ResizeModes modes;
  modes.mode = TRY(text_attribute(node, "mode", modes.mode));
  // In operator set 10 a Resize has two inputs and is an Upsample.
  if (node.inputs.size() == 2) {
    modes.coordinates = "asymmetric";
    modes.nearest = "floor";
  }
  modes.coordinates =
      TRY(text_attribute(node, "coordinate_transformation_mode", modes.coordinates));
  modes.nearest = TRY(text_attribute(node, "nearest_mode", modes.nearest));
  modes.cubic = TRY(number_attribute(node, "cubic_coeff_a", modes.cubic));
  modes.excludes_outside = TRY(integer_attribute(node, "exclude_outside", 0)) != 0;
  if (write.made() != ComputedType::real && modes.mode != "nearest") return refuse("of integers");
  if (TRY(integer_attribute(node, "antialias", 0)) != 0) return refuse("antialias");
  return ResizeRule(write, modes).region();
}

Result<NodeRegion> upsample(RegionWriter& write) {
  const std::string mode = TRY(text_attribute(write.node(), "mode", "nearest"));
  if (write.made() != ComputedType::real && mode != "nearest") return refuse("of integers");
  return ResizeRule(write, {.mode = mode == "bilinear" ? "linear" : mode,
                            .coordinates = "asymmetric",
                            .nearest = "floor"})
      .region();
}

}  // namespace dovetail::node_rules
