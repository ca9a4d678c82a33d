// SPDX-License-Identifier: Apache-2.0
#include "search/finalists.h"

#include <algorithm>
#include <utility>

namespace dovetail {

std::vector<Record> find_finalists(std::span<const Record> records, size_t count,
                                   std::span<const int64_t> except) {
  std::vector<const Record*> valid;
  for (const Record& record : records) {
    if (record.kind != RecordKind::trial || record.result.status != Status::ok) continue;
    if (std::find(except.begin(), except.end(), record.trial) == except.end()) {
      valid.push_back(&record);
    }
  }
  std::sort(valid.begin(), valid.end(), [](const Record* a, const Record* b) {
    return std::pair(a->result.seconds, a->trial) < std::pair(b->result.seconds, b->trial);
  });
  if (valid.size() > count) valid.resize(count);
  std::vector<Record> finalists;
  for (const Record* record : valid) finalists.push_back(*record);
  return finalists;
}

}  // namespace dovetail
