// SPDX-License-Identifier: Apache-2.0
#pragma once

// KeyedTrace: a trace with its hash, by which a search identifies traces: those proposed, scored,
// drafted, awaited.
//
//   const KeyedTrace trace = space.decode(point);     hashed here, and nowhere after
//   seen.insert(trace.key)
//
// The hash is stored because it is of the printed trace, and printing takes about as long as
// decoding a point. A plain Trace converts to a KeyedTrace implicitly. A changed trace needs a new
// KeyedTrace.

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

// TraceSet: a set of traces, by their hashes (core/ir/schedule/trace.h).
//
//   TraceSet seen;
//   seen.insert(trace.key);        // true: it is new
//
// A campaign keeps little else of every trial, so it is one open-addressing table, at most three
// quarters full: 11 to 21 bytes a trace, where std::unordered_set takes 45. Traces are never
// removed.
class TraceSet {
 public:
  bool insert(uint64_t hash);  // true if it is new
  bool contains(uint64_t hash) const;
  size_t size() const { return size_; }

 private:
  size_t slot_of(uint64_t hash) const;
  void grow();

  std::vector<uint64_t> slots_;  // 0: free; the size is a power of two, or 0
  size_t used_ = 0;              // occupied slots
  size_t size_ = 0;
  bool has_zero_ = false;  // the one hash that no slot can hold
};

}  // namespace dovetail
