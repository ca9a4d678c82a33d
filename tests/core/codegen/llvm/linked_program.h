// SPDX-License-Identifier: Apache-2.0
//
// A C program, linked with objects or archives by the host's C compiler, and run.
//
//   const LinkedProgram program("int main(void) { return f() != 3; }", {{"f.o", bytes}});
//   EXPECT_EQ(program.run(), 0);
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tests/support/temporary_folder.h"

namespace dovetail::testing {

bool is_program_there(const std::string& name);

class LinkedProgram {
 public:
  using File = std::pair<std::string, std::string>;  // name, bytes
  LinkedProgram(const std::string& main, const std::vector<File>& files,
                const std::string& flags = "");

  bool links() const { return links_; }
  int run() const;             // its exit status, -1 where it ended otherwise or does not link
  std::string output() const;  // all that the compiler and the linker said

 private:
  TemporaryFolder folder_;
  bool links_ = false;
};

}  // namespace dovetail::testing
