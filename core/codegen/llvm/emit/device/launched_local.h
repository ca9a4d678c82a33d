// SPDX-License-Identifier: Apache-2.0
//
// Arrays of a kernel's local memory as parts of one whose bytes its launch says:
//
//   @a = addrspace(3) [16384 x float], @b = addrspace(3) [64 x i64]
//     → @local = external addrspace(3) [0 x i8];  a is @local, b is @local + 65536
//
// NVIDIA's assembler takes arrays of 48 KB in a kernel, and a unit has 227. Kernels with less keep
// their arrays.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace llvm {
class Module;
}

namespace dovetail::codegen {

// By kernel, the bytes of each that was rewritten. After every pass that reorders loads: it no
// longer shows that two arrays are apart.
std::map<std::string, int64_t> give_local_memory_at_launch(llvm::Module& module);

}  // namespace dovetail::codegen
