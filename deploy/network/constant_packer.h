// SPDX-License-Identifier: Apache-2.0
#pragma once

// ConstantPacker: a network's constants, from the graph's numbers to what its kernels read: stored
// in their layouts, transformed (Winograd), padded, packed, by the kernels that run once.
//
//   ConstantPacker packer = TRY(ConstantPacker::compile(network));
//   for (size_t call = 0; call < network.calls.size(); ++call)
//     TRY(packer.pack(network, call, addresses, constants));
//
// Whatever the target, these kernels run here and now, as code for one fixed kind of CPU: two hosts
// give the same bytes, and a network for a device or for another CPU has its constants before it
// ever sees one. Why not the code of the target: compiled without fused multiply-adds, a ninth of
// ResNet-18's transformed weights differ in their last digit.

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/ir/network/network_program.h"
#include "core/ir/value/array.h"

namespace dovetail {

// The numbers of a constant of the graph, row-major, by its name.
using ConstantsOfGraph = std::function<Result<ArrayView>(const std::string& tensor)>;

class ConstantPacker {
 public:
  // The error is a build without LLVM, or a host that cannot run the code, where any is needed.
  static Result<ConstantPacker> compile(const NetworkProgram& network);
  ConstantPacker(ConstantPacker&&) noexcept;
  ConstantPacker& operator=(ConstantPacker&&) noexcept;
  ~ConstantPacker();

  // It packs what the call reads of constants, call by call, each after those before it: what one
  // preparation read may lie where that of another one does. `network`: it needs no bodies.
  // `addresses`: of each of its buffers; null where it is neither a constant nor derived.
  Result<void> pack(const NetworkProgram& network, size_t call, std::span<void* const> addresses,
                    const ConstantsOfGraph& constants);

 private:
  struct Code;
  ConstantPacker();

  std::vector<bool> stored_;  // of the network's buffers: constants of the graph that are there
  std::unique_ptr<Code> code_;
};

}  // namespace dovetail
