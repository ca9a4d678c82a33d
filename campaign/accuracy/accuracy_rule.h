// SPDX-License-Identifier: Apache-2.0
#pragma once

// AccuracyRule: which algorithms the regions of a network, or a task by itself, may use. An
// algorithm other than the definition's (Winograd, pairs) is taken only where it stays within a
// bound, relative to the range of the region's output (docs/decisions/0040).
//
//   AccuracyRule rule(kDefaultMaxError);
//   rule.add(task, {.sizes = …, .output_range = 6.1});       of each node that computes it
//   rule.expected_error(task, algorithm::Winograd{4})        3e-7 of the range
//   rule.allows(task, algorithm::Winograd{4})                true
//   rule.refuse(task, algorithm::Winograd{4}, 2e-4);         it ran, and was that far off
//
// The expected error is an estimate by the sizes of operands
// (primitives/algorithm/error_estimate.h); a run looks at what came out, refuses what was beyond
// the bound, and chooses again. Nodes that compute the same have one trace, so that the worst of
// them decides.
//
// Why relative to the output's range and not to each element: an element near zero is a difference
// of large terms, in the definition's sum, too, and what reads the tensor next sees all of it.

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

  double max_error() const { return max_error_; }  // in force
  void add(const TaskSpec& task, const RegionNumbers& numbers);
  // It adds the numbers of a region by these tensors, where an algorithm may be of it.
  void learn(const Region& region, const RegionViews& given, const RegionViews& made);
  bool knows(const TaskSpec& task) const;  // numbers of it
  // False where that was refused by a measurement before.
  bool refuse(const TaskSpec& task, const Algorithm& algorithm, double error);

  // The network as a whole is so far from the definition. Errors of regions mostly average out on
  // their way to its outputs; where they are more than a small part of the bound there, the next
  // bounds are 0.3 and 0.03 of it and 0, the definition's sums. In the end it is the loosest bound
  // with which the network was at most half further off than with these. True: another bound is in
  // force, and all is to be chosen again.
  bool judge_network(double error);
  // Empty where the bound is the one that was asked for: "with 1e-05 in each region outputs were
  // 1.6e-03 of their range off; 3e-06 instead".
  std::string say_what_is_tightened() const;

  // Relative to the range of the output, of the worst node; nothing where no numbers of the task
  // are known.
  std::optional<double> expected_error(const TaskSpec& task,
                                       const std::optional<Algorithm>& algorithm) const;
  // The definition is always allowed; another algorithm where its error is known to be small.
  bool allows(const TaskSpec& task, const std::optional<Algorithm>& algorithm) const;

  // Each algorithm that was asked for and not allowed, once a task, in the order of their texts.
  struct Refused {
    std::string task;
    Algorithm algorithm;
    double error = 0;  // that it would have had, relative to the range
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
  std::vector<std::pair<double, double>> tried_;      // bounds, and errors of the network with them
  bool is_settled_ = false;                           // the last of these was zero
  mutable double largest_bound_ = 0;                  // of the regions that have another algorithm
  mutable std::map<std::string, TaskNumbers> tasks_;  // by their regions' texts
};

// As --exact and --max-error say. The error is a bound that is no number from 0 to 1.
Result<AccuracyRule> accuracy_rule(bool exact, const std::optional<double>& max_error);

// Spaces and logs ask this; the rule is shared, as it may learn.
AllowsAlgorithm allowed_by(std::shared_ptr<const AccuracyRule> rule);

// One line, empty where nothing was refused: "beyond --max-error 1e-05 of the output's range, and
// left out: pairs of gmm:m=1,n=8,k=512 (3.1e-03 estimated), … and 2 more".
std::string print(const std::vector<AccuracyRule::Refused>& refused, double max_error);
// The line as a note on a model or a spec, where there is one.
void say_what_is_left_out(const AccuracyRule& rule, const std::string& of,
                          const Listener& listener);

}  // namespace dovetail
