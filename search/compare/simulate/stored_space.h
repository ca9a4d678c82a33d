// SPDX-License-Identifier: Apache-2.0
#pragma once

// stored_space: the search space in a measured space's file, whatever space the current rules make
// of that task.
//
//   store_space(space, measured);                      what a file needs, when it is written
//   const Space space = TRY(stored_space(measured, target));
//   space.sample(rng)                                  draws as from the space that was measured
//   space.decode(point)                                the trace that was measured there
//
// Domains are derived from the points: all values of points with the same prefix.
//
//   0 16 1        domain of the second after {0}: 16 32
//   0 16 2        domain of the third after {0, 16}: 1 2
//   0 32 1        domain of the third after {0, 32}: 1
//
// Spaces are stored, not made again by the rule, because reduced spaces are cut around the default
// rule's point and have the parameters of their time: each better default and each new choice moved
// them, and times that took hours of a machine could not be searched any more. Points without a
// result of their own (illegal ones, and duplicates of a trace) are stored, too, since a strategy
// may propose them.

#include "core/base/result.h"
#include "core/record/export/measured_space.h"
#include "primitives/space/space.h"

namespace dovetail {

// Precondition: the measured points are those of the space with a result, in its order, as
// space_from_records makes them.
void store_space(const Space& space, MeasuredSpace& measured);

// Whether the file has its space.
bool has_stored_space(const MeasuredSpace& measured);

// An error names the point or the parameter that is wrong: a trace that does not parse or has
// another hash, or points that are in no order of domains.
Result<Space> stored_space(const MeasuredSpace& measured, const Target& target);

}  // namespace dovetail
