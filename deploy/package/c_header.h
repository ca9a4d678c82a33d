// SPDX-License-Identifier: Apache-2.0
#pragma once

// include/NAME.h: a network's interface for C and C++ programs. See the example in docs, or any
// package: the text is meant to be read, and documents all of its use.
//
//   c_header(interface, build, options)
//
//   #define POSE_WORKSPACE_BYTES 6021120u
//   typedef struct pose_inputs { const float* image; … } pose_inputs;
//   pose_status pose_run(const pose* model, const pose_inputs* inputs, const pose_outputs* outputs,
//                        void* workspace);
//
// Its forms: the workspace is an argument, or static in the library (`internal`); several pools
// become a struct of pointers, and so do several weights files. `#define pose_init
// pose_init_5e1f0c2a` puts the build's id into the linked symbol, so that the header of one build
// and the library of another do not link, earlier than any check at run time.
//
// C99, C11, C++11 and up.

#include <string>
#include <string_view>

#include "deploy/package/filled_text.h"
#include "deploy/package/package_interface.h"
#include "deploy/package/package_options.h"

namespace dovetail {

inline constexpr int kPackageAbi = 1;  // version of the header's declarations

struct BuildNames {
  std::string id;           // 64 hexadecimal digits
  std::string tool;         // "dovetail 0.2.0"
  std::string model;        // the model's SHA-256
  std::string processor;    // "x86-64-v4": what the code is for, in words
  std::string beyond = {};  // lines: features that the code needs and `processor` does not promise
  std::string system;       // the triple
};

std::string c_header(const PackageInterface& interface, const BuildNames& build,
                     const PackageOptions& options);

// Shared by the header, the driver and the examples. ---------------------------------------------

// @name@, @NAME@, @id@, @id8@, and the parameters and comments that depend on the form.
TextWords form_words(const PackageInterface& interface, const BuildNames& build,
                     const PackageOptions& options);

// `602112u`: a number of bytes as a literal of C.
std::string size_literal(int64_t bytes);

// Macros of the sizes of inputs and outputs; and @inputs@, @outputs@: structs of pointers to them.
std::string tensor_sizes(const PackageInterface& interface);
void add_tensor_structs(TextWords& words, const PackageInterface& interface);

// An external text made safe for a C comment: on one line, without the comment's delimiters.
std::string in_comment(std::string_view text);

}  // namespace dovetail
