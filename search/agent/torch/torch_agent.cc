// SPDX-License-Identifier: Apache-2.0
//
// The agent of search/agent/agent.h on LibTorch; the only file of the search that includes it.
#include <torch/torch.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <random>
#include <string>

#undef CHECK  // glog's, from LibTorch; core/base/check.h's takes a message
#include "search/agent/agent.h"

namespace dovetail {
namespace {

constexpr double kSmallestFraction = 1e-4;  // a log density at 0 or 1 may be infinite

torch::nn::Sequential network(int inputs, int hidden, int outputs) {
  return torch::nn::Sequential(torch::nn::Linear(inputs, hidden), torch::nn::Tanh(),
                               torch::nn::Linear(hidden, hidden), torch::nn::Tanh(),
                               torch::nn::Linear(hidden, outputs));
}

// Orthogonal, as in other implementations of PPO; the last layer is small, so that a fresh policy
// is nearly the same in all states and a fresh critic expects about 0.
void initialize(torch::nn::Sequential& layers, at::Generator& generator) {
  constexpr double kHiddenGain = 1.4142135623730951;
  constexpr double kLastGain = 0.01;
  const size_t last = layers->size() - 1;
  const torch::NoGradGuard no_gradients;
  for (size_t i = 0; i <= last; i += 2) {
    torch::Tensor weight = layers->at<torch::nn::LinearImpl>(i).weight;
    const torch::Tensor normal = torch::randn(weight.sizes(), generator);
    const bool tall = weight.size(0) >= weight.size(1);
    auto [q, r] = torch::linalg_qr(tall ? normal : normal.t());
    q = q * torch::sign(torch::diagonal(r));
    weight.copy_((tall ? q : q.t()) * (i == last ? kLastGain : kHiddenGain));
    layers->at<torch::nn::LinearImpl>(i).bias.zero_();
  }
}

struct Networks : torch::nn::Module {
  explicit Networks(const AgentOptions& options) {
    auto generator = at::detail::createCPUGenerator(options.seed);
    for (int actor = 0; actor < options.actors; ++actor) {
      actors.push_back(network(options.state_size, options.hidden, 2));
      initialize(actors.back(), generator);
      register_module("actor" + std::to_string(actor), actors.back());
    }
    critic = network(options.state_size, options.hidden, 1);
    initialize(critic, generator);
    register_module("critic", critic);
  }
  std::vector<torch::nn::Sequential> actors;
  torch::nn::Sequential critic{nullptr};
};

// Beta(a, b) with a, b > 1: one mode, inside (0, 1).
struct BetaPolicy {
  torch::Tensor a, b;

  explicit BetaPolicy(const torch::Tensor& outputs) {
    const torch::Tensor shape = 1 + torch::softplus(outputs);
    a = shape.select(1, 0);
    b = shape.select(1, 1);
  }
  torch::Tensor log_beta() const {
    return torch::lgamma(a) + torch::lgamma(b) - torch::lgamma(a + b);
  }
  torch::Tensor log_probability(const torch::Tensor& x) const {
    return (a - 1) * torch::log(x) + (b - 1) * torch::log1p(-x) - log_beta();
  }
  torch::Tensor entropy() const {
    return log_beta() - (a - 1) * torch::digamma(a) - (b - 1) * torch::digamma(b) +
           (a + b - 2) * torch::digamma(a + b);
  }
  torch::Tensor sample(at::Generator& generator) const {
    const torch::Tensor first = at::_standard_gamma(a, generator);
    const torch::Tensor second = at::_standard_gamma(b, generator);
    return torch::clamp(first / (first + second), kSmallestFraction, 1 - kSmallestFraction);
  }
};

// The decisions of some episodes, one row each.
struct Batch {
  torch::Tensor states, actions, old_log_probabilities, advantages, returns;
  std::vector<int> actors;
};

class TorchAgent final : public Agent {
 public:
  explicit TorchAgent(const AgentOptions& options)
      : options_(options),
        networks_(options),
        optimizer_(networks_.parameters(), torch::optim::AdamOptions(options.learning_rate)),
        generator_(at::detail::createCPUGenerator(options.seed + 1)),
        shuffler_(options.seed + 2) {
    at::set_num_threads(1);  // networks are small, and other cores build candidates
  }

