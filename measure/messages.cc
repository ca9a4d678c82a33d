// SPDX-License-Identifier: Apache-2.0
#include "measure/messages.h"

#include <fmt/format.h>

#include "measure/frame_fields.h"

namespace dovetail {

auto fields_of(Of<BufferPlace> auto& place) {
  return std::tie(place.offset, place.bytes, place.is_output);
}

auto fields_of(Of<Artifact> auto& artifact) {
  return std::tuple(Field{"kernels", artifact.kernels}, Field{"extents", artifact.extents},
                    Field{"kernels_once", artifact.kernels_once},
                    Field{"launches", artifact.launches}, Field{"program", artifact.program});
}

auto fields_of(Of<BuildRequest> auto& message) {
  return std::tuple(Field{"trial", message.trial}, Field{"target", message.target});
}

auto fields_of(Of<BuildReply> auto& message) {
  return std::tuple_cat(std::tuple(Field{"status", message.status}, Field{"reason", message.reason},
                                   Field{"seconds", message.seconds}),
                        fields_of(message.artifact));
}

auto fields_of(Of<RunRequest> auto& message) {
  return std::tuple_cat(
      std::tuple(Field{"trial", message.trial}, Field{"load", message.load},
                 Field{"arena", message.arena}, Field{"arena_bytes", message.plan.bytes},
                 Field{"places", message.plan.places}),
      fields_of(message.artifact));
}

auto fields_of(Of<RunReply> auto& message) {
  return std::tuple(Field{"status", message.status}, Field{"reason", message.reason},
                    Field{"seconds", message.seconds});
}

auto fields_of(Of<TimeRequest> auto& message) {
  auto& rule = message.rule;
  return std::tuple(
      Field{"cold", message.cold}, Field{"warmup_seconds", rule.warmup_seconds},
      Field{"sample_seconds", rule.sample_seconds}, Field{"budget_seconds", rule.budget_seconds},
      Field{"relative_half_width", rule.relative_half_width},
      Field{"least_samples", rule.least_samples}, Field{"most_samples", rule.most_samples},
      Field{"best_seconds", rule.best_seconds}, Field{"clearly_slower", rule.clearly_slower});
}

auto fields_of(Of<TimeReply> auto& message) {
  return std::tuple(Field{"status", message.status}, Field{"reason", message.reason},
                    Field{"samples", message.samples});
}

auto fields_of(Of<PeakRequest> auto& message) {
  return std::tuple(Field{"bandwidth", message.bandwidth});
}

auto fields_of(Of<PeakReply> auto& message) {
  return std::tuple(Field{"fma_gflops", message.fma_gflops},
                    Field{"l1_bytes_per_second", message.l1_bytes_per_second});
}

namespace {

Result<void> check_places(const ArenaPlan& plan) {
  for (const BufferPlace& place : plan.places) {
    if (place.offset > plan.bytes || place.bytes > plan.bytes - place.offset) {
      return fail(fmt::format("a buffer of {} bytes at {} leaves an arena of {} bytes", place.bytes,
                              place.offset, plan.bytes));
    }
  }
  return {};
}

template <typename Message>
Result<Message> decode(const Frame& frame, std::string_view type) {
  Message message;
  TRY(read_frame(frame, type, fields_of(message)));
  return message;
}

}  // namespace

Frame hello() { return frame_of("hello", std::tuple()); }

Frame encode(const BuildRequest& message) {
  return frame_of("build", fields_of(message), message.program);
}
Frame encode(const BuildReply& message) {
  return frame_of("built", fields_of(message), message.artifact.bytes);
}
Frame encode(const RunRequest& message) {
  return frame_of("run", fields_of(message), message.artifact.bytes);
}
Frame encode(const RunReply& message) { return frame_of("ran", fields_of(message)); }
Frame encode(const TimeRequest& message) { return frame_of("time", fields_of(message)); }
Frame encode(const TimeReply& message) { return frame_of("timed", fields_of(message)); }
Frame encode(const PeakRequest& message) { return frame_of("peak", fields_of(message)); }
Frame encode(const PeakReply& message) { return frame_of("peaked", fields_of(message)); }

Result<std::string> type_of(const Frame& frame) {
  Result<JsonFields> header = JsonFields::parse(frame.header);
  if (!header) return fail("the header of a frame is not a JSON object");
  std::string type = header->text("type");
  TRY(header->check());
  return type;
}

Result<BuildRequest> decode_build_request(const Frame& frame) {
  BuildRequest message = TRY(decode<BuildRequest>(frame, "build"));
  message.program = text_of(frame.payload);
  return message;
}

Result<BuildReply> decode_build_reply(const Frame& frame) {
  BuildReply message = TRY(decode<BuildReply>(frame, "built"));
  message.artifact.bytes = text_of(frame.payload);
  return message;
}

Result<RunRequest> decode_run_request(const Frame& frame) {
  RunRequest message = TRY(decode<RunRequest>(frame, "run"));
  TRY(check_places(message.plan));
  message.artifact.bytes = text_of(frame.payload);
  return message;
}

Result<RunReply> decode_run_reply(const Frame& frame) { return decode<RunReply>(frame, "ran"); }
Result<TimeRequest> decode_time_request(const Frame& frame) {
  return decode<TimeRequest>(frame, "time");
}
Result<TimeReply> decode_time_reply(const Frame& frame) {
  return decode<TimeReply>(frame, "timed");
}
Result<PeakRequest> decode_peak_request(const Frame& frame) {
  return decode<PeakRequest>(frame, "peak");
}
Result<PeakReply> decode_peak_reply(const Frame& frame) {
  return decode<PeakReply>(frame, "peaked");
}

}  // namespace dovetail
