// SPDX-License-Identifier: Apache-2.0
#include "measure/messages.h"

#include <fmt/format.h>

#include <cstring>
#include <nlohmann/json.hpp>

namespace dovetail {
namespace {

using Json = nlohmann::json;

std::string text_of(const std::vector<std::byte>& payload) {
  return {reinterpret_cast<const char*>(payload.data()), payload.size()};
}

Frame frame_of(const Json& header, std::string_view payload = {}) {
  Frame frame;
  // Reasons may quote bytes of a broken worker: replaced where they are not UTF-8.
  frame.header = header.dump(-1, ' ', false, Json::error_handler_t::replace);
  frame.payload.resize(payload.size());
  if (!payload.empty()) std::memcpy(frame.payload.data(), payload.data(), payload.size());
  return frame;
}

Result<Json> header_of(const Frame& frame) {
  Json header = Json::parse(frame.header, nullptr, false);
  if (!header.is_object()) return fail("the header of a frame is not a JSON object");
  return header;
}

Result<Json> header_of_type(const Frame& frame, std::string_view type) {
  Json header = TRY(header_of(frame));
  const auto found = header.find("type");
  if (found == header.end() || *found != type) {
    return fail(fmt::format("expected a frame of type {}", type));
  }
  return header;
}

// Reads fields into places; remembers the first that is missing or wrong.
class Fields {
 public:
  explicit Fields(const Json& json) : json_(json) {}

  template <typename Field>
  void read(const char* name, Field& into) {
    const auto found = json_.find(name);
    if (found != json_.end()) {
      try {
        into = found->get<Field>();
        return;
      } catch (const Json::exception&) {
      }
    }
    if (problem_.empty()) problem_ = fmt::format("field {} of a frame is missing or wrong", name);
  }

  void read_status(Status& into) {
    std::string text;
    read("status", text);
    const Result<Status> status = parse_status(text);
    if (status) into = *status;
    if (!status && problem_.empty()) problem_ = status.error().message;
  }

  Result<void> check() const {
    if (!problem_.empty()) return fail(problem_);
    return {};
  }

