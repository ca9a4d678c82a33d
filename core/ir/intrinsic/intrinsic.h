// SPDX-License-Identifier: Apache-2.0
//
// Intrinsic: an instruction of a machine that computes what a small loop nest says. Its definition
// is a computation, and the loops of a program that are spelled as the instruction stay loops:
//
//     avx512_vnni.dot_i8    C[o]+=A[k]*B[o,k]:k=4,o=16,A=i8,B=i8,C=i32
//
//     for k.1 in 0..4 unrolled tensorize avx512_vnni.dot_i8
//       for o.1 in 0..16 vectorized
//         acc[w, o.1] += X[w, k.0, k.1] * W[o.0, k.0, o.1, k.1]
//
// Why the loops remain: one meaning serves the interpreter, the verifier and every emitter. One
// that knows the instruction writes it, any other one the loops; nothing has to be known about the
// instruction but its definition. Exo's @instr procedures and TVM's TensorIntrin are the same idea;
// there the call replaces the loops.
//
// An intrinsic is data: its definition in a file of its platform here (x86.cc), and its spelling in
// a file of the code generator (core/codegen/llvm/emit/x86_intrinsics.cc).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/ir/operator/computation.h"

namespace dovetail {

struct Intrinsic {
  std::string name;
  std::string definition;  // as written
  // Operands are dense: A, B and C are stored row by row, as their indices are written.
  Computation computation;
  // A feature of the target's CPU that has the instruction, as LLVM calls it: "avx512vnni".
  std::string feature;
};

std::string print(const Intrinsic& intrinsic);  // NAME, DEFINITION

// Null where there is none of that name.
const Intrinsic* find_intrinsic(std::string_view name);
std::vector<std::string> intrinsic_names();

// The axes in the order of the loops around the statement: reduced ones outside of the output's.
std::vector<Axis> loop_order(const Intrinsic& intrinsic);

}  // namespace dovetail
