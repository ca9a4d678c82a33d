// SPDX-License-Identifier: Apache-2.0
#include "measure/worker/opencl_launches.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace dovetail {

using Json = nlohmann::json;

std::string print(const std::vector<KernelLaunch>& launches) {
  Json list = Json::array();
  for (const KernelLaunch& launch : launches) {
    list.push_back({{"name", launch.name},
                    {"global", launch.global},
                    {"local", launch.local},
                    {"buffers", launch.buffers}});
  }
  return list.dump();
}

Result<std::vector<KernelLaunch>> parse_launches(std::string_view text, size_t buffers) {
  std::vector<KernelLaunch> launches;
  try {
    for (const Json& entry : Json::parse(text)) {
      launches.push_back({.name = entry.at("name"),
                          .global = entry.at("global"),
                          .local = entry.at("local"),
                          .buffers = entry.at("buffers")});
    }
  } catch (const Json::exception& error) {
    return fail(fmt::format("launches of an artifact: {}", error.what()));
  }
  for (const KernelLaunch& launch : launches) {
    for (int buffer : launch.buffers) {
      if (buffer >= 0 && static_cast<size_t>(buffer) < buffers) continue;
      return fail(fmt::format("kernel {} takes buffer {} of {}", launch.name, buffer, buffers));
    }
  }
  return launches;
}

}  // namespace dovetail
