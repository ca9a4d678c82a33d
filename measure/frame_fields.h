// SPDX-License-Identifier: Apache-2.0
#pragma once

// A frame whose header has a type and the fields of a struct (core/record/line/fields.h).
//
//   frame_of("ran", fields_of(reply))                      {"type":"ran","status":"ok",...}
//   TRY(read_frame(frame, "ran", fields_of(reply)));       // or which field is missing or wrong
//
// Reasons may quote bytes of a broken worker: they are replaced where they are not UTF-8.

#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "core/record/line/fields.h"
#include "measure/frame.h"

namespace dovetail {

template <typename Fields>
Frame frame_of(std::string_view type, const Fields& fields, std::string_view payload = {}) {
  JsonWriter header;
  header.text("type", type);
  write_fields(header, fields, Reals::finite);
  Frame frame{.header = std::move(header).finish(),
              .payload = std::vector<std::byte>(payload.size())};
  if (!payload.empty()) std::memcpy(frame.payload.data(), payload.data(), payload.size());
  return frame;
}

inline std::string text_of(const std::vector<std::byte>& payload) {
  return {reinterpret_cast<const char*>(payload.data()), payload.size()};
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

}  // namespace dovetail
