// SPDX-License-Identifier: Apache-2.0
#include "tools/command_line/experiment.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "core/base/fail.h"
#include "core/base/files.h"

namespace dovetail {
namespace {

using Json = nlohmann::ordered_json;

bool is_given(const std::vector<std::string>& given, const std::string& option) {
  return std::ranges::any_of(given, [&](const std::string& argument) {
    return argument == option || argument.starts_with(option + "=");
  });
}

Result<std::string> scalar_text(const std::string& path, const std::string& key,
                                const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number()) return value.dump();
  return fail("{}: key '{}' is {}, expected a text, a number, true or false", path, key,
              value.dump());
}

Result<void> add_workloads(const std::string& path, const Json& value,
                           std::vector<std::string>& arguments) {
  const std::string expected = "key 'workloads' must be a list of texts";
  if (!value.is_array()) return fail("{}: {}", path, expected);
  for (const Json& workload : value) {
    if (!workload.is_string()) return fail("{}: {}", path, expected);
    arguments.push_back(workload.get<std::string>());
  }
  return {};
}

Result<void> add_option(const std::string& path, const std::string& key, const Json& value,
                        const std::vector<std::string>& given,
                        std::vector<std::string>& arguments) {
  std::string option = "--" + key;
  std::ranges::replace(option, '_', '-');
  if (option == "--experiment") return fail("{}: an experiment cannot name another one", path);
  if (is_given(given, option)) return {};
  if (value.is_boolean()) {
    if (value.get<bool>()) arguments.push_back(option);
    return {};
  }
  // A list is an option given several times.
  const Json values = value.is_array() ? value : Json::array({value});
  for (const Json& one : values)
    arguments.push_back(option + "=" + TRY(scalar_text(path, key, one)));
  return {};
}

}  // namespace

Result<std::optional<std::string>> take_experiment(const std::string& verb, Arguments& arguments) {
  const std::string name = "--experiment";
  for (size_t i = 0; i < arguments.size(); ++i) {
    const auto at = arguments.begin() + static_cast<ptrdiff_t>(i);
    if (at->starts_with(name + "=")) {
      std::string path = at->substr(name.size() + 1);
      arguments.erase(at);
      return std::optional(std::move(path));
    }
    if (*at != name) continue;
    if (i + 1 == arguments.size()) return fail("{}: --experiment needs a FILE.json", verb);
    std::string path = *(at + 1);
    arguments.erase(at, at + 2);
    return std::optional(std::move(path));
  }
  return std::optional<std::string>();
}

Result<std::string> add_experiment(const std::string& path, bool has_workloads,
                                   Arguments& arguments) {
  const Json json = Json::parse(TRY(read_file(path)), nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) return fail("experiment {} is no JSON object of options", path);
  const Arguments given = arguments;
  for (const auto& [key, value] : json.items()) {
    if (key == "workloads") {
      if (!has_workloads) TRY(add_workloads(path, value, arguments));
    } else {
      TRY(add_option(path, key, value, given, arguments));
    }
  }
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace dovetail
