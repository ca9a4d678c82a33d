// SPDX-License-Identifier: Apache-2.0
#include "core/codegen/llvm/systems.h"

#include <fmt/format.h>
#include <llvm/TargetParser/Triple.h>

#include "core/base/fail.h"
#include "core/base/printable.h"

namespace dovetail {

Result<Target> on_system(Target target, std::string_view system) {
  const bool is_arm = llvm::Triple(target.llvm_triple).isAArch64();
  const std::string_view arch = is_arm ? "aarch64" : "x86_64";
  if (system.empty()) return target;
  if (system == "linux")
    target.llvm_triple = fmt::format("{}-unknown-linux-gnu", arch);
  else if (system == "macos")
    target.llvm_triple = fmt::format("{}-apple-macosx11.0.0", is_arm ? "arm64" : arch);
  else if (system == "windows")
    target.llvm_triple = fmt::format("{}-pc-windows-msvc", arch);
  else
    return fail("unknown system {}; expected {}", printable(system), kSystemNames);
  return target;
}

std::string system_of(const Target& target) {
  const llvm::Triple triple(target.llvm_triple);
  std::string system = llvm::Triple::getOSTypeName(triple.getOS()).str();
  if (triple.isMacOSX()) system = "macos";
  const bool is_usual = triple.getEnvironment() == llvm::Triple::UnknownEnvironment ||
                        (triple.isOSLinux() && triple.isGNUEnvironment()) ||
                        triple.isWindowsMSVCEnvironment();
  if (is_usual) return system;
  return fmt::format("{}-{}", system,
                     llvm::Triple::getEnvironmentTypeName(triple.getEnvironment()));
}

}  // namespace dovetail
