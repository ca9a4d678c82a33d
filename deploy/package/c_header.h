// SPDX-License-Identifier: Apache-2.0
#pragma once

// include/NAME.h: what a C or C++ program sees of a network. See the example in docs, or any
// package: the text is written to be read, and says all there is to know for using it.
//
//   c_header(interface, build, options)
//
//   #define POSE_WORKSPACE_BYTES 6021120u
//   typedef struct pose_inputs { const float* image; … } pose_inputs;
//   pose_status pose_run(const pose* model, const pose_inputs* inputs, const pose_outputs* outputs,
//                        void* workspace);
//
// Its forms: the workspace is an argument, or the library's (`internal`); several pools make it a
// struct of pointers, and likewise several files of weights. `#define pose_init pose_init_5e1f0c2a`
// carries the build's id into the name that is linked, so that the header of one build and the
// library of another do not link, which no check at run time can do as early.
//
// C99, C11, C++11 and up.

#include <string>
#include <string_view>

#include "deploy/package/filled_text.h"
#include "deploy/package/package_interface.h"
#include "deploy/package/package_options.h"

namespace dovetail {

inline constexpr int kPackageAbi = 1;  // of the header's shape

struct BuildNames {
  std::string id;         // 64 hexadecimal digits
  std::string tool;       // "dovetail 0.2.0"
  std::string model;      // the model's SHA-256
  std::string processor;  // "x86-64-v4": what the code is for, in words
  std::string system;     // the triple
};

std::string c_header(const PackageInterface& interface, const BuildNames& build,
                     const PackageOptions& options);

// Shared by the header, the driver and the examples. ---------------------------------------------

// @name@, @NAME@, @id@, @id8@, and how the forms differ: parameters and the words of comments.
TextWords form_words(const PackageInterface& interface, const BuildNames& build,
                     const PackageOptions& options);

// `602112u`: a number of bytes as a macro has it.
std::string size_literal(int64_t bytes);

// The macros of inputs and outputs; and @inputs@, @outputs@: the structs of their pointers.
std::string tensor_sizes(const PackageInterface& interface);
void add_tensor_structs(TextWords& words, const PackageInterface& interface);

// A text of others as it may stand in a C comment: on one line, without its end.
std::string in_comment(std::string_view text);

}  // namespace dovetail
