// SPDX-License-Identifier: Apache-2.0
#pragma once

// Result<T>: a T, or an Error whose one-line message says why there is none. Nothing here throws.
//
//   const dt::Result<dt::Model> model = dt::Model::load("net.onnx");
//   if (!model) std::fprintf(stderr, "%s\n", model.error().message.c_str());
//
// In a function that returns a Result, DOVETAIL_TRY(…) is the value, or returns the error.

#include "core/base/result.h"

namespace dovetail::api {

using dovetail::Error;
using dovetail::ErrorKind;
using dovetail::fail;
using dovetail::Result;

}  // namespace dovetail::api
