// SPDX-License-Identifier: Apache-2.0
#include "deploy/package/weights_file.h"

#include <gtest/gtest.h>

#include "deploy/package/xxhash64.h"
#include "tests/deploy/package/sample_package.h"

namespace dovetail::testing {
namespace {

TEST(WeightsFile, BeginsWithWhoseItIs) {
  const Executable pose = sample_executable("pose");
  const PackageVariants variants = {{.executable = &pose, .label = {}, .cpu_features = {}}};
  const InterfaceArena weights = package_interface(variants, "pose")->weights[0];
  ASSERT_EQ(weights.bytes, 64 + 128);
  Sha256 id{};
  id[0] = 0x5e;
  const std::string body = weights_body(variants, weights);
  const std::string header = weights_header(body.size(), weights_hash(body), 3, id);
  const std::string file = with_weights_header(body, header);
  ASSERT_EQ(file.size(), 192u);
  EXPECT_EQ(file.substr(0, 17), std::string("DOVEWTS1\1\0\0\0\3\0\0\0\x5e", 17));
  EXPECT_EQ(file.substr(48, 8), std::string("\xc0\0\0\0\0\0\0\0", 8));
  uint64_t hash = 0;
  for (int i = 7; i >= 0; --i) hash = hash << 8 | static_cast<uint8_t>(file[56 + i]);
  EXPECT_EQ(hash, xxhash64(file.substr(64)));
  EXPECT_EQ(file.substr(64, 4), std::string("\0\0\0\x40", 4));  // 2.0f
}

TEST(WeightsFile, KeepsVariantsOnPagesOfTheirOwn) {
  const std::vector<int64_t> bytes = {100, 5000, 64};
  const WeightsLayout layout = weights_layout(bytes, 128);
  EXPECT_EQ(layout.sections, (std::vector<int64_t>{128, 4096, 12288}));
  EXPECT_EQ(layout.bytes, 12352);
  EXPECT_EQ(weights_layout({}, 64).bytes, 64);
}

}  // namespace
}  // namespace dovetail::testing
