// SPDX-License-Identifier: Apache-2.0
#include "measure/machine/machine_peak.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "core/base/check.h"
#include "core/base/stopwatch.h"
#include "core/runtime/huge_pages.h"
#include "measure/machine/machine_loops.h"

namespace dovetail {
namespace {

constexpr int kStretches = 12;
constexpr double kStretchSeconds = 1e-3;

struct Work {
  void (*loop)(const Work&, int64_t thread) = nullptr;  // all rounds of one thread
  int64_t rounds = 0;
  float* sink = nullptr;
  // For bandwidth: the arrays of all threads, one after the other.
  float* from = nullptr;
  float* to = nullptr;
  int64_t floats = 0;
  // Each piece also reads this many floats that are not copied.
  int64_t pieces = 1;
  float* more = nullptr;
  int64_t more_floats = 0;
  bool past_caches = false;
};

// The pool runs kernels; here the iterations are threads, and `buffers` holds their Work.
void run_work(void* const* buffers, int64_t first, int64_t last) {
  const auto& work = *static_cast<const Work*>(buffers[0]);
  for (int64_t thread = first; thread < last; ++thread) work.loop(work, thread);
}

void fma_loop(const Work& work, int64_t thread) {
  work.sink[thread * 16] = machine_loops().fma(work.rounds);
}

void read_loop(const Work& work, int64_t thread) {
  for (int64_t round = 0; round < work.rounds; ++round)
    machine_loops().read(work.from + thread * work.floats, work.floats);
}

void fill_loop(const Work& work, int64_t thread) {
  for (int64_t round = 0; round < work.rounds; ++round)
    machine_loops().fill(work.to + thread * work.floats, work.floats);
}

void copy_loop(const Work& work, int64_t thread) {
  const int64_t start = thread * work.floats;
  for (int64_t round = 0; round < work.rounds; ++round)
    machine_loops().copy(work.from + start, work.to + start, work.floats);
}

// `floats` and `more_floats` are per piece.
void stream_loop(const Work& work, int64_t thread) {
  const auto& loops = machine_loops();
  const auto copy = work.past_caches ? loops.copy_past_caches : loops.copy;
  for (int64_t round = 0; round < work.rounds; ++round) {
    for (int64_t p = thread * work.pieces; p < (thread + 1) * work.pieces; ++p) {
      copy(work.from + p * work.floats, work.to + p * work.floats, work.floats);
      loops.read(work.more + p * work.more_floats, work.more_floats);
    }
  }
}

// Seconds per round: the fastest of several stretches, each long enough for the clock. The number
// of rounds is found on this thread alone: on a busy machine two threads wait for each other, and a
// stretch of nothing but waiting would be the result.
double fastest_round(ThreadPool& pool, Work work) {
  void* buffers[] = {&work};
  const auto seconds_alone = [&] {
    const Stopwatch watch;
    run_work(buffers, 0, 1);
    return watch.seconds();
  };
  work.rounds = 1;
  while (seconds_alone() < kStretchSeconds / 2) work.rounds *= 2;
  double fastest = std::numeric_limits<double>::infinity();
  for (int stretch = 0; stretch < kStretches; ++stretch) {
    const Stopwatch watch;
    pool.parallel_for(run_work, buffers, pool.threads());
    fastest = std::min(fastest, watch.seconds());
  }
  return fastest / static_cast<double>(work.rounds);
}

// Zeros on large pages, as kernels' operands are.
class Floats {
 public:
  explicit Floats(int64_t count) {
    const auto bytes = pages_.at_least(static_cast<uint64_t>(count) * sizeof(float));
    CHECK(bytes, bytes.error().message);
    start_ = reinterpret_cast<float*>(bytes->data());
  }
  float* get() const { return start_; }

