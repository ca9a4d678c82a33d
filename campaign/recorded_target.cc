// SPDX-License-Identifier: Apache-2.0
#include "campaign/recorded_target.h"

#include "core/backends/backends.h"
#include "core/base/fail.h"

namespace dovetail {
namespace {

bool is_same_cpu(const Target& asked, const LogHeader& campaign) {
  const Result<TargetName> name = parse_target_name(campaign.target);
  if (!name || name->backend != asked.name.backend || name->threads != asked.name.threads)
    return false;
  if (asked.name.arch.empty()) return campaign.device.name == asked.device;
  const auto cpu = campaign.device.more.find("llvm_cpu");
  return name->arch.empty() && cpu != campaign.device.more.end() && cpu->second == asked.name.arch;
}

}  // namespace

Target as_recorded(const Target& asked, const std::optional<Log>& log) {
  if (!log || !runs_threads(asked)) return asked;
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
  return backend_of(target).check_runs_here(target);
}

Result<void> require_runnable(const Target& target) {
  if (!target.name.arch.empty()) {
    return fail("target {} is another CPU than this host: nothing can run on it; use cpu",
                print(target.name));
  }
  return target.name.profile.empty() ? Result<void>() : check_runs_here(target);
}

}  // namespace dovetail
