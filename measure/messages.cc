// SPDX-License-Identifier: Apache-2.0
#include "measure/messages.h"

#include "core/base/fail.h"

namespace dovetail {

Result<void> check(const RunRequest& message) {
  const ArenaPlan& plan = message.plan;
  for (const BufferPlace& place : plan.places) {
    if (place.offset > plan.bytes || place.bytes > plan.bytes - place.offset) {
      return fail("a buffer of {} bytes at {} leaves an arena of {} bytes", place.bytes,
                  place.offset, plan.bytes);
    }
  }
  return {};
}

Frame hello() { return frame_of("hello", std::tuple()); }

Result<std::string> type_of(const Frame& frame) {
  Result<JsonFields> header = JsonFields::parse(frame.header);
  if (!header) return fail("the header of a frame is not a JSON object");
  std::string type = header->text("type");
  TRY(header->check());
  return type;
}

}  // namespace dovetail
