// SPDX-License-Identifier: Apache-2.0
// One list of fields a struct, walked by what writes and by what reads.
#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "search/compare/comparison.h"

namespace dovetail {
namespace {

using Json = nlohmann::ordered_json;

template <typename Walk>
void walk(Series& series, Walk& with) {
  with("at", series.at);
  with("middle", series.middle);
  with("low", series.low);
  with("high", series.high);
}

template <typename Walk>
void walk(QualityReached& quality, Walk& with) {
  with("share", quality.share);
  with("runs", quality.runs);
  with("reached", quality.reached);
  with("trials", quality.trials);
  with("seconds", quality.seconds);
}

template <typename Walk>
void walk(ComparedSpace& space, Walk& with) {
  with("name", space.name);
  with("spec", space.spec);
  with("target", space.target);
  with("source", space.source);
  with("tool", space.tool);
  with("points", space.points);
  with("valid", space.valid);
  with("optimum_seconds", space.optimum_seconds);
  with("median_seconds", space.median_seconds);
  with("trials", space.trials);
  with("first_seconds", space.first_seconds);
  with("last_seconds", space.last_seconds);
}

template <typename Walk>
void walk(StrategyOnSpace& of, Walk& with) {
  with("space", of.space);
  with("score", of.score);
  with("score_low", of.score_low);
  with("score_high", of.score_high);
  with("run_scores", of.run_scores);
  with("best_seconds", of.best_seconds);
  with("trials", of.trials);
  with("rejected", of.rejected);
  with("search_seconds", of.search_seconds);
  with("model_seconds", of.model_seconds);
  with("over_trials", of.over_trials);
  with("over_seconds", of.over_seconds);
  with("score_curve", of.score_curve);
  with("quality", of.quality);
}

template <typename Walk>
void walk(ComparedStrategy& of, Walk& with) {
  with("name", of.name);
  with("score", of.score);
  with("score_low", of.score_low);
  with("score_high", of.score_high);
  with("trials_to_95", of.trials_to_95);
  with("geomean_best", of.geomean_best);
  with("strategy", of.strategy);
  with("cost_model", of.cost_model);
  with("variant", of.variant);
  with("score_deviation", of.score_deviation);
  with("trials_to_95_is_lower_bound", of.trials_to_95_is_lower_bound);
  with("seconds_to_95", of.seconds_to_95);
  with("seconds_to_95_is_lower_bound", of.seconds_to_95_is_lower_bound);
  with("wins", of.wins);
  with("ties", of.ties);
  with("losses", of.losses);
  with("quality", of.quality);
  with("score_curve", of.score_curve);
  with("spaces", of.spaces);
}

template <typename Walk>
void walk(PairTest& pair, Walk& with) {
  with("a", pair.a);
  with("b", pair.b);
  with("n", pair.n);
  with("mean_difference", pair.mean_difference);
  with("p", pair.p);
  with("p_holm", pair.p_holm);
  with("exact", pair.exact);
  with("wins", pair.wins);
  with("ties", pair.ties);
  with("losses", pair.losses);
  with("p_of_spaces", pair.p_of_spaces);
}

template <typename Walk>
void walk(RankTest& ranks, Walk& with) {
  with("statistic", ranks.statistic);
  with("p", ranks.p);
  with("critical_difference", ranks.critical_difference);
  with("average_ranks", ranks.average_ranks);
  with("groups", ranks.groups);
}

template <typename Walk>
void walk(Comparison& all, Walk& with) {
  with("version", all.version);
  with("kind", all.kind);
  with("score_is", all.score_is);
  with("tool", all.tool);
  with("target", all.target);
  with("seeds", all.seeds);
  with("budget_share", all.budget_share);
  with("default_first", all.default_first);
  with("cutoff_start", all.cutoff_start);
  with("cutoff_end", all.cutoff_end);
  with("resolution", all.resolution);
  with("resamples", all.resamples);
  with("confidence", all.confidence);
  with("again", all.again);
  with("warm_start", all.warm_start);
  with("spaces", all.spaces);
  with("strategies", all.strategies);
  with("pairs", all.pairs);
  with("ranks", all.ranks);
}

struct Writer {
  Json json = Json::object();
  template <typename Value>
  void operator()(const char* name, Value& value) {
    json[name] = of(value);
  }
  static Json of(std::string& value) { return value; }
  static Json of(bool value) { return value; }
  static Json of(int64_t value) { return value; }
  static Json of(uint64_t value) { return value; }
  // Six digits: bands are no surer than that, and files are a third as large.
  static Json of(double value) {
    return std::isfinite(value) ? Json(std::stod(fmt::format("{:.6g}", value))) : Json();
  }
  template <typename Value>
  static Json of(std::optional<Value>& value) {
    return value ? of(*value) : Json();
  }
  template <typename Value>
  static Json of(std::vector<Value>& values) {
    Json list = Json::array();
    for (auto& value : values) list.push_back(of(value));
    return list;
  }
  template <typename Struct>
  static Json of(Struct& value) {
    Writer inner;
    walk(value, inner);
    return std::move(inner.json);
  }
};

// Remembers the first mistake.
struct Reader {
  const Json& json;
  std::string& mistake;
  std::string where;

