// SPDX-License-Identifier: Apache-2.0
//
// ResidentGroups: how many work-groups of a kernel a unit of a device holds at once, and which of
// its resources is used up first.
//
//   an H200's unit    65,536 registers, 2,048 work-items, 228 KiB of local memory, 32 groups
//   a kernel's group     96 work-items of 96 registers, 38,400 bytes of local memory
//   fits            7 by registers, 21 by work-items, 6 by local memory, 32 by their number:
//                   6, limited by local memory
//
// Why registers are estimated: OpenCL tells them only after a compiler on the device chose them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/ir/target.h"

namespace dovetail {

// Registers have 32 bits. A work-item spills beyond registers_of_item.
struct UnitRoom {
  double registers = 0, work_items = 0, local_bytes = 0;
  double registers_of_item = 0;
  // OpenCL does not tell it; an A100, H100 and H200 have as many, some other cards 16 or 24.
  double groups = 32;
};
// None where the target does not state the unit's registers, work-items and local memory.
std::optional<UnitRoom> unit_room(const Target& target);

struct GroupNeeds {
  double work_items = 1;
  double registers = 0;  // a work-item's
  double local_bytes = 0;
};

// Where two are used up by the same number of groups, the first of these is named.
enum class ResidentLimit : uint8_t { registers, local_memory, work_items, groups };
std::string_view print(ResidentLimit limit);  // "local memory"

struct ResidentGroups {
  double groups = 0;
  ResidentLimit limit = ResidentLimit::groups;
  friend bool operator==(const ResidentGroups&, const ResidentGroups&) = default;
};
ResidentGroups resident_groups(const GroupNeeds& needs, const UnitRoom& room);

// The values that a work-item holds in a step of its product:
//
//   acc[r, c] += X[r, i] * W[i, c]     6 rows, 2 vectors of 4 columns: 48 sums
struct ItemValues {
  double kept = 0;  // elements that outlive the step: sums, and what is loaded ahead
  // Elements that all lanes share. Each takes a vector, since a wide load has four steps of it;
  // where it has four elements of a step instead, these count as one.
  double rows = 0;
  double vectors = 0;  // moving with the lanes; held twice, to load ahead
};

// 32-bit registers of a work-item, with 40 for indices and addresses: fitted with the default rule
// (primitives/space/default_rule/group_tile.h), for vectors of `lanes` elements of f32.
double estimated_registers(const ItemValues& values, double lanes);

}  // namespace dovetail
