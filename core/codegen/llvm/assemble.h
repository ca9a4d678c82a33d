// SPDX-License-Identifier: Apache-2.0
//
// Objects of a package besides its kernels: code written as LLVM IR, such as the driver that calls
// the kernels, and data, such as weights that are linked into the program.
//
//   assemble_ir("define i32 @pose_abi() { ret i32 1 }", target)    defines pose_abi
//   data_object("pose_weights", bytes, target)     defines extern const char pose_weights[]
//
// Why IR as text: the interface is its grammar, so that code which writes a driver needs no LLVM
// headers, and tests can read the output.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/ir/target.h"

namespace dovetail {

// Compiles IR to a relocatable object for the target, at -O2. Loops never become calls of memcpy or
// memset, but the intrinsics of these names do, so code that must not need a library writes loops.
// The text's own data layout is ignored. Fails, with the line, for text that does not parse, for IR
// that LLVM's verifier rejects, and for another triple.
Result<std::string> assemble_ir(const std::string& ir, const Target& target);

inline constexpr size_t kDataAlignment = 4096;  // whole pages, shared with no other data
inline constexpr size_t kMostDataBytes = (size_t{1} << 31) - (16 << 20);  // reachable from code

// An object with the bytes as read-only data, aligned to kDataAlignment, under an external symbol.
// Uses as much additional memory as the bytes. Fails for no bytes, for more than kMostDataBytes,
// and for a symbol that is not a C identifier.
Result<std::string> data_object(std::string_view symbol, std::span<const std::byte> bytes,
                                const Target& target);

}  // namespace dovetail
