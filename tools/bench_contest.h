// SPDX-License-Identifier: Apache-2.0
#pragma once

// BenchContest: one operator, ours beside every peer, in turn.
//
//   BenchContest contest(target, options);            // starts the peers, then our runner
//   const BenchTimes times = contest.measure(entry);  // one operator
//
// Each column (free, plain, direct) is a contest of its own: every contender computes once and is
// checked, then they take turns on the same cores, a short burst of runs each, several rounds. So
// whatever else happens on the machine happens to all of them. A time is the median of a
// contender's samples of all rounds.

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "measure/local_runner.h"
#include "measure/peers/peer_choice.h"
#include "search/candidate.h"

namespace dovetail {

// What is measured of ours. `direct` and `plain` are empty where there is no such candidate.
struct BenchEntry {
  Operator op;
  Candidate best;
  std::optional<Candidate> direct;  // when `best` is not direct itself
  std::optional<Candidate> plain;   // framework layouts in and out, conversions in the program
  std::string plain_reason;         // why there is none
};

struct PeerTimes {
  std::string version = {};
  std::string reason = {};  // why it has no times
  PeerChoice choice = {};
  std::optional<double> free = {}, plain = {}, direct = {};  // seconds
};

struct BenchTimes {
  MeasureResult ours;  // of the free column
  std::optional<double> plain = {}, direct = {};
  std::string plain_reason = {};
  std::map<std::string, PeerTimes> peers = {};
};

class BenchContest {
 public:
  // A peer that cannot be started is left out, with its reason in missing().
  static Result<BenchContest> start(const Target& target, const std::vector<std::string>& peers);

  BenchTimes measure(const BenchEntry& entry);
  const std::map<std::string, std::string>& missing() const { return missing_; }
  size_t num_peers() const { return peers_.size(); }
  double peak_gflops() const { return runner_->peak_gflops(); }
  std::vector<std::string> take_warnings() { return runner_->take_warnings(); }

 private:
  enum class Column { free, plain, direct };
  struct Contender {
    PeerSession* peer = nullptr;
    std::vector<double> samples = {};
    std::string problem = {};
  };

  BenchContest() = default;
  void choose(const Operator& op, BenchTimes& times);
  void contest(Column column, const Operator& op, const Candidate& candidate, BenchTimes& times);
  static std::optional<double>& seconds_of(Column column, PeerTimes& peer);
  static const std::optional<ChosenImplementation>& chosen_for(Column column,
                                                               const PeerChoice& choice);
  static void record(Column column, MeasureResult mine, const std::vector<Contender>& others,
                     BenchTimes& times);
  std::vector<Contender> ready_contenders(Column column, BenchTimes& times);
  MeasureResult ours(const Operator& op, const Candidate& candidate, bool again);

  Target target_;
  std::unique_ptr<LocalRunner> runner_;
  std::vector<PeerSession> peers_;
  std::map<std::string, std::string> missing_;
  std::shared_ptr<const CheckData> data_;  // that the peers have
};

}  // namespace dovetail
