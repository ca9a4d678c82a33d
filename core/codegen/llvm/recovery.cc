// SPDX-License-Identifier: Apache-2.0
#include "core/codegen/llvm/recovery.h"

#include <llvm/Support/CrashRecoveryContext.h>
#include <llvm/Support/Error.h>
#include <llvm/Support/ErrorHandling.h>

#include <algorithm>
#include <mutex>
#include <string>

#include "core/base/fail.h"
#include "core/base/text.h"

namespace dovetail {
namespace {

constexpr int kFailure = 70;  // EX_SOFTWARE, as in LLVM's own programs

thread_local std::string reason;

void leave(void* /*data*/, const char* why, bool /*is_bug*/) {
  reason = why;
  if (auto* context = llvm::CrashRecoveryContext::GetCurrent()) context->HandleExit(kFailure);
}

}  // namespace

Result<void> survive_llvm(const std::function<void()>& call) {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::CrashRecoveryContext::Enable();
    llvm::install_fatal_error_handler(leave);
  });
  reason.clear();
  llvm::CrashRecoveryContext context;
  if (context.RunSafely([&] { call(); })) return {};
  if (reason.empty()) return fail("LLVM crashed (signal {})", context.RetCode - 128);
  return fail("LLVM: {}", reason.substr(0, reason.find('\n')));
}

std::string one_line(llvm::Error error) {
  std::string text = llvm::toString(std::move(error));
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

}  // namespace dovetail
