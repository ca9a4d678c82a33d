// SPDX-License-Identifier: Apache-2.0
#pragma once

// DeviceFacets: which device a campaign ran on, from particular to general.
//
//   {.name = "AMD EPYC (znver5)", .family = "x86_64/16", .more = {{"l1_bytes", "49152"}, ...}}
//   {.name = "NVIDIA H200", .family = "nvidia", ...}
//
// Two devices are the same when name and family agree. They are of one family when they run the
// same code equally well as far as one can tell without trying: CPUs of one instruction set and
// vector width, GPUs under one vendor's driver. A replay says which of the two it had to content
// itself with.

#include <map>
#include <string>

#include "core/ir/target.h"

namespace dovetail {

struct DeviceFacets {
  std::string name;
  std::string family;
  std::map<std::string, std::string> more;  // everything else the target says, by its key
  friend bool operator==(const DeviceFacets&, const DeviceFacets&) = default;
};

DeviceFacets facets_of(const Target& target);

}  // namespace dovetail
