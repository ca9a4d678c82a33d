// SPDX-License-Identifier: Apache-2.0
//
// Kernels touch only the cache lines of their buffers: the page before a buffer, or the one behind
// its last line, may be unmapped. A network's first buffer has nothing before it.
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <memory>
#include <random>

#include "core/base/round_up.h"
#include "core/codegen/llvm/compile.h"
#include "core/codegen/llvm/loader.h"
#include "primitives/apply.h"
#include "primitives/lowering/lower.h"
#include "primitives/space/space.h"
#include "tests/deploy/network/network_run.h"
#include "tests/primitives/random/random_operators.h"
#include "tests/support/right.h"

namespace dovetail {
namespace {

using testing::cpu_here;
using testing::right;

// Pages between two that no one may touch; the buffer begins with the first one, or ends with the
// last one.
class FencedBuffer {
 public:
  FencedBuffer(int64_t bytes, bool at_front) {
    constexpr int64_t kPage = 4096, kLine = 64;
    const int64_t lines = round_up(bytes, kLine), pages = round_up(lines, kPage);
    size_ = static_cast<size_t>(pages + 2 * kPage);
    void* const all = ::mmap(nullptr, size_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(all != MAP_FAILED, "pages for a test");
    start_ = static_cast<std::byte*>(all);
    CHECK(::mprotect(start_ + kPage, static_cast<size_t>(pages), PROT_READ | PROT_WRITE) == 0);
    data_ = start_ + kPage + (at_front ? 0 : pages - lines);
  }
  FencedBuffer(const FencedBuffer&) = delete;
  FencedBuffer& operator=(const FencedBuffer&) = delete;
  ~FencedBuffer() { ::munmap(start_, size_); }
  void* data() const { return data_; }

 private:
  size_t size_ = 0;
  std::byte* start_ = nullptr;
  std::byte* data_ = nullptr;
};

void run_between_fences(const Program& program, const Target& target) {
  const CpuObject object = right(compile_cpu(program, target));
  const LoadedObject code = right(LoadedObject::load(object.bytes));
  for (const bool at_front : {true, false}) {
    std::vector<std::unique_ptr<FencedBuffer>> fenced;
    std::vector<void*> buffers;
    for (const Buffer& buffer : program.buffers) {
      fenced.push_back(std::make_unique<FencedBuffer>(buffer_bytes(buffer), at_front));
      buffers.push_back(fenced.back()->data());
    }
    for (size_t k = 0; k < object.kernels.size(); ++k)
      right(code.find(object.kernels[k]))(buffers.data(), 0, object.parallel_extents[k]);
  }
}

void expect_inside(const TaskSpec& task, const Trace& trace) {
  const Target target = cpu_here();
  const auto schedule = apply(trace, task.region, task.border, target);
  if (!schedule) return;
  const auto program = lower(*schedule, target);
  if (program && compile_cpu(*program, target)) run_between_fences(*program, target);
}

void expect_points_inside(const TaskSpec& task, int points, std::mt19937_64& rng) {
  SCOPED_TRACE(print(task));
  const Space space = right(build_space(task, cpu_here()));
  expect_inside(task, space.default_trace());
  for (int point = 0; point < points; ++point) expect_inside(task, space.decode(space.sample(rng)));
}

// Partial tiles: reads under one guard took another access's place in front of the buffer.
TEST(FencedBuffers, AreAllThatPartialTilesTouch) {
  std::mt19937_64 rng(5);
  for (const char* spec : {"c2d:n=2,ci=16,co=13,h=50,w=40,k=3", "c2d:ci=5,co=13,h=11,w=17,k=3"})
    expect_points_inside(right(parse_task_spec(spec)), 30, rng);
}

TEST(FencedBuffers, AreAllThatOperatorsTouch) {
  std::mt19937_64 rng(3);
  for (const auto kind :
       {OperatorKind::c1d, OperatorKind::c2d, OperatorKind::dil, OperatorKind::dep,
        OperatorKind::grp, OperatorKind::t2d, OperatorKind::gmm}) {
    for (int i = 0; i < 6; ++i) expect_points_inside(testing::random_operator(kind, rng), 2, rng);
  }
}

}  // namespace
}  // namespace dovetail
