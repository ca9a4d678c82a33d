// SPDX-License-Identifier: Apache-2.0
#pragma once

// C programs that use the sample package as its users would; each prints the line that failed and
// exits with 1. with_includes() puts the package's headers in front.

#include <initializer_list>
#include <string>
#include <string_view>

namespace dovetail::testing {

inline std::string with_includes(std::string_view program,
                                 std::initializer_list<const char*> headers) {
  std::string text;
  for (const char* header : headers) text += "#include \"" + std::string(header) + "\"\n";
  return text + std::string(program);
}

extern const char* const kPoseProgram;      // the default form: outputs, statuses, threads
extern const char* const kInternalProgram;  // workspace and weights inside
extern const char* const kPoolProgram;      // two pools of each
extern const char* const kVariantProgram;   // two instruction sets, CPUID by the test
extern const char* const kChoiceProgram;    // the same on this processor: says which it was
extern const char* const kThreadedProgram;  // sixteen threads, one model
extern const char* const kTwoProgram;       // pose and face in one program
extern const char* const kBareProgram;      // internal and embedded, without a C library
extern const char* const kCppProgram;       // a user in C++11
extern const char* const kMarkedV4Kernels;  // the better one: outputs are negative

}  // namespace dovetail::testing
