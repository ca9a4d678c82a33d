// SPDX-License-Identifier: Apache-2.0
#include "core/record/line/other_line.h"

#include "core/base/check.h"
#include "core/record/line/json_fields.h"
#include "core/record/line/log_line.h"

namespace dovetail {

std::optional<std::string> kind_of(std::string_view object) {
  // Most lines are trials: not worth a parse of their own.
  if (object.find("\"kind\"") == std::string_view::npos) return std::nullopt;
  Result<JsonFields> fields = JsonFields::parse(object);
  if (!fields || fields->kind("kind") != JsonKind::text) return std::nullopt;
  return fields->text("kind");
}

std::string print(const OtherLine& line) { return seal_line(line.object); }

Result<OtherLine> parse_other(std::string_view object) {
  JsonFields fields = TRY(JsonFields::parse(object));
  OtherLine line{.kind = fields.text("kind"),
                 .campaign = fields.integer("campaign", 1),
                 .object = std::string(object)};
  TRY(fields.check());
  return line;
}

OtherLine with_campaign(const OtherLine& line, int64_t campaign) {
  Result<JsonFields> fields = JsonFields::parse(line.object);
  CHECK(fields.has_value(), "a line that was read is JSON");
  JsonWriter writer;
  for (const std::string& name : fields->names()) {
    writer.raw(name, name == "campaign" ? std::to_string(campaign) : fields->raw(name));
  }
  return {.kind = line.kind, .campaign = campaign, .object = std::move(writer).finish()};
}

}  // namespace dovetail
