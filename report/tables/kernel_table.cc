// SPDX-License-Identifier: Apache-2.0
#include "report/tables/kernel_table.h"

namespace dovetail {

DataTable table_of_kernels(const std::vector<KernelRow>& rows, bool has_tasks) {
  DataTable table = table_of(rows);
  if (has_tasks) return table;
  table.columns.erase(table.columns.begin());
  for (std::vector<DataCell>& row : table.rows) row.erase(row.begin());
  return table;
}

}  // namespace dovetail
