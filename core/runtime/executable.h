// SPDX-License-Identifier: Apache-2.0
#pragma once

// Executable: a network that was compiled, without the programs it was made of: what is launched in
// which order, where every buffer lies, which bytes never change, and the code.
//
//   arenas     workspace 590336        constants 17421120
//   buffers    ids: input 0            pooler.Y: workspace +1024     encoder.0.W: constants +65536
//   launches   bert_tiny_p3_0_B, extent 112, buffers 0 5 9
//   inputs     "input_ids" i64 [1, 128], buffer 0, workspace +0
//
// A run of it makes, for each launch, a table of its buffers' addresses, and calls the kernel over
// 0 … extent. It decides, allocates and looks up nothing in between.
//
// Why a value of its own: `run` loads it, `build` writes it down, and whatever comes to run
// networks elsewhere takes it as it is; none of them knows a loop, a layout or a log.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/ir/layout/image_shape.h"
#include "core/ir/layout/layout.h"
#include "core/ir/target.h"
#include "core/ir/value/value.h"
#include "core/runtime/artifact.h"

namespace dovetail {

// Constants are written before the first run and never again; a workspace holds nothing between
// two runs.
enum class ArenaUse : uint8_t { workspace, constants };

// Memory that whoever runs a network provides: one piece each, aligned as it says.
struct Arena {
  std::string name;  // "workspace", "constants", or a pool's
  ArenaUse use = ArenaUse::workspace;
  int64_t bytes = 0;
  int64_t alignment = 64;
  int64_t lower_bound_bytes = 0;  // of a workspace: no plan needs less
  friend bool operator==(const Arena&, const Arena&) = default;
};

struct ArenaPlace {
  size_t arena = 0;
  int64_t offset = 0;
  friend bool operator==(const ArenaPlace&, const ArenaPlace&) = default;
};

// A buffer that launches name. Kernels take it for granted that each begins at a multiple of 64.
struct ExecutableBuffer {
  std::string name;
  int64_t bytes = 0;
  MemoryScope scope = MemoryScope::global;
  ElementType type = ElementType::f32;
  std::optional<ImageShape> image = {};  // of a texture
  // None: an input or output, of which the caller says where it is, or what only the preparation of
  // constants read, which no launch follows.
  std::optional<ArenaPlace> place = {};
  friend bool operator==(const ExecutableBuffer&, const ExecutableBuffer&) = default;
};

// An input or an output, row-major.
struct ExecutableTensor {
  std::string name;  // as the model has it
  ElementType type = ElementType::f32;
  std::vector<int64_t> shape;
  size_t buffer = 0;
  // In a workspace: a place that is free from the start to its last reader (an input), or from its
  // writer to the end (an output). Whoever has no memory of the right alignment puts it there. None
  // of a network whose inputs and outputs were planned apart.
  std::optional<ArenaPlace> place = {};
  friend bool operator==(const ExecutableTensor&, const ExecutableTensor&) = default;
};

struct Executable {
  std::string name;
  Target target;
  std::vector<Arena> arenas;
  std::vector<ExecutableBuffer> buffers;
  // In the model's order, without those that have no elements.
  std::vector<ExecutableTensor> inputs, outputs;
  std::vector<ArtifactKernel> launches;  // their buffers are numbers of `buffers`
  // Each arena has an entry, in order: its bytes where it holds constants, none of a workspace.
  std::vector<std::vector<std::byte>> constants;
  std::vector<std::string> objects;  // cpu: relocatable objects; opencl: one source
  friend bool operator==(const Executable&, const Executable&) = default;
};

}  // namespace dovetail
