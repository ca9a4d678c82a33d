// SPDX-License-Identifier: Apache-2.0
#include "report/pages/kernels_section.h"

#include <utility>
#include <vector>

#include "core/base/fail.h"
#include "core/base/text.h"
#include "core/ir/region/task_spec.h"
#include "report/data/task_facts.h"
#include "report/pages/markup.h"
#include "report/tables/kernel_table.h"
#include "search/candidate.h"

namespace dovetail {
namespace {

struct DeviceKernels {
  std::vector<KernelRow> rows = {};
  int64_t unread = 0;  // tasks whose trace, or device, this version cannot read
};

Result<std::vector<KernelUse>> uses_of_best(const TaskData& task,
                                            const std::optional<Target>& target) {
  if (!target) return fail("the header lacks facts of the device");
  const TaskSpec spec = TRY(parse_task_spec(task.spec));
  const Trace trace = TRY(parse_trace(task.best_trace));
  return kernel_uses(TRY(materialize(spec, *target, trace)).program, *target);
}

DeviceKernels device_kernels(const CampaignData& data, const MachineFacts& facts) {
  DeviceKernels kernels;
  for (const TaskData& task : data.tasks) {
    if (!task.best_run) continue;
    const LogHeader& header = data.campaigns[task.runs[*task.best_run].campaign].header;
    if (execution_of(header.device) != ExecutionModel::work_groups) continue;
    const Result<std::vector<KernelUse>> uses = uses_of_best(task, target_of(header.device));
    if (!uses) {
      ++kernels.unread;
      continue;
    }
    const std::optional<double> peak = peak_gflops_of(data, facts, task);
    for (const KernelUse& use : *uses) {
      KernelRow row{.task = facts.name_of(task.spec), .use = use};
      if (peak && use.multiply_adds > 0) row.peak_seconds = 2 * use.multiply_adds / (*peak * 1e9);
      kernels.rows.push_back(std::move(row));
    }
  }
  return kernels;
}

DataTable titled_table(const DeviceKernels& kernels) {
  DataTable table = table_of_kernels(kernels.rows, true);
  table.name = "kernels";
  table.title = "Kernels of the best traces, and how they use the device";
  return table;
}

// Words for the columns that the table has.
std::string words_for(const DeviceKernels& kernels) {
  std::string text = "Registers: of a work-item, estimated from the tiles that it holds. ";
  const auto has = [&](const auto& known) { return std::ranges::any_of(kernels.rows, known); };
  if (has([](const KernelRow& row) { return row.use.residency.has_value(); }))
    text +=
        "Resident: groups that a unit of the device holds at once by that estimate, and the "
        "resource that limits them. Occupancy: their work-items by those that a unit can hold. "
        "Waves: all groups by those of all units; below 1 the device is not full. ";
  text +=
      "FLOP/B: two for each multiply-add, by the bytes of the distinct elements that a kernel "
      "reads "
      "or writes.";
  if (has([](const KernelRow& row) { return row.peak_seconds.has_value(); }))
    text += " At peak: the time of its multiply-adds at the machine's measured peak.";
  return text;
}

}  // namespace

std::optional<Section> kernels_section(Report& report, const CampaignData& data,
                                       const MachineFacts& facts) {
  const DeviceKernels kernels = device_kernels(data, facts);
  if (kernels.rows.empty() && kernels.unread == 0) return std::nullopt;
  std::string html;
  if (!kernels.rows.empty())
    html += keep(report, titled_table(kernels)) + paragraph(words_for(kernels));
  if (kernels.unread > 0)
    html += paragraph(fmt::format("Left out: {} whose best trace this version cannot lower.",
                                  counted(static_cast<size_t>(kernels.unread), "task")));
  return Section{"kernels", "How kernels use the device", std::move(html)};
}

}  // namespace dovetail
