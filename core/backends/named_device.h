// SPDX-License-Identifier: Apache-2.0
#pragma once

// named_device: the device that a target's name means, of those that are here.
//
//   ptx:h200  of  {NVIDIA H100, NVIDIA H200}     1

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/ir/target.h"

namespace dovetail {

// Position of the first one whose own or platform's name has the target's text. `none`: the error
// where there are no devices.
Result<size_t> place_of_device(std::span<const Target> devices, const TargetName& name,
                               const std::string& none);

// That device itself, with what a backend knows of it beside its `target`, which gets the name.
template <typename Found>
Result<Found> named_device(std::vector<Found> devices, const TargetName& name,
                           const std::string& none) {
  std::vector<Target> targets;
  for (const Found& device : devices) targets.push_back(device.target);
  const Result<size_t> place = place_of_device(targets, name, none);
  if (!place) return Unexpected(place.error());
  devices[*place].target.name = name;
  return std::move(devices[*place]);
}

// The facts in a profile, which must be of this name's backend.
Result<Target> profile_target(const TargetName& name);

}  // namespace dovetail
