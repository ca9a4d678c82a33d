// SPDX-License-Identifier: Apache-2.0
#include "measure/worker/faults.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <vector>

#include "core/base/fail.h"
#include "core/base/text.h"
#include "measure/supervisor/child_process.h"

namespace dovetail {
namespace {

constexpr int kExitCode = 3;
constexpr size_t kHugeStepBytes = size_t{64} << 20;

void crash() {
  volatile uintptr_t nowhere = 64;  // on the page that is never mapped
  *reinterpret_cast<volatile int*>(nowhere) = 1;
}

[[noreturn]] void hang() {
  while (true) ::pause();
}

void write_garbage() {
  const std::string garbage(64, 'g');
  [[maybe_unused]] const ssize_t written = ::write(kWorkerSocket, garbage.data(), garbage.size());
  hang();
}

[[noreturn]] void allocate_until_stopped() {
  while (true) {
    volatile char* block = new char[kHugeStepBytes];
    block[0] = 1;
  }
}

constexpr std::array<std::string_view, 15> kFaults = {
    "build_crash", "build_hang", "build_exit", "build_garbage", "build_huge",
    "run_crash",   "run_hang",   "run_exit",   "run_garbage",   "run_huge",
    "run_before",  "run_after",  "run_lost",   "time_crash",    "time_hang",
};

}  // namespace

Result<Faults> parse_faults(std::string_view text) {
  Faults faults;
  if (text.empty()) return faults;
  for (const std::string_view entry : split(text, ',')) {
    const size_t equals = std::min(entry.find('='), entry.size());
    const auto trial = read_number<int64_t>(entry.substr(0, equals));
    const auto known = std::ranges::find(kFaults, entry.substr(std::min(equals + 1, entry.size())));
    if (!trial || known == kFaults.end())
      return fail("fault {}: expected TRIAL=FAULT with one of {}", entry, fmt::join(kFaults, " "));
    faults[*trial] = *known;
  }
  return faults;
}

std::string print(const Faults& faults) {
  std::vector<std::string> entries;
  for (const auto& [trial, fault] : faults) entries.push_back(fmt::format("{}={}", trial, fault));
  return fmt::format("{}", fmt::join(entries, ","));
}

std::string fault_of(const Faults& faults, int64_t trial) {
  const auto found = faults.find(trial);
  return found == faults.end() ? "" : found->second;
}

void commit_fault(std::string_view fault, std::string_view phase) {
  if (!fault.starts_with(fmt::format("{}_", phase))) return;
  const std::string_view kind = fault.substr(phase.size() + 1);
  if (kind == "crash") crash();
  if (kind == "hang") hang();
  if (kind == "exit") ::exit(kExitCode);
  if (kind == "garbage") write_garbage();
  if (kind == "huge") allocate_until_stopped();
}

}  // namespace dovetail
