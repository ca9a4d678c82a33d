// SPDX-License-Identifier: Apache-2.0
#pragma once

// Messages of the functions that the verbs share name options of a command line; a program knows
// them as members of structs.
//
//   "--total-trials 1 is less than …"                "option total_trials 1 is less than …"
//   "expected --shape NAME=… for each"               "expected option shapes NAME=… for each"

#include <string>
#include <string_view>
#include <utility>

#include "campaign/listener.h"
#include "core/base/result.h"

namespace dovetail::api {

std::string with_members(std::string_view message);

template <typename T>
Result<T> with_members(Result<T> result) {
  if (result) return result;
  Error error = std::move(result).error();
  error.message = with_members(error.message);
  return Unexpected(std::move(error));
}

// Its notes, too.
Listener with_members(const Listener& listener);

}  // namespace dovetail::api
