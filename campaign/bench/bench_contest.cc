// SPDX-License-Identifier: Apache-2.0
#include "campaign/bench/bench_contest.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "core/base/cores.h"
#include "core/base/fail.h"
#include "measure/machine/timed_cores.h"
#include "measure/peers/compared_operator.h"

namespace dovetail {
namespace {

constexpr int kRounds = 5;
constexpr int kRoundsOfLongRuns = 3;
constexpr double kLongRunSeconds = 0.05;
constexpr double kTurnTimeoutSeconds = 120;
constexpr uint64_t kOperandSeed = 0;
// One turn of one contestant: the same for all.
constexpr TimingRule kTurn = {.warmup_seconds = 3e-3,
                              .budget_seconds = 0.06,
                              .relative_half_width = 0.003,
                              .least_samples = 12,
                              .most_samples = 200};

// Indexed by Column.
constexpr std::optional<double> PeerTimes::* kSeconds[] = {&PeerTimes::free, &PeerTimes::row_major,
                                                           &PeerTimes::direct};
constexpr std::optional<ChosenImplementation> PeerChoice::* kChosen[] = {
    &PeerChoice::free, &PeerChoice::row_major, &PeerChoice::direct};

Contestant peer_contestant(PeerSession& peer) {
  const auto sample = [&peer](const RoundsRule&) -> Result<std::vector<double>> {
    TimeReply timed = peer.time(kTurn, kTurnTimeoutSeconds);
    if (timed.status != Status::ok) return fail("{}", timed.reason);
    return std::move(timed.samples);
  };
  return {.name = peer.name(), .sample = sample};
}

}  // namespace

Result<BenchContest> BenchContest::start(const Target& target,
                                         const std::vector<std::string>& peers,
                                         const std::vector<std::string>& beside,
                                         std::function<bool()> interrupted, Caches caches) {
  BenchContest contest;
  contest.interrupted_ = std::move(interrupted);
  contest.target_ = target;
  const std::vector<int> all_cores = allowed_cores();  // before a runner pins this thread
  const CoreSplit cores = TRY(cores_for(target));
  for (const std::string& name : peers) {
    Result<PeerSession> session = PeerSession::start(name, cores.timed);
    if (session)
      contest.peers_.push_back(*std::move(session));
    else
      contest.missing_[name] = session.error().message;
  }
  contest.data_ = std::make_shared<CheckDataCache>();
  MeasureOptions options;
  options.builders = 1;  // one kernel is built at a time
  options.timing = options.thorough_timing = kTurn;
  options.caches = caches;
  contest.runner_ = TRY(make_local_runner(target, options));
  for (const std::string& name : beside) {
    pin_calling_thread(all_cores);  // so that this runner, too, finds the cores to share
    contest.beside_[name] = TRY(make_local_runner(target, options));
  }
  return contest;
}

std::vector<std::string> BenchContest::take_warnings() {
  std::vector<std::string> warnings = runner_->take_warnings();
  for (auto& [name, runner] : beside_)
    for (const std::string& warning : runner->take_warnings())
      warnings.push_back(fmt::format("{}: {}", name, warning));
  return warnings;
}

const MeasureResult& BenchContest::measure(OurKernel& kernel, const Region& region) const {
  MeasureInput input;
  input.spec = region;
  input.target = print(target_.name);
  input.trace = kernel.candidate->trace;
  input.program = kernel.candidate->program;
  input.seed = kOperandSeed;
  input.purpose = kernel.passes.empty() ? Purpose::confirm : Purpose::retime;
  kernel.runner->submit(std::move(input));
  return kernel.passes.emplace_back(kernel.runner->wait());
}

// Its first turn is the pass in which it was checked.
Contestant BenchContest::our_contestant(OurKernel& kernel, const Region& region) const {
  const auto sample = [this, &kernel, &region,
                       again = false](const RoundsRule&) mutable -> Result<std::vector<double>> {
    const MeasureResult& pass =
        std::exchange(again, true) ? measure(kernel, region) : kernel.passes.back();
    if (pass.status != Status::ok) return fail("{}", pass.reason);
    return pass.samples;
  };
  return {.name = kernel.name, .sample = sample};
}

void BenchContest::choose(const Region& region, BenchTimes& times) {
  if (peers_.empty()) return;
  if (const Result<Operator> op = compared_operator(region); !op) {
    for (const PeerSession& peer : peers_) times.peers[peer.name()].reason = op.error().message;
    return;
  }
  const auto integers = data_->get(region, DataKind::small_integers, kOperandSeed);
  peers_data_ = data_->get(region, DataKind::real, kOperandSeed);
  for (PeerSession& peer : peers_) {
    if (interrupted_()) return;
    PeerTimes& peer_times = times.peers[peer.name()];
    peer_times.choice = choose_implementations(peer, *integers, *peers_data_);
    peer_times.version = peer.version();
    peer_times.reason = peer_times.choice.reason;
  }
}

// The peers that have an implementation in this column, each with it prepared and run.
std::vector<PeerSession*> BenchContest::ready_peers(Column column, BenchTimes& times) {
  std::vector<PeerSession*> ready;
  for (PeerSession& peer : peers_) {
    const auto& chosen = times.peers[peer.name()].choice.*kChosen[static_cast<size_t>(column)];
    if (!chosen) continue;
    const PeerRunReply ran = peer.run(chosen->index, /*alone=*/true, /*output_wanted=*/false);
    if (ran.status == Status::ok)
      ready.push_back(&peer);
    else
      times.peers[peer.name()].reason = ran.reason;
  }
  return ready;
}

// The main kernel comes first; kernels of other logs are in the free column only.
std::vector<BenchContest::OurKernel> BenchContest::our_kernels(Column column,
                                                               const BenchEntry& entry) {
  const Candidate* candidate = &entry.best;
  if (column == Column::row_major) candidate = &*entry.row_major;
  if (column == Column::direct && entry.direct) candidate = &*entry.direct;
  std::vector<OurKernel> kernels = {{.runner = runner_.get(), .candidate = candidate}};
  if (column != Column::free) return kernels;
  for (const auto& [name, beside] : entry.beside)
    kernels.push_back({.runner = beside_.at(name).get(), .candidate = &beside, .name = name});
  return kernels;
}

void BenchContest::contest(Column column, const BenchEntry& entry, BenchTimes& times) {
  std::vector<OurKernel> ours = our_kernels(column, entry);
  for (OurKernel& kernel : ours) measure(kernel, entry.region);
  std::vector<Contestant> contestants;
  for (OurKernel& kernel : ours) contestants.push_back(our_contestant(kernel, entry.region));
  for (PeerSession* peer : ready_peers(column, times))
    contestants.push_back(peer_contestant(*peer));
  const bool is_long = ours.front().passes.front().seconds > kLongRunSeconds;
  const int rounds = is_long ? kRoundsOfLongRuns : kRounds;
  const std::vector<ContestResult> standings =
      measure_in_turn(contestants, {.rounds = rounds, .most_rounds = rounds}, interrupted_);
  for (const ContestResult& standing : std::span(standings).subspan(ours.size())) {
    PeerTimes& peer = times.peers[standing.name];
    if (standing.seconds)
      peer.*kSeconds[static_cast<size_t>(column)] = standing.seconds;
    else
      peer.reason = standing.reason;
  }
  const bool is_main = column == Column::free || entry.row_major_only;
  for (OurKernel& kernel : ours) record(column, std::move(kernel), is_main, times);
}

void BenchContest::record(Column column, OurKernel kernel, bool is_main, BenchTimes& times) {
  MeasureResult result = pooled(std::move(kernel.passes));
  if (!kernel.name.empty()) {
    times.beside[kernel.name] = std::move(result);
    return;
  }
  const bool valid = result.status == Status::ok;
  if (column == Column::row_major && valid) times.row_major = result.seconds;
  if (column == Column::row_major && !valid) times.row_major_reason = result.reason;
  if (column == Column::direct && valid) times.direct = result.seconds;
  if (is_main) times.ours = std::move(result);
}

// The free contest is also the direct one if all of its contenders are direct.
BenchTimes BenchContest::measure(const BenchEntry& entry) {
  BenchTimes times;
  times.ours.reason = "not measured";
  times.row_major_reason = entry.row_major_reason;
  choose(entry.region, times);
  if (interrupted_()) return times;
  if (entry.row_major_only) {
    contest(Column::row_major, entry, times);
    return times;
  }
  contest(Column::free, entry, times);
  const bool all_direct = !entry.direct && std::ranges::all_of(times.peers, [](const auto& peer) {
    const PeerChoice& choice = peer.second.choice;
    return !choice.free || choice.free->algorithm == "direct";
  });
  if (all_direct) {
    if (times.ours.status == Status::ok && !entry.best.trace.algorithm)
      times.direct = times.ours.seconds;
    for (auto& [name, peer] : times.peers) peer.direct = peer.free;
  } else if (!entry.free_only) {
    contest(Column::direct, entry, times);
  }
  if (entry.row_major && !entry.free_only) contest(Column::row_major, entry, times);
  return times;
}

}  // namespace dovetail
