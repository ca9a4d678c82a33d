// SPDX-License-Identifier: Apache-2.0
//
// Times traces of one operator, padding passes included, interleaved so that drift hits all alike:
// in each round every trace runs a few times; minimum and median of the rounds, in µs.
//   build/release/tests/trace_bench c2d:ci=512,co=512,h=7,w=7,k=3,p=1 padded.trace guarded.trace
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <sstream>

#include "core/base/check.h"
#include "primitives/apply.h"
#include "primitives/lowering/lower.h"
#include "tests/core/codegen/llvm/compiled_program.h"
#include "tests/support/right.h"

namespace dovetail::testing {
namespace {

using Clock = std::chrono::steady_clock;

std::string text_of(const std::string& file) {
  std::ifstream stream(file);
  CHECK(stream.good(), "cannot read " + file);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

class Candidate {
 public:
  Candidate(const Operator& op, const std::string& file) {
    const Target target = host_cpu();
    const Trace trace = right(parse_trace(text_of(file)), file);
    program_ = right(lower(right(apply(trace, op, target), file), target), file);
    const auto start = Clock::now();
    object_ = right(compile_cpu(program_, target), file);
    compile_seconds_ = std::chrono::duration<double>(Clock::now() - start).count();
    code_.push_back(right(LoadedObject::load(object_.bytes), file));
    for (const std::string& kernel : object_.kernels)
      kernels_.push_back(right(code_[0].find(kernel), file));
    const Storage storage = small_integers(program_, 1);
    for (const Buffer& buffer : program_.buffers) {
      std::vector<float>& memory =
          memory_.emplace_back(static_cast<size_t>(storage_elements(buffer.layout)) + 16);
      const auto misalignment = reinterpret_cast<uintptr_t>(memory.data()) % 64 / sizeof(float);
      float* first = memory.data() + (misalignment == 0 ? 0 : 16 - misalignment);
      const auto values = storage.find(buffer.name);
      if (values != storage.end()) {
        std::ranges::transform(values->second, first, [](float v) { return v == v ? v : 0; });
      }
      table_.push_back(first);
    }
  }

  double run_once() {
    const auto start = Clock::now();
    for (size_t k = 0; k < kernels_.size(); ++k)
      kernels_[k](table_.data(), 0, object_.parallel_extents[k]);
    return std::chrono::duration<double>(Clock::now() - start).count();
  }
  double compile_seconds() const { return compile_seconds_; }
  size_t num_kernels() const { return kernels_.size(); }

 private:
  Program program_;
  CpuObject object_;
  double compile_seconds_ = 0;
  std::vector<LoadedObject> code_;
  std::vector<LoadedObject::KernelFunction> kernels_;
  std::vector<std::vector<float>> memory_;
  std::vector<void*> table_;
};

void compare(const std::string& spec, const std::vector<std::string>& files) {
  constexpr double kSeconds = 3;
  constexpr int kRunsInRound = 5;
  const Operator op = right(parse_operator(spec), spec);
  std::vector<Candidate> candidates;
  for (const std::string& file : files) candidates.emplace_back(op, file);
  std::vector<std::vector<double>> seconds(files.size());
  const auto start = Clock::now();
  while (std::chrono::duration<double>(Clock::now() - start).count() < kSeconds) {
    for (size_t c = 0; c < files.size(); ++c) {
      candidates[c].run_once();
      double least = candidates[c].run_once();
      for (int run = 2; run < kRunsInRound; ++run)
        least = std::min(least, candidates[c].run_once());
      seconds[c].push_back(least);
    }
  }
  for (size_t c = 0; c < files.size(); ++c) {
    std::ranges::sort(seconds[c]);
    fmt::print("{:40} min {:8.1f} median {:8.1f} us, {} kernels, compiled in {:.1f} ms\n", files[c],
               seconds[c].front() * 1e6, seconds[c][seconds[c].size() / 2] * 1e6,
               candidates[c].num_kernels(), candidates[c].compile_seconds() * 1e3);
  }
}

}  // namespace
}  // namespace dovetail::testing

int main(int count, char** arguments) {
  if (count < 3) {
    fmt::print(stderr, "usage: trace_bench SPEC TRACE_FILE...\n");
    return 1;
  }
  dovetail::testing::compare(arguments[1], {arguments + 2, arguments + count});
  return 0;
}
