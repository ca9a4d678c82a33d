// SPDX-License-Identifier: Apache-2.0
#pragma once

// LoadedNetwork: a network that is ready to run: code loaded, memory as planned, constants
// prepared. While it runs nothing is allocated, decided or looked up.
//
//   LoadedNetwork network =
//       TRY(LoadedNetwork::load({program, plan, executable}, cores, constants));
//   network.bytes(b)                       of any buffer: inputs are written there, outputs read
//   const double seconds = TRY(network.run());
//
// Inputs and outputs keep their addresses. On a device of its own run() moves them there and back,
// which is not in its seconds.

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

// A network's weights and the graph's together take much of the memory. Where constants are stored
// and prepared call by call, the graph can let each go before the next.
enum class StoreConstants { all, call_by_call };

struct NetworkParts {
  NetworkProgram program;
  NetworkPlan plan;
  Executable
      executable;  // of both, without bytes of constants: they are packed where they will lie
};

class LoadedNetwork {
 public:
  // CPU targets run on `cores`, to the first of which the calling thread is pinned. The thread that
  // loads a network is the one that runs it.
  static Result<LoadedNetwork> load(NetworkParts parts, const std::vector<int>& cores,
                                    const ConstantsOfGraph& constants,
                                    StoreConstants when = StoreConstants::all);
  LoadedNetwork(LoadedNetwork&&) noexcept;
  LoadedNetwork& operator=(LoadedNetwork&&) noexcept;
  ~LoadedNetwork();

  // Without the bodies of its kernels, which are code by now.
  const NetworkProgram& program() const { return parts_->program; }
  const NetworkPlan& plan() const { return parts_->plan; }
  std::span<std::byte> bytes(size_t buffer) const;

  // Seconds of a run, the mean of so many in a row.
  Result<double> run(int64_t repetitions = 1);

  // Call by call, each after those before it: the constants of this call that are not there yet,
  // before it first runs. A device has all when the network is loaded.
  Result<void> store_constants(size_t call, const ConstantsOfGraph& constants);
  // One call, alone, with the seconds that its kernels took; calls before it have run. What it
  // makes for others is at bytes() afterwards, also on a device.
  Result<double> run_call(size_t call);
  // One kernel of those that run() launches, by its number among them.
  Result<double> run_kernel(size_t kernel);
  // Inputs that were written go to the device.
  Result<void> give_inputs();

 private:
  struct Device;
  LoadedNetwork();

  Result<void> allocate();
  Result<void> load_code(const std::vector<int>& cores);
  void release_preparation();

  std::unique_ptr<NetworkParts> parts_;
  std::optional<ConstantPacker> packer_;  // until all constants are there
  std::vector<HugePages> arenas_;         // the plan's
  std::vector<void*> addresses_;          // of the buffers
  std::vector<size_t> inputs_;            // of them, those that are given
  std::vector<size_t> first_kernel_;      // of each call, and the end
  size_t packed_ = 0;                     // calls whose constants are there
  std::unique_ptr<Device> device_;
};

}  // namespace dovetail
