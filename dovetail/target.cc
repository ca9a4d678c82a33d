// SPDX-License-Identifier: Apache-2.0
#include "dovetail/target.h"

#include "core/backends/backends.h"
#include "core/backends/opencl/opencl_targets.h"

namespace dovetail::api {

Result<Target> find_target(const TargetQuery& query) {
  TargetName name;
  name.backend = query.backend;
  name.threads = query.threads;
  name.device = query.device;
  name = TRY(parse_target_name(print(name)));  // refuses what a command line could not ask for
  return TRY(find_backend(name))->resolve(name);
}

Result<std::vector<Target>> all_targets() {
  std::vector<Target> targets;
  for (const Backend* backend : backends())
    for (Target& target : TRY(backend->devices())) targets.push_back(std::move(target));
  return targets;
}

void prepare_opencl_environment() { dovetail::prepare_opencl_environment(); }

}  // namespace dovetail::api
