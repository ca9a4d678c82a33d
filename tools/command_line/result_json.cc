// SPDX-License-Identifier: Apache-2.0
#include "tools/command_line/result_json.h"

#include <fmt/format.h>

#include "core/base/check.h"

namespace dovetail {
namespace {

std::string with_first(std::string_view name, std::string_view value, std::string_view json) {
  const size_t first = json.find('"');
  DOVETAIL_CHECK(json.starts_with('{') && first != std::string_view::npos,
                 "an object with a field");
  const std::string_view gap = json.substr(1, first - 1);  // before each field
  return fmt::format(R"({{{}"{}":{}"{}",{})", gap, name, gap.empty() ? "" : " ", value,
                     json.substr(1));
}

}  // namespace

std::string with_schema(std::string_view schema, std::string_view json) {
  return with_first("schema", schema, json);
}

std::string result_json(std::string_view schema, std::string_view json) {
  return with_schema(schema, with_first("version", DOVETAIL_VERSION, json));
}

}  // namespace dovetail
