// SPDX-License-Identifier: Apache-2.0
#pragma once

// JsonWriter and JsonFields: one JSON object of a log, written and read field by field.
//
//   JsonWriter writer;
//   writer.integer("trial", 17);
//   writer.text("status", "ok");
//   writer.finish();                              // {"trial":17,"status":"ok"}
//
//   JsonFields fields = TRY(JsonFields::parse(R"({"trial":17,"status":"ok","colour":"red"})"));
//   fields.integer("trial");                      // 17
//   fields.text("status");                        // "ok"
//   TRY(fields.check());                          // the first field that was missing or wrong
//   fields.rest();                                // {"colour": "\"red\""}: the unread fields
//
// Why not the JSON library's own types: keys are written in order, a number prints in its shortest
// form that reads back as the same number, unknown fields are passed through unchanged, and headers
// of this project do not include a JSON parser.

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace dovetail {

// Fields that this version does not know, kept on rewriting: name -> value, as JSON text.
using UnknownFields = std::map<std::string, std::string>;

// How real numbers are written, and what is accepted on reading besides numbers.
enum class Reals {
  quoted,     // NaN and infinities are "nan", "inf" and "-inf", in quotes; they read back
  finite,     // NaN and infinities are written as null, which is refused on reading
  or_null,    // NaN and infinities are written as null, which reads as NaN
  six_digits  // as or_null, rounded: files are a third as large
};

// Values as JSON text. Bytes that are not UTF-8 become U+FFFD.
std::string json_text(std::string_view value);
std::string json_real(double value, Reals reals = Reals::quoted);
// The same JSON on one line; text that is not JSON becomes a JSON string.
std::string json_on_one_line(std::string_view json);

class JsonWriter {
 public:
  void text(std::string_view name, std::string_view value) { raw(name, json_text(value)); }
  void integer(std::string_view name, int64_t value) { raw(name, std::to_string(value)); }
  void real(std::string_view name, double value) { raw(name, json_real(value)); }
  void boolean(std::string_view name, bool value) { raw(name, value ? "true" : "false"); }
  void raw(std::string_view name, std::string_view json);  // a value that is already JSON
  void raws(std::string_view name, std::span<const std::string> items);  // a list of JSON values
  void unknown(const UnknownFields& fields);
  std::string finish() &&;

 private:
  std::string text_ = "{";
};

std::string list_name(size_t position);  // "[0]" for the first item

enum class JsonKind { absent, boolean, integer, real, text, list, object, null };

class JsonFields {
 public:
  // The error names what was found instead of an object.
  static Result<JsonFields> parse(std::string_view text);

  JsonFields(JsonFields&&) noexcept;
  JsonFields& operator=(JsonFields&&) noexcept;
  ~JsonFields();

  bool has(std::string_view name) const;
  JsonKind kind(std::string_view name) const;
  std::vector<std::string> names() const;  // in the order of the text
  // The unparsed JSON text of a value, empty when absent; marks the field as known.
  std::string raw(std::string_view name);

  // Required fields. After a mistake these return placeholders (empty, 0, `least`), and check()
  // reports the first mistake.
  std::string text(std::string_view name);
  int64_t integer(std::string_view name, int64_t least);  // least = INT64_MIN: any integer
  uint64_t natural(std::string_view name);
  double real(std::string_view name, Reals reals = Reals::quoted);
  bool boolean(std::string_view name);
  std::vector<double> reals(std::string_view name);
  std::vector<std::string> texts(std::string_view name);
  // Mistakes inside a nested object or list are reported by this object. A list's items are named
  // as by list_name.
  JsonFields object(std::string_view name);
  JsonFields list(std::string_view name);
  bool is_null(std::string_view name);  // marks the field as known

  // Checks of a number that was read.
  void check_within(std::string_view name, double value, double least, double most);
  void check_seconds(std::string_view name, double value);

  // Records a mistake found by the caller: "field NAME: PROBLEM".
  void mistake(std::string_view name, std::string_view problem);
  Result<void> check() const;
  UnknownFields rest() const;

 private:
  struct State;
  explicit JsonFields(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace dovetail
