// SPDX-License-Identifier: Apache-2.0
#pragma once

// Values of a program's buffer go from logical order to the bytes of its storage, and back:
//
//   const LogicalValues values = TRY(logical_values(buffer, value_of));   of X, or of W and bias
//   store_values(buffer, values.all, bytes);                              packed by its layout
//   load_values(buffer, bytes)                                            the same values again
//
// Checks of candidates and runs in this process share it, so that a tensor's bytes are made in one
// way. How many values there must be is the caller's to check, who knows what the tensor is called.

#include <cstddef>
#include <functional>
#include <span>
#include <string>

#include "core/base/result.h"
#include "core/ir/program/program.h"
#include "core/ir/value/array.h"

namespace dovetail {

// The values of a tensor by its name; an error where there are none.
using ValuesOfTensor = std::function<Result<ArrayView>(const std::string& tensor)>;

struct LogicalValues {
  Array joined = {};  // where the buffer stores other tensors, too
  ArrayView all = {};
};

Result<LogicalValues> logical_values(const Buffer& buffer, const ValuesOfTensor& values_of);

// `logical` has logical_elements(buffer.layout) values of any type; `bytes` are the buffer's,
// aligned for it.
void store_values(const Buffer& buffer, const ArrayView& logical, std::span<std::byte> bytes);
// Of the buffer's type, in the shape of its logical dimensions.
Array load_values(const Buffer& buffer, std::span<const std::byte> bytes);

}  // namespace dovetail
