// SPDX-License-Identifier: Apache-2.0
//
// A parameter of a space is named by the word of its kind, and the tensor and the axis that it is
// about. The short names that were printed before are recognised, too (is_called in space.h).
//
//   ParameterId(ParameterKind::register_tile, "o")        register_tile.o     was R.o
//   ParameterId(ParameterKind::layout_tile, "Y", "o")     layout_tile.Y.o     was Y.o
//   ParameterId(ParameterKind::scope, "W")                scope.W             as it was
//
// Why kinds and not names: strategies and rules ask what a parameter decides, and a name that is
// taken apart for that (is `winograd_2.stores` a `store`?) answers wrongly sooner or later.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace dovetail {

// The words of the field, in the order of the table in choices.h, which says what values mean.
enum class ParameterKind : uint8_t {
  algorithm,
  phase,
  register_tile,
  cache_tile,
  unroll_part,
  inner_part,
  unroll,
  layout_levels,
  layout_tile,
  layout_block,
  storage,
  phase_storage,
  channel_tiles,
  store_at,
  pad_at,
  cache_read,
  reduction_order,
  phase_order,
  outer_order,
  cache_order,
  rfactor,
  reduction_outside,
  fuse,
  stores,
  prefetch,
  scope,
  made_at,
  vector_axis,
  plane_storage,
};

// A choice of `loops` leaves data where they are. `layout` says where data lie, and at what sizes
// both are cut: layouts and loops share their register tiles.
enum class Decides : uint8_t { layout, loops, algorithm, scope };

constexpr bool is_of_a_tensor(ParameterKind kind) {
  switch (kind) {
    case ParameterKind::layout_levels:
    case ParameterKind::channel_tiles:
    case ParameterKind::store_at:
    case ParameterKind::pad_at:
    case ParameterKind::cache_read:
    case ParameterKind::prefetch:
    case ParameterKind::scope:
    case ParameterKind::made_at:
    case ParameterKind::vector_axis: return true;
    default: return false;
  }
}

// A ParameterId says which of a space's parameters is meant. It borrows the names, like a
// string_view.
struct ParameterId {
  ParameterKind kind;
  std::string_view tensor = {};
  std::string_view axis = {};

  constexpr explicit(false) ParameterId(ParameterKind of) : kind(of) {}
  // The parameter is about one thing, a tensor or an axis: the kind says which.
  constexpr ParameterId(ParameterKind of, std::string_view name)
      : kind(of),
        tensor(is_of_a_tensor(of) ? name : std::string_view()),
        axis(is_of_a_tensor(of) ? std::string_view() : name) {}
  constexpr ParameterId(ParameterKind of, std::string_view of_tensor, std::string_view of_axis)
      : kind(of), tensor(of_tensor), axis(of_axis) {}

  friend bool operator==(const ParameterId&, const ParameterId&) = default;
};

Decides decides(ParameterKind kind);
std::string_view print(ParameterKind kind);  // its word
Result<ParameterKind> parse_parameter_kind(std::string_view word);
// Loop orders are counted through; their numbers mean nothing.
bool counts_orders(ParameterKind kind);

// The name is register_tile.o, or winograd_2.register_tile.o for another algorithm than the direct
// sum.
std::string parameter_name(const ParameterId& id, std::string_view algorithm = {});
// Logs, spaces and programs of before have the short name, R.o.
std::string short_name(const ParameterId& id, std::string_view algorithm = {});

}  // namespace dovetail
