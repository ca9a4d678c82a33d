// SPDX-License-Identifier: Apache-2.0
#include "measure/peers/peer_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace dovetail {
namespace {

constexpr double kPeerDirectTolerance = 1e-6;
constexpr double kPeerWinogradTolerance = 1e-4;
constexpr double kPeerEpilogueTolerance = 1e-5;

}  // namespace

bool is_judged_by(const std::string& algorithm, const CheckData& data) {
  return algorithm == "direct" || std::holds_alternative<Reference>(data.expected);
}

OutputCheck check_peer_output(const CheckData& data, const std::string& algorithm,
                              std::span<const float> output) {
  const double tolerance = algorithm == "direct" ? kPeerDirectTolerance : kPeerWinogradTolerance;
  const auto* exact = std::get_if<std::vector<float>>(&data.expected);
  const auto* reference = std::get_if<Reference>(&data.expected);  // the other of the two
  const size_t size = exact != nullptr ? exact->size() : reference->values.size();
  const auto allowed = [&](size_t i) {
    if (reference == nullptr) return 0.0;
    const double epilogue = reference->epilogue_scale.empty() ? 0 : reference->epilogue_scale[i];
    return tolerance * reference->scale[i] + kPeerEpilogueTolerance * epilogue;
  };
  OutputCheck check;
  if (output.size() != size) {
    check.status = Status::wrong_output;
    check.reason = fmt::format("the output has {} elements, expected {}", output.size(), size);
    return check;
  }
  size_t wrong = 0;
  for (size_t i = 0; i < output.size(); ++i) {
    const double value = exact != nullptr ? (*exact)[i] : reference->values[i];
    double error = std::fabs(output[i] - value);
    if (!(error <= allowed(i)) && wrong++ == 0) {
      check.reason = fmt::format("element {} is {}, expected {}", i, output[i], value);
    }
    if (!(error >= 0)) error = std::numeric_limits<double>::infinity();  // NaN
    check.max_abs_error = std::max(check.max_abs_error, error);
    const double scale = reference == nullptr ? 1 : reference->scale[i];
    if (error > 0) check.max_rel_error = std::max(check.max_rel_error, error / scale);
  }
  if (wrong > 0) {
    check.status = Status::wrong_output;
    check.reason += fmt::format("; {} of {} elements are wrong", wrong, output.size());
  }
  return check;
}

}  // namespace dovetail
