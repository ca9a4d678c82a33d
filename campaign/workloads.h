// SPDX-License-Identifier: Apache-2.0
#pragma once

// Workloads: the WORKLOAD arguments of the command line, as tasks.
//
//   "gmm:m=8,n=8,k=8"   one task, named by its spec
//   "@nine.txt"         the tasks of a suite, by their names; "@-" reads it from stdin
//   "net.onnx"          the distinct operators of a model, by their first node
//   "net.graph"         the same of a graph in text
//
// Several tasks may share a spec (a suite lists each by name); it is tuned once.

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/frontend/partition/partition.h"
#include "core/ir/graph/graph.h"
#include "core/ir/graph/task.h"
#include "core/ir/target.h"
#include "core/record/line/log_header.h"
#include "primitives/algorithm/allowed_algorithms.h"
#include "primitives/space/space.h"

namespace dovetail {

// Reads up to a megabyte of stdin, far above any real input; `expected` goes into the error.
Result<std::string> read_stdin(std::string_view expected);

// "@nine.txt" or a model's file, as opposed to a spec.
bool is_workload_file(std::string_view text);

// The command line's options for the inputs of its models.
struct ModelInputs {
  std::vector<std::string> shapes = {};     // as --shape has them, NAME=1,3,224,224
  std::vector<std::string> constants = {};  // as --constant has them, NAME=16000
};

// Reads a model, ONNX or a graph in text.
Result<Graph> read_model(const std::string& path, const ModelInputs& inputs);
// The inputs that `constants` fix at a value, for other engines that run the model.
Result<std::vector<GraphTensor>> read_held_inputs(const std::string& path,
                                                  const ModelInputs& inputs);

// Whether to keep the elements of a model's constants: most of its memory, rarely needed.
enum class ConstantNumbers : uint8_t { dropped, kept };

struct Workloads {
  std::vector<Task> tasks;
  std::set<std::string> from_models;  // specs of models' tasks
  // The file of each task of a model, by the task's name; empty with fewer than two models.
  std::map<std::string, std::string> model_of;
  std::set<std::string> alternatives;  // subset that no single node computes: chain_tasks.h
  std::vector<std::string> notes;      // parts of models that are not tuned, one per line
  std::vector<Partition> models;       // constants have elements only if they are kept
  // The largest of all models (core/ir/graph/graph.h); none without a model.
  std::optional<int64_t> working_set_bytes = {};
  std::map<std::string, int64_t> working_sets;  // each model's, by its file
};

// `target` is spelled as after --target. Rejects operators whose operands do not fit in this
// machine's memory.
//
// `border` is the text after --border, the layouts of the tensors that cross a task's border:
//
//   "framework"   every input and output of every task in row-major order, as frameworks keep them
//   FILE          a line a task, its spec with its border; '#' begins a comment
//
//       c2d:ci=64,co=64,h=56,w=56,k=3,p=1 | X as row_major
//       gmm:m=128,n=128,k=128 | X as row_major; Y as row_major
//
// If empty, tasks keep their borders: free, or as their own text states. The error names a line of
// the file that states no border, or that matches no task.
//
// A model's tasks are those of its regions; `partition` chooses how it is partitioned.
using PartitionChoice = std::function<Result<PartitionOptions>(const Graph&)>;
Result<Workloads> read_workloads(const std::vector<std::string>& workloads,
                                 const std::string& target, const ModelInputs& inputs = {},
                                 const std::string& border = {},
                                 const PartitionChoice& partition = {},
                                 ConstantNumbers numbers = ConstantNumbers::dropped);

// The same of a model or of tasks that are values: `name` is the model's in notes.
Result<Workloads> workloads_of(Graph model, const std::string& name, const std::string& target,
                               const PartitionChoice& partition = {});
Result<Workloads> workloads_of(std::vector<Task> tasks);

// Results are told apart by name: a second conv1 becomes conv1_2. `taken`: names of other tasks.
void make_names_distinct(std::vector<Task>& tasks, std::set<std::string> taken = {});

// The workloads' task names; none if every name is just the spec.
std::vector<Layer> layers_of(const Workloads& workloads);

// Gives tasks that are found while a campaign runs names that no layer and no other has, and adds
// them as layers; one whose spec is a layer already keeps that name.
void add_late_names(std::vector<Task>& tasks, std::vector<Layer>& layers);

inline constexpr std::string_view kNoLayoutsVariant = "no_layouts", kLoopOnlyVariant = "loop_only";

// True of the variants that search in one layout: no_layouts and loop_only.
bool has_fixed_layout(std::string_view variant);

// A search variant, with the layout of those that have a fixed one.
struct Variant {
  std::string name = "joint";
  std::string layout = {};  // nohw, nhwo, hwon or nohw16o; empty for the others
};

// The partition of a search variant; `unfused` runs every node of a model by itself.
PartitionOptions partition_options(const std::string& variant);

std::span<const std::string_view> known_search_variants();

// Fails if the variant is unknown, or does not go with its layout.
Result<void> check_variant(const Variant& variant);

// A task with its search space.
struct TaskSpace {
  Task task;
  Space space;
};

// One per distinct spec, in order. `no_texture` searches the space of a device without images,
// `unfused` never computes a stage inside another one's loops (compute_at), `no_layouts` searches
// loops and algorithms in one layout, `loop_only` loops alone; algorithms that `allows` rejects are
// left out. An operator without a space is an error; a model's is left out of the tasks, with a
// note.
Result<std::vector<TaskSpace>> build_spaces(Workloads& workloads, const Target& target,
                                            const Variant& variant,
                                            const AllowsAlgorithm& allows = any_algorithm);

}  // namespace dovetail
