// SPDX-License-Identifier: Apache-2.0
#pragma once

// Turns a model's names into identifiers of C and C++.
//
//   CNames names("pose");
//   names.add("heatmaps:0")    heatmaps_0
//   names.add("heatmaps-0")    heatmaps_0_2        taken
//   names.add("Heatmaps_0")    Heatmaps_0_3        macros are in capitals: POSE_HEATMAPS_0_BYTES
//   names.add("class")         class_              a keyword of C++
//   names.add("205")           tensor_205
//   check_package_name("signal")    error: <signal.h> has it, and a header declares both
//
// Why case is ignored: a tensor has a struct member, and macros for its size and shape.

#include <set>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace dovetail {

std::string in_capitals(std::string_view name);

// Accepts an identifier that is neither reserved by the languages nor in their standard headers.
Result<void> check_package_name(std::string_view name);

class CNames {
 public:
  explicit CNames(std::string_view package) : macro_(in_capitals(package)) {}
  // An identifier similar to the name and different from all earlier ones.
  std::string add(std::string_view name);
  // Reserves a name.
  void keep(std::string_view name) { taken_.insert(in_capitals(name)); }

 private:
  std::string macro_;
  std::set<std::string> taken_;  // in capitals
};

}  // namespace dovetail
