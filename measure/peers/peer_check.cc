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

// The values that must come out, element by element, and how far off they may be.
struct Expectation {
  const CheckData& data;
  double tolerance = 0;

  size_t size() const {
    const auto* exact = std::get_if<std::vector<float>>(&data.expected);
    return exact != nullptr ? exact->size() : std::get<Reference>(data.expected).values.size();
  }
  double value(size_t i) const {
    const auto* exact = std::get_if<std::vector<float>>(&data.expected);
    return exact != nullptr ? (*exact)[i] : std::get<Reference>(data.expected).values[i];
  }
  double allowed(size_t i) const {
    const auto* reference = std::get_if<Reference>(&data.expected);
    if (reference == nullptr) return 0;
    const double epilogue = reference->epilogue_scale.empty()
                                ? 0
                                : reference->epilogue_scale[i] * kPeerEpilogueTolerance;
    return tolerance * reference->scale[i] + epilogue;
  }
  double scale(size_t i) const {
    const auto* reference = std::get_if<Reference>(&data.expected);
    return reference == nullptr ? 1 : reference->scale[i];
  }
};

}  // namespace

bool is_judged_by(const std::string& algorithm, const CheckData& data) {
  return algorithm == "direct" || std::holds_alternative<Reference>(data.expected);
}

OutputCheck check_peer_output(const CheckData& data, const std::string& algorithm,
                              std::span<const float> output) {
  const Expectation expected{data,
                             algorithm == "direct" ? kPeerDirectTolerance : kPeerWinogradTolerance};
  OutputCheck check;
  if (output.size() != expected.size()) {
    check.status = Status::wrong_output;
    check.reason =
        fmt::format("the output has {} elements, expected {}", output.size(), expected.size());
    return check;
  }
  size_t wrong = 0;
  for (size_t i = 0; i < output.size(); ++i) {
    double error = std::fabs(output[i] - expected.value(i));
    if (!(error <= expected.allowed(i)) && wrong++ == 0) {
      check.reason = fmt::format("element {} is {}, expected {}", i, output[i], expected.value(i));
    }
    if (!(error >= 0)) error = std::numeric_limits<double>::infinity();  // NaN
    check.max_abs_error = std::max(check.max_abs_error, error);
    if (error > 0) check.max_rel_error = std::max(check.max_rel_error, error / expected.scale(i));
  }
  if (wrong > 0) {
    check.status = Status::wrong_output;
    check.reason += fmt::format("; {} of {} elements are wrong", wrong, output.size());
  }
  return check;
}

}  // namespace dovetail
