// SPDX-License-Identifier: Apache-2.0
#include "measure/peers/peer_messages.h"

#include <fmt/format.h>

#include <cstring>
#include <nlohmann/json.hpp>
#include <span>

namespace dovetail {
namespace {

using Json = nlohmann::json;

Frame json_frame(const Json& header) {
  // Reasons may quote bytes of another library: replaced where they are not UTF-8.
  return {.header = header.dump(-1, ' ', false, Json::error_handler_t::replace), .payload = {}};
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

// Calls read(header) where the header is an object of this type.
template <typename Message, typename Read>
Result<Message> decode(const Frame& frame, std::string_view type, const Read& read) {
  const Json header = Json::parse(frame.header, nullptr, false);
  if (!header.is_object() || header.value("type", "") != type) {
    return fail(fmt::format("expected a frame of type {}", type));
  }
  try {
    return Result<Message>(read(header));
  } catch (const Json::exception& error) {
    return fail(fmt::format("a frame of type {}: {}", type, error.what()));
  }
}

}  // namespace

Frame encode(const PeerLoadRequest& message) {
  const Operands& operands = message.operands;
  Frame frame = json_frame({{"type", "load"},
                            {"spec", message.spec},
                            {"floats",
                             {operands.input.size(), operands.weight.size(), operands.bias.size(),
                              operands.addend.size()}}});
  for (auto member : {&Operands::input, &Operands::weight, &Operands::bias, &Operands::addend}) {
    append(operands.*member, frame.payload);
  }
  return frame;
}

Frame encode(const PeerLoadReply& message) {
  Json implementations = Json::array();
  for (const Implementation& one : message.implementations) {
    implementations.push_back({{"name", one.name},
                               {"algorithm", one.algorithm},
                               {"free", one.free},
                               {"plain", one.plain}});
  }
  return json_frame({{"type", "loaded"},
                     {"version", message.version},
                     {"reason", message.reason},
                     {"implementations", implementations}});
}

Frame encode(const PeerRunRequest& message) {
  return json_frame({{"type", "run"},
                     {"implementation", message.implementation},
                     {"alone", message.alone},
                     {"output_wanted", message.output_wanted}});
}

Frame encode(const PeerRunReply& message) {
  Frame frame = json_frame({{"type", "ran"},
                            {"status", print(message.status)},
                            {"reason", message.reason},
                            {"seconds", message.seconds}});
  append(message.output, frame.payload);
  return frame;
}

Result<PeerLoadRequest> decode_peer_load_request(const Frame& frame) {
  std::vector<size_t> floats;
  PeerLoadRequest message = TRY(decode<PeerLoadRequest>(frame, "load", [&](const Json& header) {
    floats = header.at("floats").get<std::vector<size_t>>();
    return PeerLoadRequest{.spec = header.at("spec"), .operands = {}};
  }));
  if (floats.size() != 4) return fail("a frame of type load: expected four operands");
  FloatReader reader(frame.payload);
  message.operands.input = TRY(reader.take(floats[0]));
  message.operands.weight = TRY(reader.take(floats[1]));
  message.operands.bias = TRY(reader.take(floats[2]));
  message.operands.addend = TRY(reader.take(floats[3]));
  return message;
}

Result<PeerLoadReply> decode_peer_load_reply(const Frame& frame) {
  return decode<PeerLoadReply>(frame, "loaded", [](const Json& header) {
    PeerLoadReply message{.version = header.at("version"), .reason = header.at("reason")};
    for (const Json& one : header.at("implementations")) {
      message.implementations.push_back(
          {one.at("name"), one.at("algorithm"), one.at("free"), one.at("plain")});
    }
    return message;
  });
}

Result<PeerRunRequest> decode_peer_run_request(const Frame& frame) {
  return decode<PeerRunRequest>(frame, "run", [](const Json& header) {
    return PeerRunRequest{.implementation = header.at("implementation"),
                          .alone = header.at("alone"),
                          .output_wanted = header.at("output_wanted")};
  });
}

Result<PeerRunReply> decode_peer_run_reply(const Frame& frame) {
  std::string status;
  PeerRunReply message = TRY(decode<PeerRunReply>(frame, "ran", [&](const Json& header) {
    status = header.at("status");
    return PeerRunReply{.reason = header.at("reason"), .seconds = header.at("seconds")};
  }));
  message.status = TRY(parse_status(status));
  message.output = TRY(FloatReader(frame.payload).take(frame.payload.size() / sizeof(float)));
  return message;
}

}  // namespace dovetail
