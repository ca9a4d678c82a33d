// SPDX-License-Identifier: Apache-2.0
#include "campaign/bench/bench_save.h"

#include "campaign/saved_lines.h"
#include "core/base/fail.h"
#include "core/record/line/fields.h"

namespace dovetail {

// The fields that a row shows: no samples, no stages.
auto fields_of(Of<MeasureResult> auto& result) {
  return std::tuple(Field{"status", result.status}, Field{"reason", result.reason},
                    Field{"seconds", result.seconds, Seconds{}},
                    Field{"max_abs_error", result.max_abs_error},
                    Field{"max_rel_error", result.max_rel_error});
}

auto fields_of(Of<ChosenImplementation> auto& chosen) {
  return std::tuple(Field{"name", chosen.name}, Field{"algorithm", chosen.algorithm});
}

auto fields_of(Of<PeerTimes> auto& peer) {
  auto& choice = peer.choice;
  return std::tuple(Field{"version", peer.version}, Field{"reason", peer.reason},
                    Field{"free", peer.free}, Field{"row_major", peer.row_major},
                    Field{"direct", peer.direct}, Field{"chosen_free", choice.free},
                    Field{"chosen_row_major", choice.row_major},
                    Field{"chosen_direct", choice.direct}, Field{"rejected", choice.rejected},
                    Field{"max_rel_error", choice.max_rel_error});
}

auto fields_of(Of<BenchTimes> auto& times) {
  return std::tuple(Field{"ours", times.ours}, Field{"row_major", times.row_major},
                    Field{"direct", times.direct},
                    Field{"row_major_reason", times.row_major_reason}, Field{"peers", times.peers},
                    Field{"beside", times.beside});
}

namespace {

auto row_fields(auto& asked, Of<BenchTimes> auto& times) {
  return std::tuple(Field{"asked", asked}, Field{"times", times});
}

}  // namespace

Result<SavedRows> SavedRows::open(const std::string& path) {
  SavedRows saved;
  saved.path_ = path;
  if (path.empty()) return saved;
  const Result<void> opened = open_saved_lines(
      path, "a row of bench --save", [&saved](std::string_view line) { return saved.take(line); });
  if (!opened) return fail("bench: --save {}", opened.error().message);
  return saved;
}

bool SavedRows::take(std::string_view line) {
  Result<JsonFields> json = JsonFields::parse(line);
  if (!json) return false;
  std::string asked;
  BenchTimes times;
  read_fields(*json, row_fields(asked, times), Reals::or_null);
  if (json->check()) rows_[asked] = std::move(times);
  return json->check().has_value();
}

const BenchTimes* SavedRows::find(const std::string& asked) const {
  const auto found = rows_.find(asked);
  return found == rows_.end() ? nullptr : &found->second;
}

Result<void> SavedRows::add(const std::string& asked, const BenchTimes& times) {
  if (path_.empty() || times.ours.status != Status::ok) return {};
  JsonWriter row;
  write_fields(row, row_fields(asked, times), Reals::or_null);
  TRY(add_saved_line(path_, std::move(row).finish()));
  rows_[asked] = times;
  return {};
}

}  // namespace dovetail
