// SPDX-License-Identifier: Apache-2.0
#include "primitives/layout/apply_layout.h"

#include <algorithm>

#include "core/ir/layout/image_shape.h"
#include "primitives/layout/axis_primitives.h"
#include "primitives/refuse.h"

namespace dovetail {

Result<Layout> apply(const LayoutPrimitive& primitive, const Layout& layout) {
  return std::visit(
      [&]<typename Primitive>(const Primitive& p) -> Result<Layout> {
        if constexpr (std::is_same_v<Primitive, layout::StoreAt>)
          return refuse(print(primitive), "a tensor stored in another has no layout of its own");
        else
          return dovetail::apply(p, layout);
      },
      primitive);
}

Result<Layout> apply_all(const TensorLayout& lines, const Layout& initial) {
  Layout layout = initial;
  for (const LayoutPrimitive& primitive : lines.primitives) {
    Result<Layout> next = dovetail::apply(primitive, layout);
    if (!next) return refuse("layout " + lines.tensor, "{}", next.error().message);
    layout = std::move(*next);
  }
  layout.scope = lines.scope;
  return layout;
}

namespace {

// The digits of `places`, by descending step, without padding, so that they store the dimension
// exactly once; empty where they cannot, and a single digit must replace them.
std::vector<Digit> exact_digits(const std::vector<DigitPlace>& places, int64_t extent) {
  std::vector<Digit> result;
  int64_t covered = 1;
  for (auto it = places.rbegin(); it != places.rend(); ++it) {
    Digit digit = it->digit;
    if (digit.extent == 1) {
      result.insert(result.begin(), digit);
      continue;
    }
    if (digit.step != covered) return {};
    const bool coarsest =
        std::all_of(it + 1, places.rend(), [](const DigitPlace& p) { return p.digit.extent == 1; });
    if (coarsest) {
      if (extent % covered != 0) return {};
      digit.extent = extent / covered;
    }
    covered *= digit.extent;
    result.insert(result.begin(), digit);
  }
  if (covered != extent) return {};
  return result;
}

// Stores dimension `dim` as one digit: in the layout's innermost axis if that has it, else in place
// of an unfold's tile index or of the finest part of splits. Removes the axes of its other digits.
void collapse(Layout& layout, int dim, const std::vector<DigitPlace>& places) {
  const int last = static_cast<int>(layout.axes.size()) - 1;
  const auto innermost = std::find_if(places.begin(), places.end(),
                                      [&](const DigitPlace& place) { return place.axis == last; });
  const DigitPlace kept = innermost != places.end() ? *innermost
                          : has_overlap(places)     ? places.front()
                                                    : places.back();
  for (const DigitPlace& place : places) layout.axes[place.axis].digits[place.position].extent = 0;
  layout.axes[kept.axis].digits[kept.position] = {dim, 1, layout.logical[dim].extent};
  for (PhysicalAxis& axis : layout.axes) {
    std::erase_if(axis.digits, [](const Digit& digit) { return digit.extent == 0; });
    if (axis.digits.size() == 1 && axis.digits[0].dim == dim) axis.name = layout.logical[dim].name;
  }
  std::erase_if(layout.axes, [](const PhysicalAxis& axis) { return axis.digits.empty(); });
}

}  // namespace

Layout without_expansion(const Layout& layout) {
  Layout result = layout;
  result.scope = MemoryScope::global;
  std::fill(result.offsets.begin(), result.offsets.end(), 0);
  for (size_t j = 0; j < layout.logical.size(); ++j) {
    const int dim = static_cast<int>(j);
    const std::vector<DigitPlace> places = digits_of_dim(result, dim);
    if (places.empty()) continue;  // one element, which a fuse dropped
    const std::vector<Digit> exact = exact_digits(places, layout.logical[j].extent);
    // With an offset, splits fall on other elements than in a tensor that is stored from 0 on.
    const bool shifted = std::ranges::any_of(exact, [&](const Digit& digit) {
      return digit.extent > 1 && layout.offsets[j] % digit.step != 0;
    });
    if (exact.empty() || shifted) {
      collapse(result, dim, places);
      continue;
    }
    for (size_t k = 0; k < places.size(); ++k)
      result.axes[places[k].axis].digits[places[k].position] = exact[k];
  }
  return result;
}

std::optional<Layout> cropped(const Layout& layout) {
  if (std::ranges::any_of(layout.offsets, [](int64_t offset) { return offset != 0; }))
    return std::nullopt;
  Layout result = without_expansion(layout);
  result.scope = layout.scope;
  if (!is_one_to_one(result) || result.axes.size() != layout.axes.size() || result.axes.empty())
    return std::nullopt;
  for (size_t a = 0; a < layout.axes.size(); ++a) {
    const PhysicalAxis& whole = layout.axes[a];
    if (result.axes[a] == whole) continue;
    const bool is_shorter = whole.digits.size() == 1 && result.axes[a].digits.size() == 1 &&
                            whole.digits[0].dim == result.axes[a].digits[0].dim &&
                            whole.digits[0].step == result.axes[a].digits[0].step;
    if (!is_shorter || a + 1 == layout.axes.size()) return std::nullopt;
  }
  return result;
}

Result<void> check_scope(const Tensor& tensor, const Layout& layout, const Target& target) {
  if (layout.scope == MemoryScope::global) return {};
  const std::string scope = print(layout.scope);
  if (!is_texture(layout.scope) || scope.ends_with(":array")) {
    return refuse(
        "layout " + tensor.name,
        "scope {} is not supported yet, expected global, texture, texture:weight or texture:nhwc",
        scope);
  }
  if (!target.has_images) {
    return refuse("layout " + tensor.name, "scope {}: target {} has no images", scope,
                  print(target.name));
  }
  if (tensor.type != ElementType::f32 && tensor.type != ElementType::f16) {
    return refuse("layout " + tensor.name, "scope {}: found elements of {}, expected f32 or f16",
                  scope, name_of(tensor.type));
  }
  const std::vector<int64_t> extents = physical_extents(layout);
  if (extents.size() < 2) {
    return refuse("layout " + tensor.name,
                  "scope {}: found one axis, expected a texel of 4 and an axis around it", scope);
  }
  if (extents.back() != kTexelComponents) {
    return refuse("layout " + tensor.name,
                  "scope {}: innermost axis {} has extent {}, expected 4 (a texel)", scope,
                  layout.axes.back().name, extents.back());
  }
  const ImageShape image = TRY(image_shape(layout));
  if (image.width > target.image2d_max_width || image.height > target.image2d_max_height) {
    return refuse("layout " + tensor.name,
                  "scope {}: image of {} x {} texels, the device's limit is {} x {}", scope,
                  image.width, image.height, target.image2d_max_width, target.image2d_max_height);
  }
  return {};
}

}  // namespace dovetail
