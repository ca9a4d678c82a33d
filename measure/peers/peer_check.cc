// SPDX-License-Identifier: Apache-2.0
#include "measure/peers/peer_check.h"

namespace dovetail {
namespace {

constexpr double kPeerDirectTolerance = 1e-6;
constexpr double kPeerWinogradTolerance = 1e-4;
constexpr double kPeerEpilogueTolerance = 1e-5;

}  // namespace

bool is_judged_by(const std::string& algorithm, const CheckData& data) {
  return algorithm == "direct" || std::holds_alternative<Reference>(data.expected.begin()->second);
}

OutputCheck check_peer_output(const CheckData& data, const std::string& algorithm,
                              std::span<const float> output) {
  const auto& [tensor, expected] = *data.expected.begin();
  return compare_output(
      tensor, logical_shape(*data.region.op, Operand::output), output, expected,
      {.sums = algorithm == "direct" ? kPeerDirectTolerance : kPeerWinogradTolerance,
       .epilogues = kPeerEpilogueTolerance});
}

}  // namespace dovetail
