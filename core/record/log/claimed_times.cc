// SPDX-License-Identifier: Apache-2.0
#include "core/record/log/claimed_times.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/base/text.h"
#include "core/ir/region/task_spec.h"
#include "core/ir/region/work.h"
#include "core/ir/schedule/trace.h"
#include "core/ir/target.h"

namespace dovetail {
namespace {

constexpr int kMostThreads = 256;
constexpr double kLeastSeconds = 1e-9;  // no launch is faster

// Rates per second, beyond any existing processor.
struct Rates {
  double multiply_adds = 0;
  double written_bytes = 0;
  double narrow_times = 1;  // multiply-adds of operands narrower than f32, to those of f32
  std::string whose;
};

// None where the header lacks the number of compute units. Where it lacks every fact, that of the
// most threads which a target's name can state.
std::optional<Rates> rates_of(const std::string& target, const LogHeader& header) {
  const Result<TargetName> name = parse_target_name(target);
  const std::optional<ExecutionModel> execution = execution_of(header.device);
  if (!name) return std::nullopt;
  if (execution != ExecutionModel::work_groups) {
    const int named = execution ? std::max(name->threads, 1) : kMostThreads;
    constexpr double kHertz = 6.5e9, kMultiplyAdds = 64, kBytes = 256;
    const auto threads = static_cast<double>(named);
    return Rates{.multiply_adds = kHertz * kMultiplyAdds * threads,
                 .written_bytes = kHertz * kBytes * threads,
                 .narrow_times = 16,
                 .whose = "cpu with " + counted(named, "thread")};
  }
  constexpr double kHertz = 4e9, kMultiplyAdds = 256, kBytes = 256;
  const auto found = header.device.more.find("compute_units");
  const auto units =
      found == header.device.more.end() ? std::nullopt : read_number<int64_t>(found->second);
  if (!units || *units < 1) return std::nullopt;
  const auto count = static_cast<double>(*units);
  return Rates{.multiply_adds = kHertz * kMultiplyAdds * count,
               .written_bytes = kHertz * kBytes * count,
               .narrow_times = 32,
               .whose = fmt::format("device with {} compute units", *units)};
}

// The definition's multiply-adds per multiply-add that the algorithm executes.
double divisor_of(const Algorithm& algorithm, size_t window_axes) {
  if (std::holds_alternative<algorithm::SplitFactors>(algorithm)) return 1;
  const auto* winograd = std::get_if<algorithm::Winograd>(&algorithm);
  if (winograd == nullptr) return 2;  // pairs: one product per two
  const auto tile = static_cast<double>(winograd->tile);
  return std::pow(3 * tile / (tile + 2), window_axes);
}

}  // namespace

const ClaimedTimes::Work& ClaimedTimes::work_of(const std::string& task) {
  const auto [found, is_new] = work_.try_emplace(task);
  Work& work = found->second;
  if (!is_new) return work;
  const Result<KeyedTask> spec = parse_task_spec(task);
  if (!spec) return work;  // written by another version
  work.written_bytes = static_cast<double>(written_bytes(spec->region));
  const std::optional<Operator>& op = spec->region.op;
  // Written regions may share or skip work in ways that are not counted here.
  if (!op || op->kind == OperatorKind::custom) return work;
  work.is_narrow = bytes_of(op->dtype) < bytes_of(ElementType::f32) || op->math != ElementType::f32;
  work.multiply_adds = real_tap_flops(*op) / 2;
  work.algorithms = std::max(2.0, divisor_of(algorithm::Winograd{.tile = 4}, op->spatial.size()));
  return work;
}

std::string ClaimedTimes::why_impossible(const Record& record, const LogHeader& header) {
  const double seconds = record.result.seconds;
  const auto& samples = record.result.samples;
  if (!(seconds >= kLeastSeconds))
    return fmt::format("claims {:.4g} s, and nothing takes less than {:g} s", seconds,
                       kLeastSeconds);
  if (!samples.empty() && seconds < std::ranges::min(samples))
    return fmt::format("claims {:.4g} s, and its fastest sample is {:.4g} s", seconds,
                       std::ranges::min(samples));
  const std::optional<Rates> rates = rates_of(record.target, header);
  if (!rates) return {};
  const Work& work = work_of(record.task);
  double least = work.written_bytes / rates->written_bytes;
  std::string what = fmt::format("to write {:.4g} bytes", work.written_bytes);
  const double narrow_times = work.is_narrow ? rates->narrow_times : 1;
  if (double needed = work.multiply_adds / narrow_times; seconds < needed / rates->multiply_adds) {
    // Parsed only now: traces are long, and most times pass without a look at them.
    const Result<Trace>& trace = record.trace.value();
    const bool is_direct = !record.trace.empty() && trace && !trace->algorithm;
    needed /= is_direct ? 1 : work.algorithms;
    if (needed / rates->multiply_adds > least) {
      least = needed / rates->multiply_adds;
      what = fmt::format("for {:.4g} multiply-adds", needed * narrow_times);
    }
  }
  if (seconds >= least) return {};
  return fmt::format("claims {:.4g} s, and no {} takes less than {:.4g} s {}", seconds,
                     rates->whose, least, what);
}

}  // namespace dovetail
