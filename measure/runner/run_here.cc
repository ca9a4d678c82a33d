// SPDX-License-Identifier: Apache-2.0
#include "measure/runner/run_here.h"

#include <memory>
#include <thread>

#include "core/backends/backends.h"
#include "core/base/cores.h"
#include "core/base/statistics.h"
#include "core/ir/program/buffer_values.h"
#include "measure/check/arena_plan.h"
#include "measure/check/output_check.h"
#include "measure/worker/build_role.h"
#include "measure/worker/executor.h"

namespace dovetail {
namespace {

struct FreeAligned {
  void operator()(std::byte* bytes) const { ::operator delete[](bytes, kAlignment); }
  static constexpr std::align_val_t kAlignment{kBufferAlignment};
};

// The buffers of a program, arranged as in a measurement.
class Memory {
 public:
  explicit Memory(const Program& program)
      : program_(program),
        plan_(plan_arena(program)),
        memory_(new(FreeAligned::kAlignment) std::byte[plan_.bytes]) {}

  std::span<std::byte> bytes() const { return {memory_.get(), plan_.bytes}; }
  const ArenaPlan& plan() const { return plan_; }

  Result<NamedArrays> outputs() const {
    if (const auto breach = find_breach(program_, plan_, bytes())) return fail(*breach);
    NamedArrays outputs;
    for (size_t b = 0; b < program_.buffers.size(); ++b) {
      const Buffer& buffer = program_.buffers[b];
      if (buffer.role != BufferRole::output) continue;
      const BufferPlace& place = plan_.places[b];
      outputs[buffer.tensor] = load_values(buffer, bytes().subspan(place.offset, place.bytes));
    }
    return outputs;
  }

 private:
  const Program& program_;
  ArenaPlan plan_;
  std::unique_ptr<std::byte[], FreeAligned> memory_;
};

Result<void> must_be_ok(const Outcome& outcome) {
  if (outcome.status != Status::ok) return fail(outcome.reason);
  return {};
}

Result<std::vector<double>> time_here(const TimingRule& rule, const Memory& memory,
                                      Executor& executor) {
  TRY(must_be_ok(executor.begin_timing(memory.bytes(), memory.plan(), Caches::hot)));
  return executor.sample(rule);
}

Result<RunHere> run_on(const Target& target, const Executable& executable, const Memory& memory,
                       const std::optional<TimingRule>& timing) {
  const size_t threads = static_cast<size_t>(std::max(target.name.threads, 1));
  Executor executor(TRY(open_device(target, {split_cores(physical_cores(), threads).timed})));
  TRY(must_be_ok(executor.load(executable)));
  RunHere run;
  run.samples.resize(1);
  TRY(must_be_ok(executor.run_once(memory.bytes(), memory.plan(), run.samples.front())));
  run.outputs = TRY(memory.outputs());
  if (timing) run.samples = TRY(time_here(*timing, memory, executor));
  run.seconds = median(run.samples);
  return run;
}

}  // namespace

Result<RunHere> run_here(const Program& program, const Target& target, const NamedArrays& inputs,
                         const std::optional<TimingRule>& timing) {
  const BuildReply built = BuildRole().build({.target = print(target), .program = print(program)});
  if (built.status != Status::ok) return fail(built.reason);
  const Memory memory(program);
  TRY(fill_inputs(inputs, program, memory.plan(), memory.bytes()));
  Result<RunHere> run = fail("did not run");
  // In its own thread, because a program's thread pool pins its caller.
  std::thread([&] { run = run_on(target, built.executable, memory, timing); }).join();
  return run;
}

}  // namespace dovetail
