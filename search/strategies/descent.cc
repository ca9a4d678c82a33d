// SPDX-License-Identifier: Apache-2.0
//
// The strategy `descent`: random samples, then coordinate descent from the best of them: one
// parameter after another to a neighbouring value, as long as that is faster.
//
// M. Canesche, V. Rosário, E. Borin, F. Quintão Pereira: The Droplet Search Algorithm for Kernel
// Scheduling. ACM TACO 21(2), 2024; and, after 300 samples of Ansor: M. Canesche, G. Verma,
// F. Quintão Pereira: Explore as a Storm, Exploit as a Raindrop. arXiv 2406.20037.
//
// As in the paper, a step that helped is tried again in the same direction first. Differences: the
// samples are of `random` and not of Ansor, so that this stays a baseline of its own; a neighbour
// must be faster by a fraction, where the paper tests the samples of two timings, since an
// observation has one time; a named choice has no neighbouring value, so all its others are tried;
// at a local optimum, where Droplet ends, the descent starts again from the fastest point not
// visited yet. While the last neighbours of a point are being measured, points two changes away
// fill the round.
#include <deque>
#include <unordered_map>

#include "search/strategies/points/best_points.h"
#include "search/strategies/points/points.h"
#include "search/strategies/points/unseen_points.h"
#include "search/strategies/strategy_entry.h"

namespace dovetail {
namespace {

constexpr size_t kMaxStarts = 64;  // remembered for later descents

struct DescentOptions {
  int64_t samples = 300;
  double min_gain = 0.01;
};

std::vector<OptionField> fields_of(DescentOptions& options) {
  return {{"samples", "random points that are measured before the first descent", &options.samples,
           1, 1e9},
          {"min_gain",
           "fraction of its time by which a neighbour must be faster for the descent to move there",
           &options.min_gain, 0, 0.99}};
}

class DescentStrategy final : public Strategy {
 public:
  DescentStrategy(const StrategyContext& context, const DescentOptions& options)
      : unseen_(context.space, context.seed), awaited_(context.space), options_(options) {}

  Result<std::vector<KeyedTrace>> propose(size_t n) override {
    return traces_of(n, [&] { return next_point(); });
  }

  void observe(std::span<const Observation> observations) override {
    for (const Observation& observation : observations) {
      std::optional<AwaitedPoint> at = awaited_.take(observation.trace);
      if (!at) continue;
      const Tried step = take_step(at->tag);
      if (step.descent == descent_) --open_;
      if (observation.rejected || observation.status != Status::ok) continue;
      consider({std::move(at->point), observation.seconds}, step);
    }
  }

 private:
  // How a proposed point was reached.
  struct Tried {
    size_t parameter = 0;
    ptrdiff_t direction = 0;  // 0: no step along a parameter
    int64_t descent = -1;     // descent that proposed it as a neighbour; -1: none
  };

  std::optional<ProposedPoint> next_point() {
    if (num_samples_ < options_.samples) return sample();
    while (true) {
      if (!centre_ && starts_.empty()) return sample();
      if (!centre_) descend_from(starts_.take_best());
      while (!queue_.empty()) {
        const Neighbour next = std::move(queue_.front());
        queue_.pop_front();
        if (std::optional<ProposedPoint> taken = unseen_.take(next.point)) {
          ++open_;
          return await(std::move(*taken), {next.parameter, next.direction, descent_});
        }
      }
      if (open_ > 0) return fill();
      centre_.reset();  // a local optimum
    }
  }

  std::optional<ProposedPoint> sample() {
    ++num_samples_;
    std::optional<ProposedPoint> drawn = unseen_.draw();
    if (drawn) awaited_.add(*drawn);
    return drawn;
  }

  std::optional<ProposedPoint> fill() {
    std::optional<ProposedPoint> near = unseen_.take_near(centre_->point, 2);
    if (!near) return sample();
    awaited_.add(*near);
    return near;
  }

  ProposedPoint await(ProposedPoint proposed, const Tried& step) {
    awaited_.add(proposed, ++last_tag_);
    steps_[last_tag_] = step;
    return proposed;
  }

  Tried take_step(size_t tag) {
    const auto node = steps_.extract(tag);
    return node ? node.mapped() : Tried();
  }

  void consider(MeasuredPoint measured, const Tried& step) {
    const bool better = centre_ && measured.seconds < centre_->seconds * (1 - options_.min_gain);
    if (!better) {
      starts_.add(std::move(measured.point), measured.seconds);
      return;
    }
    const Neighbour here{measured.point, step.parameter, step.direction};
    descend_from(std::move(measured));
    if (here.direction == 0) return;
    if (std::optional<Neighbour> beyond = further(unseen_.space(), here))
      queue_.push_front(std::move(*beyond));
  }

  void descend_from(MeasuredPoint start) {
    ++descent_;
    open_ = 0;
    std::vector<Neighbour> around = neighbours(unseen_.space(), start.point, Step::adjacent);
    shuffle(around, unseen_.rng());
    queue_.assign(std::make_move_iterator(around.begin()), std::make_move_iterator(around.end()));
    centre_ = std::move(start);
  }

  UnseenPoints unseen_;
  AwaitedPoints awaited_;
  DescentOptions options_;
  std::unordered_map<size_t, Tried> steps_;  // awaited ones by tag
  size_t last_tag_ = 0;                      // 0: not a step of a descent
  BestPoints starts_{kMaxStarts};
  int64_t num_samples_ = 0;
  std::optional<MeasuredPoint> centre_;
  std::deque<Neighbour> queue_;  // neighbours of the centre still to be tried
  int64_t descent_ = 0;
  int64_t open_ = 0;  // neighbours of the centre without a result
};

}  // namespace

StrategyEntry descent_entry() {
  return strategy_entry<DescentOptions>(
      "descent", "random samples, then one parameter at a time from the best (Droplet)",
      kConstruct<DescentStrategy>);
}

}  // namespace dovetail
