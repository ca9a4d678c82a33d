// SPDX-License-Identifier: Apache-2.0
#include "campaign/bench/bench_save.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/base/files.h"
#include "core/base/text.h"

namespace dovetail {
namespace {

using Json = nlohmann::ordered_json;
using Seconds = std::optional<double>;

Json json_of(const Seconds& seconds) { return seconds ? Json(*seconds) : Json(); }
Seconds seconds_of(const Json& json) {
  return json.is_null() ? std::nullopt : Seconds(json.get<double>());
}

Json json_of(const MeasureResult& result) {
  return {{"status", std::string(print(result.status))},
          {"reason", result.reason},
          {"seconds", result.seconds},
          {"max_abs_error", result.max_abs_error},
          {"max_rel_error", result.max_rel_error}};
}

// A number that JSON lacks was written as null: errors of a kernel that failed.
double number_or_zero(const Json& json) { return json.is_null() ? 0 : json.get<double>(); }

MeasureResult result_of(const Json& json) {
  MeasureResult result;
  const auto status = parse_status(json.at("status").get<std::string>());
  result.status = status ? *status : Status::worker_lost;
  result.reason = json.at("reason").get<std::string>();
  result.seconds = json.at("seconds").get<double>();
  result.max_abs_error = number_or_zero(json.at("max_abs_error"));
  result.max_rel_error = number_or_zero(json.at("max_rel_error"));
  return result;
}

using Chosen = std::optional<ChosenImplementation>;

Json json_of(const Chosen& chosen) {
  if (!chosen) return Json();
  return {{"name", chosen->name}, {"algorithm", chosen->algorithm}};
}

Chosen chosen_of(const Json& json) {
  if (json.is_null()) return std::nullopt;
  ChosenImplementation chosen;
  chosen.name = json.at("name").get<std::string>();
  chosen.algorithm = json.at("algorithm").get<std::string>();
  return chosen;
}

Json json_of(const PeerTimes& peer) {
  return {{"version", peer.version},
          {"reason", peer.reason},
          {"free", json_of(peer.free)},
          {"plain", json_of(peer.plain)},
          {"direct", json_of(peer.direct)},
          {"chosen_free", json_of(peer.choice.free)},
          {"chosen_plain", json_of(peer.choice.plain)},
          {"chosen_direct", json_of(peer.choice.direct)},
          {"rejected", peer.choice.rejected},
          {"max_rel_error", peer.choice.max_rel_error}};
}

PeerTimes peer_of(const Json& json) {
  PeerTimes peer;
  peer.version = json.at("version").get<std::string>();
  peer.reason = json.at("reason").get<std::string>();
  peer.free = seconds_of(json.at("free"));
  peer.plain = seconds_of(json.at("plain"));
  peer.direct = seconds_of(json.at("direct"));
  peer.choice.free = chosen_of(json.at("chosen_free"));
  peer.choice.plain = chosen_of(json.at("chosen_plain"));
  peer.choice.direct = chosen_of(json.at("chosen_direct"));
  peer.choice.rejected = json.at("rejected").get<std::vector<std::string>>();
  peer.choice.max_rel_error = number_or_zero(json.at("max_rel_error"));
  return peer;
}

Json json_of(const BenchTimes& times) {
  Json peers = Json::object(), beside = Json::object();
  for (const auto& [name, peer] : times.peers) peers[name] = json_of(peer);
  for (const auto& [name, result] : times.beside) beside[name] = json_of(result);
  return {{"ours", json_of(times.ours)},     {"plain", json_of(times.plain)},
          {"direct", json_of(times.direct)}, {"plain_reason", times.plain_reason},
          {"peers", std::move(peers)},       {"beside", std::move(beside)}};
}

BenchTimes times_of(const Json& json) {
  BenchTimes times;
  times.ours = result_of(json.at("ours"));
  times.plain = seconds_of(json.at("plain"));
  times.direct = seconds_of(json.at("direct"));
  times.plain_reason = json.at("plain_reason").get<std::string>();
  for (const auto& [name, peer] : json.at("peers").items()) times.peers[name] = peer_of(peer);
  for (const auto& [name, result] : json.at("beside").items()) {
    times.beside[name] = result_of(result);
  }
  return times;
}

std::string dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// What a killed program left of a line goes, so that the next line begins where one should.
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

std::string print(const BenchTimes& times) { return dump(json_of(times)); }

Result<BenchTimes> parse_bench_times(const std::string& text) {
  try {
    return times_of(Json::parse(text));
  } catch (const Json::exception& error) {
    return fail(fmt::format("not the times of a row: {}", error.what()));
  }
}

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
    try {
      const Json json = Json::parse(line);
      saved.rows_[json.at("asked").get<std::string>()] = times_of(json.at("times"));
    } catch (const Json::exception&) {
      return fail(fmt::format("{} line {}: not a row of bench --save", path, number));
    }
  }
  std::error_code failed;
  std::filesystem::resize_file(path, text.size(), failed);
  if (failed) return fail(fmt::format("{}: {}", path, failed.message()));
  return saved;
}

const BenchTimes* SavedRows::find(const std::string& asked) const {
  const auto found = rows_.find(asked);
  return found == rows_.end() ? nullptr : &found->second;
}

Result<void> SavedRows::add(const std::string& asked, const BenchTimes& times) {
  if (path_.empty() || times.ours.status != Status::ok) return {};
  std::ofstream file(path_, std::ios::binary | std::ios::app);
  file << dump(Json{{"asked", asked}, {"times", json_of(times)}}) << '\n';
  file.close();
  if (!file) return fail(fmt::format("bench: {} cannot be written", path_));
  rows_[asked] = times;
  return {};
}

}  // namespace dovetail
