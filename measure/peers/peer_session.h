// SPDX-License-Identifier: Apache-2.0
#pragma once

// PeerSession: one peer in its own dovetail-peers process, seen from dovetail.
//
//   PeerSession peer = TRY(PeerSession::start("onednn", {1}));
//   const PeerLoadReply loaded = TRY(peer.load(*data));           // operands of a CheckData
//   const PeerRunReply ran = peer.run(0, {.alone = true});        // its output, to be checked
//   const TimeReply timed = peer.time(rule);                      // of what ran last
//
// The process may crash: that is a status, another one is started, and the operands are sent again
// when they are needed. It may be used from the thread that started it only.

#include <memory>
#include <string>
#include <vector>

#include "measure/messages.h"
#include "measure/output_check.h"
#include "measure/peers/peer_messages.h"
#include "measure/worker_process.h"

namespace dovetail {

class PeerSession {
 public:
  // The error says that it is unknown, not built in, or cannot start. `cores`: one thread each.
  static Result<PeerSession> start(const std::string& peer, const std::vector<int>& cores);

  const std::string& name() const { return name_; }
  const std::string& version() const { return version_; }

  // `data` must outlive the session or the next load. The error says why the peer is gone.
  Result<PeerLoadReply> load(const CheckData& data);
  PeerRunReply run(size_t implementation, bool alone, bool output_wanted);
  TimeReply time(const TimingRule& rule, double timeout_seconds);

 private:
  PeerSession(std::string name, std::vector<int> cores, WorkerCommand command);
  Exchange exchange(const Frame& request, double timeout_seconds);
  Exchange send_operands();

  std::string name_;
  std::string version_;
  std::vector<int> cores_;
  std::unique_ptr<WorkerSlot> worker_;
  const CheckData* data_ = nullptr;
  bool loaded_ = false;  // data_ is in the process
};

// A peer's process gets this in its environment, NAME=value: how many threads its libraries may
// start, memory on huge pages, and the OpenBLAS core for this processor.
std::vector<std::string> peer_environment(size_t threads);

}  // namespace dovetail
