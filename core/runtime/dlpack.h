// SPDX-License-Identifier: Apache-2.0
#pragma once

// NDArrays to and from other libraries (numpy, torch, …) without a copy, by DLPack, the exchange
// format of array libraries (https://dmlc.github.io/dlpack).
//
//   DLManagedTensor* tensor = TRY(to_dlpack(array));      // for torch's fromDLPack(tensor)
//   const NDArray x = TRY(from_dlpack(toDLPack(t)));      // torch's memory, until x's views end
//
// Shape, strides and type stay as they are; the memory is shared, and writes are seen on both
// sides.

#include "core/base/result.h"
#include "core/ir/value/ndarray.h"

struct DLManagedTensor;  // <dlpack/dlpack.h>

namespace dovetail {

// The caller, or the library that takes it, calls its deleter once. Fails for memory that the host
// cannot read, and for read-only memory, which the format (0.6) cannot mark.
Result<DLManagedTensor*> to_dlpack(const NDArray& array);

// Takes the tensor over: its deleter is called with the last array over its memory, or now if this
// fails, for memory of another device and types that no array has.
Result<NDArray> from_dlpack(DLManagedTensor* tensor);

}  // namespace dovetail
