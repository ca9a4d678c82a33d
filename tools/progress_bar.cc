// SPDX-License-Identifier: Apache-2.0
#include "tools/progress_bar.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <memory>

#include "core/base/printable.h"
#include "report/tables/data_table.h"
#include "tools/colour.h"
#include "tools/interrupt.h"

namespace dovetail {
namespace {

constexpr double kLiveSeconds = 0.1;  // between two drawings on a terminal
constexpr double kLineSeconds = 5;    // between two lines elsewhere
constexpr int64_t kBarCells = 20;
constexpr int64_t kNarrowBarCells = 10;

std::string duration(double seconds) {
  const auto whole = static_cast<int64_t>(std::max(seconds, 0.0) + 0.5);
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole % 3600 / 60);
}

std::string bar(double share, int64_t cells) {
  const auto filled = static_cast<size_t>(std::clamp(share, 0.0, 1.0) * static_cast<double>(cells));
  return std::string(filled, '#') + std::string(static_cast<size_t>(cells) - filled, '-');
}

double share_of(int64_t trials, int64_t most) {
  return static_cast<double>(trials) / static_cast<double>(std::max<int64_t>(most, 1));
}

// A resumed campaign of more trials than are asked now only goes through them again.
std::string count_of(int64_t trials, int64_t most) {
  if (trials <= most) return fmt::format("{}/{}", trials, most);
  return fmt::format("{} trials, {} asked: nothing to add", trials, most);
}

// "##-- 120/300", under a limit of seconds "##-- 120/1000, 9 s/15 s", for a shared budget "##-- all
// 120/300", in seconds if it has no limit of trials.
std::string bar_and_count(const Progress& progress, const TaskTurn& turn, int64_t cells) {
  if (!turn.shared) {
    const double of_trials = share_of(progress.trials, progress.max_trials);
    const std::string count = count_of(progress.trials, progress.max_trials);
    if (!progress.max_seconds) return bar(of_trials, cells) + " " + count;
    return fmt::format(
        "{} {}, {}/{}",
        bar(std::max(of_trials, progress.elapsed_seconds / *progress.max_seconds), cells), count,
        duration(progress.elapsed_seconds), duration(*progress.max_seconds));
  }
  const SharedBudget& all = *turn.shared;
  const double of_time = all.max_seconds ? all.seconds / *all.max_seconds : 0;
  if (!all.max_trials) {
    return fmt::format("{} all {}, {}/{}", bar(of_time, cells), all.trials, duration(all.seconds),
                       duration(all.max_seconds.value_or(0)));
  }
  return fmt::format("{} all {}",
                     bar(std::max(of_time, share_of(all.trials, *all.max_trials)), cells),
                     count_of(all.trials, *all.max_trials));
}

int64_t number_failed(const Progress& progress) {
  int64_t count = 0;
  for (const auto& [status, number] : progress.failed) count += number;
  return count;
}

std::string failures(const Progress& progress) {
  std::string reasons;
  for (const auto& [status, number] : progress.failed)
    reasons += fmt::format("{}{} {}", reasons.empty() ? "" : ", ", print(status), number);
  const int64_t count = number_failed(progress);
  return count == 0 ? "0 failed" : fmt::format("{} failed ({})", count, reasons);
}

std::string best(const Progress& progress, const TaskTurn& turn) {
  if (!progress.best_seconds) return "no best yet";
  std::string text = fmt::format("best {} us", microseconds(*progress.best_seconds));
  if (turn.nominal_flops == 0) return text;  // it only moves data
  const double gflops = turn.nominal_flops / *progress.best_seconds * 1e-9;
  text += fmt::format("  {:.1f} GFLOP/s", gflops);
  if (turn.peak_gflops) text += fmt::format("  {:.1f} % of peak", 100 * gflops / *turn.peak_gflops);
  // GFLOP/s count the definition's operations, so another algorithm may pass the peak.
  const std::string& algorithm = progress.best_algorithm;
  if (!algorithm.empty() && algorithm != "direct") text += " by " + algorithm;
  return text;
}

std::string remaining(const Progress& progress, const TaskTurn& turn) {
  if (progress.phase == Phase::confirming)
    return progress.remaining_seconds
               ? fmt::format("confirming the best, ETA {}", duration(*progress.remaining_seconds))
               : "confirming the best";
  // The pace of what logs hold says nothing of proposals that they lack.
  if (turn.is_from_logs && progress.misses > 0)
    return fmt::format("this round {} of at most {} misses", progress.misses, progress.most_misses);
  if (turn.is_from_logs || !progress.remaining_seconds) return "ETA -";
  if (turn.shared) return fmt::format("ETA all {}", duration(*progress.remaining_seconds));
  std::string text = fmt::format("ETA {}", duration(*progress.remaining_seconds));
  const auto tasks_left = static_cast<double>(turn.count - turn.number);
  if (tasks_left > 0) {
    const double task_seconds = progress.elapsed_seconds + *progress.remaining_seconds;
    text +=
        fmt::format(", all {}", duration(*progress.remaining_seconds + tasks_left * task_seconds));
  }
  return text;
}

// The line for a narrow terminal: its end is kept, and the task's name is cut off.
std::string draw_narrow(const Progress& progress, const TaskTurn& turn, size_t width) {
  const bool confirming = progress.phase == Phase::confirming;
  std::string rest = fmt::format(" {} {} failed", bar_and_count(progress, turn, kNarrowBarCells),
                                 number_failed(progress));
  if (turn.is_from_logs) rest += fmt::format(" {} rejected", progress.rejected);
  if (progress.best_seconds)
    rest += fmt::format(" best {} us", microseconds(*progress.best_seconds));
  if (confirming)
    rest += " confirming";
  else if (turn.is_from_logs && progress.misses > 0)
    rest += fmt::format(" {}/{} misses", progress.misses, progress.most_misses);
  else
    rest += " " + remaining(progress, turn);
  std::string line = fmt::format("[{}/{}] ", turn.number, turn.count);
  if (line.size() + rest.size() < width)
    line += printable(progress.task).substr(0, width - line.size() - rest.size());
  line += rest;
  if (line.size() > width) line.resize(width);
  return line;
}

// Colours failures in a drawn line red, with their reasons or, on a narrow terminal, without.
std::string with_red_failures(const std::string& line, const Progress& progress,
                              std::FILE* stream) {
  if (number_failed(progress) == 0) return line;
  for (const std::string& text :
       {failures(progress), fmt::format("{} failed", number_failed(progress))}) {
    const size_t at = line.find(text);
    if (at != std::string::npos)
      return line.substr(0, at) + in_red(text, stream) + line.substr(at + text.size());
  }
  return line;
}

}  // namespace

