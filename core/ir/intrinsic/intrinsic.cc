// SPDX-License-Identifier: Apache-2.0
#include "core/ir/intrinsic/intrinsic.h"

#include <algorithm>

#include "core/base/check.h"
#include "core/base/text.h"
#include "core/ir/intrinsic/nvidia.h"
#include "core/ir/intrinsic/x86.h"
#include "core/ir/region/region_text.h"

namespace dovetail {
namespace {

std::vector<LaneAxis> lanes_of(std::string_view axes) {
  std::vector<LaneAxis> lanes;
  if (axes.empty()) return lanes;
  int thread = static_cast<int>(ThreadAxis::thread_0);
  for (const std::string_view axis : split(axes, ' '))
    lanes.push_back({std::string(axis), static_cast<ThreadAxis>(thread++)});
  return lanes;
}

// "A.w=2*r": along w of A, two steps of r.
StrideRule stride_rule(std::string_view text) {
  const size_t dot = text.find('.'), equals = text.find('='), times = text.find('*');
  const auto number = read_number<int64_t>(text.substr(equals + 1, times - equals - 1));
  CHECK(number.has_value(), "a stride of an intrinsic");
  return {.tensor = std::string(text.substr(0, dot)),
          .axis = std::string(text.substr(dot + 1, equals - dot - 1)),
          .elements = *number,
          .of_axis = std::string(times < text.size() ? text.substr(times + 1) : "")};
}

std::vector<StrideRule> stride_rules(std::string_view text) {
  std::vector<StrideRule> rules;
  if (text.empty()) return rules;
  for (const std::string_view rule : split(text, ' ')) rules.push_back(stride_rule(rule));
  return rules;
}

Intrinsic defined(const IntrinsicRow& row) {
  const Result<Region> region = parse_region(row.definition);
  CHECK(region && region->computations.size() == 1, "the definition of an intrinsic");
  return {.name = std::string(row.name),
          .definition = std::string(row.definition),
          .computation = region->computations[0].computation,
          .feature = std::string(row.feature),
          .lanes = lanes_of(row.lanes),
          .strides = stride_rules(row.strides)};
}

const std::vector<Intrinsic>& all() {
  static const std::vector<Intrinsic> kAll = [] {
    std::vector<Intrinsic> result;
    for (const auto rows : {x86_intrinsics(), nvidia_intrinsics()})
      for (const IntrinsicRow& row : rows) result.push_back(defined(row));
    return result;
  }();
  return kAll;
}

}  // namespace

std::string print(const Intrinsic& intrinsic) {
  return intrinsic.name + ", " + intrinsic.definition;
}

const Intrinsic* find_intrinsic(std::string_view name) {
  const auto found = std::ranges::find(all(), name, &Intrinsic::name);
  return found == all().end() ? nullptr : &*found;
}

std::vector<std::string> intrinsic_names() {
  std::vector<std::string> names;
  for (const Intrinsic& intrinsic : all()) names.push_back(intrinsic.name);
  return names;
}

namespace {

constexpr std::string_view kPrefix = "sm_";

// NVIDIA's processors: later ones have what earlier ones had, but for what ends with `a`.
bool has_processor(const Target& target, std::string_view needed) {
  const std::string_view own = target.llvm_cpu;
  if (!own.starts_with(kPrefix) || needed.ends_with('a')) return own == needed;
  const auto number = [&](std::string_view name) {
    name.remove_prefix(kPrefix.size());
    return read_number<int>(name.substr(0, name.find_first_not_of("0123456789"))).value_or(0);
  };
  return number(own) >= number(needed);
}

}  // namespace

bool has_instruction(const Target& target, const Intrinsic& intrinsic) {
  if (intrinsic.feature.starts_with(kPrefix)) return has_processor(target, intrinsic.feature);
  const auto features = split(target.llvm_features, ',');
  return std::ranges::find(features, "+" + intrinsic.feature) != features.end();
}

bool is_asynchronous(std::string_view name) {
  constexpr size_t kGroupLanes = 3;  // a warp's has two: rows and columns
  const Intrinsic* intrinsic = find_intrinsic(name);
  return intrinsic != nullptr && intrinsic->lanes.size() == kGroupLanes;
}

bool copies_asynchronously(const Target& target) { return has_processor(target, "sm_80"); }
bool copies_in_bulk(const Target& target) { return has_processor(target, "sm_90"); }
bool starts_early(const Target& target) { return has_processor(target, "sm_90"); }

std::vector<Axis> loop_order(const Intrinsic& intrinsic) {
  std::vector<Axis> axes = intrinsic.computation.axes;
  std::erase_if(axes, [&](const Axis& axis) {
    return std::ranges::find(intrinsic.lanes, axis.name, &LaneAxis::axis) != intrinsic.lanes.end();
  });
  std::ranges::stable_partition(axes, &Axis::reduction);
  return axes;
}

}  // namespace dovetail
