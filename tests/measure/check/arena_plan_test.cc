// SPDX-License-Identifier: Apache-2.0
#include "measure/check/arena_plan.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

namespace dovetail {
namespace {

const char* const kText =
    "buffer X: f32 activation X[i=5] as [i@1:5]\n"
    "buffer T: f32 temporary X[i=5] as [i@1:7] offset i=-1\n"
    "buffer Y: f32 output Y[i=5] as [i@1:5]\n"
    "kernel copy\n"
    "  for i in 0..5\n"
    "    Y[i] = X[i]\n";

class PoisonedArena : public ::testing::Test {
 protected:
  PoisonedArena()
      : program_(*parse_program(kText)), plan_(plan_arena(program_)), bytes_(plan_.bytes) {
    poison(program_, plan_, bytes_);
  }
  void write(uint64_t at) { bytes_[at] = ~bytes_[at]; }
  std::string breach() const { return find_breach(program_, plan_, bytes_).value_or("none"); }

  Program program_;
  ArenaPlan plan_;
  std::vector<std::byte> bytes_;
};

TEST_F(PoisonedArena, BuffersAreAlignedAndGuardedOnBothSides) {
  uint64_t end = 0;
  for (const BufferPlace& place : plan_.places) {
    EXPECT_EQ(place.offset % kBufferAlignment, 0u);
    EXPECT_GE(place.offset - end, kGuardBytes);
    end = place.offset + place.bytes;
  }
  EXPECT_GE(plan_.bytes - end, kGuardBytes);
  EXPECT_EQ(plan_.places[1].bytes, 28u);
}

TEST_F(PoisonedArena, OutputsAndTemporariesStartAsNan) {
  for (size_t buffer : {1u, 2u}) {
    float first = 0;
    std::memcpy(&first, bytes_.data() + plan_.places[buffer].offset, sizeof(first));
    EXPECT_TRUE(std::isnan(first));
  }
}

TEST_F(PoisonedArena, GuardsReadAsNan) {
  float before = 0;
  std::memcpy(&before, bytes_.data() + plan_.places[2].offset - sizeof(before), sizeof(before));
  EXPECT_TRUE(std::isnan(before));
}

TEST_F(PoisonedArena, WritesInsideBuffersAreNoBreach) {
  for (const BufferPlace& place : plan_.places) {
    std::memset(bytes_.data() + place.offset, 0, place.bytes);
  }
  EXPECT_EQ(breach(), "none");
}

TEST_F(PoisonedArena, EachSideOfEachBufferIsWatched) {
  for (size_t b = 0; b < plan_.places.size(); ++b) {
    const BufferPlace& place = plan_.places[b];
    const std::string& name = program_.buffers[b].name;
    write(place.offset - 1);
    EXPECT_EQ(breach(), "1 bytes of the guard zone before buffer " + name +
                            " changed, the farthest 1 bytes before it");
    poison(program_, plan_, bytes_);
    write(place.offset + place.bytes);
    EXPECT_EQ(breach(), "1 bytes of the guard zone after buffer " + name +
                            " changed, the nearest 0 bytes after it");
    poison(program_, plan_, bytes_);
  }
}

TEST_F(PoisonedArena, ALongOverrunIsMeasured) {
  for (uint64_t i = 0; i < 40; ++i) write(plan_.places[2].offset - 40 + i);
  EXPECT_EQ(breach(),
            "40 bytes of the guard zone before buffer Y changed, the farthest 40 bytes before it");
}

}  // namespace
}  // namespace dovetail
