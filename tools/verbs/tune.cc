// SPDX-License-Identifier: Apache-2.0
// The verb `tune`: runs a campaign and reports what it came to.
#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "campaign/campaign.h"
#include "core/base/shell_word.h"
#include "core/ir/region/work.h"
#include "core/record/line/record_name.h"
#include "report/tables/log_tables.h"
#include "report/tables/table.h"
#include "tools/interrupt.h"
#include "tools/progress_bar.h"
#include "tools/verbs.h"

namespace dovetail {
namespace {

using Json = nlohmann::ordered_json;

struct TaskRow {
  const Task& task;
  const TuneSummary& summary;
  std::string record;  // of the winner; empty when there is none
};

double gflops_of(const TaskRow& row) {
  return nominal_flops(row.task.spec.region) / row.summary.best->seconds * 1e-9;
}

std::vector<TaskRow> rows_of(const CampaignPlan& plan, const CampaignResult& result) {
  std::vector<TaskRow> rows;
  for (const Task& task : plan.workloads.tasks) {
    const std::string spec = print(task.spec);
    const auto found = result.tasks.find(spec);
    if (found == result.tasks.end()) continue;  // interrupted before its turn
    TaskRow row{.task = task, .summary = found->second, .record = {}};
    if (row.summary.best) {
      row.record = print(RecordName{.log = plan.options.log,
                                    .campaign = result.campaign,
                                    .trial = row.summary.best->record.trial,
                                    .task = plan.spaces.size() > 1 ? spec : std::string()});
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

Json optional_json(std::optional<double> value) { return value ? Json(*value) : Json(); }

Json task_json(const TaskRow& row, const Machine& machine) {
  const TuneSummary& summary = row.summary;
  Json failed = Json::object();
  for (const auto& [status, count] : summary.stats.failed)
    failed[std::string(print(status))] = count;
  Json json{{"name", row.task.name},
            {"spec", print(row.task.spec)},
            {"trials", summary.stats.trials},
            {"valid", summary.stats.valid},
            {"rejected", summary.stats.rejected},
            {"failed", std::move(failed)}};
  json["default_seconds"] = optional_json(summary.stats.default_seconds);
  json["median_seconds"] = optional_json(summary.stats.median_seconds);
  if (!summary.best) {
    for (const char* field :
         {"best_seconds", "best_gflops", "percent_of_peak", "percent_of_roof", "record"}) {
      json[field] = nullptr;
    }
    return json;
  }
  const double seconds = summary.best->seconds;
  json["best_seconds"] = seconds;
  json["best_gflops"] = gflops_of(row);
  json["percent_of_peak"] = optional_json(percent_of_peak(machine, row.task.spec.region, seconds));
  json["percent_of_roof"] = optional_json(percent_of_roof(machine, row.task.spec.region, seconds));
  json["record"] = row.record;
  return json;
}

Json task_json_with_model(const TaskRow& row, const Machine& machine) {
  Json json = task_json(row, machine);
  const std::optional<RoundStats>& model = row.summary.stats.model;
  if (model) json["model"] = Json::parse(json_text(*model));
  return json;
}

MeasureTimes sum_of_times(const CampaignResult& result) {
  MeasureTimes sum;
  for (const auto& [spec, summary] : result.tasks) sum += summary.stats.times;
  return sum;
}

std::string json_text(const std::vector<TaskRow>& rows, const CampaignResult& result) {
  Json tasks = Json::array();
  for (const TaskRow& row : rows) tasks.push_back(task_json_with_model(row, result.machine));
  const MeasureTimes times = sum_of_times(result);
  const Json json{{"tasks", std::move(tasks)},
                  {"wall_seconds", result.wall_seconds},
                  {"time",
                   {{"build", times.build_seconds},
                    {"run", times.run_seconds},
                    {"check", times.check_seconds},
                    {"search", times.search_seconds},
                    {"model", times.model_seconds}}}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string percent_text(std::optional<double> percent) {
  return percent ? fmt::format("{:.1f}", *percent) : "-";
}

std::string table_text(const std::vector<TaskRow>& rows, const CampaignResult& result) {
  Table table({{"task", Align::left},
               {"trials"},
               {"valid"},
               {"default (us)"},
               {"median (us)"},
               {"best (us)"},
               {"GFLOP/s"},
               {"% of peak"},
               {"% of roof"},
               {"tied"},
               {"record", Align::left}});
  std::vector<ModelOfTask> models;
  for (const TaskRow& row : rows) {
    const TuneSummary& summary = row.summary;
    std::vector<std::string> cells{row.task.name, fmt::format("{}", summary.stats.trials),
                                   fmt::format("{}", summary.stats.valid),
                                   microseconds(summary.stats.default_seconds),
                                   microseconds(summary.stats.median_seconds)};
    if (summary.best) {
      const double seconds = summary.best->seconds;
      cells.push_back(microseconds(seconds));
      cells.push_back(significant(gflops_of(row)));
      cells.push_back(percent_text(percent_of_peak(result.machine, row.task.spec.region, seconds)));
      cells.push_back(percent_text(percent_of_roof(result.machine, row.task.spec.region, seconds)));
      cells.push_back(fmt::format("{}", summary.best->tied.size()));
      cells.push_back(row.record);
    } else {
      cells.insert(cells.end(), {"-", "-", "-", "-", "-", "-"});
    }
    table.add_row(std::move(cells));
    if (summary.stats.model) models.push_back({row.task.name, *summary.stats.model});
  }
  return print(table) + model_table(models);
}

std::string resume_command(const Arguments& arguments) {
  std::string command = "dovetail tune";
  for (const std::string& argument : arguments) {
    if (argument != "--resume" && argument != "--append") command += " " + shell_word(argument);
  }
  return command + " --resume";
}

ExitCode exit_code(const CampaignPlan& plan, const CampaignResult& result) {
  if (result.interrupted) return ExitCode::interrupted;
  if (!result.device_error.empty()) return ExitCode::device_failure;
  for (const TaskSpace& space : plan.spaces) {
    const auto found = result.tasks.find(space.spec);
    if (found == result.tasks.end() || !found->second.best) return ExitCode::no_candidate;
  }
  return ExitCode::done;
}

}  // namespace

Result<ExitCode> run_tune(const TuneOptions& options, const Arguments& arguments, bool json) {
  catch_interrupts();
  ProgressBar bar(stderr);
  const Listener listener = listener_of(bar);
  const CampaignPlan plan = TRY(plan_campaign(options));
  const CampaignResult result = TRY(run_campaign(plan, listener));
  const std::vector<TaskRow> rows = rows_of(plan, result);
  const std::string text = json ? json_text(rows, result) : table_text(rows, result);
  std::fputs(text.c_str(), stdout);
  if (result.interrupted) {
    listener.note("interrupted; everything measured is saved; continue with:\n" +
                  resume_command(arguments));
  }
  if (!result.device_error.empty()) {
    listener.note(fmt::format("the device was lost: {}; continue with:\n{}", result.device_error,
                              resume_command(arguments)));
  }
  return exit_code(plan, result);
}

}  // namespace dovetail
