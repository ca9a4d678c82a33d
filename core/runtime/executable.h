// SPDX-License-Identifier: Apache-2.0
#pragma once

// Executable: a compiled network without the programs it was compiled from: the launches in order,
// the placement of every buffer in an arena, the bytes of the constants, and the code.
//
//   arenas     workspace 590336        constants 17421120
//   buffers    ids: input 0            pooler.Y: workspace +1024     encoder.0.W: constants +65536
//   launches   bert_tiny_p3_0_B, extent 112, buffers 0 5 9
//   inputs     "input_ids" i64 [1, 128], buffer 0, workspace +0
//
// For each launch, a run fills a table of buffer addresses and calls the kernel over 0 … extent. It
// makes no decisions, allocations or lookups in between.
//
// Why a value of its own: `run` loads it, `build` writes it to disk, and other runtimes can take it
// as it is; none of them needs to know loops, layouts or logs.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/base/result.h"
#include "core/ir/layout/image_shape.h"
#include "core/ir/program/launch.h"
#include "core/ir/program/program.h"
#include "core/ir/target.h"
#include "core/ir/value/element_type.h"
#include "core/ir/value/memory_scope.h"

namespace dovetail {

// Constants are written before the first run and never again; a workspace holds no data between
// runs.
enum class ArenaUse : uint8_t { workspace, constants };

// Memory that the caller of a network provides: one block per arena, aligned to `alignment`.
struct Arena {
  std::string name;  // "workspace", "constants", or a pool's
  ArenaUse use = ArenaUse::workspace;
  int64_t bytes = 0;
  int64_t alignment = 64;
  int64_t lower_bound_bytes = 0;  // workspace only: no plan needs less
  friend bool operator==(const Arena&, const Arena&) = default;
};

struct ArenaPlace {
  size_t arena = 0;
  int64_t offset = 0;
  friend bool operator==(const ArenaPlace&, const ArenaPlace&) = default;
};

// A buffer that launches refer to. Precondition of the kernels: its address is a multiple of 64.
struct ExecutableBuffer {
  std::string name;
  ElementType type = ElementType::f32;
  std::vector<int64_t> shape;  // extents of its layout's physical axes
  MemoryScope scope = MemoryScope::global;
  // None for an input or output, whose address the caller passes, and for a buffer that only the
  // preparation of constants read, which no launch uses.
  std::optional<ArenaPlace> place = {};
  int64_t bytes() const;
  std::optional<ImageShape> image() const;  // textures only
  friend bool operator==(const ExecutableBuffer&, const ExecutableBuffer&) = default;
};
ExecutableBuffer executable_buffer(const Buffer& buffer);  // without a place

// An input or an output, row-major.
struct ExecutableTensor {
  std::string name;  // as in the model
  ElementType type = ElementType::f32;
  std::vector<int64_t> shape;
  size_t buffer = 0;
  // A place in a workspace that is free from the start to the last reader (an input), or from the
  // writer to the end (an output), for callers whose own memory is not aligned. None where inputs
  // and outputs were planned separately.
  std::optional<ArenaPlace> place = {};
  friend bool operator==(const ExecutableTensor&, const ExecutableTensor&) = default;
};

// How `objects` hold the code: machine code that links; OpenCL C texts; what one device's driver
// made of each; printed programs; PTX texts. No two have a kernel of the same name.
enum class CodeForm : uint8_t { objects, opencl_source, driver_binary, program_text, ptx };
std::string_view print(CodeForm form);
Result<CodeForm> parse_word(std::string_view text, std::type_identity<CodeForm>);

// Compiled kernels and the launches of a run in order.
struct Code {
  CodeForm form = CodeForm::objects;
  std::vector<std::string> objects;
  std::vector<Launch> launches;
  friend bool operator==(const Code&, const Code&) = default;
};

struct Executable {
  std::string name;
  Target target;
  std::vector<Arena> arenas;
  std::vector<ExecutableBuffer> buffers;
  // In the model's order; tensors without elements are left out.
  std::vector<ExecutableTensor> inputs, outputs;
  Code code;  // its launches' buffers are indices into `buffers`
  // So many leading launches prepare constants and run only once; a network has none.
  int64_t preparing_launches = 0;
  // One entry per arena, in order: the bytes of a constants arena; empty for a workspace.
  std::vector<std::vector<std::byte>> constants;
  friend bool operator==(const Executable&, const Executable&) = default;
};

// One program, as it is measured: its buffers in its own order, none of them placed.
Executable executable_of(const Program& program, const Target& target, Code code);

}  // namespace dovetail
