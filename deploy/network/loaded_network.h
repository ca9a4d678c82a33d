// SPDX-License-Identifier: Apache-2.0
#pragma once

// LoadedNetwork: a network that is ready to run on a device: code loaded, memory allocated by the
// plan, constants prepared. Running allocates nothing, decides nothing and looks nothing up.
//
//   LoadedNetwork network =
//       TRY(LoadedNetwork::load({program, plan, executable}, cores, constants));
//   TRY(network.write(b, values));              an input, where it is when a run begins
//   const double seconds = TRY(network.run());
//   const NDArray y = TRY(network.read(b));     an output, on the host
//
// Each arena of the plan is one allocation of the device, and a buffer is a view of it; images are
// allocations of their own. Where the device uses the host's memory, constants are packed where
// kernels read them; else they are packed on the host and copied, and the host's copy is freed.
// Where inputs and outputs have an arena of their own, inputs keep their values from run to run.

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "core/base/result.h"
#include "core/ir/network/network_program.h"
#include "core/ir/program/buffer_values.h"
#include "core/ir/value/ndarray.h"
#include "core/runtime/device.h"
#include "core/runtime/executable.h"
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
                                    const ValuesOfTensor& constants,
                                    StoreConstants when = StoreConstants::all);
  LoadedNetwork(LoadedNetwork&&) noexcept;
  LoadedNetwork& operator=(LoadedNetwork&&) noexcept;
  ~LoadedNetwork();

  // Without kernel bodies, which are code by now.
  const NetworkProgram& program() const { return parts_->program; }
  const NetworkPlan& plan() const { return parts_->plan; }
  // Without its code: which buffers its inputs and outputs are.
  const Executable& executable() const { return parts_->executable; }

  // Stores values of a buffer's tensor, in logical order, in its layout.
  Result<void> write(size_t buffer, const ArrayView& logical);
  // Its physical elements on the host: the buffer itself or a copy.
  Result<NDArray> read(size_t buffer);

  // Seconds of a run, the mean of `repetitions` in a row.
  Result<double> run(int64_t repetitions = 1);

  // Packs the constants of this call, in the order of calls and before the call first runs;
  // idempotent. On a device with memory of its own load() has packed all.
  Result<void> store_constants(size_t call, const ValuesOfTensor& constants);
  // Runs one call alone and returns the seconds of its kernels; the calls before it must have run.
  Result<double> run_call(size_t call);
  // Runs one of the kernels that run() launches, by index.
  Result<double> run_kernel(size_t kernel);

 private:
  LoadedNetwork();

  Result<void> allocate();
  Result<NDArray> allocate_arena(const NetworkArena& arena);
  Result<void> bind_buffers();
  void count_kernels();
  Result<void> finish_constants();

  std::unique_ptr<NetworkParts> parts_;
  std::optional<ConstantPacker> packer_;  // until all constants are packed
  std::vector<void*> packed_at_;          // by buffer, for constants and what prepares them
  std::unique_ptr<Device> device_;
  std::unique_ptr<LoadedCode> code_;  // destroyed before the device
  std::vector<NDArray> arenas_;       // by arena of the plan, in the device's memory
  std::vector<NDArray> host_arenas_;  // likewise, where constants are packed; else empty
  std::vector<NDArray> buffers_;      // as kernels take them
  std::vector<size_t> first_kernel_;  // by call, then the end
  size_t packed_ = 0;                 // calls whose constants are packed
};

}  // namespace dovetail
