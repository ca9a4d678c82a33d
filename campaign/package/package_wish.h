// SPDX-License-Identifier: Apache-2.0
#pragma once

// PackageWish: the validated options of a build, before any work.
//
//   const PackageWish wish = TRY(package_wish({.model = "net.onnx", .folder = "out"}));
//   wish.package.name      "net"
//   wish.targets           {cpu}

#include <cstdint>
#include <optional>
#include <vector>

#include "campaign/package/build_package.h"
#include "core/base/result.h"
#include "core/ir/target.h"
#include "deploy/network/network_plan.h"
#include "deploy/package/package_options.h"

namespace dovetail {

struct PackageWish {
  PackageOptions package;
  NetworkPlanOptions plan;
  std::vector<Target> targets;     // in the order of the options
  std::string system;              // empty: the targets'
  std::optional<int64_t> created;  // SOURCE_DATE_EPOCH
};

// The error names the option; a folder that is not writable is an error, too.
Result<PackageWish> package_wish(const BuildOptions& options);

}  // namespace dovetail
