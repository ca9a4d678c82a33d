// SPDX-License-Identifier: Apache-2.0
#include "core/record/log/merge.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <string>
#include <tuple>

#include "core/base/check.h"

namespace dovetail {
namespace {

// A trial is identified by task and number; repeated measurements by their line, as there may be
// several.
using RecordKey = std::tuple<std::string, int64_t, std::string>;

// Numbered 0 until all campaigns are known.
struct Campaign {
  LogHeader header;
  std::map<RecordKey, Record> records;
  std::map<std::pair<std::string, int64_t>, RoundRecord> rounds;  // by task and number
  std::map<std::string, OtherLine> others;                        // by their text with campaign 0
  int64_t conflicts = 0;

  int64_t num_trials() const {
    return std::ranges::count_if(
        records, [](const auto& entry) { return entry.second.kind == RecordKind::trial; });
  }
};

RecordKey record_key(const Record& record) {
  return {record.task, record.trial, record.kind == RecordKind::trial ? "" : print(record)};
}

// A header without what depends on its log.
LogHeader unnumbered(LogHeader header) {
  header.campaign = 0;
  header.distilled_from.reset();
  return header;
}

std::string identity_of(const LogHeader& header) {
  return header.id.empty() ? print(unnumbered(header)) : header.id;
}

void add_header(const LogHeader& header, bool is_first, Campaign& campaign) {
  const auto distilled_from = std::max(campaign.header.distilled_from, header.distilled_from);
  const LogHeader plain = unnumbered(header);
  if (is_first || print(plain) < print(unnumbered(campaign.header))) campaign.header = plain;
  campaign.header.distilled_from = distilled_from;
}

void add_record(Record record, Campaign& campaign) {
  record.campaign = 0;
  const auto [at, is_first] = campaign.records.try_emplace(record_key(record), record);
  if (is_first || at->second == record) return;
  campaign.conflicts += 1;
  if (print(record) < print(at->second)) at->second = std::move(record);
}

// Differing rounds are the same trials, judged by different clocks.
void add_round(RoundRecord round, Campaign& campaign) {
  round.campaign = 0;
  const auto [at, is_first] = campaign.rounds.try_emplace({round.task, round.round}, round);
  if (!is_first && print(round) < print(at->second)) at->second = std::move(round);
}

class Merger {
 public:
  void add(const Log& log) {
    std::map<int64_t, Campaign*> by_number;
    for (const LogHeader& header : log.headers) {
      const auto [at, is_first] = campaigns_.try_emplace(identity_of(header));
      add_header(header, is_first, at->second);
      by_number[header.campaign] = &at->second;
    }
    const auto campaign_of = [&by_number](const auto& line) -> Campaign& {
      const auto campaign = by_number.find(line.campaign);
      CHECK(campaign != by_number.end(), "a reader keeps no record without its header");
      return *campaign->second;
    };
    for (const Record& record : log.records) add_record(record, campaign_of(record));
    for (const RoundRecord& round : log.rounds) add_round(round, campaign_of(round));
    for (const OtherLine& other : log.others)
      campaign_of(other).others.emplace(with_campaign(other, 0).object, other);
  }

  Log finish() && {
    std::vector<std::pair<std::string, Campaign*>> order;  // by start time
    for (auto& [identity, campaign] : campaigns_)
      order.emplace_back(campaign.header.started + " " + identity, &campaign);
    std::ranges::sort(order);
    for (auto& [began, campaign] : order) take(std::move(*campaign));
    return std::move(merged_);
  }

 private:
  void take(Campaign campaign) {
    const int64_t number = ++merged_.last_campaign;
    // Merged parts may be complete again.
    if (campaign.header.distilled_from <= campaign.num_trials())
      campaign.header.distilled_from.reset();
    if (campaign.conflicts > 0) {
      merged_.warnings.push_back(
          {.line = 0,
           .text = fmt::format("campaign {} ({}): {} trials differ between the logs; of each, one "
                               "is kept",
                               number, campaign.header.id, campaign.conflicts)});
    }
    campaign.header.campaign = number;
    merged_.headers.push_back(std::move(campaign.header));
    take_lines(campaign.records, number, merged_.records);
    take_lines(campaign.rounds, number, merged_.rounds);
    for (const auto& [text, other] : campaign.others)
      merged_.others.push_back(with_campaign(other, number));
  }

  // Sorted by elapsed time; ties by task and number.
  template <typename Key, typename Line>
  static void take_lines(std::map<Key, Line>& from, int64_t campaign, std::vector<Line>& into) {
    const auto first = static_cast<ptrdiff_t>(into.size());
    for (auto& [key, line] : from) {
      line.campaign = campaign;
      into.push_back(std::move(line));
    }
    std::ranges::stable_sort(into.begin() + first, into.end(), {}, &Line::elapsed_seconds);
  }

  std::map<std::string, Campaign> campaigns_;  // by identity
  Log merged_;
};

}  // namespace

Log merge(const std::vector<Log>& logs) {
  Merger merger;
  for (const Log& log : logs) merger.add(log);
  return std::move(merger).finish();
}

}  // namespace dovetail
