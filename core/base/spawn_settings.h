// SPDX-License-Identifier: Apache-2.0
#pragma once

// SpawnSettings: what a program that we start is handed, and its start.
//
//   SpawnSettings settings;
//   settings.open(STDIN_FILENO, "/dev/null", O_RDONLY);
//   settings.hand_over(socket.get(), 3);                 // our socket becomes its descriptor 3
//   const pid_t pid = TRY(settings.start({"/bin/sh", "-c", "cat <&3"}));
//
// It has a process group of its own, so that Ctrl-C ends us our way and not the program; no signal
// blocked or ignored; of our descriptors what it was handed and, where nothing took their place,
// the first three. posix_spawn and not fork: we have threads, and drivers and compilers hold locks.

#include <spawn.h>

#include <string>
#include <vector>

#include "core/base/descriptor.h"
#include "core/base/result.h"

namespace dovetail {

class SpawnSettings {
 public:
  SpawnSettings();
  ~SpawnSettings();
  SpawnSettings(const SpawnSettings&) = delete;
  SpawnSettings& operator=(const SpawnSettings&) = delete;

  // Its descriptor `number` is a file, or a copy of ours. What is handed over may be closed here at
  // once.
  void open(int number, const char* path, int flags);
  void hand_over(int descriptor, int number);

  // words[0] is the program's path. `environment`: NAME=value, in place of ours of the same name.
  Result<pid_t> start(std::vector<std::string> words,
                      const std::vector<std::string>& environment = {});

 private:
  posix_spawn_file_actions_t actions_;
  posix_spawnattr_t attributes_;
  std::vector<Descriptor> sources_;  // copies, above every number that is handed over
  int first_unused_ = 3;             // of its descriptors, which it has none from
};

}  // namespace dovetail
