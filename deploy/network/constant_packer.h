// SPDX-License-Identifier: Apache-2.0
#pragma once

// ConstantPacker: turns the graph's constants into what a network's kernels read: stored in their
// layouts, transformed (Winograd), padded, packed, by the kernels that prepare constants.
//
//   ConstantPacker packer = TRY(ConstantPacker::compile(network));
//   for (size_t call = 0; call < network.calls.size(); ++call)
//     TRY(packer.pack(network, call, addresses, constants));
//
// These kernels run on the host, compiled for one fixed kind of CPU whatever the target is: two
// hosts give the same bytes, and a network for a device or for another CPU has its constants before
// it gets there. Why not the target's code: compiled without fused multiply-adds, a ninth of
// ResNet-18's transformed weights differ in their last digit.

#include <memory>
#include <span>
#include <vector>

#include "core/base/result.h"
#include "core/ir/network/network_program.h"
#include "core/ir/program/buffer_values.h"

namespace dovetail {

class ConstantPacker {
 public:
  // Fails if any code is needed and the build has no LLVM or the host cannot run the code.
  static Result<ConstantPacker> compile(const NetworkProgram& network);
  ConstantPacker(ConstantPacker&&) noexcept;
  ConstantPacker& operator=(ConstantPacker&&) noexcept;
  ~ConstantPacker();

  // Packs the constants that the call reads. Calls must be packed in order: what one preparation
  // reads may share memory with what another one reads. `network` needs no kernel bodies.
  // `addresses` is by buffer, null where the buffer is neither constant nor prepared; `constants`
  // finds the graph's.
  Result<void> pack(const NetworkProgram& network, size_t call, std::span<void* const> addresses,
                    const ValuesOfTensor& constants);

 private:
  struct Code;
  ConstantPacker();

  std::vector<bool> stored_;  // by network buffer: the graph's constant is in place
  std::unique_ptr<Code> code_;
};

}  // namespace dovetail
