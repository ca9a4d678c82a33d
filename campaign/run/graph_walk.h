// SPDX-License-Identifier: Apache-2.0
#pragma once

// Helpers for walks over a graph's nodes, which run kernels or evaluate the reference: the end of
// each tensor's lifetime, and progress notes.
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

// Per node of the partition, the tensors that no later node reads, without those of `kept`.
std::vector<std::vector<TensorId>> last_reads(
    const Partition& parts, std::initializer_list<const std::vector<TensorId>*> kept);

// Notes progress every few seconds at most.
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
