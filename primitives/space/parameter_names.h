// SPDX-License-Identifier: Apache-2.0
//
// A parameter is named after its kind, its tensor and its axis. The short names of older versions
// are recognised, too (is_called in space.h).
//
//   ParameterId(ParameterKind::register_tile, "o")        register_tile.o     was R.o
//   ParameterId(ParameterKind::layout_tile, "Y", "o")     layout_tile.Y.o     was Y.o
//   ParameterId(ParameterKind::scope, "W")                scope.W             as it was
//
// Why kinds and not names: strategies and rules ask what a parameter decides, and parsing names for
// that (is `winograd_2.stores` a `store`?) goes wrong sooner or later.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace dovetail {

// Kinds of parameters; the table in choices.h documents their values.
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
  compute_at,
  vector_axis,
  plane_storage,
  reduction_parts,
  row_pad,
  reduction_items,
  double_buffer,
  rounds_behind,
};

// `loops` parameters leave layouts unchanged. `layout` parameters choose layouts and the sizes that
// layouts and loops share, such as register tiles.
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
    case ParameterKind::compute_at:
    case ParameterKind::row_pad:
    case ParameterKind::vector_axis: return true;
    default: return false;
  }
}

// Identifies a parameter of a space. Borrows the names, like a string_view.
struct ParameterId {
  ParameterKind kind;
  std::string_view tensor = {};
  std::string_view axis = {};

  constexpr explicit(false) ParameterId(ParameterKind of) : kind(of) {}
  // `name` is a tensor or an axis, depending on the kind.
  constexpr ParameterId(ParameterKind of, std::string_view name)
      : kind(of),
        tensor(is_of_a_tensor(of) ? name : std::string_view()),
        axis(is_of_a_tensor(of) ? std::string_view() : name) {}
  constexpr ParameterId(ParameterKind of, std::string_view of_tensor, std::string_view of_axis)
      : kind(of), tensor(of_tensor), axis(of_axis) {}

  friend bool operator==(const ParameterId&, const ParameterId&) = default;
};

Decides decides(ParameterKind kind);
std::string_view print(ParameterKind kind);  // as in names: register_tile
Result<ParameterKind> parse_parameter_kind(std::string_view word);
// Whether values are indices of loop orders, between which distances mean nothing.
bool counts_orders(ParameterKind kind);

// register_tile.o, or winograd_2.register_tile.o for another algorithm than the direct sum.
std::string parameter_name(const ParameterId& id, std::string_view algorithm = {});
// R.o: the name in older logs, spaces and programs.
std::string short_name(const ParameterId& id, std::string_view algorithm = {});

}  // namespace dovetail
