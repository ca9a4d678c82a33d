// SPDX-License-Identifier: Apache-2.0
#pragma once

// AccuracyRule: decides which algorithms the regions of a network, or a single task, may use. An
// algorithm other than the definition's (Winograd, pairs) is allowed only within an error bound,
// relative to the range of the region's output (docs/decisions/0040).
//
//   AccuracyRule rule(kDefaultMaxError);
//   rule.add(task, {.sizes = …, .output_range = 6.1});       of each node that computes it
//   rule.expected_error(task, algorithm::Winograd{4})        3e-7 of the range
//   rule.allows(task, algorithm::Winograd{4})                true
//   rule.refuse(task, algorithm::Winograd{4}, 2e-4);         it ran, and was that far off
//
// The expected error is estimated from the magnitudes of operands
// (primitives/algorithm/error_estimate.h); a run measures the actual error, refuses algorithms
// beyond the bound, and chooses again. Nodes that compute the same share one trace, so the worst of
// them decides.
//
// Errors are relative to the output's range, not to each element: an element near zero is a
// difference of large terms in the definition's sum, too, and consumers read the whole tensor.

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "campaign/listener.h"
#include "core/base/result.h"
#include "core/ir/region/task_spec.h"
#include "core/ir/schedule/trace.h"
#include "measure/reference/region_numbers.h"
#include "primitives/algorithm/allowed_algorithms.h"
#include "primitives/algorithm/error_estimate.h"

namespace dovetail {

class AccuracyRule {
 public:
  explicit AccuracyRule(double max_error) : asked_(max_error), max_error_(max_error) {}
  // The rule of --exact allows the definition's sums alone.
  static AccuracyRule exact() { return AccuracyRule(0); }

  double max_error() const { return max_error_; }  // bound in force
  void add(const TaskSpec& task, const RegionNumbers& numbers);
  // Adds a region's numbers, computed from these tensors, if other algorithms apply to it.
  void learn(const Region& region, const NamedArrays& given, const NamedArrays& made);
  bool knows(const TaskSpec& task) const;  // whether it has the task's numbers
  // Returns false if a measurement had refused it before.
  bool refuse(const TaskSpec& task, const Algorithm& algorithm, double error);

  // Judges the network by its error against the definition. Errors of regions mostly average out on
  // the way to the outputs; if more than a small part of the bound remains there, the next bounds
  // are 0.3 and 0.03 of the asked one, and 0, the definition's sums. Finally takes the loosest
  // bound tried with which the error was at most 1.5 times that of the definition's sums. Returns
  // true if the bound changed, and all must be chosen again.
  bool judge_network(double error);
  // A message, empty while the asked bound is in force: "with 1e-05 in each region outputs were
  // 1.6e-03 of their range off; 3e-06 instead".
  std::string say_what_is_tightened() const;

  // Error of the worst node, relative to the output's range; none if no numbers of the task are
  // known.
  std::optional<double> expected_error(const TaskSpec& task,
                                       const std::optional<Algorithm>& algorithm) const;
  // The definition is always allowed, another algorithm if its expected error is within the bound.
  bool allows(const TaskSpec& task, const std::optional<Algorithm>& algorithm) const;

  // Each algorithm that was asked for and not allowed, once per task, sorted by text.
  struct Refused {
    std::string task;
    Algorithm algorithm;
    double error = 0;  // expected or measured, relative to the range
    bool is_measured = false;
  };
  std::vector<Refused> refused() const;

 private:
  double next_bound() const;

  struct TaskNumbers {
    std::vector<RegionNumbers> nodes;
    std::map<std::string, Refused> refused;  // by printed algorithm
  };

  void bound_by(double max_error);

  double asked_, max_error_;
  std::vector<std::pair<double, double>> tried_;      // bounds, and the network's error with each
  bool is_settled_ = false;                           // the last bound tried was zero
  mutable double largest_bound_ = 0;                  // among regions with another algorithm
  mutable std::map<std::string, TaskNumbers> tasks_;  // by region text
};

// The rule of --exact and --max-error. Fails if the bound is not a number from 0 to 1.
Result<AccuracyRule> accuracy_rule(bool exact, const std::optional<double>& max_error);

// The rule as a predicate for spaces and logs; shared, because it may learn later.
AllowsAlgorithm allowed_by(std::shared_ptr<const AccuracyRule> rule);

// One line, empty where nothing was refused: "beyond --max-error 1e-05 of the output's range, and
// left out: pairs of gmm:m=1,n=8,k=512 (3.1e-03 estimated), … and 2 more".
std::string print(const std::vector<AccuracyRule::Refused>& refused, double max_error);
// Notes a tightened bound and the line above, if any, for the model or spec `of`.
void say_what_is_left_out(const AccuracyRule& rule, const std::string& of,
                          const Listener& listener);

}  // namespace dovetail
