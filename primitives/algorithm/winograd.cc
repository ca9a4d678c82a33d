// SPDX-License-Identifier: Apache-2.0
#include "primitives/algorithm/winograd.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/check.h"
#include "primitives/loop/loop_lookup.h"
#include "primitives/refuse.h"

namespace dovetail {
namespace {

constexpr int64_t kTaps = 3;

// One window axis: the output axis that it slides along, and the names of its parts in the stages.
struct Window {
  std::string output, taps;  // h, kh
  std::string transformed;   // ah: a coordinate of a transformed tile
  std::string tiles;         // th
  std::string tile_input;    // rh: an element of the tile before its transform
  int64_t extent = 0;        // elements of the output axis
  int64_t start = 0;         // start of the first tile in X: -1 with a padding of 1
};

constexpr double kNear = 3.0 / 4, kFar = 3.0 / 2, kNear2 = kNear * kNear, kFar2 = kFar * kFar;

CoefficientTable table_of(const char* name, const std::vector<std::vector<double>>& rows) {
  CoefficientTable table{name, {std::ssize(rows), std::ssize(rows.front())}, {}};
  for (const std::vector<double>& row : rows)
    table.values.insert(table.values.end(), row.begin(), row.end());
  return table;
}

// F(4,3) evaluates polynomials at 0, 3/4, -3/4, 3/2, -3/2 and infinity. All numbers of BT and AT
// are exact in f32. At 0, 1, -1, 2, -2 AT has an 8 (along two axes a 64) that amplifies the
// rounding of products: with 64 to 512 channels the RMS error is 2.1 times as large, the largest
// error three to five times.
CoefficientTable input_table(int64_t tile) {
  if (tile == 2) return table_of("BT", {{1, 0, -1, 0}, {0, 1, 1, 0}, {0, -1, 1, 0}, {0, 1, 0, -1}});
  return table_of("BT", {{kNear2 * kFar2, 0, -kNear2 - kFar2, 0, 1, 0},
                         {0, -kNear * kFar2, -kFar2, kNear, 1, 0},
                         {0, kNear * kFar2, -kFar2, -kNear, 1, 0},
                         {0, -kNear2 * kFar, -kNear2, kFar, 1, 0},
                         {0, kNear2 * kFar, -kNear2, -kFar, 1, 0},
                         {0, kNear2 * kFar2, 0, -kNear2 - kFar2, 0, 1}});
}

CoefficientTable weight_table(int64_t tile) {
  if (tile == 2) return table_of("G", {{1, 0, 0}, {0.5, 0.5, 0.5}, {0.5, -0.5, 0.5}, {0, 0, 1}});
  constexpr double k81 = 1.0 / 81, k243 = 1.0 / 243, k27 = 1.0 / 27;
  return table_of("G", {{64 * k81, 0, 0},
                        {-128 * k243, -32 * k81, -8 * k27},
                        {-128 * k243, 32 * k81, -8 * k27},
                        {32 * k243, 16 * k81, 8 * k27},
                        {32 * k243, -16 * k81, 8 * k27},
                        {0, 0, 1}});
}

CoefficientTable output_table(int64_t tile) {
  if (tile == 2) return table_of("AT", {{1, 1, 1, 0}, {0, 1, -1, -1}});
  return table_of("AT", {{1, 1, 1, 1, 1, 0},
                         {0, kNear, -kNear, kFar, -kFar, 0},
                         {0, kNear2, kNear2, kFar2, kFar2, 0},
                         {0, kNear2 * kNear, -kNear2 * kNear, kFar2 * kFar, -kFar2 * kFar, 1}});
}

IndexExpr var(const std::string& name) { return IndexExpr::variable(name); }

const Axis& axis_named(const Computation& c, const std::string& name) {
  const auto it = std::ranges::find(c.axes, name, &Axis::name);
  CHECK(it != c.axes.end(), "no axis " + name);
  return *it;
}

class Winograd {
 public:
  Winograd(int64_t tile, const PlannedStage& direct)
      : what_(fmt::format("algorithm winograd(tile={}): {}", tile, direct.name)),
        tile_(tile),
        inner_(tile + kTaps - 1),
        direct_(direct),
        c_(direct.computation) {}

  Result<std::vector<PlannedStage>> stages() {
    if (tile_ != 2 && tile_ != 4) return refuse(what_, "tile {}, expected 2 or 4", tile_);
    if (!is_product_sum(c_) || element_reads(c_).size() != 2 || rounds_factors(c_))
      return refuse(what_, "expected a sum of products of two tensors");
    TRY(find_windows());
    return std::vector<PlannedStage>{{c_.reads[1].tensor + ".wino", weights(), true, true},
                                     {c_.reads[0].tensor + ".wino", input(), false, true},
                                     {c_.output.tensor + ".wino", product(), false, true},
                                     {direct_.name, output(), false, direct_.inner}};
  }

 private:
  const Window* window_at(const IndexExpr& index) const {
    const auto it = std::ranges::find_if(windows_, [&](const Window& w) {
      return index.mentions(w.output) || index.mentions(w.taps);
    });
    return it == windows_.end() ? nullptr : &*it;
  }

