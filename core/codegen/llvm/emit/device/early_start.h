// SPDX-License-Identifier: Apache-2.0
//
// Kernels that a device may start while the ones before them run (programmatic dependent launch,
// since sm_90): their groups are placed on units that are free, and wait there.
//
//   griddepcontrol.launch_dependents;    what follows may be placed, once each group got here
//   griddepcontrol.wait;                 all before it have ended, and what they wrote is seen
//   setp.ne.b64 %p, %rd1, 0;             %rd1: the first buffer, which is never null
//   @!%p ret;
//
// These come first in a kernel: it touches no memory before. What is saved is the placing, some
// microsecond between two kernels. Launched in the ordinary way, a kernel has nothing to await.
//
// The branch is there because operands are loaded by ld.global.nc, which lets ptxas take a load for
// independent of all before it, the wait included: in a norm of 16 x 128 rows, it loaded a variance
// before the kernel that makes it had ended. No load moves above a branch that may leave the
// kernel. By plain loads it would keep them apart, too, but also from stores to other buffers: an
// operand of an epilogue would then be awaited for each vector.
#pragma once

namespace llvm {
class Module;
}

namespace dovetail::codegen {

// In all kernels of the module, after every pass that moves loads.
void await_earlier_launches(llvm::Module& module);

}  // namespace dovetail::codegen
