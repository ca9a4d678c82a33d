// SPDX-License-Identifier: Apache-2.0
//
// Decodes choices of a stream space into a trace; stream_space.h has the order of the loops.
#pragma once

#include "core/ir/schedule/trace.h"
#include "core/ir/target.h"
#include "primitives/space/choices.h"
#include "primitives/space/streams/streams.h"

namespace dovetail {

Trace decode(const Streams& streams, const Target& target, const Choices& choices);

}  // namespace dovetail