std::string draw_progress(const Progress& progress, const TaskTurn& turn, size_t width) {
  const std::string rejected =
      turn.is_from_logs ? fmt::format(", {} rejected", progress.rejected) : "";
  const std::string line = fmt::format(
      "[{}/{}] {}  {}  {} valid, {}{}  {}  {}", turn.number, turn.count, printable(progress.task),
      bar_and_count(progress, turn, kBarCells), progress.valid, failures(progress), rejected,
      best(progress, turn), remaining(progress, turn));
  if (width == 0 || line.size() <= width) return line;
  return draw_narrow(progress, turn, width);
}

ProgressBar::ProgressBar(std::FILE* stream) : stream_(stream), live_(isatty(fileno(stream)) == 1) {}

ProgressBar::~ProgressBar() { end(); }

void ProgressBar::update(const TaskTurn& turn, const Progress& progress) {
  turn_ = turn;
  last_ = progress;
  const double now = watch_.seconds();
  if (!drawn_seconds_ && !live_) drawn_seconds_ = now;  // the first line after the first interval
  if (drawn_seconds_ && now - *drawn_seconds_ < (live_ ? kLiveSeconds : kLineSeconds)) return;
  drawn_seconds_ = now;
  draw(progress);
}

void ProgressBar::end() {
  if (last_) {
    draw(*last_);
    if (line_open_) std::fputc('\n', stream_);
    std::fflush(stream_);
  }
  line_open_ = false;
  last_.reset();
  drawn_seconds_.reset();
}

void ProgressBar::note(const std::string& message) {
  clear_line();
  std::fprintf(stream_, "%s\n", printable(message).c_str());
  std::fflush(stream_);
}

void ProgressBar::draw(const Progress& progress) {
  clear_line();
  const std::string line = draw_progress(progress, turn_, live_ ? width() : 0);
  std::fputs(with_red_failures(line, progress, stream_).c_str(), stream_);
  if (!live_) std::fputc('\n', stream_);
  std::fflush(stream_);
  line_open_ = live_;
}

void ProgressBar::clear_line() {
  if (line_open_) std::fputs("\r\033[K", stream_);
  line_open_ = false;
}

size_t ProgressBar::width() const {
  struct winsize size = {};
  if (ioctl(fileno(stream_), TIOCGWINSZ, &size) != 0 || size.ws_col < 20) return 79;
  return size.ws_col - 1u;
}

Listener listener_on_stderr() {
  const auto bar = std::make_shared<ProgressBar>(stderr);
  return {.note = [bar](const std::string& line) { bar->note("dovetail: " + line); },
          .interrupted = interrupted,
          .progress = [bar](const TaskTurn& turn,
                            const Progress& progress) { bar->update(turn, progress); },
          .task_done = [bar] { bar->end(); }};
}

}  // namespace dovetail
