// SPDX-License-Identifier: Apache-2.0
#include "measure/worker/executor.h"

#include <fmt/format.h>

namespace dovetail {

Result<std::unique_ptr<Executor>> make_executor(const Target& target,
                                                [[maybe_unused]] const std::vector<int>& cores) {
  if (target.name.kind == TargetKind::cpu) {
#if DOVETAIL_HAVE_LLVM
    return make_cpu_executor(target, cores);
#endif
  } else {
#if DOVETAIL_HAVE_OPENCL
    return make_opencl_executor(target);
#endif
  }
  return fail(
      fmt::format("this dovetail was built without what target {} needs", print(target.name)));
}

}  // namespace dovetail
