// SPDX-License-Identifier: Apache-2.0
#include "tests/tools/run_program.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/support/golden.h"

namespace dovetail::testing {
namespace {

std::string text_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string unique_path(const char* what) {
  static int number = 0;
  return (std::filesystem::temp_directory_path() /
          ("dovetail-test-" + std::to_string(getpid()) + "-" + std::to_string(++number) + what))
      .string();
}

void redirect(int descriptor, const std::string& path) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (file < 0 || dup2(file, descriptor) < 0) _exit(127);
  close(file);
}

}  // namespace

StartedProgram::StartedProgram(const std::vector<std::string>& arguments,
                               const TemporaryFolder& folder)
    : StartedProgram((binary_dir() / "dovetail").string(), arguments, folder) {}

StartedProgram::StartedProgram(std::string program, const std::vector<std::string>& arguments,
                               const TemporaryFolder& folder)
    : out_path_(unique_path(".out")), err_path_(unique_path(".err")) {
  std::vector<std::string> words{program};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  const std::string working_folder = folder.folder().string();
  pid_ = fork();
  if (pid_ == 0) {
    std::signal(SIGHUP, SIG_DFL);  // the tests themselves may run under nohup
    if (chdir(working_folder.c_str()) != 0) _exit(127);
    redirect(STDIN_FILENO, "/dev/null");
    redirect(STDOUT_FILENO, out_path_);
    redirect(STDERR_FILENO, err_path_);
    execv(program.c_str(), pointers.data());
    _exit(127);
  }
}

void StartedProgram::send(int signal) const {
  if (!ended_) kill(pid_, signal);
}

bool StartedProgram::is_running() {
  if (!ended_ && waitpid(pid_, &status_, WNOHANG) == pid_) ended_ = true;
  return !ended_;
}

ProgramRun StartedProgram::wait() {
  if (!ended_) waitpid(pid_, &status_, 0);
  ended_ = true;
  ProgramRun run{.exit_code = WIFEXITED(status_) ? WEXITSTATUS(status_) : 128 + WTERMSIG(status_),
                 .out = text_of(out_path_),
                 .err = text_of(err_path_)};
  std::filesystem::remove(out_path_);
  std::filesystem::remove(err_path_);
  return run;
}

ProgramRun run_dovetail(const std::vector<std::string>& arguments, const TemporaryFolder& folder) {
  return StartedProgram(arguments, folder).wait();
}

ProgramRun run_copied_dovetail(const std::vector<std::string>& arguments,
                               const TemporaryFolder& folder) {
  for (const char* name : {"dovetail", "dovetail-worker"})
    std::filesystem::copy_file(binary_dir() / name, folder.path(name));
  return StartedProgram(folder.path("dovetail"), arguments, folder).wait();
}

size_t count_lines(const std::string& text) {
  return static_cast<size_t>(std::count(text.begin(), text.end(), '\n'));
}

}  // namespace dovetail::testing
