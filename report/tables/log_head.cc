// SPDX-License-Identifier: Apache-2.0
#include "report/tables/log_head.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "core/record/line/record.h"
#include "report/tables/row_table.h"

namespace dovetail {
namespace {

// A task by the lines of one campaign.
struct TaskLines {
  int64_t trials = 0;
  bool has_valid = false;
  bool is_confirmed = false;  // since its last trial
};
using LinesByTask = std::map<std::string, TaskLines>;

void add(const Record& record, TaskLines& lines) {
  if (record.kind == RecordKind::confirmation) lines.is_confirmed = true;
  if (record.kind != RecordKind::trial) return;
  ++lines.trials;
  lines.is_confirmed = false;
  lines.has_valid |= record.result.status == Status::ok;
}

CampaignState state_of(const LogHeader& header, const LinesByTask& tasks) {
  if (header.distilled_from) return CampaignState::distilled;
  const auto is_done = [](const TaskLines& task) {
    return task.trials > 0 && (task.is_confirmed || !task.has_valid);
  };
  const auto is_task_done = [&](const std::string& spec) {
    const auto found = tasks.find(spec);
    return found != tasks.end() && is_done(found->second);
  };
  const bool all_begun_are_done =
      std::ranges::all_of(tasks, [&](const auto& task) { return is_done(task.second); });
  const std::vector<std::string> specs = tasks_of(header.options);
  if (!tasks.empty() && all_begun_are_done && std::ranges::all_of(specs, is_task_done))
    return CampaignState::finished;
  // Only a campaign that ends by itself measures what the machine can do; one that goes on with
  // other limits drops it from its header.
  const bool has_ended = header.machine.has_value();
  const bool has_limit =
      header.options.contains("seconds") || header.options.contains("total_seconds");
  return has_ended && has_limit ? CampaignState::out_of_time : CampaignState::unfinished;
}

CampaignHead head_of(const Log& log, const LogHeader& header) {
  CampaignHead head{.log = log.path, .header = header};
  LinesByTask tasks;
  for (const Record& record : log.records) {
    if (record.campaign != header.campaign) continue;
    add(record, tasks[record.task]);
    head.elapsed_seconds = std::max(head.elapsed_seconds, record.elapsed_seconds);
  }
  for (const auto& [spec, lines] : tasks) head.trials += lines.trials;
  head.tasks = std::max(std::ssize(tasks), std::ssize(tasks_of(header.options)));
  head.state = state_of(header, tasks);
  return head;
}

// "strategy=random trials=300": without what other columns say, lists, what is off, and the options
// of the strategy.
std::string options_text(const Options& options) {
  std::string text;
  for (const auto& [name, value] : options) {
    const auto* word = std::get_if<std::string>(&value);
    const bool is_list = std::holds_alternative<std::vector<std::string>>(value);
    if (is_list || name == "target" || value == OptionValue(false)) continue;
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", name,
                        word ? word->substr(0, word->find(':')) : print(value));
  }
  return text;
}

}  // namespace

auto fields_of(Of<CampaignHead> auto& head) {
  auto& header = head.header;
  return std::tuple(
      Field{"", fmt::format("{}#{}", head.log, header.campaign), Column{"campaign"},
            Presence::not_written},
      Field{"log", head.log}, Field{"campaign", header.campaign}, Field{"id", header.id},
      Field{"started", header.started, Column{"started"}}, Field{"tool", header.tool},
      Field{"target", header.target, Column{"target"}},
      Field{"device", header.device.name, Column{"device"}}, Field{"driver", header.driver},
      Field{"seed", header.seed}, Field{"tasks", head.tasks, Column{"tasks"}},
      Field{"trials", head.trials, Column{"trials"}},
      Field{"elapsed_seconds", head.elapsed_seconds, Column{"time (s)", digits(0)}},
      Field{"state", print(head.state), Column{"state"}},
      Field{"", fmt::format("{}", header.seed), Column{"seed", PlainCell(), "tasks"},
            Presence::not_written},
      Field{"", options_text(header.options), Column{"options"}, Presence::not_written});
}

namespace {

// Options are of any type, so they are JSON already.
std::string json_of_head(const CampaignHead& head) {
  JsonWriter options;
  for (const auto& [name, value] : head.header.options) options.raw(name, print(value));
  JsonWriter writer;
  write_fields(writer, fields_of(head), Reals::or_null);
  writer.raw("options", std::move(options).finish());
  return std::move(writer).finish();
}

}  // namespace

std::string_view print(CampaignState state) {
  constexpr std::string_view kWords[] = {"finished", "unfinished", "out_of_time", "distilled"};
  return kWords[static_cast<size_t>(state)];
}

std::vector<CampaignHead> campaign_heads(std::span<const Log> logs) {
  std::vector<CampaignHead> heads;
  for (const Log& log : logs)
    for (const LogHeader& header : log.headers) heads.push_back(head_of(log, header));
  return heads;
}

std::string head_table(const std::vector<CampaignHead>& heads) { return print(table_of(heads)); }

std::string head_json(const std::vector<CampaignHead>& heads) {
  std::vector<std::string> rows;
  for (const CampaignHead& head : heads) rows.push_back(json_of_head(head));
  JsonWriter writer;
  writer.raws("campaigns", rows);
  return std::move(writer).finish() + "\n";
}

}  // namespace dovetail
