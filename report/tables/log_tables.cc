// SPDX-License-Identifier: Apache-2.0
#include "report/tables/log_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <tuple>

#include "core/base/text.h"
#include "core/ir/region/task_spec.h"
#include "core/record/line/times_fields.h"
#include "core/record/log/timed_caches.h"
#include "primitives/algorithm/roof.h"

namespace dovetail {

namespace {

// Absent for a spec that this version cannot parse.
std::optional<double> gflops_of_spec(const std::string& task,
                                     const std::optional<double>& seconds) {
  const auto spec = parse_task_spec(task);
  return spec ? nominal_gflops(spec->region, seconds) : std::nullopt;
}

std::optional<double> best_seconds_of(const BestRow& row) {
  return row.best ? std::optional(row.best->seconds) : std::nullopt;
}

std::optional<TimeInterval> interval_of(const BestRow& row) {
  return row.best ? row.best->interval : std::nullopt;
}

// "12 timeout, 7 wrong_output", "-" for none.
std::string failures(const std::map<Status, int64_t>& failed) {
  std::vector<std::string> counts;
  for (const auto& [status, count] : failed)
    counts.push_back(fmt::format("{} {}", count, print(status)));
  return counts.empty() ? "-" : fmt::format("{}", fmt::join(counts, ", "));
}

struct StatsRow {
  std::string log = {};
  std::string name = {};  // in the campaign's workload; empty: none
  TaskStats stats = {};
  std::string record = {};  // the best one's name; empty: none
};

std::vector<StatsRow> stats_rows(std::span<const Log> logs) {
  std::vector<StatsRow> rows;
  for (const Log& log : logs) {
    for (TaskStats& stats : log_stats(log.records, log.rounds)) {
      const std::string name = log.header_of(stats.campaign)->name_of(stats.task);
      StatsRow& row =
          rows.emplace_back(StatsRow{.log = log.path, .name = name, .stats = std::move(stats)});
      Record best;
      best.campaign = row.stats.campaign;
      best.task = row.stats.task;
      best.trial = row.stats.best_trial;
      if (best.trial > 0) row.record = print(name_of(log, best));
    }
  }
  return rows;
}

auto fields_of(Of<StatsRow> auto& row) {
  auto& stats = row.stats;
  return std::tuple(
      Field{"", fmt::format("{}#{}", row.log, stats.campaign), Column{"campaign"},
            Presence::not_written},
      Field{"log", row.log}, Field{"campaign", stats.campaign},
      Field{"name", or_null(row.name), Column{"task"}, Presence::unless_empty},
      Field{"spec", stats.task, Column{"operator", PlainCell(), kLastColumn}},
      Field{"target", stats.target, Column{"target"}}, unless_empty("caches", stats.caches),
      Field{"trials", stats.trials, Column{"trials"}}, Field{"valid", stats.valid, Column{"valid"}},
      Field{"rejected", stats.rejected, Column{"rejected"}},
      Field{"failed", stats.failed, Column{"failed", failures, kLastColumn}},
      Field{"default_seconds", stats.default_seconds, Column{"default (us)", kMicroseconds}},
      Field{"median_seconds", stats.median_seconds},
      Field{"best_seconds", stats.best_seconds, Column{"best (us)", kMicroseconds}},
      Field{"best_gflops", gflops_of_spec(stats.task, stats.best_seconds), Column{"GFLOP/s"}},
      unless_empty("record", row.record), Field{"confirmations", stats.confirmations},
      Field{"sentinels", stats.sentinels},
      Field{"sentinel_spread", stats.sentinel_spread, Column{"drift (%)", digits(1, 100)}},
      Field{"time", stats.times}, Field{"elapsed_seconds", stats.elapsed_seconds},
      unless_empty("model", stats.model));
}

struct CampaignRow {
  std::string log;
  LogHeader header;
};

auto fields_of(Of<CampaignRow> auto& row) {
  auto& header = row.header;
  return std::tuple(
      Field{"log", row.log}, Field{"campaign", header.campaign}, Field{"id", header.id},
      Field{"started", header.started}, Field{"tool", header.tool}, Field{"target", header.target},
      Field{"device", header.device.name}, Field{"driver", header.driver},
      Field{"seed", header.seed}, unless_empty("distilled_from", header.distilled_from));
}

}  // namespace

auto fields_of(Of<BestRow> auto& row) {
  const Presence if_best = row.best ? Presence::required : Presence::not_written;
  return std::tuple(
      unless_empty("name", or_null(row.layer)), Field{"spec", row.task},
      Field{"target", row.target}, Field{"device", row.device}, unless_empty("caches", row.caches),
      Field{"trials", row.trials}, Field{"default_seconds", row.default_seconds},
      Field{"seconds", best_seconds_of(row)}, Field{"seconds_interval", interval_of(row)},
      Field{"gflops", gflops_of_spec(row.task, best_seconds_of(row))},
      Field{"confirmed", row.best && row.best->confirmed, AnyValue{}, if_best},
      Field{"record", or_null(row.record), AnyValue{}, if_best},
      Field{"trace", row.best ? row.best->record.trace.text() : std::string(), AnyValue{},
            if_best});
}

namespace {

// t.jsonl#1.17@gmm:… is t.jsonl#1.17; the row has the task.
std::string without_task(const std::string& record) {
  const size_t task = record.find('@', record.rfind('#'));
  return record.substr(0, task);
}

// Facts that all rows of a table have in common; empty: they differ.
struct SharedFacts {
  std::string log, target, device, caches;
  std::string text() const {
    std::string facts;
    for (const std::string* fact : {&target, &device, &caches})
      if (!fact->empty()) facts += (facts.empty() ? "" : ", ") + *fact;
    const std::string on = log.empty() || facts.empty() ? "" : " on ";
    const std::string all = log + on + facts;
    return all.empty() ? "" : all + "\n\n";
  }
};

SharedFacts shared_facts(std::span<const BestRow> rows) {
  const auto shared = [&](const auto& fact_of) {
    std::string fact = rows.empty() ? "" : fact_of(rows[0]);
    const bool is_shared =
        std::ranges::all_of(rows, [&](const BestRow& row) { return fact_of(row) == fact; });
    return is_shared ? fact : std::string();
  };
  return {.log = shared([](const BestRow& row) { return row.log; }),
          .target = shared([](const BestRow& row) { return row.target; }),
          .device = shared([](const BestRow& row) { return row.device; }),
          .caches = shared([](const BestRow& row) {
            return row.caches == Caches::hot ? "" : fmt::format("{} caches", print(row.caches));
          })};
}

struct ShownBest {
  BestRow row = {};
  SharedFacts shared = {};
};

auto fields_of(Of<ShownBest> auto& shown) {
  const BestRow& row = shown.row;
  const SharedFacts& shared = shown.shared;
  std::string record = without_task(row.record);
  if (record.starts_with(shared.log + "#")) record.erase(0, shared.log.size());
  return std::tuple(Field{"", or_null(row.layer), Column{"task"}, Presence::unless_empty},
                    Field{"", row.target, Column{"target", PlainCell(), "", shared.target.empty()}},
                    Field{"", row.device, Column{"device", PlainCell(), "", shared.device.empty()}},
                    Field{"", row.caches, Column{"caches", PlainCell(), "", shared.caches.empty()},
                          Presence::unless_empty},
                    Field{"", row.trials, Column{"trials"}},
                    Field{"", row.default_seconds, Column{"default (us)", kMicroseconds}},
                    Field{"", best_seconds_of(row), Column{"best (us)", kMicroseconds}},
                    Field{"", interval_of(row), Column{"+/- (%)", kHalfWidth}},
                    Field{"", gflops_of_spec(row.task, best_seconds_of(row)), Column{"GFLOP/s"}},
                    Field{"", or_null(record), Column{"record"}},
                    Field{"", row.task, Column{"operator"}});
}

}  // namespace

auto fields_of(Of<LogWarning> auto& warning) {
  return std::tuple(Field{"line", warning.line}, Field{"reason", warning.text});
}

auto fields_of(Of<LogCheck> auto& check) {
  return std::tuple(
      Field{"log", check.path}, Field{"sound", check.sound()}, Field{"lines", check.num_lines},
      Field{"campaigns", check.num_campaigns}, Field{"distilled_campaigns", check.num_distilled},
      Field{"trials", check.num_trials}, Field{"other_records", check.num_other_records},
      Field{"rounds", check.num_rounds}, Field{"networks", check.num_networks},
      Field{"unknown_lines", check.num_unknown}, Field{"torn", check.torn},
      Field{"bad_lines", check.bad_lines}, Field{"gaps", check.gaps});
}

auto fields_of(Of<ModelOfTask> auto& of) {
  return std::tuple_cat(std::tuple(Field{"", of.task, Column{"operator"}, Presence::not_written}),
                        fields_of(of.model));
}

// The default's time in the campaign that found the best: a gain is a ratio of times of one
// sitting.
std::optional<double> default_beside(const Record& best, std::span<const TaskStats> all) {
  const auto found = std::ranges::find_if(all, [&](const TaskStats& of) {
    return of.campaign == best.campaign && of.task == best.task && of.target == best.target &&
           of.caches == best.caches;
  });
  return found == all.end() ? std::nullopt : found->default_seconds;
}

std::vector<BestRow> best_rows(std::span<const Log> logs) {
  std::vector<BestRow> rows;  // in the order of the logs
  std::map<std::tuple<std::string, std::string, std::string, Caches>, size_t> places;
  const auto row_of = [&](const Log& log, const auto& of) -> BestRow& {
    const LogHeader& header = *log.header_of(of.campaign);
    const std::string& device = header.device.name;
    const auto [at, is_first] =
        places.try_emplace({of.task, of.target, device, of.caches}, rows.size());
    if (is_first)
      rows.push_back({.task = of.task,
                      .target = of.target,
                      .device = device,
                      .caches = of.caches,
                      .log = log.path});
    BestRow& row = rows[at->second];
    if (row.layer.empty()) row.layer = header.name_of(of.task);
    return row;
  };
  for (const Log& log : logs) {
    const std::vector<TaskStats> all = log_stats(log.records);
    for (const TaskStats& stats : all) {
      BestRow& row = row_of(log, stats);
      row.trials += stats.trials;
      if (!row.default_seconds) row.default_seconds = stats.default_seconds;
    }
    for (const BestTrial& best : best_trials(log.records)) {
      const Record& record = best.record;
      BestRow& row = row_of(log, record);
      if (row.best && row.best->seconds <= best.seconds) continue;
      row.best = best;
      row.record = print(name_of(log, record));
      row.log = log.path;  // where several logs have the task, that of the best
      if (const auto beside = default_beside(record, all)) row.default_seconds = beside;
    }
  }
  return rows;
}

namespace {

// Where several campaigns have a network each, its line names the model that its command named.
void name_networks(std::span<const LogHeader* const> headers,
                   std::vector<NetworksOfCampaign>& campaigns) {
  const auto without = std::ranges::count_if(campaigns, &NetworksOfCampaign::empty);
  if (std::ssize(campaigns) - without < 2) return;
  for (size_t i = 0; i < campaigns.size(); ++i) {
    const std::vector<std::string> models = model_files(*headers[i]);
    if (campaigns[i].size() == 1 && campaigns[i][0].model.empty() && !models.empty())
      campaigns[i][0].model = std::filesystem::path(models.front()).filename().string();
  }
}

// Campaigns of one device and kind that come to the same for each network of one of them say it
// once: the one that has more networks, else the first.
void drop_repeated(std::vector<const LogHeader*>& headers,
                   std::vector<NetworksOfCampaign>& campaigns) {
  const auto is_told_by = [&](size_t i, size_t other) {
    const NetworksOfCampaign& own = campaigns[i];
    const NetworksOfCampaign& others = campaigns[other];
    const bool is_first = own.size() < others.size() || (own.size() == others.size() && other < i);
    return is_first && headers[other]->target == headers[i]->target &&
           headers[other]->device.name == headers[i]->device.name &&
           std::ranges::all_of(own, [&](const NetworkTotal& network) {
             return std::ranges::count(others, network) > 0;
           });
  };
  std::vector<NetworksOfCampaign> kept;
  for (size_t i = 0; i < campaigns.size(); ++i) {
    bool is_told = campaigns[i].empty();
    for (size_t other = 0; other < campaigns.size(); ++other)
      is_told |= other != i && is_told_by(i, other);
    if (!is_told) kept.push_back(campaigns[i]);
  }
  campaigns = std::move(kept);
}

}  // namespace

std::vector<NetworksOfCampaign> networks_of(std::span<const Log> logs,
                                            std::span<const BestRow> rows) {
  std::vector<NetworksOfCampaign> campaigns;
  std::vector<const LogHeader*> headers;
  for (const Log& log : logs) {
    for (const LogHeader& header : log.headers) {
      const auto times_of = [&](const std::string& spec) {
        for (const BestRow& row : rows)
          if (row.task == spec && row.target == header.target && row.device == header.device.name &&
              row.caches == caches_of(header))
            return TaskTimes{row.default_seconds, best_seconds_of(row)};
        return TaskTimes();
      };
      headers.push_back(&header);
      campaigns.push_back(network_totals(header.layers, times_of, caches_of(header)));
    }
  }
  name_networks(headers, campaigns);
  drop_repeated(headers, campaigns);
  return campaigns;
}

std::string best_json(std::span<const BestRow> rows,
                      std::span<const NetworksOfCampaign> campaigns) {
  std::vector<NetworkTotal> networks;
  for (const NetworksOfCampaign& campaign : campaigns)
    networks.insert(networks.end(), campaign.begin(), campaign.end());
  return json_of(std::tuple(Field{"count", rows.size()}, Field{"tasks", rows},
                            unless_empty("networks", networks))) +
         "\n";
}

std::string best_table(std::span<const BestRow> rows,
                       std::span<const NetworksOfCampaign> campaigns) {
  const SharedFacts shared = shared_facts(rows);
  std::vector<ShownBest> shown;
  for (const BestRow& row : rows) shown.push_back({row, shared});
  std::string text = shared.text() + print(table_of(shown));
  const auto with_record = std::ranges::find_if(rows, [](const BestRow& row) {
    return !row.record.empty() && row.record.find('@') != std::string::npos;
  });
  if (with_record != rows.end())
    text += fmt::format("\na record is shown by dovetail show {}\n",
                        shell_word(without_task(with_record->record) + "@OPERATOR"));
  for (const NetworksOfCampaign& networks : campaigns) text += "\n" + print(networks);
  return text;
}

NumberCell gain_cell(const std::optional<double>& gain) {
  return gain ? number_cell(*gain, fmt::format("{:+.2f}", *gain)) : number_cell(gain, 2);
}

std::string model_table(const std::vector<ModelOfTask>& models) {
  return models.empty() ? "" : "\n" + print(table_of(models));
}

std::string stats_json(std::span<const Log> logs) {
  std::vector<CampaignRow> campaigns;
  int64_t trials = 0, valid = 0, warnings = 0;
  for (const Log& log : logs) {
    for (const LogHeader& header : log.headers) campaigns.push_back({log.path, header});
    warnings += std::ssize(log.warnings);
  }
  const std::vector<StatsRow> tasks = stats_rows(logs);
  for (const StatsRow& row : tasks) {
    trials += row.stats.trials;
    valid += row.stats.valid;
  }
  return json_of(std::tuple(Field{"trials", trials}, Field{"valid", valid},
                            Field{"skipped_lines", warnings}, Field{"campaigns", campaigns},
                            Field{"tasks", tasks})) +
         "\n";
}

std::string stats_table(std::span<const Log> logs) {
  const std::vector<StatsRow> rows = stats_rows(logs);
  std::vector<ModelOfTask> models;
  for (const StatsRow& row : rows)
    if (row.stats.model)
      models.push_back({row.name.empty() ? row.stats.task : row.name, *row.stats.model});
  return print(table_of(rows)) + model_table(models);
}

std::string check_text(const LogCheck& check) {
  std::string text;
  for (const LogWarning& warning : check.bad_lines) text += print(warning, check.path) + "\n";
  for (const std::string& gap : check.gaps) text += fmt::format("{}: {}\n", check.path, gap);
  if (check.num_unknown > 0) {
    text += fmt::format("{}: {} of kinds that this version does not know; kept, not read\n",
                        check.path, counted(check.num_unknown, "line"));
  }
  if (check.torn) text += fmt::format("{}: unfinished last line; no damage\n", check.path);
  const std::string distilled =
      check.num_distilled > 0 ? fmt::format(" ({} distilled)", check.num_distilled) : "";
  const std::string networks =
      check.num_networks > 0 ? counted(check.num_networks, "network") + ", " : "";
  text += fmt::format(
      "{}: {}; {}, {}{}, {}, {}, {}{}\n", check.path, check.sound() ? "sound" : "damaged",
      counted(check.num_lines, "line"), counted(check.num_campaigns, "campaign"), distilled,
      counted(check.num_trials, "trial"), counted(check.num_other_records, "other record"),
      networks, counted(check.bad_lines.size(), "bad line"));
  return text;
}

std::string check_json(std::span<const LogCheck> checks) {
  return json_of(std::tuple(Field{"sound", std::ranges::all_of(checks, &LogCheck::sound)},
                            Field{"logs", checks})) +
         "\n";
}

std::string counts_text(std::span<const Log> logs, const std::string& file, bool json) {
  int64_t campaigns = 0, trials = 0, others = 0;
  for (const Log& log : logs) {
    campaigns += int64_t(log.headers.size());
    const int64_t here = std::ranges::count(log.records, RecordKind::trial, &Record::kind);
    trials += here;
    others += int64_t(log.records.size()) - here;
  }
  if (!json) {
    return fmt::format("{}: {}, {}, {}\n", file, counted(campaigns, "campaign"),
                       counted(trials, "trial"), counted(others, "other record"));
  }
  return json_of(std::tuple(Field{"file", file}, Field{"campaigns", campaigns},
                            Field{"trials", trials}, Field{"other_records", others})) +
         "\n";
}

}  // namespace dovetail
