// SPDX-License-Identifier: Apache-2.0
//
// Equality of statements (core/ir/program/program.h).
#include "core/ir/program/program.h"

namespace dovetail {

bool operator==(const Loop& a, const Loop& b) {
  const bool same_thread = a.kind != LoopKind::bound || a.thread == b.thread;
  return a.variable == b.variable && a.extent == b.extent && a.kind == b.kind && same_thread &&
         a.body == b.body && a.bounds == b.bounds && a.prefetches == b.prefetches && a.at == b.at;
}

bool operator==(const ScopedTile& a, const ScopedTile& b) {
  return a.name == b.name && a.extents == b.extents && a.scope == b.scope;
}

bool operator==(const Store& a, const Store& b) {
  return a.target == b.target && a.indices == b.indices && a.reducer == b.reducer &&
         a.streaming == b.streaming && a.value == b.value;
}

bool operator==(const Statement& a, const Statement& b) { return a.node == b.node; }

}  // namespace dovetail
