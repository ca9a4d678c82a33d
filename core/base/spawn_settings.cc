// SPDX-License-Identifier: Apache-2.0
#include "core/base/spawn_settings.h"

#include <fcntl.h>
#include <signal.h>

#include <algorithm>
#include <cstring>
#include <string_view>

extern char** environ;

namespace dovetail {
namespace {

constexpr int kLowestSource = 64;

std::string_view name_of_variable(std::string_view entry) {
  return entry.substr(0, entry.find('='));
}

std::vector<std::string> merged_environment(const std::vector<std::string>& ours) {
  std::vector<std::string> merged = ours;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const bool replaced = std::ranges::any_of(ours, [&](const std::string& setting) {
      return name_of_variable(setting) == name_of_variable(*entry);
    });
    if (!replaced) merged.emplace_back(*entry);
  }
  return merged;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> result;
  for (std::string& text : texts) result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

}  // namespace

SpawnSettings::SpawnSettings() {
  posix_spawn_file_actions_init(&actions_);
  posix_spawnattr_init(&attributes_);
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&attributes_, &none);
  posix_spawnattr_setsigdefault(&attributes_, &all);
  posix_spawnattr_setpgroup(&attributes_, 0);
  posix_spawnattr_setflags(&attributes_,
                           POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
}

SpawnSettings::~SpawnSettings() {
  posix_spawn_file_actions_destroy(&actions_);
  posix_spawnattr_destroy(&attributes_);
}

void SpawnSettings::open(int number, const char* path, int flags) {
  posix_spawn_file_actions_addopen(&actions_, number, path, flags, 0);
  first_unused_ = std::max(first_unused_, number + 1);
}

void SpawnSettings::hand_over(int descriptor, int number) {
  sources_.emplace_back(::fcntl(descriptor, F_DUPFD_CLOEXEC, kLowestSource));
  posix_spawn_file_actions_adddup2(&actions_, sources_.back().get(), number);
  first_unused_ = std::max(first_unused_, number + 1);
}

Result<pid_t> SpawnSettings::start(std::vector<std::string> words,
                                   const std::vector<std::string>& environment) {
  posix_spawn_file_actions_addclosefrom_np(&actions_, first_unused_);
  std::vector<std::string> variables = merged_environment(environment);
  pid_t pid = -1;
  const int error = ::posix_spawn(&pid, words[0].c_str(), &actions_, &attributes_,
                                  pointers(words).data(), pointers(variables).data());
  if (error != 0) return fail("cannot start " + words[0] + ": " + std::strerror(error));
  return pid;
}

}  // namespace dovetail
