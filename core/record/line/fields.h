// SPDX-License-Identifier: Apache-2.0
#pragma once

// The fields of a struct, listed once: writing it as a JSON object and reading it back walk the
// same list, so that they cannot disagree.
//
//   struct Move { int64_t step = 1; std::string axis; };
//   auto fields_of(Of<Move> auto& move) {
//     return std::tuple(Field{"step", move.step, AtLeast{1}}, Field{"axis", move.axis});
//   }
//   json_of(Move{2, "h"})                          // {"step":2,"axis":"h"}
//
//   JsonFields json = TRY(JsonFields::parse(R"({"step":0,"axis":"h"})"));
//   read_fields(json, fields_of(move));
//   TRY(json.check());                             // field step: found 0, expected an integer of 1
//                                                  // or more
//
// A value is a number, a bool, a string, what prints and parses (an enumeration by its names, a
// trace: print, parse_word), an optional (none is null), a list, a map by name, or a struct with
// fields of its own. A tuple of references without names (std::tie) is a list of fixed length. The
// fields_of of a nested struct is found by argument-dependent lookup, so it must be in the struct's
// namespace and not in an unnamed one.
//
// Fields that are only written may be computed: a field holds a temporary, and refers to a
// variable, which must outlive it. A tuple of fields is a value as well: an object without struct.
//
//   json_of(std::tuple(Field{"step", move.step}, Field{"half", 0.5 * move.step}))
//
// Why references and not pointers to members: a list may include the fields of a nested struct
// (std::tuple_cat), as a request with a rule does. Why not the macros of the JSON library: they
// throw, and their errors contain no path.

#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "core/record/line/json_fields.h"
#include "core/record/line/measure_result.h"

