// SPDX-License-Identifier: Apache-2.0
#include "core/record/line/network_record.h"

#include "core/record/line/fields.h"

namespace dovetail {

auto fields_of(Of<NodeOfNetwork> auto& node) {
  return std::tuple(Field{"node", node.node},
                    Field{"trace", node.trace, AnyValue{}, Presence::unless_empty},
                    Field{"forms", node.forms, AnyValue{}, Presence::unless_empty},
                    Field{"stays", node.stays, AnyValue{}, Presence::unless_empty});
}

auto fields_of(Of<StoredTensor> auto& stored) {
  return std::tuple(Field{"tensor", stored.tensor}, Field{"form", stored.form});
}

auto fields_of(Of<CallOfNetwork> auto& call) {
  return std::tuple(Field{"call", call.call},
                    Field{"with", call.with, AnyValue{}, Presence::unless_empty},
                    Field{"conversion", call.is_conversion, AnyValue{}, Presence::unless_empty},
                    Field{"seconds", call.seconds, Seconds{}, Presence::unless_empty},
                    Field{"given", call.given, AnyValue{}, Presence::unless_empty},
                    Field{"made", call.made, AnyValue{}, Presence::unless_empty});
}

namespace {

auto fields_of(Of<NetworkRecord> auto& network) {
  return std::tuple(
      Field{"campaign", network.campaign, AtLeast{1}}, Field{"model", network.model},
      Field{"graph", network.graph}, Field{"variant", network.variant},
      Field{"exact", network.exact, AnyValue{}, Presence::unless_empty},
      Field{"memory_limit_bytes", network.memory_limit_bytes, AtLeast{1}, Presence::unless_empty},
      Field{"target", network.target}, Field{"device", network.device},
      Field{"trials", network.trials, AtLeast{0}}, Field{"seconds", network.seconds, Seconds{}},
      Field{"joint_seconds", network.joint_seconds, Seconds{}},
      Field{"networks", network.networks, AtLeast{1}},
      Field{"weights_ahead", network.prefetches_weights, AnyValue{}, Presence::unless_empty},
      Field{"fused", network.fused, AnyValue{}, Presence::unless_empty},
      Field{"nodes", network.nodes},
      Field{"calls", network.calls, AnyValue{}, Presence::unless_empty});
}

}  // namespace

std::string print(const NetworkRecord& network) {
  JsonWriter writer;
  writer.text("kind", kNetworkKind);
  write_fields(writer, fields_of(network));
  writer.unknown(network.unknown);
  return seal_line(std::move(writer).finish());
}

Result<NetworkRecord> parse_network_record(std::string_view object, int schema) {
  auto json = TRY(JsonFields::parse(TRY(migrate(std::string(object), schema))));
  NetworkRecord network;
  if (json.text("kind") != kNetworkKind) json.mistake("kind", "expected network");
  read_fields(json, fields_of(network));
  network.unknown = json.rest();
  TRY(json.check());
  return network;
}

}  // namespace dovetail
