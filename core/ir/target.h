// SPDX-License-Identifier: Apache-2.0
//
// Target: the capabilities of a device as data; no driver is queried here (core/backends does that
// and fills it in).
//
//   cpu                      this host, one thread          cpu:threads=2
//   cpu:arch=x86-64-v3       another CPU's instruction set: nothing can run unless this host has it
//   opencl, opencl:pocl      first OpenCL device, or the first whose platform's name has the text
//   opencl:profile=FILE      a device that is not here: the limits that `doctor --profile` wrote
//
// Why the name and the capabilities are separate: spaces, default traces and emitters depend on the
// capabilities only, so that they run and are tested without the device; records carry the name,
// and the capabilities in their header.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/ir/value/element_type.h"

namespace dovetail {

struct TargetName {
  std::string backend = "cpu";  // a row of core/backends/backends.h
  int threads = 1;
  std::string arch;     // another CPU than this host's
  std::string device;   // substring of the platform's or device's name; empty: the first
  std::string profile;  // path of a profile
  friend bool operator==(const TargetName&, const TargetName&) = default;
};
// BACKEND, BACKEND:threads=N,arch=NAME, BACKEND:profile=FILE or BACKEND:DEVICE. Which of these a
// backend takes, and whether there is one of that name, is checked when the target is resolved.
Result<TargetName> parse_target_name(std::string_view text);
std::string print(const TargetName& name);

// How a kernel's outer loops run in parallel: shared among threads, each on a core of its own
// (parallel), or spread over work-groups of work-items (bind).
enum class ExecutionModel : uint8_t { threads, work_groups };

struct Target {
  TargetName name;
  std::string device;  // "AMD EPYC (znver5)", "pthread-skylake-avx512"
  std::string driver;  // "LLVM 19.1.7", "PoCL 3.1"
  ExecutionModel execution = ExecutionModel::threads;
  int vector_bytes = 16;
  int vector_registers = 16;
  int64_t buffer_alignment = 64;  // bytes; buffers of a kernel begin at multiples of it
  int64_t l1_bytes = 32 << 10, l2_bytes = 1 << 20, l3_bytes = 16 << 20;
  std::string llvm_cpu, llvm_features, llvm_triple;  // cpu: options of the code generator
  // opencl
  bool has_images = false;
  int64_t image2d_max_width = 0, image2d_max_height = 0, image_array_max_layers = 0;
  int64_t max_work_group_size = 1, local_memory_bytes = 0, compute_units = 1;
  // Maximum work-items of a group along thread.0, thread.1 and thread.2; 0: limited only by
  // max_work_group_size.
  std::array<int64_t, 3> max_work_item_sizes = {0, 0, 0};
  // Work-items that run in lockstep, and what the groups that are resident on a unit share: 32-bit
  // registers, work-items, and bytes of local memory. 0: not known.
  int64_t lockstep_work_items = 0;
  int64_t unit_registers = 0, unit_work_items = 0, unit_local_bytes = 0;
  bool has_fp16 = false, has_fp64 = false;
  friend bool operator==(const Target&, const Target&) = default;
};

// Spaces, rules and lowering ask these and the other facts, never for a backend, so that a further
// one needs no change there.
inline bool runs_threads(const Target& target) {
  return target.execution == ExecutionModel::threads;
}
inline bool runs_work_groups(const Target& target) {
  return target.execution == ExecutionModel::work_groups;
}

// Elements of a vector: 16 of f32, 64 of i8 in 64 bytes.
inline int vector_lanes(const Target& target, ElementType type = ElementType::f32) {
  return target.vector_bytes / static_cast<int>(bytes_of(type));
}

// Maximum work-items of a group along `axis`, which is 0, 1 or 2.
int64_t max_work_items(const Target& target, size_t axis);

// True if additions run on other units than multiply-adds, so that both run in parallel: AMD's
// cores since Zen, detected by the processor's name, because no feature flag tells.
bool adds_beside_multiplying(const Target& target);

// True if a load broadcasts one value to a 512-bit vector without another unit; earlier cores also
// occupy an adder. AMD's cores since Zen 5, detected by name, too.
bool spreads_while_loading(const Target& target);

// `key=value` lines, sorted, which `doctor --profile` writes and opencl:profile=FILE reads.
// print/parse round-trip. Texts from
// before `vector_bytes` say `vector_lanes`, of f32; texts from before `execution` was a fact run
// work-groups if groups of more than one work-item are allowed.
std::string print(const Target& target);
Result<Target> parse_target(std::string_view text);

}  // namespace dovetail
