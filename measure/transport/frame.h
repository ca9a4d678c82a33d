// SPDX-License-Identifier: Apache-2.0
#pragma once

// Frame: one message between two processes: a JSON header, then raw bytes.
//
//   {"type":"build","trial":17}  object code ...
//
// socket_transport.h has its form as bytes.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

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
// `payload_of` returns the text, texts or numbers behind the header, `check` validates a decoded
// message. Reasons may quote bytes of a broken worker: invalid UTF-8 is replaced.

// A message whose numbers may be infinite has a kReals that allows it.
template <typename Message>
constexpr Reals reals_of() {
  if constexpr (requires { Message::kReals; }) return Message::kReals;
  return Reals::finite;
}

template <typename Fields>
Frame frame_of(std::string_view type, const Fields& fields, Reals reals = Reals::finite) {
  JsonWriter header;
  header.text("type", type);
  write_fields(header, fields, reals);
  return {.header = std::move(header).finish()};
}

template <typename Fields>
Result<void> read_frame(const Frame& frame, std::string_view type, const Fields& fields,
                        Reals reals = Reals::finite) {
  Result<JsonFields> header = JsonFields::parse(frame.header);
  if (!header) return fail("the header of a frame is not a JSON object");
  if (header->kind("type") != JsonKind::text || header->text("type") != type)
    return fail("expected a frame of type " + std::string(type));
  read_fields(*header, fields, reals);
  return header->check();
}

void append(const auto& values, std::vector<std::byte>& payload) {
  const auto bytes = std::as_bytes(std::span(values));
  payload.insert(payload.end(), bytes.begin(), bytes.end());
}

// Each text after its length.
void append(const std::vector<std::string>& texts, std::vector<std::byte>& payload);

Result<void> read_payload(std::span<const std::byte> payload, std::vector<std::string>& texts);
// A text or numbers. What is left of a number is not read.
Result<void> read_payload(std::span<const std::byte> payload, auto& values) {
  values.resize(payload.size() / sizeof(values[0]));
  if (!values.empty())
    std::memcpy(values.data(), payload.data(), values.size() * sizeof(values[0]));
  return {};
}

template <typename Message>
Frame encode(const Message& message) {
  Frame frame = frame_of(Message::kType, fields_of(message), reals_of<Message>());
  if constexpr (requires { payload_of(message); }) append(payload_of(message), frame.payload);
  return frame;
}

template <typename Message>
Result<Message> decode(const Frame& frame) {
  Message message;
  TRY(read_frame(frame, Message::kType, fields_of(message), reals_of<Message>()));
  if constexpr (requires { payload_of(message); })
    TRY(read_payload(frame.payload, payload_of(message)));
  if constexpr (requires { check(message); }) TRY(check(message));
  return message;
}

}  // namespace dovetail
