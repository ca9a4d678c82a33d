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

constexpr std::string_view kInspectedTexts[] = {"graph",    "tasks",  "space",  "trace",
                                                "nest",     "source", "ir",     "asm",
                                                "features", "layout", "kernels"};

bool is_record_name(const std::string& text) {
  return text.find('#') != std::string::npos && parse_record_name(text).has_value();
}

// A record's target where it is here, else as the log's header describes its device.
Result<Target> recorded_target(const RecordName& name, const Record& record,
                               std::vector<std::string>& notes) {
  Result<Target> here = resolve_target(record.target);
  if (here) return here;
  const Log log = TRY(read_log(name.log));
  const LogHeader* header = log.header_of(record.campaign);
  std::optional<Target> recorded = header ? target_of(header->device) : std::nullopt;
  if (!recorded) return here;
  recorded->name = TRY(parse_target_name(record.target));
  notes.push_back(
      fmt::format("{} is not here; its limits are those that {} states", record.target, name.log));
  return *std::move(recorded);
}

Result<Subjects> record_subject(const InspectOptions& options) {
  if (!options.trace_file.empty())
    return fail("show: a record has its own trace; leave --trace out");
  const RecordName name = TRY(parse_record_name(options.what_of));
  const Record record = TRY(read_record(name));
  Subjects subjects;
  subjects.target = options.target ? TRY(resolve_target(*options.target))
                                   : TRY(recorded_target(name, record, subjects.notes));
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

Result<Trace> trace_of(const Subject& subject, const Target& target) {
  if (subject.trace) return *subject.trace;
  return TRY(build_space(subject.spec, target)).default_trace();
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

Result<Program> program_of(const Subject& subject, const Target& target) {
  return TRY(materialize(subject.spec, target, TRY(trace_of(subject, target)))).program;
}

Result<std::string> text_of(const Subject& subject, const Target& target, const std::string& what) {
  if (what == "space") return space_text(subject.spec, target);
  const Program program = TRY(program_of(subject, target));
  if (what == "trace") return print(TRY(trace_of(subject, target)));
  if (what == "nest") return print(program);
  if (what == "layout") return layouts_text(program);
  if (what == "features") return print_features(extract_features(program, target));
  const Result<std::string> code = backend_of(target).describe(program, target, what);
  if (!code) return fail("show: {}", code.error().message);
  return code;
}

}  // namespace dovetail
