// SPDX-License-Identifier: Apache-2.0
#pragma once

// KernelUse: how a kernel of a program uses a device of work-groups.
//
//   for (const KernelUse& use : kernel_uses(program, target))
//     use.residency->limit      registers: they let a unit hold 5 groups of 256 work-items
//
//   groups, work_items, local_bytes     read off the nest
//   registers                           estimated from its tiles (core/ir/resident_groups.h)
//   residency                           what a unit holds of it at once
//
// Registers are those of the statement that needs the most: the tiles that hold values then, and
// one step's operands. Kernels that prepare constants are left out, because they run once.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/ir/program/program.h"
#include "core/ir/program/work_groups.h"
#include "core/ir/resident_groups.h"
#include "core/ir/target.h"

namespace dovetail {

struct Residency {
  double groups = 0;  // a unit holds at most
  ResidentLimit limit = ResidentLimit::groups;
  double occupancy = 0;  // their work-items by those that a unit can hold
  double waves = 0;      // all groups by those of all units; below 1 some units hold fewer
};

struct KernelUse {
  std::string kernel;
  WorkGroups work_groups;
  double registers = 0;                // a work-item's, 32 bits each
  std::optional<Residency> residency;  // none where the target does not state a unit's room
  double multiply_adds = 0;            // executed_fmas
  int64_t bytes = 0;                   // touched_bytes
  // FLOP a byte of the distinct elements; none for a kernel without multiply-adds.
  std::optional<double> intensity() const;
};

// In launch order.
std::vector<KernelUse> kernel_uses(const Program& program, const Target& target);

}  // namespace dovetail
