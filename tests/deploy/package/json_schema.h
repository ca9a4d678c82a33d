// SPDX-License-Identifier: Apache-2.0
#pragma once

// The subset of JSON Schema that metadata.schema.json uses, but stricter: a key that the schema
// does not name is a mistake. A slow test also runs Python's jsonschema where it is installed.

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace dovetail::testing {

// One line for each mistake: "$.target.lanes: is no integer".
std::vector<std::string> schema_mistakes(const nlohmann::json& value, const nlohmann::json& schema);

}  // namespace dovetail::testing
