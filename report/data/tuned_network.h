// SPDX-License-Identifier: Apache-2.0
#pragma once

// TunedNetwork: the network whose tasks a campaign tuned: what it takes now, how that came about,
// and where its milliseconds are.
//
//   std::vector<TunedNetwork> networks = tuned_networks(data);
//   network_curve(data, networks[0])    a step line a campaign: the sum of the nodes' times
//   networks[0].tasks[0].last_gain_seconds
//                                       what the last fifth of its trials took off the network
//
// Its time is the sum of its nodes': each task's, as often as nodes run it. What lies between nodes
// is left out, and each node was timed alone: measured whole, it may take more or less.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "report/charts/line_chart.h"
#include "report/charts/scale.h"
#include "report/data/campaign_data.h"

namespace dovetail {

struct NetworkTask {
  std::string spec = {};
  const TaskData* task = nullptr;  // null: no campaign has begun it
  int64_t nodes = 0;
  int64_t trials = 0;
  // All its nodes together; none: no valid candidate, or no default trace.
  std::optional<double> default_seconds = {}, seconds = {};
  // By how much the last fifth of the trials lowered `seconds`: the fastest before them against the
  // best, as both were confirmed; in first readings, and at most all that was gained, where nothing
  // was. None: fewer than five trials.
  std::optional<double> last_gain_seconds = {};
};

struct TunedNetwork {
  std::string model = {};                                    // as the campaign's layers name it
  std::string file = {};                                     // empty: unknown
  std::string name = {};                                     // by its file; empty: the only one
  std::vector<NetworkTask> tasks = {};                       // the longest first, then untimed ones
  std::optional<double> default_seconds = {}, seconds = {};  // none: a node has no time
  double known_seconds = 0;                                  // over tasks with a time
  int64_t nodes = 0;
  size_t campaign = 0;  // the first one that tuned it
};

// The networks of all campaigns, each once for a target, device and caches, by the best times.
std::vector<TunedNetwork> tuned_networks(const CampaignData& data);

// The file of a model that layers name so; empty: a log of an older version does not name it.
std::string file_of_model(const LogHeader& header, const std::string& model);

// All times of one network have one unit.
TimeUnit unit_of(const TunedNetwork& network);

// A line for each campaign that tuned this network, without reference lines. Until a task is first
// measured its default trace's first time counts, and at the end of a sitting its confirmed time.
LineChart network_curve(const CampaignData& data, const TunedNetwork& network);

}  // namespace dovetail
