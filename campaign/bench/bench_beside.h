// SPDX-License-Identifier: Apache-2.0
#pragma once

// Beside: the best of another log, to be timed beside the best of --log: loops searched in one
// layout, another strategy, another version.
//
//   --beside nohw=nohw.jsonl     a column called nohw
//   --beside default=none        the default traces
//
// A task that such a log does not have, or whose trace this version refuses, has nothing in that
// column, and one note says why: a default trace in its place would look like the best of
// a search.

#include <optional>
#include <string>
#include <vector>

#include "campaign/listener.h"
#include "campaign/recorded_tasks.h"
#include "core/base/result.h"

namespace dovetail {

// In place of a log: default traces; in place of peers: none.
inline constexpr const char* kNone = "none";

struct Beside {
  std::string name;
  std::vector<std::optional<RecordedTask>> tasks;  // one a task of --log, in its order
};

// `given` as the command line has it, NAME=LOG. The error names what is wrong with one.
Result<std::vector<Beside>> read_beside(const std::vector<std::string>& given,
                                        const RecordedTasks& recorded, const Listener& listener);

}  // namespace dovetail
