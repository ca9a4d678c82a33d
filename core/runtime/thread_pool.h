// SPDX-License-Identifier: Apache-2.0
#pragma once

// ThreadPool: runs a CPU kernel's outermost parallel loop on a fixed set of threads.
//
//   ThreadPool pool({0, 1});                     // one thread a core; the caller is the first
//   pool.parallel_for(kernel, buffers, extent);  // kernel(buffers, first, last) on each part
//
// The range is cut into as many equal parts as there are threads: a tuned kernel's iterations cost
// the same, and a queue would cost more than it balances at 20 microseconds a kernel. Threads spin
// for a moment between loops, because the kernels of a program follow each other at once, and then
// sleep.

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

namespace dovetail {

// The entry point of every CPU kernel: iterations first <= i < last of its outermost parallel loop.
using CpuKernel = void (*)(void* const* buffers, int64_t first, int64_t last);

class ThreadPool {
 public:
  // Pins the calling thread to the first core and one new thread to each of the others. Not empty.
  explicit ThreadPool(const std::vector<int>& cores);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  // Returns when all iterations are done. Call it from the thread that made the pool.
  void parallel_for(CpuKernel kernel, void* const* buffers, int64_t extent);
  int threads() const { return static_cast<int>(threads_.size()) + 1; }

 private:
  void serve(int part, int core);
  void run_part(int part) const;

  CpuKernel kernel_ = nullptr;
  void* const* buffers_ = nullptr;
  int64_t extent_ = 0;
  std::atomic<uint32_t> round_{0};  // grows by one when there is work
  std::atomic<int> unfinished_{0};  // parts of this round still running
  std::atomic<bool> stopping_{false};
  std::vector<std::thread> threads_;
};

}  // namespace dovetail
