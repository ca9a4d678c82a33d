// SPDX-License-Identifier: Apache-2.0
#pragma once

// TraceSet: which traces were seen, by their hashes (core/ir/schedule/trace.h).
//
//   TraceSet seen;
//   seen.insert(trace.key);        // true: it is new
//
// A campaign remembers little else of every trial, so it is one array of slots, at
// most three quarters of them full: 11 to 21 bytes a trace, where std::unordered_set has 45.
// Traces are never taken out.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace dovetail {

class TraceSet {
 public:
  bool insert(uint64_t hash);  // whether it is new
  bool contains(uint64_t hash) const;
  size_t size() const { return size_; }

 private:
  size_t slot_of(uint64_t hash) const;
  void grow();

  std::vector<uint64_t> slots_;  // 0: free; a power of two of them, or none
  size_t used_ = 0;              // of the slots
  size_t size_ = 0;
  bool has_zero_ = false;  // the one hash that no slot can hold
};

}  // namespace dovetail
