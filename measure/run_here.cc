// SPDX-License-Identifier: Apache-2.0
#include "measure/run_here.h"

#include <fmt/format.h>

#include <memory>

#include "core/base/core_split.h"
#include "core/ir/layout/pack.h"
#include "core/ir/layout/stored_elements.h"
#include "measure/arena_plan.h"
#include "measure/worker/build_role.h"
#include "measure/worker/executor.h"

namespace dovetail {
namespace {

struct FreeAligned {
  void operator()(std::byte* bytes) const { ::operator delete[](bytes, kAlignment); }
  static constexpr std::align_val_t kAlignment{kBufferAlignment};
};

Result<std::unique_ptr<Executor>> executor_for(const Target& target) {
  if (target.name.kind == TargetKind::cpu) {
#if DOVETAIL_HAVE_LLVM
    return make_cpu_executor(
        target, split_cores(physical_cores(), static_cast<size_t>(target.name.threads)).timed);
#else
    return fail("this dovetail was built without LLVM: no code for cpu targets");
#endif
  }
#if DOVETAIL_HAVE_OPENCL
  return make_opencl_executor(target);
#else
  return fail("this dovetail was built without OpenCL: no code for opencl targets");
#endif
}

Result<std::span<const float>> elements_of(const std::string& tensor, const RegionInputs& inputs) {
  const auto found = inputs.find(tensor);
  if (found == inputs.end()) return fail(fmt::format("tensor {} is not given", tensor));
  return std::span<const float>(found->second);
}

Result<void> fill(const Buffer& buffer, const RegionInputs& inputs, std::span<std::byte> bytes) {
  std::span<const float> logical = TRY(elements_of(buffer.tensor, inputs));
  std::vector<float> joined;
  if (!buffer.layout.guests.empty()) {
    std::vector<std::span<const float>> guests;
    for (const Guest& guest : buffer.layout.guests)
      guests.push_back(TRY(elements_of(guest.tensor, inputs)));
    joined = join_guests(buffer.layout, logical, guests);
    logical = joined;
  }
  const int64_t expected = logical_elements(buffer.layout);
  if (static_cast<int64_t>(logical.size()) != expected)
    return fail(fmt::format("tensor {} has {} elements, expected {}", buffer.tensor, logical.size(),
                            expected));
  std::vector<float> physical(static_cast<size_t>(storage_elements(buffer.layout)));
  pack(buffer.layout, logical, physical);
  store_elements(physical, buffer.dtype, bytes);
  return {};
}

std::vector<float> contents(const Buffer& buffer, std::span<const std::byte> bytes) {
  std::vector<float> physical(static_cast<size_t>(storage_elements(buffer.layout)));
  load_elements(bytes, buffer.dtype, physical);
  std::vector<float> logical(static_cast<size_t>(logical_elements(buffer.layout)));
  unpack(buffer.layout, physical, logical);
  return logical;
}

}  // namespace

Result<RegionInputs> run_here(const Program& program, const Target& target,
                              const RegionInputs& inputs) {
  const BuildReply built = BuildRole().build({.target = print(target), .program = print(program)});
  if (built.status != Status::ok) return fail(built.reason);
  const ArenaPlan plan = plan_arena(program);
  const std::unique_ptr<std::byte[], FreeAligned> memory(new (FreeAligned::kAlignment)
                                                             std::byte[plan.bytes]);
  const std::span<std::byte> arena(memory.get(), plan.bytes);
  poison(program, plan, arena);
  const auto place = [&](size_t b) {
    return arena.subspan(plan.places[b].offset, plan.places[b].bytes);
  };
  for (size_t b = 0; b < program.buffers.size(); ++b) {
    if (is_input(program.buffers[b].role)) TRY(fill(program.buffers[b], inputs, place(b)));
  }
  const std::unique_ptr<Executor> executor = TRY(executor_for(target));
  if (const Outcome loaded = executor->load(built.artifact); loaded.status != Status::ok)
    return fail(loaded.reason);
  double seconds = 0;
  if (const Outcome ran = executor->run_once(arena, plan, seconds); ran.status != Status::ok)
    return fail(ran.reason);
  if (const auto breach = find_breach(program, plan, arena)) return fail(*breach);
  RegionInputs outputs;
  for (size_t b = 0; b < program.buffers.size(); ++b) {
    const Buffer& buffer = program.buffers[b];
    if (buffer.role == BufferRole::output) outputs[buffer.tensor] = contents(buffer, place(b));
  }
  return outputs;
}

}  // namespace dovetail
