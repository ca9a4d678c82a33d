// SPDX-License-Identifier: Apache-2.0
#include "primitives/space/parameter_names.h"

#include <algorithm>
#include <array>

#include "core/base/fail.h"

namespace dovetail {
namespace {

struct KindRow {
  ParameterKind kind;
  std::string_view word;
  std::string_view short_word;  // empty: the tensor's name took its place
  Decides decides;
};

// In the order of the kinds.
constexpr std::array kKindRows = {
    KindRow{ParameterKind::algorithm, "algorithm", "algorithm", Decides::algorithm},
    KindRow{ParameterKind::phase, "phase", "phase", Decides::layout},
    KindRow{ParameterKind::register_tile, "register_tile", "R", Decides::layout},
    KindRow{ParameterKind::cache_tile, "cache_tile", "M", Decides::loops},
    KindRow{ParameterKind::unroll_part, "unroll_part", "U", Decides::loops},
    KindRow{ParameterKind::inner_part, "inner_part", "K", Decides::loops},
    KindRow{ParameterKind::unroll, "unroll", "unroll", Decides::loops},
    KindRow{ParameterKind::layout_levels, "layout_levels", "levels", Decides::layout},
    KindRow{ParameterKind::layout_tile, "layout_tile", "", Decides::layout},
    KindRow{ParameterKind::layout_block, "layout_block", "block", Decides::layout},
    KindRow{ParameterKind::storage, "storage", "", Decides::layout},
    KindRow{ParameterKind::phase_storage, "phase_storage", "Y.phase", Decides::layout},
    KindRow{ParameterKind::channel_tiles, "channel_tiles", "place", Decides::layout},
    KindRow{ParameterKind::store_at, "store_at", "store", Decides::layout},
    KindRow{ParameterKind::pad_at, "pad_at", "at", Decides::loops},
    KindRow{ParameterKind::cache_read, "cache_read", "stage", Decides::loops},
    KindRow{ParameterKind::reduction_order, "reduction_order", "order.reduction", Decides::loops},
    KindRow{ParameterKind::phase_order, "phase_order", "order.phase", Decides::loops},
    KindRow{ParameterKind::outer_order, "outer_order", "order.outer", Decides::loops},
    KindRow{ParameterKind::cache_order, "cache_order", "order.cache", Decides::loops},
    KindRow{ParameterKind::rfactor, "rfactor", "rfactor", Decides::loops},
    KindRow{ParameterKind::reduction_outside, "reduction_outside", "kout", Decides::loops},
    KindRow{ParameterKind::fuse, "fuse", "fuse", Decides::loops},
    KindRow{ParameterKind::stores, "stores", "stores", Decides::loops},
    KindRow{ParameterKind::prefetch, "prefetch", "prefetch", Decides::loops},
    KindRow{ParameterKind::scope, "scope", "scope", Decides::scope},
    KindRow{ParameterKind::compute_at, "compute_at", "made_at", Decides::loops},
    KindRow{ParameterKind::vector_axis, "vector_axis", "vector_axis", Decides::loops},
    KindRow{ParameterKind::plane_storage, "plane_storage", "plane_storage", Decides::layout},
    KindRow{ParameterKind::reduction_parts, "reduction_parts", "reduction_parts", Decides::loops},
    KindRow{ParameterKind::row_pad, "row_pad", "row_pad", Decides::loops},
    KindRow{ParameterKind::reduction_items, "reduction_items", "reduction_items", Decides::loops},
    KindRow{ParameterKind::double_buffer, "double_buffer", "double_buffer", Decides::loops},
    KindRow{ParameterKind::rounds_behind, "rounds_behind", "rounds_behind", Decides::loops},
};

constexpr bool is_in_order() {
  for (size_t k = 0; k < kKindRows.size(); ++k)
    if (kKindRows[k].kind != static_cast<ParameterKind>(k)) return false;
  return true;
}
static_assert(is_in_order());

const KindRow& row_of(ParameterKind kind) { return kKindRows.at(static_cast<size_t>(kind)); }

std::string dotted(std::initializer_list<std::string_view> words) {
  std::string text;
  for (const std::string_view word : words) {
    if (word.empty()) continue;
    if (!text.empty()) text += '.';
    text += word;
  }
  return text;
}

}  // namespace

Decides decides(ParameterKind kind) { return row_of(kind).decides; }

std::string_view print(ParameterKind kind) { return row_of(kind).word; }

Result<ParameterKind> parse_parameter_kind(std::string_view word) {
  const auto found = std::ranges::find(kKindRows, word, &KindRow::word);
  if (found != kKindRows.end()) return found->kind;
  return fail("unknown kind of parameter '{}'", word);
}

bool counts_orders(ParameterKind kind) {
  return kind == ParameterKind::reduction_order || kind == ParameterKind::phase_order ||
         kind == ParameterKind::outer_order || kind == ParameterKind::cache_order;
}

std::string parameter_name(const ParameterId& id, std::string_view algorithm) {
  return dotted({algorithm, row_of(id.kind).word, id.tensor, id.axis});
}

std::string short_name(const ParameterId& id, std::string_view algorithm) {
  // The padding pass was named after its stage, X.pad.
  const std::string_view stage = id.kind == ParameterKind::pad_at ? "pad" : "";
  return dotted({algorithm, row_of(id.kind).short_word, id.tensor, id.axis, stage});
}

}  // namespace dovetail
