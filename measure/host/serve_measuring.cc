// SPDX-License-Identifier: Apache-2.0
#include "measure/host/serve_measuring.h"

#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "core/base/cores.h"
#include "core/base/fail.h"
#include "measure/host/measuring_host.h"
#include "measure/messages/measure_messages.h"

namespace dovetail {
namespace {

// A tuner is trusted, and its operands may be large.
constexpr FrameLimits kLimits{.header_bytes = uint64_t{1} << 30,
                              .payload_bytes = uint64_t{1} << 40};

Deadline never() { return deadline_after(std::numeric_limits<double>::infinity()); }

// The next frame; none where the tuner is gone.
Result<std::optional<Frame>> next_frame(Transport& tuner) {
  ReceivedFrame received = tuner.receive(never(), kLimits);
  if (received.status == FrameStatus::closed) return std::optional<Frame>();
  if (received.status != FrameStatus::done) return fail("{}", received.reason);
  return std::optional(std::move(received.frame));
}

Result<void> submit_requests(Transport& tuner, MeasuringHost& host) {
  std::shared_ptr<const NamedArrays> operands;
  std::string program;  // the last one
  uint64_t key = 0;
  while (const std::optional<Frame> frame = TRY(next_frame(tuner))) {
    if (TRY(type_of(*frame)) == RegionOperands::kType) {
      operands =
          std::make_shared<const NamedArrays>(TRY(inputs_of(TRY(decode<RegionOperands>(*frame)))));
      continue;
    }
    auto request = TRY(decode<MeasureRequest>(*frame));
    if (!request.program.empty()) {
      program = std::move(request.program);
      key = request.program_key;
    }
    if (key != request.program_key)
      return fail("program {:016x} was not sent", request.program_key);
    host.submit({.input = std::move(request.input),
                 .program = program,
                 .work = request.work,
                 .own_operands = request.own_operands ? operands : nullptr});
  }
  return {};
}

}  // namespace

Result<void> serve_measuring(Transport& tuner, const WorkerOptions& options) {
  if (!options.cores.empty()) pin_calling_thread(options.cores);
  const std::optional<Frame> first = TRY(next_frame(tuner));
  if (!first) return {};
  const auto begin = TRY(decode<BeginRequest>(*first));
  const std::unique_ptr<MeasuringHost> host =
      TRY(MeasuringHost::start(options.target, begin.options, options.faults));
  (void)tuner.send(hello(), never());
  std::thread replies([&] {
    while (const std::optional<MeasureReply> reply = host->wait())
      if (tuner.send(encode(*reply), never()) != FrameStatus::done) return;
  });
  const Result<void> served = submit_requests(tuner, *host);
  host->close();
  replies.join();
  return served;
}

}  // namespace dovetail
