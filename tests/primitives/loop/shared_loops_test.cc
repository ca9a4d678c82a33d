// SPDX-License-Identifier: Apache-2.0
#include "primitives/loop/shared_loops.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <random>
#include <set>

#include "primitives/apply.h"
#include "primitives/lowering/lower.h"
#include "tests/primitives/lowered.h"
#include "tests/support/draws.h"
#include "tests/support/right.h"
#include "tests/support/targets.h"

namespace dovetail {
namespace {

using testing::right;

Target with_sizes(const std::array<int64_t, 3>& sizes) {
  Target target = testing::opencl_with_images();
  target.max_work_group_size = 1024;
  target.max_work_item_sizes = sizes;
  return target;
}

std::string bound_text(const LoopExtents& extents, const std::array<int64_t, 3>& sizes) {
  std::vector<std::string> loops;
  for (const auto& [name, extent] : extents) loops.push_back(name);
  StageLoops stage{"Y", {}};
  bind_items(loops, extents, with_sizes(sizes), stage.primitives);
  Trace trace;
  trace.loops.push_back(std::move(stage));
  return print(trace);
}

TEST(BindItems, TheInnermostToAxisZero) {
  EXPECT_EQ(bound_text({{"a", 2}, {"b", 4}, {"c", 32}}, {1024, 1024, 64}),
            "loops Y: bind(a, thread.2) ; bind(b, thread.1) ; bind(c, thread.0)\n");
  EXPECT_EQ(bound_text({{"a", 2}, {"b", 3}, {"c", 4}, {"d", 8}}, {1024, 1024, 64}),
            "loops Y: fuse(a, b) ; bind(a_b, thread.2) ; bind(c, thread.1) ; bind(d, thread.0)\n");
}

TEST(BindItems, OfAFullAxisSwapsIt) {
  EXPECT_EQ(bound_text({{"a", 7}, {"b", 11}, {"c", 4}, {"d", 3}}, {1024, 1024, 64}),
            "loops Y: fuse(a, b) ; bind(a_b, thread.1) ; bind(c, thread.2) ; bind(d, thread.0)\n");
  EXPECT_EQ(bound_text({{"a", 7}, {"b", 2}, {"c", 2}}, {1024, 4, 4}),
            "loops Y: bind(a, thread.0) ; bind(b, thread.2) ; bind(c, thread.1)\n");
}

TEST(BindItems, FuseWhereADeviceHasOneAxis) {
  EXPECT_EQ(bound_text({{"a", 2}, {"b", 4}, {"c", 32}}, {1024, 1, 1}),
            "loops Y: fuse(a, b) ; fuse(a_b, c) ; bind(a_b_c, thread.0)\n");
}

// Axes so short that most points have a loop that does not fit its own.
TEST(BindItems, NoPointOfASpaceIsRefused) {
  std::mt19937_64 rng(3);
  for (const std::array<int64_t, 3> sizes : {std::array<int64_t, 3>{1024, 8, 4}, {1024, 1, 1}}) {
    const Target target = with_sizes(sizes);
    for (const char* spec : {"c2d:ci=8,co=16,h=14,w=12,k=3,p=1+bias", "gmm:b=3,m=24,n=40,k=64",
                             "c3d:ci=8,co=8,depth=6,h=7,w=11,k=3,p=1",
                             "t2d:ci=8,co=8,h=7,w=7,k=4,s=2,p=1", "dep:c=24,h=14,w=14,k=3,p=1"}) {
      const Operator op = right(parse_operator(spec), spec);
      const Space space = testing::space_of(spec, target);
      for (int k = 0; k < 60; ++k) {
        const Trace trace = space.decode(space.sample(rng));
        const auto schedule = right(apply(trace, op, target), print(trace));
        right(lower(schedule, target), std::string(spec) + "\n" + print(trace));
      }
    }
  }
}

RC_GTEST_PROP(BindItemsLaw, NoAxisHasMoreThanItMay, ()) {
  const std::array<int64_t, 3> sizes = {1024, testing::pick<int64_t>({1, 64, 1024}),
                                        testing::pick<int64_t>({1, 64, 1024})};
  LoopExtents extents;
  std::vector<std::string> loops;
  for (int64_t room = 1024; room > 1 && loops.size() < 5;) {
    loops.push_back(std::string(1, static_cast<char>('a' + loops.size())));
    extents[loops.back()] = testing::draw(2, room);
    room /= extents.at(loops.back());
  }
  const Target target = with_sizes(sizes);
  std::vector<LoopPrimitive> list;
  bind_items(loops, extents, target, list);
  std::set<ThreadAxis> used;
  bool fuses = false;
  for (const LoopPrimitive& primitive : list) {
    if (const auto* fuse = std::get_if<loop::Fuse>(&primitive)) {
      extents[fuse->outer + "_" + fuse->inner] = extents.at(fuse->outer) * extents.at(fuse->inner);
      fuses = true;
    } else {
      const auto& bind = std::get<loop::Bind>(primitive);
      const size_t axis =
          static_cast<size_t>(bind.axis) - static_cast<size_t>(ThreadAxis::thread_0);
      RC_ASSERT(used.insert(bind.axis).second);
      RC_ASSERT(extents.at(bind.loop) <= max_work_items(target, axis));
    }
  }
  RC_ASSERT(fuses == fuses_items(loops, extents, target));
}

}  // namespace
}  // namespace dovetail
