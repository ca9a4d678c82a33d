// SPDX-License-Identifier: Apache-2.0
#include "measure/check_data_cache.h"

#include <unistd.h>

#include <algorithm>

#include "core/ir/region/region_text.h"

namespace dovetail {
namespace {

constexpr uint64_t kMostBytes = uint64_t{1} << 30;
constexpr uint64_t kMemoryShare = 8;

template <typename Number>
uint64_t bytes_in(const std::vector<Number>& values) {
  return values.size() * sizeof(Number);
}

uint64_t bytes_in(const Reference& reference) {
  return bytes_in(reference.values) + bytes_in(reference.scale) +
         bytes_in(reference.epilogue_scale) + bytes_in(reference.errors);
}

}  // namespace

uint64_t bytes_of(const CheckData& data) {
  uint64_t bytes = 0;
  for (const auto& [tensor, values] : data.inputs) bytes += bytes_in(values);
  for (const auto& [tensor, expected] : data.expected)
    bytes += std::visit([](const auto& values) { return bytes_in(values); }, expected);
  return bytes;
}

uint64_t CheckDataCache::default_bytes() {
  const auto pages = static_cast<uint64_t>(::sysconf(_SC_PHYS_PAGES));
  const uint64_t memory_bytes = pages * static_cast<uint64_t>(::sysconf(_SC_PAGE_SIZE));
  return std::min(kMostBytes, memory_bytes / kMemoryShare);
}

std::shared_ptr<const CheckData> CheckDataCache::get(const Region& region, DataKind kind,
                                                     uint64_t seed) {
  const std::lock_guard lock(mutex_);
  const Key key{print(region), data_kind_of(region, kind), seed};
  const auto found = std::ranges::find(entries_, key, &Entry::key);
  if (found != entries_.end()) {
    entries_.splice(entries_.end(), entries_, found);
    return entries_.back().data;
  }
  entries_.push_back({key, CheckData::make(region, kind, seed)});
  bytes_ += bytes_of(*entries_.back().data);
  while (bytes_ > most_bytes_ && entries_.size() > 1) {
    bytes_ -= bytes_of(*entries_.front().data);
    entries_.pop_front();
  }
  return entries_.back().data;
}

uint64_t CheckDataCache::bytes() const {
  const std::lock_guard lock(mutex_);
  return bytes_;
}

}  // namespace dovetail
