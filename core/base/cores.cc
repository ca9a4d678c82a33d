// SPDX-License-Identifier: Apache-2.0
#include "core/base/cores.h"

#include <sched.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <string>

namespace dovetail {
namespace {

// "3,7" for cores 3 and 7 of one physical core; empty where there is no such file.
std::string siblings_of(int core) {
  std::ifstream file("/sys/devices/system/cpu/cpu" + std::to_string(core) +
                     "/topology/thread_siblings_list");
  std::string line;
  std::getline(file, line);
  return line;
}

void append(std::vector<int>& to, const std::vector<int>& cores) {
  to.insert(to.end(), cores.begin(), cores.end());
}

}  // namespace

std::vector<int> allowed_cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  std::vector<int> cores;
  if (::sched_getaffinity(0, sizeof(set), &set) != 0) return {0};
  for (int core = 0; core < CPU_SETSIZE; ++core)
    if (CPU_ISSET(core, &set)) cores.push_back(core);
  return cores;
}

bool pin_calling_thread(const std::vector<int>& cores) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (int core : cores) CPU_SET(core, &set);
  return ::sched_setaffinity(0, sizeof(set), &set) == 0;
}

std::vector<std::vector<int>> physical_cores() {
  std::vector<std::vector<int>> physical;
  std::map<std::string, size_t> known;
  for (const int core : allowed_cores()) {
    const std::string siblings = siblings_of(core);
    const auto [place, is_new] = known.emplace(siblings, physical.size());
    if (is_new || siblings.empty())
      physical.push_back({core});
    else
      physical[place->second].push_back(core);
  }
  return physical;
}

CoreSplit split_cores(const std::vector<std::vector<int>>& physical, size_t timed) {
  size_t most = 0;
  for (const std::vector<int>& threads : physical) most = std::max(most, threads.size());
  // Takes one thread of each physical core, last core first; then a second one of each, and so on.
  CoreSplit split;
  for (size_t thread = 0; thread < most; ++thread) {
    for (auto threads = physical.rbegin(); threads != physical.rend(); ++threads) {
      if (thread >= threads->size() || split.timed.size() == timed) continue;
      split.timed.push_back((*threads)[thread]);
    }
  }
  const auto is_timed = [&](int core) {
    return std::ranges::find(split.timed, core) != split.timed.end();
  };
  for (const std::vector<int>& threads : physical) {
    const bool any = std::ranges::any_of(threads, is_timed);
    append(any ? split.beside : split.rest, threads);
  }
  std::erase_if(split.beside, is_timed);
  split.shared = split.rest.empty();
  if (split.shared) {
    append(split.rest, split.timed);
    append(split.rest, split.beside);
  }
  std::ranges::sort(split.timed);
  std::ranges::sort(split.beside);
  std::ranges::sort(split.rest);
  return split;
}

}  // namespace dovetail
