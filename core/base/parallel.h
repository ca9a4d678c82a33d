// SPDX-License-Identifier: Apache-2.0
#pragma once

// for_each_in_parallel: independent pieces of work, on several cores, until all are done:
//
//   std::vector<double> results(inputs.size());
//   for_each_in_parallel(inputs.size(), [&](size_t k) { results[k] = slow(inputs[k]); });
//
// Each piece must write to its own location, so that results do not depend on the scheduling. Where
// pieces can fail, all are tried, and the error of the first failed one in order is returned:
//
//   TRY(try_each_in_parallel(files.size(), [&](size_t k) -> Result<void> {
//     texts[k] = TRY(read_file(files[k]));
//     return {};
//   }));

#include <cstddef>
#include <functional>

#include "core/base/result.h"

namespace dovetail {

// Calls work(0) to work(count - 1), in any order and concurrently, on `threads` threads; 0 means as
// many threads as there are cores that the caller may use.
void for_each_in_parallel(size_t count, const std::function<void(size_t)>& work,
                          size_t threads = 0);
Result<void> try_each_in_parallel(size_t count, const std::function<Result<void>(size_t)>& work);

}  // namespace dovetail