  template <typename Value>
  void operator()(const char* name, Value& value) {
    if (!mistake.empty()) return;
    const auto found = json.find(name);
    const std::string path = where.empty() ? name : where + "." + name;
    if (found == json.end()) {
      mistake = "field " + path + " is missing";
    } else {
      read(*found, path, value);
    }
  }
  void wrong(const std::string& path, const char* expected) {
    if (mistake.empty()) mistake = fmt::format("field {}: expected {}", path, expected);
  }
  void read(const Json& from, const std::string& path, std::string& value) {
    if (!from.is_string()) return wrong(path, "a string");
    value = from.get<std::string>();
  }
  void read(const Json& from, const std::string& path, bool& value) {
    if (!from.is_boolean()) return wrong(path, "true or false");
    value = from.get<bool>();
  }
  void read(const Json& from, const std::string& path, int64_t& value) {
    if (!from.is_number_integer()) return wrong(path, "a whole number");
    value = from.get<int64_t>();
  }
  void read(const Json& from, const std::string& path, uint64_t& value) {
    if (!from.is_number_unsigned()) return wrong(path, "a whole number from 0");
    value = from.get<uint64_t>();
  }
  void read(const Json& from, const std::string& path, double& value) {
    if (!from.is_number() && !from.is_null()) return wrong(path, "a number or null");
    value = from.is_null() ? std::numeric_limits<double>::quiet_NaN() : from.get<double>();
  }
  template <typename Value>
  void read(const Json& from, const std::string& path, std::optional<Value>& value) {
    value.reset();
    if (!from.is_null()) read(from, path, value.emplace());
  }
  template <typename Value>
  void read(const Json& from, const std::string& path, std::vector<Value>& values) {
    if (!from.is_array()) return wrong(path, "a list");
    values.clear();
    for (const Json& item : from) {
      Value value{};
      read(item, fmt::format("{}[{}]", path, values.size()), value);
      values.push_back(std::move(value));
    }
  }
  template <typename Struct>
  void read(const Json& from, const std::string& path, Struct& value) {
    if (!from.is_object()) return wrong(path, "an object");
    Reader inner{.json = from, .mistake = mistake, .where = path};
    walk(value, inner);
  }
};

}  // namespace

std::string print_json(const Comparison& comparison) {
  Comparison copy = comparison;
  return Writer::of(copy).dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Result<Comparison> parse_comparison(std::string_view text) {
  const Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (json.is_discarded() || !json.is_object())
    return fail("not a JSON object, expected what compare writes");
  Comparison comparison;
  std::string mistake;
  Reader reader{.json = json, .mistake = mistake, .where = {}};
  reader("version", comparison.version);
  if (mistake.empty() && comparison.version != Comparison().version) {
    mistake = fmt::format("version {}, expected {}", comparison.version, Comparison().version);
  }
  walk(comparison, reader);
  if (!mistake.empty()) return fail(mistake);
  return comparison;
}

}  // namespace dovetail
