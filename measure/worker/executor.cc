// SPDX-License-Identifier: Apache-2.0
#include "measure/worker/executor.h"

#include <algorithm>
#include <cstring>
#include <thread>

#include "core/backends/backends.h"
#include "core/base/cores.h"
#include "core/base/fail.h"
#include "measure/machine/machine_peak.h"

namespace dovetail {
namespace {

constexpr auto kGuard = static_cast<int64_t>(kGuardBytes);

// A buffer's bytes in the arena, with both of its guard zones.
NDArray with_guards(std::span<std::byte> arena, const BufferPlace& place) {
  return NDArray::over(ElementType::u8, {static_cast<int64_t>(place.bytes) + 2 * kGuard},
                       arena.data() + place.offset - kGuardBytes);
}

struct StrayByte {
  std::byte* place = nullptr;
  std::byte value = {};
};

// The bytes of a guard zone that differ from the arena's.
void find_stray(std::span<const std::byte> zone, std::byte* arena, std::vector<StrayByte>& stray) {
  for (size_t i = 0; i < zone.size(); ++i)
    if (zone[i] != arena[i]) stray.push_back({arena + i, zone[i]});
}

PeakReply peak_of(ThreadPool& pool, const Target& target, const PeakRequest& request) {
  PeakReply reply{.fma_gflops = measure_fma_gflops(pool), .l1_bytes_per_second = 0};
  if (request.bandwidth) {
    const LevelBandwidth l1 = measure_bandwidth(pool, target, 1).front();
    reply.l1_bytes_per_second = std::max(l1.read_bytes_per_second, l1.copy_bytes_per_second);
  }
  return reply;
}

}  // namespace

Outcome outcome_of(const Result<void>& result, Status status) {
  if (result) return {};
  const bool is_limit = result.error().kind == ErrorKind::device_limit;
  return {is_limit ? Status::device_limit : status, result.error().message};
}

Outcome Executor::load(const Executable& executable) {
  code_.reset();
  const auto loaded = [&]() -> Result<void> {
    code_ = TRY(device_->load(executable.code));
    buffers_ = executable.buffers;
    launches_once_ = static_cast<size_t>(executable.preparing_launches);
    launches_ = executable.code.launches.size();
    return {};
  }();
  if (!loaded) return outcome_of(loaded);
  return outcome_of(allocate_on_device(), Status::device_limit);
}

Result<void> Executor::allocate_on_device() {
  guarded_.clear();
  if (device_->uses_host_memory()) return {};
  for (const ExecutableBuffer& buffer : buffers_)
    guarded_.push_back(
        is_texture(buffer.scope)
            ? TRY(device_->allocate(buffer.type, buffer.shape, buffer.scope))
            : TRY(device_->allocate(ElementType::u8, {buffer.bytes() + 2 * kGuard})));
  std::vector<NDArray> buffers = guarded_;
  for (size_t b = 0; b < buffers.size(); ++b)
    if (const ExecutableBuffer& buffer = buffers_[b]; !is_texture(buffer.scope))
      buffers[b] = NDArray::in(guarded_[b].memory(), buffer.type, buffer.shape, kGuard);
  return code_->bind(buffers);
}

Result<void> Executor::bind_host(const std::byte* memory, const ArenaPlan& plan) {
  std::vector<NDArray> buffers;
  for (size_t b = 0; b < plan.places.size(); ++b)
    buffers.push_back(NDArray::over(buffers_[b].type, buffers_[b].shape,
                                    const_cast<std::byte*>(memory) + plan.places[b].offset));
  return code_->bind(buffers);
}

Result<void> Executor::send(std::span<std::byte> arena, const ArenaPlan& plan) {
  for (size_t b = 0; b < guarded_.size(); ++b) {
    const ExecutableBuffer& buffer = buffers_[b];
    TRY(device_->copy(is_texture(buffer.scope) ? NDArray::over(buffer.type, buffer.shape,
                                                               arena.data() + plan.places[b].offset)
                                               : with_guards(arena, plan.places[b]),
                      guarded_[b]));
  }
  return {};
}

// Guard zones of neighbours overlap in the arena: what any of them lost is written there.
Result<void> Executor::fetch(std::span<std::byte> arena, const ArenaPlan& plan) {
  std::vector<StrayByte> stray;
  for (size_t b = 0; b < guarded_.size(); ++b) {
    const BufferPlace& place = plan.places[b];
    std::byte* const bytes = arena.data() + place.offset;
    const NDArray& held = guarded_[b];
    if (held.scope() != MemoryScope::global) {
      if (place.role == BufferRole::output)
        TRY(device_->copy(held, NDArray::over(held.type(), held.shape(), bytes)));
      continue;
    }
    const auto inside = static_cast<int64_t>(place.bytes);
    if (place.role == BufferRole::output)
      TRY(device_->copy(held.slice(0, kGuard, inside),
                        NDArray::over(ElementType::u8, {inside}, bytes)));
    const NDArray zone = NDArray::zeros(ElementType::u8, {kGuard});
    TRY(device_->copy(held.slice(0, 0, kGuard), zone));
    find_stray(zone.bytes(), bytes - kGuard, stray);
    TRY(device_->copy(held.slice(0, kGuard + inside, kGuard), zone));
    find_stray(zone.bytes(), bytes + inside, stray);
  }
  for (const StrayByte& byte : stray) *byte.place = byte.value;
  return {};
}

Result<double> Executor::time(int64_t repetitions) {
  return code_->time(launches_once_, launches_, repetitions);
}

Outcome Executor::run_once(std::span<std::byte> arena, const ArenaPlan& plan, double& seconds) {
  const auto ran = [&]() -> Result<void> {
    if (plan.places.size() != buffers_.size())
      return fail("{} places for a program of {} buffers", plan.places.size(), buffers_.size());
    TRY(device_->uses_host_memory() ? bind_host(arena.data(), plan) : send(arena, plan));
    TRY(code_->run(0, launches_once_));
    seconds = TRY(code_->run(launches_once_, launches_));
    return fetch(arena, plan);
  };
  return outcome_of(ran());
}

Outcome Executor::begin_timing(std::span<const std::byte> arena, const ArenaPlan& plan,
                               Caches caches) {
  if (!device_->uses_host_memory()) {
    if (caches == Caches::hot) return {};  // the operands are on the device since run_once
    return {Status::run_error, fmt::format("{} caches are not supported on target {}",
                                           print(caches), print(device_->target().name))};
  }
  return outcome_of([&]() -> Result<void> {
    const auto bytes = static_cast<int64_t>(plan.bytes);
    if (timed_.size_bytes() < bytes) {
      timed_ = NDArray();  // frees the old block before the larger one is mapped
      timed_ = TRY(device_->allocate(ElementType::u8, {bytes}));
    }
    std::byte* const memory = timed_.writable_bytes().data();
    std::memcpy(memory, arena.data(), plan.bytes);
    caches_ = CacheState(caches, plan, memory, device_->target(), *device_->threads());
    return bind_host(memory, plan);
  }());
}

Result<double> Executor::sample(int64_t runs) {
  if (!caches_.has_steps()) return TRY(time(runs)) * static_cast<double>(runs);
  double seconds = 0;
  for (int64_t i = 0; i < runs; ++i) {
    caches_.restore();
    seconds += TRY(time(1));
  }
  return seconds;
}

Result<std::vector<double>> Executor::sample(TimingRule rule) {
  if (!caches_.has_steps())
    rule.sample_seconds = std::max(rule.sample_seconds, device_->least_sample_seconds());
  return time_adaptively([this](int64_t runs) { return sample(runs); }, rule);
}

PeakReply Executor::peak(const PeakRequest& request) {
  const Target& target = device_->target();
  if (ThreadPool* const threads = device_->threads()) return peak_of(*threads, target, request);
  PeakReply reply;
  if (!backend_of(target).is_this_host(target)) return reply;
  std::thread([&] {  // a pool pins its caller
    ThreadPool pool(allowed_cores());
    reply = peak_of(pool, target, request);
  })
      .join();
  return reply;
}

}  // namespace dovetail
