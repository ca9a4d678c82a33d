// SPDX-License-Identifier: Apache-2.0
#include "core/memory/plan_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>

#include "core/base/check.h"
#include "core/base/printable.h"
#include "core/base/text.h"

namespace dovetail {
namespace {

// Lengths are tenths of pixels.
constexpr int64_t kWidth = 10'000;
constexpr int64_t kLeft = 860;
constexpr int64_t kRight = 9'840;
constexpr int64_t kPoolHeight = 2'400;
constexpr int64_t kHeading = 300;  // above a pool
constexpr int64_t kFooting = 420;  // below it: numbers and name of the axis
constexpr int64_t kLine = 180;

// The palette of M. Okabe and K. Ito, which is safe for colour-blind readers.
constexpr std::array<std::string_view, 7> kColours = {"#56b4e9", "#009e73", "#e69f00", "#cc79a7",
                                                      "#f0e442", "#d55e00", "#999999"};

std::string pixels(int64_t tenths) {
  const std::string sign = tenths < 0 ? "-" : "";
  const int64_t size = std::abs(tenths);
  if (size % 10 == 0) return fmt::format("{}{}", sign, size / 10);
  return fmt::format("{}{}.{}", sign, size / 10, size % 10);
}

// a * b / c, rounded down, without overflow of the product.
int64_t part(int64_t a, int64_t b, int64_t c) {
  return static_cast<int64_t>(static_cast<__int128>(a) * b / std::max<int64_t>(c, 1));
}

std::string escaped(std::string_view text) {
  std::string markup;
  for (const char c : printable(text)) {
    switch (c) {
      case '&': markup += "&amp;"; break;
      case '<': markup += "&lt;"; break;
      case '>': markup += "&gt;"; break;
      case '"': markup += "&quot;"; break;
      default: markup += c;
    }
  }
  return markup;
}

std::string text_at(int64_t x, int64_t y, std::string_view text, std::string_view more = {}) {
  return fmt::format("<text x=\"{}\" y=\"{}\"{}>{}</text>\n", pixels(x), pixels(y), more,
                     escaped(text));
}

std::string line(int64_t x1, int64_t y1, int64_t x2, int64_t y2, std::string_view more) {
  return fmt::format("<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" {}/>\n", pixels(x1), pixels(y1),
                     pixels(x2), pixels(y2), more);
}

constexpr std::string_view kGrid = "stroke=\"#d8d8d8\"";
constexpr std::string_view kAxis = "stroke=\"#5c5c5c\"";
constexpr std::string_view kLimit = "stroke=\"#d40000\" stroke-dasharray=\"6 3\"";
constexpr std::string_view kAlive = "fill=\"none\" stroke=\"#1a1a1a\" stroke-width=\"1.5\"";
constexpr std::string_view kEnd = " text-anchor=\"end\"";
constexpr std::string_view kMiddle = " text-anchor=\"middle\"";

// "64", "512 KiB": steps of bytes are powers of two.
std::string bytes_text(int64_t bytes) {
  constexpr std::array<std::string_view, 5> kUnits = {"", " KiB", " MiB", " GiB", " TiB"};
  size_t unit = 0;
  while (unit + 1 < kUnits.size() && bytes >= 1024 && bytes % 1024 == 0) {
    bytes /= 1024;
    ++unit;
  }
  return fmt::format("{}{}", bytes, kUnits[unit]);
}

int64_t step_of_bytes(int64_t most) {
  int64_t step = 1;
  while (most / step > 6) step *= 2;
  return step;
}

// 1, 2, 5, 10, 20, 50 ...
int64_t step_of_times(int64_t span) {
  int64_t step = 1;
  for (int next = 0; span / step > 15; ++next) step = next % 3 == 1 ? step / 2 * 5 : step * 2;
  return step;
}

class PlanPicture {
 public:
  PlanPicture(const PlanningProblem& problem, const Plan& plan, const PlanPictureOptions& options)
      : problem_(problem), plan_(plan), options_(options), end_(end_of_times(problem)) {
    CHECK(plan.placements.size() == problem.buffers.size());
    begin_ = end_;
    for (const LiveBuffer& buffer : problem.buffers)
      if (occupies(buffer)) begin_ = std::min(begin_, buffer.lifetime.lower);
    if (begin_ > 0 && problem.times.end > 0) begin_ = 0;
    if (!options_.kinds.empty()) return;
    options_.kinds = {"written", "only read"};
    for (const LiveBuffer& buffer : problem.buffers)
      options_.kind_of.push_back(buffer.access == PoolAccess::ro ? 1 : 0);
  }

