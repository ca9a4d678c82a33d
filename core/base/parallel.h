// SPDX-License-Identifier: Apache-2.0
#pragma once

// for_each_in_parallel: independent pieces of work, on several cores, until all are done:
//
//   std::vector<double> results(inputs.size());
//   for_each_in_parallel(inputs.size(), [&](size_t k) { results[k] = slow(inputs[k]); });
//
// Each piece writes to a place of its own, so that the results do not depend on the threads. Where
// pieces can fail, all are tried, and the error is that of the first one in order:
//
//   TRY(try_each_in_parallel(files.size(), [&](size_t k) -> Result<void> {
//     texts[k] = TRY(read_file(files[k]));
//     return {};
//   }));

#include <cstddef>
#include <functional>

#include "core/base/result.h"

namespace dovetail {

// Calls work(0) to work(count - 1) on as many threads as there are cores that the caller may use,
// or on `threads`, in any order; each call belongs to one thread.
void for_each_in_parallel(size_t count, const std::function<void(size_t)>& work,
                          size_t threads = 0);
Result<void> try_each_in_parallel(size_t count, const std::function<Result<void>(size_t)>& work);

}  // namespace dovetail
