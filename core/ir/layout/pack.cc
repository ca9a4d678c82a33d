// SPDX-License-Identifier: Apache-2.0
#include "core/ir/layout/pack.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "core/base/check.h"

namespace dovetail {
namespace {

// One digit of the storage, with its stride in the plain tensor and in the storage.
struct Step {
  size_t dim = 0;
  int64_t step = 1;  // stride in indices of `dim`
  int64_t extent = 1;
  int64_t logical = 0;   // stride in elements of the plain tensor
  int64_t physical = 1;  // stride in elements of the storage
};

// All digits, outermost first, without those of extent 1; contiguous neighbours are merged.
std::vector<Step> steps_of(const Layout& layout) {
  std::vector<int64_t> strides(layout.logical.size(), 1);
  for (size_t j = strides.size(); j-- > 1;) strides[j - 1] = strides[j] * layout.logical[j].extent;
  std::vector<Step> steps;
  for (const PhysicalAxis& axis : layout.axes) {
    for (const Digit& digit : axis.digits) {
      if (digit.extent == 1) continue;
      const auto dim = static_cast<size_t>(digit.dim);
      int64_t extent = digit.extent;
      if (!steps.empty() && steps.back().dim == dim && steps.back().step == digit.step * extent) {
        extent *= steps.back().extent;
        steps.pop_back();
      }
      steps.push_back({dim, digit.step, extent, digit.step * strides[dim], 1});
    }
  }
  if (steps.empty() && !strides.empty()) steps.push_back({});
  for (size_t s = steps.size(); s-- > 1;)
    steps[s - 1].physical = steps[s].physical * steps[s].extent;
  return steps;
}

// Calls row(physical offset, count, logical offset, stride) for each run of stored elements and
// gap(physical offset, count) for each run of zeros. The iteration domain is halved along the digit
// that spans the most memory until a piece fits the L1 cache on both sides: a transposed matrix
// would otherwise miss the cache with every element.
template <typename Row, typename Gap>
class Walk {
 public:
  Walk(const Layout& layout, Row row, Gap gap)
      : layout_(layout), row_(row), gap_(gap), steps_(steps_of(layout)), position_(layout.offsets) {
    for (const Step& step : steps_) counts_.push_back(step.extent);
    int64_t stride = 1;
    for (size_t j = position_.size(); j-- > 0;) {
      logical_ += position_[j] * stride;
      stride *= layout.logical[j].extent;
    }
  }

  void run() {
    if (layout_.logical.empty()) return row_(0, 1, 0, 0);
    piece();
  }

 private:
  static constexpr int64_t kPieceElements = 2048;

  void move(const Step& step, int64_t counts) {
    position_[step.dim] += counts * step.step;
    logical_ += counts * step.logical;
    physical_ += counts * step.physical;
  }

  // A digit that is contiguous on either side keeps at least a cache line or two.
  bool may_halve(size_t s) const {
    constexpr int64_t kTogether = 32;
    const bool neighbours = s + 1 == steps_.size() || steps_[s].logical == 1;
    return counts_[s] > (neighbours ? kTogether : 1);
  }

  void piece() {
    int64_t elements = 1;
    size_t longest = steps_.size();
    int64_t length = -1;
    for (size_t s = 0; s < steps_.size(); ++s) {
      elements *= counts_[s];
      const int64_t way = (counts_[s] - 1) * (steps_[s].logical + steps_[s].physical);
      if (way > length && may_halve(s)) {
        length = way;
        longest = s;
      }
    }
    if (elements <= kPieceElements || longest == steps_.size()) return level(0);
    const int64_t count = counts_[longest];
    counts_[longest] = count / 2;
    piece();
    move(steps_[longest], count / 2);
    counts_[longest] = count - count / 2;
    piece();
    move(steps_[longest], -(count / 2));
    counts_[longest] = count;
  }

  void level(size_t s) {
    if (s + 1 == steps_.size()) return innermost(steps_[s], counts_[s]);
    for (int64_t i = 0; i < counts_[s]; ++i) {
      level(s + 1);
      move(steps_[s], 1);
    }
    move(steps_[s], -counts_[s]);
  }

  void innermost(const Step& step, int64_t count) {
    for (size_t j = 0; j < position_.size(); ++j)
      if (j != step.dim && (position_[j] < 0 || position_[j] >= layout_.logical[j].extent))
        return gap_(physical_, count);
    // start + i·step lies in [0, extent of the dimension) for i in [first, last)
    const int64_t start = position_[step.dim];
    const int64_t room = layout_.logical[step.dim].extent - start;
    const int64_t first = std::min(count, start < 0 ? (-start + step.step - 1) / step.step : 0);
    const int64_t last =
        std::max(first, std::min(count, room <= 0 ? 0 : (room + step.step - 1) / step.step));
    if (first > 0) gap_(physical_, first);
    if (last > first)
      row_(physical_ + first, last - first, logical_ + first * step.logical, step.logical);
    if (last < count) gap_(physical_ + last, count - last);
  }

