// SPDX-License-Identifier: Apache-2.0
#include "primitives/space/parameter_names.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "primitives/space/space.h"
#include "tests/primitives/lowered.h"
#include "tests/primitives/parsed_points.h"
#include "tests/support/golden.h"

namespace dovetail {
namespace {

using testing::cpu;
using testing::opencl_with_images;
using testing::parse_point;
using testing::space_of;

// Among them every kind of parameter that there is.
std::vector<Space> many_spaces() {
  Target threads = cpu(), small = cpu();
  threads.name.threads = 4;
  small.l2_bytes = small.l3_bytes = 1 << 12;
  std::vector<Space> spaces;
  for (const Target& target : {cpu(), threads, small, opencl_with_images()}) {
    for (const char* spec :
         {"c2d:ci=64,co=64,h=28,w=28,k=3,p=1+bias", "dep:c=21,h=9,w=15,k=3,p=1",
          "t2d:ci=4,co=2,h=4,w=17,k=3,s=2,p=1,op=1", "gmm:m=1,n=64,k=1024", "gmm:m=7,n=130,k=9"})
      spaces.push_back(space_of(spec, target));
  }
  return spaces;
}

// The text of a point as it was printed before names were words.
std::string short_text(const Space& space, const Point& point) {
  std::string text = print(space, point) + " ";
  for (const Parameter& parameter : space.parameters()) {
    const size_t at = (" " + text).find(" " + parameter.name + "=");
    if (at == std::string::npos) continue;
    text.replace(at, parameter.name.size(), short_name(id_of(parameter), parameter.algorithm));
  }
  text.pop_back();
  return text;
}

TEST(ParameterNames, AreWordsThatWereLetters) {
  std::set<std::string> names;
  for (const Space& space : many_spaces()) {
    for (const Parameter& parameter : space.parameters())
      names.insert(parameter.name + " was " + short_name(id_of(parameter), parameter.algorithm) +
                   "\n");
  }
  std::string text;
  for (const std::string& name : names) text += name;
  EXPECT_GOLDEN(text, "primitives/space/parameter_names");
}

TEST(ParameterNames, BelongToOneParameter) {
  for (const Space& space : many_spaces()) {
    std::set<std::string> names;
    for (const Parameter& parameter : space.parameters()) {
      const std::string before = short_name(id_of(parameter), parameter.algorithm);
      EXPECT_TRUE(names.insert(parameter.name).second) << parameter.name;
      EXPECT_TRUE(before == parameter.name || names.insert(before).second) << before;
      EXPECT_TRUE(is_called(parameter, parameter.name));
      EXPECT_TRUE(is_called(parameter, before));
    }
  }
}

TEST(ParameterNames, OfBothKindsGiveTheSamePoint) {
  std::mt19937_64 rng(11);
  for (const Space& space : many_spaces()) {
    for (int k = 0; k < 10; ++k) {
      const Point point = k == 0 ? space.default_point() : space.sample(rng);
      for (const std::string& text : {print(space, point), short_text(space, point)}) {
        const Result<Point> parsed = parse_point(space, text);
        ASSERT_TRUE(parsed) << parsed.error().message << "\n" << text;
        EXPECT_EQ(*parsed, point) << text;
      }
    }
  }
}

TEST(ParameterNames, OfBeforeAreRead) {
  const Space space = space_of("gmm:m=128,n=128,k=128");
  const std::string before =
      "R.n=32 R.m=8 levels.Y=1 levels.X=1 levels.W=1 U.k=4 M.m=1 M.n=1 at.X.pad=root Y.m=0 X.m=pad "
      "Y.n=128 K.k=4 X.k=128 W.k=16 W.n=32 place.X=before place.W=before place.Y=before "
      "order.outer=0 "
      "order.cache=0 kout=0 stage.X=none stage.W=none";
  const Result<Point> point = parse_point(space, before);
  ASSERT_TRUE(point) << point.error().message;
  EXPECT_EQ(*point, space.default_point());
  EXPECT_EQ(short_text(space, *point), before);
}

TEST(Parameters, SayWhatTheyDecide) {
  for (const Space& space : many_spaces()) {
    for (const Parameter& parameter : space.parameters()) {
      const std::string before = short_name(id_of(parameter));
      const std::string family = before.substr(0, before.find('.'));
      const bool loops = std::set<std::string>{"U",
                                               "unroll",
                                               "M",
                                               "K",
                                               "order",
                                               "at",
                                               "stage",
                                               "prefetch",
                                               "kout",
                                               "fuse",
                                               "rfactor",
                                               "stores",
                                               "made_at",
                                               "row_pad",
                                               "reduction_parts",
                                               "reduction_items",
                                               "double_buffer"}
                             .contains(family);
      EXPECT_EQ(parameter.decides == Decides::loops, loops) << parameter.name;
      EXPECT_EQ(parameter.decides == Decides::algorithm, before == "algorithm") << parameter.name;
      EXPECT_EQ(parameter.decides == Decides::scope, family == "scope") << parameter.name;
    }
  }
}

TEST(Parameters, KnowTheInputThatTheyAreAbout) {
  for (const Space& space : many_spaces()) {
    for (const Parameter& parameter : space.parameters()) {
      const char tensor = parameter.tensor.empty() ? ' ' : parameter.tensor[0];
      EXPECT_EQ(parameter.input.has_value(), tensor == 'X' || tensor == 'W') << parameter.name;
      EXPECT_EQ(parameter.input.value_or(tensor == 'X' ? 0u : 1u), tensor == 'X' ? 0u : 1u)
          << parameter.name;
    }
  }
}

}  // namespace
}  // namespace dovetail
