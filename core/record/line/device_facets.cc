// SPDX-License-Identifier: Apache-2.0
#include "core/record/line/device_facets.h"

#include <algorithm>
#include <cctype>

#include "core/base/text.h"

namespace dovetail {
namespace {

// "PoCL 3.1" -> "pocl": the driver without its version.
std::string driver_family(const std::string& driver) {
  std::string family = driver.substr(0, driver.find_first_of(" \t"));
  std::transform(family.begin(), family.end(), family.begin(),
                 [](unsigned char c) { return char(std::tolower(c)); });
  return family;
}

// "x86_64-pc-linux-gnu" with 16 lanes -> "x86_64/16".
std::string instruction_set(const Target& target) {
  const std::string arch = target.llvm_triple.substr(0, target.llvm_triple.find('-'));
  return arch + "/" + std::to_string(target.vector_lanes);
}

}  // namespace

DeviceFacets facets_of(const Target& target) {
  DeviceFacets facets;
  facets.name = target.device;
  facets.family =
      target.name.kind == TargetKind::cpu ? instruction_set(target) : driver_family(target.driver);
  const std::string facts = print(target);
  for (const std::string_view line : split(facts, '\n')) {
    const size_t equals = line.find('=');
    const std::string_view key = line.substr(0, equals);
    // Said elsewhere in the header, or by name and family.
    if (equals == line.npos || key == "device" || key == "driver" || key == "name") continue;
    facets.more.emplace(key, line.substr(equals + 1));
  }
  return facets;
}

}  // namespace dovetail
