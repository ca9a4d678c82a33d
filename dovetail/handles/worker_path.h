// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace dovetail::api {

// dovetail-worker as it is installed or built beside the library that holds this function; empty
// where there is none, which leaves the search to measure/worker_process.h.
std::string worker_of_library();

}  // namespace dovetail::api
