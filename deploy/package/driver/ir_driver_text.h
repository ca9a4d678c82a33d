// SPDX-License-Identifier: Apache-2.0
#pragma once

// The part of the archive's driver that is the same in all packages, as LLVM IR for the name
// `pkgname`: ir_driver.ll, which scripts/make-ir-driver writes from C, and states its SHA-256.

#include <string_view>

namespace dovetail {

extern const std::string_view kIrDriver;

}  // namespace dovetail
