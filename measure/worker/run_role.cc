// SPDX-License-Identifier: Apache-2.0
#include "measure/worker/run_role.h"

#include <cstring>

#include "measure/worker_process.h"

namespace dovetail {
namespace {

// Writes beside the output, as a candidate with a wrong bound would.
void write_out_of_bounds(std::string_view fault, const ArenaPlan& plan,
                         std::span<std::byte> arena) {
  if (fault != "run_before" && fault != "run_after") return;
  const uint32_t stray = 0x3F800000;  // 1.0
  for (const BufferPlace& place : plan.places) {
    if (!place.is_output) continue;
    const uint64_t at =
        fault == "run_before" ? place.offset - sizeof(stray) : place.offset + place.bytes;
    std::memcpy(arena.data() + at, &stray, sizeof(stray));
  }
}

}  // namespace

Outcome RunRole::prepare(const RunRequest& request) {
  if (request.load) {
    const Outcome loaded = executor_->load(request.artifact);
    if (loaded.status != Status::ok) return loaded;
  }
  arena_.reset();
  is_ready_ = false;
  plan_ = request.plan;
  trial_ = request.trial;
  Result<MappedMemory> view =
      MappedMemory::shared(kFirstInheritedDescriptor + request.arena, plan_.bytes);
  if (!view) return {Status::run_error, view.error().message};
  arena_.emplace(*std::move(view));
  return {};
}

RunReply RunRole::run(const RunRequest& request) {
  const Outcome prepared = prepare(request);
  if (prepared.status != Status::ok) return {prepared.status, prepared.reason, 0};
  commit_fault(fault(), "run");
  RunReply reply;
  const Outcome outcome = executor_->run_once(arena_->bytes(), plan_, reply.seconds);
  reply.status = outcome.status;
  reply.reason = outcome.reason;
  write_out_of_bounds(fault(), plan_, arena_->bytes());
  return reply;
}

TimeReply RunRole::time(const TimeRequest& request) {
  if (!arena_ && !is_ready_) {
    return {Status::run_error, "a time request without a run before it", {}};
  }
  commit_fault(fault(), "time");
  if (arena_) {
    const Outcome outcome = executor_->begin_timing(arena_->bytes(), plan_, request.cold);
    arena_.reset();
    if (outcome.status != Status::ok) return {outcome.status, outcome.reason, {}};
    is_ready_ = true;
  }
  const auto sample = [&](int64_t runs) { return executor_->sample(runs); };
  Result<std::vector<double>> samples = time_adaptively(sample, request.rule);
  if (!samples) return {Status::run_error, samples.error().message, {}};
  return {Status::ok, {}, *std::move(samples)};
}

}  // namespace dovetail
