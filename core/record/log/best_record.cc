// SPDX-License-Identifier: Apache-2.0
#include "core/record/log/best_record.h"

#include <fmt/core.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <map>
#include <set>
#include <tuple>

#include "core/base/check.h"
#include "core/base/statistics.h"
#include "core/base/text.h"
#include "core/ir/region/border.h"
#include "core/ir/region/region_text.h"

namespace dovetail {
namespace {

// The results of measuring a trial again.
struct Confirmations {
  std::vector<double> seconds;
  std::vector<double> samples;  // samples of all repetitions
  bool failed = false;
};

std::map<TrialKey, Confirmations> confirmations_of(std::span<const Record> records) {
  std::map<TrialKey, Confirmations> found;
  for (const Record* record : last_sittings(records)) {
    Confirmations& trial = found[trial_key(*record)];
    if (record->result.status == Status::ok) {
      trial.seconds.push_back(record->result.seconds);
      trial.samples.insert(trial.samples.end(), record->result.samples.begin(),
                           record->result.samples.end());
    } else {
      trial.failed = true;
    }
  }
  return found;
}

struct Candidate {
  const Record* record = nullptr;
  double seconds = 0;
  bool confirmed = false;
  std::vector<double> fresh_samples;  // confirmed candidates only
  std::vector<int64_t> tied;          // a winner's tie set, itself included
};

bool beats(const Candidate& a, const Candidate& b) {
  if (a.confirmed != b.confirmed) return a.confirmed;
  return a.seconds < b.seconds;  // equal times: the earlier one stays
}

BestTrial copy_of(const Candidate& candidate) {
  const std::vector<double>& samples =
      candidate.confirmed ? candidate.fresh_samples : candidate.record->result.samples;
  return {*candidate.record, candidate.seconds, candidate.confirmed, candidate.tied,
          interval_of(samples)};
}

// The slowest time that a winner may have: that of the default trace in the same sitting, which is
// infinite where it has none.
double most_seconds(const std::vector<Candidate>& candidates) {
  for (const Candidate& candidate : candidates)
    if (candidate.record->is_default && candidate.confirmed) return candidate.seconds;
  return std::numeric_limits<double>::infinity();
}

// `candidates` are those of one task of one campaign, in the order of the file.
Candidate winner_of(const std::vector<Candidate>& candidates) {
  const Candidate* fastest = &candidates.front();
  for (const Candidate& candidate : candidates)
    if (beats(candidate, *fastest)) fastest = &candidate;
  const auto rank = [](const Candidate& candidate) {
    return std::pair(candidate.record->result.workspace_bytes, candidate.record->trial);
  };
  const double most = most_seconds(candidates);
  const Candidate* winner = fastest;
  std::vector<int64_t> tied;
  for (const Candidate& candidate : candidates) {
    const bool is_tied =
        &candidate == fastest || (fastest->confirmed && candidate.confirmed &&
                                  are_tied(fastest->fresh_samples, candidate.fresh_samples));
    if (!is_tied) continue;
    tied.push_back(candidate.record->trial);
    if (candidate.seconds <= most && rank(candidate) < rank(*winner)) winner = &candidate;
  }
  Candidate found = *winner;
  std::sort(tied.begin(), tied.end());
  found.tied = std::move(tied);
  return found;
}

std::vector<Candidate> winners_of(std::span<const Record> records) {
  const auto confirmations = confirmations_of(records);
  std::vector<std::vector<Candidate>> groups;                    // by campaign and task
  std::map<std::pair<int64_t, std::string_view>, size_t> place;  // index in groups
  for (const Record& record : records) {
    if (record.kind != RecordKind::trial || record.result.status != Status::ok) continue;
    Candidate candidate{&record, record.result.seconds, false, {}, {}};
    const auto again = confirmations.find(trial_key(record));
    if (again != confirmations.end()) {
      if (again->second.failed) continue;
      candidate.seconds = median(again->second.seconds);
      candidate.confirmed = true;
      candidate.fresh_samples = again->second.samples;
    }
    const auto [at, is_first] = place.try_emplace({record.campaign, record.task}, groups.size());
    if (is_first) groups.emplace_back();
    groups[at->second].push_back(std::move(candidate));
  }
  std::vector<Candidate> winners;
  for (const auto& group : groups) winners.push_back(winner_of(group));
  return winners;
}

std::string_view kind_of_target(std::string_view target) {
  return target.substr(0, target.find(':'));
}

const DeviceFacets& device_of(const Log& log, const Record& record) {
  const LogHeader* header = log.header_of(record.campaign);
  CHECK(header != nullptr, "a reader keeps no record without its header");
  return header->device;
}

MatchLevel level_of(const Log& log, const Record& record, const TaskQuery& query) {
  if (record.task != query.task) return MatchLevel::none;
  const DeviceFacets& device = device_of(log, record);
  const bool same_kind = kind_of_target(record.target) == kind_of_target(query.target);
  if (!same_kind || device.family != query.device.family) return MatchLevel::none;
  const bool same_device = record.target == query.target && device.name == query.device.name;
  return same_device ? MatchLevel::exact : MatchLevel::family;
}

std::vector<std::string> device_differences(const Log& log, const Record& record,
                                            const TaskQuery& query) {
  std::vector<std::string> found;
  const auto compare = [&found](const char* what, const std::string& there,
                                const std::string& here) {
    if (there != here) found.push_back(fmt::format("{} is {} there, {} here", what, there, here));
  };
  const DeviceFacets& device = device_of(log, record);
  compare("target", record.target, query.target);
  compare("device", device.name, query.device.name);
  compare("device family", device.family, query.device.family);
  return found;
}

std::vector<std::string> differences_from(const Log& log, const Record& record,
                                          const TaskQuery& query) {
  std::vector<std::string> found = spec_differences(record.task, query.task);
  std::ranges::move(device_differences(log, record, query), std::back_inserter(found));
  return found;
}

// Differing spec fields weigh most, device fields least; another kind of operator is farthest.
size_t distance(const Log& log, const Record& record, const TaskQuery& query) {
  const size_t spec_fields = spec_differences(record.task, query.task).size();
  const size_t device_fields = device_differences(log, record, query).size();
  const bool other_kind =
      record.task.substr(0, record.task.find(':')) != query.task.substr(0, query.task.find(':'));
  return (other_kind ? 10000 : 0) + 100 * spec_fields + device_fields;
}

constexpr const char* kWritten = "written";  // a region that no kind spells

// "c2d", or kWritten.
std::string kind_of_task(std::string_view task) {
  const BarredText parts = split_at_bar(task);
  return is_written(parts.spec) ? kWritten
                                : std::string(parts.spec.substr(0, parts.spec.find(':')));
}

// "the log has no gmm; it has 1 task of c2d, 2 of dep"; empty if it has some of that kind.
std::string explain_other_kinds(const std::vector<Candidate>& winners, const std::string& asked) {
  std::map<std::string, std::set<std::string>> tasks;
  for (const Candidate& winner : winners)
    tasks[kind_of_task(winner.record->task)].insert(winner.record->task);
  if (asked == kWritten || tasks.contains(asked)) return "";
  std::string kinds;
  for (const auto& [kind, specs] : tasks) {
    const char* const unit = !kinds.empty() ? "" : specs.size() == 1 ? " task" : " tasks";
    kinds += fmt::format("{}{}{} of {}", kinds.empty() ? "" : ", ", specs.size(), unit, kind);
  }
  return fmt::format("no record; the log has no {}; it has {}", asked, kinds);
}

void explain_miss(const Log& log, const std::vector<Candidate>& winners, const TaskQuery& query,
                  RecordMatch& miss) {
  miss.explanation = winners.empty() ? fmt::format("{} has no valid record at all", log.path)
                                     : explain_other_kinds(winners, kind_of_task(query.task));
  miss.differences = miss.explanation;
  if (!miss.explanation.empty()) return;
  const auto nearest =
      std::min_element(winners.begin(), winners.end(), [&](const Candidate& a, const Candidate& b) {
        return distance(log, *a.record, query) < distance(log, *b.record, query);
      });
  const std::vector<std::string> all = differences_from(log, *nearest->record, query);
  const std::vector<std::string> devices = device_differences(log, *nearest->record, query);
  miss.differences = fmt::format("{}", fmt::join(devices.empty() ? all : devices, ", "));
  miss.nearest = print(name_of(log, *nearest->record));
  miss.explanation =
      fmt::format("no record; the nearest is {}: {}", miss.nearest, fmt::join(all, ", "));
}

RecordMatch match(const Log& log, const std::vector<Candidate>& winners, const TaskQuery& query) {
  RecordMatch found;
  const Candidate* best = nullptr;
  const auto rank = [&](const Candidate& candidate) {
    return std::tuple(distance(query.caches, candidate.record->caches),
                      candidate.record->target != query.target, candidate.seconds);
  };
  for (const Candidate& winner : winners) {
    const MatchLevel level = level_of(log, *winner.record, query);
    if (level == MatchLevel::none || level > found.level) continue;
    if (level < found.level || rank(winner) < rank(*best)) best = &winner;
    found.level = level;
  }
  if (best == nullptr) {
    explain_miss(log, winners, query, found);
    return found;
  }
  found.best = copy_of(*best);
  found.name = print(name_of(log, *best->record));
  if (found.level != MatchLevel::exact) {
    found.nearest = found.name;
    found.differences =
        fmt::format("{}", fmt::join(differences_from(log, *best->record, query), ", "));
    found.explanation = fmt::format("{}: {}", found.name, found.differences);
  }
  return found;
}

// The keys of a spec, plus "border", "kind" and an operator's "epilogue". The kind of a written
// region is its statements.
std::map<std::string, std::string> fields_of(std::string_view task) {
  std::map<std::string, std::string> fields;
  const BarredText parts = split_at_bar(task);
  std::string_view border = parts.border.value_or("none");
  border.remove_prefix(std::min(border.find_first_not_of(' '), border.size()));
  fields["border"] = border;
  std::string_view spec = parts.spec;
  const bool written = is_written(spec);
  if (!written) {
    const size_t plus = spec.find('+');
    fields["epilogue"] = plus == std::string_view::npos ? "none" : spec.substr(plus + 1);
    spec = spec.substr(0, plus);
  }
  // A padding contains a colon: a key ends at its '=', a value at the next comma.
  const size_t colon = written ? spec.rfind(':') : spec.find(':');
  fields["kind"] = spec.substr(0, colon);
  if (colon == std::string_view::npos) return fields;
  for (const std::string_view entry : split(spec.substr(colon + 1), ',')) {
    const size_t equals = entry.find('=');
    if (equals == std::string_view::npos) continue;
    fields[std::string(entry.substr(0, equals))] = entry.substr(equals + 1);
  }
  return fields;
}

}  // namespace

bool are_tied(std::span<const double> fastest, std::span<const double> other) {
  constexpr double kLargestTie = 1.02;  // slower median / faster median
  if (fastest.empty() || other.empty()) return false;
  if (median(other) > kLargestTie * median(fastest)) return false;
  return median_interval(other).first <= median_interval(fastest).second;
}

std::vector<std::string> spec_differences(std::string_view there, std::string_view here) {
  const std::string kind_there = kind_of_task(there), kind_here = kind_of_task(here);
  if ((kind_there == kWritten) != (kind_here == kWritten))
    return {fmt::format("the kind is {} there, {} here", kind_there, kind_here)};
  const auto in_log = fields_of(there), asked = fields_of(here);
  const auto value_of = [](const auto& fields, const std::string& key) {
    const auto found = fields.find(key);
    return found == fields.end() ? "not set" : found->second;
  };
  auto all = in_log;
  all.insert(asked.begin(), asked.end());
  std::vector<std::string> found;
  for (const auto& [key, any_value] : all) {
    const std::string old_value = value_of(in_log, key), new_value = value_of(asked, key);
    if (old_value == new_value) continue;
    found.push_back(fmt::format("{} is {} there, {} here", key, old_value, new_value));
  }
  return found;
}

std::string_view print(MatchLevel level) {
  constexpr std::array<std::string_view, 4> kWords{"exact", "network", "family", "default"};
  return kWords.at(static_cast<size_t>(level));
}

std::vector<const Record*> last_sittings(std::span<const Record> records) {
  std::map<std::pair<int64_t, std::string_view>, int64_t> last;
  std::map<TrialKey, const Record*> of_trial;
  for (const Record& record : records) {
    if (record.kind != RecordKind::confirmation) continue;
    int64_t& sitting = last[{record.campaign, record.task}];
    sitting = std::max(sitting, record.sitting);
    of_trial[trial_key(record)] = &record;
  }
  std::vector<const Record*> counting;
  for (const Record& record : records) {
    if (record.kind != RecordKind::confirmation) continue;
    if (record.sitting != last.at({record.campaign, record.task})) continue;
    if (record.sitting == 0 || of_trial.at(trial_key(record)) == &record)
      counting.push_back(&record);
  }
  return counting;
}

std::vector<BestTrial> best_trials(std::span<const Record> records) {
  std::vector<BestTrial> best;
  for (const Candidate& winner : winners_of(records)) best.push_back(copy_of(winner));
  return best;
}

RecordMatch best_record(const Log& log, const TaskQuery& query, const AcceptsRecord& accepts) {
  if (!accepts) return match(log, winners_of(log.records), query);
  std::vector<Record> accepted;
  std::ranges::copy_if(log.records, std::back_inserter(accepted), accepts);
  return match(log, winners_of(accepted), query);
}

std::vector<RecordMatch> best_records(const Log& log, const std::vector<TaskQuery>& queries) {
  const std::vector<Candidate> winners = winners_of(log.records);
  std::vector<RecordMatch> matches;
  for (const TaskQuery& query : queries) matches.push_back(match(log, winners, query));
  return matches;
}

}  // namespace dovetail
