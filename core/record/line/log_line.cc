// SPDX-License-Identifier: Apache-2.0
#include "core/record/line/log_line.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "core/base/check.h"
#include "core/base/fail.h"

namespace dovetail {
namespace {

constexpr std::string_view kBeforeDigits = ",\"crc\":\"";
constexpr std::string_view kAfterDigits = "\"}";
constexpr size_t kNumDigits = 8;
constexpr size_t kSealLength = kBeforeDigits.size() + kNumDigits + kAfterDigits.size();

bool is_lower_hex(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); }

}  // namespace

uint32_t crc32(std::string_view bytes) {
  const auto* const first = reinterpret_cast<const Bytef*>(bytes.data());
  return static_cast<uint32_t>(::crc32_z(0, first, bytes.size()));
}

std::string seal_line(std::string_view object) {
  CHECK(object.size() > 2 && object.front() == '{' && object.back() == '}',
        "a log line is a JSON object with fields");
  const std::string_view checked = object.substr(0, object.size() - 1);
  return fmt::format("{}{}{:08x}{}", checked, kBeforeDigits, crc32(checked), kAfterDigits);
}

Result<std::string> open_line(std::string_view line) {
  if (line.empty() || line.front() != '{') return fail("not a JSON object");
  if (line.size() <= kSealLength) return fail("no checksum: the line does not end with \"crc\"");
  const std::string_view checked = line.substr(0, line.size() - kSealLength);
  const std::string_view seal = line.substr(checked.size());
  const std::string_view digits = seal.substr(kBeforeDigits.size(), kNumDigits);
  if (!seal.starts_with(kBeforeDigits) || !seal.ends_with(kAfterDigits) ||
      !std::all_of(digits.begin(), digits.end(), is_lower_hex)) {
    return fail("no checksum: the line does not end with \"crc\"");
  }
  const std::string expected = fmt::format("{:08x}", crc32(checked));
  if (digits != expected) return fail("checksum is {}, the line's bytes give {}", digits, expected);
  return std::string(checked) + "}";
}

namespace {

using Json = nlohmann::ordered_json;

// Renames the field `before` and sets its value, keeping the order of fields.
Json with_field(const Json& object, const std::string& before, const std::string& name,
                const std::string& value) {
  Json changed = Json::object();
  for (const auto& [key, held] : object.items())
    if (key == before)
      changed[name] = value;
    else
      changed[key] = held;
  return changed;
}

// Schema 1 had `"cold":true` in records and header options, and no field for hot caches, the only
// other state.
std::string name_caches(std::string text) {
  if (text.find(R"("cold":true)") == std::string::npos) return text;
  Json object = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!object.is_object()) return text;  // its reader reports the error
  const auto is_cold = [](const Json& fields) {
    return fields.contains("cold") && fields["cold"] == true;
  };
  if (object.contains("options") && is_cold(object["options"]))
    object["options"] = with_field(object["options"], "cold", "cache", "cold");
  else if (is_cold(object))
    object = with_field(object, "cold", "caches", "cold");
  return object.dump(-1, ' ', false, Json::error_handler_t::replace);
}

struct Migration {
  int schema;                        // the input's; the output has the next entry's
  std::string (*step)(std::string);  // maps a line's object
};

constexpr std::array kMigrations = {
    Migration{.schema = 1, .step = name_caches},
    Migration{.schema = 2, .step = [](std::string object) { return object; }},
};
static_assert(kMigrations.back().schema == kSchema,
              "the last entry is this version's, the identity");

}  // namespace

Result<std::string> migrate(std::string object, int schema) {
  if (schema > kSchema) {
    return fail(
        "schema {} is newer than this program's {}; use the version of dovetail that wrote it",
        schema, kSchema);
  }
  if (schema < kMigrations.front().schema) {
    return fail("schema {} does not exist; expected {} to {}", schema, kMigrations.front().schema,
                kSchema);
  }
  for (const Migration& migration : kMigrations)
    if (migration.schema >= schema) object = migration.step(std::move(object));
  return object;
}

}  // namespace dovetail
