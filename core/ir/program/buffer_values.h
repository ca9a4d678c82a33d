// SPDX-License-Identifier: Apache-2.0
#pragma once

// Converts the values of a program's buffer between logical order and the bytes of its storage:
//
//   const NDArray values = TRY(logical_values(buffer, values_of));   of X, or of W and bias
//   store_values(buffer, values, bytes);                             packed by its layout
//   load_values(buffer, bytes)                                       the same values again
//
// Shared by checks of candidates and runs in this process, so that both make the same bytes. The
// caller checks the number of values, because only it knows the tensor's name for the error.

#include <cstddef>
#include <functional>
#include <span>
#include <string>

#include "core/base/result.h"
#include "core/ir/program/program.h"
#include "core/ir/value/ndarray.h"

namespace dovetail {

// The values of the named tensor; an error if there are none.
using ValuesOfTensor = std::function<Result<NDArray>(const std::string& tensor)>;

// The values of the buffer's tensor, joined with those of the guests that the buffer stores.
Result<NDArray> logical_values(const Buffer& buffer, const ValuesOfTensor& values_of);

// `logical`: logical_elements(buffer.layout) values of any type; `bytes`: the buffer's storage,
// aligned for its type.
void store_values(const Buffer& buffer, const ArrayView& logical, std::span<std::byte> bytes);
// Returns values of the buffer's type in the shape of its logical dimensions.
NDArray load_values(const Buffer& buffer, std::span<const std::byte> bytes);

}  // namespace dovetail
