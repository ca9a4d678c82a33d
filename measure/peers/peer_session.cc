// SPDX-License-Identifier: Apache-2.0
#include "measure/peers/peer_session.h"

#include <unistd.h>

#include "core/base/check.h"
#include "core/base/cores.h"
#include "core/base/fail.h"
#include "core/ir/operator/operator.h"
#include "measure/peers/compared_operator.h"
#include "measure/peers/peer_worker.h"

namespace dovetail {
namespace {

constexpr double kStartSeconds = 60;
constexpr double kLoadSeconds = 120;
constexpr double kRunSeconds = 120;

// OpenBLAS 0.3.21 takes its AVX2 core on processors with AVX-512 that are newer than it, and
// reaches half of their peak.
const char* openblas_core() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw"))
    return "SkylakeX";
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return "Haswell";
#endif
  return "";
}

}  // namespace

std::vector<std::string> peer_environment(size_t threads) {
  std::vector<std::string> environment = {
      fmt::format("OMP_NUM_THREADS={}", threads),
      fmt::format("OPENBLAS_NUM_THREADS={}", threads),
      "OPENBLAS_THREAD_TIMEOUT=22",  // 2^22 cycles of spinning: some milliseconds
      "GLIBC_TUNABLES=glibc.malloc.hugetlb=1",
  };
  if (*openblas_core() != '\0')
    environment.push_back(fmt::format("OPENBLAS_CORETYPE={}", openblas_core()));
  return environment;
}

PeerSession::PeerSession(std::string name, std::vector<int> cores, WorkerCommand command)
    : name_(std::move(name)),
      cores_(std::move(cores)),
      worker_(std::make_unique<WorkerSlot>(std::move(command), kStartSeconds)) {}

Result<PeerSession> PeerSession::start(const std::string& peer, const std::vector<int>& cores) {
  WorkerCommand command;
  command.path = TRY(find_program("dovetail-peers"));
  command.arguments = print(PeerWorkerOptions{peer, cores, ::getpid()});
  command.environment = peer_environment(cores.size());
  PeerSession session(peer, cores, std::move(command));
  const Exchange ready = session.exchange(hello(), kStartSeconds);
  if (ready.outcome == Exchange::Outcome::answered) return session;
  return fail("peer {}: {}", peer, ready.reason);
}

// A process inherits its parent thread's cores, and libraries count them when they are loaded.
Exchange PeerSession::exchange(const Frame& request, double timeout_seconds) {
  const std::vector<int> ours = allowed_cores();
  pin_calling_thread(cores_);
  Exchange result = worker_->exchange(request, timeout_seconds);
  pin_calling_thread(ours);
  if (result.outcome != Exchange::Outcome::answered) loaded_ = false;
  return result;
}

Exchange PeerSession::send_operands() {
  const PeerLoadRequest request{.spec = print(*data_->region.op), .inputs = data_->inputs};
  return exchange(encode(request), kLoadSeconds);
}

Result<PeerLoadReply> PeerSession::load(const CheckData& data) {
  CHECK(compared_operator(data.region), "data of a region that no peer computes");
  data_ = &data;
  const Exchange sent = send_operands();
  if (sent.outcome != Exchange::Outcome::answered) return fail("peer {}: {}", name_, sent.reason);
  PeerLoadReply reply = TRY(decode<PeerLoadReply>(sent.reply));
  loaded_ = true;
  version_ = reply.version;
  return reply;
}

PeerRunReply PeerSession::run(size_t implementation, bool alone, bool output_wanted) {
  Exchange ran;
  if (!loaded_) ran = send_operands();
  if (loaded_ || ran.outcome == Exchange::Outcome::answered) {
    loaded_ = true;
    ran = exchange(encode(PeerRunRequest{.implementation = static_cast<int64_t>(implementation),
                                         .alone = alone,
                                         .output_wanted = output_wanted}),
                   kRunSeconds);
  }
  return reply_of<PeerRunReply>(ran, Status::run_error);
}

TimeReply PeerSession::time(const TimingRule& rule, double timeout_seconds) {
  const Exchange timed = exchange(encode(TimeRequest{.rule = rule}), timeout_seconds);
  return reply_of<TimeReply>(timed, Status::run_error);
}

}  // namespace dovetail
