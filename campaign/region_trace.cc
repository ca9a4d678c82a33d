// SPDX-License-Identifier: Apache-2.0
#include "campaign/region_trace.h"

#include <fmt/format.h>

#include "campaign/recorded_tasks.h"
#include "core/record/line/caches.h"
#include "core/record/line/log_header.h"
#include "primitives/space/space.h"
#include "search/candidate.h"

namespace dovetail {
namespace {

Result<RegionTrace> with_trace(const TaskSpec& spec, const Trace& trace, const Target& target) {
  Candidate candidate = TRY(materialize(spec, target, trace));
  return RegionTrace{.trace = trace, .program = std::move(candidate.program), .match = {}};
}

Result<RegionTrace> recorded(const TaskSpec& spec, const Record& record, const Target& target) {
  return with_trace(spec, TRY(parse_trace(record.trace)), target);
}

Result<RegionTrace> by_default(const TaskSpec& spec, const Target& target) {
  return with_trace(spec, TRY(build_space(spec, target)).default_trace(), target);
}

}  // namespace

Result<RegionTrace> trace_for(const TaskSpec& task, const Target& target, const std::string& log,
                              const Listener& listener) {
  if (log.empty()) return by_default(task, target);
  const Log records = TRY(read_log_aloud(log, listener));
  TRY(caches_of({&records, 1}));
  const std::string spec = print(task);
  RecordMatch match = best_record(
      records, {.task = spec, .target = print(target.name), .device = facets_of(target)});
  if (match.level != MatchLevel::none) {
    Result<RegionTrace> found = recorded(task, match.best->record, target);
    if (found) {
      if (match.level != MatchLevel::exact)
        listener.note(fmt::format("{}: {}: {}", spec, print(match.level), match.explanation));
      found->match = std::move(match);
      return found;
    }
    match.explanation = fmt::format("{}: {}", match.name, found.error().message);
  }
  listener.note(fmt::format("{}: {}: {}", spec, print(MatchLevel::none), match.explanation));
  return by_default(task, target);
}

}  // namespace dovetail
