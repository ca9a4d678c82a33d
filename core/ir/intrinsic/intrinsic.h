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
// An instruction of several work-items at once has axes that are no loops but these work-items'
// numbers. Each of them has elements of the output of its own, and its loops compute those alone;
// together they read a tile of A and one of B that none needs whole:
//
//     mma.m16n8k16_f16    C[r,g,t,c]+=A[r,g,k]*B[t,c,k]:r=2,g=8,t=4,c=2,k=16
//                         g is thread.1, t is thread.0
//
//     for m.g in 0..8 bind thread.1
//       for n.t in 0..4 bind thread.0
//         for k.1 in 0..16 unrolled tensorize mma.m16n8k16_f16
//           for m.r in 0..2 unrolled
//             for n.c in 0..2 vectorized
//               acc[m.r, n.c] += X[8*m.r + m.g, k.1] * W[2*n.t + n.c, k.1]
//
// An intrinsic is data: its definition in a file of its platform here (x86.cc), and its spelling in
// a file of the code generator (core/codegen/llvm/emit/x86_intrinsics.cc).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/ir/operator/computation.h"
#include "core/ir/schedule/trace.h"
#include "core/ir/target.h"

namespace dovetail {

// An axis that numbers work-items of a group along `thread`: all of them, or each of these numbers
// in turn along the last axis of the lanes.
struct LaneAxis {
  std::string axis;
  ThreadAxis thread = ThreadAxis::thread_0;
};

// A step between neighbours that an instruction requires: `elements` along the axis, or so many
// steps of another axis of the operand.
struct StrideRule {
  std::string tensor, axis;
  int64_t elements = 1;
  std::string of_axis = {};
};

struct Intrinsic {
  std::string name;
  std::string definition;  // as written
  // Operands are dense: A, B and C are stored row by row, as their indices are written. Those of an
  // instruction with lanes have any stride but where `strides` requires one.
  Computation computation;
  // A feature of the target's processor that has the instruction, as LLVM calls it: "avx512vnni",
  // "sm_80".
  std::string feature;
  std::vector<LaneAxis> lanes = {};
  std::vector<StrideRule> strides = {};
};

std::string print(const Intrinsic& intrinsic);  // NAME, DEFINITION

// Null where there is none of that name.
const Intrinsic* find_intrinsic(std::string_view name);
std::vector<std::string> intrinsic_names();

// True if the target's processor has the instruction: an x86 with the feature, or one of NVIDIA's
// that is at least "sm_80"; what needs "sm_90a" is of that one alone.
bool has_instruction(const Target& target, const Intrinsic& intrinsic);
// Whether the instruction runs on while a work-item issues the next ones: those of four warps do.
// False where there is none of that name.
bool is_asynchronous(std::string_view name);
// Whether the device copies from its memory to a group's while work-items go on.
bool copies_asynchronously(const Target& target);
// True if a single work-item can start a copy of many bytes that lie together.
bool copies_in_bulk(const Target& target);
// True if a kernel's groups can be placed while those of the kernel before it still run.
bool starts_early(const Target& target);
// Bytes of a group's memory that such copies need for themselves, at most.
inline constexpr int64_t kBytesOfBatches = 128;

// The axes in the order of the loops around the statement: reduced ones outside of the output's.
// Lanes are none of them.
std::vector<Axis> loop_order(const Intrinsic& intrinsic);

}  // namespace dovetail
