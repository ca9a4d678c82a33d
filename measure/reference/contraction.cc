// SPDX-License-Identifier: Apache-2.0
#include "measure/reference/contraction.h"

#include <algorithm>
#include <array>

#include "core/base/parallel.h"
#include "measure/reference/row_update.h"

// Compiled with -O3 in every build (CMakeLists.txt).

namespace dovetail {
namespace {

// A tile's sums and the blocks that it is made from stay in L2.
constexpr int64_t kColumns = 256, kRows = 128, kDepth = 32;
constexpr int64_t kColumnStep = kColumns + 8;  // no power of two, which would fill few cache sets
constexpr double kFewProducts = 1 << 18;       // faster on one thread than starting others
static_assert(kDepth % kUpdateRows == 0);

// Several axes as one, the last of them fastest.
class AxisGroup {
 public:
  void add(size_t axis, int64_t extent, int64_t output_step) {
    axes_.push_back({axis, extent, output_step});
    size_ *= extent;
  }

  int64_t size() const { return size_; }
  size_t last() const { return axes_.empty() ? 0 : axes_.back().axis; }
  int64_t last_extent() const { return axes_.empty() ? 1 : axes_.back().extent; }

  // Sets the axes' values; returns the offset in the output.
  int64_t place(int64_t position, std::vector<int64_t>& at) const {
    int64_t offset = 0;
    for (size_t k = axes_.size(); k-- > 0; position /= axes_[k].extent) {
      at[axes_[k].axis] = position % axes_[k].extent;
      offset += at[axes_[k].axis] * axes_[k].output_step;
    }
    return offset;
  }

 private:
  struct Member {
    size_t axis;
    int64_t extent, output_step;
  };
  std::vector<Member> axes_;
  int64_t size_ = 1;
};

struct Span {
  int64_t first = 0, count = 0;
};

Span block(int64_t number, int64_t size, int64_t extent) {
  return {number * size, std::min(size, extent - number * size)};
}

int64_t blocks_of(int64_t extent, int64_t size) { return (extent + size - 1) / size; }

// A factor's elements for a span of each of two groups, in a block with these steps.
template <typename Number>
struct FactorBlock {
  const AxisGroup& outer;
  const AxisGroup& inner;
  int64_t outer_step = 0, inner_step = 1;

  void read(const FactorRun<Number>& factor, Span of_outer, Span of_inner, std::vector<int64_t>& at,
            Number* to) const {
    std::array<Number, static_cast<size_t>(kColumns)> run{};
    for (int64_t o = 0; o < of_outer.count; ++o) {
      outer.place(of_outer.first + o, at);
      for (int64_t i = 0; i < of_inner.count;) {
        inner.place(of_inner.first + i, at);
        const int64_t to_carry = inner.last_extent() - (of_inner.first + i) % inner.last_extent();
        const int64_t count = std::min(to_carry, of_inner.count - i);
        factor(at, inner.last(), {run.data(), static_cast<size_t>(count)});
        for (int64_t k = 0; k < count; ++k)
          to[o * outer_step + (i + k) * inner_step] = run[static_cast<size_t>(k)];
        i += count;
      }
    }
  }
};

template <typename Number>
class Product {
 public:
  Product(const Contraction& axes, const FactorRun<Number>& left, const FactorRun<Number>& right)
      : num_axes_(axes.extents.size()), by_row_(&left), by_column_(&right) {
    sort_axes(axes);
    if (rows_.size() > columns_.size()) {
      std::swap(rows_, columns_);
      std::swap(by_row_, by_column_);
    }
  }

  std::vector<Number> compute() {
    output_.resize(static_cast<size_t>(batch_.size() * rows_.size() * columns_.size()));
    const int64_t across = blocks_of(columns_.size(), kColumns);
    const int64_t down = blocks_of(rows_.size(), kRows);
    const double products = static_cast<double>(output_.size()) * static_cast<double>(depth());
    for_each_in_parallel(
        static_cast<size_t>(batch_.size() * down * across),
        [&](size_t k) {
          const auto unit = static_cast<int64_t>(k);
          add_tile(unit / across / down, block(unit / across % down, kRows, rows_.size()),
                   block(unit % across, kColumns, columns_.size()));
        },
        products < kFewProducts ? 1 : 0);
    return std::move(output_);
  }

