// SPDX-License-Identifier: Apache-2.0
// The processes and cores of a LocalRunner: what it starts, replaces, and leaves behind.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <thread>

#include "core/base/cores.h"
#include "tests/measure/candidates.h"
#include "tests/measure/runner/local_runners.h"

#if DOVETAIL_HAVE_LLVM  // its candidates run on the CPU

namespace dovetail {
namespace {

using testing::runner_for;
using testing::small_candidate;
using testing::with_faults;

// The children of a process, and theirs, zombies included, by process id.
void add_descendants(const std::filesystem::path& process, std::map<int, std::string>& found) {
  std::error_code gone;
  for (const auto& entry : std::filesystem::directory_iterator(process / "task", gone)) {
    std::ifstream file(entry.path() / "children");
    for (int pid = 0; file >> pid;) {
      const std::filesystem::path child = "/proc/" + std::to_string(pid);
      std::ifstream arguments(child / "cmdline");
      std::stringstream text;
      text << arguments.rdbuf();
      std::string line = text.str();
      std::ranges::replace(line, '\0', ' ');
      found[pid] = line;
      add_descendants(child, found);
    }
  }
}

std::map<int, std::string> descendants() {
  std::map<int, std::string> found;
  add_descendants("/proc/self", found);
  return found;
}

// Whether a process runs; a zombie does not.
bool is_running(int pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string line;
  std::getline(file, line);
  const size_t end = line.rfind(')');
  return end != std::string::npos && line.compare(end + 2, 1, "Z") != 0;
}

// The number of processes that still run, once those that were told to end had the time to.
int64_t left_of(const std::map<int, std::string>& processes) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(5);
  while (true) {
    const int64_t left =
        std::ranges::count_if(processes, [](const auto& one) { return is_running(one.first); });
    if (left == 0 || std::chrono::steady_clock::now() > deadline) return left;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

int worker_with_role(const std::string& role) {
  for (const auto& [pid, line] : descendants()) {
    if (line.find("--role " + role) != std::string::npos) return pid;
  }
  return 0;
}

TEST(LocalRunnerWorkers, AWorkerKilledFromOutsideIsReplaced) {
  const Target target = testing::host_target();
  const auto runner = runner_for(target);
  runner->submit(small_candidate(1, target));
  EXPECT_EQ(runner->wait().status, Status::ok);
  for (const char* role : {"run", "build", "measure"}) {
    const int pid = worker_with_role(role);
    ASSERT_GT(pid, 0) << role;
    ASSERT_EQ(::kill(pid, SIGKILL), 0);
    runner->submit(small_candidate(2, target));
    const MeasureResult result = runner->wait();
    EXPECT_EQ(result.status, Status::ok) << role << ": " << result.reason;
    EXPECT_NE(worker_with_role(role), pid);
  }
}

TEST(LocalRunnerWorkers, LeavesNoProcessBehind) {
  const Target target = testing::host_target();
  std::map<int, std::string> workers;
  {
    const auto runner = runner_for(target, with_faults("2=run_crash,3=build_crash"));
    for (int64_t trial = 1; trial <= 4; ++trial) runner->submit(small_candidate(trial, target));
    for (int64_t trial = 1; trial <= 4; ++trial) runner->wait();
    EXPECT_GT(worker_with_role("run"), 0);
    workers = descendants();
  }
  EXPECT_TRUE(descendants().empty());
  EXPECT_EQ(left_of(workers), 0);
}

TEST(LocalRunnerWorkers, WorkersEndWithAKilledTuner) {
  std::array<int, 2> pipe_ends{};
  ASSERT_EQ(::pipe(pipe_ends.data()), 0);
  const pid_t tuner = ::fork();  // no thread of ours is running
  if (tuner == 0) {
    const Target target = testing::host_target();
    const auto runner = runner_for(target);
    runner->submit(small_candidate(1, target));
    runner->wait();
    const std::array<int, 3> workers = {worker_with_role("run"), worker_with_role("build"),
                                        worker_with_role("measure")};
    if (::write(pipe_ends[1], workers.data(), sizeof(workers)) < 0) ::_exit(1);
    while (true) ::pause();
  }
  std::array<int, 3> workers{};
  ASSERT_EQ(::read(pipe_ends[0], workers.data(), sizeof(workers)), ssize_t{sizeof(workers)});
  std::map<int, std::string> running;
  for (const int pid : workers) {
    EXPECT_TRUE(is_running(pid)) << pid;
    running[pid] = "";
  }
  ASSERT_EQ(::kill(tuner, SIGKILL), 0);
  ASSERT_EQ(::waitpid(tuner, nullptr, 0), tuner);
  EXPECT_EQ(left_of(running), 0);
  ::close(pipe_ends[0]);
  ::close(pipe_ends[1]);
}

TEST(LocalRunnerWorkers, WorkersHoldNothingOfOurs) {
  const int log = ::open("/dev/zero", O_RDONLY);  // not close-on-exec
  const Target target = testing::host_target();
  const auto runner = runner_for(target);
  runner->submit(small_candidate(1, target));
  runner->wait();
  for (const char* role : {"run", "build", "measure"}) {
    const std::string folder = "/proc/" + std::to_string(worker_with_role(role)) + "/fd";
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      EXPECT_NE(std::filesystem::read_symlink(entry.path()), "/dev/zero");
    }
  }
  ::close(log);
}

TEST(LocalRunnerWorkers, EndsAtOnceWithCandidatesInFlight) {
  const Target target = testing::host_target();
  const auto start = std::chrono::steady_clock::now();
  std::map<int, std::string> workers;
  {
    const auto runner = runner_for(target, with_faults("1=run_hang,2=build_hang"));
    for (int64_t trial = 1; trial <= 4; ++trial) runner->submit(small_candidate(trial, target));
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    workers = descendants();
  }
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
  EXPECT_EQ(left_of(workers), 0);
}

TEST(LocalRunnerWorkers, GivesTheCallingThreadItsCoresBack) {
  const std::vector<int> before = allowed_cores();
  {
    const auto runner = runner_for(testing::host_target());
  }
  EXPECT_EQ(allowed_cores(), before);
}

TEST(LocalRunnerWorkers, LeavesTheCallingThreadWhereItIsIfAsked) {
  const std::vector<int> before = allowed_cores();
  const Target target = testing::host_target();
  MeasureOptions options;
  options.pins_caller = false;
  const auto runner = runner_for(target, options);
  EXPECT_EQ(allowed_cores(), before);
  runner->submit(small_candidate(1, target));
  EXPECT_EQ(runner->wait().status, Status::ok);
  EXPECT_EQ(allowed_cores(), before);
}

// The measuring process dies with all that is in flight, which another one then measures.
TEST(LocalRunnerWorkers, NothingInFlightIsLostWithTheMeasuringProcess) {
  const Target target = testing::host_target();
  const auto runner = runner_for(target);
  for (int64_t trial = 1; trial <= 6; ++trial) runner->submit(small_candidate(trial, target));
  EXPECT_EQ(runner->wait().status, Status::ok);
  ASSERT_EQ(::kill(worker_with_role("measure"), SIGKILL), 0);
  for (int64_t trial = 2; trial <= 6; ++trial) {
    const MeasureResult result = runner->wait();
    EXPECT_EQ(result.status, Status::ok) << trial << ": " << result.reason;
  }
}

}  // namespace
}  // namespace dovetail

#endif
