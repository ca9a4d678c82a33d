// SPDX-License-Identifier: Apache-2.0
//
// Interpreter: runs a program on the host, one scalar statement after the other, whatever its
// loops' kinds say. It is the oracle of the tests: what the backends compute must be what it
// computes.
//
//     Storage storage;
//     storage["X"] = pack(layout, x);                          // every input and output
//     storage["Y"] = std::vector<float>(elements, NaN);
//     TRY(interpret(program, storage));                        // Y and the temporaries are there
//
// Work-items that wait for each other at barriers run in phases
// (tests/support/interpreter/phases.h).
//
// Nothing passes in silence: an index outside its buffer, a register read before it was stored to,
// an unknown name or a buffer of the wrong size is an error that names the kernel, the access and
// the values of its variables. Kernels that run once run like the others. Temporaries and derived
// buffers start as NaN, so that a read of what no kernel wrote shows in the output. Arithmetic is
// in f32, that of integers, too, which is exact to 2^24 (kernels have 64 bits); a store to an f16
// buffer rounds.
//
// Why compiled to a flat form first: property tests run thousands of programs, and the look-ups by
// name would cost a hundred times the arithmetic. An access that ranges prove right is one dot
// product; the innermost multiply-add loop is a strided loop. Some 10^8 multiply-adds a second.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/ir/program/program.h"

namespace dovetail {

// Physical elements of each buffer, in the order of its layout, by its name.
using Storage = std::map<std::string, std::vector<float>, std::less<>>;

Result<void> interpret(const Program& program, Storage& storage);

}  // namespace dovetail
