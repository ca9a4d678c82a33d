// SPDX-License-Identifier: Apache-2.0
#include "measure/peers/peer_worker.h"

#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <map>
#include <thread>

#include "core/base/cores.h"
#include "core/base/fail.h"
#include "core/base/stopwatch.h"
#include "core/ir/operator/operator.h"
#include "measure/messages/worker_messages.h"
#include "measure/peers/peer.h"
#include "measure/peers/peer_messages.h"
#include "measure/timing.h"
#include "measure/worker/serve.h"

namespace dovetail {
namespace {

// Threads of OpenMP and of OpenBLAS spin for some milliseconds after their last task.
constexpr std::chrono::milliseconds kSettling{10};

// Pins the main thread to the first core, the library's threads to the others.
void spread_threads(const std::vector<int>& cores) {
  if (cores.size() < 2) return;
  size_t next = 0;
  std::error_code error;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task", error)) {
    const auto id = static_cast<pid_t>(std::atoi(task.path().filename().c_str()));
    const bool is_main = id == ::getpid();
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(is_main ? cores[0] : cores[1 + next++ % (cores.size() - 1)], &set);
    ::sched_setaffinity(id, sizeof(set), &set);
  }
}

class PeerRole {
 public:
  PeerRole(std::unique_ptr<Peer> peer, std::vector<int> cores)
      : peer_(std::move(peer)), cores_(std::move(cores)) {}

  Result<Frame> answer(const Frame& request) {
    const std::string type = TRY(type_of(request));
    if (type == "load") return encode(load(TRY(decode<PeerLoadRequest>(request))));
    if (type == "run") return encode(run(TRY(decode<PeerRunRequest>(request))));
    if (type == "time") return encode(time(TRY(decode<TimeRequest>(request))));
    return fail("unknown frame type {}", type);
  }

 private:
  PeerLoadReply load(PeerLoadRequest request) {
    PeerLoadReply reply{.version = peer_->version()};
    prepared_.clear();
    current_ = nullptr;
    inputs_ = std::move(request.inputs);
    Result<std::vector<Implementation>> offered = offer(request.spec);
    if (!offered) reply.reason = offered.error().message;
    if (offered) reply.implementations = *std::move(offered);
    return reply;
  }

  Result<std::vector<Implementation>> offer(const std::string& spec) {
    return peer_->offer(TRY(parse_operator(spec)));
  }

  // Libraries throw for a layout or combination that they turn out not to support.
  PeerRunReply run(const PeerRunRequest& request) {
    try {
      return run_prepared(request);
    } catch (const std::exception& error) {
      const std::string text = error.what();
      return {.status = Status::run_error, .reason = text.substr(0, text.find('\n'))};
    }
  }

  PeerRunReply run_prepared(const PeerRunRequest& request) {
    const int64_t wanted = request.implementation;
    if (request.alone) std::erase_if(prepared_, [&](const auto& o) { return o.first != wanted; });
    current_ = nullptr;
    if (!prepared_.contains(wanted)) {
      auto made = peer_->prepare(static_cast<size_t>(wanted), inputs_);
      if (!made) return {.status = Status::run_error, .reason = made.error().message};
      prepared_[wanted] = *std::move(made);
    }
    PreparedRun& prepared = *prepared_[wanted];
    PeerRunReply reply;
    if (request.output_wanted) {
      const Stopwatch watch;
      prepared.run();
      reply.seconds = watch.seconds();
      reply.output = prepared.output();
    }
    current_ = &prepared;
    return reply;
  }

  TimeReply time(const TimeRequest& request) {
    if (current_ == nullptr) return {Status::run_error, "a time request without a run before", {}};
    spread_threads(cores_);
    const auto sample = [&](int64_t runs) {
      const Stopwatch watch;
      for (int64_t run = 0; run < runs; ++run) current_->run();
      return watch.seconds();
    };
    try {
      std::vector<double> samples = *time_adaptively(sample, request.rule);
      if (cores_.size() > 1) std::this_thread::sleep_for(kSettling);
      return {Status::ok, {}, std::move(samples)};
    } catch (const std::exception& error) {
      return {Status::run_error, error.what(), {}};
    }
  }

  std::unique_ptr<Peer> peer_;
  std::vector<int> cores_;
  NamedArrays inputs_;
  std::map<int64_t, std::unique_ptr<PreparedRun>> prepared_;
  PreparedRun* current_ = nullptr;
};

}  // namespace

int run_peer_worker(const PeerWorkerOptions& options) {
  if (!follow_parent(options.parent)) return 0;
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  pin_calling_thread(options.cores);
  Result<std::unique_ptr<Peer>> peer =
      make_peer(options.peer, static_cast<int>(options.cores.size()));
  if (!peer) {
    std::fprintf(stderr, "%s\n", peer.error().message.c_str());
    return kFailureExit;
  }
  PeerRole role(*std::move(peer), options.cores);
  return serve([&](const Frame& request) { return role.answer(request); });
}

}  // namespace dovetail
