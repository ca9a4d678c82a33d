// SPDX-License-Identifier: Apache-2.0
#pragma once

// result_json: a verb's JSON object, with the schema that it follows as its first field, and the
// version of the program that wrote it as its second.
//
//   result_json("dovetail-plan-1", R"({"peak_bytes":1024})")
//   {"schema":"dovetail-plan-1","version":"0.2.0","peak_bytes":1024}
//
// Each schema is a file of docs/schemas, where README.md says when its number is raised.
//
// with_schema gives the first of them alone, for an object that names its program itself.

#include <string>
#include <string_view>

namespace dovetail {

// `json`: an object with a field or more, on one line or indented.
std::string result_json(std::string_view schema, std::string_view json);
std::string with_schema(std::string_view schema, std::string_view json);

}  // namespace dovetail
