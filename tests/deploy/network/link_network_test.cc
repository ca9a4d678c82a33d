// SPDX-License-Identifier: Apache-2.0
#include "deploy/network/link_network.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "core/base/cores.h"
#include "core/ir/value/named_arrays.h"
#include "deploy/network/loaded_network.h"
#include "tests/deploy/network/network_run.h"
#include "tests/support/right.h"
#include "tests/support/targets.h"

namespace dovetail {
namespace {

using testing::cpu_here;
using testing::parts_of;
using testing::right;

// Nobody reads z, and each output has a buffer of its own.
constexpr const char* kConvolution =
    "input z: f32[3]\ninput x: f32[1,16,8,8]\nconstant w: f32[20,16,3,3]\nconstant b: f32[20]\n"
    "node c = complex c2d:ci=16,co=20,h=8,w=8,k=3,p=1+bias (x, w, b) -> y: f32[1,20,8,8]\n"
    "output y\noutput y\n";

struct Linked {
  NetworkProgram program;
  NetworkPlan plan;
  Executable executable;
};

Linked linked(const Partition& parts, NetworkBoundary boundary) {
  const Target target = cpu_here();
  NetworkProgram program =
      right(testing::lowered_network(parts, target, default_traces(target))).program;
  const NetworkPlan plan = right(plan_network(program, {.boundary = boundary}));
  Executable executable = right(
      link_network(parts.graph, program, plan, right(build_network(program, target)), target));
  return {std::move(program), plan, std::move(executable)};
}

std::vector<float> numbers_of(const std::string& name) {
  std::vector<float> numbers(name == "w" ? 20 * 16 * 9 : 20);
  for (size_t i = 0; i < numbers.size(); ++i)
    numbers[i] = static_cast<float>(i % 7) / 8 - static_cast<float>(name.size());
  return numbers;
}

TEST(LinkNetwork, HasTensorsInTheModelsOrder) {
  const Executable network = linked(parts_of(kConvolution), NetworkBoundary::inside).executable;
  ASSERT_EQ(network.inputs.size(), 2u);
  EXPECT_EQ(network.inputs[0].name, "z");
  EXPECT_EQ(network.inputs[1].shape, (std::vector<int64_t>{1, 16, 8, 8}));
  ASSERT_EQ(network.outputs.size(), 2u);
  EXPECT_NE(network.outputs[0].buffer, network.outputs[1].buffer);
}

TEST(LinkNetwork, PlacesWhatRunsInWorkspaceAndConstants) {
  for (const NetworkBoundary boundary : {NetworkBoundary::apart, NetworkBoundary::inside}) {
    const Linked made = linked(parts_of(kConvolution), boundary);
    const Executable& network = made.executable;
    ASSERT_EQ(network.arenas.size(), 2u);
    EXPECT_EQ(network.arenas[0].use, ArenaUse::workspace);
    EXPECT_EQ(network.arenas[1].use, ArenaUse::constants);
    EXPECT_FALSE(network.buffers[network.inputs[1].buffer].place);
    EXPECT_EQ(network.inputs[1].place.has_value(), boundary == NetworkBoundary::inside);
    for (const Launch& launch : network.code.launches)
      for (const int b : launch.buffers)
        if (const auto& place = network.buffers[static_cast<size_t>(b)].place) {
          EXPECT_LE(place->offset + network.buffers[static_cast<size_t>(b)].bytes(),
                    network.arenas[place->arena].bytes);
        }
  }
}

// Constants packed ahead of time equal, bit for bit, those that a loaded network packs in place.
TEST(LinkNetwork, PacksTheConstantsThatALoadedNetworkHas) {
  const Partition parts = parts_of(kConvolution);
  Linked made = linked(parts, NetworkBoundary::apart);
  const NamedArrays values{{"w", numbers_of("w")}, {"b", numbers_of("b")}};
  const auto constants = [&](const std::string& name) -> Result<NDArray> {
    return values.at(name);
  };
  ASSERT_TRUE(pack_constants(made.program, made.plan, constants, made.executable));
  LoadedNetwork loaded = right(LoadedNetwork::load(
      {.program = made.program, .plan = made.plan, .executable = made.executable},
      {allowed_cores().front()}, constants));
  int64_t compared = 0;
  for (size_t b = 0; b < made.executable.buffers.size(); ++b) {
    const ExecutableBuffer& buffer = made.executable.buffers[b];
    if (!buffer.place || made.executable.arenas[buffer.place->arena].use != ArenaUse::constants)
      continue;
    const std::byte* packed =
        made.executable.constants[buffer.place->arena].data() + buffer.place->offset;
    const NDArray stored = right(loaded.read(b));
    EXPECT_EQ(std::memcmp(packed, stored.bytes().data(), static_cast<size_t>(buffer.bytes())), 0)
        << buffer.name;
    ++compared;
  }
  EXPECT_GT(compared, 0);
}

}  // namespace
}  // namespace dovetail
