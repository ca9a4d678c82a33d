// SPDX-License-Identifier: Apache-2.0
#include "tools/bench_contest.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/runtime/thread_pool.h"
#include "tools/interrupt.h"

namespace dovetail {
namespace {

constexpr int kRounds = 5;
constexpr int kRoundsOfLongRuns = 3;
constexpr double kLongRunSeconds = 0.05;
constexpr double kTurnTimeoutSeconds = 120;
constexpr uint64_t kOperandSeed = 0;
// One turn of one contender: the same for all.
constexpr TimingRule kTurn = {.warmup_seconds = 3e-3,
                              .budget_seconds = 0.06,
                              .relative_half_width = 0.003,
                              .least_samples = 12,
                              .most_samples = 200};

// The last ones, where candidates run.
std::vector<int> run_cores(int threads) {
  const std::vector<int> all = allowed_cores();
  const size_t used = std::min(all.size(), static_cast<size_t>(std::max(threads, 1)));
  return {all.end() - static_cast<std::ptrdiff_t>(used), all.end()};
}

void append(const std::vector<double>& from, std::vector<double>& to) {
  to.insert(to.end(), from.begin(), from.end());
}

}  // namespace

Result<BenchContest> BenchContest::start(const Target& target,
                                         const std::vector<std::string>& peers) {
  BenchContest contest;
  contest.target_ = target;
  const std::vector<int> cores = run_cores(target.name.threads);  // before our runner takes them
  for (const std::string& name : peers) {
    Result<PeerSession> session = PeerSession::start(name, cores);
    if (session) {
      contest.peers_.push_back(*std::move(session));
    } else {
      contest.missing_[name] = session.error().message;
    }
  }
  MeasureOptions options;
  options.operand_seed = kOperandSeed;
  options.timing = options.thorough_timing = kTurn;
  contest.runner_ = TRY(make_local_runner(target, options));
  return contest;
}

MeasureResult BenchContest::ours(const Operator& op, const Candidate& candidate, bool again) {
  MeasureInput input;
  input.op = op;
  input.target = print(target_.name);
  input.trace = candidate.trace;
  input.program = candidate.program;
  input.thorough = true;
  input.again = again;
  runner_->submit(std::move(input));
  return runner_->wait();
}

void BenchContest::choose(const Operator& op, BenchTimes& times) {
  if (peers_.empty()) return;
  const auto integers = CheckData::make(op, DataKind::small_integers, kOperandSeed);
  data_ = CheckData::make(op, DataKind::real, kOperandSeed);
  for (PeerSession& peer : peers_) {
    if (interrupted()) return;
    PeerTimes& peer_times = times.peers[peer.name()];
    peer_times.choice = choose_implementations(peer, *integers, *data_);
    peer_times.version = peer.version();
    peer_times.reason = peer_times.choice.reason;
  }
}

std::optional<double>& BenchContest::seconds_of(Column column, PeerTimes& peer) {
  if (column == Column::plain) return peer.plain;
  return column == Column::direct ? peer.direct : peer.free;
}

const std::optional<ChosenImplementation>& BenchContest::chosen_for(Column column,
                                                                    const PeerChoice& choice) {
  if (column == Column::plain) return choice.plain;
  return column == Column::direct ? choice.direct : choice.free;
}

// The peers that have an implementation in this column, each with it prepared and run.
std::vector<BenchContest::Contender> BenchContest::ready_contenders(Column column,
                                                                    BenchTimes& times) {
  std::vector<Contender> ready;
  for (PeerSession& peer : peers_) {
    const PeerChoice& choice = times.peers[peer.name()].choice;
    const auto& chosen = chosen_for(column, choice);
    if (!chosen) continue;
    const PeerRunReply ran = peer.run(chosen->index, /*alone=*/true, /*output_wanted=*/false);
    if (ran.status == Status::ok) {
      ready.push_back({.peer = &peer});
    } else {
      times.peers[peer.name()].reason = ran.reason;
    }
  }
  return ready;
}

void BenchContest::contest(Column column, const Operator& op, const Candidate& candidate,
                           BenchTimes& times) {
  MeasureResult mine = ours(op, candidate, /*again=*/false);
  std::vector<Contender> others = ready_contenders(column, times);
  const int rounds = mine.seconds > kLongRunSeconds ? kRoundsOfLongRuns : kRounds;
  for (int round = 0; round < rounds && !interrupted(); ++round) {
    for (Contender& other : others) {
      if (!other.problem.empty()) continue;
      const TimeReply timed = other.peer->time(kTurn, kTurnTimeoutSeconds);
      append(timed.samples, other.samples);
      if (timed.status != Status::ok) other.problem = timed.reason;
    }
    if (mine.status != Status::ok || round + 1 == rounds) continue;
    const MeasureResult again = ours(op, candidate, /*again=*/true);
    append(again.samples, mine.samples);
    if (again.status != Status::ok) {
      mine.status = again.status;
      mine.reason = again.reason;
    }
  }
  record(column, std::move(mine), others, times);
}

void BenchContest::record(Column column, MeasureResult mine, const std::vector<Contender>& others,
                          BenchTimes& times) {
  for (const Contender& other : others) {
    PeerTimes& peer = times.peers[other.peer->name()];
    if (!other.problem.empty()) {
      peer.reason = other.problem;
    } else if (!other.samples.empty()) {
      seconds_of(column, peer) = median(other.samples);
    }
  }
  const bool valid = mine.status == Status::ok;
  if (valid) mine.seconds = median(mine.samples);
  if (column == Column::plain && valid) times.plain = mine.seconds;
  if (column == Column::plain && !valid) times.plain_reason = mine.reason;
  if (column == Column::direct && valid) times.direct = mine.seconds;
  if (column == Column::free) times.ours = std::move(mine);
}

// The contest of direct algorithms is the free one where that has nothing else.
BenchTimes BenchContest::measure(const BenchEntry& entry) {
  BenchTimes times;
  times.ours.reason = "not measured";
  times.plain_reason = entry.plain_reason;
  choose(entry.op, times);
  if (interrupted()) return times;
  contest(Column::free, entry.op, entry.best, times);
  const bool all_direct = !entry.direct && std::ranges::all_of(times.peers, [](const auto& peer) {
    const PeerChoice& choice = peer.second.choice;
    return !choice.free || choice.free->algorithm == "direct";
  });
  if (all_direct) {
    if (times.ours.status == Status::ok) times.direct = times.ours.seconds;
    for (auto& [name, peer] : times.peers) peer.direct = peer.free;
  } else {
    contest(Column::direct, entry.op, entry.direct ? *entry.direct : entry.best, times);
  }
  if (entry.plain) contest(Column::plain, entry.op, *entry.plain, times);
  return times;
}

}  // namespace dovetail
