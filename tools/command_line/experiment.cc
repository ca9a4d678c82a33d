// SPDX-License-Identifier: Apache-2.0
#include "tools/command_line/experiment.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/base/files.h"

namespace dovetail {
namespace {

using Json = nlohmann::ordered_json;

bool is_given(const std::vector<std::string>& given, const std::string& option) {
  return std::any_of(given.begin(), given.end(), [&](const std::string& argument) {
    return argument == option || argument.starts_with(option + "=");
  });
}

Result<std::string> scalar_text(const std::string& path, const std::string& key,
                                const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number()) return value.dump();
  return fail(fmt::format("{}: key '{}' is {}, expected a text, a number, true or false", path, key,
                          value.dump()));
}

Result<void> add_workloads(const std::string& path, const Json& value,
                           std::vector<std::string>& arguments) {
  const std::string expected = "key 'workloads' must be a list of texts";
  if (!value.is_array()) return fail(fmt::format("{}: {}", path, expected));
  for (const Json& workload : value) {
    if (!workload.is_string()) return fail(fmt::format("{}: {}", path, expected));
    arguments.push_back(workload.get<std::string>());
  }
  return {};
}

Result<void> add_option(const std::string& path, const std::string& key, const Json& value,
                        const std::vector<std::string>& given,
                        std::vector<std::string>& arguments) {
  std::string option = "--" + key;
  std::replace(option.begin(), option.end(), '_', '-');
  if (option == "--experiment") {
    return fail(fmt::format("{}: an experiment cannot name another one", path));
  }
  if (is_given(given, option)) return {};
  if (value.is_boolean()) {
    if (value.get<bool>()) arguments.push_back(option);
    return {};
  }
  // A list is an option given several times.
  const Json values = value.is_array() ? value : Json::array({value});
  for (const Json& one : values) {
    arguments.push_back(option + "=" + TRY(scalar_text(path, key, one)));
  }
  return {};
}

}  // namespace

Result<Experiment> read_experiment(const std::string& path, const std::vector<std::string>& given,
                                   bool has_workloads) {
  const std::string text = TRY(read_file(path));
  const Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) {
    return fail(fmt::format("experiment {} is no JSON object of options", path));
  }
  Experiment experiment{.json = json.dump(-1, ' ', false, Json::error_handler_t::replace),
                        .arguments = {}};
  for (const auto& [key, value] : json.items()) {
    if (key == "workloads") {
      if (!has_workloads) TRY(add_workloads(path, value, experiment.arguments));
    } else {
      TRY(add_option(path, key, value, given, experiment.arguments));
    }
  }
  return experiment;
}

}  // namespace dovetail
