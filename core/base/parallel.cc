// SPDX-License-Identifier: Apache-2.0
#include "core/base/parallel.h"

#include <algorithm>
#include <atomic>
#include <thread>
#include <utility>
#include <vector>

#include "core/base/cores.h"

namespace dovetail {

void for_each_in_parallel(size_t count, const std::function<void(size_t)>& work, size_t threads) {
  if (threads == 0) threads = allowed_cores().size();
  std::atomic<size_t> next = 0;
  const auto take = [&] {
    for (size_t k = next++; k < count; k = next++) work(k);
  };
  std::vector<std::jthread> others;
  for (size_t t = 1; t < std::min(threads, count); ++t) others.emplace_back(take);
  take();
}

Result<void> try_each_in_parallel(size_t count, const std::function<Result<void>(size_t)>& work) {
  std::vector<Result<void>> results(count);
  for_each_in_parallel(count, [&](size_t k) { results[k] = work(k); });
  for (Result<void>& result : results) TRY(std::move(result));
  return {};
}

}  // namespace dovetail
