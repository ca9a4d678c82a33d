// SPDX-License-Identifier: Apache-2.0
#include "core/ir/resident_groups.h"

#include <array>
#include <cmath>
#include <limits>

namespace dovetail {

std::optional<UnitRoom> unit_room(const Target& target) {
  if (target.unit_registers <= 0 || target.unit_work_items <= 0 || target.unit_local_bytes <= 0)
    return std::nullopt;
  const int64_t of_item = int64_t{target.vector_registers} * vector_lanes(target);
  return UnitRoom{.registers = static_cast<double>(target.unit_registers),
                  .work_items = static_cast<double>(target.unit_work_items),
                  .local_bytes = static_cast<double>(target.unit_local_bytes),
                  .registers_of_item = static_cast<double>(of_item)};
}

std::string_view print(ResidentLimit limit) {
  constexpr std::array<std::string_view, 4> kNames = {"registers", "local memory", "work-items",
                                                      "groups"};
  return kNames[static_cast<size_t>(limit)];
}

ResidentGroups resident_groups(const GroupNeeds& needs, const UnitRoom& room) {
  ResidentGroups resident{.groups = std::numeric_limits<double>::infinity()};
  const auto limit = [&](ResidentLimit by, double has, double needed) {
    if (needed <= 0) return;
    const double fit = std::floor(has / needed);
    if (fit < resident.groups) resident = {.groups = fit, .limit = by};
  };
  limit(ResidentLimit::registers, room.registers, needs.registers * needs.work_items);
  limit(ResidentLimit::local_memory, room.local_bytes, needs.local_bytes);
  limit(ResidentLimit::work_items, room.work_items, needs.work_items);
  limit(ResidentLimit::groups, room.groups, 1);
  return resident;
}

double estimated_registers(const ItemValues& values, double lanes) {
  constexpr double kIndices = 40;
  return values.kept + lanes * values.rows + 2 * lanes * values.vectors + kIndices;
}

}  // namespace dovetail
