// SPDX-License-Identifier: Apache-2.0
#include "tests/primitives/lowering/border_programs.h"

#include <fmt/format.h>
#include <rapidcheck.h>

#include "core/base/check.h"
#include "tests/support/interpreter.h"

namespace dovetail::testing {

Program parsed_program(const std::string& text) {
  const Result<Program> program = parse_program(text);
  CHECK(program.has_value(), program ? "" : program.error().message + "\n" + text);
  return *program;
}

namespace {

Result<std::vector<float>> output_of(const Program& program) {
  TRY(verify(program));
  Storage storage;
  for (const Buffer& buffer : program.buffers) {
    std::vector<float>& values = storage[buffer.name];
    for (int64_t k = 0; k < storage_elements(buffer.layout); ++k)
      values.push_back(static_cast<float>(k * 7919 % 31 % 9 - 4));
  }
  TRY(interpret(program, storage));
  return storage["Y"];
}

}  // namespace

::testing::AssertionResult same_output(const Program& before, const Program& after) {
  const Result<std::vector<float>> expected = output_of(before), found = output_of(after);
  if (!expected)
    return ::testing::AssertionFailure() << expected.error().message << "\n" << print(before);
  if (!found) return ::testing::AssertionFailure() << found.error().message << "\n" << print(after);
  if (*expected == *found) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << "differs:\n" << print(before) << "\n" << print(after);
}

namespace {

int64_t draw(int64_t low, int64_t high) { return *rc::gen::inRange(low, high + 1); }

// One of the two axes of the image.
struct WindowAxis {
  int64_t tiles, tile, taps, stride, dilation, padding, extent;  // extent: X's axis
  std::string output, input;                                     // expressions
};

WindowAxis draw_axis(const std::string& name) {
  WindowAxis a{.tiles = draw(1, 5),
               .tile = draw(1, 4),
               .taps = draw(1, 3),
               .stride = draw(1, 2),
               .dilation = draw(1, 2),
               .padding = draw(0, 2),
               .extent = 0,
               .output = "",
               .input = ""};
  a.extent = std::max<int64_t>(1, a.stride * (a.tiles * a.tile - 1) + a.dilation * (a.taps - 1) +
                                      1 - 2 * a.padding - draw(0, 1));
  a.output = fmt::format("{1}*{0}.0 + {0}.1", name, a.tile);
  a.input = fmt::format("{1}*{0}.0 + {2}*{0}.1 + {3}*k{0} - {4}", name, a.stride * a.tile, a.stride,
                        a.dilation, a.padding);
  return a;
}

// Loops, one a line, each inside the one before; gives the indentation of what they hold.
int add_loops(std::string& text, int depth, const std::vector<std::string>& loops) {
  for (const std::string& loop : loops)
    text += std::string(static_cast<size_t>(depth++), ' ') + "for " + loop + "\n";
  return depth;
}

std::string kind(int64_t unrolled) { return unrolled == 1 ? " unrolled" : ""; }

}  // namespace

Program draw_bounded_convolution() {
  const WindowAxis h = draw_axis("h"), w = draw_axis("w");
  const std::vector<std::string> outer = {
      fmt::format("h.0 in 0..{}{}", h.tiles, draw(0, 3) == 0 ? " parallel" : ""),
      fmt::format("w.0 in 0..{}", w.tiles)};
  const std::vector<std::string> tile = {fmt::format("h.1 in 0..{}{}", h.tile, kind(draw(0, 1))),
                                         fmt::format("w.1 in 0..{}{}", w.tile, kind(draw(0, 2)))};
  std::vector<std::string> window = {fmt::format("kh in 0..{}{}", h.taps, kind(draw(0, 2))),
                                     "i in 0..2",
                                     fmt::format("kw in 0..{}{}", w.taps, kind(draw(0, 2)))};
  if (draw(0, 1) == 1) std::swap(window[0], window[2]);
  const bool registers = draw(0, 3) > 0;
  const std::string output = fmt::format("Y[{}, {}]", h.output, w.output),
                    sum = registers ? "acc[h.1, w.1]" : output;
  std::string text = fmt::format(
      "buffer X: f32 activation X[i=2, h={0}, w={1}] as [i@1:2] [h@1:{0}] [w@1:{1}]\n"
      "buffer W: f32 constant W[i=2, kh={2}, kw={3}] as [i@1:2] [kh@1:{2}] [kw@1:{3}]\n"
      "buffer Y: f32 output Y[h={4}, w={5}] as [h@1:{4}] [w@1:{5}]\nkernel k\n",
      h.extent, w.extent, h.taps, w.taps, h.tiles * h.tile, w.tiles * w.tile);
  const int depth = add_loops(text, 1, outer);
  const auto line = [&](const std::vector<std::string>& loops, const std::string& statement) {
    const int inside = add_loops(text, depth, loops);
    text += std::string(static_cast<size_t>(inside), ' ') + statement + "\n";
  };
  if (registers) line({}, fmt::format("registers acc[{}, {}]", h.tile, w.tile));
  line(tile, sum + " = 0");
  std::vector<std::string> all = window;
  all.insert(all.end(), tile.begin(), tile.end());
  line(all, fmt::format("{0} += ((0 <= {1} < {2} and 0 <= {3} < {4}) ? X[i, {1}, {3}] : 0)"
                        " * W[i, kh, kw]",
                        sum, h.input, h.extent, w.input, w.extent));
  if (registers) line(tile, output + " = acc[h.1, w.1]");
  return parsed_program(text);
}

}  // namespace dovetail::testing
