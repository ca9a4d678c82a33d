// SPDX-License-Identifier: Apache-2.0
#pragma once

// BenchContest: times our kernel of one region beside all peers and kernels of other logs.
//
//   BenchContest contest = TRY(BenchContest::start(target, {"onednn"}, {"nohw"}));
//   const BenchTimes times = contest.measure(entry);  // one region
//
// Each column (free, row_major, direct) is a separate contest: every contestant computes once and
// is checked, then they take turns on the same cores (measure/network_peers/rounds.h), each a short
// burst of runs. A time is the median of a contestant's samples over all rounds. Each of our
// kernels has its own runner, and so its own run worker: they are all set up alike, and none is
// built or checked while another is timed.

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "measure/network_peers/rounds.h"
#include "measure/peers/peer_choice.h"
#include "measure/reference/check_data.h"
#include "measure/runner/local_runner.h"
#include "search/candidate.h"

namespace dovetail {

// Our candidates for one region. `direct` and `row_major` are empty where there is none.
struct BenchEntry {
  Region region;
  Candidate best;
  std::optional<Candidate> direct = {};  // when `best` is not direct itself
  // Framework layouts in and out, conversions in the program; else why there is none.
  std::optional<Candidate> row_major = {};
  std::string row_major_reason = {};
  std::map<std::string, Candidate> beside = {};  // from other logs, by the names given to start()
  bool free_only = false;                        // no peers: other columns would have ours only
  bool row_major_only = false;  // its border is the frameworks': other columns are other tasks
};

struct PeerTimes {
  std::string version = {};
  std::string reason = {};  // why it has no times
  PeerChoice choice = {};
  std::optional<double> free = {}, row_major = {}, direct = {};  // seconds
};

struct BenchTimes {
  MeasureResult ours;  // free column, or row_major if it is the only one
  std::optional<double> row_major = {}, direct = {};
  std::string row_major_reason = {};
  std::map<std::string, PeerTimes> peers = {};
  std::map<std::string, MeasureResult> beside = {};  // free column
};

class BenchContest {
 public:
  // A peer that cannot be started is left out, with its reason in missing().
  static Result<BenchContest> start(
      const Target& target, const std::vector<std::string>& peers,
      const std::vector<std::string>& beside = {},
      std::function<bool()> interrupted = [] { return false; }, Caches caches = Caches::hot);

  BenchTimes measure(const BenchEntry& entry);
  const std::map<std::string, std::string>& missing() const { return missing_; }
  size_t num_peers() const { return peers_.size(); }
  double peak_gflops() const { return runner_->peak_gflops(); }
  std::vector<std::string> take_warnings();

 private:
  enum class Column : size_t { free, row_major, direct };

  // One of our kernels, and the runner that has it.
  struct OurKernel {
    LocalRunner* runner = nullptr;
    const Candidate* candidate = nullptr;
    std::string name = {};                   // its --beside log; empty: the main kernel
    std::vector<MeasureResult> passes = {};  // its output was checked in the first
  };

  BenchContest() = default;
  void choose(const Region& region, BenchTimes& times);
  void contest(Column column, const BenchEntry& entry, BenchTimes& times);
  std::vector<OurKernel> our_kernels(Column column, const BenchEntry& entry);
  std::vector<PeerSession*> ready_peers(Column column, BenchTimes& times);
  static void record(Column column, OurKernel kernel, bool is_main, BenchTimes& times);
  const MeasureResult& measure(OurKernel& kernel, const Region& region) const;
  Contestant our_contestant(OurKernel& kernel, const Region& region) const;

  Target target_;
  std::function<bool()> interrupted_;
  std::shared_ptr<CheckDataCache> data_;  // for the peers
  std::unique_ptr<LocalRunner> runner_;
  std::map<std::string, std::unique_ptr<LocalRunner>> beside_;
  std::vector<PeerSession> peers_;
  std::map<std::string, std::string> missing_;
  std::shared_ptr<const CheckData> peers_data_;  // the data that the peers have
};

}  // namespace dovetail
