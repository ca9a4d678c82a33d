// SPDX-License-Identifier: Apache-2.0
#include "primitives/layout/axis_primitives.h"

#include <algorithm>

#include "core/base/text.h"
#include "primitives/divisors.h"
#include "primitives/refuse.h"

namespace dovetail {
namespace {

// Position of the axis; the error lists the axes that exist.
Result<int> require_axis(const std::string& primitive, const std::string& axis,
                         const Layout& layout) {
  const int index = find_axis(layout, axis);
  if (index >= 0) return index;
  return refuse(primitive, "no axis {}, expected one of {}", axis,
                one_of(layout.axes, &PhysicalAxis::name));
}

// Like require_axis; the axis must be one digit, the outermost (coarsest) of its dimension.
Result<int> require_outermost_axis(const std::string& primitive, const std::string& axis,
                                   const Layout& layout) {
  const int index = TRY(require_axis(primitive, axis, layout));
  const std::vector<Digit>& digits = layout.axes[index].digits;
  if (digits.size() != 1) return refuse(primitive, "axis {} is fused; do this before fuse", axis);
  for (const DigitPlace& place : digits_of_dim(layout, digits[0].dim)) {
    if (place.axis != index && (place.digit.step > digits[0].step ||
                                (place.digit.step == digits[0].step && place.digit.extent > 1))) {
      return refuse(primitive,
                    "axis {} is an inner part of dimension {}; do this before split or unfold",
                    axis, layout.logical[digits[0].dim].name);
    }
  }
  return index;
}

// Storage of a layout must stay addressable.
Result<Layout> require_storable(const std::string& primitive, Layout layout) {
  constexpr int64_t kMaxElements = int64_t{1} << 40;
  int64_t elements = 1;
  for (const PhysicalAxis& axis : layout.axes) {
    if (axis.extent() > kMaxElements / elements)
      return refuse(primitive, "storage exceeds 2^40 elements");
    elements *= axis.extent();
  }
  return layout;
}

// The digits of both, with neighbours that are contiguous in one dimension merged and digits of
// extent 1 dropped.
std::vector<Digit> joined(const std::vector<Digit>& outer, const std::vector<Digit>& inner) {
  std::vector<Digit> result;
  for (const std::vector<Digit>* part : {&outer, &inner}) {
    for (const Digit& digit : *part) {
      if (digit.extent == 1) continue;
      if (!result.empty() && result.back().dim == digit.dim &&
          result.back().step == digit.step * digit.extent) {
        result.back() = {digit.dim, digit.step, result.back().extent * digit.extent};
      } else {
        result.push_back(digit);
      }
    }
  }
  if (result.empty()) result.push_back(inner.back());
  return result;
}

}  // namespace

std::string fused_name(const std::string& outer, const std::string& inner) {
  if (outer.size() > 2 && outer.ends_with(".0") && inner == outer.substr(0, outer.size() - 1) + "1")
    return outer.substr(0, outer.size() - 2);
  return outer + "_" + inner;
}

Result<Layout> apply(const layout::Split& split, const Layout& layout) {
  const std::string what = print(LayoutPrimitive(split));
  const int index = TRY(require_axis(what, split.axis, layout));
  const PhysicalAxis& axis = layout.axes[index];
  TRY(require_factor(what, "axis " + split.axis, axis.extent(), split.factor));
  PhysicalAxis outer{axis.name + ".0", {}}, inner{axis.name + ".1", {}};
  int64_t left = split.factor;  // factor that `inner` still lacks
  for (auto digit = axis.digits.rbegin(); digit != axis.digits.rend(); ++digit) {
    const int64_t taken = left % digit->extent == 0 ? digit->extent : left;
    if (digit->extent % taken != 0) {
      return refuse(what, "factor {} breaks the cut chain of fused axis {} at extent {}",
                    split.factor, split.axis, digit->extent);
    }
    if (taken > 1) inner.digits.insert(inner.digits.begin(), Digit{digit->dim, digit->step, taken});
    if (digit->extent > taken) {
      outer.digits.insert(outer.digits.begin(),
                          Digit{digit->dim, digit->step * taken, digit->extent / taken});
    }
    left /= taken;
  }
  // A part of extent 1 keeps a digit, so that every axis belongs to a dimension.
  if (outer.digits.empty())
    outer.digits.push_back({axis.digits[0].dim, axis.digits[0].step * axis.digits[0].extent, 1});
  Layout result = layout;
  result.axes[index] = outer;
  result.axes.insert(result.axes.begin() + index + 1, inner);
  return result;
}

Result<Layout> apply(const layout::Fuse& fuse, const Layout& layout) {
  const std::string what = print(LayoutPrimitive(fuse));
  const int outer = TRY(require_axis(what, fuse.outer, layout));
  const int inner = TRY(require_axis(what, fuse.inner, layout));
  if (inner != outer + 1) {
    return refuse(what, "axis {} does not directly follow axis {}; reorder first", fuse.inner,
                  fuse.outer);
  }
  Layout result = layout;
  result.axes[outer] = {fused_name(fuse.outer, fuse.inner),
                        joined(layout.axes[outer].digits, layout.axes[inner].digits)};
  result.axes.erase(result.axes.begin() + inner);
  return result;
}

Result<Layout> apply(const layout::Reorder& reorder, const Layout& layout) {
  const std::string what = print(LayoutPrimitive(reorder));
  std::vector<int> places;
  for (const std::string& name : reorder.axes) {
    const int index = TRY(require_axis(what, name, layout));
    if (std::find(places.begin(), places.end(), index) != places.end())
      return refuse(what, "axis {} is named twice", name);
    places.push_back(index);
  }
  std::vector<int> sorted = places;
  std::sort(sorted.begin(), sorted.end());
  Layout result = layout;
  for (size_t k = 0; k < places.size(); ++k) result.axes[sorted[k]] = layout.axes[places[k]];
  return result;
}

Result<Layout> apply(const layout::Pad& pad, const Layout& layout) {
  constexpr int64_t kMaxPad = int64_t{1} << 31;
  const std::string what = print(LayoutPrimitive(pad));
  const int index = TRY(require_outermost_axis(what, pad.axis, layout));
  if (pad.before < 0 || pad.after < 0 || pad.before > kMaxPad || pad.after > kMaxPad ||
      pad.before + pad.after == 0) {
    return refuse(what, "expected before and after from 0 to 2^31, not both 0");
  }
  Layout result = layout;
  Digit& digit = result.axes[index].digits[0];
  result.offsets[digit.dim] -= pad.before * digit.step;
  digit.extent += pad.before + pad.after;
  return require_storable(what, std::move(result));
}

Result<Layout> apply(const layout::Unfold& unfold, const Layout& layout) {
  const std::string what = print(LayoutPrimitive(unfold));
  const int index = TRY(require_outermost_axis(what, unfold.axis, layout));
  const PhysicalAxis& axis = layout.axes[index];
  const Digit digit = axis.digits[0];
  if (unfold.size < 1 || unfold.stride < 1)
    return refuse(what, "expected size and stride of at least 1");
  if (unfold.stride > unfold.size) {
    return refuse(what, "stride {} exceeds size {} and would lose data", unfold.stride,
                  unfold.size);
  }
  if (unfold.size > digit.extent) {
    return refuse(what, "size {} exceeds extent {} of axis {}", unfold.size, digit.extent,
                  unfold.axis);
  }
  const int64_t tiles = (digit.extent - unfold.size + unfold.stride - 1) / unfold.stride + 1;
  Layout result = layout;
  result.axes[index] = {axis.name + ".0", {Digit{digit.dim, digit.step * unfold.stride, tiles}}};
  result.axes.insert(result.axes.begin() + index + 1,
                     {axis.name + ".1", {Digit{digit.dim, digit.step, unfold.size}}});
  return require_storable(what, std::move(result));
}

}  // namespace dovetail
