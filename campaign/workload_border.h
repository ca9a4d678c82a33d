// SPDX-License-Identifier: Apache-2.0
#pragma once

// state_borders: what --border says of the tensors that cross a task's border.
//
//   "framework"   every input and output of every task in row-major order, as frameworks keep them
//   FILE          a line a task, its spec with its border; '#' begins a comment
//
//       c2d:ci=64,co=64,h=56,w=56,k=3,p=1 | X as plain
//       gmm:m=128,n=128,k=128 | X as plain; Y as plain
//
// Without one, tasks stay as they are: free, or as their own text states.

#include <string>

#include "campaign/workloads.h"
#include "core/base/result.h"

namespace dovetail {

// The error names a line of the file that states no border, or of which there is no task.
Result<void> state_borders(const std::string& border, Workloads& workloads);

}  // namespace dovetail
