// SPDX-License-Identifier: Apache-2.0
#pragma once

// ThreadPool: runs a CPU kernel's outermost parallel loop on a fixed set of threads.
//
//   ThreadPool pool({0, 1});                     // one thread a core; the caller is the first
//   pool.parallel_for(kernel, buffers, extent);  // kernel(buffers, first, last) on each part
//
// The range is split into one equal part per thread: a tuned kernel's iterations cost the same, and
// at 20 microseconds per kernel a work queue would cost more than it balances. Threads spin briefly
// between loops, because a program launches its kernels back to back, and then sleep.

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

namespace dovetail {

// The entry point of every CPU kernel: iterations first <= i < last of its outermost parallel loop.
using CpuKernel = void (*)(void* const* buffers, int64_t first, int64_t last);

class ThreadPool {
 public:
  // Pins the calling thread to the first core and one new thread to each other core. `cores` must
  // not be empty.
  explicit ThreadPool(const std::vector<int>& cores);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  // Returns when all iterations are done. Must be called from the thread that made the pool.
  void parallel_for(CpuKernel kernel, void* const* buffers, int64_t extent);
  int threads() const { return static_cast<int>(threads_.size()) + 1; }

 private:
  void serve(int part, int core);
  void run_part(int part) const;

  CpuKernel kernel_ = nullptr;
  void* const* buffers_ = nullptr;
  int64_t extent_ = 0;
  std::atomic<uint32_t> round_{0};  // incremented when there is work
  std::atomic<int> unfinished_{0};  // parts of this round that still run
  std::atomic<bool> stopping_{false};
  std::vector<std::thread> threads_;
};

}  // namespace dovetail
