// SPDX-License-Identifier: Apache-2.0
#include "core/ir/intrinsic/x86.h"

#include <array>

namespace dovetail {

// Intel's manual, volume 2: VPDPBUSD multiplies unsigned by signed bytes and adds four products to
// each 32-bit sum without saturating, which is exact; for two signed operands A is offset by 128
// and 128 times the sum of B is subtracted again, which is exact, too, modulo 2^32. VDPBF16PS adds
// two products to each f32, and flushes subnormal numbers to zero.
std::span<const IntrinsicRow> x86_intrinsics() {
  static const std::array kRows = {
      IntrinsicRow{"avx512_vnni.dot_u8i8", "C[o]+=A[k]*B[o,k]:k=4,o=16,A=u8,B=i8,C=i32",
                   "avx512vnni"},
      IntrinsicRow{"avx512_vnni.dot_i8", "C[o]+=A[k]*B[o,k]:k=4,o=16,A=i8,B=i8,C=i32",
                   "avx512vnni"},
      IntrinsicRow{"avx512_bf16.dot_bf16", "C[o]+=A[k]*B[o,k]:k=2,o=16,A=bf16,B=bf16",
                   "avx512bf16"},
  };
  return kRows;
}

}  // namespace dovetail
