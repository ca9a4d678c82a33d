// SPDX-License-Identifier: Apache-2.0
#include "measure/worker/serve.h"

#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cstdio>
#include <limits>

#include "measure/messages.h"
#include "measure/worker_process.h"

namespace dovetail {

bool follow_parent(int64_t parent) {
  // It may have ended before prctl.
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  return parent == 0 || ::getppid() == parent;
}

int serve(const std::function<Result<Frame>(const Frame&)>& answer) {
  const Deadline never = deadline_after(std::numeric_limits<double>::infinity());
  while (true) {
    const ReceivedFrame request = receive_frame(kWorkerSocket, never);
    if (request.status == FrameStatus::closed) return 0;
    const Result<Frame> reply = request.status != FrameStatus::done
                                    ? Result<Frame>(fail(request.reason))
                                : request.frame == hello() ? request.frame
                                                           : answer(request.frame);
    if (!reply) {
      std::fprintf(stderr, "%s\n", reply.error().message.c_str());
      return kFailureExit;
    }
    if (send_frame(kWorkerSocket, *reply, never) != FrameStatus::done) return 0;
  }
}

}  // namespace dovetail
