// SPDX-License-Identifier: Apache-2.0
#include "measure/worker/build_role.h"

#include "core/backends/backends.h"
#include "core/base/stopwatch.h"
#include "core/ir/program/program.h"

namespace dovetail {
namespace {

// A program beyond a limit of this device may run on another one.
BuildReply refused(const Error& error) {
  const bool is_limit = error.kind == ErrorKind::device_limit;
  return {.status = is_limit ? Status::device_limit : Status::build_error, .reason = error.message};
}

}  // namespace

Result<Executable> BuildRole::compile(const Program& program, const Target& target) {
  const Backend& backend = *TRY(find_backend(target.name));
  EmittedCode emitted = TRY(backend.emit({&program, 1}, target, {.texts = KernelTexts::apart}));
  if (!device_) device_ = TRY(open_device(target, {}));
  Code code = TRY(device_->build({.form = emitted.form,
                                  .objects = std::move(emitted.objects),
                                  .launches = std::move(emitted.launches.at(0))}));
  return executable_of(program, target, std::move(code));
}

BuildReply BuildRole::build(const BuildRequest& request) {
  const Stopwatch watch;
  const Result<Target> target = parse_target(request.target);
  if (!target) return refused(target.error());
  const Result<Program> program = parse_program(request.program);
  if (!program) return refused(program.error());
  Result<Executable> executable = compile(*program, *target);
  if (!executable) return refused(executable.error());
  return {.seconds = watch.seconds(), .executable = *std::move(executable)};
}

}  // namespace dovetail
