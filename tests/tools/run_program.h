// SPDX-License-Identifier: Apache-2.0
#pragma once

// The program itself, run as a user runs it, in a folder of its own.

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

namespace dovetail::testing {

// An empty folder that goes away with the object.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  void write(const std::string& name, const std::string& text) const;
  std::vector<std::string> files() const;  // names, sorted
  const std::filesystem::path& folder() const { return folder_; }

 private:
  std::filesystem::path folder_;
};

struct ProgramRun {
  int exit_code = -1;  // 128 + signal when a signal ended it
  std::string out;
  std::string err;
};

// `dovetail ARGUMENTS` with `folder` as working folder.
ProgramRun run_dovetail(const std::vector<std::string>& arguments, const TemporaryFolder& folder);

// The same, on its way: to be sent a signal.
class StartedProgram {
 public:
  StartedProgram(const std::vector<std::string>& arguments, const TemporaryFolder& folder);
  void send(int signal) const;
  bool is_running();
  ProgramRun wait();

 private:
  pid_t pid_ = -1;
  bool ended_ = false;
  int status_ = 0;
  std::string out_path_, err_path_;
};

size_t count_lines(const std::string& text);

}  // namespace dovetail::testing
