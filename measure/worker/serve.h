// SPDX-License-Identifier: Apache-2.0
#pragma once

// Every process that dovetail starts does this: answer frames on descriptor 3 until that closes,
// and end with the process that started it, even when that is killed.
//
//   if (!follow_parent(options.parent)) return 0;
//   return serve([&](const Frame& request) { return answer(request); });

#include <cstdint>
#include <functional>

#include "core/base/result.h"
#include "measure/frame.h"

namespace dovetail {

// False when the parent has ended already: there is nobody to answer. `parent` 0: whoever it is.
bool follow_parent(int64_t parent);

// The exit code. An error of `answer` ends it, with the message on stderr. Greetings (hello()) are
// answered here.
int serve(const std::function<Result<Frame>(const Frame&)>& answer);

inline constexpr int kFailureExit = 4;

}  // namespace dovetail
