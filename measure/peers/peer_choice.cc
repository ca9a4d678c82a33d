// SPDX-License-Identifier: Apache-2.0
#include "measure/peers/peer_choice.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/statistics.h"

namespace dovetail {

namespace {

constexpr double kPeerDirectTolerance = 1e-6;
constexpr double kPeerWinogradTolerance = 1e-4;
constexpr double kPeerEpilogueTolerance = 1e-5;

}  // namespace

bool is_judged_by(const std::string& algorithm, const CheckData& data) {
  return algorithm == "direct" || std::holds_alternative<Reference>(data.expected.begin()->second);
}

OutputCheck check_peer_output(const CheckData& data, const std::string& algorithm,
                              std::span<const float> output) {
  const auto& [tensor, expected] = *data.expected.begin();
  const auto tensors = tensors_of(data.region);
  return compare_output(
      tensor, shape_of(*std::ranges::find(tensors, tensor, &Tensor::name)),
      ArrayView(ElementType::f32, output.data(), output.size()), expected,
      {.sums = algorithm == "direct" ? kPeerDirectTolerance : kPeerWinogradTolerance,
       .epilogues = kPeerEpilogueTolerance});
}

namespace {

constexpr double kHopeless = 3;
constexpr double kTimeoutSeconds = 120;
constexpr TimingRule kShortRule = {
    .warmup_seconds = 2e-3, .budget_seconds = 0.03, .relative_half_width = 0.01};

struct Tried {
  Implementation info;
  bool right = true;
  double single_run_seconds = 0;  // the shorter of two
};

class Choosing {
 public:
  explicit Choosing(PeerSession& session) : session_(session) {}

  Result<void> check_all(const CheckData& data) {
    PeerLoadReply loaded = TRY(session_.load(data));
    if (loaded.implementations.empty()) return fail(loaded.reason);
    if (tried_.empty())
      for (Implementation& info : loaded.implementations) tried_.push_back({std::move(info)});
    for (size_t i = 0; i < tried_.size(); ++i)
      if (tried_[i].right && is_judged_by(tried_[i].info.algorithm, data)) check(i, data);
    return {};
  }

  PeerChoice choose() {
    for (size_t i = 0; i < tried_.size(); ++i)
      if (tried_[i].right && !is_hopeless(tried_[i])) time(i);
    return std::move(choice_);
  }

 private:
  void check(size_t index, const CheckData& data) {
    Tried& tried = tried_[index];
    const PeerRunReply ran = session_.run(index, true, true);
    std::string problem = ran.reason;
    if (ran.status == Status::ok) {
      const OutputCheck check = check_peer_output(data, tried.info.algorithm, ran.output);
      if (check.status == Status::ok) {
        choice_.max_rel_error = std::max(choice_.max_rel_error, check.max_rel_error);
        const double before = tried.single_run_seconds;
        tried.single_run_seconds = before > 0 ? std::min(before, ran.seconds) : ran.seconds;
        return;
      }
      problem = check.reason;
    }
    tried.right = false;
    choice_.rejected.push_back(fmt::format("{}: {}", tried.info.name, problem));
  }

  // True if it is beaten in every column that it belongs to.
  bool is_hopeless(const Tried& tried) const {
    const auto beaten = [&](const std::optional<ChosenImplementation>& best) {
      return best && tried.single_run_seconds > kHopeless * best->seconds;
    };
    const bool is_direct = tried.info.algorithm == "direct";
    return (!tried.info.free || (beaten(choice_.free) && (!is_direct || beaten(choice_.direct)))) &&
           (!tried.info.row_major || beaten(choice_.row_major));
  }

  void time(size_t index) {
    const Implementation& info = tried_[index].info;
    const PeerRunReply ready = session_.run(index, true, false);
    TimeReply timed{.status = ready.status, .reason = ready.reason};
    if (ready.status == Status::ok) timed = session_.time(kShortRule, kTimeoutSeconds);
    if (timed.status != Status::ok || timed.samples.empty()) {
      choice_.rejected.push_back(fmt::format("{}: timing: {}", info.name, timed.reason));
      return;
    }
    const ChosenImplementation chosen{.index = index,
                                      .name = info.name,
                                      .algorithm = info.algorithm,
                                      .seconds = median(timed.samples)};
    const auto offer = [&](std::optional<ChosenImplementation>& best) {
      if (!best || chosen.seconds < best->seconds) best = chosen;
    };
    if (info.free) offer(choice_.free);
    if (info.free && info.algorithm == "direct") offer(choice_.direct);
    if (info.row_major) offer(choice_.row_major);
  }

  PeerSession& session_;
  std::vector<Tried> tried_;
  PeerChoice choice_;
};

}  // namespace

PeerChoice choose_implementations(PeerSession& session, const CheckData& integers,
                                  const CheckData& real) {
  Choosing choosing(session);
  for (const CheckData* data : {&integers, &real})
    if (const auto checked = choosing.check_all(*data); !checked)
      return {.reason = checked.error().message};
  PeerChoice choice = choosing.choose();
  if (!choice.free && !choice.row_major)
    choice.reason = choice.rejected.empty() ? "no implementation" : choice.rejected.front();
  return choice;
}

}  // namespace dovetail
