// SPDX-License-Identifier: Apache-2.0
#include "campaign/inspect.h"

#include <fmt/format.h>

#include "campaign/read_trace.h"
#include "campaign/region_trace.h"
#include "campaign/resolve_target.h"
#include "campaign/run/region_tensors.h"
#include "campaign/workloads.h"
#include "core/ir/region/region_text.h"
#include "core/record/log/log.h"
#include "costmodel/features/features.h"

#if DOVETAIL_HAVE_LLVM
#include "core/codegen/llvm/compile.h"
#endif
#include "core/codegen/opencl/emit.h"

namespace dovetail {
namespace {

constexpr std::string_view kInspectedTexts[] = {"space", "trace", "nest",     "source",
                                                "ir",    "asm",   "features", "layout"};

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
  Result<Trace> trace = parse_trace(record.trace);
  if (!trace) return fail(fmt::format("{}: {}", options.what_of, trace.error().message));
  BorderedRegion region = TRY(parse_bordered_region(record.task));
  subjects.list.push_back(
      {.name = options.what_of, .region = std::move(region), .trace = std::move(*trace)});
  return subjects;
}

// A count of a space: exact while a double is.
std::string count_text(double count) {
  return count < 1e15 ? fmt::format("{:.0f}", count) : fmt::format("{:.3g}", count);
}

std::string layouts_text(const Program& program) {
  std::string text;
  for (const Buffer& buffer : program.buffers) text += print(buffer.layout, buffer.name) + "\n";
  return text;
}

Result<std::string> cpu_code(const Program& program, const Target& target,
                             const std::string& what) {
#if DOVETAIL_HAVE_LLVM
  if (what == "ir") return emit_llvm_ir(program, target, /*optimized=*/true);
  return emit_assembly(program, target);
#else
  (void)program;
  return fail(fmt::format("show: --what {} of target {} needs LLVM, and this build has none", what,
                          print(target.name)));
#endif
}

Result<std::string> code_text(const Program& program, const Target& target,
                              const std::string& what) {
  const bool opencl = target.name.kind == TargetKind::opencl;
  if (what == "source") {
    if (opencl) return TRY(emit_opencl(program, target)).text;
    return fail(
        fmt::format("show: target {} has no source; use --what ir or asm, or an opencl target",
                    print(target.name)));
  }
  if (!opencl) return cpu_code(program, target, what);
  return fail(fmt::format("show: --what {} is for cpu targets; use --what source for {}", what,
                          print(target.name)));
}

Result<std::string> space_text(const BorderedRegion& of, const Target& target) {
  const Region& region = of.region;
  if (!region.op)
    return fail(fmt::format("show: {} has no space; expected an operator (docs/workloads.md)",
                            print(region)));
  const Space space = TRY(build_space({*region.op, of.border}, target));
  return print(space) + fmt::format("{} points\n", count_text(space.count()));
}

// Computations written down. What is wrong with a sum of products, the parser of operators says.
bool is_written_region(const std::string& text) {
  const size_t bracket = text.find('[');
  if (bracket == std::string::npos || bracket > text.find(':') || is_workload_file(text))
    return false;
  const bool parses = parse_region(split_at_bar(text).spec).has_value();
  return parses || !looks_written(text) || text.find(';') != std::string::npos;
}

Result<Subject> region_subject(const std::string& spec) {
  BorderedRegion region = TRY(parse_bordered_region(spec));
  TRY(check_memory(region.region));
  std::string name = print(region);
  return Subject{.name = std::move(name), .region = std::move(region), .trace = {}};
}

}  // namespace

std::span<const std::string_view> inspected_texts() { return kInspectedTexts; }

Result<Subjects> find_subjects(const InspectOptions& options) {
  if (is_record_name(options.what_of)) return record_subject(options);
  const std::string target = options.target.value_or("cpu");
  const std::string target_name = print(TRY(parse_target_name(target)));
  Subjects subjects;
  if (is_written_region(options.what_of)) {
    subjects.list.push_back(TRY(region_subject(options.what_of)));
  } else {
    const Workloads workloads = TRY(read_workloads({options.what_of}, target_name, options.shapes));
    for (const Task& task : workloads.tasks) {
      BorderedRegion region{TRY(region_of(task.op)), task.border};
      subjects.list.push_back({.name = task.name, .region = std::move(region), .trace = {}});
    }
  }
  subjects.target = TRY(resolve_target(target));
  if (options.trace_file.empty()) return subjects;
  const Trace trace = TRY(read_trace(options.trace_file));
  for (Subject& subject : subjects.list) subject.trace = trace;
  return subjects;
}

Result<std::string> text_of(const Subject& subject, const Target& target, const std::string& what) {
  if (what == "space") return space_text(subject.region, target);
  const auto& [region, border] = subject.region;
  const Trace trace = subject.trace ? *subject.trace : TRY(default_trace(region, border, target));
  const Program program = TRY(program_of(region, border, trace, target));
  if (what == "trace") return print(trace);
  if (what == "nest") return print(program);
  if (what == "layout") return layouts_text(program);
  if (what == "features") return print_features(extract_features(program, target));
  return code_text(program, target, what);
}

}  // namespace dovetail