  std::string draw() {
    draw_legend();
    const std::vector<int64_t> peaks = pool_peaks(problem_, plan_);
    for (size_t pool = 0; pool < peaks.size(); ++pool)
      draw_pool(static_cast<int>(pool), peaks[pool]);
    return fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" "
        "viewBox=\"0 0 {0} {1}\" font-family=\"sans-serif\" font-size=\"11\" fill=\"#1a1a1a\">\n"
        "<title>{2}</title>\n<rect width=\"{0}\" height=\"{1}\" fill=\"#ffffff\"/>\n{3}</svg>\n",
        pixels(kWidth), pixels(y_ + 60), escaped(options_.title), body_);
  }

 private:
  const LiveBuffer& at(size_t i) const { return problem_.buffers[i]; }
  bool is_in(size_t i, int pool) const {
    return occupies(at(i)) && plan_.placements[i].pool == pool;
  }
  int64_t x_of(int64_t time) const {
    return kLeft + part(time - begin_, kRight - kLeft, end_ - begin_);
  }

  void draw_legend() {
    body_ += text_at(100, 210, options_.title, " font-size=\"14\" font-weight=\"bold\"");
    y_ = 420;
    int64_t x = 100;
    const auto entry = [&](std::string mark, const std::string& name) {
      body_ += std::move(mark) + text_at(x + 220, y_, name);
      x += 220 + 70 * std::ssize(name) + 200;
      if (x < kRight - 1'500) return;
      x = 100;
      y_ += kLine;
    };
    for (size_t kind = 0; kind < options_.kinds.size(); ++kind)
      if (std::ranges::count(options_.kind_of, kind) > 0)
        entry(fmt::format("<rect x=\"{}\" y=\"{}\" width=\"16\" height=\"10\" fill=\"{}\"/>\n",
                          pixels(x), pixels(y_ - 90), kColours[kind % kColours.size()]),
              options_.kinds[kind]);
    entry(line(x, y_ - 40, x + 160, y_ - 40, kAlive), "bytes alive");
    for (const Pool& pool : problem_.pools) {
      if (pool.limit_bytes == kUnlimitedBytes) continue;
      entry(line(x, y_ - 40, x + 160, y_ - 40, kLimit), "limit");
      break;
    }
    y_ += 160;
  }

  void draw_pool(int index, int64_t peak) {
    const Pool& pool = problem_.pools[static_cast<size_t>(index)];
    const bool is_limited = pool.limit_bytes != kUnlimitedBytes;
    int64_t buffers = 0;
    for (size_t i = 0; i < problem_.buffers.size(); ++i) buffers += is_in(i, index) ? 1 : 0;
    y_ += kHeading;
    body_ += text_at(kLeft, y_ - 90,
                     fmt::format("{}: {}{} bytes, {}", pool.name, peak,
                                 is_limited ? fmt::format(" of {}", pool.limit_bytes) : "",
                                 counted(buffers, "buffer")),
                     " font-size=\"12\" font-weight=\"bold\"");
    if (peak == 0) return;
    // Drawn only up to twice the peak: a far limit would squeeze everything to the bottom.
    const bool shows_limit = is_limited && pool.limit_bytes / 2 <= peak;
    most_ = std::max(peak, shows_limit ? pool.limit_bytes : peak);
    draw_axes();
    for (size_t i = 0; i < problem_.buffers.size(); ++i)
      if (is_in(i, index)) draw_buffer(i);
    draw_alive(index);
    if (shows_limit) body_ += line(kLeft, y_at(most_), kRight, y_at(most_), kLimit);
    y_ += kPoolHeight + kFooting;
  }

  int64_t y_at(int64_t bytes) const { return y_ + kPoolHeight - part(bytes, kPoolHeight, most_); }

  void draw_axes() {
    const int64_t step = step_of_bytes(most_);
    for (int64_t bytes = 0; bytes <= most_; bytes += step) {
      body_ += line(kLeft, y_at(bytes), kRight, y_at(bytes), bytes == 0 ? kAxis : kGrid);
      body_ += text_at(kLeft - 60, y_at(bytes) + 40, bytes_text(bytes), kEnd);
    }
    const int64_t below = y_ + kPoolHeight;
    const int64_t times = step_of_times(end_ - begin_);
    for (int64_t time = (begin_ + times - 1) / times * times; time <= end_; time += times) {
      body_ += line(x_of(time), below, x_of(time), below + 40, kAxis);
      body_ += text_at(x_of(time), below + 160, std::to_string(time), kMiddle);
    }
    body_ += text_at(kRight, below + 310, problem_.times.name, kEnd);
  }

  void draw_buffer(size_t i) {
    const LiveBuffer& buffer = at(i);
    const int64_t offset = plan_.placements[i].offset;
    const int64_t left = x_of(buffer.lifetime.lower), right = x_of(buffer.lifetime.upper);
    const int64_t top = y_at(offset + buffer.bytes), bottom = y_at(offset);
    const size_t kind = i < options_.kind_of.size() ? options_.kind_of[i] : 0;
    body_ += fmt::format(
        "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\" stroke=\"#1a1a1a\" "
        "stroke-width=\"0.4\"><title>{}: {} bytes at {}, {} {} to {}</title></rect>\n",
        pixels(left), pixels(top), pixels(right - left), pixels(bottom - top),
        kColours[kind % kColours.size()], escaped(buffer.id), buffer.bytes, offset,
        escaped(problem_.times.name), buffer.lifetime.lower, buffer.lifetime.upper - 1);
    const bool has_room = bottom - top >= 120 && right - left >= 60 * std::ssize(buffer.id) + 60;
    if (has_room)
      body_ += text_at((left + right) / 2, (top + bottom) / 2 + 35, buffer.id,
                       " text-anchor=\"middle\" font-size=\"10\"");
  }

  // The step curve of the bytes alive in the pool. Explicit conflicts have no times.
  void draw_alive(int pool) {
    if (problem_.conflicts) return;
    std::map<int64_t, int64_t> change;
    for (size_t i = 0; i < problem_.buffers.size(); ++i) {
      if (!is_in(i, pool)) continue;
      change[at(i).lifetime.lower] += at(i).bytes;
      change[at(i).lifetime.upper] -= at(i).bytes;
    }
    std::string path = fmt::format("M{},{}", pixels(x_of(begin_)), pixels(y_at(0)));
    int64_t alive = 0;
    for (const auto& [time, bytes] : change) {
      alive += bytes;
      path += fmt::format(" H{} V{}", pixels(x_of(time)), pixels(y_at(alive)));
    }
    body_ += fmt::format("<path d=\"{}\" {}/>\n", path, kAlive);
  }

  const PlanningProblem& problem_;
  const Plan& plan_;
  PlanPictureOptions options_;
  int64_t begin_ = 0, end_ = 0;  // times
  int64_t most_ = 0;             // bytes at the top of the pool being drawn
  int64_t y_ = 0;                // top of the next element
  std::string body_;
};

}  // namespace

std::string plan_svg(const PlanningProblem& problem, const Plan& plan,
                     const PlanPictureOptions& options) {
  return PlanPicture(problem, plan, options).draw();
}

}  // namespace dovetail
