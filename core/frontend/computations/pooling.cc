// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "core/frontend/computations/node_rules.h"
#include "core/frontend/graph_edit.h"

namespace dovetail::node_rules {
namespace {

using Numbers = std::vector<int64_t>;

// One axis of windows: output o begins at o * stride - before.
struct Windows {
  int64_t extent = 1, outputs = 1, kernel = 1, stride = 1, dilation = 1, before = 0, after = 0;

  int64_t reach() const { return (kernel - 1) * dilation + 1; }
  // True if every window is within the input extended by these numbers of elements.
  bool are_within(int64_t more_before, int64_t more_after) const {
    return before <= more_before &&
           (outputs - 1) * stride - before + reach() <= extent + more_after;
  }
};

// One entry for each axis after n and c; or none, and the reason.
struct WindowAxes {
  std::vector<Windows> axes = {};
  std::string reason = {};
};

// The padding for auto_pad SAME, as much as the output's extent needs.
void pad_alike(Windows& one, bool upper) {
  const int64_t padding =
      std::max<int64_t>((one.outputs - 1) * one.stride + one.reach() - one.extent, 0);
  one.before = upper ? padding / 2 : padding - padding / 2;
  one.after = padding - one.before;
}

Result<WindowAxes> windows_of(const RegionWriter& write) {
  const GraphNode& node = write.node();
  const Numbers& shape = write.shape(0);
  if (shape.size() < 3) return WindowAxes{.reason = "of a rank below 3"};
  const size_t count = shape.size() - 2;
  const Numbers kernel = TRY(integers_attribute(node, "kernel_shape", {}));
  const Numbers strides = TRY(integers_attribute(node, "strides", Numbers(count, 1)));
  const Numbers dilations = TRY(integers_attribute(node, "dilations", Numbers(count, 1)));
  const Numbers pads = TRY(integers_attribute(node, "pads", Numbers(2 * count, 0)));
  const std::string automatic = TRY(text_attribute(node, "auto_pad", "NOTSET"));
  if (kernel.size() != count || strides.size() != count || dilations.size() != count ||
      pads.size() != 2 * count)
    return WindowAxes{.reason = "attributes of other axes"};
  WindowAxes found;
  for (size_t i = 0; i < count; ++i) {
    Windows one{.extent = shape[i + 2],
                .outputs = write.output_shape()[i + 2],
                .kernel = kernel[i],
                .stride = strides[i],
                .dilation = dilations[i]};
    if (automatic == "NOTSET") {
      one.before = pads[i];
      one.after = pads[i + count];
    } else if (automatic != "VALID") {
      pad_alike(one, automatic == "SAME_UPPER");
    }
    found.axes.push_back(one);
  }
  return found;
}

// The index of the tap in the input, along the i-th axis after n and c.
std::string tap_text(const Windows& one, size_t i) {
  return fmt::format("{}*{}+{}*r{}-{}", one.stride, RegionWriter::axis(i + 2), one.dilation, i,
                     one.before);
}

std::string taps(RegionWriter& write, const std::vector<Windows>& windows) {
  std::vector<std::string> indices = {RegionWriter::axis(0), RegionWriter::axis(1)};
  for (size_t i = 0; i < windows.size(); ++i) {
    write.add_axis(fmt::format("r{}", i), windows[i].kernel);
    indices.push_back(tap_text(windows[i], i));
  }
  return write.read(0, indices);
}

// The number of taps of a dilated window inside the limits, tested one by one because of the gaps.
std::string taps_within(const Windows& one, const std::string& begin, int64_t before,
                        int64_t after) {
  std::string text;
  for (int64_t k = 0; k < one.kernel; ++k) {
    const std::string tap = fmt::format("{}+{}", begin, k * one.dilation);
    text += fmt::format("{}select({}<={}&{}<{},1,0)", k == 0 ? "" : "+",
                        number_text(static_cast<double>(-before)), tap, tap, one.extent + after);
  }
  return text;
}

// The divisor of a mean: the taps of a window except those beyond the input, or beyond its padding.
std::string count_text(const std::vector<Windows>& windows, bool with_padding) {
  int64_t constant = 1;
  std::string text;
  for (size_t i = 0; i < windows.size(); ++i) {
    const Windows& one = windows[i];
    const int64_t before = with_padding ? one.before : 0, after = with_padding ? one.after : 0;
    if (one.are_within(before, after)) {
      constant *= one.kernel;
      continue;
    }
    const std::string begin =
        fmt::format("{}*{}-{}", one.stride, RegionWriter::axis(i + 2), one.before);
    if (one.dilation > 1) {
      text += "*(" + taps_within(one, begin, before, after) + ")";
      continue;
    }
    text += fmt::format("*(min({}+{},{})-max({},{}))", begin, one.kernel, one.extent + after, begin,
                        number_text(static_cast<double>(-before)));
  }
  return text.empty() ? fmt::format("{}", constant) : fmt::format("({}{})", constant, text);
}

Result<NodeRegion> average(RegionWriter& write, const std::vector<Windows>& windows) {
  const bool with_padding = TRY(integer_attribute(write.node(), "count_include_pad", 0)) != 0;
  const std::string count = count_text(windows, with_padding);
  return write.finish_reduced(fmt::format("sum({})/{}", taps(write, windows), count));
}

Result<NodeRegion> lp(RegionWriter& write, const std::vector<Windows>& windows) {
  const int64_t power = TRY(integer_attribute(write.node(), "p", 2));
  const std::string x = taps(write, windows);
  if (power == 1) return write.finish_reduced("sum(abs(" + x + "))");
  if (power == 2) return write.finish_reduced("sqrt(sum(" + x + "*" + x + "))");
  return write.finish_reduced(fmt::format("pow(sum(pow(abs({0}),{1})),1/{1})", x, power));
}

// The flat index of a tap in the whole input.
std::string place_text(const RegionWriter& write, const std::vector<Windows>& windows,
                       bool column_major) {
  const size_t count = windows.size();
  int64_t stride = 1;
  std::string text;
  for (size_t k = 0; k < count; ++k) {
    const size_t i = column_major ? k : count - 1 - k;
    text = fmt::format("{}*({})+{}", stride, tap_text(windows[i], i), text);
    stride *= windows[i].extent;
  }
  return fmt::format("{}{}*a1+{}*a0", text, stride, stride * write.shape(0)[1]);
}

Result<NodeRegion> maximum(RegionWriter& write, const std::vector<Windows>& windows) {
  const bool whole = write.made() == ComputedType::integer;
  std::string x = taps(write, windows);
  // Elements beyond the input must not exceed any of its integers.
  const bool is_signed = write.input(0).type != ElementType::u8;
  if (whole && write.input(0).type != ElementType::i8 && is_signed)
    return refuse("of wide integers");
  if (whole) x = fmt::format("outside({},{})", x, is_signed ? "-128" : "0");
  if (!write.has_output(1)) return write.finish_reduced("max(" + x + ")");
  constexpr int64_t kExact = 1 << 24;
  const int64_t elements = num_elements(write.shape(0));
  if (elements >= kExact) return refuse("indices of more than 2^24 elements");
  const bool column_major = TRY(integer_attribute(write.node(), "storage_order", 0)) != 0;
  const std::string best = element_of("M", write.axes());
  const std::string place = fmt::format("min(select({}=={},{},{}))", x, best,
                                        place_text(write, windows, column_major), elements);
  return write.finish(fmt::format("{}=max({});{}={};{}", best, x, write.output(),
                                  converted(best, ComputedType::real, write.made()),
                                  write.reduced_statements(place, 1)));
}

}  // namespace

Result<NodeRegion> pool(RegionWriter& write) {
  const WindowAxes windows = TRY(windows_of(write));
  if (!windows.reason.empty()) return refuse(windows.reason);
  if (write.node().type == "MaxPool") return maximum(write, windows.axes);
  if (write.made() != ComputedType::real) return refuse("of integers");
  return write.node().type == "LpPool" ? lp(write, windows.axes) : average(write, windows.axes);
}

Result<NodeRegion> global_lp_pool(RegionWriter& write) {
  const Numbers& shape = write.shape(0);
  if (shape.size() < 3) return refuse("of a rank below 3");
  std::vector<Windows> windows;
  for (size_t i = 2; i < shape.size(); ++i)
    windows.push_back({.extent = shape[i], .kernel = shape[i]});
  return lp(write, windows);
}

}  // namespace dovetail::node_rules
