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

#include <cstdint>
#include <utility>

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

}  // namespace dovetail