  // A window is a reduction that an index of X adds to an output axis.
  Result<void> find_windows() {
    bool reduces = false;
    for (const Axis& taps : c_.axes) {
      if (!taps.reduction) continue;
      const auto slides = [&](const IndexExpr& index) {
        return index.mentions(taps.name) && std::ranges::any_of(c_.axes, [&](const Axis& axis) {
                 return !axis.reduction && index.mentions(axis.name);
               });
      };
      const auto index = std::ranges::find_if(c_.reads[0].indices, slides);
      if (index != c_.reads[0].indices.end() && in_weights_alone(taps.name))
        TRY(add_window(taps, *index));
      else
        reduces = reduces || taps.extent > 1;
    }
    if (windows_.empty())
      return refuse(what_, "no window slides over its input, expected a convolution with 3 taps");
    if (!reduces)
      return refuse(what_,
                    "nothing is summed up beside its windows, which leaves no matrix product");
    return {};
  }

  // Tells windows from the channels of a group, which an index of X adds to an output axis, too:
  // the group, which W has.
  bool in_weights_alone(const std::string& taps) const {
    const std::vector<IndexExpr>& w = c_.reads[1].indices;
    const bool own = std::ranges::find(w, var(taps)) != w.end();
    const auto at = std::ranges::find_if(c_.reads[0].indices,
                                         [&](const IndexExpr& e) { return e.mentions(taps); });
    return own && at != c_.reads[0].indices.end() && !reads_shared_axis(*at);
  }

  // Whether the index has an output axis of W, too: a group or a batch.
  bool reads_shared_axis(const IndexExpr& index) const {
    return std::ranges::any_of(c_.axes, [&](const Axis& axis) {
      return !axis.reduction && index.mentions(axis.name) &&
             std::ranges::any_of(c_.reads[1].indices,
                                 [&](const IndexExpr& w) { return w.mentions(axis.name); });
    });
  }

  Result<void> add_window(const Axis& taps, const IndexExpr& index) {
    if (taps.extent != kTaps)
      return refuse(what_, "window axis {} has {} taps, expected 3", taps.name, taps.extent);
    if (!index.is_affine() || index.terms().size() != 2)
      return refuse(what_, "window axis {} reads at {}, expected a sum of two axes", taps.name,
                    print(index));
    const std::vector<std::string> names = index.variables();
    const std::string& output = names[names[0] == taps.name ? 1 : 0];
    if (index.coefficient(output) != 1)
      return refuse(what_, "axis {} has stride {}, expected 1", output, index.coefficient(output));
    if (index.coefficient(taps.name) != 1)
      return refuse(what_, "axis {} has dilation {}, expected 1", output,
                    index.coefficient(taps.name));
    windows_.push_back({output, taps.name, "a" + output, "t" + output, "r" + output,
                        axis_named(c_, output).extent, index.constant()});
    return {};
  }

  int64_t tiles(const Window& w) const { return (w.extent + tile_ - 1) / tile_; }

  // Transformed coordinates come first among axes, dims and indices.
  std::vector<Axis> transformed_axes() const {
    std::vector<Axis> axes;
    for (const Window& w : windows_) axes.push_back({w.transformed, inner_, false});
    return axes;
  }
  Tensor transformed_tensor(const std::string& of) const {
    Tensor tensor{of + ".wino", {}, TensorRole::output};
    for (const Window& w : windows_) tensor.dims.push_back({w.transformed, inner_});
    return tensor;
  }
  Access transformed_access(const std::string& of) const {
    Access access{of + ".wino", {}};
    for (const Window& w : windows_) access.indices.push_back(var(w.transformed));
    return access;
  }

  static void start_sum(Access read, Computation& c) {
    c.reads = {std::move(read)};
    c.element = read_of(0);
    c.reducer = Reducer::sum;
  }

  static void multiply(Access factor, Computation& c) {
    c.element = binary(BinaryOp::mul, c.element, read_of(c.reads.size()));
    c.reads.push_back(std::move(factor));
  }

  void multiply_by(const CoefficientTable& table, const Window& w, const std::string& summed,
                   Computation& c) const {
    if (c.tables.empty()) c.tables.push_back(table);
    multiply({table.name, {var(w.transformed), var(summed)}}, c);
    c.axes.push_back({summed, table.extents[1], true});
  }

