// SPDX-License-Identifier: Apache-2.0
#include "campaign/workloads.h"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <set>

#include "campaign/run/region_tensors.h"
#include "core/base/distinct_name.h"
#include "core/base/fail.h"
#include "core/base/files.h"
#include "core/base/text.h"
#include "core/frontend/onnx_import.h"
#include "core/frontend/partition/region_tasks.h"
#include "core/ir/graph/graph.h"
#include "core/ir/graph/suite.h"
#include "primitives/space/layouts/fixed_layout.h"
#include "primitives/space/restricted.h"

namespace dovetail {
namespace {

constexpr std::string_view kUnfused = "unfused";
constexpr std::string_view kVariants[] = {"joint", "no_texture", kUnfused, kNoLayoutsVariant,
                                          kLoopOnlyVariant};
constexpr std::string_view kNetworkOnly[] = {"without_propagation", "forward_only", "backward_only",
                                             "global"};

Result<ImportOptions> import_options(const ModelInputs& inputs) {
  ImportOptions options;
  for (const std::string& text : inputs.shapes) {
    auto [name, extents] = TRY(parse_shape_option(text));
    if (!options.shapes.emplace(name, std::move(extents)).second)
      return fail("--shape names {} twice; expected it once", name);
  }
  for (const std::string& text : inputs.constants) {
    auto [name, number] = TRY(parse_constant_option(text));
    if (!options.constants.emplace(name, std::move(number)).second)
      return fail("--constant names {} twice; expected it once", name);
  }
  return options;
}

// The settings that all workloads of one command share.
struct ReadOptions {
  std::string target;
  ModelInputs inputs;
  PartitionChoice partition = {};  // none: default options
  ConstantNumbers numbers = ConstantNumbers::dropped;
};

Result<void> add_model(Graph graph, const std::string& name, const ReadOptions& options,
                       Workloads& workloads) {
  TRY(check_supported(graph));
  const PartitionOptions chosen =
      options.partition ? TRY(options.partition(graph)) : PartitionOptions();
  Partition parts = TRY(partition(std::move(graph), chosen));
  const int64_t working_set = working_set_bytes(parts.graph);
  workloads.working_set_bytes = std::max(workloads.working_set_bytes.value_or(0), working_set);
  workloads.working_sets.emplace(name, working_set);
  TaskList list = TRY(region_tasks(parts, options.target));
  if (list.tasks.empty())
    return fail("{} has nothing that can be tuned: it computes nothing", name);
  for (Task& task : list.tasks) {
    workloads.from_models.insert(task.spec.text);
    workloads.tasks.push_back(std::move(task));
  }
  for (const NotTuned& rest : list.not_tuned)
    workloads.notes.push_back(fmt::format("{}: not tuned: {}", name, print(rest)));
  if (options.numbers == ConstantNumbers::dropped)
    for (GraphTensor& tensor : parts.graph.tensors) tensor.data.reset();
  if (not_computed(parts).empty()) workloads.models.push_back(std::move(parts));
  return {};
}

Result<void> add_workload(const std::string& text, const ReadOptions& options,
                          Workloads& workloads) {
  if (text.starts_with("@")) {
    const Suite suite = TRY(text == "@-" ? parse_suite(TRY(read_stdin("a suite")), "stdin")
                                         : read_suite(text.substr(1)));
    for (Task& task : suite_tasks(suite, options.target))
      workloads.tasks.push_back(std::move(task));
    return {};
  }
  if (is_workload_file(text))
    return add_model(TRY(read_model(text, options.inputs)), text, options, workloads);
  Result<KeyedTask> parsed = parse_task_spec(text);
  std::error_code ignored;
  if (!parsed && std::filesystem::is_regular_file(text, ignored))
    return fail(
        "{} is a file of another kind; expected a spec, @FILE of specs, MODEL.onnx or MODEL.graph; "
        "a record of a log is {}#1.1 (`show` takes it)",
        text, text.find(".jsonl") != text.npos ? text : "LOG.jsonl");
  KeyedTask spec = TRY(std::move(parsed));
  workloads.tasks.push_back({.name = spec.text, .spec = spec, .target = options.target});
  return {};
}

Result<Workloads> checked(Workloads found) {
  for (const Task& task : found.tasks) TRY(check_memory(task.spec.region));
  make_names_distinct(found.tasks);
  return found;
}

void set_border(const Border& border, Task& task, Workloads& workloads) {
  const bool is_models = workloads.from_models.erase(task.spec.text) > 0;
  task.spec = {std::move(task.spec.region), border};
  if (is_models) workloads.from_models.insert(task.spec.text);
}

Result<void> state_line(const std::string& where, std::string_view line, Workloads& workloads) {
  Result<KeyedTask> spec = parse_task_spec(line);
  if (!spec) return fail(where + ": " + spec.error().message);
  if (spec->border.is_free())
    return fail("{}: found a spec alone, expected SPEC | TENSOR as LAYOUT; …", where);
  bool found = false;
  for (Task& task : workloads.tasks) {
    if (!(task.spec.region == spec->region)) continue;
    set_border(spec->border, task, workloads);
    found = true;
  }
  if (found) return {};
  return fail("{}: {} is no task of the workload", where, print(spec->region));
}

Result<void> state_borders(const std::string& border, Workloads& workloads) {
  if (border.empty()) return {};
  if (border == "framework") {
    for (Task& task : workloads.tasks)
      set_border(framework_border(task.spec.region), task, workloads);
    return {};
  }
  const std::string text = TRY(read_file(border, "framework, or a file with a border a line"));
  int number = 0;
  for (std::string_view line : split(text, '\n')) {
    ++number;
    line = line.substr(0, line.find('#'));
    const bool is_blank = line.find_first_not_of(" \t\r") == std::string_view::npos;
    if (!is_blank) TRY(state_line(fmt::format("{}:{}", border, number), line, workloads));
  }
  return {};
}

}  // namespace

Result<std::string> read_stdin(std::string_view expected) {
  constexpr size_t kMostBytes = 1 << 20;
  std::string text;
  for (std::istreambuf_iterator<char> at(std::cin), end; at != end; ++at) {
    text += *at;
    if (text.size() > kMostBytes)
      return fail("stdin: more than {} bytes; expected {}", kMostBytes, expected);
  }
  return text;
}

bool is_workload_file(std::string_view text) {
  return text.starts_with("@") || text.ends_with(".onnx") || text.ends_with(".graph");
}

std::span<const std::string_view> known_search_variants() { return kVariants; }

bool has_fixed_layout(std::string_view variant) {
  return variant == kNoLayoutsVariant || variant == kLoopOnlyVariant;
}

Result<void> check_variant(const Variant& variant) {
  const auto is_in = [&](const auto& list) {
    return std::ranges::find(list, variant.name) != std::end(list);
  };
  if (is_in(kNetworkOnly)) {
    return fail(
        "variant {} is how a network is put together; tune it as one of: {}, then: dovetail "
        "run MODEL --log F --variant {}",
        variant.name, fmt::join(kVariants, ", "), variant.name);
  }
  if (!is_in(kVariants)) {
    std::vector<std::string> known(std::begin(kVariants), std::end(kVariants));
    known.insert(known.end(), std::begin(kNetworkOnly), std::end(kNetworkOnly));
    return fail("unknown variant '{}'; expected one of: {}{}", variant.name,
                fmt::join(kVariants, ", "), did_you_mean(variant.name, known));
  }
  if (!has_fixed_layout(variant.name) && !variant.layout.empty()) {
    return fail("--layout {} needs --variant {} or {}: variant {} searches layouts", variant.layout,
                kLoopOnlyVariant, kNoLayoutsVariant, variant.name);
  }
  if (has_fixed_layout(variant.name) && variant.layout.empty())
    return fail("variant {} needs --layout nohw, nhwo, hwon or nohw16o", variant.name);
  if (!variant.layout.empty()) TRY(parse_fixed_layout(variant.layout));
  return {};
}

PartitionOptions partition_options(const std::string& variant) {
  return {.tails = variant != kUnfused, .elementwise = variant != kUnfused};
}

Result<Graph> read_model(const std::string& path, const ModelInputs& inputs) {
  const ImportOptions options = TRY(import_options(inputs));
  if (!path.ends_with(".graph")) return import_onnx(path, options);
  if (!inputs.constants.empty())
    return fail("--constant {} is of an ONNX model; {} is a graph in text", inputs.constants[0],
                path);
  return read_graph(path);
}

Result<std::vector<GraphTensor>> read_held_inputs(const std::string& path,
                                                  const ModelInputs& inputs) {
  if (inputs.constants.empty()) return std::vector<GraphTensor>();
  return held_inputs(path, TRY(import_options(inputs)));
}

Result<Workloads> read_workloads(const std::vector<std::string>& workloads,
                                 const std::string& target, const ModelInputs& inputs,
                                 const std::string& border, const PartitionChoice& partition,
                                 ConstantNumbers numbers) {
  const ReadOptions options{.target = print(TRY(parse_target_name(target))),
                            .inputs = inputs,
                            .partition = partition,
                            .numbers = numbers};
  TRY(import_options(inputs));  // invalid ones are rejected even without a model
  Workloads found;
  std::vector<std::string> file_of_task;  // empty for those of no model
  std::set<std::string> models;
  for (const std::string& text : workloads) {
    TRY(add_workload(text, options, found));
    const bool is_model = is_workload_file(text) && !text.starts_with("@");
    if (is_model) models.insert(text);
    file_of_task.resize(found.tasks.size(), is_model ? text : "");
  }
  found = TRY(checked(std::move(found)));
  for (size_t i = 0; i < file_of_task.size() && models.size() > 1; ++i)
    if (!file_of_task[i].empty()) found.model_of.emplace(found.tasks[i].name, file_of_task[i]);
  TRY(state_borders(border, found));
  return found;
}

Result<Workloads> workloads_of(Graph model, const std::string& name, const std::string& target,
                               const PartitionChoice& partition) {
  Workloads found;
  const ReadOptions options{
      .target = target, .inputs = {}, .partition = partition, .numbers = ConstantNumbers::kept};
  TRY(add_model(std::move(model), name, options, found));
  return checked(std::move(found));
}

Result<Workloads> workloads_of(std::vector<Task> tasks) {
  Workloads found;
  found.tasks = std::move(tasks);
  return checked(std::move(found));
}

// Results are told apart by name: a second model's conv1 becomes conv1_2.
void make_names_distinct(std::vector<Task>& tasks, std::set<std::string> taken) {
  for (Task& task : tasks) task.name = distinct_name(task.name, taken);
}

std::vector<Layer> layers_of(const Workloads& workloads) {
  std::vector<Layer> layers;
  bool has_names = false;
  for (const Task& task : workloads.tasks) {
    const std::string& spec = task.spec.text;
    const bool is_nodes =
        workloads.from_models.contains(spec) && !workloads.alternatives.contains(spec);
    const int64_t nodes = is_nodes ? task.weight : 0;
    has_names |= task.name != spec || nodes > 0;
    const auto model = workloads.model_of.find(task.name);
    layers.push_back({.name = task.name,
                      .spec = spec,
                      .nodes = nodes,
                      .model = model == workloads.model_of.end() ? "" : model->second});
  }
  return has_names ? layers : std::vector<Layer>();
}

void add_late_names(std::vector<Task>& tasks, std::vector<Layer>& layers) {
  std::set<std::string> names;
  for (const Layer& layer : layers) names.insert(layer.name);
  for (Task& task : tasks) {
    const auto known = std::ranges::find(layers, task.spec.text, &Layer::spec);
    if (known != layers.end()) {
      task.name = known->name;
      continue;
    }
    task.name = distinct_name(task.name, names);
    layers.push_back({.name = task.name, .spec = task.spec.text});
  }
}

Result<std::vector<TaskSpace>> build_spaces(Workloads& workloads, const Target& target,
                                            const Variant& variant, const AllowsAlgorithm& allows) {
  TRY(check_variant(variant));
  Target searched = target;
  if (variant.name == "no_texture") searched.has_images = false;
  const InLayout algorithms =
      variant.name == kNoLayoutsVariant ? InLayout::any_algorithm : InLayout::direct;
  std::optional<FixedLayout> layout;
  if (!variant.layout.empty()) layout = TRY(parse_fixed_layout(variant.layout));
  std::vector<TaskSpace> spaces;
  std::set<std::string> done, left_out;
  for (const Task& task : workloads.tasks) {
    const std::string& spec = task.spec.text;
    if (!done.insert(spec).second) continue;
    Result<Space> space = build_space(task.spec, searched, layout, RowAxes::merged, algorithms);
    if (space && variant.name == kUnfused) space = unfused(*space);
    if (space) space = allowed_only(*space, allows);
    if (space) {
      spaces.push_back({.task = task, .space = std::move(*space)});
      continue;
    }
    if (!workloads.from_models.contains(spec)) return fail(std::move(space).error().message);
    workloads.notes.push_back(
        fmt::format("{}: not tuned: {}: {}", task.name, spec, space.error().message));
    left_out.insert(spec);
  }
  std::erase_if(workloads.tasks,
                [&](const Task& task) { return left_out.contains(task.spec.text); });
  if (spaces.empty()) return fail("no task left: " + workloads.notes.back());
  return spaces;
}

}  // namespace dovetail
