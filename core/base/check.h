// SPDX-License-Identifier: Apache-2.0
#pragma once

// CHECK(condition) and CHECK(condition, message): a failed invariant aborts, in every build.
//
//   CHECK(axis < num_axes(), "axis " + std::to_string(axis) + " of a layout with ...");
//
//   core/ir/layout/layout.cc:41: CHECK failed: axis < num_axes(): axis 4 of a layout with 3 axes
//
// Bad input is a Result (core/base/result.h); a CHECK is for bugs that no input should cause. It
// stays on under NDEBUG, because a tuner that goes on with a broken program writes wrong
// measurements into a log. The message is any string, built only when the condition is false.

#include <string_view>

namespace dovetail {

[[noreturn]] void check_failed(const char* file, int line, std::string_view condition,
                               std::string_view message = {});

}  // namespace dovetail

#define DOVETAIL_CHECK(condition, ...)                  \
  (__builtin_expect(static_cast<bool>(condition), true) \
       ? static_cast<void>(0)                           \
       : ::dovetail::check_failed(__FILE__, __LINE__, #condition __VA_OPT__(, ) __VA_ARGS__))

// Users of the library have a CHECK and a TRY of their own: the short words are ours alone.
#ifdef DOVETAIL_SHORT_MACROS
#define CHECK DOVETAIL_CHECK
#endif
