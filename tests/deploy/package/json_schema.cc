// SPDX-License-Identifier: Apache-2.0
#include "tests/deploy/package/json_schema.h"

#include <algorithm>
#include <regex>

namespace dovetail::testing {
namespace {

using Json = nlohmann::json;

bool is_of_type(const Json& value, const std::string& type) {
  if (type == "object") return value.is_object();
  if (type == "array") return value.is_array();
  if (type == "string") return value.is_string();
  if (type == "integer") return value.is_number_integer();
  if (type == "boolean") return value.is_boolean();
  if (type == "number") return value.is_number();
  return type == "null" && value.is_null();
}

class Check {
 public:
  std::vector<std::string> mistakes;

  void value(const Json& found, const Json& schema, const std::string& path) {
    const auto complain = [&](const std::string& what) { mistakes.push_back(path + ": " + what); };
    if (schema.contains("type") && !has_type(found, schema["type"]))
      return complain("is no " + schema["type"].dump());
    if (schema.contains("enum") && std::ranges::find(schema["enum"], found) == schema["enum"].end())
      complain("is none of " + schema["enum"].dump());
    if (schema.contains("minimum") && found < schema["minimum"]) complain("is too small");
    if (schema.contains("pattern") &&
        !std::regex_search(found.get<std::string>(),
                           std::regex(schema["pattern"].get<std::string>())))
      complain("does not look like " + schema["pattern"].dump());
    if (found.is_array())
      for (size_t i = 0; i < found.size(); ++i)
        value(found[i], schema.at("items"), path + "[" + std::to_string(i) + "]");
    if (found.is_object()) object(found, schema, path);
  }

 private:
  static bool has_type(const Json& found, const Json& types) {
    if (types.is_string()) return is_of_type(found, types);
    return std::ranges::any_of(types, [&](const Json& type) { return is_of_type(found, type); });
  }

  void object(const Json& found, const Json& schema, const std::string& path) {
    const Json none = Json::object();
    const Json& known = schema.contains("properties") ? schema["properties"] : none;
    for (const auto& [key, held] : found.items()) {
      const std::string place = path + "." + key;
      if (known.contains(key))
        value(held, known[key], place);
      else if (schema.contains("additionalProperties"))
        value(held, schema["additionalProperties"], place);
      else
        mistakes.push_back(place + ": no such key");
    }
    if (!schema.contains("required")) return;
    for (const Json& key : schema["required"])
      if (!found.contains(key.get<std::string>()))
        mistakes.push_back(path + ": lacks " + key.dump());
  }
};

}  // namespace

std::vector<std::string> schema_mistakes(const Json& value, const Json& schema) {
  Check check;
  check.value(value, schema, "$");
  return check.mistakes;
}

}  // namespace dovetail::testing
