// SPDX-License-Identifier: Apache-2.0
//
// Interleaves a long function over several vectors of a tile. exp, erf or tanh takes about fifty
// instructions, most of which depend on the previous one; a processor overlaps two or three such
// chains, but LLVM leaves them in sequence. Two vectors computed as one value of twice the lanes
// are interleaved:
//
//     for a in 0..2 unrolled                 r = erf(<Z[a = 0, …], Z[a = 1, …]>)     16 lanes
//       for b in 0..8 vectorized       ->    Y[a = 0, …] = low half of r
//         Y[a, b] = erf(Z[a, b])             Y[a = 1, …] = high half of r
//
// Figures: docs/decisions/0035-interleaved-transcendentals.md.
#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "core/codegen/llvm/emit/kernel_emitter.h"
#include "core/ir/program/walk.h"
#include "core/ir/value/walk.h"

namespace dovetail::codegen {
namespace {

constexpr size_t kAtOnce = 2;  // vectors

bool is_long(UnaryOp op) {
  switch (op) {
    case UnaryOp::exp:
    case UnaryOp::tanh:
    case UnaryOp::erf:
    case UnaryOp::log:
    case UnaryOp::sin:
    case UnaryOp::cos:
    case UnaryOp::atan: return true;
    default: return false;
  }
}

// Whether the value has such a function below sums, products and other functions only.
bool has_long(const Value& value) {
  if (const auto* binary = value.as<Binary>())
    return has_long(binary->left) || has_long(binary->right);
  const auto* unary = value.as<Unary>();
  return unary != nullptr && (is_long(unary->op) || has_long(unary->operand));
}

struct StoredTile {
  std::vector<const Loop*> unrolled;  // the outermost first
  const Loop* lanes = nullptr;
  const Store* store = nullptr;
};

std::optional<StoredTile> stored_tile(const Loop& outermost) {
  StoredTile tile;
  for (const Loop* loop = &outermost; loop != nullptr;) {
    if (loop->body.size() != 1 || !loop->bounds.empty() || !loop->prefetches.empty() || loop->at)
      return std::nullopt;
    const bool is_vector = loop->kind == LoopKind::vectorized && loop->extent > 1;
    if (!is_vector && loop->kind != LoopKind::unrolled && loop->extent != 1) return std::nullopt;
    if (is_vector)
      tile.lanes = loop;
    else
      tile.unrolled.push_back(loop);
    const Statement& inner = loop->body[0];
    if (is_vector) tile.store = std::get_if<Store>(&inner.node);
    loop = is_vector ? nullptr : std::get_if<Loop>(&inner.node);
  }
  const bool is_plain = tile.store != nullptr && !accumulates(*tile.store);
  if (!is_plain || !has_long(tile.store->value)) return std::nullopt;
  return tile;
}

std::vector<UnrolledPoint> points_of(const std::vector<const Loop*>& unrolled) {
  std::vector<UnrolledPoint> points{{}};
  for (const Loop* loop : unrolled) {
    std::vector<UnrolledPoint> longer;
    for (const UnrolledPoint& point : points) {
      for (int64_t at = 0; at < loop->extent; ++at) {
        longer.push_back(point);
        longer.back().emplace_back(loop->variable, at);
      }
    }
    points = std::move(longer);
  }
  return points;
}

bool loads(const Value& value, const std::string& name) {
  bool found = false;
  for_each_load(value, [&](const Load& load) { found = found || load.buffer == name; });
  return found;
}

}  // namespace

// The values at the points, emitted one by one, or as pairs where they depend on a long function.
Result<std::vector<llvm::Value*>> KernelEmitter::emit_values(
    const Value& value, std::span<const UnrolledPoint> points) {
  std::vector<llvm::Value*> values;
  if (!has_long(value)) {
    for (const UnrolledPoint& point : points) {
      bind(point);
      values.push_back(TRY(emit_value(value, nullptr)));
    }
    return values;
  }
  if (const auto* unary = value.as<Unary>()) {
    values = TRY(emit_values(unary->operand, points));
    if (is_long(unary->op) && values.size() == kAtOnce) return emit_pair(*unary, values);
    for (llvm::Value*& own : values) own = TRY(emit_unary(*unary, own));
    return values;
  }
  const auto& binary = *value.as<Binary>();
  const std::optional<ScaledSum> sum = scaled_sum(binary);
  const bool is_scaled = sum && has_long(*sum->scaled);
  const std::vector<llvm::Value*> left = TRY(emit_values(binary.left, points));
  const std::vector<llvm::Value*> right =
      TRY(emit_values(is_scaled ? *sum->scaled : binary.right, points));
  for (size_t k = 0; k < points.size(); ++k)
    values.push_back(is_scaled ? add_scaled(left[k], right[k], sum->factor)
                               : TRY(combined(binary.op, left[k], right[k])));
  return values;
}

Result<std::vector<llvm::Value*>> KernelEmitter::emit_pair(
    const Unary& function, const std::vector<llvm::Value*>& operands) {
  const auto is_vector = [](const llvm::Value* operand) {
    return operand->getType()->isVectorTy() && operand->getType()->isFPOrFPVectorTy();
  };
  if (!std::ranges::all_of(operands, is_vector))
    return std::vector{TRY(emit_unary(function, operands[0])),
                       TRY(emit_unary(function, operands[1]))};
  const auto own = static_cast<size_t>(lanes_);
  std::vector<int> lanes(kAtOnce * own);
  std::iota(lanes.begin(), lanes.end(), 0);
  llvm::Value* both =
      TRY(emit_unary(function, builder_.CreateShuffleVector(operands[0], operands[1], lanes)));
  const llvm::ArrayRef<int> all(lanes);
  return std::vector{builder_.CreateShuffleVector(both, all.take_front(own)),
                     builder_.CreateShuffleVector(both, all.take_back(own))};
}

void KernelEmitter::bind(const UnrolledPoint& point) {
  for (const auto& [variable, at] : point) index_.bind_constant(variable, at);
}

// Both vectors are loaded before the first is stored, so the value must not read the target.
Result<bool> KernelEmitter::emit_side_by_side(const Loop& loop) {
  const std::optional<StoredTile> tile = stored_tile(loop);
  if (!tile || loads(tile->store->value, tile->store->target)) return false;
  TRY(check_lane_order(*tile->lanes));
  const size_t around = loops_.size();
  loops_.insert(loops_.end(), tile->unrolled.begin() + 1, tile->unrolled.end());
  loops_.push_back(tile->lanes);
  lanes_ = static_cast<int>(tile->lanes->extent);
  index_.bind_lane(tile->lanes->variable, tile->lanes->extent);
  store_ = tile->store;
  const Access* access = TRY(access_of(store_, store_->target, store_->indices, /*is_load=*/false));
  const std::vector<UnrolledPoint> points = points_of(tile->unrolled);
  for (size_t first = 0; first < points.size(); first += kAtOnce) {
    const auto some = std::span(points).subspan(first, std::min(kAtOnce, points.size() - first));
    const std::vector<llvm::Value*> values = TRY(emit_values(store_->value, some));
    for (size_t k = 0; k < some.size(); ++k) {
      bind(some[k]);
      TRY(put(*store_, *access, values[k]));
    }
  }
  lanes_ = 1;
  for (; loops_.size() > around; loops_.pop_back()) index_.unbind(loops_.back()->variable);
  return true;
}

}  // namespace dovetail::codegen
