// SPDX-License-Identifier: Apache-2.0
#pragma once

// run_isolated: calls a library that crashes on some inputs, so that the caller survives.
//
//   const std::string bytes =
//       TRY(run_isolated("shape inference", 60, [&] { return infer(model); }));
//
// Why: ONNX's shape inference divides by a stride of zero, and models are untrusted input. The work
// runs in a forked child, which returns bytes; a crash, an exception or exceeding the time limit
// becomes a one-line error. The child touches nothing but memory, so that the parent's threads do
// not matter.

#include <functional>
#include <string>

#include "core/base/result.h"

namespace dovetail {

Result<std::string> run_isolated(const std::string& what, int limit_cpu_seconds,
                                 const std::function<std::string()>& work);

}  // namespace dovetail
