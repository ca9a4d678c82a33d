// SPDX-License-Identifier: Apache-2.0
// The end of a campaign: the finalists are measured again, in turn and with fresh samples. At each
// end of an extended campaign, the default trace, the best so far and the current finalists are
// measured anew in one sitting, because times taken far apart do not compare.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/record/line/measure_result.h"
#include "search/tuner.h"

namespace dovetail {
namespace {

// The trials that are measured in one sitting. The default trace comes last and stays however
// short the time is: the campaign's gain is then a ratio of times from one sitting, and no winner
// is slower than it.
struct Sitting {
  std::vector<Record> finalists;  // contenders, best first, then the default trace
  size_t contenders = 0;
  bool may_default_win = false;  // it is one of the fastest, too
};

Sitting sitting_of(std::vector<Record> finalists) {
  const auto found = std::ranges::find(finalists, true, &Record::is_default);
  const bool has_default = found != finalists.end() && finalists.size() > 1;
  if (has_default) std::rotate(found, found + 1, finalists.end());
  const size_t contenders = finalists.size() - (has_default ? 1 : 0);
  return {
      .finalists = std::move(finalists), .contenders = contenders, .may_default_win = has_default};
}

Sitting beside_default(const History& history, std::vector<Record> finalists) {
  Sitting sitting = sitting_of(std::move(finalists));
  const auto trials = history.trials();
  const auto found = std::ranges::find(trials, true, &Record::is_default);
  if (found == trials.end() || sitting.finalists.empty()) return sitting;
  if (std::ranges::count(sitting.finalists, found->trial, &Record::trial) == 0)
    sitting.finalists.push_back(*found);
  return sitting;
}

// The winner of an earlier sitting need not be among the fastest by its first measurement.
void add_best_so_far(const std::optional<BestTrial>& best, std::vector<Record>& finalists) {
  if (!best || !best->confirmed) return;
  if (std::ranges::count(finalists, best->record.trial, &Record::trial) == 0)
    finalists.insert(finalists.begin(), best->record);  // first, so that it stays if time is short
}

// In seconds: a confirmation that takes longer is announced in a line of its own.
constexpr double kLongConfirmation = 10;
// One is built while another runs.
constexpr size_t kConfirmationsInFlight = 3;

// Estimated from trials: the longest check made the reference, the shortest only compared.
ConfirmationCosts costs_of(std::span<const Record> trials, const Sitting& sitting, int passes) {
  ConfirmationCosts costs{.contenders = sitting.contenders, .passes = passes};
  double least_check = std::numeric_limits<double>::infinity();
  for (const Record& trial : trials) {
    least_check = std::min(least_check, trial.result.times.check_seconds);
    costs.reference_seconds = std::max(costs.reference_seconds, trial.result.times.check_seconds);
  }
  for (const Record& finalist : sitting.finalists) {
    const MeasureTimes& times = finalist.result.times;
    costs.finalists.push_back(times.run_seconds + least_check);
  }
  return costs;
}

}  // namespace

double Tuner::confirming_seconds() const {
  if (!options_.stop.max_seconds) return std::numeric_limits<double>::infinity();
  return std::max(reserved_seconds_, *options_.stop.max_seconds - progress_.elapsed_seconds);
}

double Tuner::expected_confirming_seconds() const {
  const Sitting sitting =
      beside_default(parts_.history, find_finalists(parts_.history.trials(), options_.finalists));
  const bool is_recalled = std::ranges::all_of(sitting.finalists, [&](const Record& finalist) {
    return parts_.history.has_confirmation(finalist.trial);
  });
  if (is_recalled) return 0;
  const ConfirmationCosts costs =
      costs_of(parts_.history.trials(), sitting, options_.confirmation_passes);
  double build_seconds = 0;  // once each; on a busy machine no two things happen at a time
  for (const Record& finalist : sitting.finalists)
    build_seconds += finalist.result.times.build_seconds;
  return plan_confirmation(costs, std::numeric_limits<double>::infinity()).seconds + build_seconds;
}

void Tuner::reserve_confirming() {
  if (!options_.stop.max_seconds) return;
  const double most = kConfirmingShare * *options_.stop.max_seconds;
  reserved_seconds_ = std::min(expected_confirming_seconds(), most);
}

Result<void> Tuner::confirm(double most_seconds) {
  if (options_.log_has_ended) return {};  // finish() recalls
  const double began = hooks_.elapsed_seconds();
  parts_.history.remember_earlier_sittings();
  const std::optional<BestTrial> best = best_so_far(parts_.history);
  std::vector<int64_t> failed;  // trials that did not pass in this sitting
  while (!is_abandoned()) {
    std::vector<Record> finalists =
        find_finalists(parts_.history.trials(), options_.finalists, failed);
    if (finalists.empty()) return {};
    const bool is_first = failed.empty();
    if (is_first) add_best_so_far(best, finalists);
    const Sitting sitting = is_first ? beside_default(parts_.history, std::move(finalists))
                                     : sitting_of(std::move(finalists));
    std::vector<Pending> pending = TRY(pending_confirmations(sitting.finalists));
    ConfirmationCosts costs =
        costs_of(parts_.history.trials(), sitting, options_.confirmation_passes);
    if (std::ranges::all_of(pending, &Pending::is_recalled))
      costs = {.finalists = std::vector<double>(pending.size()), .contenders = costs.contenders};
    const double left = std::max(most_seconds - (hooks_.elapsed_seconds() - began), 0.0);
    const ConfirmationPlan plan = plan_confirmation(costs, left);
    say_what_is_confirmed(sitting.contenders, plan, most_seconds);
    if (plan.contenders == 0) return {};
    report(Phase::confirming, plan.seconds);
    pending.erase(pending.begin() + static_cast<ptrdiff_t>(plan.contenders),
                  pending.begin() + static_cast<ptrdiff_t>(sitting.contenders));
    if (TRY(confirm_all(pending, plan, sitting.may_default_win, left))) return {};
    for (size_t i = 0; i < plan.contenders; ++i) failed.push_back(sitting.finalists[i].trial);
    if (sitting.finalists.size() > sitting.contenders)
      failed.push_back(sitting.finalists.back().trial);
  }
  if (is_abandoned()) confirming_ = Confirming::cut_off;
  return {};
}

void Tuner::say_what_is_confirmed(size_t finalists, const ConfirmationPlan& plan,
                                  double most_seconds) {
  const std::string of_limit =
      std::isfinite(most_seconds)
          ? fmt::format(" of the {:.3g} s that its limit leaves", most_seconds)
          : "";
  const bool is_whole = plan.contenders == finalists && plan.thorough;  // except for passes
  const bool is_less = !is_whole || plan.passes < options_.confirmation_passes;
  const bool has_earlier = !parts_.history.confirmations().empty();
  confirming_ = plan.contenders == 0 && !has_earlier ? Confirming::none
                : is_less                            ? Confirming::in_part
                                                     : Confirming::whole;
  if (!options_.notes_short_confirmations && plan.seconds < kLongConfirmation) return;
  if (plan.contenders == 0)
    return hooks_.note(
        fmt::format("{}: the best is not confirmed: measuring it again takes about "
                    "{:.3g} s{}",
                    task_.name, plan.seconds, of_limit));
  if (is_whole && plan.seconds < kLongConfirmation) return;
  hooks_.note(
      fmt::format("{}: confirming the best takes about {:.3g} s{}: {} of {} finalists, {} of "
                  "{} times{}",
                  task_.name, plan.seconds, of_limit, plan.contenders, finalists, plan.passes,
                  options_.confirmation_passes, plan.thorough ? "" : ", not on real data"));
}

Result<std::vector<Tuner::Pending>> Tuner::pending_confirmations(
    const std::vector<Record>& finalists) {
  std::vector<Pending> all;
  for (const Record& finalist : finalists) {
    const Trace trace = TRY(finalist.trace.value());
    Proposal proposal{.candidate = TRY(materialize(task_.spec, task_.target, trace)),
                      .is_default = finalist.is_default};
    Pending pending{.kind = RecordKind::confirmation,
                    .trial = finalist.trial,
                    .proposal = std::move(proposal),
                    .earlier = parts_.history.recall_confirmation(finalist.trial)};
    all.push_back(std::move(pending));
  }
  if (std::ranges::all_of(all, &Pending::is_recalled)) return all;
  // A sitting that the log has in part is repeated whole: times from two sittings do not compare.
  for (Pending& pending : all)
    if (const auto earlier = std::exchange(pending.earlier, std::nullopt))
      parts_.history.remember(*earlier);
  return all;
}

// True if any passed that may win, or if time ran out before one was measured.
Result<bool> Tuner::confirm_all(const std::vector<Pending>& finalists, const ConfirmationPlan& plan,
                                bool may_default_win, double most_seconds) {
  std::vector<std::vector<MeasureResult>> passes = measure_in_turn(finalists, plan, most_seconds);
  if (is_abandoned()) return false;
  bool any_valid = false;
  bool any_measured = false;
  for (size_t i = 0; i < finalists.size(); ++i) {
    const auto& earlier = finalists[i].earlier;
    if (!earlier && passes[i].empty()) continue;
    const MeasureResult result = earlier ? earlier->result : pooled(std::move(passes[i]));
    const bool may_win = may_default_win || i < plan.contenders;
    any_measured |= may_win;
    any_valid |= may_win && result.status == Status::ok;
    if (earlier)
      parts_.history.remember(*earlier);
    else
      TRY(parts_.history.add(make_record(finalists[i], result)));
  }
  return any_valid || !any_measured;
}

std::vector<std::pair<int, size_t>> Tuner::order_of_sitting(const std::vector<Pending>& finalists,
                                                            const ConfirmationPlan& plan) {
  std::vector<size_t> turn{0};
  for (size_t i = plan.contenders; i < finalists.size(); ++i) turn.push_back(i);
  for (size_t i = 1; i < plan.contenders; ++i) turn.push_back(i);
  std::vector<std::pair<int, size_t>> order;
  for (int pass = 0; pass < plan.passes; ++pass)
    for (const size_t i : turn)
      if (!finalists[i].earlier) order.emplace_back(pass, i);
  return order;
}

// The results of each finalist, one per pass; none for finalists that the log answers. When the
// time is over, no more are begun, for the plan may have been wrong; but the best contender and the
// default trace, which come first, are measured in any case. After an interrupt or a lost device
// the results are incomplete, and unused.
std::vector<std::vector<MeasureResult>> Tuner::measure_in_turn(
    const std::vector<Pending>& finalists, const ConfirmationPlan& plan, double most_seconds) {
  const double began = hooks_.elapsed_seconds();
  const auto spent = [&] { return hooks_.elapsed_seconds() - began; };
  const std::vector<std::pair<int, size_t>> order = order_of_sitting(finalists, plan);
  const auto is_due = [&](size_t next) {
    const auto is_first_or_default = [&](const auto& turn) {
      return turn.first == 0 && (turn.second == 0 || turn.second >= plan.contenders);
    };
    return next < order.size() && (is_first_or_default(order[next]) || spent() < most_seconds);
  };
  std::vector<std::vector<MeasureResult>> passes(finalists.size());
  size_t submitted = 0;
  for (size_t next = 0; next < submitted || is_due(next); ++next) {
    while (submitted < next + kConfirmationsInFlight && is_due(submitted)) {
      const auto [pass, i] = order[submitted++];
      MeasureInput input = measure_input(finalists[i]);
      // Later passes only add samples.
      if (plan.thorough && pass == 0) input.purpose = Purpose::confirm;
      parts_.runner.submit(std::move(input));
    }
    if (stop_if_interrupted()) return passes;
    passes[order[next].second].push_back(parts_.runner.wait());
    notice_lost_device(passes[order[next].second].back());
    if (is_abandoned()) return passes;
    report(Phase::confirming, std::max(plan.seconds - spent(), 0.0));
  }
  return passes;
}

}  // namespace dovetail
