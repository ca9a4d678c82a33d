// SPDX-License-Identifier: Apache-2.0
#include "deploy/network/lower_network.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/deploy/network/network_run.h"
#include "tests/support/expect_error.h"
#include "tests/support/right.h"
#include "tests/support/targets.h"

namespace dovetail {
namespace {

using testing::cpu_here;
using testing::parts_of;
using testing::right;
using testing::runs_right;

LoweredNetwork lowered(const Partition& parts, Propagation propagation = Propagation::both) {
  return right(
      testing::lowered_network(parts, cpu_here(), default_traces(cpu_here()), propagation));
}

std::vector<std::string> calls_of(const LoweredNetwork& network) {
  std::vector<std::string> names;
  for (const NetworkCall& call : network.program.calls) names.push_back(call.name);
  return names;
}

// A residual block with a pooling, a mean and a product behind it. Default traces pad no row of
// six.
constexpr const char* kBlock =
    "input x: f32[1,16,6,6]\n"
    "constant w1: f32[32,16,3,3]\nconstant b1: f32[32]\nconstant w2: f32[32,32,3,3]\n"
    "constant w3: f32[10,32]\nconstant b3: f32[10]\n"
    "node c1 = complex c2d:ci=16,co=32,h=6,w=6,k=3,p=1+bias+relu (x, w1, b1) -> t: f32[1,32,6,6]\n"
    "node c2 = complex c2d:ci=32,co=32,h=6,w=6,k=3,p=1+add+relu (t, w2, t) -> u: f32[1,32,6,6]\n"
    "node pool = reduction MaxPool {kernel_shape=[2,2],strides=[2,2]} (u) -> v: f32[1,32,3,3]\n"
    "node mean = reduction GlobalAveragePool (v) -> m: f32[1,32,1,1]\n"
    "node flat = data_movement Flatten {axis=1} (m) -> f: f32[1,32]\n"
    "node fc = complex gmm:m=1,n=10,k=32,tb=1+bias (f, w3, b3) -> y: f32[1,10]\n"
    "output y\n";

TEST(LowerNetwork, LeavesBlocksOfChannelsAsTheyAre) {
  const Partition parts = parts_of(kBlock);
  const LoweredNetwork network = lowered(parts);
  const std::vector<std::string> calls = calls_of(network);
  EXPECT_EQ(std::ranges::count(calls, "flat"), 0) << "a view";
  EXPECT_EQ(std::ranges::count(calls, "convert.u"), 0) << "the pooling takes blocks";
  EXPECT_EQ(std::ranges::count(calls, "convert.v"), 0);
  EXPECT_TRUE(runs_right(parts, network));
}

TEST(LowerNetwork, ConvertsAroundEachWithoutPropagation) {
  const Partition parts = parts_of(kBlock);
  const LoweredNetwork network = lowered(parts, Propagation::none);
  EXPECT_EQ(std::ranges::count(calls_of(network), "convert.u"), 1);
  EXPECT_GT(conversions_of(network), conversions_of(lowered(parts)));
  EXPECT_TRUE(runs_right(parts, network));
}

TEST(LowerNetwork, SharesTheProgramOfLayersOfOneShape) {
  const Partition parts = parts_of(
      "input x: f32[1,16,8,8]\nconstant a: f32[16,16,3,3]\nconstant b: f32[16,16,3,3]\n"
      "node c1 = complex c2d:ci=16,co=16,h=8,w=8,k=3,p=1 (x, a) -> t: f32[1,16,8,8]\n"
      "node c2 = complex c2d:ci=16,co=16,h=8,w=8,k=3,p=1 (t, b) -> u: f32[1,16,8,8]\n"
      "node c3 = complex c2d:ci=16,co=16,h=8,w=8,k=3,p=1 (u, a) -> v: f32[1,16,8,8]\n"
      "node e = elementwise Abs (v) -> y: f32[1,16,8,8]\noutput y\n",
      {.tail_values = false});
  const LoweredNetwork network = lowered(parts);
  std::vector<NetworkCall> convolutions;
  for (const NetworkCall& call : network.program.calls)
    if (call.name.starts_with("c") && call.name.size() == 2) convolutions.push_back(call);
  ASSERT_EQ(convolutions.size(), 3u);
  EXPECT_EQ(convolutions[1].program, convolutions[2].program);
  EXPECT_EQ(convolutions[0].buffers[1], convolutions[2].buffers[1]) << "one weight, once";
  EXPECT_TRUE(runs_right(parts, network));
}

TEST(LowerNetwork, MovesNothingForAReshapeOrATranspose) {
  const Partition parts = parts_of(
      "input x: f32[8,24]\nconstant w: f32[24,32]\nconstant v: f32[16,8]\n"
      "node p = complex gmm:m=8,n=32,k=24 (x, w) -> a: f32[8,32]\n"
      "node r = data_movement Reshape (a) -> b: f32[8,2,16]\n"
      "node t = data_movement Transpose {perm=[1,0,2]} (b) -> c: f32[2,8,16]\n"
      "node s = reduction Softmax {axis=-1} (c) -> y: f32[2,8,16]\noutput y\n");
  const LoweredNetwork network = lowered(parts);
  EXPECT_EQ(std::ranges::count(calls_of(network), "t"), 0);
  EXPECT_TRUE(runs_right(parts, network));
}

TEST(LowerNetwork, WritesWhatIsPutTogetherInBlocks) {
  const Partition parts = parts_of(
      "input x: f32[1,16,6,6]\nconstant a: f32[32,16,1,1]\nconstant b: f32[16,16,3,3]\n"
      "constant c: f32[16,48,1,1]\n"
      "node c1 = complex c2d:ci=16,co=32,h=6,w=6,k=1 (x, a) -> t: f32[1,32,6,6]\n"
      "node c2 = complex c2d:ci=16,co=16,h=6,w=6,k=3,p=1 (x, b) -> u: f32[1,16,6,6]\n"
      "node cat = data_movement Concat {axis=1} (t, u) -> v: f32[1,48,6,6]\n"
      "node c3 = complex c2d:ci=48,co=16,h=6,w=6,k=1 (v, c) -> y: f32[1,16,6,6]\noutput y\n");
  EXPECT_TRUE(runs_right(parts));
}

// The product counts 16 by 3 matrices as 48, and would have them in blocks of 16.
TEST(LowerNetwork, StoresPlainlyWhatNoDimensionHasInBlocks) {
  const Partition parts = parts_of(
      "input x: f32[16,3,5,16]\ninput w: f32[16,3,16,15]\n"
      "node e = elementwise Exp (x) -> t: f32[16,3,5,16]\n"
      "node s = elementwise Exp (w) -> v: f32[16,3,16,15]\n"
      "node m = complex gmm:b=48,m=5,n=15,k=16 (t, v) -> y: f32[16,3,5,15]\noutput y\n");
  EXPECT_TRUE(runs_right(parts, lowered(parts)));
}

TEST(LowerNetwork, GivesEveryOutput) {
  EXPECT_TRUE(runs_right(parts_of("input x: f32[4,3]\noutput x\noutput x\n"))) << "copies";
  EXPECT_TRUE(runs_right(parts_of(
      "input x: f32[4,4]\nnode e = elementwise Exp (x) -> a: f32[4,4]\n"
      "node f = data_movement Flatten {axis=0} (a) -> b: f32[1,16]\n"
      "node g = elementwise Relu (a) -> c: f32[4,4]\noutput b\noutput a\noutput c\noutput b\n")));
  EXPECT_TRUE(
      runs_right(parts_of("input x: f32[4,6]\n"
                          "node t = data_movement Transpose {perm=[1,0]} (x) -> y: f32[6,4]\n"
                          "output y\n")));
}

TEST(LowerNetwork, TakesWeightsThatChange) {
  EXPECT_TRUE(runs_right(parts_of(
      "input x: f32[1,32,8,8]\ninput w: f32[32,32,1,1]\n"
      "node c = complex c2d:ci=32,co=32,h=8,w=8,k=1 (x, w) -> y: f32[1,32,8,8]\noutput y\n")))
      << "sums of weights cannot be made beforehand";
  EXPECT_TRUE(runs_right(parts_of(
      "input x: f32[1,16,8,8]\ninput w: f32[20,16,3,3]\ninput b: f32[20]\n"
      "node c = complex c2d:ci=16,co=20,h=8,w=8,k=3,p=1+bias (x, w, b) -> y: f32[1,20,8,8]\n"
      "output y\n")));
}

TEST(LoadedNetwork, StoresConstantsCallByCall) {
  const Partition parts = parts_of(kBlock);
  const Target target = cpu_here();
  for (uint64_t seed = 0; seed < 4; ++seed) {
    const LoweredNetwork network = right(
        testing::lowered_network(parts, target, testing::random_traces_of(target, seed)), "here");
    EXPECT_TRUE(runs_right(parts, network, StoreConstants::call_by_call)) << seed;
  }
  EXPECT_TRUE(runs_right(parts, lowered(parts), StoreConstants::call_by_call));
}

// Default traces whose last tile of w is padded instead of cut short.
TraceOfTask with_padded_rows(const Target& target) {
  return [traces = default_traces(target)](const TaskSpec& task) -> Result<Trace> {
    std::string text = print(TRY(traces(task)));
    const auto replace = [&](std::string_view from, std::string_view to) {
      if (const size_t at = text.find(from); at != std::string::npos)
        text.replace(at, from.size(), to);
    };
    replace("split(loop=w, factor=3, tail=cut)", "split(loop=w, factor=3)");
    replace("layout Y: split(axis=o, factor=16) ",
            "layout Y: split(axis=o, factor=16) pad(axis=w, before=0, after=1) ");
    return parse_trace(text);
  };
}

// Rows of 14 are tiled by three: what the padded tiles make is copied in its order, and the next
// convolution reads it where it lies.
TEST(LowerNetwork, CropsPaddedRowsInTheirOrder) {
  const Partition parts = parts_of(
      "input x: f32[1,64,14,14]\nconstant a: f32[64,64,3,3]\n"
      "node c1 = complex c2d:ci=64,co=64,h=14,w=14,k=3,p=1 (x, a) -> t: f32[1,64,14,14]\n"
      "node c2 = complex c2d:ci=64,co=64,h=14,w=14,k=3,p=1 (t, a) -> u: f32[1,64,14,14]\n"
      "node e = elementwise Abs (u) -> y: f32[1,64,14,14]\noutput y\n");
  Target target = cpu_here();
  target.vector_bytes = 32;
  target.vector_registers = 16;
  const LoweredNetwork network =
      right(testing::lowered_network(parts, target, with_padded_rows(target)));
  const std::vector<std::string> calls = calls_of(network);
  EXPECT_EQ(std::ranges::count(calls, "convert.t"), 0);
  const Program& first = network.program.programs[network.program.calls[1].program];
  EXPECT_EQ(std::ranges::count(first.buffers, BufferRole::temporary, &Buffer::role), 1)
      << "its rows are padded";
  EXPECT_TRUE(runs_right(parts, network));
}

// Traces of devices put operands into images; between regions there are buffers.
TEST(LowerNetwork, KeepsImagesInsideRegions) {
  const Partition parts = parts_of(kBlock);
  int images = 0;
  for (uint64_t seed = 0; seed < 20; ++seed) {
    const Target device = testing::opencl_with_images();
    const LoweredNetwork network =
        right(testing::lowered_network(parts, device, testing::random_traces_of(device, seed)),
              "on a device");
    for (const NetworkBuffer& held : network.program.buffers) {
      const bool is_image = is_texture(held.buffer.layout.scope);
      images += is_image ? 1 : 0;
      EXPECT_FALSE(is_image && !held.tensors.empty() && held.buffer.role != BufferRole::constant);
    }
  }
  EXPECT_GT(images, 0);
}

TEST(LowerNetwork, NamesANodeWithoutAComputation) {
  const Partition parts =
      parts_of("input x: f32[4]\nnode odd = unknown Odd (x) -> y: f32[4]\noutput y\n");
  EXPECT_ERROR(lower_network(parts, cpu_here(), default_traces(cpu_here()), {}), "node odd");
  EXPECT_ERROR(propagated(parts, cpu_here(), only(default_traces(cpu_here()))), "node odd");
}

TEST(LowerNetwork, IsRightWithRandomTraces) {
  const Partition parts = parts_of(kBlock);
  for (uint64_t seed = 0; seed < 12; ++seed)
    for (const Propagation propagation :
         {Propagation::none, Propagation::forward, Propagation::backward, Propagation::both})
      EXPECT_TRUE(runs_right(
          parts, right(testing::lowered_network(
                     parts, cpu_here(), testing::random_traces_of(cpu_here(), seed), propagation))))
          << "seed " << seed << " propagation " << static_cast<int>(propagation);
}

}  // namespace
}  // namespace dovetail
