// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "core/ir/layout/pack.h"

namespace dovetail {
namespace {

Layout hosting(const std::string& text) { return parse_layout(text)->layout; }

TEST(Guests, OfAWeightMatrixIsARowBelowIt) {
  const Layout w = hosting("W[k=3, n=2] as [k@1:3] [n@1:2] holds bias[n=2] at k=2");
  const std::vector<float> host = {1, 2, 3, 4}, bias = {8, 9};
  const std::vector<NDArray> guests = {bias};
  EXPECT_EQ(floats_of(join_guests(w, host, guests)), (std::vector<float>{1, 2, 3, 4, 8, 9}));
}

TEST(Guests, AreZeroWhereTheyHaveNoElement) {
  const Layout w = hosting("W[o=2, i=2, kw=2] as [o@1:2] [i@1:2] [kw@1:2] holds bias[o=2] at i=1");
  const std::vector<float> host = {1, 2, 3, 4}, bias = {8, 9};
  const std::vector<NDArray> guests = {bias};
  EXPECT_EQ(floats_of(join_guests(w, host, guests)), (std::vector<float>{1, 2, 8, 0, 3, 4, 9, 0}));
}

TEST(Guests, AlongTheirOwnAxisAreAppendedWhole) {
  const Layout w = hosting("W[k=2, n=5] as [k@1:2] [n@1:5] holds V[k=2, n=2] at n=3");
  EXPECT_EQ(host_dims(w), (std::vector<LogicalDim>{{"k", 2}, {"n", 3}}));
  const std::vector<float> host = {1, 2, 3, 4, 5, 6}, v = {7, 8, 9, 10};
  const std::vector<NDArray> guests = {v};
  EXPECT_EQ(floats_of(join_guests(w, host, guests)),
            (std::vector<float>{1, 2, 3, 7, 8, 4, 5, 6, 9, 10}));
}

TEST(Guests, StandBehindTheOffsetsWhenPrinted) {
  const std::string text =
      "W[k=3, n=2] as [k@1:4] [n@1:2] offset k=-1 holds bias[n=2] at k=2 ; scope texture";
  EXPECT_EQ(print(hosting(text), "W"), text);
}

TEST(Guests, OutsideTheTensorAreBadInput) {
  for (const char* text : {"W[k=3, n=2] as [k@1:3] [n@1:2] holds bias[n=2] at k=3",
                           "W[k=3, n=2] as [k@1:3] [n@1:2] holds bias[n=3] at k=2",
                           "W[k=3, n=2] as [k@1:3] [n@1:2] holds bias[m=2] at k=2"}) {
    const Result<NamedLayout> layout = parse_layout(text);
    ASSERT_FALSE(layout.has_value()) << text;
    EXPECT_NE(layout.error().message.find("guest bias does not lie inside the tensor"),
              std::string::npos)
        << layout.error().message;
  }
}

// The host's plain elements, then those of its only guest.
std::vector<std::vector<float>> split_guest(const Layout& layout, std::span<const float> joined) {
  const Guest& guest = layout.guests.at(0);
  std::vector<std::vector<float>> parts(2);
  for (size_t k = 0; k < joined.size(); ++k) {
    auto rest = static_cast<int64_t>(k);
    bool in_host = true, in_guest = true;
    for (size_t j = layout.logical.size(); j-- > 0;) {
      const LogicalDim& dim = layout.logical[j];
      const int64_t index = rest % dim.extent;
      rest /= dim.extent;
      if (dim.name == guest.axis) {
        in_host = index < guest.at;
      } else if (std::ranges::find(guest.dims, dim.name, &LogicalDim::name) == guest.dims.end()) {
        in_guest = in_guest && index == 0;
      }
    }
    if (in_host || in_guest) parts[in_host ? 0 : 1].push_back(joined[k]);
  }
  return parts;
}

RC_GTEST_PROP(GuestsLaw, SplitUndoesJoin, ()) {
  const auto draw = [](int low, int high) { return *rc::gen::inRange(low, high + 1); };
  Layout w = identity_layout({{"k", draw(2, 5)}, {"n", draw(1, 4)}, {"m", draw(1, 3)}});
  const int64_t rows = draw(1, static_cast<int>(w.logical[0].extent) - 1);
  const bool along = draw(0, 1) == 1;
  Guest guest{"bias", {w.logical[1]}, "k", w.logical[0].extent - (along ? rows : 1)};
  if (along) guest.dims.insert(guest.dims.begin(), {"k", rows});
  w.guests = {guest};
  std::vector<float> host, bias;
  for (int64_t k = 0; k < logical_elements(identity_layout(host_dims(w))); ++k)
    host.push_back(static_cast<float>(k + 1));
  for (int64_t k = 0; k < logical_elements(identity_layout(guest.dims)); ++k)
    bias.push_back(static_cast<float>(-k - 1));
  const std::vector<NDArray> guests = {bias};
  RC_ASSERT(split_guest(w, floats_of(join_guests(w, host, guests))) ==
            (std::vector<std::vector<float>>{host, bias}));
}

}  // namespace
}  // namespace dovetail
