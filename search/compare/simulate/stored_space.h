// SPDX-License-Identifier: Apache-2.0
#pragma once

// stored_space: the space of a measured space, as its file has it, whatever rules make of that task
// now.
//
//   store_space(space, measured);                      what a file needs, when it is written
//   const Space space = TRY(stored_space(measured, target));
//   space.sample(rng)                                  draws as from the space that was measured
//   space.decode(point)                                the trace that was measured there
//
// A domain is what the points say: the values of the points that begin alike.
//
//   0 16 1        domain of the second after {0}: 16 32
//   0 16 2        domain of the third after {0, 16}: 1 2
//   0 32 1        domain of the third after {0, 32}: 1
//
// Why not by the rule: reduced spaces are cut around the default rule's point and have the
// parameters of their day, so that each better default and each new choice moved them, and times
// that took hours of a machine could not be searched any more. Points that have no result of their
// own (illegal ones, and those whose trace another point has) are stored, too: a strategy may
// propose them.

#include "core/base/result.h"
#include "core/record/export/measured_space.h"
#include "primitives/space/space.h"

namespace dovetail {

// The measured points are those of the space whose traces have results, in its order, as
// space_from_records makes them.
void store_space(const Space& space, MeasuredSpace& measured);

// True when the file has its space.
bool has_stored_space(const MeasuredSpace& measured);

// The error names the point or the parameter that is wrong: a trace that does not read, or that is
// not the one with that hash; points in no order of domains.
Result<Space> stored_space(const MeasuredSpace& measured, const Target& target);

}  // namespace dovetail