 private:
  void sort_axes(const Contraction& axes) {
    int64_t step = 1;
    std::vector<int64_t> steps(axes.num_output_axes);
    for (size_t a = axes.num_output_axes; a-- > 0; step *= axes.extents[a]) steps[a] = step;
    for (size_t a = 0; a < axes.extents.size(); ++a) {
      const bool is_summed = a >= axes.num_output_axes;
      AxisGroup& group = is_summed                       ? summed_
                         : axes.left[a] == axes.right[a] ? batch_
                         : axes.left[a]                  ? rows_
                                                         : columns_;
      group.add(a, axes.extents[a], is_summed ? 0 : steps[a]);
    }
  }

  int64_t depth() const { return summed_.size(); }

  void add_tile(int64_t member, Span rows, Span columns) {
    std::vector<int64_t> at(num_axes_);
    const int64_t first = batch_.place(member, at);
    std::vector<Number> sums(static_cast<size_t>(rows.count * kColumns));
    std::vector<Number> weights, lines;
    for (int64_t k = 0; k < depth(); k += kDepth) {
      const Span summed{k, std::min(kDepth, depth() - k)};
      const int64_t padded = blocks_of(summed.count, kUpdateRows) * kUpdateRows;
      weights.assign(static_cast<size_t>(rows.count * padded), 0);
      lines.assign(static_cast<size_t>(padded * kColumnStep), 0);
      FactorBlock<Number>{rows_, summed_, padded, 1}.read(*by_row_, rows, summed, at,
                                                          weights.data());
      read_lines(summed, columns, at, lines);
      for (int64_t j = 0; j < padded; j += kUpdateRows)
        for (int64_t i = 0; i < rows.count; ++i)
          row_update(sums.data() + i * kColumns, lines.data() + j * kColumnStep, kColumnStep,
                     weights.data() + i * padded + j, columns.count);
    }
    store(first, rows, columns, at, sums);
  }

  // Along the summed axis where it is long: then neighbours are read soon, in whatever direction
  // the factor lies in memory.
  void read_lines(Span summed, Span columns, std::vector<int64_t>& at,
                  std::vector<Number>& lines) const {
    if (summed_.last_extent() >= kUpdateRows)
      FactorBlock<Number>{columns_, summed_, 1, kColumnStep}.read(*by_column_, columns, summed, at,
                                                                  lines.data());
    else
      FactorBlock<Number>{summed_, columns_, kColumnStep, 1}.read(*by_column_, summed, columns, at,
                                                                  lines.data());
  }

  void store(int64_t first, Span rows, Span columns, std::vector<int64_t>& at,
             const std::vector<Number>& sums) {
    std::vector<int64_t> offsets;
    for (int64_t j = 0; j < columns.count; ++j)
      offsets.push_back(columns_.place(columns.first + j, at));
    for (int64_t i = 0; i < rows.count; ++i) {
      Number* to = output_.data() + first + rows_.place(rows.first + i, at);
      for (int64_t j = 0; j < columns.count; ++j)
        to[offsets[static_cast<size_t>(j)]] = sums[static_cast<size_t>(i * kColumns + j)];
    }
  }

  size_t num_axes_;
  const FactorRun<Number>*by_row_, *by_column_;
  AxisGroup batch_, rows_, columns_, summed_;
  std::vector<Number> output_;
};

}  // namespace

template <typename Number>
std::vector<Number> contract(const Contraction& axes, const FactorRun<Number>& left,
                             const FactorRun<Number>& right) {
  return Product<Number>(axes, left, right).compute();
}

template std::vector<float> contract(const Contraction&, const FactorRun<float>&,
                                     const FactorRun<float>&);
template std::vector<double> contract(const Contraction&, const FactorRun<double>&,
                                      const FactorRun<double>&);

}  // namespace dovetail