  std::vector<Decision> decide(std::span<const State> states) override {
    const torch::NoGradGuard no_gradients;
    std::vector<Decision> decisions(states.size());
    for (int actor = 0; actor < options_.actors; ++actor) {
      std::vector<size_t> rows;
      for (size_t i = 0; i < states.size(); ++i)
        if (states[i].actor == actor) rows.push_back(i);
      if (rows.empty()) continue;
      torch::Tensor features = torch::empty({std::ssize(rows), options_.state_size});
      for (size_t row = 0; row < rows.size(); ++row) fill(features, row, states[rows[row]]);
      const BetaPolicy policy(networks_.actors[static_cast<size_t>(actor)]->forward(features));
      const torch::Tensor actions = policy.sample(generator_);
      const torch::Tensor densities = policy.log_probability(actions);
      const torch::Tensor values = networks_.critic->forward(features).squeeze(1);
      for (size_t row = 0; row < rows.size(); ++row) {
        const auto at = static_cast<int64_t>(row);
        decisions[rows[row]] = {.state = states[rows[row]],
                                .action = actions[at].item<double>(),
                                .log_probability = densities[at].item<double>(),
                                .value = values[at].item<double>()};
      }
    }
    return decisions;
  }

  void learn(std::span<const Episode> episodes) override {
    const Batch batch = batch_of(episodes);
    std::vector<int64_t> rows = rows_of(batch);
    for (int epoch = 0; epoch < options_.epochs; ++epoch)
      for_each_minibatch(rows, [&](std::span<const int64_t> some) { step(batch, some); });
  }

  double imitate(std::span<const Decision> decisions, int passes) override {
    // With advantages of 0, the critic's targets are the decisions' values.
    const Batch batch = batch_of(decisions, std::vector<double>(decisions.size(), 0));
    std::vector<int64_t> rows = rows_of(batch);
    double sum = 0;
    for (int pass = 0; pass < passes; ++pass) {
      sum = 0;
      for_each_minibatch(rows, [&](std::span<const int64_t> some) {
        sum += imitate_some(batch, some) * static_cast<double>(some.size());
      });
    }
    return rows.empty() ? 0 : sum / static_cast<double>(rows.size());
  }

  std::vector<float> weights() const override {
    std::vector<float> weights;
    for (const torch::Tensor& parameter : networks_.parameters()) {
      const float* const first = parameter.data_ptr<float>();
      weights.insert(weights.end(), first, first + parameter.numel());
    }
    return weights;
  }

  Result<void> set_weights(std::span<const float> weights) override {
    const size_t own = num_weights();
    if (weights.size() != own) {
      return fail("agent: " + std::to_string(weights.size()) + " weights, expected " +
                  std::to_string(own));
    }
    for (const torch::Tensor& parameter : networks_.parameters()) {
      const auto count = static_cast<size_t>(parameter.numel());
      std::ranges::copy(weights.first(count), parameter.data_ptr<float>());
      weights = weights.subspan(count);
    }
    optimizer_.state().clear();
    return {};
  }

 private:
  void fill(torch::Tensor& features, size_t row, const State& state) const {
    CHECK(std::ssize(state.features) == options_.state_size, "a state of another size");
    std::ranges::copy(state.features,
                      features.data_ptr<float>() + row * static_cast<size_t>(options_.state_size));
  }

  size_t num_weights() const {
    size_t count = 0;
    for (const torch::Tensor& parameter : networks_.parameters())
      count += static_cast<size_t>(parameter.numel());
    return count;
  }

  static std::vector<int64_t> rows_of(const Batch& batch) {
    std::vector<int64_t> rows(batch.actors.size());
    std::iota(rows.begin(), rows.end(), int64_t{0});
    return rows;
  }

  // Calls `work` on minibatches that cover all rows, shuffled anew for each call.
  template <typename Work>
  void for_each_minibatch(std::vector<int64_t>& rows, Work work) {
    std::shuffle(rows.begin(), rows.end(), shuffler_);
    const auto most = static_cast<size_t>(options_.minibatch);
    for (size_t first = 0; first < rows.size(); first += most) {
      if (options_.interrupted && options_.interrupted()) return;
      work(std::span(rows).subspan(first, std::min(rows.size() - first, most)));
    }
  }

  Batch batch_of(std::span<const Episode> episodes) const {
    std::vector<Decision> decisions;
    std::vector<double> gains;
    for (const Episode& episode : episodes) {
      decisions.insert(decisions.end(), episode.decisions.begin(), episode.decisions.end());
      std::ranges::copy(advantages_of(episode), std::back_inserter(gains));
    }
    return batch_of(decisions, gains);
  }

