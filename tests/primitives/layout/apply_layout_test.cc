// SPDX-License-Identifier: Apache-2.0
#include "primitives/layout/apply_layout.h"

#include "core/ir/layout/image_shape.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/primitives/lowered.h"
#include "tests/support/expect_error.h"

namespace dovetail {
namespace {

using testing::applied;
using testing::cpu;
using testing::layout_of;
using testing::opencl_with_images;

const Tensor kX{"X", {}};

Layout with_scope(Layout layout, MemoryScope scope) {
  layout.scope = scope;
  return layout;
}

std::string without_padding(const std::string& primitives, const char* shape) {
  return print(without_expansion(*applied(primitives, layout_of(shape))), "X");
}

TEST(WithoutExpansion, UndoesPaddingAndUnfoldingAndKeepsSplits) {
  EXPECT_EQ(without_padding("pad(axis=h, before=1, after=1) pad(axis=w, before=1, after=1)"
                            " unfold(axis=h, size=6, stride=4) split(axis=i, factor=16)"
                            " reorder(i.0, n, h.0, w, h.1, i.1)",
                            "X[n=1, i=64, h=56, w=56]"),
            "X[n=1, i=64, h=56, w=56] as [i@16:4 =i.0] [n@1:1] [h@1:56] [w@1:56] [i@1:16 =i.1]");
}

TEST(WithoutExpansion, DropsAnOuterPartThatOnlyThePaddingNeeded) {
  EXPECT_EQ(without_padding("pad(axis=h, before=0, after=1) split(axis=h, factor=4)", "X[h=7]"),
            "X[h=7] as [h@1:7]");
  EXPECT_EQ(without_padding("pad(axis=h, before=0, after=4) split(axis=h, factor=4)", "X[h=8]"),
            "X[h=8] as [h@4:2 =h.0] [h@1:4 =h.1]");
}

TEST(WithoutExpansion, JoinsWhatIsCutAtOtherPlacesThanTheTensor) {
  EXPECT_EQ(without_padding("pad(axis=h, before=1, after=3) split(axis=h, factor=4)", "X[h=8]"),
            "X[h=8] as [h@1:8]");
  EXPECT_EQ(without_padding("pad(axis=h, before=4, after=0) split(axis=h, factor=4)", "X[h=8]"),
            "X[h=8] as [h@4:2 =h.0] [h@1:4 =h.1]");
}

TEST(WithoutExpansion, OfAOneToOneLayoutIsThatLayout) {
  const Layout x = *applied("split(axis=i, factor=4) reorder(i.0, h, i.1) fuse(i.0, h)",
                            layout_of("X[i=8, h=3]"));
  EXPECT_EQ(without_expansion(x), x);
}

TEST(WithoutExpansion, IsAlwaysOneToOneInGlobalMemory) {
  for (const char* text :
       {"pad(axis=h, before=2, after=0)", "unfold(axis=h, size=5, stride=3)",
        "unfold(axis=h, size=5, stride=3) reorder(h.1, w, h.0)",
        "pad(axis=h, before=1, after=1) fuse(h, w)",
        "pad(axis=w, before=1, after=1) split(axis=w, factor=2) fuse(h, w.0)",
        "pad(axis=h, before=0, after=2) split(axis=h, factor=6) split(axis=h.1, factor=2)",
        "unfold(axis=h, size=4, stride=2) split(axis=h.1, factor=2) reorder(h.1.1, w)"}) {
    const Layout x = *applied(text, layout_of("X[h=10, w=4]"));
    const Layout plain = without_expansion(with_scope(x, MemoryScope::texture));
    EXPECT_TRUE(is_one_to_one(plain)) << text << ": " << print(plain, "X");
    EXPECT_EQ(plain.scope, MemoryScope::global);
    EXPECT_EQ(plain.logical, x.logical);
  }
}

TEST(Cropped, ShortensAxesOfOneDigit) {
  const auto cropped_as = [](const std::string& primitives) {
    const auto layout = cropped(*applied(primitives, layout_of("X[h=6, w=7, o=8]")));
    return layout ? print(*layout, "X") : "none";
  };
  EXPECT_EQ(cropped_as("pad(axis=w, before=0, after=1) split(axis=o, factor=4)"),
            "X[h=6, w=7, o=8] as [h@1:6] [w@1:7] [o@4:2 =o.0] [o@1:4 =o.1]");
  EXPECT_EQ(cropped_as("pad(axis=w, before=1, after=0)"), "none") << "elements would move";
  EXPECT_EQ(cropped_as("pad(axis=w, before=0, after=1) split(axis=w, factor=4)"), "none")
      << "7 elements have no tiles of 4";
  EXPECT_EQ(cropped_as("pad(axis=o, before=0, after=4)"), "none") << "vectors run along the last";
  EXPECT_EQ(cropped_as("pad(axis=w, before=0, after=1) fuse(h, w)"), "none")
      << "one number counts both";
}

TEST(Scope, FlattensAxesToAnImage) {
  const Layout x = layout_of("X[a=2, b=3, c=5, d=7, e=4]");
  const auto size = [&](MemoryScope scope) {
    const Result<ImageShape> image = image_shape(with_scope(x, scope));
    return std::pair(image->width, image->height);
  };
  EXPECT_EQ(size(MemoryScope::texture), std::pair(int64_t{7}, int64_t{30}));
  EXPECT_EQ(size(MemoryScope::texture_weight), std::pair(int64_t{105}, int64_t{2}));
  EXPECT_EQ(size(MemoryScope::texture_nhwc), std::pair(int64_t{35}, int64_t{6}));
}

TEST(Scope, GlobalIsLegalEverywhere) { EXPECT_TRUE(check_scope(kX, layout_of("X[h=7]"), cpu())); }

TEST(Scope, FailsWithoutImages) {
  const Layout x = with_scope(layout_of("X[h=7, i=4]"), MemoryScope::texture);
  EXPECT_ERROR(check_scope(kX, x, cpu()), "layout X: scope texture: target cpu has no images");
  Target without = opencl_with_images();
  without.has_images = false;
  EXPECT_ERROR(check_scope(kX, x, without), "target opencl has no images");
}

TEST(Scope, FailsWhenTheInnermostAxisIsNoTexel) {
  const Target gpu = opencl_with_images();
  const auto texture = [](const char* shape) {
    return with_scope(layout_of(shape), MemoryScope::texture);
  };
  EXPECT_TRUE(check_scope(kX, texture("X[h=7, i=4]"), gpu));
  EXPECT_ERROR(check_scope(kX, texture("X[h=7, i=8]"), gpu),
               "innermost axis i has extent 8, expected 4 (a texel)");
  EXPECT_ERROR(check_scope(kX, texture("X[i=4]"), gpu),
               "found one axis, expected a texel of 4 and an axis around it");
}

TEST(Scope, FailsForElementsThatNoTexelHolds) {
  const Layout x = with_scope(layout_of("X[h=7, i=4]"), MemoryScope::texture);
  const auto of_type = [](ElementType type) {
    return Tensor{"X", {}, TensorRole::activation, type};
  };
  EXPECT_TRUE(check_scope(of_type(ElementType::f16), x, opencl_with_images()));
  EXPECT_ERROR(check_scope(of_type(ElementType::i32), x, opencl_with_images()),
               "layout X: scope texture: found elements of i32, expected f32 or f16");
}

TEST(Scope, FailsBeyondTheLimitsOfTheDevice) {
  const Target gpu = opencl_with_images();
  EXPECT_ERROR(
      check_scope(kX, with_scope(layout_of("X[h=20000, w=3, i=4]"), MemoryScope::texture_weight),
                  gpu),
      "image of 3 x 20000 texels, the device's limit is 16384 x 16384");
  EXPECT_ERROR(
      check_scope(kX, with_scope(layout_of("X[h=2, w=20000, i=4]"), MemoryScope::texture), gpu),
      "image of 20000 x 2 texels");
  // With two axes around the texel, one stays a row: 200 x 200, not 1 x 40000.
  EXPECT_TRUE(check_scope(
      kX, with_scope(layout_of("X[h=200, w=200, i=4]"), MemoryScope::texture_nhwc), gpu));
}

TEST(Scope, FailsWhereNotSupported) {
  for (MemoryScope scope : {MemoryScope::texture_array, MemoryScope::texture_nhwc_array}) {
    EXPECT_ERROR(check_scope(kX, with_scope(layout_of("X[h=7, i=4]"), scope), opencl_with_images()),
                 "layout X: scope " + print(scope) + " is not supported yet");
  }
}

}  // namespace
}  // namespace dovetail
