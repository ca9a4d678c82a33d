// SPDX-License-Identifier: Apache-2.0
//
// A stage before any loop primitive: one loop for each physical axis of its output, then one for
// each reduction axis, and those of indices that data choose inside all that they depend on.
//
//   Y[n, o, h] += X[n, i, h + k] * W[o, i, k],  Y as [n] [o.0] [h] [o.1]
//     loops n, o.0, h, o.1, i, k     with o = 16*o.0 + o.1
#pragma once

#include <functional>
#include <map>
#include <string>

#include "core/ir/operator/computation.h"
#include "core/ir/schedule/schedule.h"

namespace dovetail {

// Whether what is stored behind the dimension's last element is zero, so that a sum of products may
// run over it instead of asking where it ends.
using ZeroBeyond = std::function<bool(const std::string& tensor, size_t dim)>;

// `layouts` has every tensor of the computation.
Stage build_stage(std::string name, Computation computation,
                  const std::map<std::string, Layout>& layouts, const ZeroBeyond& zero);

}  // namespace dovetail