 private:
  HugePages pages_;
  float* start_ = nullptr;
};

// The floats in so many bytes, as a multiple of what a loop takes at once.
int64_t whole_floats(int64_t bytes) {
  return std::max(kLoopFloats,
                  bytes / static_cast<int64_t>(sizeof(float)) / kLoopFloats * kLoopFloats);
}

LevelBandwidth measure_level(ThreadPool& pool, std::string level, int64_t bytes_per_thread,
                             int64_t capacity_bytes) {
  const int64_t threads = pool.threads();
  const int64_t half = whole_floats(bytes_per_thread / 2);
  // A read covers both halves, a copy goes from one to the other: the same bytes in the same level.
  const Floats data(2 * half * threads);
  const Work read{.loop = read_loop, .from = data.get(), .floats = 2 * half};
  const Work copy{
      .loop = copy_loop, .from = data.get(), .to = data.get() + half * threads, .floats = half};
  const auto bytes = static_cast<double>(2 * half * threads) * sizeof(float);
  return {.level = std::move(level),
          .bytes = bytes_per_thread,
          .read_bytes_per_second = bytes / fastest_round(pool, read),
          .copy_bytes_per_second = bytes / fastest_round(pool, copy),
          .capacity_bytes = capacity_bytes};
}

}  // namespace

double measure_fma_gflops(ThreadPool& pool) {
  std::vector<float> sink(static_cast<size_t>(pool.threads()) * 16);
  const double seconds = fastest_round(pool, {.loop = fma_loop, .sink = sink.data()});
  return machine_loops().flops_per_round * pool.threads() / seconds * 1e-9;
}

std::vector<LevelBandwidth> measure_bandwidth(ThreadPool& pool, const Target& target,
                                              size_t num_levels) {
  // Not half of L3: many cores (or guests) share it, and no thread has that much.
  const int64_t l3_bytes = std::min(target.l3_bytes / 2, 8 * target.l2_bytes);
  struct NDArray {
    const char* level;
    int64_t bytes, capacity_bytes;
  };
  const NDArray arrays[] = {{"L1", target.l1_bytes / 2, target.l1_bytes},
                            {"L2", target.l2_bytes / 2, target.l2_bytes},
                            {"L3", l3_bytes / pool.threads(), target.l3_bytes},
                            {"DRAM", target.l3_bytes * 4 / pool.threads(), 0}};
  std::vector<LevelBandwidth> levels;
  for (const auto& [level, bytes, capacity] : arrays)
    if (levels.size() < num_levels) levels.push_back(measure_level(pool, level, bytes, capacity));
  return levels;
}

double measure_read(ThreadPool& pool, int64_t bytes_per_thread) {
  const int64_t floats = whole_floats(bytes_per_thread);
  const Floats data(floats * pool.threads());
  const double seconds =
      fastest_round(pool, {.loop = read_loop, .from = data.get(), .floats = floats});
  return static_cast<double>(floats * pool.threads()) * sizeof(float) / seconds;
}

// Few bytes take less time than the call that moves them: both rates are those of long loops.
L1Rates measure_l1_rates(ThreadPool& pool, const Target& target) {
  const int64_t floats = whole_floats(target.l1_bytes / 2);
  const Floats data(floats * pool.threads());
  const auto bytes = static_cast<double>(floats * pool.threads()) * sizeof(float);
  const auto rate = [&](void (*loop)(const Work&, int64_t)) {
    const Work work{.loop = loop, .from = data.get(), .to = data.get(), .floats = floats};
    return bytes / fastest_round(pool, work);
  };
  return {.loaded = rate(read_loop), .stored = rate(fill_loop)};
}

double stream_in_l1(const L1Rates& rates, int64_t read_bytes, int64_t written_bytes) {
  const double seconds = std::max(static_cast<double>(read_bytes) / rates.loaded,
                                  static_cast<double>(written_bytes) / rates.stored);
  return static_cast<double>(read_bytes + written_bytes) / seconds;
}

double measure_stream(ThreadPool& pool, const Target& target, int64_t read_bytes,
                      int64_t written_bytes) {
  if (read_bytes + written_bytes <= target.l1_bytes * pool.threads())
    return stream_in_l1(measure_l1_rates(pool, target), read_bytes, written_bytes);
  constexpr int64_t kPieceFloats = 4096;
  // A load waits for an earlier store to the same place of another page: the copies keep apart.
  constexpr int64_t kHalfPageFloats = 512;
  const auto floats_of = [](int64_t bytes) { return bytes / static_cast<int64_t>(sizeof(float)); };
  // If more is written than read, copies stand for both.
  const int64_t copied = floats_of(std::min(written_bytes, (read_bytes + written_bytes) / 2));
  const int64_t more = floats_of(read_bytes + written_bytes) - 2 * copied;
  const int64_t threads = pool.threads();
  const int64_t pieces = std::max<int64_t>(1, std::max(copied, more) / kPieceFloats / threads);
  const auto of_piece = [&](int64_t floats) {
    return floats / (pieces * threads) / kLoopFloats * kLoopFloats;
  };
  Work work{.loop = stream_loop, .floats = of_piece(copied), .pieces = pieces};
  work.more_floats = of_piece(more);
  if (work.floats + work.more_floats == 0) work.more_floats = kLoopFloats;
  const Floats data((2 * work.floats + work.more_floats) * pieces * threads + kHalfPageFloats);
  work.from = data.get();
  work.to = work.from + work.floats * pieces * threads + kHalfPageFloats;
  work.more = work.to + work.floats * pieces * threads;
  double seconds = fastest_round(pool, work);
  work.past_caches = true;
  seconds = std::min(seconds, fastest_round(pool, work));
  return static_cast<double>((2 * work.floats + work.more_floats) * pieces * threads) *
         sizeof(float) / seconds;
}

}  // namespace dovetail
