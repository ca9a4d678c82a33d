// SPDX-License-Identifier: Apache-2.0
#include "core/record/log/spec_difference.h"

#include <fmt/core.h>

#include <map>
#include <set>

namespace dovetail {
namespace {

// "kind" and "epilogue" beside the keys themselves.
std::map<std::string, std::string> fields_of(std::string_view spec) {
  std::map<std::string, std::string> fields;
  const size_t plus = spec.find('+');
  const bool has_epilogue = plus != std::string_view::npos;
  fields["epilogue"] = has_epilogue ? std::string(spec.substr(plus + 1)) : "none";
  spec = spec.substr(0, plus);
  const size_t colon = spec.find(':');
  fields["kind"] = spec.substr(0, colon);
  while (colon != std::string_view::npos && !spec.empty()) {
    const size_t start = spec.find_first_of(":,");
    if (start == std::string_view::npos) break;
    spec = spec.substr(start + 1);
    // A padding holds a colon of its own: a key ends at its '=', a value at the next comma.
    const size_t end = spec.find(',');
    const std::string_view entry = spec.substr(0, end);
    const size_t equals = entry.find('=');
    if (equals != std::string_view::npos) {
      fields[std::string(entry.substr(0, equals))] = entry.substr(equals + 1);
    }
    spec = end == std::string_view::npos ? "" : spec.substr(end);
  }
  return fields;
}

std::string value_of(const std::map<std::string, std::string>& fields, const std::string& key) {
  const auto found = fields.find(key);
  return found == fields.end() ? "not set" : found->second;
}

}  // namespace

std::vector<std::string> spec_differences(std::string_view there, std::string_view here) {
  const auto in_log = fields_of(there);
  const auto asked = fields_of(here);
  std::set<std::string> keys;
  for (const auto& [key, value] : in_log) keys.insert(key);
  for (const auto& [key, value] : asked) keys.insert(key);
  std::vector<std::string> found;
  for (const std::string& key : keys) {
    const std::string old_value = value_of(in_log, key);
    const std::string new_value = value_of(asked, key);
    if (old_value != new_value) {
      found.push_back(fmt::format("{} is {} there, {} here", key, old_value, new_value));
    }
  }
  return found;
}

}  // namespace dovetail
