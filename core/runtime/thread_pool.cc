// SPDX-License-Identifier: Apache-2.0
#include "core/runtime/thread_pool.h"

#include "core/base/check.h"
#include "core/base/cores.h"

namespace dovetail {
namespace {

constexpr int kSpins = 20'000;  // some tens of microseconds

void pause_briefly() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

}  // namespace

ThreadPool::ThreadPool(const std::vector<int>& cores) {
  CHECK(!cores.empty(), "a thread pool without cores");
  pin_calling_thread({cores.front()});
  for (size_t part = 1; part < cores.size(); ++part)
    threads_.emplace_back(&ThreadPool::serve, this, static_cast<int>(part), cores[part]);
}

ThreadPool::~ThreadPool() {
  stopping_ = true;
  round_.fetch_add(1);
  round_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void ThreadPool::run_part(int part) const {
  const int64_t first = extent_ * part / threads();
  const int64_t last = extent_ * (part + 1) / threads();
  if (first < last) kernel_(buffers_, first, last);
}

void ThreadPool::serve(int part, int core) {
  pin_calling_thread({core});
  uint32_t seen = 0;
  while (true) {
    for (int spin = 0; spin < kSpins && round_.load(std::memory_order_acquire) == seen; ++spin)
      pause_briefly();
    round_.wait(seen, std::memory_order_acquire);
    seen = round_.load(std::memory_order_acquire);
    if (stopping_) return;
    run_part(part);
    unfinished_.fetch_sub(1, std::memory_order_release);
  }
}

void ThreadPool::parallel_for(CpuKernel kernel, void* const* buffers, int64_t extent) {
  if (threads_.empty() || extent <= 1) return kernel(buffers, 0, extent);
  kernel_ = kernel;
  buffers_ = buffers;
  extent_ = extent;
  unfinished_.store(static_cast<int>(threads_.size()), std::memory_order_relaxed);
  round_.fetch_add(1, std::memory_order_release);
  round_.notify_all();
  run_part(0);
  while (unfinished_.load(std::memory_order_acquire) != 0) pause_briefly();
}

}  // namespace dovetail
