// SPDX-License-Identifier: Apache-2.0
//
// systems: targets of other operating systems than this host's. The instructions of a kernel are
// the same; the object file's format and the calling convention differ.
//
//   on_system(target, "macos")      cortex-a76, arm64-apple-macosx11.0.0: Mach-O
//   on_system(target, "windows")    cortex-a76, aarch64-pc-windows-msvc: COFF
#pragma once

#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/ir/target.h"

namespace dovetail {

inline constexpr std::string_view kSystemNames = "linux, macos or windows";

// The CPU's target on that system. Empty: unchanged. Fails for an unknown system.
Result<Target> on_system(Target target, std::string_view system);

// "linux", "macos" or "windows", with the C library's kind where it is not the usual one
// ("linux-musl"): objects with the same name link with each other. The word for a vendor in an LLVM
// triple ("pc", "unknown") says nothing about that.
std::string system_of(const Target& target);

}  // namespace dovetail
