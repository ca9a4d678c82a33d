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

bool is_same_cpu(const Target& asked, const LogHeader& campaign) {
  const Result<TargetName> name = parse_target_name(campaign.target);
  if (!name || name->kind != TargetKind::cpu || name->threads != asked.name.threads) return false;
  if (asked.name.arch.empty()) return campaign.device.name == asked.device;
  const auto cpu = campaign.device.more.find("llvm_cpu");
  return name->arch.empty() && cpu != campaign.device.more.end() && cpu->second == asked.name.arch;
}

}  // namespace

Result<Target> resolve_target(std::string_view text) {
  const TargetName name = TRY(parse_target_name(text));
  return name.kind == TargetKind::cpu ? resolve_cpu(name) : opencl_target(name);
}

Target as_recorded(const Target& asked, const std::optional<Log>& log) {
  if (!log || asked.name.kind != TargetKind::cpu) return asked;
  for (size_t i = log->headers.size(); i-- > 0;) {
    const LogHeader& campaign = log->headers[i];
    if (!is_same_cpu(asked, campaign)) continue;
    std::optional<Target> recorded = target_of(campaign.device);
    if (!recorded) continue;
    recorded->name = *parse_target_name(campaign.target);
    recorded->driver = asked.driver;
    if (asked.name.arch.empty() && !check_runs_here(*recorded)) continue;
    return *std::move(recorded);
  }
  return asked;
}

Result<void> check_runs_here(const Target& target) {
  if (target.name.kind != TargetKind::cpu) return require_runnable(target);
#if DOVETAIL_HAVE_LLVM
  return check_runs_on_host(target);
#else
  return require_runnable(target);
#endif
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
