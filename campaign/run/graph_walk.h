// SPDX-License-Identifier: Apache-2.0
#pragma once

// A walk over a graph's nodes, in which kernels run or the reference is evaluated, asks when a
// tensor may go, and says now and then how far it is.
//
//   const auto last = last_reads(parts, {&parts.graph.outputs});
//   last[node]                       tensors that no later node reads
//
//   StepNotes notes(listener, "resnet18", "calls checked");
//   notes.done(7, 23);               "resnet18: 7 of 23 calls checked, some 12 s left"

#include <initializer_list>
#include <string>
#include <vector>

#include "campaign/listener.h"
#include "core/base/stopwatch.h"
#include "core/frontend/partition/partition.h"

namespace dovetail {

// The tensors that may go after each node of the partition; those that are kept never do.
std::vector<std::vector<TensorId>> last_reads(
    const Partition& parts, std::initializer_list<const std::vector<TensorId>*> kept);

// A line every few seconds at most.
class StepNotes {
 public:
  StepNotes(const Listener& listener, std::string of, std::string steps)
      : listener_(listener), of_(std::move(of)), steps_(std::move(steps)) {}

  void done(size_t steps, size_t count);

 private:
  const Listener& listener_;
  std::string of_, steps_;
  Stopwatch watch_;
  double said_seconds_ = 0;
};

}  // namespace dovetail
