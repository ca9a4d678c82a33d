// SPDX-License-Identifier: Apache-2.0
//
// Bands: a product and the stage that makes its input run in rounds of the one stage that reads its
// output. Winograd's three stages are such a chain: as separate kernels, the transformed input and
// output of a whole layer go through memory; in bands they stay in L2.
//
//   compute_at.Y.wino=apart        kernel X.wino     for all tiles
//                                  kernel Y.wino     for all tiles
//                                  kernel c2d        for all tiles
//   compute_at.Y.wino=workspace    kernel c2d
//   cache_tile.th=2                  for n in 0..16
//                                      for h.0.0 in 0..7         bands of two rows of tiles
//                                        X.wino of 2 x 14 tiles  in workspace
//                                        Y.wino of 2 x 14 tiles  in workspace
//                                        Y      of 2 x 14 tiles
//
// A band is a cache tile of the product: the loops of the later stage replace the product's outer
// loops over rows. So a band has no size parameter of its own, and choices inside a cache tile mean
// the same in both forms. Rows of a band are neither padded nor stored in tiles.
//
// plane_storage places the planes of both tensors, one for each coordinate of a transformed tile:
// outermost, so that the product reads contiguously, or directly outside the channels, so that a
// transform writes contiguously.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/ir/schedule/trace.h"
#include "core/ir/target.h"
#include "primitives/space/parameter_list.h"
#include "primitives/space/winograd/winograd_plan.h"

namespace dovetail {

// Whether the product runs inside bands.
bool is_banded(const WinogradPlan& plan, const Choices& choices);
// Elements of the row axis in a band: all of them where the product has no outer loop over it.
int64_t band_extent(const WinogradPlan& plan, const Choices& choices, const std::string& axis);
// The product restricted to one band.
ContractionPlan in_a_band(const WinogradPlan& plan, const Choices& choices);

// Adds compute_at of the product's output and plane_storage; must follow the cache tiles. Adds
// nothing where the plan has no bands.
void add_bands(const std::shared_ptr<const WinogradPlan>& plan, ParameterList& list);
// Where the product runs in bands, fixes the parameters that a band does not support to off.
void keep_bands_row_major(const WinogradPlan& plan, std::vector<Parameter>& parameters);

// Chooses bands, by bytes moved and without measuring, where staying in the caches saves more than
// rereading the weights for each band costs. A band then has about 20 tiles: enough to amortise the
// weights, few enough to stay in a cache. Must follow the default rule's other choices.
void choose_bands(const WinogradPlan& plan, const Target& target, Choices& choices);

// Whether the last stage writes the axis in tiles: its tables are indexed by `axis mod m`.
bool is_window_axis(const Computation& last, const std::string& axis);

// Adds the loops of the last stage, and runs the others in them: bands outermost, then the axes of
// the output's layout, coefficients unrolled, channels in vectors.
//
//   loops: split(loop=h.0, factor=2) ; reorder(n, h.0.0, o.0, h.0.1, w.0, h.1, …, o.1) ; …
//   loops Y.wino: compute_at(stage=c2d, loop=h.0.0, scope=workspace) ; …
//   loops X.wino: compute_at(stage=c2d, loop=h.0.0, scope=workspace)
//
// The first loop over bands is parallel, in few parts (shared_loops.h). Precondition: `trace` has
// the layouts of all tensors, and of loops only the product's.
void run_in_bands(const WinogradPlan& plan, const Target& target, const Choices& choices,
                  Trace& trace);

}  // namespace dovetail
