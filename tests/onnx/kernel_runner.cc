// SPDX-License-Identifier: Apache-2.0
#include "tests/onnx/kernel_runner.h"

#include <cmath>
#include <cstdlib>
#include <limits>
#include <memory>
#include <random>

#include "core/codegen/llvm/compile.h"
#include "core/codegen/llvm/cpu_target.h"
#include "core/codegen/llvm/loader.h"
#include "core/ir/interpreter.h"
#include "core/ir/pack.h"
#include "primitives/apply.h"
#include "primitives/lowering/lower.h"
#include "primitives/space/space.h"

namespace dovetail::testing {
namespace {

Result<Target> host() { return cpu_target(TRY(parse_target_name("cpu"))); }

Result<Program> program_of(const Operator& op, const Trace& trace) {
  const Target target = TRY(host());
  const Schedule schedule = TRY(apply(trace, op, target));
  Program program = TRY(lower(schedule, target));
  TRY(verify(program));
  return program;
}

Operand operand_of(const std::string& tensor) {
  if (tensor == "X") return Operand::input;
  if (tensor == "W") return Operand::weight;
  return tensor == "bias" ? Operand::bias : Operand::addend;
}

// Every buffer's storage: operands packed, all else NaN, so that what no kernel wrote shows.
Storage make_storage(const Program& program, const Operands& operands) {
  Storage storage;
  for (const Buffer& buffer : program.buffers) {
    std::vector<float>& physical = storage[buffer.name];
    physical.assign(static_cast<size_t>(storage_elements(buffer.layout)),
                    std::numeric_limits<float>::quiet_NaN());
    if (buffer.role == BufferRole::activation || buffer.role == BufferRole::constant)
      pack(buffer.layout, operands.at(operand_of(buffer.tensor)), physical);
  }
  return storage;
}

Floats read_output(const Program& program, const Storage& storage) {
  Floats output;
  for (const Buffer& buffer : program.buffers) {
    if (buffer.role != BufferRole::output) continue;
    output.resize(static_cast<size_t>(logical_elements(buffer.layout)));
    unpack(buffer.layout, storage.at(buffer.name), output);
  }
  return output;
}

using AlignedFloats = std::unique_ptr<float, decltype(&std::free)>;

AlignedFloats aligned_copy(const std::vector<float>& values) {
  const size_t bytes = (values.size() * sizeof(float) + 63) / 64 * 64;
  AlignedFloats copy(static_cast<float*>(std::aligned_alloc(64, bytes)), &std::free);
  std::ranges::copy(values, copy.get());
  return copy;
}

}  // namespace

Result<std::vector<Trace>> traces_of(const Operator& op, int samples, uint64_t seed) {
  const Space space = TRY(build_space(op, TRY(host())));
  std::vector<Trace> traces = {space.default_trace()};
  std::mt19937_64 random(seed);
  for (int i = 0; i < samples; ++i) traces.push_back(space.decode(space.sample(random)));
  return traces;
}

Result<Floats> run_compiled(const Operator& op, const Operands& operands, const Trace& trace) {
  const Program program = TRY(program_of(op, trace));
  const CpuObject object = TRY(compile_cpu(program, TRY(host())));
  const LoadedObject code = TRY(LoadedObject::load(object.bytes));
  Storage storage = make_storage(program, operands);
  std::vector<AlignedFloats> memory;
  std::vector<void*> table;
  for (const Buffer& buffer : program.buffers) {
    memory.push_back(aligned_copy(storage[buffer.name]));
    table.push_back(memory.back().get());
  }
  for (size_t i = 0; i < object.kernels.size(); ++i) {
    const auto kernel = TRY(code.find(object.kernels[i]));
    kernel(table.data(), 0, object.parallel_extents[i]);
  }
  for (size_t i = 0; i < memory.size(); ++i) {
    std::vector<float>& physical = storage[program.buffers[i].name];
    std::copy_n(memory[i].get(), physical.size(), physical.begin());
  }
  return read_output(program, storage);
}

Result<Floats> run_interpreted(const Operator& op, const Operands& operands, const Trace& trace) {
  const Program program = TRY(program_of(op, trace));
  Storage storage = make_storage(program, operands);
  TRY(interpret(program, storage));
  return read_output(program, storage);
}

}  // namespace dovetail::testing
