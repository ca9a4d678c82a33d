// SPDX-License-Identifier: Apache-2.0
#include "primitives/space/layouts/fixed_layout.h"

#include <algorithm>
#include <array>
#include <functional>
#include <optional>

#include "core/base/fail.h"
#include "core/base/text.h"
#include "primitives/space/choices.h"

namespace dovetail {
namespace {

// The names are in the order of the layouts.
constexpr std::array<std::string_view, 4> kNames = {"nohw", "nhwo", "hwon", "nohw16o"};

class Restriction {
 public:
  Restriction(const ContractionFacts& facts, FixedLayout layout) : s_(facts), layout_(layout) {
    w_ = s_.inputs()[1].tensor;
    y_ = s_.output();
    is_product_ = is_matrix_product(s_.computation);
    if (layout == FixedLayout::nohw16o && !s_.pure.empty())
      blocks_reduction_ = s_.axis(s_.pure).extent % kFixedBlock == 0;
  }

  // Says which values of a parameter's domain remain.
  bool keeps(const ParameterId& id, int64_t value, const std::vector<int64_t>& domain) const {
    switch (id.kind) {
      case ParameterKind::store_at:
      case ParameterKind::plane_storage:
      case ParameterKind::phase_storage: return value == 0;
      case ParameterKind::layout_levels: return value == 1;
      case ParameterKind::channel_tiles: return value == place(id.tensor);
      case ParameterKind::storage: return value == kPad || value == kGuard;
      case ParameterKind::layout_tile: return value == tile_in(id, domain);
      default: return true;
    }
  }

  // The unrolled and the inner part must make exactly one block of the reduction.
  bool fits_block(ParameterKind parameter, int64_t value, std::optional<int64_t> unrolled) const {
    if (!blocks_reduction_) return true;
    if (parameter == ParameterKind::unroll_part) return kFixedBlock % value == 0;
    if (parameter == ParameterKind::inner_part) return value * unrolled.value_or(1) == kFixedBlock;
    return true;
  }

 private:
  bool is_row_major() const { return is_product_ && layout_ != FixedLayout::nohw16o; }

  int64_t place(std::string_view tensor) const {
    if (tensor == w_) return 0;
    const bool last = layout_ == FixedLayout::nhwo || layout_ == FixedLayout::hwon;
    return last || is_row_major() ? 1 : 0;
  }

  // Where an axis has to be stored as tiles, one tile of all of it is the same as none.
  int64_t tile_in(const ParameterId& id, const std::vector<int64_t>& domain) const {
    const int64_t whole = std::ranges::max(domain);
    const int64_t wanted = tile(id).value_or(whole);
    return wanted == 0 && std::ranges::count(domain, 0) == 0 ? whole : wanted;
  }

  // nullopt: the whole axis.
  std::optional<int64_t> tile(const ParameterId& id) const {
    if (id.tensor == y_ && id.axis != s_.vector_axis) return 0;
    if (id.tensor != y_ && id.axis == s_.pure) return reduction_tile(id.tensor == w_);
    if (layout_ == FixedLayout::nohw16o) return s_.lanes;
    if (layout_ == FixedLayout::nohw && id.axis != s_.vector_axis) return 0;
    return std::nullopt;
  }

  std::optional<int64_t> reduction_tile(bool of_weights) const {
    if (blocks_reduction_) return kFixedBlock;
    const bool behind_windows = of_weights && !is_product_ && layout_ != FixedLayout::nohw &&
                                layout_ != FixedLayout::nohw16o;
    return behind_windows ? std::nullopt : std::optional<int64_t>(0);
  }

  const ContractionFacts& s_;
  FixedLayout layout_;
  std::string w_, y_;
  bool is_product_ = false;
  bool blocks_reduction_ = false;
};

// The values that `keeps` accepts, or `otherwise` if there are none.
std::vector<int64_t> kept_of(const std::vector<int64_t>& domain,
                             const std::function<bool(int64_t)>& keeps,
                             std::vector<int64_t> otherwise) {
  std::vector<int64_t> kept;
  std::ranges::copy_if(domain, std::back_inserter(kept), keeps);
  return kept.empty() ? otherwise : kept;
}

}  // namespace

std::string_view print(FixedLayout layout) { return kNames.at(static_cast<size_t>(layout)); }

Result<FixedLayout> parse_fixed_layout(std::string_view text) {
  const auto* const name = std::ranges::find(kNames, text);
  if (name != kNames.end()) return static_cast<FixedLayout>(name - kNames.begin());
  return fail("unknown layout '{}'; expected one of: {}", text, one_of_or_nearest(text, kNames));
}

bool is_matrix_product(const Computation& computation) {
  const Tensor& output = tensor_named(computation, computation.output.tensor);
  return output.dims.size() == 3 && output.dims[0].name == "b";
}

std::string contiguous_axis(const Computation& computation, FixedLayout layout) {
  const Tensor& output = tensor_named(computation, computation.output.tensor);
  const std::string& innermost = output.dims.back().name;
  if (is_matrix_product(computation) || layout == FixedLayout::nohw) return innermost;
  if (layout == FixedLayout::hwon && output.dims[0].extent > 1) return output.dims[0].name;
  // A channel of a grouped convolution is a (group, channel) pair; the channels of a group are
  // contiguous.
  const bool grouped = output.dims[1].name == "g";
  return output.dims[grouped ? 2 : 1].name;
}

std::vector<Parameter> with_layout(std::vector<Parameter> parameters, const ContractionFacts& facts,
                                   FixedLayout layout) {
  const auto s = std::make_shared<const ContractionFacts>(facts);
  const auto restriction = std::make_shared<const Restriction>(*s, layout);
  const auto position = std::ranges::find(parameters, ParameterKind::unroll_part, &Parameter::kind);
  const auto unroll_at = static_cast<size_t>(position - parameters.begin());
  for (Parameter& parameter : parameters) {
    const bool sees_unroll =
        std::ranges::find(parameter.depends_on, unroll_at) != parameter.depends_on.end();
    parameter.domain = [s, restriction, own = parameter, sees_unroll,
                        unroll_at](const Point& earlier) {
      const std::vector<int64_t> values = own.domain(earlier);
      const std::vector<int64_t> domain = kept_of(
          values, [&](int64_t value) { return restriction->keeps(id_of(own), value, values); },
          {values.front()});
      std::optional<int64_t> unrolled;
      if (sees_unroll) unrolled = earlier[unroll_at];
      return kept_of(
          domain, [&](int64_t value) { return restriction->fits_block(own.kind, value, unrolled); },
          domain);
    };
  }
  return parameters;
}

}  // namespace dovetail
