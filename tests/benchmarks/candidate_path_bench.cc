// SPDX-License-Identifier: Apache-2.0
//
// The time of each step before a candidate runs: mean and 90th percentile over random points of an
// operator's space, on one core, in ms. With --passes also LLVM's own report, pass by pass, of all
// compilations together.
//   build/release/tests/candidate_path_bench c2d:ci=16,co=32,h=14,w=14,k=3,p=1 [POINTS] [--passes]
#include <fmt/format.h>
#include <llvm/IR/PassTimingInfo.h>
#include <llvm/Pass.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <numeric>
#include <random>

#include "core/codegen/llvm/compile.h"
#include "core/codegen/llvm/cpu_target.h"
#include "primitives/apply.h"
#include "primitives/lowering/lower.h"
#include "primitives/space/space.h"
#include "tests/support/right.h"

namespace dovetail {
namespace {

using testing::right;
using Clock = std::chrono::steady_clock;
using Times = std::vector<std::pair<std::string, std::vector<double>>>;

// It returns what `step` does; its milliseconds go to `times`.
template <typename Step>
auto timed(Times& times, const std::string& name, const Step& step) {
  const auto start = Clock::now();
  auto result = step();
  const double ms = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
  auto known = std::ranges::find(times, name, [](const auto& entry) { return entry.first; });
  if (known == times.end()) known = times.insert(times.end(), {name, {}});
  known->second.push_back(ms);
  return result;
}

void add_candidate(const Space& space, std::mt19937_64& random, Times& times) {
  const Point point = timed(times, "sample", [&] { return space.sample(random); });
  const Trace trace = timed(times, "decode", [&] { return space.decode(point); });
  const auto schedule =
      timed(times, "apply", [&] { return apply(trace, *space.spec().region.op, space.target()); });
  if (!schedule) return;
  const auto program = timed(times, "lower", [&] { return lower(*schedule, space.target()); });
  if (!program) return;
  timed(times, "compile", [&] { return right(compile_cpu(*program, space.target())); });
}

void print_times(Times& times) {
  double total = 0;
  fmt::print("{:>10} {:>8} {:>8} {:>8}\n", "step", "count", "mean ms", "90 %");
  for (auto& [name, values] : times) {
    std::ranges::sort(values);
    const double sum = std::accumulate(values.begin(), values.end(), 0.0);
    total += sum;
    fmt::print("{:>10} {:>8} {:>8.3f} {:>8.3f}\n", name, values.size(),
               sum / static_cast<double>(values.size()), values[values.size() * 9 / 10]);
  }
  fmt::print("{:.0f} candidates a minute on one core\n",
             static_cast<double>(times.back().second.size()) / total * 60e3);
}

}  // namespace
}  // namespace dovetail

int main(int argc, char** argv) {
  using namespace dovetail;
  std::vector<std::string> words(argv + 1, argv + argc);
  llvm::TimePassesIsEnabled = std::erase(words, "--passes") > 0;
  const Space space = right(build_space(
      right(parse_operator(words.empty() ? "c2d:ci=16,co=32,h=14,w=14,k=3,p=1" : words[0])),
      right(cpu_target({}))));
  std::mt19937_64 random(0);
  Times times;
  const int points = words.size() > 1 ? std::stoi(words[1]) : 200;
  for (int i = 0; i < points; ++i) add_candidate(space, random, times);
  print_times(times);
  if (llvm::TimePassesIsEnabled) llvm::reportAndResetTimings();
  return 0;
}
