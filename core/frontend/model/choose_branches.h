// SPDX-License-Identifier: Apache-2.0
#pragma once

// choose_between_branches: replaces an If whose condition is known only at run time by nodes.
//
//   If (c) {then: o = Relu (x), else: o = Neg (x)} -> y       becomes
//   y/then/o = Relu (x);  y/else/o = Neg (x);  y = Where (c, y/then/o, y/else/o)
//
// Both branches are computed, because a body has no side effects.

#include <string>
#include <string_view>
#include <vector>

namespace onnx {
class ModelProto;
}

namespace dovetail {

// An output of such an If, for which both branches must have the same shape.
struct BranchChoice {
  std::string node;    // the If's name
  std::string prefix;  // prefix of all names inside its branches
  std::string output;
  // The only input of the model that the condition depends on, if it is one number; else empty.
  std::string input;
};
std::vector<BranchChoice> choose_between_branches(onnx::ModelProto& model);

// A hint to append to a message about a branch or its results; empty for any other message:
//   "; --constant sr=VALUE fixes the input that node If_0 depends on"
std::string constant_hint(const std::vector<BranchChoice>& choices, std::string_view message);

}  // namespace dovetail
