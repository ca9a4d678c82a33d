// SPDX-License-Identifier: Apache-2.0
#pragma once

// Backend: one way of making code and running it: finds its devices, describes them as Targets,
// compiles programs for one, and opens one.
//
//   const Backend& backend = backend_of(target);                 // core/backends/backends.h
//   const EmittedCode code = TRY(backend.emit(programs, target, {.prefix = "net_p"}));
//   const std::unique_ptr<Device> device = TRY(backend.open(target, {.cores = {0, 1}}));
//
// A backend is a folder here and a row in the table of backends.cc. Everything outside these
// folders is the same for all of them: what depends on a device is a fact of its Target (execution
// model, images, caches) or a question below.

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/ir/program/launch.h"
#include "core/ir/program/program.h"
#include "core/ir/target.h"
#include "core/runtime/device.h"
#include "core/runtime/executable.h"

namespace dovetail {

struct EmitOptions {
  // Begins the names of kernels, before the program's number, so that several networks can be
  // linked into one binary.
  std::string_view prefix = "dovetail_p";
  bool hidden = false;  // symbols link statically; no shared library exports them
  // Texts for a driver: a device keeps what it made of each (Device::build).
  KernelTexts texts = KernelTexts::together;
};

// Code of several programs, such as a network's, compiled together.
struct EmittedCode {
  CodeForm form = CodeForm::objects;
  std::vector<std::string> objects;
  // By program, one for each kernel; their buffers are positions in Program::buffers.
  std::vector<std::vector<Launch>> launches;
};

struct DeviceOptions {
  // Threads of its kernels run on these, where they run on the host's cores; the first thread is
  // the one that loads code first, which is pinned then and must be the one that runs it.
  std::vector<int> cores;
};

class Backend {
 public:
  virtual ~Backend() = default;

  virtual std::string_view name() const = 0;        // "cpu": what names of targets begin with
  virtual std::string_view name_forms() const = 0;  // "cpu, cpu:threads=N": for messages

  // Words of other programs for its devices, in messages: "cuda".
  virtual std::span<const std::string_view> other_words() const { return {}; }

  // Its devices on this machine. An error when a driver fails.
  virtual Result<std::vector<Target>> devices() const = 0;
  // The facts of the device that is meant. `name` is kept.
  virtual Result<Target> resolve(const TargetName& name) const = 0;
  // Fails if code for the target does not run here; the line says why.
  virtual Result<void> check_runs_here(const Target& target) const = 0;
  // True for this machine's own processor: its threads compete with the tuner's, it uses the host's
  // memory, and limits on a process's memory hold.
  virtual bool is_this_host(const Target& target) const = 0;
  // Cores that only the device's threads may use while a candidate is timed, of `allowed`.
  virtual size_t timed_cores(const Target& target, size_t allowed) const = 0;
  // True if the state of the caches before a run can be chosen (core/record/line/caches.h).
  virtual bool has_cache_states() const = 0;

  // The form of the code that emit() gives. A package holds some forms only.
  virtual CodeForm code_form() const = 0;
  // Fails, with one line, for what the target cannot run; a limit of the device is
  // ErrorKind::device_limit.
  virtual Result<EmittedCode> emit(std::span<const Program> programs, const Target& target,
                                   const EmitOptions& options) const = 0;
  virtual Result<std::unique_ptr<Device>> open(const Target& target,
                                               const DeviceOptions& options) const = 0;
  // Code for people: `form` is source, ir or asm. Fails, naming those it has.
  virtual Result<std::string> describe(const Program& program, const Target& target,
                                       std::string_view form) const = 0;
};

}  // namespace dovetail
