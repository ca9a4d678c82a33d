// SPDX-License-Identifier: Apache-2.0
#pragma once

// Suite: a text file of named regions, each with an optional border; the workload `@FILE`.
//
//   # every line is a comment, empty, or: name = spec
//   conv1 = c2d:ci=3,co=64,h=224,w=224,k=7,s=2,p=3+bias+relu   # a comment may follow
//   pool1 = Y[c,h,w] max= X[c,2*h+r,2*w+s] : c=64,h=56,w=56,r=2,s=2
//
// Names are letters, digits and _ . - and occur once; an error names file and line.

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/ir/region/task_spec.h"

namespace dovetail {

struct SuiteEntry {
  std::string name;
  KeyedTask spec;
  friend bool operator==(const SuiteEntry&, const SuiteEntry&) = default;
};

using Suite = std::vector<SuiteEntry>;  // in the order of the file, never empty

// `file`: name for messages.
Result<Suite> parse_suite(std::string_view text, std::string_view file);
Result<Suite> read_suite(const std::string& path);
std::string print(const Suite& suite);

}  // namespace dovetail
