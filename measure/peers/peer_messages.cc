// SPDX-License-Identifier: Apache-2.0
#include "measure/peers/peer_messages.h"

#include <cstring>
#include <span>

#include "core/base/fail.h"

namespace dovetail {
namespace {

// `floats` says how many of the payload belong to each operand.
auto load_fields(Of<PeerLoadRequest> auto& message, auto& floats) {
  return std::tuple(Field{"spec", message.spec}, Field{"floats", floats});
}

}  // namespace

template <>
Frame encode(const PeerLoadRequest& message) {
  std::vector<size_t> floats;
  for (const auto& [tensor, member] : kOperands)
    floats.push_back((message.operands.*member).size());
  Frame frame = frame_of(PeerLoadRequest::kType, load_fields(message, floats));
  for (const auto& [tensor, member] : kOperands) append(message.operands.*member, frame.payload);
  return frame;
}

template <>
Result<PeerLoadRequest> decode(const Frame& frame) {
  PeerLoadRequest message;
  std::vector<size_t> floats;
  TRY(read_frame(frame, PeerLoadRequest::kType, load_fields(message, floats)));
  if (floats.size() != std::size(kOperands))
    return fail("a frame of type load: expected four operands");
  std::span<const std::byte> rest = frame.payload;
  for (size_t i = 0; i < floats.size(); ++i) {
    if (floats[i] > rest.size() / sizeof(float))
      return fail("a payload of {} bytes ends before {} more floats", rest.size(), floats[i]);
    std::vector<float>& values = message.operands.*kOperands[i].values;
    values.resize(floats[i]);
    const size_t bytes = floats[i] * sizeof(float);
    if (bytes > 0) std::memcpy(values.data(), rest.data(), bytes);
    rest = rest.subspan(bytes);
  }
  return message;
}

}  // namespace dovetail
