// SPDX-License-Identifier: Apache-2.0
#pragma once

// The part of the archive's driver that all packages share, as LLVM IR for the name `pkgname`:
// ir_driver.ll, which scripts/make-ir-driver generates from C, whose SHA-256 it states.

#include <string_view>

namespace dovetail {

extern const std::string_view kIrDriver;

}  // namespace dovetail
