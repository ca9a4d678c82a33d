// SPDX-License-Identifier: Apache-2.0
#if DOVETAIL_HAVE_OPENCL

#include <algorithm>
#include <optional>
#include <thread>

#include "core/base/cores.h"
#include "core/ir/layout/stored_elements.h"
#include "core/ir/program/program.h"
#include "core/runtime/opencl_context.h"
#include "core/runtime/thread_pool.h"
#include "measure/host_device.h"
#include "measure/machine_peak.h"
#include "measure/worker/executor.h"
#include "measure/worker/opencl_launches.h"

namespace dovetail {
namespace {

// Ends a timing that failed: nothing is repeated after a sample this long.
constexpr double kFailedSampleSeconds = 1e9;

Outcome failed(const Error& error) { return {Status::run_error, error.message}; }

std::vector<float> read_elements(std::span<const std::byte> arena, const BufferPlace& place,
                                 ElementType dtype) {
  std::vector<float> elements(place.bytes / static_cast<size_t>(bytes_of(dtype)));
  load_elements(arena.subspan(place.offset, place.bytes), dtype, elements);
  return elements;
}

void write_elements(const std::vector<float>& elements, const BufferPlace& place, ElementType dtype,
                    std::span<std::byte> arena) {
  store_elements(elements, dtype, arena.subspan(place.offset, place.bytes));
}

// Buffers have guard zones on the device, which it checks itself; images have none to leave.
class OpenclExecutor : public Executor {
 public:
  explicit OpenclExecutor(OpenclContext context) : context_(std::move(context)) {}

  Outcome load(const Artifact& artifact) override {
    memories_.clear();
    const Result<Program> program = parse_program(artifact.program);
    if (!program) return failed(program.error());
    const auto launches = parse_launches(artifact.launches, program->buffers.size());
    if (!launches) return failed(launches.error());
    Result<OpenclProgram> kernels = context_.load(artifact.bytes);
    if (!kernels) return failed(kernels.error());
    kernels_.emplace(*std::move(kernels));
    buffers_ = program->buffers;
    for (const Buffer& buffer : buffers_) {
      Result<OpenclMemory> memory =
          context_.allocate(buffer.layout, buffer.dtype, {.guarded = true});
      if (!memory) return {Status::device_limit, memory.error().message};
      memories_.push_back(*std::move(memory));
    }
    set_launches(*launches, static_cast<size_t>(artifact.kernels_once));
    return {};
  }

  Outcome run_once(std::span<std::byte> arena, const ArenaPlan& plan, double& seconds) override {
    if (plan.places.size() != memories_.size()) {
      return {Status::run_error, "an arena of another program"};
    }
    for (size_t b = 0; b < memories_.size(); ++b) {
      const auto done =
          context_.upload(memories_[b], read_elements(arena, plan.places[b], buffers_[b].dtype));
      if (!done) return failed(done.error());
    }
    if (!preparations_.empty()) {
      const Result<double> prepared = context_.run(*kernels_, preparations_);
      if (!prepared) return failed(prepared.error());
    }
    const Result<double> ran = context_.run(*kernels_, launches_);
    if (!ran) return failed(ran.error());
    seconds = *ran;
    return fetch_outputs(arena, plan);
  }

  Outcome begin_timing(std::span<const std::byte>, const ArenaPlan&, bool cold) override {
    timing_ = {};
    if (cold) return {Status::run_error, "cold timing is not supported on OpenCL targets"};
    return {};  // the operands are on the device since run_once
  }

  double sample(int64_t runs) override {
    const Result<double> ran =
        context_.run(*kernels_, launches_, {.repetitions = static_cast<int>(runs)});
    if (ran) return *ran * static_cast<double>(runs);
    timing_ = failed(ran.error());
    return kFailedSampleSeconds;
  }

  Outcome timing_outcome() const override { return timing_; }

  // The host's own peak where the device is the host (PoCL); other devices do not say.
  PeakReply peak(const PeakRequest& request) override {
    PeakReply reply;
    if (!runs_on_host(context_.target())) return reply;
    std::thread([&] {
      ThreadPool pool(allowed_cores());
      reply.fma_gflops = measure_fma_gflops(pool);
      if (!request.bandwidth) return;
      const LevelBandwidth l1 = measure_l1_bandwidth(pool, context_.target());
      reply.l1_bytes_per_second = std::max(l1.read_bytes_per_second, l1.copy_bytes_per_second);
    }).join();
    return reply;
  }

 private:
  // The first `once` of them prepare constants.
  void set_launches(const std::vector<KernelLaunch>& launches, size_t once) {
    launches_.clear();
    preparations_.clear();
    for (const KernelLaunch& launch : launches) {
      OpenclLaunch ready{
          .kernel = launch.name, .global = launch.global, .local = launch.local, .arguments = {}};
      for (int buffer : launch.buffers) {
        ready.arguments.push_back(&memories_[static_cast<size_t>(buffer)]);
      }
      (preparations_.size() < once ? preparations_ : launches_).push_back(std::move(ready));
    }
  }

  Outcome fetch_outputs(std::span<std::byte> arena, const ArenaPlan& plan) {
    for (size_t b = 0; b < memories_.size(); ++b) {
      const Result<bool> intact = context_.guards_intact(memories_[b]);
      if (!intact) return failed(intact.error());
      if (!*intact) {
        return {Status::out_of_bounds, "a guard zone of buffer " + buffers_[b].name + " changed"};
      }
      if (!plan.places[b].is_output) continue;
      std::vector<float> elements(static_cast<size_t>(memories_[b].num_elements()));
      const auto done = context_.download(memories_[b], elements);
      if (!done) return failed(done.error());
      write_elements(elements, plan.places[b], buffers_[b].dtype, arena);
    }
    return {};
  }

  OpenclContext context_;
  std::vector<Buffer> buffers_;
  std::vector<OpenclMemory> memories_;  // of buffers_, never resized while launches_ point into it
  std::optional<OpenclProgram> kernels_;
  std::vector<OpenclLaunch> preparations_, launches_;
  Outcome timing_;
};

}  // namespace

Result<std::unique_ptr<Executor>> make_opencl_executor(const Target& target) {
  OpenclContext context = TRY(OpenclContext::open(target.name));
  return std::make_unique<OpenclExecutor>(std::move(context));
}

}  // namespace dovetail

#endif
