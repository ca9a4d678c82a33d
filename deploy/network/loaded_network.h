// SPDX-License-Identifier: Apache-2.0
#pragma once

// LoadedNetwork: a network that is ready to run: code loaded, memory allocated by the plan,
// constants prepared. Running allocates nothing, decides nothing and looks nothing up.
//
//   LoadedNetwork network =
//       TRY(LoadedNetwork::load({program, plan, executable}, cores, constants));
//   network.bytes(b)                       of any buffer: inputs are written there, outputs read
//   const double seconds = TRY(network.run());
//
// Inputs and outputs keep their addresses. On a device with its own memory run() copies them there
// and back; its seconds exclude that.

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/ir/network/network_program.h"
#include "core/runtime/executable.h"
#include "core/runtime/huge_pages.h"
#include "core/runtime/loaded_program.h"
#include "deploy/network/constant_packer.h"
#include "deploy/network/network_plan.h"

namespace dovetail {

// The network's weights and the graph's together take much memory. With call_by_call the graph can
// free each constant before the next one is packed.
enum class StoreConstants { all, call_by_call };

struct NetworkParts {
  NetworkProgram program;
  NetworkPlan plan;
  Executable executable;  // without constants: they are packed at their final addresses
};

class LoadedNetwork {
 public:
  // CPU targets run on `cores`; the calling thread is pinned to the first of them, and must be the
  // one that runs the network.
  static Result<LoadedNetwork> load(NetworkParts parts, const std::vector<int>& cores,
                                    const ConstantsOfGraph& constants,
                                    StoreConstants when = StoreConstants::all);
  LoadedNetwork(LoadedNetwork&&) noexcept;
  LoadedNetwork& operator=(LoadedNetwork&&) noexcept;
  ~LoadedNetwork();

  // Without kernel bodies, which are code by now.
  const NetworkProgram& program() const { return parts_->program; }
  const NetworkPlan& plan() const { return parts_->plan; }
  std::span<std::byte> bytes(size_t buffer) const;

  // Seconds of a run, the mean of `repetitions` in a row.
  Result<double> run(int64_t repetitions = 1);

  // Packs the constants of this call, in the order of calls and before the call first runs;
  // idempotent. On a device load() has packed all.
  Result<void> store_constants(size_t call, const ConstantsOfGraph& constants);
  // Runs one call alone and returns the seconds of its kernels; the calls before it must have run.
  // Its results are at bytes() afterwards, also on a device.
  Result<double> run_call(size_t call);
  // Runs one of the kernels that run() launches, by index.
  Result<double> run_kernel(size_t kernel);
  // Copies inputs to the device after they were written.
  Result<void> give_inputs();

 private:
  struct Device;
  LoadedNetwork();

  Result<void> allocate();
  Result<void> load_code(const std::vector<int>& cores);
  void release_preparation();

  std::unique_ptr<NetworkParts> parts_;
  std::optional<ConstantPacker> packer_;  // until all constants are packed
  std::vector<HugePages> arenas_;         // by arena of the plan
  std::vector<void*> addresses_;          // by buffer
  std::vector<size_t> inputs_;            // numbers of input buffers
  std::vector<size_t> first_kernel_;      // by call, then the end
  size_t packed_ = 0;                     // calls whose constants are packed
  std::unique_ptr<Device> device_;
};

}  // namespace dovetail
