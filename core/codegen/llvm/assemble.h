// SPDX-License-Identifier: Apache-2.0
//
// Objects of a package that are no kernels: code that is written as LLVM IR, such as the driver
// that calls the kernels, and data, such as weights that are linked into the program.
//
//   assemble_ir("define i32 @pose_abi() { ret i32 1 }", target)    defines pose_abi
//   data_object("pose_weights", bytes, target)     defines extern const char pose_weights[]
//
// Why IR as text: its grammar is the interface, so that whoever writes a driver needs no header of
// LLVM's, and tests read what was written.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/ir/target.h"

namespace dovetail {

// A relocatable object for the target, optimised as -O2 does. No loop becomes a call of memcpy or
// memset; the intrinsics of these names do, so that code which must need no library writes loops.
// The text's own data layout does not count. Fails, with the line, for text that is no IR, for IR
// that LLVM's verifier refuses, and for that of another triple.
Result<std::string> assemble_ir(const std::string& ir, const Target& target);

inline constexpr size_t kDataAlignment = 4096;  // of whole pages, so that nothing else lies on them
inline constexpr size_t kMostDataBytes = (size_t{1} << 31) - (16 << 20);  // code still reaches it

// An object that holds the bytes, read-only, aligned to kDataAlignment, under a name for other
// objects. Takes as much memory as they do, once more. Fails for no bytes, for more than
// kMostDataBytes, and for a symbol that is no identifier of C.
Result<std::string> data_object(std::string_view symbol, std::span<const std::byte> bytes,
                                const Target& target);

}  // namespace dovetail