  // Both transforms of inputs: tensor[dims] -> tensor.wino[a, dims], windows transformed.
  Computation transform(const Access& from, bool is_weight) const {
    const Tensor& tensor = tensor_named(c_, from.tensor);
    Computation c;
    c.axes = transformed_axes();
    Tensor to = transformed_tensor(from.tensor);
    c.output = transformed_access(from.tensor);
    Access read{from.tensor, {}};
    for (size_t j = 0; j < from.indices.size(); ++j) {
      const Window* w = window_at(from.indices[j]);
      if (w != nullptr && is_weight) {
        read.indices.push_back(var(w->taps));
        continue;
      }
      const LogicalDim dim = w == nullptr ? tensor.dims[j] : LogicalDim{w->tiles, tiles(*w)};
      to.dims.push_back(dim);
      c.axes.push_back({dim.name, dim.extent, false});
      c.output.indices.push_back(var(dim.name));
      read.indices.push_back(w == nullptr ? var(dim.name)
                                          : var(w->tiles) * tile_ + var(w->tile_input) + w->start);
    }
    start_sum(std::move(read), c);
    for (const Window& w : windows_) {
      if (is_weight) multiply_by(weight_table(tile_), w, w.taps, c);
      if (!is_weight) multiply_by(input_table(tile_), w, w.tile_input, c);
    }
    c.tensors = {tensor, std::move(to)};
    return c;
  }

  Computation weights() const { return transform(c_.reads[1], true); }
  Computation input() const { return transform(c_.reads[0], false); }

  Access product_input(const Access& of) const {
    Access access = transformed_access(of.tensor);
    for (const IndexExpr& index : of.indices) {
      const Window* w = window_at(index);
      if (w == nullptr) access.indices.push_back(index);
      if (w != nullptr && index.mentions(w->output)) access.indices.push_back(var(w->tiles));
    }
    return access;
  }

  static Tensor read_tensor(const Computation& made_by, TensorRole role) {
    Tensor tensor = made_by.tensors.back();
    tensor.role = role;
    return tensor;
  }

  Computation product() const {
    Computation c;
    c.axes = transformed_axes();
    Tensor to = transformed_tensor(c_.output.tensor);
    c.output = transformed_access(c_.output.tensor);
    for (const Axis& axis : c_.axes) {
      if (axis.reduction) continue;
      const Window* w = window_at(var(axis.name));
      c.axes.push_back(w == nullptr ? axis : Axis{w->tiles, tiles(*w), false});
    }
    for (size_t j = 0; j < c_.output.indices.size(); ++j) {
      const Window* w = window_at(c_.output.indices[j]);
      const Tensor& output = tensor_named(c_, c_.output.tensor);
      c.output.indices.push_back(w == nullptr ? c_.output.indices[j] : var(w->tiles));
      to.dims.push_back(w == nullptr ? output.dims[j] : LogicalDim{w->tiles, tiles(*w)});
    }
    for (const Axis& axis : c_.axes)
      if (axis.reduction && window_at(var(axis.name)) == nullptr) c.axes.push_back(axis);
    start_sum(product_input(c_.reads[0]), c);
    multiply(product_input(c_.reads[1]), c);
    c.tensors = {read_tensor(input(), TensorRole::activation),
                 read_tensor(weights(), TensorRole::constant), std::move(to)};
    return c;
  }

  Computation output() const {
    Computation c = c_;
    std::erase_if(c.axes, [](const Axis& axis) { return axis.reduction; });
    const Computation from = product();
    Access read{from.output.tensor, {}};
    const Ranges ranges = axis_ranges(c_);
    for (const Window& w : windows_) read.indices.push_back(var(w.transformed));
    for (const IndexExpr& index : c_.output.indices) {
      const Window* w = window_at(index);
      read.indices.push_back(w == nullptr ? index : floor_div(index, tile_, ranges));
    }
    start_sum(std::move(read), c);
    c.tables = {output_table(tile_)};
    for (const Window& w : windows_) {
      multiply({"AT", {floor_mod(var(w.output), tile_, ranges), var(w.transformed)}}, c);
      c.axes.push_back({w.transformed, inner_, true});
    }
    c.tensors = {read_tensor(from, TensorRole::activation)};
    take_result(c_, c);
    return c;
  }

  std::string what_;  // prefix of error messages
  int64_t tile_;
  int64_t inner_;  // elements of a transformed tile along an axis
  const PlannedStage& direct_;
  const Computation& c_;
  std::vector<Window> windows_;
};

}  // namespace

double amplification(int64_t tile) {
  const CoefficientTable inputs = input_table(tile), weights = weight_table(tile),
                         outputs = output_table(tile);
  const auto square_of_row = [](const CoefficientTable& table, size_t row) {
    const auto columns = static_cast<size_t>(table.extents[1]);
    double sum = 0;
    for (size_t c = 0; c < columns; ++c) {
      const double value = table.values[row * columns + c];
      sum += value * value;
    }
    return sum;
  };
  const auto inner = static_cast<size_t>(outputs.extents[1]);
  double largest = 0;
  for (size_t h = 0; h < static_cast<size_t>(outputs.extents[0]); ++h) {
    double sum = 0;
    for (size_t a = 0; a < inner; ++a) {
      const double out = outputs.values[h * inner + a];
      sum += out * out * square_of_row(weights, a) * square_of_row(inputs, a);
    }
    largest = std::max(largest, sum);
  }
  return std::sqrt(largest);
}

Result<std::vector<PlannedStage>> winograd_stages(const PlannedStage& direct,
                                                  const algorithm::Winograd& algorithm) {
  return Winograd(algorithm.tile, direct).stages();
}

}  // namespace dovetail
