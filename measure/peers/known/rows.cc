// SPDX-License-Identifier: Apache-2.0
//
// Softmax and layer normalization: several computations with known reads of each other. Each of the
// texts below is filled with the axes that the region reduces, and matches the region if both have
// the same canonical text.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>

#include "core/ir/region/canonical.h"
#include "core/ir/region/region_text.h"
#include "core/ir/value/walk.h"
#include "measure/peers/known/forms.h"

namespace dovetail::known {
namespace {

// The reduced axes of the tensor X are [begin, end).
struct Rows {
  std::vector<int64_t> shape;
  size_t begin = 0, end = 0;

  int64_t extent(size_t from, size_t to) const {
    return std::accumulate(shape.begin() + static_cast<std::ptrdiff_t>(from),
                           shape.begin() + static_cast<std::ptrdiff_t>(to), int64_t{1},
                           std::multiplies<>());
  }
  int64_t length() const { return extent(begin, end); }
};

// Taken from the first computation that reduces an input of the region.
std::optional<Rows> rows_of(const Region& region) {
  for (const NamedComputation& named : region.computations) {
    const Computation& c = named.computation;
    if (c.reducer == Reducer::none || c.reads.empty() || is_made(region, c.reads[0].tensor))
      continue;
    Rows rows{.shape = shape_of(tensor_named(c, c.reads[0].tensor))};
    for (size_t i = 0; i < rows.shape.size(); ++i) {
      const std::vector<std::string> names = c.reads[0].indices[i].variables();
      if (names.empty()) continue;
      const auto axis = std::ranges::find(c.axes, names[0], &Axis::name);
      if (axis == c.axes.end()) return std::nullopt;
      if (!axis->reduction) continue;
      if (rows.end == 0) rows.begin = i;
      if (rows.end != 0 && rows.end != i) return std::nullopt;
      rows.end = i + 1;
    }
    if (rows.end > 0) return rows;
  }
  return std::nullopt;
}

std::string joined(const std::vector<std::string>& axes) {
  return fmt::format("{}", fmt::join(axes, ","));
}

// Axes in a text's placeholders: {a} all, {k} those of a reduced tensor where it is written, {r}
// where it is read, {t} the reduced ones. With `one`, an axis of extent 1 replaces these.
struct Pieces {
  std::string all, kept, read, tail, extents;
};

Pieces pieces_of(const Rows& rows, bool one) {
  std::vector<std::string> all, kept, read, tail, extents;
  for (size_t i = 0; i < rows.shape.size(); ++i) {
    const std::string axis = fmt::format("a{}", i);
    const bool is_reduced = i >= rows.begin && i < rows.end;
    all.push_back(axis);
    extents.push_back(fmt::format("{}={}", axis, rows.shape[i]));
    if (is_reduced) tail.push_back(axis);
    if (!is_reduced) kept.push_back(axis);
    if (!is_reduced) read.push_back(axis);
    if (one && i == rows.begin) kept.emplace_back("z");
    if (one && i == rows.begin) read.emplace_back("0");
  }
  if (one) extents.emplace_back("z=1");
  return {joined(all), joined(kept), joined(read), joined(tail), joined(extents)};
}

std::string filled(std::string_view text, const Pieces& pieces, int64_t length, double epsilon) {
  return fmt::format(fmt::runtime(std::string(text) + ":{x}"), fmt::arg("a", pieces.all),
                     fmt::arg("k", pieces.kept), fmt::arg("r", pieces.read),
                     fmt::arg("t", pieces.tail), fmt::arg("x", pieces.extents),
                     fmt::arg("n", length), fmt::arg("e", epsilon));
}

// Replaces the index of an axis of extent 1 by 0 in all reads.
void drop_ones(Computation& c) {
  std::map<std::string, IndexExpr, std::less<>> zeros;
  for (const Axis& axis : c.axes)
    if (axis.extent == 1) zeros.emplace(axis.name, IndexExpr(0));
  for (Access& read : c.reads)
    for (IndexExpr& index : read.indices) index = substitute(index, zeros, axis_ranges(c));
}

// Ignores whether inputs are constant, and how axes of extent 1 are written.
CanonicalTask canonical_of(Region region) {
  for (NamedComputation& named : region.computations) {
    drop_ones(named.computation);
    for (Tensor& tensor : named.computation.tensors)
      if (tensor.role == TensorRole::constant) tensor.role = TensorRole::activation;
  }
  return canonical(region);
}

// If the text describes the region: the region's name for each tensor of the text.
using Names = std::map<std::string, std::string, std::less<>>;
std::optional<Names> names_in(const CanonicalTask& wanted, const std::string& text) {
  const Result<Region> region = parse_region(text);
  if (!region) return std::nullopt;
  const CanonicalTask written = canonical_of(*region);
  if (!(print(written.spec) == print(wanted.spec))) return std::nullopt;
  Names names;
  for (const auto& [own, canonical_name] : written.names)
    for (const auto& [theirs, same] : wanted.names)
      if (same == canonical_name) names[own] = theirs;
  return names;
}

struct Way {
  std::string_view text;
  bool logarithm = false;
};
constexpr Way kSoftmax[] = {
    {"M[{k}]max=X[{a}];E[{a}]=exp(X[{a}]-M[{r}]);D[{k}]+=E[{a}];Y[{a}]=E[{a}]/D[{r}]"},
    {"M[{k}]max=X[{a}];D[{k}]+=exp(X[{a}]-M[{r}]);Y[{a}]=exp(X[{a}]-M[{r}])/D[{r}]"},
    {"M[{k}]max=X[{a}];E[{a}]=exp(X[{a}]-M[{r}]);D[{k}]+=E[{a}];Y[{a}]=X[{a}]-M[{r}]-log(D[{r}])",
     true},
    {"M[{k}]max=X[{a}];D[{k}]+=exp(X[{a}]-M[{r}]);Y[{a}]=X[{a}]-M[{r}]-log(D[{r}])", true},
};

// With the variance, or its inverse square root, as a tensor.
constexpr std::string_view kLayerNorm[] = {
    "M[{k}]=sum(X[{a}])/{n};V[{k}]=sum((X[{a}]-M[{r}])*(X[{a}]-M[{r}]))/{n};"
    "Y[{a}]=(X[{a}]-M[{r}])*rsqrt(V[{r}]+{e})",
    "M[{k}]=sum(X[{a}])/{n};V[{k}]=rsqrt(sum((X[{a}]-M[{r}])*(X[{a}]-M[{r}]))/{n}+{e});"
    "Y[{a}]=(X[{a}]-M[{r}])*V[{r}]",
};
constexpr std::string_view kScaleAndShift[] = {"*S[{t}]+B[{t}]", "*S[{t}]", ""};

// The number that is added under a square root.
std::optional<double> epsilon_in(const Region& region) {
  std::optional<double> epsilon;
  const auto look = [&](const Value& node) {
    const auto* root = node.as<Unary>();
    if (root == nullptr || root->op != UnaryOp::rsqrt) return;
    const auto* sum = root->operand.as<Binary>();
    if (sum == nullptr || sum->op != BinaryOp::add) return;
    for (const Value& operand : {sum->left, sum->right})
      if (const auto* number = operand.as<Constant>()) epsilon = number->value;
  };
  for (const NamedComputation& named : region.computations) {
    for_each_node(named.computation.element, look);
    for_each_node(named.computation.result, look);
  }
  return epsilon;
}

}  // namespace

std::optional<Softmax> softmax(const Region& region) {
  constexpr size_t kFewest = 3, kMost = 4;
  const auto rows = rows_of(region);
  if (!rows || region.computations.size() < kFewest || region.computations.size() > kMost)
    return std::nullopt;
  const CanonicalTask wanted = canonical_of(region);
  for (const bool one : {false, true}) {
    const Pieces pieces = pieces_of(*rows, one);
    for (const Way& way : kSoftmax) {
      const auto names = names_in(wanted, filled(way.text, pieces, 1, 0));
      if (!names) continue;
      Softmax found{.input = names->at("X"),
                    .shape = {rows->extent(0, rows->begin), rows->length()},
                    .logarithm = way.logarithm};
      const int64_t behind = rows->extent(rows->end, rows->shape.size());
      if (behind > 1) found.shape.push_back(behind);
      return found;
    }
  }
  return std::nullopt;
}

std::optional<LayerNorm> layer_norm(const Region& region) {
  constexpr size_t kComputations = 3;
  const auto rows = rows_of(region);
  const auto epsilon = epsilon_in(region);
  if (!rows || !epsilon || region.computations.size() != kComputations ||
      rows->end != rows->shape.size())
    return std::nullopt;
  const CanonicalTask wanted = canonical_of(region);
  for (const bool one : {false, true}) {
    const Pieces pieces = pieces_of(*rows, one);
    for (const std::string_view way : kLayerNorm) {
      for (const std::string_view end : kScaleAndShift) {
        const std::string text = std::string(way) + std::string(end);
        const auto names = names_in(wanted, filled(text, pieces, rows->length(), *epsilon));
        if (!names) continue;
        const auto name = [&](const char* own) {
          return names->contains(own) ? names->at(own) : std::string();
        };
        return LayerNorm{.input = name("X"),
                         .scale = name("S"),
                         .shift = name("B"),
                         .rows = rows->extent(0, rows->begin),
                         .length = rows->length(),
                         .epsilon = *epsilon};
      }
    }
  }
  return std::nullopt;
}

}  // namespace dovetail::known
