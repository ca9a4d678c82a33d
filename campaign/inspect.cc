// SPDX-License-Identifier: Apache-2.0
#include "campaign/inspect.h"

#include "campaign/recorded_tasks.h"
#include "campaign/workloads.h"
#include "core/backends/backends.h"
#include "core/base/fail.h"
#include "core/base/text.h"
#include "core/record/log/log.h"
#include "costmodel/features/features.h"
#include "search/candidate.h"

namespace dovetail {
namespace {

constexpr std::string_view kInspectedTexts[] = {"graph",  "tasks", "space", "trace",    "nest",
                                                "source", "ir",    "asm",   "features", "layout"};

bool is_record_name(const std::string& text) {
  return text.find('#') != std::string::npos && parse_record_name(text).has_value();
}

Result<Subjects> record_subject(const InspectOptions& options) {
  if (!options.trace_file.empty())
    return fail("show: a record has its own trace; leave --trace out");
  const RecordName name = TRY(parse_record_name(options.what_of));
  const Record record = TRY(read_record(name));
  Subjects subjects{.target = TRY(resolve_target(options.target.value_or(record.target))),
                    .list = {}};
  const Result<Trace>& trace = record.trace.value();
  if (!trace) return fail("{}: {}", options.what_of, trace.error().message);
  KeyedTask spec = TRY(parse_task_spec(record.task));
  subjects.list.push_back({.name = options.what_of, .spec = std::move(spec), .trace = *trace});
  return subjects;
}

// The size of a space; all digits below 1e15, where a double is exact.
std::string count_text(double count) {
  return count < 1e15 ? fmt::format("{:.0f}", count) : fmt::format("{:.3g}", count);
}

std::string layouts_text(const Program& program) {
  std::string text;
  for (const Buffer& buffer : program.buffers) text += print(buffer.layout, buffer.name) + "\n";
  return text;
}

// The default as a trace, which is hard to read off its values.
std::string default_text(const Trace& trace) {
  const std::string lines = print(trace);
  if (lines.empty()) return "default: a trace without primitives\n";
  std::string text = "default:\n";
  for (const std::string_view line : split(lines, '\n')) {
    if (line.empty()) continue;
    const bool as_given = line.starts_with("layout ") && line.ends_with(':');
    text += fmt::format("  {}{}\n", line, as_given ? " row-major" : "");
  }
  return text;
}

Result<std::string> space_text(const TaskSpec& spec, const Target& target) {
  const Space space = TRY(build_space(spec, target));
  return print(space) +
         fmt::format("{} point{}\n", count_text(space.count()), space.count() == 1 ? "" : "s") +
         default_text(space.default_trace());
}

}  // namespace

std::span<const std::string_view> inspected_texts() { return kInspectedTexts; }

bool is_model(std::string_view what_of) {
  return is_workload_file(what_of) && !what_of.starts_with("@");
}

std::string_view what_by_default(std::string_view what_of) {
  if (is_model(what_of)) return "graph";
  return is_workload_file(what_of) ? "tasks" : "nest";
}

Result<std::string> graph_text(const InspectOptions& options) {
  if (!is_model(options.what_of))
    return fail("show: --what graph of {}; expected MODEL.onnx or MODEL.graph", options.what_of);
  return print(
      TRY(partition(TRY(read_model(options.what_of, {options.shapes, options.constants})))));
}

Result<Subjects> find_subjects(const InspectOptions& options) {
  if (is_record_name(options.what_of)) return record_subject(options);
  const std::string target = options.target.value_or("cpu");
  Subjects subjects;
  const Workloads workloads =
      TRY(read_workloads({options.what_of}, target, {options.shapes, options.constants}));
  for (const Task& task : workloads.tasks) {
    subjects.list.push_back(
        {.name = task.name, .spec = task.spec, .trace = {}, .nodes = task.weight});
  }
  subjects.notes = workloads.notes;
  subjects.target = TRY(resolve_target(target));
  if (options.trace_file.empty()) return subjects;
  const Trace trace = TRY(read_trace(options.trace_file));
  for (Subject& subject : subjects.list) subject.trace = trace;
  return subjects;
}

Result<std::string> text_of(const Subject& subject, const Target& target, const std::string& what) {
  if (what == "space") return space_text(subject.spec, target);
  const Trace trace =
      subject.trace ? *subject.trace : TRY(build_space(subject.spec, target)).default_trace();
  const Program program = TRY(materialize(subject.spec, target, trace)).program;
  if (what == "trace") return print(trace);
  if (what == "nest") return print(program);
  if (what == "layout") return layouts_text(program);
  if (what == "features") return print_features(extract_features(program, target));
  const Result<std::string> code = backend_of(target).describe(program, target, what);
  if (!code) return fail("show: {}", code.error().message);
  return code;
}

}  // namespace dovetail
