// SPDX-License-Identifier: Apache-2.0
#include "report/tables/log_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "core/ir/region/task_spec.h"
#include "core/ir/region/work.h"
#include "core/record/line/fields.h"
#include "core/record/log/timed_caches.h"
#include "report/tables/data_table.h"

namespace dovetail {

auto fields_of(Of<LogWarning> auto& warning) {
  return std::tuple(Field{"line", warning.line}, Field{"reason", warning.text});
}

auto fields_of(Of<RoundStats> auto& model) {
  return std::tuple(
      Field{"cost_model", model.cost_model}, Field{"rounds", model.rounds},
      Field{"top_1_recall", model.top_1_recall}, Field{"top_5_recall", model.top_5_recall},
      Field{"kendall_tau", model.kendall_tau}, Field{"last_kendall_tau", model.last_kendall_tau},
      Field{"top_1_speed", model.top_1_speed}, Field{"training_seconds", model.training_seconds},
      Field{"warm_start_gain", model.warm_start_gain});
}

namespace {

template <typename Value>
auto unless_empty(const char* name, Value& value) {
  return Field{name, value, AnyValue{}, Presence::unless_empty};
}

template <typename... Fields>
std::string object(Fields... fields) {
  JsonWriter writer;
  write_fields(writer, std::tuple(fields...));
  return std::move(writer).finish();
}

// Absent for a spec that this version cannot parse.
std::optional<double> gflops_of_spec(const std::string& task,
                                     const std::optional<double>& seconds) {
  const auto spec = parse_task_spec(task);
  if (!spec || !seconds) return std::nullopt;
  return nominal_flops(spec->region) / *seconds / 1e9;
}

std::optional<double> best_seconds_of(const BestRow& row) {
  return row.best ? std::optional(row.best->seconds) : std::nullopt;
}

std::string json_of(const BestRow& row) {
  const std::optional<double> seconds = best_seconds_of(row);
  const std::optional<double> gflops = gflops_of_spec(row.task, seconds);
  JsonWriter writer;
  if (!row.layer.empty()) writer.text("name", row.layer);
  write_fields(
      writer, std::tuple(Field{"spec", row.task}, Field{"target", row.target},
                         Field{"device", row.device}, unless_empty("caches", row.caches),
                         Field{"trials", row.trials}, Field{"default_seconds", row.default_seconds},
                         Field{"seconds", seconds}, Field{"gflops", gflops}));
  if (row.best) {
    write_fields(writer,
                 std::tuple(Field{"confirmed", row.best->confirmed}, Field{"record", row.record},
                            Field{"trace", row.best->record.trace.text()}));
  }
  return std::move(writer).finish();
}

std::string record_name(const Log& log, const TaskStats& stats) {
  Record best;
  best.campaign = stats.campaign;
  best.task = stats.task;
  best.trial = stats.best_trial;
  return print(name_of(log, best));
}

std::string json_of(const Log& log, const TaskStats& stats) {
  const std::optional<double> gflops = gflops_of_spec(stats.task, stats.best_seconds);
  const std::string record = stats.best_trial > 0 ? record_name(log, stats) : "";
  JsonWriter failed, times, writer;
  for (const auto& [status, count] : stats.failed) failed.integer(print(status), count);
  write_times(times, stats.times);
  write_fields(writer,
               std::tuple(Field{"log", log.path}, Field{"campaign", stats.campaign},
                          Field{"spec", stats.task}, Field{"target", stats.target},
                          unless_empty("caches", stats.caches), Field{"trials", stats.trials},
                          Field{"valid", stats.valid}, Field{"rejected", stats.rejected}));
  writer.raw("failed", std::move(failed).finish());
  write_fields(writer, std::tuple(Field{"default_seconds", stats.default_seconds},
                                  Field{"median_seconds", stats.median_seconds},
                                  Field{"best_seconds", stats.best_seconds},
                                  Field{"best_gflops", gflops}, unless_empty("record", record),
                                  Field{"confirmations", stats.confirmations},
                                  Field{"sentinels", stats.sentinels},
                                  Field{"sentinel_spread", stats.sentinel_spread}));
  writer.raw("time", std::move(times).finish());
  write_fields(writer, std::tuple(Field{"elapsed_seconds", stats.elapsed_seconds},
                                  unless_empty("model", stats.model)));
  return std::move(writer).finish();
}

std::string json_of(const Log& log, const LogHeader& header) {
  return object(Field{"log", log.path}, Field{"campaign", header.campaign}, Field{"id", header.id},
                Field{"started", header.started}, Field{"tool", header.tool},
                Field{"target", header.target}, Field{"device", header.device.name},
                Field{"driver", header.driver}, Field{"seed", header.seed},
                unless_empty("distilled_from", header.distilled_from));
}

// "12 timeout, 7 wrong_output", "-" for none.
std::string failures(const std::map<Status, int64_t>& failed) {
  std::vector<std::string> counts;
  for (const auto& [status, count] : failed)
    counts.push_back(fmt::format("{} {}", count, print(status)));
  return counts.empty() ? "-" : fmt::format("{}", fmt::join(counts, ", "));
}

std::string json_of(const LogCheck& check) {
  const bool sound = check.sound();
  return object(Field{"log", check.path}, Field{"sound", sound}, Field{"lines", check.num_lines},
                Field{"campaigns", check.num_campaigns},
                Field{"distilled_campaigns", check.num_distilled},
                Field{"trials", check.num_trials}, Field{"other_records", check.num_other_records},
                Field{"rounds", check.num_rounds}, Field{"networks", check.num_networks},
                Field{"unknown_lines", check.num_unknown}, Field{"torn", check.torn},
                Field{"bad_lines", check.bad_lines}, Field{"gaps", check.gaps});
}

}  // namespace

std::vector<BestRow> best_rows(std::span<const Log> logs) {
  std::vector<BestRow> rows;  // in the order of the logs
  std::map<std::tuple<std::string, std::string, std::string, Caches>, size_t> places;
  const auto row_of = [&](const Log& log, const auto& of) -> BestRow& {
    const LogHeader& header = *log.header_of(of.campaign);
    const std::string& device = header.device.name;
    const auto [at, is_first] =
        places.try_emplace({of.task, of.target, device, of.caches}, rows.size());
    if (is_first)
      rows.push_back({.task = of.task, .target = of.target, .device = device, .caches = of.caches});
    BestRow& row = rows[at->second];
    if (row.layer.empty()) row.layer = header.name_of(of.task);
    return row;
  };
  for (const Log& log : logs) {
    for (const TaskStats& stats : log_stats(log.records)) {
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
    }
  }
  return rows;
}

std::vector<NetworkTotal> network_totals(std::span<const Log> logs, std::span<const BestRow> rows) {
  std::vector<NetworkTotal> totals;
  std::vector<const LogHeader*> done;
  for (const Log& log : logs) {
    for (const LogHeader& header : log.headers) {
      const auto times_of = [&](const std::string& spec) {
        for (const BestRow& row : rows)
          if (row.task == spec && row.target == header.target && row.device == header.device.name &&
              row.caches == caches_of(header))
            return TaskTimes{row.default_seconds, best_seconds_of(row)};
        return TaskTimes();
      };
      const auto total = network_total(header.layers, times_of, caches_of(header));
      const auto is_same = [&](const LogHeader* other) {
        return other->layers == header.layers && other->target == header.target &&
               other->device.name == header.device.name && caches_of(*other) == caches_of(header);
      };
      if (!total || std::ranges::any_of(done, is_same)) continue;
      done.push_back(&header);
      totals.push_back(*total);
    }
  }
  return totals;
}

std::string best_json(std::span<const BestRow> rows, std::span<const NetworkTotal> networks) {
  std::vector<std::string> items, totals;
  for (const BestRow& row : rows) items.push_back(json_of(row));
  for (const NetworkTotal& network : networks) totals.push_back(json_text(network));
  JsonWriter writer;
  writer.integer("count", int64_t(rows.size()));
  writer.raws("tasks", items);
  if (!totals.empty()) writer.raws("networks", totals);
  return std::move(writer).finish() + "\n";
}

std::string best_table(std::span<const BestRow> rows, std::span<const NetworkTotal> networks) {
  using Row = const BestRow&;
  const auto gflops = [](Row row) {
    return significant_cell(gflops_of_spec(row.task, best_seconds_of(row)));
  };
  std::vector<ColumnOf<BestRow>> columns = {
      {"operator", &BestRow::task},
      {"target", &BestRow::target},
      {"device", &BestRow::device},
      {"trials", &BestRow::trials},
      {"default (us)", [](Row row) { return microseconds_cell(row.default_seconds); }},
      {"best (us)", [](Row row) { return microseconds_cell(best_seconds_of(row)); }},
      {"GFLOP/s", gflops},
      {"record", [](Row row) { return row.best ? row.record : "-"; }}};
  if (std::ranges::any_of(rows, [](Row row) { return !row.layer.empty(); })) {
    columns.insert(columns.begin(),
                   {"task", [](Row row) { return row.layer.empty() ? "-" : row.layer; }});
  }
  if (std::ranges::any_of(rows, [](Row row) { return row.caches != Caches::hot; }))
    columns.insert(columns.end() - 1, {"caches", [](Row row) { return print(row.caches); }});
  std::string text = print_rows<BestRow>({rows.begin(), rows.end()}, columns);
  for (const NetworkTotal& network : networks) text += fmt::format("\n{}\n", print(network));
  return text;
}

std::string json_text(const RoundStats& model) { return json_of(model); }

std::string model_table(const std::vector<ModelOfTask>& models) {
  if (models.empty()) return {};
  const auto rounded = [](double RoundStats::* value) {
    return [value](const ModelOfTask& of) { return number_cell(of.model.*value, 2); };
  };
  const auto training = [](const ModelOfTask& of) {
    return number_cell(1e3 * of.model.training_seconds, 1);
  };
  const auto gain = [](const ModelOfTask& of) {
    const auto& added = of.model.warm_start_gain;
    return added ? number_cell(*added, fmt::format("{:+.2f}", *added)) : number_cell(added, 2);
  };
  return "\n" + print_rows<ModelOfTask>(
                    models, {{"operator", &ModelOfTask::task},
                             {"model", [](const ModelOfTask& of) { return of.model.cost_model; }},
                             {"rounds", [](const ModelOfTask& of) { return of.model.rounds; }},
                             {"top-1", rounded(&RoundStats::top_1_recall)},
                             {"top-5", rounded(&RoundStats::top_5_recall)},
                             {"tau", rounded(&RoundStats::kendall_tau)},
                             {"last tau", rounded(&RoundStats::last_kendall_tau)},
                             {"training (ms)", training},
                             {"warm start", gain}});
}

std::string stats_json(std::span<const Log> logs) {
  std::vector<std::string> campaigns, tasks;
  int64_t trials = 0, valid = 0, warnings = 0;
  for (const Log& log : logs) {
    for (const LogHeader& header : log.headers) campaigns.push_back(json_of(log, header));
    for (const TaskStats& stats : log_stats(log.records, log.rounds)) {
      tasks.push_back(json_of(log, stats));
      trials += stats.trials;
      valid += stats.valid;
    }
    warnings += std::ssize(log.warnings);
  }
  JsonWriter writer;
  writer.integer("trials", trials);
  writer.integer("valid", valid);
  writer.integer("skipped_lines", warnings);
  writer.raws("campaigns", campaigns);
  writer.raws("tasks", tasks);
  return std::move(writer).finish() + "\n";
}

std::string stats_table(std::span<const Log> logs) {
  struct Row {
    std::string campaign;
    TaskStats stats;
  };
  std::vector<Row> rows;
  std::vector<ModelOfTask> models;
  for (const Log& log : logs) {
    for (TaskStats& stats : log_stats(log.records, log.rounds)) {
      if (stats.model) models.push_back({stats.task, *stats.model});
      rows.push_back({fmt::format("{}#{}", log.path, stats.campaign), std::move(stats)});
    }
  }
  const auto of = [](auto TaskStats::* value) {
    return [value](const Row& row) { return row.stats.*value; };
  };
  const auto microseconds_of = [](std::optional<double> TaskStats::* seconds) {
    return [seconds](const Row& row) { return microseconds_cell(row.stats.*seconds); };
  };
  const auto gflops = [](const Row& row) {
    return significant_cell(gflops_of_spec(row.stats.task, row.stats.best_seconds));
  };
  const auto drift = [](const Row& row) {
    const auto& spread = row.stats.sentinel_spread;
    return number_cell(spread ? std::optional(*spread * 100) : spread, 1);
  };
  return print_rows<Row>(rows,
                         {{"campaign", &Row::campaign},
                          {"operator", of(&TaskStats::task)},
                          {"target", of(&TaskStats::target)},
                          {"trials", of(&TaskStats::trials)},
                          {"valid", of(&TaskStats::valid)},
                          {"rejected", of(&TaskStats::rejected)},
                          {"default (us)", microseconds_of(&TaskStats::default_seconds)},
                          {"median (us)", microseconds_of(&TaskStats::median_seconds)},
                          {"best (us)", microseconds_of(&TaskStats::best_seconds)},
                          {"GFLOP/s", gflops},
                          {"drift (%)", drift},
                          {"failed", [](const Row& row) { return failures(row.stats.failed); }}}) +
         model_table(models);
}

std::string check_text(const LogCheck& check) {
  std::string text;
  for (const LogWarning& warning : check.bad_lines) text += print(warning, check.path) + "\n";
  for (const std::string& gap : check.gaps) text += fmt::format("{}: {}\n", check.path, gap);
  if (check.num_unknown > 0) {
    text += fmt::format("{}: {} lines of kinds that this version does not know; kept, not read\n",
                        check.path, check.num_unknown);
  }
  if (check.torn) text += fmt::format("{}: unfinished last line; no damage\n", check.path);
  const std::string distilled =
      check.num_distilled > 0 ? fmt::format(" ({} distilled)", check.num_distilled) : "";
  const std::string networks =
      check.num_networks > 0 ? fmt::format("{} networks, ", check.num_networks) : "";
  text += fmt::format(
      "{}: {}; {} lines, {} campaigns{}, {} trials, {} other records, {}{} bad lines\n", check.path,
      check.sound() ? "sound" : "damaged", check.num_lines, check.num_campaigns, distilled,
      check.num_trials, check.num_other_records, networks, check.bad_lines.size());
  return text;
}

std::string check_json(std::span<const LogCheck> checks) {
  std::vector<std::string> items;
  for (const LogCheck& check : checks) items.push_back(json_of(check));
  JsonWriter writer;
  writer.boolean("sound", std::ranges::all_of(checks, &LogCheck::sound));
  writer.raws("logs", items);
  return std::move(writer).finish() + "\n";
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
    return fmt::format("{}: {} campaigns, {} trials, {} other records\n", file, campaigns, trials,
                       others);
  }
  return object(Field{"file", file}, Field{"campaigns", campaigns}, Field{"trials", trials},
                Field{"other_records", others}) +
         "\n";
}

}  // namespace dovetail
