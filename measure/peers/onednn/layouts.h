// SPDX-License-Identifier: Apache-2.0
#pragma once

// Layouts of f32 tensors as oneDNN descriptors. Dims are batch, channels, spatial axes in any
// layout.

#include <oneapi/dnnl/dnnl.hpp>
#include <vector>

namespace dovetail::onednn {

using Dims = dnnl::memory::dims;
using Desc = dnnl::memory::desc;

// Row-major in the order of the dims, or in another order of them (outermost first).
Desc strided(const Dims& dims, std::vector<int> order = {});
// The implementation chooses.
Desc any(const Dims& dims);
// batch, spatial axes, channels
Desc channels_last(const Dims& dims);
// batch, blocks of 8 or 16 channels, spatial axes (one to three), channels of the block
Desc blocked(const Dims& dims, int64_t block);

}  // namespace dovetail::onednn