  Batch batch_of(std::span<const Decision> decisions, const std::vector<double>& gains) const {
    Batch batch;
    batch.states = torch::empty({std::ssize(decisions), options_.state_size});
    std::vector<float> actions, densities, advantages, returns;
    for (size_t row = 0; row < decisions.size(); ++row) {
      const Decision& decision = decisions[row];
      fill(batch.states, row, decision.state);
      batch.actors.push_back(decision.state.actor);
      actions.push_back(static_cast<float>(decision.action));
      densities.push_back(static_cast<float>(decision.log_probability));
      advantages.push_back(static_cast<float>(gains[row]));
      returns.push_back(static_cast<float>(gains[row] + decision.value));
    }
    batch.actions = torch::tensor(actions);
    batch.old_log_probabilities = torch::tensor(densities);
    batch.advantages = torch::tensor(advantages);
    batch.returns = torch::tensor(returns);
    return batch;
  }

  // Generalized advantage estimation; the reward comes at the end of an episode.
  std::vector<double> advantages_of(const Episode& episode) const {
    std::vector<double> gains(episode.decisions.size());
    double gain = 0;
    for (size_t i = gains.size(); i-- > 0;) {
      const bool last = i + 1 == gains.size();
      const double next = last ? 0 : episode.decisions[i + 1].value;
      const double error =
          (last ? episode.reward : 0) + options_.discount * next - episode.decisions[i].value;
      gain = error + options_.discount * options_.trace_decay * gain;
      gains[i] = gain;
    }
    return gains;
  }

  // The networks' outputs for some rows.
  struct Pass {
    torch::Tensor index, densities, entropy, value_loss;
  };
  Pass pass_over(const Batch& batch, std::span<const int64_t> rows) {
    const torch::Tensor index = torch::tensor(std::vector<int64_t>(rows.begin(), rows.end()));
    const torch::Tensor states = batch.states.index_select(0, index);
    const BetaPolicy policy(policy_outputs(batch, rows, states));
    const torch::Tensor values = networks_.critic->forward(states).squeeze(1);
    return {.index = index,
            .densities = policy.log_probability(batch.actions.index_select(0, index)),
            .entropy = policy.entropy().mean(),
            .value_loss = torch::mse_loss(values, batch.returns.index_select(0, index))};
  }

  // One step of Adam; returns the mean log density before it.
  double imitate_some(const Batch& batch, std::span<const int64_t> rows) {
    const Pass pass = pass_over(batch, rows);
    const torch::Tensor density = pass.densities.mean();
    descend(-density, pass);
    return density.item<double>();
  }

  void descend(const torch::Tensor& policy_loss, const Pass& pass) {
    const torch::Tensor loss = options_.value_weight * pass.value_loss + policy_loss -
                               options_.entropy_weight * pass.entropy;
    optimizer_.zero_grad();
    loss.backward();
    torch::nn::utils::clip_grad_norm_(networks_.parameters(), options_.most_gradient);
    optimizer_.step();
  }

  void step(const Batch& batch, std::span<const int64_t> rows) {
    const Pass pass = pass_over(batch, rows);
    const torch::Tensor ratio =
        torch::exp(pass.densities - batch.old_log_probabilities.index_select(0, pass.index));
    torch::Tensor gains = batch.advantages.index_select(0, pass.index);
    if (gains.numel() > 1) gains = (gains - gains.mean()) / (gains.std() + 1e-8);
    const torch::Tensor clipped = torch::clamp(ratio, 1 - options_.clip, 1 + options_.clip);
    descend(-torch::min(ratio * gains, clipped * gains).mean(), pass);
  }

  // Each row goes to its own actor.
  torch::Tensor policy_outputs(const Batch& batch, std::span<const int64_t> rows,
                               const torch::Tensor& states) {
    std::vector<int64_t> actor_of_row;
    for (const int64_t row : rows) actor_of_row.push_back(batch.actors[static_cast<size_t>(row)]);
    const torch::Tensor which = torch::tensor(actor_of_row);
    torch::Tensor outputs = networks_.actors[0]->forward(states);
    for (int actor = 1; actor < options_.actors; ++actor) {
      const torch::Tensor own = (which == actor).unsqueeze(1);
      outputs =
          torch::where(own, networks_.actors[static_cast<size_t>(actor)]->forward(states), outputs);
    }
    return outputs;
  }

  AgentOptions options_;
  Networks networks_;
  torch::optim::Adam optimizer_;
  at::Generator generator_;
  std::mt19937_64 shuffler_;
};

}  // namespace
}  // namespace dovetail

extern "C" __attribute__((visibility("default"))) dovetail::Agent* dovetail_make_agent(
    const dovetail::AgentOptions& options) {
  return new dovetail::TorchAgent(options);
}
