// SPDX-License-Identifier: Apache-2.0
#include "measure/peers/peer_messages.h"

#include <fmt/format.h>

#include <array>
#include <cstring>
#include <span>

#include "measure/frame_fields.h"

namespace dovetail {

auto fields_of(Of<Implementation> auto& one) {
  return std::tuple(Field{"name", one.name}, Field{"algorithm", one.algorithm},
                    Field{"free", one.free}, Field{"plain", one.plain});
}

auto fields_of(Of<PeerLoadReply> auto& message) {
  return std::tuple(Field{"version", message.version}, Field{"reason", message.reason},
                    Field{"implementations", message.implementations});
}

auto fields_of(Of<PeerRunRequest> auto& message) {
  return std::tuple(Field{"implementation", message.implementation}, Field{"alone", message.alone},
                    Field{"output_wanted", message.output_wanted});
}

auto fields_of(Of<PeerRunReply> auto& message) {
  return std::tuple(Field{"status", message.status}, Field{"reason", message.reason},
                    Field{"seconds", message.seconds});
}

namespace {

constexpr std::array kOperands = {&Operands::input, &Operands::weight, &Operands::bias,
                                  &Operands::addend};

// `floats` says how many of the payload belong to each operand.
auto load_fields(Of<PeerLoadRequest> auto& message, auto& floats) {
  return std::tuple(Field{"spec", message.spec}, Field{"floats", floats});
}

void append(const std::vector<float>& values, std::vector<std::byte>& payload) {
  const auto bytes = std::as_bytes(std::span(values));
  payload.insert(payload.end(), bytes.begin(), bytes.end());
}

// Takes floats off the front of a payload.
class FloatReader {
 public:
  explicit FloatReader(std::span<const std::byte> bytes) : rest_(bytes) {}

  Result<std::vector<float>> take(size_t count) {
    if (count > rest_.size() / sizeof(float)) {
      return fail(
          fmt::format("a payload of {} bytes ends before {} more floats", rest_.size(), count));
    }
    std::vector<float> values(count);
    if (count > 0) std::memcpy(values.data(), rest_.data(), count * sizeof(float));
    rest_ = rest_.subspan(count * sizeof(float));
    return values;
  }

 private:
  std::span<const std::byte> rest_;
};

}  // namespace

Frame encode(const PeerLoadRequest& message) {
  const Operands& operands = message.operands;
  const std::vector<size_t> floats = {operands.input.size(), operands.weight.size(),
                                      operands.bias.size(), operands.addend.size()};
  Frame frame = frame_of("load", load_fields(message, floats));
  for (auto member : kOperands) append(operands.*member, frame.payload);
  return frame;
}

Frame encode(const PeerLoadReply& message) { return frame_of("loaded", fields_of(message)); }
Frame encode(const PeerRunRequest& message) { return frame_of("run", fields_of(message)); }

Frame encode(const PeerRunReply& message) {
  Frame frame = frame_of("ran", fields_of(message));
  append(message.output, frame.payload);
  return frame;
}

Result<PeerLoadRequest> decode_peer_load_request(const Frame& frame) {
  PeerLoadRequest message;
  std::vector<size_t> floats;
  TRY(read_frame(frame, "load", load_fields(message, floats)));
  if (floats.size() != kOperands.size())
    return fail("a frame of type load: expected four operands");
  FloatReader reader(frame.payload);
  for (size_t i = 0; i < floats.size(); ++i) {
    message.operands.*kOperands[i] = TRY(reader.take(floats[i]));
  }
  return message;
}

Result<PeerLoadReply> decode_peer_load_reply(const Frame& frame) {
  PeerLoadReply message;
  TRY(read_frame(frame, "loaded", fields_of(message)));
  return message;
}

Result<PeerRunRequest> decode_peer_run_request(const Frame& frame) {
  PeerRunRequest message;
  TRY(read_frame(frame, "run", fields_of(message)));
  return message;
}

Result<PeerRunReply> decode_peer_run_reply(const Frame& frame) {
  PeerRunReply message;
  TRY(read_frame(frame, "ran", fields_of(message)));
  message.output = TRY(FloatReader(frame.payload).take(frame.payload.size() / sizeof(float)));
  return message;
}

}  // namespace dovetail
