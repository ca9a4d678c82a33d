// SPDX-License-Identifier: Apache-2.0
#include "search/keyed_trace.h"

namespace dovetail {
namespace {

constexpr size_t kFirstSlots = 16;

}  // namespace

bool TraceSet::insert(uint64_t hash) {
  if (contains(hash)) return false;
  ++size_;
  if (hash == 0) return has_zero_ = true;
  if (4 * (used_ + 1) > 3 * slots_.size()) grow();
  slots_[slot_of(hash)] = hash;
  ++used_;
  return true;
}

bool TraceSet::contains(uint64_t hash) const {
  if (hash == 0) return has_zero_;
  return !slots_.empty() && slots_[slot_of(hash)] == hash;
}

// The slot of the hash, or the free one where it belongs. Precondition: some slot is free.
size_t TraceSet::slot_of(uint64_t hash) const {
  const size_t mask = slots_.size() - 1;
  // Similar traces have hashes with similar low bits; the high bits of the product are well mixed.
  size_t slot = static_cast<size_t>((hash * 0x9E3779B97F4A7C15u) >> 32) & mask;
  while (slots_[slot] != 0 && slots_[slot] != hash) slot = (slot + 1) & mask;
  return slot;
}

void TraceSet::grow() {
  std::vector<uint64_t> old(slots_.empty() ? kFirstSlots : 2 * slots_.size(), 0);
  old.swap(slots_);
  for (const uint64_t hash : old)
    if (hash != 0) slots_[slot_of(hash)] = hash;
}

}  // namespace dovetail
