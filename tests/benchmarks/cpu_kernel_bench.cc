// SPDX-License-Identifier: Apache-2.0
//
// How fast generated CPU kernels are, beside the multiply-add peak of the same core in the same
// run, and how long they take to make.
//   build/release/tests/cpu_kernel_bench
#include <benchmark/benchmark.h>

#include "core/base/check.h"
#include "tests/core/codegen/llvm/compiled_program.h"
#include "tests/core/codegen/llvm/programs.h"

namespace dovetail::testing {
namespace {

// 24 independent chains of full vectors, as a program: what the peak is measured by.
constexpr const char* kPeak = R"(
buffer X: f32 activation X[i=16] as [i@1:16]
buffer Y: f32 output Y[r=24, l=16] as [r@1:24] [l@1:16]
kernel peak
  registers acc[24, 16]
  registers x[16]
  for l in 0..16 vectorized
    x[l] = X[l]
  for r in 0..24 unrolled
    for l in 0..16 vectorized
      acc[r, l] = 0
  for i in 0..10000
    for r in 0..24 unrolled
      for l in 0..16 vectorized
        acc[r, l] += acc[r, l] * x[l]
  for r in 0..24 unrolled
    for l in 0..16 vectorized
      Y[r, l] = acc[r, l]
)";

// Memory of a program's buffers, aligned, with small integers in it.
struct Buffers {
  std::vector<std::vector<float>> memory;
  std::vector<void*> table;
};
Buffers buffers_of(const Program& program) {
  Buffers buffers;
  const Storage storage = small_integers(program, 1);
  for (const Buffer& buffer : program.buffers) {
    const std::vector<float>& values = storage.find(buffer.name)->second;
    std::vector<float>& memory = buffers.memory.emplace_back(values.size() + 16);
    const auto misalignment = reinterpret_cast<uintptr_t>(memory.data()) % 64 / sizeof(float);
    float* start = memory.data() + (misalignment == 0 ? 0 : 16 - misalignment);
    for (size_t i = 0; i < values.size(); ++i) start[i] = values[i] == values[i] ? values[i] : 0;
    buffers.table.push_back(start);
  }
  return buffers;
}

// Runs one kernel of the program; `flops` and `bytes` of one run give the rates.
void run_kernel(benchmark::State& state, const char* text, size_t kernel_number, double flops,
                double bytes) {
  const Program program = program_of(text);
  const CpuObject object = *compile_cpu(program, host_cpu());
  const LoadedObject code = *LoadedObject::load(object.bytes);
  const LoadedObject::KernelFunction kernel = *code.find(object.kernels.at(kernel_number));
  const Buffers buffers = buffers_of(program);
  for (auto _ : state) {
    kernel(buffers.table.data(), 0, object.parallel_extents[kernel_number]);
    benchmark::ClobberMemory();
  }
  const auto rate = [&](double amount) {
    return benchmark::Counter(amount, benchmark::Counter::kIsIterationInvariantRate);
  };
  if (flops > 0) state.counters["flops"] = rate(flops);
  if (bytes > 0) state.counters["bytes"] = rate(bytes);
}

void compile_program(benchmark::State& state, const char* text) {
  const Program program = program_of(text);
  const Target target = host_cpu();
  for (auto _ : state) benchmark::DoNotOptimize(compile_cpu(program, target)->bytes.data());
}

void load_program(benchmark::State& state, const char* text) {
  const CpuObject object = *compile_cpu(program_of(text), host_cpu());
  for (auto _ : state)
    benchmark::DoNotOptimize(LoadedObject::load(object.bytes)->find(object.kernels[0]));
}

constexpr double kConvolutionFlops = 2.0 * 64 * 64 * 9 * 56 * 56;
constexpr double kPadBytes = 4.0 * 64 * (56 * 56 + 58 * 58);
BENCHMARK_CAPTURE(run_kernel, fma_peak, kPeak, 0, 2.0 * 10000 * 24 * 16, 0)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(run_kernel, c2d, kConvolution, 1, kConvolutionFlops, 0)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(run_kernel, pad, kConvolution, 0, 0, kPadBytes)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(run_kernel, depthwise, kDepthwise, 0, 2.0 * 64 * 9 * 112 * 112, 0)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(run_kernel, gmm, kMatrixProduct, 0, 2.0 * 64 * 64 * 64, 0)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(compile_program, c2d, kConvolution)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(compile_program, depthwise, kDepthwise)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(compile_program, gmm, kMatrixProduct)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(load_program, c2d, kConvolution)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace dovetail::testing

BENCHMARK_MAIN();
