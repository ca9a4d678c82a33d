// SPDX-License-Identifier: Apache-2.0
#include "core/record/line/json_fields.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "core/base/fail.h"
#include "core/base/text.h"

namespace dovetail {
namespace {

using Json = nlohmann::ordered_json;

std::string dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// A value in an error message, truncated when long.
std::string excerpt(const Json& json) {
  constexpr size_t kLongest = 40;
  std::string text = dump(json);
  if (text.size() > kLongest) text = text.substr(0, kLongest) + "...";
  return text;
}

// Printing and comparing nested JSON recurses: a line of a million brackets must not overflow the
// stack.
bool nests_too_deep(std::string_view text) {
  constexpr int kDeepest = 100;
  int depth = 0;
  bool in_string = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') ++i;
      if (c == '"') in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '[' || c == '{') {
      if (++depth > kDeepest) return true;
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
  return false;
}

}  // namespace

std::string json_text(std::string_view value) { return dump(Json(std::string(value))); }

std::string json_real(double value, Reals reals) {
  if (reals != Reals::quoted) {
    if (std::isfinite(value) && reals == Reals::six_digits)
      value = std::stod(fmt::format("{:.6g}", value));
    return dump(Json(value));
  }
  if (std::isnan(value)) return "\"nan\"";
  if (std::isinf(value)) return value > 0 ? "\"inf\"" : "\"-inf\"";
  char buffer[32];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
  std::string text(buffer, end);
  // A real stays a real: 2 would read back as an integer.
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

std::string list_name(size_t position) { return fmt::format("[{}]", position); }

std::string json_on_one_line(std::string_view json) {
  if (nests_too_deep(json)) return json_text(json);
  const Json parsed = Json::parse(json, nullptr, /*allow_exceptions=*/false);
  return parsed.is_discarded() ? json_text(json) : dump(parsed);
}

void JsonWriter::raw(std::string_view name, std::string_view json) {
  if (text_.size() > 1) text_ += ',';
  text_ += json_text(name);
  text_ += ':';
  text_ += json;
}

void JsonWriter::raws(std::string_view name, std::span<const std::string> items) {
  raw(name, fmt::format("[{}]", fmt::join(items, ",")));
}

void JsonWriter::unknown(const UnknownFields& fields) {
  for (const auto& [name, json] : fields) raw(name, json);
}

std::string JsonWriter::finish() && { return std::move(text_) + "}"; }

struct JsonFields::State {
  std::shared_ptr<const Json> whole;  // the parsed text; keeps `json` alive
  const Json* json = nullptr;         // an object or a list inside `whole`
  std::set<std::string, std::less<>> asked;
  std::string prefix;  // prepended to names in messages: "times." inside field times
  std::shared_ptr<std::string> mistake;  // shared with nested objects

  const Json* find(std::string_view name);
  // The state of a nested value; `none` stands in for a missing one.
  std::unique_ptr<State> inside(std::string_view name, const Json* value, const Json& none);
  // The value of a required field, if `fits` holds for it, else null.
  template <typename Fits>
  const Json* require(std::string_view name, const char* expected, Fits fits);
  // The same as a C++ value, default-constructed where missing.
  template <typename Value, typename Fits>
  Value take(std::string_view name, const char* expected, Fits fits) {
    const Json* value = require(name, expected, fits);
    return value == nullptr ? Value() : value->get<Value>();
  }
  // The items of a required list, if `read` returns a value for each.
  template <typename Item, typename Read>
  std::vector<Item> require_list(std::string_view name, const char* expected, Read read);
  void tell(std::string_view name, std::string_view problem) {
    if (mistake->empty()) *mistake = fmt::format("field {}{}: {}", prefix, name, problem);
  }
};

const Json* JsonFields::State::find(std::string_view name) {
  if (json->is_array()) {  // "[3]"
    const auto position = read_number<size_t>(name.substr(1, name.size() - 2));
    return position && *position < json->size() ? &(*json)[*position] : nullptr;
  }
  asked.emplace(name);
  const auto found = json->find(std::string(name));
  return found == json->end() ? nullptr : &*found;
}

template <typename Fits>
const Json* JsonFields::State::require(std::string_view name, const char* expected, Fits fits) {
  const Json* value = find(name);
  if (value == nullptr) {
    tell(name, fmt::format("missing; expected {}", expected));
    return nullptr;
  }
  if (std::invoke(fits, *value)) return value;
  tell(name, fmt::format("found {}, expected {}", excerpt(*value), expected));
  return nullptr;
}

JsonFields::JsonFields(std::unique_ptr<State> state) : state_(std::move(state)) {}
JsonFields::JsonFields(JsonFields&&) noexcept = default;
JsonFields& JsonFields::operator=(JsonFields&&) noexcept = default;
JsonFields::~JsonFields() = default;

Result<JsonFields> JsonFields::parse(std::string_view text) {
  if (nests_too_deep(text)) return fail("JSON nested over 100 levels deep");
  Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (json.is_discarded()) return fail("not a JSON object");
  if (!json.is_object()) return fail("found {}, expected a JSON object", excerpt(json));
  auto state = std::make_unique<State>();
  state->whole = std::make_shared<const Json>(std::move(json));
  state->json = state->whole.get();
  state->mistake = std::make_shared<std::string>();
  return JsonFields(std::move(state));
}

bool JsonFields::has(std::string_view name) const {
  return state_->json->contains(std::string(name));
}

JsonKind JsonFields::kind(std::string_view name) const {
  const auto found = state_->json->find(std::string(name));
  if (found == state_->json->end()) return JsonKind::absent;
  if (found->is_boolean()) return JsonKind::boolean;
  if (found->is_number_integer()) return JsonKind::integer;
  if (found->is_number()) return JsonKind::real;
  if (found->is_string()) return JsonKind::text;
  if (found->is_array()) return JsonKind::list;
  return found->is_object() ? JsonKind::object : JsonKind::null;
}

std::vector<std::string> JsonFields::names() const {
  std::vector<std::string> names;
  if (state_->json->is_array()) {
    for (size_t i = 0; i < state_->json->size(); ++i) names.push_back(list_name(i));
    return names;
  }
  for (const auto& [name, value] : state_->json->items()) names.push_back(name);
  return names;
}

std::string JsonFields::raw(std::string_view name) {
  const Json* value = state_->find(name);
  return value == nullptr ? "" : dump(*value);
}

std::string JsonFields::text(std::string_view name) {
  return state_->take<std::string>(name, "a string", &Json::is_string);
}

int64_t JsonFields::integer(std::string_view name, int64_t least) {
  const bool any = least == std::numeric_limits<int64_t>::min();
  const std::string expected = any ? "an integer" : fmt::format("an integer of {} or more", least);
  const Json* value = state_->require(name, expected.c_str(), [least](const Json& json) {
    if (json.is_number_unsigned()) {
      const uint64_t number = json.get<uint64_t>();
      return number <= uint64_t(std::numeric_limits<int64_t>::max()) && int64_t(number) >= least;
    }
    return json.is_number_integer() && json.get<int64_t>() >= least;
  });
  return value == nullptr ? least : value->get<int64_t>();
}

uint64_t JsonFields::natural(std::string_view name) {
  return state_->take<uint64_t>(name, "an integer of 0 or more", &Json::is_number_unsigned);
}

namespace {

std::optional<double> as_real(const Json& json, Reals reals = Reals::quoted) {
  if (json.is_number()) return json.get<double>();
  if (reals == Reals::finite) return std::nullopt;
  if (reals != Reals::quoted)
    return json.is_null() ? std::optional(std::numeric_limits<double>::quiet_NaN()) : std::nullopt;
  if (json == "nan") return std::numeric_limits<double>::quiet_NaN();
  if (json == "inf") return std::numeric_limits<double>::infinity();
  if (json == "-inf") return -std::numeric_limits<double>::infinity();
  return std::nullopt;
}

}  // namespace

double JsonFields::real(std::string_view name, Reals reals) {
  const bool nullable = reals == Reals::or_null || reals == Reals::six_digits;
  const Json* value =
      state_->require(name, nullable ? "a number or null" : "a number",
                      [&](const Json& json) { return as_real(json, reals).has_value(); });
  return value == nullptr ? 0 : *as_real(*value, reals);
}

void JsonFields::check_within(std::string_view name, double value, double least, double most) {
  if (value >= least && value <= most) return;
  mistake(name, fmt::format("found {}, expected a number from {} to {}", value, least, most));
}

void JsonFields::check_seconds(std::string_view name, double value) {
  if (std::isfinite(value) && value >= 0) return;
  mistake(name, "expected seconds, finite and not below 0");
}

bool JsonFields::boolean(std::string_view name) {
  return state_->take<bool>(name, "true or false", &Json::is_boolean);
}

template <typename Item, typename Read>
std::vector<Item> JsonFields::State::require_list(std::string_view name, const char* expected,
                                                  Read read) {
  const Json* value = require(name, expected, [&](const Json& json) {
    return json.is_array() &&
           std::ranges::all_of(json, [&](const Json& item) { return read(item).has_value(); });
  });
  std::vector<Item> items;
  if (value == nullptr) return items;
  for (const Json& item : *value) items.push_back(*read(item));
  return items;
}

std::vector<double> JsonFields::reals(std::string_view name) {
  return state_->require_list<double>(name, "a list of numbers",
                                      [](const Json& item) { return as_real(item); });
}

std::vector<std::string> JsonFields::texts(std::string_view name) {
  return state_->require_list<std::string>(name, "a list of strings", [](const Json& item) {
    return item.is_string() ? std::optional(item.get<std::string>()) : std::nullopt;
  });
}

std::unique_ptr<JsonFields::State> JsonFields::State::inside(std::string_view name,
                                                             const Json* value, const Json& none) {
  auto state = std::make_unique<State>();
  state->whole = whole;
  state->json = value != nullptr ? value : &none;
  state->prefix = prefix + std::string(name);
  state->mistake = mistake;
  return state;
}

JsonFields JsonFields::object(std::string_view name) {
  static const Json kNone = Json::object();
  const Json* value = state_->require(name, "an object", &Json::is_object);
  auto state = state_->inside(name, value, kNone);
  state->prefix += '.';
  return JsonFields(std::move(state));
}

JsonFields JsonFields::list(std::string_view name) {
  static const Json kNone = Json::array();
  const Json* value = state_->require(name, "a list", &Json::is_array);
  return JsonFields(state_->inside(name, value, kNone));
}

bool JsonFields::is_null(std::string_view name) {
  const Json* value = state_->find(name);
  return value != nullptr && value->is_null();
}

void JsonFields::mistake(std::string_view name, std::string_view problem) {
  state_->tell(name, problem);
}

Result<void> JsonFields::check() const {
  if (!state_->mistake->empty()) return fail(*state_->mistake);
  return {};
}

UnknownFields JsonFields::rest() const {
  UnknownFields unknown;
  for (const auto& [name, value] : state_->json->items())
    if (!state_->asked.contains(name)) unknown.emplace(name, dump(value));
  return unknown;
}

}  // namespace dovetail
