// SPDX-License-Identifier: Apache-2.0
#pragma once

// Runners without a device: a function of the input answers.

#include <deque>
#include <functional>
#include <vector>

#include "core/record/runner.h"

namespace dovetail::testing {

// The time of a trace that any test can rely on: different for every trace, the same every time.
double fake_seconds(const Trace& trace);
MeasureResult fake_result(const MeasureInput& input);
MeasureResult failure(Status status, std::string reason);

enum class Answers { at_submit, at_wait };  // like many builders, like none

class FakeRunner final : public Runner {
 public:
  using Measure = std::function<MeasureResult(const MeasureInput&)>;
  explicit FakeRunner(Measure measure = fake_result, Answers when = Answers::at_wait)
      : measure_(std::move(measure)), when_(when) {}

  void submit(MeasureInput input) override;
  MeasureResult wait() override;
  size_t in_flight() const override { return waiting_.size(); }
  size_t capacity() const override { return capacity_; }
  void set_capacity(size_t candidates) { capacity_ = candidates; }

  const std::vector<MeasureInput>& submitted() const { return submitted_; }

 private:
  struct Waiting {
    MeasureInput input;
    MeasureResult result;
  };
  Measure measure_;
  Answers when_;
  size_t capacity_ = kDeviceCapacity;
  std::deque<Waiting> waiting_;
  std::vector<MeasureInput> submitted_;
};

}  // namespace dovetail::testing
