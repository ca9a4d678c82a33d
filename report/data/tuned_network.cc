// SPDX-License-Identifier: Apache-2.0
#include "report/data/tuned_network.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>

#include "core/base/statistics.h"
#include "core/record/log/timed_caches.h"
#include "core/record/statistics/network_total.h"

namespace dovetail {
namespace {

using NodesOfSpec = std::map<std::string, int64_t>;

// The nodes of one model; empty: the campaign tuned one only.
NodesOfSpec nodes_of(const LogHeader& header, const std::string& model) {
  NodesOfSpec nodes;
  for (const Layer& layer : header.layers)
    if (layer.nodes > 0 && layer.model == model) nodes[layer.spec] += layer.nodes;
  return nodes;
}

// In the order of the layers.
std::vector<std::string> models_of(const LogHeader& header) {
  std::vector<std::string> models;
  for (const Layer& layer : header.layers)
    if (layer.nodes > 0 && std::ranges::find(models, layer.model) == models.end())
      models.push_back(layer.model);
  return models;
}

// Says whether these are the task's times on the target, device and caches of this header.
bool is_of(const LogHeader& header, const TaskData& task) {
  return task.target == header.target && task.device == header.device.name &&
         task.caches == caches_of(header);
}

// The fastest valid trial up to one; infinite: none.
double best_until(const TaskRun& run, double last_trial) {
  double best = std::numeric_limits<double>::infinity();
  for (const TimedTrial& trial : run.valid)
    if (static_cast<double>(trial.trial) <= last_trial) best = std::min(best, trial.seconds);
  return best;
}

// The fastest confirmed in the last sitting among the trials up to one; infinite: none.
double best_confirmed_until(const TaskRun& run, double last_trial) {
  int64_t last_sitting = 0;
  for (const ConfirmedTrial& one : run.confirmations)
    last_sitting = std::max(last_sitting, one.sitting);
  std::map<int64_t, std::vector<double>> readings;
  for (const ConfirmedTrial& one : run.confirmations)
    if (one.sitting == last_sitting && static_cast<double>(one.trial.trial) <= last_trial)
      readings[one.trial.trial].push_back(one.trial.seconds);
  double best = std::numeric_limits<double>::infinity();
  for (const auto& [trial, seconds] : readings) best = std::min(best, median(seconds));
  return best;
}

// The default trace is confirmed beside the best, so that what is before the last fifth is known.
std::optional<double> last_gain(const TaskRun& run) {
  constexpr int64_t kFewest = 5;
  constexpr double kAllButTheLast = 0.8;
  if (run.last_trial < kFewest) return std::nullopt;
  const double last_before = kAllButTheLast * static_cast<double>(run.last_trial);
  const bool is_confirmed = run.best && run.best->confirmed;
  const double before =
      is_confirmed ? best_confirmed_until(run, last_before) : best_until(run, last_before);
  if (!run.best || !std::isfinite(before)) return std::nullopt;
  const double all = run.stats.default_seconds.value_or(before) - run.best->seconds;
  return std::clamp(before - run.best->seconds, 0.0, std::max(all, 0.0));
}

NetworkTask network_task(const TaskData& task, int64_t nodes) {
  NetworkTask row{.spec = task.spec, .task = &task, .nodes = nodes};
  const auto times = static_cast<double>(nodes);
  for (const TaskRun& run : task.runs) row.trials += run.stats.trials;
  if (const auto seconds = task.default_seconds()) row.default_seconds = times * *seconds;
  if (task.best() == nullptr) return row;
  row.seconds = times * task.best()->seconds;
  if (const auto gain = last_gain(task.runs[*task.best_run])) row.last_gain_seconds = times * *gain;
  return row;
}

void add(std::optional<double>& sum, const std::optional<double>& seconds) {
  sum = sum && seconds ? std::optional(*sum + *seconds) : std::nullopt;
}

// The time of a task's nodes from a moment on.
struct NetworkEvent {
  double elapsed_seconds = 0;
  size_t task = 0;
  double seconds = 0;
  bool is_settled = false;  // confirmed: holds, though a first reading was faster
};

// When each sitting of a run ended, and the time of the fastest in it. The last one's is that of
// the best, by which a replay goes.
std::vector<TimedTrial> sittings_of(const TaskRun& run) {
  std::map<int64_t, std::map<int64_t, std::vector<double>>> readings;
  std::map<int64_t, double> ends;
  for (const ConfirmedTrial& one : run.confirmations) {
    readings[one.sitting][one.trial.trial].push_back(one.trial.seconds);
    ends[one.sitting] = std::max(ends[one.sitting], one.trial.elapsed_seconds);
  }
  std::vector<TimedTrial> sittings;
  for (const auto& [sitting, trials] : readings) {
    double best = std::numeric_limits<double>::infinity();
    for (const auto& [trial, seconds] : trials) best = std::min(best, median(seconds));
    sittings.push_back({.elapsed_seconds = ends[sitting], .seconds = best});
  }
  if (!sittings.empty() && run.best) sittings.back().seconds = run.best->seconds;
  return sittings;
}

void add_events(const TaskRun& run, size_t task, std::vector<NetworkEvent>& events) {
  for (const TimedTrial& trial : run.valid)
    events.push_back({run.began_seconds + trial.elapsed_seconds, task, trial.seconds});
  for (const TimedTrial& sitting : sittings_of(run))
    events.push_back({sitting.elapsed_seconds, task, sitting.seconds, true});
}

const TaskRun* run_in(const TaskData& task, size_t campaign) {
  const auto run = std::ranges::find(task.runs, campaign, &TaskRun::campaign);
  return run == task.runs.end() ? nullptr : &*run;
}

// Empty if a task of the network has no time in the campaign.
std::vector<CurvePoint> steps_of(const TunedNetwork& network, size_t campaign) {
  std::vector<double> seconds;
  std::vector<NetworkEvent> events;
  double sum = 0;
  for (const NetworkTask& of : network.tasks) {
    const TaskRun* run = of.task == nullptr ? nullptr : run_in(*of.task, campaign);
    if (run == nullptr || run->valid.empty()) return {};
    seconds.push_back(run->stats.default_first_seconds.value_or(run->valid.front().seconds));
    add_events(*run, seconds.size() - 1, events);
    sum += static_cast<double>(of.nodes) * seconds.back();
  }
  std::ranges::stable_sort(events, {}, &NetworkEvent::elapsed_seconds);
  std::vector<CurvePoint> points{{0, sum}};
  for (const NetworkEvent& event : events) {
    double& now = seconds[event.task];
    if (event.seconds >= now && !event.is_settled) continue;
    sum += static_cast<double>(network.tasks[event.task].nodes) * (event.seconds - now);
    now = event.seconds;
    points.push_back({event.elapsed_seconds, sum});
  }
  return points;
}

// "#2 joint, exact": what tells campaigns of one network apart.
std::string label_of(const CampaignData& data, const CampaignInfo& campaign) {
  const bool is_one_log = std::ranges::all_of(
      data.campaigns, [&](const CampaignInfo& other) { return other.log == campaign.log; });
  std::string label = is_one_log ? fmt::format("#{}", campaign.header.campaign) : campaign.name;
  const Options& options = campaign.header.options;
  if (const auto variant = options.find("variant"); variant != options.end())
    label += " " + option_text(variant->second);
  return label + (options.contains("exact") ? ", exact" : "");
}

// Rows for the specs that no campaign has begun.
void add_untried(const NodesOfSpec& nodes, TunedNetwork& network) {
  for (const auto& [spec, count] : nodes)
    if (std::ranges::find(network.tasks, spec, &NetworkTask::spec) == network.tasks.end())
      network.tasks.push_back({.spec = spec, .nodes = count});
}

// By the names of their files; with the target, else the campaign, where these do not tell.
void name_networks(const CampaignData& data, std::vector<TunedNetwork>& networks) {
  std::vector<Layer> layers;
  for (const TunedNetwork& network : networks) layers.emplace_back().model = network.file;
  std::map<std::string, std::string> names = model_names(layers);
  const auto make_distinct = [&](auto name_of) {
    std::map<std::string, int> uses;
    for (const TunedNetwork& network : networks) ++uses[network.name];
    for (TunedNetwork& network : networks)
      if (network.name.empty() || uses[network.name] > 1) network.name = name_of(network);
  };
  for (TunedNetwork& network : networks) network.name = names[network.file];
  make_distinct([&](const TunedNetwork& network) {
    const std::string name = network.name.empty() ? "the network" : network.name;
    return fmt::format("{} on {}", name, data.campaigns[network.campaign].header.target);
  });
  make_distinct([&](const TunedNetwork& network) {
    return fmt::format("{} in {}", network.name, data.campaigns[network.campaign].name);
  });
}

TunedNetwork tuned_network(const CampaignData& data, size_t campaign, const std::string& model) {
  const LogHeader& header = data.campaigns[campaign].header;
  TunedNetwork network{.model = model,
                       .file = file_of_model(header, model),
                       .default_seconds = 0.0,
                       .seconds = 0.0,
                       .campaign = campaign};
  const NodesOfSpec nodes = nodes_of(header, model);
  for (const auto& [spec, count] : nodes) network.nodes += count;
  for (const TaskData& task : data.tasks) {
    const auto found = nodes.find(task.spec);
    if (found == nodes.end() || !is_of(header, task)) continue;
    network.tasks.push_back(network_task(task, found->second));
    if (header.distilled_from) network.tasks.back().last_gain_seconds.reset();
  }
  add_untried(nodes, network);
  for (const NetworkTask& of : network.tasks) {
    add(network.seconds, of.seconds);
    add(network.default_seconds, of.default_seconds);
    network.known_seconds += of.seconds.value_or(0);
  }
  const auto time = [](const NetworkTask& of) { return of.seconds.value_or(0); };
  std::ranges::stable_sort(network.tasks, std::greater{}, time);
  return network;
}

bool are_timed_alike(const LogHeader& a, const LogHeader& b) {
  return a.target == b.target && a.device.name == b.device.name && caches_of(a) == caches_of(b);
}

}  // namespace

std::string file_of_model(const LogHeader& header, const std::string& model) {
  const std::vector<std::string> files = model_files(header);
  return model.empty() && files.size() == 1 ? files.front() : model;
}

std::vector<TunedNetwork> tuned_networks(const CampaignData& data) {
  std::vector<TunedNetwork> networks;
  for (size_t i = 0; i < data.campaigns.size(); ++i) {
    const LogHeader& header = data.campaigns[i].header;
    for (const std::string& model : models_of(header)) {
      const auto is_it = [&](const TunedNetwork& other) {
        const LogHeader& of = data.campaigns[other.campaign].header;
        return are_timed_alike(of, header) && nodes_of(of, other.model) == nodes_of(header, model);
      };
      if (std::ranges::none_of(networks, is_it)) networks.push_back(tuned_network(data, i, model));
    }
  }
  if (networks.size() > 1) name_networks(data, networks);
  return networks;
}

TimeUnit unit_of(const TunedNetwork& network) {
  return time_unit(network.default_seconds.value_or(network.known_seconds));
}

LineChart network_curve(const CampaignData& data, const TunedNetwork& network) {
  LineChart chart;
  const LogHeader& own = data.campaigns[network.campaign].header;
  const NodesOfSpec nodes = nodes_of(own, network.model);
  double last_seconds = 0;
  for (size_t i = 0; i < data.campaigns.size(); ++i) {
    const CampaignInfo& campaign = data.campaigns[i];
    // A campaign of several models has names for them, one of a single model has none.
    const auto is_of_it = [&](const std::string& model) {
      return nodes_of(campaign.header, model) == nodes;
    };
    if (!are_timed_alike(own, campaign.header) ||
        std::ranges::none_of(models_of(campaign.header), is_of_it))
      continue;
    Curve curve{.name = label_of(data, campaign), .points = steps_of(network, i), .steps = true};
    if (curve.points.empty()) continue;
    curve.points.push_back({campaign.wall_seconds, curve.points.back().y});
    curve.colour = chart.series.size();
    curve.solid = curve.colour == 0;
    last_seconds = std::max(last_seconds, campaign.wall_seconds);
    chart.series.push_back(std::move(curve));
  }
  const TimeUnit unit = unit_of(network);
  const bool minutes = last_seconds >= 120;
  for (Curve& curve : chart.series)
    for (CurvePoint& point : curve.points)
      point = {point.x / (minutes ? 60 : 1), point.y * unit.per_second};
  chart.x = {.title = fmt::format("{} since the campaign began", minutes ? "minutes" : "seconds"),
             .from_zero = true};
  chart.y = {.title = fmt::format("sum of the nodes' times ({})", unit.name), .from_zero = true};
  return chart;
}

}  // namespace dovetail
