// SPDX-License-Identifier: Apache-2.0
#pragma once

// serve_measuring: the measure role of dovetail-worker: measures for a tuner until that closes the
// connection (measure/messages/measure_messages.h).
//
//   TRY(serve_measuring(transport, options));
//
// It reads while it measures and replies: a tuner that has sent a request may go on at once.

#include "core/base/result.h"
#include "measure/transport/transport.h"
#include "measure/worker/worker.h"

namespace dovetail {

// Fails when the tuner breaks the protocol, or nothing can be measured here.
Result<void> serve_measuring(Transport& tuner, const WorkerOptions& options);

}  // namespace dovetail
