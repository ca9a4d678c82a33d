// SPDX-License-Identifier: Apache-2.0
#include "measure/peers/peer_choice.h"

#include <gtest/gtest.h>

#include <limits>

#include "tests/measure/candidates.h"

namespace dovetail {
namespace {

using testing::operator_of;

std::shared_ptr<const CheckData> product_data(DataKind kind) {
  return CheckData::make(region_of(operator_of("gmm:m=3,n=4,k=8")), kind, 1);
}

std::vector<float> real_values(const CheckData& data) {
  return floats_of(std::get<Reference>(data.expected.at("Y")).values);
}

TEST(PeerCheck, IntegersMustBeExact) {
  const auto data = product_data(DataKind::small_integers);
  std::vector<float> output = floats_of(std::get<NDArray>(data->expected.at("Y")));
  EXPECT_EQ(check_peer_output(*data, "direct", output).status, Status::ok);
  output[5] += 1;
  const OutputCheck check = check_peer_output(*data, "direct", output);
  EXPECT_EQ(check.status, Status::wrong_output);
  EXPECT_NE(check.reason.find("1 of 12 elements are wrong"), std::string::npos) << check.reason;
}

TEST(PeerCheck, WinogradMayRoundMoreThanDirect) {
  const auto data = product_data(DataKind::real);
  const double scale = std::get<Reference>(data->expected.at("Y")).scale[0];
  std::vector<float> output = real_values(*data);
  output[0] += static_cast<float>(2e-5 * scale);
  EXPECT_EQ(check_peer_output(*data, "winograd", output).status, Status::ok);
  EXPECT_EQ(check_peer_output(*data, "direct", output).status, Status::wrong_output);
}

TEST(PeerCheck, AnElementThatWasNotStoredIsWrong) {
  const auto data = product_data(DataKind::real);
  std::vector<float> output = real_values(*data);
  output[7] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(check_peer_output(*data, "winograd", output).status, Status::wrong_output);
}

TEST(PeerCheck, AnOutputOfAnotherSizeIsWrong) {
  const auto data = product_data(DataKind::real);
  EXPECT_EQ(check_peer_output(*data, "direct", std::vector<float>(3)).reason,
            "Y has 3 elements, expected 12");
}

TEST(PeerCheck, WinogradIsNotJudgedByIntegers) {
  EXPECT_FALSE(is_judged_by("winograd", *product_data(DataKind::small_integers)));
  EXPECT_TRUE(is_judged_by("winograd", *product_data(DataKind::real)));
}

}  // namespace
}  // namespace dovetail
