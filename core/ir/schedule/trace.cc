// SPDX-License-Identifier: Apache-2.0
#include "core/ir/schedule/trace.h"

#include <fmt/format.h>

#include <array>

namespace dovetail {
namespace {

constexpr std::array<std::string_view, 6> kThreadAxes = {"group.0",  "group.1",  "group.2",
                                                         "thread.0", "thread.1", "thread.2"};

template <class... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};
template <class... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>;

}  // namespace

std::string print(ThreadAxis axis) { return std::string(kThreadAxes[static_cast<size_t>(axis)]); }

Result<ThreadAxis> parse_thread_axis(std::string_view text) {
  for (size_t i = 0; i < kThreadAxes.size(); ++i) {
    if (kThreadAxes[i] == text) return static_cast<ThreadAxis>(i);
  }
  return fail(
      fmt::format("thread axis \"{}\" is unknown; expected group.0, group.1, group.2, "
                  "thread.0, thread.1 or thread.2",
                  text.substr(0, 40)));
}

std::string print(const LayoutPrimitive& primitive) {
  return std::visit(
      Overloaded{
          [](const layout::Split& p) {
            return fmt::format("split(axis={}, factor={})", p.axis, p.factor);
          },
          [](const layout::Reorder& p) {
            return fmt::format("reorder({})", fmt::join(p.axes, ", "));
          },
          [](const layout::Fuse& p) { return fmt::format("fuse({}, {})", p.outer, p.inner); },
          [](const layout::Pad& p) {
            return fmt::format("pad(axis={}, before={}, after={})", p.axis, p.before, p.after);
          },
          [](const layout::Unfold& p) {
            return fmt::format("unfold(axis={}, size={}, stride={})", p.axis, p.size, p.stride);
          },
          [](const layout::StoreAt& p) {
            return fmt::format("store_at(host={}, axis={})", p.host, p.axis);
          },
      },
      primitive);
}

std::string print(const LoopPrimitive& primitive) {
  return std::visit(
      Overloaded{
          [](const loop::Split& p) {
            return fmt::format("split(loop={}, factor={})", p.loop, p.factor);
          },
          [](const loop::Reorder& p) {
            return fmt::format("reorder({})", fmt::join(p.loops, ", "));
          },
          [](const loop::Fuse& p) { return fmt::format("fuse({}, {})", p.outer, p.inner); },
          [](const loop::Vectorize& p) { return fmt::format("vectorize({})", p.loop); },
          [](const loop::Unroll& p) { return fmt::format("unroll({})", p.loop); },
          [](const loop::Parallel& p) { return fmt::format("parallel({})", p.loop); },
          [](const loop::Bind& p) { return fmt::format("bind({}, {})", p.loop, print(p.axis)); },
          [](const loop::CacheWrite& p) {
            return fmt::format("cache_write(tensor={}, at={}{})", p.tensor, p.at,
                               p.streaming ? ", stores=streaming" : "");
          },
          [](const loop::Prefetch& p) {
            return fmt::format("prefetch(tensor={}, at={}, distance={})", p.tensor, p.at,
                               p.distance);
          },
          [](const loop::CacheRead& p) {
            return fmt::format("cache_read(tensor={}, at={}, scope={})", p.tensor, p.at,
                               print(p.scope));
          },
          [](const loop::DoubleBuffer& p) {
            return fmt::format("double_buffer(tensor={})", p.tensor);
          },
          [](const loop::ComputeAt& p) {
            const bool is_default = p.scope == TileScope::private_;
            return fmt::format("compute_at(stage={}, loop={}{})", p.stage, p.loop,
                               is_default ? "" : ", scope=" + print(p.scope));
          },
          [](const loop::Inline&) { return std::string("inline()"); },
          [](const loop::Roll& p) { return fmt::format("roll({})", p.axis); },
          [](const loop::RFactor& p) { return fmt::format("rfactor({})", p.loop); },
      },
      primitive);
}

std::string print(const algorithm::Winograd& algorithm) {
  return fmt::format("winograd(tile={})", algorithm.tile);
}

std::string print(const Trace& trace) {
  std::string text;
  if (trace.algorithm) text += fmt::format("algorithm: {}\n", print(*trace.algorithm));
  for (const TensorLayout& tensor : trace.layouts) {
    text += fmt::format("layout {}:", tensor.tensor);
    for (const LayoutPrimitive& primitive : tensor.primitives) text += " " + print(primitive);
    if (tensor.scope != MemoryScope::global) text += " ; scope " + print(tensor.scope);
    text += "\n";
  }
  for (const StageLoops& stage : trace.loops) {
    text += stage.stage.empty() ? "loops:" : fmt::format("loops {}:", stage.stage);
    for (size_t i = 0; i < stage.primitives.size(); ++i) {
      text += (i == 0 ? " " : " ; ") + print(stage.primitives[i]);
    }
    text += "\n";
  }
  return text;
}

// FNV-1a: ten lines that anybody can write again, in any language, to check a log.
uint64_t hash(const Trace& trace) {
  uint64_t value = 14695981039346656037u;
  for (const char c : print(trace)) {
    value ^= static_cast<unsigned char>(c);
    value *= 1099511628211u;
  }
  return value;
}

}  // namespace dovetail
