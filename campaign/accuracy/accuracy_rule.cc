// SPDX-License-Identifier: Apache-2.0
#include "campaign/accuracy/accuracy_rule.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/fail.h"
#include "core/ir/region/canonical.h"
#include "core/ir/region/region_text.h"
#include "core/ir/schedule/algorithm_words.h"

namespace dovetail {
namespace {

std::string key_of(const TaskSpec& task) { return print(task.region); }

// Pairs of all sizes lose digits for one reason and share an entry; Winograd's tiles do not.
std::string name_of(const Algorithm& algorithm) {
  return std::holds_alternative<algorithm::WinogradInnerProduct>(algorithm)
             ? std::string(kInnerProductWord)
             : print(algorithm);
}

// Infinite after a tail that rounds to a step: the error may be any part of the range.
std::string print_error(const AccuracyRule::Refused& refused) {
  const std::string error =
      std::isinf(refused.error) ? "unbounded" : fmt::format("{:.1e}", refused.error);
  return error + (refused.is_measured ? "" : " estimated");
}

}  // namespace

void AccuracyRule::add(const TaskSpec& task, const RegionNumbers& numbers) {
  tasks_[key_of(task)].nodes.push_back(numbers);
}

void AccuracyRule::learn(const Region& region, const NamedArrays& given, const NamedArrays& made) {
  if (const std::optional<RegionNumbers> numbers = region_numbers(region, given, made))
    add(canonical(region).spec, *numbers);
}

bool AccuracyRule::knows(const TaskSpec& task) const {
  const auto known = tasks_.find(key_of(task));
  return known != tasks_.end() && !known->second.nodes.empty();
}

bool AccuracyRule::refuse(const TaskSpec& task, const Algorithm& algorithm, double error) {
  Refused& refused = tasks_[key_of(task)].refused[name_of(algorithm)];
  const bool is_new = !refused.is_measured;
  refused = {key_of(task), algorithm, error, true};
  return is_new;
}

// Refusals by estimate are decided anew under the new bound; measured ones stay.
void AccuracyRule::bound_by(double max_error) {
  max_error_ = max_error;
  for (auto& [task, numbers] : tasks_)
    std::erase_if(numbers.refused, [](const auto& entry) { return !entry.second.is_measured; });
}

bool AccuracyRule::judge_network(double error) {
  constexpr double kSmallPart = 0.075, kLuck = 0x1p-22, kHardlyMore = 1.5;
  if (is_settled_ || asked_ == 0 || largest_bound_ == 0 || !std::isfinite(error)) return false;
  tried_.emplace_back(max_error_, error);
  if (error <= std::max(kSmallPart * largest_bound_, kLuck)) return false;
  is_settled_ = max_error_ == 0;
  const double next =
      is_settled_
          ? std::ranges::find_if(
                tried_, [&](const auto& tried) { return tried.second <= kHardlyMore * error; })
                ->first
          : next_bound();
  if (next == max_error_) return false;
  bound_by(next);
  return true;
}

double AccuracyRule::next_bound() const {
  constexpr std::array kParts = {0.3, 0.03, 0.0};  // factors of the bound asked for
  return kParts.at(std::min(tried_.size(), kParts.size()) - 1) * asked_;
}

std::string AccuracyRule::say_what_is_tightened() const {
  if (max_error_ == asked_) return "";
  return fmt::format("with {:g} in each region outputs were {:.1e} of their range off; {} instead",
                     asked_, tried_.front().second,
                     max_error_ == 0 ? "the definition's sums" : fmt::format("{:g}", max_error_));
}

std::optional<double> AccuracyRule::expected_error(
    const TaskSpec& task, const std::optional<Algorithm>& algorithm) const {
  const auto known = tasks_.find(key_of(task));
  if (known == tasks_.end() || known->second.nodes.empty()) return std::nullopt;
  double largest = 0;
  for (const RegionNumbers& node : known->second.nodes) {
    const std::optional<double> error = dovetail::expected_error(task.region, algorithm, node);
    if (!error) return std::nullopt;
    largest = std::max(largest, *error);
  }
  return largest;
}

bool AccuracyRule::allows(const TaskSpec& task, const std::optional<Algorithm>& algorithm) const {
  if (!algorithm) return true;
  if (max_error_ <= 0) return false;
  std::map<std::string, Refused>& refused = tasks_[key_of(task)].refused;
  const auto known = refused.find(name_of(*algorithm));
  if (known != refused.end() && known->second.is_measured) return false;
  const std::optional<double> error = expected_error(task, algorithm);
  if (!error) return false;
  const double bound = bound_of(task.region, max_error_);
  if (*error <= bound) {
    largest_bound_ = std::max(largest_bound_, bound);
    return true;
  }
  if (known == refused.end() || *error < known->second.error)
    refused[name_of(*algorithm)] = {key_of(task), *algorithm, *error, false};
  return false;
}

std::vector<AccuracyRule::Refused> AccuracyRule::refused() const {
  std::vector<Refused> all;
  for (const auto& [task, numbers] : tasks_)
    for (const auto& [algorithm, refused] : numbers.refused) all.push_back(refused);
  return all;
}

Result<AccuracyRule> accuracy_rule(bool exact, const std::optional<double>& max_error) {
  if (max_error && !(*max_error >= 0 && *max_error <= 1))
    return fail("--max-error {:g}: expected a part of the output's range, from 0 (as --exact) to 1",
                *max_error);
  return exact ? AccuracyRule::exact() : AccuracyRule(max_error.value_or(kDefaultMaxError));
}

AllowsAlgorithm allowed_by(std::shared_ptr<const AccuracyRule> rule) {
  return [rule = std::move(rule)](const TaskSpec& task, const std::optional<Algorithm>& algorithm) {
    return rule->allows(task, algorithm);
  };
}

void say_what_is_left_out(const AccuracyRule& rule, const std::string& of,
                          const Listener& listener) {
  if (const std::string tightened = rule.say_what_is_tightened(); !tightened.empty())
    listener.note(fmt::format("{}: {}", of, tightened));
  const std::string text = print(rule.refused(), rule.max_error());
  if (!text.empty()) listener.note(fmt::format("{}: {}", of, text));
}

std::string print(const std::vector<AccuracyRule::Refused>& refused, double max_error) {
  if (refused.empty()) return "";
  constexpr size_t kMostNamed = 4;
  std::vector<std::string> named;
  for (size_t r = 0; r < std::min(refused.size(), kMostNamed); ++r)
    named.push_back(fmt::format("{} of {} ({})", name_of(refused[r].algorithm), refused[r].task,
                                print_error(refused[r])));
  const size_t rest = refused.size() - named.size();
  return fmt::format("beyond --max-error {:g} of the output's range, and left out: {}{}", max_error,
                     fmt::join(named, ", "), rest == 0 ? "" : fmt::format(" and {} more", rest));
}

}  // namespace dovetail
