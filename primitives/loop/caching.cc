// SPDX-License-Identifier: Apache-2.0
#include "primitives/loop/caching.h"

#include <algorithm>
#include <utility>

#include "core/base/text.h"
#include "core/ir/operator/accumulator.h"
#include "primitives/copy.h"
#include "primitives/loop/attach.h"
#include "primitives/loop/loop_lookup.h"
#include "primitives/refuse.h"

namespace dovetail {
namespace {

std::string printed(const CachedRead& read) {
  return print(LoopPrimitive(loop::CacheRead{read.tensor, read.at, read.scope, read.pad}));
}

// Lets the element read the copy instead of the tensor; the epilogue still reads the tensor.
void read_copy(Computation& reader, const std::string& tensor, const std::string& copy) {
  for (Access& access : element_reads(reader))
    if (access.tensor == tensor) access.tensor = copy;
  const auto place = std::ranges::find(reader.tensors, tensor, &Tensor::name);
  Tensor copied = *place;
  copied.name = copy;
  const bool still_read = std::ranges::any_of(result_reads(reader),
                                              [&](const Access& a) { return a.tensor == tensor; });
  if (still_read)
    reader.tensors.insert(place, std::move(copied));
  else
    *place = std::move(copied);
}

double outside_of(const Computation& reader, const std::string& tensor) {
  return std::ranges::find(reader.reads, tensor, &Access::tensor)->outside;
}

// Position of the axis's loop; the part's loops must be as attach() made them, one per axis.
Result<size_t> require_axis(const std::string& what, const std::string& axis, const Stage& stage) {
  const Attachment& a = *stage.attachment;
  size_t found = a.extents.size();
  for (size_t k = 0; k < a.extents.size(); ++k) {
    const bool whole = k < stage.loops.size() && stage.loops[k].extent == a.extents[k] &&
                       stage.loops[k].kind == LoopKind::serial &&
                       stage.output_indices[k] == IndexExpr::variable(stage.loops[k].name);
    if (!whole)
      return fail(what + ": loops of the part are changed already, expected it before them");
    if (stage.loops[k].name == axis) found = k;
  }
  if (found < a.extents.size()) return found;
  return refuse(what, "no axis {}, expected one of {}", axis,
                one_of(std::span(stage.loops).first(a.extents.size()), &StageLoop::name));
}

Result<void> check_place(const std::string& what, const Stage& stage) {
  if (!stage.attachment)
    return refuse(what, "stage {} is a kernel of its own, expected compute_at before", stage.name);
  const Attachment& a = *stage.attachment;
  if (a.ring) return refuse(what, "stage {} rolls already", stage.name);
  if (a.scope == TileScope::local)
    return refuse(what,
                  "work-items fill a local tile as a whole, expected scope private or workspace");
  if (a.copies > 1)
    return refuse(what, "{} has {} copies in turn, expected one", stage.computation.output.tensor,
                  a.copies);
  const bool rounds = !a.around.empty() && a.around.back().kind == LoopKind::serial &&
                      a.around.back().extent > 1 && a.around.back().gathers < 0;
  if (rounds) return {};
  return refuse(what, "loop {} of {} has no rounds that follow each other, expected a serial loop",
                a.loop, a.stage);
}

// Step of the part along the axis from one round of the loop to the next.
Result<int64_t> require_step(const std::string& what, size_t axis, const Stage& stage) {
  const Attachment& a = *stage.attachment;
  const StageLoop& loop = a.around.back();
  for (size_t k = 0; k < a.starts.size(); ++k) {
    const int64_t step = k == axis ? a.starts[k].coefficient(loop.name) : 0;
    const IndexExpr rest = a.starts[k] - IndexExpr::variable(loop.name) * step;
    if (rest.mentions(loop.name))
      return refuse(what,
                    "the part starts at {} along {}, expected a constant step a round along {} and "
                    "none elsewhere",
                    print(a.starts[k]), stage.loops[k].name, stage.loops[axis].name);
  }
  const int64_t step = a.starts[axis].coefficient(loop.name);
  if (step >= 1 && step < a.extents[axis]) return step;
  return refuse(what, "the part of {} elements moves by {} a round, expected 1 to {}",
                a.extents[axis], step, a.extents[axis] - 1);
}

}  // namespace

Result<Stage> apply(const loop::CacheRead& cache_read, const Stage& stage) {
  const std::string what = print(LoopPrimitive(cache_read));
  const std::span<const Access> factors = element_reads(stage.computation);
  if (!reads_tensor(factors, cache_read.tensor))
    return refuse(what, "tensor {} is no factor of stage {}, expected one of {}", cache_read.tensor,
                  stage.name, one_of(factors, &Access::tensor));
  if (cache_read.scope == TileScope::registers)
    return refuse(what, "scope {} holds no copy, expected private, local or workspace",
                  print(cache_read.scope));
  constexpr int64_t kMaxPad = 64;
  if (cache_read.pad < 0 || cache_read.pad > kMaxPad)
    return refuse(what, "rows padded by {}, expected 0 to {}", cache_read.pad, kMaxPad);
  if (cache_read.pad > 0 && cache_read.scope != TileScope::local)
    return refuse(what, "rows padded in scope {}, expected local", print(cache_read.scope));
  for (const CachedRead& read : stage.cached_reads)
    if (read.tensor == cache_read.tensor)
      return refuse(what, "{} is already copied at {}", read.tensor, read.at);
  TRY(require_loop(what, cache_read.at, stage));
  Stage result = stage;
  result.cached_reads.push_back(
      {cache_read.tensor, cache_read.at, cache_read.scope, 1, cache_read.pad});
  return result;
}

bool is_copied_to_local(const Trace& trace, const std::string& tensor) {
  return std::ranges::any_of(trace.loops, [&](const StageLoops& lines) {
    return std::ranges::any_of(lines.primitives, [&](const LoopPrimitive& primitive) {
      const auto* read = std::get_if<loop::CacheRead>(&primitive);
      return read != nullptr && read->tensor == tensor && read->scope == TileScope::local;
    });
  });
}

Result<Schedule> with_cache_stages(const Schedule& schedule, size_t index, const Target& target) {
  Schedule result = schedule;
  const std::vector<CachedRead> reads = schedule.stages[index].cached_reads;
  result.stages[index].cached_reads.clear();
  for (const CachedRead& read : reads) {
    Stage& reader = result.stages[index];
    const std::string copy = read.tensor + ".cache";
    ScheduledTensor tile = tensor_named(result.tensors, read.tensor);
    tile.name = copy;
    tile.role = BufferRole::temporary;
    tile.outside.reset();
    if (tile.copied_as) tile.layout = *std::exchange(tile.copied_as, std::nullopt);
    tile.layout.scope = MemoryScope::global;
    tile.layout.guests.clear();
    Stage stage;
    stage.name = copy;
    stage.role = StageRole::copy;
    stage.computation = copy_computation(tensor_named(reader.computation, read.tensor), copy,
                                         outside_of(reader.computation, read.tensor));
    stage.attachment = Attachment{reader.name, read.at, read.scope, read.copies, {}, {}, {}};
    stage.attachment->row_pad = read.pad;
    stage.attachment->behind = read.behind;
    read_copy(reader.computation, read.tensor, copy);
    result.tensors.push_back(std::move(tile));
    stage = TRY(attach(printed(read), stage, result, target));
    result.stages.insert(result.stages.begin() + static_cast<ptrdiff_t>(index), std::move(stage));
    ++index;
  }
  return result;
}

Result<Stage> apply(const loop::DoubleBuffer& double_buffer, const Stage& stage) {
  const std::string what = print(LoopPrimitive(double_buffer));
  if (double_buffer.copies < 2 || double_buffer.copies > kMostCopies)
    return refuse(what, "{} copies, expected 2 to {}", double_buffer.copies, kMostCopies);
  if (double_buffer.behind < 0 || double_buffer.behind > double_buffer.copies - 2)
    return refuse(what, "{} of {} copies behind, expected 0 to {}", double_buffer.behind,
                  double_buffer.copies, double_buffer.copies - 2);
  Stage result = stage;
  const auto copy_of = [](const CachedRead& read) { return read.tensor + ".cache"; };
  for (CachedRead& read : result.cached_reads) {
    if (copy_of(read) != double_buffer.tensor) continue;
    if (read.copies > 1) return refuse(what, "it has {} copies already", read.copies);
    if (double_buffer.copies > 2 && read.scope != TileScope::local)
      return refuse(what, "{} copies in scope {}, expected 2; more are local", double_buffer.copies,
                    print(read.scope));
    read.copies = double_buffer.copies;
    read.behind = double_buffer.behind;
    return result;
  }
  return refuse(what, "stage {} copies no {}, expected {}", stage.name, double_buffer.tensor,
                stage.cached_reads.empty() ? "a cache_read before"
                                           : "one of " + one_of(stage.cached_reads, copy_of));
}

Result<Stage> apply(const loop::CacheWrite& cache_write, const Stage& stage) {
  const std::string what = print(LoopPrimitive(cache_write));
  const std::string& output = stage.computation.output.tensor;
  if (cache_write.tensor != output)
    return refuse(what, "tensor {} is not written here, expected {}", cache_write.tensor, output);
  if (stage.cache_write_at)
    return refuse(what, "{} is already accumulated at {}", output, *stage.cache_write_at);
  if (cache_write.at != "root") TRY(require_loop(what, cache_write.at, stage));
  Stage result = stage;
  result.cache_write_at = cache_write.at;
  result.streaming_stores = cache_write.streaming;
  return result;
}

bool keeps_sums(const Stage& stage, ElementType storage) {
  const Computation& c = stage.computation;
  if (!c.tables.empty()) return true;  // unrolled
  const bool is_whole = reduced_type(type_of(c, c.element)) == ComputedType::integer;
  if (is_whole) return storage == ElementType::i64 || storage == accumulator_type(c);
  return storage == ElementType::f32 || storage == ElementType::f64;
}

Result<Stage> apply(const loop::Prefetch& prefetch, const Stage& stage) {
  constexpr int64_t kMaxDistance = 64;
  const std::string what = print(LoopPrimitive(prefetch));
  const std::span<const Access> inputs = element_reads(stage.computation);
  if (!reads_tensor(inputs, prefetch.tensor))
    return refuse(what, "tensor {} is not read here, expected one of {}", prefetch.tensor,
                  one_of(inputs, &Access::tensor));
  TRY(require_loop(what, prefetch.at, stage));
  if (!prefetch.of.empty()) {
    TRY(require_loop(what, prefetch.of, stage));
    const auto at = std::ranges::find(stage.loops, prefetch.at, &StageLoop::name);
    if (std::find_if(stage.loops.begin(), at,
                     [&](const StageLoop& loop) { return loop.name == prefetch.of; }) == at)
      return refuse(what, "loop {} is not around {}, expected a loop that is", prefetch.of,
                    prefetch.at);
  }
  if (prefetch.distance < 1 || prefetch.distance > kMaxDistance)
    return refuse(what, "distance {}, expected 1 to {}", prefetch.distance, kMaxDistance);
  for (const StagePrefetch& other : stage.prefetches)
    if (other.tensor == prefetch.tensor && other.loop == prefetch.at)
      return refuse(what, "{} is already prefetched at {}", other.tensor, other.loop);
  Stage result = stage;
  result.prefetches.push_back({prefetch.tensor, prefetch.at, prefetch.distance, prefetch.of});
  return result;
}

Result<Stage> apply(const loop::Roll& roll, const Stage& stage) {
  const std::string what = print(LoopPrimitive(roll));
  TRY(check_place(what, stage));
  const size_t axis = TRY(require_axis(what, roll.axis, stage));
  const int64_t step = TRY(require_step(what, axis, stage));
  const std::string rounds = stage.name + ".round";
  if (std::ranges::find(stage.loops, "round", &StageLoop::name) != stage.loops.end())
    return refuse(what, "stage {} has a loop round, which is what a ring counts by", stage.name);
  Stage result = stage;
  Attachment& a = *result.attachment;
  const int64_t kept = a.extents[axis] - step;
  a.ring = Ring{axis, step, (kept + step - 1) / step};
  const StageLoop loop = a.around.back();
  a.around.push_back({.name = rounds, .extent = loop.extent + a.ring->ahead});
  result.loops[axis].extent = step;
  const std::vector<IndexExpr> starts = a.starts;
  result = with_values(std::move(result),
                       {{loop.name, IndexExpr::variable(rounds) - IndexExpr(a.ring->ahead)},
                        {roll.axis, IndexExpr::variable(roll.axis) + IndexExpr(kept)}});
  result.attachment->starts = starts;
  return result;
}

}  // namespace dovetail
