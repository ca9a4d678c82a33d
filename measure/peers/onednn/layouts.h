// SPDX-License-Identifier: Apache-2.0
#pragma once

// Storage of f32 tensors, as oneDNN describes it. Dims are batch, channels, spatial axes, whatever
// the storage.

#include <oneapi/dnnl/dnnl.hpp>
#include <vector>

namespace dovetail::onednn {

using Dims = dnnl::memory::dims;
using Desc = dnnl::memory::desc;

// Storage in the order of the dims, or in another order of them (outermost first).
Desc strided(const Dims& dims, std::vector<int> order = {});
// As the implementation likes it.
Desc any(const Dims& dims);
// batch, spatial axes, channels
Desc channels_last(const Dims& dims);
// batch, blocks of 8 or 16 channels, spatial axes (one to three), channels of the block
Desc blocked(const Dims& dims, int64_t block);

}  // namespace dovetail::onednn
