// SPDX-License-Identifier: Apache-2.0
#include "core/ir/pack.h"

#include <algorithm>
#include <vector>

#include "core/base/check.h"

namespace dovetail {
namespace {

// One digit of the storage, with what a count of it means in the plain tensor.
struct Step {
  size_t dim = 0;
  int64_t step = 1;  // logical indices of `dim`
  int64_t extent = 1;
  int64_t stride = 0;  // elements of the plain tensor
};

// All digits, outermost first, without those of extent 1, neighbours that count on joined into one.
std::vector<Step> steps_of(const Layout& layout, const std::vector<int64_t>& strides) {
  std::vector<Step> steps;
  for (const PhysicalAxis& axis : layout.axes) {
    for (const Digit& digit : axis.digits) {
      if (digit.extent == 1) continue;
      const auto dim = static_cast<size_t>(digit.dim);
      if (!steps.empty() && steps.back().dim == dim &&
          steps.back().step == digit.step * digit.extent) {
        steps.back() = {dim, digit.step, steps.back().extent * digit.extent,
                        digit.step * strides[dim]};
      } else {
        steps.push_back({dim, digit.step, digit.extent, digit.step * strides[dim]});
      }
    }
  }
  return steps;
}

// Calls row(physical offset, count, logical offset, stride) for each run of stored elements and
// gap(physical offset, count) for each run of zeros, in the order of the storage.
template <typename Row, typename Gap>
class Walk {
 public:
  Walk(const Layout& layout, Row row, Gap gap)
      : layout_(layout), row_(row), gap_(gap), position_(layout.offsets) {
    std::vector<int64_t> strides(layout.logical.size(), 1);
    for (size_t j = strides.size(); j-- > 1;)
      strides[j - 1] = strides[j] * layout.logical[j].extent;
    steps_ = steps_of(layout, strides);
    if (steps_.empty()) steps_.push_back({});
    for (size_t j = 0; j < strides.size(); ++j) logical_ += layout.offsets[j] * strides[j];
  }

  void run() {
    if (layout_.logical.empty()) return row_(0, 1, 0, 0);
    level(0);
  }

 private:
  // Counts of step s for which its dimension lies inside the tensor; the finer digits of the same
  // dimension still decide when there are some.
  void level(size_t s) {
    if (s + 1 == steps_.size()) return innermost(steps_[s]);
    const Step& step = steps_[s];
    const int64_t position = position_[step.dim];
    const int64_t logical = logical_;
    for (int64_t i = 0; i < step.extent; ++i) {
      level(s + 1);
      position_[step.dim] += step.step;
      logical_ += step.stride;
    }
    position_[step.dim] = position;
    logical_ = logical;
  }

  void innermost(const Step& step) {
    for (size_t j = 0; j < position_.size(); ++j) {
      if (j != step.dim && (position_[j] < 0 || position_[j] >= layout_.logical[j].extent)) {
        gap_(physical_, step.extent);
        physical_ += step.extent;
        return;
      }
    }
    // position + i·step in [0, extent of the dimension)
    const int64_t start = position_[step.dim];
    const int64_t room = layout_.logical[step.dim].extent - start;  // > 0 where anything is inside
    const int64_t first =
        std::min(step.extent, start < 0 ? (-start + step.step - 1) / step.step : 0);
    const int64_t last =
        std::max(first, std::min(step.extent, room <= 0 ? 0 : (room + step.step - 1) / step.step));
    if (first > 0) gap_(physical_, first);
    if (last > first)
      row_(physical_ + first, last - first, logical_ + first * step.stride, step.stride);
    if (last < step.extent) gap_(physical_ + last, step.extent - last);
    physical_ += step.extent;
  }

  const Layout& layout_;
  Row row_;
  Gap gap_;
  std::vector<Step> steps_;
  std::vector<int64_t> position_;  // logical index of each dimension
  int64_t logical_ = 0;            // offset in the plain tensor, meaningless outside it
  int64_t physical_ = 0;
};

void check_sizes(const Layout& layout, size_t logical, size_t physical) {
  CHECK(logical == static_cast<size_t>(logical_elements(layout)),
        "the plain tensor has " + std::to_string(logical) + " elements");
  CHECK(physical == static_cast<size_t>(storage_elements(layout)),
        "the storage has " + std::to_string(physical) + " elements");
}

}  // namespace

void pack(const Layout& layout, std::span<const float> logical, std::span<float> physical) {
  check_sizes(layout, logical.size(), physical.size());
  const float* const from = logical.data();
  float* const to = physical.data();
  const auto row = [=](int64_t at, int64_t count, int64_t element, int64_t stride) {
    if (stride == 1) {
      std::copy_n(from + element, count, to + at);
    } else {
      for (int64_t i = 0; i < count; ++i) to[at + i] = from[element + i * stride];
    }
  };
  const auto gap = [=](int64_t at, int64_t count) { std::fill_n(to + at, count, 0.0f); };
  Walk(layout, row, gap).run();
}

void unpack(const Layout& layout, std::span<const float> physical, std::span<float> logical) {
  check_sizes(layout, logical.size(), physical.size());
  const float* const from = physical.data();
  float* const to = logical.data();
  const auto row = [=](int64_t at, int64_t count, int64_t element, int64_t stride) {
    if (stride == 1) {
      std::copy_n(from + at, count, to + element);
    } else {
      for (int64_t i = 0; i < count; ++i) to[element + i * stride] = from[at + i];
    }
  };
  std::ranges::fill(logical, 0.0f);
  Walk(layout, row, [](int64_t, int64_t) {}).run();
}

}  // namespace dovetail
