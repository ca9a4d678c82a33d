// SPDX-License-Identifier: Apache-2.0
#include "core/runtime/loaded_opencl_program.h"

#include <algorithm>

#include "core/base/fail.h"

namespace dovetail {
namespace {

Result<void> check_arguments(const Artifact& artifact, size_t num_buffers) {
  for (const ArtifactKernel& kernel : artifact.kernels) {
    for (int buffer : kernel.buffers) {
      if (buffer >= 0 && static_cast<size_t>(buffer) < num_buffers) continue;
      return fail("kernel {} takes buffer {} of {}", kernel.name, buffer, num_buffers);
    }
  }
  return {};
}

}  // namespace

Result<std::unique_ptr<LoadedOpenclProgram>> LoadedOpenclProgram::load(const Artifact& artifact,
                                                                       OpenclContext context) {
  Program program = TRY(parse_program(artifact.program));
  TRY(check_arguments(artifact, program.buffers.size()));
  OpenclProgram code = TRY(context.load(artifact.bytes));
  return std::unique_ptr<LoadedOpenclProgram>(new LoadedOpenclProgram(
      std::move(context), std::move(code), std::move(program.buffers), artifact));
}

Result<void> LoadedOpenclProgram::allocate(const AllocationOptions& options) {
  for (const Buffer& buffer : buffers_)
    memories_.push_back(TRY(context_.allocate(buffer.layout, buffer.dtype, options)));
  for (const ArtifactKernel& kernel : kernels_) {
    OpenclLaunch launch{
        .kernel = kernel.name, .global = kernel.global, .local = kernel.local, .arguments = {}};
    for (int buffer : kernel.buffers)
      launch.arguments.push_back(&memories_[static_cast<size_t>(buffer)]);
    (preparations_.size() < kernels_once_ ? preparations_ : launches_).push_back(std::move(launch));
  }
  return {};
}

Result<void> LoadedOpenclProgram::place(std::span<void* const> buffers) {
  if (buffers.size() != memories_.size())
    return fail("{} addresses for a program of {} buffers", buffers.size(), memories_.size());
  places_.assign(buffers.begin(), buffers.end());
  for (size_t b = 0; b < memories_.size(); ++b) TRY(context_.upload(memories_[b], places_[b]));
  return {};
}

Result<void> LoadedOpenclProgram::prepare_part(size_t first, size_t last) {
  last = std::min(last, preparations_.size());
  if (first >= last) return {};
  TRY(context_.run(code_, std::span(preparations_).subspan(first, last - first)));
  return {};
}

Result<double> LoadedOpenclProgram::run(int64_t repetitions) {
  if (launches_.empty()) return 0.0;  // a network of views has no kernels
  return context_.run(code_, launches_, repetitions);
}

Result<void> LoadedOpenclProgram::fetch() {
  for (size_t b = 0; b < memories_.size(); ++b)
    if (buffers_[b].role == BufferRole::output) TRY(context_.download(memories_[b], places_[b]));
  return {};
}

Result<double> LoadedOpenclProgram::run_part(size_t first, size_t last) {
  last = std::min(last, launches_.size());
  if (first >= last) return 0.0;
  return context_.run(code_, std::span(launches_).subspan(first, last - first));
}

Result<void> LoadedOpenclProgram::give_buffer(size_t buffer) {
  return context_.upload(memories_[buffer], places_[buffer]);
}

Result<void> LoadedOpenclProgram::fetch_buffer(size_t buffer) {
  return context_.download(memories_[buffer], places_[buffer]);
}

Result<const Buffer*> LoadedOpenclProgram::breached() {
  for (size_t b = 0; b < memories_.size(); ++b)
    if (!TRY(context_.guards_intact(memories_[b]))) return &buffers_[b];
  return nullptr;
}

}  // namespace dovetail
