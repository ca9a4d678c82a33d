// SPDX-License-Identifier: Apache-2.0
#include "campaign/bench/bench_save.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "core/base/files.h"
#include "core/base/text.h"
#include "core/record/line/fields.h"

namespace dovetail {

// A time without samples and stages: what a row shows.
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
  return std::tuple(
      Field{"version", peer.version}, Field{"reason", peer.reason}, Field{"free", peer.free},
      Field{"plain", peer.plain}, Field{"direct", peer.direct}, Field{"chosen_free", choice.free},
      Field{"chosen_plain", choice.plain}, Field{"chosen_direct", choice.direct},
      Field{"rejected", choice.rejected}, Field{"max_rel_error", choice.max_rel_error});
}

auto fields_of(Of<BenchTimes> auto& times) {
  return std::tuple(Field{"ours", times.ours}, Field{"plain", times.plain},
                    Field{"direct", times.direct}, Field{"plain_reason", times.plain_reason},
                    Field{"peers", times.peers}, Field{"beside", times.beside});
}

namespace {

auto row_fields(auto& asked, Of<BenchTimes> auto& times) {
  return std::tuple(Field{"asked", asked}, Field{"times", times});
}

// Drops what a killed program left of a line, so that the next line begins where one should.
Result<std::string> read_whole_lines(const std::string& path) {
  std::string text = TRY(read_file(path));
  const size_t whole = text.rfind('\n') == std::string::npos ? 0 : text.rfind('\n') + 1;
  if (whole == 0 && !text.empty() && !text.starts_with("{\"asked\":")) {
    return fail(fmt::format("{} line 1: not a row of bench --save", path));
  }
  text.resize(whole);
  return text;
}

}  // namespace

Result<SavedRows> SavedRows::open(const std::string& path) {
  SavedRows saved;
  saved.path_ = path;
  if (path.empty()) return saved;
  if (std::filesystem::exists(path) && !std::filesystem::is_regular_file(path)) {
    return fail(fmt::format("bench: --save {}: expected a plain file", path));
  }
  if (!std::ofstream(path, std::ios::binary | std::ios::app)) {  // before an hour of measuring
    return fail(fmt::format("bench: {} cannot be written: {}", path, std::strerror(errno)));
  }
  const std::string text = TRY(read_whole_lines(path));
  size_t number = 0;
  for (const std::string_view line : split(text, '\n')) {
    ++number;
    if (line.empty()) continue;
    if (!saved.take(line)) {
      return fail(fmt::format("{} line {}: not a row of bench --save", path, number));
    }
  }
  std::error_code failed;
  std::filesystem::resize_file(path, text.size(), failed);
  if (failed) return fail(fmt::format("{}: {}", path, failed.message()));
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
  std::ofstream file(path_, std::ios::binary | std::ios::app);
  JsonWriter row;
  write_fields(row, row_fields(asked, times), Reals::or_null);
  file << std::move(row).finish() << '\n';
  file.close();
  if (!file) return fail(fmt::format("bench: {} cannot be written", path_));
  rows_[asked] = times;
  return {};
}

}  // namespace dovetail
