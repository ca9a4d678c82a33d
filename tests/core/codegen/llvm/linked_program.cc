// SPDX-License-Identifier: Apache-2.0
#include "tests/core/codegen/llvm/linked_program.h"

#include <fmt/format.h>
#include <sys/wait.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

namespace dovetail::testing {

bool is_program_there(const std::string& name) {
  return std::system(("command -v " + name + " > /dev/null 2>&1").c_str()) == 0;
}

LinkedProgram::LinkedProgram(const std::string& main, const std::vector<File>& files,
                             const std::string& flags) {
  folder_.write("main.c", main);
  std::string names;
  for (const auto& [name, bytes] : files) {
    folder_.write(name, bytes);
    names += " " + name;
  }
  const std::string command = fmt::format("cd '{}' && cc {} main.c{} -o main > said 2>&1",
                                          folder_.folder().string(), flags, names);
  links_ = std::system(command.c_str()) == 0;
}

int LinkedProgram::run() const {
  if (!links_) return -1;
  const int status = std::system(fmt::format("'{}'", folder_.path("main")).c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

std::string LinkedProgram::output() const {
  std::ifstream file(folder_.path("said"));
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace dovetail::testing
