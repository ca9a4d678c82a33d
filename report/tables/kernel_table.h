// SPDX-License-Identifier: Apache-2.0
#pragma once

// KernelRow: a kernel of a task's trace, and how it uses its device (`show --what kernels`, pages).
//
//   kernel  groups  work-items  local (KiB)  registers (est.)  resident  occupancy (%)  …
//   gmm        456          96         37.5                96         6             28  …
//
// Residency follows from the estimated registers (core/ir/resident_groups.h). A table and its JSON
// lack it where the target does not state what a unit holds.

#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "costmodel/features/kernel_use.h"
#include "report/tables/row_table.h"

namespace dovetail {

struct KernelRow {
  std::string task = {};
  KernelUse use = {};
  std::optional<double> peak_seconds = {};  // its multiply-adds at a measured peak
};

auto fields_of(Of<KernelRow> auto& row) {
  const KernelUse& use = row.use;
  const auto of_unit = [&](const auto& read) {
    using Value = decltype(read(*use.residency));
    return use.residency ? std::optional<Value>(read(*use.residency)) : std::nullopt;
  };
  constexpr Presence kIfKnown = Presence::unless_empty;
  return std::tuple(
      Field{"task", row.task, Column{"task"}}, Field{"kernel", use.kernel, Column{"kernel"}},
      Field{"groups", use.work_groups.groups, Column{"groups"}},
      Field{"work_items", use.work_groups.work_items, Column{"work-items"}},
      Field{"local_bytes", use.work_groups.local_bytes,
            Column{"local (KiB)", digits(1, 1.0 / 1024)}},
      Field{"estimated_registers", use.registers, Column{"registers (est.)", digits(0)}},
      Field{"resident_groups", of_unit([](const Residency& of) { return of.groups; }),
            Column{"resident", digits(0)}, kIfKnown},
      Field{"occupancy", of_unit([](const Residency& of) { return of.occupancy; }),
            Column{"occupancy (%)", digits(0, 100)}, kIfKnown},
      Field{"limited_by", of_unit([](const Residency& of) { return std::string(print(of.limit)); }),
            Column{"limited by"}, kIfKnown},
      Field{"waves", of_unit([](const Residency& of) { return of.waves; }),
            Column{"waves", digits(2)}, kIfKnown},
      Field{"multiply_adds", use.multiply_adds}, Field{"bytes", use.bytes},
      Field{"flop_per_byte", use.intensity(), Column{"FLOP/B", digits(1)}, kIfKnown},
      Field{"peak_seconds", row.peak_seconds, Column{"at peak (µs)", kMicroseconds}, kIfKnown});
}

// Without the tasks where there is one.
DataTable table_of_kernels(const std::vector<KernelRow>& rows, bool has_tasks);

}  // namespace dovetail
