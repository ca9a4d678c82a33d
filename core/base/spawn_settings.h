// SPDX-License-Identifier: Apache-2.0
#pragma once

// SpawnSettings: starts a child process with the descriptors that it is to inherit.
//
//   SpawnSettings settings;
//   settings.open(STDIN_FILENO, "/dev/null", O_RDONLY);
//   settings.hand_over(socket.get(), 3);                 // our socket becomes its descriptor 3
//   const pid_t pid = TRY(settings.start({"/bin/sh", "-c", "cat <&3"}));
//
// The child has a process group of its own, so that Ctrl-C reaches only this process, which then
// ends the child in its own way; no signal blocked or ignored; and only the descriptors handed over
// and, unless replaced, the first three. It is started by posix_spawn and not by fork, because this
// process has threads, and drivers and compilers hold locks.

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

  // The child's descriptor `number` becomes the file, or a copy of `descriptor`, which the caller
  // may close at once.
  void open(int number, const char* path, int flags);
  void hand_over(int descriptor, int number);

  // words[0] is the program's path. `environment`: NAME=value, overriding inherited variables.
  Result<pid_t> start(std::vector<std::string> words,
                      const std::vector<std::string>& environment = {});

 private:
  posix_spawn_file_actions_t actions_;
  posix_spawnattr_t attributes_;
  std::vector<Descriptor> sources_;  // copies, above every number that is handed over
  int first_unused_ = 3;             // descriptors from this number on are closed in the child
};

}  // namespace dovetail
