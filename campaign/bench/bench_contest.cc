// SPDX-License-Identifier: Apache-2.0
#include "campaign/bench/bench_contest.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/cores.h"
#include "core/base/statistics.h"

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

// Indexed by Column.
constexpr std::optional<double> PeerTimes::* kSeconds[] = {&PeerTimes::free, &PeerTimes::plain,
                                                           &PeerTimes::direct};
constexpr std::optional<ChosenImplementation> PeerChoice::* kChosen[] = {
    &PeerChoice::free, &PeerChoice::plain, &PeerChoice::direct};

void append(const std::vector<double>& from, std::vector<double>& to) {
  to.insert(to.end(), from.begin(), from.end());
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
  options.operand_seed = kOperandSeed;
  options.check_data = contest.data_;
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

MeasureResult BenchContest::measure(const OurKernel& kernel, const Region& region,
                                    bool again) const {
  MeasureInput input;
  input.spec = region;
  input.target = print(target_.name);
  input.trace = kernel.candidate->trace;
  input.program = kernel.candidate->program;
  input.thorough = true;
  input.again = again;
  kernel.runner->submit(std::move(input));
  return kernel.runner->wait();
}

// Adds one more turn's samples.
void BenchContest::time_again(OurKernel& kernel, const Region& region) const {
  if (kernel.result.status != Status::ok) return;
  const MeasureResult again = measure(kernel, region, /*again=*/true);
  append(again.samples, kernel.result.samples);
  if (again.status == Status::ok) return;
  kernel.result.status = again.status;
  kernel.result.reason = again.reason;
}

void BenchContest::choose(const Region& region, BenchTimes& times) {
  if (peers_.empty()) return;
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
std::vector<BenchContest::Contender> BenchContest::ready_contenders(Column column,
                                                                    BenchTimes& times) {
  std::vector<Contender> ready;
  for (PeerSession& peer : peers_) {
    const auto& chosen = times.peers[peer.name()].choice.*kChosen[static_cast<size_t>(column)];
    if (!chosen) continue;
    const PeerRunReply ran = peer.run(chosen->index, /*alone=*/true, /*output_wanted=*/false);
    if (ran.status == Status::ok)
      ready.push_back({.peer = &peer});
    else
      times.peers[peer.name()].reason = ran.reason;
  }
  return ready;
}

// The main kernel comes first; kernels of other logs are in the free column only.
std::vector<BenchContest::OurKernel> BenchContest::our_kernels(Column column,
                                                               const BenchEntry& entry) {
  const Candidate* candidate = &entry.best;
  if (column == Column::plain) candidate = &*entry.plain;
  if (column == Column::direct && entry.direct) candidate = &*entry.direct;
  std::vector<OurKernel> kernels = {{.runner = runner_.get(), .candidate = candidate}};
  if (column != Column::free) return kernels;
  for (const auto& [name, beside] : entry.beside)
    kernels.push_back({.runner = beside_.at(name).get(), .candidate = &beside, .name = name});
  return kernels;
}

void BenchContest::contest(Column column, const BenchEntry& entry, BenchTimes& times) {
  std::vector<OurKernel> ours = our_kernels(column, entry);
  for (OurKernel& kernel : ours) kernel.result = measure(kernel, entry.region, /*again=*/false);
  std::vector<Contender> others = ready_contenders(column, times);
  const int rounds = ours.front().result.seconds > kLongRunSeconds ? kRoundsOfLongRuns : kRounds;
  for (int round = 0; round < rounds && !interrupted_(); ++round) {
    for (Contender& other : others) {
      if (!other.problem.empty()) continue;
      const TimeReply timed = other.peer->time(kTurn, kTurnTimeoutSeconds);
      append(timed.samples, other.samples);
      if (timed.status != Status::ok) other.problem = timed.reason;
    }
    if (round + 1 == rounds) break;  // ours had their first turn when they were checked
    for (OurKernel& kernel : ours) time_again(kernel, entry.region);
  }
  record(column, std::move(ours), others, column == Column::free || entry.plain_only, times);
}

void BenchContest::record_ours(Column column, OurKernel kernel, bool is_main, BenchTimes& times) {
  MeasureResult& result = kernel.result;
  const bool valid = result.status == Status::ok;
  if (valid) result.seconds = median(result.samples);
  if (!kernel.name.empty()) {
    times.beside[kernel.name] = std::move(result);
    return;
  }
  if (column == Column::plain && valid) times.plain = result.seconds;
  if (column == Column::plain && !valid) times.plain_reason = result.reason;
  if (column == Column::direct && valid) times.direct = result.seconds;
  if (is_main) times.ours = std::move(result);
}

void BenchContest::record(Column column, std::vector<OurKernel> ours,
                          const std::vector<Contender>& others, bool is_main, BenchTimes& times) {
  for (const Contender& other : others) {
    PeerTimes& peer = times.peers[other.peer->name()];
    if (!other.problem.empty())
      peer.reason = other.problem;
    else if (!other.samples.empty())
      peer.*kSeconds[static_cast<size_t>(column)] = median(other.samples);
  }
  for (OurKernel& kernel : ours) record_ours(column, std::move(kernel), is_main, times);
}

// The free contest is also the direct one if all of its contenders are direct.
BenchTimes BenchContest::measure(const BenchEntry& entry) {
  BenchTimes times;
  times.ours.reason = "not measured";
  times.plain_reason = entry.plain_reason;
  choose(entry.region, times);
  if (interrupted_()) return times;
  if (entry.plain_only) {
    contest(Column::plain, entry, times);
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
  if (entry.plain && !entry.free_only) contest(Column::plain, entry, times);
  return times;
}

}  // namespace dovetail
