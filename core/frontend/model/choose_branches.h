// SPDX-License-Identifier: Apache-2.0
#pragma once

// choose_between_branches: an If whose condition is only known at run time, as nodes.
//
//   If (c) {then: o = Relu (x), else: o = Neg (x)} -> y       becomes
//   y/then/o = Relu (x);  y/else/o = Neg (x);  y = Where (c, y/then/o, y/else/o)
//
// Both branches are computed: a body has no effect but its outputs.

#include <string>
#include <string_view>
#include <vector>

namespace onnx {
class ModelProto;
}

namespace dovetail {

// An output of such an If; both branches must give it the same shape.
struct BranchChoice {
  std::string node;    // the If's
  std::string prefix;  // of the names of what is in its branches
  std::string output;
  // The only input of the model that the condition depends on, if it is one number; else empty.
  std::string input;
};
std::vector<BranchChoice> choose_between_branches(onnx::ModelProto& model);

// The hint follows a message about a branch or its results, and is empty behind any other:
//   "; --constant sr=VALUE fixes the input that node If_0 depends on"
std::string constant_hint(const std::vector<BranchChoice>& choices, std::string_view message);

}  // namespace dovetail
