// SPDX-License-Identifier: Apache-2.0
#pragma once

// PeerSession: one peer in its own dovetail-peers process, seen from dovetail.
//
//   PeerSession peer = TRY(PeerSession::start("onednn", {1}));
//   const PeerLoadReply loaded = TRY(peer.load(*data));           // operands of a CheckData
//   const PeerRunReply ran = peer.run(0, {.alone = true});        // its output, to be checked
//   const TimeReply timed = peer.time(rule);                      // the last run
//
// The process may crash: that is a status, another one is started, and the operands are sent again
// when needed. Must be used only from the thread that started it.

#include <memory>
#include <string>
#include <vector>

#include "measure/check/output_check.h"
#include "measure/messages/worker_messages.h"
#include "measure/peers/peer_messages.h"
#include "measure/supervisor/worker_slot.h"

namespace dovetail {

class PeerSession {
 public:
  // Fails for a peer that is unknown, not built in, or cannot start. One thread on each of `cores`.
  static Result<PeerSession> start(const std::string& peer, const std::vector<int>& cores);

  const std::string& name() const { return name_; }
  const std::string& version() const { return version_; }

  // `data`: of a region that has a compared_operator (CHECKed); it must outlive the session or the
  // next load. The error says why the peer is gone.
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
  bool loaded_ = false;  // the process has data_
};

// Environment of a peer's process, NAME=value: the number of threads of its libraries, memory on
// huge pages, and the OpenBLAS core for this processor.
std::vector<std::string> peer_environment(size_t threads);

}  // namespace dovetail
