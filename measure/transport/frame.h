// SPDX-License-Identifier: Apache-2.0
#pragma once

// Frame: one message between the tuner and a worker: a JSON header, then raw bytes.
//
//   "DVT1"  header bytes, u32  payload bytes, u64   {"type":"build","trial":17}   object code ...
//   |-------------- 16 bytes, little-endian ----|   |------- header --------|   |--- payload ---|
//
// Why lengths in front and not a parser on a stream: the reader always knows how much is missing,
// so it can give up at a deadline, and garbage from a worker is detected at the first four bytes.
// Lengths are not trusted: memory grows with the bytes that arrive, not with the announced length.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/deadline.h"
#include "core/record/line/fields.h"

namespace dovetail {

struct Frame {
  std::string header = {};  // JSON
  std::vector<std::byte> payload = {};
  friend bool operator==(const Frame&, const Frame&) = default;
};

struct FrameLimits {
  uint64_t header_bytes = uint64_t{1} << 22;
  uint64_t payload_bytes = uint64_t{1} << 30;
};

enum class FrameStatus {
  done,       // sent or received
  timed_out,  // the deadline passed first
  closed,     // the other side is gone
  malformed,  // the bytes received are no frame
};

struct ReceivedFrame {
  FrameStatus status = FrameStatus::closed;
  Frame frame = {};         // when done
  std::string reason = {};  // otherwise; one line
};

// `socket` is a connected stream socket. No call raises SIGPIPE or blocks past the deadline.
FrameStatus send_frame(int socket, const Frame& frame, Deadline deadline);
ReceivedFrame receive_frame(int socket, Deadline deadline, const FrameLimits& limits = {});
// `done`: there is something to receive, or the other side is gone.
FrameStatus await_frame(int socket, Deadline deadline);

// Messages: structs that are sent as frames, with a header of the type and the struct's fields
// (core/record/line/fields.h).
//
//   struct RunReply { static constexpr const char* kType = "ran"; double seconds = 0; ... };
//   auto fields_of(Of<RunReply> auto& reply) {
//     return std::tuple(Field{"seconds", reply.seconds});
//   }
//
//   encode(reply)                            {"type":"ran","status":"ok",...}
//   TRY(decode<RunReply>(frame));            // or which field is missing or wrong
//
// `payload_of` returns the text or numbers that follow the header, `check` validates a decoded
// message. Reasons may quote bytes of a broken worker: invalid UTF-8 is replaced.

template <typename Fields>
Frame frame_of(std::string_view type, const Fields& fields) {
  JsonWriter header;
  header.text("type", type);
  write_fields(header, fields, Reals::finite);
  return {.header = std::move(header).finish()};
}

template <typename Fields>
Result<void> read_frame(const Frame& frame, std::string_view type, const Fields& fields) {
  Result<JsonFields> header = JsonFields::parse(frame.header);
  if (!header) return fail("the header of a frame is not a JSON object");
  if (header->kind("type") != JsonKind::text || header->text("type") != type)
    return fail("expected a frame of type " + std::string(type));
  read_fields(*header, fields, Reals::finite);
  return header->check();
}

void append(const auto& values, std::vector<std::byte>& payload) {
  const auto bytes = std::as_bytes(std::span(values));
  payload.insert(payload.end(), bytes.begin(), bytes.end());
}

template <typename Message>
Frame encode(const Message& message) {
  Frame frame = frame_of(Message::kType, fields_of(message));
  if constexpr (requires { payload_of(message); }) append(payload_of(message), frame.payload);
  return frame;
}

template <typename Message>
Result<Message> decode(const Frame& frame) {
  Message message;
  TRY(read_frame(frame, Message::kType, fields_of(message)));
  if constexpr (requires { payload_of(message); }) {
    auto& values = payload_of(message);
    values.resize(frame.payload.size() / sizeof(values[0]));
    if (!values.empty())
      std::memcpy(values.data(), frame.payload.data(), values.size() * sizeof(values[0]));
  }
  if constexpr (requires { check(message); }) TRY(check(message));
  return message;
}

}  // namespace dovetail
