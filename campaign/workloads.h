// SPDX-License-Identifier: Apache-2.0
#pragma once

// Workloads: what the command line calls WORKLOAD, as tasks.
//
//   "gmm:m=8,n=8,k=8"   one task, named by its spec
//   "@nine.txt"         the tasks of a suite, by their names; "@-" reads it from stdin
//   "net.onnx"          the distinct operators of a model, by their first node
//   "net.graph"         the same of a graph in text
//
// Several tasks may have one spec (a suite asks for each name); they are tuned once.

#include <functional>
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

// Up to a megabyte of stdin, far above what anybody means to pipe in; `expected` is for the error.
Result<std::string> read_stdin(std::string_view expected);

// "@nine.txt" or a model: the text is no spec itself.
bool is_workload_file(std::string_view text);

// A command line's words on the inputs of its models.
struct ModelInputs {
  std::vector<std::string> shapes = {};     // as --shape has them, NAME=1,3,224,224
  std::vector<std::string> constants = {};  // as --constant has them, NAME=16000
};

// A model, of ONNX or a graph in text.
Result<Graph> read_model(const std::string& path, const ModelInputs& inputs);
// It gives the inputs that `constants` hold, as whoever else runs the model needs them.
Result<std::vector<GraphTensor>> read_held_inputs(const std::string& path,
                                                  const ModelInputs& inputs);

// Of a model's constants: most of what it takes in memory, which few need.
enum class ConstantNumbers : uint8_t { dropped, kept };

struct Workloads {
  std::vector<Task> tasks;
  std::set<std::string> from_models;   // specs that no one asked for by themselves
  std::set<std::string> alternatives;  // of these, specs that no node has by itself: chain_tasks.h
  std::vector<std::string> notes;      // what of a model is not tuned, a line each
  std::vector<Partition> models;       // with the numbers of constants where they are kept
  // The greatest one of all models (core/ir/graph/graph.h); none where no workload is a model.
  std::optional<int64_t> working_set_bytes = {};
};

// `target` is as --target has it.
// Refuses operators whose operands this machine cannot hold.
//
// `border` is what --border says of the tensors that cross a task's border:
//
//   "framework"   every input and output of every task in row-major order, as frameworks keep them
//   FILE          a line a task, its spec with its border; '#' begins a comment
//
//       c2d:ci=64,co=64,h=56,w=56,k=3,p=1 | X as plain
//       gmm:m=128,n=128,k=128 | X as plain; Y as plain
//
// Without one, tasks stay as they are: free, or as their own text states. The error names a line of
// the file that states no border, or of which there is no task.
//
// A model's tasks are those of its regions, as `partition` says that they are made.
using PartitionChoice = std::function<Result<PartitionOptions>(const Graph&)>;
Result<Workloads> read_workloads(const std::vector<std::string>& workloads,
                                 const std::string& target, const ModelInputs& inputs = {},
                                 const std::string& border = {},
                                 const PartitionChoice& partition = {},
                                 ConstantNumbers numbers = ConstantNumbers::dropped);

// The names that the workloads give; none where every name is just the spec.
std::vector<Layer> layers_of(const Workloads& workloads);

// The space that is searched: the variant, and the layout of `loop_only`.
struct Variant {
  std::string name = "joint";
  std::string layout = {};  // nohw, nhwo, hwon or nohw16o; empty for the others
};

// `unfused` runs every node of a model by itself, too.
PartitionOptions partition_options(const std::string& variant);

// Says whether this version has the variant.
Result<void> check_variant(const Variant& variant);

// A task with its space. Tasks of one spec share one entry of `distinct`.
struct TaskSpace {
  Task task;
  std::string spec;
  Space space;
};

// One per distinct spec, in order. The space of `no_texture` is that of a device without images,
// that of `unfused` runs no computation inside another one's loops; all are without the algorithms
// that their tasks do not allow. An operator without a space is
// an error, or, when it is a model's, a note: its tasks are then left out.
Result<std::vector<TaskSpace>> build_spaces(Workloads& workloads, const Target& target,
                                            const Variant& variant,
                                            const AllowsAlgorithm& allows = any_algorithm);

}  // namespace dovetail
