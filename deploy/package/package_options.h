// SPDX-License-Identifier: Apache-2.0
#pragma once

// PackageOptions: the forms that a package may take, none of which changes what it computes.

#include <cstdint>
#include <string>

namespace dovetail {

enum class WorkspaceForm : uint8_t {
  caller,   // an argument of NAME_run: re-entrant, and two models may share one
  internal  // a static array of the library: nothing to give, but one run at a time
};

enum class WeightsForm : uint8_t {
  file,  // share/NAME/NAME.weights, which the program maps or reads
  embed  // an object in the archive: NAME_weights
};

struct PackageOptions {
  std::string name;  // of the package: a C identifier
  WorkspaceForm workspace = WorkspaceForm::caller;
  WeightsForm weights = WeightsForm::file;
  std::string archive = {};  // lib/libNAME.a; empty: whoever has it adds it, with with_file()
};

}  // namespace dovetail
