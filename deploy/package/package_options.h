// SPDX-License-Identifier: Apache-2.0
#pragma once

// PackageOptions: the forms of a package, none of which changes its results.

#include <cstdint>
#include <string>

namespace dovetail {

enum class WorkspaceForm : uint8_t {
  caller,   // an argument of NAME_run: re-entrant, and two models may share one
  internal  // a static array of the library: no argument, but one run at a time
};

enum class WeightsForm : uint8_t {
  file,  // share/NAME/NAME.weights, which the program maps or reads
  embed  // an object in the archive: NAME_weights
};

struct PackageOptions {
  std::string name;  // a C identifier
  WorkspaceForm workspace = WorkspaceForm::caller;
  WeightsForm weights = WeightsForm::file;
  std::string archive = {};  // lib/libNAME.a; empty: added later, by with_file()
};

}  // namespace dovetail
