// SPDX-License-Identifier: Apache-2.0
//
// Kernels that a device may start while the ones before them run (programmatic dependent launch,
// since sm_90): their groups are placed on units that are free, and wait there.
//
//   griddepcontrol.launch_dependents;    what follows may be placed, once each group got here
//   griddepcontrol.wait;                 all before it have ended, and what they wrote is seen
//
// Both come first in a kernel: it touches no memory before. What is saved is the placing, some
// microsecond between two kernels. Launched in the ordinary way, a kernel has nothing to await.
#pragma once

namespace llvm {
class Module;
}

namespace dovetail::codegen {

// In all kernels of the module, after every pass that moves loads.
void await_earlier_launches(llvm::Module& module);

}  // namespace dovetail::codegen
