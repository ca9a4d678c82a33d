// SPDX-License-Identifier: Apache-2.0
#include "measure/peers/peer_messages.h"

#include <cstring>
#include <span>
#include <utility>

#include "core/base/fail.h"

namespace dovetail {
namespace {

// `floats` has the number of the payload's floats that belong to each tensor.
auto load_fields(Of<PeerLoadRequest> auto& message, auto& tensors, auto& floats) {
  return std::tuple(Field{"spec", message.spec}, Field{"tensors", tensors},
                    Field{"floats", floats});
}

}  // namespace

template <>
Frame encode(const PeerLoadRequest& message) {
  std::vector<std::string> tensors;
  std::vector<size_t> floats;
  for (const auto& [tensor, values] : message.inputs) {
    tensors.push_back(tensor);
    floats.push_back(values.size());
  }
  Frame frame = frame_of(PeerLoadRequest::kType, load_fields(message, tensors, floats));
  for (const auto& [tensor, values] : message.inputs) append(values.as<float>(), frame.payload);
  return frame;
}

template <>
Result<PeerLoadRequest> decode(const Frame& frame) {
  PeerLoadRequest message;
  std::vector<std::string> tensors;
  std::vector<size_t> floats;
  TRY(read_frame(frame, PeerLoadRequest::kType, load_fields(message, tensors, floats)));
  if (floats.size() != tensors.size())
    return fail("a frame of type load: expected as many sizes as tensors");
  std::span<const std::byte> rest = frame.payload;
  for (size_t i = 0; i < floats.size(); ++i) {
    if (floats[i] > rest.size() / sizeof(float))
      return fail("a payload of {} bytes ends before {} more floats", rest.size(), floats[i]);
    std::vector<float> values(floats[i]);
    const size_t bytes = floats[i] * sizeof(float);
    if (bytes > 0) std::memcpy(values.data(), rest.data(), bytes);
    message.inputs[tensors[i]] = NDArray(std::move(values));
    rest = rest.subspan(bytes);
  }
  return message;
}

}  // namespace dovetail
