// SPDX-License-Identifier: Apache-2.0
#pragma once

// OwnThread: a thread that lives with its owner and does what others ask of it, one after another.
//
//   OwnThread thread;
//   const double seconds = TRY(thread.run([&] { return network.run(); }));
//
// A network must run on the thread that loaded it, which is pinned to a core from then on; callers
// are neither.

#include <condition_variable>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <queue>
#include <stop_token>
#include <thread>
#include <utility>

namespace dovetail::api {

class OwnThread {
 public:
  // Waits for the result.
  template <typename Work>
  auto run(const Work& work) -> decltype(work()) {
    // Shared, because this thread may go on before the other has left the task.
    const auto task = std::make_shared<std::packaged_task<decltype(work())()>>(work);
    auto done = task->get_future();
    {
      const std::lock_guard lock(mutex_);
      waiting_.emplace([task] { (*task)(); });
    }
    wake_.notify_one();
    return done.get();
  }

 private:
  void serve(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    while (wake_.wait(lock, stop, [this] { return !waiting_.empty(); })) {
      const std::function<void()> work = std::move(waiting_.front());
      waiting_.pop();
      lock.unlock();
      work();
      lock.lock();
    }
  }

  std::mutex mutex_;  // guards what is waiting
  std::condition_variable_any wake_;
  std::queue<std::function<void()>> waiting_;
  std::jthread thread_{[this](const std::stop_token& stop) { serve(stop); }};
};

}  // namespace dovetail::api
