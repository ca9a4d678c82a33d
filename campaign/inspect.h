// SPDX-License-Identifier: Apache-2.0
#pragma once

// Text views of an operator, a region, a record of a log or a model (`dovetail show`).
//
//   const Subjects subjects = TRY(find_subjects({.what_of = "tune.jsonl#1.17"}));
//   TRY(text_of(subjects.list[0], subjects.target, "nest"))    the program of trial 17

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/ir/program/program.h"
#include "core/ir/region/task_spec.h"
#include "core/ir/schedule/trace.h"
#include "core/ir/target.h"

namespace dovetail {

struct InspectOptions {
  std::string what_of;                // a spec, a record, a model or @FILE
  std::optional<std::string> what;    // one of inspected_texts(); none: what_by_default()
  std::optional<std::string> target;  // none: a record's own, else cpu
  std::string trace_file;  // file with a trace instead of the default; empty: none; "-": stdin
  std::vector<std::string> shapes, constants;  // for a model's inputs
  std::string log;  // layouts of a model: log with the best traces; empty: default traces
  std::optional<std::string> variant =
      {};  // likewise: variant of `run`, and the options that it was given:
  bool exact = false;
  std::optional<double> memory_limit_mb = {};  // variant global only
};

struct Subject {
  std::string name;
  KeyedTask spec;
  std::optional<Trace> trace;  // none: the default trace
  int64_t nodes = 1;           // nodes of a model that run it
};

struct Subjects {
  Target target;
  std::vector<Subject> list;
  // One per line: parts of a model that are not tuned, a record's device that is not here.
  std::vector<std::string> notes = {};
};

// One subject for an operator, one per distinct operator for a model. Fails on bad input.
Result<Subjects> find_subjects(const InspectOptions& options);

// graph, tasks, space, trace, nest, source, ir, asm, features, layout, kernels
std::span<const std::string_view> inspected_texts();

bool is_model(std::string_view what_of);

// "graph" for a model, "tasks" for a file of specs, else "nest".
std::string_view what_by_default(std::string_view what_of);

// Prints a model with its regions. Fails if the subject is no valid model.
Result<std::string> graph_text(const InspectOptions& options);

// Fails if the trace is illegal.
Result<Program> program_of(const Subject& subject, const Target& target);

// `what` is any of inspected_texts() but graph and tasks, which belong to no single subject, and
// kernels, which are a table. Fails if the trace is illegal, or the target or the region has no
// such text.
Result<std::string> text_of(const Subject& subject, const Target& target, const std::string& what);

}  // namespace dovetail
