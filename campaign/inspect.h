// SPDX-License-Identifier: Apache-2.0
#pragma once

// Inspecting shows as text what is inside an operator, a region, a record of a log or a model.
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
#include "core/ir/region/task_spec.h"
#include "core/ir/schedule/trace.h"
#include "core/ir/target.h"

namespace dovetail {

struct InspectOptions {
  std::string what_of;                // a spec, a record, a model or @FILE
  std::optional<std::string> what;    // one of inspected_texts(); none: what_by_default()
  std::optional<std::string> target;  // of a record: the record's, unless given
  std::string trace_file;  // with a trace instead of the default; empty: none; "-": stdin
  std::vector<std::string> shapes, constants;  // of a model's inputs
  std::string log;  // of a model's layouts: the best traces; empty: default ones
  std::optional<std::string> variant =
      {};  // likewise, as `run` has them, and with what it was given:
  bool exact = false;
  std::optional<double> memory_limit_mb = {};  // of variant global
};

struct Subject {
  std::string name;
  TaskSpec spec;
  std::optional<Trace> trace;  // none: the default trace
  int64_t nodes = 1;           // of a model, how many run it
};

struct Subjects {
  Target target;
  std::vector<Subject> list;
  std::vector<std::string> notes = {};  // what of a model is not tuned, a line each
};

// An operator is one subject, a model has one for each distinct operator. The error is bad input.
Result<Subjects> find_subjects(const InspectOptions& options);

// graph, tasks, space, trace, nest, source, ir, asm, features, layout
std::span<const std::string_view> inspected_texts();

bool is_model(std::string_view what_of);

// The graph of a model, the tasks of a file of specs, the nest of anything else.
std::string_view what_by_default(std::string_view what_of);

// A model with its regions. The error: what is to be shown is no model, or a wrong one.
Result<std::string> graph_text(const InspectOptions& options);

// `what` is one of them but graph and tasks, which are no subject's own. The error: the trace is
// illegal, or the target or the region has no such text.
Result<std::string> text_of(const Subject& subject, const Target& target, const std::string& what);

}  // namespace dovetail
