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
//   fields.rest();                                // {"colour": "\"red\""}: what nobody asked for
//
// Why not the JSON library's own types: keys come out in the order written, a number prints in its
// shortest form that reads back as the same number, fields that this version does not know are
// handed on untouched, and no header of ours drags a JSON parser into those who include it.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace dovetail {

// Fields kept for whoever understands them: name -> value, as JSON text.
using UnknownFields = std::map<std::string, std::string>;

// Values as JSON text. Bytes that are not UTF-8 become U+FFFD; numbers that JSON lacks become
// "nan", "inf", "-inf" (in quotes), which JsonFields::real reads back.
std::string json_text(std::string_view value);
std::string json_real(double value);
// The same JSON on one line; text that is none becomes a JSON string.
std::string json_on_one_line(std::string_view json);

class JsonWriter {
 public:
  void text(std::string_view name, std::string_view value);
  void integer(std::string_view name, int64_t value);
  void natural(std::string_view name, uint64_t value);
  void real(std::string_view name, double value);
  void real_or_null(std::string_view name, const std::optional<double>& value);
  void boolean(std::string_view name, bool value);
  void reals(std::string_view name, std::span<const double> values);
  void texts(std::string_view name, std::span<const std::string> values);
  void raw(std::string_view name, std::string_view json);  // a value that is JSON already
  void raws(std::string_view name, std::span<const std::string> items);  // a list of such
  void unknown(const UnknownFields& fields);
  std::string finish() &&;

 private:
  std::string text_ = "{";
};

enum class JsonKind { absent, boolean, integer, real, text, list, object, null };

class JsonFields {
 public:
  // The error says what was found instead of an object.
  static Result<JsonFields> parse(std::string_view text);

  JsonFields(JsonFields&&) noexcept;
  JsonFields& operator=(JsonFields&&) noexcept;
  ~JsonFields();

  bool has(std::string_view name) const;
  JsonKind kind(std::string_view name) const;
  std::vector<std::string> names() const;  // in the order of the text
  // A value as it stands, as JSON text; marks it as known. Empty when absent.
  std::string raw(std::string_view name);

  // Required fields; after a mistake these give empty values and check() tells the first mistake.
  std::string text(std::string_view name);
  int64_t integer(std::string_view name, int64_t least);
  uint64_t natural(std::string_view name);
  double real(std::string_view name);
  bool boolean(std::string_view name);
  std::vector<double> reals(std::string_view name);
  std::vector<std::string> texts(std::string_view name);
  JsonFields object(std::string_view name);  // mistakes inside it are this object's, too

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
