// SPDX-License-Identifier: Apache-2.0
#include "primitives/space/fixed_layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "primitives/space/choices.h"

namespace dovetail {
namespace {

constexpr int64_t kBlock = 16;  // of the reduction in nohw16o

constexpr std::array<std::pair<FixedLayout, std::string_view>, 4> kNames = {{
    {FixedLayout::nohw, "nohw"},
    {FixedLayout::nhwo, "nhwo"},
    {FixedLayout::hwon, "hwon"},
    {FixedLayout::nohw16o, "nohw16o"},
}};

using Domain = std::vector<int64_t>;

// What remains of a domain.
struct Wanted {
  enum class Kind { any, none, whole, exactly, checked_or_padded } kind = Kind::any;
  int64_t value = 0;
};

bool is_matrix_product(const Computation& computation) {
  const Tensor& output = tensor_named(computation, computation.output.tensor);
  return output.dims.size() == 3 && output.dims[0].name == "b";
}

class Restriction {
 public:
  Restriction(const Structure& structure, FixedLayout layout) : s_(structure), layout_(layout) {
    w_ = element_reads(s_.computation)[1].tensor;
    y_ = s_.computation.output.tensor;
    is_product_ = is_matrix_product(s_.computation);
    if (layout == FixedLayout::nohw16o && !s_.pure.empty()) {
      blocks_reduction_ = s_.axis(s_.pure).extent % kBlock == 0;
    }
  }

  Wanted of(const Parameter& parameter) const {
    switch (parameter.kind) {
      case ParameterKind::store_at:
      case ParameterKind::phase_storage:
        return exactly(0);
      case ParameterKind::layout_levels:
        return exactly(1);
      case ParameterKind::channel_tiles:
        return place(parameter.tensor);
      case ParameterKind::storage:
        return {Wanted::Kind::checked_or_padded, 0};
      case ParameterKind::layout_tile:
        return tile(parameter);
      default:
        return {};
    }
  }

  // Unrolled parts fill a block of the reduction together.
  bool fits_block(ParameterKind parameter, int64_t value, std::optional<int64_t> unrolled) const {
    if (!blocks_reduction_) return true;
    if (parameter == ParameterKind::unroll_part) return kBlock % value == 0;
    if (parameter == ParameterKind::inner_part) return value * unrolled.value_or(1) == kBlock;
    return true;
  }

 private:
  static Wanted exactly(int64_t value) { return {Wanted::Kind::exactly, value}; }

  bool is_row_major() const { return is_product_ && layout_ != FixedLayout::nohw16o; }

  Wanted place(const std::string& tensor) const {
    if (tensor == w_) return exactly(0);
    const bool last = layout_ == FixedLayout::nhwo || layout_ == FixedLayout::hwon;
    return exactly(last || is_row_major() ? 1 : 0);
  }

  Wanted tile(const Parameter& parameter) const {
    if (parameter.tensor == y_) return output_tile(parameter.axis);
    if (parameter.axis == s_.pure) return reduction_tile(parameter.tensor == w_);
    return channel_tile(parameter.axis);
  }

  Wanted output_tile(const std::string& axis) const {
    if (axis == s_.vector_axis) return channel_tile(axis);
    return {Wanted::Kind::none, 0};
  }

  Wanted channel_tile(const std::string& axis) const {
    if (layout_ == FixedLayout::nohw16o) return exactly(s_.lanes);
    if (layout_ == FixedLayout::nohw && axis != s_.vector_axis) return {Wanted::Kind::none, 0};
    return {Wanted::Kind::whole, 0};
  }

  Wanted reduction_tile(bool of_weights) const {
    if (blocks_reduction_) return exactly(kBlock);
    const bool behind_windows = of_weights && !is_product_ && layout_ != FixedLayout::nohw &&
                                layout_ != FixedLayout::nohw16o;
    return {behind_windows ? Wanted::Kind::whole : Wanted::Kind::none, 0};
  }

  const Structure& s_;
  FixedLayout layout_;
  std::string w_, y_;
  bool is_product_ = false;
  bool blocks_reduction_ = false;
};

Domain restricted(const Domain& domain, const Wanted& wanted) {
  const auto keep = [&](int64_t value) {
    switch (wanted.kind) {
      case Wanted::Kind::any:
        return true;
      case Wanted::Kind::none:
        return value == 0;
      case Wanted::Kind::whole:
        return value == std::ranges::max(domain);
      case Wanted::Kind::exactly:
        return value == wanted.value;
      case Wanted::Kind::checked_or_padded:
        return value == kPad || value == kGuard;
    }
    return true;
  };
  Domain kept;
  std::ranges::copy_if(domain, std::back_inserter(kept), keep);
  return kept.empty() ? Domain{domain.front()} : kept;
}

}  // namespace

std::string_view print(FixedLayout layout) {
  return std::ranges::find(kNames, layout, &decltype(kNames)::value_type::first)->second;
}

Result<FixedLayout> parse_fixed_layout(std::string_view text) {
  std::string known;
  for (const auto& [layout, name] : kNames) {
    if (name == text) return layout;
    known += (known.empty() ? "" : ", ") + std::string(name);
  }
  return fail(fmt::format("unknown layout '{}'; expected one of: {}", text, known));
}

std::string contiguous_axis(const Computation& computation, FixedLayout layout) {
  const Tensor& output = tensor_named(computation, computation.output.tensor);
  const std::string& innermost = output.dims.back().name;
  if (is_matrix_product(computation) || layout == FixedLayout::nohw) return innermost;
  if (layout == FixedLayout::hwon && output.dims[0].extent > 1) return output.dims[0].name;
  // Of groups, a channel is a group and one of its channels; all of a group's lie together.
  const bool grouped = output.dims[1].name == "g";
  return output.dims[grouped ? 2 : 1].name;
}

std::vector<Parameter> with_layout(std::vector<Parameter> parameters, const Structure& structure,
                                   FixedLayout layout) {
  const auto s = std::make_shared<const Structure>(structure);
  const auto restriction = std::make_shared<const Restriction>(*s, layout);
  const auto position = std::ranges::find(parameters, ParameterKind::unroll_part, &Parameter::kind);
  const auto unroll_at = static_cast<size_t>(position - parameters.begin());
  for (Parameter& parameter : parameters) {
    const bool sees_unroll =
        std::ranges::find(parameter.depends_on, unroll_at) != parameter.depends_on.end();
    parameter.domain = [s, restriction, kind = parameter.kind, wanted = restriction->of(parameter),
                        all = parameter.domain, sees_unroll, unroll_at](const Point& earlier) {
      const Domain domain = restricted(all(earlier), wanted);
      std::optional<int64_t> unrolled;
      if (sees_unroll) unrolled = earlier[unroll_at];
      Domain kept;
      std::ranges::copy_if(domain, std::back_inserter(kept), [&](int64_t value) {
        return restriction->fits_block(kind, value, unrolled);
      });
      return kept.empty() ? domain : kept;
    };
  }
  return parameters;
}

}  // namespace dovetail
