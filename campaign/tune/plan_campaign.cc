// SPDX-License-Identifier: Apache-2.0
// Plans a campaign, and checks the plan before anything is written.
#include <algorithm>
#include <iterator>
#include <utility>

#include "campaign/accuracy/graph_inputs.h"
#include "campaign/cache_choice.h"
#include "campaign/model_tasks/chain_tasks.h"
#include "campaign/recorded_target.h"
#include "campaign/recorded_tasks.h"
#include "campaign/tune/campaign.h"
#include "core/backends/backends.h"
#include "core/base/fail.h"
#include "core/base/files.h"
#include "core/record/line/log_header.h"
#include "core/record/log/thinned_log.h"
#include "costmodel/cost_models.h"
#include "primitives/space/reduced_space.h"

namespace dovetail {
namespace {

// Null without --warm-start.
Result<std::shared_ptr<const SavedModel>> read_warm_start(const std::string& path) {
  if (path.empty()) return std::shared_ptr<const SavedModel>();
  Result<SavedModel> model = parse_saved_model(TRY(read_file(path)));
  if (!model) return fail("{}: {}", path, model.error().message);
  return std::shared_ptr<const SavedModel>(std::make_shared<SavedModel>(std::move(*model)));
}

Result<void> check_cost_model(const TuneOptions& options, const SavedModel* warm_start) {
  TRY(make_cost_model(options.cost_model,
                      {.target = {}, .seed = options.seed, .warm_start = warm_start}));
  if (options.save_model.empty() || find_cost_model(options.cost_model)->learns) return {};
  return fail("--save-model: cost model {} learns nothing; use --cost-model xgboost",
              options.cost_model);
}

// Gives null without --agent.
Result<std::shared_ptr<const SavedAgent>> read_agent(const TuneOptions& options,
                                                     const StrategySpec& strategy) {
  if (options.agent.empty() && options.save_agent.empty())
    return std::shared_ptr<const SavedAgent>();
  const Result<AgentShape> shape = agent_shape(strategy);
  if (!shape) {
    const char* option = options.agent.empty() ? "--save-agent" : "--agent";
    return fail("{}: {}", option, shape.error().message);
  }
  if (options.agent.empty()) return std::shared_ptr<const SavedAgent>();
  return std::make_shared<const SavedAgent>(TRY(read_saved_agent(options.agent, *shape)));
}

// The campaign's device becomes the one that the results were measured on.
Result<void> take_results(const TuneOptions& options, CampaignPlan& plan) {
  std::vector<std::string> specs;
  for (const TaskSpace& task : plan.spaces) specs.push_back(task.task.spec.text);
  const auto caches = options.cache.empty() ? std::nullopt : std::optional(plan.caches);
  Result<ReadResults> read =
      read_results(options.results_from, print(plan.target.name), specs, caches);
  if (!read) return fail("--results-from: " + read.error().message);
  plan.caches = read->caches;
  for (const std::string& warning : read->warnings) plan.workloads.notes.push_back(warning);
  plan.device = read->header.device;
  plan.driver = read->header.driver;
  plan.results = std::move(read->results);
  return {};
}

// Models are tuned in the state that they run in: sums of hot times mislead, and the best differs.
void choose_caches(const TuneOptions& options, CampaignPlan& plan) {
  const bool is_model = plan.workloads.working_set_bytes.has_value();
  const bool is_cpu = runs_threads(plan.target);
  const std::string_view own_choice = is_model && is_cpu ? "network" : "hot";
  plan.caches = chosen_caches(options.cache.empty() ? own_choice : options.cache, plan.workloads,
                              plan.target);
  const bool is_of_model = is_model && is_cpu && options.cache != "hot";
  if (!options.results_from.empty() || (plan.caches == Caches::hot && !is_of_model)) return;
  plan.workloads.notes.push_back(explain(plan.caches, plan.workloads, plan.target));
  if (!options.cache.empty() && options.cache != "network") return;
  std::ranges::move(notes_on_other_states(plan.caches, plan.workloads, plan.target),
                    std::back_inserter(plan.workloads.notes));
}

// The budget must give each task its default trace before any is searched.
Result<void> check_budget(const TuneOptions& options, size_t tasks) {
  if (!options.total_trials || std::cmp_greater_equal(*options.total_trials, tasks)) return {};
  return fail("--total-trials {} is less than a trial for each of the {} tasks",
              *options.total_trials, tasks);
}

Result<void> reduce_spaces(std::vector<TaskSpace>& spaces, int64_t points) {
  for (TaskSpace& task : spaces) task.space = TRY(reduced_space(task.space, at_most(points)));
  return {};
}

// The folder of --inputs must belong to a single model.
Result<InputsOfGraph> inputs_of(const TuneOptions& options, size_t models) {
  if (!options.inputs.empty() && models != 1)
    return fail("--inputs {}: {} models are tuned, expected one", options.inputs, models);
  return InputsOfGraph([options](const Graph& graph) {
    return graph_inputs(graph, options.inputs, options.seed, options.constants);
  });
}

}  // namespace

// A resumed campaign keeps the regions that it began with; --results-from takes those of its logs.
// A log that cannot be read is ignored here and fails where it is needed.
Result<PartitionOptions> partition_for(const TuneOptions& options, const Graph& graph) {
  const PartitionOptions usual = partition_options(options.variant);
  const std::string path = !options.results_from.empty() ? options.results_from.front()
                           : options.resume              ? options.log
                                                         : std::string();
  if (path.empty()) return usual;
  const Result<Log> log = read_thinned(path);
  return log ? as_tuned(usual, *log, graph) : usual;
}

std::string tool_name() { return "dovetail " DOVETAIL_VERSION; }

LogMode mode_of(const TuneOptions& options) {
  if (options.resume) return LogMode::resume;
  return options.append ? LogMode::append : LogMode::fresh;
}

LogHeader header_of(const CampaignPlan& plan) {
  std::vector<std::string> specs;
  for (const TaskSpace& space : plan.spaces) specs.push_back(space.task.spec.text);
  LogHeader header;
  header.tool = tool_name();
  header.target = print(plan.target.name);
  header.device = plan.device;
  header.driver = plan.driver;
  header.options = deciding_options(tune_option_table(), plan.options);
  header.options.erase("cache");  // its absence means hot
  if (plan.caches != Caches::hot) header.options["cache"] = std::string(print(plan.caches));
  header.options["tasks"] = std::move(specs);         // workloads have several spellings
  header.options["strategy"] = print(plan.strategy);  // likewise
  if (std::ranges::any_of(plan.options.workloads, is_workload_file)) {
    header.workloads = plan.options.workloads;
    header.shapes = plan.options.shapes;
    header.constants = plan.options.constants;
  }
  header.layers = layers_of(plan.workloads);
  header.seed = plan.options.seed;
  header.experiment = plan.options.experiment;
  return header;
}

Result<CampaignPlan> plan_campaign(const TuneOptions& options) {
  CampaignPlan plan;
  plan.options = options;
  if (options.schedule == "in_turn") plan.options.trials = trials_of_a_task(options);
  plan.strategy = TRY(parse_strategy(options.strategy));
  TRY(check_available(plan.strategy));
  plan.warm_start = TRY(read_warm_start(options.warm_start));
  TRY(check_cost_model(options, plan.warm_start.get()));
  plan.agent = TRY(read_agent(options, plan.strategy));
  for (const std::string& file : {options.save_model, options.save_agent})
    if (!file.empty()) TRY(check_replaceable(file));
  TRY(check_variant(variant_of(options)));
  // Models are read in a forked child, so before a driver starts its threads.
  TRY(check_cache("tune", options.cache, TRY(parse_target_name(options.target))));
  plan.workloads = TRY(read_workloads(
      options.workloads, options.target, {options.shapes, options.constants}, options.border,
      [&](const Graph& graph) { return partition_for(options, graph); },
      options.results_from.empty() ? ConstantNumbers::kept : ConstantNumbers::dropped));
  plan.target = TRY(resolve_target(options.target));
  if (options.results_from.empty()) TRY(require_runnable(plan.target));
  plan.inputs = TRY(inputs_of(options, plan.workloads.models.size()));
  return complete_plan(std::move(plan));
}

Result<CampaignPlan> complete_plan(CampaignPlan plan) {
  const TuneOptions& options = plan.options;
  choose_caches(options, plan);
  if (options.variant == "joint" && options.border.empty() && options.results_from.empty())
    add_chain_tasks(plan.workloads, plan.target);
  plan.accuracy = TRY(task_accuracy(
      plan.workloads,
      {.exact = options.exact, .max_error = options.max_error, .inputs = plan.inputs}));
  plan.spaces = TRY(build_spaces(plan.workloads, plan.target, variant_of(options),
                                 allowed_by(plan.accuracy.rule)));
  TRY(check_budget(options, plan.spaces.size()));
  if (options.space == "reduced") TRY(reduce_spaces(plan.spaces, options.points));
  plan.device = facets_of(plan.target);
  plan.driver = plan.target.driver;
  if (!options.results_from.empty()) TRY(take_results(options, plan));
  return plan;
}

}  // namespace dovetail
