// SPDX-License-Identifier: Apache-2.0
#include "tests/onnx/kernel_runner.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <memory>
#include <random>

#include "core/codegen/llvm/compile.h"
#include "core/codegen/llvm/cpu_target.h"
#include "core/codegen/llvm/loader.h"
#include "core/ir/layout/pack.h"
#include "primitives/apply.h"
#include "primitives/lowering/lower.h"
#include "primitives/space/space.h"
#include "tests/support/interpreter.h"

namespace dovetail::testing {
namespace {

namespace fs = std::filesystem;
Operand operand_of(const std::string& tensor) {
  if (tensor == "X") return Operand::input;
  if (tensor == "W") return Operand::weight;
  return tensor == "bias" ? Operand::bias : Operand::addend;
}

bool is_ours(const std::string& name) {
  if (name.find("integer") != std::string::npos) return false;  // other types, not tuned
  for (const char* prefix :
       {"test_basic_conv", "test_conv", "test_Conv", "test_gemm", "test_matmul", "test_Linear",
        "test_operator_conv", "test_operator_mm", "test_operator_addmm"})
    if (name.starts_with(prefix)) return true;
  return false;
}

void expect_near(const Floats& actual, const Floats& expected, const std::string& how) {
  ASSERT_EQ(actual.size(), expected.size());
  for (size_t i = 0; i < expected.size(); ++i)
    ASSERT_NEAR(actual[i], expected[i], 1e-4 + 1e-4 * std::abs(expected[i]))
        << how << ", element " << i;
}

using AlignedFloats = std::unique_ptr<float, decltype(&std::free)>;

AlignedFloats aligned_copy(const std::vector<float>& values) {
  const size_t bytes = (values.size() * sizeof(float) + 63) / 64 * 64;
  AlignedFloats copy(static_cast<float*>(std::aligned_alloc(64, bytes)), &std::free);
  std::ranges::copy(values, copy.get());
  return copy;
}

}  // namespace

Result<Target> host_cpu() {
  const TargetName name = TRY(parse_target_name("cpu"));
  return cpu_target(name);
}

Result<Program> program_of(const Operator& op, const Trace& trace, const Target& target) {
  const Schedule schedule = TRY(apply(trace, op, target));
  Program program = TRY(lower(schedule, target));
  TRY(verify(program));
  return program;
}

Storage make_storage(const Program& program, const Operands& operands) {
  Storage storage;
  for (const Buffer& buffer : program.buffers) {
    std::vector<float>& physical = storage[buffer.name];
    physical.assign(static_cast<size_t>(storage_elements(buffer.layout)),
                    std::numeric_limits<float>::quiet_NaN());
    if (!is_input(buffer.role)) continue;
    std::vector<NDArray> guests;
    for (const Guest& guest : buffer.layout.guests)
      guests.emplace_back(operands.at(operand_of(guest.tensor)));
    const Floats& host = operands.at(operand_of(buffer.tensor));
    pack(buffer.layout, floats_of(join_guests(buffer.layout, host, guests)), physical);
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

Result<std::vector<Trace>> traces_of(const Operator& op, const Target& target, int samples,
                                     uint64_t seed) {
  const Space space = TRY(build_space(op, target));
  std::vector<Trace> traces = {space.default_trace()};
  std::mt19937_64 random(seed);
  for (int i = 0; i < samples; ++i) traces.push_back(space.decode(space.sample(random)));
  return traces;
}

Result<Floats> run_compiled(const Operator& op, const Operands& operands, const Trace& trace) {
  const Target target = TRY(host_cpu());
  const Program program = TRY(program_of(op, trace, target));
  const CpuObject object = TRY(compile_cpu(program, target));
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
  const Target target = TRY(host_cpu());
  const Program program = TRY(program_of(op, trace, target));
  Storage storage = make_storage(program, operands);
  TRY(interpret(program, storage));
  return read_output(program, storage);
}

std::vector<std::string> our_cases() {
  std::vector<std::string> folders;
  const auto all = list_onnx_cases(kOnnxTestDataFolder);
  if (!all) return folders;
  for (const std::string& folder : *all)
    if (is_ours(fs::path(folder).filename().string())) folders.push_back(folder);
  return folders;
}

void expect_case(const OnnxCase& one, const std::string& how, const OperatorRunner& runner) {
  for (const OnnxDataSet& data : one.data_sets) {
    std::vector<Floats> inputs;
    for (const GraphTensor& input : data.inputs) inputs.push_back(floats_of(*input.data));
    const auto outputs = evaluate(one.graph, inputs, runner);
    ASSERT_TRUE(outputs) << how << ": " << outputs.error().message;
    for (size_t i = 0; i < outputs->size(); ++i)
      expect_near((*outputs)[i], floats_of(*data.outputs[i].data), how);
  }
}

}  // namespace dovetail::testing
