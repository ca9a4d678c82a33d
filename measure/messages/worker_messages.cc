// SPDX-License-Identifier: Apache-2.0
#include "measure/messages/worker_messages.h"

#include <utility>

#include "core/base/fail.h"

namespace dovetail {

Result<void> check(const RunRequest& message) {
  const ArenaPlan& plan = message.plan;
  for (const BufferPlace& place : plan.places) {
    const bool is_inside = place.offset >= kGuardBytes && place.offset <= plan.bytes &&
                           place.bytes <= plan.bytes - place.offset &&
                           kGuardBytes <= plan.bytes - place.offset - place.bytes;
    if (!is_inside)
      return fail("a buffer of {} bytes at {} leaves an arena of {} bytes with guard zones",
                  place.bytes, place.offset, plan.bytes);
  }
  const std::vector<ExecutableBuffer>& buffers = message.executable.buffers;
  if (!message.load) return {};
  if (buffers.size() != plan.places.size())
    return fail("{} places for {} buffers", plan.places.size(), buffers.size());
  for (size_t b = 0; b < buffers.size(); ++b)
    if (std::cmp_not_equal(buffers[b].bytes(), plan.places[b].bytes))
      return fail("buffer {} has {} bytes and a place of {}", buffers[b].name, buffers[b].bytes(),
                  plan.places[b].bytes);
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