  const Layout& layout_;
  Row row_;
  Gap gap_;
  std::vector<Step> steps_;
  std::vector<int64_t> counts_;    // extent of each step in the current piece
  std::vector<int64_t> position_;  // logical index of each dimension
  int64_t logical_ = 0;            // offset in the plain tensor, undefined outside it
  int64_t physical_ = 0;
};

void check_sizes(const Layout& layout, size_t logical, size_t physical) {
  CHECK(logical == static_cast<size_t>(logical_elements(layout)),
        "the plain tensor has " + std::to_string(logical) + " elements");
  CHECK(physical == static_cast<size_t>(storage_elements(layout)),
        "the storage has " + std::to_string(physical) + " elements");
}

// Copies a part, whose dimensions are a subset of the joined tensor's, to `at` along `axis`.
void place(const Layout& layout, const std::vector<LogicalDim>& dims, const std::string& axis,
           int64_t at, const ArrayView& part, std::vector<std::byte>& joined) {
  const int64_t count = num_elements(extents_of(dims));
  CHECK(static_cast<int64_t>(part.size()) == count, "the elements of a host or a guest");
  const auto width = static_cast<size_t>(bytes_of(part.type()));
  std::vector<int64_t> strides(dims.size(), 0);
  int64_t stride = 1, start = 0;
  for (size_t j = layout.logical.size(); j-- > 0; stride *= layout.logical[j].extent) {
    const std::string& name = layout.logical[j].name;
    if (name == axis) start = at * stride;
    for (size_t d = 0; d < dims.size(); ++d)
      if (dims[d].name == name) strides[d] = stride;
  }
  for (int64_t k = 0; k < count; ++k) {
    int64_t position = start, rest = k;
    for (size_t d = dims.size(); d-- > 0; rest /= dims[d].extent)
      position += rest % dims[d].extent * strides[d];
    std::memcpy(joined.data() + static_cast<size_t>(position) * width,
                part.bytes().data() + static_cast<size_t>(k) * width, width);
  }
}

void multiply(std::span<float> values, float factor) {
  if (factor == 1) return;
  for (float& value : values) value *= factor;
}

template <typename Word>
void pack_words(const Layout& layout, std::span<const Word> logical, std::span<Word> physical) {
  check_sizes(layout, logical.size(), physical.size());
  const Word* const from = logical.data();
  Word* const to = physical.data();
  const auto row = [=](int64_t at, int64_t count, int64_t element, int64_t stride) {
    if (stride == 1)
      std::copy_n(from + element, count, to + at);
    else
      for (int64_t i = 0; i < count; ++i) to[at + i] = from[element + i * stride];
  };
  const auto gap = [=](int64_t at, int64_t count) { std::fill_n(to + at, count, Word{}); };
  Walk(layout, row, gap).run();
}

template <typename Word>
void unpack_words(const Layout& layout, std::span<const Word> physical, std::span<Word> logical) {
  check_sizes(layout, logical.size(), physical.size());
  const Word* const from = physical.data();
  Word* const to = logical.data();
  const auto row = [=](int64_t at, int64_t count, int64_t element, int64_t stride) {
    if (stride == 1)
      std::copy_n(from + at, count, to + element);
    else
      for (int64_t i = 0; i < count; ++i) to[element + i * stride] = from[at + i];
  };
  std::ranges::fill(logical, Word{});
  Walk(layout, row, [](int64_t, int64_t) {}).run();
}

template <typename Word, typename Byte>
std::span<Word> as_words(std::span<Byte> bytes) {
  CHECK(reinterpret_cast<uintptr_t>(bytes.data()) % alignof(Word) == 0);
  return {reinterpret_cast<Word*>(bytes.data()), bytes.size() / sizeof(Word)};
}

// Calls move() with an unsigned integer of the element's size, as which elements are copied.
template <typename Move>
void with_words(int64_t element_bytes, const Move& move) {
  switch (element_bytes) {
    case 1: return move(uint8_t{});
    case 2: return move(uint16_t{});
    case 4: return move(uint32_t{});
    case 8: return move(uint64_t{});
    default: CHECK(false, "an element of 1, 2, 4 or 8 bytes");
  }
}

}  // namespace

void pack(const Layout& layout, std::span<const float> logical, std::span<float> physical) {
  pack_words(layout, logical, physical);
  multiply(physical, static_cast<float>(layout.times));
}

void unpack(const Layout& layout, std::span<const float> physical, std::span<float> logical) {
  unpack_words(layout, physical, logical);
  multiply(logical, 1 / static_cast<float>(layout.times));
}

void pack_bytes(const Layout& layout, int64_t element_bytes, std::span<const std::byte> logical,
                std::span<std::byte> physical) {
  CHECK(layout.times == 1, "elements that are stored as they are");
  with_words(element_bytes, [&]<typename Word>(Word) {
    pack_words(layout, as_words<const Word>(logical), as_words<Word>(physical));
  });
}

void unpack_bytes(const Layout& layout, int64_t element_bytes, std::span<const std::byte> physical,
                  std::span<std::byte> logical) {
  CHECK(layout.times == 1, "elements that are stored as they are");
  with_words(element_bytes, [&]<typename Word>(Word) {
    unpack_words(layout, as_words<const Word>(physical), as_words<Word>(logical));
  });
}

std::vector<LogicalDim> host_dims(const Layout& layout) {
  std::vector<LogicalDim> dims = layout.logical;
  for (LogicalDim& dim : dims) {
    for (const Guest& guest : layout.guests)
      if (guest.axis == dim.name) dim.extent = std::min(dim.extent, guest.at);
  }
  return dims;
}

NDArray join_guests(const Layout& layout, const NDArray& host, std::span<const NDArray> guests) {
  CHECK(guests.size() == layout.guests.size(), "one array for each guest");
  const auto elements = static_cast<size_t>(logical_elements(layout));
  std::vector<std::byte> joined(elements * static_cast<size_t>(bytes_of(host.type())));
  place(layout, host_dims(layout), "", 0, host, joined);
  for (size_t g = 0; g < guests.size(); ++g) {
    const Guest& guest = layout.guests[g];
    place(layout, guest.dims, guest.axis, guest.at, converted(guests[g], host.type()), joined);
  }
  return {host.type(), extents_of(layout.logical), std::move(joined)};
}

}  // namespace dovetail
