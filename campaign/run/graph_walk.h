// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a walk over a graph's nodes needs, whether kernels run or the reference is evaluated: when a
// tensor may go, and a word now and then on how far it is.
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

// Of each node of the partition. Tensors that are kept are among none.
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
