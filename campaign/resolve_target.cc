// SPDX-License-Identifier: Apache-2.0
#include "campaign/resolve_target.h"

#include "core/base/fail.h"
#include "core/runtime/opencl_device.h"

#if DOVETAIL_HAVE_LLVM
#include "core/codegen/llvm/cpu_target.h"
#endif

namespace dovetail {
namespace {

Result<Target> resolve_cpu(const TargetName& name) {
#if DOVETAIL_HAVE_LLVM
  return cpu_target(name);
#else
  return fail("target {} needs LLVM, and this build has none (-DDOVETAIL_LLVM=OFF)", print(name));
#endif
}

}  // namespace

Result<Target> resolve_target(std::string_view text) {
  const TargetName name = TRY(parse_target_name(text));
  return name.kind == TargetKind::cpu ? resolve_cpu(name) : opencl_target(name);
}

Result<void> require_runnable(const Target& target) {
  if (!target.name.profile.empty()) {
    return fail("target {} is a device that is not here: nothing can run on it",
                print(target.name));
  }
  if (!target.name.arch.empty()) {
    return fail("target {} is another CPU than this host: nothing can run on it; use cpu",
                print(target.name));
  }
  return {};
}

}  // namespace dovetail