 private:
  const Json& json_;
  std::string problem_;
};

void put_artifact(const Artifact& artifact, Json& header) {
  header["kernels"] = artifact.kernels;
  header["extents"] = artifact.extents;
  header["kernels_once"] = artifact.kernels_once;
  header["launches"] = artifact.launches;
  header["program"] = artifact.program;
}

void read_artifact(Fields& fields, const Frame& frame, Artifact& into) {
  fields.read("kernels", into.kernels);
  fields.read("extents", into.extents);
  fields.read("kernels_once", into.kernels_once);
  fields.read("launches", into.launches);
  fields.read("program", into.program);
  into.bytes = text_of(frame.payload);
}

Json json_of(const ArenaPlan& plan) {
  Json places = Json::array();
  for (const BufferPlace& place : plan.places) {
    places.push_back({place.offset, place.bytes, place.is_output});
  }
  return places;
}

Result<ArenaPlan> plan_of(const Json& header) {
  ArenaPlan plan;
  Fields fields(header);
  fields.read("arena_bytes", plan.bytes);
  std::vector<std::tuple<uint64_t, uint64_t, bool>> places;
  fields.read("places", places);
  TRY(fields.check());
  for (const auto& [offset, bytes, is_output] : places) {
    if (offset > plan.bytes || bytes > plan.bytes - offset) {
      return fail(fmt::format("a buffer of {} bytes at {} leaves an arena of {} bytes", bytes,
                              offset, plan.bytes));
    }
    plan.places.push_back({offset, bytes, is_output});
  }
  return plan;
}

}  // namespace

Frame hello() { return frame_of({{"type", "hello"}}); }

Frame encode(const BuildRequest& message) {
  return frame_of({{"type", "build"}, {"trial", message.trial}, {"target", message.target}},
                  message.program);
}

Frame encode(const BuildReply& message) {
  Json header = {{"type", "built"},
                 {"status", print(message.status)},
                 {"reason", message.reason},
                 {"seconds", message.seconds}};
  put_artifact(message.artifact, header);
  return frame_of(header, message.artifact.bytes);
}

Frame encode(const RunRequest& message) {
  Json header = {{"type", "run"},
                 {"trial", message.trial},
                 {"load", message.load},
                 {"arena", message.arena},
                 {"arena_bytes", message.plan.bytes},
                 {"places", json_of(message.plan)}};
  put_artifact(message.artifact, header);
  return frame_of(header, message.artifact.bytes);
}

Frame encode(const RunReply& message) {
  return frame_of({{"type", "ran"},
                   {"status", print(message.status)},
                   {"reason", message.reason},
                   {"seconds", message.seconds}});
}

Frame encode(const TimeRequest& message) {
  const TimingRule& rule = message.rule;
  return frame_of({{"type", "time"},
                   {"cold", message.cold},
                   {"warmup_seconds", rule.warmup_seconds},
                   {"sample_seconds", rule.sample_seconds},
                   {"budget_seconds", rule.budget_seconds},
                   {"relative_half_width", rule.relative_half_width},
                   {"least_samples", rule.least_samples},
                   {"most_samples", rule.most_samples},
                   {"best_seconds", rule.best_seconds},
                   {"clearly_slower", rule.clearly_slower}});
}

Frame encode(const TimeReply& message) {
  return frame_of({{"type", "timed"},
                   {"status", print(message.status)},
                   {"reason", message.reason},
                   {"samples", message.samples}});
}

Frame encode(const PeakRequest& message) {
  return frame_of({{"type", "peak"}, {"bandwidth", message.bandwidth}});
}

Frame encode(const PeakReply& message) {
  return frame_of({{"type", "peaked"},
                   {"fma_gflops", message.fma_gflops},
                   {"l1_bytes_per_second", message.l1_bytes_per_second}});
}

Result<std::string> type_of(const Frame& frame) {
  const Json header = TRY(header_of(frame));
  std::string type;
  Fields fields(header);
  fields.read("type", type);
  TRY(fields.check());
  return type;
}

Result<BuildRequest> decode_build_request(const Frame& frame) {
  const Json header = TRY(header_of_type(frame, "build"));
  BuildRequest message;
  Fields fields(header);
  fields.read("trial", message.trial);
  fields.read("target", message.target);
  message.program = text_of(frame.payload);
  TRY(fields.check());
  return message;
}

Result<BuildReply> decode_build_reply(const Frame& frame) {
  const Json header = TRY(header_of_type(frame, "built"));
  BuildReply message;
  Fields fields(header);
  fields.read_status(message.status);
  fields.read("reason", message.reason);
  fields.read("seconds", message.seconds);
  read_artifact(fields, frame, message.artifact);
  TRY(fields.check());
  return message;
}

Result<RunRequest> decode_run_request(const Frame& frame) {
  const Json header = TRY(header_of_type(frame, "run"));
  RunRequest message;
  Fields fields(header);
  fields.read("trial", message.trial);
  fields.read("load", message.load);
  fields.read("arena", message.arena);
  read_artifact(fields, frame, message.artifact);
  TRY(fields.check());
  message.plan = TRY(plan_of(header));
  return message;
}

Result<RunReply> decode_run_reply(const Frame& frame) {
  const Json header = TRY(header_of_type(frame, "ran"));
  RunReply message;
  Fields fields(header);
  fields.read_status(message.status);
  fields.read("reason", message.reason);
  fields.read("seconds", message.seconds);
  TRY(fields.check());
  return message;
}

Result<TimeRequest> decode_time_request(const Frame& frame) {
  const Json header = TRY(header_of_type(frame, "time"));
  TimeRequest message;
  Fields fields(header);
  fields.read("cold", message.cold);
  fields.read("warmup_seconds", message.rule.warmup_seconds);
  fields.read("sample_seconds", message.rule.sample_seconds);
  fields.read("budget_seconds", message.rule.budget_seconds);
  fields.read("relative_half_width", message.rule.relative_half_width);
  fields.read("least_samples", message.rule.least_samples);
  fields.read("most_samples", message.rule.most_samples);
  fields.read("best_seconds", message.rule.best_seconds);
  fields.read("clearly_slower", message.rule.clearly_slower);
  TRY(fields.check());
  return message;
}

Result<TimeReply> decode_time_reply(const Frame& frame) {
  const Json header = TRY(header_of_type(frame, "timed"));
  TimeReply message;
  Fields fields(header);
  fields.read_status(message.status);
  fields.read("reason", message.reason);
  fields.read("samples", message.samples);
  TRY(fields.check());
  return message;
}

Result<PeakRequest> decode_peak_request(const Frame& frame) {
  const Json header = TRY(header_of_type(frame, "peak"));
  PeakRequest message;
  Fields fields(header);
  fields.read("bandwidth", message.bandwidth);
  TRY(fields.check());
  return message;
}

Result<PeakReply> decode_peak_reply(const Frame& frame) {
  const Json header = TRY(header_of_type(frame, "peaked"));
  PeakReply message;
  Fields fields(header);
  fields.read("fma_gflops", message.fma_gflops);
  fields.read("l1_bytes_per_second", message.l1_bytes_per_second);
  TRY(fields.check());
  return message;
}

}  // namespace dovetail
