// SPDX-License-Identifier: Apache-2.0
#pragma once

// KeyedTrace: a trace and its hash, which tells traces apart wherever a search does: what was
// proposed, scored, drafted, awaited.
//
//   const KeyedTrace trace = space.decode(point);     hashed here, and nowhere after
//   seen.insert(trace.key)
//
// Why together: the hash is of the printed trace, which takes about as long to print as a point
// takes to decode. Who has a trace alone may pass it where a KeyedTrace is expected; whoever
// changes a trace makes a new KeyedTrace of it.

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/ir/schedule/trace.h"

namespace dovetail {

struct KeyedTrace : Trace {
  uint64_t key = 0;

  KeyedTrace() : KeyedTrace(Trace()) {}
  explicit(false) KeyedTrace(Trace of)
      : Trace(std::move(of)), key(hash(static_cast<const Trace&>(*this))) {}
  KeyedTrace(Trace of, uint64_t its_key) : Trace(std::move(of)), key(its_key) {}
};

inline uint64_t hash(const KeyedTrace& trace) { return trace.key; }

// TraceSet: which traces were seen, by their hashes (core/ir/schedule/trace.h).
//
//   TraceSet seen;
//   seen.insert(trace.key);        // true: it is new
//
// A campaign remembers little else of every trial, so it is one array of slots, at
// most three quarters of them full: 11 to 21 bytes a trace, where std::unordered_set has 45.
// Traces are never taken out.
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
