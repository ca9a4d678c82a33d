// SPDX-License-Identifier: Apache-2.0
#include "core/codegen/work_groups/geometry.h"

#include <algorithm>
#include <set>
#include <vector>

#include "core/base/fail.h"
#include "core/ir/program/walk.h"

namespace dovetail {
namespace {

bool is_thread(ThreadAxis axis) { return axis >= ThreadAxis::thread_0; }

std::string axis_name(ThreadAxis axis) {
  const int number = static_cast<int>(axis);
  return is_thread(axis) ? fmt::format("thread.{}", number - 3) : fmt::format("group.{}", number);
}

const Loop* outermost_parallel(const Block& block) {
  for (const Statement& statement : block) {
    const auto* loop = std::get_if<Loop>(&statement.node);
    if (loop == nullptr) continue;
    if (loop->kind == LoopKind::parallel && loop->extent > 1) return loop;
    if (const Loop* inner = outermost_parallel(loop->body)) return inner;
  }
  return nullptr;
}

void collect_bound(const Block& block, std::vector<const Loop*>& loops) {
  for_each_statement(block, [&](const Statement& statement) {
    const auto* loop = std::get_if<Loop>(&statement.node);
    if (loop != nullptr && loop->kind == LoopKind::bound && loop->extent > 1) loops.push_back(loop);
  });
}

// The smallest number of distributed loops around any statement.
int fewest_around(const Block& block, const std::set<const Loop*>& distributed, int around) {
  int fewest = static_cast<int>(distributed.size());
  for (const Statement& statement : block) {
    const auto* loop = std::get_if<Loop>(&statement.node);
    if (loop == nullptr) {
      fewest = std::min(fewest, around);
    } else {
      const int here = around + (distributed.contains(loop) ? 1 : 0);
      fewest = std::min(fewest, fewest_around(loop->body, distributed, here));
    }
  }
  return fewest;
}

Result<void> check_everything_inside(const Kernel& kernel, const std::set<const Loop*>& loops) {
  if (fewest_around(kernel.body, loops, 0) == static_cast<int>(loops.size())) return {};
  return fail(
      "kernel {}: a statement lies outside of a parallel or bound loop, every "
      "work-item would run it; such loops must enclose the whole kernel",
      kernel.name);
}

Result<void> check_work_group(const Kernel& kernel, const Geometry& geometry,
                              const Target& target) {
  const auto& threads = geometry.threads;
  // One factor at a time: extents are unchecked input and their product may overflow.
  int64_t size = 1;
  for (const int64_t extent : threads) {
    if (extent <= target.max_work_group_size / size) {
      size *= extent;
      continue;
    }
    return fail_by_limit(
        "kernel {}: work-group {}x{}x{} is over the limit of {} work-items of "
        "device {}",
        kernel.name, threads[0], threads[1], threads[2], target.max_work_group_size, target.device);
  }
  for (size_t axis = 0; axis < threads.size(); ++axis) {
    const int64_t limit = target.max_work_item_sizes[axis];
    if (limit == 0 || threads[axis] <= limit) continue;
    return fail_by_limit(
        "kernel {}: {} work-items along thread.{} are over the limit of {} of device {}",
        kernel.name, threads[axis], axis, limit, target.device);
  }
  return {};
}

}  // namespace

int dimension_of(const Loop& loop) {
  if (loop.kind != LoopKind::bound) return 0;
  return static_cast<int>(loop.thread) % 3;
}

LoopForm form_of(const Loop& loop, const Geometry& geometry) {
  if (!loop.bounds.empty()) return LoopForm::serial;
  if (loop.extent == 1) return LoopForm::constant;
  switch (loop.kind) {
    case LoopKind::bound: return is_thread(loop.thread) ? LoopForm::thread : LoopForm::group;
    case LoopKind::parallel:
      return &loop == geometry.parallel_as_group ? LoopForm::group : LoopForm::serial;
    case LoopKind::unrolled: return LoopForm::unrolled;
    case LoopKind::vectorized:
      // Only stores have a vector form; a vectorized loop around other statements becomes serial.
      return std::ranges::all_of(
                 loop.body,
                 [](const Statement& s) { return std::holds_alternative<Store>(s.node); })
                 ? LoopForm::vectorized
                 : LoopForm::serial;
    case LoopKind::serial: return LoopForm::serial;
  }
  return LoopForm::serial;
}

Result<Geometry> geometry_of(const Kernel& kernel, const Target& target) {
  Geometry geometry;
  std::vector<const Loop*> bound;
  collect_bound(kernel.body, bound);
  std::set<ThreadAxis> taken;
  for (const Loop* loop : bound) {
    if (!taken.insert(loop->thread).second) {
      return fail("kernel {}: two loops are bound to {}, the second is {}", kernel.name,
                  axis_name(loop->thread), loop->variable);
    }
    auto& extents = is_thread(loop->thread) ? geometry.threads : geometry.groups;
    extents[static_cast<size_t>(dimension_of(*loop))] = loop->extent;
  }
  if (bound.empty()) {
    const Loop* parallel = outermost_parallel(kernel.body);
    if (parallel == nullptr) return geometry;
    geometry.parallel_as_group = parallel;
    geometry.groups[0] = parallel->extent;
    bound.push_back(parallel);
  }
  TRY(check_everything_inside(kernel, std::set<const Loop*>(bound.begin(), bound.end())));
  TRY(check_work_group(kernel, geometry, target));
  return geometry;
}

std::vector<int> buffers_of(const Program& program, const Kernel& kernel) {
  const Uses uses = uses_of(kernel.body);
  std::vector<int> buffers;
  for (size_t i = 0; i < program.buffers.size(); ++i)
    if (uses.contains(program.buffers[i].name)) buffers.push_back(static_cast<int>(i));
  return buffers;
}

Launch launch_of(std::string name, const Program& program, const Kernel& kernel,
                 const Geometry& geometry) {
  Launch launch{.name = std::move(name),
                .local = geometry.threads,
                .buffers = buffers_of(program, kernel),
                .written = {}};
  const Uses uses = uses_of(kernel.body);
  for (const int buffer : launch.buffers)
    if (uses.at(program.buffers[static_cast<size_t>(buffer)].name).written)
      launch.written.push_back(buffer);
  for (size_t i = 0; i < 3; ++i) launch.global[i] = geometry.groups[i] * geometry.threads[i];
  return launch;
}

}  // namespace dovetail
