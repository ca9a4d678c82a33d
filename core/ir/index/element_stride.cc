// SPDX-License-Identifier: Apache-2.0
#include "core/ir/index/element_stride.h"

#include <algorithm>

#include "core/base/fail.h"

namespace dovetail {

Result<int64_t> element_stride(const std::vector<IndexExpr>& indices,
                               const std::vector<int64_t>& extents, const std::string& loop) {
  int64_t stride = 1, total = 0;
  for (size_t a = indices.size(); a-- > 0;) {
    const int64_t coefficient = indices[a].coefficient(loop);
    const bool hidden = std::ranges::any_of(indices[a].terms(), [&](const IndexTerm& term) {
      return term.atom.inner && term.atom.inner->mentions(loop);
    });
    if (hidden) return fail("index {} divides loop {}", print(indices[a]), loop);
    total += coefficient * stride;
    stride *= extents[a];
  }
  return total;
}

}  // namespace dovetail
