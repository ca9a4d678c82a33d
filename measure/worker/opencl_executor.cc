// SPDX-License-Identifier: Apache-2.0
#if DOVETAIL_HAVE_OPENCL

#include <fmt/format.h>

#include <thread>

#include "core/base/cores.h"
#include "core/runtime/loaded_opencl_program.h"
#include "core/runtime/thread_pool.h"
#include "measure/host_device.h"
#include "measure/worker/executor.h"

namespace dovetail {
namespace {

// Buffers have guard zones on the device, checked by the program; images need none.
class OpenclExecutor : public Executor {
 public:
  explicit OpenclExecutor(OpenclContext context) : context_(std::move(context)) {}

  Outcome load(const Artifact& artifact) override {
    program_.reset();
    auto loaded = LoadedOpenclProgram::load(artifact, context_);
    if (!loaded) return {Status::run_error, loaded.error().message};
    program_ = *std::move(loaded);
    return outcome_of(program_->allocate({.guarded = true}), Status::device_limit);
  }

  Outcome begin_timing(std::span<const std::byte>, const ArenaPlan&, Caches caches) override {
    if (caches != Caches::hot) {
      return {Status::run_error,
              fmt::format("{} caches are not supported on OpenCL targets", print(caches))};
    }
    return {};  // the operands are on the device since run_once
  }

  // The host's own peak if the device is the host (PoCL); no figure for other devices.
  PeakReply peak(const PeakRequest& request) override {
    PeakReply reply;
    if (!runs_on_host(context_.target())) return reply;
    std::thread([&] {
      ThreadPool pool(allowed_cores());
      reply = peak_of(pool, context_.target(), request);
    }).join();
    return reply;
  }

 private:
  LoadedProgram& program() override { return *program_; }

  Outcome check_guards() override {
    const Result<const Buffer*> breached = program_->breached();
    if (!breached) return {Status::run_error, breached.error().message};
    if (*breached == nullptr) return {};
    return {Status::out_of_bounds, "a guard zone of buffer " + (*breached)->name + " changed"};
  }

  OpenclContext context_;
  std::unique_ptr<LoadedOpenclProgram> program_;
};

}  // namespace

Result<std::unique_ptr<Executor>> make_opencl_executor(const Target& target) {
  OpenclContext context = TRY(OpenclContext::open(target.name));
  return std::make_unique<OpenclExecutor>(std::move(context));
}

}  // namespace dovetail

#endif
