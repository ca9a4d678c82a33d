// SPDX-License-Identifier: Apache-2.0
#include "campaign/region_trace.h"

#include <fmt/format.h>

#include "campaign/recorded_tasks.h"
#include "core/ir/region/region_text.h"
#include "core/record/line/caches.h"
#include "core/record/line/device_facets.h"
#include "primitives/apply.h"
#include "primitives/lowering/lower.h"
#include "primitives/space/space.h"

namespace dovetail {
namespace {

Result<RegionTrace> with_trace(const Region& region, Trace trace, const Target& target) {
  Program program = TRY(program_of(region, {}, trace, target));
  return RegionTrace{.trace = std::move(trace), .program = std::move(program), .match = {}};
}

Result<RegionTrace> recorded(const Region& region, const Record& record, const Target& target) {
  return with_trace(region, TRY(parse_trace(record.trace)), target);
}

}  // namespace

Result<Trace> default_trace(const Region& region, const Border& border, const Target& target) {
  if (!region.op) return Trace{};
  return TRY(build_space({*region.op, border}, target)).default_trace();
}

Result<Program> program_of(const Region& region, const Border& border, const Trace& trace,
                           const Target& target) {
  return lower(TRY(apply(trace, region, border, target)), target);
}

Result<RegionTrace> trace_for(const Region& region, const Target& target, const std::string& log,
                              const Listener& listener) {
  if (log.empty()) return with_trace(region, TRY(default_trace(region, {}, target)), target);
  const Log records = TRY(read_log_aloud(log, listener));
  TRY(caches_of({&records, 1}));
  const std::string spec = print(region);
  RecordMatch match = best_record(
      records, {.task = spec, .target = print(target.name), .device = facets_of(target)});
  if (match.level != MatchLevel::none) {
    Result<RegionTrace> found = recorded(region, match.best->record, target);
    if (found) {
      if (match.level != MatchLevel::exact)
        listener.note(fmt::format("{}: {}: {}", spec, print(match.level), match.explanation));
      found->match = std::move(match);
      return found;
    }
    match.explanation = fmt::format("{}: {}", match.name, found.error().message);
  }
  listener.note(fmt::format("{}: {}: {}", spec, print(MatchLevel::none), match.explanation));
  return with_trace(region, TRY(default_trace(region, {}, target)), target);
}

}  // namespace dovetail