namespace dovetail {

// Lets one fields_of serve both reading and writing.
template <typename Type, typename Struct>
concept Of = std::same_as<std::remove_const_t<Type>, Struct>;

// Rules constrain a value beyond its type when it is read, or say how a table shows it
// (report/tables/row_table.h).
struct AnyValue {};
struct AtLeast {  // an integer
  int64_t least = 0;
};
struct Within {  // a number
  double least = 0, most = 0;
};
struct Seconds {};  // a number, finite and not below 0

enum class Presence {
  required,
  may_lack,      // always written; a text without it leaves the default
  unless_empty,  // as may_lack, and not written where empty
  not_written,   // a column of tables alone; or none at all, where the field does not apply
};

// `Value` is a reference to a variable, or the type of a temporary, which is held.
template <typename Value, typename Rule = AnyValue>
struct Field {
  const char* name;
  Value value;
  Rule rule = {};
  Presence presence = Presence::required;
};
template <typename Value>
Field(const char*, Value&&) -> Field<Value>;
template <typename Value, typename Rule>
Field(const char*, Value&&, Rule) -> Field<Value, Rule>;
template <typename Value, typename Rule>
Field(const char*, Value&&, Rule, Presence) -> Field<Value, Rule>;

template <typename Value>
auto unless_empty(const char* name, Value&& value) {
  return Field{name, std::forward<Value>(value), AnyValue{}, Presence::unless_empty};
}
// A text that is null where it is empty.
inline std::optional<std::string> or_null(const std::string& text) {
  return text.empty() ? std::nullopt : std::optional(text);
}

template <typename... Values, typename... Rules>
void write_fields(JsonWriter& writer, const std::tuple<Field<Values, Rules>...>& fields,
                  Reals reals = Reals::quoted);
template <typename... Values, typename... Rules>
void read_fields(JsonFields& json, const std::tuple<Field<Values, Rules>...>& fields,
                 Reals reals = Reals::quoted);

namespace fields {

template <typename Type>
concept Optional = requires(const Type& value) { value.has_value(); };
template <typename Type>
concept Map = requires { typename Type::mapped_type; };
// A map, or a list of pairs where the order of the names matters.
template <typename Type>
concept NamedItems = Map<Type> || requires(const Type& items) {
  requires std::convertible_to<decltype(items.begin()->first), std::string_view>;
};
template <typename Type>
concept Printed = requires(std::string_view text, const Type& value) {
  print(value);
  parse_word(text, std::type_identity<Type>{});
};
template <typename Type>
concept Named =
    requires(Type& value) { write_fields(std::declval<JsonWriter&>(), fields_of(value)); };
template <typename Type>
inline constexpr bool kIsTupleOfFields = false;
template <typename... Values, typename... Rules>
inline constexpr bool kIsTupleOfFields<std::tuple<Field<Values, Rules>...>> = true;

// Empty: false, no text, no value, and an enumeration's first value. The number 0 is not empty.
template <typename Value>
bool is_empty(const Value& value) {
  if constexpr (std::same_as<Value, bool>) return !value;
  if constexpr (Optional<Value>) return !value.has_value();
  if constexpr (requires { value.empty(); }) return value.empty();
  if constexpr (std::is_enum_v<Value>) return value == Value{};
  return false;
}

}  // namespace fields

// The value as JSON text.
template <typename Value>
std::string json_of(const Value& value, Reals reals = Reals::quoted) {
  std::string list;
  const auto add = [&](const auto& item) {
    list += (list.empty() ? "" : ",") + json_of(item, reals);
  };
  if constexpr (std::same_as<Value, bool>) {
    return value ? "true" : "false";
  } else if constexpr (std::integral<Value>) {
    return std::to_string(value);
  } else if constexpr (std::floating_point<Value>) {
    return json_real(value, reals);
  } else if constexpr (fields::Printed<Value>) {
    return json_text(print(value));
  } else if constexpr (std::convertible_to<Value, std::string_view>) {
    return json_text(value);
  } else if constexpr (fields::Optional<Value>) {
    return value ? json_of(*value, reals) : "null";
  } else if constexpr (fields::NamedItems<Value>) {
    JsonWriter writer;
    for (const auto& [name, item] : value)
      if constexpr (fields::Printed<std::remove_cvref_t<decltype(name)>>)
        writer.raw(print(name), json_of(item, reals));
      else
        writer.raw(name, json_of(item, reals));
    return std::move(writer).finish();
  } else if constexpr (std::ranges::range<Value>) {
    for (const auto& item : value) add(item);
    return "[" + list + "]";
  } else if constexpr (fields::kIsTupleOfFields<Value>) {
    JsonWriter writer;
    write_fields(writer, value, reals);
    return std::move(writer).finish();
  } else if constexpr (fields::Named<const Value>) {
    return json_of(fields_of(value), reals);
  } else {
    std::apply([&](const auto&... items) { (add(items), ...); }, fields_of(value));
    return "[" + list + "]";
  }
}

// Reads the value of a field of `json`; json.check() reports mistakes.
template <typename Value, typename Rule = AnyValue>
void read_value(JsonFields& json, std::string_view name, Value& value, Reals reals,
                const Rule& rule = {});

namespace fields {

template <typename Integer, typename Rule>
void read_integer(JsonFields& json, std::string_view name, Integer& value, const Rule& rule) {
  if constexpr (std::unsigned_integral<Integer>) {
    value = json.natural(name);
  } else {
    int64_t least = std::numeric_limits<int64_t>::min();
    if constexpr (std::same_as<Rule, AtLeast>) least = rule.least;
    const int64_t number = json.integer(name, least);
    if (!std::in_range<Integer>(number)) json.mistake(name, "found an integer out of range");
    value = static_cast<Integer>(number);
  }
}

template <typename Rule>
void read_real(JsonFields& json, std::string_view name, double& value, Reals reals,
               const Rule& rule) {
  value = json.real(name, reals);
  if constexpr (std::same_as<Rule, Within>) json.check_within(name, value, rule.least, rule.most);
  if constexpr (std::same_as<Rule, Seconds>) json.check_seconds(name, value);
}

template <typename Value>
void read_struct(JsonFields& json, std::string_view name, Value& value, Reals reals) {
  if constexpr (Named<Value>) {
    JsonFields inner = json.object(name);
    read_fields(inner, fields_of(value), reals);
  } else {
    JsonFields list = json.list(name);
    size_t position = 0;
    const auto read = [&](auto& item) { read_value(list, list_name(position++), item, reals); };
    std::apply([&](auto&... items) { (read(items), ...); }, fields_of(value));
    if (list.names().size() > position) list.mistake(list_name(position), "expected no more");
  }
}

}  // namespace fields

template <typename Value, typename Rule>
void read_value(JsonFields& json, std::string_view name, Value& value, Reals reals,
                const Rule& rule) {
  if constexpr (std::same_as<Value, bool>) {
    value = json.boolean(name);
  } else if constexpr (std::integral<Value>) {
    fields::read_integer(json, name, value, rule);
  } else if constexpr (std::floating_point<Value>) {
    fields::read_real(json, name, value, reals, rule);
  } else if constexpr (fields::Printed<Value>) {
    Result<Value> word = parse_word(json.text(name), std::type_identity<Value>{});
    if (word)
      value = *std::move(word);
    else
      json.mistake(name, word.error().message);
  } else if constexpr (std::same_as<Value, std::string>) {
    value = json.text(name);
  } else if constexpr (fields::Optional<Value>) {
    value.reset();
    if (!json.is_null(name)) read_value(json, name, value.emplace(), reals, rule);
  } else if constexpr (fields::Map<Value>) {
    JsonFields inner = json.object(name);
    value.clear();
    for (const std::string& key : inner.names()) read_value(inner, key, value[key], reals);
  } else if constexpr (std::ranges::range<Value>) {
    JsonFields list = json.list(name);
    value.clear();
    for (const std::string& item : list.names())
      read_value(list, item, value.emplace_back(), reals, rule);
  } else {
    fields::read_struct(json, name, value, reals);
  }
}

template <typename... Values, typename... Rules>
void write_fields(JsonWriter& writer, const std::tuple<Field<Values, Rules>...>& fields,
                  Reals reals) {
  const auto write = [&](const auto& field) {
    if (field.presence == Presence::not_written) return;
    if (field.presence == Presence::unless_empty && fields::is_empty(field.value)) return;
    writer.raw(field.name, json_of(field.value, reals));
  };
  std::apply([&](const auto&... each) { (write(each), ...); }, fields);
}

template <typename... Values, typename... Rules>
void read_fields(JsonFields& json, const std::tuple<Field<Values, Rules>...>& fields, Reals reals) {
  const auto read = [&](const auto& field) {
    const bool optional = field.presence != Presence::required;
    if (optional && !json.has(field.name)) return;
    if constexpr (fields::Optional<std::remove_cvref_t<decltype(field.value)>>) {
      // Null is refused here: an absent field and a null would be two spellings of one value.
      if (optional) return read_value(json, field.name, field.value.emplace(), reals, field.rule);
    }
    read_value(json, field.name, field.value, reals, field.rule);
  };
  std::apply([&](const auto&... each) { (read(each), ...); }, fields);
}

}  // namespace dovetail
