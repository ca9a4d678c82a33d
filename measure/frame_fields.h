// SPDX-License-Identifier: Apache-2.0
#pragma once

// Messages: structs that travel as frames, whose headers have a type and the fields of the struct
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
// A `payload_of` gives the text or the numbers that follow the header, a `check` what else must
// hold of what was read. Reasons may quote bytes of a broken worker: they are replaced where they
// are not UTF-8.

#include <cstddef>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/record/line/fields.h"
#include "measure/frame.h"

namespace dovetail {

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
  if (header->kind("type") != JsonKind::text || header->text("type") != type) {
    return fail("expected a frame of type " + std::string(type));
  }
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
    if (!values.empty()) {
      std::memcpy(values.data(), frame.payload.data(), values.size() * sizeof(values[0]));
    }
  }
  if constexpr (requires { check(message); }) TRY(check(message));
  return message;
}

}  // namespace dovetail
