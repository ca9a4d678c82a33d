// SPDX-License-Identifier: Apache-2.0
#include "campaign/cache_choice.h"

#include <gtest/gtest.h>

#include "tests/support/expect_error.h"

namespace dovetail {
namespace {

Target cpu_with(int64_t l3_bytes) {
  Target target;
  target.l2_bytes = 1 << 20;
  target.l3_bytes = l3_bytes;
  return target;
}

Workloads model_of(int64_t working_set_bytes) {
  Workloads workloads;
  workloads.working_set_bytes = working_set_bytes;
  return workloads;
}

TEST(CacheChoice, OfANetworkGoesByItsWorkingSet) {
  const Target target = cpu_with(32 << 20);
  EXPECT_EQ(caches_of_network(16 << 20, target), Caches::network_l3);
  EXPECT_EQ(caches_of_network((16 << 20) + 1, target), Caches::network_memory);
  EXPECT_EQ(caches_of_network((512 << 10) + 1, target), Caches::network_l3);
  EXPECT_EQ(caches_of_network(512 << 10, target), Caches::hot);
  EXPECT_EQ(chosen_caches("network", model_of(1000), target), Caches::hot);
  EXPECT_EQ(chosen_caches("network", model_of(47 << 20), target), Caches::network_memory);
}

TEST(CacheChoice, OfNetworkWithoutAModelIsThatOfALargeOne) {
  EXPECT_EQ(chosen_caches("network", {}, cpu_with(32 << 20)), Caches::network_memory);
}

TEST(CacheChoice, IsWhatIsAskedForByName) {
  EXPECT_EQ(chosen_caches("network:l3", model_of(47 << 20), cpu_with(1)), Caches::network_l3);
  EXPECT_EQ(chosen_caches("hot", model_of(1), cpu_with(1)), Caches::hot);
}

TEST(CacheChoice, OfADeviceIsHot) {
  Target device = cpu_with(1);
  device.name = *parse_target_name("opencl");
  device.execution = ExecutionModel::work_groups;
  EXPECT_EQ(caches_of_network(47 << 20, device), Caches::hot);
  EXPECT_FALSE(has_cache_states(device));
  EXPECT_TRUE(check_cache("tune", "hot", device.name));
  EXPECT_ERROR(check_cache("tune", "cold", device.name),
               "tune --cache cold: caches of target opencl cannot be emptied");
}

TEST(CacheChoice, NamesModelsThatHaveAnotherAlone) {
  Workloads two = model_of(46'800'000);
  two.working_sets = {{"large.onnx", 46'800'000}, {"small.onnx", 300'000}};
  const Target target = cpu_with(32 << 20);
  const std::vector<std::string> notes = notes_on_other_states(Caches::network_memory, two, target);
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_EQ(notes[0],
            "small.onnx: timed network:memory here, as the largest model; alone it would be timed "
            "hot, so tune it in a campaign of its own");
  two.working_sets.erase("small.onnx");
  EXPECT_TRUE(notes_on_other_states(Caches::network_memory, two, target).empty());
}

TEST(CacheChoice, ExplainsThatOfAModel) {
  const Target target = cpu_with(32 << 20);
  EXPECT_EQ(explain(Caches::network_memory, model_of(46'800'000), target),
            "caches: network:memory (constants and a node's activations take 46.8 MB, and can have "
            "16.8 MB of the last cache)");
  EXPECT_EQ(explain(Caches::hot, model_of(300'000), target),
            "caches: hot (constants and a node's activations take 0.3 MB, and can have 0.5 MB of "
            "the second level)");
  EXPECT_EQ(explain(Caches::cold, {}, target), "caches: cold");
  EXPECT_EQ(explain(Caches::hot, model_of(46'800'000), target), "caches: hot");
}

}  // namespace
}  // namespace dovetail
