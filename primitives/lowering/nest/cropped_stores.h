// SPDX-License-Identifier: Apache-2.0
//
// Stores into a tensor without padding, by loops that run over padded extents: those beyond its
// elements are left out.
//
//   for w.1 in 0..6 unrolled                          for w.1 in 0..6 unrolled
//     for o.1 in 0..4 vectorized                        for Y.there in 0..1
//       Y[6*w.0 + w.1, o.1] = acc[w.1, o.1]     ->          where 0 <= 6*w.0 + w.1 + Y.there < 14
//                                                         for o.1 in 0..4 vectorized
//                                                           Y[6*w.0 + w.1, o.1] = acc[w.1, o.1]
//
// Why here and not in a copy: on a device a kernel that leaves the padding out takes longer than
// many kernels of a network, and a padded tile is often the fastest.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/ir/program/program.h"

namespace dovetail {

// `extents`: of the tensor's axes. Precondition: lanes of vectors are along the last axis, whose
// extent is that of the loops.
Block with_cropped_stores(Block block, const std::string& tensor,
                          const std::vector<int64_t>& extents);

}  // namespace dovetail
