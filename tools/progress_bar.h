// SPDX-License-Identifier: Apache-2.0
#pragma once

// ProgressBar: draws the Progress of the tasks of a campaign on stderr: one live line on a
// terminal, a line every few seconds elsewhere.
//
//   [2/13] conv1  ####------ 120/300  117 valid, 3 failed (timeout 2, wrong_output 1)
//          best 850.2 us  272.0 GFLOP/s  91 % of peak  ETA 12 s, all 3 min 05 s        (one line)

#include <cstdio>
#include <optional>
#include <string>

#include "campaign/listener.h"
#include "core/base/stopwatch.h"
#include "search/progress.h"

namespace dovetail {

// The line has no colours and control characters, and at most `width` characters if that is not 0.
std::string draw_progress(const Progress& progress, const TaskTurn& turn, size_t width);

class ProgressBar {
 public:
  explicit ProgressBar(std::FILE* stream);
  ~ProgressBar();  // ends the live line
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  // Draws the bar if it is time to, on the same line: tasks may take turns.
  void update(const TaskTurn& turn, const Progress& progress);
  // Ends the task's line with its last state.
  void end();
  // Writes a message on a line of its own, without tearing the live line.
  void note(const std::string& message);

 private:
  void draw(const Progress& progress);
  void clear_line();
  size_t width() const;

  std::FILE* stream_;
  bool live_;
  TaskTurn turn_;
  std::optional<Progress> last_;
  std::optional<double> drawn_seconds_;  // time of the last drawing, by watch_
  bool line_open_ = false;
  Stopwatch watch_;
};

// The listener shows progress as a bar on stderr and messages after "dovetail: ", and stops the
// work after Ctrl-C.
Listener listener_on_stderr();

}  // namespace dovetail
